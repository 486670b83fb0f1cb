//! The CSV reader: a header line, then columns of numbers, booleans (`True` and `False`) or texts.
//!
//! The rules are those of `pandas.read_csv(float_precision="round_trip")`: its spellings of missing values and booleans,
//! and decimals rounded once, to the nearest f64. `?` is a text, not missing.
//! Columns of numbers are read more leniently than by pandas: a cell of spaces is missing too, as are ` NA` and `nan`
//! in any case. [`CsvText::is_text`] lists the columns that needed this: pandas reads them as texts.

use ::csv::ByteRecord;

use super::bytes::MemoryLimit;
use crate::csv_text::{CsvRecords, CsvText, push_text};
use crate::error::{ReadError, quote};
use crate::missing::{is_missing, is_missing_number};
use crate::table::{Column, MAX_COLUMNS, Table};
use crate::texts::TextsBuilder;

/// Reads a CSV file; the separator is found in the header line unless it is given.
pub(super) fn read(mut content: Vec<u8>, separator: Option<u8>, limit: MemoryLimit) -> Result<Table, ReadError> {
    if content.starts_with(b"\xef\xbb\xbf") {
        content.drain(..3);
    }
    let separator = separator.unwrap_or_else(|| sniff_separator(&content));
    let mut records = CsvRecords::new(&content, separator);
    let mut record = ByteRecord::new();
    if !records.next(&mut record)? {
        return Err(ReadError::unrecognised("is empty: a CSV file starts with a line of column names"));
    }
    let names = read_header(&record)?;

    let mut columns: Vec<NumericColumn> = names.iter().map(|_| NumericColumn::default()).collect();
    let mut num_rows = 0;
    while records.next(&mut record)? {
        num_rows += 1;
        // An empty cell is one byte of the file, and eight in memory.
        if !limit.admits(num_rows, names.len() * size_of::<f64>()) {
            return Err(ReadError::line(num_rows as u64 + 1, limit.exceeded()));
        }
        for (column, cell) in columns.iter_mut().zip(&record) {
            column.push(cell);
        }
    }
    let is_text = columns.iter().map(|column| column.is_text || column.is_loose).collect();
    let columns: Vec<Option<Column>> = columns.into_iter().map(NumericColumn::finish).collect();
    let columns = match columns.iter().any(Option::is_none) {
        true => fill_in_texts(columns, CsvRecords::new(&content, separator))?,
        false => columns.into_iter().flatten().collect(),
    };
    Ok(Table::dense(Some(names), num_rows, columns)?.with_csv_text(CsvText::new(content, separator, is_text)))
}

/// The separator that the header line holds most often outside quotes.
fn sniff_separator(content: &[u8]) -> u8 {
    const CANDIDATES: [u8; 3] = [b',', b';', b'\t'];
    let mut counts = [0_usize; 3];
    let mut quoted = false;
    for byte in content {
        match byte {
            b'"' => quoted = !quoted,
            b'\n' | b'\r' if !quoted => break,
            _ if quoted => {}
            _ => CANDIDATES.iter().zip(&mut counts).for_each(|(known, count)| *count += usize::from(byte == known)),
        }
    }
    let best = counts.iter().max().copied().unwrap_or(0);
    // The first of equally frequent ones, hence a comma if there is none at all.
    CANDIDATES.into_iter().zip(counts).find(|(_, count)| *count == best).map_or(b',', |(separator, _)| separator)
}

fn read_header(record: &ByteRecord) -> Result<Vec<String>, ReadError> {
    if record.len() > MAX_COLUMNS {
        return Err(ReadError::line(1, format!("{} columns; at most {MAX_COLUMNS} are read", record.len())));
    }
    let mut names = Vec::with_capacity(record.len());
    for cell in record {
        let name =
            std::str::from_utf8(cell).map_err(|_| ReadError::line(1, "not UTF-8 text; save the file as UTF-8"))?;
        names.push(name.to_owned());
    }
    // pandas names the columns of a bare array 0, 1, 2, …; any other numbers are a row of data.
    let is_counted = names.len() > 1 && names.iter().enumerate().all(|(index, name)| *name == index.to_string());
    if !is_counted && names.iter().all(|name| name.trim().parse::<f64>().is_ok()) {
        let what = "holds numbers where the column names belong; add a header line such as f0,f1,f2 before it";
        return Err(ReadError::line(1, what));
    }
    Ok(names)
}

