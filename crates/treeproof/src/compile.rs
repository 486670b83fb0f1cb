//! From models and the values that their inputs may take to a problem over cells, and from points back to rows.
//!
//! The only code that knows both models and searches. The law it keeps: the problem's optimum is the form's, rounded up
//! by less than one unit per tree. The passes, in order, each of which keeps it too:
//!
//! | file | what it does |
//! |---|---|
//! | `rename` | features of inputs become coordinates; those that must agree are one |
//! | `channel` | margins become counted leaves and a constant |
//! | `cancel` | trees that two models have in common go |
//! | `cells` | coordinates are cut where reachable splits part them |
//! | `units` | leaves become whole numbers, rounded up |
//! | `lower` | trees are laid over cells, without what the domains exclude |
//! | `pair` | a tree at two inputs becomes one tree of what differs |
//! | `order` | two inputs are kept in order |
//!
//! # What is compiled
//!
//! A [`Form`]: `max over cases · min over sums · Σ ± margin + constant`. "This or that" makes cases, of which the best
//! counts; "this and that" makes the sums of a case, its channels, of which the worst counts. A [`Term`] of a sum is a
//! margin of one of the models at one of the inputs, added or subtracted: `diff` subtracts another model at the same
//! input, `fair` the same model at another input.
//!
//! A [`Space`] says which values the inputs may take: a [`Domain`] for each feature of each input, and a [`Tie`] for each
//! feature of two. Inputs that are the same in a feature share an axis there; else each has its own.
//!
//! A point of the problem has a cell for each axis. [`Compiled::rows`] makes inputs of it, a row for each model.
//! [`Space::check`] and [`Form::evaluate`] test them by the models alone, and [`Form::value`] gives the exact number: it is
//! never above [`Compiled::real`] of the point's value, and less than [`Compiled::slack`] units below.
//!
//! # Example
//!
//! How much more can a model give to one of two people who differ in age alone?
//!
//! ```
//! use treeproof::compile::{Domain, Features, Form, Space, Sum, Term, Tie};
//! use treeproof_ensemble::exact::Exact;
//! use treeproof_ensemble::load::{LoadOptions, load_bytes};
//! use treeproof_search::{Limits, Method, Search, Unobserved};
//!
//! // 4 · [age ≥ 40] + 8 · [income ≥ 100]
//! let model = br#"{"treeproof": 1, "source": {"format": "treeproof JSON"},
//!     "features": [{"name": "age", "kind": "numeric"}, {"name": "income", "kind": "numeric"}],
//!     "input": {"precision": "f64", "accepts_missing": true, "accepts_infinite": true, "absent": "zero"},
//!     "num_outputs": 1,
//!     "aggregate": {"rule": "sum", "precision": "f64", "base": [0], "base_position": "first", "fixed_order": true},
//!     "link": {"function": "identity"}, "label": {"rule": "none"}, "classes": [],
//!     "trees": [{"left": [1, -1, -1], "right": [2, -1, -1], "feature": [0, -1, -1], "test": "<",
//!                "threshold": [40, 0, 0], "missing_left": [1, 0, 0], "output": 0, "value": [0, 0, 4]},
//!               {"left": [1, -1, -1], "right": [2, -1, -1], "feature": [1, -1, -1], "test": "<",
//!                "threshold": [100, 0, 0], "missing_left": [1, 0, 0], "output": 0, "value": [0, 0, 8]}]}"#;
//! let model = load_bytes(model, &LoadOptions::default())?;
//!
//! let ties = vec![Tie::Free, Tie::Same];
//! let margin = |input, negated| Term { model: 0, input, output: 0, negated };
//! let form = Form {
//!     models: vec![&model],
//!     space: Space::two(Features::of(&model), Domain::everything(&model), ties),
//!     cases: vec![vec![Sum::of([margin(1, false), margin(0, true)])]],
//! };
//! let compiled = form.compile().expect("no domain is empty");
//! assert_eq!(compiled.pairing().cancelled, 1, "income is the same, so its tree cannot differ");
//!
//! let mut search = Search::new(&compiled.problem);
//! search.run(&Limits::default(), &Unobserved);
//! let rows = compiled.rows(search.solution().expect("there are points"));
//! form.space.check(&form.models, &rows)?;
//! let evaluations = form.evaluate(&rows)?;
//! assert_eq!(form.value(&evaluations), Exact::from_f64(4.0));
//! let [younger, older] = [0, 1].map(|input| &rows[input][0]);
//! assert!(younger[0] < 40.0 && older[0] >= 40.0 && younger[1] == older[1]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cancel;
mod cells;
mod channel;
mod domain;
mod exclude;
mod features;
mod form;
mod lower;
mod order;
mod pair;
mod rename;
mod space;
mod units;
mod values;

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::tree::{Node as ModelNode, Test};
use treeproof_search::problem::MAX_MAGNITUDE;
use treeproof_search::{Axis, Case, Cells, Channel, Node, Problem, Tree, Value};

