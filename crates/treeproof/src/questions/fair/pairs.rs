//! Two inputs that differ in protected features alone: by how much their margins differ, and if their labels do.

use std::time::Instant;

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::exact::Exact;
use treeproof_language::{Side, Variable};
use treeproof_proof::statement::{Goal, Number};

use crate::error::TaskError;
use crate::problem::AdmissibleInputs;
use crate::problem::{Domain, Features, Form, Nearness, Sum, Term, Tie};
use crate::questions::context::refuse_other_than_sums;
use crate::questions::labels::Labels;
use crate::questions::pair::Comparison;
use crate::questions::setting::{Confined, EmptySpace, Setting, point};
use crate::report::{Stopped, Verdict};
use crate::run::{Found, SearchRequest, StoppingRule};

/// How two inputs are tied that may differ in these features alone.
fn ties(ensemble: &Ensemble, protected: &[usize]) -> Vec<Tie> {
    let mut ties = vec![Tie::Same; ensemble.features().len()];
    protected.iter().for_each(|feature| ties[*feature] = Tie::Free);
    ties
}

/// Two inputs that differ in protected features alone; the first is a given row, if there is one.
struct Two<'a> {
    ensemble: &'a Ensemble,
    protected: &'a [usize],
    row: Option<&'a [f64]>,
}

impl<'a> Two<'a> {
    /// Whether some tree looks at what may differ.
    fn is_tested(&self) -> bool {
        let mut splits = self.ensemble.trees().iter().flat_map(|tree| tree.splits());
        splits.any(|split| self.protected.contains(&(split.feature as usize)))
    }

