//! From sums of margins to channels over cells, and from a model's tree at an input to a tree over cells.

use std::ops::Range;

use treeproof_ensemble::input::Reading;
use treeproof_ensemble::tree::{Node as ModelNode, Side, Tree as ModelTree};
use treeproof_proof::header::{Bundled, TreeSource};
use treeproof_search::{Abandoned, Axis, Channel, Node, Problem, Split, Stop, Tree, Value, proceed};

use super::ball::Coupling;
use super::cells::AxisCells;
use super::channel::WeightedOutputs;
use super::compiled::{ChannelBundles, Pairing};
use super::cut::Cut;
use super::form::Form;
use super::relevant_trees::{Constant, RelevantTree, RelevantTrees};
use super::rename::{CoordinateColumn, CoordinateReader, Renamed};
use super::units::ValueUnits;
use super::{order, pair, position};

/// Deeper trees only take more memory on the way.
const ORDINARY_DEPTH: usize = 16;

/// Makes channels of sums.
pub(super) struct Lowerer<'a> {
    pub(super) form: &'a Form<'a>,
    pub(super) renamed: &'a Renamed<'a>,
    pub(super) lowerings: &'a Lowerings<'a>,
    pub(super) shapes: Vec<Axis>,
    pub(super) units: ValueUnits,
    pub(super) cut: Cut,
    pub(super) coupling: Option<Coupling>,
    pub(super) most_pairs: usize,
    pub(super) stop: &'a dyn Stop,
}

/// A channel, and what is known of its values.
pub(super) struct Lowered {
    pub(super) channel: Channel,
    /// How many numbers were rounded up, beside the base.
    pub(super) num_rounded: Value,
    /// What it is made of.
    pub(super) bundles: ChannelBundles,
}

impl Lowerer<'_> {
    pub(super) fn channel(&self, relevant: &RelevantTrees, pairing: &mut Pairing) -> Result<Lowered, Abandoned> {
        let RelevantTrees { weighted, trees, constants, num_cancelled, common } = relevant;
        pairing.cancelled += num_cancelled;
        let mut channel = Channel { base: self.units.base(weighted), trees: vec![] };
        let mut num_rounded = 0;
        for Constant { model, index, input, leaf } in constants {
            let tree = &self.form.models[*model].trees()[*index];
            channel.base += self.units.leaf(*model, *index, weighted.at(*model, *input).terms(tree, *leaf));
            num_rounded += 1;
        }
        let mut bundles = ChannelBundles::default();
        for tree in trees {
            proceed(self.stop)?;
            let mut add = |lowered: Tree, inputs: Range<usize>| {
                num_rounded += 1;
                let sources = inputs.map(|input| source(tree.model, tree.index, input)).collect();
                match lowered.nodes[..] {
                    [Node::Leaf(value)] => {
                        channel.base += value;
                        bundles.others.push(Bundled::Trees(sources));
                    }
                    _ => {
                        channel.trees.push(lowered);
                        bundles.trees.push(Bundled::Trees(sources));
                    }
                }
            };
            let paired = if tree.is_difference { self.paired(weighted, tree, pairing)? } else { None };
            match paired {
                Some(pairs) => add(pairs, tree.inputs.clone()),
                None => tree.inputs.clone().for_each(|input| add(self.single(weighted, tree, input), input..input + 1)),
            }
        }
        let features = self.renamed.ordered.iter().map(|(first, _)| self.renamed.coordinates[*first].feature);
        bundles.trees.extend(features.map(|feature| Bundled::InOrder(position(feature))));
        bundles.others.extend(common.iter().map(|(input, [first, second])| {
            Bundled::Trees(vec![source(0, *first, *input), source(1, *second, *input)])
        }));
        Ok(Lowered { channel, num_rounded, bundles })
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

    fn lower(&self, tree: &RelevantTree, input: usize, leaf_value: impl Fn(usize) -> Value) -> Tree {
        let RelevantTree { model, index, .. } = *tree;
        self.lowerings[model][input].tree(
            &self.form.models[model].trees()[index],
            (&self.cut.axes, &self.cut.axis_of),
            leaf_value,
        )
    }

    fn single(&self, weighted: &WeightedOutputs, relevant: &RelevantTree, input: usize) -> Tree {
        let RelevantTree { model, index, .. } = *relevant;
        let tree = &self.form.models[model].trees()[index];
        let counts = weighted.at(model, input);
        let value = |leaf| self.units.leaf(model, index, counts.terms(tree, leaf));
        self.lower(relevant, input, value)
    }

    /// The tree of the leaf pairs at two inputs; none if there are too many.
    fn paired(
        &self,
        weighted: &WeightedOutputs,
        relevant: &RelevantTree,
        pairing: &mut Pairing,
    ) -> Result<Option<Tree>, Abandoned> {
        let RelevantTree { model, index, .. } = *relevant;
        let tree = &self.form.models[model].trees()[index];
        let numbered = [0, 1].map(|input| self.lower(relevant, input, |leaf| Value::from(position(leaf))));
        let counts = [0, 1].map(|input| weighted.at(model, input));
        let value = |leaves: [Value; 2]| {
            let [first, second] = leaves.map(|leaf| usize::try_from(leaf).expect("a number of a leaf"));
            let terms = counts[0].terms(tree, first).chain(counts[1].terms(tree, second));
            self.units.leaf(model, index, terms)
        };
        let trees = [&numbered[0], &numbered[1]];
        let paired = pair::pair(&self.shapes, trees, self.coupling.as_ref(), self.most_pairs, value, self.stop)?;
        match &paired {
            Some(tree) => {
                pairing.paired += 1;
                pairing.pairs += tree.nodes.len().div_ceil(2);
            }
            None => pairing.apart += 1,
        }
        Ok(paired)
    }
}

