//! From a model and the values that its features may take to a problem over cells, and from points back to rows.
//!
//! The only code that knows both models and searches. The law it keeps: the problem's optimum is the model's, rounded up
//! by less than one unit per term.

mod cells;
mod domain;
mod units;

pub use domain::Domain;
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::input::Reading;
use treeproof_ensemble::tree::{Node as ModelNode, Side, Tree as ModelTree};
use treeproof_search::{Case, Channel, Node, Problem, Split, Tree};

use self::cells::{AxisCells, Use, collect};
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
    let axes = collect(ensemble, &domains);
    let mut axis_of = vec![usize::MAX; ensemble.features().len()];
    for (index, axis) in axes.iter().enumerate() {
        axis_of[axis.feature] = index;
    }
    let units = Units::new(ensemble, objective);
    let lowering = Lowering {
        ensemble,
        domains: &domains,
        axes: &axes,
        axis_of: &axis_of,
        units: &units,
        output: objective.output,
    };
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
    // Without splits a feature has one cell (or several special ones), whose first will do.
    let any = |(index, domain)| AxisCells::new(ensemble, index, domain, Use::default()).raw(0);
    let template = domains.iter().enumerate().map(any).collect();
    Some(Compiled { problem, axes, template, units })
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

    /// The features on which the problem depends.
    pub fn features(&self) -> impl Iterator<Item = usize> {
        self.axes.iter().map(|axis| axis.feature)
    }

    /// The real number that a value of the problem stands for. No point of the value has a larger margin (or negative
    /// of it, as the objective says).
    pub fn real(&self, value: treeproof_search::Value) -> Exact {
        self.units.real(value)
    }

    /// The same, rounded up.
    pub fn upper(&self, value: treeproof_search::Value) -> f64 {
        self.real(value).ceil_f64()
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
                ModelNode::Leaf(leaf) => {
                    let terms = tree.terms(leaf).iter().filter(|term| term.output as usize == self.output);
                    nodes.push(Node::Leaf(terms.map(|term| self.units.leaf(index, term.value)).sum()));
                }
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

fn split_at(nodes: &mut [Node], place: u32) -> &mut Split {
    match &mut nodes[place as usize] {
        Node::Split(split) => split,
        Node::Leaf(_) => unreachable!("leaves have no children"),
    }
}

fn position(place: usize) -> u32 {
    u32::try_from(place).expect("models are bounded by memory far below this")
}
