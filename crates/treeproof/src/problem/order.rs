//! Order pass: a tree that penalises cells in which the second of two inputs is below the first.

use treeproof_search::{Axis, Node, Tree, Value};

use super::cells::AxisPartition;
use super::node_list::{ChildSlot, NodeList};

/// A tree that adds `penalty` where no numbers of the two cells are in order, and else 0. Missing is in order with missing
/// alone.
pub(super) fn order(cells: [&AxisPartition; 2], axes: [u32; 2], penalty: Value) -> Tree {
    let [first, second] = cells.map(AxisPartition::shape);
    let mut nodes = NodeList::default();
    // Cells of the first axis, narrowed down to one: the ordered ones by halves, the special ones one by one.
    let mut pending = vec![(Some(0..first.ordered), 0..first.special, None)];
    while let Some((ordered, special, slot)) = pending.pop() {
        let place = nodes.next_place();
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
                compare(cells, ordered.start, (axes[1], second), penalty, &mut nodes, slot);
                continue;
            }
            _ if special.len() > 1 => {
                pending.push((None, special.start + 1..special.end, right));
                pending.push((None, special.start..special.start + 1, left));
                (0, vec![special.start])
            }
            _ => {
                compare(cells, first.ordered + special.start, (axes[1], second), penalty, &mut nodes, slot);
                continue;
            }
        };
        nodes.add_split(slot, axes[0], cut, special_left);
    }
    Tree { nodes: nodes.0 }
}

/// Adds the split of the second axis between its cells that are out of order with a cell of the first, and the others.
fn compare(
    cells: [&AxisPartition; 2],
    cell: u32,
    (axis, shape): (u32, Axis),
    penalty: Value,
    nodes: &mut NodeList,
    slot: Option<ChildSlot>,
) {
    let least = cells[0].ends(cell).map(|(least, _)| least);
    let is_out_of_order = |other: u32| match (least, cells[1].ends(other)) {
        (Some(least), Some((_, greatest))) => greatest < least,
        (None, None) => false,
        _ => true,
    };
    // Cells ascend: those out of order come first.
    let (mut cut, mut end) = (0, shape.ordered);
    while cut < end {
        let middle = cut + (end - cut) / 2;
        if is_out_of_order(middle) { cut = middle + 1 } else { end = middle }
    }
    let special_left = (0..shape.special).filter(|special| is_out_of_order(shape.ordered + special)).collect();
    let place = nodes.add_split(slot, axis, cut, special_left);
    nodes.add(Some((place, true)), Node::Leaf(penalty));
    nodes.add(Some((place, false)), Node::Leaf(0));
}
