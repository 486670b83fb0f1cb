//! The syntax tree of a condition, independent of any model.

use treeproof_ensemble::norm::Norm;

/// A condition: its text and its syntax tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// The text as written.
    pub text: String,
    /// The syntax tree.
    pub(crate) formula: Formula,
}

/// A byte offset in the text of a condition. All positions compare equal, so that equal expressions do wherever they stand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Position(pub(crate) usize);

impl PartialEq for Position {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Position {}

/// A statement that is true or false.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Formula {
    /// `p and q and …`: at least two.
    And(Vec<Formula>),
    /// `p or q or …`: at least two.
    Or(Vec<Formula>),
    /// `not p`.
    Not(Box<Formula>),
    /// `p implies q`.
    Implies(Box<Formula>, Box<Formula>),
    /// `30 <= age < 50`: a chain of comparisons.
    Comparison {
        /// The first operand.
        first: Arithmetic,
        /// The signs, each with its right operand: at least one.
        rest: Vec<(Sign, Arithmetic)>,
    },
    /// `colour in {red, blue}`, `x not in {1, 2}`.
    Membership {
        /// The feature.
        name: FeatureName,
        /// True for `not in`.
        is_negated: bool,
        /// The values: at least one.
        values: Vec<WrittenValue>,
    },
    /// `integer(age)`, `atmost(2, word_*)`: a property of features.
    Statement {
        /// The property.
        property: Property,
        /// The features: at least one.
        names: Vec<NamePattern>,
        /// The position of its start.
        at: Position,
    },
}

/// A comparison, read from left to right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    /// `<`
    Below,
    /// `<=`
    AtMost,
    /// `>`
    Above,
    /// `>=`
    AtLeast,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
}

/// A property of features.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Property {
    /// `onehot(a, b, c)`: one column is 1, the others are 0.
    OneHot,
    /// `atmost(2, …)`: at most this many columns are not 0.
    AtMost(usize),
    /// `atleast(2, …)`.
    AtLeast(usize),
    /// `exactly(2, …)`.
    Exactly(usize),
    /// `integer(age)`.
    Integer,
    /// `step(price, 0.5)`: a multiple.
    Step(WrittenValue),
    /// `missing(x)`.
    Missing,
    /// `maybemissing(x)`: a permission.
    MaybeMissing,
    /// `fixed(sex)`: as in the reference.
    Fixed,
    /// `onlyincrease(age)`: not below the reference.
    OnlyIncrease,
    /// `onlydecrease(debt)`: not above the reference.
    OnlyDecrease,
}

/// An arithmetic expression.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Arithmetic {
    /// `0.5`, `-3`, and `'dark blue'`, the name of a category.
    Value(WrittenValue),
    /// `age`; the name of a category where it is compared with a feature that has them.
    Name(FeatureName),
    /// `changed`, `changed(x, word_*)`: the number of features that differ from the reference.
    Changed {
        /// The counted features; all if empty.
        names: Vec<NamePattern>,
        /// The position of its start.
        at: Position,
    },
    /// `distance(l1)`: the distance from the reference in this norm, in the units of the question.
    Distance {
        /// The norm.
        norm: Norm,
        /// The position of its start.
        at: Position,
    },
    /// `abs(x - y)`.
    Abs(Box<Arithmetic>, Position),
    /// `-(x + y)`.
    Negative(Box<Arithmetic>),
    /// `x + y - z`, `2 * x / 3`: left to right, with operators of one precedence.
    Operation {
        /// The first operand.
        first: Box<Arithmetic>,
        /// The signs, each with its right operand: at least one.
        rest: Vec<(Operator, Arithmetic)>,
    },
}

/// An arithmetic operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`
    Times,
    /// `/`
    Over,
}

/// A feature name as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FeatureName {
    /// The name; without backquotes it may begin with `a.` or `b.`.
    pub(crate) text: String,
    /// Its position.
    pub(crate) at: Position,
    /// Its quotes: a name in backquotes is never a position such as `f0`.
    pub(crate) quoting: Quoting,
}

/// The quotes of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quoting {
    /// `age`, `a.age`
    Plain,
    /// `` `my age` ``
    Backquotes,
    /// ``a.`my age` ``
    BackquotesOf(Side),
}

/// One of the inputs of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The only input.
    Only,
    /// The first of two.
    A,
    /// The second of two.
    B,
}

/// A name or a pattern of features.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NamePattern {
    /// `age`
    One(FeatureName),
    /// `word_*`, in quotes unless it is a plain word: all features that match.
    Like {
        /// The pattern: `*` stands for any characters, `?` for one.
        pattern: String,
        /// Its position.
        at: Position,
    },
}

/// A value as written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WrittenValue {
    /// Its text, without quotes; that of a number may be the name of a category.
    pub(crate) text: String,
    /// The double nearest to it, as read from data with this text, unless it is in quotes or not a number.
    pub(crate) number: Option<f64>,
    /// Its position.
    pub(crate) at: Position,
}

impl Sign {
    /// The sign in a condition.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Below => "<",
            Self::AtMost => "<=",
            Self::Above => ">",
            Self::AtLeast => ">=",
            Self::Equal => "==",
            Self::NotEqual => "!=",
        }
    }

    /// The sign with both sides exchanged.
    pub(crate) fn mirrored(self) -> Self {
        match self {
            Self::Below => Self::Above,
            Self::AtMost => Self::AtLeast,
            Self::Above => Self::Below,
            Self::AtLeast => Self::AtMost,
            Self::Equal | Self::NotEqual => self,
        }
    }

    /// The sign that holds where this one does not.
    pub(crate) fn negated(self) -> Self {
        match self {
            Self::Below => Self::AtLeast,
            Self::AtMost => Self::Above,
            Self::Above => Self::AtMost,
            Self::AtLeast => Self::Below,
            Self::Equal => Self::NotEqual,
            Self::NotEqual => Self::Equal,
        }
    }
}

impl Operator {
    /// The sign in a condition.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Plus => "+",
            Self::Minus => "-",
            Self::Times => "*",
            Self::Over => "/",
        }
    }
}

impl NamePattern {
    /// Its position.
    pub(crate) fn at(&self) -> Position {
        match self {
            Self::One(name) => name.at,
            Self::Like { at, .. } => *at,
        }
    }
}

impl Arithmetic {
    /// The position of its start, parentheses and signs apart.
    pub(crate) fn at(&self) -> Position {
        match self {
            Self::Value(value) => value.at,
            Self::Name(name) => name.at,
            Self::Changed { at, .. } | Self::Distance { at, .. } | Self::Abs(_, at) => *at,
            Self::Negative(of) => of.at(),
            Self::Operation { first, .. } => first.at(),
        }
    }
}
