//! What a ball means on the way to a pair of leaves, one at each of two inputs.

use treeproof_ensemble::norm::Norm;
use treeproof_search::{Axis, Cells};

use super::coupled::{CellSummary, CoupledFeature};
use super::coupling::{Coupling, sum_down};
use crate::problem::pair::NarrowedAxes;
use crate::problem::position;

/// What becomes of points when an axis was narrowed.
pub(in crate::problem) enum PairReach {
    /// Some may be left.
    Possible,
    /// The inputs would be too far apart.
    Impossible,
    /// Some may be left where a feature changes, as this axis says.
    Changed(u32),
}

/// A split one side of which no two inputs reach that are near enough.
pub(in crate::problem) struct ForcedSplit {
    pub(in crate::problem) axis: u32,
    pub(in crate::problem) cut: u32,
    pub(in crate::problem) special_left: Vec<u32>,
    pub(in crate::problem) is_left_impossible: bool,
}

impl Coupling {
    /// Confines the other input to where it can be after an axis was narrowed, and back.
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

    /// Whether anything is left.
    fn follow_distance(&self, axes: &[Axis], region: &mut NarrowedAxes, coupled: &CoupledFeature, side: usize) -> bool {
        let most = if self.norm == Norm::L2 { self.rounded[1].sqrt().next_up() } else { self.rounded[1] };
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
        if self.norm == Norm::Linf {
            return true;
        }
        let cost = |coupled: &CoupledFeature| {
            let [first, second] = [0, 1].map(|side| of_region(coupled, axes, region, side));
            self.squared(coupled.least_of([&first, &second]))
        };
        let is_narrowed = |coupled: &&CoupledFeature| coupled.axes.iter().any(|axis| region.has(position(*axis)));
        let total = self.features.iter().filter(is_narrowed).map(cost).fold(0.0, sum_down);
        total <= self.rounded[1]
    }

    /// The splits that confine points of a region to where the inputs are near, beyond what splits on the way have done.
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
            let before = known.cells(axes, axis);
            if cells.ordered.is_empty() && !before.ordered.is_empty() {
                let (cut, special_left) = (axes[axis as usize].ordered, vec![]);
                forced.push(ForcedSplit { axis, cut, special_left, is_left_impossible: true });
            } else {
                if cells.ordered.start > before.ordered.start {
                    let (cut, special_left) = (cells.ordered.start, vec![]);
                    forced.push(ForcedSplit { axis, cut, special_left, is_left_impossible: true });
                }
                if cells.ordered.end < before.ordered.end {
                    let (cut, special_left) = (cells.ordered.end, (0..axes[axis as usize].special).collect());
                    forced.push(ForcedSplit { axis, cut, special_left, is_left_impossible: false });
                }
            }
            let gone: Vec<u32> = before.special.into_iter().filter(|cell| !cells.special.contains(cell)).collect();
            if !gone.is_empty() {
                forced.push(ForcedSplit { axis, cut: 0, special_left: gone, is_left_impossible: true });
            }
        }
        forced
    }
}

/// What the cells of a region have of a feature at an input.
fn of_region(coupled: &CoupledFeature, axes: &[Axis], region: &NarrowedAxes, side: usize) -> CellSummary {
    let axis = coupled.axes[side];
    let first_special = axes[axis].ordered;
    let Cells { ordered, special } = region.cells(axes, position(axis));
    coupled.summary(side, ordered, special.into_iter().map(|cell| first_special + cell))
}
