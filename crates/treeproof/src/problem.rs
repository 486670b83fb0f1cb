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
//! | `look` | trees that make no difference go |
//! | `cut` | coordinates are cut into cells where reachable splits part them |
//! | `units` | leaves become whole numbers, rounded up |
//! | `lower` | trees are laid over cells, without what the domains exclude |
//! | `pair` | a tree at two inputs becomes one tree of what differs |
//! | `order` | two inputs are kept in order |
//! | `ball` | two inputs are kept near each other |
//! | `start` | one input is kept near a row |
//! | `rules` | conditions on several features become budgets and constraints over cells; of values within cells, at points |
//!
//! Beside them `plain` bounds a form without cells, for when there is no time for the passes.
//!
//! # What is compiled
//!
//! A [`Form`]: `max over cases · min over sums · Σ ± margin + constant`. "This or that" makes cases, of which the best
//! counts; "this and that" makes the sums of a case, its channels, of which the worst counts. A [`Term`] of a sum is a
//! margin of one of the models at one of the inputs, added or subtracted: `diff` subtracts another model at the same
//! input, `fair` the same model at another input.
//!
//! A [`Space`] says which values the inputs may take: a [`Domain`] for each feature of each input, and a [`Tie`] for each
//! feature of two. Inputs that are the same in a feature share an axis there; else each has its own. The columns of a group
//! share an axis as well: its cells say which of them is 1, so that no cell breaks the law that exactly one is.
//!
//! A point of the problem has a cell for each axis. [`Compiled::rows`] makes inputs of it, a row for each model.
//! [`Form::evaluate`] asks the models alone about them, and [`Form::value`] gives the exact number: it is
//! never above [`Compiled::real`] of the point's value, and less than [`Compiled::slack`] units below.
//!
//! # Example
//!
//! How much more can a model give to one of two people who differ in age alone?
//!
//! ```
//! use treeproof::problem::{Domain, Features, Form, Space, Sum, Term, Tie};
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
//! let evaluations = form.evaluate(&rows)?;
//! assert_eq!(form.value(&evaluations), Exact::from_f64(4.0));
//! let [younger, older] = [0, 1].map(|input| &rows[input][0]);
//! assert!(younger[0] < 40.0 && older[0] >= 40.0 && younger[1] == older[1]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod admissible;
mod ball;
mod cancel;
mod cells;
mod channel;
mod compiled;
mod configuration_values;
mod cut;
mod domain;
mod exclude;
mod feature_domains;
mod features;
mod form;
mod lower;
mod metric;
mod nearest_values;
mod number_set;
mod observed;
mod one_or_two;
mod order;
mod pair;
mod plain_bound;
mod predicate;
mod proof_header;
mod relevant_trees;
mod rename;
mod rules;
mod space;
mod starting_row;
mod units;

use std::sync::Arc;

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_language::{Constraint, Groups};
use treeproof_search::{Abandoned, Case, Problem, Stop, Unobserved, proceed};

pub use self::admissible::{AdmissibleInputs, ObservedInputs};
pub use self::ball::Ball;
pub use self::compiled::{Compiled, Pairing};
pub use self::configuration_values::{ConfigurationValues, Interval};
pub use self::domain::Domain;
pub use self::features::{Features, MatchedFeature, MismatchError, ModelFeature};
pub use self::form::{Form, InputRows, Objective, Sum, Term};
pub use self::metric::Metric;
pub use self::nearest_values::{CellCosts, NearestValues};
pub use self::number_set::NumberSet;
pub use self::observed::{NumberKind, Observed, ObservedFeature};
pub use self::predicate::{Predicate, RegionValues};
pub use self::space::{Space, Tie};
pub use self::starting_row::StartingRow;

pub(crate) use self::domain::raw_category;
pub(crate) use self::feature_domains::{EmptyDomain, feature_domains};
pub(crate) use self::form::best;
pub(crate) use self::nearest_values::Placement;
pub(crate) use self::rules::{Feasible, LinearConstraint, LinearLimit, ReferenceRow, Simplex};

use self::ball::Coupling;
use self::cells::{AxisCells, CutPoints};
use self::channel::WeightedOutputs;
use self::cut::Cut;
use self::lower::Lowerer;
use self::relevant_trees::RelevantTrees;
use self::rename::{Coordinate, CoordinateColumn, Renamed};
use self::rules::{Decider, Desugared, Desugarer};
use self::units::ValueUnits;

/// What inputs must be near to, beside what their space says.
#[derive(Clone, Copy, Debug)]
pub enum Nearness<'a> {
    /// Nothing.
    Any,
    /// Two inputs to each other.
    Ball(&'a Ball),
    /// One input to a row.
    Start(&'a StartingRow),
}

/// A tree at two inputs is kept as two where more pairs of its leaves than this share a point.
const MOST_PAIRS: usize = 1 << 14;

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
pub(crate) fn feature_values(ensemble: &Ensemble, groups: &Groups, domains: &[Domain]) -> Vec<ConfigurationValues> {
    let space = Space::one(Features::of(ensemble).grouped(groups), domains.to_vec());
    let renamed = Renamed::new(&Form { models: vec![ensemble], space, cases: vec![] });
    let of_coordinate = |coordinate: &Coordinate<'_>| {
        let cells = AxisCells::new(coordinate, coordinate.readers.map(|_| CutPoints::default()));
        std::iter::zip(cells.features().to_vec(), cells.values(&cells.all()).to_vec())
    };
    let mut values: Vec<(usize, ConfigurationValues)> = renamed.coordinates.iter().flat_map(of_coordinate).collect();
    values.sort_by_key(|(feature, _)| *feature);
    values.into_iter().map(|(_, values)| values).collect()
}