fn source(model: usize, tree: usize, input: usize) -> TreeSource {
    TreeSource { model: position(model), tree: position(tree), input: position(input) }
}

/// Per model and input.
pub(super) type Lowerings<'a> = Vec<Vec<Lowering<'a>>>;

/// The trees of one model at one input.
pub(super) struct Lowering<'a> {
    /// For each feature of the model.
    places: &'a [CoordinateColumn],
    /// Who looks at it there.
    readers: Vec<&'a CoordinateReader<'a>>,
}

impl<'a> Renamed<'a> {
    pub(super) fn lowerings(&'a self, num_models: usize) -> Lowerings<'a> {
        let lowering = |model, input| {
            let places = self.places(input, model);
            let reader = |place: &CoordinateColumn| &self.coordinates[place.coordinate].readers[place.reader];
            Lowering { places, readers: places.iter().map(reader).collect() }
        };
        (0..num_models).map(|model| (0..self.num_inputs()).map(|input| lowering(model, input)).collect()).collect()
    }
}

impl Lowering<'_> {
    /// The first node from here on at which the domains' values part.
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

    /// The splits at which the domains' values part.
    pub(super) fn splits<'t>(&self, tree: &'t ModelTree, mut see: impl FnMut(&'t treeproof_ensemble::tree::Split)) {
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

    /// The tree over cells, with a value for each leaf that can be reached. `axis_of` gives each coordinate's axis.
    ///
    /// Not recursive: a model may be as deep as its file is long.
    pub(super) fn tree(
        &self,
        tree: &ModelTree,
        (axes, axis_of): (&[AxisCells], &[usize]),
        leaf_value: impl Fn(usize) -> Value,
    ) -> Tree {
        // Domains often leave half of a tree.
        let mut nodes: Vec<Node> = Vec::with_capacity(tree.splits().len());
        let mut pending = Vec::with_capacity(ORDINARY_DEPTH);
        pending.push((tree.root(), None));
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
                    let CoordinateColumn { coordinate, reader } = self.places[split.feature as usize];
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
