//! The answer of an audit: the outcome of each check.

use serde::{Deserialize, Serialize};

use crate::named::named;
use crate::report::Report;
use crate::verdict::Verdict;

/// The outcomes of all checks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, tag = "question", rename = "audit")]
pub struct AuditReport {
    /// The verdict on all.
    pub verdict: Verdict,
    /// The checks, one by one.
    pub checks: Vec<Checked>,
    /// The numbers of outcomes.
    pub summary: AuditSummary,
}

/// A check that is over.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Checked {
    /// Its name.
    pub name: String,
    /// Its outcome.
    pub outcome: Outcome,
    /// True if the gate lets it through.
    pub passes: bool,
    /// Expectation of the measured number: not above this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_most: Option<f64>,
    /// Expectation of the measured number: not below this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_least: Option<f64>,
    /// The number of which something is expected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measured: Option<MeasuredNumber>,
    /// Its duration.
    pub seconds: f64,
    /// The answer; `None` where it was not asked, as the user interrupted.
    pub report: Option<Report>,
}

/// A number of which something is expected.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct MeasuredNumber {
    /// Its name for people.
    pub what: String,
    /// It is at least this.
    pub lower: Option<f64>,
    /// It is at most this.
    pub upper: Option<f64>,
}

named! {
    /// The outcome of a check.
    #[derive(Default)]
    pub enum Outcome {
        /// The expectation was proved.
        Pass = "pass",
        /// The contrary was proved.
        Fail = "fail",
        /// A limit came first.
        #[default]
        Undecided = "undecided",
        /// No input meets the conditions, so that nothing was shown.
        Infeasible = "infeasible",
    }
}

/// The number of checks with each outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct AuditSummary {
    /// All checks.
    pub checks: usize,
    /// Checks whose expectation was proved.
    pub pass: usize,
    /// Checks whose contrary was proved.
    pub fail: usize,
    /// Checks that a limit ended.
    pub undecided: usize,
    /// Checks whose conditions nothing meets.
    pub infeasible: usize,
    /// The duration of all.
    pub seconds: f64,
}

impl AuditReport {
    /// Sums up checks that are over.
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
        Self { verdict, checks, summary }
    }
}
