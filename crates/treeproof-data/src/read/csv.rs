//! CSV: a header line, then cells. A column holds numbers if every cell that is not missing is one, else texts.
//!
//! The rules are those of `pandas.read_csv(float_precision="round_trip")`: the same spellings of "missing", columns
//! of `True`/`False` are numbers, decimals are rounded once, to the nearest f64. `?` is a text, not missing.
//! Two rules are kinder: a cell of spaces is missing too, and so is `nan` in any mixture of small and capital letters.

use ::csv::{ByteRecord, ErrorKind, ReaderBuilder};

use crate::error::{ReadError, quote};
use crate::table::{Column, MAX_COLUMNS, Table};
use crate::texts::TextsBuilder;

/// What pandas reads as missing, beside the empty cell.
const MISSING: [&str; 18] = [
    "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A", "NA", "NULL",
    "NaN", "None", "n/a", "nan", "null",
];

/// Reads a CSV file; the separator is found in the header line unless it is given.
pub(super) fn read(content: &[u8], separator: Option<u8>) -> Result<Table, ReadError> {
    let content = content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(content);
    let separator = separator.unwrap_or_else(|| sniff_separator(content));
    let mut rows = Rows::new(content, separator);
    let mut record = ByteRecord::new();
    if !rows.next(&mut record)? {
        return Err(ReadError::unrecognised("is empty: a CSV file starts with a line of column names"));
    }
    let names = read_header(&record)?;

    let mut columns: Vec<Numbers> = names.iter().map(|_| Numbers::default()).collect();
    let mut num_rows = 0;
    while rows.next(&mut record)? {
        num_rows += 1;
        for (column, cell) in columns.iter_mut().zip(&record) {
            column.push(cell);
        }
    }
    let columns: Vec<Option<Vec<f64>>> = columns.into_iter().map(Numbers::finish).collect();
    let columns = match columns.iter().any(Option::is_none) {
        true => fill_in_texts(columns, Rows::new(content, separator))?,
        false => columns.into_iter().flatten().map(Column::Numbers).collect(),
    };
    Table::dense(Some(names), num_rows, columns)
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
    // Of equally frequent ones the first, so a comma if there is none at all.
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

/// The records of a file, with errors that name the line.
struct Rows<'a> {
    reader: ::csv::Reader<&'a [u8]>,
}

impl<'a> Rows<'a> {
    fn new(content: &'a [u8], separator: u8) -> Self {
        Self { reader: ReaderBuilder::new().has_headers(false).delimiter(separator).from_reader(content) }
    }

    fn next(&mut self, record: &mut ByteRecord) -> Result<bool, ReadError> {
        self.reader.read_byte_record(record).map_err(|error| match error.kind() {
            ErrorKind::UnequalLengths { pos, expected_len, len } => {
                let line = pos.as_ref().map_or(0, ::csv::Position::line);
                ReadError::line(line, format!("{len} cells, but the header has {expected_len} columns"))
            }
            _ => ReadError::malformed("", error.to_string()),
        })
    }
}

/// A column as long as all its cells are numbers or missing.
#[derive(Default)]
struct Numbers {
    numbers: Vec<f64>,
    has_number: bool,
    has_truth: bool,
    is_text: bool,
}

impl Numbers {
    fn push(&mut self, cell: &[u8]) {
        if self.is_text {
            return;
        }
        match read_cell(cell) {
            Cell::Missing => self.numbers.push(f64::NAN),
            Cell::Number(number) => {
                self.has_number = true;
                self.numbers.push(number);
            }
            Cell::Truth(truth) => {
                self.has_truth = true;
                self.numbers.push(f64::from(u8::from(truth)));
            }
            Cell::Text => self.is_text = true,
        }
        if self.is_text || (self.has_number && self.has_truth) {
            *self = Self { is_text: true, ..Self::default() };
        }
    }

