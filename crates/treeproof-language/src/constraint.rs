//! Conditions resolved for one model: a tree of statements without negations, for the search and for the check.
//!
//! A statement about a missing value is false. The exceptions, `missing(x)` and features under `maybemissing(x)`, are explicit
//! in the tree.

use std::collections::BTreeMap;

use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::norm::Norm;
use treeproof_ensemble::values::ValueSet;

use super::expression::Side;

/// A statement about one input or two.
#[derive(Clone, Debug, PartialEq)]
pub enum Constraint {
    /// A conjunction; always true if empty.
    All(Vec<Constraint>),
    /// A disjunction; never true if empty.
    Any(Vec<Constraint>),
    /// A feature of one input takes one of these values.
    Values(Variable, ValueSet),
    /// A feature is, or is not, a multiple of a step.
    Multiple {
        /// The feature.
        variable: Variable,
        /// The step, above 0.
        step: Exact,
        /// True to demand a value that is not a multiple, and not missing.
        is_negated: bool,
    },
    /// A sum compares with a number.
    Linear(Linear),
    /// The number of columns that are neither missing nor 0 is in a range.
    Count {
        /// The columns, each once.
        columns: Vec<Variable>,
        /// The allowed numbers.
        number: CountRange,
    },
    /// A feature equals its value in the reference, or differs; two missing values are equal.
    Same {
        /// The feature.
        feature: usize,
        /// True to demand a difference.
        is_negated: bool,
    },
    /// A feature compared with its value in the reference; two missing values are equal.
    Moved {
        /// The feature.
        feature: usize,
        /// The comparison.
        direction: Movement,
    },
    /// The number of units that differ from the reference is in a range.
    Changed {
        /// The units, each counted once: a feature, or the columns of a group.
        units: Vec<Vec<usize>>,
        /// The allowed numbers.
        number: CountRange,
    },
}

/// A limit on the distance from the reference, in the units of the question.
#[derive(Clone, Debug, PartialEq)]
pub struct DistanceLimit {
    /// The norm.
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

/// `Σ coefficient · variable` compared with a constant, in exact reals; false if a value is infinite.
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

/// A range of allowed counts, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountRange {
    /// The least.
    pub at_least: usize,
    /// The greatest.
    pub at_most: usize,
}

/// A comparison of a feature with its value in the reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Movement {
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
    /// The constraint that always holds.
    pub const ALWAYS: Self = Self::All(vec![]);
    /// The constraint that never holds.
    pub const NEVER: Self = Self::Any(vec![]);

    /// The conjunction, flattened, with one statement for the values of each feature.
    pub fn all(parts: impl IntoIterator<Item = Self>) -> Self {
        let flat = parts.into_iter().flat_map(|part| match part {
            Self::All(parts) => parts,
            part => vec![part],
        });
        Self::joined(flat, ValueSet::intersection, Self::All)
    }

    /// The disjunction, flattened, with one statement for the values of each feature.
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

    /// Visits every feature that occurs.
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
        let mut exchanged = self.clone();
        exchanged.exchange();
        exchanged
    }

    fn exchange(&mut self) {
        match self {
            Self::All(parts) | Self::Any(parts) => parts.iter_mut().for_each(Self::exchange),
            Self::Values(variable, _) | Self::Multiple { variable, .. } => *variable = variable.exchanged(),
            Self::Linear(Linear { terms, .. }) => {
                terms.iter_mut().for_each(|(_, variable)| *variable = variable.exchanged());
                terms.sort_by_key(|(_, variable)| *variable);
            }
            Self::Count { columns, .. } => columns.iter_mut().for_each(|column| *column = column.exchanged()),
            Self::Same { .. } | Self::Changed { .. } => {}
            Self::Moved { direction, .. } => {
                *direction = match direction {
                    Movement::AtLeast => Movement::AtMost,
                    Movement::AtMost => Movement::AtLeast,
                    Movement::Above => Movement::Below,
                    Movement::Below => Movement::Above,
                }
            }
        }
    }

    /// A statement about all numbers outside a range: below it, or above it.
    pub(super) fn outside(number: CountRange, statement: impl Fn(CountRange) -> Self) -> Self {
        let below = number.at_least.checked_sub(1).map(|at_most| CountRange { at_least: 0, at_most });
        let above = number.at_most.checked_add(1).map(|at_least| CountRange { at_least, at_most: usize::MAX });
        Self::any([below, above].into_iter().flatten().map(statement))
    }
}

impl Variable {
    /// The feature in the other input.
    fn exchanged(self) -> Self {
        let side = match self.side {
            Side::Only => Side::Only,
            Side::A => Side::B,
            Side::B => Side::A,
        };
        Self { side, ..self }
    }
}

impl Relation {
    /// True if a sum compares with a constant in this way.
    pub fn holds(self, sum: &Exact, constant: &Exact) -> bool {
        match self {
            Self::Below => sum < constant,
            Self::AtMost => sum <= constant,
            Self::Equal => sum == constant,
        }
    }
}

impl CountRange {
    /// True if a number is allowed.
    pub fn contains(self, number: usize) -> bool {
        (self.at_least..=self.at_most).contains(&number)
    }
}
