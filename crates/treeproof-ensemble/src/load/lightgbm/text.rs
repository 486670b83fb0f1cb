//! Lines, fields and numbers of a text model, taken as slices of the file; an error counts its line only when it
//! happens.

use std::str::FromStr;

use memchr::{memchr, memchr_iter};

use crate::error::LoadError;
use crate::load::document::shortened;

/// The whole file.
#[derive(Clone, Copy)]
pub(super) struct Text<'a> {
    content: &'a [u8],
}

/// A line without its end, and where it starts.
#[derive(Clone, Copy)]
pub(super) struct TextLine<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) offset: usize,
}

/// The value of a line `key=value`, and where the line starts.
#[derive(Clone, Copy)]
pub(super) struct TextField<'a> {
    pub(super) value: &'a [u8],
    pub(super) offset: usize,
}

impl<'a> Text<'a> {
    pub(super) fn new(content: &'a [u8]) -> Self {
        Self { content }
    }

    /// All lines, ended by `\n` or `\r\n`.
    pub(super) fn lines(&self) -> impl Iterator<Item = TextLine<'a>> + use<'a> {
        let content = self.content;
        let mut offset = 0;
        std::iter::from_fn(move || {
            let rest = content.get(offset..).filter(|rest| !rest.is_empty())?;
            let length = memchr(b'\n', rest).unwrap_or(rest.len());
            let bytes = rest[..length].strip_suffix(b"\r").unwrap_or(&rest[..length]);
            let line = TextLine { bytes, offset };
            offset += length + 1;
            Some(line)
        })
    }

    /// The values of these keys among the lines; the key ends at the first `=`, so values may hold more of them.
    pub(super) fn fields<const N: usize>(
        &self,
        lines: &[TextLine<'a>],
        keys: [&str; N],
    ) -> Result<[Option<TextField<'a>>; N], LoadError> {
        let mut fields = [None; N];
        for line in lines {
            let Some(end) = memchr(b'=', line.bytes) else { continue };
            let Some(position) = keys.iter().position(|key| key.as_bytes() == &line.bytes[..end]) else { continue };
            let field = TextField { value: &line.bytes[end + 1..], offset: line.offset };
            if fields[position].replace(field).is_some() {
                return Err(self.error(line.offset, format!("`{}` is given twice", keys[position])));
            }
        }
        Ok(fields)
    }

    /// An error in the line that starts at an offset.
    pub(super) fn error(&self, offset: usize, what: impl Into<String>) -> LoadError {
        let before = &self.content[..offset.min(self.content.len())];
        LoadError::malformed(format!("line {}", memchr_iter(b'\n', before).count() + 1), what)
    }

    /// The value as text.
    pub(super) fn utf8(&self, field: &TextField<'a>) -> Result<&'a str, LoadError> {
        std::str::from_utf8(field.value).map_err(|_| self.error(field.offset, "the line is not valid UTF-8"))
    }

    /// The words of the value.
    pub(super) fn words(&self, field: &TextField<'a>) -> Result<Vec<&'a str>, LoadError> {
        Ok(self.utf8(field)?.split(' ').filter(|word| !word.is_empty()).collect())
    }

    /// The value as one number.
    pub(super) fn single<T: FromStr>(&self, field: &TextField<'a>) -> Result<T, LoadError> {
        self.parse(field, self.utf8(field)?.trim())
    }

    /// The value as numbers; `expected` only saves reallocations.
    pub(super) fn numbers<T: FromStr>(&self, field: &TextField<'a>, expected: usize) -> Result<Vec<T>, LoadError> {
        // A number and its space take two bytes at least: no claim reserves more than the file backs.
        let mut numbers = Vec::with_capacity(expected.min(field.value.len() / 2 + 1));
        for word in self.utf8(field)?.split(' ') {
            if !word.is_empty() {
                numbers.push(self.parse(field, word)?);
            }
        }
        Ok(numbers)
    }

    fn parse<T: FromStr>(&self, field: &TextField<'a>, word: &str) -> Result<T, LoadError> {
        word.parse().map_err(|_| {
            let kind = match std::any::type_name::<T>() {
                "f64" => "a number",
                _ => "an integer in range",
            };
            self.error(field.offset, format!("expected {kind}, found \"{}\"", shortened(word)))
        })
    }
}
