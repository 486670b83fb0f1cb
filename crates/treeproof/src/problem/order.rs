//! Keeps the second of two inputs from being below the first: as a tree that costs too much where it is.

use treeproof_search::{Axis, Node, Split, Tree, Value};

use super::cells::AxisCells;
use super::lower::split_at;
use super::position;

/// A tree that adds `penalty` where no numbers of the two cells are in order, and else 0. Missing is in order with missing
/// alone.
pub(super) fn order(cells: [&AxisCells; 2], axes: [u32; 2], penalty: Value) -> Tree {
    let [first, second] = cells.map(AxisCells::shape);
    let mut nodes: Vec<Node> = vec![];
    // Cells of the first axis, narrowed down to one: the ordered ones by halves, the special ones one by one.
    let mut pending = vec![(Some(0..first.ordered), 0..first.special, None)];
    while let Some((ordered, special, parent)) = pending.pop() {
        let place = position(nodes.len());
        if let Some((parent, is_left)) = parent {
            let parent = split_at(&mut nodes, parent);
            *(if is_left { &mut parent.left } else { &mut parent.right }) = place;
        }
        let (left, right) = (Some((place, true)), Some((place, false)));
        let (cut, special_left) = match &ordered {
            Some(ordered) if !special.is_empty() && !ordered.is_empty() => {
                // Special cells to the left, ordered ones to the right.
                pending.push((Some(ordered.clone()), 0..0, right));
                pending.push((None, special.clone(), left));
                (0, special.collect())
            }
            Some(ordered) if ordered.len() > 1 => {
                let middle = ordered.start + (ordered.end - ordered.start) / 2;
                pending.push((Some(middle..ordered.end), 0..0, right));
                pending.push((Some(ordered.start..middle), 0..0, left));
                (middle, vec![])
            }
            Some(ordered) if ordered.len() == 1 => {
                compare(cells, ordered.start, axes[1], second, penalty, &mut nodes);
                continue;
            }
            _ if special.len() > 1 => {
                pending.push((None, special.start + 1..special.end, right));
                pending.push((None, special.start..special.start + 1, left));
                (0, vec![special.start])
            }
            _ => {
                compare(cells, first.ordered + special.start, axes[1], second, penalty, &mut nodes);
                continue;
            }
        };
        nodes.push(Node::Split(Split { axis: axes[0], cut, special_left, left: 0, right: 0 }));
    }
    Tree { nodes }
}

/// Adds the split of the second axis' cells into those out of order with a cell of the first, and the others.
fn compare(cells: [&AxisCells; 2], cell: u32, axis: u32, shape: Axis, penalty: Value, nodes: &mut Vec<Node>) {
    let least = cells[0].ends(cell).map(|(least, _)| least);
    let is_out_of_order = |other: u32| match (least, cells[1].ends(other)) {
        (Some(least), Some((_, greatest))) => greatest < least,
        (None, None) => false,
        _ => true,
    };
    let place = position(nodes.len());
    // Cells ascend: those out of order come first.
    let (mut cut, mut end) = (0, shape.ordered);
    while cut < end {
        let middle = cut + (end - cut) / 2;
        if is_out_of_order(middle) { cut = middle + 1 } else { end = middle }
    }
    let special_left = (0..shape.special).filter(|special| is_out_of_order(shape.ordered + special)).collect();
    nodes.push(Node::Split(Split { axis, cut, special_left, left: place + 1, right: place + 2 }));
    nodes.extend([Node::Leaf(penalty), Node::Leaf(0)]);
}
