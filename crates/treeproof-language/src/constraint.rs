//! The meaning of conditions for one model: a tree of plain statements without negations, for searches and checks.
//!
//! A statement about a value is false where that value is missing. What a condition says of missing values – by
//! `missing(x)`, or beside `maybemissing(x)` – is spelt out in the tree, so nobody who reads it needs a further rule.

use std::collections::BTreeMap;

use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::norm::Norm;
use treeproof_ensemble::values::ValueSet;

use super::expression::Side;

/// Something that holds for an input, or for two, or does not.
#[derive(Clone, Debug, PartialEq)]
pub enum Constraint {
    /// All of these hold; nothing is demanded if there are none.
    All(Vec<Constraint>),
    /// One of these holds at least; nothing meets it if there are none.
    Any(Vec<Constraint>),
    /// One feature of one input is among these values.
    Values(Variable, ValueSet),
    /// A feature is, or is not, a multiple of a step.
    Multiple {
        /// The feature.
        variable: Variable,
        /// The step, above 0.
        step: Exact,
        /// True if it must be present and no multiple.
        is_negated: bool,
    },
    /// A sum compares with a number.
    Linear(Linear),
    /// The number of columns that are present and not 0.
    Count {
        /// The columns, each once.
        columns: Vec<Variable>,
        /// The number that is allowed.
        number: CountRange,
    },
    /// A feature is as in the reference, or is not; missing is like missing.
    Same {
        /// The feature.
        feature: usize,
        /// True if it differs.
        is_negated: bool,
    },
    /// The order of a feature relative to the reference. Both missing is equal.
    Moved {
        /// The feature.
        feature: usize,
        /// The order.
        direction: Direction,
    },
    /// The number of units that differ from the reference.
    Changed {
        /// Units, of which each counts once: a feature, or the columns of a group.
        units: Vec<Vec<usize>>,
        /// The number that is allowed.
        number: CountRange,
    },
}

/// The input is at most so far from the reference, as the question measures distances, but in this norm.
#[derive(Clone, Debug, PartialEq)]
pub struct DistanceBound {
    /// The norm of the distances along features.
    pub norm: Norm,
    /// The largest distance.
    pub limit: Exact,
}

/// One feature of one input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Variable {
    /// The input.
    pub side: Side,
    /// The position of the feature in the model.
    pub feature: usize,
}

/// `Σ coefficient · variable` compared with a constant, in exact reals. A sum with an infinite value compares with
/// nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Linear {
    /// At least two, each variable once, no coefficient 0.
    pub terms: Vec<(Exact, Variable)>,
    /// The comparison of the sum with the constant.
    pub relation: Relation,
    /// The constant.
    pub constant: Exact,
}

/// A comparison of a sum with a constant; the others are these with all signs turned, or two of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// `<`
    Below,
    /// `<=`
    AtMost,
    /// `==`
    Equal,
}

/// From the least to the greatest allowed number, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountRange {
    /// The least.
    pub at_least: usize,
    /// The greatest.
    pub at_most: usize,
}

/// The order of a feature relative to the reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Not below.
    AtLeast,
    /// Not above.
    AtMost,
    /// Above.
    Above,
    /// Below.
    Below,
}

impl Constraint {
    /// Always true.
    pub const ALWAYS: Self = Self::All(vec![]);
    /// Never true.
    pub const NEVER: Self = Self::Any(vec![]);

    /// All of these, as flat as can be, each feature's values in one statement.
    pub fn all(parts: impl IntoIterator<Item = Self>) -> Self {
        let flat = parts.into_iter().flat_map(|part| match part {
            Self::All(parts) => parts,
            part => vec![part],
        });
        Self::joined(flat, ValueSet::intersection, Self::All)
    }

    /// Any of these, as flat as can be, each feature's values in one statement.
    pub fn any(parts: impl IntoIterator<Item = Self>) -> Self {
        let flat = parts.into_iter().flat_map(|part| match part {
            Self::Any(parts) => parts,
            part => vec![part],
        });
        Self::joined(flat, ValueSet::union, Self::Any)
    }

