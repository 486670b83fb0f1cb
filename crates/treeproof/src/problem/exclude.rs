//! Takes an output configuration out of a problem: as a tree that costs something there and nothing elsewhere.

use treeproof_proof::header::BoxSide;
use treeproof_search::{Axis, Case, Cells, Node, Problem, Split, Tree, Value};

use super::pair::NarrowedAxes;
use super::position;

/// A tree that takes `by` off all points that reach the same leaves as a point. The last trees of every channel do not count:
/// those that were made so before.
pub(super) fn exclude(problem: &Problem, num_before: usize, point: &[u32], by: Value) -> (Tree, Vec<BoxSide>) {
    let region = same_leaves(problem, &problem.cases, num_before, point);
    let side = |(axis, cells): (u32, &Cells)| BoxSide {
        axis,
        low: cells.ordered.start,
        high: cells.ordered.end,
        special: cells.special.clone(),
    };
    let sides = region.narrowed().map(side).collect();
    let mut nodes: Vec<Node> = vec![];
    for (axis, cells) in region.narrowed() {
        let Axis { ordered, special } = problem.axes[axis as usize];
        let others = (0..special).filter(|cell| cells.special.binary_search(cell).is_err()).collect();
        let first = if cells.ordered.is_empty() { ordered } else { cells.ordered.start };
        // What is before the cells goes left, out of the region; what is behind them right, in the next split.
        let place = position(nodes.len());
        nodes.push(Node::Split(Split { axis, cut: first, special_left: others, left: place + 1, right: place + 2 }));
        nodes.push(Node::Leaf(0));
        if !cells.ordered.is_empty() && cells.ordered.end < ordered {
            let (cut, special_left) = (cells.ordered.end, cells.special.clone());
            nodes.push(Node::Split(Split { axis, cut, special_left, left: place + 4, right: place + 3 }));
            nodes.push(Node::Leaf(0));
        }
    }
    nodes.push(Node::Leaf(-by));
    (Tree { nodes }, sides)
}

/// The points that reach the same leaves as a point in all trees of these cases but the last ones of every channel, as many as
/// this.
pub(super) fn same_leaves(problem: &Problem, cases: &[Case], num_last: usize, point: &[u32]) -> NarrowedAxes {
    let mut region = NarrowedAxes::default();
    let channels = cases.iter().flat_map(|case| &case.channels);
    for tree in channels.flat_map(|channel| &channel.trees[..channel.trees.len() - num_last]) {
        let mut at = 0;
        while let Node::Split(split) = &tree.nodes[at] {
            let [left, right] = region.sides(&problem.axes, split);
            let is_left = split.goes_left(problem.axes[split.axis as usize], point[split.axis as usize]);
            region.keep(split.axis, if is_left { left } else { right }.expect("the point is on this side"));
            at = if is_left { split.left } else { split.right } as usize;
        }
    }
    region
}