pub use self::domain::Domain;
pub use self::features::{Features, MatchedFeature, MismatchError, Reader};
pub use self::form::{Form, InputRows, Objective, Sum, Term};
pub use self::space::{Space, Tie};
pub use self::values::{Interval, Values};

use self::cells::{AxisCells, Use};
use self::channel::Weighted;
use self::lower::Lowering;
use self::rename::Renamed;
use self::units::Units;

/// A tree at two inputs is kept as two where more pairs of its leaves than this share a point.
const MOST_PAIRS: usize = 1 << 14;

/// A compiled question.
#[derive(Debug)]
pub struct Compiled {
    /// What the search sees.
    pub problem: Problem,
    axes: Vec<AxisCells>,
    /// The coordinates that no tree of the problem looks at.
    untested: Vec<AxisCells>,
    /// The axes, first and second, of which the second must not be below the first.
    ordered: Vec<(usize, usize)>,
    /// Per model its number of features.
    widths: Vec<usize>,
    num_inputs: usize,
    units: Units,
    slack: Value,
    least: Value,
    /// By how much points were made worth less, all together.
    excluded: Value,
    pairing: Pairing,
}

/// What became of the trees that stand at two inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pairing {
    /// Trees that cannot differ between the inputs.
    pub cancelled: usize,
    /// Trees that became one tree of leaf pairs each.
    pub paired: usize,
    /// The leaves of those.
    pub pairs: usize,
    /// Trees with too many pairs, which were kept as two.
    pub apart: usize,
}

/// Compiles "maximise this margin over these domains". `None` if a domain is empty.
///
/// # Panics
/// If the ensemble is not a sum: that is for whoever takes the question to refuse.
pub fn compile(ensemble: &Ensemble, domains: &[Domain], objective: Objective) -> Option<Compiled> {
    let term = Term { model: 0, input: 0, output: objective.output, negated: objective.negated };
    let space = Space::one(Features::of(ensemble), domains.to_vec());
    Form { models: vec![ensemble], space, cases: vec![vec![Sum::of([term])]] }.compile()
}

/// The values of every feature in its domain.
pub(crate) fn values(ensemble: &Ensemble, domains: &[Domain]) -> Vec<Values> {
    let space = Space::one(Features::of(ensemble), domains.to_vec());
    let renamed = Renamed::new(&Form { models: vec![ensemble], space, cases: vec![] });
    let of_coordinate = |coordinate| {
        let cells = AxisCells::new(coordinate, vec![Use::default()]);
        cells.values(&cells.all())
    };
    renamed.coordinates.iter().map(of_coordinate).collect()
}

