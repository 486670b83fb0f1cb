//! The leaves of a tree with their boxes: which cells of each axis lead to them.

use crate::problem::{Node, Tree, Value};
use crate::region::Space;

/// A leaf and the axes on its path.
pub(super) struct LeafBox {
    pub(super) value: Value,
    pub(super) sides: Vec<LeafSide>,
}

/// The cells of one axis that lead to a leaf.
#[derive(Clone, Debug)]
pub(super) struct LeafSide {
    pub(super) axis: u32,
    /// Ordered cells `low..high`.
    pub(super) low: u32,
    pub(super) high: u32,
    /// Special cells that do not lead there, ascending.
    pub(super) excluded: Vec<u32>,
}

impl LeafSide {
    /// Whether no ordered cell leads there.
    pub(super) fn is_empty(&self) -> bool {
        self.low >= self.high
    }
}

/// The boundaries at which a tree looks at its axes: sorted, without repeats.
pub(super) fn boundaries(tree: &Tree) -> Vec<(u32, u32)> {
    let mut cuts: Vec<(u32, u32)> = tree
        .nodes
        .iter()
        .filter_map(|node| match node {
            Node::Split(split) => Some((split.axis, split.cut)),
            Node::Leaf(_) => None,
        })
        .collect();
    cuts.sort_unstable();
    cuts.dedup();
    cuts
}

/// The leaves that some point reaches, with their boxes.
pub(super) fn leaf_boxes(space: &Space, tree: &Tree) -> Vec<LeafBox> {
    let mut leaves = vec![];
    let mut pending: Vec<(u32, Vec<LeafSide>)> = vec![(0, vec![])];
    while let Some((node, sides)) = pending.pop() {
        match &tree.nodes[node as usize] {
            Node::Leaf(value) => leaves.push(LeafBox { value: *value, sides }),
            Node::Split(split) => {
                let shape = space.axes[split.axis as usize];
                for left in [false, true] {
                    let mut sides = sides.clone();
                    let place = sides.iter().position(|side| side.axis == split.axis).unwrap_or_else(|| {
                        sides.push(LeafSide { axis: split.axis, low: 0, high: shape.ordered, excluded: vec![] });
                        sides.len() - 1
                    });
                    let side = &mut sides[place];
                    if left {
                        side.high = side.high.min(split.cut);
                    } else {
                        side.low = side.low.max(split.cut);
                    }
                    let goes = |cell: u32| split.special_left.binary_search(&cell).is_ok() == left;
                    let excluded = |cell: &u32| side.excluded.binary_search(cell).is_ok() || !goes(*cell);
                    side.excluded = (0..shape.special).filter(excluded).collect();
                    if !side.is_empty() || side.excluded.len() < shape.special as usize {
                        pending.push((if left { split.left } else { split.right }, sides));
                    }
                }
            }
        }
    }
    leaves
}
