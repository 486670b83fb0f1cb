//! The ball on the way to a pair of leaves, one at each of two inputs.

use treeproof_search::{Axis, Cells};

use super::coupled::{CellSummary, CoupledFeature};
use super::coupling::{Coupling, sum_down};
use crate::problem::narrowed_axes::NarrowedAxes;
use crate::problem::position;

/// The effect of narrowing an axis on the points that are left.
pub(in crate::problem) enum PairReach {
    /// Some points may be left.
    Possible,
    /// No point is left: the inputs would be too far apart.
    Impossible,
    /// Some points may be left if a feature changes, as this axis says.
    Changed(u32),
}

/// A split with a side that no two inputs near each other reach.
pub(in crate::problem) struct ForcedSplit {
    pub(in crate::problem) axis: u32,
    pub(in crate::problem) cut: u32,
    pub(in crate::problem) special_left: Vec<u32>,
    pub(in crate::problem) is_left_impossible: bool,
}

impl Coupling {
    /// Confines the other input to the reach of the ball after an axis was narrowed, and back.
    pub(in crate::problem) fn follow(&self, axes: &[Axis], region: &mut NarrowedAxes, axis: u32) -> PairReach {
        let Some((place, side)) = self.of_axis[axis as usize] else { return PairReach::Possible };
        let coupled = &self.features[place];
        match coupled.selector {
            Some(selector) => self.follow_count(axes, region, coupled, position(selector)),
            None => match self.follow_distance(axes, region, coupled, side) {
                true => PairReach::Possible,
                false => PairReach::Impossible,
            },
        }
    }

    fn follow_count(
        &self,
        axes: &[Axis],
        region: &mut NarrowedAxes,
        coupled: &CoupledFeature,
        selector: u32,
    ) -> PairReach {
        let [first, second] = [0, 1].map(|side| of_region(coupled, axes, region, side));
        let least = coupled.least_of([&first, &second]);
        let changes = |region: &NarrowedAxes, selector: u32| region.cells(axes, selector).ordered.start == 1;
        match () {
            () if least == 0.0 || changes(region, selector) => PairReach::Possible,
            () if least == f64::INFINITY => PairReach::Impossible,
            () => {
                region.keep(selector, Cells { ordered: 1..2, special: vec![] });
                let changed = self.features.iter().filter(|other| {
                    let selector = other.selector.expect("changes are counted of all");
                    changes(region, position(selector))
                });
                let total = changed.fold(0.0, |sum: f64, other| sum_down(sum, other.factor));
                if total > self.rounded[1] { PairReach::Impossible } else { PairReach::Changed(selector) }
            }
        }
    }

    /// True if any point is left.
    fn follow_distance(&self, axes: &[Axis], region: &mut NarrowedAxes, coupled: &CoupledFeature, side: usize) -> bool {
        let most = self.rule.distance_up(self.rounded[1]);
        for side in [side, 1 - side] {
            let summary = of_region(coupled, axes, region, side);
            let (axis, is_near) =
                (position(coupled.axes[1 - side]), |cell| coupled.least(side, &summary, cell) <= most);
            let Cells { mut ordered, mut special } = region.cells(axes, axis);
            let first_special = axes[axis as usize].ordered;
            while !ordered.is_empty() && !is_near(ordered.start) {
                ordered.start += 1;
            }
            while !ordered.is_empty() && !is_near(ordered.end - 1) {
                ordered.end -= 1;
            }
            special.retain(|cell| is_near(first_special + cell));
            if ordered.is_empty() && special.is_empty() {
                return false;
            }
            region.keep(axis, Cells { ordered, special });
        }
        if self.rule.takes_largest {
            return true;
        }
        let cost = |coupled: &CoupledFeature| {
            let [first, second] = [0, 1].map(|side| of_region(coupled, axes, region, side));
            self.rule.cost_down(coupled.least_of([&first, &second]))
        };
        let is_narrowed = |coupled: &&CoupledFeature| coupled.axes.iter().any(|axis| region.has(position(*axis)));
        let total = self.features.iter().filter(is_narrowed).map(cost).fold(0.0, sum_down);
        total <= self.rounded[1]
    }

    /// The splits that confine points of a region to the ball, beyond the splits on the way.
    pub(in crate::problem) fn forced(
        &self,
        axes: &[Axis],
        known: &NarrowedAxes,
        region: &NarrowedAxes,
    ) -> Vec<ForcedSplit> {
        let mut forced = vec![];
        for (axis, cells) in region.narrowed() {
            if self.of_axis.get(axis as usize).is_none_or(Option::is_none) {
                continue;
            }
            let mut force = |cut: u32, special_left: Vec<u32>, is_left_impossible: bool| {
                forced.push(ForcedSplit { axis, cut, special_left, is_left_impossible });
            };
            let (before, shape) = (known.cells(axes, axis), axes[axis as usize]);
            if cells.ordered.is_empty() && !before.ordered.is_empty() {
                force(shape.ordered, vec![], true);
            } else {
                if cells.ordered.start > before.ordered.start {
                    force(cells.ordered.start, vec![], true);
                }
                if cells.ordered.end < before.ordered.end {
                    force(cells.ordered.end, (0..shape.special).collect(), false);
                }
            }
            let gone: Vec<u32> = before.special.into_iter().filter(|cell| !cells.special.contains(cell)).collect();
            if !gone.is_empty() {
                force(0, gone, true);
            }
        }
        forced
    }
}

/// The values of a feature at an input in the cells of a region.
fn of_region(coupled: &CoupledFeature, axes: &[Axis], region: &NarrowedAxes, side: usize) -> CellSummary {
    let axis = coupled.axes[side];
    let first_special = axes[axis].ordered;
    let Cells { ordered, special } = region.cells(axes, position(axis));
    coupled.summary(side, ordered, special.into_iter().map(|cell| first_special + cell))
}
