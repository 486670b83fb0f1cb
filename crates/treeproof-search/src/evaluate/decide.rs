//! What follows from an evaluation: cells that can be removed, the cut to make, a point to try.

use super::Evaluation;
use super::falls::AxisFalls;
use crate::problem::Value;
use crate::region::{Cut, Part, Place, Region, Space};

impl Evaluation {
    /// The cell of every axis that loses least: a good guess at the best point.
    pub(crate) fn guess(&self, space: &Space, region: &Region, point: &mut Vec<u32>) {
        point.clear();
        for (index, shape) in space.axes.iter().enumerate() {
            let of_axis = &self.falls.axes[index];
            let (low, high) = (region.low[index], region.high[index]);
            let any = || match space.special_cells(region, index).next() {
                Some(cell) if low >= high => shape.ordered + cell,
                _ => low,
            };
            let place = |segment: u32| self.falls.place[segment as usize];
            point.push(if !of_axis.is_touched {
                any()
            } else if !of_axis.is_mixed {
                // The first cell of the segment, which may lie outside a region that has shrunk since.
                let first = if of_axis.cheapest == of_axis.first { low } else { place(of_axis.cheapest - 1) };
                first.clamp(low, high - 1)
            } else if place(of_axis.cheapest) == shape.special {
                low
            } else {
                shape.ordered + place(of_axis.cheapest)
            });
        }
    }

    /// Removes cells in which the bound falls by at least `enough`. Returns whether there were any.
    pub(crate) fn tighten(&self, space: &Space, region: &mut Region, enough: Value) -> bool {
        let mut changed = false;
        let shares: i64 = self.falls.touched.iter().map(|axis| self.falls.axes[*axis as usize].share_least).sum();
        for axis in &self.falls.touched {
            let index = *axis as usize;
            let of_axis = &self.falls.axes[index];
            // What every other axis costs at least, whatever this one does.
            let others = shares - of_axis.share_least;
            let falls_enough = |segment: usize| {
                self.falls.fall(of_axis, segment) >= enough
                    || self.unshare(self.falls.share[segment] + others) >= enough
            };
            let mut segments = of_axis.segments();
            if of_axis.is_mixed {
                for segment in segments.filter(|segment| falls_enough(*segment)) {
                    match self.falls.choice(space, *axis, segment) {
                        Place::Special(cell) => space.remove_special(region, index, cell),
                        _ => region.high[index] = region.low[index],
                    }
                    changed = true;
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
                changed = true;
            }
        }
        changed
    }

    /// The cut whose two parts fall most, by the product of the falls, with those falls; `None` if nothing falls.
    pub(crate) fn best_cut(&self, space: &Space, region: &Region, gap: Value) -> Option<(Cut, Value, Value)> {
        let epsilon = (gap as f64) * 1e-3 + 1e-9;
        let mut best: Option<(f64, u32, usize)> = None;
        for axis in &self.falls.touched {
            let of_axis = &self.falls.axes[*axis as usize];
            for segment in self.cuts(space, region, *axis, of_axis) {
                let (first, second) = (self.falls.first[segment], self.falls.second[segment]);
                let score = (first as f64 + epsilon) * (second as f64 + epsilon);
                if (first > 0 || second > 0) && best.as_ref().is_none_or(|(best, ..)| score > *best) {
                    best = Some((score, *axis, segment));
                }
            }
        }
        let (_, axis, segment) = best?;
        let place = if self.falls.axes[axis as usize].is_mixed {
            self.falls.choice(space, axis, segment)
        } else {
            Place::Below(self.falls.place[segment])
        };
        Some((Cut { axis, place }, self.falls.first[segment], self.falls.second[segment]))
    }

    /// The falls below a cut of an axis without special cells, and from the cut on.
    pub(crate) fn falls(&self, axis: u32, cut: u32) -> (Value, Value) {
        let of_axis = &self.falls.axes[axis as usize];
        let places = &self.falls.place[of_axis.segments()];
        // Below, the losses at later cuts count too; from the cut on, those at earlier ones.
        let place = of_axis.first as usize + places.partition_point(|place| *place < cut);
        let is_cut = place < of_axis.end as usize && self.falls.place[place] == cut;
        let first = if place < of_axis.end as usize { self.falls.first[place] } else { 0 };
        let up_to = if is_cut { place + 1 } else { place };
        let second = if up_to > of_axis.first as usize { self.falls.second[up_to - 1] } else { 0 };
        (first, second)
    }

    /// The segments of an axis at which a region can be cut.
    fn cuts(
        &self,
        space: &Space,
        region: &Region,
        axis: u32,
        of_axis: &AxisFalls,
    ) -> impl Iterator<Item = usize> + use<'_> {
        let index = axis as usize;
        let (low, high) = (region.low[index], region.high[index]);
        let (is_mixed, special) = (of_axis.is_mixed, space.axes[index].special);
        let choices = space.special_cells(region, index).count() + usize::from(low < high);
        let is_left = move |segment: &usize| {
            let place = self.falls.place[*segment];
            if is_mixed { choices > 1 && (place < special || low < high) } else { low < place && place < high }
        };
        of_axis.segments().filter(is_left)
    }

    /// How far the share bound of a part of a cut lies below the plain bound of the whole.
    pub(crate) fn share_fall(&self, region: &Region, cut: Cut, part: Part) -> Value {
        let Place::Below(cell) = cut.place else { return self.plain - self.bound };
        let of_axis = &self.falls.axes[cut.axis as usize];
        let (low, high) = (region.low[cut.axis as usize], region.high[cut.axis as usize]);
        // A segment ends at its place and lies on one side of the cut.
        let is_in_part = |segment: &usize| {
            let end = self.falls.place[*segment];
            end > low && end <= high && (end <= cell) == (part == Part::First)
        };
        let least = of_axis.segments().filter(is_in_part).map(|segment| self.falls.share[segment]).min();
        let others: i64 = self.falls.touched.iter().map(|axis| self.falls.axes[*axis as usize].share_least).sum();
        self.unshare(others - of_axis.share_least + least.unwrap_or(0))
    }
}
