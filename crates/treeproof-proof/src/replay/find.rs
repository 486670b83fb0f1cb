//! Finds the leaves of a bundle that a box can reach, the best first, and which cells lead to each.

use crate::problem::bundle::Bundle;
use crate::problem::leads::{Leading, Leads};
use crate::problem::masks::members;
use crate::problem::walk::Walk;
use crate::space::region::Region;

/// What is known of leaves takes at most about so many words: else axes are asked for a few at a time.
const MOST_WORDS: usize = 1 << 24;

/// Finds leaves; holds the memory that this takes.
#[derive(Debug, Default)]
pub(crate) struct Finder {
    walk: Walk,
    /// Of leaves to which it was walked, as bits, and their numbers among those whose cells are known.
    is_found: Vec<u64>,
    numbers: Vec<u32>,
    leads: Leads,
    /// What was found: what each adds, and its number.
    leaves: Vec<(i64, u32)>,
}

/// Leaves that were found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found<'f> {
    leaves: &'f [(i64, u32)],
    leads: &'f Leads,
}

impl Finder {
    /// Looks at a box from now on.
    pub(crate) fn begin(&mut self, region: &Region) {
        self.walk.begin(region);
    }

    /// How many axes can be asked for at once.
    pub(crate) fn num_at_once(&self, bundle: &Bundle) -> usize {
        if bundle.small.is_some() {
            return usize::MAX;
        }
        let most = self.walk.at.iter().map(|cells| 1 + cells.special.len()).max().unwrap_or(1);
        (MOST_WORDS / (most * bundle.values.len().max(1))).max(1)
    }

    /// Finds the leaves of a bundle, and the cells that lead to each of some axes that matter to it.
    pub(crate) fn find<'f>(&'f mut self, bundle: &'f Bundle, axes: &[u32]) -> Found<'f> {
        self.leaves.clear();
        if let Some(small) = &bundle.small {
            let reached = small.masks.reached(&self.walk.at);
            self.leaves.extend(members(reached).map(|leaf| small.leaves[leaf]));
            return Found { leaves: &self.leaves, leads: &small.leads };
        }
        let Self { walk, is_found, numbers, leads, leaves } = self;
        leads.begin(axes, &walk.at);
        is_found.resize(bundle.values.len().div_ceil(64), 0);
        numbers.resize(bundle.values.len().max(numbers.len()), 0);
        walk.through(bundle, |leaf, cells| {
            is_found[leaf / 64] |= 1 << (leaf % 64);
            numbers[leaf] = leads.add(cells);
        });
        for (word, mut left) in is_found.drain(..).enumerate() {
            while left != 0 {
                let leaf = 64 * word + left.trailing_zeros() as usize;
                leaves.push((bundle.values[leaf], numbers[leaf]));
                left &= left - 1;
            }
        }
        Found { leaves, leads }
    }
}

impl<'f> Found<'f> {
    /// What the best leaf adds.
    pub(crate) fn best(self) -> Option<i64> {
        self.leaves.first().map(|(value, _)| *value)
    }

    /// What leaves add, the best first, and their numbers.
    pub(crate) fn leaves(self) -> &'f [(i64, u32)] {
        self.leaves
    }

    /// The cells along an axis that lead to each leaf, by its number. Some may not be in the box.
    pub(crate) fn leading(self, axis: u32) -> impl Fn(u32) -> Leading<'f> {
        self.leads.along(axis)
    }
}
