//! Two inputs that differ in protected features alone: by how much their margins differ, and if their labels do.

use std::time::Instant;

use treeproof_ensemble::decision::Labels;
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::exact::Exact;
use treeproof_language::{Side, Variable};
use treeproof_proof::statement::{Goal, Number};

use crate::error::TaskError;
use crate::problem::{AdmissibleInputs, Domain, Features, Space, Sum, Term, Tie};
use crate::questions::context::refuse_other_than_sums;
use crate::questions::form_search::FormSearch;
use crate::questions::labels;
use crate::questions::pair::Comparison;
use crate::questions::setting::{Confined, EmptySpace, Setting, point};
use crate::report::{Stopped, Verdict};
use crate::run::{Found, StoppingRule};

/// Two inputs that differ in protected features alone; the first is a given row, if there is one.
struct Two<'a> {
    ensemble: &'a Ensemble,
    protected: &'a [usize],
    row: Option<&'a [f64]>,
}

impl<'a> Two<'a> {
    /// True if some tree looks at a protected feature.
    fn is_tested(&self) -> bool {
        let mut splits = self.ensemble.trees().iter().flat_map(|tree| tree.splits());
        splits.any(|split| self.protected.contains(&(split.feature as usize)))
    }

    fn space(&self, setting: &Setting<'_>) -> Result<Confined<'a>, TaskError> {
        let Self { ensemble, protected, row } = *self;
        let mut ties = vec![Tie::Same; ensemble.features().len()];
        protected.iter().for_each(|feature| ties[*feature] = Tie::Free);
        let space = setting.space(&[ensemble], Features::of(ensemble), Some(ties))?;
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

    /// Asks about the inputs of a setting, and of the row its own values.
    fn ask<T>(
        &self,
        setting: &Setting<'_>,
        goal: Option<Goal>,
        ask: impl FnOnce(&FormSearch<'_, 'a>) -> Result<T, TaskError>,
    ) -> Result<T, TaskError> {
        refuse_other_than_sums(self.ensemble)?;
        let setting = Setting { allowed: AdmissibleInputs { own: self.row, ..setting.allowed }, ..*setting };
        let (models, confine) = ([self.ensemble], |setting: &Setting<'_>| self.space(setting));
        ask(&FormSearch { goal, ..FormSearch::new("fair", &models, &setting, &confine) })
    }
}

/// Bounds on the largest difference of a margin between two inputs that differ in protected features alone, as exact sums. Of a
/// group, all columns are protected or none is. The first input may be a given row: `infeasible` if conditions or data do not
/// allow it.
///
/// # Errors
/// If the model is no sum, a condition is not supported, or the library refuses the row.
pub fn fair_difference(
    ensemble: &Ensemble,
    row: Option<&[f64]>,
    protected: &[usize],
    output: usize,
    setting: &Setting<'_>,
) -> Result<Comparison, TaskError> {
    let case = |negated: bool| {
        let term = |input, negated| Term { model: 0, input, output, negated };
        vec![Sum::of([term(0, !negated), term(1, negated)])]
    };
    // Where the inputs can be exchanged, the other order says the same.
    let cases =
        |space: &Space<'_>| if setting.is_symmetric(space) { vec![case(false)] } else { vec![case(false), case(true)] };
    Two { ensemble, protected, row }.ask(setting, None, |search| search.largest(cases))
}

/// The question whether two inputs that differ in protected features alone have different labels: the library's own, or those
/// of another threshold of the probability.
///
/// The bounds are on how far two such inputs clear the decision, give or take the error of the library's sums: below 0
/// none can, and the answer is `holds`. `violated` is a pair whose labels differ; where the library adds in no fixed order,
/// one whose labels differ in every order. Pairs within the error are decided by the library's own label, for all that
/// reach the same leaves at once. Where they are too many, or the order is not fixed, the answer is `undecided`, stopped
/// by rounding.
///
/// # Errors
/// If the model is no sum, has no labels about which something can be proved, a condition is not supported, or the library
/// refuses the row.
pub fn fair_label(
    ensemble: &Ensemble,
    row: Option<&[f64]>,
    protected: &[usize],
    threshold: Option<f64>,
    setting: &Setting<'_>,
) -> Result<Comparison, TaskError> {
    let two = Two { ensemble, protected, row };
    refuse_other_than_sums(ensemble)?;
    let labels = Labels::new(ensemble, threshold)?;
    let cases = |space: &Space<'_>| {
        let case =
            |(first, second)| [labels::possible(&labels, first, 0), labels::possible(&labels, second, 1)].concat();
        let classes = 0..labels.num_classes();
        let pairs = classes.clone().flat_map(|first| classes.clone().map(move |second| (first, second)));
        let is_symmetric = setting.is_symmetric(space);
        let pairs = pairs.filter(|(first, second)| if is_symmetric { first < second } else { first != second });
        pairs.map(case).collect()
    };
    let classes = |found: &Found| [0, 1].map(|input: usize| labels.class(&found.evaluations[input][0]));
    let is_fixed = ensemble.summation().is_some_and(|summation| summation.fixed_order);
    let is_decisive = |found: &Found| {
        let [first, second] = classes(found);
        first != second && (is_fixed || found.exact > *labels.certain())
    };
    let stopping = StoppingRule {
        at_least: Some(Exact::zero()),
        at_most: None,
        is_decisive: Some(&is_decisive),
        exclude_and_retry: is_fixed,
    };
    let goal = Goal::OtherLabel { class: None, threshold: threshold.map(Number) };
    two.ask(setting, Some(goal), |search| {
        if is_fixed && !two.is_tested() && setting.watcher.proof().is_none() {
            // Both inputs reach the same leaves.
            let start = Instant::now();
            return match search.space()? {
                Err(conflict) => Ok(Comparison::infeasible(conflict)),
                Ok(_) => match search.is_possible(start)? {
                    Ok(true) => Ok(Comparison::unsearched(Verdict::Holds)),
                    Ok(false) => search.conflict(start).map(Comparison::infeasible),
                    Err(stopped) => Ok(Comparison { stopped, ..Comparison::unsearched(Verdict::Undecided) }),
                },
            };
        }
        let mut comparison = search.search(cases, stopping, |outcome, start| {
            Ok(match outcome.stopped {
                stopped if outcome.is_settled => (Verdict::Violated, stopped),
                stopped if outcome.upper.as_ref().is_some_and(|upper| *upper < Exact::zero()) => {
                    // An empty set of inputs is infeasible, not `holds`.
                    let is_possible = if outcome.found.is_none() { search.is_possible(start)? } else { Ok(true) };
                    match is_possible {
                        Ok(true) => (Verdict::Holds, stopped),
                        Ok(false) => (Verdict::Infeasible, stopped),
                        Err(why) => (Verdict::Undecided, why),
                    }
                }
                Stopped::Optimal => (Verdict::Undecided, Stopped::Rounding),
                stopped => (Verdict::Undecided, stopped),
            })
        })?;
        comparison.classes = comparison.found.as_ref().and_then(|found| {
            let [first, second] = classes(found);
            Some([first?, second?])
        });
        Ok(comparison)
    })
}
