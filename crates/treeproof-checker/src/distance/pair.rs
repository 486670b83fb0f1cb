//! Distance of two inputs: the pairs of cells that are near enough.
//!
//! For counted changes every feature that may differ has an axis more, a selector, after all others: its second cell means that
//! the feature changes. A pair of inputs is in the box whose selectors are exactly its changes.
//!
//! Distances of cells are those of their nearest values, rounded down, and the radius is rounded up: no pair within it is
//! excluded.

use treeproof_ensemble::exact::Exact;
use treeproof_proof::statement::Tie;
use treeproof_proof::statement::distance::{Distance, Norm};

use crate::distance::pair_cost;
use crate::ledger::Ledger;
use crate::region::{CellSet, NarrowBox, Region};
use crate::space::grid::Grid;

/// A limit on the distance of two inputs.
#[derive(Debug)]
pub(crate) struct PairDistance {
    norm: Norm,
    /// The largest cost, exactly and rounded up: for L2 a square.
    exact_limit: Exact,
    limit: f64,
    features: Vec<PairFeature>,
}

/// A feature that may differ.
#[derive(Debug)]
struct PairFeature {
    feature: usize,
    /// Its axis at each input.
    axes: [usize; 2],
    selector: Option<usize>,
    factor: f64,
    /// The least and the greatest number of each cell, by input.
    ends: [Vec<Option<(f64, f64)>>; 2],
    /// The cells that hold more than numbers, by input.
    mixed: [Vec<u32>; 2],
    /// The costs of pairs with such a cell, rounded down; infinite if they have no common inputs.
    others: Vec<Vec<f64>>,
}

impl PairDistance {
    /// The limit of a statement about two inputs.
    pub(crate) fn new(grid: &Grid<'_>, near: &Distance, limit: Exact) -> Self {
        let statement = grid.space.statement;
        let mut features = vec![];
        for feature in 0..statement.features.len() {
            if statement.ties.get(feature) != Some(&Tie::Free) {
                continue;
            }
            let axes = [0, 1].map(|input| grid.axis_of(input, feature));
            let [Some(first), Some(second)] = axes else { continue };
            let is_known = features.iter().any(|known: &PairFeature| known.axes == [first, second]);
            if !is_known {
                let selector = (near.norm == Norm::L0).then(|| grid.everything().num_axes() + features.len());
                features.push(PairFeature::new(grid, near, feature, [first, second], selector));
            }
        }
        Self { norm: near.norm, limit: limit.ceil_f64(), exact_limit: limit, features }
    }

    /// All cells of a grid with the selectors.
    pub(crate) fn everything(&self, grid: &Grid<'_>) -> Region {
        let mut everything = grid.everything();
        everything.axes.extend(self.features.iter().filter_map(|of| of.selector).map(|_| CellSet::all(2, 2)));
        everything
    }

    /// The ledger of selectors: each change costs its factor, in a unit in which all are whole or small.
    pub(crate) fn changes(&self, num_axes: usize) -> Option<Ledger> {
        const UNITS: f64 = (1_u64 << 40) as f64;
        /// A limit above the cost of all changes.
        const MOST: i64 = 1 << 60;
        let is_whole = self.features.iter().all(|of| of.factor.fract() == 0.0 && of.factor < UNITS);
        // All doubles are multiples of the least one, which is the unit if the radius is too small to be divided.
        let unit = Exact::from_f64(if is_whole { 1.0 } else { (self.limit / UNITS).max(f64::from_bits(1)) })?;
        let count = |cost: &Exact| cost.divided_by(&unit).floor().ceil_i64();
        let most = count(&self.exact_limit).unwrap_or(i64::MAX).min(MOST);
        let mut costs = vec![vec![]; num_axes];
        for of in &self.features {
            let cost = Exact::from_f64(of.factor).and_then(|factor| count(&factor));
            costs[of.selector?] = vec![0, cost.unwrap_or(i64::MAX).min(most + 1)];
        }
        Some(Ledger { costs, fixed: 0, limit: Some(most), is_largest: false })
    }

