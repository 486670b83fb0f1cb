//! One tree as both kinds of operators describe it, before its tests become canonical.

use std::collections::{BTreeMap, BTreeSet};

use crate::builder::{RawSplit, TreeBuilder};
use crate::error::LoadError;
use crate::input::InputRules;
use crate::tree::{LeafTerm, Side, Test, Tree};

/// A tree whose root is node 0; children are positions in the list and may still be wrong.
#[derive(Debug, Default)]
pub(super) struct RawTree {
    pub(super) nodes: Vec<RawNode>,
}

#[derive(Debug)]
pub(super) enum RawNode {
    Leaf(RawLeaf),
    Branch(Branch),
}

#[derive(Debug, Default)]
pub(super) struct RawLeaf {
    /// The leaf's number in the file.
    pub(super) id: u32,
    /// Its terms, in order.
    pub(super) terms: Vec<LeafTerm>,
}

#[derive(Debug)]
pub(super) struct Branch {
    pub(super) feature: u32,
    pub(super) mode: Mode,
    /// True if NaN goes to the true child, whatever the outcome of the comparison.
    pub(super) tracks_true: bool,
    pub(super) on_true: usize,
    pub(super) on_false: usize,
}

/// The comparison of a value `x` with what the node holds. NaN compares as in C: only `NotEqual` holds.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Mode {
    AtMost(f64),
    Below(f64),
    AtLeast(f64),
    Above(f64),
    Equal(f64),
    NotEqual(f64),
    Member(Vec<f64>),
}

impl RawTree {
    /// The tree with canonical tests.
    pub(super) fn build(&self, rules: &InputRules) -> Result<Tree, LoadError> {
        let mut builder = TreeBuilder::new(self.nodes.len());
        for (index, node) in self.nodes.iter().enumerate() {
            match node {
                RawNode::Leaf(leaf) => builder.leaf(index, leaf.id, leaf.terms.iter().copied())?,
                RawNode::Branch(branch) => {
                    let split = branch.canonical(rules, &mut builder);
                    builder.split(index, split)?;
                }
            }
        }
        builder.finish(0)
    }
}

/// For each output, whether every input reaches a leaf that adds to it. Certain only where a single tree has a term
/// for it in all leaves; more cannot be said without looking at the tests.
pub(super) fn always_scored(trees: &[RawTree], num_outputs: usize) -> Vec<bool> {
    let mut always = vec![false; num_outputs];
    for tree in trees {
        let mut num_leaves = 0;
        let mut with_term: BTreeMap<usize, usize> = BTreeMap::new();
        for node in &tree.nodes {
            let RawNode::Leaf(leaf) = node else { continue };
            num_leaves += 1;
            let outputs: BTreeSet<usize> = leaf.terms.iter().map(|term| term.output as usize).collect();
            outputs.into_iter().for_each(|output| *with_term.entry(output).or_default() += 1);
        }
        for (output, _) in with_term.into_iter().filter(|(_, leaves)| *leaves == num_leaves) {
            always[output] = true;
        }
    }
    always
}

/// True if every input reaches a leaf with a term.
pub(super) fn always_scores(trees: &[RawTree]) -> bool {
    let scores = |node: &RawNode| !matches!(node, RawNode::Leaf(leaf) if leaf.terms.is_empty());
    trees.iter().any(|tree| tree.nodes.iter().all(scores))
}

impl Branch {
    fn canonical(&self, rules: &InputRules, builder: &mut TreeBuilder) -> RawSplit {
        // A value that is no number of the input precision is never met.
        let mut one_of =
            |values: &[f64]| builder.value_set(values.iter().copied().filter(|value| rules.precision.contains(*value)));
        // The test, and the child that the operator calls true in terms of the test.
        let (test, when_true) = match &self.mode {
            Mode::AtMost(value) => (rules.test_at_most(*value), Side::Left),
            Mode::Below(value) => (rules.test_below(*value), Side::Left),
            // No number compares with NaN: not the negation of a test that never holds, but that test.
            Mode::AtLeast(value) | Mode::Above(value) if value.is_nan() => (Test::Below(f64::NEG_INFINITY), Side::Left),
            Mode::AtLeast(value) => (rules.test_below(*value), Side::Right),
            Mode::Above(value) => (rules.test_at_most(*value), Side::Right),
            Mode::Equal(value) => (one_of(&[*value]), Side::Left),
            Mode::NotEqual(value) => (one_of(&[*value]), Side::Right),
            Mode::Member(values) => (one_of(values), Side::Left),
        };
        let missing_is_true = self.tracks_true || matches!(self.mode, Mode::NotEqual(_));
        let (left, right) = match when_true {
            Side::Left => (self.on_true, self.on_false),
            Side::Right => (self.on_false, self.on_true),
        };
        RawSplit {
            feature: self.feature,
            test,
            missing: if missing_is_true { when_true } else { when_true.opposite() },
            zero: None,
            left,
            right,
        }
    }
}
