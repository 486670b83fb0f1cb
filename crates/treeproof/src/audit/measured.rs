//! The number in an answer of which something is expected.

use super::Outcome;
use crate::report::{DistanceRow, Finding, PairRow, Report, Verdict};

/// Interval on the number that must not be too large, and on that which must not be too small: most often the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// What it is, for people.
    pub what: &'static str,
    /// Of the number that must not be too large.
    largest: Interval,
    /// Of the number that must not be too small.
    smallest: Interval,
}

/// Where a number lies; without end where an end is absent.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Interval {
    lower: Option<f64>,
    upper: Option<f64>,
}

impl Measured {
    fn new(what: &'static str, lower: Option<f64>, upper: Option<f64>) -> Self {
        let bounds = Interval { lower, upper };
        Self { what, largest: bounds, smallest: bounds }
    }

    /// Whether the number is not above a limit.
    pub(super) fn at_most(&self, limit: f64) -> Outcome {
        match self.largest {
            Interval { upper: Some(upper), .. } if upper <= limit => Outcome::Pass,
            Interval { lower: Some(lower), .. } if lower > limit => Outcome::Fail,
            _ => Outcome::Undecided,
        }
    }

    /// Whether the number is not below a limit.
    pub(super) fn at_least(&self, limit: f64) -> Outcome {
        match self.smallest {
            Interval { lower: Some(lower), .. } if lower >= limit => Outcome::Pass,
            Interval { upper: Some(upper), .. } if upper < limit => Outcome::Fail,
            _ => Outcome::Undecided,
        }
    }

    /// The ends of all that it may be.
    pub fn ends(&self) -> [Option<f64>; 2] {
        [self.smallest.lower, self.largest.upper]
    }

    /// What is measured in an answer, if anything is.
    pub fn of(report: &Report) -> Option<Self> {
        Some(match &report.finding {
            Finding::Min(answer) => Self::new("smallest margin", answer.lower, answer.upper),
            Finding::Max(answer) => Self::new("largest margin", answer.lower, answer.upper),
            Finding::Range(range) => Self {
                what: "margins",
                largest: Interval { lower: range.max.lower, upper: range.max.upper },
                smallest: Interval { lower: range.min.lower, upper: range.min.upper },
            },
            Finding::Fair(pair) | Finding::Monotone(pair) | Finding::Stable(pair) | Finding::Diff(pair) => {
                Self::new("largest difference", pair.lower, pair.upper)
            }
            Finding::Dominant(found) => Self::new("largest effect", found.answer.lower, found.answer.upper),
            Finding::FairRows(answer) if answer.summary.share.is_some() => {
                let count = |verdict| answer.rows.iter().filter(|row| row.answer.verdict == verdict).count();
                let (violated, open) = (count(Verdict::Violated), count(Verdict::Undecided) + answer.summary.left);
                share("share of rows that change", violated, open, answer.summary.asked + answer.summary.left)
            }
            Finding::FairRows(answer) => {
                let rows = || answer.rows.iter().filter(|row| row.answer.verdict != Verdict::Infeasible);
                let largest = |of: fn(&PairRow) -> Option<f64>| {
                    rows().map(of).collect::<Option<Vec<f64>>>()?.into_iter().max_by(f64::total_cmp)
                };
                let upper = largest(|row| row.answer.upper).filter(|_| answer.summary.left == 0);
                let lower = rows().filter_map(|row| row.answer.lower).max_by(f64::total_cmp);
                Self::new("largest difference", lower, upper)
            }
            Finding::Robust(answer) => {
                let is_labelled = answer.rows.iter().any(|row| row.is_correct.is_some());
                // A row without a label is neither right nor wrong.
                let is_right = |row: &&DistanceRow| row.is_correct == if is_labelled { Some(true) } else { None };
                let num_labelled = answer.rows.iter().filter(|row| row.is_correct.is_some() == is_labelled).count();
                let count = |verdict| answer.rows.iter().filter(is_right).filter(|row| row.verdict == verdict).count();
                let what = if is_labelled { "certified accuracy" } else { "share of rows that hold" };
                let (holds, open) = (count(Verdict::Holds), count(Verdict::Undecided) + answer.summary.left);
                share(what, holds, open, num_labelled + answer.summary.left)
            }
            Finding::Closest(answer) => {
                // Where no input changes the answer, it is infinitely far away.
                let lower = |row: &DistanceRow| match row.verdict {
                    Verdict::Infeasible => Some(f64::INFINITY),
                    _ => row.lower,
                };
                let lowers: Option<Vec<f64>> = answer.rows.iter().map(lower).collect();
                let lower = lowers.into_iter().flatten().min_by(f64::total_cmp).filter(|_| answer.summary.left == 0);
                let upper = answer.rows.iter().filter_map(|row| row.upper).min_by(f64::total_cmp);
                Self::new("smallest distance", lower, upper)
            }
            _ => return None,
        })
    }
}

/// Whether `robust` was asked about rows around which nothing is allowed.
pub(super) fn has_impossible_rows(report: &Report) -> bool {
    matches!(&report.finding, Finding::Robust(answer) if answer.summary.infeasible > 0)
}

/// A share of rows: certain ones, and those that may be.
#[expect(clippy::cast_precision_loss, reason = "rows are far fewer than 2^53")]
fn share(what: &'static str, certain: usize, open: usize, all: usize) -> Measured {
    let part = |count: usize| (all > 0).then(|| count as f64 / all as f64);
    Measured::new(what, part(certain), part(certain + open))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_decide_or_do_not() {
        let measured = Measured::new("x", Some(1.0), Some(2.0));
        let decided = [0.5, 1.0, 1.5, 2.0, 2.5];
        use Outcome::{Fail, Pass, Undecided};
        assert_eq!(decided.map(|limit| measured.at_most(limit)), [Fail, Undecided, Undecided, Pass, Pass]);
        assert_eq!(decided.map(|limit| measured.at_least(limit)), [Pass, Pass, Undecided, Undecided, Fail]);
        let unknown = Measured::new("x", None, None);
        assert_eq!((unknown.at_most(0.0), unknown.at_least(0.0)), (Undecided, Undecided));
        let shares = share("x", 3, 1, 8);
        assert_eq!(shares.ends(), [Some(0.375), Some(0.5)]);
        assert_eq!(share("x", 0, 0, 0).ends(), [None, None]);
    }
}
