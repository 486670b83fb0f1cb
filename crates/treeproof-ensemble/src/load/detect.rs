//! Detection of the format by content, with advice for files of other formats.

use memchr::memchr;

use super::json::Json;
use crate::error::LoadError;
use crate::load::document::{Document, ValueKind};

/// The formats that can be loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// XGBoost's `save_model("….json")`.
    XgboostJson,
    /// XGBoost's `save_model("….ubj")`.
    XgboostUbjson,
    /// XGBoost's `dump_model("….json", dump_format="json")`.
    XgboostDump,
    /// LightGBM's `save_model`.
    LightgbmText,
    /// CatBoost's `save_model(…, format="json")`.
    CatboostJson,
    /// ONNX with a tree ensemble.
    Onnx,
    /// treeproof's own JSON.
    TreeproofJson,
    /// The steps of a pipeline, with its model.
    Pipeline,
}

/// The message for joblib's default compression.
const COMPRESSED: &str = "compressed with zlib, as joblib compresses its pickles, which hold no portable model; in Python, \
                          treeproof.load(estimator).save(\"model.json\") writes one";

/// First bytes of files that users try to load and that are not supported.
const OTHERS: &[(&[u8], &str)] = &[
    (b"CBM1", "a CatBoost binary model; save it with save_model(path, format=\"json\")"),
    (b"binf", "an XGBoost binary model of an old version; load it there and save it as .json or .ubj"),
    (b"PK\x03\x04", "a zip archive (perhaps a scikit-learn or PyTorch dump); export the model, do not archive it"),
    (b"\x93NUMPY", "a numpy array, which is data, not a model"),
    (b"PAR1", "a Parquet table, which is data, not a model"),
    (b"\x89HDF", "an HDF5 file"),
    (b"Treelite", "a Treelite checkpoint; give the model file of the library that trained it"),
    (
        b"booster[",
        "XGBoost's text dump, which is for reading by people; save the model with save_model(\"model.json\")",
    ),
    (b"x\x01", COMPRESSED),
    (b"x\x5e", COMPRESSED),
    (b"x\x9c", COMPRESSED),
    (b"x\xda", COMPRESSED),
];

/// Refuses content that cannot be a model, by its first bytes.
pub(super) fn could_be_model(start: &[u8]) -> Result<(), LoadError> {
    if start.is_empty() {
        return Err(LoadError::unrecognised("the file is empty"));
    }
    if let Some((_, what)) = OTHERS.iter().find(|(magic, _)| start.starts_with(magic)) {
        return Err(LoadError::unrecognised(format!("this is {what}")));
    }
    if start[0] == 0x80 && start.get(1).is_some_and(|version| (2..=5).contains(version)) {
        let what = "this is a Python pickle, which can run code and holds no portable model; \
                    in Python, treeproof.load(estimator).save(\"model.json\") writes one, and so does a booster's own save_model";
        return Err(LoadError::unrecognised(what));
    }
    match trim_start(start).first() {
        Some(b'{' | b'[') => Ok(()),
        Some(b't') if is_lightgbm(start) => Ok(()),
        _ if is_onnx(start) => Ok(()),
        _ if is_table(start) => Err(LoadError::unrecognised("this looks like a table, which is data, not a model")),
        _ => Err(LoadError::unrecognised(
            "not a model file; supported formats: XGBoost .json or .ubj, LightGBM .txt, CatBoost .json, ONNX, treeproof .json, \
             each plain or gzipped",
        )),
    }
}

/// The format of a whole file.
pub(super) fn format(content: &[u8]) -> Result<Format, LoadError> {
    could_be_model(&content[..content.len().min(4096)])?;
    let text = trim_start(content);
    match text.first() {
        // In UBJSON a key starts with the type of its length, in JSON with a quote or white space.
        Some(b'{') if matches!(text.get(1), Some(b'L' | b'l' | b'i' | b'I' | b'U' | b'#' | b'$')) => {
            Ok(Format::XgboostUbjson)
        }
        Some(b'{') => json_format(content),
        Some(b'[') => Ok(Format::XgboostDump),
        Some(b't') => Ok(Format::LightgbmText),
        _ => Ok(Format::Onnx),
    }
}

