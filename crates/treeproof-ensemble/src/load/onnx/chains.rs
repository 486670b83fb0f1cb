//! Sets written as chains: `x == a`, else `x == b`, …, all with one and the same true child. Converters write the
//! categorical splits of LightGBM so. A child with several parents is no tree; a single membership test is, and
//! means the same.

use super::nodes::{Mode, RawNode, RawTree};

/// Replaces every such chain by a membership test at its first node; the others are reached no more.
pub(super) fn merge(tree: &mut RawTree) {
    let mut visited = vec![false; tree.nodes.len()];
    // From the root, so that a chain is met at its first node; visited once, whatever cycles a file contains.
    let mut pending = vec![0];
    while let Some(index) = pending.pop() {
        if visited.get(index).is_none_or(|visited| *visited) {
            continue;
        }
        visited[index] = true;
        let (members, end) = follow(tree, index, &mut visited);
        let RawNode::Branch(head) = &mut tree.nodes[index] else { continue };
        if members.len() > 1 {
            head.mode = Mode::Member(members);
            head.on_false = end;
        }
        pending.extend([head.on_true, head.on_false]);
    }
}

/// The values of the chain that starts here, and the false child of its last test.
fn follow(tree: &RawTree, start: usize, visited: &mut [bool]) -> (Vec<f64>, usize) {
    let RawNode::Branch(head) = &tree.nodes[start] else { return (Vec::new(), start) };
    let mut end = head.on_false;
    let Mode::Equal(value) = head.mode else { return (Vec::new(), end) };
    let mut members = vec![value];
    while let Some(RawNode::Branch(next)) = tree.nodes.get(end)
        && let Mode::Equal(value) = next.mode
        && next.feature == head.feature
        && next.on_true == head.on_true
        && next.tracks_true == head.tracks_true
        && !std::mem::replace(&mut visited[end], true)
    {
        members.push(value);
        end = next.on_false;
    }
    (members, end)
}

#[cfg(test)]
mod tests {
    use super::super::nodes::{Branch, RawLeaf};
    use super::*;

    fn equal(value: f64, on_true: usize, on_false: usize) -> RawNode {
        RawNode::Branch(Branch { feature: 0, mode: Mode::Equal(value), tracks_true: false, on_true, on_false })
    }

    #[test]
    fn a_chain_with_one_true_child_is_a_set() {
        let leaf = || RawNode::Leaf(RawLeaf::default());
        let mut tree =
            RawTree { nodes: vec![equal(3.0, 2, 1), equal(5.0, 2, 3), leaf(), equal(7.0, 4, 5), leaf(), leaf()] };
        merge(&mut tree);
        let RawNode::Branch(head) = &tree.nodes[0] else { panic!("a branch") };
        assert_eq!((&head.mode, head.on_true, head.on_false), (&Mode::Member(vec![3.0, 5.0]), 2, 3));
    }

    #[test]
    fn cycles_end() {
        let mut tree = RawTree { nodes: vec![equal(1.0, 2, 1), equal(2.0, 2, 0), equal(3.0, 0, 1)] };
        merge(&mut tree);
    }
}
