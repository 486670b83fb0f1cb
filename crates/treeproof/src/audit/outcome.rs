//! A check of an audit that is asked.

use std::time::Instant;

use treeproof_report::{Checked, MeasuredNumber, Outcome, Report};

use super::{Check, Defaults, Measured};
use crate::task::TaskError;

impl Check {
    /// Asks what it asks, unless the user interrupted.
    ///
    /// # Errors
    /// If it cannot be asked.
    pub fn ask(
        &self,
        defaults: &Defaults,
        is_interrupted: bool,
        ask: impl FnOnce() -> Result<Report, TaskError>,
    ) -> Result<Checked, TaskError> {
        let began = Instant::now();
        let report = if is_interrupted { None } else { Some(ask()?) };
        let outcome = report.as_ref().map_or(Outcome::Undecided, |report| self.outcome(report));
        let is_allowed = self.allow_undecided.unwrap_or(defaults.allow_undecided);
        let passes = outcome == Outcome::Pass || (outcome == Outcome::Undecided && is_allowed);
        let is_expected = self.at_most.or(self.at_least).is_some();
        let measured = report.as_ref().filter(|_| is_expected).and_then(Measured::of).map(|measured| {
            let [lower, upper] = measured.ends().map(|end| end.filter(|end| end.is_finite()));
            MeasuredNumber { what: measured.what.to_owned(), lower, upper }
        });
        Ok(Checked {
            name: self.name.clone(),
            outcome,
            passes,
            at_most: self.at_most,
            at_least: self.at_least,
            measured,
            seconds: began.elapsed().as_secs_f64(),
            report,
        })
    }
}
