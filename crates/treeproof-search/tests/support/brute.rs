//! The optimum by looking at every point, tree by tree: each leaf adds its value to the points of its cells.

use treeproof_search::{Axis, Channel, Node, Problem, Tree, Value};

/// The largest value of all points.
pub(crate) fn optimum(problem: &Problem) -> Value {
    let cases = problem.cases.iter().map(|case| {
        let sums = case.channels.iter().map(|channel| sums(&problem.axes, channel));
        let worst = sums.reduce(|mut least, other| {
            least.iter_mut().zip(other).for_each(|(least, other)| *least = (*least).min(other));
            least
        });
        worst.expect("a case has channels")
    });
    let best = cases.map(|values| values.into_iter().enumerate().max_by_key(|(_, value)| *value).unwrap());
    let (place, value) = best.max_by_key(|(_, value)| *value).expect("a problem has cases");
    assert_eq!(problem.value(&point(&problem.axes, place)), value, "brute force contradicts the plain evaluation");
    value
}

/// The sum of a channel at every point; the first axis counts fastest.
fn sums(axes: &[Axis], channel: &Channel) -> Vec<Value> {
    let points = axes.iter().map(|axis| axis.num_cells() as usize).product();
    let mut sums = vec![channel.base; points];
    let mut cells: Vec<Vec<u32>> = axes.iter().map(|axis| (0..axis.num_cells()).collect()).collect();
    channel.trees.iter().for_each(|tree| add(axes, tree, 0, &mut cells, &mut sums));
    sums
}

/// Adds the leaves below a node that these cells lead to.
fn add(axes: &[Axis], tree: &Tree, node: u32, cells: &mut [Vec<u32>], sums: &mut [Value]) {
    match &tree.nodes[node as usize] {
        Node::Leaf(value) => places(axes, cells).for_each(|place| sums[place] += value),
        Node::Split(split) => {
            let axis = split.axis as usize;
            let here = std::mem::take(&mut cells[axis]);
            let (left, right) = here.iter().partition(|cell| split.goes_left(axes[axis], **cell));
            for (child, side) in [(split.left, left), (split.right, right)] {
                cells[axis] = side;
                if !cells[axis].is_empty() {
                    add(axes, tree, child, cells, sums);
                }
            }
            cells[axis] = here;
        }
    }
}

/// The places of all points that have these cells.
fn places(axes: &[Axis], cells: &[Vec<u32>]) -> impl Iterator<Item = usize> {
    let mut places = vec![0];
    let mut stride = 1;
    for (axis, cells) in axes.iter().zip(cells) {
        let offsets = cells.iter().map(|cell| *cell as usize * stride);
        places = offsets.flat_map(|offset| places.iter().map(move |place| place + offset)).collect();
        stride *= axis.num_cells() as usize;
    }
    places.into_iter()
}

fn point(axes: &[Axis], mut place: usize) -> Vec<u32> {
    let mut cell = |axis: &Axis| {
        let cells = axis.num_cells() as usize;
        let cell = place % cells;
        place /= cells;
        u32::try_from(cell).unwrap()
    };
    axes.iter().map(&mut cell).collect()
}
