//! Exclusion of boxes: no input meets the conditions, or all are too far away, or the library's own sums, at the leaves that
//! all of the box reaches, miss the goal.

pub mod distance_limit;
pub(crate) mod propagate;
pub mod refute;
pub mod subcase;

use treeproof_ensemble::evaluate::Evaluation;
use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::input::Reading;
use treeproof_proof::conclusion::Claim;
use treeproof_proof::refutation::Refutation;
use treeproof_proof::statement::{Goal, GoalSum, GoalTerm};

use crate::error::Refused;
use crate::exclusion::distance_limit::DistanceLimit;
use crate::exclusion::refute::refutes;
use crate::exclusion::subcase::Subcase;
use crate::goal::ResolvedGoal;
use crate::region::Region;
use crate::replay::Exclusion;
use crate::space::cell_values::CellValues;
use crate::space::grid::Grid;
use crate::trees::CellTree;
use crate::trees::model_tree::trees_at;

/// The reasons that exclude boxes.
pub(crate) struct Exclusions<'a> {
    grid: &'a Grid<'a>,
    goal: &'a ResolvedGoal<'a>,
    /// The limits on distances.
    limits: Vec<DistanceLimit<'a>>,
    /// The trees of the first model at each input, where the library's own sums decide.
    trees: Vec<Vec<CellTree>>,
}

impl<'a> Exclusions<'a> {
    pub(crate) fn new(grid: &'a Grid<'a>, goal: &'a ResolvedGoal<'a>, claim: &Claim) -> Result<Self, Refused> {
        let statement = grid.space.statement;
        // Inputs farther away than is claimed are not nearer. Only distances from the reference are asked for.
        let most = if let Claim::NotNearer(distance) = claim { Some(distance.0) } else { None };
        let most = most.filter(|most| *most >= 0.0 && statement.inputs.len() == 1);
        let limits = DistanceLimit::all(grid, most)?;
        let model = grid.space.models[0];
        let is_fixed = model.summation().is_some_and(|summation| summation.fixed_order);
        let asks_library = is_fixed && !matches!(statement.goal, Goal::Sums(_) | Goal::Anything);
        let inputs = 0..if asks_library { statement.inputs.len() as u32 } else { 0 };
        let trees = inputs.map(|input| trees_at(grid, input)).collect::<Result<_, Refused>>()?;
        Ok(Self { grid, goal, limits, trees })
    }

    /// The limit on the cost of the distance that is asked about, if there is one.
    pub(crate) fn most(&self) -> Option<&Exact> {
        let near = self.grid.space.statement.near.as_ref()?;
        self.limits.first().filter(|limit| std::ptr::eq(limit.near(), near)).map(DistanceLimit::limit)
    }

    /// True if the library's own sums miss the goal in a case at all inputs of a box, as all reach the same leaves of the trees
    /// that make a difference.
    pub(crate) fn is_missed(&self, region: &Region, case: usize) -> bool {
        if self.trees.is_empty() {
            return false;
        }
        let model = self.grid.space.models[0];
        let mut evaluations: Vec<Vec<Evaluation>> = vec![];
        let mut is_known: Vec<Vec<bool>> = vec![];
        for (input, trees) in self.trees.iter().enumerate() {
            let Some(readings) = self.readings(region, input) else { return false };
            let mut known = vec![true; model.num_accumulators()];
            for (tree, of_model) in trees.iter().zip(model.trees()) {
                if tree.only_leaf(region).is_none() {
                    of_model.all_terms().iter().for_each(|term| known[term.output as usize] = false);
                }
            }
            evaluations.push(vec![model.evaluate_readings(&readings)]);
            is_known.push(known);
        }
        if is_known.iter().flatten().all(|known| *known) {
            return !self.goal.is_reached(&evaluations);
        }
        let is_behind = |sum: &GoalSum| {
            let [one, other] = &sum.terms[..] else { return false };
            let (ahead, behind) = if one.negated { (one, other) } else { (other, one) };
            let is_pair = ahead.negated && !behind.negated && ahead.input == behind.input;
            let known = |of: &GoalTerm| is_known[of.input as usize].get(of.output as usize) == Some(&true);
            let margin = |of: &GoalTerm| evaluations[of.input as usize][0].margins[of.output as usize].library;
            let is_behind = |width: f64| margin(behind) + width < margin(ahead);
            is_pair && known(ahead) && known(behind) && self.goal.tie_width.is_some_and(is_behind)
        };
        let has_own_margins = model.summation().is_some_and(|summation| !summation.fold_pair);
        has_own_margins && self.goal.cases.get(case).is_some_and(|sums| sums.iter().any(is_behind))
    }

    /// The first model's readings of some input of a box.
    fn readings(&self, region: &Region, input: usize) -> Option<Vec<Reading>> {
        let model = self.grid.space.models[0];
        let reading = |feature: u32| {
            let (place, _) = self.grid.space.place(0, feature);
            let held: &CellValues = match self.grid.axis_of(input, place) {
                Some(axis) => self.grid.cell_values(axis, region.axis(axis).cells().next()?, place),
                None => self.grid.free(input, place),
            };
            if let Some((first, _)) = held.ends() {
                return model.input().read(&model.features()[feature as usize], first).ok();
            }
            match held.codes.first() {
                Some(code) => Some(Reading::Category(*code)),
                None if held.unknown => Some(Reading::NoCategory),
                None => held.may_be_missing().then_some(Reading::Missing),
            }
        };
        (0..model.features().len() as u32).map(reading).collect()
    }
}

impl Exclusion for Exclusions<'_> {
    fn excludes(&self, region: &Region, refutation: Option<&Refutation>) -> bool {
        let subcase = Subcase::new(self.grid, &self.limits, region);
        subcase.is_void() || subcase.is_too_far() || refutation.is_some_and(|refutation| refutes(refutation, &subcase))
    }

    fn misses(&self, region: &Region, case: usize) -> bool {
        self.is_missed(region, case)
    }
}
