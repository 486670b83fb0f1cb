//! Bundles: joined trees with a value for each leaf.

use std::cmp::Reverse;

use crate::region::{CellSet, Region};
use crate::trees::joined::{Child, ChildKind, Fork, JoinedTrees, Origin};
use crate::trees::masks::{LeafMasks, LeafSet};
use crate::trees::meets;

/// Joined trees as one tree with values.
#[derive(Debug)]
pub(crate) struct Bundle {
    start: Child,
    forks: Vec<Fork>,
    special_at: Vec<u32>,
    special: Vec<u64>,
    /// The values of the leaves, in units, rounded up once, in descending order.
    pub(crate) values: Vec<i64>,
    /// The origin of each leaf.
    from: Vec<Origin>,
    /// The least value of a leaf.
    pub(crate) least: i64,
    /// A lower bound on the value at inputs: leaves below it hold no input.
    pub(crate) floor: i64,
    /// The axes that are split, as bits.
    matters: Vec<u64>,
    /// Masks of leaves, if there are few.
    masks: Option<LeafMasks>,
}

/// The cells of an axis that lead to a leaf, whatever the cells of other axes are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LeafCells<'b> {
    pub(crate) low: u32,
    pub(crate) high: u32,
    pub(crate) special: &'b [u64],
}

impl Bundle {
    /// A bundle of joined trees over all these cells, with the value of each leaf.
    pub(crate) fn new(everything: &Region, joined: JoinedTrees, values: &[i64]) -> Self {
        let mut best_first: Vec<usize> = (0..values.len()).collect();
        best_first.sort_by_key(|leaf| Reverse(values[*leaf]));
        let mut rank = vec![0; values.len()];
        best_first.iter().enumerate().for_each(|(place, leaf)| rank[*leaf] = place);
        let renumber = |next: &mut Child| {
            if let ChildKind::Leaf(leaf) = next.kind() {
                *next = Child::leaf(rank[leaf]);
            }
        };
        let JoinedTrees { mut start, mut forks, special_at, special, leaves } = joined;
        renumber(&mut start);
        forks.iter_mut().flat_map(|fork| &mut fork.sides).for_each(|side| renumber(&mut side.next));
        let mut matters = vec![0; everything.num_axes() / 64 + 1];
        forks.iter().for_each(|fork| matters[fork.axis as usize / 64] |= 1 << (fork.axis % 64));
        let values: Vec<i64> = best_first.iter().map(|leaf| values[*leaf]).collect();
        let least = values.last().copied().unwrap_or(0);
        let mut bundle = Self {
            start,
            forks,
            special_at,
            special,
            values,
            from: best_first.iter().map(|leaf| leaves[*leaf].0).collect(),
            least,
            floor: least,
            matters,
            masks: None,
        };
        bundle.masks = LeafMasks::can_have(bundle.values.len()).then(|| LeafMasks::new(everything, &bundle));
        bundle
    }

    /// True if an axis is split.
    pub(crate) fn tells_apart(&self, axis: u32) -> bool {
        self.matters[axis as usize / 64] >> (axis % 64) & 1 == 1
    }

    /// The value of all leaves, if there is only one value.
    pub(crate) fn constant(&self) -> Option<i64> {
        self.values.first().is_none_or(|best| *best == self.least).then_some(self.least)
    }

    /// The set of all leaves, if there are few.
    pub(crate) fn all(&self) -> LeafSet {
        self.masks.as_ref().map_or(LeafSet::default(), |masks| masks.all)
    }

    /// Finds the leaves that a box can reach, in descending order of value. `search` must have begun with the box. With masks,
    /// `reached` holds the leaves that the box reached before it lost cells of the axes of `lost`.
    pub(crate) fn reach(&self, region: &Region, search: &mut LeafSearch, lost: &[u64], reached: &mut LeafSet) {
        search.leaves.clear();
        match &self.masks {
            Some(masks) => {
                let both = lost.iter().zip(&self.matters).map(|(lost, matters)| lost & matters);
                masks.confine(region, members(both), reached);
                take_members(&mut reached.clone(), &mut search.leaves);
            }
            None => {
                search.is_reached.resize(self.values.len().div_ceil(64), 0);
                self.walk(region, search);
                take_members(&mut search.is_reached, &mut search.leaves);
            }
        }
    }

