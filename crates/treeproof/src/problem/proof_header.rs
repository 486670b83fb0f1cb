//! Facts about a compiled problem for the header of a proof: its cells, and the model trees of its channels.

use treeproof_ensemble::exact::Exact;
use treeproof_proof::axis::{Axis, Piece};
use treeproof_proof::header::{Bundled, LedgerKind};
use treeproof_proof::statement::Number;

use super::cells::{AxisPartition, CellValues};
use super::compiled::Compiled;
use super::form::Form;
use super::lower::ChannelBundles;
use super::position;

impl Compiled {
    /// The cells of every axis.
    pub(crate) fn grid(&self, form: &Form<'_>) -> Vec<Axis> {
        let axis = |cells: &AxisPartition| {
            let own = [cells.place];
            let features = form.space.features.group_of(cells.place).unwrap_or(&own);
            let shape = cells.shape();
            Axis {
                inputs: cells.inputs.clone().map(position).collect(),
                features: features.iter().copied().map(position).collect(),
                ordered: shape.ordered,
                cells: (0..shape.num_cells()).map(|cell| pieces(cells.contents(cell))).collect(),
            }
        };
        // Inputs that agree stay together on dropped axes too.
        let dropped = if self.num_inputs == 2 && self.coupling.is_none() { &self.untested[..] } else { &[] };
        self.axes.iter().chain(dropped).map(axis).collect()
    }

    /// The size of a unit of values, and the number that the value 0 stands for.
    pub(crate) fn scale(&self) -> (Exact, Exact) {
        let zero = self.units.real(0);
        (self.units.real(1).minus(&zero), zero)
    }

    /// Per case and channel the model trees of each tree, then those left out as they make no difference.
    pub(crate) fn bundles(&self) -> Vec<Vec<Vec<Bundled>>> {
        let of_channel = |bundles: &ChannelBundles| [&bundles.trees[..], &self.missed, &bundles.others].concat();
        self.bundles.iter().map(|case| case.iter().map(of_channel).collect()).collect()
    }

    /// The ledgers of the budgets that conditions have made.
    pub(crate) fn counted(&self) -> &[LedgerKind] {
        &self.counted
    }
}

fn pieces(contents: CellValues) -> Vec<Piece> {
    match contents {
        CellValues::Numbers(ranges) => {
            ranges.into_iter().map(|range| Piece::Numbers(Number(range.low), Number(range.high))).collect()
        }
        CellValues::Categories(codes) => codes.into_iter().map(Piece::Category).collect(),
        CellValues::Columns(columns) => columns.into_iter().map(Piece::Column).collect(),
        CellValues::Unknown => vec![Piece::Unknown],
        CellValues::Missing => vec![Piece::Missing],
    }
}
