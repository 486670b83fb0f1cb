//! The leaves of a tree with their boxes: which cells of each axis lead to them.

use super::index;
use crate::problem::{Node, Split, Tree, Value};
use crate::region::Space;

/// Finds the leaves of one tree after the other.
pub(super) struct Leaves<'s> {
    space: &'s Space,
    /// The box of the present node: per axis its ordered cells, and the special ones that do not lead there, ascending.
    low: Vec<u32>,
    high: Vec<u32>,
    excluded: Vec<Vec<u32>>,
    /// The axes on the path to it.
    path: Vec<u32>,
    leaves: Vec<Leaf>,
    sides: Vec<Side>,
    excluded_cells: Vec<u32>,
}

struct Leaf {
    value: Value,
    first_side: u32,
    end_side: u32,
}

#[derive(Clone, Copy)]
struct Side {
    axis: u32,
    low: u32,
    high: u32,
    first_excluded: u32,
    end_excluded: u32,
}

/// A leaf and the axes on its path.
pub(super) struct LeafBox<S> {
    pub(super) value: Value,
    pub(super) sides: S,
}

/// The cells of one axis that lead to a leaf.
pub(super) struct LeafSide<'l> {
    pub(super) axis: u32,
    /// Ordered cells `low..high`.
    pub(super) low: u32,
    pub(super) high: u32,
    /// Special cells that do not lead there, ascending.
    pub(super) excluded: &'l [u32],
}

/// What is left to do, the last first.
enum Action {
    Visit(u32),
    /// Go on to a child of a split, if cells lead there.
    Enter {
        split: u32,
        left: bool,
    },
    /// Leave it: the box is what it was before.
    Restore {
        axis: u32,
        low: u32,
        high: u32,
        excluded: Vec<u32>,
        is_first: bool,
    },
}

impl<'s> Leaves<'s> {
    pub(super) fn new(space: &'s Space) -> Self {
        Self {
            space,
            low: vec![0; space.axes.len()],
            high: space.axes.iter().map(|axis| axis.ordered).collect(),
            excluded: vec![vec![]; space.axes.len()],
            path: vec![],
            leaves: vec![],
            sides: vec![],
            excluded_cells: vec![],
        }
    }

    /// Finds the leaves that some point reaches. Not recursive: a tree may be as deep as it has nodes.
    pub(super) fn find(&mut self, tree: &Tree) {
        self.leaves.clear();
        self.sides.clear();
        self.excluded_cells.clear();
        let mut actions = vec![Action::Visit(0)];
        while let Some(action) = actions.pop() {
            match action {
                Action::Visit(node) => match &tree.nodes[node as usize] {
                    Node::Leaf(value) => self.add(*value),
                    Node::Split(_) => actions.extend([
                        Action::Enter { split: node, left: false },
                        Action::Enter { split: node, left: true },
                    ]),
                },
                Action::Enter { split, left } => {
                    if let Node::Split(split) = &tree.nodes[split as usize] {
                        self.enter(split, left, &mut actions);
                    }
                }
                Action::Restore { axis, low, high, excluded, is_first } => {
                    let axis = axis as usize;
                    (self.low[axis], self.high[axis], self.excluded[axis]) = (low, high, excluded);
                    if is_first {
                        self.path.pop();
                    }
                }
            }
        }
        // Stable: of equal leaves the leftmost comes first, so that runs are the same everywhere.
        self.leaves.sort_by_key(|leaf| std::cmp::Reverse(leaf.value));
    }

    fn enter(&mut self, split: &Split, left: bool, actions: &mut Vec<Action>) {
        let axis = split.axis as usize;
        let shape = self.space.axes[axis];
        let (mut low, mut high) = (self.low[axis], self.high[axis]);
        if left {
            high = high.min(split.cut);
        } else {
            low = low.max(split.cut);
        }
        let mut excluded = vec![];
        if shape.special > 0 {
            let before = &self.excluded[axis];
            let goes = |cell: u32| split.special_left.binary_search(&cell).is_ok() == left;
            excluded.extend((0..shape.special).filter(|cell| before.binary_search(cell).is_ok() || !goes(*cell)));
        }
        if low >= high && excluded.len() == shape.special as usize {
            return;
        }
        let is_first = !self.path.contains(&split.axis);
        if is_first {
            self.path.push(split.axis);
        }
        actions.push(Action::Restore {
            axis: split.axis,
            low: std::mem::replace(&mut self.low[axis], low),
            high: std::mem::replace(&mut self.high[axis], high),
            excluded: std::mem::replace(&mut self.excluded[axis], excluded),
            is_first,
        });
        actions.push(Action::Visit(if left { split.left } else { split.right }));
    }

    fn add(&mut self, value: Value) {
        let first_side = index(self.sides.len());
        for axis in &self.path {
            let place = *axis as usize;
            let first_excluded = index(self.excluded_cells.len());
            self.excluded_cells.extend_from_slice(&self.excluded[place]);
            let end_excluded = index(self.excluded_cells.len());
            let (low, high) = (self.low[place], self.high[place]);
            self.sides.push(Side { axis: *axis, low, high, first_excluded, end_excluded });
        }
        self.leaves.push(Leaf { value, first_side, end_side: index(self.sides.len()) });
    }

    pub(super) fn count(&self) -> usize {
        self.leaves.len()
    }

    /// The leaves with their boxes, best first.
    pub(super) fn best_first(&self) -> impl Iterator<Item = LeafBox<impl Iterator<Item = LeafSide<'_>>>> {
        self.leaves.iter().map(|leaf| LeafBox {
            value: leaf.value,
            sides: self.sides[leaf.first_side as usize..leaf.end_side as usize].iter().map(|side| LeafSide {
                axis: side.axis,
                low: side.low,
                high: side.high,
                excluded: &self.excluded_cells[side.first_excluded as usize..side.end_excluded as usize],
            }),
        })
    }

    /// The cuts that a tree makes, by axis, without repeats.
    pub(super) fn cuts(&self, tree: &Tree) -> Vec<(u32, u32)> {
        let cut = |node: &Node| match node {
            Node::Split(split) => Some((split.axis, split.cut)),
            Node::Leaf(_) => None,
        };
        let mut cuts: Vec<(u32, u32)> = tree.nodes.iter().filter_map(cut).collect();
        cuts.sort_unstable();
        cuts.dedup();
        cuts
    }
}
