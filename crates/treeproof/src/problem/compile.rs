//! Compilation of a form: the passes, one after the other.

use std::sync::Arc;

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_language::Constraint;
use treeproof_search::{Abandoned, Case, Problem, Stop, Unobserved, proceed};

use super::ball::Coupling;
use super::cells::AxisPartition;
use super::channel::WeightedOutputs;
use super::compiled::Compiled;
use super::cut::CutAxes;
use super::domain::Domain;
use super::features::Features;
use super::form::{Form, MarginObjective, Sum, Term};
use super::lower::{Lowerer, Pairing};
use super::relevant_trees::RelevantTrees;
use super::rename::Renamed;
use super::rules::{self, Decider, ReferenceRow};
use super::space::{Nearness, Space};
use super::units::ValueUnits;

/// Limit on the leaf pairs of a tree at two inputs; a tree with more is kept as two.
const MOST_PAIRS: usize = 1 << 14;

/// Compiles "maximise this margin over these domains". `None` if a domain is empty.
///
/// # Panics
/// If the ensemble is not a sum: callers refuse such questions.
pub fn compile(ensemble: &Ensemble, domains: &[Domain], objective: MarginObjective) -> Option<Compiled> {
    let term = Term { model: 0, input: 0, output: objective.output, negated: objective.negated };
    let space = Space::one(Features::of(ensemble), domains.to_vec());
    Form { models: vec![ensemble], space, cases: vec![vec![Sum::of([term])]] }.compile()
}

impl Form<'_> {
    /// Compiles the form over its space. `None` if a domain is empty.
    ///
    /// # Panics
    /// If a model is not a sum, or the form has no cases or a case no sums.
    pub fn compile(&self) -> Option<Compiled> {
        self.compile_within_pairs(MOST_PAIRS)
    }

    /// Compiles the form with another limit on the leaf pairs of a tree.
    ///
    /// # Panics
    /// As [`Form::compile`].
    pub fn compile_within_pairs(&self, most_pairs: usize) -> Option<Compiled> {
        self.compile_with(most_pairs, Nearness::Any, &[], None, &Unobserved).expect("nobody stops it")
    }

    /// Compiles the form over the inputs that meet constraints and are near enough. `None` if a domain is empty. One input may
    /// be compared with a reference row: conditions on values within cells are left to [`NearestValues`] then, and the search
    /// does not see them.
    ///
    /// [`NearestValues`]: super::NearestValues
    ///
    /// # Errors
    /// If it is abandoned.
    ///
    /// # Panics
    /// As [`Form::compile`]; if a constraint needs a reference and there is none; and if inputs must be near, unless the form is
    /// about one model, at two inputs or at one, as the case may be.
    pub(crate) fn compile_until(
        &self,
        nearness: Nearness<'_>,
        constraints: &[&Constraint],
        reference: Option<ReferenceRow<'_>>,
        stop: &dyn Stop,
    ) -> Result<Option<Compiled>, Abandoned> {
        self.compile_with(MOST_PAIRS, nearness, constraints, reference, stop)
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
        let reachable = renamed.reachable_trees(self.models.len());
        let cases = self.cases.iter().map(|case| self.relevant_trees(&renamed, &reachable, case, stop));
        let cases: Vec<Vec<RelevantTrees>> = cases.collect::<Result<_, _>>()?;
        let all: Vec<&RelevantTrees> = cases.iter().flatten().collect();
        let is_valued = renamed.valued(&conditions, ball.is_some());
        let conditions_of = (&conditions[..], &is_valued[..]);
        let cut = self.cut((&renamed, &reachable), &all, ball, conditions_of, reference.or(from), stop)?;
        let Some(cut) = cut else { return Ok(None) };
        proceed(stop)?;
        let coupling = ball.map(|ball| Coupling::new(ball, &renamed, (&cut.axes, &cut.axis_of), &is_valued));
        let selectors = coupling.iter().flat_map(Coupling::selectors);
        let weighted: Vec<&WeightedOutputs> = all.iter().map(|relevant| &relevant.weighted).collect();
        let lowerer = Lowerer {
            form: self,
            renamed: &renamed,
            reachable: &reachable,
            shapes: cut.axes.iter().map(AxisPartition::shape).chain(selectors).collect(),
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
        let CutAxes { axes, untested, axis_of } = cut;
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
