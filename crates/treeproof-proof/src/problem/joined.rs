//! Trees as one: forks at which the cells of an axis go one way or the other, and leaves.

use crate::space::region::CellSet;

/// Several trees as one.
#[derive(Debug, Default)]
pub(crate) struct Joined {
    pub(crate) start: Next,
    pub(crate) forks: Vec<Fork>,
    /// For each fork, where the special cells of its sides are, one after the other.
    pub(crate) special_at: Vec<u32>,
    /// They are bits.
    pub(crate) special: Vec<u64>,
    /// For each leaf, where it comes from, and the leaves of all trees that it stands for.
    pub(crate) leaves: Vec<(Origin, Vec<u32>)>,
}

/// Cells of an axis go to one side, or the other, or either, or nowhere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fork {
    pub(crate) axis: u32,
    pub(crate) from: Origin,
    pub(crate) sides: [Side; 2],
}

/// All cells of the axis that lead there are these: ordered ones from one to below another, and special ones. What forks before say of
/// the axis needs not be known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Side {
    pub(crate) low: u32,
    pub(crate) high: u32,
    pub(crate) next: Next,
}

/// What comes next: a fork, a leaf, or nothing, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Next(u32);

/// The same to look at.
pub(crate) enum Kind {
    Nowhere,
    Fork(usize),
    Leaf(usize),
}

/// Where something comes from: a side of a fork, or the start, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Origin(u32);

impl Next {
    const LEAF: u32 = 1 << 31;

    pub(crate) fn leaf(number: usize) -> Self {
        Self(number as u32 | Self::LEAF)
    }

    pub(crate) fn kind(self) -> Kind {
        match self {
            Self(u32::MAX) => Kind::Nowhere,
            Self(leaf) if leaf >= Self::LEAF => Kind::Leaf((leaf - Self::LEAF) as usize),
            Self(fork) => Kind::Fork(fork as usize),
        }
    }
}

impl Default for Next {
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

impl Joined {
    fn next(&mut self, from: Origin) -> &mut Next {
        match from.fork_and_side() {
            None => &mut self.start,
            Some((fork, side)) => &mut self.forks[fork].sides[side].next,
        }
    }

    /// Comes to a fork with these cells on each side.
    pub(crate) fn fork(&mut self, from: Origin, axis: u32, sides: [&CellSet; 2]) -> usize {
        let number = self.forks.len();
        *self.next(from) = Next(number as u32);
        self.special_at.push(self.special.len() as u32);
        sides.iter().for_each(|side| self.special.extend(&side.special));
        let sides = sides.map(|side| Side { low: side.low, high: side.high, next: Next::default() });
        self.forks.push(Fork { axis, from, sides });
        number
    }

    /// Comes to a fork of which both sides are possible, whatever cells there are of so many axes: as one of an axis more.
    pub(crate) fn free(&mut self, from: Origin, num_axes: usize) -> usize {
        let cell = CellSet::all(1, 1);
        self.fork(from, num_axes as u32, [&cell, &cell])
    }

    /// Comes to a leaf of each tree.
    pub(crate) fn end(&mut self, from: Origin, leaves: Vec<u32>) {
        *self.next(from) = Next::leaf(self.leaves.len());
        self.leaves.push((from, leaves));
    }
}
