//! From sums of margins to channels over cells, and from a model's tree at an input to a tree over cells.

use treeproof_ensemble::input::Reading;
use treeproof_ensemble::tree::{Node as ModelNode, Side, Tree as ModelTree};
use treeproof_search::{Axis, Channel, Node, Problem, Split, Tree, Value};

use super::cells::AxisCells;
use super::channel::Weighted;
use super::compiled::Pairing;
use super::cut::Cut;
use super::form::Form;
use super::look::{Constant, Looked, LookedTree};
use super::rename::{Coordinate, Place, Renamed};
use super::units::Units;
use super::{order, pair, position};

/// Makes channels of sums.
pub(super) struct Lowerer<'a> {
    pub(super) form: &'a Form<'a>,
    pub(super) renamed: &'a Renamed<'a>,
    pub(super) shapes: Vec<Axis>,
    pub(super) units: Units,
    pub(super) cut: Cut,
    pub(super) most_pairs: usize,
}

/// A channel, and what is known of its values.
pub(super) struct Lowered {
    pub(super) channel: Channel,
    /// How many numbers were rounded up, beside the base.
    pub(super) num_rounded: Value,
}

impl Lowerer<'_> {
    pub(super) fn channel(&self, looked: &Looked, pairing: &mut Pairing) -> Lowered {
        let Looked { weighted, trees, constants, num_cancelled } = looked;
        pairing.cancelled += num_cancelled;
        let mut channel = Channel { base: self.units.base(weighted), trees: vec![] };
        let mut num_rounded = 0;
        for Constant { model, index, input, leaf } in constants {
            let tree = &self.form.models[*model].trees()[*index];
            channel.base += self.units.leaf(*model, *index, weighted.terms((*model, *input), tree, *leaf));
            num_rounded += 1;
        }
        for tree in trees {
            let lowered = match tree.is_difference {
                true => self.paired(weighted, tree, pairing),
                false => tree.inputs.iter().map(|input| self.single(weighted, tree, *input)).collect(),
            };
            num_rounded += Value::from(position(lowered.len()));
            for tree in lowered {
                match tree.nodes[..] {
                    [Node::Leaf(value)] => channel.base += value,
                    _ => channel.trees.push(tree),
                }
            }
        }
        Lowered { channel, num_rounded }
    }

    /// Makes what is out of order worth less than whatever is in order, which is worth at least the value returned.
    pub(super) fn keep_order(&self, problem: &mut Problem) -> Value {
        if self.renamed.ordered.is_empty() {
            return Value::MIN;
        }
        let largest = |tree: &Tree| {
            let leaves = tree.nodes.iter().map(|node| if let Node::Leaf(value) = node { value.abs() } else { 0 });
            leaves.max().unwrap_or(0)
        };
        let magnitude = |channel: &Channel| channel.base.abs() + channel.trees.iter().map(largest).sum::<Value>();
        let magnitude = problem.cases.iter().flat_map(|case| &case.channels).map(magnitude).max().unwrap_or(0);
        for (first, second) in &self.renamed.ordered {
            let axes = [self.cut.axis_of[*first], self.cut.axis_of[*second]];
            let tree = order::order(axes.map(|axis| &self.cut.axes[axis]), axes.map(position), -2 * magnitude - 1);
            for channel in problem.cases.iter_mut().flat_map(|case| &mut case.channels) {
                channel.trees.push(tree.clone());
            }
        }
        -magnitude
    }

    fn lower(&self, tree: &LookedTree, input: usize, leaf_value: impl Fn(usize) -> Value) -> Tree {
        let LookedTree { model, index, .. } = *tree;
        let lowering = Lowering::new(self.renamed, model, input);
        lowering.tree(&self.form.models[model].trees()[index], (&self.cut.axes, &self.cut.axis_of), leaf_value)
    }

    fn single(&self, weighted: &Weighted, looked: &LookedTree, input: usize) -> Tree {
        let LookedTree { model, index, .. } = *looked;
        let tree = &self.form.models[model].trees()[index];
        let value = |leaf| self.units.leaf(model, index, weighted.terms((model, input), tree, leaf));
        self.lower(looked, input, value)
    }

    fn paired(&self, weighted: &Weighted, looked: &LookedTree, pairing: &mut Pairing) -> Vec<Tree> {
        let LookedTree { model, index, .. } = *looked;
        let tree = &self.form.models[model].trees()[index];
        let numbered = [0, 1].map(|input| self.lower(looked, input, |leaf| Value::from(position(leaf))));
        let value = |leaves: [Value; 2]| {
            let [first, second] = leaves.map(|leaf| usize::try_from(leaf).expect("a number of a leaf"));
            let terms = weighted.terms((model, 0), tree, first).chain(weighted.terms((model, 1), tree, second));
            self.units.leaf(model, index, terms)
        };
        match pair::pair(&self.shapes, [&numbered[0], &numbered[1]], self.most_pairs, value) {
            Some(tree) => {
                pairing.paired += 1;
                pairing.pairs += tree.nodes.len().div_ceil(2);
                vec![tree]
            }
            None => {
                pairing.apart += 1;
                [0, 1].map(|input| self.single(weighted, looked, input)).to_vec()
            }
        }
    }
}

/// The trees of one model at one input.
pub(super) struct Lowering<'a> {
    coordinates: &'a [Coordinate<'a>],
    /// For each feature of the model.
    places: &'a [Place],
}

impl<'a> Lowering<'a> {
    pub(super) fn new(renamed: &'a Renamed<'a>, model: usize, input: usize) -> Self {
        Self { coordinates: &renamed.coordinates, places: renamed.places(input, model) }
    }

    /// The first node from here on at which the domains' values part.
    pub(super) fn reached(&self, tree: &ModelTree, mut node: ModelNode) -> ModelNode {
        while let ModelNode::Split(index) = node {
            let split = &tree.splits()[index];
            let place = self.places[split.feature as usize];
            let reader = &self.coordinates[place.coordinate].readers[place.reader];
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
                    let Place { coordinate, reader } = self.places[split.feature as usize];
                    let axis = axis_of[coordinate];
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