/// A column under way, as long as all its cells are numbers or missing.
#[derive(Default)]
struct NumericColumn {
    numbers: Vec<f64>,
    has_number: bool,
    has_truth: bool,
    is_text: bool,
    /// True if a cell counts as missing that pandas would read as text.
    is_loose: bool,
}

impl NumericColumn {
    fn push(&mut self, cell: &[u8]) {
        if self.is_text {
            return;
        }
        match read_cell(cell) {
            ParsedCell::Missing => self.numbers.push(f64::NAN),
            ParsedCell::Blank => {
                self.is_loose = true;
                self.numbers.push(f64::NAN);
            }
            ParsedCell::Number(number) => {
                self.has_number = true;
                self.numbers.push(number);
            }
            ParsedCell::Truth(truth) => {
                self.has_truth = true;
                self.numbers.push(f64::from(u8::from(truth)));
            }
            ParsedCell::Text => self.is_text = true,
        }
        if self.is_text || (self.has_truth && (self.has_number || self.is_loose)) {
            *self = Self { is_text: true, ..Self::default() };
        }
    }

    /// The column, or `None` if it holds texts.
    fn finish(self) -> Option<Column> {
        match (self.is_text, self.has_truth) {
            (true, _) => None,
            (false, true) => Some(Column::Booleans(self.numbers)),
            (false, false) => Some(Column::Numbers(self.numbers)),
        }
    }
}

/// One cell, by its text alone.
enum ParsedCell {
    Missing,
    /// Missing in a column of numbers, a text to pandas.
    Blank,
    Number(f64),
    Truth(bool),
    Text,
}

fn read_cell(cell: &[u8]) -> ParsedCell {
    let Ok(text) = std::str::from_utf8(cell) else { return ParsedCell::Text };
    match text.trim_ascii().parse::<f64>() {
        Ok(number) if !number.is_nan() => ParsedCell::Number(number),
        _ if is_missing(text) => ParsedCell::Missing,
        _ if is_missing_number(text) => ParsedCell::Blank,
        _ if text.eq_ignore_ascii_case("true") => ParsedCell::Truth(true),
        _ if text.eq_ignore_ascii_case("false") => ParsedCell::Truth(false),
        _ => ParsedCell::Text,
    }
}

