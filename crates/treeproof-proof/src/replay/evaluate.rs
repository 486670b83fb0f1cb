//! What a box can be worth, by a channel: recomputed from the models' leaves with weights that the proof gives.
//!
//! For a tree `t` let `best(t)` be the most that a leaf adds which the box can reach, and `best(t, c)` the same if an
//! axis is confined to a cell `c`. A point of the box that has the cell loses at least `best(t) − best(t, c)` of the
//! plain bound `Σ best(t)`. That is so for every axis; so with weights that sum to at most one per tree, it also loses at
//! least the weighted sum of these over all axes, and no less than if every axis chose its best cell for itself:
//!
//! ```text
//! value ≤ Σ best(t) − Σ over axes · min over cells c · Σ over trees · weight(t, axis) · (best(t) − best(t, c))
//! ```
//!
//! Where cells cost something, what a unit of cost is worth, the price, may be added to what a cell loses: a point whose
//! cells cost `x` more than they must loses at least what all axes together lose and pay, minus `price · x`.
//! Any weights and any price are valid. All arithmetic is in whole numbers; losses are counted in units of 2⁻¹⁶.

use crate::file::log::{Place, Price, Share};
use crate::problem::bundle::{Along, Bundle};
use crate::problem::ledger::{Ledger, Priced};
use crate::replay::given_up::cut;
use crate::replay::losses::{Bests, Losses};
use crate::replay::reached::Reached;
use crate::space::region::{CellSet, Region};

/// Weights are counted in these units.
pub(crate) const ONE: i128 = 1 << 16;

/// A sum of trees.
#[derive(Debug)]
pub(crate) struct Channel {
    pub(crate) base: i64,
    /// What all inputs have at least beside the base.
    floor: i128,
    pub(crate) bundles: Vec<Bundle>,
    /// The set of all leaves.
    pub(crate) all: Vec<u64>,
    /// For every axis, who knows about it.
    along: Vec<Vec<Knows>>,
    /// For every axis the bounds that there are, ascending: where it is, whose it is, and its number there.
    bounds: Vec<Vec<(u32, Knows, u32)>>,
}

/// A part of a bundle that knows about an axis, and the place of the axis there.
#[derive(Clone, Copy, Debug)]
struct Knows {
    bundle: u32,
    part: u32,
    place: u32,
    /// Where the leaves of the part begin and end in a set of all, in words.
    words: [u32; 2],
}

/// What is wanted of an evaluation beside its bound.
#[derive(Debug, Default)]
pub(crate) struct Wanted {
    /// Axes of which it must be known what the plain bound loses in every cell.
    pub(crate) by_leaves: Vec<u32>,
    /// A cut of which it must be known what the plain bound is in both parts.
    pub(crate) cut: Option<(u32, Place)>,
}

/// What is known of a box by one channel.
#[derive(Debug, Default)]
pub(crate) struct Weighed {
    /// The sum of the best leaves.
    pub(crate) plain: i128,
    /// What every point loses by shares and pays, at least.
    pub(crate) total: i128,
    pub(crate) price: Option<Priced>,
    by_shares: Losses,
    by_leaves: Losses,
    /// The plain bounds of the two parts of a cut.
    pub(crate) parts: Option<[i128; 2]>,
}

impl Channel {
    /// A base and what is added to it, over so many axes.
    pub(crate) fn new(base: i64, mut bundles: Vec<Bundle>, num_axes: usize) -> Self {
        let mut all = vec![];
        let (mut along, mut bounds) = (vec![vec![]; num_axes], vec![vec![]; num_axes]);
        for (of_bundle, bundle) in bundles.iter_mut().zip(0..) {
            let words = of_bundle.place(&mut all);
            for ((of_part, part), words) in of_bundle.parts.iter().zip(0..).zip(words) {
                for (axis, place) in of_part.axes.iter().zip(0..) {
                    let knows = Knows { bundle, part, place, words: [words.start as u32, words.end as u32] };
                    let own = of_part.along_at(place as usize).bounds.iter().zip(0..);
                    bounds[*axis as usize].extend(own.map(|(bound, number)| (*bound, knows, number)));
                    along[*axis as usize].push(knows);
                }
            }
        }
        bounds.iter_mut().for_each(|bounds: &mut Vec<_>| bounds.sort_by_key(|(bound, ..)| *bound));
        let floor = bundles.iter().map(|bundle| i128::from(bundle.floor)).sum();
        Self { base, floor, bundles, all, along, bounds }
    }

