//! A channel compiled to bit masks: which leaves of all trees a set of cells leaves reachable.
//!
//! The leaves of a tree are numbered by value, best first, so the best reachable leaf is the lowest set bit. For every
//! boundary of every axis there is a row of bits over the leaves of all trees, side by side: a region is then a few
//! streamed ANDs.

mod leaves;

use self::leaves::{LeafSide, boundaries, leaf_boxes};
use crate::problem::{Channel, Tree, Value};
use crate::region::{Cut, Region, Space};
use crate::trees::parting;

/// A compiled channel.
#[derive(Debug)]
pub(crate) struct Masks {
    pub(crate) base: Value,
    pub(crate) trees: Vec<TreeBits>,
    /// Per leaf, tree after tree, best first within a tree.
    pub(crate) values: Vec<Value>,
    /// Per leaf the first of its [`Step`]s; one more at the end.
    step_start: Vec<u32>,
    steps: Vec<Step>,
    /// The boundaries at which a tree looks at an axis, ascending; steps point into this.
    boundaries: Vec<u32>,
    /// Per boundary, in the same order: the tree's own words of "starts below it", then of "ends above it". The rows below
    /// hold the same bits, but there the boundaries of one tree lie far apart in memory.
    sides: Vec<u64>,
    /// All leaves that exist.
    full: Vec<u64>,
    rows: Vec<u64>,
    /// Per axis the first row of `start < cell` (for cells 1 to ordered), `end > cell` (0 to ordered − 1), special cells.
    below: Vec<u32>,
    above: Vec<u32>,
    special: Vec<u32>,
}

/// Where the leaves of a tree stand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TreeBits {
    pub(crate) first_word: u32,
    pub(crate) num_words: u32,
    pub(crate) first_leaf: u32,
    pub(crate) num_leaves: u32,
    /// Its first boundary, and where the words of that begin.
    first_boundary: u32,
    first_side: u32,
}

/// What the path to a leaf says about one axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) axis: u32,
    /// The leaf's ordered cells; empty if `low >= high`.
    pub(crate) low: u32,
    pub(crate) high: u32,
    /// The tree's boundaries on the axis.
    pub(crate) first_boundary: u32,
    pub(crate) end_boundary: u32,
    /// The end of those up to `low`, and the first of those from `high` on.
    pub(crate) past_low: u32,
    pub(crate) at_high: u32,
}

/// A leaf that does not have all cells of an axis.
#[derive(Clone, Debug)]
struct Limit {
    bit: u32,
    side: LeafSide,
}

impl Masks {
    /// The bytes that the masks of a channel would take.
    pub(crate) fn bytes(space: &Space, channel: &Channel) -> usize {
        let (mut words, mut sides) = (0, 0);
        for tree in &channel.trees {
            // A binary tree has one leaf more than splits, and each split is a boundary at most.
            let splits = tree.nodes.len() / 2;
            let of_tree = (splits + 1).div_ceil(64);
            words += of_tree;
            sides += 2 * splits * of_tree;
        }
        let rows: usize = space.axes.iter().map(|axis| 2 * axis.ordered as usize + axis.special as usize).sum();
        (words.saturating_mul(rows) + sides).saturating_mul(8)
    }

    pub(crate) fn new(space: &Space, channel: &Channel) -> Self {
        let mut masks = Self {
            base: channel.base,
            trees: Vec::with_capacity(channel.trees.len()),
            values: vec![],
            step_start: vec![0],
            steps: vec![],
            boundaries: vec![],
            sides: vec![],
            full: vec![],
            rows: vec![],
            below: vec![],
            above: vec![],
            special: vec![],
        };
        let mut limits: Vec<Vec<Limit>> = vec![vec![]; space.axes.len()];
        for tree in &channel.trees {
            masks.add_tree(space, tree, &mut limits);
        }
        masks.add_rows(space, limits);
        masks
    }

