//! The answer to a check of an audit.

use std::time::Instant;

use treeproof_report::{Checked, MeasuredNumber, Outcome};

use super::{Audit, Measured};
use crate::task::{Query, TaskError};
use crate::watch::{Recording, Watcher};

impl Audit {
    /// Asks the check at this place, which is ready to run as a query. It is left undecided where the user interrupted.
    ///
    /// # Errors
    /// If it cannot be asked.
    pub fn ask(
        &self,
        place: usize,
        query: &Query,
        watcher: &dyn Watcher,
        is_interrupted: bool,
    ) -> Result<Checked, TaskError> {
        let began = Instant::now();
        let (check, task) = &self.checks[place];
        let watcher = Recording::part(watcher, &check.name, place).about(&self.places(task));
        let report = if is_interrupted { None } else { Some(query.run_with(&watcher)?) };
        let outcome = report.as_ref().map_or(Outcome::Undecided, |report| check.outcome(report));
        let is_allowed = check.allow_undecided.unwrap_or(self.defaults.allow_undecided);
        let passes = outcome == Outcome::Pass || (outcome == Outcome::Undecided && is_allowed);
        let is_expected = check.at_most.or(check.at_least).is_some();
        let measured = report.as_ref().filter(|_| is_expected).and_then(Measured::of).map(|measured| {
            let [lower, upper] = measured.ends().map(|end| end.filter(|end| end.is_finite()));
            MeasuredNumber { what: measured.what.to_owned(), lower, upper }
        });
        Ok(Checked {
            name: check.name.clone(),
            outcome,
            passes,
            at_most: check.at_most,
            at_least: check.at_least,
            measured,
            seconds: began.elapsed().as_secs_f64(),
            report,
        })
    }
}
