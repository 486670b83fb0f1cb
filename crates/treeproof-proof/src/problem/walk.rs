//! Walks through a bundle to the leaves that a box can reach.

use crate::problem::bundle::Bundle;
use crate::problem::joined::{Fork, Joined, Place};
use crate::problem::trees::meets;
use crate::space::region::{CellSet, Region};

/// A walk, and the memory that it takes.
#[derive(Debug, Default)]
pub(crate) struct Walk {
    /// The cells of the box that lead to where the walk is.
    pub(crate) at: Vec<CellSet>,
    pending: Vec<Pending>,
    /// What axes had before they were narrowed.
    before: Vec<(u32, u32)>,
    before_special: Vec<u64>,
}

/// What is still to do.
#[derive(Clone, Copy, Debug)]
enum Pending {
    /// To go to the second side of a fork, for which cells are to be narrowed from what they were before.
    Second(u32),
    /// To have the cells of an axis again that were there before.
    Back(u32),
}

impl Walk {
    /// Looks at a box from now on.
    pub(crate) fn begin(&mut self, region: &Region) {
        self.at.resize_with(region.num_axes() + 1, Joined::one_cell);
        self.at.iter_mut().zip(&region.axes).for_each(|(at, cells)| at.set(cells));
    }

    /// Walks through a bundle, and says of each leaf that the box reaches which of its cells lead there.
    pub(crate) fn through(&mut self, bundle: &Bundle, mut reaches: impl FnMut(usize, &[CellSet])) {
        let mut next = bundle.start;
        loop {
            match next.place() {
                Place::Fork(number) => {
                    let fork = &bundle.forks[number];
                    match self.sides(bundle, fork) {
                        [true, true] => {
                            self.keep(fork.axis);
                            self.narrow(bundle, fork, 0);
                            self.pending.push(Pending::Second(number as u32));
                            next = fork.sides[0].next;
                            continue;
                        }
                        [false, false] => {}
                        [is_first, _] => {
                            let side = usize::from(!is_first);
                            if !self.is_within(bundle, fork, side) {
                                self.keep(fork.axis);
                                self.narrow(bundle, fork, side);
                                self.pending.push(Pending::Back(fork.axis));
                            }
                            next = fork.sides[side].next;
                            continue;
                        }
                    }
                }
                Place::Leaf(leaf) => reaches(leaf, &self.at),
                Place::Nowhere => {}
            }
            loop {
                match self.pending.pop() {
                    None => return,
                    Some(Pending::Back(axis)) => self.go_back(axis),
                    Some(Pending::Second(number)) => {
                        let fork = &bundle.forks[number as usize];
                        self.go_back(fork.axis);
                        self.keep(fork.axis);
                        self.narrow(bundle, fork, 1);
                        self.pending.push(Pending::Back(fork.axis));
                        next = fork.sides[1].next;
                        break;
                    }
                }
            }
        }
    }

    /// To which sides of a fork there are cells that go.
    fn sides(&self, bundle: &Bundle, fork: &Fork) -> [bool; 2] {
        let cells = &self.at[fork.axis as usize];
        let goes = fork.sides.map(|side| cells.low.max(side.low) < cells.high.min(side.high));
        if cells.special.is_empty() {
            return goes;
        }
        let special = |side: usize| bundle.special(fork, side, cells.special.len());
        [0, 1].map(|side| goes[side] || meets(&cells.special, special(side)))
    }

    /// Whether all cells go to a side of a fork.
    fn is_within(&self, bundle: &Bundle, fork: &Fork, side: usize) -> bool {
        let (cells, own) = (&self.at[fork.axis as usize], &fork.sides[side]);
        let is_ordered_within = own.low <= cells.low && cells.high <= own.high;
        let special = bundle.special(fork, side, cells.special.len());
        is_ordered_within && cells.special.iter().zip(special).all(|(own, goes)| own & !goes == 0)
    }

    /// Keeps what cells of an axis there are now.
    fn keep(&mut self, axis: u32) {
        let cells = &self.at[axis as usize];
        self.before.push((cells.low, cells.high));
        self.before_special.extend_from_slice(&cells.special);
    }

    /// Has the cells again that were kept last.
    fn go_back(&mut self, axis: u32) {
        let cells = &mut self.at[axis as usize];
        if let Some(ordered) = self.before.pop() {
            (cells.low, cells.high) = ordered;
        }
        if !cells.special.is_empty() {
            let first = self.before_special.len() - cells.special.len();
            cells.special.copy_from_slice(&self.before_special[first..]);
            self.before_special.truncate(first);
        }
    }

    /// Only cells are left that go to a side of a fork.
    fn narrow(&mut self, bundle: &Bundle, fork: &Fork, side: usize) {
        let cells = &mut self.at[fork.axis as usize];
        cells.keep_ordered(fork.sides[side].low, fork.sides[side].high);
        let special = bundle.special(fork, side, cells.special.len());
        cells.special.iter_mut().zip(special).for_each(|(own, goes)| *own &= goes);
    }
}
