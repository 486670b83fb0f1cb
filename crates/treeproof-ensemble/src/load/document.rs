//! A document of nested objects and arrays, read front to back: JSON and UBJSON look alike
//! to the XGBoost loader. Every error knows its path and position.

use crate::error::LoadError;

/// More columns than any table has.
const MAX_COLUMNS: usize = 1 << 20;

/// A reader positioned before a value of the document.
pub(super) trait Document: Sized {
    /// Reads an object: `field` is called for each key and must consume the value.
    fn object(&mut self, field: impl FnMut(&mut Self, &str) -> Result<(), LoadError>) -> Result<(), LoadError>;

    /// Reads an array: `item` is called for each element and must consume it.
    fn array(&mut self, item: impl FnMut(&mut Self, usize) -> Result<(), LoadError>) -> Result<(), LoadError>;

    /// The kind of the next value.
    fn kind(&mut self) -> Result<ValueKind, LoadError>;

    /// Reads a string.
    fn text(&mut self) -> Result<String, LoadError>;

    /// Reads a number, rounded once, directly to `f32`.
    fn float32(&mut self) -> Result<f32, LoadError>;

    /// Reads a number of either kind.
    fn number(&mut self) -> Result<DocumentNumber, LoadError>;

    /// Reads a number that must be an integer; `true` and `false` are 1 and 0.
    fn integer(&mut self) -> Result<i64, LoadError>;

    /// Passes over a value.
    fn skip(&mut self) -> Result<(), LoadError>;

    /// Checks that nothing follows.
    fn finish(&mut self) -> Result<(), LoadError>;

    /// An error at the current place.
    fn error(&self, what: impl Into<String>) -> LoadError;

    /// Reads an array into a list.
    fn list<T>(&mut self, mut read: impl FnMut(&mut Self) -> Result<T, LoadError>) -> Result<Vec<T>, LoadError> {
        let mut list = Vec::new();
        self.array(|document, _| {
            list.push(read(document)?);
            Ok(())
        })?;
        Ok(list)
    }

    /// Reads an array of `f32`.
    fn float32s(&mut self) -> Result<Vec<f32>, LoadError> {
        self.list(Self::float32)
    }

    /// Reads an array of integers of 32 bits.
    fn integers(&mut self) -> Result<Vec<i32>, LoadError> {
        self.list(Self::integer32)
    }

    /// Reads an integer of 32 bits.
    fn integer32(&mut self) -> Result<i32, LoadError> {
        let number = self.integer()?;
        i32::try_from(number).map_err(|_| self.error(format!("{number} is out of the range of 32 bits")))
    }

    /// Reads an array of names of columns or of their types.
    fn texts(&mut self) -> Result<Vec<String>, LoadError> {
        let mut texts = Vec::new();
        self.array(|document, index| {
            if index == MAX_COLUMNS {
                return Err(document.error(format!("more than {MAX_COLUMNS} columns")));
            }
            texts.push(document.text()?);
            Ok(())
        })?;
        Ok(texts)
    }

    /// Reads a number that some writers put into a string, as in `"num_class": "3"`.
    fn integer_in_text(&mut self) -> Result<i64, LoadError> {
        if self.kind()? != ValueKind::Text {
            return self.integer();
        }
        let text = self.text()?;
        text.trim().parse().map_err(|_| self.error(format!("expected an integer, found \"{}\"", shortened(&text))))
    }
}

/// A number, an integer if written as one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum DocumentNumber {
    Integer(i64),
    Float(f64),
}

/// The kinds of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueKind {
    Object,
    Array,
    Text,
    Number,
    Bool,
    Null,
}

/// The path to the current value, for messages: `learner.trees[3].left_children`.
#[derive(Debug, Default)]
pub(super) struct DocumentPath {
    steps: Vec<PathStep>,
}

#[derive(Debug)]
enum PathStep {
    Field(String),
    Index(usize),
}

impl DocumentPath {
    pub(super) fn enter_field(&mut self, key: &str) {
        self.steps.push(PathStep::Field(key.to_owned()));
    }

    pub(super) fn enter_array(&mut self) {
        self.steps.push(PathStep::Index(0));
    }

    pub(super) fn at_index(&mut self, index: usize) {
        if let Some(step) = self.steps.last_mut() {
            *step = PathStep::Index(index);
        }
    }

    /// Only called on success, so that an error still sees where it happened.
    pub(super) fn leave(&mut self) {
        self.steps.pop();
    }

    pub(super) fn describe(&self, position: &str) -> String {
        let mut text = String::new();
        for step in &self.steps {
            match step {
                PathStep::Field(key) if text.is_empty() => text.push_str(&shortened(key)),
                PathStep::Field(key) => text.push_str(&format!(".{}", shortened(key))),
                PathStep::Index(index) => text.push_str(&format!("[{index}]")),
            }
        }
        if text.is_empty() { position.to_owned() } else { format!("{text} ({position})") }
    }
}

/// A text from a file, short enough for a message.
pub(super) fn shortened(text: &str) -> String {
    if text.chars().count() <= 40 { text.to_owned() } else { text.chars().take(37).chain("...".chars()).collect() }
}
