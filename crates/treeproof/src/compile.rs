//! From a model and the values that its features may take to a problem over cells, and from points back to rows.
//!
//! The only code that knows both models and searches. The law it keeps: the problem's optimum is the model's, rounded up
//! by less than one unit per term.

mod cells;
mod domain;
mod units;
mod values;

pub use domain::Domain;
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::input::Reading;
use treeproof_ensemble::tree::{Node as ModelNode, Side, Tree as ModelTree};
use treeproof_search::problem::MAX_MAGNITUDE;
use treeproof_search::{Case, Cells, Channel, Node, Problem, Split, Tree, Value};
pub use values::{Interval, Values};

use self::cells::{AxisCells, Use, collect};
use self::units::Units;

/// A compiled question.
#[derive(Debug)]
pub struct Compiled {
    /// What the search sees.
    pub problem: Problem,
    axes: Vec<AxisCells>,
    /// The features that no reachable split tests.
    untested: Vec<AxisCells>,
    units: Units,
    slack: Value,
}

/// Which number is maximised: the margin of an output, or its negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Objective {
    /// The output.
    pub output: usize,
    /// Maximise the negative, which is to minimise.
    pub negated: bool,
}

/// Compiles "maximise this margin over these domains". `None` if a domain is empty.
///
/// # Panics
/// If the ensemble is not a sum, or folds a pair of outputs: that is for whoever takes the question to refuse.
pub fn compile(ensemble: &Ensemble, domains: &[Domain], objective: Objective) -> Option<Compiled> {
    let accepted = |(domain, feature): (&Domain, _)| domain.accepted(feature, ensemble.input());
    let domains: Vec<Domain> = domains.iter().zip(ensemble.features()).map(accepted).collect();
    if domains.iter().any(Domain::is_empty) {
        return None;
    }
    let output = objective.output;
    let is_constant = |tree: &ModelTree| adds_the_same(tree, output);
    let axes = collect(ensemble, &domains, ensemble.trees().iter().filter(|tree| !is_constant(tree)));
    let mut axis_of = vec![usize::MAX; ensemble.features().len()];
    for (index, axis) in axes.iter().enumerate() {
        axis_of[axis.feature] = index;
    }
    let units = Units::new(ensemble, objective);
    let lowering = Lowering { ensemble, domains: &domains, axes: &axes, axis_of: &axis_of, units: &units, output };
    let mut channel = Channel { base: units.base(), trees: vec![] };
    for (index, tree) in ensemble.trees().iter().enumerate() {
        match lowering.reached(tree, tree.root()) {
            ModelNode::Leaf(leaf) => channel.base += lowering.leaf(tree, index, leaf),
            ModelNode::Split(_) if is_constant(tree) => channel.base += lowering.leaf(tree, index, 0),
            ModelNode::Split(_) => channel.trees.push(lowering.tree(tree, index)),
        }
    }
    // Every term is rounded up by less than a unit, and so is the base.
    let most_terms = |tree: &ModelTree| (0..tree.leaves().len()).map(|leaf| terms(tree, leaf, output).count()).max();
    let slack = 1 + ensemble.trees().iter().filter_map(most_terms).sum::<usize>();
    let slack = Value::try_from(slack).expect("models are bounded by memory far below this");
    let problem = Problem {
        axes: axes.iter().map(AxisCells::shape).collect(),
        cases: vec![Case { channels: vec![channel] }],
        ..Problem::default()
    };
    let untested = (0..domains.len()).filter(|feature| axis_of[*feature] == usize::MAX);
    let untested = untested.map(|feature| AxisCells::new(ensemble, feature, &domains[feature], Use::default()));
    Some(Compiled { problem, untested: untested.collect(), axes, units, slack })
}

/// The values of every feature in its domain.
pub(crate) fn values(ensemble: &Ensemble, domains: &[Domain]) -> Vec<Values> {
    let of_feature = |(index, domain): (usize, &Domain)| {
        let accepted = domain.accepted(&ensemble.features()[index], ensemble.input());
        let cells = AxisCells::new(ensemble, index, &accepted, Use::default());
        cells.values(&cells.all())
    };
    domains.iter().enumerate().map(of_feature).collect()
}

impl Compiled {
    /// A row of raw values in the cells of a point.
    pub fn row(&self, point: &[u32]) -> Vec<f64> {
        let tested = self.axes.iter().zip(point).map(|(axis, cell)| (axis.feature, axis.raw(*cell)));
        // Without splits a feature has one cell, or several special ones: the first will do.
        self.in_order(tested, |axis| axis.raw(0))
    }

