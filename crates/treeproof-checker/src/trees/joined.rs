//! Joined trees: several trees as one, made of forks and leaves.

use crate::region::CellSet;

/// Several trees as one.
#[derive(Debug, Default)]
pub(crate) struct JoinedTrees {
    pub(crate) start: Child,
    pub(crate) forks: Vec<Fork>,
    /// For each fork the place of the special cells of its sides, one after the other.
    pub(crate) special_at: Vec<u32>,
    /// The special cells, as bits.
    pub(crate) special: Vec<u64>,
    /// For each leaf its origin, and the leaves of all trees that it stands for.
    pub(crate) leaves: Vec<(Origin, Vec<u32>)>,
}

/// A fork: each cell of an axis goes to one side, to both, or nowhere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fork {
    pub(crate) axis: u32,
    pub(crate) from: Origin,
    pub(crate) sides: [ForkSide; 2],
}

/// A side of a fork: all cells of the axis that lead there, whatever forks before it say.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ForkSide {
    pub(crate) low: u32,
    pub(crate) high: u32,
    pub(crate) next: Child,
}

/// A fork, a leaf, or nothing, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Child(u32);

/// The meaning of such a word.
pub(crate) enum ChildKind {
    Nowhere,
    Fork(usize),
    Leaf(usize),
}

/// A side of a fork, or the start, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Origin(u32);

impl Child {
    const LEAF: u32 = 1 << 31;

    pub(crate) fn leaf(number: usize) -> Self {
        Self(number as u32 | Self::LEAF)
    }

    pub(crate) fn kind(self) -> ChildKind {
        match self {
            Self(u32::MAX) => ChildKind::Nowhere,
            Self(leaf) if leaf >= Self::LEAF => ChildKind::Leaf((leaf - Self::LEAF) as usize),
            Self(fork) => ChildKind::Fork(fork as usize),
        }
    }
}

impl Default for Child {
    fn default() -> Self {
        Self(u32::MAX)
    }
}

impl Origin {
    pub(crate) const START: Self = Self(u32::MAX);

    pub(crate) fn fork(number: usize, side: usize) -> Self {
        Self(2 * number as u32 + side as u32)
    }

    /// The fork and the side, if it is not the start.
    pub(crate) fn fork_and_side(self) -> Option<(usize, usize)> {
        (self != Self::START).then_some(((self.0 / 2) as usize, (self.0 % 2) as usize))
    }
}

impl JoinedTrees {
    fn next(&mut self, from: Origin) -> &mut Child {
        match from.fork_and_side() {
            None => &mut self.start,
            Some((fork, side)) => &mut self.forks[fork].sides[side].next,
        }
    }

    /// Adds a fork with these cells on each side.
    pub(crate) fn fork(&mut self, from: Origin, axis: u32, sides: [&CellSet; 2]) -> usize {
        let number = self.forks.len();
        *self.next(from) = Child(number as u32);
        self.special_at.push(self.special.len() as u32);
        sides.iter().for_each(|side| self.special.extend(&side.special));
        let sides = sides.map(|side| ForkSide { low: side.low, high: side.high, next: Child::default() });
        self.forks.push(Fork { axis, from, sides });
        number
    }

    /// Adds a fork whose sides are both possible, as one of an axis behind the last.
    pub(crate) fn free(&mut self, from: Origin, num_axes: usize) -> usize {
        let cell = CellSet::all(1, 1);
        self.fork(from, num_axes as u32, [&cell, &cell])
    }

    /// Adds a leaf of each tree.
    pub(crate) fn end(&mut self, from: Origin, leaves: Vec<u32>) {
        *self.next(from) = Child::leaf(self.leaves.len());
        self.leaves.push((from, leaves));
    }
}
