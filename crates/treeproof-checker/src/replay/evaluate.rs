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

use treeproof_proof::record::{CutPlace, Price, Share};

use crate::ledger::{Ledger, Priced};
use crate::region::{CellSet, Region};
use crate::replay::losses::{Bests, Losses};
use crate::replay::prune::cut;
use crate::replay::reachable::ReachableLeaves;
use crate::trees::bundle::{Bundle, LeafSearch};

/// Weights are counted in these units.
pub(crate) const ONE: i128 = 1 << 16;

/// A sum of trees.
#[derive(Debug)]
pub(crate) struct Channel {
    pub(crate) base: i64,
    /// What all inputs have at least beside the base.
    floor: i128,
    pub(crate) bundles: Vec<Bundle>,
}

/// What is wanted of an evaluation beside its bound.
#[derive(Debug, Default)]
pub(crate) struct EvaluationRequest {
    /// Axes of which it must be known what the plain bound loses in every cell.
    pub(crate) by_leaves: Vec<u32>,
    /// A cut of which it must be known what the plain bound is in both parts.
    pub(crate) cut: Option<(u32, CutPlace)>,
}

/// What is known of a box by one channel.
#[derive(Debug, Default)]
pub(crate) struct ChannelEvaluation {
    /// The sum of the best leaves.
    pub(crate) plain: i128,
    /// What every point loses by shares and pays, at least.
    pub(crate) total: i128,
    pub(crate) price: Option<Priced>,
    by_shares: Losses,
    by_leaves: Losses,
    /// Memory that evaluations take.
    pub(crate) walk: LeafSearch,
    bests: Bests,
    /// The plain bounds of the two parts of a cut.
    pub(crate) parts: Option<[i128; 2]>,
}

impl Channel {
    /// A base and what is added to it.
    pub(crate) fn new(base: i64, bundles: Vec<Bundle>) -> Self {
        let floor = bundles.iter().map(|bundle| i128::from(bundle.floor)).sum();
        Self { base, floor, bundles }
    }

    /// What no input has less than: where nothing has as much, there is none.
    pub(crate) fn least(&self) -> i128 {
        i128::from(self.base) + self.floor
    }

