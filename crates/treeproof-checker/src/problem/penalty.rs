//! Penalties: trees of very low value where inputs do not count, out of order, or where the goal is missed.

use treeproof_proof::header::BoxSide;
use treeproof_proof::statement::Tie;

use super::{ProblemBuilder, cells_of};
use crate::error::{Refused, ensure};
use crate::region::{CellSet, NarrowBox};
use crate::trees::bundle::Bundle;
use crate::trees::{CellNode, CellTree, join};

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
        let everything = self.grid.everything();
        let [one, other] = [first_axis, second_axis].map(|axis| everything.axis(axis));
        let may_be_in_order = |cell: u32, next: u32| {
            let [low, high] =
                [(first_axis, cell), (second_axis, next)].map(|(axis, cell)| self.grid.cell_values(axis, cell, place));
            low.may_be_in_order(high)
        };
        // A chain of splits, a cell of the first axis each, and for each the cells of the second that are in order.
        let bits = |axis: &CellSet, has: &dyn Fn(u32) -> bool| {
            let mut bits = vec![0_u64; axis.special.len()];
            for cell in axis.num_ordered()..axis.num_cells() {
                let bit = cell - axis.num_ordered();
                bits[(bit / 64) as usize] |= u64::from(has(cell)) << (bit % 64);
            }
            bits.into_boxed_slice()
        };
        let mut nodes = vec![];
        let mut pending = vec![(0, one.num_cells(), None::<(usize, usize)>)];
        while let Some((from, to, parent)) = pending.pop() {
            let own = nodes.len();
            if let Some((parent, side)) = parent
                && let CellNode::Split { children, .. } = &mut nodes[parent]
            {
                children[side] = own as u32;
            }
            if to - from > 1 {
                let middle = u32::midpoint(from, to);
                let end = middle.min(one.num_ordered());
                let special = [bits(one, &|cell| cell < middle), bits(one, &|cell| cell >= middle)];
                nodes.push(CellNode::Split {
                    axis: first_axis as u32,
                    left_end: end,
                    right_start: end,
                    special,
                    children: [0; 2],
                });
                pending.push((middle, to, Some((own, 1))));
                pending.push((from, middle, Some((own, 0))));
                continue;
            }
            // An axis may have no cell at all.
            let goes = |next: u32| from < to && may_be_in_order(from, next);
            let start = (0..other.num_ordered()).find(|next| goes(*next)).unwrap_or(other.num_ordered());
            let special = [bits(other, &|next| !goes(next)), bits(other, &goes)];
            let children = [own as u32 + 1, own as u32 + 2];
            nodes.push(CellNode::Split {
                axis: second_axis as u32,
                left_end: start,
                right_start: start,
                special,
                children,
            });
            nodes.extend([CellNode::Leaf(0), CellNode::Leaf(1)]);
        }
        let mut bundle = self.plain_bundle(nodes, [-PENALTY, 0])?;
        // All inputs are in order.
        bundle.floor = 0;
        Ok(bundle)
    }

    /// A tree with a penalty in a box where the goal is missed.
    pub(super) fn missed(&self, sides: &[BoxSide], case: usize) -> Result<Bundle, Refused> {
        let everything = self.grid.everything();
        let narrowed = sides.iter().map(|side| Ok((side.axis, cells_of(&everything, side)?)));
        let narrow = NarrowBox { narrowed: narrowed.collect::<Result<_, Refused>>()? };
        let is_missed = self.exclusions.is_missed(&narrow.region(&everything), case);
        ensure(is_missed, || "the library does not say that the goal is missed in a box".to_owned())?;
        let mut nodes = vec![];
        for (side, (_, cells)) in sides.iter().zip(&narrow.narrowed) {
            let all = everything.axis(side.axis as usize);
            let is_in = |cell: u32| cells.has(cell);
            let mut special = [vec![0; all.special.len()], vec![0; all.special.len()]];
            for cell in all.num_ordered()..all.num_cells() {
                let bit = cell - all.num_ordered();
                special[usize::from(is_in(cell))][(bit / 64) as usize] |= 1 << (bit % 64);
            }
            // Cells outside the box go left, to a leaf: first those below it, then those above it.
            let own = nodes.len() as u32;
            let [outside, inside] = special.map(Vec::into_boxed_slice);
            let low = side.low.min(all.num_ordered());
            let high = side.high.clamp(low, all.num_ordered());
            let axis = side.axis;
            let first = [outside.clone(), inside.clone()];
            nodes.push(CellNode::Split {
                axis,
                left_end: low,
                right_start: low,
                special: first,
                children: [own + 1, own + 2],
            });
            nodes.push(CellNode::Leaf(0));
            let second = [inside, outside];
            nodes.push(CellNode::Split {
                axis,
                left_end: high,
                right_start: high,
                special: second,
                children: [own + 4, own + 3],
            });
            nodes.push(CellNode::Leaf(0));
        }
        nodes.push(CellNode::Leaf(1));
        self.plain_bundle(nodes, [0, -PENALTY])
    }

    /// A bundle of one tree, each leaf of which has one of two values.
    fn plain_bundle(&self, nodes: Vec<CellNode>, worth: [i64; 2]) -> Result<Bundle, Refused> {
        let joined = join(&self.everything, &[CellTree { nodes }], None);
        let joined = joined.ok_or_else(|| Refused::because("a bundle with too many special cells"))?;
        let values: Vec<i64> = joined.leaves.iter().map(|(_, leaves)| worth[leaves[0] as usize]).collect();
        Ok(Bundle::new(&self.everything, joined, &values))
    }
}
