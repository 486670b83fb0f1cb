//! Random problems for the tests of parts of the search.

use crate::grid::{Axis, Value, index};
use crate::problem::{Case, Channel, Node, Problem, Split, Tree};
use crate::random::Random;

/// Two cases, one of them of two channels, over axes with and without order.
pub(crate) fn problem(seed: u64) -> Problem {
    let mut random = Random(seed);
    let shapes = [(9, 0), (6, 2), (0, 4), (1, 0), (12, 1), (7, 0)];
    let axes = shapes.map(|(ordered, special)| Axis { ordered, special }).to_vec();
    let channel = |random: &mut Random| {
        let trees = (0..12).map(|_| {
            let mut nodes = vec![];
            grow(random, &axes, 4, &mut nodes);
            Tree { nodes }
        });
        Channel { base: 3, trees: trees.collect() }
    };
    let cases = [1, 2].map(|channels| Case { channels: (0..channels).map(|_| channel(&mut random)).collect() });
    Problem { cases: cases.to_vec(), axes, ..Problem::default() }
}

fn grow(random: &mut Random, axes: &[Axis], depth: u32, nodes: &mut Vec<Node>) -> u32 {
    let place = nodes.len();
    nodes.push(Node::Leaf(Value::from(random.below(2001)) - 1000));
    if depth > 0 && !random.once_in(6) {
        let axis = random.below(index(axes.len()));
        let Axis { ordered, special } = axes[axis as usize];
        let cut = random.below(ordered + 1);
        let special_left = (0..special).filter(|_| random.once_in(2)).collect();
        let left = grow(random, axes, depth - 1, nodes);
        let right = grow(random, axes, depth - 1, nodes);
        nodes[place] = Node::Split(Split { axis, cut, special_left, left, right });
    }
    index(place)
}