/// Reads the columns of texts in a second pass: most files have none.
fn fill_in_texts(columns: Vec<Option<Column>>, mut records: CsvRecords<'_>) -> Result<Vec<Column>, ReadError> {
    let mut texts: Vec<Option<TextsBuilder>> =
        columns.iter().map(|numbers| numbers.is_none().then(TextsBuilder::default)).collect();
    let mut record = ByteRecord::new();
    records.next(&mut record)?;
    while records.next(&mut record)? {
        for (builder, cell) in texts.iter_mut().zip(&record) {
            let Some(builder) = builder else { continue };
            let text = std::str::from_utf8(cell).map_err(|_| {
                let line = record.position().map_or(0, ::csv::Position::line);
                let what =
                    format!("{} is not UTF-8 text; save the file as UTF-8", quote(&String::from_utf8_lossy(cell)));
                ReadError::line(line, what)
            })?;
            push_text(builder, text);
        }
    }
    let merged = columns
        .into_iter()
        .zip(texts)
        .map(|(column, texts)| column.unwrap_or_else(|| Column::Texts(texts.unwrap_or_default().finish())));
    Ok(merged.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> Table {
        read(text.as_bytes().to_vec(), None, MemoryLimit::of_size(0)).unwrap()
    }

    fn numbers<'a>(table: &'a Table, name: &str) -> &'a [f64] {
        match table.column_named(name) {
            Some(Column::Numbers(numbers) | Column::Booleans(numbers)) => numbers,
            other => panic!("{name}: {other:?}"),
        }
    }

    fn texts(table: &Table, name: &str) -> Vec<Option<String>> {
        match table.column_named(name) {
            Some(Column::Texts(texts)) => texts.iter().map(|text| text.map(str::to_owned)).collect(),
            other => panic!("{name}: {other:?}"),
        }
    }

    #[test]
    fn numbers_texts_truths_and_missing_cells() {
        let table = table("n,t,b,m\n 1e5,red,True,1\n,NA,False,true\nNaN,?,,1\n-inf, ,true,0\n");
        let n = numbers(&table, "n");
        assert_eq!((n[0], n[3]), (1e5, f64::NEG_INFINITY));
        assert!(n[1].is_nan() && n[2].is_nan());
        assert_eq!(texts(&table, "t"), ["red", "", "?", " "].map(|text| (!text.is_empty()).then(|| text.to_owned())));
        assert!(matches!(table.column_named("b"), Some(Column::Booleans(_))));
        let b = numbers(&table, "b");
        assert_eq!((b[0], b[1], b[3]), (1.0, 0.0, 1.0));
        assert!(b[2].is_nan());
        assert_eq!(texts(&table, "m").len(), 4, "numbers and truths mixed are texts, as in pandas");
    }

    #[test]
    fn a_column_of_numbers_is_known_as_texts_too() {
        let table = table("n,t,m\n007,True,1\n 8,false,  \n,NA,nAn\n");
        let text = table.csv_text().unwrap();
        let spelt = |column| text.texts(column).iter().map(|text| text.unwrap_or("-").to_owned()).collect::<Vec<_>>();
        assert_eq!((numbers(&table, "n")[0], spelt(0)), (7.0, vec!["007".to_owned(), " 8".to_owned(), "-".to_owned()]));
        assert_eq!((spelt(1)[1].as_str(), text.texts(1).missing_spelling(2)), ("false", Some("NA")));
        assert!(numbers(&table, "m")[1..].iter().all(|cell| cell.is_nan()));
        assert!(!text.is_text(0) && !text.is_text(1) && text.is_text(2), "pandas reads blanks as texts");
    }

    #[test]
    fn truth_values_keep_to_the_spelling_of_pandas() {
        assert!(matches!(table("b\ntRue\nFALSE\n\n").column_named("b"), Some(Column::Booleans(_))));
        assert_eq!(texts(&table("b,x\nTrue,1\n False,2\n"), "b")[1].as_deref(), Some(" False"));
        assert_eq!(texts(&table("b,x\nTrue,1\n ,2\n"), "b")[1].as_deref(), Some(" "));
    }

    #[test]
    fn decimals_are_rounded_once() {
        let spelt = ["0.1", "2.2250738585072011e-308", "9007199254740993", "1e400", "123456789012345678901234567890"];
        let table = table(&format!("x\n{}\n", spelt.join("\n")));
        let expected = spelt.map(|text| text.parse::<f64>().unwrap().to_bits());
        assert_eq!(numbers(&table, "x").iter().map(|x| x.to_bits()).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn separators_quotes_line_ends_and_a_byte_order_mark() {
        let semicolons = table("\u{feff}a;\"b;,c\"\r\n1;\"x\n\"\"y\"\"\"\r\n");
        assert_eq!(semicolons.names().unwrap(), ["a", "b;,c"]);
        assert_eq!(texts(&semicolons, "b;,c"), [Some("x\n\"y\"".to_owned())]);
        assert_eq!(numbers(&table("a\tb\n1\t2"), "b"), [2.0]);
        assert_eq!(table("a,b\n").num_rows(), 0);
        assert_eq!(numbers(&table("only\n\"\"\n1\n"), "only").len(), 2);
    }

    #[test]
    fn a_header_is_needed_but_may_count() {
        let error = read(b"1.5,2\n3,4\n".to_vec(), None, MemoryLimit::of_size(0)).unwrap_err().to_string();
        assert!(error.starts_with("line 1: holds numbers where the column names belong"), "{error}");
        assert_eq!(table("0,1,2\n5,6,7\n").names().unwrap(), ["0", "1", "2"]);
    }

    #[test]
    fn errors_name_the_line() {
        let error =
            read(b"a,b\n1,2\n\"x\ny\",2\n1,2,3\n".to_vec(), None, MemoryLimit::of_size(0)).unwrap_err().to_string();
        assert_eq!(error, "line 5: 3 cells, but the header has 2 columns");
        let error = read(b"a,b\n1,2\n\xff,2\n".to_vec(), None, MemoryLimit::of_size(0)).unwrap_err().to_string();
        assert!(error.starts_with("line 3: ") && error.contains("UTF-8"), "{error}");
        assert!(read(b"\xef\xbb\xbf".to_vec(), None, MemoryLimit::of_size(0)).is_err());
    }
}
