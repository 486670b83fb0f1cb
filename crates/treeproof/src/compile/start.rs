//! One input that leaves a given row in few features.

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::exact::Exact;

use super::compiled::Compiled;
use crate::distance::{Metric, Norm};
use crate::language::Groups;

/// Where one input starts from, and how many features it may change. For questions about one model.
#[derive(Clone, Debug)]
pub struct Start {
    /// The row, which the library accepts.
    pub row: Vec<f64>,
    /// At most so many features differ from it.
    pub at_most: usize,
}

impl Compiled {
    /// Leaves only inputs that start from a row.
    pub(super) fn start_from(&mut self, start: &Start, ensemble: &Ensemble) {
        let metric = Metric::new(Norm::L0, ensemble, &Groups::NONE);
        let readings = ensemble.read(&start.row).expect("the library accepts the row");
        let cost = |feature: usize, to: f64| -> Exact { metric.cost(ensemble, feature, start.row[feature], to) };
        let nearby = self.nearby(&start.row, &readings, &[cost]);
        self.problem.budgets.push(nearby.at_most(start.at_most));
        self.nearby = Some(nearby);
    }
}
