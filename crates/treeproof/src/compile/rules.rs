//! Conditions on several coordinates: where they part coordinates, and what they are over cells.
//!
//! Coordinates are cut wherever a condition parts their values, so a cell meets all of a statement about one value or
//! nothing of it, and cells alone decide whether a condition holds.

mod linear;

use std::sync::Arc;

use treeproof_search::{Axis, Budget, Costs, Points, Problem};

use self::linear::LinearRule;
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

/// Adds to a problem that constraints must hold. `axis_of` says where a variable is. Returns what raw values, beside their
/// cells, must meet.
pub(super) fn add(
    problem: &mut Problem,
    axes: &[AxisCells],
    constraints: &[&Constraint],
    axis_of: impl Fn(Variable) -> usize,
) -> Vec<Arc<Rule>> {
    let maker = Maker { axes, axis_of };
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
        costs.axes[column.axis] = column.has.iter().map(|has| i64::from(*has)).collect();
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
    axis_of: F,
}

impl<F: Fn(Variable) -> usize> Maker<'_, F> {
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
                let terms = terms.iter().map(|(coefficient, variable)| {
                    let axis = (self.axis_of)(*variable);
                    (axis, self.axes[axis].shape(), coefficient.clone())
                });
                Rule::Sum(LinearRule::new(terms, *relation, constant, |axis, cell| self.axes[axis].number_ends(cell)))
            }
            other => unreachable!("{other:?} is refused before"),
        }
    }

    fn cells(&self, variable: Variable, values: &ValueSet) -> CellSet {
        let axis = (self.axis_of)(variable);
        let cells = &self.axes[axis];
        let shape = cells.shape();
        let has: Vec<bool> = (0..shape.num_cells()).map(|cell| cells.is_among(cell, values)).collect();
        let before = has[..shape.ordered as usize].iter().scan(0, |count, has| {
            *count += u32::from(*has);
            Some(*count)
        });
        CellSet { axis, shape, before: std::iter::once(0).chain(before).collect(), has }
    }
}

/// A condition over cells.
#[derive(Debug)]
pub(super) enum Rule {
    /// All of these hold.
    All(Vec<Rule>),
    /// One of these holds at least.
    Any(Vec<Rule>),
    /// The cell of an axis is one of these.
    Cell(CellSet),
    /// So many axes have one of their cells.
    Count { columns: Vec<CellSet>, number: CountRange },
    /// A sum compares with a constant.
    Sum(LinearRule),
}

/// Cells of an axis.
#[derive(Debug)]
pub(super) struct CellSet {
    axis: usize,
    shape: Axis,
    has: Vec<bool>,
    /// How many of the first ordered cells are in the set: of none, of one, of two, …
    before: Vec<u32>,
}

impl CellSet {
    /// Whether all points have a cell of the set, or none has; nothing if they differ.
    fn decided(&self, points: &Points<'_>) -> Option<bool> {
        let ordered = points.ordered(self.axis);
        let mut inside = self.before[ordered.end as usize] - self.before[ordered.start as usize];
        let mut total = ordered.end - ordered.start;
        if self.shape.special > 0 {
            for cell in points.special(self.axis) {
                total += 1;
                inside += u32::from(self.has[cell as usize]);
            }
        }
        match inside {
            0 => Some(false),
            _ if inside == total => Some(true),
            _ => None,
        }
    }

    fn demand(&self, points: &mut Points<'_>, is_in: bool) {
        points.retain(self.axis, |cell| self.has[cell as usize] == is_in);
    }
}

impl Rule {
    /// Whether it holds for all points, or for none; nothing if that is not seen.
    fn decided(&self, points: &Points<'_>) -> Option<bool> {
        match self {
            Self::All(parts) => Self::joined(parts, points, false),
            Self::Any(parts) => Self::joined(parts, points, true),
            Self::Cell(cells) => cells.decided(points),
            Self::Sum(sum) => sum.is_impossible(points).then_some(false),
            Self::Count { columns, number } => {
                let (certain, possible) = Self::count(columns, points);
                match () {
                    () if possible < number.at_least || certain > number.at_most => Some(false),
                    () if number.contains(certain) && number.contains(possible) => Some(true),
                    () => None,
                }
            }
        }
    }

    /// What parts decide of which one of this kind decides all.
    fn joined(parts: &[Self], points: &Points<'_>, decisive: bool) -> Option<bool> {
        let mut is_open = false;
        for part in parts {
            match part.decided(points) {
                Some(decided) if decided == decisive => return Some(decisive),
                Some(_) => {}
                None => is_open = true,
            }
        }
        (!is_open).then_some(!decisive)
    }

    /// How many columns count in all points, and in some.
    fn count(columns: &[CellSet], points: &Points<'_>) -> (usize, usize) {
        columns.iter().fold((0, 0), |(certain, possible), column| match column.decided(points) {
            Some(true) => (certain + 1, possible + 1),
            Some(false) => (certain, possible),
            None => (certain, possible + 1),
        })
    }

    fn demand(&self, points: &mut Points<'_>) {
        match self {
            Self::All(parts) => parts.iter().for_each(|part| part.demand(points)),
            Self::Any(parts) => {
                let mut open = parts.iter().filter(|part| part.decided(points) != Some(false));
                match (open.next(), open.next()) {
                    (None, _) => points.clear(),
                    (Some(last), None) => last.demand(points),
                    _ => {}
                }
            }
            Self::Cell(cells) => cells.demand(points, true),
            Self::Sum(sum) => sum.demand(points),
            Self::Count { columns, number } => {
                let (certain, possible) = Self::count(columns, points);
                if possible < number.at_least || certain > number.at_most {
                    points.clear();
                } else if certain == number.at_most || possible == number.at_least {
                    let is_in = certain != number.at_most;
                    for column in columns {
                        if column.decided(points).is_none() {
                            column.demand(points, is_in);
                        }
                    }
                }
            }
        }
    }

    fn has_sums(&self) -> bool {
        match self {
            Self::All(parts) | Self::Any(parts) => parts.iter().any(Self::has_sums),
            Self::Sum(_) => true,
            Self::Cell(_) | Self::Count { .. } => false,
        }
    }

    /// Moves raw values, one for each axis, within the cells of a point for which the rule holds until they meet it: a sum, or
    /// one of several alternatives.
    pub(super) fn realise(&self, point: &[u32], raws: &mut [f64]) {
        match self {
            Self::Sum(sum) => sum.realise(point, raws),
            Self::Any(parts) => {
                // What cells decide comes first: it needs no other values.
                let (sums, others): (Vec<&Self>, Vec<&Self>) = parts.iter().partition(|part| part.has_sums());
                let met = others.into_iter().chain(sums).find(|part| part.is_met(point));
                met.expect("the rule holds for the point").realise(point, raws);
            }
            Self::All(_) | Self::Cell(_) | Self::Count { .. } => {}
        }
    }

    fn is_met(&self, point: &[u32]) -> bool {
        let has = |cells: &CellSet| cells.has[point[cells.axis] as usize];
        match self {
            Self::All(parts) => parts.iter().all(|part| part.is_met(point)),
            Self::Any(parts) => parts.iter().any(|part| part.is_met(point)),
            Self::Cell(cells) => has(cells),
            Self::Sum(sum) => sum.is_met(point),
            Self::Count { columns, number } => number.contains(columns.iter().filter(|column| has(column)).count()),
        }
    }
}

impl treeproof_search::Constraint for Rule {
    fn narrow(&self, points: &mut Points<'_>) {
        self.demand(points);
    }

    fn holds(&self, point: &[u32]) -> bool {
        self.is_met(point)
    }
}
