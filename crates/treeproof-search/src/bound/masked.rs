//! The evaluation of trees by bit masks.

use super::losses::Scope;
use super::{Aim, Evaluation, ROUNDS, ROUNDS_AGAIN, poll};
use crate::compiled::{Layout, Masks};
use crate::grid::{Region, Space, index};
use crate::method::{Abandoned, Stop, proceed};

impl Evaluation {
    /// Evaluates a region that has points. What cannot beat the incumbent need not be known exactly.
    pub(crate) fn evaluate_masks(
        &mut self,
        space: &Space,
        layout: &Layout,
        masks: &Masks,
        region: &Region,
        aim: Aim<'_>,
        stop: &dyn Stop,
    ) -> Result<(), Abandoned> {
        masks.reach(space, region, &mut self.reach);
        self.find_best(masks);
        let enough = aim.floor.pruning_fall(self.plain);
        self.losses.clear();
        let scope = Scope { space, masks, region, reach: &self.reach, enough };
        for (tree, best) in self.best.iter().enumerate() {
            poll(tree, stop)?;
            self.losses.of_tree(scope, tree, *best as usize);
        }
        self.finish(space, layout, region, aim, masks.share_shift(), ROUNDS);
        proceed(stop)?;
        self.toll(space, masks, region, aim);
        Ok(())
    }

    /// Evaluates the region again after it has shrunk. Returns false if that changes nothing for any tree: what is
    /// known then still holds, with segments outside the region to be ignored.
    pub(crate) fn evaluate_masks_again(
        &mut self,
        space: &Space,
        layout: &Layout,
        masks: &Masks,
        region: &Region,
        aim: Aim<'_>,
        stop: &dyn Stop,
    ) -> Result<bool, Abandoned> {
        if self.has_other_choices(space, region) {
            return self.evaluate_masks(space, layout, masks, region, aim, stop).map(|()| true);
        }
        self.reach_before.clear();
        self.reach_before.extend_from_slice(&self.reach);
        let before = self.region.as_ref().expect("a region was evaluated");
        masks.shrink(space, before, region, &mut self.reach);
        if self.reach == self.reach_before {
            return Ok(false);
        }
        self.find_best(masks);
        let enough = aim.floor.pruning_fall(self.plain);
        std::mem::swap(&mut self.losses, &mut self.losses_before);
        self.losses.clear();
        let scope = Scope { space, masks, region, reach: &self.reach, enough };
        let mut kept = self.losses_before.by_tree();
        for (tree, bits) in masks.trees.iter().enumerate() {
            poll(tree, stop)?;
            if bits.words(&self.reach) == bits.words(&self.reach_before) {
                self.losses.copy_tree(&mut kept, tree, region);
            } else {
                self.losses.of_tree(scope, tree, self.best[tree] as usize);
            }
        }
        self.finish(space, layout, region, aim, masks.share_shift(), ROUNDS_AGAIN);
        proceed(stop)?;
        self.toll(space, masks, region, aim);
        Ok(true)
    }

    fn find_best(&mut self, masks: &Masks) {
        self.best.clear();
        self.plain = masks.base;
        for tree in &masks.trees {
            let best = tree.best(&self.reach);
            self.plain += masks.values[best];
            self.best.push(index(best));
        }
    }
}
