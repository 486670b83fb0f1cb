//! Comparisons: of two models at one input, or of one model at two inputs.

mod answer;

use crate::problem::{Form, InputRows, Sum, Term};
use crate::report::{Stats, Stopped, Verdict};
use crate::run::{Found, SearchOutcome};

pub(super) use self::answer::{Compared, pair_answer, pair_finding, widest, witness_of_all};

/// The outcome of a comparison: bounds on the largest difference, and a pair that attains the lower one.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Comparison {
    /// The verdict.
    pub verdict: Verdict,
    /// Lower bound on the number.
    pub lower: Option<f64>,
    /// Upper bound on the number.
    pub upper: Option<f64>,
    /// Difference of the bounds before they were rounded, itself rounded up.
    pub gap: Option<f64>,
    /// The best point that was found, which passed its check.
    pub found: Option<Found>,
    /// Classes of the two inputs of that point, in questions about labels.
    pub classes: Option<[usize; 2]>,
    /// The library's own sums at that point, taken together, are within this of the exact number.
    pub rounding: Option<f64>,
    /// The contradictory conditions of `infeasible`; none where it is a row that they exclude.
    pub conflict: Vec<String>,
    /// Why the search ended.
    pub stopped: Stopped,
    /// Duration in seconds.
    pub seconds: f64,
    /// Effort of the search.
    pub stats: Stats,
}

impl Comparison {
    /// The rows of the best point.
    pub fn rows(&self) -> Option<&InputRows> {
        self.found.as_ref().map(|found| &found.rows)
    }

    /// No input is admissible.
    pub(super) fn infeasible(conflict: Vec<String>) -> Self {
        Self { conflict, ..Self::unsearched(Verdict::Infeasible) }
    }

    /// A verdict that needs no search.
    pub(super) fn unsearched(verdict: Verdict) -> Self {
        Self { verdict, ..Self::default() }
    }

    /// The outcome of a search, with what it means.
    pub(super) fn new(outcome: SearchOutcome, form: &Form<'_>, (verdict, stopped): (Verdict, Stopped)) -> Self {
        let rounding = outcome.found.as_ref().map(|found| {
            let error = |term: &Term| found.evaluations[term.input][term.model].margins[term.output].error;
            let of_sum = |sum: &Sum| sum.terms.iter().map(error).sum::<f64>();
            form.cases.iter().flatten().map(of_sum).fold(0.0, f64::max).next_up()
        });
        Self {
            verdict,
            lower: outcome.bounds.lower,
            upper: outcome.bounds.upper,
            gap: outcome.bounds.gap,
            found: outcome.found,
            rounding,
            stopped,
            seconds: outcome.seconds,
            stats: outcome.stats,
            ..Self::default()
        }
    }
}
