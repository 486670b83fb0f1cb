//! Prune pass: the trees of a sum that matter, and their inputs.

use std::ops::Range;

use treeproof_ensemble::tree::Node as ModelNode;
use treeproof_search::{Abandoned, Stop, proceed};

use super::cancel;
use super::channel::WeightedOutputs;
use super::form::{Form, Sum};
use super::reachable::ReachableByInput;
use super::rename::Renamed;

/// One sum of a form, with the trees that matter to it.
pub(super) struct RelevantTrees {
    pub(super) weighted: WeightedOutputs,
    pub(super) trees: Vec<RelevantTree>,
    pub(super) constants: Vec<ConstantTree>,
    /// Trees that cancel between the inputs.
    pub(super) num_cancelled: usize,
    /// Trees that cancel between the models: an input, a tree of the first and the one of the second.
    pub(super) common: Vec<(usize, [usize; 2])>,
}

/// A tree, with the inputs at which it matters: one, or both.
pub(super) struct RelevantTree {
    pub(super) model: usize,
    pub(super) index: usize,
    pub(super) inputs: Range<usize>,
    /// True if it is added at one input and subtracted at the other.
    pub(super) is_difference: bool,
}

/// A tree that adds the same leaf everywhere.
pub(super) struct ConstantTree {
    pub(super) model: usize,
    pub(super) index: usize,
    pub(super) input: usize,
    pub(super) leaf: usize,
}

impl Form<'_> {
    /// The trees of each sum that matter.
    pub(super) fn relevant_trees(
        &self,
        renamed: &Renamed<'_>,
        reachable: &ReachableByInput<'_>,
        case: &[Sum],
        stop: &dyn Stop,
    ) -> Result<Vec<RelevantTrees>, Abandoned> {
        let of_sum = |sum: &Sum| {
            let weighted = WeightedOutputs::new(self, sum);
            let cancel::Cancelled { is_cancelled: cancelled, pairs: common } =
                cancel::cancelled(self, renamed, &weighted, stop)?;
            let mut relevant = RelevantTrees { weighted, trees: vec![], constants: vec![], num_cancelled: 0, common };
            for (model, ensemble) in self.models.iter().enumerate() {
                let is_difference = relevant.weighted.is_difference(model);
                for (index, tree) in ensemble.trees().iter().enumerate() {
                    proceed(stop)?;
                    // Without a split on a feature that may differ, both inputs reach the same leaf. Trees that cancel
                    // between the models are gone already.
                    let is_whole = !cancelled[model].iter().any(|at_input| at_input[index]);
                    if is_difference && is_whole && renamed.is_shared(model, tree) {
                        relevant.num_cancelled += 1;
                        continue;
                    }
                    let mut inputs = 0..0;
                    for (input, reachable_trees) in reachable[model].iter().enumerate() {
                        if cancelled[model][input][index] {
                            continue;
                        }
                        match reachable_trees.reached(tree, tree.root()) {
                            ModelNode::Leaf(leaf) => {
                                relevant.constants.push(ConstantTree { model, index, input, leaf })
                            }
                            ModelNode::Split(_) if relevant.weighted.at(model, input).is_constant(tree) => {
                                relevant.constants.push(ConstantTree { model, index, input, leaf: 0 });
                            }
                            ModelNode::Split(_) if inputs.is_empty() => inputs = input..input + 1,
                            ModelNode::Split(_) => inputs.end = input + 1,
                        }
                    }
                    if !inputs.is_empty() {
                        let is_difference = is_difference && inputs.len() == 2;
                        relevant.trees.push(RelevantTree { model, index, inputs, is_difference });
                    }
                }
            }
            Ok(relevant)
        };
        case.iter().map(of_sum).collect()
    }
}
