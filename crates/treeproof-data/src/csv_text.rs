//! The bytes of a CSV file, from which its cells can be read again as texts.

use std::sync::Arc;

use csv::{ByteRecord, ErrorKind, ReaderBuilder};

use crate::error::ReadError;
use crate::missing::is_missing;
use crate::texts::{Texts, TextsBuilder};

/// The cells of a CSV file as texts, parsed again from the file's bytes on request.
///
/// CSV has no types: the meaning of a column of digits depends on the reader.
#[derive(Clone, PartialEq)]
pub struct CsvText {
    content: Arc<Vec<u8>>,
    separator: u8,
    /// True for each column that pandas would read as texts where the table has numbers.
    is_text: Vec<bool>,
}

impl CsvText {
    pub(crate) fn new(content: Vec<u8>, separator: u8, is_text: Vec<bool>) -> Self {
        Self { content: Arc::new(content), separator, is_text }
    }

    /// True if pandas would read a column of numbers as texts, because of a cell such as ` NA`.
    pub fn is_text(&self, column: usize) -> bool {
        self.is_text.get(column) == Some(&true)
    }

    /// The cells of one column.
    pub fn texts(&self, column: usize) -> Texts {
        let mut builder = TextsBuilder::default();
        let mut records = CsvRecords::new(&self.content, self.separator);
        let mut record = ByteRecord::new();
        // The header, then records that were read without error before; bytes that are not UTF-8 are no number.
        let _ = records.next(&mut record);
        while matches!(records.next(&mut record), Ok(true)) {
            push_text(&mut builder, &String::from_utf8_lossy(record.get(column).unwrap_or_default()));
        }
        builder.finish()
    }
}

impl std::fmt::Debug for CsvText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CsvText").field("bytes", &self.content.len()).finish_non_exhaustive()
    }
}

/// The records of a CSV file, with errors that name the line.
pub(crate) struct CsvRecords<'a> {
    reader: csv::Reader<&'a [u8]>,
}

impl<'a> CsvRecords<'a> {
    pub(crate) fn new(content: &'a [u8], separator: u8) -> Self {
        Self { reader: ReaderBuilder::new().has_headers(false).delimiter(separator).from_reader(content) }
    }

    /// Reads the next record; false at the end of the file.
    pub(crate) fn next(&mut self, record: &mut ByteRecord) -> Result<bool, ReadError> {
        self.reader.read_byte_record(record).map_err(|error| match error.kind() {
            ErrorKind::UnequalLengths { pos, expected_len, len } => {
                let line = pos.as_ref().map_or(0, csv::Position::line);
                ReadError::line(line, format!("{len} cells, but the header has {expected_len} columns"))
            }
            _ => ReadError::malformed("", error.to_string()),
        })
    }
}

/// Adds a cell to a column of texts.
pub(crate) fn push_text(builder: &mut TextsBuilder, text: &str) {
    match text {
        "" => builder.push_missing(),
        spelling if is_missing(spelling) => builder.push_missing_as(spelling),
        text => builder.push(text),
    }
}
