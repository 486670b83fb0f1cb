//! The evaluation of trees by bit masks.

use super::losses::Scope;
use super::{Evaluation, Request, poll};
use crate::compiled::Masks;
use crate::grid::index;
use crate::method::{Abandoned, proceed};

impl Evaluation {
    /// Evaluates a region by masks; see [`Evaluation::evaluate_trees`].
    pub(super) fn evaluate_masks(
        &mut self,
        masks: &Masks,
        request: Request<'_>,
        keeps: bool,
    ) -> Result<bool, Abandoned> {
        let Request { space, region, aim, stop } = request;
        if keeps {
            self.reach_before.clone_from(&self.reach);
            let before = self.region.as_ref().expect("a region was evaluated");
            masks.shrink(space, before, region, &mut self.reach);
            if self.reach == self.reach_before {
                return Ok(false);
            }
        } else {
            masks.reach(space, region, &mut self.reach);
        }
        self.find_best(masks);
        let enough = aim.floor.pruning_fall(self.plain);
        std::mem::swap(&mut self.losses, &mut self.losses_before);
        self.losses.clear();
        let scope = Scope { space, masks, region, reach: &self.reach, enough };
        let mut kept = self.losses_before.by_tree();
        for (tree, bits) in masks.trees.iter().enumerate() {
            poll(tree, stop)?;
            if keeps && bits.words(&self.reach) == bits.words(&self.reach_before) {
                self.losses.copy_tree(&mut kept, tree, region);
            } else {
                self.losses.of_tree(scope, tree, self.best[tree] as usize);
            }
        }
        self.finish(request, masks.share_shift, keeps);
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