    fn space(&self, setting: &Setting<'_>) -> Result<Confined<'a>, TaskError> {
        let Self { ensemble, protected, row } = *self;
        let space = setting.space(&[ensemble], Features::of(ensemble), Some(ties(ensemble, protected)))?;
        let (mut space, row) = match (space, row) {
            (Ok(space), Some(row)) => (space, row),
            (space, _) => return Ok(space),
        };
        let readings = ensemble.read(row).map_err(|error| TaskError::Row { row: 0, what: error.to_string() })?;
        for (feature, reading) in readings.into_iter().enumerate() {
            let point = point(reading, row[feature], ensemble.features()[feature].is_category());
            for (input, side) in [Side::A, Side::B].into_iter().enumerate() {
                if input == 1 && protected.contains(&feature) {
                    continue;
                }
                let domain = &mut space.inputs[input][feature];
                // The row's own value is one, though it may be none that others could have.
                if setting.allowed.leaves(Variable { side, feature }, row[feature], reading) {
                    domain.include(row[feature], reading);
                }
                *domain = domain.intersection(&point);
            }
        }
        let is_empty = space.inputs.iter().flatten().any(Domain::is_empty);
        Ok(if is_empty { Err(EmptySpace { conflict: vec![], space }) } else { Ok(space) })
    }

    /// What is allowed, with the row's own values.
    fn allowed<'s>(&'s self, setting: &Setting<'s>) -> AdmissibleInputs<'s> {
        AdmissibleInputs { own: self.row, ..setting.allowed }
    }

    /// True if two such inputs are admissible; an inner error is the reason why that stays unknown.
    fn is_possible(&self, setting: &Setting<'_>, start: Instant) -> Result<Result<bool, Stopped>, TaskError> {
        let space = |allowed: &AdmissibleInputs<'_>| Ok(self.space(&Setting { allowed: *allowed, ..*setting })?.ok());
        let models = [self.ensemble];
        let question = setting.feasibility(&models, start, Nearness::Any, &space);
        question.is_possible(&self.allowed(setting))
    }

    /// That nothing is allowed. A row that conditions exclude is none that they contradict.
    fn infeasible(&self, setting: &Setting<'_>, start: Instant) -> Result<Comparison, TaskError> {
        match self.row {
            Some(_) => Ok(Comparison::infeasible(vec![])),
            None => {
                let space = |setting: &Setting<'_>| self.space(setting);
                setting.conflict(&[self.ensemble], start, Nearness::Any, &space).map(Comparison::infeasible)
            }
        }
    }
}

/// Bounds on the largest difference of a margin between two inputs that differ in protected features alone, as exact sums. Of a
/// group, all columns are protected or none is.
///
/// # Errors
/// If the model is no sum, or a condition is not supported.
pub fn fair_difference(
    ensemble: &Ensemble,
    protected: &[usize],
    output: usize,
    setting: &Setting<'_>,
) -> Result<Comparison, TaskError> {
    difference(&Two { ensemble, protected, row: None }, output, setting)
}

/// The same for pairs whose first input is a row. `infeasible` if conditions or data do not allow the row.
///
/// # Errors
/// As [`fair_difference`]; and if the library refuses the row.
pub fn fair_difference_from(
    ensemble: &Ensemble,
    row: &[f64],
    protected: &[usize],
    output: usize,
    setting: &Setting<'_>,
) -> Result<Comparison, TaskError> {
    difference(&Two { ensemble, protected, row: Some(row) }, output, setting)
}

fn difference(two: &Two<'_>, output: usize, setting: &Setting<'_>) -> Result<Comparison, TaskError> {
    let ensemble = two.ensemble;
    refuse_other_than_sums(ensemble)?;
    let space = match two.space(setting)? {
        Ok(space) => space,
        Err(emptied) => return Comparison::emptied(setting, &[ensemble], emptied),
    };
    let case = |negated: bool| {
        let term = |input, negated| Term { model: 0, input, output, negated };
        vec![Sum::of([term(0, !negated), term(1, negated)])]
    };
    // Where the inputs can be exchanged, the other order says the same.
    let cases = if setting.is_symmetric(&space) { vec![case(false)] } else { vec![case(false), case(true)] };
    let form = Form { models: vec![ensemble], space, cases };
    let setting = &Setting { allowed: two.allowed(setting), ..*setting };
    let request = setting.request(&form, "fair");
    let Some(outcome) = request.search()? else { return two.infeasible(setting, request.effort.start) };
    Ok(Comparison::optimum(outcome, &form))
}

/// Whether two inputs that differ in protected features alone have different labels: the library's own, or those of another threshold of the probability.
///
/// The bounds are on how far two such inputs clear the decision, give or take the error of the library's sums: below 0
/// none can, and the answer is `holds`. `violated` is a pair whose labels differ; where the library adds in no fixed order,
/// one whose labels differ in every order. Pairs within the error are decided by the library's own label, for all that
/// reach the same leaves at once. Where they are too many, or the order is not fixed, the answer is `undecided`, stopped
/// by rounding.
///
/// # Errors
/// If the model is no sum, has no labels about which something can be proved, or a condition is not supported.
pub fn fair_label(
    ensemble: &Ensemble,
    protected: &[usize],
    threshold: Option<f64>,
    setting: &Setting<'_>,
) -> Result<Comparison, TaskError> {
    label(&Two { ensemble, protected, row: None }, threshold, setting)
}

/// The same for pairs whose first input is a row. `infeasible` if conditions or data do not allow the row.
///
/// # Errors
/// As [`fair_label`]; and if the library refuses the row.
pub fn fair_label_from(
    ensemble: &Ensemble,
    row: &[f64],
    protected: &[usize],
    threshold: Option<f64>,
    setting: &Setting<'_>,
) -> Result<Comparison, TaskError> {
    label(&Two { ensemble, protected, row: Some(row) }, threshold, setting)
}

fn label(two: &Two<'_>, threshold: Option<f64>, setting: &Setting<'_>) -> Result<Comparison, TaskError> {
    let ensemble = two.ensemble;
    refuse_other_than_sums(ensemble)?;
    let labels = Labels::new(ensemble, threshold)?;
    let space = match two.space(setting)? {
        Ok(space) => space,
        Err(emptied) => return Comparison::emptied(setting, &[ensemble], emptied),
    };
    let classes = 0..labels.num_classes();
    let pairs = classes.clone().flat_map(|first| classes.clone().map(move |second| (first, second)));
    let is_symmetric = setting.is_symmetric(&space);
    let pairs = pairs.filter(|(first, second)| if is_symmetric { first < second } else { first != second });
    let case = |(first, second)| [labels.possible(first, 0), labels.possible(second, 1)].concat();
    let form = Form { models: vec![ensemble], space, cases: pairs.map(case).collect() };
    let is_fixed = ensemble.summation().is_some_and(|summation| summation.fixed_order);
    if is_fixed && !two.is_tested() && setting.watcher.proof().is_none() {
        // Both inputs reach the same leaves.
        let start = Instant::now();
        return match two.is_possible(setting, start)? {
            Ok(true) => Ok(Comparison::unsearched(Verdict::Holds)),
            Ok(false) => two.infeasible(setting, start),
            Err(stopped) => Ok(Comparison { stopped, ..Comparison::unsearched(Verdict::Undecided) }),
        };
    }
    let setting = &Setting { allowed: two.allowed(setting), ..*setting };
    let is_decisive = |found: &Found| {
        let [first, second] = [0, 1].map(|input| labels.class(&found.evaluations[input][0]));
        first != second && (is_fixed || found.exact > *labels.certain())
    };
    let stopping = StoppingRule {
        at_least: Some(Exact::zero()),
        at_most: None,
        is_decisive: Some(&is_decisive),
        exclude_and_retry: is_fixed,
    };
    let goal = Some(Goal::OtherLabel { class: None, threshold: threshold.map(Number) });
    let request = SearchRequest { goal, stopping, ..setting.request(&form, "fair") };
    let start = request.effort.start;
    let Some(outcome) = request.search()? else { return two.infeasible(setting, start) };
    let (mut verdict, mut stopped) = match outcome.stopped {
        stopped if outcome.is_settled => (Verdict::Violated, stopped),
        stopped if outcome.upper.as_ref().is_some_and(|upper| *upper < Exact::zero()) => (Verdict::Holds, stopped),
        Stopped::Optimal => (Verdict::Undecided, Stopped::Rounding),
        stopped => (Verdict::Undecided, stopped),
    };
    // An empty set of inputs is infeasible, not `holds`.
    if verdict == Verdict::Holds && outcome.found.is_none() {
        match two.is_possible(setting, start)? {
            Ok(true) => {}
            Ok(false) => return two.infeasible(setting, start),
            Err(why) => (verdict, stopped) = (Verdict::Undecided, why),
        }
    }
    let classes = outcome.found.as_ref().and_then(|found| {
        let [first, second] = [0, 1].map(|input| labels.class(&found.evaluations[input][0]));
        Some([first?, second?])
    });
    Ok(Comparison { classes, ..Comparison::new(outcome, &form, (verdict, stopped)) })
}
