//! The largest value of a sum of margins.

use treeproof_ensemble::ensemble::Ensemble;

use super::{Comparison, Setting};
use crate::problem::{Features, Form, Sum, Term, Tie};
use crate::report::Verdict;
use crate::solve::refuse_other_than_sums;
use crate::task::TaskError;

/// Bounds on the largest sum of some margins of one or two models, as exact sums, at one input or at two that are tied like
/// this, feature by feature. Conditions are about the features of the first model.
///
/// # Errors
/// If a model is no sum, the two cannot be matched, or a condition is not supported.
pub fn combination<'m>(
    models: &[&'m Ensemble],
    features: Features<'m>,
    ties: Option<Vec<Tie>>,
    terms: Vec<Term>,
    setting: &Setting<'_>,
) -> Result<Comparison, TaskError> {
    models.iter().try_for_each(|model| refuse_other_than_sums(model))?;
    if let [_, second] = models {
        let alone = features.iter().filter(|feature| feature.first().model == 1).map(|feature| feature.name());
        setting.allowed.groups.fit(second, &alone.collect::<Vec<&str>>())?;
    }
    let within_setting = |setting: &Setting<'_>| setting.space(models, features.clone(), ties.clone());
    let space = match within_setting(setting)? {
        Ok(space) => space,
        Err(emptied) => return setting.emptied(models, emptied),
    };
    let form = Form { models: models.to_vec(), space, cases: vec![vec![Sum::of(terms)]] };
    let asked = setting.asked(&form, "maximise");
    let Some(ended) = asked.search()? else { return setting.infeasible(models, asked.start, &within_setting) };
    let (verdict, stopped) = (if ended.is_optimal { Verdict::Optimal } else { Verdict::Undecided }, ended.stopped);
    Ok(Comparison::new(ended, &form, verdict, stopped))
}
