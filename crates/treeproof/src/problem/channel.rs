//! Channel pass: sums of margins become counted outputs of each model at each input, and a constant.

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::sum::{BasePosition, Summation};
use treeproof_ensemble::tree::Tree;

use super::exact;
use super::form::{Form, Sum};

/// One sum of a form, as counts of model outputs.
#[derive(Clone, Debug)]
pub(super) struct WeightedOutputs {
    /// Count of each accumulator, per model and input.
    counts: Vec<Vec<Vec<i32>>>,
    /// Constant added to every point.
    pub(super) constant: Exact,
}

/// Counts of the accumulators of one model at one input.
#[derive(Clone, Copy, Debug)]
pub(super) struct OutputCounts<'t>(&'t [i32]);

/// The summation of a model; callers refuse other models.
pub(super) fn summation(ensemble: &Ensemble) -> &Summation {
    ensemble.summation().expect("questions are asked about sums only")
}

impl WeightedOutputs {
    pub(super) fn new(form: &Form<'_>, sum: &Sum) -> Self {
        let zero = |model: &&Ensemble| vec![vec![0; model.num_accumulators()]; form.space.inputs.len()];
        let mut counts: Vec<Vec<Vec<i32>>> = form.models.iter().map(zero).collect();
        let mut constant = sum.constant.clone();
        for term in &sum.terms {
            let summation = summation(form.models[term.model]);
            let sign = if term.negated { -1 } else { 1 };
            // A folded margin is the second sum minus the first.
            let folded = [(0, -1), (1, 1)];
            let parts = if summation.fold_pair { &folded[..] } else { &[(term.output, 1)] };
            for (output, count) in parts {
                counts[term.model][term.input][*output] += sign * count;
                let base = base(summation, *output);
                constant = constant.plus(&if sign * count < 0 { base.negated() } else { base });
            }
        }
        Self { counts, constant }
    }

    /// Counts of the accumulators of a model at an input.
    pub(super) fn at(&self, model: usize, input: usize) -> OutputCounts<'_> {
        OutputCounts(&self.counts[model][input])
    }

    /// True if a model counts at one input as much as it is subtracted at the other.
    pub(super) fn is_difference(&self, model: usize) -> bool {
        match &self.counts[model][..] {
            [first, second] => first.iter().zip(second).all(|(a, b)| a + b == 0),
            _ => false,
        }
    }
}

impl<'t> OutputCounts<'t> {
    /// True if no accumulator counts.
    pub(super) fn is_zero(self) -> bool {
        self.0.iter().all(|count| *count == 0)
    }

    pub(super) fn to_vec(self) -> Vec<i32> {
        self.0.to_vec()
    }

    pub(super) fn negated(self) -> Vec<i32> {
        self.0.iter().map(|count| -count).collect()
    }

    /// Terms of a leaf: counts and values.
    pub(super) fn terms(self, tree: &'t Tree, leaf: usize) -> impl Iterator<Item = (i32, f64)> + Clone + 't {
        let counts = self.0;
        tree.terms(leaf).iter().map(|term| (counts[term.output as usize], term.value)).filter(|(count, _)| *count != 0)
    }

    /// True if all leaves of a tree add the same, as in trees for other classes: then the tree is a constant, and its
    /// splits make no difference.
    pub(super) fn is_constant(self, tree: &'t Tree) -> bool {
        let terms = |leaf| self.terms(tree, leaf);
        self.0.iter().all(|count| *count == 0) || (1..tree.leaves().len()).all(|leaf| terms(leaf).eq(terms(0)))
    }
}

/// The factor of all leaves of a model in its margins.
pub(super) fn scale(summation: &Summation) -> Exact {
    let scale = exact(summation.scale.unwrap_or(1.0));
    summation.divisor.map_or(scale.clone(), |divisor| scale.divided_by(&exact(divisor)))
}

/// The base of an output in the margin.
fn base(summation: &Summation, output: usize) -> Exact {
    let base = exact(summation.base[output]);
    match summation.base_position {
        BasePosition::Last => base,
        BasePosition::First => base.times(&scale(summation)),
    }
}
