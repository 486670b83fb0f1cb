//! Whether the output never falls, or never rises, as a feature rises.

use treeproof_data::error::quote;
use treeproof_ensemble::ensemble::{Ensemble, Trend};
use treeproof_ensemble::exact::Exact;

use super::{Comparison, Setting};
use crate::problem::{Features, Form, Sum, Term, Tie};
use crate::report::{Stopped, Verdict};
use crate::solve::refuse_other_than_sums;
use crate::task::TaskError;

/// Bounds on the largest step of a margin in the wrong direction between two inputs that differ in one feature, a number:
/// `holds` if there is none, `violated` if there is one that the library's own sums show as well.
///
/// # Errors
/// If the model is no sum, the feature a category or a column of a group, or a condition not supported.
pub fn monotone(
    ensemble: &Ensemble,
    (feature, trend): (usize, Trend),
    output: usize,
    setting: &Setting<'_>,
) -> Result<Comparison, TaskError> {
    refuse_other_than_sums(ensemble)?;
    if ensemble.features()[feature].is_category() {
        return Err(TaskError::Field { field: "feature", what: "is a category, which has no order".to_owned() });
    }
    if let Some(group) = setting.allowed.groups.of(feature) {
        let what = format!("is a column of group {}, which has no order", quote(&group.name));
        return Err(TaskError::Field { field: "feature", what });
    }
    let mut ties = vec![Tie::Same; ensemble.features().len()];
    ties[feature] = Tie::NotBelow;
    let is_increasing = trend == Trend::Increasing;
    // The second input is the larger one: an increasing output must not be larger at the first.
    let term = |input, negated| Term { model: 0, input, output, negated };
    let sum = Sum::of([term(0, !is_increasing), term(1, is_increasing)]);
    let within_setting = |setting: &Setting<'_>| setting.space(&[ensemble], Features::of(ensemble), Some(ties.clone()));
    let space = match within_setting(setting)? {
        Ok(space) => space,
        Err(emptied) => return setting.emptied(&[ensemble], emptied),
    };
    let form = Form { models: vec![ensemble], space, cases: vec![vec![sum]] };
    let asked = setting.asked(&form, "monotone");
    let Some(ended) = asked.search()? else { return setting.infeasible(&[ensemble], asked.start, &within_setting) };
    let is_shown = ended.found.as_ref().is_some_and(|found| {
        let [first, second] = [0, 1].map(|input| found.evaluations[input][0].margins[output].library);
        found.exact > Exact::zero() && if is_increasing { first > second } else { first < second }
    });
    let (verdict, stopped) = match ended.stopped {
        stopped if ended.is_at_most(&Exact::zero()) => (Verdict::Holds, stopped),
        stopped if is_shown => (Verdict::Violated, stopped),
        Stopped::Optimal => (Verdict::Undecided, Stopped::Rounding),
        stopped => (Verdict::Undecided, stopped),
    };
    Ok(Comparison::new(ended, &form, verdict, stopped))
}
