//! ONNX models with one tree operator, as onnxruntime computes them on a CPU.
//!
//! The way through: `proto` decodes, `graph` finds the operator and refuses what it must not pass over, one file per
//! operator reads its attributes, `nodes` makes the tests canonical, `model` builds the ensemble. The
//! file says little about arithmetic: every rule here is one of onnxruntime's, quirks included.

mod attributes;
mod chains;
mod classifier;
mod folding;
mod graph;
mod listing;
mod model;
mod nodes;
mod proto;
mod regressor;
#[cfg(test)]
mod tests;
mod tree_ensemble;

use prost::bytes::Bytes;

use super::LoadOptions;
use super::document::shortened;
use crate::ensemble::Ensemble;
use crate::error::LoadError;

/// Reads a model; the file is complete, so there are no options.
pub(super) fn load(content: &[u8], _options: &LoadOptions) -> Result<Ensemble, LoadError> {
    let model: proto::ModelProto = proto::decode(Bytes::copy_from_slice(content), "ONNX model")?;
    let Some(graph) = model.graph.clone() else {
        return Err(LoadError::malformed("ONNX model", "there is no graph: the file is cut off, or no model"));
    };
    let found = graph::find(&proto::decode(graph, "graph")?)?;
    let parts = match found.node.op.as_str() {
        "TreeEnsembleClassifier" => classifier::read(&found)?,
        "TreeEnsembleRegressor" => regressor::read(&found)?,
        _ => tree_ensemble::read(&found)?,
    };
    let version = format!("{} {}", shortened(&model.producer_name), shortened(&model.producer_version));
    let version = Some(version.trim().to_owned()).filter(|version| !version.is_empty());
    model::build(parts, &found, version)
}
