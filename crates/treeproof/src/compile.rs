//! From a model and the values that its features may take to a problem over cells, and from points back to rows.
//!
//! The only code that knows both models and searches. The law it keeps: the problem's optimum is the model's, rounded up
//! by less than one unit per tree.

mod cells;
mod domain;
mod units;

pub use domain::Domain;
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::input::Reading;
use treeproof_ensemble::tree::{Node as ModelNode, Side, Tree as ModelTree};
use treeproof_search::{Case, Channel, Node, Problem, Split, Tree};

use self::cells::{AxisCells, collect};
use self::units::Units;

/// A compiled question.
#[derive(Debug)]
pub struct Compiled {
    /// What the search sees.
    pub problem: Problem,
    axes: Vec<AxisCells>,
    /// A row in which every feature has some value of its domain; axes overwrite theirs.
    template: Vec<f64>,
    units: Units,
}

/// Which number is maximised: the margin of an output, or its negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Objective {
    /// The output.
    pub output: usize,
    /// Maximise the negative, which is to minimise.
    pub negated: bool,
}

/// Compiles "maximise this margin over these domains".
pub fn compile(ensemble: &Ensemble, domains: &[Domain], objective: Objective) -> Compiled {
    let axes = collect(ensemble, domains);
    let mut axis_of = vec![usize::MAX; ensemble.features().len()];
    for (index, axis) in axes.iter().enumerate() {
        axis_of[axis.feature] = index;
    }
    let units = Units::new(ensemble, objective);
    let lowering =
        Lowering { ensemble, domains, axes: &axes, axis_of: &axis_of, units: &units, output: objective.output };
    let mut channel = Channel { base: units.base(), trees: vec![] };
    for (index, tree) in ensemble.trees().iter().enumerate() {
        let lowered = lowering.tree(tree, index);
        match &lowered.nodes[..] {
            // A tree of one leaf is a constant.
            [Node::Leaf(value)] => channel.base += value,
            _ => channel.trees.push(lowered),
        }
    }
    let problem =
        Problem { axes: axes.iter().map(AxisCells::shape).collect(), cases: vec![Case { channels: vec![channel] }] };
    let template = domains
        .iter()
        .zip(ensemble.features())
        .map(|(domain, feature)| domain.any(feature, ensemble.input()))
        .collect();
    Compiled { problem, axes, template, units }
}

impl Compiled {
    /// A row of raw values in the cells of a point.
    pub fn row(&self, point: &[u32]) -> Vec<f64> {
        let mut row = self.template.clone();
        for (axis, cell) in self.axes.iter().zip(point) {
            row[axis.feature] = axis.raw(*cell);
        }
        row
    }

    /// The real number of a value of the problem, rounded up.
    pub fn upper(&self, value: treeproof_search::Value) -> f64 {
        self.units.real(value)
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
    fn tree(&self, tree: &ModelTree, index: usize) -> Tree {
        let mut nodes = vec![];
        self.node(tree, index, tree.root(), &mut nodes);
        Tree { nodes }
    }

    fn node(&self, tree: &ModelTree, index: usize, node: ModelNode, nodes: &mut Vec<Node>) -> u32 {
        let split = match node {
            ModelNode::Leaf(leaf) => {
                let terms = tree.terms(leaf).iter().filter(|term| term.output as usize == self.output);
                nodes.push(Node::Leaf(terms.map(|term| self.units.leaf(index, term.value)).sum()));
                return position(nodes.len() - 1);
            }
            ModelNode::Split(split) => &tree.splits()[split],
        };
        let feature = split.feature as usize;
        let (left, right) = self.domains[feature].sides(self.ensemble, tree, split);
        if !(left && right) {
            let side = if left { Side::Left } else { Side::Right };
            return self.node(tree, index, split.child(side).node(), nodes);
        }
        let axis = self.axis_of[feature];
        let cells = &self.axes[axis];
        let place = nodes.len();
        nodes.push(Node::Leaf(0));
        let left = self.node(tree, index, split.left.node(), nodes);
        let right = self.node(tree, index, split.right.node(), nodes);
        let goes_left = |reading: Reading| tree.side(split, reading) == Side::Left;
        nodes[place] = Node::Split(Split {
            axis: position(axis),
            cut: cells.cut(split.test),
            special_left: cells.special_where(goes_left),
            left,
            right,
        });
        position(place)
    }
}

fn position(place: usize) -> u32 {
    u32::try_from(place).expect("models are bounded by memory far below this")
}
