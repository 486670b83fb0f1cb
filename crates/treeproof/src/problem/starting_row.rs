//! One input that leaves a given row in few features.

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::norm::Norm;
use treeproof_language::Groups;

use treeproof_search::{Abandoned, Stop};

use super::compiled::Compiled;
use super::metric::Metric;
use super::rules::ReferenceRow;

/// Where one input starts from, and how many features it may change. For questions about one model.
#[derive(Clone, Debug)]
pub struct StartingRow {
    /// The row, which the library accepts.
    pub row: Vec<f64>,
    /// At most so many features differ from it.
    pub at_most: usize,
}

impl Compiled {
    /// Leaves only inputs that start from a row. Where values matter beside their cells, the row's own is a cell by itself.
    pub(super) fn start_from(
        &mut self,
        at_most: usize,
        from: ReferenceRow<'_>,
        ensemble: &Ensemble,
        stop: &dyn Stop,
    ) -> Result<(), Abandoned> {
        let metric = Metric::new(Norm::L0, ensemble, &Groups::NONE);
        let cost = |feature: usize, to: f64| -> Exact { metric.cost(ensemble, feature, from.row[feature], to) };
        let nearby = self.nearby_until(from.row, from.readings, &[cost], stop)?;
        self.problem.budgets.push(nearby.at_most(at_most));
        self.nearby = Some(nearby);
        Ok(())
    }
}
