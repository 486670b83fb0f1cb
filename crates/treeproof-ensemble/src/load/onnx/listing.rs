//! The node lists of `TreeEnsembleRegressor` and `TreeEnsembleClassifier`: one entry per node in `nodes_*`, one entry
//! per weight in `target_*` or `class_*`.

use std::collections::BTreeMap;

use super::attributes::Attributes;
use super::nodes::{Branch, Mode, RawLeaf, RawNode, RawTree};
use crate::error::LoadError;
use crate::float::Precision;
use crate::load::document::shortened;
use crate::tree::LeafTerm;

/// The trees, and what the classifier's rules depend on.
#[derive(Debug)]
pub(super) struct Listing {
    /// In the order in which onnxruntime adds them.
    pub(super) trees: Vec<RawTree>,
    /// The outputs for which there are weights, ascending.
    pub(super) outputs: Vec<u32>,
    /// True if no weight is below zero.
    pub(super) all_positive: bool,
}

/// The range of one tree's nodes in the lists, and their numbers.
struct Extent {
    id: i64,
    first: usize,
    by_number: BTreeMap<i64, usize>,
}

/// Reads the lists. `kind` is `target` or `class`.
pub(super) fn read(
    attributes: &mut Attributes,
    kind: &str,
    num_outputs: usize,
    computes: Precision,
) -> Result<Listing, LoadError> {
    let tree_ids = attributes.integers("nodes_treeids")?;
    let numbers = attributes.integers("nodes_nodeids")?;
    let features = attributes.integers("nodes_featureids")?;
    let modes = attributes.texts("nodes_modes")?;
    let values = attributes.reals("nodes_values", computes)?;
    let on_true = attributes.integers("nodes_truenodeids")?;
    let on_false = attributes.integers("nodes_falsenodeids")?;
    let tracks = attributes.integers("nodes_missing_value_tracks_true")?;
    // The frequency of each branch in training plays no part in prediction.
    attributes.reals("nodes_hitrates", computes)?;
    let lengths = [numbers.len(), features.len(), modes.len(), values.len(), on_true.len(), on_false.len()];
    if lengths.iter().any(|length| *length != tree_ids.len()) || !(tracks.is_empty() || tracks.len() == tree_ids.len())
    {
        return Err(LoadError::malformed("attributes `nodes_*`", "the lists differ in length"));
    }
    let extents = extents(&tree_ids, &numbers)?;
    let mut trees = Vec::with_capacity(extents.len());
    for extent in &extents {
        let mut tree = RawTree { nodes: Vec::with_capacity(extent.by_number.len()) };
        for index in extent.first..extent.first + extent.by_number.len() {
            let place = || format!("tree {}, node {}", extent.id, numbers[index]);
            let child = |number: i64| match extent.by_number.get(&number) {
                Some(child) => Ok(*child),
                None => Err(LoadError::malformed(place(), format!("its child {number} is not listed in its tree"))),
            };
            let mode = match Mode::parse(&modes[index], values[index]) {
                Some(mode) => mode,
                None if modes[index] == "LEAF" => {
                    let id = u32::try_from(numbers[index]).unwrap_or(u32::MAX);
                    tree.nodes.push(RawNode::Leaf(RawLeaf { id, terms: Vec::new() }));
                    continue;
                }
                None => {
                    let what = format!("unknown mode `{}`", shortened(&modes[index]));
                    return Err(LoadError::unsupported(place(), what));
                }
            };
            let feature = u32::try_from(features[index])
                .map_err(|_| LoadError::malformed(place(), format!("feature {} does not exist", features[index])))?;
            tree.nodes.push(RawNode::Branch(Branch {
                feature,
                mode,
                tracks_true: tracks.get(index) == Some(&1),
                on_true: child(on_true[index])?,
                on_false: child(on_false[index])?,
            }));
        }
        trees.push(tree);
    }
    let mut listing = Listing { trees, outputs: Vec::new(), all_positive: true };
    listing.read_weights(attributes, kind, num_outputs, computes, &extents)?;
    Ok(listing)
}

