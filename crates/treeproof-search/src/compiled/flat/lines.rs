//! The value of a tree as a function of one coordinate of a point, for all coordinates at once.

use super::{FlatSplit, FlatTrees};
use crate::grid::{Axes, Value};

/// Along an axis, from this cell on, a tree is worth this much more than in the cell before; before the first cell it is
/// worth what it is at the point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rise {
    pub(crate) axis: u32,
    pub(crate) cell: u32,
    pub(crate) amount: Value,
}

/// The lines of one tree through a point.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    /// The value at the point.
    pub(crate) value: Value,
    /// In no order; several may be at the same cell.
    pub(crate) rises: Vec<Rise>,
    /// The axes and cuts at which the point was compared: as long as these turn out the same, so do the lines.
    dependencies: Vec<(u32, u32)>,
}

/// The memory that finding lines takes.
#[derive(Debug, Default)]
pub(crate) struct LineFinder {
    /// The axes on the path of the point.
    path: Vec<PathAxis>,
    /// Ordered cells of an axis that lead away from the path, and the node that they lead to.
    stack: Vec<PendingCells>,
    /// Nodes looked at: what it cost.
    pub(crate) visits: u64,
}

#[derive(Clone, Copy, Debug)]
struct PathAxis {
    axis: u32,
    /// The first node of the path that looks at it.
    first: u32,
    /// The ordered cells that stay on the path.
    low: u32,
    high: u32,
}

#[derive(Clone, Copy, Debug)]
struct PendingCells {
    node: u32,
    axis: u32,
    low: u32,
    high: u32,
}

impl Lines {
    /// True if the lines may change when the point moves along an axis.
    pub(crate) fn depend_on(&self, space: &Axes, axis: u32, from: u32, to: u32) -> bool {
        let (low, high) = (from.min(to), from.max(to));
        let has_special = space.axes[axis as usize].special > 0;
        self.dependencies.iter().any(|(own, cut)| *own == axis && (low < *cut && *cut <= high || has_special))
    }

    pub(crate) fn clear(&mut self) {
        self.value = 0;
        self.rises.clear();
        self.dependencies.clear();
    }

    /// Adds the rise of these cells of an axis above the point's value.
    fn rise(&mut self, space: &Axes, axis: u32, low: u32, high: u32, amount: Value) {
        if amount != 0 {
            self.rises.push(Rise { axis, cell: low, amount });
            if high < space.axes[axis as usize].num_cells() {
                self.rises.push(Rise { axis, cell: high, amount: -amount });
            }
        }
    }
}

impl LineFinder {
    /// Finds the lines of a tree through a point. Only axes on the path of the point have any.
    pub(crate) fn find(&mut self, space: &Axes, flat: &FlatTrees, tree: u32, point: &[u32], lines: &mut Lines) {
        lines.clear();
        let leaf = self.follow(space, flat, tree, point, lines);
        lines.value = flat.value(leaf);
        self.leave(space, flat, point, lines);
        for place in 0..self.path.len() {
            let PathAxis { axis, first, .. } = self.path[place];
            let shape = space.axes[axis as usize];
            if shape.special == 0 {
                continue;
            }
            self.stack.push(PendingCells { node: first, axis, low: 0, high: shape.ordered });
            self.leave(space, flat, point, lines);
            for cell in shape.ordered..shape.num_cells() {
                let mut node = first;
                while let Some(split) = flat.split(node) {
                    let cell = if split.axis == axis {
                        cell
                    } else {
                        lines.dependencies.push((split.axis, split.cut));
                        point[split.axis as usize]
                    };
                    node = flat.next(space, node, split, cell);
                    self.visits += 1;
                }
                lines.rise(space, axis, cell, cell + 1, flat.value(node) - lines.value);
            }
        }
        self.visits += lines.rises.len() as u64;
    }

    /// Follows the point to its leaf, and notes what leads away from its path along axes without special cells.
    fn follow(&mut self, space: &Axes, flat: &FlatTrees, tree: u32, point: &[u32], lines: &mut Lines) -> u32 {
        self.path.clear();
        let mut node = flat.root(tree);
        while let Some(split) = flat.split(node) {
            let FlatSplit { axis, cut, left, right } = split;
            lines.dependencies.push((axis, cut));
            let (shape, cell) = (space.axes[axis as usize], point[axis as usize]);
            let place = self.path.iter().position(|side| side.axis == axis).unwrap_or_else(|| {
                self.path.push(PathAxis { axis, first: node, low: 0, high: shape.ordered });
                self.path.len() - 1
            });
            node = flat.next(space, node, split, cell);
            if shape.special > 0 {
                continue;
            }
            let PathAxis { low, high, .. } = &mut self.path[place];
            if cell >= cut {
                if cut > *low {
                    self.stack.push(PendingCells { node: left, axis, low: *low, high: cut });
                    *low = cut;
                }
            } else if cut < *high {
                self.stack.push(PendingCells { node: right, axis, low: cut, high: *high });
                *high = cut;
            }
        }
        self.visits += lines.dependencies.len() as u64;
        node
    }

    /// Follows everything on the stack to its leaves.
    fn leave(&mut self, space: &Axes, flat: &FlatTrees, point: &[u32], lines: &mut Lines) {
        while let Some(PendingCells { mut node, axis, low, mut high }) = self.stack.pop() {
            while let Some(split) = flat.split(node) {
                self.visits += 1;
                if split.axis != axis {
                    lines.dependencies.push((split.axis, split.cut));
                    node = flat.next(space, node, split, point[split.axis as usize]);
                } else if split.cut <= low {
                    node = split.right;
                } else {
                    if split.cut < high {
                        self.stack.push(PendingCells { node: split.right, axis, low: split.cut, high });
                        high = split.cut;
                    }
                    node = split.left;
                }
            }
            if low < high {
                lines.rise(space, axis, low, high, flat.value(node) - lines.value);
            }
        }
    }
}