    fn add_tree(&mut self, space: &Space, tree: &Tree, limits: &mut [Vec<Limit>]) {
        let mut leaves = leaf_boxes(space, tree);
        // Stable: of equal leaves the leftmost comes first, so that runs are the same everywhere.
        leaves.sort_by_key(|leaf| std::cmp::Reverse(leaf.value));
        let boundaries = boundaries(tree);
        let first_boundary = index(self.boundaries.len());
        let range = |axis: u32| {
            let first = boundaries.partition_point(|(other, _)| *other < axis);
            let end = boundaries.partition_point(|(other, _)| *other <= axis);
            (first, end)
        };
        let bits = TreeBits {
            first_word: index(self.full.len()),
            num_words: index(leaves.len().div_ceil(64)),
            first_leaf: index(self.values.len()),
            num_leaves: index(leaves.len()),
            first_boundary,
            first_side: index(self.sides.len()),
        };
        let words = bits.num_words as usize;
        self.sides.resize(self.sides.len() + boundaries.len() * 2 * words, u64::MAX);
        let sides = &mut self.sides[bits.first_side as usize..];
        for (place, leaf) in leaves.into_iter().enumerate() {
            let bit = bits.first_word * 64 + index(place);
            self.values.push(leaf.value);
            for side in leaf.sides {
                let LeafSide { axis, low, high, .. } = side;
                let (first, end) = range(axis);
                let past_low = first + boundaries[first..end].partition_point(|(_, cut)| *cut <= low);
                let at_high = first + boundaries[first..end].partition_point(|(_, cut)| *cut < high);
                for (boundary, (_, cut)) in
                    boundaries[first..end].iter().enumerate().map(|(offset, cut)| (first + offset, cut))
                {
                    let word = boundary * 2 * words + place / 64;
                    if low >= high || low >= *cut {
                        sides[word] &= !(1 << (place % 64));
                    }
                    if low >= high || high <= *cut {
                        sides[word + words] &= !(1 << (place % 64));
                    }
                }
                let at = |place: usize| first_boundary + index(place);
                let (past_low, at_high) = (at(past_low), at(at_high));
                self.steps.push(Step {
                    axis,
                    low,
                    high,
                    first_boundary: at(first),
                    end_boundary: at(end),
                    past_low,
                    at_high,
                });
                limits[axis as usize].push(Limit { bit, side });
            }
            self.step_start.push(index(self.steps.len()));
        }
        self.boundaries.extend(boundaries.iter().map(|(_, cut)| *cut));
        for word in 0..bits.num_words {
            let left = bits.num_leaves - word * 64;
            self.full.push(if left >= 64 { u64::MAX } else { (1 << left) - 1 });
        }
        self.trees.push(bits);
    }

    fn add_rows(&mut self, space: &Space, limits: Vec<Vec<Limit>>) {
        let words = self.full.len();
        let total: usize = space.axes.iter().map(|axis| 2 * axis.ordered as usize + axis.special as usize).sum();
        self.rows = Vec::with_capacity(total * words);
        for (axis, mut limits) in space.axes.iter().zip(limits) {
            let (ordered, special) = (axis.ordered, axis.special);
            // start < cell, for cells 1 to ordered: leaves join as the cell passes their start.
            self.below.push(self.num_rows(words));
            limits.sort_by_key(|limit| limit.side.low);
            let mut row = self.full.clone();
            limits
                .iter()
                .filter(|limit| limit.side.low > 0 || limit.side.is_empty())
                .for_each(|limit| clear(&mut row, limit.bit));
            let mut next = limits.partition_point(|limit| limit.side.low == 0);
            for cell in 1..=ordered {
                while let Some(limit) = limits.get(next).filter(|limit| limit.side.low < cell) {
                    if !limit.side.is_empty() {
                        set(&mut row, limit.bit);
                    }
                    next += 1;
                }
                self.rows.extend_from_slice(&row);
            }
            // end > cell, for cells 0 to ordered − 1: leaves leave as the cell reaches their end.
            self.above.push(self.num_rows(words));
            limits.sort_by_key(|limit| limit.side.high);
            let mut row = self.full.clone();
            limits.iter().filter(|limit| limit.side.is_empty()).for_each(|limit| clear(&mut row, limit.bit));
            let mut next = 0;
            for cell in 0..ordered {
                while let Some(limit) = limits.get(next).filter(|limit| limit.side.high <= cell) {
                    clear(&mut row, limit.bit);
                    next += 1;
                }
                self.rows.extend_from_slice(&row);
            }
            self.special.push(self.num_rows(words));
            for cell in 0..special {
                let mut row = self.full.clone();
                let excluding = limits.iter().filter(|limit| limit.side.excluded.binary_search(&cell).is_ok());
                excluding.for_each(|limit| clear(&mut row, limit.bit));
                self.rows.extend_from_slice(&row);
            }
        }
    }

