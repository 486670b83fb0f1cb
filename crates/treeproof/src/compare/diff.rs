//! Where two models differ most.

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::exact::Exact;

use super::{Comparison, Found, Setting};
use crate::problem::{Features, Form, Sum, Term};
use crate::run::Asked;
use crate::solve::refuse_other_than_sums;
use crate::task::TaskError;

/// Bounds on the largest difference of any margin of two models, as exact sums. Conditions are about the features of the
/// first model; what both have, both accept.
///
/// With `within`, whether it is at most that: `holds`, or `violated` by an input at which the libraries' own sums differ by
/// more as well.
///
/// # Errors
/// If a model is no sum, the two cannot be compared, or a condition is not supported.
pub fn diff(models: [&Ensemble; 2], within: Option<f64>, setting: &Setting<'_>) -> Result<Comparison, TaskError> {
    models.into_iter().try_for_each(refuse_other_than_sums)?;
    let [first, second] = models;
    let margins = models.map(Ensemble::num_margins);
    if margins[0] != margins[1] {
        return Err(TaskError::Margins { margins });
    }
    let features = Features::matched(first, second)?;
    let alone = features.iter().filter(|feature| feature.first().model == 1).map(|feature| feature.name());
    setting.allowed.groups.fit(second, &alone.collect::<Vec<&str>>())?;
    let within_setting = |setting: &Setting<'_>| setting.space(&models, features.clone(), None);
    let space = match within_setting(setting)? {
        Ok(space) => space,
        Err(emptied) => return setting.emptied(&models, emptied),
    };
    let case = |output: usize, negated: bool| {
        let term = |model, negated| Term { model, input: 0, output, negated };
        vec![Sum::of([term(0, negated), term(1, !negated)])]
    };
    let cases = (0..margins[0]).flat_map(|output| [case(output, false), case(output, true)]).collect();
    let form = Form { models: models.to_vec(), space, cases };
    let limit = within.and_then(Exact::from_f64);
    let is_shown = |found: &Found| {
        let [a, b] = [0, 1].map(|model| found.evaluations[0][model].library_margins());
        let mut apart = a.iter().zip(&b).map(|(a, b)| (a - b).abs());
        within.is_some_and(|within| apart.any(|apart| apart > within))
    };
    let settles = |found: &Found| limit.as_ref().is_some_and(|limit| found.exact > *limit) && is_shown(found);
    let asked = Asked { settles: Some(&settles), at_most: limit.clone(), ..setting.asked(&form, "diff") };
    let Some(ended) = asked.search()? else { return setting.infeasible(&models, asked.start, &within_setting) };
    let (verdict, stopped) = ended.verdict_within(limit.as_ref());
    Ok(Comparison::new(ended, &form, verdict, stopped))
}
