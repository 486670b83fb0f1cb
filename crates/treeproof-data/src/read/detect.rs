//! Detection of the format: by magic bytes, else by the extension, else by the first line.

use std::ffi::OsStr;
use std::path::Path;

use crate::error::ReadError;

/// The data formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DataFormat {
    /// Separated values; the separator if the extension fixes it.
    Csv { separator: Option<u8> },
    /// Labels and `index:value` pairs.
    Libsvm,
    /// One numpy array.
    Npy,
    /// A zip archive of numpy arrays.
    Npz,
    /// Apache Parquet.
    Parquet,
}

const MAGICS: [(&[u8], DataFormat); 4] = [
    (b"\x93NUMPY", DataFormat::Npy),
    (b"PK\x03\x04", DataFormat::Npz),
    (b"PK\x05\x06", DataFormat::Npz),
    (b"PAR1", DataFormat::Parquet),
];

/// Bytes of a text file that are inspected.
const INSPECTED: usize = 4096;

/// The format of a file, by its inflated content and its name.
pub(super) fn format(name: &Path, content: &[u8]) -> Result<DataFormat, ReadError> {
    could_be_data(content)?;
    if let Some((_, format)) = MAGICS.iter().find(|(magic, _)| content.starts_with(magic)) {
        return Ok(*format);
    }
    match extension(name).as_str() {
        "csv" => Ok(DataFormat::Csv { separator: None }),
        "tsv" | "tab" => Ok(DataFormat::Csv { separator: Some(b'\t') }),
        "libsvm" | "svm" | "svmlight" => Ok(DataFormat::Libsvm),
        named @ ("npy" | "npz" | "parquet") => Err(ReadError::unrecognised(format!(
            "has the extension .{named}, but is not a {named} file; it may be damaged"
        ))),
        _ if is_libsvm(content) => Ok(DataFormat::Libsvm),
        _ => Ok(DataFormat::Csv { separator: None }),
    }
}

/// Refuses content that is neither a supported binary format nor text, by its first bytes.
pub(super) fn could_be_data(start: &[u8]) -> Result<(), ReadError> {
    if start.is_empty() {
        return Err(ReadError::unrecognised("is empty"));
    }
    if MAGICS.iter().any(|(magic, _)| start.starts_with(magic)) {
        return Ok(());
    }
    if start.starts_with(&[0xff, 0xfe]) || start.starts_with(&[0xfe, 0xff]) {
        return Err(ReadError::unrecognised("is UTF-16 text; save it as UTF-8"));
    }
    if start[..start.len().min(INSPECTED)].contains(&0) {
        return Err(ReadError::unrecognised("is not a data file; supported formats: CSV, .npy, .npz, libsvm, Parquet"));
    }
    if start[0] == b'{' {
        return Err(ReadError::unrecognised(
            "looks like JSON (a model?); supported data formats: CSV, .npy, .npz, libsvm, Parquet",
        ));
    }
    Ok(())
}

/// The extension in lower case, without the `.gz` of a gzipped file.
fn extension(name: &Path) -> String {
    let of = |path: &Path| path.extension().and_then(OsStr::to_str).unwrap_or_default().to_ascii_lowercase();
    match of(name).as_str() {
        "gz" | "gzip" => name.file_stem().map(|stem| of(Path::new(stem))).unwrap_or_default(),
        other => other.to_owned(),
    }
}

/// True if the first line, blank lines and comments aside, is a label with `index:value` pairs.
fn is_libsvm(content: &[u8]) -> bool {
    let start = &content[..content.len().min(INSPECTED)];
    let mut lines = start.split(|byte| *byte == b'\n').map(|line| String::from_utf8_lossy(line));
    let Some(line) = lines.find(|line| !line.trim().is_empty() && !line.starts_with('#')) else { return false };
    let mut words = line.split_ascii_whitespace();
    let labelled = words.next().is_some_and(|label| label.parse::<f64>().is_ok());
    let is_pair = |word: &str| word.split_once(':').is_some_and(|(index, _)| index.parse::<u32>().is_ok());
    labelled && words.find(|word| !word.starts_with("qid:")).is_some_and(is_pair)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detected(name: &str, content: &[u8]) -> DataFormat {
        format(Path::new(name), content).unwrap()
    }

    #[test]
    fn first_bytes_win_then_the_extension_then_the_first_line() {
        let csv = DataFormat::Csv { separator: None };
        assert_eq!(detected("x.csv", b"\x93NUMPY\x01"), DataFormat::Npy);
        assert_eq!(detected("x", b"PAR1...."), DataFormat::Parquet);
        assert_eq!(detected("x.SVM.gz", b"a,b"), DataFormat::Libsvm);
        assert_eq!(detected("x.tsv", b"a,b"), DataFormat::Csv { separator: Some(b'\t') });
        assert_eq!(detected("x.csv", b"1 1:2"), csv);
        assert_eq!(detected("x.txt", b"# made by\n\n-1 qid:3 1:2\n"), DataFormat::Libsvm);
        assert_eq!(detected("x.txt", b"a,b\n"), csv);
        assert_eq!(detected("x", b"time 12:30\n"), csv);
    }

    #[test]
    fn what_is_no_data_is_refused() {
        for (name, content) in
            [("x", &b""[..]), ("x.npy", b"abc"), ("x.csv", b"\xff\xfea\0"), ("x", b"\0\0"), ("m.csv", b"{\"learner\":")]
        {
            assert!(format(Path::new(name), content).is_err(), "{name}");
        }
    }
}
