//! The model's trees at an input without the branches that the domains exclude, and as trees over cells.

use treeproof_ensemble::input::Reading;
use treeproof_ensemble::tree::{Node as ModelNode, Side, Split, Tree as ModelTree};
use treeproof_search::{Node, Tree, Value};

use super::cells::AxisPartition;
use super::node_list::NodeList;
use super::position;
use super::rename::{CoordinateColumn, CoordinateReader, Renamed};

/// Depth for which memory is reserved; deeper trees only take more.
const ORDINARY_DEPTH: usize = 16;

/// The reachable trees per model and input.
pub(super) type ReachableByInput<'a> = Vec<Vec<ReachableTrees<'a>>>;

/// The trees of one model at one input, without the branches that the domains exclude.
pub(super) struct ReachableTrees<'a> {
    /// For each feature of the model its coordinate.
    places: &'a [CoordinateColumn],
    /// The readers of these coordinates.
    readers: Vec<&'a CoordinateReader<'a>>,
}

impl<'a> Renamed<'a> {
    pub(super) fn reachable_trees(&'a self, num_models: usize) -> ReachableByInput<'a> {
        let of_input = |model, input| {
            let places = self.places(input, model);
            let reader = |place: &CoordinateColumn| &self.coordinates[place.coordinate].readers[place.reader];
            ReachableTrees { places, readers: places.iter().map(reader).collect() }
        };
        (0..num_models).map(|model| (0..self.num_inputs()).map(|input| of_input(model, input)).collect()).collect()
    }
}

impl ReachableTrees<'_> {
    /// The first node from here on that the domain does not decide.
    pub(super) fn reached(&self, tree: &ModelTree, mut node: ModelNode) -> ModelNode {
        while let ModelNode::Split(index) = node {
            let split = &tree.splits()[index];
            let reader = self.readers[split.feature as usize];
            node = match reader.domain.sides(reader.ensemble, tree, split) {
                (true, true) => break,
                (left, _) => split.child(Side::from(left)).node(),
            };
        }
        node
    }

    /// The splits that the domain does not decide.
    pub(super) fn splits<'t>(&self, tree: &'t ModelTree, mut see: impl FnMut(&'t Split)) {
        let mut pending = Vec::with_capacity(ORDINARY_DEPTH);
        pending.push(tree.root());
        while let Some(node) = pending.pop() {
            if let ModelNode::Split(split) = self.reached(tree, node) {
                let split = &tree.splits()[split];
                see(split);
                pending.extend([split.left.node(), split.right.node()]);
            }
        }
    }

    /// The tree over cells, with a value for each reachable leaf. `axis_of` gives each coordinate's axis.
    ///
    /// Not recursive: a model may be as deep as its file is long.
    pub(super) fn tree(
        &self,
        tree: &ModelTree,
        (axes, axis_of): (&[AxisPartition], &[usize]),
        leaf_value: impl Fn(usize) -> Value,
    ) -> Tree {
        // Domains often leave half of a tree.
        let mut nodes = NodeList(Vec::with_capacity(tree.splits().len()));
        let mut pending = Vec::with_capacity(ORDINARY_DEPTH);
        pending.push((tree.root(), None));
        while let Some((node, slot)) = pending.pop() {
            match self.reached(tree, node) {
                ModelNode::Leaf(leaf) => {
                    nodes.add(slot, Node::Leaf(leaf_value(leaf)));
                }
                ModelNode::Split(split) => {
                    let split = &tree.splits()[split];
                    let CoordinateColumn { coordinate, reader } = self.places[split.feature as usize];
                    let axis = axis_of[coordinate];
                    let goes_left = |reading: Reading| tree.side(split, reading) == Side::Left;
                    let (cut, special_left) =
                        (axes[axis].cut(reader, split.test), axes[axis].special_where(reader, goes_left));
                    let place = nodes.add_split(slot, position(axis), cut, special_left);
                    pending.push((split.right.node(), Some((place, false))));
                    pending.push((split.left.node(), Some((place, true))));
                }
            }
        }
        Tree { nodes: nodes.0 }
    }
}
