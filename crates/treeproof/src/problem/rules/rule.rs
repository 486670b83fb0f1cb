//! Conditions over cells: three-valued on sets of points and at each.

use treeproof_ensemble::exact::Exact;
use treeproof_language::{CountRange, Relation};
use treeproof_search::{Axis, Points};

use super::linear::LinearRule;

/// A condition over cells.
#[derive(Debug)]
pub(in crate::problem) enum Rule {
    /// All of these hold.
    All(Vec<Rule>),
    /// One of these holds at least.
    Any(Vec<Rule>),
    /// The cell of an axis is one of these.
    Cell(CellSet),
    /// For so many choices "yes" holds.
    Count { choices: Vec<CountedRule>, number: CountRange },
    /// A sum compares with a constant.
    Sum(LinearRule),
    /// A value is, or is not, a multiple of a step.
    Multiple(MultipleRule),
}

/// Two conditions of which one holds, for whatever values.
#[derive(Debug)]
pub(in crate::problem) struct CountedRule {
    pub(super) yes: Rule,
    pub(super) no: Rule,
}

/// A value is, or is not, a multiple of a step.
#[derive(Debug)]
pub(in crate::problem) struct MultipleRule {
    pub(super) step: Exact,
    pub(super) is_negated: bool,
    /// The cells that have such a value, as far as can be seen.
    pub(super) possible: CellSet,
    /// The cells that have no other.
    pub(super) certain: CellSet,
}

/// Cells of an axis.
#[derive(Debug)]
pub(in crate::problem) struct CellSet {
    pub(super) axis: usize,
    shape: Axis,
    pub(super) has: Vec<bool>,
    /// How many of the first ordered cells are in the set: of none, of one, of two, …
    before: Vec<u32>,
}

impl CellSet {
    /// The cells of an axis for which this is true.
    pub(super) fn new(axis: usize, shape: Axis, has: Vec<bool>) -> Self {
        let before = has[..shape.ordered as usize].iter().scan(0, |count, has| {
            *count += u32::from(*has);
            Some(*count)
        });
        Self { axis, shape, before: std::iter::once(0).chain(before).collect(), has }
    }

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

    fn demand(&self, points: &mut Points<'_>) {
        points.retain(self.axis, |cell| self.has[cell as usize]);
    }

    fn has(&self, point: &[u32]) -> bool {
        self.has[point[self.axis] as usize]
    }
}

impl CountedRule {
    fn decided(yes: Option<bool>, no: impl FnOnce() -> Option<bool>) -> Option<bool> {
        yes.or_else(|| no().map(|no| !no))
    }

    fn among(&self, points: &Points<'_>) -> Option<bool> {
        Self::decided(self.yes.decided(points), || self.no.decided(points))
    }

    pub(super) fn at(&self, point: &[u32]) -> Option<bool> {
        Self::decided(self.yes.at(point), || self.no.at(point))
    }
}

/// What parts decide of which one of this kind decides all.
fn joined(parts: impl IntoIterator<Item = Option<bool>>, decisive: bool) -> Option<bool> {
    let mut is_open = false;
    for part in parts {
        match part {
            Some(decided) if decided == decisive => return Some(decisive),
            Some(_) => {}
            None => is_open = true,
        }
    }
    (!is_open).then_some(!decisive)
}

/// How many choices are surely "yes", and how many may be.
fn counted(choices: impl IntoIterator<Item = Option<bool>>) -> (usize, usize) {
    choices.into_iter().fold((0, 0), |(certain, possible), choice| match choice {
        Some(true) => (certain + 1, possible + 1),
        Some(false) => (certain, possible),
        None => (certain, possible + 1),
    })
}

/// Whether a number between two is surely allowed, or surely not.
fn within((certain, possible): (usize, usize), number: CountRange) -> Option<bool> {
    match () {
        () if possible < number.at_least || certain > number.at_most => Some(false),
        () if number.contains(certain) && number.contains(possible) => Some(true),
        () => None,
    }
}

