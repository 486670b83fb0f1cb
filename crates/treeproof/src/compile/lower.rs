//! From a model's tree at an input to a tree over cells.

use treeproof_ensemble::input::Reading;
use treeproof_ensemble::tree::{Node as ModelNode, Side, Tree as ModelTree};
use treeproof_search::{Node, Split, Tree, Value};

use super::cells::AxisCells;
use super::position;
use super::rename::Renamed;

/// The trees of one model at one input.
pub(super) struct Lowering<'a> {
    pub(super) renamed: &'a Renamed<'a>,
    pub(super) model: usize,
    pub(super) input: usize,
}

impl Lowering<'_> {
    /// The first node from here on at which the domains' values part.
    pub(super) fn reached(&self, tree: &ModelTree, mut node: ModelNode) -> ModelNode {
        while let ModelNode::Split(index) = node {
            let split = &tree.splits()[index];
            let coordinate = &self.renamed.coordinates[self.renamed.coordinate(self.input, self.model, split.feature)];
            let reader = &coordinate.readers[coordinate.reader(self.model)];
            node = match reader.domain.sides(reader.ensemble, tree, split) {
                (true, true) => break,
                (left, _) => split.child(Side::from(left)).node(),
            };
        }
        node
    }

    /// The splits at which the domains' values part.
    pub(super) fn splits<'t>(&self, tree: &'t ModelTree, mut see: impl FnMut(&'t treeproof_ensemble::tree::Split)) {
        let mut pending = vec![tree.root()];
        while let Some(node) = pending.pop() {
            if let ModelNode::Split(split) = self.reached(tree, node) {
                let split = &tree.splits()[split];
                see(split);
                pending.extend([split.left.node(), split.right.node()]);
            }
        }
    }

    /// The tree over cells, with a value for each leaf that can be reached. `axis_of` gives each coordinate's axis.
    ///
    /// Not recursive: a model may be as deep as its file is long.
    pub(super) fn tree(
        &self,
        tree: &ModelTree,
        (axes, axis_of): (&[AxisCells], &[usize]),
        leaf_value: impl Fn(usize) -> Value,
    ) -> Tree {
        let mut nodes: Vec<Node> = vec![];
        let mut pending = vec![(tree.root(), None)];
        while let Some((node, parent)) = pending.pop() {
            let (place, node) = (position(nodes.len()), self.reached(tree, node));
            match parent {
                Some((parent, Side::Left)) => split_at(&mut nodes, parent).left = place,
                Some((parent, Side::Right)) => split_at(&mut nodes, parent).right = place,
                None => {}
            }
            match node {
                ModelNode::Leaf(leaf) => nodes.push(Node::Leaf(leaf_value(leaf))),
                ModelNode::Split(split) => {
                    let split = &tree.splits()[split];
                    let coordinate = self.renamed.coordinate(self.input, self.model, split.feature);
                    let (axis, reader) = (axis_of[coordinate], self.renamed.coordinates[coordinate].reader(self.model));
                    let goes_left = |reading: Reading| tree.side(split, reading) == Side::Left;
                    nodes.push(Node::Split(Split {
                        axis: position(axis),
                        cut: axes[axis].cut(reader, split.test),
                        special_left: axes[axis].special_where(reader, goes_left),
                        left: 0,
                        right: 0,
                    }));
                    pending.push((split.right.node(), Some((place, Side::Right))));
                    pending.push((split.left.node(), Some((place, Side::Left))));
                }
            }
        }
        Tree { nodes }
    }
}

pub(super) fn split_at(nodes: &mut [Node], place: u32) -> &mut Split {
    match &mut nodes[place as usize] {
        Node::Split(split) => split,
        Node::Leaf(_) => unreachable!("leaves have no children"),
    }
}
