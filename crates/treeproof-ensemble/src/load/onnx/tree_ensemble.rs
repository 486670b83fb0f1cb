//! `TreeEnsemble` of the operator set ai.onnx.ml 5: inner nodes and leaves in lists of their own, sets of members.

use super::attributes::Attributes;
use super::graph::TreeOperator;
use super::model::OperatorParts;
use super::nodes::{Branch, Mode, RawLeaf, RawNode, RawTree};
use super::regressor::{Settings, num_targets, regression};
use crate::error::LoadError;
use crate::tree::LeafTerm;

pub(super) fn read(found: &TreeOperator) -> Result<OperatorParts, LoadError> {
    let mut attributes = Attributes::new(&found.node)?;
    let computes = found.input.computes;
    let num_outputs = num_targets(&mut attributes)?;
    let aggregate = attributes.integer("aggregate_function")?.unwrap_or(1);
    let transform = attributes.integer("post_transform")?.unwrap_or(0);
    let lists = Lists {
        modes: attributes.bytes("nodes_modes")?,
        splits: attributes.real_tensor("nodes_splits", computes)?.unwrap_or_default(),
        features: attributes.integers("nodes_featureids")?,
        on_true: attributes.integers("nodes_truenodeids")?,
        true_leaf: attributes.integers("nodes_trueleafs")?,
        on_false: attributes.integers("nodes_falsenodeids")?,
        false_leaf: attributes.integers("nodes_falseleafs")?,
        tracks: attributes.integers("nodes_missing_value_tracks_true")?,
        targets: attributes.integers("leaf_targetids")?,
        weights: attributes.real_tensor("leaf_weights", computes)?.unwrap_or_default(),
        sets: Vec::new(),
    };
    let members = attributes.real_tensor("membership_values", computes)?.unwrap_or_default();
    let roots = attributes.integers("tree_roots")?;
    attributes.real_tensor("nodes_hitrates", computes)?;
    attributes.finish()?;
    let lists = lists.checked(&members, num_outputs)?;
    let mut reached = vec![false; lists.modes.len()];
    let trees: Result<Vec<RawTree>, LoadError> = roots.iter().map(|root| lists.tree(*root, &mut reached)).collect();
    let named = |names: &[&str], number: i64| match usize::try_from(number).ok().and_then(|index| names.get(index)) {
        Some(name) => (*name).to_owned(),
        None => format!("number {number}"),
    };
    if num_outputs > 1 && matches!(transform, 1 | 2) {
        let what = "post transforms 1 and 2 are SOFTMAX and LOGISTIC by the standard but the other way round in onnxruntime; \
                    export the raw scores (0)";
        return Err(LoadError::unsupported("TreeEnsemble, attribute `post_transform`", what));
    }
    let settings = Settings {
        aggregate: named(&["AVERAGE", "SUM", "MIN", "MAX"], aggregate),
        transform: named(&["NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT"], transform),
        base: Vec::new(),
        // The output has the type of the input.
        narrow: false,
    };
    regression(found, num_outputs, trees?, settings)
}

struct Lists {
    modes: Vec<u8>,
    splits: Vec<f64>,
    features: Vec<i64>,
    on_true: Vec<i64>,
    true_leaf: Vec<i64>,
    on_false: Vec<i64>,
    false_leaf: Vec<i64>,
    tracks: Vec<i64>,
    targets: Vec<i64>,
    weights: Vec<f64>,
    /// The members of each node, empty for other modes.
    sets: Vec<Vec<f64>>,
}

const MEMBER: u8 = 6;
/// Up to here onnxruntime tests for equality with each member.
const MAX_MEMBERS: usize = 30;

impl Lists {
    fn checked(mut self, members: &[f64], num_outputs: usize) -> Result<Self, LoadError> {
        let num = self.modes.len();
        let lengths = [
            self.splits.len(),
            self.features.len(),
            self.on_true.len(),
            self.true_leaf.len(),
            self.on_false.len(),
            self.false_leaf.len(),
        ];
        if lengths.iter().any(|length| *length != num) || !(self.tracks.is_empty() || self.tracks.len() == num) {
            return Err(LoadError::malformed("attributes `nodes_*`", "the lists differ in length"));
        }
        if self.targets.len() != self.weights.len() {
            return Err(LoadError::malformed("attributes `leaf_*`", "the lists differ in length"));
        }
        let outside = |target: &&i64| !usize::try_from(**target).is_ok_and(|target| target < num_outputs);
        if let Some(target) = self.targets.iter().find(outside) {
            let what = format!("target {target} does not exist; there are {num_outputs}");
            return Err(LoadError::malformed("attribute `leaf_targetids`", what));
        }
        // NaN ends a set; the sets belong to the membership nodes in order.
        let mut sets = members.split(|member| member.is_nan());
        for mode in &self.modes {
            let set = if *mode == MEMBER { sets.next().unwrap_or_default().to_vec() } else { Vec::new() };
            self.sets.push(set);
        }
        Ok(self)
    }

