//! Which format a file has, by its content; and for what is no model, a word on what it is and what to do.

use memchr::memchr;

use super::json::Json;
use crate::error::LoadError;
use crate::load::document::Document;

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
    /// treeproof's own.
    TreeproofJson,
}

/// The beginnings of files that people try to load and that are no models we can read.
const OTHERS: &[(&[u8], &str)] = &[
    (b"CBM1", "a CatBoost binary model; save it with save_model(path, format=\"json\")"),
    (b"binf", "an XGBoost binary model of an old version; load it there and save it as .json or .ubj"),
    (b"PK\x03\x04", "a zip archive (perhaps a scikit-learn or PyTorch dump); export the model, do not archive it"),
    (b"\x93NUMPY", "a numpy array, which is data, not a model"),
    (b"PAR1", "a Parquet table, which is data, not a model"),
    (b"\x89HDF", "an HDF5 file"),
    (b"Treelite", "a Treelite checkpoint; give the model file of the library that trained it"),
];

/// Refuses at once what cannot become a model, seeing only its first bytes.
pub(super) fn could_be_model(start: &[u8]) -> Result<(), LoadError> {
    if start.is_empty() {
        return Err(LoadError::unrecognised("the file is empty"));
    }
    if let Some((_, what)) = OTHERS.iter().find(|(magic, _)| start.starts_with(magic)) {
        return Err(LoadError::unrecognised(format!("this is {what}")));
    }
    if start[0] == 0x80 && start.get(1).is_some_and(|version| (2..=5).contains(version)) {
        let what = "this is a Python pickle, which can run code and holds no portable model; \
                    export the estimator with the treeproof Python package, or save the booster with its own save_model";
        return Err(LoadError::unrecognised(what));
    }
    match trim_start(start).first() {
        Some(b'{' | b'[') => Ok(()),
        Some(b't') if is_lightgbm(start) => Ok(()),
        _ if is_onnx(start) => Ok(()),
        _ => Err(LoadError::unrecognised(
            "not a model file that treeproof reads (XGBoost .json or .ubj, LightGBM .txt, CatBoost .json, ONNX, treeproof .json, \
             each plain or gzipped)",
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

fn trim_start(content: &[u8]) -> &[u8] {
    content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(content).trim_ascii_start()
}

/// The first line is `tree`.
fn is_lightgbm(content: &[u8]) -> bool {
    let line = &content[..memchr(b'\n', content).unwrap_or(content.len())];
    line.trim_ascii() == b"tree"
}

/// Field 1 of an ONNX model is its IR version, a small number; fields 2 to 14 follow.
fn is_onnx(content: &[u8]) -> bool {
    matches!(content, [0x08, 1..=127, key, ..] if (2..=14).contains(&(key >> 3)) || *key == 0xa2)
}
