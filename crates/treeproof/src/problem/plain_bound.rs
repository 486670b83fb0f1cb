//! The plain bound of a form: every tree at its best leaf, of those that the domains reach. It needs no cells, so it is known
//! soon where all else would take too long.

use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::tree::{Node, Tree};
use treeproof_search::{Abandoned, Stop, proceed};

use super::channel::{OutputCounts, WeightedOutputs, summation};
use super::form::{Form, Sum};
use super::lower::{Lowering, Lowerings};
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
    /// No point of the space is worth more. None if that is too large for a double.
    ///
    /// # Errors
    /// If it is abandoned.
    pub(crate) fn plain_bound(&self, stop: &dyn Stop) -> Result<Option<Exact>, Abandoned> {
        let renamed = Renamed::new(self);
        let lowerings = renamed.lowerings(self.models.len());
        let mut bounds = PlainBounds { form: self, renamed: &renamed, lowerings: &lowerings, known: vec![], stop };
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

/// Finds bounds of sums; what was found out for one is used for others.
struct PlainBounds<'a> {
    form: &'a Form<'a>,
    renamed: &'a Renamed<'a>,
    lowerings: &'a Lowerings<'a>,
    known: Vec<TreeRanges>,
    stop: &'a dyn Stop,
}

impl PlainBounds<'_> {
    fn of_sum(&mut self, sum: &Sum) -> Result<Option<Exact>, Abandoned> {
        let weighted = WeightedOutputs::new(self.form, sum);
        let mut bound = weighted.constant.clone();
        for (model, ensemble) in self.form.models.iter().enumerate() {
            let summation = summation(ensemble);
            let exact = |x: f64| Exact::from_f64(x).expect("finite, as the builder checks");
            let scale = exact(summation.scale.unwrap_or(1.0));
            let scale = summation.divisor.map_or(scale.clone(), |divisor| scale.divided_by(&exact(divisor)));
            let is_rising = scale >= Exact::zero();
            // Without a split on what may differ, both inputs reach the same leaf.
            let is_difference = weighted.is_difference(model);
            let of_inputs = (0..self.form.space.inputs.len()).map(|input| {
                let counts = weighted.at(model, input);
                if counts.is_zero() { Ok(None) } else { self.extremes(model, input, counts).map(Some) }
            });
            let of_inputs = of_inputs.collect::<Result<Vec<_>, _>>()?;
            let mut of_model = Exact::zero();
            for (index, tree) in ensemble.trees().iter().enumerate() {
                proceed(self.stop)?;
                let is_same = || tree.splits().iter().all(|split| self.renamed.is_shared(model, split.feature));
                if is_difference && is_same() {
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

    /// The place of what is known of the trees of a model at an input, and whether it is to be negated.
    fn extremes(&mut self, model: usize, input: usize, counts: OutputCounts<'_>) -> Result<(usize, bool), Abandoned> {
        let space = &self.form.space;
        // Where both inputs may have the same values, they reach the same leaves.
        let input = if space.inputs[input] == space.inputs[0] { 0 } else { input };
        let (positive, negated) = (counts.to_vec(), counts.negated());
        let is_known =
            |known: &TreeRanges, of: &[i32]| known.model == model && known.input == input && known.counts == of;
        for (place, known) in self.known.iter().enumerate() {
            if is_known(known, &positive) || is_known(known, &negated) {
                return Ok((place, known.counts != positive));
            }
        }
        let lowering = &self.lowerings[model][input];
        let of_tree = |tree: &Tree| proceed(self.stop).map(|()| extremes(tree, lowering, counts));
        let trees = self.form.models[model].trees().iter().map(of_tree).collect::<Result<_, _>>()?;
        self.known.push(TreeRanges { model, input, counts: positive, trees });
        Ok((self.known.len() - 1, false))
    }
}

/// The least and the most that a leaf of a tree adds, of those that the domains reach.
fn extremes(tree: &Tree, lowering: &Lowering<'_>, counts: OutputCounts<'_>) -> LeafRange {
    let mut extremes = LeafRange { least: f64::INFINITY, most: f64::NEG_INFINITY };
    let mut pending = vec![tree.root()];
    while let Some(node) = pending.pop() {
        match lowering.reached(tree, node) {
            Node::Split(split) => {
                let split = &tree.splits()[split];
                pending.extend([split.left.node(), split.right.node()]);
            }
            Node::Leaf(leaf) => {
                let (mut least, mut most) = (0.0_f64, 0.0_f64);
                for (place, (count, value)) in counts.terms(tree, leaf).enumerate() {
                    let product = f64::from(count) * value;
                    (least, most) = match place {
                        // Once a value or its negative is exact.
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
