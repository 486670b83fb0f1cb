//! A point moved into a good leaf of a tree.

use super::{Walk, WalkSplit};
use crate::random::Random;
use crate::region::Space;

/// At a split, the side with the worse leaves is taken once in so many times.
const WORSE_ONCE_IN: u32 = 4;

impl Walk {
    /// Moves a point into a leaf of a tree, mostly a good one: a coordinate that the way there excludes goes to the
    /// nearest cell that it allows.
    pub(crate) fn enter_leaf(&self, space: &Space, tree: u32, random: &mut Random, point: &mut [u32]) {
        let mut region = space.everything();
        let mut place = self.root(tree);
        while let Some(WalkSplit { axis, left, right, .. }) = self.split(place) {
            let goes_left = match self.sides(space, &region, place) {
                (true, true) => {
                    let left_is_better = self.value(left) >= self.value(right);
                    left_is_better != random.once_in(WORSE_ONCE_IN)
                }
                (left, _) => left,
            };
            self.keep_side(space, &mut region, place, goes_left);
            let cell = &mut point[axis as usize];
            *cell = space.nearest(&region, axis as usize, *cell);
            place = if goes_left { left } else { right };
        }
    }
}
