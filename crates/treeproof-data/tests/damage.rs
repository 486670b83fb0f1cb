//! No bytes make the readers panic: random ones, and sound files with a few bytes changed, cut or repeated.

use std::path::Path;

use proptest::prelude::*;
use treeproof_data::read_bytes;

const NAMES: [&str; 6] = ["x.csv", "x.tsv", "x.npy", "x.libsvm", "x.parquet", "x"];
const FILES: [&str; 15] = [
    "comma.csv",
    "semicolon.csv",
    "bom.csv.gz",
    "little_f4.npy",
    "big_f8.npy",
    "stored.npz",
    "deflated.npz",
    "sparse.libsvm",
    "none_1.parquet",
    "none_2.parquet",
    "snappy_1.parquet",
    "zstd_2.parquet",
    "encoded.parquet",
    "delta.parquet",
    "refused.parquet",
];

fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)).unwrap()
}

/// Where most of a file's structure is: its first and last bytes; anywhere else too.
fn place() -> impl Strategy<Value = f64> {
    prop_oneof![0.0..0.02, 0.9..1.0, 0.0..1.0]
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss, reason = "a place")]
fn at(content: &[u8], place: f64) -> usize {
    (place * content.len() as f64) as usize
}

fn check(name: &str, content: Vec<u8>) {
    if let Err(error) = read_bytes(Path::new(name), content) {
        assert!(!error.to_string().contains('\n'), "{error}");
    }
}

/// Files in `tests/broken` once did something worse than give an error.
#[test]
fn broken_files_are_refused() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken/split_streams.parquet");
    let error = treeproof_data::read(&path).expect_err("a damaged file").to_string();
    assert!(error.contains("contradict each other") && !error.contains('\n'), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn random_bytes(content in prop::collection::vec(any::<u8>(), 0..300), magic in 0..7_usize, name in 0..NAMES.len()) {
        let magics: [&[u8]; 7] = [b"", b"\x1f\x8b\x08", b"PK\x03\x04", b"PAR1", b"\x93NUMPY\x01\x00", b"a,b\n", b"1 1:"];
        check(NAMES[name], [magics[magic], &content].concat());
    }

    #[test]
    fn random_text(content in "[0-9a,;:\t\r\n\"# .e-]{0,80}", name in 0..NAMES.len()) {
        check(NAMES[name], content.into_bytes());
    }

    #[test]
    fn changed_files(
        file in 0..FILES.len(),
        changes in prop::collection::vec((place(), any::<u8>()), 1..6),
        cut in prop::option::weighted(0.2, (place(), place())),
    ) {
        let mut content = fixture(FILES[file]);
        for (place, byte) in changes {
            let at = at(&content, place);
            content[at] = byte;
        }
        if let Some((from, to)) = cut {
            let (from, to) = (at(&content, from), at(&content, to));
            match from < to {
                true => drop(content.drain(from..to)),
                false => content.extend_from_within(to..from),
            }
        }
        check(FILES[file], content);
    }
}