    fn num_rows(&self, words: usize) -> u32 {
        index(self.rows.len().checked_div(words).unwrap_or(0))
    }

    fn row(&self, row: u32) -> &[u64] {
        let words = self.full.len();
        &self.rows[row as usize * words..][..words]
    }

    /// Leaves that start below a cell, which is at least 1.
    #[inline]
    pub(crate) fn starts_below(&self, axis: u32, cell: u32) -> &[u64] {
        self.row(self.below[axis as usize] + cell - 1)
    }

    /// Leaves that end above a cell.
    #[inline]
    pub(crate) fn ends_above(&self, axis: u32, cell: u32) -> &[u64] {
        self.row(self.above[axis as usize] + cell)
    }

    /// Leaves that have a special cell.
    #[inline]
    pub(crate) fn has_special(&self, axis: u32, cell: u32) -> &[u64] {
        self.row(self.special[axis as usize] + cell)
    }

    /// What the path to a leaf says.
    #[inline]
    pub(crate) fn steps(&self, leaf: usize) -> &[Step] {
        &self.steps[self.step_start[leaf] as usize..self.step_start[leaf + 1] as usize]
    }

    /// A boundary.
    #[inline]
    pub(crate) fn boundary(&self, boundary: u32) -> u32 {
        self.boundaries[boundary as usize]
    }

    /// A tree's best leaf in a set that starts below a boundary of it.
    #[inline]
    pub(crate) fn best_below(&self, tree: &TreeBits, set: &[u64], boundary: u32) -> usize {
        self.best_beside(tree, set, (boundary - tree.first_boundary) * 2)
    }

    /// A tree's best leaf in a set that ends above a boundary of it.
    #[inline]
    pub(crate) fn best_above(&self, tree: &TreeBits, set: &[u64], boundary: u32) -> usize {
        self.best_beside(tree, set, (boundary - tree.first_boundary) * 2 + 1)
    }

    #[inline]
    fn best_beside(&self, tree: &TreeBits, set: &[u64], side: u32) -> usize {
        let words = tree.num_words as usize;
        let sides = &self.sides[tree.first_side as usize + side as usize * words..][..words];
        for (place, (a, b)) in tree.words(set).iter().zip(sides).enumerate() {
            if a & b != 0 {
                return tree.first_leaf as usize + place * 64 + (a & b).trailing_zeros() as usize;
            }
        }
        unreachable!("the cells on either side of a boundary reach a leaf")
    }

    #[inline]
    pub(crate) fn boundaries(&self, step: &Step) -> &[u32] {
        &self.boundaries[step.first_boundary as usize..step.end_boundary as usize]
    }

    /// The leaves that a region leaves reachable.
    pub(crate) fn reach(&self, space: &Space, region: &Region, reach: &mut Vec<u64>) {
        reach.clear();
        reach.extend_from_slice(&self.full);
        for (axis, shape) in space.axes.iter().enumerate() {
            let (low, high) = (region.low[axis], region.high[axis]);
            let axis_id = index(axis);
            if shape.special == 0 {
                if low > 0 {
                    and(reach, self.ends_above(axis_id, low));
                }
                if high < shape.ordered {
                    and(reach, self.starts_below(axis_id, high));
                }
            } else if !space.is_full(region, axis) {
                let mut allowed = vec![0; reach.len()];
                self.axis_mask(space, region, axis, &mut allowed);
                and(reach, &allowed);
            }
        }
    }

    /// Adds the leaves that one axis of a region allows.
    fn axis_mask(&self, space: &Space, region: &Region, axis: usize, allowed: &mut [u64]) {
        let (low, high) = (region.low[axis], region.high[axis]);
        let axis_id = index(axis);
        if low < high {
            let (above, below) = (self.ends_above(axis_id, low), self.starts_below(axis_id, high));
            for ((allowed, above), below) in allowed.iter_mut().zip(above).zip(below) {
                *allowed |= above & below;
            }
        }
        for cell in space.special_cells(region, axis) {
            for (allowed, special) in allowed.iter_mut().zip(self.has_special(axis_id, cell)) {
                *allowed |= special;
            }
        }
    }

