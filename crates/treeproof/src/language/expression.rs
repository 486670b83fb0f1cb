//! Conditions as trees, before anybody knows which features there are.

/// Where in a condition's text something stands: a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position(pub usize);

/// A condition: its text, and the facts that it states, all of which must hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// As it was written.
    pub text: String,
    /// What it states.
    pub facts: Vec<Fact>,
}

/// One statement about one feature.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Fact {
    /// `low <= x < high`, either end absent.
    Between {
        /// The feature.
        name: FeatureName,
        /// Nothing is below.
        low: Option<Limit>,
        /// Nothing is above.
        high: Option<Limit>,
    },
    /// `x == value`, `x in {value, …}`.
    OneOf {
        /// The feature.
        name: FeatureName,
        /// The values.
        values: Vec<Literal>,
    },
    /// `missing(x)`.
    Missing(FeatureName),
    /// `maybemissing(x)`.
    MaybeMissing(FeatureName),
}

/// A feature as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeatureName {
    /// Its name.
    pub text: String,
    /// Where it stands.
    pub at: Position,
    /// Whether it was in backquotes, and so is no `f0`.
    pub is_quoted: bool,
}

/// An end of a range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    /// The number.
    pub number: f64,
    /// Whether the number itself is outside.
    pub is_strict: bool,
}

/// A value as it was written.
#[derive(Clone, Debug, PartialEq)]
pub struct Literal {
    /// Its text, without quotes.
    pub text: String,
    /// The number that it is, if it is one and not in quotes.
    pub number: Option<f64>,
    /// Where it stands.
    pub at: Position,
}

impl Fact {
    /// The feature that the fact is about.
    pub fn name(&self) -> &FeatureName {
        match self {
            Self::Between { name, .. } | Self::OneOf { name, .. } | Self::Missing(name) | Self::MaybeMissing(name) => {
                name
            }
        }
    }
}

impl Limit {
    /// The least double that is allowed if this is the low end.
    pub fn least(self) -> f64 {
        if self.is_strict { self.number.next_up() } else { self.number }
    }

    /// The greatest double that is allowed if this is the high end.
    pub fn greatest(self) -> f64 {
        if self.is_strict { self.number.next_down() } else { self.number }
    }
}