    /// What no input has less than: where nothing has as much, there is none.
    pub(crate) fn least(&self) -> i128 {
        i128::from(self.base) + self.floor
    }

    /// Takes out leaves that are no longer reached, where an axis had some cells before and has some of these now.
    pub(crate) fn confine(&self, reached: &mut Reached, axis: usize, before: &CellSet, now: &CellSet) {
        let mut confine = |knows: &Knows, confine: &dyn Fn(Along<'_>, &mut [u64])| {
            let own = &mut reached.0[knows.words[0] as usize..knows.words[1] as usize];
            // Where nothing is left, nothing is looked up: most parts of trees of many leaves are so.
            if own.iter().all(|bits| *bits == 0) {
                return;
            }
            let part = &self.bundles[knows.bundle as usize].parts[knows.part as usize];
            confine(part.along_at(knows.place as usize), own);
        };
        // Who has no bound where cells were lost loses no leaf.
        let bounds = &self.bounds[axis];
        let first = |cell: u32| bounds.partition_point(|(bound, ..)| *bound < cell);
        let lost_low = first(before.low.saturating_add(1))..first(now.low.saturating_add(1));
        let lost_high = first(now.high)..first(before.high);
        let is_little = lost_low.len() + lost_high.len() < self.along[axis].len();
        let is_ordered = !now.ordered().is_empty() && before.special == now.special;
        if !is_little || !is_ordered {
            let side = match (before.low == now.low, before.high == now.high) {
                (true, _) if is_ordered => Some(false),
                (_, true) if is_ordered => Some(true),
                _ => None,
            };
            self.along[axis].iter().for_each(|knows| {
                confine(knows, &|along, own| match side {
                    Some(is_low) => along.confine_at(along.number(is_low, now), is_low, now, own),
                    None => along.confine(now, own),
                });
            });
            return;
        }
        for (_, knows, number) in &bounds[lost_low] {
            confine(knows, &|along, own| along.confine_at(*number as usize, true, now, own));
        }
        for (_, knows, number) in &bounds[lost_high] {
            confine(knows, &|along, own| along.confine_at(*number as usize, false, now, own));
        }
    }

