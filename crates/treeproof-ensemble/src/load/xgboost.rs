//! XGBoost models, JSON and UBJSON alike, of versions 1.x to 3.x.
//!
//! Quirks that the file leaves to its reader: base scores are stored before the link, dart has two sums, and the
//! scikit-learn wrapper stops at the best iteration. Deleted nodes are simply never reached.

mod booster;
mod learner;
mod objective;

use rayon::prelude::*;

use booster::{Booster, RawTree};
use learner::Learner;
use objective::ObjectiveRules;

use super::document::Document;
use super::{Api, LoadOptions, STOPS_EARLY};
use crate::builder::{EnsembleBuilder, RawSplit, TreeBuilder};
use crate::ensemble::{Ensemble, Source};
use crate::error::LoadError;
use crate::float::Precision;
use crate::input::{Absent, Categories, CategoryEncoding, Feature, FeatureKind, InputRules};
use crate::label::{ClassName, LabelRule};
use crate::link::Link;
use crate::sum::{Aggregate, Summation, TreeWeights, WeightRule};
use crate::tree::{LeafTerm, Side, Tree};

/// A feature index in a node that the pruner deleted.
const DELETED: i32 = i32::MAX;

/// Loads the model that `open` opens, perhaps twice: most files never need their `base_weights` parsed.
pub(super) fn load<D: Document>(
    open: impl Fn() -> D,
    format: &str,
    options: &LoadOptions,
) -> Result<Ensemble, LoadError> {
    let mut learner = Learner::read(open(), false)?;
    if learner.booster.needs_base_weights() {
        learner = Learner::read(open(), true)?;
    }
    let num_outputs = learner.num_outputs()?;
    let objective = ObjectiveRules::named(&learner.objective, num_outputs)?;
    let booster = &learner.booster;
    let num_trees = trees_used(&learner, num_outputs, options.api)?;
    let input = input_rules(options);
    let features = features(&learner)?;
    let build = |(index, raw): (usize, &RawTree)| {
        let group = booster.group(index)?;
        tree(raw, group, num_outputs, &input).map_err(|error| error.within(&format!("tree {index}")))
    };
    // Collected before it is judged: of several errors, the first in the file is reported.
    let trees: Vec<Result<Tree, LoadError>> = booster.trees[..num_trees].par_iter().enumerate().map(build).collect();
    let trees: Vec<Tree> = trees.into_iter().collect::<Result<_, _>>()?;
    let base = learner.base_scores(num_outputs)?.into_iter().map(|score| objective.base_margin(score)).collect();
    let mut summation = Summation::plain(Precision::F32, base);
    summation.weights = weights(&learner, num_trees, options.api)?;
    let (label, classes) = label(&objective, &learner, num_outputs);
    EnsembleBuilder {
        source: source(format, &learner, &objective.link, num_trees),
        features,
        input,
        num_outputs,
        aggregate: Aggregate::Sum(summation),
        link: objective.link,
        label,
        classes,
        trees,
    }
    .finish()
}

/// The input rules of XGBoost: `f32`, with NaN (and `missing=`) sent to the default side.
pub(super) fn input_rules(options: &LoadOptions) -> InputRules {
    InputRules {
        missing_value: options.missing_value.filter(|value| !value.is_nan()).map(|value| Precision::F32.round(value)),
        // The scikit-learn wrapper predicts in place and takes infinities; a DMatrix refuses them.
        accepts_infinite: options.api == Api::Sklearn,
        absent: Absent::Missing,
        ..InputRules::permissive(Precision::F32)
    }
}

/// The wrapper stops after the best iteration of early stopping, the booster uses every tree.
fn trees_used(learner: &Learner, num_outputs: usize, api: Api) -> Result<usize, LoadError> {
    let booster = &learner.booster;
    let all = booster.trees.len();
    let Some(best) = learner.best_iteration.filter(|_| api == Api::Sklearn) else { return Ok(all) };
    let end = match &booster.iteration_indptr {
        Some(indptr) => indptr.get(best + 1).map_or(all, |end| usize::try_from(*end).unwrap_or(usize::MAX)),
        None => {
            let vector_leaves = booster.trees.iter().any(|tree| tree.leaf_width > 1);
            let groups = if vector_leaves { 1 } else { num_outputs };
            (best + 1).saturating_mul(booster.num_parallel_tree.max(1)).saturating_mul(groups).min(all)
        }
    };
    if end == 0 || end > all {
        let what = format!("iteration {best} ends at tree {end}, but the model has {all} trees");
        return Err(LoadError::malformed("iteration_indptr", what));
    }
    Ok(end)
}

fn features(learner: &Learner) -> Result<Vec<Feature>, LoadError> {
    let mut is_category = vec![false; learner.num_features];
    for (feature, kind) in learner.feature_types.iter().enumerate() {
        is_category[feature] = kind == "c";
    }
    for (index, tree) in learner.booster.trees.iter().enumerate() {
        for node in &tree.category_nodes {
            let feature = tree.split_indices.get(*node as usize).and_then(|feature| usize::try_from(*feature).ok());
            match feature.and_then(|feature| is_category.get_mut(feature)) {
                Some(flag) => *flag = true,
                None => {
                    let what = format!("categories_nodes names node {node}, which tests no feature of the model");
                    return Err(LoadError::malformed(format!("tree {index}"), what));
                }
            }
        }
    }
    let feature = |index: usize| {
        let name = learner.feature_names.get(index).cloned().unwrap_or_else(|| format!("f{index}"));
        let (names, value_type) = learner.booster.category_names.get(index).cloned().unwrap_or_default();
        let kind = if is_category[index] || !names.is_empty() {
            FeatureKind::Category(Categories { encoding: CategoryEncoding::Xgboost, names, value_type })
        } else {
            FeatureKind::Numeric
        };
        Feature::new(name, kind)
    };
    Ok((0..learner.num_features).map(feature).collect())
}

