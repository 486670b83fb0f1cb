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

use crate::log::{Place, Price, Share};
use crate::region::{CellSet, Region};
use crate::trees::{Bundle, Trail, meets};

/// Weights are counted in these units.
pub(crate) const ONE: i128 = 1 << 16;

/// A sum of trees.
#[derive(Debug)]
pub(crate) struct Channel {
    pub(crate) base: i64,
    pub(crate) bundles: Vec<Bundle>,
}

/// What cells cost, not negative, and what a point may cost.
#[derive(Debug)]
pub(crate) struct Ledger {
    /// Per axis and cell.
    pub(crate) costs: Vec<Vec<i64>>,
    /// What all other things cost together that have no axis.
    pub(crate) fixed: i64,
    pub(crate) limit: Option<i64>,
    /// Whether the largest cost counts, and not the sum.
    pub(crate) is_largest: bool,
}

impl Ledger {
    pub(crate) fn least_of(&self, axis: usize, cells: &CellSet) -> i64 {
        if self.costs[axis].is_empty() {
            return 0;
        }
        cells.cells().map(|cell| self.costs[axis][cell as usize]).min().unwrap_or(i64::MAX >> 2)
    }

    /// What every point of a box costs at least.
    pub(crate) fn least(&self, region: &Region) -> i64 {
        let costs = self.costs.iter().enumerate().filter(|(_, costs)| !costs.is_empty());
        let costs = costs.map(|(axis, _)| self.least_of(axis, &region.axes[axis]));
        if self.is_largest { costs.fold(self.fixed, i64::max) } else { costs.fold(self.fixed, i64::saturating_add) }
    }
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
#[derive(Debug)]
pub(crate) struct Weighed {
    /// The sum of the best leaves.
    pub(crate) plain: i128,
    /// What every point loses by shares and pays, at least.
    pub(crate) total: i128,
    pub(crate) price: Option<Priced>,
    axes: Vec<AxisShares>,
    by_leaves: Vec<AxisShares>,
    /// The plain bounds of the two parts of a cut.
    pub(crate) parts: Option<[i128; 2]>,
}

/// A price, and what it is for.
#[derive(Debug)]
pub(crate) struct Priced {
    pub(crate) price: Price,
    /// What every point of the box costs at least.
    pub(crate) least: i64,
    /// The same per axis.
    leasts: Vec<i64>,
}

impl Priced {
    /// What a cell costs beyond what its axis must cost, at the price.
    fn of(&self, ledger: &Ledger, axis: usize, cell: u32) -> i128 {
        let cost = ledger.costs[axis].get(cell as usize).copied();
        cost.map_or(0, |cost| self.price.floor((i128::from(cost) - i128::from(self.leasts[axis])).max(0)))
    }
}

/// What cells of an axis lose.
#[derive(Debug)]
struct AxisShares {
    axis: u32,
    low: u32,
    num_ordered: u32,
    ordered: Vec<i128>,
    /// Of all special cells, in the box or not.
    special: Vec<i128>,
    least: i128,
}

impl AxisShares {
    fn new(axis: u32, cells: &CellSet) -> Self {
        let ordered = vec![0; cells.high.saturating_sub(cells.low) as usize + 1];
        let special = vec![0; (cells.num_cells() - cells.num_ordered()) as usize];
        Self { axis, low: cells.low, num_ordered: cells.num_ordered(), ordered, special, least: 0 }
    }

    /// Cells `low..high` lose so much more; what is lost is a sum of differences until [`AxisShares::finish`].
    fn add(&mut self, low: u32, high: u32, amount: i128) {
        self.ordered[(low - self.low) as usize] += amount;
        self.ordered[(high - self.low) as usize] -= amount;
    }

    fn finish(&mut self) {
        let mut sum = 0;
        for difference in &mut self.ordered {
            sum += *difference;
            *difference = sum;
        }
        self.ordered.pop();
    }

