//! Conditions over cells: three-valued on sets of points, and at each.

use treeproof_ensemble::exact::Exact;
use treeproof_language::Relation;
use treeproof_search::{Axis, Points};

use super::formula::{CountedChoice, Formula, counted};
use super::linear::LinearRule;

/// A condition over cells.
pub(in crate::problem) type Rule = Formula<CellCondition>;

/// A condition over cells by itself.
#[derive(Debug)]
pub(in crate::problem) enum CellCondition {
    /// The cell of an axis is one of these.
    Cell(AxisCells),
    /// A sum compares with a constant.
    Sum(LinearRule),
    /// A value is, or is not, a multiple of a step.
    Multiple(MultipleRule),
}

/// A value is, or is not, a multiple of a step.
#[derive(Debug)]
pub(in crate::problem) struct MultipleRule {
    pub(super) step: Exact,
    pub(super) is_negated: bool,
    /// The cells that may have such a value.
    pub(super) possible: AxisCells,
    /// The cells that have no other.
    pub(super) certain: AxisCells,
}

/// Cells of an axis.
#[derive(Debug)]
pub(in crate::problem) struct AxisCells {
    pub(super) axis: usize,
    shape: Axis,
    pub(super) has: Vec<bool>,
    /// Number of cells of the set among the first ordered ones: of none, of one, of two, …
    before: Vec<u32>,
}

impl AxisCells {
    /// The cells of an axis for which `has` is true.
    pub(super) fn new(axis: usize, shape: Axis, has: Vec<bool>) -> Self {
        let before = has[..shape.ordered as usize].iter().scan(0, |count, has| {
            *count += u32::from(*has);
            Some(*count)
        });
        Self { axis, shape, before: std::iter::once(0).chain(before).collect(), has }
    }

    /// True if all points have a cell of the set, false if none has; `None` if they differ.
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

    fn demand(&self, points: &mut Points<'_>) {
        points.retain(self.axis, |cell| self.has[cell as usize]);
    }

    fn has(&self, point: &[u32]) -> bool {
        self.has[point[self.axis] as usize]
    }
}

impl CellCondition {
    /// True if it holds for all points, false if for none; `None` if that is not seen.
    fn decided(&self, points: &Points<'_>) -> Option<bool> {
        match self {
            Self::Cell(cells) => cells.decided(points),
            Self::Sum(sum) => sum.is_impossible(points).then_some(false),
            Self::Multiple(multiple) => match multiple.possible.decided(points) {
                Some(false) => Some(false),
                _ => multiple.certain.decided(points).filter(|is_certain| *is_certain),
            },
        }
    }

    /// True if it holds for all values of the cells of a point, false if for none; `None` if that is not seen.
    pub(super) fn at(&self, point: &[u32]) -> Option<bool> {
        match self {
            Self::Cell(cells) => Some(cells.has(point)),
            Self::Sum(sum) => sum.at(point),
            Self::Multiple(multiple) if !multiple.possible.has(point) => Some(false),
            Self::Multiple(multiple) => multiple.certain.has(point).then_some(true),
        }
    }

    /// True if cells alone decide it, whatever the values.
    fn is_about_cells(&self) -> bool {
        match self {
            Self::Cell(_) => true,
            Self::Sum(sum) => sum.terms().next().is_none(),
            Self::Multiple(_) => false,
        }
    }
}

impl Rule {
    fn demand(&self, points: &mut Points<'_>) {
        match self {
            Self::All(parts) => parts.iter().for_each(|part| part.demand(points)),
            Self::Any(parts) => {
                let mut open = parts.iter().filter(|part| part.decide(&|leaf| leaf.decided(points)) != Some(false));
                match (open.next(), open.next()) {
                    (None, _) => points.clear(),
                    (Some(last), None) => last.demand(points),
                    _ => {}
                }
            }
            Self::Leaf(CellCondition::Cell(cells)) => cells.demand(points),
            Self::Leaf(CellCondition::Sum(sum)) => sum.demand(points),
            Self::Leaf(CellCondition::Multiple(multiple)) => multiple.possible.demand(points),
            Self::Count { choices, number } => {
                let (certain, possible) = counted(choices, &|leaf| leaf.decided(points));
                if possible < number.at_least || certain > number.at_most {
                    points.clear();
                } else if certain == number.at_most || possible == number.at_least {
                    let is_open =
                        |choice: &&CountedChoice<CellCondition>| choice.decide(&|leaf| leaf.decided(points)).is_none();
                    for choice in choices.iter().filter(is_open).collect::<Vec<_>>() {
                        let rule = if certain == number.at_most { &choice.no } else { &choice.yes };
                        rule.demand(points);
                    }
                }
            }
        }
    }

    /// True if it holds for all values of the cells of a point, false if for none; `None` if that is not seen.
    pub(super) fn at(&self, point: &[u32]) -> Option<bool> {
        self.decide(&|leaf| leaf.at(point))
    }

    /// True if cells alone decide it, whatever the values.
    pub(super) fn is_about_cells(&self) -> bool {
        self.all(CellCondition::is_about_cells)
    }

    /// True if a point at which it is not refuted has values that meet it: one inequality, or several to choose from.
    pub(super) fn is_seen_at_points(&self) -> bool {
        match self {
            Self::Leaf(CellCondition::Sum(sum)) => sum.relation != Relation::Equal,
            Self::Any(parts) => parts.iter().all(Self::is_seen_at_points),
            other => other.is_about_cells(),
        }
    }

    /// Visits the axes whose values matter besides their cells.
    pub(super) fn valued_axes(&self, see: &mut impl FnMut(usize)) {
        self.visit(&mut |leaf| match leaf {
            CellCondition::Sum(sum) => sum.terms().for_each(|(axis, _)| see(axis)),
            CellCondition::Multiple(multiple) => see(multiple.possible.axis),
            CellCondition::Cell(_) => {}
        });
    }
}

impl treeproof_search::Constraint for Rule {
    fn narrow(&self, points: &mut Points<'_>) {
        self.demand(points);
    }

    fn sees_values(&self) -> bool {
        !self.is_about_cells()
    }

    fn holds(&self, point: &[u32]) -> bool {
        self.at(point) != Some(false)
    }
}
