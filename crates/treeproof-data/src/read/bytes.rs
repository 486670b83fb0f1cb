//! The bytes of a data file, read and gunzipped under a limit on memory.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use flate2::read::MultiGzDecoder;

use super::detect;
use crate::error::ReadError;

/// Bytes always admitted: 20 constant columns of 1,000,000 numbers, which take 160 MB, compress to almost nothing.
const SMALL: usize = 256 << 20;
/// Data compresses 2 to 50 times, a dense matrix of mostly zeros 200 times; an attack 1000 times.
const MAX_RATIO: usize = 300;

/// Limit on the memory for the content of a file, by its size on disk.
#[derive(Clone, Copy, Debug)]
pub(super) struct MemoryLimit {
    bytes: usize,
    ratio: usize,
}

impl MemoryLimit {
    /// The limit of a file of this size.
    pub(super) fn of_size(size: usize) -> Self {
        Self::with_ratio(size, MAX_RATIO)
    }

    /// A limit with the format's own ratio.
    pub(super) fn with_ratio(size: usize, ratio: usize) -> Self {
        Self { bytes: SMALL.max(size.saturating_mul(ratio)), ratio }
    }

    /// True if a number of items, each of a number of bytes, is within the limit.
    pub(super) fn admits(self, count: usize, size: usize) -> bool {
        count.checked_mul(size).is_some_and(|bytes| bytes <= self.bytes)
    }

    /// An error at this place unless the items are within the limit.
    pub(super) fn check(self, place: &str, count: usize, size: usize) -> Result<(), ReadError> {
        match self.admits(count, size) {
            true => Ok(()),
            false => Err(ReadError::malformed(place, self.exceeded())),
        }
    }

    /// The message for a file beyond the limit.
    pub(super) fn exceeded(self) -> String {
        let (size, ratio) = (self.bytes >> 20, self.ratio);
        format!(
            "takes more than {size} MiB of memory and {ratio} times the file's size; if you trust it, write it uncompressed \
             (.csv or .npy) or in parts"
        )
    }
}

/// Length of the prefix that is checked before the rest is read.
const START: u64 = 4096;

/// Reads a whole file.
pub(super) fn read_file(path: &Path) -> Result<Vec<u8>, ReadError> {
    if path.is_dir() {
        return Err(ReadError::io("is a directory, not a data file"));
    }
    let mut file = File::open(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => ReadError::io("no such file"),
        _ => ReadError::io(error.to_string()),
    })?;
    let mut content = Vec::new();
    let unread = |error: std::io::Error| ReadError::io(error.to_string());
    // A device may never end, and a file of another kind may exceed the memory.
    file.by_ref().take(START).read_to_end(&mut content).map_err(unread)?;
    if !is_gzipped(&content) {
        detect::could_be_data(&content)?;
    }
    file.read_to_end(&mut content).map_err(unread)?;
    Ok(content)
}

fn is_gzipped(content: &[u8]) -> bool {
    content.starts_with(&[0x1f, 0x8b])
}

/// The content of a file, gunzipped if it is gzipped.
pub(super) fn decompress(content: Vec<u8>) -> Result<Vec<u8>, ReadError> {
    if !is_gzipped(&content) {
        return Ok(content);
    }
    let mut decoder = MultiGzDecoder::new(content.as_slice());
    let damaged = |error: std::io::Error| {
        ReadError::malformed("gzip stream", format!("damaged ({error}): copy or save the file again"))
    };
    // Checked before the rest is inflated.
    let mut inflated = Vec::new();
    decoder.by_ref().take(START).read_to_end(&mut inflated).map_err(damaged)?;
    detect::could_be_data(&inflated)?;
    inflate("gzip stream", decoder, &mut inflated, MemoryLimit::of_size(content.len()), damaged)?;
    Ok(inflated)
}

/// Reads the rest of a stream, unless it grows beyond the limit.
pub(super) fn inflate(
    place: &str,
    stream: impl Read,
    inflated: &mut Vec<u8>,
    limit: MemoryLimit,
    damaged: impl Fn(std::io::Error) -> ReadError,
) -> Result<(), ReadError> {
    let limit = limit.bytes;
    // One byte more than allowed tells "ends here" from "goes on".
    let more = (limit - inflated.len().min(limit)) as u64 + 1;
    stream.take(more).read_to_end(inflated).map_err(damaged)?;
    if inflated.len() > limit {
        let what = format!("inflates to more than {MAX_RATIO} times its size; if you trust it, unpack it first");
        return Err(ReadError::malformed(place, what));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write;

    fn gzip(parts: usize, part: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        for _ in 0..parts {
            encoder.write_all(part).unwrap();
        }
        encoder.finish().unwrap()
    }

    #[test]
    fn gzip_is_undone_and_other_bytes_are_kept() {
        assert_eq!(decompress(gzip(3, b"a,b\n")).unwrap(), b"a,b\na,b\na,b\n");
        assert_eq!(decompress(b"a,b\n".to_vec()).unwrap(), b"a,b\n");
        let twice: Vec<u8> = [gzip(1, b"a\n"), gzip(1, b"1\n")].concat();
        assert_eq!(decompress(twice).unwrap(), b"a\n1\n");
    }

    #[test]
    fn damage_and_bombs_are_refused() {
        let mut short = gzip(1000, b"a,b\n1,2\n");
        short.truncate(short.len() - 12);
        assert!(decompress(short).unwrap_err().to_string().starts_with("gzip stream: damaged"));
        let bomb = gzip((SMALL >> 20) + 1, &vec![b'0'; 1 << 20]);
        assert!(decompress(bomb).unwrap_err().to_string().contains("300 times its size"));
        assert!(decompress(gzip(1, &[0; 100])).is_err(), "zeros are no data");
    }
}