    /// The values of every feature in a configuration.
    pub fn values(&self, cells: &[Cells]) -> Vec<Values> {
        let tested = self.axes.iter().zip(cells).map(|(axis, cells)| (axis.feature, axis.values(cells)));
        self.in_order(tested, |axis| axis.values(&axis.all()))
    }

    /// Two opposite corners of a configuration: rows of the least and of the greatest values of every feature.
    pub fn corners(&self, cells: &[Cells]) -> [Vec<f64>; 2] {
        [false, true].map(|is_last| {
            let tested = self.axes.iter().zip(cells).map(|(axis, cells)| (axis.feature, axis.corner(cells, is_last)));
            self.in_order(tested, |axis| axis.corner(&axis.all(), is_last))
        })
    }

    /// What is known of each tested feature and each other one, in the order of the features.
    fn in_order<T>(&self, tested: impl Iterator<Item = (usize, T)>, other: impl Fn(&AxisCells) -> T) -> Vec<T> {
        let mut all: Vec<(usize, T)> =
            tested.chain(self.untested.iter().map(|axis| (axis.feature, other(axis)))).collect();
        all.sort_by_key(|(feature, _)| *feature);
        all.into_iter().map(|(_, known)| known).collect()
    }

    /// The features on which the problem depends.
    pub fn features(&self) -> impl Iterator<Item = usize> {
        self.axes.iter().map(|axis| axis.feature)
    }

    /// The real number that a value of the problem stands for. No point of the value has a larger margin (or negative
    /// of it, as the objective says).
    pub fn real(&self, value: Value) -> Exact {
        self.units.real(value)
    }

    /// The same, rounded up.
    pub fn upper(&self, value: Value) -> f64 {
        self.real(value).ceil_f64()
    }

    /// The least value that stands for more than a number; [`Value::MAX`] if none does.
    pub fn least_above(&self, number: &Exact) -> Value {
        let (mut below, mut above) = (-MAX_MAGNITUDE - 1, MAX_MAGNITUDE + 1);
        while above - below > 1 {
            let middle = below + (above - below) / 2;
            if self.real(middle) > *number { above = middle } else { below = middle }
        }
        if above > MAX_MAGNITUDE { Value::MAX } else { above }
    }

    /// The exact margin of a point of a value is less than this many units below what the value stands for.
    pub fn slack(&self) -> Value {
        self.slack
    }
}

struct Lowering<'a> {
    ensemble: &'a Ensemble,
    domains: &'a [Domain],
    axes: &'a [AxisCells],
    axis_of: &'a [usize],
    units: &'a Units,
    output: usize,
}

impl Lowering<'_> {
    /// Not recursive: a model may be as deep as its file is long.
    fn tree(&self, tree: &ModelTree, index: usize) -> Tree {
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
                ModelNode::Leaf(leaf) => nodes.push(Node::Leaf(self.leaf(tree, index, leaf))),
                ModelNode::Split(split) => {
                    let split = &tree.splits()[split];
                    let axis = self.axis_of[split.feature as usize];
                    let cells = &self.axes[axis];
                    let goes_left = |reading: Reading| tree.side(split, reading) == Side::Left;
                    nodes.push(Node::Split(Split {
                        axis: position(axis),
                        cut: cells.cut(split.test),
                        special_left: cells.special_where(goes_left),
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

    fn leaf(&self, tree: &ModelTree, index: usize, leaf: usize) -> Value {
        terms(tree, leaf, self.output).map(|value| self.units.leaf(index, value)).sum()
    }

    /// The first node from here on at which the domains' values part.
    fn reached(&self, tree: &ModelTree, mut node: ModelNode) -> ModelNode {
        while let ModelNode::Split(index) = node {
            let split = &tree.splits()[index];
            node = match self.domains[split.feature as usize].sides(self.ensemble, tree, split) {
                (true, true) => break,
                (left, _) => split.child(Side::from(left)).node(),
            };
        }
        node
    }
}

/// What a leaf adds to an output.
fn terms(tree: &ModelTree, leaf: usize, output: usize) -> impl Iterator<Item = f64> {
    tree.terms(leaf).iter().filter(move |term| term.output as usize == output).map(|term| term.value)
}

/// Whether all leaves of a tree add the same to an output, as those of trees for other classes: it is a constant, and where
/// it parts the inputs makes no difference.
fn adds_the_same(tree: &ModelTree, output: usize) -> bool {
    (1..tree.leaves().len()).all(|leaf| terms(tree, leaf, output).eq(terms(tree, 0, output)))
}

fn split_at(nodes: &mut [Node], place: u32) -> &mut Split {
    match &mut nodes[place as usize] {
        Node::Split(split) => split,
        Node::Leaf(_) => unreachable!("leaves have no children"),
    }
}

fn position(place: usize) -> u32 {
    u32::try_from(place).expect("models are bounded by memory far below this")
}