    fn of(&self, cell: u32) -> i128 {
        match cell.checked_sub(self.num_ordered) {
            None => cell.checked_sub(self.low).and_then(|place| self.ordered.get(place as usize)).copied(),
            Some(special) => self.special.get(special as usize).copied(),
        }
        .unwrap_or(0)
    }
}

/// The leaves of a tree that a box reaches, and for each the cells of some axes that lead to it.
#[derive(Debug, Default)]
struct Reached {
    /// What each adds, and where its cells begin; the best first.
    leaves: Vec<(i64, u32)>,
    /// Per leaf and axis.
    cells: Vec<Cells>,
    special: Vec<u64>,
}

/// Ordered cells, and where the bits of special ones begin.
#[derive(Clone, Copy, Debug)]
struct Cells {
    low: u32,
    high: u32,
    special: u32,
}

impl Reached {
    fn find(&mut self, bundle: &Bundle, region: &mut Region, first: &mut u32, trail: &mut Trail, axes: &[u32]) {
        let Self { leaves, cells, special } = self;
        leaves.clear();
        cells.clear();
        special.clear();
        *first = bundle.walk(region, *first, trail, |value, region| {
            leaves.push((value, cells.len() as u32));
            for axis in axes {
                let own = &region.axes[*axis as usize];
                cells.push(Cells { low: own.low, high: own.high, special: special.len() as u32 });
                special.extend(&own.special);
            }
        });
        leaves.sort_unstable_by_key(|leaf| std::cmp::Reverse(leaf.0));
    }

    /// What every leaf adds, the best first, and the cells of an axis that lead to it.
    fn along(&self, place: usize) -> impl Iterator<Item = (i64, Cells)> {
        self.leaves.iter().map(move |(value, first)| (*value, self.cells[*first as usize + place]))
    }

