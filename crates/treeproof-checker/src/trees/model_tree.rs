//! Trees of models over the cells of a grid.

use treeproof_ensemble::tree::{Node, Side, Test};
use treeproof_proof::header::TreeSource;

use crate::error::{Refused, ensure};
use crate::space::grid::Grid;
use crate::trees::{CellNode, CellTree};

/// All trees of the first model at an input. Those that make no difference have one leaf.
pub(crate) fn trees_at(grid: &Grid<'_>, input: u32) -> Result<Vec<CellTree>, Refused> {
    let everything = grid.everything();
    let of_model = grid.space.models[0].trees().iter().zip(0..);
    of_model
        .map(|(of_model, index)| {
            let tree = tree(grid, TreeSource { model: 0, tree: index, input })?;
            Ok(tree.simplified(&everything, |leaf| of_model.terms(leaf as usize)))
        })
        .collect()
}

/// A tree of a model at an input.
pub(crate) fn tree(grid: &Grid<'_>, source: TreeSource) -> Result<CellTree, Refused> {
    let refused = || Refused::because("a bundle has a tree that is not there");
    let model = grid.space.models.get(source.model as usize).ok_or_else(refused)?;
    let tree = model.trees().get(source.tree as usize).ok_or_else(refused)?;
    let (input, place) = (source.input as usize, source.model as usize);
    ensure(input < grid.space.statement.inputs.len(), || "a bundle has an input that is not there".to_owned())?;
    let everything = grid.everything();
    let mut nodes: Vec<CellNode> = vec![];
    let mut pending: Vec<(Node, Option<(usize, usize)>)> = vec![(tree.root(), None)];
    while let Some((node, parent)) = pending.pop() {
        let own = nodes.len();
        if let Some((parent, side)) = parent {
            match &mut nodes[parent] {
                CellNode::Split { children, .. } | CellNode::Free { children } => children[side] = own as u32,
                CellNode::Leaf(_) => {}
            }
        }
        let index = match node {
            Node::Leaf(leaf) => {
                nodes.push(CellNode::Leaf(leaf as u32));
                continue;
            }
            Node::Split(index) => index,
        };
        let split = &tree.splits()[index];
        if grid.axis_at(input, place, split.feature).is_none() {
            let side = match grid.free_sides(input, place, tree, split) {
                [true, false] => Some(Side::Left),
                [false, true] => Some(Side::Right),
                _ => None,
            };
            if let Some(side) = side {
                // All values go one way, so there is no split.
                pending.push((split.child(side).node(), parent));
                continue;
            }
        }
        nodes.push(match grid.axis_at(input, place, split.feature) {
            None => CellNode::Free { children: [0; 2] },
            Some(axis) => {
                let cells = everything.axis(axis);
                let sides = |cell: u32| grid.sides(axis, cell, place, tree, split);
                let ordered = cells.num_ordered();
                // Numbers ascend from cell to cell, so bisection finds a threshold, if all cells hold numbers.
                let is_threshold = grid.is_plain(axis) && matches!(split.test, Test::Below(_)) && split.zero.is_none();
                let (left_end, right_start) = if is_threshold {
                    (first(ordered, |cell| !sides(cell)[0]), first(ordered, |cell| sides(cell)[1]))
                } else {
                    let left = (0..ordered).rev().find(|cell| sides(*cell)[0]).map_or(0, |cell| cell + 1);
                    (left, (0..ordered).find(|cell| sides(*cell)[1]).unwrap_or(ordered))
                };
                let mut special = [vec![0; cells.special.len()], vec![0; cells.special.len()]];
                for cell in ordered..cells.num_cells() {
                    let bit = cell - ordered;
                    for (side, goes) in sides(cell).into_iter().enumerate() {
                        special[side][(bit / 64) as usize] |= u64::from(goes) << (bit % 64);
                    }
                }
                let special = special.map(Vec::into_boxed_slice);
                CellNode::Split { axis: axis as u32, left_end, right_start, special, children: [0; 2] }
            }
        });
        pending.push((split.child(Side::Right).node(), Some((own, 1))));
        pending.push((split.child(Side::Left).node(), Some((own, 0))));
    }
    Ok(CellTree { nodes })
}

/// The first cell below `count` for which a monotone predicate holds.
fn first(count: u32, is_so: impl Fn(u32) -> bool) -> u32 {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = u32::midpoint(low, high);
        if is_so(middle) { high = middle } else { low = middle + 1 }
    }
    low
}