    /// ANDs the leaves that contain one cell of an axis.
    pub(crate) fn and_cell(&self, space: &Space, axis: usize, cell: u32, reach: &mut [u64]) {
        let ordered = space.axes[axis].ordered;
        let axis_id = index(axis);
        if cell < ordered {
            and(reach, self.ends_above(axis_id, cell));
            and(reach, self.starts_below(axis_id, cell + 1));
        } else {
            and(reach, self.has_special(axis_id, cell - ordered));
        }
    }

    /// A cut between a point and the best leaf of a tree that does not have it.
    pub(crate) fn conflict(&self, space: &Space, region: &Region, best: &[u32], point: &[u32]) -> Option<Cut> {
        for (tree, best) in self.trees.iter().zip(best) {
            for step in self.steps(*best as usize) {
                let cell = point[step.axis as usize];
                let ordered = space.axes[step.axis as usize].ordered;
                let has_cell = if cell >= ordered {
                    tree.has(self.has_special(step.axis, cell - ordered), *best as usize)
                } else {
                    (step.low..step.high).contains(&cell)
                };
                if !has_cell {
                    let boundary = if cell < step.low { step.low } else { step.high };
                    return Some(parting(space, region, step.axis, cell, boundary));
                }
            }
        }
        None
    }

    pub(crate) fn full(&self) -> &[u64] {
        &self.full
    }

    /// The sum at a point.
    pub(crate) fn value_at(&self, space: &Space, point: &[u32], scratch: &mut Vec<u64>) -> Value {
        scratch.clear();
        scratch.extend_from_slice(&self.full);
        for (axis, cell) in point.iter().enumerate() {
            if space.axes[axis].num_cells() > 1 {
                self.and_cell(space, axis, *cell, scratch);
            }
        }
        let value = |tree: &TreeBits| self.values[tree.best(scratch)];
        self.base + self.trees.iter().map(value).sum::<Value>()
    }
}

impl TreeBits {
    #[inline]
    pub(crate) fn words<'r>(&self, row: &'r [u64]) -> &'r [u64] {
        &row[self.first_word as usize..][..self.num_words as usize]
    }

    /// The best leaf of a set that has one.
    #[inline]
    pub(crate) fn best(&self, set: &[u64]) -> usize {
        for (place, word) in self.words(set).iter().enumerate() {
            if *word != 0 {
                return self.first_leaf as usize + place * 64 + word.trailing_zeros() as usize;
            }
        }
        unreachable!("every point reaches a leaf of every tree")
    }

    /// The best leaf of an intersection; `None` if it is empty.
    #[inline]
    pub(crate) fn best_of_both(&self, a: &[u64], b: &[u64]) -> Option<usize> {
        for (place, (a, b)) in self.words(a).iter().zip(self.words(b)).enumerate() {
            if a & b != 0 {
                return Some(self.first_leaf as usize + place * 64 + (a & b).trailing_zeros() as usize);
            }
        }
        None
    }

    /// Whether a set has more than one leaf.
    #[inline]
    pub(crate) fn has_several(&self, set: &[u64]) -> bool {
        let words = self.words(set);
        match words {
            [word] => word & (word - 1) != 0,
            _ => words.iter().map(|word| word.count_ones()).sum::<u32>() > 1,
        }
    }

    /// Whether a set has a leaf.
    #[inline]
    pub(crate) fn has(&self, set: &[u64], leaf: usize) -> bool {
        let place = leaf - self.first_leaf as usize;
        self.words(set)[place / 64] >> (place % 64) & 1 != 0
    }
}

#[inline]
pub(crate) fn and(set: &mut [u64], other: &[u64]) {
    for (word, other) in set.iter_mut().zip(other) {
        *word &= other;
    }
}

fn set(row: &mut [u64], bit: u32) {
    row[(bit / 64) as usize] |= 1 << (bit % 64);
}

fn clear(row: &mut [u64], bit: u32) {
    row[(bit / 64) as usize] &= !(1 << (bit % 64));
}

pub(crate) fn index(count: usize) -> u32 {
    u32::try_from(count).expect("problems are bounded by memory far below this")
}
