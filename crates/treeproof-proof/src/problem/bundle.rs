//! Trees that are looked at together, as one: a box that reaches a leaf of each at the same time reaches one of this.

use std::cmp::Reverse;

use crate::problem::joined::{Fork, Joined, Next, Place};
use crate::problem::leads::{Leading, Leads};
use crate::problem::masks::Masks;
use crate::problem::walk::Walk;
use crate::space::region::Region;

/// Trees as one, and what its leaves add.
#[derive(Debug)]
pub(crate) struct Bundle {
    pub(crate) start: Next,
    pub(crate) forks: Vec<Fork>,
    special: Vec<u64>,
    /// What leaves add, in units, rounded up once; the best first.
    pub(crate) values: Vec<i64>,
    /// The least that a leaf adds.
    pub(crate) least: i64,
    /// The least that inputs add: leaves that add less are for what is no input.
    pub(crate) floor: i64,
    /// The axes that matter, ascending.
    axes: Vec<u32>,
    /// Where there are few leaves, which of them a box reaches need not be walked to.
    pub(crate) small: Option<Small>,
}

/// What is known of few leaves.
#[derive(Debug)]
pub(crate) struct Small {
    pub(crate) masks: Masks,
    /// The cells that lead to each, by a number that it has for that.
    pub(crate) leads: Leads,
    /// What each adds, and that number.
    pub(crate) leaves: Vec<(i64, u32)>,
}

impl Bundle {
    /// Of trees as one over all these cells, and what each leaf adds.
    pub(crate) fn new(everything: &Region, joined: Joined, values: &[i64]) -> Self {
        let mut best_first: Vec<usize> = (0..values.len()).collect();
        best_first.sort_by_key(|leaf| Reverse(values[*leaf]));
        let mut rank = vec![0; values.len()];
        best_first.iter().enumerate().for_each(|(place, leaf)| rank[*leaf] = place);
        let renumber = |next: &mut Next| {
            if let Place::Leaf(leaf) = next.place() {
                *next = Next::leaf(rank[leaf]);
            }
        };
        let Joined { mut start, mut forks, special, .. } = joined;
        renumber(&mut start);
        forks.iter_mut().flat_map(|fork| &mut fork.sides).for_each(|side| renumber(&mut side.next));
        let mut axes: Vec<u32> = forks.iter().map(|fork| fork.axis).collect();
        axes.sort_unstable();
        axes.dedup();
        let values: Vec<i64> = best_first.iter().map(|leaf| values[*leaf]).collect();
        let least = values.last().copied().unwrap_or(0);
        let mut bundle = Self { start, forks, special, values, least, floor: least, axes, small: None };
        if Masks::can_have(bundle.values.len()) {
            bundle.small = Some(bundle.small(everything));
        }
        bundle
    }

    fn small(&self, everything: &Region) -> Small {
        let (mut walk, mut leads) = (Walk::default(), Leads::default());
        walk.begin(everything);
        leads.begin(&self.axes, &walk.at);
        let mut leaves: Vec<(i64, u32)> = self.values.iter().map(|value| (*value, 0)).collect();
        walk.through(self, |leaf, cells| leaves[leaf].1 = leads.add(cells));
        let mut masks = Masks::new(leaves.len());
        for axis in &self.axes {
            let leading = leads.along(*axis);
            let of_leaves: Vec<Leading<'_>> = leaves.iter().map(|(_, number)| leading(*number)).collect();
            masks.add(*axis, &walk.at[*axis as usize], &of_leaves);
        }
        Small { masks, leads, leaves }
    }

    /// The special cells that go to a side of a fork, in so many words.
    pub(crate) fn special(&self, fork: &Fork, side: usize, num_words: usize) -> &[u64] {
        let first = fork.special as usize + side * num_words;
        &self.special[first..first + num_words]
    }

    /// Whether cells of an axis may lead to different leaves.
    pub(crate) fn tells_apart(&self, axis: u32) -> bool {
        self.axes.binary_search(&axis).is_ok()
    }

    /// What all leaves add, if that is the same.
    pub(crate) fn constant(&self) -> Option<i64> {
        self.values.first().is_none_or(|best| *best == self.least).then_some(self.least)
    }
}
