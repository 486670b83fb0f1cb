//! From a sum of margins to what each accumulator of each model counts at each input, and a constant.

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::sum::{BasePosition, Summation};
use treeproof_ensemble::tree::Tree;

use super::form::{Form, Sum};

/// One sum of a form over trees.
#[derive(Clone, Debug)]
pub(super) struct WeightedOutputs {
    /// Per model and input, how often each accumulator counts.
    counts: Vec<Vec<Vec<i32>>>,
    /// What every point gets.
    pub(super) constant: Exact,
}

/// How often each accumulator of one model counts at one input.
#[derive(Clone, Copy, Debug)]
pub(super) struct OutputCounts<'t>(&'t [i32]);

/// The summation of a model about which questions are asked.
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

    /// How often each accumulator of a model counts at an input.
    pub(super) fn at(&self, model: usize, input: usize) -> OutputCounts<'_> {
        OutputCounts(&self.counts[model][input])
    }

    /// Whether a model counts as much at one input as it is taken off at the other.
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

    /// What a leaf adds: how often, and the value.
    pub(super) fn terms(self, tree: &'t Tree, leaf: usize) -> impl Iterator<Item = (i32, f64)> + Clone + 't {
        let counts = self.0;
        tree.terms(leaf).iter().map(|term| (counts[term.output as usize], term.value)).filter(|(count, _)| *count != 0)
    }

    /// Whether all leaves of a tree add the same, as those of trees for other classes: it is a constant, and where it
    /// parts the inputs makes no difference.
    pub(super) fn is_constant(self, tree: &'t Tree) -> bool {
        let terms = |leaf| self.terms(tree, leaf);
        self.0.iter().all(|count| *count == 0) || (1..tree.leaves().len()).all(|leaf| terms(leaf).eq(terms(0)))
    }
}

/// What the base of an output comes to in the margin.
fn base(summation: &Summation, output: usize) -> Exact {
    let exact = |x: f64| Exact::from_f64(x).expect("finite, as the builder checks");
    let base = exact(summation.base[output]);
    match summation.base_position {
        BasePosition::Last => base,
        BasePosition::First => {
            let divided = summation.divisor.map_or(base.clone(), |divisor| base.divided_by(&exact(divisor)));
            summation.scale.map_or(divided.clone(), |scale| divided.times(&exact(scale)))
        }
    }
}