    /// Evaluates a box that reaches these leaves; the memory of an evaluation before is used again. The shares must be checked.
    pub(crate) fn weigh(
        &self,
        region: &Region,
        Reached(reached): &Reached,
        shares: &[Share],
        price: Option<(Price, &Ledger)>,
        wanted: &Wanted,
        weighed: &mut Weighed,
    ) {
        let cells = |axis: u32| &region.axes[axis as usize];
        let Weighed { by_shares, by_leaves, .. } = weighed;
        by_shares.clear();
        by_leaves.clear();
        let mut plain = i128::from(self.base);
        let mut number_of: Vec<usize> = vec![usize::MAX; region.axes.len()];
        for share in shares {
            let number = &mut number_of[share.axis as usize];
            if *number == usize::MAX {
                *number = by_shares.axes().len();
                by_shares.begin(share.axis, cells(share.axis));
            }
        }
        wanted.by_leaves.iter().for_each(|axis| by_leaves.begin(*axis, cells(*axis)));
        let mut parts = wanted.cut.map(|_| [i128::from(self.base); 2]);
        let sides = wanted.cut.map(|(axis, place)| (axis, cut(cells(axis), place)));
        let mut bests = Bests::default();
        let mut left = shares;
        for (tree, bundle) in self.bundles.iter().enumerate() {
            let own = left.iter().take_while(|share| share.tree as usize == tree).count();
            let (own, others) = left.split_at(own);
            left = others;
            let best = bundle.reached(reached).filter_map(|(part, own)| part.best(own)).max();
            let Some(best) = best else { continue };
            plain += i128::from(best);
            for share in own {
                bests.find(bundle, reached, share.axis, cells(share.axis));
                by_shares.add(number_of[share.axis as usize], best, &bests, share.units);
            }
            // Along axes that tell no leaves apart a tree loses nothing.
            for (number, axis) in wanted.by_leaves.iter().enumerate().filter(|(_, axis)| bundle.tells_apart(**axis)) {
                bests.find(bundle, reached, *axis, cells(*axis));
                by_leaves.add(number, best, &bests, 1);
            }
            if let (Some(parts), Some((axis, sides))) = (&mut parts, &sides) {
                let is_told = bundle.tells_apart(*axis);
                if is_told {
                    bests.find(bundle, reached, *axis, cells(*axis));
                }
                for (part, side) in parts.iter_mut().zip(sides) {
                    let best = if is_told { bests.best_in(side) } else { Some(best) };
                    *part += best.map_or(0, i128::from);
                }
            }
        }
        let priced = price.map(|(price, ledger)| (Priced::new(price, ledger, region), ledger));
        for number in 0..by_shares.axes().len() {
            let axis = by_shares.axes()[number].axis;
            let pays = priced.as_ref().map(|(priced, ledger)| move |cell: u32| priced.of(ledger, axis as usize, cell));
            by_shares.finish(number, cells(axis), pays);
        }
        for (number, axis) in wanted.by_leaves.iter().enumerate() {
            by_leaves.finish(number, cells(*axis), None::<fn(u32) -> i128>);
        }
        weighed.plain = plain;
        weighed.total = weighed.by_shares.axes().iter().map(|of| of.least).sum();
        weighed.price = priced.map(|(priced, _)| priced);
        weighed.parts = parts;
    }
}

