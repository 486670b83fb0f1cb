//! Two inputs that must not be far apart: which cells of the two go together.
//!
//! Of two sets of cells the nearest values count, rounded down, and the radius is rounded up: nothing is excluded that two inputs
//! within it have.

use treeproof_ensemble::exact::Exact;

use crate::error::{Refused, must};
use crate::grid::Grid;
use crate::near::{Near, Norm};
use crate::region::{CellSet, Region};
use crate::statement::Tie;

/// The radius, and the features that may differ.
#[derive(Debug)]
pub(crate) struct Ball {
    norm: Norm,
    /// The largest cost, rounded up: for L2 a square.
    limit: f64,
    features: Vec<Coupled>,
}

/// A feature that may differ.
#[derive(Debug)]
struct Coupled {
    /// Its axis at each input.
    axes: [usize; 2],
    factor: f64,
    /// Of each input's cells, the least and the greatest number.
    ends: [Vec<Option<(f64, f64)>>; 2],
    /// What cells cost together of which one at least holds more than numbers, rounded down; infinite if they do not go together.
    others: Vec<Vec<f64>>,
}

impl Ball {
    /// The ball of a statement about two inputs.
    ///
    /// # Errors
    /// If changes are counted, or a feature that may differ has an axis at one input alone.
    pub(crate) fn new(grid: &Grid<'_>, near: &Near) -> Result<Option<Self>, Refused> {
        let statement = grid.space.statement;
        let Some(limit) = near.limit().filter(|_| statement.inputs.len() == 2) else { return Ok(None) };
        must(near.norm != Norm::L0, || "changes between two inputs cannot be counted".to_owned())?;
        let mut features = vec![];
        for feature in 0..statement.features.len() {
            if statement.ties.get(feature) != Some(&Tie::Free) {
                continue;
            }
            let axes = [0, 1].map(|input| grid.axis_of(input, feature));
            let [Some(first), Some(second)] = axes else { continue };
            let is_known = features.iter().any(|known: &Coupled| known.axes == [first, second]);
            if !is_known {
                features.push(Coupled::new(grid, near, feature, [first, second]));
            }
        }
        Ok(Some(Self { norm: near.norm, limit: limit.ceil_f64(), features }))
    }

    /// Whether no two inputs of a box are near enough.
    pub(crate) fn excludes(&self, region: &Region) -> bool {
        let costs = self.features.iter().map(|feature| self.cost(feature.least(region)));
        self.exceeds(costs)
    }

    /// What a distance along a feature costs, rounded down.
    fn cost(&self, distance: f64) -> f64 {
        if self.norm == Norm::L2 { (distance * distance).next_down().max(0.0) } else { distance }
    }

    fn exceeds(&self, costs: impl Iterator<Item = f64>) -> bool {
        let total = match self.norm {
            Norm::Linf => costs.fold(0.0, f64::max),
            _ => costs.fold(0.0, |sum: f64, cost| if cost == 0.0 { sum } else { (sum + cost).next_down() }),
        };
        total > self.limit
    }

    /// Leaves of a box what is near enough to something of the other input, where the box has been narrowed from a whole. Returns
    /// whether something may be left.
    pub(crate) fn confine(&self, whole: &Region, region: &mut Region) -> bool {
        let mut is_narrowed = false;
        for feature in &self.features {
            let [first, second] = feature.axes;
            if region.axes[first] == whole.axes[first] && region.axes[second] == whole.axes[second] {
                continue;
            }
            is_narrowed = true;
            for side in [0, 1, 0] {
                let (own, other) = (feature.axes[side], feature.axes[1 - side]);
                let ends = feature.numbers(side, &region.axes[own]);
                let is_near = |cell: u32| {
                    let apart = feature.apart(side, &region.axes[own], ends, cell);
                    self.cost(apart) <= self.limit
                };
                let mut kept = region.axes[other].clone();
                kept.keep(is_near);
                if kept.is_empty() {
                    return false;
                }
                region.axes[other] = kept;
            }
        }
        !is_narrowed || self.norm == Norm::Linf || !self.excludes(region)
    }
}

impl Coupled {
    fn new(grid: &Grid<'_>, near: &Near, feature: usize, axes: [usize; 2]) -> Self {
        let cells = |side: usize| 0..grid.num_cells(axes[side]);
        let ends = [0, 1].map(|side| {
            let of_cell = |cell: u32| {
                let held = grid.held(axes[side], cell, feature);
                let is_number =
                    !grid.is_group(axes[side]) && !held.may_be_missing() && held.codes.is_empty() && !held.unknown;
                held.ends().filter(|_| is_number)
            };
            cells(side).map(of_cell).collect::<Vec<Option<(f64, f64)>>>()
        });
        let pair = |first: u32, second: u32| {
            if ends[0][first as usize].is_some() && ends[1][second as usize].is_some() {
                return f64::NAN;
            }
            let cost = near.of_pair(grid, feature, axes, [first, second]);
            let root = |cost: &Exact| match near.norm {
                Norm::L2 => cost.floor_f64().max(0.0).sqrt().next_down().max(0.0),
                _ => cost.floor_f64(),
            };
            cost.as_ref().map_or(f64::INFINITY, root)
        };
        let has_others = ends.iter().flatten().any(Option::is_none);
        let others = match has_others {
            true => cells(0).map(|first| cells(1).map(|second| pair(first, second)).collect()).collect(),
            false => vec![],
        };
        Self { axes, factor: near.factors[feature].0, ends, others }
    }

    /// The least and the greatest number of some cells of an input.
    fn numbers(&self, side: usize, cells: &CellSet) -> Option<(f64, f64)> {
        let ends = |cell: u32| self.ends[side][cell as usize];
        let mut ordered = cells.ordered();
        let first = ordered.clone().find_map(ends);
        let last = ordered.rfind(|cell| ends(*cell).is_some()).and_then(ends);
        let all = first.into_iter().chain(last).chain(cells.special().filter_map(ends));
        all.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)))
    }

    /// How far a cell of the other input is from some cells of one, at least.
    fn apart(&self, side: usize, cells: &CellSet, ends: Option<(f64, f64)>, other: u32) -> f64 {
        let by_numbers = ends.zip(self.ends[1 - side][other as usize]).map(|(one, other)| self.between(one, other));
        if self.others.is_empty() {
            return by_numbers.unwrap_or(f64::INFINITY);
        }
        let by_others = cells.cells().map(|own| {
            let (first, second) = if side == 0 { (own, other) } else { (other, own) };
            self.others[first as usize][second as usize]
        });
        by_others.filter(|cost| !cost.is_nan()).chain(by_numbers).fold(f64::INFINITY, f64::min)
    }

    /// How far two inputs of a box are apart along the feature, at least.
    fn least(&self, region: &Region) -> f64 {
        let [first, second] = self.axes.map(|axis| &region.axes[axis]);
        let ends = self.numbers(0, first);
        if self.others.is_empty() {
            let pair = ends.zip(self.numbers(1, second));
            return pair.map_or(f64::INFINITY, |(one, other)| self.between(one, other));
        }
        second.cells().map(|cell| self.apart(0, first, ends, cell)).fold(f64::INFINITY, f64::min)
    }

    /// How far two ranges of numbers are apart, rounded down.
    fn between(&self, one: (f64, f64), other: (f64, f64)) -> f64 {
        let apart = (other.0 - one.1).max(one.0 - other.1);
        if apart <= 0.0 || self.factor == 0.0 { 0.0 } else { (apart.next_down() * self.factor).next_down().max(0.0) }
    }
}
