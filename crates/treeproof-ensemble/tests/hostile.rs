//! Damaged and hostile files: every loader answers with a model or one line, quickly, in little memory, and never panics.
//!
//! `TREEPROOF_MUTATIONS` sets the number of mutated files per loader, `TREEPROOF_SEED` the random numbers.

#![allow(clippy::print_stdout, reason = "a test says how much it tried")]

use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use peak_alloc::PeakAlloc;
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::error::LoadError;
use treeproof_ensemble::load::{DumpFacts, LoadOptions, load_bytes, load_path, to_json};
use treeproof_ensemble::predict::Predictor;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

const MEMORY_LIMIT_MB: f32 = 500.0;
const TIME_LIMIT: Duration = Duration::from_secs(1);

/// Small models of every format, plain (not gzipped), written by the real libraries.
const SEEDS: &[(&str, &[&str])] = &[
    (
        "XGBoost JSON",
        &["xgboost/reg_d3/model.json.gz", "xgboost/cat/model.json.gz", "xgboost/dart_multi/model.json.gz"],
    ),
    ("XGBoost UBJSON", &["xgboost/reg_d3_ubj/model.ubj", "xgboost/cat_ubj/model.ubj.gz"]),
    ("XGBoost dump", &["refused/xgboost_dump.json"]),
    ("LightGBM text", &["lightgbm/reg_l7/model.txt.gz", "lightgbm/cat/model.txt.gz", "lightgbm/multi/model.txt.gz"]),
    (
        "CatBoost JSON",
        &["catboost/reg/model.json.gz", "catboost/onehot/model.json.gz", "catboost/lossguide/model.json.gz"],
    ),
    ("ONNX", &["onnx/reg_mixed/model.onnx.gz", "onnx/cls_multi/model.onnx.gz"]),
    ("pipeline JSON", &["pipelines/forest/model.json.gz", "pipelines/sparse/model.json.gz"]),
    ("treeproof JSON", &["scikit_learn/forest_two/model.json.gz", "scikit_learn/histogram_category/model.json.gz"]),
];

fn seed_files(paths: &[&str]) -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let read = |path: &&str| {
        let content = std::fs::read(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
        if !path.ends_with(".gz") {
            return content;
        }
        let mut plain = Vec::new();
        std::io::copy(&mut flate2::read::GzDecoder::new(content.as_slice()), &mut plain).unwrap();
        plain
    };
    paths.iter().map(read).collect()
}

fn options() -> LoadOptions {
    let mut options = LoadOptions::default();
    options.dump = Some(DumpFacts { base_margin: vec![0.5], classes: 1 });
    options
}

/// Loads within the limits; what loads keeps the laws of a model, what fails does so in one line.
fn load(content: &[u8], about: &str) -> Result<Ensemble, LoadError> {
    let before = MEMORY.current_usage_as_mb();
    MEMORY.reset_peak_usage();
    let start = Instant::now();
    let outcome = load_bytes(content, &options());
    let (elapsed, peak) = (start.elapsed(), MEMORY.peak_usage_as_mb() - before);
    assert!(elapsed < TIME_LIMIT, "{about}: took {elapsed:?}");
    assert!(peak < MEMORY_LIMIT_MB, "{about}: took {peak} MB");
    match &outcome {
        Ok(ensemble) => check_laws(ensemble, about),
        Err(error) => {
            let text = error.to_string();
            assert!(!text.is_empty() && !text.contains('\n'), "{about}: {text:?} is not one line");
        }
    }
    outcome
}

