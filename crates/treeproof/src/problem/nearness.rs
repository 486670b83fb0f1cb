//! Limits on how far inputs may be from each other or from a row, and the one that counts changed features.

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::norm::Norm;
use treeproof_language::Groups;
use treeproof_search::{Abandoned, Stop};

use super::ball::Ball;
use super::compiled::Compiled;
use super::metric::Metric;
use super::rules::ReferenceRow;

/// A limit on how far inputs may be from each other, or from a row, besides the limits of their space.
#[derive(Clone, Copy, Debug)]
pub enum Nearness<'a> {
    /// No limit.
    Any,
    /// Two inputs within a ball.
    Ball(&'a Ball),
    /// One input that changes few features of a row.
    Start(&'a StartingRow),
}

/// A row, and a limit on the number of features in which one input may differ from it. For questions about one model.
#[derive(Clone, Debug)]
pub struct StartingRow {
    /// The row, which the library accepts.
    pub row: Vec<f64>,
    /// Largest number of features that differ from it.
    pub at_most: usize,
}

impl Compiled {
    /// Adds the budget on changed features. Where values matter besides their cells, the row's own value is a cell by itself.
    pub(super) fn start_from(
        &mut self,
        at_most: usize,
        from: ReferenceRow<'_>,
        ensemble: &Ensemble,
        stop: &dyn Stop,
    ) -> Result<(), Abandoned> {
        let metric = Metric::new(Norm::L0, ensemble, &Groups::NONE);
        let cost = |feature: usize, to: f64| -> Exact { metric.cost(ensemble, feature, from.row[feature], to) };
        let nearby = self.nearest_values(from.row, from.readings, &[cost], stop)?;
        self.problem.budgets.push(nearby.at_most(at_most));
        self.nearby = Some(nearby);
        Ok(())
    }
}
