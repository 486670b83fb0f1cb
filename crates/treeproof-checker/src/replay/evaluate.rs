//! Evaluation of a channel in a box by shares, from the models' leaves and the weights of the proof.
//!
//! For a tree `t` let `best(t)` be the largest value of a leaf that the box reaches, and `best(t, c)` that with an axis
//! confined to a cell `c`. A point of the box that has the cell loses at least `best(t) − best(t, c)` of the plain bound `Σ
//! best(t)`. That holds for every axis; so with weights that sum to at most one per tree, it also loses at least the weighted
//! sum over all axes, and no less than if every axis chose its best cell for itself:
//!
//! ```text
//! value ≤ Σ best(t) − Σ over axes · min over cells c · Σ over trees · weight(t, axis) · (best(t) − best(t, c))
//! ```
//!
//! With a price per unit of cost, the worth of a cell's cost may be added to its loss: a point whose cells cost `x` more than
//! the least loses at least the sum over all axes minus `price · x`. Any weights and any price are valid. All arithmetic is in
//! whole numbers; losses are counted in units of 2⁻¹⁶.

use treeproof_proof::record::{CutPlace, Price, Share};

use crate::ledger::{Ledger, Priced};
use crate::region::{CellSet, Region};
use crate::replay::losses::{Bests, Losses};
use crate::replay::prune::cut;
use crate::replay::reachable::ReachableLeaves;
use crate::trees::bundle::{Bundle, LeafSearch};

/// The weight one, in units of weights.
pub(crate) const ONE: i128 = 1 << 16;

/// A channel: a sum of bundles.
#[derive(Debug)]
pub(crate) struct Channel {
    pub(crate) base: i64,
    /// A lower bound on the bundles at inputs.
    floor: i128,
    pub(crate) bundles: Vec<Bundle>,
}

/// The details of an evaluation beside its bound.
#[derive(Debug, Default)]
pub(crate) struct EvaluationRequest {
    /// Axes with a plain bound for every cell.
    pub(crate) by_leaves: Vec<u32>,
    /// A cut with a plain bound for each part.
    pub(crate) cut: Option<(u32, CutPlace)>,
}

/// The evaluation of a box by a channel.
#[derive(Debug, Default)]
pub(crate) struct ChannelEvaluation {
    /// The sum of the best leaves.
    pub(crate) plain: i128,
    /// A lower bound on the loss of every point, with the worth of its cost.
    pub(crate) total: i128,
    pub(crate) price: Option<Priced>,
    by_shares: Losses,
    by_leaves: Losses,
    /// Memory for the next evaluation.
    pub(crate) search: LeafSearch,
    bests: Bests,
    /// The plain bounds of the two parts of a cut.
    pub(crate) parts: Option<[i128; 2]>,
}

impl Channel {
    /// A channel of a base and bundles.
    pub(crate) fn new(base: i64, bundles: Vec<Bundle>) -> Self {
        let floor = bundles.iter().map(|bundle| i128::from(bundle.floor)).sum();
        Self { base, floor, bundles }
    }

    /// A lower bound on inputs: a box with less holds none.
    pub(crate) fn least(&self) -> i128 {
        i128::from(self.base) + self.floor
    }

    /// Evaluates a box in the memory of an earlier evaluation. The shares must be checked.
    pub(crate) fn evaluate(
        &self,
        region: &Region,
        reached: &mut ReachableLeaves,
        shares: &[Share],
        price: Option<(Price, &Ledger)>,
        wanted: &EvaluationRequest,
        evaluation: &mut ChannelEvaluation,
    ) {
        let cells = |axis: u32| &region.axes[axis as usize];
        let ChannelEvaluation { by_shares, by_leaves, search, bests, .. } = evaluation;
        by_shares.clear();
        by_leaves.clear();
        search.begin(region);
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
        let mut parts = wanted.cut.as_ref().map(|_| [i128::from(self.base); 2]);
        let sides = wanted.cut.as_ref().map(|(axis, place)| (*axis, cut(cells(*axis), place)));
        let mut left = shares;
        let ReachableLeaves { sets, lost } = reached;
        assert_eq!(sets.len(), self.bundles.len(), "no bundle is left out");
        for (tree, (bundle, set)) in self.bundles.iter().zip(sets).enumerate() {
            let own = left.iter().take_while(|share| share.tree as usize == tree).count();
            let (own, others) = left.split_at(own);
            left = others;
            bundle.reach(region, search, lost, set);
            let Some(best) = search.leaves.first().map(|leaf| bundle.values[*leaf as usize]) else { continue };
            plain += i128::from(best);
            parts.iter_mut().flatten().for_each(|part| *part += i128::from(best));
            // A tree loses nothing along axes that it does not split.
            for share in own.iter().filter(|share| bundle.tells_apart(share.axis)) {
                bests.find(bundle, &search.leaves, share.axis, cells(share.axis));
                by_shares.add(number_of[share.axis as usize], best, bests, share.units);
            }
            for (number, axis) in wanted.by_leaves.iter().enumerate().filter(|(_, axis)| bundle.tells_apart(**axis)) {
                bests.find(bundle, &search.leaves, *axis, cells(*axis));
                by_leaves.add(number, best, bests, 1);
            }
            if let (Some(parts), Some((axis, sides))) = (&mut parts, &sides)
                && bundle.tells_apart(*axis)
            {
                bests.find(bundle, &search.leaves, *axis, cells(*axis));
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
        evaluation.plain = plain;
        evaluation.total = evaluation.by_shares.axes().iter().map(|of| of.least).sum();
        evaluation.price = priced.map(|(priced, _)| priced);
        evaluation.parts = parts;
    }
}

impl ChannelEvaluation {
    /// The loss of points with each of these cells of an axis, in units of 2⁻¹⁶.
    fn totals<'w>(&'w self, ledgers: &'w [Ledger], axis: u32, cells: &'w CellSet) -> impl Iterator<Item = i128> + 'w {
        let own = self.by_shares.find(axis);
        let others = self.total - own.map_or(0, |own| own.least);
        cells.cells().map(move |cell| match (own, &self.price) {
            (Some(own), _) => others + self.by_shares.of(own, cell),
            // Without shares there is only the worth of the cost.
            (None, Some(priced)) => others + priced.of(&ledgers[priced.price.ledger as usize], axis as usize, cell),
            (None, None) => others,
        })
    }

    /// The least loss of points with some of these cells.
    pub(crate) fn total_in(&self, ledgers: &[Ledger], axis: u32, cells: &CellSet) -> i128 {
        self.totals(ledgers, axis, cells).min().unwrap_or(self.total)
    }

    /// The loss and the plain bound of each cell, if that was requested.
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

    /// A lower bound on the loss of points whose cells cost at most `most`, if the largest cost counts; `None` if there are no
    /// such points.
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
            let mut search = LeafSearch::default();
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
                search.begin(&region);
                bundle.reach(&region, &mut search, &[0b111], &mut bundle.all());
                let found: Vec<i64> = search.leaves.iter().map(|leaf| bundle.values[*leaf as usize]).collect();
                assert_eq!(found, reached(&region));
                num_boxes += 1;
                for axis in 0..3 {
                    let cells = region.axis(axis);
                    let mut bests = Bests::default();
                    bests.find(&bundle, &search.leaves, axis as u32, cells);
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