impl Rule {
    /// Whether it holds for all points, or for none; nothing if that is not seen.
    fn decided(&self, points: &Points<'_>) -> Option<bool> {
        match self {
            Self::All(parts) => joined(parts.iter().map(|part| part.decided(points)), false),
            Self::Any(parts) => joined(parts.iter().map(|part| part.decided(points)), true),
            Self::Cell(cells) => cells.decided(points),
            Self::Sum(sum) => sum.is_impossible(points).then_some(false),
            Self::Count { choices, number } => {
                within(counted(choices.iter().map(|choice| choice.among(points))), *number)
            }
            Self::Multiple(multiple) => match multiple.possible.decided(points) {
                Some(false) => Some(false),
                _ => multiple.certain.decided(points).filter(|is_certain| *is_certain),
            },
        }
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
            Self::Cell(cells) => cells.demand(points),
            Self::Sum(sum) => sum.demand(points),
            Self::Multiple(multiple) => multiple.possible.demand(points),
            Self::Count { choices, number } => {
                let (certain, possible) = counted(choices.iter().map(|choice| choice.among(points)));
                if possible < number.at_least || certain > number.at_most {
                    points.clear();
                } else if certain == number.at_most || possible == number.at_least {
                    for choice in choices.iter().filter(|choice| choice.among(points).is_none()).collect::<Vec<_>>() {
                        let rule = if certain == number.at_most { &choice.no } else { &choice.yes };
                        rule.demand(points);
                    }
                }
            }
        }
    }

    /// Whether it holds for all values of the cells of a point, or for none; nothing if that is not seen.
    pub(super) fn at(&self, point: &[u32]) -> Option<bool> {
        match self {
            Self::All(parts) => joined(parts.iter().map(|part| part.at(point)), false),
            Self::Any(parts) => joined(parts.iter().map(|part| part.at(point)), true),
            Self::Cell(cells) => Some(cells.has(point)),
            Self::Sum(sum) => sum.at(point),
            Self::Count { choices, number } => within(counted(choices.iter().map(|choice| choice.at(point))), *number),
            Self::Multiple(multiple) if !multiple.possible.has(point) => Some(false),
            Self::Multiple(multiple) => multiple.certain.has(point).then_some(true),
        }
    }

    /// Whether it is about cells alone, so that any values will do where it holds.
    pub(super) fn is_about_cells(&self) -> bool {
        match self {
            Self::All(parts) | Self::Any(parts) => parts.iter().all(Self::is_about_cells),
            Self::Count { choices, .. } => {
                choices.iter().all(|choice| choice.yes.is_about_cells() && choice.no.is_about_cells())
            }
            Self::Cell(_) => true,
            Self::Sum(sum) => sum.terms().next().is_none(),
            Self::Multiple(_) => false,
        }
    }

    /// Whether there are values in the cells of a point that meet it wherever it is not seen that there are none: one
    /// inequality, or several to choose from.
    pub(super) fn is_seen_at_points(&self) -> bool {
        match self {
            Self::Sum(sum) => sum.relation != Relation::Equal,
            Self::Any(parts) => parts.iter().all(Self::is_seen_at_points),
            other => other.is_about_cells(),
        }
    }

    /// Shows the axes whose values matter, beside their cells.
    pub(super) fn valued_axes(&self, see: &mut impl FnMut(usize)) {
        match self {
            Self::All(parts) | Self::Any(parts) => parts.iter().for_each(|part| part.valued_axes(see)),
            Self::Count { choices, .. } => {
                choices.iter().flat_map(|choice| [&choice.yes, &choice.no]).for_each(|part| part.valued_axes(see));
            }
            Self::Sum(sum) => sum.terms().for_each(|(axis, _)| see(axis)),
            Self::Multiple(multiple) => see(multiple.possible.axis),
            Self::Cell(_) => {}
        }
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
