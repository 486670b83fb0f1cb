//! JSON as the model libraries write it: numbers are kept as literals until their type is known, and `NaN` and
//! `Infinity` are numbers.

use jiter::{Jiter, JiterError, Peek};

use super::document::{Document, DocumentNumber, DocumentPath, ValueKind, shortened};
use crate::error::LoadError;

/// The message for a document that ends too soon.
pub(super) const CUT_OFF: &str = "the file ends in the middle of the document: it was cut off; save or copy it again";

/// A reader of a JSON document.
pub(super) struct Json<'a> {
    jiter: Jiter<'a>,
    place: DocumentPath,
}

impl<'a> Json<'a> {
    pub(super) fn new(content: &'a [u8]) -> Self {
        let content = content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(content);
        Self { jiter: Jiter::new(content).with_allow_inf_nan(), place: DocumentPath::default() }
    }

    /// Reads a number and hands its literal to `parse`.
    pub(super) fn literal<T>(&mut self, parse: impl FnOnce(&str) -> Option<T>) -> Result<T, LoadError> {
        let literal = self.jiter.next_number_bytes().map_err(|error| wrong(&self.place, &error))?;
        let parsed = std::str::from_utf8(literal).ok().and_then(parse);
        parsed.ok_or_else(|| self.error("not a number of the expected kind"))
    }

    /// An error for content at the current place that cannot be represented.
    pub(super) fn unsupported(&self, what: impl Into<String>) -> LoadError {
        LoadError::unsupported(self.error("").place, what)
    }
}

fn wrong(place: &DocumentPath, error: &JiterError) -> LoadError {
    let what = error.error_type.to_string();
    let what = match what.starts_with("EOF") {
        true => CUT_OFF.to_owned(),
        false => what,
    };
    LoadError::malformed(place.describe(&format!("byte {}", error.index)), what)
}

impl Document for Json<'_> {
    fn object(&mut self, mut field: impl FnMut(&mut Self, &str) -> Result<(), LoadError>) -> Result<(), LoadError> {
        let mut key = self.jiter.next_object().map_err(|error| wrong(&self.place, &error))?.map(str::to_owned);
        while let Some(name) = key {
            self.place.enter_field(&name);
            field(self, &name)?;
            self.place.leave();
            key = self.jiter.next_key().map_err(|error| wrong(&self.place, &error))?.map(str::to_owned);
        }
        Ok(())
    }

    fn array(&mut self, mut item: impl FnMut(&mut Self, usize) -> Result<(), LoadError>) -> Result<(), LoadError> {
        let mut next = self.jiter.next_array().map_err(|error| wrong(&self.place, &error))?;
        let mut index = 0;
        self.place.enter_array();
        while next.is_some() {
            self.place.at_index(index);
            item(self, index)?;
            next = self.jiter.array_step().map_err(|error| wrong(&self.place, &error))?;
            index += 1;
        }
        self.place.leave();
        Ok(())
    }

    fn kind(&mut self) -> Result<ValueKind, LoadError> {
        let peek = self.jiter.peek().map_err(|error| wrong(&self.place, &error))?;
        Ok(match peek {
            Peek::Object => ValueKind::Object,
            Peek::Array => ValueKind::Array,
            Peek::String => ValueKind::Text,
            Peek::True | Peek::False => ValueKind::Bool,
            Peek::Null => ValueKind::Null,
            _ => ValueKind::Number,
        })
    }

    fn text(&mut self) -> Result<String, LoadError> {
        let text = self.jiter.next_str().map_err(|error| wrong(&self.place, &error))?;
        Ok(text.to_owned())
    }

    fn float32(&mut self) -> Result<f32, LoadError> {
        self.literal(|literal| literal.parse().ok())
    }

    fn number(&mut self) -> Result<DocumentNumber, LoadError> {
        self.literal(|literal| {
            let integer = literal.parse().ok().map(DocumentNumber::Integer);
            integer.or_else(|| literal.parse().ok().map(DocumentNumber::Float))
        })
    }

    fn integer(&mut self) -> Result<i64, LoadError> {
        if self.kind()? == ValueKind::Bool {
            return self.jiter.next_bool().map(i64::from).map_err(|error| wrong(&self.place, &error));
        }
        let literal = self.jiter.next_number_bytes().map_err(|error| wrong(&self.place, &error))?;
        let literal = String::from_utf8_lossy(literal);
        match literal.parse() {
            Ok(number) => Ok(number),
            Err(_) => {
                let what = format!("expected an integer, found {}", shortened(&literal));
                Err(self.error(what))
            }
        }
    }

    fn skip(&mut self) -> Result<(), LoadError> {
        self.jiter.next_skip().map_err(|error| wrong(&self.place, &error))
    }

    fn finish(&mut self) -> Result<(), LoadError> {
        self.jiter.finish().map_err(|error| wrong(&self.place, &error))
    }

    fn error(&self, what: impl Into<String>) -> LoadError {
        LoadError::malformed(self.place.describe(&format!("byte {}", self.jiter.current_index())), what)
    }
}
