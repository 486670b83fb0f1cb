//! The bytes of a model file, read and gunzipped under a limit on memory.

use std::borrow::Cow;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use flate2::read::MultiGzDecoder;

use super::detect;
use crate::error::{LoadError, LoadFailure};

/// Bytes that are always admitted.
const SMALL: usize = 32 << 20;
/// Model files compress 3 to 30 times; an attack 1000 times.
const MAX_RATIO: usize = 150;

/// Length of the prefix that is checked before the rest is read.
const START: u64 = 4096;

/// Reads a whole file.
pub(super) fn read_file(path: &Path) -> Result<Vec<u8>, LoadError> {
    let failed = |what: String| LoadError { file: None, place: String::new(), reason: LoadFailure::Io(what) };
    if path.is_dir() {
        return Err(failed("is a directory, not a model file".into()));
    }
    let mut file = File::open(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => failed("no such file".into()),
        _ => failed(error.to_string()),
    })?;
    let mut content = Vec::new();
    let unread = |error: std::io::Error| failed(error.to_string());
    // A device may never end, and a file that is no model may be larger than the memory.
    file.by_ref().take(START).read_to_end(&mut content).map_err(unread)?;
    if !is_gzipped(&content) {
        detect::could_be_model(&content)?;
    }
    file.read_to_end(&mut content).map_err(unread)?;
    Ok(content)
}

fn is_gzipped(content: &[u8]) -> bool {
    content.starts_with(&[0x1f, 0x8b])
}

/// The start of a file's content, gunzipped if necessary. It may be cut anywhere.
pub(super) fn start_of(start: &[u8]) -> Cow<'_, [u8]> {
    if !is_gzipped(start) {
        return Cow::Borrowed(start);
    }
    let mut inflated = vec![];
    // A cut stream gives an error at its end, after all bytes before it.
    let _ = MultiGzDecoder::new(start).take(START).read_to_end(&mut inflated);
    Cow::Owned(inflated)
}

/// The content of a file, gunzipped if it is gzipped.
pub(super) fn decompress(content: &[u8]) -> Result<Cow<'_, [u8]>, LoadError> {
    if !is_gzipped(content) {
        return Ok(Cow::Borrowed(content));
    }
    let limit = SMALL.max(content.len().saturating_mul(MAX_RATIO));
    // One byte more than allowed tells "ends here" from "goes on".
    let mut decoder = MultiGzDecoder::new(content).take(limit as u64 + 1);
    let damaged = |error: std::io::Error| {
        LoadError::malformed("gzip stream", format!("damaged ({error}): copy or save the file again"))
    };
    // Checked before the rest is inflated.
    let mut inflated = Vec::new();
    decoder.by_ref().take(START).read_to_end(&mut inflated).map_err(damaged)?;
    detect::could_be_model(&inflated)?;
    decoder.read_to_end(&mut inflated).map_err(damaged)?;
    if inflated.len() > limit {
        let what = format!("inflates to more than {MAX_RATIO} times its size: a gzip bomb, not a model");
        return Err(LoadError::malformed("gzip stream", what));
    }
    Ok(Cow::Owned(inflated))
}