/// Trees are runs of equal tree ids. onnxruntime would take a second run of an id for one more tree.
fn extents(tree_ids: &[i64], numbers: &[i64]) -> Result<Vec<Extent>, LoadError> {
    let mut extents: Vec<Extent> = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for (index, (id, number)) in tree_ids.iter().zip(numbers).enumerate() {
        let place = || format!("tree {id}, node {number}");
        // onnxruntime keeps ids in 32 bits and uses −1 for "no tree yet".
        if i32::try_from(*id).is_err() || i32::try_from(*number).is_err() || *id < 0 || *number < 0 {
            return Err(LoadError::malformed(place(), "tree and node ids must be between 0 and 2147483647"));
        }
        if extents.last().is_none_or(|extent| extent.id != *id) {
            if !seen.insert(*id) {
                return Err(LoadError::malformed(place(), "the nodes of this tree are not listed together"));
            }
            extents.push(Extent { id: *id, first: index, by_number: BTreeMap::new() });
        }
        if let Some(extent) = extents.last_mut()
            && extent.by_number.insert(*number, index - extent.first).is_some()
        {
            return Err(LoadError::malformed(place(), "the node is listed twice"));
        }
    }
    Ok(extents)
}

impl Listing {
    fn read_weights(
        &mut self,
        attributes: &mut Attributes,
        kind: &str,
        num_outputs: usize,
        computes: Precision,
        extents: &[Extent],
    ) -> Result<(), LoadError> {
        let tree_ids = attributes.integers(&format!("{kind}_treeids"))?;
        let numbers = attributes.integers(&format!("{kind}_nodeids"))?;
        let outputs = attributes.integers(&format!("{kind}_ids"))?;
        let weights = attributes.reals(&format!("{kind}_weights"), computes)?;
        if [numbers.len(), outputs.len(), weights.len()].iter().any(|length| *length != tree_ids.len()) {
            return Err(LoadError::malformed(format!("attributes `{kind}_*`"), "the lists differ in length"));
        }
        let by_id: BTreeMap<i64, usize> = extents.iter().enumerate().map(|(tree, extent)| (extent.id, tree)).collect();
        let mut used = std::collections::BTreeSet::new();
        for (index, (id, number)) in tree_ids.iter().zip(&numbers).enumerate() {
            let place = || format!("tree {id}, node {number}");
            let found = by_id.get(id).and_then(|tree| Some((*tree, *extents[*tree].by_number.get(number)?)));
            let Some((tree, node)) = found else {
                return Err(LoadError::malformed(place(), format!("`{kind}_nodeids` names a node that is not listed")));
            };
            let output = u32::try_from(outputs[index]).ok().filter(|output| (*output as usize) < num_outputs);
            let Some(output) = output else {
                let what = format!("a weight for output {}, but there are {num_outputs} outputs", outputs[index]);
                return Err(LoadError::malformed(place(), what));
            };
            let weight = weights[index];
            used.insert(output);
            self.all_positive &= weight >= 0.0 || weight.is_nan();
            // Weights of inner nodes occur in old files; onnxruntime passes over them.
            if let RawNode::Leaf(leaf) = &mut self.trees[tree].nodes[node] {
                leaf.terms.push(LeafTerm { output, value: weight });
            }
        }
        self.outputs = used.into_iter().collect();
        if num_outputs == 1 {
            self.keep_first_terms(extents)?;
        }
        Ok(())
    }

    /// With one output onnxruntime adds only the first weight of a leaf, and for a leaf without weights a number that
    /// depends on its version.
    fn keep_first_terms(&mut self, extents: &[Extent]) -> Result<(), LoadError> {
        for (tree, extent) in self.trees.iter_mut().zip(extents) {
            for node in &mut tree.nodes {
                let RawNode::Leaf(leaf) = node else { continue };
                if leaf.terms.is_empty() {
                    let place = format!("tree {}, node {}", extent.id, leaf.id);
                    return Err(LoadError::unsupported(place, "a leaf without a weight; give it a weight of 0"));
                }
                leaf.terms.truncate(1);
            }
        }
        Ok(())
    }
}

impl Mode {
    /// The comparison with a threshold; `None` for leaves and the unknown.
    fn parse(mode: &str, value: f64) -> Option<Self> {
        Some(match mode {
            "BRANCH_LEQ" => Self::AtMost(value),
            "BRANCH_LT" => Self::Below(value),
            "BRANCH_GTE" => Self::AtLeast(value),
            "BRANCH_GT" => Self::Above(value),
            "BRANCH_EQ" => Self::Equal(value),
            "BRANCH_NEQ" => Self::NotEqual(value),
            _ => return None,
        })
    }
}
