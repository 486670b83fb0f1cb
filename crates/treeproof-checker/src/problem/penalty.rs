//! Penalties: trees of very low value where inputs do not count, out of order, or where the goal is missed.

use treeproof_proof::header::BoxSide;
use treeproof_proof::statement::Tie;

use super::{ProblemBuilder, cells_of};
use crate::error::{Refused, ensure};
use crate::region::NarrowBox;
use crate::trees::bundle::Bundle;

/// The penalty, far beyond all sums.
const PENALTY: i64 = 1 << 61;

impl ProblemBuilder<'_> {
    /// A tree with a penalty where the cells of a feature at two inputs cannot be in order.
    pub(super) fn in_order(&self, feature: u32) -> Result<Bundle, Refused> {
        let place = feature as usize;
        let is_tied = self.grid.space.statement.ties.get(place) == Some(&Tie::NotBelow);
        ensure(is_tied, || "what is to be in order is not tied so".to_owned())?;
        let axes = [0, 1].map(|input| self.grid.axis_of(input, place));
        let [Some(first_axis), Some(second_axis)] = axes else {
            return Err(Refused::because("what is to be in order has no axes"));
        };
        let (first_cells, second_cells) = (self.everything.axis(first_axis), self.everything.axis(second_axis));
        let may_be_in_order = |cell: u32, next: u32| {
            let [low, high] =
                [(first_axis, cell), (second_axis, next)].map(|(axis, cell)| self.grid.cell_values(axis, cell, place));
            low.may_be_in_order(high)
        };
        let mut leaves = vec![];
        for cell in first_cells.cells() {
            // Ordered cells ascend: behind the first one that is in order all others may count as such.
            let ordered = second_cells.num_ordered();
            let start = (0..ordered).find(|next| may_be_in_order(cell, *next)).unwrap_or(ordered);
            let (mut in_order, mut others) = (second_cells.clone(), second_cells.clone());
            in_order.keep(|next| if next < ordered { next >= start } else { may_be_in_order(cell, next) });
            others.keep(|next| if next < ordered { next < start } else { !may_be_in_order(cell, next) });
            for (value, second) in [(0, in_order), (-PENALTY, others)] {
                let narrowed = vec![(first_axis as u32, first_cells.one(cell)), (second_axis as u32, second)];
                leaves.push((value, NarrowBox { narrowed }));
            }
        }
        let mut bundle = Bundle::new(&self.everything, leaves);
        // All inputs are in order.
        bundle.floor = 0;
        Ok(bundle)
    }

    /// A tree with a penalty in a box where the goal is missed.
    pub(super) fn missed(&self, sides: &[BoxSide], case: usize) -> Result<Bundle, Refused> {
        let narrowed = sides.iter().map(|side| Ok((side.axis, cells_of(&self.everything, side)?)));
        let inside = NarrowBox { narrowed: narrowed.collect::<Result<_, Refused>>()? };
        let is_missed = self.exclusions.is_missed(&inside.region(&self.everything), case);
        ensure(is_missed, || "the goal is not missed in all of a box".to_owned())?;
        let outside = inside.narrowed.iter().flat_map(|(axis, cells)| {
            let others = self.everything.axis(*axis as usize).without(cells);
            others.into_iter().map(|others| (0, NarrowBox { narrowed: vec![(*axis, others)] }))
        });
        let leaves = outside.chain([(-PENALTY, inside.clone())]).collect();
        Ok(Bundle::new(&self.everything, leaves))
    }
}
