//! The header of a numpy array: a Python dictionary of element type, order and shape.

use crate::error::{ReadError, quote};

/// The header of an array.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::read) struct ArrayHeader {
    /// The element type in numpy's notation; `None` for a structured type.
    descr: Option<String>,
    /// True if the array is stored column by column.
    pub(in crate::read) is_fortran: bool,
    /// The lengths of the dimensions.
    pub(in crate::read) shape: Vec<usize>,
}

/// A supported element type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ElementType {
    pub(super) kind: ElementKind,
    /// In bytes.
    pub(super) size: usize,
    pub(super) is_big_endian: bool,
}

/// The kinds of element types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ElementKind {
    Float,
    Signed,
    Unsigned,
    Boolean,
}

impl ArrayHeader {
    /// Reads the header; returns it with the data that follows.
    pub(in crate::read) fn read(content: &[u8]) -> Result<(Self, &[u8]), ReadError> {
        let damaged = |what: &str| ReadError::malformed("header", what);
        let rest = content.strip_prefix(b"\x93NUMPY").ok_or_else(|| damaged("does not start as a numpy array"))?;
        let (length, rest) = match rest {
            [1, _, a, b, rest @ ..] => (u32::from(u16::from_le_bytes([*a, *b])), rest),
            [2 | 3, _, a, b, c, d, rest @ ..] => (u32::from_le_bytes([*a, *b, *c, *d]), rest),
            [1..=3, ..] | [] => return Err(damaged("cut short")),
            [version, ..] => return Err(ReadError::unsupported("header", format!("version {version} of .npy"))),
        };
        let (text, data) = rest.split_at_checked(length as usize).ok_or_else(|| damaged("cut short"))?;
        let text = std::str::from_utf8(text).map_err(|_| damaged("not UTF-8 text"))?;
        let header = HeaderParser { rest: text }
            .header()
            .ok_or_else(|| damaged("not a dictionary of descr, fortran_order and shape"))?;
        Ok((header, data))
    }

    /// The element type; an error unless it is numeric.
    pub(super) fn element_type(&self) -> Result<ElementType, ReadError> {
        let refuse = |what: String| Err(ReadError::unsupported("", what));
        let Some(descr) = &self.descr else {
            return refuse("a structured array; save its columns as one matrix of floats".into());
        };
        let (order, code) = match descr.as_bytes() {
            [order @ (b'<' | b'>' | b'|' | b'='), code @ ..] => (*order, code),
            code => (b'<', code),
        };
        let (kind, size) = match code {
            b"f4" => (ElementKind::Float, 4),
            b"f8" => (ElementKind::Float, 8),
            b"i1" => (ElementKind::Signed, 1),
            b"i2" => (ElementKind::Signed, 2),
            b"i4" => (ElementKind::Signed, 4),
            b"i8" => (ElementKind::Signed, 8),
            b"u1" => (ElementKind::Unsigned, 1),
            b"u2" => (ElementKind::Unsigned, 2),
            b"u4" => (ElementKind::Unsigned, 4),
            b"u8" => (ElementKind::Unsigned, 8),
            b"b1" => (ElementKind::Boolean, 1),
            [b'O', ..] => return refuse("an array of Python objects; save it with X.astype('float64')".into()),
            [b'U' | b'S', ..] => return refuse("an array of texts; save texts as CSV or Parquet".into()),
            [b'f', ..] => {
                return refuse(format!("elements of type {}; save it with X.astype('float64')", quote(descr)));
            }
            _ => return refuse(format!("elements of type {}, which are not real numbers", quote(descr))),
        };
        Ok(ElementType { kind, size, is_big_endian: order == b'>' })
    }
}

/// HeaderParser of the subset of Python's syntax that numpy writes.
struct HeaderParser<'a> {
    rest: &'a str,
}

impl<'a> HeaderParser<'a> {
    fn header(mut self) -> Option<ArrayHeader> {
        let (mut descr, mut is_fortran, mut shape) = (None, None, None);
        self.expect('{')?;
        while self.expect('}').is_none() {
            let key = self.text()?;
            self.expect(':')?;
            match key {
                "descr" => descr = Some(self.descr()?),
                "fortran_order" => is_fortran = Some(self.boolean()?),
                "shape" => shape = Some(self.shape()?),
                _ => return None,
            }
            if self.expect(',').is_none() {
                self.expect('}')?;
                break;
            }
        }
        self.rest.trim().is_empty().then_some(())?;
        Some(ArrayHeader { descr: descr?, is_fortran: is_fortran?, shape: shape? })
    }

    fn expect(&mut self, wanted: char) -> Option<()> {
        self.rest = self.rest.trim_start().strip_prefix(wanted)?;
        Some(())
    }

    fn text(&mut self) -> Option<&'a str> {
        let rest = self.rest.trim_start();
        let quote = rest.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
        let (text, rest) = rest[1..].split_once(quote)?;
        self.rest = rest;
        Some(text)
    }

    /// A text, or `None` for the list of a structured type, which ends with the last bracket of the header.
    fn descr(&mut self) -> Option<Option<String>> {
        if self.expect('[').is_some() {
            self.rest = self.rest.rsplit_once(']')?.1;
            return Some(None);
        }
        Some(Some(self.text()?.to_owned()))
    }

    fn boolean(&mut self) -> Option<bool> {
        let rest = self.rest.trim_start();
        let (value, rest) = rest
            .strip_prefix("True")
            .map(|rest| (true, rest))
            .or(rest.strip_prefix("False").map(|rest| (false, rest)))?;
        self.rest = rest;
        Some(value)
    }

    fn shape(&mut self) -> Option<Vec<usize>> {
        self.expect('(')?;
        let (inside, rest) = self.rest.split_once(')')?;
        self.rest = rest;
        let inside = inside.trim().trim_end_matches(',').trim_end();
        if inside.is_empty() {
            return Some(Vec::new());
        }
        // numpy has at most 64 dimensions. Python 2 wrote long integers with an L.
        let lengths = inside.split(',').take(65).map(|length| length.trim().trim_end_matches('L').parse().ok());
        lengths.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Option<ArrayHeader> {
        HeaderParser { rest: text }.header()
    }

    #[test]
    fn headers_as_numpy_writes_them() {
        let expected = ArrayHeader { descr: Some("<f4".into()), is_fortran: false, shape: vec![3, 4] };
        for text in [
            "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }    \n",
            "{\"shape\":(3L,4L),\"descr\":\"<f4\",\"fortran_order\":False}",
        ] {
            assert_eq!(parse(text), Some(expected.clone()), "{text}");
        }
        assert_eq!(parse("{'descr': '<f4', 'fortran_order': True, 'shape': (3,), }").unwrap().shape, [3]);
        let structured = "{'descr': [('a', '<f8'), ('b', [('c', '<i4')])], 'fortran_order': False, 'shape': (3,), }";
        assert_eq!(parse(structured).unwrap().descr, None);
    }

    #[test]
    fn other_headers_are_refused() {
        for text in [
            "",
            "{}",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (-3,), }",
            "{'descr': '<f4', 'fortran_order': 0, 'shape': (3,), }",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), } x",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), }",
            "{'descr: '<f4'",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