impl Form<'_> {
    /// Compiles the form. `None` if a domain is empty.
    ///
    /// # Panics
    /// If a model is not a sum, or the form has no cases or a case no sums.
    pub fn compile(&self) -> Option<Compiled> {
        self.compile_within_pairs(MOST_PAIRS)
    }

    /// Like [`Form::compile`], with another limit on the leaf pairs of a tree: where more share a point, the tree is kept as
    /// two, one for each input.
    ///
    /// # Panics
    /// As [`Form::compile`].
    pub fn compile_within_pairs(&self, most_pairs: usize) -> Option<Compiled> {
        let renamed = Renamed::new(self);
        let cases: Vec<Vec<Looked>> = self.cases.iter().map(|case| self.look(&renamed, case)).collect();
        let all: Vec<&Looked> = cases.iter().flatten().collect();
        let cut = self.cut(&renamed, &all)?;
        let weighted: Vec<&Weighted> = all.iter().map(|looked| &looked.weighted).collect();
        let lowerer = Lowerer {
            form: self,
            renamed: &renamed,
            shapes: cut.axes.iter().map(AxisCells::shape).collect(),
            units: Units::new(self, &weighted, renamed.ordered.len()),
            cut,
            most_pairs,
        };
        let (mut slack, mut magnitude, mut pairing) = (1, 0, Pairing::default());
        let mut lower = |looked: &Looked| {
            let lowered = lowerer.channel(looked, &mut pairing);
            // Every tree is rounded up by less than a unit, and so is the base.
            slack = slack.max(lowered.num_rounded + 1);
            magnitude = magnitude.max(lowered.magnitude);
            lowered.channel
        };
        let cases = cases.iter().map(|case| Case { channels: case.iter().map(&mut lower).collect() }).collect();
        let mut problem = Problem { axes: vec![], cases };
        lowerer.keep_order(&mut problem, magnitude);
        problem.axes = lowerer.shapes;
        let Cut { axes, untested, axis_of } = lowerer.cut;
        let ordered = renamed.ordered.iter().map(|(first, second)| (axis_of[*first], axis_of[*second]));
        let mut compiled = Compiled {
            problem,
            axes,
            untested,
            ordered: ordered.collect(),
            widths: self.models.iter().map(|model| model.features().len()).collect(),
            num_inputs: self.space.inputs.len(),
            units: lowerer.units,
            slack,
            least: -magnitude,
            excluded: 0,
            pairing,
        };
        compiled.drop_unused_axes();
        Some(compiled)
    }

    /// Which trees of each sum matter, and where.
    fn look(&self, renamed: &Renamed<'_>, case: &[Sum]) -> Vec<Looked> {
        let look = |sum: &Sum| {
            let weighted = Weighted::new(self, sum);
            let cancelled = cancel::cancelled(self, renamed, &weighted);
            let mut looked = Looked { weighted, trees: vec![], constants: vec![], num_cancelled: 0 };
            for (model, ensemble) in self.models.iter().enumerate() {
                let lowerings: Vec<Lowering<'_>> =
                    (0..self.space.inputs.len()).map(|input| Lowering { renamed, model, input }).collect();
                let is_difference = looked.weighted.is_difference(model);
                for (index, tree) in ensemble.trees().iter().enumerate() {
                    // Without a split on what may differ, both inputs reach the same leaf.
                    if is_difference && tree.splits().iter().all(|split| renamed.is_shared(model, split.feature)) {
                        looked.num_cancelled += 1;
                        continue;
                    }
                    let mut inputs = vec![];
                    for (input, lowering) in lowerings.iter().enumerate() {
                        if cancelled[model][input][index] {
                            continue;
                        }
                        match lowering.reached(tree, tree.root()) {
                            ModelNode::Leaf(leaf) => looked.constants.push(Constant { model, index, input, leaf }),
                            ModelNode::Split(_) if looked.weighted.is_constant((model, input), tree) => {
                                looked.constants.push(Constant { model, index, input, leaf: 0 });
                            }
                            ModelNode::Split(_) => inputs.push(input),
                        }
                    }
                    if !inputs.is_empty() {
                        let is_difference = is_difference && inputs.len() == 2;
                        looked.trees.push(LookedTree { model, index, inputs, is_difference });
                    }
                }
            }
            looked
        };
        case.iter().map(look).collect()
    }

    /// The cells of every coordinate that some tree looks at, and of the others. None if one has no cells.
    fn cut(&self, renamed: &Renamed<'_>, all: &[&Looked]) -> Option<Cut> {
        let unused = |coordinate: &rename::Coordinate<'_>| vec![Use::default(); coordinate.readers.len()];
        let mut uses: Vec<Vec<Use>> = renamed.coordinates.iter().map(unused).collect();
        let mut is_tested = vec![false; uses.len()];
        let is_seen = |model: &&Ensemble| vec![vec![false; model.trees().len()]; self.space.inputs.len()];
        let mut seen: Vec<Vec<Vec<bool>>> = self.models.iter().map(is_seen).collect();
        for LookedTree { model, index, inputs, .. } in all.iter().flat_map(|looked| &looked.trees) {
            for input in inputs {
                if std::mem::replace(&mut seen[*model][*input][*index], true) {
                    continue;
                }
                let (model, input, tree) = (*model, *input, &self.models[*model].trees()[*index]);
                Lowering { renamed, model, input }.splits(tree, |split| {
                    let coordinate = renamed.coordinate(input, model, split.feature);
                    is_tested[coordinate] = true;
                    let of_reader = &mut uses[coordinate][renamed.coordinates[coordinate].reader(model)];
                    of_reader.has_zero_rule |= split.zero.is_some();
                    match split.test {
                        Test::Below(threshold) => of_reader.cuts.push(threshold),
                        Test::OneOf(set) => of_reader.values.extend_from_slice(tree.value_set(set)),
                        Test::InSet(set) => of_reader.sets.push(tree.category_set(set).to_vec()),
                        Test::Present => {}
                    }
                });
            }
        }
        // Order is looked at even where no tree does.
        for (first, second) in &renamed.ordered {
            (is_tested[*first], is_tested[*second]) = (true, true);
        }
        let mut cut = Cut { axes: vec![], untested: vec![], axis_of: vec![usize::MAX; uses.len()] };
        for (place, (coordinate, uses)) in renamed.coordinates.iter().zip(uses).enumerate() {
            let cells = AxisCells::new(coordinate, uses);
            if cells.shape().num_cells() == 0 {
                return None;
            }
            if is_tested[place] {
                cut.axis_of[place] = cut.axes.len();
                cut.axes.push(cells);
            } else {
                cut.untested.push(cells);
            }
        }
        Some(cut)
    }
}

