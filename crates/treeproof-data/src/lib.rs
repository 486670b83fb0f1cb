//! Tables of numbers and texts, read from files exactly as they are written.
//!
//! A file becomes a [`Table`]: columns of `f64` (NaN is "missing"), of truth values or of texts, with names where the file has
//! them. Nothing here knows about models: whether a text is a category and what an entry absent from sparse
//! data means is decided by whoever asks the model.
//!
//! | format | recognised by | holds |
//! |---|---|---|
//! | CSV, TSV | the extension, or being text | a header line, then numbers and texts |
//! | numpy `.npy`, `.npz` | its first bytes | a matrix (or a vector) of numbers |
//! | libsvm, svmlight | the extension, or its first line | labels and sparse numbers |
//! | Parquet | its first bytes | named columns of numbers and texts |
//!
//! Each of them may be gzipped. No bytes make the readers panic, and memory is bounded by the file's size.
//!
//! ```
//! use treeproof_data::{Column, Table};
//!
//! let table: Table = treeproof_data::read_bytes("people.csv".as_ref(), b"age,colour\n41,red\n,blue\n".to_vec())?;
//! let Some(Column::Numbers(ages)) = table.column_named("age") else { panic!("not numbers") };
//! assert!(ages[0] == 41.0 && ages[1].is_nan());
//! # Ok::<(), treeproof_data::ReadError>(())
//! ```

pub mod error;
pub mod read;
pub mod sparse;
pub mod table;
pub mod texts;
pub mod write;

pub use error::ReadError;
pub use read::{Spelling, read, read_bytes};
pub use sparse::Sparse;
pub use table::{Cells, Column, MixedCells, Table};
pub use texts::Texts;