/// A mutated file may be a model, of whatever kind: then both predictions agree, and conversion loses nothing.
fn check_laws(ensemble: &Ensemble, about: &str) {
    let predictor = Predictor::new(ensemble);
    for value in [0.5, 0.0, -1e30, f64::NAN] {
        let row = vec![value; ensemble.features().len()];
        if row.is_empty() {
            continue;
        }
        match (ensemble.evaluate(&row), predictor.predict(&row)) {
            (Ok(plain), Ok(fast)) => {
                let bits = |numbers: &[f64]| -> Vec<u64> {
                    numbers.iter().map(|x| if x.is_nan() { u64::MAX } else { x.to_bits() }).collect()
                };
                assert_eq!(bits(&plain.outputs), bits(&fast.outputs), "{about}: outputs at {value}");
            }
            (Err(plain), Err(fast)) => assert_eq!(plain, fast.error, "{about}"),
            (plain, fast) => panic!("{about}: {plain:?} but {fast:?}"),
        }
    }
    let json = to_json(ensemble);
    let again = load_bytes(json.as_bytes(), &LoadOptions::default()).unwrap_or_else(|error| panic!("{about}: {error}"));
    assert!(again == *ensemble, "{about}: treeproof's own JSON loses something");
}

/// A small generator of random numbers (SplitMix64), so that a seed means the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit.max(1) as u64).unwrap()
    }

    fn pick<'a, T: ?Sized>(&mut self, items: &[&'a T]) -> &'a T {
        items[self.below(items.len())]
    }
}

/// Values that have broken parsers before.
const NASTY: &[&[u8]] = &[
    b"-1",
    b"0",
    b"1",
    b"2147483647",
    b"-2147483648",
    b"2147483648",
    b"4294967295",
    b"9223372036854775807",
    b"18446744073709551616",
    b"1e999",
    b"-1e999",
    b"1e-999",
    b"NaN",
    b"nan",
    b"Infinity",
    b"inf",
    b"-inf",
    b"null",
    b"true",
    b"[]",
    b"{}",
    b"\"\"",
    b"0.5",
    b"\"x\"",
    b"\xff\xfe",
    b"\0",
    b"",
    b"[[[[",
    b"\n",
    b" ",
    b"=",
    b",",
    b"1 2 3",
];

fn mutate(seeds: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut content = seeds[random.below(seeds.len())].clone();
    for _ in 0..=random.below(4) {
        if content.is_empty() {
            break;
        }
        let at = random.below(content.len());
        let reach = if random.below(4) == 0 { 400 } else { 8 };
        let length = 1 + random.below(reach);
        let end = (at + length).min(content.len());
        match random.below(8) {
            0 => content[at] ^= 1 << random.below(8),
            1 => content[at] = u8::try_from(random.below(256)).unwrap(),
            2 => drop(content.drain(at..end)),
            3 => {
                let copy = content[at..end].to_vec();
                content.splice(at..at, copy);
            }
            4 => content.truncate(at),
            5 => {
                // A number or word is replaced by a nasty one.
                let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
                let start = at + content[at..].iter().position(is_word).unwrap_or(0);
                let stop = start + content[start..].iter().position(|byte| !is_word(byte)).unwrap_or(0);
                content.splice(start..stop, random.pick(NASTY).iter().copied());
            }
            6 => drop(content.splice(at..end, random.pick(NASTY).iter().copied())),
            _ => {
                let other = &seeds[random.below(seeds.len())];
                let from = random.below(other.len());
                let piece = other[from..(from + length).min(other.len())].to_vec();
                content.splice(at..end, piece);
            }
        }
    }
    content
}

fn number_from_environment(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .map_or(default, |value| value.parse().unwrap_or_else(|_| panic!("{name}={value} is no number")))
}