/// Reads top-level keys until one decides.
fn json_format(content: &[u8]) -> Result<Format, LoadError> {
    let mut found = None;
    let mut lightgbm_dump = false;
    let outcome = Json::new(content).object(|json, key| {
        found = match key {
            "learner" => Some(Format::XgboostJson),
            "oblivious_trees" | "features_info" | "model_info" | "scale_and_bias" => Some(Format::CatboostJson),
            "treeproof" => Some(Format::TreeproofJson),
            "treeproof_pipeline" => Some(Format::Pipeline),
            _ => None,
        };
        lightgbm_dump |= key == "tree_info";
        // An error is the way to leave early; it is looked at only if nothing was found.
        if found.is_some() || lightgbm_dump { Err(LoadError::unrecognised("")) } else { json.skip() }
    });
    match (found, outcome) {
        (Some(format), _) => Ok(format),
        (None, _) if lightgbm_dump => Err(LoadError::unrecognised(
            "this is LightGBM's dump_model(), which is for reading by people; save the model with save_model()",
        )),
        (None, Err(error)) => Err(error),
        (None, Ok(())) => Err(LoadError::unrecognised(
            "a JSON document, but not a model of XGBoost (no \"learner\"), CatBoost (no \"features_info\") or treeproof (no \"treeproof\")",
        )),
    }
}

/// Recognises treeproof's own models and pipelines by their beginning, which may be cut: the version and two more of their top-level
/// keys, each with a value of its kind, and no key of any other document. Tasks have the same first key, but no source.
pub(super) fn is_own(start: &[u8]) -> bool {
    let (mut is_model, mut is_pipeline, mut is_other, mut num_keys) = (false, false, false, 0);
    // A cut document gives an error at its end, after the keys that decide.
    let _ = Json::new(start).object(|json, key| {
        match (key, json.kind()?) {
            ("treeproof", ValueKind::Number) => is_model = true,
            ("treeproof_pipeline", ValueKind::Number) => is_pipeline = true,
            ("source" | "input" | "aggregate" | "link" | "label" | "model", ValueKind::Object)
            | ("features" | "columns" | "classes" | "steps" | "trees", ValueKind::Array)
            | ("num_outputs" | "columns", ValueKind::Number)
            | ("file", ValueKind::Text) => num_keys += 1,
            ("missing_value" | "classes" | "model" | "file", ValueKind::Number | ValueKind::Null) => {}
            _ => is_other = true,
        }
        json.skip()
    });
    (is_model != is_pipeline) && !is_other && num_keys > 1
}

fn trim_start(content: &[u8]) -> &[u8] {
    content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(content).trim_ascii_start()
}

/// The first line is `tree`.
fn is_lightgbm(content: &[u8]) -> bool {
    let line = &content[..memchr(b'\n', content).unwrap_or(content.len())];
    line.trim_ascii() == b"tree"
}

/// True if the first two lines are text with the same separators.
fn is_table(start: &[u8]) -> bool {
    let lines: Vec<&[u8]> = start.split(|byte| *byte == b'\n').take(2).collect();
    let count = |line: &[u8], separator: u8| line.iter().filter(|byte| **byte == separator).count();
    let is_text = |line: &&[u8]| line.iter().all(|byte| !byte.is_ascii_control() || b"\t\r".contains(byte));
    let is_parted = |separator: &u8| {
        let counts = lines.iter().map(|line| count(line, *separator));
        counts.clone().min() == counts.clone().max() && counts.min() > Some(0)
    };
    lines.len() == 2 && lines.iter().all(is_text) && b",;\t".iter().any(is_parted)
}