    /// The best leaf to which some of these cells lead.
    fn best_in(&self, place: usize, part: &CellSet) -> Option<i64> {
        let meets = |cells: &Cells| {
            cells.low.max(part.low) < cells.high.min(part.high)
                || meets(&self.special[cells.special as usize..], &part.special)
        };
        self.along(place).find(|(_, cells)| meets(cells)).map(|(value, _)| value)
    }
}

/// For every tree a node: a box reaches nothing that is not below it, and so does every part of the box.
#[derive(Debug, Default)]
pub(crate) struct Firsts(Vec<u32>);

impl Firsts {
    /// For another box.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}

/// The memory that evaluations take.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    trail: Trail,
    reached: Reached,
    cover: Cover,
}

/// Cells to which no leaf was found yet.
#[derive(Debug, Default)]
struct Cover {
    /// Ordered ones, as intervals.
    open: Vec<(u32, u32)>,
    left: Vec<(u32, u32)>,
    special: Vec<u64>,
}

impl Channel {
    /// Evaluates a box. The shares must be checked.
    pub(crate) fn weigh(
        &self,
        region: &mut Region,
        shares: &[Share],
        price: Option<(Price, &Ledger)>,
        wanted: &Wanted,
        firsts: &mut Firsts,
        scratch: &mut Scratch,
    ) -> Weighed {
        let Scratch { trail, reached, cover } = scratch;
        firsts.0.resize(self.bundles.len(), 0);
        let mut plain = i128::from(self.base);
        let new = |axis: u32, region: &Region| AxisShares::new(axis, &region.axes[axis as usize]);
        let mut place_of: Vec<u32> = vec![u32::MAX; region.axes.len()];
        let mut axes: Vec<AxisShares> = vec![];
        for share in shares {
            let place = &mut place_of[share.axis as usize];
            if *place == u32::MAX {
                *place = axes.len() as u32;
                axes.push(new(share.axis, region));
            }
        }
        let mut by_leaves: Vec<AxisShares> = wanted.by_leaves.iter().map(|axis| new(*axis, region)).collect();
        let mut parts = wanted.cut.map(|_| [i128::from(self.base); 2]);
        let sides = wanted.cut.map(|(axis, place)| (axis, cut(&region.axes[axis as usize], place)));
        let mut first_share = 0;
        let mut interest: Vec<u32> = vec![];
        for (tree, bundle) in self.bundles.iter().enumerate() {
            let own = shares[first_share..].iter().take_while(|share| share.tree as usize == tree).count();
            let own_shares = &shares[first_share..first_share + own];
            first_share += own;
            interest.clear();
            interest.extend(own_shares.iter().map(|share| share.axis));
            // Along axes that tell no leaves apart a tree loses nothing.
            interest.extend(wanted.by_leaves.iter().filter(|axis| bundle.tells_apart(**axis)));
            interest.extend(sides.iter().map(|(axis, _)| *axis).filter(|axis| bundle.tells_apart(*axis)));
            reached.find(bundle, region, &mut firsts.0[tree], trail, &interest);
            let Some(best) = reached.leaves.first().map(|leaf| leaf.0) else { continue };
            plain += i128::from(best);
            let mut place = 0;
            for share in own_shares {
                let of_axis = &mut axes[place_of[share.axis as usize] as usize];
                cover.lose(reached, place, i128::from(share.units), &region.axes[share.axis as usize], of_axis);
                place += 1;
            }
            for of_axis in by_leaves.iter_mut().filter(|of_axis| bundle.tells_apart(of_axis.axis)) {
                cover.lose(reached, place, 1, &region.axes[of_axis.axis as usize], of_axis);
                place += 1;
            }
            if let (Some(parts), Some((axis, sides))) = (&mut parts, &sides) {
                for (part, side) in parts.iter_mut().zip(sides) {
                    let best = if bundle.tells_apart(*axis) { reached.best_in(place, side) } else { Some(best) };
                    *part += best.map_or(0, i128::from);
                }
            }
        }
        axes.iter_mut().chain(&mut by_leaves).for_each(AxisShares::finish);
        let priced = price.map(|(price, ledger)| Priced {
            price,
            least: ledger.least(region),
            leasts: region.axes.iter().enumerate().map(|(axis, cells)| ledger.least_of(axis, cells)).collect(),
        });
        let mut total = 0;
        for of_axis in &mut axes {
            let axis = of_axis.axis as usize;
            let cells = &region.axes[axis];
            if let (Some(priced), Some((_, ledger))) = (&priced, price) {
                for cell in cells.cells() {
                    let worth = priced.of(ledger, axis, cell);
                    match cell.checked_sub(of_axis.num_ordered) {
                        None => of_axis.ordered[(cell - of_axis.low) as usize] += worth,
                        Some(special) => of_axis.special[special as usize] += worth,
                    }
                }
            }
            of_axis.least = cells.cells().map(|cell| of_axis.of(cell)).min().unwrap_or(0);
            total += of_axis.least;
        }
        Weighed { plain, total, price: priced, axes, by_leaves, parts }
    }
}

impl Cover {
    /// Adds what a tree loses in every cell of an axis, whose cells stand at a place of what is reached.
    fn lose(&mut self, reached: &Reached, place: usize, units: i128, cells: &CellSet, of_axis: &mut AxisShares) {
        let best = reached.leaves[0].0;
        self.open.clear();
        self.open.extend((cells.low < cells.high).then_some((cells.low, cells.high)));
        self.special.clear();
        self.special.extend(&cells.special);
        for (value, own) in reached.along(place) {
            let amount = units * (i128::from(best) - i128::from(value));
            self.left.clear();
            for (from, to) in self.open.drain(..) {
                let (start, end) = (from.max(own.low), to.min(own.high));
                if start >= end {
                    self.left.push((from, to));
                    continue;
                }
                if amount > 0 {
                    of_axis.add(start, end, amount);
                }
                self.left.extend([(from, start), (end, to)].into_iter().filter(|(from, to)| from < to));
            }
            std::mem::swap(&mut self.open, &mut self.left);
            let special = &reached.special[own.special as usize..];
            for (word, (left, has)) in self.special.iter_mut().zip(special).enumerate() {
                let mut found = *left & has;
                *left &= !has;
                while found != 0 {
                    of_axis.special[64 * word + found.trailing_zeros() as usize] += amount;
                    found &= found - 1;
                }
            }
            if self.open.is_empty() && self.special.iter().all(|left| *left == 0) {
                return;
            }
        }
    }
}

/// The two parts of a cut.
pub(crate) fn cut(cells: &CellSet, place: Place) -> [CellSet; 2] {
    let mut first = cells.clone();
    match place {
        Place::Below(cell) => first.keep_ordered(0, cell),
        Place::Ordered => first.special.fill(0),
        Place::Special(cell) => {
            let cell = cells.num_ordered().saturating_add(cell);
            first = if cells.has(cell) { cells.one(cell) } else { cells.none() };
        }
    }
    let mut second = cells.clone();
    match place {
        Place::Below(cell) => {
            second.keep_ordered(cell, u32::MAX);
            second.special.fill(0);
        }
        Place::Ordered => second.keep_ordered(0, 0),
        Place::Special(_) => {
            let special = second.special.iter().zip(&first.special).map(|(all, one)| all & !one).collect();
            second.special = special;
        }
    }
    [first, second]
}

impl Weighed {
    /// What points lose and pay in a cell of an axis, in units of 2⁻¹⁶.
    pub(crate) fn total_in(&self, ledgers: &[Ledger], axis: u32, cell: u32) -> i128 {
        match (self.axes.iter().find(|shares| shares.axis == axis), &self.price) {
            (Some(shares), _) => self.total - shares.least + shares.of(cell),
            // Without shares an axis only pays.
            (None, Some(priced)) => self.total + priced.of(&ledgers[priced.price.ledger as usize], axis as usize, cell),
            (None, None) => self.total,
        }
    }

