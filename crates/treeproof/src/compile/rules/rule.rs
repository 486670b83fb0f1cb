//! Conditions over cells: three-valued on sets of points, exact at each.

use treeproof_search::{Axis, Points};

use super::linear::LinearRule;
use crate::language::CountRange;

/// A condition over cells.
#[derive(Debug)]
pub(in crate::compile) enum Rule {
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
pub(in crate::compile) struct CellSet {
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

    pub(super) fn has_sums(&self) -> bool {
        match self {
            Self::All(parts) | Self::Any(parts) => parts.iter().any(Self::has_sums),
            Self::Sum(_) => true,
            Self::Cell(_) | Self::Count { .. } => false,
        }
    }

    /// Moves raw values, one for each axis, within the cells of a point for which the rule holds until they meet it: a sum, or
    /// one of several alternatives.
    pub(in crate::compile) fn realise(&self, point: &[u32], raws: &mut [f64]) {
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