/// True if the start of a file is a sequence of fields of an ONNX model in any order: numbers and kinds of the
/// fields must be those of the format, the IR version small, names printable, the graph one of its own fields.
fn is_onnx(start: &[u8]) -> bool {
    let (mut rest, mut num_fields, mut has_graph) = (start, 0, false);
    // The start may be cut within a number, or within the content of the last field.
    while let Some((key, after)) = varint(rest)
        && let Some((number, after)) = varint(after)
    {
        let length = usize::try_from(number).map_or(after.len(), |length| length.min(after.len()));
        let (content, following) = after.split_at(length);
        let (fits, following) = match (key >> 3, key & 7) {
            (IR_VERSION, NUMBER) => ((1..=255).contains(&number), after),
            (MODEL_VERSION, NUMBER) => (true, after),
            // The names of the producer, its version and the domain.
            (2..=4, BYTES) => (!content.iter().any(u8::is_ascii_control), following),
            (GRAPH, BYTES) => {
                has_graph = true;
                (content.first().is_some_and(|key| u64::from(key & 7) == BYTES && key >> 3 > 0), following)
            }
            // Documentation, operator sets, metadata, training, functions and devices.
            (6 | 8 | 14 | 20 | 25 | 26, BYTES) => (true, following),
            _ => (false, following),
        };
        if !fits {
            return false;
        }
        num_fields += 1;
        rest = following;
    }
    has_graph || num_fields > 1
}

// The kinds of fields: a number, or a length and bytes.
const NUMBER: u64 = 0;
const BYTES: u64 = 2;
// The fields of an ONNX model with rules of their own.
const IR_VERSION: u64 = 1;
const MODEL_VERSION: u64 = 5;
const GRAPH: u64 = 7;

/// A variable-length number and the rest.
fn varint(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut number = 0;
    for (index, byte) in bytes.iter().take(9).enumerate() {
        number |= u64::from(byte & 0x7f) << (7 * index);
        if byte & 0x80 == 0 {
            return Some((number, &bytes[index + 1..]));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_models_are_known_by_keys_and_kinds() {
        let own = [
            r#"{"treeproof": 1, "source": {"format": "x"}, "features": [{"na"#,
            r#"{"treeproof":1,"source":{},"features":[],"num_outputs":1,"trees":[]}"#,
            r#"{"treeproof_pipeline": 1, "columns": 3, "steps": [], "file": "", "missing_value": null}"#,
            r#"{"treeproof_pipeline": 1, "columns": ["age"], "steps": [{"sel"#,
        ];
        let foreign = [
            "",
            "treeproof",
            r#"{"treeproof": 1, "question": "max", "model": "m.json"}"#,
            r#"{"treeproof": 1, "trees": 3, "source": "a forest", "features": "many"}"#,
            r#"{"treeproof": "installed", "source": {}, "features": [], "trees": []}"#,
            r#"{"treeproof": 1, "source": {}, "features": [], "notes": "mine"}"#,
            r#"{"treeproof_pipeline": 1, "stages": []}"#,
            r#"{"treeproof_pipeline": true, "columns": 3, "steps": []}"#,
            r#"{"source": {}, "features": [], "trees": []}"#,
        ];
        assert!(own.iter().all(|start| is_own(start.as_bytes())));
        for start in foreign {
            assert!(!is_own(start.as_bytes()), "{start}");
        }
    }

    #[test]
    fn tables_are_known_by_their_separators() {
        for table in [&b"age,income\n1,2\n"[..], b"a;b;c\r\n1;2;3", b"a\tb\n1\t2\n3\t4"] {
            assert!(is_table(table));
        }
        for other in [&b"age,income"[..], b"a,b\n1\n", b"hello\nworld\n", b"a,\0\nb,c\n", b""] {
            assert!(!is_table(other), "{other:?}");
        }
    }

    #[test]
    fn onnx_is_known_by_its_fields_in_any_order() {
        let graph = [0x3a, 4, 0x0a, 2, 0x22, 0];
        let version = [0x08, 9];
        let producer = *b"\x12\x08skl2onnx";
        let operators = [0x42, 2, 0x10, 18];
        assert!(is_onnx(&[&version[..], &producer, &graph, &operators].concat()));
        assert!(is_onnx(&[&graph[..], &operators, &version].concat()));
        assert!(is_onnx(&[&producer[..], &operators, &version, &graph].concat()));
        // Cut inside the graph, as the first bytes of a large file are.
        assert!(is_onnx(&[&version[..], &[0x3a, 0xff, 0xff, 0x7f, 0x0a]].concat()));
        for other in [&b""[..], &[0x08], &version, b"\x12\x03a\x00b", b"hello, world", &[0x3a, 2, 2, 0], &[0xff; 40]] {
            assert!(!is_onnx(other), "{other:?}");
        }
    }
}