    fn joined(
        parts: impl Iterator<Item = Self>,
        join: fn(&ValueSet, &ValueSet) -> ValueSet,
        list: fn(Vec<Self>) -> Self,
    ) -> Self {
        let mut joined: Vec<Self> = vec![];
        let mut place: BTreeMap<Variable, usize> = BTreeMap::new();
        for part in parts {
            let Self::Values(variable, values) = &part else {
                joined.push(part);
                continue;
            };
            match place.get(variable).map(|place| &mut joined[*place]) {
                Some(Self::Values(_, known)) => *known = join(known, values),
                _ => {
                    place.insert(*variable, joined.len());
                    joined.push(part);
                }
            }
        }
        if joined.len() == 1 { joined.remove(0) } else { list(joined) }
    }

    /// Shows every feature that is spoken of.
    pub fn see_features(&self, see: &mut impl FnMut(usize)) {
        match self {
            Self::All(parts) | Self::Any(parts) => parts.iter().for_each(|part| part.see_features(see)),
            Self::Values(variable, _) | Self::Multiple { variable, .. } => see(variable.feature),
            Self::Linear(linear) => linear.terms.iter().for_each(|(_, variable)| see(variable.feature)),
            Self::Count { columns, .. } => columns.iter().for_each(|variable| see(variable.feature)),
            Self::Same { feature, .. } | Self::Moved { feature, .. } => see(*feature),
            Self::Changed { units, .. } => units.iter().flatten().for_each(|feature| see(*feature)),
        }
    }

    /// The constraint with the two inputs exchanged.
    #[must_use]
    pub fn exchanged(&self) -> Self {
        let all = |parts: &[Self]| parts.iter().map(Self::exchanged).collect();
        match self {
            Self::All(parts) => Self::All(all(parts)),
            Self::Any(parts) => Self::Any(all(parts)),
            Self::Values(variable, values) => Self::Values(variable.exchanged(), values.clone()),
            Self::Multiple { variable, step, is_negated } => {
                Self::Multiple { variable: variable.exchanged(), step: step.clone(), is_negated: *is_negated }
            }
            Self::Linear(Linear { terms, relation, constant }) => {
                let exchanged =
                    |(coefficient, variable): &(Exact, Variable)| (coefficient.clone(), variable.exchanged());
                let mut terms: Vec<(Exact, Variable)> = terms.iter().map(exchanged).collect();
                terms.sort_by_key(|(_, variable)| *variable);
                Self::Linear(Linear { terms, relation: *relation, constant: constant.clone() })
            }
            Self::Count { columns, number } => {
                Self::Count { columns: columns.iter().map(|column| column.exchanged()).collect(), number: *number }
            }
            Self::Same { .. } | Self::Changed { .. } => self.clone(),
            Self::Moved { feature, direction } => {
                let direction = match direction {
                    Direction::AtLeast => Direction::AtMost,
                    Direction::AtMost => Direction::AtLeast,
                    Direction::Above => Direction::Below,
                    Direction::Below => Direction::Above,
                };
                Self::Moved { feature: *feature, direction }
            }
        }
    }

    /// A number outside a range: below it, or above it.
    pub(super) fn outside(number: CountRange, statement: impl Fn(CountRange) -> Self) -> Self {
        let below = number.at_least.checked_sub(1).map(|at_most| CountRange { at_least: 0, at_most });
        let above = number.at_most.checked_add(1).map(|at_least| CountRange { at_least, at_most: usize::MAX });
        Self::any([below, above].into_iter().flatten().map(statement))
    }
}

impl Variable {
    /// The feature at the other input.
    #[must_use]
    pub fn exchanged(self) -> Self {
        let side = match self.side {
            Side::Only => Side::Only,
            Side::A => Side::B,
            Side::B => Side::A,
        };
        Self { side, ..self }
    }
}

impl Relation {
    /// True if a sum compares so with a constant.
    pub fn holds(self, sum: &Exact, constant: &Exact) -> bool {
        match self {
            Self::Below => sum < constant,
            Self::AtMost => sum <= constant,
            Self::Equal => sum == constant,
        }
    }
}

impl CountRange {
    /// True if a number is in the range.
    pub fn contains(self, number: usize) -> bool {
        (self.at_least..=self.at_most).contains(&number)
    }
}
