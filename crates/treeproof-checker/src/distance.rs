//! Costs of distances: between two rows, and lower bounds over cells.

pub(crate) mod gap;
pub(crate) mod pair;

use treeproof_ensemble::exact::Exact;
use treeproof_proof::statement::Number;
use treeproof_proof::statement::distance::{Distance, Norm};

use crate::distance::gap::{Gap, gap};
use crate::error::{Refused, ensure};
use crate::numbers::Numbers;
use crate::space::cell_values::CellValues;
use crate::space::grid::Grid;
use crate::space::{Input, Space};

/// Lower bounds on the costs of cells, of one input against the reference.
#[derive(Clone, Debug)]
pub(crate) struct CellCosts {
    /// The least cost of a value, by axis and cell; `None` if no value of the cell can be reached.
    pub(crate) cells: Vec<Vec<Option<Exact>>>,
    /// The least cost of each feature, or group, without an axis; `None` if none of its values can be reached.
    pub(crate) free: Vec<Option<Exact>>,
}

/// The cost of a change from one input to another; `None` if one cannot become the other.
pub(crate) fn between(distance: &Distance, space: &Space<'_>, before: &Input, after: &Input) -> Option<Exact> {
    let held = |input: &Input, feature: usize| CellValues::one(input.raws[feature], input.readings[feature]);
    let along = |feature: usize| least(distance, feature, &held(before, feature), &held(after, feature), None);
    let features = 0..space.statement.features.len();
    let mut costs = vec![];
    for feature in features.filter(|feature| space.group_of(*feature).is_none()) {
        costs.push(along(feature)?);
    }
    for columns in &space.statement.groups {
        let of_columns: Option<Vec<Exact>> = columns.iter().map(|column| along(*column as usize)).collect();
        costs.extend(of_columns?.into_iter().max());
    }
    Some(distance.total(costs))
}

impl CellCosts {
    /// The costs of all cells of a grid.
    ///
    /// # Errors
    /// If there is no reference.
    pub(crate) fn new(distance: &Distance, grid: &Grid<'_>) -> Result<Self, Refused> {
        let space = grid.space;
        ensure(space.statement.reference.is_some(), || "there is no row to be near to".to_owned())?;
        let mut costs = Self { cells: vec![vec![]; grid.everything().num_axes()], free: vec![] };
        for feature in 0..space.statement.features.len() {
            let Some(own) = space.reference(feature) else { continue };
            let group = space.group_of(feature).map(|group| &space.statement.groups[group]);
            if group.is_some_and(|columns| columns[0] as usize != feature) {
                continue;
            }
            match (grid.axis_of(0, feature), group) {
                (Some(axis), Some(columns)) => {
                    let is_own = |column: &u32| {
                        space.reference(*column as usize).is_some_and(|held| held.ends() == Some((1.0, 1.0)))
                    };
                    let own = columns.iter().find(|column| is_own(column)).map(|column| *column as usize);
                    let cost = |cell: u32| of_columns(distance, feature, own.as_slice(), grid.columns(axis, cell)?);
                    costs.cells[axis] = (0..grid.num_cells(axis)).map(cost).collect();
                }
                (Some(axis), None) => {
                    let numbers = grid.values(axis).map(|values| values.numbers.everywhere());
                    let cost = |cell: u32| {
                        least(distance, feature, own, grid.cell_values(axis, cell, feature), numbers.as_ref())
                    };
                    costs.cells[axis] = (0..grid.num_cells(axis)).map(cost).collect();
                }
                // Any column may be 1.
                (None, Some(_)) => costs.free.push(Some(Exact::zero())),
                (None, None) => {
                    let numbers = space.values(&[0], feature).numbers.everywhere();
                    costs.free.push(least(distance, feature, own, grid.free(0, feature), Some(&numbers)));
                }
            }
        }
        Ok(costs)
    }
}

/// The least cost of two inputs along a feature, or a group given by its first column, in a cell of each input's axis; `None`
/// if no values of the cells go together.
pub(crate) fn pair_cost(
    distance: &Distance,
    grid: &Grid<'_>,
    feature: usize,
    axes: [usize; 2],
    cells: [u32; 2],
) -> Option<Exact> {
    let [first, second] = [0, 1].map(|input| (axes[input], cells[input]));
    match (grid.columns(first.0, first.1), grid.columns(second.0, second.1)) {
        (Some(before), Some(after)) => of_columns(distance, feature, before, after),
        _ => {
            let held = |(axis, cell): (usize, u32)| grid.cell_values(axis, cell, feature);
            least(distance, feature, held(first), held(second), None)
        }
    }
}

/// The least cost of a change from one of some columns to one of some others.
fn of_columns(distance: &Distance, feature: usize, before: &[usize], after: &[usize]) -> Option<Exact> {
    let is_there = !before.is_empty() && !after.is_empty();
    let along = if before.iter().any(|column| after.contains(column)) { Exact::zero() } else { Exact::one() };
    scaled(distance, distance.factors[feature], &along).filter(|_| is_there)
}

/// The least cost of a change from some values of a feature to some others, which are multiples of the steps of `steps`.
pub(crate) fn least(
    distance: &Distance,
    feature: usize,
    before: &CellValues,
    after: &CellValues,
    steps: Option<&Numbers>,
) -> Option<Exact> {
    let has_category = |held: &CellValues| !held.codes.is_empty() || held.unknown;
    let has_value = |held: &CellValues| has_category(held) || held.ends().is_some();
    let is_shared = before.codes.iter().any(|code| after.codes.binary_search(code).is_ok());
    let stays_missing = before.may_be_missing() && after.may_be_missing();
    if is_shared || stays_missing || (before.unknown && after.unknown) {
        return Some(Exact::zero());
    }
    let comes_or_goes = (before.may_be_missing() && has_value(after)) || (has_value(before) && after.may_be_missing());
    let missing = distance.missing_costs[feature].filter(|_| comes_or_goes).and_then(|cost| counted(distance, cost.0));
    let changes = has_category(before) && has_category(after);
    let category = distance.category_cost.filter(|_| changes).and_then(|cost| counted(distance, cost.0));
    let numbers = gap(before, after, steps).and_then(|gap| match gap {
        Gap::Finite(gap) if gap == Exact::zero() => Some(gap),
        _ if distance.norm == Norm::L0 => Some(Exact::one()),
        Gap::Finite(gap) => Some(gap),
        Gap::Infinite => (distance.number_factor(feature).0 == 0.0).then(Exact::zero),
    });
    let other = [missing, category].into_iter().flatten().min();
    let other = other.and_then(|along| scaled(distance, distance.factors[feature], &along));
    let numbers = numbers.and_then(|along| scaled(distance, distance.number_factor(feature), &along));
    [other, numbers].into_iter().flatten().min()
}

/// The cost of a stated distance along a feature; 1 for L0.
fn counted(distance: &Distance, stated: f64) -> Option<Exact> {
    if distance.norm == Norm::L0 { Some(Exact::one()) } else { Exact::from_f64(stated) }
}

fn scaled(distance: &Distance, factor: Number, along: &Exact) -> Option<Exact> {
    let cost = along.times(&Exact::from_f64(factor.0)?);
    Some(if distance.norm == Norm::L2 { cost.times(&cost) } else { cost })
}