impl Form<'_> {
    /// Compiles the form. `None` if a domain is empty.
    ///
    /// # Panics
    /// If a model is not a sum, or the form has no cases or a case no sums.
    pub fn compile(&self) -> Option<Compiled> {
        self.compile_under(&[])
    }

    /// Compiles the form over those inputs alone for which constraints hold, beside what the domains say. `None` if a domain
    /// is empty.
    ///
    /// # Panics
    /// As [`Form::compile`], and if a constraint compares an input with a row.
    pub fn compile_under(&self, constraints: &[&Constraint]) -> Option<Compiled> {
        self.compile_near(Nearness::Any, constraints)
    }

    /// The same for one input that is compared with a row. What conditions say about values within cells, [`NearestValues`] decides,
    /// and the search does not.
    pub(crate) fn compile_from(
        &self,
        reference: ReferenceRow<'_>,
        constraints: &[&Constraint],
        stop: &dyn Stop,
    ) -> Result<Option<Compiled>, Abandoned> {
        self.compile_with(MOST_PAIRS, Nearness::Any, constraints, Some(reference), stop)
    }

    /// Like [`Form::compile_under`], over those inputs alone that are near enough.
    ///
    /// # Panics
    /// As [`Form::compile_under`]. If inputs must be near: unless the form is about one model, at two inputs or at one, as the
    /// case may be.
    pub fn compile_near(&self, nearness: Nearness<'_>, constraints: &[&Constraint]) -> Option<Compiled> {
        self.compile_until(nearness, constraints, &Unobserved).expect("nobody stops it")
    }

    /// As above, but it may be abandoned.
    ///
    /// # Errors
    /// If it is abandoned.
    ///
    /// # Panics
    /// As [`Form::compile_near`].
    pub fn compile_until(
        &self,
        nearness: Nearness<'_>,
        constraints: &[&Constraint],
        stop: &dyn Stop,
    ) -> Result<Option<Compiled>, Abandoned> {
        self.compile_with(MOST_PAIRS, nearness, constraints, None, stop)
    }

    /// Like [`Form::compile`], with another limit on the leaf pairs of a tree: where more share a point, the tree is kept as
    /// two, one for each input.
    ///
    /// # Panics
    /// As [`Form::compile`].
    pub fn compile_within_pairs(&self, most_pairs: usize) -> Option<Compiled> {
        self.compile_with(most_pairs, Nearness::Any, &[], None, &Unobserved).expect("nobody stops it")
    }

    fn compile_with(
        &self,
        most_pairs: usize,
        nearness: Nearness<'_>,
        constraints: &[&Constraint],
        reference: Option<ReferenceRow<'_>>,
        stop: &dyn Stop,
    ) -> Result<Option<Compiled>, Abandoned> {
        let ball = if let Nearness::Ball(ball) = nearness { Some(ball) } else { None };
        let start = if let Nearness::Start(start) = nearness { Some(start) } else { None };
        let readings = start.map(|start| self.models[0].read(&start.row).expect("the library accepts the row"));
        let from = start.zip(readings.as_ref()).map(|(start, readings)| ReferenceRow { row: &start.row, readings });
        let renamed = Renamed::new(self);
        let conditions = renamed.desugar(constraints, reference);
        let lowerings = renamed.lowerings(self.models.len());
        let cases = self.cases.iter().map(|case| self.relevant_trees(&renamed, &lowerings, case, stop));
        let cases: Vec<Vec<RelevantTrees>> = cases.collect::<Result<_, _>>()?;
        let all: Vec<&RelevantTrees> = cases.iter().flatten().collect();
        let is_valued = renamed.valued(&conditions, ball.is_some());
        let conditions_of = (&conditions[..], &is_valued[..]);
        let cut = self.cut((&renamed, &lowerings), &all, ball, conditions_of, reference.or(from), stop)?;
        let Some(cut) = cut else { return Ok(None) };
        proceed(stop)?;
        let coupling = ball.map(|ball| Coupling::new(ball, &renamed, (&cut.axes, &cut.axis_of), &is_valued));
        let selectors = coupling.iter().flat_map(Coupling::selectors);
        let weighted: Vec<&WeightedOutputs> = all.iter().map(|relevant| &relevant.weighted).collect();
        let lowerer = Lowerer {
            form: self,
            renamed: &renamed,
            lowerings: &lowerings,
            shapes: cut.axes.iter().map(AxisCells::shape).chain(selectors).collect(),
            units: ValueUnits::new(self, &weighted, renamed.ordered.len(), stop)?,
            cut,
            coupling,
            most_pairs,
            stop,
        };
        let (mut slack, mut pairing, mut bundles) = (1, Pairing::default(), vec![]);
        let mut lower = |relevant: &RelevantTrees| {
            let lowered = lowerer.channel(relevant, &mut pairing)?;
            bundles.push(lowered.bundles);
            // Every tree is rounded up by less than a unit, and so is the base.
            slack = slack.max(lowered.num_rounded + 1);
            Ok(lowered.channel)
        };
        let mut lower_case = |case: &Vec<RelevantTrees>| {
            let channels = case.iter().map(&mut lower).collect::<Result<_, _>>()?;
            Ok(Case { channels })
        };
        let cases: Vec<Case> = cases.iter().map(&mut lower_case).collect::<Result<_, _>>()?;
        let mut bundles = bundles.into_iter();
        let bundles = cases.iter().map(|case| bundles.by_ref().take(case.channels.len()).collect()).collect();
        let mut problem = Problem { cases, ..Problem::default() };
        let least = lowerer.keep_order(&mut problem);
        proceed(stop)?;
        problem.axes = lowerer.shapes;
        let (mut cut, coupling) = (lowerer.cut, lowerer.coupling.map(Arc::new));
        // Only what differs between inputs may leave splits out. What is coupled counts even without splits.
        if pairing.paired > 0 && coupling.is_none() {
            let mut is_needed = vec![false; renamed.coordinates.len()];
            conditions.iter().for_each(|condition| condition.see(&mut |place, _| is_needed[place.coordinate] = true));
            renamed.ordered.iter().for_each(|(first, second)| (is_needed[*first], is_needed[*second]) = (true, true));
            cut.drop_unused(&mut problem, &is_needed);
        }
        if let Some(coupling) = &coupling {
            problem.budgets.extend(coupling.budget(&problem.axes));
            problem.constraints.push(Arc::<Coupling>::clone(coupling));
        }
        let Cut { axes, untested, axis_of } = cut;
        let axes = Arc::new(axes);
        let decider = match (&coupling, reference) {
            (Some(coupling), _) => Decider::Together(coupling),
            (None, Some(_)) => Decider::Elsewhere,
            (None, None) => Decider::Each,
        };
        let (joints, counted) = rules::add(&mut problem, &axes, &axis_of, &conditions, decider);
        proceed(stop)?;
        let ordered = renamed.ordered.iter().map(|(first, second)| (axis_of[*first], axis_of[*second]));
        let mut compiled = Compiled {
            problem,
            axes,
            untested: Arc::new(untested),
            joints,
            coupling,
            nearby: None,
            ordered: ordered.collect(),
            widths: self.models.iter().map(|model| model.features().len()).collect(),
            num_inputs: self.space.inputs.len(),
            units: lowerer.units,
            slack,
            least,
            excluded: 0,
            num_excluded: 0,
            pairing,
            bundles,
            missed: vec![],
            counted,
            predicate: None,
        };
        if let (Some(start), Some(from)) = (start, from) {
            compiled.start_from(start.at_most, from, self.models[0], stop)?;
        }
        Ok(Some(compiled))
    }
}

