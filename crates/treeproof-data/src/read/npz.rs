//! numpy's `.npz`: a zip archive of arrays, of which one is the matrix.
//!
//! The matrix is the array called `X`, `x` or `data`, else the only one of two dimensions, else the only one.
//! A vector `y` (or `Y`, `label`, `labels`, `target`) as long as the matrix holds the labels.

use std::io::{Cursor, Read};

use zip::ZipArchive;

use super::bytes::{MemoryLimit, inflate};
use super::npy;
use crate::error::{ReadError, quote};
use crate::table::{Column, Table};

const MATRIX: [&str; 3] = ["X", "x", "data"];
const LABELS: [&str; 5] = ["y", "Y", "label", "labels", "target"];

/// Bytes read for a header: numpy pads to some 128; only structured types, which are unsupported, need more than this.
const HEADER: u64 = 1 << 16;
/// The largest number of arrays in an archive.
const MAX_ARRAYS: usize = 1 << 12;

type Archive<'a> = ZipArchive<Cursor<&'a [u8]>>;

/// One array of the archive, not yet read.
struct ArchivedArray {
    name: String,
    index: usize,
    num_dimensions: Option<usize>,
}

/// Reads a `.npz` file.
pub(super) fn read(content: &[u8], limit: MemoryLimit) -> Result<Table, ReadError> {
    let mut archive = Archive::new(Cursor::new(content)).map_err(|error| damaged("archive", &error))?;
    if archive.len() > MAX_ARRAYS {
        return Err(ReadError::unsupported("", format!("{} arrays; at most {MAX_ARRAYS} are read", archive.len())));
    }
    let mut entries = Vec::new();
    for index in 0..archive.len() {
        let file = archive.by_index(index).map_err(|error| damaged("archive", &error))?;
        let name = file.name().map_err(|error| damaged("archive", &error))?;
        let Some(name) = name.strip_suffix(".npy").map(str::to_owned) else { continue };
        let mut start = Vec::new();
        let place = format!("array {}", quote(&name));
        file.take(HEADER).read_to_end(&mut start).map_err(|error| damaged(&place, &error))?;
        let num_dimensions = npy::ArrayHeader::read(&start).ok().map(|(header, _)| header.shape.len());
        entries.push(ArchivedArray { name, index, num_dimensions });
    }
    if entries.iter().any(|entry| entry.name == "indptr") {
        let what = "a sparse matrix of scipy; save it as libsvm, or as X.toarray()";
        return Err(ReadError::unsupported("", what));
    }
    let matrix = choose(&entries)?;
    let table = read_array(&mut archive, matrix, limit)?;
    let labels = entries.iter().find(|entry| LABELS.contains(&entry.name.as_str()) && entry.index != matrix.index);
    // Labels are optional: an array that is not one number per row is ignored.
    if let Some(labels) = labels.filter(|labels| labels.num_dimensions == Some(1))
        && let Ok(vector) = read_array(&mut archive, labels, limit)
        && let [Column::Numbers(labels)] = vector.columns()
        && labels.len() == table.num_rows()
    {
        return Ok(table.with_labels(labels.clone()));
    }
    Ok(table)
}

fn choose(entries: &[ArchivedArray]) -> Result<&ArchivedArray, ReadError> {
    if let Some(named) = MATRIX.iter().find_map(|name| entries.iter().find(|entry| entry.name == *name)) {
        return Ok(named);
    }
    let matrices: Vec<&ArchivedArray> = entries.iter().filter(|entry| entry.num_dimensions == Some(2)).collect();
    match (matrices.as_slice(), entries) {
        ([only], _) => Ok(only),
        ([], [only]) => Ok(only),
        _ => {
            let names: Vec<String> = entries.iter().take(12).map(|entry| quote(&entry.name)).collect();
            let what = match names.as_slice() {
                [] => "holds no arrays".to_owned(),
                names => format!("which of {} is the matrix? call it X", names.join(", ")),
            };
            Err(ReadError::unrecognised(what))
        }
    }
}

/// Reads one array; the limit follows from the size of the whole file, not from the size that the archive claims.
fn read_array(archive: &mut Archive<'_>, entry: &ArchivedArray, limit: MemoryLimit) -> Result<Table, ReadError> {
    let place = format!("array {}", quote(&entry.name));
    let file = archive.by_index(entry.index).map_err(|error| damaged(&place, &error))?;
    let mut content = Vec::new();
    inflate(&place, file, &mut content, limit, |error| damaged(&place, &error))?;
    npy::read(&content, limit).map_err(|error| error.within(&place))
}

fn damaged(place: &str, error: &dyn std::error::Error) -> ReadError {
    ReadError::malformed(place, format!("damaged: {error}"))
}
