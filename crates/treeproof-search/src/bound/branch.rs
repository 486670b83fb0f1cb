//! Branching: the cut whose parts fall most, and the bounds of its parts.

use super::Evaluation;
use super::falls::AxisFalls;
use crate::compiled::WEIGHT_BITS;
use crate::grid::{Axes, CutPart, Place, Region, RegionCut, Value};

impl Evaluation {
    /// The cut whose two parts fall most, by the product of the falls, with those falls; `None` if nothing falls. What a part
    /// costs more counts as a fall, at its price.
    pub(crate) fn best_cut(&self, space: &Axes, region: &Region, gap: Value) -> Option<(RegionCut, Value, Value)> {
        let epsilon = (gap as f64) * 1e-3 + 1e-9;
        let price = self.value_of_cost();
        let mut best: Option<(f64, u32, usize)> = None;
        for axis in &self.falls.touched {
            let of_axis = &self.falls.axes[*axis as usize];
            for segment in self.cuts(space, region, *axis) {
                let (first, second) = (self.falls.first[segment], self.falls.second[segment]);
                let (mut score_first, mut score_second) = (first as f64 + epsilon, second as f64 + epsilon);
                if price > 0.0 {
                    let (cost_first, cost_second) = self.costs_of_parts(of_axis, segment);
                    score_first += price * cost_first as f64;
                    score_second += price * cost_second as f64;
                }
                let score = score_first * score_second;
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
        Some((RegionCut { axis, place }, self.falls.first[segment], self.falls.second[segment]))
    }

    /// The worth of a unit of cost, in the unit of values.
    pub(crate) fn value_of_cost(&self) -> f64 {
        self.prices.price.slope() * 2.0_f64.powi(self.shift.cast_signed() - WEIGHT_BITS.cast_signed())
    }

    /// The extra cost of either part of a cut over the whole.
    fn costs_of_parts(&self, of_axis: &AxisFalls, cut: usize) -> (Value, Value) {
        let cost = |segment: usize| self.prices.cost(&self.falls, segment);
        if of_axis.is_mixed {
            let others = of_axis.segments().filter(|segment| *segment != cut).map(cost).min();
            return (cost(cut), others.unwrap_or(0));
        }
        let segments = of_axis.segments();
        let first = (segments.start..=cut).map(cost).min();
        let second = (cut + 1..segments.end).map(cost).min();
        (first.unwrap_or(0), second.unwrap_or(0))
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
    fn cuts(&self, space: &Axes, region: &Region, axis: u32) -> impl Iterator<Item = usize> + use<'_> {
        let index = axis as usize;
        let (low, high) = (region.low[index], region.high[index]);
        let of_axis = &self.falls.axes[index];
        let (is_mixed, special) = (of_axis.is_mixed, space.axes[index].special);
        let choices = space.special_cells(region, index).count() + usize::from(low < high);
        let is_left = move |segment: &usize| {
            let place = self.falls.place[*segment];
            if is_mixed { choices > 1 && (place < special || low < high) } else { low < place && place < high }
        };
        of_axis.segments().filter(is_left)
    }

    /// The fall of the share bound of a part of a cut, from the plain bound of the whole.
    pub(crate) fn share_fall(&self, region: &Region, cut: RegionCut, part: CutPart) -> Value {
        self.lost(self.shares_of_part(region, cut, part))
    }

    /// For nearest points: a lower bound on the cost of points in a part of a cut.
    pub(crate) fn distance_of_part(&self, region: &Region, cut: RegionCut, part: CutPart) -> Value {
        self.prices.least_cost(self.shares_of_part(region, cut, part))
    }

    /// A lower bound on the shares and prices of all axes in a part of a cut.
    fn shares_of_part(&self, region: &Region, cut: RegionCut, part: CutPart) -> i64 {
        let Place::Below(cell) = cut.place else { return self.total };
        let index = cut.axis as usize;
        let of_axis = &self.falls.axes[index];
        if of_axis.is_mixed {
            return self.total;
        }
        let (low, high) = match part {
            CutPart::First => (region.low[index], cell),
            CutPart::Second => (cell, region.high[index]),
        };
        // The region may have shrunk since it was evaluated, so that its ends are within segments: whatever has a cell in common
        // with the part counts.
        let is_in_part = |segment: &usize| {
            let start = if *segment == of_axis.segments().start { 0 } else { self.falls.place[*segment - 1] };
            start < high && self.falls.place[*segment] > low
        };
        let least = of_axis.segments().filter(is_in_part).map(|segment| self.falls.share[segment]).min();
        self.total - of_axis.share_least + least.unwrap_or(of_axis.share_least)
    }
}
