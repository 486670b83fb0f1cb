//! UBJSON as XGBoost writes it: big-endian numbers behind a type byte, arrays with a type and a count.
//!
//! Written here because the UBJSON crates that exist are unmaintained and read neither typed arrays of this
//! size nor bound what a hostile count can claim.

use super::document::{Document, DocumentNumber, DocumentPath, ValueKind};
use crate::error::LoadError;

/// Deeper nesting than any model has.
const MAX_DEPTH: usize = 64;

/// A reader of a UBJSON document.
pub(super) struct Ubjson<'a> {
    content: &'a [u8],
    position: usize,
    /// The type of the next value when an array with a common type has announced it.
    announced: Option<u8>,
    place: DocumentPath,
}

impl<'a> Ubjson<'a> {
    pub(super) fn new(content: &'a [u8]) -> Self {
        Self { content: content.trim_ascii_start(), position: 0, announced: None, place: DocumentPath::default() }
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], LoadError> {
        match self.content.get(self.position..self.position.saturating_add(count)) {
            Some(bytes) => {
                self.position += count;
                Ok(bytes)
            }
            None => Err(self.error(format!("the file ends early: {count} more bytes were promised"))),
        }
    }

    fn take_array<const N: usize>(&mut self) -> Result<[u8; N], LoadError> {
        Ok(self.take(N)?.try_into().expect("take returns the count asked for"))
    }

    fn peek(&mut self) -> Result<u8, LoadError> {
        if let Some(marker) = self.announced {
            return Ok(marker);
        }
        // `N` is a no-op that may stand anywhere between values.
        while self.content.get(self.position) == Some(&b'N') {
            self.position += 1;
        }
        self.content.get(self.position).copied().ok_or_else(|| self.error("the file ends early"))
    }

    fn marker(&mut self) -> Result<u8, LoadError> {
        let marker = self.peek()?;
        if self.announced.take().is_none() {
            self.position += 1;
        }
        Ok(marker)
    }

    /// A number of the given type; `None` if the type is not a number.
    fn payload(&mut self, marker: u8) -> Result<Option<DocumentNumber>, LoadError> {
        Ok(Some(match marker {
            b'i' => DocumentNumber::Integer(i64::from(i8::from_be_bytes(self.take_array()?))),
            b'U' => DocumentNumber::Integer(i64::from(u8::from_be_bytes(self.take_array()?))),
            b'I' => DocumentNumber::Integer(i64::from(i16::from_be_bytes(self.take_array()?))),
            b'l' => DocumentNumber::Integer(i64::from(i32::from_be_bytes(self.take_array()?))),
            b'L' => DocumentNumber::Integer(i64::from_be_bytes(self.take_array()?)),
            b'd' => DocumentNumber::Float(f64::from(f32::from_be_bytes(self.take_array()?))),
            b'D' => DocumentNumber::Float(f64::from_be_bytes(self.take_array()?)),
            b'T' => DocumentNumber::Integer(1),
            b'F' => DocumentNumber::Integer(0),
            _ => return Ok(None),
        }))
    }

    /// A count, checked against what the file can still hold if every element takes `size` bytes.
    fn count(&mut self, size: usize) -> Result<usize, LoadError> {
        let marker = self.marker()?;
        let Some(DocumentNumber::Integer(count)) = self.payload(marker)? else {
            return Err(self.unexpected(marker, "a length"));
        };
        let left = self.content.len() - self.position;
        match usize::try_from(count) {
            Ok(count) if count.saturating_mul(size) <= left => Ok(count),
            _ => Err(self.error(format!(
                "claims {count} elements, but only {left} bytes are left: the file was cut off or damaged; save or copy it again"
            ))),
        }
    }

    fn string(&mut self) -> Result<String, LoadError> {
        let length = self.count(1)?;
        let bytes = self.take(length)?;
        String::from_utf8(bytes.to_vec()).map_err(|_| self.error("a string is not UTF-8"))
    }

    /// The common type and the count behind the `[` or `{` that was just read.
    fn container(&mut self) -> Result<(Option<u8>, Option<usize>), LoadError> {
        let mut common = None;
        if self.content.get(self.position) == Some(&b'$') {
            self.position += 1;
            common = Some(self.take(1)?[0]);
            if matches!(common, Some(b'T' | b'F' | b'Z' | b'N')) {
                // Its count could be any: nothing in the file stands for the elements.
                return Err(self.error("an array whose elements take no bytes, which no model needs"));
            }
        }
        if self.content.get(self.position) == Some(&b'#') {
            self.position += 1;
            let size = common.map_or(1, |marker| element_size(marker).unwrap_or(1).max(1));
            return Ok((common, Some(self.count(size)?)));
        }
        match common {
            Some(_) => Err(self.error("an array has a type but no count")),
            None => Ok((None, None)),
        }
    }

    fn at_end(&mut self, end: u8, count: Option<usize>, index: usize) -> Result<bool, LoadError> {
        match count {
            Some(count) => Ok(index == count),
            None if self.peek()? == end => {
                self.position += 1;
                Ok(true)
            }
            None => Ok(false),
        }
    }

    fn unexpected(&self, marker: u8, wanted: &str) -> LoadError {
        self.error(format!("expected {wanted}, found the type {:?}", char::from(marker)))
    }

