//! Conditions on several coordinates: where they part coordinates, and what they are over cells.
//!
//! Coordinates are cut wherever a condition parts their values, so a cell meets all of a statement about one value or
//! nothing of it, and cells alone decide whether a condition holds.

mod linear;
mod rule;

use std::collections::BTreeMap;
use std::sync::Arc;

use treeproof_ensemble::exact::Exact;
use treeproof_search::{Budget, Costs, Problem};

use self::linear::LinearRule;
use self::rule::CellSet;
pub(super) use self::rule::Rule;
use super::cells::{AxisCells, Use};
use crate::language::{CategorySet, Constraint, CountRange, Linear, Present, Range, ValueSet, Variable};

/// Shows every statement about one value.
pub(crate) fn statements(constraint: &Constraint, see: &mut impl FnMut(Variable, &ValueSet)) {
    match constraint {
        Constraint::All(parts) | Constraint::Any(parts) => parts.iter().for_each(|part| statements(part, see)),
        Constraint::Values(variable, values) => see(*variable, values),
        Constraint::Count { columns, .. } => columns.iter().for_each(|column| see(*column, &counted())),
        Constraint::Linear(linear) => {
            // A sum with an infinite value compares with nothing.
            let finite = ValueSet::of(Present::numbers([Range { low: -f64::MAX, high: f64::MAX }]));
            linear.terms.iter().for_each(|(_, variable)| see(*variable, &finite));
        }
        other => unreachable!("{other:?} is refused before"),
    }
}

/// What is there and not 0.
fn counted() -> ValueSet {
    ValueSet::of(Present::numbers([Range { low: 0.0, high: 0.0 }]).complement())
}

impl Use {
    /// Parts what is among these values from the rest.
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

/// Adds to a problem that constraints must hold. `place_of` says at which axis a variable is, and which of its readers it is.
/// Returns what raw values, beside their cells, must meet.
pub(super) fn add(
    problem: &mut Problem,
    axes: &[AxisCells],
    constraints: &[&Constraint],
    place_of: impl Fn(Variable) -> (usize, usize),
) -> Vec<Arc<Rule>> {
    let maker = Maker { axes, place_of };
    let mut of_raws = vec![];
    for constraint in constraints {
        match maker.rule(constraint) {
            // What cells cost together is what the search knows best.
            Rule::Count { columns, number } => add_budgets(problem, &columns, number),
            rule => {
                let rule = Arc::new(rule);
                problem.constraints.push(Arc::<Rule>::clone(&rule));
                of_raws.extend(rule.has_sums().then_some(rule));
            }
        }
    }
    of_raws
}

fn add_budgets(problem: &mut Problem, columns: &[CellSet], number: CountRange) {
    let mut costs = Costs { axes: problem.axes.iter().map(|axis| vec![0; axis.num_cells() as usize]).collect() };
    for column in columns {
        // The columns of a group share an axis.
        costs.axes[column.axis].iter_mut().zip(&column.has).for_each(|(cost, has)| *cost += i64::from(*has));
    }
    let mut negated = costs.clone();
    negated.axes.iter_mut().flatten().for_each(|cost| *cost = -*cost);
    let limit = |number: usize| i64::try_from(number.min(columns.len() + 1)).expect("columns are in memory");
    if number.at_most < columns.len() {
        problem.budgets.push(Budget { costs, limit: limit(number.at_most) });
    }
    if number.at_least > 0 {
        problem.budgets.push(Budget { costs: negated, limit: -limit(number.at_least) });
    }
}

struct Maker<'a, F> {
    axes: &'a [AxisCells],
    place_of: F,
}

impl<F: Fn(Variable) -> (usize, usize)> Maker<'_, F> {
    fn rule(&self, constraint: &Constraint) -> Rule {
        match constraint {
            Constraint::All(parts) => Rule::All(parts.iter().map(|part| self.rule(part)).collect()),
            Constraint::Any(parts) => Rule::Any(parts.iter().map(|part| self.rule(part)).collect()),
            Constraint::Values(variable, values) => Rule::Cell(self.cells(*variable, values)),
            Constraint::Count { columns, number } => {
                let columns = columns.iter().map(|column| self.cells(*column, &counted())).collect();
                Rule::Count { columns, number: *number }
            }
            Constraint::Linear(Linear { terms, relation, constant }) => {
                // The columns of a group share an axis.
                let mut by_axis: BTreeMap<usize, Vec<(Exact, usize)>> = BTreeMap::new();
                for (coefficient, variable) in terms {
                    let (axis, reader) = (self.place_of)(*variable);
                    by_axis.entry(axis).or_default().push((coefficient.clone(), reader));
                }
                Rule::Sum(LinearRule::new(self.axes, by_axis, *relation, constant))
            }
            other => unreachable!("{other:?} is refused before"),
        }
    }

    fn cells(&self, variable: Variable, values: &ValueSet) -> CellSet {
        let (axis, reader) = (self.place_of)(variable);
        let cells = &self.axes[axis];
        let has = (0..cells.shape().num_cells()).map(|cell| cells.is_among(cell, reader, values)).collect();
        CellSet::new(axis, cells.shape(), has)
    }
}