impl Weighed {
    /// What points lose and pay that have some of these cells of an axis, in units of 2⁻¹⁶, cell by cell.
    fn totals<'w>(&'w self, ledgers: &'w [Ledger], axis: u32, cells: &'w CellSet) -> impl Iterator<Item = i128> + 'w {
        let own = self.by_shares.find(axis);
        let others = self.total - own.map_or(0, |own| own.least);
        cells.cells().map(move |cell| match (own, &self.price) {
            (Some(own), _) => others + self.by_shares.of(own, cell),
            // Without shares an axis only pays.
            (None, Some(priced)) => others + priced.of(&ledgers[priced.price.ledger as usize], axis as usize, cell),
            (None, None) => others,
        })
    }

    /// The least of it.
    pub(crate) fn total_in(&self, ledgers: &[Ledger], axis: u32, cells: &CellSet) -> i128 {
        self.totals(ledgers, axis, cells).min().unwrap_or(self.total)
    }

    /// For each cell the same, and the plain bound there, if that was wanted.
    pub(crate) fn by_leaves<'w>(
        &'w self,
        ledgers: &'w [Ledger],
        axis: u32,
        cells: &'w CellSet,
    ) -> impl Iterator<Item = (i128, i128)> + 'w {
        let own = self.by_leaves.find(axis);
        let plain = move |cell: u32| self.plain - own.map_or(0, |own| self.by_leaves.of(own, cell));
        self.totals(ledgers, axis, cells).zip(cells.cells().map(plain))
    }

    /// What all points lose whose axes cost at most so much, if the largest cost counts; none if there are no such points.
    pub(crate) fn total_within(&self, region: &Region, ledger: &Ledger, most: i64) -> Option<i128> {
        if ledger.least(region) > most {
            return None;
        }
        let mut total = 0;
        for own in self.by_shares.axes() {
            let axis = own.axis as usize;
            let is_within = |cell: &u32| ledger.costs[axis].get(*cell as usize).is_none_or(|cost| *cost <= most);
            let cells = region.axes[axis].cells().filter(is_within);
            total += cells.map(|cell| self.by_shares.of(own, cell)).min()?;
        }
        Some(total)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::trees::{Together, Way};

    /// Whole numbers below some number, one after the other.
    struct Random(u64);

    impl Random {
        fn below(&mut self, end: u32) -> u32 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((self.0 >> 33) % u64::from(end)) as u32
        }

        /// Some of these cells, at least one.
        fn some(&mut self, cells: &CellSet) -> CellSet {
            loop {
                let mut some = cells.clone();
                let (one, other) = (self.below(cells.num_ordered() + 1), self.below(cells.num_ordered() + 1));
                some.keep_ordered(one.min(other), one.max(other));
                some.special.iter_mut().for_each(|bits| *bits &= u64::from(self.below(4)));
                if !some.is_empty() {
                    return some;
                }
            }
        }
    }

    /// Bundles of so many leaves that they have several parts, in boxes that shrink.
    #[test]
    fn the_best_leaf_in_each_cell_is_that_of_all_parts() {
        let mut random = Random(1);
        let (mut num_open, mut num_several) = (0, 0);
        for _ in 0..40 {
            let everything = Region::new(vec![CellSet::all(20, 22), CellSet::all(9, 9), CellSet::all(12, 13)]);
            let leaves: Vec<(i64, Together)> = (0..700)
                .map(|_| {
                    let narrowed = (0..3).map(|axis| (axis, random.some(everything.axis(axis as usize))));
                    let way = Way { narrowed: narrowed.collect() };
                    (i64::from(random.below(1000)), Together { leaves: vec![], way })
                })
                .collect();
            let channel = Channel::new(0, vec![Bundle::new(&everything, &leaves)], 3);
            let bundle = &channel.bundles[0];
            let (mut region, mut reached) = (everything.clone(), Reached(channel.all.clone()));
            for _ in 0..6 {
                let axis = random.below(3) as usize;
                let before = region.axis(axis).clone();
                let mut now = before.clone();
                match random.below(4) {
                    0 => now.keep_ordered(0, before.high.saturating_sub(random.below(4))),
                    1 => now.keep_ordered(before.low + random.below(4), u32::MAX),
                    2 => now.special.iter_mut().for_each(|bits| *bits &= u64::from(random.below(4))),
                    _ => now = random.some(&before),
                }
                region.axes[axis] = now.clone();
                if region.is_empty() {
                    break;
                }
                num_open += 1;
                channel.confine(&mut reached, axis, &before, &now);
                num_several += usize::from(bundle.reached(&reached.0).count() > 1);
                let meets = |way: &Way, region: &Region| {
                    (0..3).all(|axis| !way.cells(&everything, axis).common(region.axis(axis as usize)).is_empty())
                };
                let best = |region: &Region| {
                    let own = leaves.iter().filter(|(_, leaf)| meets(&leaf.way, region));
                    own.map(|(value, _)| *value).max()
                };
                if best(&region).is_none() {
                    break;
                }
                for axis in 0..3_u32 {
                    let cells = region.axis(axis as usize);
                    let mut bests = Bests::default();
                    bests.find(bundle, &reached.0, axis, cells);
                    for cell in cells.cells() {
                        let one = cells.one(cell);
                        let expected = best(&region.with(axis as usize, one.clone())).unwrap_or(bundle.least);
                        assert_eq!(bests.best_in(&one), Some(expected), "axis {axis}, cell {cell}");
                    }
                }
            }
        }
        assert!(num_open > 100 && num_several > 60, "{num_open} boxes, {num_several} of several parts");
    }
}
