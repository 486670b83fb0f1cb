//! A table of cell costs: the least cost of a set of cells, and the cells that no point within a limit has.

use crate::compiled::weight_shift;
use crate::grid::{Axes, Axis, MAX_MAGNITUDE, Region, Value, index};
use crate::problem::{Budget, Costs, Distance, Norm};

/// The costs of a budget or a distance.
#[derive(Debug)]
pub(crate) struct CostTable {
    axes: Vec<AxisCosts>,
    /// The axes whose cells do not all cost the same.
    varying: Vec<u32>,
    /// The cost of all other axes together.
    fixed: Value,
    pub(crate) norm: Norm,
    /// The unit of tolls is `2^(shift − 16)`.
    pub(crate) toll_shift: u32,
    /// The limit on the cost of a point, where that is part of the problem; negative if no point is within it.
    pub(crate) limit: Value,
}

#[derive(Debug)]
struct AxisCosts {
    cells: Box<[Value]>,
    max_cost: Value,
    /// The ordered cell from which costs never fall in either direction, if there is one, as for distances.
    valley: Option<u32>,
}

impl CostTable {
    pub(crate) fn of_budget(axes: &[Axis], budget: &Budget) -> Self {
        let lowest = |cells: &Vec<Value>| cells.iter().copied().min().unwrap_or(0);
        // Costs of any sign are counted from the least of each axis.
        let above_lowest = |cells: &Vec<Value>| {
            let lowest = lowest(cells);
            cells.iter().map(|cost| cost - lowest).collect()
        };
        check(axes, &budget.costs);
        let costs = Costs { axes: budget.costs.axes.iter().map(above_lowest).collect() };
        let limit =
            i128::from(budget.limit) - budget.costs.axes.iter().map(|cells| i128::from(lowest(cells))).sum::<i128>();
        #[expect(
            clippy::cast_possible_truncation,
            reason = "clamped; no point costs less than 0 or more than the dearest cells"
        )]
        let limit = limit.clamp(-1, i128::from(MAX_MAGNITUDE)) as Value;
        Self::new(axes, &costs, Norm::Sum, limit)
    }

    pub(crate) fn of_distance(axes: &[Axis], distance: &Distance) -> Self {
        check(axes, &distance.costs);
        assert!(distance.costs.axes.iter().flatten().all(|cost| *cost >= 0), "a negative distance");
        Self::new(axes, &distance.costs, distance.norm, MAX_MAGNITUDE)
    }

    fn new(axes: &[Axis], costs: &Costs, norm: Norm, limit: Value) -> Self {
        let ready = |(cells, axis): (&Vec<Value>, &Axis)| AxisCosts {
            cells: cells.as_slice().into(),
            max_cost: cells.iter().copied().max().unwrap_or(0),
            valley: valley(&cells[..axis.ordered as usize]),
        };
        let axes: Vec<AxisCosts> = costs.axes.iter().zip(axes).map(ready).collect();
        let is_varying = |axis: &AxisCosts| axis.cells.iter().any(|cost| *cost != axis.max_cost);
        let others = axes.iter().filter(|axis| !is_varying(axis)).map(|axis| axis.max_cost);
        let fixed = match norm {
            Norm::Sum => others.sum(),
            Norm::Max => others.max().unwrap_or(0),
        };
        let varying = (0..).zip(&axes).filter(|(_, axis)| is_varying(axis)).map(|(axis, _)| axis).collect();
        let toll_shift = weight_shift(axes.iter().map(|axis| axis.max_cost).sum());
        Self { axes, varying, fixed, norm, toll_shift, limit }
    }

    /// The cost of the dearest cell of all.
    pub(crate) fn max_cost(&self) -> Value {
        self.axes.iter().map(|axis| axis.max_cost).max().unwrap_or(0)
    }

    /// The cost of a cell.
    #[inline]
    pub(crate) fn cost(&self, axis: usize, cell: u32) -> Value {
        self.axes[axis].cells[cell as usize]
    }

    /// The cost of a point.
    pub(crate) fn of_point(&self, point: &[u32]) -> Value {
        self.combine(|axis| self.cost(axis, point[axis]))
    }

    /// A lower bound on the cost of all points of a region.
    pub(crate) fn least(&self, space: &Axes, region: &Region) -> Value {
        self.combine(|axis| self.least_of_axis(space, region, axis))
    }

    fn combine(&self, cost: impl Fn(usize) -> Value) -> Value {
        let costs = self.varying.iter().map(|axis| cost(*axis as usize));
        match self.norm {
            Norm::Sum => self.fixed + costs.sum::<Value>(),
            Norm::Max => costs.fold(self.fixed, Value::max),
        }
    }

    /// The cheapest of the ordered cells `low..high`, which must not be empty.
    #[inline]
    pub(crate) fn cheapest_ordered(&self, axis: usize, low: u32, high: u32) -> u32 {
        let of_axis = &self.axes[axis];
        match of_axis.valley {
            Some(valley) => valley.clamp(low, high - 1),
            None => (low..high).min_by_key(|cell| of_axis.cells[*cell as usize]).expect("an interval that has cells"),
        }
    }

    /// The cheapest cell of an axis.
    pub(crate) fn cheapest(&self, space: &Axes, region: &Region, axis: usize) -> u32 {
        let (low, high, first_special) = (region.low[axis], region.high[axis], space.axes[axis].ordered);
        let ordered = (low < high).then(|| self.cheapest_ordered(axis, low, high));
        if first_special == self.axes[axis].cells.len() as u32 {
            return ordered.expect("an axis that has cells");
        }
        let special = space.special_cells(region, axis).map(|cell| first_special + cell);
        ordered.into_iter().chain(special).min_by_key(|cell| self.cost(axis, *cell)).expect("an axis that has cells")
    }

    /// The cost of the cheapest cell of an axis.
    #[inline]
    pub(crate) fn least_of_axis(&self, space: &Axes, region: &Region, axis: usize) -> Value {
        self.cost(axis, self.cheapest(space, region, axis))
    }

    /// Removes cells that are too expensive even if all other axes take their cheapest. Of ordered cells only those at the
    /// ends can go. Returns whether there were any; `None` if every point costs too much.
    pub(crate) fn propagate(&self, space: &Axes, region: &mut Region, limit: Value) -> Option<bool> {
        let least = self.least(space, region);
        if least > limit {
            return None;
        }
        let mut changed = false;
        for axis in &self.varying {
            let index = *axis as usize;
            let of_axis = &self.axes[index];
            let room = match self.norm {
                Norm::Sum => limit - least + self.least_of_axis(space, region, index),
                Norm::Max => limit,
            };
            if of_axis.max_cost <= room {
                continue;
            }
            changed |= space.retain(region, index, |cell| of_axis.cells[cell as usize] <= room);
        }
        Some(changed)
    }

    /// An axis on which a point costs more than it must, of a point that costs too much although others of the region do
    /// not.
    pub(crate) fn costliest_axis(&self, space: &Axes, region: &Region, point: &[u32]) -> u32 {
        let excess = |axis: u32| {
            let index = axis as usize;
            self.cost(index, point[index]) - self.least_of_axis(space, region, index)
        };
        self.varying.iter().copied().max_by_key(|axis| excess(*axis)).expect("a point that could cost less")
    }
}

/// # Panics
/// If there is not one cost per cell, or sums of them could overflow.
fn check(axes: &[Axis], costs: &Costs) {
    let fits = |(cells, axis): (&Vec<Value>, &Axis)| cells.len() == axis.num_cells() as usize;
    assert!(
        costs.axes.len() == axes.len() && costs.axes.iter().zip(axes).all(fits),
        "a cost for every cell of every axis"
    );
    let span = |cells: &Vec<Value>| {
        let with_zero = || cells.iter().copied().chain([0]).map(i128::from);
        with_zero().max().unwrap_or(0) - with_zero().min().unwrap_or(0)
    };
    assert!(costs.axes.iter().map(span).sum::<i128>() <= i128::from(MAX_MAGNITUDE), "costs whose sums could overflow");
}

/// The cell up to which costs fall and from which on they do not, if there is one.
fn valley(costs: &[Value]) -> Option<u32> {
    let least = costs.iter().enumerate().min_by_key(|(_, cost)| **cost)?.0;
    let is_valley = costs[..=least].is_sorted_by(|a, b| a >= b) && costs[least..].is_sorted();
    is_valley.then(|| index(least))
}
