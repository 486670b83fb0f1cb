//! Trees as one: forks at which the cells of an axis go one way or the other, and leaves.

use crate::space::region::CellSet;

/// Several trees as one.
#[derive(Debug, Default)]
pub(crate) struct Joined {
    pub(crate) start: Next,
    pub(crate) forks: Vec<Fork>,
    /// Special cells of the sides of forks, as bits.
    pub(crate) special: Vec<u64>,
    /// The leaves of all trees that each leaf stands for.
    pub(crate) leaves: Vec<Vec<u32>>,
}

/// Cells of an axis go to one side, or the other, or either, or nowhere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fork {
    pub(crate) axis: u32,
    /// Where the special cells of its sides are, one after the other.
    pub(crate) special: u32,
    pub(crate) sides: [Side; 2],
}

/// Ordered cells from one to below another, and where they go.
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
pub(crate) enum Place {
    Nowhere,
    Fork(usize),
    Leaf(usize),
}

/// Where something comes from: a side of a fork.
#[derive(Clone, Copy, Debug)]
pub(crate) enum From {
    Start,
    Fork(usize, usize),
}

impl Next {
    const LEAF: u32 = 1 << 31;

    pub(crate) fn leaf(number: usize) -> Self {
        Self(number as u32 | Self::LEAF)
    }

    pub(crate) fn place(self) -> Place {
        match self {
            Self(u32::MAX) => Place::Nowhere,
            Self(leaf) if leaf >= Self::LEAF => Place::Leaf((leaf - Self::LEAF) as usize),
            Self(fork) => Place::Fork(fork as usize),
        }
    }
}

impl Default for Next {
    fn default() -> Self {
        Self(u32::MAX)
    }
}

impl Joined {
    fn next(&mut self, from: From) -> &mut Next {
        match from {
            From::Start => &mut self.start,
            From::Fork(fork, side) => &mut self.forks[fork].sides[side].next,
        }
    }

    /// Comes to a fork with these cells on each side.
    pub(crate) fn fork(&mut self, from: From, axis: u32, sides: [&CellSet; 2]) -> usize {
        let number = self.forks.len();
        *self.next(from) = Next(number as u32);
        let special = self.special.len() as u32;
        sides.iter().for_each(|side| self.special.extend(&side.special));
        let sides = sides.map(|side| Side { low: side.low, high: side.high, next: Next::default() });
        self.forks.push(Fork { axis, special, sides });
        number
    }

    /// Comes to a fork of which both sides are possible, whatever cells there are of so many axes: as one of an axis more, that has
    /// one cell.
    pub(crate) fn free(&mut self, from: From, num_axes: usize) -> usize {
        let cell = Self::one_cell();
        self.fork(from, num_axes as u32, [&cell, &cell])
    }

    /// What every box has of that axis.
    pub(crate) fn one_cell() -> CellSet {
        CellSet::all(1, 1)
    }

    /// Comes to a leaf of each tree.
    pub(crate) fn end(&mut self, from: From, leaves: Vec<u32>) {
        *self.next(from) = Next::leaf(self.leaves.len());
        self.leaves.push(leaves);
    }
}
