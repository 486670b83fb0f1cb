//! Lower pass: sums of margins become channels of trees over cells.

use std::ops::Range;

use treeproof_proof::header::{Bundled, TreeSource};
use treeproof_search::{Abandoned, Axis, Channel, Node, Problem, Stop, Tree, Value, proceed};

use super::ball::Coupling;
use super::channel::WeightedOutputs;
use super::cut::CutAxes;
use super::form::Form;
use super::reachable::ReachableByInput;
use super::relevant_trees::{ConstantTree, RelevantTree, RelevantTrees};
use super::rename::Renamed;
use super::units::ValueUnits;
use super::{order, pair, position};

/// The state from which channels are lowered.
pub(super) struct Lowerer<'a> {
    pub(super) form: &'a Form<'a>,
    pub(super) renamed: &'a Renamed<'a>,
    pub(super) reachable: &'a ReachableByInput<'a>,
    pub(super) shapes: Vec<Axis>,
    pub(super) units: ValueUnits,
    pub(super) cut: CutAxes,
    pub(super) coupling: Option<Coupling>,
    pub(super) most_pairs: usize,
    pub(super) stop: &'a dyn Stop,
}

/// A channel, with facts about its values.
pub(super) struct Lowered {
    pub(super) channel: Channel,
    /// Numbers that were rounded up, besides the base.
    pub(super) num_rounded: Value,
    /// The model trees it is made of.
    pub(super) bundles: ChannelBundles,
}

/// The model trees that a channel is made of.
#[derive(Clone, Debug, Default)]
pub(super) struct ChannelBundles {
    /// For each of its trees.
    pub(super) trees: Vec<Bundled>,
    /// Those that make no difference.
    pub(super) others: Vec<Bundled>,
}

/// Statistics of the trees at two inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pairing {
    /// Trees that cannot differ between the inputs.
    pub cancelled: usize,
    /// Trees that became one tree of leaf pairs each.
    pub paired: usize,
    /// The leaves of those.
    pub pairs: usize,
    /// Trees with too many pairs, which were kept as two.
    pub apart: usize,
}

impl Lowerer<'_> {
    pub(super) fn channel(&self, relevant: &RelevantTrees, pairing: &mut Pairing) -> Result<Lowered, Abandoned> {
        let RelevantTrees { weighted, trees, constants, num_cancelled, common } = relevant;
        pairing.cancelled += num_cancelled;
        let mut channel = Channel { base: self.units.base(weighted), trees: vec![] };
        let mut num_rounded = 0;
        for ConstantTree { model, index, input, leaf } in constants {
            let tree = &self.form.models[*model].trees()[*index];
            channel.base += self.units.leaf(*model, *index, weighted.at(*model, *input).terms(tree, *leaf));
            num_rounded += 1;
        }
        let mut bundles = ChannelBundles::default();
        for tree in trees {
            proceed(self.stop)?;
            let mut add = |lowered: Tree, inputs: Range<usize>| {
                num_rounded += 1;
                let sources = inputs.map(|input| source(tree.model, tree.index, input)).collect();
                match lowered.nodes[..] {
                    [Node::Leaf(value)] => {
                        channel.base += value;
                        bundles.others.push(Bundled::Trees(sources));
                    }
                    _ => {
                        channel.trees.push(lowered);
                        bundles.trees.push(Bundled::Trees(sources));
                    }
                }
            };
            let paired = if tree.is_difference { self.paired(weighted, tree, pairing)? } else { None };
            match paired {
                Some(pairs) => add(pairs, tree.inputs.clone()),
                None => tree.inputs.clone().for_each(|input| add(self.single(weighted, tree, input), input..input + 1)),
            }
        }
        let features = self.renamed.ordered.iter().map(|(first, _)| self.renamed.coordinates[*first].feature);
        bundles.trees.extend(features.map(|feature| Bundled::InOrder(position(feature))));
        bundles.others.extend(common.iter().map(|(input, [first, second])| {
            Bundled::Trees(vec![source(0, *first, *input), source(1, *second, *input)])
        }));
        Ok(Lowered { channel, num_rounded, bundles })
    }

    /// Penalises points out of order so that they are worth less than any point in order. Returns a lower bound on the
    /// latter.
    pub(super) fn keep_order(&self, problem: &mut Problem) -> Value {
        if self.renamed.ordered.is_empty() {
            return Value::MIN;
        }
        let largest = |tree: &Tree| {
            let leaves = tree.nodes.iter().map(|node| if let Node::Leaf(value) = node { value.abs() } else { 0 });
            leaves.max().unwrap_or(0)
        };
        let magnitude = |channel: &Channel| channel.base.abs() + channel.trees.iter().map(largest).sum::<Value>();
        let magnitude = problem.cases.iter().flat_map(|case| &case.channels).map(magnitude).max().unwrap_or(0);
        for (first, second) in &self.renamed.ordered {
            let axes = [self.cut.axis_of[*first], self.cut.axis_of[*second]];
            let tree = order::order(axes.map(|axis| &self.cut.axes[axis]), axes.map(position), -2 * magnitude - 1);
            for channel in problem.cases.iter_mut().flat_map(|case| &mut case.channels) {
                channel.trees.push(tree.clone());
            }
        }
        -magnitude
    }

    fn lower(&self, tree: &RelevantTree, input: usize, leaf_value: impl Fn(usize) -> Value) -> Tree {
        let RelevantTree { model, index, .. } = *tree;
        self.reachable[model][input].tree(
            &self.form.models[model].trees()[index],
            (&self.cut.axes, &self.cut.axis_of),
            leaf_value,
        )
    }

    fn single(&self, weighted: &WeightedOutputs, relevant: &RelevantTree, input: usize) -> Tree {
        let RelevantTree { model, index, .. } = *relevant;
        let tree = &self.form.models[model].trees()[index];
        let counts = weighted.at(model, input);
        let value = |leaf| self.units.leaf(model, index, counts.terms(tree, leaf));
        self.lower(relevant, input, value)
    }

    /// The tree of the leaf pairs at two inputs; `None` if there are too many.
    fn paired(
        &self,
        weighted: &WeightedOutputs,
        relevant: &RelevantTree,
        pairing: &mut Pairing,
    ) -> Result<Option<Tree>, Abandoned> {
        let RelevantTree { model, index, .. } = *relevant;
        let tree = &self.form.models[model].trees()[index];
        let numbered = [0, 1].map(|input| self.lower(relevant, input, |leaf| Value::from(position(leaf))));
        let counts = [0, 1].map(|input| weighted.at(model, input));
        let value = |leaves: [Value; 2]| {
            let [first, second] = leaves.map(|leaf| usize::try_from(leaf).expect("a number of a leaf"));
            let terms = counts[0].terms(tree, first).chain(counts[1].terms(tree, second));
            self.units.leaf(model, index, terms)
        };
        let trees = [&numbered[0], &numbered[1]];
        let paired = pair::pair(&self.shapes, trees, self.coupling.as_ref(), self.most_pairs, value, self.stop)?;
        match &paired {
            Some(tree) => {
                pairing.paired += 1;
                pairing.pairs += tree.nodes.len().div_ceil(2);
            }
            None => pairing.apart += 1,
        }
        Ok(paired)
    }
}

fn source(model: usize, tree: usize, input: usize) -> TreeSource {
    TreeSource { model: position(model), tree: position(tree), input: position(input) }
}