    fn walk(&self, region: &Region, LeafSearch { pending, is_reached, ends, .. }: &mut LeafSearch) {
        let has_special = !self.special.is_empty();
        let mut next = self.start;
        loop {
            match next.kind() {
                ChildKind::Nowhere => {}
                ChildKind::Leaf(leaf) => is_reached[leaf / 64] |= 1 << (leaf % 64),
                ChildKind::Fork(number) => {
                    let Fork { axis, sides, .. } = &self.forks[number];
                    let (low, high) = ends[*axis as usize];
                    let goes = match has_special {
                        true => self.goes(region, number),
                        false => sides.map(|side| low.max(side.low) < high.min(side.high)),
                    };
                    match goes {
                        [true, is_second] => {
                            if is_second {
                                pending.push(sides[1].next);
                            }
                            next = sides[0].next;
                            continue;
                        }
                        [false, true] => {
                            next = sides[1].next;
                            continue;
                        }
                        [false, false] => {}
                    }
                }
            }
            match pending.pop() {
                Some(other) => next = other,
                None => return,
            }
        }
    }

    /// The sides of a fork to which some cell of a box goes.
    fn goes(&self, region: &Region, number: usize) -> [bool; 2] {
        let fork = &self.forks[number];
        let Some(cells) = region.axes.get(fork.axis as usize) else { return [true; 2] };
        let goes = fork.sides.map(|side| cells.low.max(side.low) < cells.high.min(side.high));
        if cells.special.is_empty() {
            return goes;
        }
        [0, 1].map(|side| goes[side] || meets(&cells.special, self.special(number, side, cells.special.len())))
    }

    /// The special cells that go to a side of a fork, as words.
    fn special(&self, fork: usize, side: usize, num_words: usize) -> &[u64] {
        let first = self.special_at[fork] as usize + side * num_words;
        &self.special[first..first + num_words]
    }

    /// The cells of an axis that lead to each leaf, as a function of the leaf.
    pub(crate) fn leaf_cells<'b>(&'b self, axis: u32, all: &'b CellSet) -> impl Fn(u32) -> LeafCells<'b> {
        let masks = self.masks.as_ref().filter(|_| all.special.is_empty());
        let known = masks.and_then(|masks| masks.ordered(axis));
        move |leaf: u32| match known {
            Some(ordered) => {
                let (low, high) = ordered[leaf as usize];
                LeafCells { low, high, special: &[] }
            }
            None => self.leaf_cells_of(axis, all, leaf),
        }
    }

    /// The cells of an axis that lead to a leaf: those of the last fork of the axis on the way to it.
    pub(crate) fn leaf_cells_of<'b>(&'b self, axis: u32, all: &'b CellSet, leaf: u32) -> LeafCells<'b> {
        let mut from = self.from[leaf as usize];
        while let Some((number, side)) = from.fork_and_side() {
            let fork = &self.forks[number];
            if fork.axis == axis {
                let own = &fork.sides[side];
                let special = self.special(number, side, all.special.len());
                return LeafCells { low: own.low, high: own.high, special };
            }
            from = fork.from;
        }
        LeafCells { low: 0, high: u32::MAX, special: &all.special }
    }
}

impl LeafCells<'_> {
    /// The special cells, counted from the first one.
    pub(crate) fn special_places(&self) -> impl Iterator<Item = usize> {
        let has = |place: &usize| self.special[place / 64] >> (place % 64) & 1 == 1;
        (0..64 * self.special.len()).filter(has)
    }
}

/// A search for leaves, with its memory.
#[derive(Debug, Default)]
pub(crate) struct LeafSearch {
    /// The leaves found, in descending order of value.
    pub(crate) leaves: Vec<u32>,
    /// The ends of the ordered cells of the box, by axis.
    ends: Vec<(u32, u32)>,
    is_reached: Vec<u64>,
    pending: Vec<Child>,
}

impl LeafSearch {
    /// Begins a search in a box.
    pub(crate) fn begin(&mut self, region: &Region) {
        self.ends.clear();
        self.ends.extend(region.axes.iter().map(|cells| (cells.low, cells.high)));
        // An axis that stands for none, for forks with both sides possible.
        self.ends.push((0, u32::MAX));
    }
}

/// The members of a set, in order.
fn members(set: impl Iterator<Item = u64>) -> impl Iterator<Item = usize> {
    set.enumerate().flat_map(|(word, mut bits)| {
        std::iter::from_fn(move || {
            let place = bits.trailing_zeros() as usize;
            bits &= bits.wrapping_sub(1);
            (place < 64).then_some(64 * word + place)
        })
    })
}

/// Takes the members out of a set, in order.
fn take_members(set: &mut [u64], taken: &mut Vec<u32>) {
    for (word, bits) in set.iter_mut().enumerate() {
        while *bits != 0 {
            taken.push(64 * word as u32 + bits.trailing_zeros());
            *bits &= *bits - 1;
        }
    }
}
