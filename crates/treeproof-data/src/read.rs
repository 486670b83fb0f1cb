//! Reading a data file into a [`Table`]: bytes, gzip, format, reader.

use std::path::Path;

use crate::error::ReadError;
use crate::table::Table;

mod bytes;
mod csv;
mod detect;
mod libsvm;
mod npy;
mod npz;
mod parquet;

/// Reads a data file of any known format, gzipped or not.
pub fn read(path: &Path) -> Result<Table, ReadError> {
    bytes::read_file(path).and_then(|content| dispatch(path, content)).map_err(|error| named(error, path))
}

/// Reads the content of a data file; the name helps to detect text formats, and stands in messages.
pub fn read_bytes(name: &Path, content: Vec<u8>) -> Result<Table, ReadError> {
    dispatch(name, content).map_err(|error| named(error, name))
}

fn named(mut error: ReadError, path: &Path) -> ReadError {
    error.file = Some(path.to_owned());
    error
}

fn dispatch(name: &Path, content: Vec<u8>) -> Result<Table, ReadError> {
    // The limits follow from the size on disk: each layer of compression would multiply any other.
    let (size, limit) = (content.len(), bytes::MemoryLimit::of_size(content.len()));
    let content = bytes::decompress(content)?;
    match detect::format(name, &content)? {
        detect::DataFormat::Csv { separator } => csv::read(content, separator, limit),
        detect::DataFormat::Libsvm => libsvm::read(&content, limit),
        detect::DataFormat::Npy => npy::read(&content, limit),
        detect::DataFormat::Npz => npz::read(&content, limit),
        detect::DataFormat::Parquet => parquet::read(content, size),
    }
}
