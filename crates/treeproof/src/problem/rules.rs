//! Conditions on several coordinates, as cuts of coordinates and as rules over cells.
//!
//! Coordinates are cut wherever a condition parts their values, so a cell meets a statement about one value as a whole or
//! not at all. Conditions on values within cells – sums and grids – are decided at points, together where they share an
//! axis.

mod desugar;
mod formula;
mod joint;
mod linear;
mod members;
mod rule;
mod system;

use std::collections::BTreeMap;
use std::sync::Arc;

use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::values::{CategorySet, Present, ValueSet};
use treeproof_language::CountRange;
use treeproof_proof::header::LedgerKind;
use treeproof_search::{Budget, Constraint, Costs, Problem};

pub(crate) use self::desugar::ReferenceRow;
pub(super) use self::desugar::{CoordinateCondition, Desugared, finite, number};
use self::formula::CountedChoice;
pub(super) use self::joint::{Doubt, JointConstraint};
use self::linear::LinearRule;
use self::members::Members;
use self::rule::{AxisCells, CellCondition, MultipleRule, Rule};
pub(crate) use self::system::RealisedValues;
use super::ball::Coupling;
use super::cells::{AxisPartition, CutPoints};
use super::remembered::Remembered;
use super::rename::CoordinateColumn;

impl CutPoints {
    /// Cuts between these values and the rest.
    pub(super) fn part(&mut self, values: &ValueSet) {
        match &values.present {
            Present::Numbers(ranges) => {
                let marks = ranges.iter().flat_map(|range| [range.low, range.high.next_up()]);
                self.marks.extend(marks.filter(|mark| *mark > f64::NEG_INFINITY));
            }
            Present::Categories(CategorySet::Only(codes) | CategorySet::Except(codes)) => {
                self.sets.push(codes.iter().copied().collect());
            }
        }
    }
}

/// The decision whether the cells of a point have values that meet the conditions.
#[derive(Clone, Copy)]
pub(super) enum Decider<'a> {
    /// By each set of rules that share an axis.
    Each,
    /// By all together, as the values of two inputs must be near each other too.
    Together(&'a Arc<Coupling>),
    /// Elsewhere, after the search.
    Elsewhere,
}

/// Adds conditions to a problem, which is complete otherwise. `axis_of` has the axis of each coordinate. Returns the
/// constraints on values besides their cells, and the ledgers of the budgets.
pub(super) fn add(
    problem: &mut Problem,
    axes: &Arc<Vec<AxisPartition>>,
    axis_of: &[usize],
    conditions: &[Desugared],
    decider: Decider<'_>,
) -> (Vec<Arc<JointConstraint>>, Vec<LedgerKind>) {
    let maker = RuleMaker { axes, axis_of };
    let mut of_values: Vec<Arc<Rule>> = vec![];
    let mut counted = vec![];
    let rules = (0..)
        .zip(conditions)
        .flat_map(|(place, condition)| maker.rules(condition).into_iter().map(move |rule| (place, rule)));
    for (place, rule) in rules {
        match rule {
            // Costs of cells alone are budgets, on which the search has the best bounds.
            Rule::Count { choices, number }
                if choices.iter().all(|choice| matches!(choice.yes, Rule::Leaf(CellCondition::Cell(_)))) =>
            {
                counted.extend(add_budgets(problem, &choices, number, place));
            }
            rule if rule.is_about_cells() => problem.constraints.push(Arc::new(rule)),
            rule => of_values.push(Arc::new(rule)),
        }
    }
    let coupling = if let Decider::Together(coupling) = decider { Some(coupling) } else { None };
    let coupling = coupling.filter(|coupling| coupling.has_valued());
    let sets = match decider {
        Decider::Each => together(of_values.clone()),
        _ if of_values.is_empty() && coupling.is_none() => vec![],
        _ => vec![of_values.clone()],
    };
    let decides = |rules: &[Arc<Rule>]| match decider {
        // A single rule that is decided at points needs no joint decision.
        Decider::Each => !matches!(rules, [rule] if rule.is_seen_at_points()),
        Decider::Together(_) => true,
        Decider::Elsewhere => false,
    };
    let doubt = sets.iter().any(|rules| decides(rules)).then(|| Arc::new(Doubt::new(problem)));
    // Single rules come first: they prune sooner.
    problem.constraints.extend(of_values.into_iter().map(|rule| rule as Arc<dyn Constraint>));
    let mut joints = vec![];
    for rules in sets {
        let doubt = doubt.clone().filter(|_| decides(&rules));
        let is_deciding = doubt.is_some();
        let (axes, coupling, decided) = (Arc::clone(axes), coupling.cloned(), Remembered::default());
        let joint = Arc::new(JointConstraint { rules, axes, coupling, doubt, decided });
        if is_deciding {
            problem.constraints.push(Arc::clone(&joint) as Arc<dyn Constraint>);
        }
        joints.push(joint);
    }
    (joints, counted)
}

