//! Page sizes claimed by page headers, read before any page: the decoder would inflate up to 2 GiB for a page of some
//! kilobytes, whatever the footer says.

/// The inflated sizes of the pages in a column chunk, up to the first unreadable header.
pub(super) fn inflated_sizes(mut chunk: &[u8]) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let mut header = PageHeader { rest: chunk };
        let (inflated, compressed) = header.page_sizes()?;
        chunk = header.rest.get(compressed..)?;
        Some(inflated)
    })
}

/// Nesting of structs in a page header; statistics are the deepest.
const MAX_DEPTH: usize = 8;

/// A page header being read, in Thrift's compact protocol.
struct PageHeader<'a> {
    rest: &'a [u8],
}

impl PageHeader<'_> {
    /// Reads the header to its end; returns the sizes of the page, inflated and compressed.
    fn page_sizes(&mut self) -> Option<(usize, usize)> {
        let (mut sizes, mut id) = ([None; 2], 0);
        while let Some(kind) = self.field(&mut id)? {
            match id {
                2 | 3 if kind == 5 => sizes[usize::from(id == 3)] = usize::try_from(self.signed()?).ok(),
                _ => self.skip(kind, 0)?,
            }
        }
        Some((sizes[0]?, sizes[1]?))
    }

    /// The kind of the next field of a struct; the inner `None` at its end.
    #[expect(clippy::option_option, reason = "nothing to read is not the end of a struct")]
    fn field(&mut self, id: &mut i64) -> Option<Option<u8>> {
        let byte = self.byte()?;
        if byte == 0 {
            return Some(None);
        }
        *id = match byte >> 4 {
            0 => self.signed()?,
            delta => id.checked_add(i64::from(delta))?,
        };
        Some(Some(byte & 15))
    }

    fn skip(&mut self, kind: u8, depth: usize) -> Option<()> {
        if depth > MAX_DEPTH {
            return None;
        }
        match kind {
            // Booleans carry their value in the kind.
            1 | 2 => Some(()),
            3 => self.bytes(1),
            4..=6 => self.varint().map(drop),
            7 => self.bytes(8),
            8 => {
                let length = usize::try_from(self.varint()?).ok()?;
                self.bytes(length)
            }
            9 | 10 => {
                let byte = self.byte()?;
                let length = if byte >> 4 == 15 { self.varint()? } else { u64::from(byte >> 4) };
                let kind = byte & 15;
                (0..length).try_for_each(|_| if kind <= 2 { self.bytes(1) } else { self.skip(kind, depth + 1) })
            }
            12 => {
                let mut id = 0;
                while let Some(kind) = self.field(&mut id)? {
                    self.skip(kind, depth + 1)?;
                }
                Some(())
            }
            _ => None,
        }
    }

    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    fn bytes(&mut self, length: usize) -> Option<()> {
        self.rest = self.rest.get(length..)?;
        Some(())
    }

    fn varint(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 127) << shift;
            if byte < 128 {
                return Some(value);
            }
        }
        None
    }

    /// An integer in zigzag encoding.
    fn signed(&mut self) -> Option<i64> {
        let value = self.varint()?;
        Some((value >> 1) as i64 ^ -((value & 1) as i64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_of_pages_one_after_the_other() {
        // Kind 0, 1000 bytes in 3, a struct of a number, a text and a truth value; then the page.
        let header = [0x15, 0, 0x15, 0xd0, 0x0f, 0x15, 6, 0x2c, 0x15, 2, 0x18, 2, b'a', b'b', 0x11, 0, 0];
        let page = [&header[..], b"xyz"].concat();
        assert_eq!(inflated_sizes(&page.repeat(2)).collect::<Vec<_>>(), [1000, 1000]);
        assert_eq!(inflated_sizes(&page[..page.len() - 4]).count(), 0);
        assert_eq!(inflated_sizes(&[0x1c; 100]).count(), 0);
    }
}