    fn skip_value(&mut self, depth: usize) -> Result<(), LoadError> {
        if depth > MAX_DEPTH {
            return Err(self.error("nested too deeply"));
        }
        match self.kind()? {
            ValueKind::Object => self.object(|document, _| document.skip_value(depth + 1)),
            ValueKind::Array => match self.typed_array(|_| true)? {
                Some(_) => Ok(()),
                None => self.array(|document, _| document.skip_value(depth + 1)),
            },
            ValueKind::Text => self.text().map(drop),
            ValueKind::Null => self.marker().map(drop),
            ValueKind::Number | ValueKind::Bool => self.number().map(drop),
        }
    }

    /// The bytes of an array of numbers of one wanted type, if the next value is one.
    fn typed_array(&mut self, wanted: impl Fn(u8) -> bool) -> Result<Option<&'a [u8]>, LoadError> {
        let start = self.position;
        if self.announced.is_some() || self.peek()? != b'[' {
            return Ok(None);
        }
        self.marker()?;
        if let (Some(marker), Some(count)) = self.container()?
            && wanted(marker)
            && let Some(size) = element_size(marker)
        {
            return self.take(count * size).map(Some);
        }
        self.position = start;
        Ok(None)
    }
}

fn element_size(marker: u8) -> Option<usize> {
    match marker {
        b'i' | b'U' => Some(1),
        b'I' => Some(2),
        b'l' | b'd' => Some(4),
        b'L' | b'D' => Some(8),
        _ => None,
    }
}

impl Document for Ubjson<'_> {
    fn object(&mut self, mut field: impl FnMut(&mut Self, &str) -> Result<(), LoadError>) -> Result<(), LoadError> {
        let marker = self.marker()?;
        if marker != b'{' {
            return Err(self.unexpected(marker, "an object"));
        }
        let (common, count) = self.container()?;
        let mut index = 0;
        while !self.at_end(b'}', count, index)? {
            let key = self.string()?;
            self.place.enter_field(&key);
            self.announced = common;
            field(self, &key)?;
            self.place.leave();
            index += 1;
        }
        Ok(())
    }

    fn array(&mut self, mut item: impl FnMut(&mut Self, usize) -> Result<(), LoadError>) -> Result<(), LoadError> {
        let marker = self.marker()?;
        if marker != b'[' {
            return Err(self.unexpected(marker, "an array"));
        }
        let (common, count) = self.container()?;
        let mut index = 0;
        self.place.enter_array();
        while !self.at_end(b']', count, index)? {
            self.place.at_index(index);
            self.announced = common;
            item(self, index)?;
            index += 1;
        }
        self.place.leave();
        Ok(())
    }

    fn kind(&mut self) -> Result<ValueKind, LoadError> {
        let marker = self.peek()?;
        match marker {
            b'{' => Ok(ValueKind::Object),
            b'[' => Ok(ValueKind::Array),
            b'S' | b'C' | b'H' => Ok(ValueKind::Text),
            b'T' | b'F' => Ok(ValueKind::Bool),
            b'Z' => Ok(ValueKind::Null),
            b'i' | b'U' | b'I' | b'l' | b'L' | b'd' | b'D' => Ok(ValueKind::Number),
            _ => Err(self.error(format!("{:?} is no type of UBJSON", char::from(marker)))),
        }
    }

    fn text(&mut self) -> Result<String, LoadError> {
        match self.marker()? {
            b'S' | b'H' => self.string(),
            b'C' => Ok(char::from(self.take(1)?[0]).to_string()),
            other => Err(self.unexpected(other, "a string")),
        }
    }

    fn float32(&mut self) -> Result<f32, LoadError> {
        #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "rounded once, to f32")]
        Ok(match self.number()? {
            DocumentNumber::Integer(number) => number as f32,
            DocumentNumber::Float(number) => number as f32,
        })
    }

    fn number(&mut self) -> Result<DocumentNumber, LoadError> {
        let marker = self.marker()?;
        match self.payload(marker)? {
            Some(number) => Ok(number),
            None => Err(self.unexpected(marker, "a number")),
        }
    }

    fn integer(&mut self) -> Result<i64, LoadError> {
        match self.number()? {
            DocumentNumber::Integer(number) => Ok(number),
            DocumentNumber::Float(_) => Err(self.error("expected an integer, found a float")),
        }
    }

    fn skip(&mut self) -> Result<(), LoadError> {
        self.skip_value(0)
    }

    fn finish(&mut self) -> Result<(), LoadError> {
        if self.content[self.position..].trim_ascii_end().is_empty() {
            Ok(())
        } else {
            Err(self.error("more bytes after the model"))
        }
    }

    fn error(&self, what: impl Into<String>) -> LoadError {
        LoadError::malformed(self.place.describe(&format!("byte {}", self.position)), what)
    }

    fn float32s(&mut self) -> Result<Vec<f32>, LoadError> {
        if let Some(bytes) = self.typed_array(|marker| marker == b'd')? {
            let (numbers, _) = bytes.as_chunks::<4>();
            return Ok(numbers.iter().map(|number| f32::from_be_bytes(*number)).collect());
        }
        self.list(Self::float32)
    }

    fn integers(&mut self) -> Result<Vec<i32>, LoadError> {
        if let Some(bytes) = self.typed_array(|marker| marker == b'l')? {
            let (numbers, _) = bytes.as_chunks::<4>();
            return Ok(numbers.iter().map(|number| i32::from_be_bytes(*number)).collect());
        }
        if let Some(bytes) = self.typed_array(|marker| marker == b'U')? {
            return Ok(bytes.iter().map(|number| i32::from(*number)).collect());
        }
        self.list(Self::integer32)
    }
}