    /// The numbers, or `None` for a column of texts.
    fn finish(self) -> Option<Vec<f64>> {
        (!self.is_text).then_some(self.numbers)
    }
}

enum Cell {
    Missing,
    Number(f64),
    Truth(bool),
    Text,
}

fn read_cell(cell: &[u8]) -> Cell {
    let Ok(text) = std::str::from_utf8(cell.trim_ascii()) else { return Cell::Text };
    match text.parse::<f64>() {
        Ok(number) if number.is_nan() => Cell::Missing,
        Ok(number) => Cell::Number(number),
        Err(_) if is_missing(text) => Cell::Missing,
        Err(_) => match text {
            "True" | "TRUE" | "true" => Cell::Truth(true),
            "False" | "FALSE" | "false" => Cell::Truth(false),
            _ => Cell::Text,
        },
    }
}

/// Whether a trimmed cell stands for a missing value.
fn is_missing(text: &str) -> bool {
    text.is_empty() || MISSING.contains(&text) || text.eq_ignore_ascii_case("nan")
}

/// Reads the columns that turned out to hold texts in a second pass: most files have none.
fn fill_in_texts(columns: Vec<Option<Vec<f64>>>, mut rows: Rows<'_>) -> Result<Vec<Column>, ReadError> {
    let mut texts: Vec<Option<TextsBuilder>> =
        columns.iter().map(|numbers| numbers.is_none().then(TextsBuilder::default)).collect();
    let mut record = ByteRecord::new();
    rows.next(&mut record)?;
    while rows.next(&mut record)? {
        for (builder, cell) in texts.iter_mut().zip(&record) {
            let Some(builder) = builder else { continue };
            let text = std::str::from_utf8(cell).map_err(|_| {
                let line = record.position().map_or(0, ::csv::Position::line);
                let what =
                    format!("{} is not UTF-8 text; save the file as UTF-8", quote(&String::from_utf8_lossy(cell)));
                ReadError::line(line, what)
            })?;
            match text.trim() {
                "" => builder.push_missing(),
                trimmed if is_missing(trimmed) => builder.push_missing_spelt(trimmed),
                _ => builder.push(text),
            }
        }
    }
    let merged = columns.into_iter().zip(texts).map(|(numbers, texts)| match numbers {
        Some(numbers) => Column::Numbers(numbers),
        None => Column::Texts(texts.unwrap_or_default().finish()),
    });
    Ok(merged.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> Table {
        read(text.as_bytes(), None).unwrap()
    }

    fn numbers<'a>(table: &'a Table, name: &str) -> &'a [f64] {
        match table.column_named(name) {
            Some(Column::Numbers(numbers)) => numbers,
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
        assert_eq!(texts(&table, "t"), [Some("red".to_owned()), None, Some("?".to_owned()), None]);
        let b = numbers(&table, "b");
        assert_eq!((b[0], b[1], b[3]), (1.0, 0.0, 1.0));
        assert!(b[2].is_nan());
        assert_eq!(texts(&table, "m").len(), 4, "numbers and truths mixed are texts, as in pandas");
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
        let error = read(b"1.5,2\n3,4\n", None).unwrap_err().to_string();
        assert!(error.starts_with("line 1: holds numbers where the column names belong"), "{error}");
        assert_eq!(table("0,1,2\n5,6,7\n").names().unwrap(), ["0", "1", "2"]);
    }

    #[test]
    fn errors_name_the_line() {
        let error = read(b"a,b\n1,2\n\"x\ny\",2\n1,2,3\n", None).unwrap_err().to_string();
        assert_eq!(error, "line 5: 3 cells, but the header has 2 columns");
        let error = read(b"a,b\n1,2\n\xff,2\n", None).unwrap_err().to_string();
        assert!(error.starts_with("line 3: ") && error.contains("UTF-8"), "{error}");
        assert!(read(b"\xef\xbb\xbf", None).is_err());
    }
}