    /// Walks from a root. Leaves may be shared, each reference gets its own; inner nodes may not.
    fn tree(&self, root: i64, reached: &mut [bool]) -> Result<RawTree, LoadError> {
        let mut tree = RawTree::default();
        let root = self.inner(root, "attribute `tree_roots`")?;
        // A tree of one leaf is a node both of whose sides are that leaf.
        if self.on_true[root] == self.on_false[root] && self.true_leaf[root] != 0 && self.false_leaf[root] != 0 {
            tree.nodes.push(RawNode::Leaf(self.leaf(self.on_true[root], root)?));
            return Ok(tree);
        }
        let mut pending = vec![(root, None)];
        while let Some((index, parent)) = pending.pop() {
            let place = format!("node {index}");
            if std::mem::replace(&mut reached[index], true) {
                return Err(LoadError::unsupported(place, "the node is reached twice (a cycle or a shared node)"));
            }
            let position = tree.nodes.len();
            tree.point(parent, position);
            let feature = u32::try_from(self.features[index]).map_err(|_| {
                LoadError::malformed(&place, format!("feature {} does not exist", self.features[index]))
            })?;
            let mode = self.mode(index)?;
            let tracks_true = self.tracks.get(index) == Some(&1);
            tree.nodes.push(RawNode::Branch(Branch { feature, mode, tracks_true, on_true: 0, on_false: 0 }));
            let children = [
                (self.on_true[index], self.true_leaf[index], true),
                (self.on_false[index], self.false_leaf[index], false),
            ];
            for (child, is_leaf, side) in children {
                let parent = Some((position, side));
                if is_leaf == 0 {
                    pending.push((self.inner(child, &place)?, parent));
                } else {
                    let leaf = self.leaf(child, index)?;
                    tree.point(parent, tree.nodes.len());
                    tree.nodes.push(RawNode::Leaf(leaf));
                }
            }
        }
        Ok(tree)
    }

    fn inner(&self, node: i64, place: &str) -> Result<usize, LoadError> {
        let index = usize::try_from(node).ok().filter(|index| *index < self.modes.len());
        index.ok_or_else(|| {
            LoadError::malformed(place, format!("node {node} does not exist; there are {}", self.modes.len()))
        })
    }

    fn leaf(&self, leaf: i64, parent: usize) -> Result<RawLeaf, LoadError> {
        let index = usize::try_from(leaf).ok().filter(|index| *index < self.weights.len());
        let Some(index) = index else {
            let what = format!("leaf {leaf} does not exist; there are {}", self.weights.len());
            return Err(LoadError::malformed(format!("node {parent}"), what));
        };
        let output = u32::try_from(self.targets[index]).unwrap_or(u32::MAX);
        let id = u32::try_from(index).unwrap_or(u32::MAX);
        Ok(RawLeaf { id, terms: vec![LeafTerm { output, value: self.weights[index] }] })
    }

    fn mode(&self, index: usize) -> Result<Mode, LoadError> {
        let value = self.splits[index];
        Ok(match self.modes[index] {
            0 => Mode::AtMost(value),
            1 => Mode::Below(value),
            2 => Mode::AtLeast(value),
            3 => Mode::Above(value),
            4 => Mode::Equal(value),
            5 => Mode::NotEqual(value),
            MEMBER => {
                let set = &self.sets[index];
                if set.is_empty() {
                    return Err(LoadError::malformed(format!("node {index}"), "a membership test with an empty set"));
                }
                if set.len() > MAX_MEMBERS || set.iter().any(|member| !(0.0..=30.0).contains(member)) {
                    let what = "a membership test with more than 30 members, or members outside 0 to 30: onnxruntime looks \
                                only at the integer part of the input then, and versions differ; renumber the categories";
                    return Err(LoadError::unsupported(format!("node {index}"), what));
                }
                Mode::Member(set.clone())
            }
            other => return Err(LoadError::unsupported(format!("node {index}"), format!("unknown mode {other}"))),
        })
    }
}

impl RawTree {
    /// Makes a node the true or false child of another.
    fn point(&mut self, parent: Option<(usize, bool)>, child: usize) {
        if let Some((parent, side)) = parent
            && let RawNode::Branch(branch) = &mut self.nodes[parent]
        {
            if side {
                branch.on_true = child;
            } else {
                branch.on_false = child;
            }
        }
    }
}
