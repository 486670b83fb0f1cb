//! The bound of a channel over a region, and how much it falls in either part of every cut.
//!
//! The plain bound is the sum of the best reachable leaves. A tree whose best leaf is cut off loses the difference to the
//! best leaf that remains; adding these losses over trees gives, for every cut of every axis, the exact fall of the
//! plain bound on both sides. The share bound spreads each tree's loss over the axes of its best leaf's path, with weights
//! that sum to at most one, so that axes become independent: whatever cell a point takes, it loses at least the cheapest one.
//!
//! | file | what |
//! |---|---|
//! | `losses` | what every tree loses along every axis of its best leaf's path |
//! | `falls` | their sums over trees, per axis and segment of cells |
//! | `share` | the share bound |
//! | `decide` | what follows: cells to remove, the cut to make, a point to try |

mod decide;
mod falls;
mod losses;
mod share;

use self::falls::Falls;
pub(crate) use self::falls::Layout;
use self::losses::{Losses, Within};
use self::share::Shares;
pub(crate) use self::share::shift as share_shift;
use crate::expand::Incumbent;
use crate::masks::Masks;
use crate::problem::Value;
use crate::region::{Region, Space};
use crate::walk::Walk;

/// Rounds in which the weights of the share bound are found, and found again for a region that has shrunk.
const ROUNDS: usize = 4;
const ROUNDS_AGAIN: usize = 2;

/// What is known about a region, and the memory to find it out; used again for every region.
#[derive(Debug, Default)]
pub(crate) struct Evaluation {
    /// The sum of the best reachable leaves.
    pub(crate) plain: Value,
    /// The share bound, at most `plain`.
    pub(crate) bound: Value,
    /// The best reachable leaf of every tree.
    pub(crate) best: Vec<u32>,
    /// The leaves that the region leaves reachable, and those before it shrank.
    pub(crate) reach: Vec<u64>,
    reach_before: Vec<u64>,
    /// The region of all this.
    region: Option<Region>,
    losses: Losses,
    losses_before: Losses,
    falls: Falls,
    shares: Shares,
    /// The unit of shares is `2^(shift − 16)`.
    shift: u32,
}

impl Evaluation {
    /// Evaluates a region that has points. What cannot beat the incumbent need not be known exactly.
    pub(crate) fn evaluate(
        &mut self,
        space: &Space,
        layout: &Layout,
        masks: &Masks,
        region: &Region,
        incumbent: Incumbent,
    ) {
        masks.reach(space, region, &mut self.reach);
        self.find_best(masks);
        let enough = incumbent.closing_fall(self.plain);
        self.losses.clear();
        let within = Within { space, masks, region, reach: &self.reach, enough };
        for (tree, best) in self.best.iter().enumerate() {
            self.losses.of_tree(within, tree, *best as usize);
        }
        self.finish(space, layout, region, enough, masks.share_shift(), ROUNDS);
    }

    /// Evaluates the region again after it has shrunk. Returns false if that changes nothing for any tree: what is
    /// known then still holds, with segments outside the region to be ignored.
    pub(crate) fn evaluate_again(
        &mut self,
        space: &Space,
        layout: &Layout,
        masks: &Masks,
        region: &Region,
        incumbent: Incumbent,
    ) -> bool {
        let before = self.region.as_ref().expect("a region was evaluated");
        let mut mixed = (0..space.axes.len()).filter(|axis| space.is_mixed(before, *axis));
        if mixed.any(|axis| !space.same_cells(before, region, axis)) {
            self.evaluate(space, layout, masks, region, incumbent);
            return true;
        }
        self.reach_before.clear();
        self.reach_before.extend_from_slice(&self.reach);
        masks.shrink(space, before, region, &mut self.reach);
        if self.reach == self.reach_before {
            return false;
        }
        self.find_best(masks);
        let enough = incumbent.closing_fall(self.plain);
        std::mem::swap(&mut self.losses, &mut self.losses_before);
        self.losses.clear();
        let within = Within { space, masks, region, reach: &self.reach, enough };
        let mut kept = self.losses_before.by_tree();
        for (tree, bits) in masks.trees.iter().enumerate() {
            if bits.words(&self.reach) == bits.words(&self.reach_before) {
                self.losses.copy_tree(&mut kept, tree, region);
            } else {
                self.losses.of_tree(within, tree, self.best[tree] as usize);
            }
        }
        self.finish(space, layout, region, enough, masks.share_shift(), ROUNDS_AGAIN);
        true
    }

    /// The same for trees that are walked: only the nearest boundary on either side of a best leaf is looked at, so
    /// falls are never too large, but may be smaller than they could be.
    pub(crate) fn evaluate_walk(
        &mut self,
        space: &Space,
        layout: &Layout,
        walk: &Walk,
        region: &Region,
        incumbent: Incumbent,
    ) {
        self.losses.clear();
        self.best.clear();
        self.plain = walk.base;
        for tree in 0..walk.num_trees() {
            let best = self.losses.of_walked_tree(space, walk, region, tree);
            self.plain += walk.value(best);
            self.best.push(best);
        }
        self.finish(space, layout, region, incumbent.closing_fall(self.plain), walk.share_shift(), ROUNDS);
    }

    /// Whether a region is a part of the one that was evaluated.
    pub(crate) fn covers(&self, region: &Region) -> bool {
        self.region.as_ref().is_some_and(|whole| whole.contains(region))
    }

    fn find_best(&mut self, masks: &Masks) {
        self.best.clear();
        self.plain = masks.base;
        for tree in &masks.trees {
            let best = tree.best(&self.reach);
            self.plain += masks.values[best];
            self.best.push(crate::masks::index(best));
        }
    }

    fn finish(&mut self, space: &Space, layout: &Layout, region: &Region, enough: Value, shift: u32, rounds: usize) {
        self.shift = shift;
        match &mut self.region {
            Some(own) => own.clone_from(region),
            None => self.region = Some(region.clone()),
        }
        self.falls.add_up(space, layout, region, &mut self.losses);
        self.bound = self.plain - self.share(enough, rounds);
    }
}
