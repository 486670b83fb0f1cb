//! Limits on the effort of a section, seen before it begins: a small file must not take much time or memory. The log is not
//! counted: a note takes at most as long as a pass over all leaves of the models.

use std::collections::BTreeSet;

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_proof::conclusion::Conclusion;
use treeproof_proof::header::{BoxSide, Bundled, Header};
use treeproof_proof::statement::{GoalSum, Tie};

use crate::error::{Refused, ensure};
use crate::goal::ResolvedGoal;
use crate::space::grid::Grid;

/// Limit on the cells that splits visit: honest proofs have few special cells, for categories, and few sums.
const MOST_LOOKED_AT: u64 = 1 << 31;

/// Limit on the kept costs of cells, and of pairs of cells of two near inputs.
const MOST_COSTS: u64 = 1 << 28;

/// The effort to find the leaf of a tree, in cells.
const LEAF: u64 = 16;

/// Checks that a section is within the limits.
///
/// # Errors
/// If it is not.
pub(crate) fn is_affordable(
    grid: &Grid<'_>,
    goal: &ResolvedGoal<'_>,
    header: &Header,
    conclusion: &Conclusion,
) -> Result<(), Refused> {
    let models = grid.space.models.iter().enumerate();
    let of_models: Vec<Vec<u64>> = models.map(|(place, model)| of_splits(grid, place, model)).collect();
    let num_trees: u64 = grid.space.models.iter().map(|model| model.trees().len() as u64).sum();
    let of_sum = |sum: &GoalSum| {
        let read: BTreeSet<(u32, u32)> = sum.terms.iter().map(|term| (term.model, term.input)).collect();
        read.into_iter().map(|(model, input)| of_models[model as usize][input as usize]).fold(1, u64::saturating_add)
    };
    let of_bundle = |bundle: &Bundled| match bundle {
        Bundled::Trees(_) => 1,
        Bundled::InOrder(feature) => of_order(grid, *feature as usize),
        Bundled::Missed(sides) => {
            let is_there = |side: &&BoxSide| (side.axis as usize) < header.axes.len();
            let of_side = |side: &BoxSide| 2 * special(grid, side.axis as usize) + LEAF;
            sides.iter().filter(is_there).map(of_side).fold(num_trees.saturating_mul(LEAF), u64::saturating_add)
        }
    };
    let sums = goal.cases.iter().flatten().map(of_sum);
    let bundles = header.bundles.iter().flatten().flatten().map(of_bundle);
    let listed = num_trees.saturating_mul(LEAF).saturating_mul(conclusion.listed.len() as u64);
    let looked_at = sums.chain(bundles).fold(listed, u64::saturating_add);
    ensure(looked_at <= MOST_LOOKED_AT, || "it takes too long to look at all cells of all trees".to_owned())?;
    let num_cells: u64 = (0..header.axes.len()).map(|axis| u64::from(grid.num_cells(axis))).sum();
    let statement = grid.space.statement;
    let num_costs = (statement.within.len() + header.ledgers.len()) as u64;
    let costs = num_costs.saturating_mul(num_cells).saturating_add(pairs(grid));
    ensure(costs <= MOST_COSTS, || "there are too many cells to keep what they cost".to_owned())
}

/// The special cells of an axis.
fn special(grid: &Grid<'_>, axis: usize) -> u64 {
    u64::from(grid.num_cells(axis) - grid.num_ordered(axis))
}

/// The effort of a model's splits at each input: one for each special cell; ordered ones are bisected.
fn of_splits(grid: &Grid<'_>, place: usize, model: &Ensemble) -> Vec<u64> {
    let of_input = |input: usize| {
        let of_feature = |feature: u32| grid.axis_at(input, place, feature).map_or(0, |axis| special(grid, axis));
        let features: Vec<u64> = (0..model.features().len() as u32).map(of_feature).collect();
        let splits = model.trees().iter().flat_map(|tree| tree.splits());
        splits.map(|split| 1 + features[split.feature as usize]).fold(0, u64::saturating_add)
    };
    (0..grid.space.statement.inputs.len()).map(of_input).collect()
}

/// The effort to order the cells of a feature at two inputs.
fn of_order(grid: &Grid<'_>, feature: usize) -> u64 {
    let is_there = grid.space.statement.ties.get(feature).is_some();
    let axes = [0, 1].map(|input| if is_there { grid.axis_of(input, feature) } else { None });
    let [Some(first), Some(second)] = axes else { return 1 };
    let of_cell = special(grid, first) + special(grid, second) + u64::from(grid.num_cells(second)) / LEAF + 1;
    u64::from(grid.num_cells(first)).saturating_mul(of_cell)
}

/// The number of pairs of cells with kept costs: of features of two near inputs that are not only numbers.
fn pairs(grid: &Grid<'_>) -> u64 {
    let statement = grid.space.statement;
    if statement.near.is_none() || statement.inputs.len() < 2 {
        return 0;
    }
    let free = statement.ties.iter().enumerate().filter(|(_, tie)| **tie == Tie::Free);
    let axes = free.filter_map(|(feature, _)| Some((grid.axis_of(0, feature)?, grid.axis_of(1, feature)?)));
    let are_numbers = |axis: usize| grid.is_plain(axis) && special(grid, axis) == 0;
    let axes: BTreeSet<(usize, usize)> =
        axes.filter(|(one, other)| !are_numbers(*one) || !are_numbers(*other)).collect();
    let of_axes = |(one, other): (usize, usize)| u64::from(grid.num_cells(one)) * u64::from(grid.num_cells(other));
    axes.into_iter().map(of_axes).fold(0, u64::saturating_add)
}
