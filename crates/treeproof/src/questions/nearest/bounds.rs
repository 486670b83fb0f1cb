//! Bounds on the cost of the nearest input, and how those of several searches add up.

use treeproof_ensemble::evaluate::Evaluation;
use treeproof_ensemble::exact::Exact;

use crate::error::TaskError;
use crate::report::Stopped;

/// Relative error of a distance by the rounding of costs from which they are counted anew in a finer unit.
pub(super) const FINE: f64 = 1e-12;

/// Limit on the number of times that an interval is halved.
const MOST_HALVED: usize = 100;
/// An input that was found.
#[derive(Clone, Debug)]
pub(super) struct NearInput {
    /// The axes on which it is another than the row.
    pub(super) changed: Vec<usize>,
    pub(super) row: Vec<f64>,
    pub(super) evaluation: Evaluation,
    pub(super) cost: Exact,
}

/// Bounds on the cost of the nearest input, as a search leaves them.
#[derive(Clone)]
pub(super) struct CostBounds {
    pub(super) found: Option<NearInput>,
    /// Nothing costs less; none if nothing reaches the goal.
    pub(super) least: Option<Exact>,
    pub(super) stopped: Stopped,
    /// True if no input is admissible at all.
    pub(super) is_empty: bool,
}

impl CostBounds {
    /// A search that came to its end and found nothing. `is_empty` if no input is allowed at all.
    pub(super) fn nothing(is_empty: bool) -> Self {
        Self { found: None, least: None, stopped: Stopped::Optimal, is_empty }
    }

    /// A search that was ended before it knew anything: nothing costs less than nothing.
    pub(super) fn nothing_known(stopped: Option<Stopped>) -> Self {
        let stopped = stopped.unwrap_or(Stopped::Interrupted);
        Self { found: None, least: Some(Exact::zero()), stopped, is_empty: false }
    }

    /// These bounds after a search in finer units, which may not have come to its end.
    pub(super) fn refined(self, finer: &Self) -> Self {
        let is_better = |found: &&NearInput| self.found.as_ref().is_none_or(|known| found.cost <= known.cost);
        Self {
            found: finer.found.as_ref().filter(is_better).cloned().or_else(|| self.found.clone()),
            least: self.least.max(finer.least.clone()),
            stopped: finer.stopped,
            is_empty: self.is_empty,
        }
    }

    /// Halves what is between the bounds again and again, where the input found is not the nearest of its cells: either there
    /// is one in the nearer half, or there is none.
    pub(super) fn closer(
        mut self,
        search: &mut dyn FnMut(&Exact) -> Result<Self, TaskError>,
    ) -> Result<Self, TaskError> {
        let half = Exact::from_f64(0.5).expect("finite");
        let fine = Exact::from_f64(FINE).expect("finite");
        let mut low = self.least.clone().unwrap_or_else(Exact::zero);
        for _ in 0..MOST_HALVED {
            let (Some(found), Stopped::Optimal | Stopped::Rounding | Stopped::Conditions) = (&self.found, self.stopped)
            else {
                break;
            };
            let cost = found.cost.clone();
            if cost.minus(&low) <= cost.times(&fine) {
                let is_proved = self.least.as_ref().is_some_and(|least| *least >= low);
                self.stopped = if is_proved { Stopped::Optimal } else { Stopped::Rounding };
                return Ok(self);
            }
            let middle = low.plus(&cost).times(&half).reduced();
            let nearer = search(&middle)?;
            let is_decided = nearer.stopped == Stopped::Optimal;
            let least = nearer.least.unwrap_or_else(|| middle.clone());
            self.least = self.least.max(Some(least));
            match nearer.found {
                Some(found) => self.found = Some(found),
                None => low = middle,
            }
            if !is_decided {
                self.stopped = nearer.stopped;
            }
        }
        if self.found.is_some() && self.stopped == Stopped::Optimal {
            self.stopped = Stopped::Rounding;
        }
        Ok(self)
    }
}