/// A sum of a form, and what of the models it looks at.
struct Looked {
    weighted: Weighted,
    trees: Vec<LookedTree>,
    constants: Vec<Constant>,
    /// The trees that add at one input what they take off at the other.
    num_cancelled: usize,
}

/// A tree, with the inputs at which it matters.
struct LookedTree {
    model: usize,
    index: usize,
    inputs: Vec<usize>,
    /// Whether it is added at one input and taken off at the other.
    is_difference: bool,
}

/// A tree that adds the same leaf everywhere.
struct Constant {
    model: usize,
    index: usize,
    input: usize,
    leaf: usize,
}

/// Variables as cells.
struct Cut {
    axes: Vec<AxisCells>,
    untested: Vec<AxisCells>,
    /// For each coordinate its axis, if it has one.
    axis_of: Vec<usize>,
}

/// Makes channels of sums.
struct Lowerer<'a> {
    form: &'a Form<'a>,
    renamed: &'a Renamed<'a>,
    shapes: Vec<Axis>,
    units: Units,
    cut: Cut,
    most_pairs: usize,
}

/// A channel, and what is known of its values.
struct Lowered {
    channel: Channel,
    /// How many numbers were rounded up, beside the base.
    num_rounded: Value,
    /// No point in order is worth more than this, or less than its negative.
    magnitude: Value,
}

