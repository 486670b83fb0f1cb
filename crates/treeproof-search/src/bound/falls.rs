//! The falls of the plain bound: the losses of all trees added up.
//!
//! On an ordered axis the cuts at which some tree loses part its cells into segments; within a segment nothing changes,
//! so a segment stands for its cells. On a mixed axis every choice is a segment.

use super::losses::{AxisLosses, Losses};
use crate::grid::{Axes, Place, Region, Value, index};

/// The falls per axis and segment.
#[derive(Debug, Default)]
pub(super) struct Falls {
    pub(super) axes: Vec<AxisFalls>,
    pub(super) touched: Vec<u32>,
    /// Per segment: the cut at its upper end, or the choice. An axis has one slot more than segments.
    pub(super) place: Vec<u32>,
    /// Per segment: the fall below that cut, or in the choice.
    pub(super) first: Vec<Value>,
    /// Per segment: the fall from that cut on, or without the choice.
    pub(super) second: Vec<Value>,
    /// Per segment: what a point in it loses by shares.
    pub(super) share: Vec<i64>,
    events: Vec<u64>,
    slot_of: Vec<u32>,
}

/// The segments of an axis.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AxisFalls {
    pub(super) is_touched: bool,
    pub(super) is_mixed: bool,
    pub(super) first: u32,
    pub(super) end: u32,
    /// The segment that loses least.
    pub(super) cheapest: u32,
    /// True if shares would be lost on it.
    pub(super) is_idle: bool,
    /// The segment in which a good point is thought to be, and what falls there.
    pub(super) stand: u32,
    pub(super) at_stand: Value,
    /// The shares of the cheapest segment.
    pub(super) share_least: i64,
}

impl AxisFalls {
    pub(super) fn segments(&self) -> std::ops::Range<usize> {
        self.first as usize..self.end as usize
    }
}

impl Falls {
    /// Adds up the losses of all trees, and writes into each where its sum is.
    pub(super) fn add_up(&mut self, space: &Axes, region: &Region, losses: &mut Losses) {
        self.axes.clear();
        self.axes.resize(space.axes.len(), AxisFalls::default());
        self.touched.clear();
        self.events.resize(space.num_events, 0);
        self.slot_of.resize(space.num_places, 0);
        for group in &losses.groups {
            self.touch(group.axis, group.is_mixed);
            if !group.is_mixed {
                let first = space.first_event[group.axis as usize];
                for loss in &losses.losses[group.first as usize..group.end as usize] {
                    self.events[(first + loss.place / 64) as usize] |= 1 << (loss.place % 64);
                }
            }
        }
        losses.sole_choices.iter().for_each(|lost| self.touch(lost.axis, true));
        self.part(space, region);
        for group in &losses.groups {
            let first_place = space.first_place[group.axis as usize] + choices(space, group);
            for (number, loss) in (group.first..).zip(&mut losses.losses[group.first as usize..group.end as usize]) {
                loss.slot = self.slot_of[(first_place + loss.place) as usize];
                let falls = if number < group.middle { &mut self.first } else { &mut self.second };
                falls[loss.slot as usize] += loss.amount;
            }
        }
        for lost in &losses.sole_choices {
            let first_choice = space.first_place[lost.axis as usize] + space.axes[lost.axis as usize].ordered + 1;
            self.second[self.slot_of[(first_choice + lost.choice) as usize] as usize] += lost.amount;
        }
        for axis in &self.touched {
            let of_axis = &mut self.axes[*axis as usize];
            let segments = of_axis.segments();
            let (first, second) = (&mut self.first[segments.clone()], &mut self.second[segments]);
            let (cheapest, least) = if of_axis.is_mixed { least_of(first) } else { accumulate(first, second) };
            of_axis.cheapest = of_axis.first + cheapest;
            // A segment that is free attracts all points, whatever the others cost.
            (of_axis.is_idle, of_axis.stand, of_axis.at_stand) = (least == 0, of_axis.cheapest, least);
        }
    }

