//! libsvm (svmlight) text: `label index:value …`, one row a line.
//!
//! Indices are kept as the file writes them (see [`SparseRows`]); `qid:` is skipped, and what follows `#` is a comment.
//! An absent entry is neither zero nor missing here: the model decides.

use super::bytes::MemoryLimit;
use crate::error::{ReadError, quote};
use crate::sparse::SparseRows;
use crate::table::Table;

/// Reads a libsvm file.
pub(super) fn read(content: &[u8], limit: MemoryLimit) -> Result<Table, ReadError> {
    let content = content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(content);
    let mut rows = SparseRows::new();
    let (mut labels, mut num_entries) = (Vec::new(), 0);
    for (line, number) in content.split(|byte| *byte == b'\n').zip(1_u64..) {
        let row = line.split(|byte| *byte == b'#').next().unwrap_or_default();
        let text = std::str::from_utf8(row).map_err(|_| ReadError::line(number, "not UTF-8 text"))?;
        let mut words = text.split_ascii_whitespace();
        let Some(label) = words.next() else { continue };
        labels.push(read_label(label).map_err(|what| ReadError::line(number, what))?);
        for word in words.filter(|word| !word.starts_with("qid:")) {
            let (index, value) = read_entry(word).map_err(|what| ReadError::line(number, what))?;
            rows.push(index, value);
            num_entries += 1;
        }
        // Each row takes about as much memory as an entry: its label and its end.
        if !limit.admits(num_entries + labels.len(), size_of::<(u32, f64)>()) {
            return Err(ReadError::line(number, limit.exceeded()));
        }
        if let Err(index) = rows.end_row() {
            return Err(ReadError::line(number, format!("index {index} occurs twice")));
        }
    }
    Ok(Table::sparse(rows).with_labels(labels))
}

fn read_label(word: &str) -> Result<f64, String> {
    word.parse().map_err(|_| match word.contains(':') {
        true => format!("starts with {} where the label belongs; write a label (0 will do) before it", quote(word)),
        false => format!("the label {} is not a number", quote(word)),
    })
}

fn read_entry(word: &str) -> Result<(u32, f64), String> {
    let (index, value) =
        word.split_once(':').ok_or_else(|| format!("{} is not of the form index:value", quote(word)))?;
    // The largest u32 is kept free, so that "one more than the largest index" is a u32 too.
    let index = index.parse().ok().filter(|index| *index < u32::MAX);
    let index = index.ok_or_else(|| format!("the index in {} is not a column number", quote(word)))?;
    let value = value.parse().map_err(|_| format!("the value in {} is not a number", quote(word)))?;
    Ok((index, value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Cells;

    #[test]
    fn labels_entries_comments_and_query_ids() {
        let table =
            read(b"# head\n+1 qid:7 3:0.5 1:-2e3 # tail 9:9\r\n\n-1\n0.5 2:nan\n", MemoryLimit::of_size(0)).unwrap();
        assert_eq!(table.labels().unwrap(), [1.0, -1.0, 0.5]);
        let Cells::Sparse(rows) = table.cells() else { panic!() };
        assert_eq!(rows.row(0), [(1, -2e3), (3, 0.5)]);
        assert_eq!(rows.row(1), []);
        assert!(rows.row(2)[0].1.is_nan());
        assert_eq!((table.num_rows(), table.num_columns()), (3, 4));
    }

    #[test]
    fn errors_name_the_line_and_the_word() {
        let cases: [(&[u8], &str); 6] = [
            (b"1 1:2\n1 x\n", "line 2: `x` is not of the form index:value"),
            (b"1 -1:2\n", "line 1: the index in `-1:2` is not a column number"),
            (b"1 1:2:3\n", "line 1: the value in `1:2:3` is not a number"),
            (b"1 4:2 4:3\n", "line 1: index 4 occurs twice"),
            (b"a 1:2\n", "line 1: the label `a` is not a number"),
            (b"1:2 3:4\n", "line 1: starts with `1:2` where the label belongs; write a label (0 will do) before it"),
        ];
        for (content, expected) in cases {
            assert_eq!(read(content, MemoryLimit::of_size(0)).unwrap_err().to_string(), expected);
        }
    }
}
