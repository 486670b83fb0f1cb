//! `fair`: two inputs that differ in protected features alone are treated alike.

mod pairs;
mod protected;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::input::Reading;
use treeproof_ensemble::label::ClassName;
use treeproof_language::{Inputs, Side, Variable};

pub use self::pairs::{fair_difference, fair_label};
use self::protected::Protected;
use super::common::{CommonFields, TARGETS};
use super::context::Context;
use super::items::items;
use super::pair::{Compared, pair_answer, pair_finding};
use crate::error::{TaskError, refuse};
use crate::limits::TaskLimits;
use crate::per_row::limits_of_one;
use crate::report::{Bounds, Finding, PairAnswer, PairRow, PairRowsAnswer, Report, Verdict};
use crate::rows::Rows;
use crate::watch::Watcher;

/// Fairness: two inputs that differ in protected features alone are treated alike.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Fair {
    /// The features in which the two inputs may differ, each `sex` or, with the values of either,
    /// `status:{A91, A93}|{A92, A95}`.
    pub protected: Vec<String>,
}

impl Fair {
    /// With these features protected.
    pub fn of<T: Into<String>>(protected: impl IntoIterator<Item = T>) -> Self {
        Self { protected: protected.into_iter().map(Into::into).collect() }
    }

    /// The protected features one by one, each as it is written.
    pub fn names(&self) -> Vec<&str> {
        self.protected.iter().flat_map(|text| items(text)).collect()
    }

    pub(super) fn validate(&self, common: &CommonFields<'_>) -> Result<(), TaskError> {
        common.refuse_surplus(&["method"])?;
        if self.protected.is_empty() {
            return refuse("protected", "is empty: name the features in which two inputs may differ");
        }
        if common.threshold.is_some() && common.class.is_some() {
            return refuse("threshold", "is about labels, and class about the margin of a class: give one of them");
        }
        Ok(())
    }

    /// Compares two inputs, of which the first is each of the rows, if the task names data.
    pub(super) fn answer(&self, context: &Context<'_>) -> Result<Report, TaskError> {
        let protected = Protected::new(self, context.ensemble(), &context.groups)?;
        match context.rows()? {
            None => {
                let within = (context.common.limits, context.watcher);
                let (class, answer) = compare(context, &protected, None, within)?;
                Ok(context.report_about(protected.features, class, pair_finding(answer, Finding::Fair)))
            }
            Some(rows) => compare_rows(context, protected, rows),
        }
    }
}

/// Compares each of some rows with the inputs that differ from it in protected features alone.
fn compare_rows(context: &Context<'_>, protected: Protected, rows: &Rows) -> Result<Report, TaskError> {
    let ensemble = context.ensemble();
    let exchanged = protected.exchanged();
    let limits = limits_of_one(context.common.limits, context.common.time, rows.len());
    let ask = |place: usize, watcher: &dyn Watcher| {
        let row = rows.row(place);
        let refuse = |what| TaskError::Row { row: rows.start() + place, what };
        ensemble.read(row).map_err(|error| refuse(error.to_string()))?;
        context.groups.check(row, ensemble).map_err(refuse)?;
        let answer = compare(context, &protected, Some(row), (&limits, watcher))?;
        // Of two sets of values, a row may have one of either.
        if answer.1.verdict == Verdict::Infeasible && !protected.conditions.is_empty() {
            return compare(context, &exchanged, Some(row), (&limits, watcher));
        }
        Ok(answer)
    };
    let answers = context.per_row(rows).ask(ask, |(_, answer)| Bounds::from(answer))?;
    let class = answers.first().and_then(|(_, (class, _))| class.clone());
    let answers = answers.into_iter().map(|(row, (_, answer))| PairRow { row, answer }).collect();
    let is_about_labels = context.common.is_about_labels(ensemble);
    let answer = PairRowsAnswer::new(answers, rows.len(), is_about_labels, context.start.elapsed().as_secs_f64());
    Ok(context.report_about(protected.features, class, Finding::FairRows(answer)))
}

/// Compares two inputs, of which the first may be a row. Returns the class asked about, too.
fn compare(
    context: &Context<'_>,
    protected: &Protected,
    row: Option<&[f64]>,
    (limits, watcher): (&TaskLimits, &dyn Watcher),
) -> Result<(Option<ClassName>, PairAnswer), TaskError> {
    let ensemble = context.ensemble();
    let features = &protected.features[..];
    let conditions = [context.common.conditions, &protected.conditions].concat();
    let missing = row.map_or(vec![], |row| missing_in(ensemble, row, features));
    if !context.common.is_about_labels(ensemble) {
        let output = context.output()?;
        let comparison = context.within(&conditions, (Inputs::Two, missing), (limits, watcher), |setting| {
            fair_difference(ensemble, row, features, output, setting)
        })?;
        let answer = pair_answer(comparison, &Compared::Inputs { ensemble, output: Some(output) }, &context.groups)?;
        return Ok((context.class(output), answer));
    }
    if let Some(field) = context.common.given(&TARGETS) {
        return refuse(field, "does not apply to questions about labels");
    }
    let comparison = context.within(&conditions, (Inputs::Two, missing), (limits, watcher), |setting| {
        fair_label(ensemble, row, features, context.common.threshold, setting)
    })?;
    Ok((None, pair_answer(comparison, &Compared::Inputs { ensemble, output: None }, &context.groups)?))
}

/// The missing values of a row that is the first of two inputs, and so of the second, but for protected features.
fn missing_in(ensemble: &Ensemble, row: &[f64], protected: &[usize]) -> Vec<Variable> {
    let readings = ensemble.read(row).unwrap_or_default().into_iter().enumerate();
    let missing = readings.filter(|(_, reading)| *reading == Reading::Missing);
    let sides = |(feature, _)| [Side::A, Side::B].map(|side| Variable { side, feature });
    let is_fixed = |variable: &Variable| variable.side == Side::A || !protected.contains(&variable.feature);
    missing.flat_map(sides).filter(is_fixed).collect()
}
