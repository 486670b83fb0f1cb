//! Bound tightening: the removal of cells in which nothing can beat the incumbent.

use super::Evaluation;
use crate::grid::{Axes, Place, Region, Value};

impl Evaluation {
    /// Removes cells in which the bound falls by at least `enough`. Reports the axes, each with true if shares alone
    /// would not have been enough.
    pub(crate) fn tighten(
        &self,
        space: &Axes,
        region: &mut Region,
        enough: Value,
        mut tell: impl FnMut(&Region, u32, bool),
    ) {
        let enough_shares = self.shares_that_lose(enough);
        for axis in &self.falls.touched {
            let index = *axis as usize;
            let of_axis = &self.falls.axes[index];
            // What every other axis costs at least, whatever this one does.
            let others = self.total - of_axis.share_least;
            let mut is_by_leaves = false;
            let mut falls_enough = |segment: usize| {
                let is_by_shares = self.falls.share[segment] + others >= enough_shares;
                let falls = is_by_shares || self.falls.fall(of_axis, segment) >= enough;
                is_by_leaves |= falls && !is_by_shares;
                falls
            };
            let mut segments = of_axis.segments();
            if of_axis.is_mixed {
                let mut changed = false;
                for segment in segments.filter(|segment| falls_enough(*segment)) {
                    match self.falls.choice(space, *axis, segment) {
                        Place::Special(cell) => space.remove_special(region, index, cell),
                        _ => region.high[index] = region.low[index],
                    }
                    changed = true;
                }
                if changed {
                    tell(region, *axis, is_by_leaves);
                }
                continue;
            }
            let (low, high) = (region.low[index], region.high[index]);
            let (mut new_low, mut new_high) = (low, high);
            while !segments.is_empty() && falls_enough(segments.start) {
                new_low = self.falls.place[segments.start];
                segments.start += 1;
            }
            while !segments.is_empty() && falls_enough(segments.end - 1) {
                segments.end -= 1;
                new_high = self.falls.place[segments.end - 1];
            }
            if new_low > low || new_high < high {
                region.low[index] = new_low.max(low);
                region.high[index] = new_high.min(high);
                tell(region, *axis, is_by_leaves);
            }
        }
    }
}
