//! Conditions as text that reads back to the same tree.

use std::fmt::{self, Display, Formatter};

use crate::expression::{
    Arithmetic, Condition, FeatureName, Formula, NamePattern, Operator, Property, Quoting, Side, WrittenValue,
};
use crate::lexer::{is_keyword, is_plain_word};

impl Display for Condition {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.formula.fmt(f)
    }
}

impl Display for Formula {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::And(parts) => joined(f, parts, " and ", |part, f| within(f, part, part.tightness() > 2)),
            Self::Or(parts) => joined(f, parts, " or ", |part, f| within(f, part, part.tightness() > 1)),
            Self::Not(of) => {
                f.write_str("not ")?;
                within(f, of, of.tightness() > 2)
            }
            Self::Implies(left, right) => {
                within(f, left, left.tightness() > 0)?;
                write!(f, " implies {right}")
            }
            Self::Comparison { first, rest } => {
                first.fmt(f)?;
                rest.iter().try_for_each(|(sign, next)| write!(f, " {} {next}", sign.text()))
            }
            Self::Membership { name, is_negated, values } => {
                write!(f, "{name} {} {{", if *is_negated { "not in" } else { "in" })?;
                joined(f, values, ", ", Display::fmt)?;
                f.write_str("}")
            }
            Self::Statement { property, names, .. } => {
                write!(f, "{}(", property.word())?;
                if let Property::AtMost(count) | Property::AtLeast(count) | Property::Exactly(count) = property {
                    write!(f, "{count}, ")?;
                }
                joined(f, names, ", ", Display::fmt)?;
                if let Property::Step(size) = property {
                    write!(f, ", {}", size.text)?;
                }
                f.write_str(")")
            }
        }
    }
}

impl Property {
    fn word(&self) -> &'static str {
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

impl Formula {
    /// Precedence of the operator.
    fn tightness(&self) -> u8 {
        match self {
            Self::Implies(..) => 0,
            Self::Or(_) => 1,
            Self::And(_) => 2,
            _ => 3,
        }
    }
}

impl Display for Arithmetic {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value(number) if number.number.is_some() => f.write_str(&number.text),
            Self::Value(text) => quoted(f, &text.text),
            Self::Name(name) => name.fmt(f),
            Self::Changed { names, .. } if names.is_empty() => f.write_str("changed"),
            Self::Changed { names, .. } => {
                f.write_str("changed(")?;
                joined(f, names, ", ", Display::fmt)?;
                f.write_str(")")
            }
            Self::Distance { norm, .. } => write!(f, "distance({})", norm.name()),
            Self::Abs(of, _) => write!(f, "abs({of})"),
            Self::Negative(of) => {
                f.write_str("-")?;
                within(
                    f,
                    of,
                    matches!(**of, Self::Name(_) | Self::Changed { .. } | Self::Distance { .. } | Self::Abs(..)),
                )
            }
            Self::Operation { first, rest } => {
                let is_sum = self.is_sum();
                let is_tight = |part: &Self| match part {
                    Self::Operation { .. } => is_sum && !part.is_sum(),
                    _ => true,
                };
                within(f, first, is_tight(first))?;
                rest.iter().try_for_each(|(operator, part)| {
                    write!(f, " {} ", operator.text())?;
                    within(f, part, is_tight(part))
                })
            }
        }
    }
}

impl Arithmetic {
    fn is_sum(&self) -> bool {
        matches!(self, Self::Operation { rest, .. } if matches!(rest[..], [(Operator::Plus | Operator::Minus, _), ..]))
    }
}

impl Display for FeatureName {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.quoting {
            Quoting::Plain => f.write_str(&self.text),
            Quoting::Backquotes | Quoting::BackquotesOf(Side::Only) => write!(f, "`{}`", self.text),
            Quoting::BackquotesOf(Side::A) => write!(f, "a.`{}`", self.text),
            Quoting::BackquotesOf(Side::B) => write!(f, "b.`{}`", self.text),
        }
    }
}

impl Display for NamePattern {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::One(name) => name.fmt(f),
            Self::Like { pattern, .. } => {
                let letters = pattern.replace(['*', '?'], "_");
                if is_plain_word(&letters) && letters != *pattern { f.write_str(pattern) } else { quoted(f, pattern) }
            }
        }
    }
}

impl Display for WrittenValue {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let is_plain = self.number.is_some() || (is_plain_word(&self.text) && !is_keyword(&self.text));
        if is_plain { f.write_str(&self.text) } else { quoted(f, &self.text) }
    }
}

fn joined<T>(
    f: &mut Formatter<'_>,
    parts: &[T],
    between: &str,
    write: impl Fn(&T, &mut Formatter<'_>) -> fmt::Result,
) -> fmt::Result {
    for (index, part) in parts.iter().enumerate() {
        if index > 0 {
            f.write_str(between)?;
        }
        write(part, f)?;
    }
    Ok(())
}

/// Writes a part, in parentheses unless it binds tightly.
fn within(f: &mut Formatter<'_>, part: &impl Display, is_tight: bool) -> fmt::Result {
    if is_tight { part.fmt(f) } else { write!(f, "({part})") }
}

/// Writes a text in the first quotes that do not occur in it.
fn quoted(f: &mut Formatter<'_>, text: &str) -> fmt::Result {
    let quote = ['\'', '"', '`'].into_iter().find(|quote| !text.contains(*quote)).unwrap_or('\'');
    write!(f, "{quote}{text}{quote}")
}
