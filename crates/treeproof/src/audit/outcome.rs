//! How an audit ended, as data.

use std::time::Instant;

use serde::Serialize;

use super::{Check, Defaults, Measured, Outcome};
use crate::report::{Report, Verdict};
use crate::task::TaskError;

/// A check that is over.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Checked {
    /// Its name.
    pub name: String,
    /// How it ended.
    pub outcome: Outcome,
    /// Whether the gate lets it through.
    pub passes: bool,
    /// What is expected of the number that it measures: not above this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_most: Option<f64>,
    /// The same: not below this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_least: Option<f64>,
    /// The number of which something is expected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measured: Option<MeasuredNumber>,
    /// How long it took.
    pub seconds: f64,
    /// None where it was not asked, as somebody interrupted.
    pub report: Option<Report>,
}

/// A number of which something is expected.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct MeasuredNumber {
    /// What it is.
    pub what: &'static str,
    /// It is at least this.
    pub lower: Option<f64>,
    /// It is at most this.
    pub upper: Option<f64>,
}

/// How all checks ended.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct AuditReport {
    /// Always `audit`.
    pub question: &'static str,
    /// What was shown of all.
    pub verdict: Verdict,
    /// One by one.
    pub checks: Vec<Checked>,
    /// In numbers.
    pub summary: AuditSummary,
}

/// How many checks ended how.
#[derive(Clone, Copy, Debug, Serialize)]
#[non_exhaustive]
pub struct AuditSummary {
    /// All.
    pub checks: usize,
    /// What is expected was proved.
    pub pass: usize,
    /// The contrary was proved.
    pub fail: usize,
    /// A limit came first.
    pub undecided: usize,
    /// Nothing meets the conditions.
    pub infeasible: usize,
    /// How long all took.
    pub seconds: f64,
}

impl Checked {
    /// Asks what a check asks, unless somebody interrupted.
    ///
    /// # Errors
    /// If it cannot be asked.
    pub fn ask(
        check: &Check,
        defaults: &Defaults,
        is_interrupted: bool,
        ask: impl FnOnce() -> Result<Report, TaskError>,
    ) -> Result<Self, TaskError> {
        let began = Instant::now();
        let report = if is_interrupted { None } else { Some(ask()?) };
        let outcome = report.as_ref().map_or(Outcome::Undecided, |report| check.outcome(report));
        let is_allowed = check.allow_undecided.unwrap_or(defaults.allow_undecided);
        let passes = outcome == Outcome::Pass || (outcome == Outcome::Undecided && is_allowed);
        let is_expected = check.at_most.or(check.at_least).is_some();
        let measured = report.as_ref().filter(|_| is_expected).and_then(Measured::of).map(|measured| {
            let [lower, upper] = measured.ends().map(|end| end.filter(|end| end.is_finite()));
            MeasuredNumber { what: measured.what, lower, upper }
        });
        Ok(Self {
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

impl AuditReport {
    /// Of checks that are over.
    pub fn new(checks: Vec<Checked>, seconds: f64) -> Self {
        let count = |outcome: Outcome| checks.iter().filter(|check| check.outcome == outcome).count();
        let summary = AuditSummary {
            checks: checks.len(),
            pass: count(Outcome::Pass),
            fail: count(Outcome::Fail),
            undecided: count(Outcome::Undecided),
            infeasible: count(Outcome::Infeasible),
            seconds,
        };
        let is_open = checks.iter().any(|check| check.outcome == Outcome::Undecided && !check.passes);
        let verdict = match () {
            () if summary.fail > 0 => Verdict::Violated,
            () if summary.infeasible > 0 => Verdict::Infeasible,
            () if is_open => Verdict::Undecided,
            () => Verdict::Holds,
        };
        Self { question: "audit", verdict, checks, summary }
    }
}