    /// True if no two inputs of a box are near enough.
    pub(crate) fn excludes(&self, region: &Region) -> bool {
        let costs = self.features.iter().map(|feature| self.cost(feature.least(|axis| &region.axes[axis])));
        self.exceeds(costs)
    }

    /// The least cost of all but some features in a box, exact where they have one cell at each input; `None` if they are too
    /// far apart.
    pub(crate) fn spent(&self, grid: &Grid<'_>, near: &Distance, region: &Region, without: &[u32]) -> Option<Exact> {
        let mut costs = vec![];
        for of in self.features.iter().filter(|of| !without.contains(&(of.feature as u32))) {
            let only = |axis: usize| {
                let mut cells = region.axes[axis].cells();
                cells.next().filter(|_| cells.next().is_none())
            };
            match of.axes.map(only) {
                [Some(first), Some(second)] => {
                    let along = pair_cost(near, grid, of.feature, of.axes, [first, second])?;
                    let may_be = |cell: u32| of.selector.is_none_or(|selector| region.axes[selector].has(cell));
                    match along > Exact::zero() {
                        // Features that cannot be the same change.
                        true if !may_be(1) => return None,
                        false if !may_be(0) => costs.push(Exact::from_f64(of.factor)?),
                        _ => costs.push(along),
                    }
                }
                _ => costs.push(Exact::from_f64(self.cost(of.least(|axis| &region.axes[axis])))?),
            }
        }
        Some(near.total(costs))
    }

    /// True if a feature is the same in both inputs of a box, by its selector.
    pub(crate) fn stays(&self, region: &Region, feature: usize) -> bool {
        let of = self.features.iter().find(|of| of.feature == feature);
        of.and_then(|of| of.selector).is_some_and(|selector| !region.axes[selector].has(1))
    }

    /// The cost of a distance along a feature, rounded down.
    fn cost(&self, distance: f64) -> f64 {
        if self.norm == Norm::L2 { (distance * distance).next_down().max(0.0) } else { distance }
    }

    fn exceeds(&self, costs: impl Iterator<Item = f64>) -> bool {
        let total = match self.norm {
            Norm::Linf => costs.fold(0.0, f64::max),
            Norm::L2 | Norm::L1 | Norm::L0 => {
                costs.fold(
                    0.0,
                    |sum: f64, cost| if sum == 0.0 || cost == 0.0 { sum + cost } else { (sum + cost).next_down() },
                )
            }
        };
        total > self.limit
    }

    /// Narrows a box, of which an axis was just narrowed, to the cells that are near enough to the other input. Returns false
    /// if none are left.
    pub(crate) fn follow(&self, everything: &Region, way: &mut NarrowBox, axis: u32) -> bool {
        let is_own = |feature: &&PairFeature| feature.axes.contains(&(axis as usize));
        let Some(feature) = self.features.iter().find(is_own) else { return true };
        if let Some(selector) = feature.selector {
            // Features that cannot be the same change.
            let apart = feature.apart_in(|axis| way.cells(everything, axis as u32));
            if apart.is_infinite() {
                return false;
            }
            if apart > 0.0 {
                let mut kept = way.cells(everything, selector as u32).clone();
                kept.keep(|cell| cell == 1);
                way.keep(selector as u32, kept);
            }
        } else {
            for side in [0, 1, 0] {
                let [own, other] = [side, 1 - side].map(|side| way.cells(everything, feature.axes[side] as u32));
                let ends = feature.numbers(side, own);
                let mut kept = other.clone();
                kept.keep(|cell| self.cost(feature.apart(side, own, ends, cell)) <= self.limit);
                if kept.is_empty() {
                    return false;
                }
                if !kept.is_same(other) {
                    way.keep(feature.axes[1 - side] as u32, kept);
                }
            }
            if self.norm == Norm::Linf {
                return true;
            }
        }
        // Features that were not narrowed are skipped.
        let is_narrowed = |feature: &&PairFeature| {
            let axes = feature.axes.into_iter().chain(feature.selector);
            axes.into_iter().any(|axis| way.narrowed.iter().any(|(own, _)| *own as usize == axis))
        };
        let narrowed = self.features.iter().filter(is_narrowed);
        let least = |feature: &PairFeature| feature.least(|axis| way.cells(everything, axis as u32));
        !self.exceeds(narrowed.map(|feature| self.cost(least(feature))))
    }
}