    /// The same in some cells of an axis.
    pub(crate) fn total_in_part(&self, ledgers: &[Ledger], axis: u32, cells: &CellSet) -> i128 {
        let totals = cells.cells().map(|cell| self.total_in(ledgers, axis, cell));
        totals.min().unwrap_or(self.total)
    }

    /// The plain bound in a cell of an axis, if that was wanted.
    pub(crate) fn plain_in(&self, axis: u32, cell: u32) -> i128 {
        let losses = self.by_leaves.iter().find(|losses| losses.axis == axis);
        self.plain - losses.map_or(0, |losses| losses.of(cell))
    }

    /// What all points lose whose axes cost at most so much, if the largest cost counts; none if there are no such points.
    pub(crate) fn total_within(&self, region: &Region, ledger: &Ledger, most: i64) -> Option<i128> {
        if ledger.least(region) > most {
            return None;
        }
        let mut total = 0;
        for shares in &self.axes {
            let axis = shares.axis as usize;
            let is_within = |cell: &u32| ledger.costs[axis].get(*cell as usize).is_none_or(|cost| *cost <= most);
            let cells = region.axes[axis].cells().filter(is_within);
            total += cells.map(|cell| shares.of(cell)).min()?;
        }
        Some(total)
    }
}

impl Channel {
    /// What all points of a box are worth at most, minus what their leaves cost at a price: every tree pays its share of what
    /// each axis costs beyond what it must. A leaf costs, along an axis, what the cheapest cell costs that leads to it.
    pub(crate) fn toll(
        &self,
        region: &mut Region,
        shares: &[Share],
        price: Price,
        ledger: &Ledger,
        scratch: &mut Scratch,
    ) -> i128 {
        let mut sum = i128::from(self.base);
        let mut first = 0;
        for (tree, bundle) in self.bundles.iter().enumerate() {
            let own = shares[first..].iter().take_while(|share| share.tree as usize == tree).count();
            let shares = &shares[first..first + own];
            first += own;
            let least = |region: &Region, share: &Share| {
                let axis = share.axis as usize;
                ledger.least_of(axis, &region.axes[axis])
            };
            let always: Vec<i64> = shares.iter().map(|share| least(region, share)).collect();
            let mut best: Option<i128> = None;
            bundle.walk(region, 0, &mut scratch.trail, |value, region| {
                let toll = shares.iter().zip(&always).map(|(share, always)| {
                    i128::from(share.units) * (i128::from(least(region, share)) - i128::from(*always)).max(0)
                });
                let left = i128::from(value) - price.floor(toll.sum());
                best = Some(best.map_or(left, |best| best.max(left)));
            });
            sum += best.unwrap_or(0);
        }
        sum
    }
}
