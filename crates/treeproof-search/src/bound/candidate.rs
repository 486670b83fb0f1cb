//! Candidate points: good guesses at the best point of an evaluated region.

use super::{BoundAim, BoundObjective, Evaluation};
use crate::grid::{Axes, Region};

impl Evaluation {
    /// The cell of every axis that loses least: a good guess at the best point.
    pub(crate) fn guess(&self, space: &Axes, region: &Region, point: &mut Vec<u32>) {
        point.clear();
        point.extend((0..space.axes.len()).map(|index| {
            let of_axis = &self.falls.axes[index];
            if of_axis.is_touched {
                let (low, high) = self.cells(space, region, index, of_axis.cheapest);
                low.min(high)
            } else {
                first_cell(space, region, index)
            }
        }));
    }

    /// A cheap cell of every axis where it stands in the relaxed problem; within the budget, or dear enough to lose no
    /// more than is allowed.
    pub(crate) fn relaxed_guess(&self, aim: BoundAim<'_>, space: &Axes, region: &Region, point: &mut Vec<u32>) {
        let table = &aim.tables[self.prices.table];
        point.clear();
        for (axis, of_axis) in (0..).zip(&self.falls.axes) {
            let index = axis as usize;
            if !of_axis.is_touched {
                point.push(table.cheapest(space, region, index));
                continue;
            }
            let stand = match aim.objective {
                BoundObjective::Margin => self.prices.cheaper_stand(axis).unwrap_or(of_axis.stand),
                BoundObjective::Nearest { .. } => of_axis.stand,
            };
            let (low, high) = self.cells(space, region, index, stand);
            point.push(if low < high { table.cheapest_ordered(index, low, high) } else { high });
        }
    }

    /// The ordered cells `low..high` of a segment, or one special cell, as `high` below `low`. The region may have shrunk since it
    /// was evaluated.
    fn cells(&self, space: &Axes, region: &Region, index: usize, segment: u32) -> (u32, u32) {
        let (of_axis, shape) = (&self.falls.axes[index], space.axes[index]);
        let place = self.falls.place[segment as usize];
        if of_axis.is_mixed && place < shape.special {
            return (u32::MAX, shape.ordered + place);
        }
        let (low, high) = (region.low[index], region.high[index]);
        if of_axis.is_mixed {
            return (low, high);
        }
        let start = if segment == of_axis.first { low } else { self.falls.place[segment as usize - 1] };
        let start = start.clamp(low, high - 1);
        (start, place.min(high).max(start + 1))
    }
}

fn first_cell(space: &Axes, region: &Region, axis: usize) -> u32 {
    match space.special_cells(region, axis).next() {
        Some(cell) if region.low[axis] >= region.high[axis] => space.axes[axis].ordered + cell,
        _ => region.low[axis],
    }
}
