//! The plain bound of a form: every tree at its best leaf that the domains reach. It needs no cells, so it is quick.

use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::tree::{Node, Tree};
use treeproof_search::{Abandoned, Stop, proceed};

use super::channel::{OutputCounts, WeightedOutputs, scale, summation};
use super::exact;
use super::form::{Form, Sum};
use super::reachable::{ReachableByInput, ReachableTrees};
use super::rename::Renamed;

/// Extreme contributions of a tree at an input, rounded outward.
#[derive(Clone, Copy)]
struct LeafRange {
    least: f64,
    most: f64,
}

/// Extreme contributions of a model's trees at an input, for given counts of accumulators.
struct TreeRanges {
    model: usize,
    input: usize,
    counts: Vec<i32>,
    trees: Vec<LeafRange>,
}

impl Form<'_> {
    /// An upper bound on the form over its space. `None` if it is too large for a double.
    ///
    /// # Errors
    /// If it is abandoned.
    pub(crate) fn plain_bound(&self, stop: &dyn Stop) -> Result<Option<Exact>, Abandoned> {
        let renamed = Renamed::new(self);
        let reachable = renamed.reachable_trees(self.models.len());
        let mut bounds = PlainBounds { form: self, renamed: &renamed, reachable: &reachable, known: vec![], stop };
        let mut best = None;
        for case in &self.cases {
            let mut worst = None::<Exact>;
            for sum in case {
                let Some(bound) = bounds.of_sum(sum)? else { return Ok(None) };
                worst = Some(worst.map_or(bound.clone(), |worst| worst.min(bound)));
            }
            best = best.max(worst);
        }
        Ok(best)
    }
}

/// Bounds of sums; extremes found for one are used for others.
struct PlainBounds<'a> {
    form: &'a Form<'a>,
    renamed: &'a Renamed<'a>,
    reachable: &'a ReachableByInput<'a>,
    known: Vec<TreeRanges>,
    stop: &'a dyn Stop,
}

impl PlainBounds<'_> {
    fn of_sum(&mut self, sum: &Sum) -> Result<Option<Exact>, Abandoned> {
        let weighted = WeightedOutputs::new(self.form, sum);
        let mut bound = weighted.constant.clone();
        for (model, ensemble) in self.form.models.iter().enumerate() {
            let summation = summation(ensemble);
            let scale = scale(summation);
            let is_rising = scale >= Exact::zero();
            // Without a split on a feature that may differ, both inputs reach the same leaf.
            let is_difference = weighted.is_difference(model);
            let of_inputs = (0..self.form.space.inputs.len()).map(|input| {
                let counts = weighted.at(model, input);
                if counts.is_zero() { Ok(None) } else { self.extremes(model, input, counts).map(Some) }
            });
            let of_inputs = of_inputs.collect::<Result<Vec<_>, _>>()?;
            let mut of_model = Exact::zero();
            for (index, tree) in ensemble.trees().iter().enumerate() {
                proceed(self.stop)?;
                if is_difference && self.renamed.is_shared(model, tree) {
                    continue;
                }
                let weight = summation.weights.as_ref().map_or(1.0, |weights| weights.per_tree[index]);
                for (known, is_negated) in of_inputs.iter().flatten() {
                    let LeafRange { least, most } = self.known[*known].trees[index];
                    let (least, most) = if *is_negated { (-most, -least) } else { (least, most) };
                    let Some(best) = Exact::from_f64(if (weight >= 0.0) == is_rising { most } else { least }) else {
                        return Ok(None);
                    };
                    of_model = of_model.plus(&if weight == 1.0 { best } else { best.times(&exact(weight)) });
                }
            }
            bound = bound.plus(&of_model.times(&scale));
        }
        Ok(Some(bound))
    }

    /// The place of the extremes of a model's trees at an input, and true if they are to be negated.
    fn extremes(&mut self, model: usize, input: usize, counts: OutputCounts<'_>) -> Result<(usize, bool), Abandoned> {
        let space = &self.form.space;
        // Inputs with the same domains reach the same leaves.
        let input = if space.inputs[input] == space.inputs[0] { 0 } else { input };
        let (positive, negated) = (counts.to_vec(), counts.negated());
        let is_known =
            |known: &TreeRanges, of: &[i32]| known.model == model && known.input == input && known.counts == of;
        for (place, known) in self.known.iter().enumerate() {
            if is_known(known, &positive) || is_known(known, &negated) {
                return Ok((place, known.counts != positive));
            }
        }
        let reachable_trees = &self.reachable[model][input];
        let of_tree = |tree: &Tree| proceed(self.stop).map(|()| extremes(tree, reachable_trees, counts));
        let trees = self.form.models[model].trees().iter().map(of_tree).collect::<Result<_, _>>()?;
        self.known.push(TreeRanges { model, input, counts: positive, trees });
        Ok((self.known.len() - 1, false))
    }
}

/// The least and the greatest contribution of a reachable leaf of a tree.
fn extremes(tree: &Tree, reachable_trees: &ReachableTrees<'_>, counts: OutputCounts<'_>) -> LeafRange {
    let mut extremes = LeafRange { least: f64::INFINITY, most: f64::NEG_INFINITY };
    let mut pending = vec![tree.root()];
    while let Some(node) = pending.pop() {
        match reachable_trees.reached(tree, node) {
            Node::Split(split) => {
                let split = &tree.splits()[split];
                pending.extend([split.left.node(), split.right.node()]);
            }
            Node::Leaf(leaf) => {
                let (mut least, mut most) = (0.0_f64, 0.0_f64);
                for (place, (count, value)) in counts.terms(tree, leaf).enumerate() {
                    let product = f64::from(count) * value;
                    (least, most) = match place {
                        // A value or its negative, once, is exact.
                        0 if count.abs() == 1 => (product, product),
                        _ => ((least + product.next_down()).next_down(), (most + product.next_up()).next_up()),
                    };
                }
                extremes.least = extremes.least.min(least);
                extremes.most = extremes.most.max(most);
            }
        }
    }
    extremes
}