    /// Evaluates a box; the memory of an evaluation before is used again. The shares must be checked.
    pub(crate) fn weigh(
        &self,
        region: &Region,
        reached: &mut ReachableLeaves,
        shares: &[Share],
        price: Option<(Price, &Ledger)>,
        wanted: &EvaluationRequest,
        weighed: &mut ChannelEvaluation,
    ) {
        let cells = |axis: u32| &region.axes[axis as usize];
        let ChannelEvaluation { by_shares, by_leaves, walk, bests, .. } = weighed;
        by_shares.clear();
        by_leaves.clear();
        walk.begin(region);
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
        let mut left = shares;
        let ReachableLeaves { sets, lost } = reached;
        assert_eq!(sets.len(), self.bundles.len(), "no bundle is left out");
        for (tree, (bundle, set)) in self.bundles.iter().zip(sets).enumerate() {
            let own = left.iter().take_while(|share| share.tree as usize == tree).count();
            let (own, others) = left.split_at(own);
            left = others;
            bundle.reach(region, walk, lost, set);
            let Some(best) = walk.leaves.first().map(|leaf| bundle.values[*leaf as usize]) else { continue };
            plain += i128::from(best);
            parts.iter_mut().flatten().for_each(|part| *part += i128::from(best));
            // Along axes that tell no leaves apart a tree loses nothing.
            for share in own.iter().filter(|share| bundle.tells_apart(share.axis)) {
                bests.find(bundle, &walk.leaves, share.axis, cells(share.axis));
                by_shares.add(number_of[share.axis as usize], best, bests, share.units);
            }
            for (number, axis) in wanted.by_leaves.iter().enumerate().filter(|(_, axis)| bundle.tells_apart(**axis)) {
                bests.find(bundle, &walk.leaves, *axis, cells(*axis));
                by_leaves.add(number, best, bests, 1);
            }
            if let (Some(parts), Some((axis, sides))) = (&mut parts, &sides)
                && bundle.tells_apart(*axis)
            {
                bests.find(bundle, &walk.leaves, *axis, cells(*axis));
                for (part, side) in parts.iter_mut().zip(sides) {
                    *part += bests.best_in(side).map_or(0, i128::from) - i128::from(best);
                }
            }
        }
        lost.fill(0);
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

impl ChannelEvaluation {
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
    use crate::trees::joined::{JoinedTrees, Origin};

    /// Parent numbers below some number, one after the other.
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

    /// Boxes that overlap as the leaves of one bundle: which of them a box reaches is told by forks along all axes.
    fn joined(everything: &Region, leaves: &[(i64, Region)]) -> JoinedTrees {
        let mut joined = JoinedTrees::default();
        let mut from = Origin::START;
        for (_, leaf) in leaves {
            let free = joined.free(from, everything.num_axes());
            let mut way = Origin::fork(free, 0);
            for axis in 0..everything.num_axes() {
                let cells = leaf.axis(axis);
                way = Origin::fork(joined.fork(way, axis as u32, [cells, &cells.none()]), 0);
            }
            joined.end(way, vec![]);
            from = Origin::fork(free, 1);
        }
        joined
    }

    #[test]
    fn the_best_leaf_in_each_cell_is_that_of_all_that_are_reached() {
        let mut random = Random(1);
        let (mut num_boxes, mut num_pieces) = (0, 0);
        for round in 0..200 {
            let everything = Region::new(vec![CellSet::all(20, 22), CellSet::all(9, 9), CellSet::all(12, 140)]);
            let num_leaves = [3, 20, 70, 300][round % 4];
            let leaves: Vec<(i64, Region)> = (0..num_leaves)
                .map(|_| {
                    let axes = (0..3).map(|axis| random.some(everything.axis(axis))).collect();
                    (i64::from(random.below(1000)), Region::new(axes))
                })
                .collect();
            let values: Vec<i64> = leaves.iter().map(|(value, _)| *value).collect();
            let bundle = Bundle::new(&everything, joined(&everything, &leaves), &values);
            let mut walk = LeafSearch::default();
            for _ in 0..6 {
                let region = Region::new((0..3).map(|axis| random.some(everything.axis(axis))).collect());
                let meets = |leaf: &Region, region: &Region| {
                    (0..3).all(|axis| !leaf.axis(axis).common(region.axis(axis)).is_empty())
                };
                let reached = |region: &Region| {
                    let own = leaves.iter().filter(|(_, leaf)| meets(leaf, region)).map(|(value, _)| *value);
                    let mut values: Vec<i64> = own.collect();
                    values.sort_by_key(|value| std::cmp::Reverse(*value));
                    values
                };
                walk.begin(&region);
                bundle.reach(&region, &mut walk, &[0b111], &mut bundle.all());
                let found: Vec<i64> = walk.leaves.iter().map(|leaf| bundle.values[*leaf as usize]).collect();
                assert_eq!(found, reached(&region));
                num_boxes += 1;
                for axis in 0..3 {
                    let cells = region.axis(axis);
                    let mut bests = Bests::default();
                    bests.find(&bundle, &walk.leaves, axis as u32, cells);
                    for cell in cells.cells() {
                        let one = cells.one(cell);
                        let expected = reached(&region.with(axis, one.clone())).first().copied();
                        assert_eq!(bests.best_in(&one), Some(expected.unwrap_or(bundle.least)), "{axis}, {cell}");
                        num_pieces += usize::from(expected.is_some() && expected != found.first().copied());
                    }
                }
            }
        }
        assert!(num_boxes > 1000 && num_pieces > 5000, "{num_boxes} boxes, {num_pieces} cells that lose");
    }
}