/// Sets of rules whose values must be found together, as they share axes directly or through others.
fn together(rules: Vec<Arc<Rule>>) -> Vec<Vec<Arc<Rule>>> {
    let mut sets: Vec<(Vec<usize>, Vec<Arc<Rule>>)> = vec![];
    for rule in rules {
        let (mut axes, mut set) = (vec![], vec![rule]);
        set[0].valued_axes(&mut |axis| axes.push(axis));
        let (shared, others): (Vec<_>, Vec<_>) =
            sets.into_iter().partition(|(of_set, _)| of_set.iter().any(|axis| axes.contains(axis)));
        sets = others;
        for (of_set, rules) in shared {
            axes.extend(of_set);
            set.extend(rules);
        }
        sets.push((axes, set));
    }
    sets.into_iter().map(|(_, rules)| rules).collect()
}

/// Adds the budgets of a count. Returns their ledgers, for the condition at a place.
fn add_budgets(
    problem: &mut Problem,
    choices: &[CountedChoice<CellCondition>],
    number: CountRange,
    place: u32,
) -> Vec<LedgerKind> {
    let mut costs = Costs { axes: problem.axes.iter().map(|axis| vec![0; axis.num_cells() as usize]).collect() };
    for choice in choices {
        let Rule::Leaf(CellCondition::Cell(column)) = &choice.yes else {
            unreachable!("counts of other things are no budgets")
        };
        // Two inputs may share a column, which counts for each; the columns of a group share an axis.
        for (cost, has) in costs.axes[column.axis].iter_mut().zip(&column.has) {
            *cost += i64::from(*has);
        }
    }
    let mut negated = costs.clone();
    negated.axes.iter_mut().flatten().for_each(|cost| *cost = -*cost);
    let limit = |number: usize| i64::try_from(number.min(choices.len() + 1)).expect("columns are in memory");
    let mut counted = vec![];
    if number.at_most < choices.len() {
        problem.budgets.push(Budget { costs, limit: limit(number.at_most) });
        counted.push(LedgerKind::AtMost(place));
    }
    if number.at_least > 0 {
        problem.budgets.push(Budget { costs: negated, limit: -limit(number.at_least) });
        counted.push(LedgerKind::AtLeast(place));
    }
    counted
}

/// Translates desugared conditions to rules over cells.
struct RuleMaker<'a> {
    axes: &'a [AxisPartition],
    axis_of: &'a [usize],
}

impl RuleMaker<'_> {
    /// The rules that must all hold.
    fn rules(&self, condition: &Desugared) -> Vec<Rule> {
        match condition {
            Desugared::All(parts) => parts.iter().flat_map(|part| self.rules(part)).collect(),
            part => vec![part.map(&|leaf| self.leaf(leaf))],
        }
    }

    fn leaf(&self, condition: &CoordinateCondition) -> CellCondition {
        match condition {
            CoordinateCondition::Values(place, values) => {
                CellCondition::Cell(self.cells(*place, |cells, cell| cells.is_among(cell, place.reader, values)))
            }
            CoordinateCondition::Sum { terms, relation, constant } => {
                // The columns of a group share an axis.
                let mut by_axis: BTreeMap<usize, Vec<(Exact, usize)>> = BTreeMap::new();
                for (coefficient, place) in terms {
                    let axis = self.axis_of[place.coordinate];
                    by_axis.entry(axis).or_default().push((coefficient.clone(), place.reader));
                }
                CellCondition::Sum(LinearRule::new(self.axes, by_axis, *relation, constant))
            }
            CoordinateCondition::Multiple { place, step, is_negated } => {
                // True if a cell has a multiple, or a number that is none; true if in doubt.
                let has = |cells: &AxisPartition, cell: u32, is_negated: bool| {
                    // An infinite value is a multiple of nothing.
                    let ends = cells.number_ends(cell, place.reader);
                    let may_be = ends.is_some_and(|(least, _)| is_negated || least.is_finite());
                    let members = Members::new(cells, cell, [(step, is_negated)]);
                    may_be && members.at_or_above(f64::NEG_INFINITY) != Ok(None)
                };
                CellCondition::Multiple(MultipleRule {
                    step: step.clone(),
                    is_negated: *is_negated,
                    possible: self.cells(*place, |cells, cell| has(cells, cell, *is_negated)),
                    certain: self
                        .cells(*place, |cells, cell| has(cells, cell, *is_negated) && !has(cells, cell, !*is_negated)),
                })
            }
        }
    }

    fn cells(&self, place: CoordinateColumn, has: impl Fn(&AxisPartition, u32) -> bool) -> AxisCells {
        let axis = self.axis_of[place.coordinate];
        let cells = &self.axes[axis];
        AxisCells::new(axis, cells.shape(), (0..cells.shape().num_cells()).map(|cell| has(cells, cell)).collect())
    }
}