fn weights(learner: &Learner, num_trees: usize, api: Api) -> Result<Option<TreeWeights>, LoadError> {
    let Booster { weight_drop: Some(drop), .. } = &learner.booster else { return Ok(None) };
    let trees = learner.booster.trees.len();
    if drop.len() != trees {
        // XGBoost 3.4 loads a shorter list and then reads past its end.
        return Err(LoadError::malformed("weight_drop", format!("{} weights for {trees} trees", drop.len())));
    }
    let off_base = api == Api::Sklearn && learner.version < Some((3, 4));
    let rule = if off_base { WeightRule::OffBase } else { WeightRule::Product };
    Ok(Some(TreeWeights { per_tree: drop[..num_trees].iter().map(|weight| f64::from(*weight)).collect(), rule }))
}

fn label(objective: &ObjectiveRules, learner: &Learner, num_outputs: usize) -> (LabelRule, Vec<ClassName>) {
    let numbered = |count: i64| (0..count).map(ClassName::Int).collect();
    match objective.label {
        LabelRule::None => (LabelRule::None, vec![]),
        // One label per target: each is a yes or no of its own, not a class.
        LabelRule::OutputAbove { .. } if num_outputs > 1 => (LabelRule::None, vec![]),
        LabelRule::OutputAbove { .. } => (objective.label.clone(), numbered(2)),
        _ => (objective.label.clone(), numbered(learner.num_class)),
    }
}

fn source(format: &str, learner: &Learner, link: &Link, num_trees: usize) -> Source {
    let mut notes = Vec::new();
    if learner.objective == "reg:squarederror" {
        notes.push(
            "XGBoost saves a custom objective as reg:squarederror: if this model had one, outputs are its margins"
                .into(),
        );
    }
    if link == &Link::VersionDependent {
        notes.push(
            "From version 3.4 on, XGBoost sorts the quantiles that it predicts for a row; before, they are the margins"
                .into(),
        );
    }
    let left_out = learner.booster.trees.len() - num_trees;
    if left_out > 0 {
        notes.push(format!("{STOPS_EARLY}, as the scikit-learn wrapper does: {left_out} later trees are not used"));
    }
    Source {
        format: format.into(),
        version: learner.version_text.clone().map(|version| format!("XGBoost {version}")),
        objective: Some(learner.objective.clone()),
        notes,
        ..Source::default()
    }
}

fn tree(raw: &RawTree, group: usize, num_outputs: usize, input: &InputRules) -> Result<Tree, LoadError> {
    let num_nodes = raw.check_lengths()?;
    let mut builder = TreeBuilder::new(num_nodes);
    let mut categories = raw.categories()?;
    for node in 0..num_nodes {
        let (left, right) = (raw.left_children[node], raw.right_children[node]);
        if left == -1 {
            let id = u32::try_from(node).unwrap_or(u32::MAX);
            if raw.leaf_width > 1 {
                builder.leaf(node, id, vector_leaf(raw, node, num_outputs)?)?;
            } else if raw.split_indices[node] != DELETED {
                let value = f64::from(raw.split_conditions[node]);
                builder.leaf(node, id, [term(group, value)])?;
            }
            continue;
        }
        if raw.split_indices[node] == DELETED {
            continue;
        }
        let place = || format!("node {node}");
        if right != left.wrapping_add(1) {
            let what = format!(
                "right child {right} does not follow left child {left}: XGBoost itself predicts such a tree differently row by row and in batches"
            );
            return Err(LoadError::unsupported(place(), what));
        }
        let child = |child: i32| {
            usize::try_from(child).map_err(|_| LoadError::malformed(place(), format!("child {child} is out of range")))
        };
        let feature = u32::try_from(raw.split_indices[node]).map_err(|_| {
            LoadError::malformed(place(), format!("feature {} is out of range", raw.split_indices[node]))
        })?;
        let missing = Side::from(raw.default_left[node] != 0);
        let (test, missing, left, right) = match categories.remove(&node) {
            // Listed categories go right, which is where our test being true must lead.
            Some(listed) => (builder.category_set(listed), missing.opposite(), right, left),
            None => (input.test_below(f64::from(raw.split_conditions[node])), missing, left, right),
        };
        let (left, right) = (child(left)?, child(right)?);
        builder.split(node, RawSplit { feature, test, missing, zero: None, left, right })?;
    }
    builder.finish(0)
}

fn term(output: usize, value: f64) -> LeafTerm {
    LeafTerm { output: u32::try_from(output).unwrap_or(u32::MAX), value }
}

fn vector_leaf(raw: &RawTree, node: usize, num_outputs: usize) -> Result<Vec<LeafTerm>, LoadError> {
    let width = raw.leaf_width;
    if width != num_outputs {
        return Err(LoadError::malformed(
            format!("node {node}"),
            format!("{width} leaf values for {num_outputs} outputs"),
        ));
    }
    // From version 3.1 on, leaves have their own array and the right child holds the position in it.
    let (values, position) = match &raw.leaf_weights {
        Some(weights) => (weights, usize::try_from(raw.right_children[node]).unwrap_or(usize::MAX)),
        None => (&raw.base_weights, node),
    };
    let first = position.saturating_mul(width);
    match values.get(first..first.saturating_add(width)) {
        Some(values) => Ok(values.iter().enumerate().map(|(output, value)| term(output, f64::from(*value))).collect()),
        None => Err(LoadError::malformed(format!("node {node}"), "the leaf's values are missing")),
    }
}