#[test]
#[expect(clippy::print_stdout, reason = "the counts are what `scripts/soak` reports")]
fn mutated_files_never_panic() {
    let count = number_from_environment("TREEPROOF_MUTATIONS", 5000);
    let seed = number_from_environment("TREEPROOF_SEED", 1);
    for (format, paths) in SEEDS {
        let seeds = seed_files(paths);
        let mut random = Random(seed);
        let mut loaded = 0;
        for index in 0..count {
            let content = mutate(&seeds, &mut random);
            let about = format!("{format}, seed {seed}, mutation {index}");
            let outcome = std::panic::catch_unwind(|| load(&content, &about).is_ok());
            match outcome {
                Ok(ok) => loaded += u64::from(ok),
                Err(_) => {
                    let path =
                        std::env::temp_dir().join(format!("treeproof-{}-{seed}-{index}", format.replace(' ', "-")));
                    std::fs::write(&path, &content).unwrap();
                    panic!("{about}: broken by the file kept as {}", path.display());
                }
            }
        }
        println!("mutated: {format} {count} files, {loaded} still models, 0 panics");
    }
}

#[test]
fn files_cut_anywhere_are_refused() {
    for (format, paths) in SEEDS {
        for (path, content) in paths.iter().zip(seed_files(paths)) {
            // Behind the trees of a LightGBM file stand only things that prediction does not need.
            let needed = content.windows(12).position(|window| window == b"end of trees").unwrap_or(content.len());
            let trimmed = content[..needed].trim_ascii_end().len();
            for cut in (0..trimmed).step_by(10) {
                let outcome = load(&content[..cut], &format!("{format} {path} cut at {cut}"));
                assert!(outcome.is_err(), "{format} {path} cut at byte {cut} of {} loads", content.len());
            }
        }
    }
}