impl Renamed<'_> {
    /// Conditions on coordinates.
    fn desugar(&self, constraints: &[&Constraint], reference: Option<ReferenceRow<'_>>) -> Vec<Desugared> {
        let desugarer = Desugarer { renamed: self, reference };
        let mut conditions: Vec<Desugared> =
            constraints.iter().map(|constraint| desugarer.desugar(constraint)).collect();
        // Where values matter beside cells, those of two inputs must be found in order.
        let is_valued = self.valued(&conditions, false);
        for (first, second) in &self.ordered {
            if is_valued[*first] || is_valued[*second] {
                let [low, high] =
                    [first, second].map(|coordinate| CoordinateColumn { coordinate: *coordinate, reader: 0 });
                conditions.push(desugarer.in_order(low, high, false));
            }
        }
        conditions
    }

    /// The coordinates whose values matter beside their cells: those that conditions add up, compare or want on a grid, and of two
    /// inputs that are near each other the counterparts of these, and features with another grid in one than in the other.
    fn valued(&self, conditions: &[Desugared], is_coupled: bool) -> Vec<bool> {
        let mut is_valued = vec![false; self.coordinates.len()];
        conditions.iter().for_each(|condition| condition.see_valued(&mut |coordinate| is_valued[coordinate] = true));
        for [first, second] in self.coupled.iter().filter(|_| is_coupled) {
            let domains = [first, second].map(|coordinate| &self.coordinates[*coordinate].readers[0].domain);
            let has_own_grids = match domains {
                [Domain::Numbers { numbers, .. }, Domain::Numbers { numbers: others, .. }] => {
                    !numbers.has_steps_of(others)
                }
                _ => false,
            };
            let is_either = is_valued[*first] || is_valued[*second] || has_own_grids;
            (is_valued[*first], is_valued[*second]) = (is_either, is_either);
        }
        is_valued
    }
}

fn position(place: usize) -> u32 {
    u32::try_from(place).expect("models are bounded by memory far below this")
}