    fn touch(&mut self, axis: u32, is_mixed: bool) {
        let of_axis = &mut self.axes[axis as usize];
        if !of_axis.is_touched {
            (of_axis.is_touched, of_axis.is_mixed) = (true, is_mixed);
            self.touched.push(axis);
        }
    }

    /// Parts the axes into segments.
    fn part(&mut self, space: &Axes, region: &Region) {
        self.place.clear();
        for axis in &self.touched {
            let number = *axis as usize;
            let (low, high) = (region.low[number], region.high[number]);
            let of_axis = &mut self.axes[number];
            of_axis.first = index(self.place.len());
            let first_place = space.first_place[number];
            if of_axis.is_mixed {
                let shape = space.axes[number];
                let ordered = (low < high).then_some(shape.special);
                for choice in space.special_cells(region, number).chain(ordered) {
                    self.slot_of[(first_place + shape.ordered + 1 + choice) as usize] = index(self.place.len());
                    self.place.push(choice);
                }
            } else {
                let first_event = space.first_event[number];
                for word in low / 64..=high / 64 {
                    let mut bits = std::mem::take(&mut self.events[(first_event + word) as usize]);
                    while bits != 0 {
                        let cut = word * 64 + bits.trailing_zeros();
                        bits &= bits - 1;
                        self.slot_of[(first_place + cut) as usize] = index(self.place.len());
                        self.place.push(cut);
                    }
                }
                self.place.push(high);
            }
            of_axis.end = index(self.place.len());
            // One more, where the differences of shares end.
            self.place.push(u32::MAX);
        }
        for falls in [&mut self.first, &mut self.second] {
            falls.clear();
            falls.resize(self.place.len(), 0);
        }
    }

    /// The fall of the plain bound in a segment.
    #[inline]
    pub(super) fn fall(&self, of_axis: &AxisFalls, segment: usize) -> Value {
        if of_axis.is_mixed || segment == of_axis.first as usize {
            self.first[segment]
        } else {
            self.first[segment] + self.second[segment - 1]
        }
    }

    /// The ordered cells of a segment that has such, as they were when the region was evaluated.
    pub(super) fn ordered_cells(&self, space: &Axes, region: &Region, axis: u32, segment: usize) -> (u32, u32) {
        let (low, high) = (region.low[axis as usize], region.high[axis as usize]);
        let of_axis = &self.axes[axis as usize];
        if of_axis.is_mixed {
            debug_assert_eq!(self.place[segment], space.axes[axis as usize].special, "the choice of ordered cells");
            return (low, high);
        }
        let start = if segment == of_axis.first as usize { low } else { self.place[segment - 1] };
        (start, self.place[segment])
    }

    /// The place of a cut of a mixed axis at a segment.
    pub(super) fn choice(&self, space: &Axes, axis: u32, segment: usize) -> Place {
        let choice = self.place[segment];
        if choice == space.axes[axis as usize].special { Place::Ordered } else { Place::Special(choice) }
    }
}

/// The offset of a group's places within its axis.
fn choices(space: &Axes, group: &AxisLosses) -> u32 {
    if group.is_mixed { space.axes[group.axis as usize].ordered + 1 } else { 0 }
}

/// Turns losses at cuts into the fall of either side of every cut, and finds the segment that falls least. A loss below
/// a cut counts for all segments up to it, a loss above it for all behind it.
fn accumulate(first: &mut [Value], second: &mut [Value]) -> (u32, Value) {
    let mut sum = 0;
    for fall in first.iter_mut().rev() {
        sum += *fall;
        *fall = sum;
    }
    let mut sum = 0;
    let (mut cheapest, mut least) = (0, Value::MAX);
    for (segment, (first, second)) in first.iter().zip(second).enumerate() {
        if first + sum < least {
            (cheapest, least) = (segment, first + sum);
        }
        sum += *second;
        *second = sum;
    }
    (index(cheapest), least)
}

/// The least of some numbers, and where it stands.
fn least_of(numbers: &[i64]) -> (u32, i64) {
    let least = numbers.iter().enumerate().min_by_key(|(_, number)| **number);
    least.map(|(place, number)| (index(place), *number)).expect("an axis has segments")
}