#[test]
fn hostile_files_are_refused() {
    let deep = |open: &str| open.repeat(100_000).into_bytes();
    let cases: Vec<(&str, Vec<u8>, &str)> = vec![
        ("an empty file", vec![], "empty"),
        ("white space", b" \n\t ".to_vec(), "not a model file"),
        ("a pickle", b"\x80\x04\x95\x10\0\0\0\0\0\0\0".to_vec(), "pickle"),
        ("a CatBoost binary", b"CBM1\x10\0\0\0".to_vec(), "format=\"json\""),
        ("an old XGBoost binary", b"binf\0\0\0\0".to_vec(), "save it as .json"),
        ("a zip", b"PK\x03\x04rest".to_vec(), "zip"),
        ("an array of numpy", b"\x93NUMPY\x01\0".to_vec(), "data, not a model"),
        ("noise", (0..4000).map(|i: u32| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect(), ""),
        ("nested arrays", deep("["), ""),
        ("nested objects", deep("{\"a\":"), ""),
        ("nested in XGBoost", [b"{\"learner\":".to_vec(), deep("[")].concat(), ""),
        ("nested in CatBoost", [b"{\"features_info\":".to_vec(), deep("[")].concat(), ""),
        ("nested CatBoost trees", [b"{\"model_info\":{},\"trees\":[".to_vec(), deep("{\"left\":")].concat(), ""),
        ("nested in treeproof", [b"{\"treeproof\":1,\"trees\":".to_vec(), deep("[")].concat(), ""),
        ("nested UBJSON", [b"{L\0\0\0\0\0\0\0\x07learner".to_vec(), deep("[")].concat(), ""),
        ("a nested dump", deep("[{\"children\":"), ""),
        ("a UBJSON array of 2^31 elements", b"{L\0\0\0\0\0\0\0\x07learner[$d#L\0\0\0\0\x80\0\0\0".to_vec(), ""),
        ("a UBJSON key of 2^62 bytes", b"{L\x40\0\0\0\0\0\0\0learner".to_vec(), ""),
        ("a UBJSON array of nothing", b"{L\0\0\0\0\0\0\0\x07version[$Z#L\0\0\0\0\x80\0\0\0".to_vec(), ""),
        ("not UTF-8", b"{\"learner\":{\"feature_names\":[\"\xff\xfe\"]}}".to_vec(), ""),
        ("LightGBM, not UTF-8", b"tree\nversion=v4\nfeature_names=\xff\xfe\n".to_vec(), ""),
        (
            "LightGBM, 2^31 features",
            b"tree\nversion=v4\nnum_class=1\nnum_tree_per_iteration=1\nmax_feature_idx=2147483646\n".to_vec(),
            "",
        ),
        ("any JSON", b"{\"hello\": 1}".to_vec(), "JSON document"),
        ("LightGBM's JSON dump", b"{\"name\":\"tree\",\"tree_info\":[]}".to_vec(), "save_model"),
    ];
    for (about, content, expected) in cases {
        let error = load(&content, about).expect_err(about).to_string();
        assert!(error.contains(expected), "{about}: {error}");
    }
}

#[test]
fn gzip_bombs_are_refused() {
    for (about, start) in [("zeros", &b""[..]), ("white space in JSON", b"{\"learner\": "), ("LightGBM", b"tree\n")] {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        gzip.write_all(start).unwrap();
        let filler = vec![if start.is_empty() { 0 } else { b' ' }; 1 << 20];
        for _ in 0..300 {
            gzip.write_all(&filler).unwrap();
        }
        let bomb = gzip.finish().unwrap();
        assert!(bomb.len() < 1 << 20);
        load(&bomb, about).expect_err(about);
    }
    let cut = load(b"\x1f\x8b\x08\0\0\0\0\0", "half a gzip header").expect_err("half a header").to_string();
    assert!(cut.contains("gzip") || cut.contains("empty"), "{cut}");
}

/// The size of the content of a bomb: about all that is inflated before anything is judged.
const BOMB: usize = 31 << 20;

/// A protobuf field with a length.
fn field(tag: u8, content: &[u8]) -> Vec<u8> {
    let mut bytes = vec![tag << 3 | 2];
    let mut length = content.len();
    while length > 0x7f {
        bytes.push(u8::try_from(length & 0x7f).unwrap() | 0x80);
        length >>= 7;
    }
    bytes.push(u8::try_from(length).unwrap());
    [&bytes, content].concat()
}

/// A part of a bomb, as often as it fits.
fn many(part: &[u8]) -> Vec<u8> {
    part.repeat(BOMB / part.len())
}

/// A part of which models do hold many: what it costs is in proportion.
fn some(part: &[u8]) -> Vec<u8> {
    part.repeat(BOMB / 4 / part.len())
}

/// An ONNX file of this graph.
fn onnx(graph: &[u8]) -> Vec<u8> {
    // The version first, then the graph.
    [&b"\x08\x08"[..], &field(7, graph)].concat()
}

/// A tree operator that reads the input `X`, with these attributes.
fn tree_operator(attributes: &[u8]) -> Vec<u8> {
    let float = b"\x0a\x02\x08\x01";
    let input = field(11, &[&field(1, b"X")[..], &field(2, float)].concat());
    let names = [field(1, b"X"), field(2, b"Y"), field(4, b"TreeEnsembleRegressor"), field(7, b"ai.onnx.ml")].concat();
    onnx(&[input, field(1, &[&names[..], attributes].concat())].concat())
}

/// A little file that says much: a few bytes for each of many parts, which must not cost much more in memory or time.
#[test]
fn bombs_of_little_parts_are_refused() {
    let attribute = |content: &[u8]| tree_operator(&field(5, &[&field(1, b"nodes_modes")[..], content].concat()));
    let tensor = |content: &[u8]| attribute(&field(5, content));
    let ubjson =
        |content: &[u8]| [&b"{L\0\0\0\0\0\0\0\x07learner{L\0\0\0\0\0\0\0\x0dfeature_names"[..], content].concat();
    let claimed = |kind: u8, part: &[u8]| {
        let parts = many(part);
        let count = u64::try_from(parts.len() / part.len()).unwrap().to_be_bytes();
        ubjson(&[&[b'[', b'$', kind, b'#', b'L'], &count[..], &parts].concat())
    };
    // Each claims as many elements as bytes are left, and takes none of them.
    let nothing = b"[$T#l\0\x0f\0\0";
    let json = |content: &[u8]| [b"{\"learner\":{\"feature_names\":[", content].concat();
    let cases: [(&str, &dyn Fn() -> Vec<u8>); 25] = [
        ("ONNX: nodes", &|| onnx(&many(&field(1, b"")))),
        ("ONNX: nodes of a byte", &|| onnx(&many(&field(1, b"\x18")))),
        ("ONNX: initializers", &|| onnx(&many(&field(5, b"")))),
        ("ONNX: graph inputs", &|| onnx(&many(&field(11, b"")))),
        ("ONNX: inputs of a node", &|| tree_operator(&many(&field(1, b"")))),
        ("ONNX: outputs of a node", &|| tree_operator(&many(&field(2, b"y")))),
        ("ONNX: attributes of a node", &|| tree_operator(&many(&field(5, b"")))),
        ("ONNX: texts", &|| attribute(&many(&field(9, b"")))),
        ("ONNX: texts of a letter", &|| attribute(&many(&field(9, b"L")))),
        ("ONNX: texts of a word", &|| attribute(&some(&field(9, b"LEAF")))),
        ("ONNX: integers", &|| attribute(&field(8, &some(b"\0")))),
        ("ONNX: integers one by one", &|| attribute(&some(b"\x40\0"))),
        ("ONNX: dimensions of a tensor", &|| tensor(&field(1, &some(b"\0")))),
        ("ONNX: small numbers of a tensor", &|| tensor(&field(5, &some(b"\0")))),
        ("ONNX: dimensions of an input", &|| onnx(&field(11, &field(2, &field(1, &field(2, &some(&field(1, b"")))))))),
        ("UBJSON: letters", &|| claimed(b'C', b"x")),
        ("UBJSON: empty texts", &|| claimed(b'S', b"i\0")),
        ("UBJSON: empty arrays", &|| claimed(b'[', b"]")),
        ("UBJSON: arrays of nothing", &|| ubjson(&many(nothing))),
        ("UBJSON: skipped arrays of nothing", &|| [&b"{L\0\0\0\0\0\0\0\x07comment["[..], &many(nothing)].concat()),
        ("UBJSON: skipped objects of nothing", &|| [&b"{L\0\0\0\0\0\0\0\x07comment"[..], &many(b"{$Z#i\0")].concat()),
        ("UBJSON: no-operations", &|| ubjson(&many(b"N"))),
        ("JSON: empty texts", &|| json(&many(b"\"\","))),
        ("JSON: empty arrays", &|| json(&many(b"[],"))),
        ("JSON: skipped arrays", &|| [&b"{\"comment\":["[..], &many(b"[],")].concat()),
    ];
    for (about, content) in cases {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(&content()).unwrap();
        let bomb = gzip.finish().unwrap();
        load(&bomb, about).expect_err(about);
    }
}

/// A constant that many operators pass on is held once.
#[test]
fn a_constant_passed_on_is_held_once() {
    let numbers = field(4, &vec![0; 4 << 20]);
    let mut graph = field(5, &[&b"\x10\x01"[..], &field(8, b"0"), &numbers].concat());
    for place in 0..9_000 {
        let (from, to) = (place.to_string(), (place + 1).to_string());
        let names = [field(1, from.as_bytes()), field(2, to.as_bytes()), field(4, b"Identity")].concat();
        graph.extend(field(1, &names));
    }
    let error = load(&onnx(&graph), "a chain").unwrap_err().to_string();
    assert!(error.contains("no TreeEnsembleRegressor"), "{error}");
}

#[test]
fn paths_that_are_no_files_are_refused() {
    let error = load_path(Path::new(env!("CARGO_MANIFEST_DIR")), &options()).unwrap_err().to_string();
    assert!(error.contains("directory"), "{error}");
    let error = load_path(Path::new("no/such/model.json"), &options()).unwrap_err().to_string();
    assert!(error.contains("no/such/model.json: no such file"), "{error}");
}
