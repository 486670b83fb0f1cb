//! Whether two inputs that differ only in protected features are treated differently.

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::exact::Exact;

use super::Comparison;
use super::search::{Asked, Found, Watch};
use crate::compile::{Domain, Features, Form, Space, Sum, Term, Tie};
use crate::label::Labels;
use crate::report::{Stopped, Verdict};
use crate::solve::refuse_other_than_sums;
use crate::task::{TaskError, TaskLimits};

/// The inputs that are compared.
#[derive(Clone, Debug)]
pub struct Protected<'a> {
    /// The features in which the two may differ.
    pub features: &'a [usize],
    /// What each of the two may be, per feature.
    pub inputs: [Vec<Domain>; 2],
}

impl<'a> Protected<'a> {
    /// Two inputs of the same domains.
    pub fn new(features: &'a [usize], domains: Vec<Domain>) -> Self {
        Self { features, inputs: [domains.clone(), domains] }
    }

    fn space(&self, ensemble: &Ensemble) -> Space {
        let mut ties = vec![Tie::Same; ensemble.features().len()];
        self.features.iter().for_each(|feature| ties[*feature] = Tie::Free);
        Space { features: Features::of(ensemble), inputs: self.inputs.to_vec(), ties }
    }
}

/// Bounds on the largest difference of a margin between two such inputs, as exact sums.
///
/// # Errors
/// If the model is no sum.
pub fn fair_difference(
    ensemble: &Ensemble,
    protected: &Protected<'_>,
    output: usize,
    limits: &TaskLimits,
    watch: Watch<'_>,
) -> Result<Comparison, TaskError> {
    refuse_other_than_sums(ensemble)?;
    let space = protected.space(ensemble);
    let case = |negated: bool| {
        let term = |input, negated| Term { model: 0, input, output, negated };
        vec![Sum::of([term(0, !negated), term(1, negated)])]
    };
    // Where the inputs can be exchanged, the other order says the same.
    let cases = if space.is_symmetric() { vec![case(false)] } else { vec![case(false), case(true)] };
    let form = Form { models: vec![ensemble], space, cases };
    let settles = |_: &Found| false;
    let Some(ended) =
        (Asked { form: &form, limits, at_least: None, settles: &settles, goes_past: false, watch }).search()?
    else {
        return Ok(Comparison::infeasible());
    };
    let stopped = ended.stopped;
    let verdict = if stopped == Stopped::Optimal { Verdict::Optimal } else { Verdict::Undecided };
    Ok(ended.comparison(&form, verdict, stopped))
}

/// Whether two such inputs have different labels: the library's own, or those of another threshold of the probability.
///
/// The bounds are on how far two such inputs clear the decision, give or take the error of the library's sums: below 0
/// none can, and the answer is `holds`. `violated` is a pair whose labels differ; where the library adds in no fixed order,
/// one whose labels differ in every order. Pairs within the error are decided by the library's own label, for all that
/// reach the same leaves at once. Where they are too many, or the order is not fixed, the answer is `undecided`, stopped
/// by rounding.
///
/// # Errors
/// If the model is no sum, or has no labels about which something can be proved.
pub fn fair_label(
    ensemble: &Ensemble,
    protected: &Protected<'_>,
    threshold: Option<f64>,
    limits: &TaskLimits,
    watch: Watch<'_>,
) -> Result<Comparison, TaskError> {
    refuse_other_than_sums(ensemble)?;
    let labels = Labels::new(ensemble, threshold)?;
    let space = protected.space(ensemble);
    let classes = 0..labels.num_classes();
    let pairs = classes.clone().flat_map(|first| classes.clone().map(move |second| (first, second)));
    let is_symmetric = space.is_symmetric();
    let pairs = pairs.filter(|(first, second)| if is_symmetric { first < second } else { first != second });
    let case = |(first, second)| [labels.possible(first, 0), labels.possible(second, 1)].concat();
    let form = Form { models: vec![ensemble], space, cases: pairs.map(case).collect() };
    let is_fixed = ensemble.summation().is_some_and(|summation| summation.fixed_order);
    let settles = |found: &Found| {
        let [first, second] = [0, 1].map(|input| labels.class(&found.evaluations[input][0]));
        first != second && (is_fixed || found.exact > *labels.certain())
    };
    let asked =
        Asked { form: &form, limits, at_least: Some(Exact::zero()), settles: &settles, goes_past: is_fixed, watch };
    let Some(ended) = asked.search()? else { return Ok(Comparison::infeasible()) };
    let (verdict, stopped) = match ended.stopped {
        stopped if ended.is_settled => (Verdict::Violated, stopped),
        stopped if ended.upper.as_ref().is_some_and(|upper| *upper < Exact::zero()) => (Verdict::Holds, stopped),
        Stopped::Optimal => (Verdict::Undecided, Stopped::Rounding),
        stopped => (Verdict::Undecided, stopped),
    };
    Ok(ended.comparison(&form, verdict, stopped))
}