impl PairFeature {
    fn new(grid: &Grid<'_>, near: &Distance, feature: usize, axes: [usize; 2], selector: Option<usize>) -> Self {
        let cells = |side: usize| 0..grid.num_cells(axes[side]);
        let ends = [0, 1].map(|side| {
            let of_cell = |cell: u32| {
                let held = grid.cell_values(axes[side], cell, feature);
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
            let cost = pair_cost(near, grid, feature, axes, [first, second]);
            let root = |cost: &Exact| match near.norm {
                Norm::L2 => cost.floor_f64().max(0.0).sqrt().next_down().max(0.0),
                _ => cost.floor_f64(),
            };
            cost.as_ref().map_or(f64::INFINITY, root)
        };
        let mixed = [0, 1].map(|side| cells(side).filter(|cell| ends[side][*cell as usize].is_none()).collect());
        let others = match mixed.iter().any(|cells: &Vec<u32>| !cells.is_empty()) {
            true => cells(0).map(|first| cells(1).map(|second| pair(first, second)).collect()).collect(),
            false => vec![],
        };
        Self { feature, axes, selector, factor: near.number_factor(feature).0, ends, mixed, others }
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

    /// The least distance of a cell of the other input from some cells of one.
    fn apart(&self, side: usize, cells: &CellSet, ends: Option<(f64, f64)>, other: u32) -> f64 {
        let pair = |own: u32| {
            let (first, second) = if side == 0 { (own, other) } else { (other, own) };
            self.others[first as usize][second as usize]
        };
        match self.ends[1 - side][other as usize] {
            Some(numbers) => {
                let mixed = self.mixed[side].iter().filter(|own| cells.has(**own)).map(|own| pair(*own));
                mixed.chain(ends.map(|ends| self.between(ends, numbers))).fold(f64::INFINITY, f64::min)
            }
            None => cells.cells().map(pair).fold(f64::INFINITY, f64::min),
        }
    }

    /// The least cost of a feature in a box, by its selector, too.
    fn least<'a>(&self, cells: impl Fn(usize) -> &'a CellSet) -> f64 {
        let apart = self.apart_in(&cells);
        let Some(selector) = self.selector else { return apart };
        let (may_stay, may_change) = (cells(selector).has(0), cells(selector).has(1));
        match apart > 0.0 {
            true if !may_change => f64::INFINITY,
            true => apart,
            false if may_stay => 0.0,
            false => self.factor,
        }
    }

    /// The least distance of two inputs of a box along the feature.
    fn apart_in<'a>(&self, cells: impl Fn(usize) -> &'a CellSet) -> f64 {
        let [first, second] = self.axes.map(cells);
        let ends = self.numbers(0, first);
        if self.others.is_empty() {
            let pair = ends.zip(self.numbers(1, second));
            return pair.map_or(f64::INFINITY, |(one, other)| self.between(one, other));
        }
        second.cells().map(|cell| self.apart(0, first, ends, cell)).fold(f64::INFINITY, f64::min)
    }

    /// The distance of two ranges of numbers, rounded down.
    fn between(&self, one: (f64, f64), other: (f64, f64)) -> f64 {
        let apart = (other.0 - one.1).max(one.0 - other.1);
        match () {
            // Infinities of one sign are equal, though their difference is NaN.
            () if apart.is_nan() || apart <= 0.0 || self.factor == 0.0 => 0.0,
            () if self.selector.is_some() => self.factor,
            () => (apart.next_down() * self.factor).next_down().max(0.0),
        }
    }
}
