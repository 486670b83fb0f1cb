//! Building the ensemble from the parts of an operator: features, canonical trees, notes.

use super::graph::TreeOperator;
use super::nodes::{RawNode, RawTree};
use super::{chains, folding};
use crate::builder::EnsembleBuilder;
use crate::ensemble::{Ensemble, Source};
use crate::error::LoadError;
use crate::input::{Feature, InputRules};
use crate::label::{ClassName, LabelRule};
use crate::link::Link;
use crate::sum::Aggregate;

/// More features than any table has: numbers in the file, not backed by data in it.
const MAX_FEATURES: usize = 1 << 20;

/// The parts of an operator, its trees not yet canonical.
#[derive(Debug)]
pub(super) struct OperatorParts {
    pub(super) trees: Vec<RawTree>,
    pub(super) num_outputs: usize,
    pub(super) aggregate: Aggregate,
    pub(super) link: Link,
    pub(super) label: LabelRule,
    pub(super) classes: Vec<ClassName>,
    pub(super) notes: Vec<String>,
}

/// Builds the ensemble.
pub(super) fn build(
    parts: OperatorParts,
    found: &TreeOperator,
    version: Option<String>,
) -> Result<Ensemble, LoadError> {
    let OperatorParts { trees: mut raw, num_outputs, aggregate, link, label, classes, mut notes } = parts;
    let input = InputRules::permissive(found.input.grid);
    raw.iter_mut().for_each(chains::merge);
    let mut trees = Vec::with_capacity(raw.len());
    for (index, tree) in raw.iter().enumerate() {
        let place = format!("{}, tree {index}", found.node.op);
        trees.push(tree.build(&input).map_err(|error| error.within(&place))?);
    }
    // Only now: the walk relies on trees being trees.
    folding::check(&raw, found.input.computes).map_err(|error| error.within(&found.node.op))?;
    let num_features = match found.input.num_columns {
        Some(columns) => columns,
        None => {
            let features = num_tested(&raw)?;
            notes.push(format!("the graph does not fix the number of columns; {features} are tested"));
            features
        }
    };
    if matches!(aggregate, Aggregate::Sum(_)) {
        let what = "numbers are those of onnxruntime on a CPU with one thread; more threads may add the trees in another \
                    order, and only the error bound holds then";
        notes.push(what.into());
    }
    EnsembleBuilder {
        source: Source { format: format!("ONNX {}", found.node.op), version, notes, ..Source::default() },
        features: (0..num_features).map(|index| Feature::numeric(format!("f{index}"))).collect(),
        input,
        num_outputs,
        aggregate,
        link,
        label,
        classes,
        trees,
    }
    .finish()
}

fn num_tested(trees: &[RawTree]) -> Result<usize, LoadError> {
    let tested = |node: &RawNode| match node {
        RawNode::Branch(branch) => branch.feature as usize + 1,
        RawNode::Leaf(_) => 0,
    };
    let features = trees.iter().flat_map(|tree| &tree.nodes).map(tested).max().unwrap_or(0);
    if features > MAX_FEATURES {
        return Err(LoadError::unsupported("attribute `nodes_featureids`", format!("{features} features")));
    }
    Ok(features)
}

/// An error for a post-transform that cannot be represented exactly.
pub(super) fn refuse_transform(op: &str, transform: &str) -> LoadError {
    let what =
        format!("the post transform {}; export the raw scores (NONE)", crate::load::document::shortened(transform));
    LoadError::unsupported(op, what)
}
