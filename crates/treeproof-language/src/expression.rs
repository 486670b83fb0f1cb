//! Conditions as trees, before anybody knows which features there are.

use treeproof_ensemble::norm::Norm;

/// A condition: its text, and what it states.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// As it was written.
    pub text: String,
    /// The formula.
    pub formula: Formula,
}

/// A position in a condition's text, in bytes. All positions are equal, so that expressions are equal wherever they stand.
#[derive(Clone, Copy, Debug)]
pub struct Position(pub usize);

impl PartialEq for Position {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Position {}

/// Something that holds or does not.
#[derive(Clone, Debug, PartialEq)]
pub enum Formula {
    /// `p and q and …`: at least two.
    And(Vec<Formula>),
    /// `p or q or …`: at least two.
    Or(Vec<Formula>),
    /// `not p`.
    Not(Box<Formula>),
    /// `p implies q`.
    Implies(Box<Formula>, Box<Formula>),
    /// `30 <= age < 50`: what is compared from left to right.
    Comparison {
        /// The first operand.
        first: Arithmetic,
        /// The signs, and what follows each: at least one.
        rest: Vec<(Sign, Arithmetic)>,
    },
    /// `colour in {red, blue}`, `x not in {1, 2}`.
    Membership {
        /// The feature.
        name: FeatureName,
        /// True for `not in`.
        is_negated: bool,
        /// The values: at least one.
        values: Vec<Literal>,
    },
    /// `integer(age)`, `atmost(2, word_*)`: a property of features.
    Statement {
        /// The property.
        property: Property,
        /// About which features: at least one.
        names: Vec<NamePattern>,
        /// Position of its start.
        at: Position,
    },
}

/// A comparison, read from left to right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
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

/// A property of features, named by a word.
#[derive(Clone, Debug, PartialEq)]
pub enum Property {
    /// `onehot(a, b, c)`: one column is 1, the others are 0.
    OneHot,
    /// `atmost(2, …)`: so many columns are other than 0, or fewer.
    AtMost(usize),
    /// `atleast(2, …)`.
    AtLeast(usize),
    /// `exactly(2, …)`.
    Exactly(usize),
    /// `integer(age)`.
    Integer,
    /// `step(price, 0.5)`: a multiple.
    Step(Number),
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

/// A number, or what a row makes one.
#[derive(Clone, Debug, PartialEq)]
pub enum Arithmetic {
    /// `0.5`, `-3`.
    Number(Number),
    /// `age`; the name of a category where it is compared with a feature that has them.
    Name(FeatureName),
    /// `'dark blue'`: the name of a category.
    Text(Literal),
    /// `changed`, `changed(x, word_*)`: how many features differ from the reference.
    Changed {
        /// Which are counted; all if none is named.
        names: Vec<NamePattern>,
        /// Position of its start.
        at: Position,
    },
    /// `distance(l1)`: how far the input is from the reference, as the question measures it, but in this norm.
    Distance {
        /// The norm of the distances along features.
        norm: Norm,
        /// Position of its start.
        at: Position,
    },
    /// `abs(x - y)`.
    Abs(Box<Arithmetic>, Position),
    /// `-(x + y)`.
    Negative(Box<Arithmetic>),
    /// `x + y - z`, `2 * x / 3`: from left to right, all signs of one kind.
    Operation {
        /// The first operand.
        first: Box<Arithmetic>,
        /// The signs, and what follows each: at least one.
        rest: Vec<(Operator, Arithmetic)>,
    },
}

/// A sign of arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`
    Times,
    /// `/`
    Over,
}

/// A number as it was written.
#[derive(Clone, Debug, PartialEq)]
pub struct Number {
    /// Its text, which may be the name of a category.
    pub text: String,
    /// The nearest double, which is what data that was written so holds.
    pub value: f64,
    /// Its position.
    pub at: Position,
}

/// A feature as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeatureName {
    /// Its name; not in backquotes it may begin with `a.` or `b.`.
    pub text: String,
    /// Its position.
    pub at: Position,
    /// The quoting: a name in backquotes is no `f0`, and has no side but one written before them.
    pub quoting: Quoting,
}

/// The quoting of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quoting {
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
    /// The only one.
    Only,
    /// The first of two.
    A,
    /// The second of two.
    B,
}

/// The features that a statement is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NamePattern {
    /// `age`
    One(FeatureName),
    /// `word_*`, in quotes where it is no plain word: all features like it.
    Like {
        /// The pattern: `*` stands for any letters, `?` for one.
        pattern: String,
        /// Its position.
        at: Position,
    },
}

/// A value as it was written.
#[derive(Clone, Debug, PartialEq)]
pub struct Literal {
    /// Its text, without quotes.
    pub text: String,
    /// The number that it is, if it is one and not in quotes.
    pub number: Option<f64>,
    /// Its position.
    pub at: Position,
}

impl Sign {
    /// As it is written.
    pub fn text(self) -> &'static str {
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
    pub fn mirrored(self) -> Self {
        match self {
            Self::Below => Self::Above,
            Self::AtMost => Self::AtLeast,
            Self::Above => Self::Below,
            Self::AtLeast => Self::AtMost,
            Self::Equal | Self::NotEqual => self,
        }
    }

    /// The sign that holds where this one does not.
    pub fn negated(self) -> Self {
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
    /// As it is written.
    pub fn text(self) -> &'static str {
        match self {
            Self::Plus => "+",
            Self::Minus => "-",
            Self::Times => "*",
            Self::Over => "/",
        }
    }
}

impl Property {
    /// The word.
    pub fn word(&self) -> &'static str {
        match self {
            Self::OneHot => "onehot",
            Self::AtMost(_) => "atmost",
            Self::AtLeast(_) => "atleast",
            Self::Exactly(_) => "exactly",
            Self::Integer => "integer",
            Self::Step(_) => "step",
            Self::Missing => "missing",
            Self::MaybeMissing => "maybemissing",
            Self::Fixed => "fixed",
            Self::OnlyIncrease => "onlyincrease",
            Self::OnlyDecrease => "onlydecrease",
        }
    }
}

impl NamePattern {
    /// Its position.
    pub fn at(&self) -> Position {
        match self {
            Self::One(name) => name.at,
            Self::Like { at, .. } => *at,
        }
    }
}

impl Arithmetic {
    /// Position of its start, parentheses and signs apart.
    pub fn at(&self) -> Position {
        match self {
            Self::Number(number) => number.at,
            Self::Name(name) => name.at,
            Self::Text(text) => text.at,
            Self::Changed { at, .. } | Self::Distance { at, .. } | Self::Abs(_, at) => *at,
            Self::Negative(of) => of.at(),
            Self::Operation { first, .. } => first.at(),
        }
    }
}

impl Formula {
    /// Position of its start, parentheses and signs apart.
    pub fn at(&self) -> Position {
        match self {
            Self::And(parts) | Self::Or(parts) => parts.first().map_or(Position(0), Self::at),
            Self::Not(of) | Self::Implies(of, _) => of.at(),
            Self::Comparison { first, .. } => first.at(),
            Self::Membership { name, .. } => name.at,
            Self::Statement { at, .. } => *at,
        }
    }
}