impl Lowerer<'_> {
    fn channel(&self, looked: &Looked, pairing: &mut Pairing) -> Lowered {
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
        let largest = |tree: &Tree| {
            let leaves = tree.nodes.iter().map(|node| if let Node::Leaf(value) = node { value.abs() } else { 0 });
            leaves.max().unwrap_or(0)
        };
        let magnitude = channel.base.abs() + channel.trees.iter().map(largest).sum::<Value>();
        Lowered { channel, num_rounded, magnitude }
    }

    /// Makes what is out of order worth less than whatever is in order, which is at most this in magnitude.
    fn keep_order(&self, problem: &mut Problem, magnitude: Value) {
        for (first, second) in &self.renamed.ordered {
            let axes = [self.cut.axis_of[*first], self.cut.axis_of[*second]];
            let tree = order::order(axes.map(|axis| &self.cut.axes[axis]), axes.map(position), -2 * magnitude - 1);
            for channel in problem.cases.iter_mut().flat_map(|case| &mut case.channels) {
                channel.trees.push(tree.clone());
            }
        }
    }

    fn lower(&self, tree: &LookedTree, input: usize, leaf_value: impl Fn(usize) -> Value) -> Tree {
        let LookedTree { model, index, .. } = *tree;
        let lowering = Lowering { renamed: self.renamed, model, input };
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

impl Compiled {
    /// A row of raw values in the cells of a point, for questions about one model at one input.
    pub fn row(&self, point: &[u32]) -> Vec<f64> {
        self.rows(point).swap_remove(0).swap_remove(0)
    }

    /// Rows of raw values in the cells of a point.
    pub fn rows(&self, point: &[u32]) -> InputRows {
        let mut rows =
            vec![self.widths.iter().map(|width| vec![f64::NAN; *width]).collect::<Vec<_>>(); self.num_inputs];
        let mut fill = |axis: &AxisCells, raws: &[f64]| {
            for input in axis.inputs.clone() {
                for (reader, raw) in axis.readers.iter().zip(raws) {
                    rows[input][reader.model][reader.feature] = *raw;
                }
            }
        };
        // Without splits a coordinate has one cell, or several special ones: the first will do.
        self.untested.iter().for_each(|axis| fill(axis, &axis.raws(0)));
        self.axes.iter().zip(point).for_each(|(axis, cell)| fill(axis, &axis.raws(*cell)));
        for (first, second) in &self.ordered {
            let [one, other] = [first, second].map(|axis| (&self.axes[*axis], point[*axis]));
            let (raw, next) = (one.0.raws(one.1)[0], other.0.raws(other.1)[0]);
            // The cells have numbers in order, but these are not.
            if raw > next
                && let (Some((least, _)), Some((_, greatest))) = (one.0.ends(one.1), other.0.ends(other.1))
            {
                fill(one.0, &vec![least; one.0.readers.len()]);
                fill(other.0, &vec![greatest; other.0.readers.len()]);
            }
        }
        rows
    }

    /// The values of every feature in a configuration.
    pub fn values(&self, cells: &[Cells]) -> Vec<Values> {
        let tested = self.axes.iter().zip(cells).map(|(axis, cells)| (axis.feature(), axis.values(cells)));
        self.in_order(tested, |axis| axis.values(&axis.all()))
    }

    /// Two opposite corners of a configuration: rows of the least and of the greatest values of every feature.
    pub fn corners(&self, cells: &[Cells]) -> [Vec<f64>; 2] {
        [false, true].map(|is_last| {
            let tested = self.axes.iter().zip(cells).map(|(axis, cells)| (axis.feature(), axis.corner(cells, is_last)));
            self.in_order(tested, |axis| axis.corner(&axis.all(), is_last))
        })
    }

    /// What is known of each tested feature and each other one, in the order of the features.
    fn in_order<T>(&self, tested: impl Iterator<Item = (usize, T)>, other: impl Fn(&AxisCells) -> T) -> Vec<T> {
        let mut all: Vec<(usize, T)> =
            tested.chain(self.untested.iter().map(|axis| (axis.feature(), other(axis)))).collect();
        all.sort_by_key(|(feature, _)| *feature);
        all.into_iter().map(|(_, known)| known).collect()
    }

    /// The real number that a value of the problem stands for. No point of the value is worth more.
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

    /// The least value that stands for a number or more; [`Value::MAX`] if none does.
    pub fn least_at_least(&self, number: &Exact) -> Value {
        let above = self.least_above(number);
        let before = if above == Value::MAX { MAX_MAGNITUDE } else { above - 1 };
        if self.real(before) == *number { before } else { above }
    }

    /// The exact number of a point of a value is less than this many units below what the value stands for.
    pub fn slack(&self) -> Value {
        self.slack
    }

    /// Whether a point of a value keeps the order of two inputs.
    pub fn is_in_order(&self, value: Value) -> bool {
        value >= self.least
    }

    /// Makes all points that reach the same leaves as a point worth less by this, so that a search goes past them. False
    /// if values would get too large.
    pub fn exclude(&mut self, point: &[u32], by: Value) -> bool {
        if self.excluded.saturating_add(by) > MAX_MAGNITUDE / 8 {
            return false;
        }
        self.excluded += by;
        let tree = exclude::exclude(&self.problem, point, by);
        for channel in self.problem.cases.iter_mut().flat_map(|case| &mut case.channels) {
            channel.trees.push(tree.clone());
        }
        true
    }

    /// What became of the trees that stand at two inputs, over all channels.
    pub fn pairing(&self) -> Pairing {
        self.pairing
    }

    /// An axis on which no tree has a split left would only be in the way.
    fn drop_unused_axes(&mut self) {
        let mut is_used = vec![false; self.axes.len()];
        let splits = |problem: &mut Problem, see: &mut dyn FnMut(&mut u32)| {
            let channels = problem.cases.iter_mut().flat_map(|case| &mut case.channels);
            for node in channels.flat_map(|channel| &mut channel.trees).flat_map(|tree| &mut tree.nodes) {
                if let Node::Split(split) = node {
                    see(&mut split.axis);
                }
            }
        };
        splits(&mut self.problem, &mut |axis| is_used[*axis as usize] = true);
        self.ordered.iter().for_each(|(first, second)| (is_used[*first], is_used[*second]) = (true, true));
        if is_used.iter().all(|is_used| *is_used) {
            return;
        }
        let mut places = vec![usize::MAX; self.axes.len()];
        for (axis, (cells, is_used)) in std::mem::take(&mut self.axes).into_iter().zip(&is_used).enumerate() {
            if *is_used {
                places[axis] = self.axes.len();
                self.axes.push(cells);
            } else {
                self.untested.push(cells);
            }
        }
        splits(&mut self.problem, &mut |axis| *axis = position(places[*axis as usize]));
        self.problem.axes = self.axes.iter().map(AxisCells::shape).collect();
        self.ordered.iter_mut().for_each(|(first, second)| (*first, *second) = (places[*first], places[*second]));
    }
}

fn position(place: usize) -> u32 {
    u32::try_from(place).expect("models are bounded by memory far below this")
}
