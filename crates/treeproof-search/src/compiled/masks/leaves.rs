//! The leaves of a tree with their boxes: which cells of each axis lead to them.

use crate::grid::{Space, Value, index};
use crate::problem::{Node, Split, Tree};

/// Finds the leaves of one tree after the other.
pub(super) struct Leaves<'s> {
    space: &'s Space,
    /// The tree's cuts by axis, ascending, without repeats, and the place among them of every node's.
    pub(super) cuts: Vec<(u32, u32)>,
    cut_of: Vec<u32>,
    sorted: Vec<(u32, u32, u32)>,
    /// The box of the present node: per axis its cells, and the special ones that do not lead there, ascending.
    ordered: Vec<Ordered>,
    excluded: Vec<Vec<u32>>,
    /// The axes on the path to it.
    path: Vec<u32>,
    leaves: Vec<MaskedLeaf>,
    sides: Vec<StoredSide>,
    excluded_cells: Vec<u32>,
}

/// Ordered cells `low..high` of an axis, and where these stand among the tree's cuts.
#[derive(Clone, Copy)]
pub(super) struct Ordered {
    pub(super) low: u32,
    pub(super) high: u32,
    /// The tree's cuts on the axis.
    pub(super) first_cut: u32,
    pub(super) end_cut: u32,
    /// The end of those up to `low`, and the first of those from `high` on.
    pub(super) past_low: u32,
    pub(super) at_high: u32,
}

struct MaskedLeaf {
    value: Value,
    first_side: u32,
    end_side: u32,
}

#[derive(Clone, Copy)]
struct StoredSide {
    axis: u32,
    ordered: Ordered,
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
    pub(super) ordered: Ordered,
    /// Special cells that do not lead there, ascending.
    pub(super) excluded: &'l [u32],
}

/// The actions left, the next one last.
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
        ordered: Ordered,
        excluded: Vec<u32>,
        is_first: bool,
    },
}

impl<'s> Leaves<'s> {
    pub(super) fn new(space: &'s Space) -> Self {
        Self {
            space,
            cuts: vec![],
            cut_of: vec![],
            sorted: vec![],
            ordered: space.axes.iter().map(|axis| Ordered::all(axis.ordered)).collect(),
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
        self.find_cuts(tree);
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
                    let cut = self.cut_of[split as usize];
                    if let Node::Split(split) = &tree.nodes[split as usize] {
                        self.enter(split, cut, left, &mut actions);
                    }
                }
                Action::Restore { axis, ordered, excluded, is_first } => {
                    (self.ordered[axis as usize], self.excluded[axis as usize]) = (ordered, excluded);
                    if is_first {
                        self.path.pop();
                    }
                }
            }
        }
        // Stable: of equal leaves the leftmost comes first, so that runs are the same everywhere.
        self.leaves.sort_by_key(|leaf| std::cmp::Reverse(leaf.value));
    }

    /// Finds the cuts of a tree, and what they say about the axes before any split.
    fn find_cuts(&mut self, tree: &Tree) {
        self.sorted.clear();
        for (node, place) in tree.nodes.iter().zip(0..) {
            if let Node::Split(split) = node {
                self.sorted.push((split.axis, split.cut, place));
            }
        }
        self.sorted.sort_unstable();
        self.cuts.clear();
        self.cut_of.resize(tree.nodes.len(), 0);
        for (axis, cut, node) in &self.sorted {
            if self.cuts.last() != Some(&(*axis, *cut)) {
                self.cuts.push((*axis, *cut));
            }
            self.cut_of[*node as usize] = index(self.cuts.len() - 1);
        }
        let mut first_cut = 0;
        for of_axis in self.cuts.chunk_by(|a, b| a.0 == b.0) {
            let end_cut = first_cut + index(of_axis.len());
            let axis = of_axis[0].0 as usize;
            let all = Ordered::all(self.space.axes[axis].ordered);
            // Cuts outside the cells are those of splits that send all ordered cells to one side.
            let past_low = first_cut + index(of_axis.partition_point(|(_, cut)| *cut <= all.low));
            let at_high = first_cut + index(of_axis.partition_point(|(_, cut)| *cut < all.high));
            self.ordered[axis] = Ordered { first_cut, end_cut, past_low, at_high, ..all };
            first_cut = end_cut;
        }
    }

    fn enter(&mut self, split: &Split, cut: u32, left: bool, actions: &mut Vec<Action>) {
        let axis = split.axis as usize;
        let shape = self.space.axes[axis];
        let mut ordered = self.ordered[axis];
        if left && split.cut < ordered.high {
            (ordered.high, ordered.at_high) = (split.cut, cut);
        } else if !left && split.cut > ordered.low {
            (ordered.low, ordered.past_low) = (split.cut, cut + 1);
        }
        let mut excluded = vec![];
        if shape.special > 0 {
            let before = &self.excluded[axis];
            let goes = |cell: u32| split.special_left.binary_search(&cell).is_ok() == left;
            excluded.extend((0..shape.special).filter(|cell| before.binary_search(cell).is_ok() || !goes(*cell)));
        }
        if ordered.is_empty() && excluded.len() == shape.special as usize {
            return;
        }
        let is_first = !self.path.contains(&split.axis);
        if is_first {
            self.path.push(split.axis);
        }
        actions.push(Action::Restore {
            axis: split.axis,
            ordered: std::mem::replace(&mut self.ordered[axis], ordered),
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
            self.sides.push(StoredSide { axis: *axis, ordered: self.ordered[place], first_excluded, end_excluded });
        }
        self.leaves.push(MaskedLeaf { value, first_side, end_side: index(self.sides.len()) });
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
                ordered: side.ordered,
                excluded: &self.excluded_cells[side.first_excluded as usize..side.end_excluded as usize],
            }),
        })
    }
}

impl Ordered {
    fn all(cells: u32) -> Self {
        Self { low: 0, high: cells, first_cut: 0, end_cut: 0, past_low: 0, at_high: 0 }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.low >= self.high
    }
}
