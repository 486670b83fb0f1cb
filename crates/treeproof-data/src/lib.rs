//! Tables of numbers and texts, read exactly from data files.
//!
//! A file becomes a [`Table`]: columns of `f64` (NaN is missing), of booleans or of texts, with names if the file has
//! them. This crate does not know models: the categories among the texts and the meaning of absent sparse entries are
//! left to its callers.
//!
//! | format | recognised by | holds |
//! |---|---|---|
//! | CSV, TSV | the extension, or being text | a header line, then numbers and texts |
//! | numpy `.npy`, `.npz` | its first bytes | a matrix (or a vector) of numbers |
//! | libsvm, svmlight | the extension, or its first line | labels and sparse numbers |
//! | Parquet | its first bytes | named columns of numbers and texts |
//!
//! Each of them may be gzipped. The readers do not panic on any input, and their memory is bounded by the file's size.
//!
//! The modules, lowest first:
//!
//! - [`error`]: errors, each of one line
//! - [`missing`]: spellings of a missing value
//! - [`texts`]: a column of texts
//! - [`csv_text`]: the cells of a CSV file as texts
//! - [`sparse`]: sparse rows
//! - [`table`]: the content of a data file
//! - [`mod@read`]: reading: bytes, gzip, detection of the format, one reader per format
//! - [`mod@write`]: writing CSV and Parquet
//!
//! ```
//! use treeproof_data::{Column, Table};
//!
//! let table: Table = treeproof_data::read_bytes("people.csv".as_ref(), b"age,colour\n41,red\n,blue\n".to_vec())?;
//! let Some(Column::Numbers(ages)) = table.column_named("age") else { panic!("not numbers") };
//! assert!(ages[0] == 41.0 && ages[1].is_nan());
//! # Ok::<(), treeproof_data::ReadError>(())
//! ```

pub mod csv_text;
pub mod error;
pub mod missing;
pub mod read;
pub mod sparse;
pub mod table;
pub mod texts;
pub mod write;

pub use csv_text::CsvText;
pub use error::ReadError;
pub use read::{read, read_bytes};
pub use sparse::SparseRows;
pub use table::{Cells, Column, MixedCells, Table};
pub use texts::Texts;
