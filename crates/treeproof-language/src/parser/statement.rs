//! Parsing of functions: words with features in parentheses.

use treeproof_ensemble::norm::Norm;

use super::{ConditionParser, Parsed, Phrase};
use crate::expression::{Arithmetic, Formula, NamePattern, Position, Property};
use crate::lexer::{TokenKind, pattern};
use crate::suggest::closest_name;

/// All words that parentheses may follow.
const FUNCTIONS: [&str; 14] = [
    "onehot",
    "atmost",
    "atleast",
    "exactly",
    "integer",
    "step",
    "missing",
    "maybemissing",
    "fixed",
    "onlyincrease",
    "onlydecrease",
    "abs",
    "changed",
    "distance",
];

impl ConditionParser<'_> {
    /// `atmost(2, word_*)`, `step(price, 0.5)`, `fixed(sex, age)`.
    pub(super) fn statement(&mut self) -> Parsed<Phrase> {
        let word = self.token.text;
        if !FUNCTIONS.contains(&word) {
            let meant =
                closest_name(word, FUNCTIONS).map(|known| format!("; did you mean `{known}`?")).unwrap_or_default();
            return Err(self.error(&format!("there is no function `{word}`{meant}")));
        }
        let at = Position(self.take()?.at);
        self.expect("(")?;
        let mut names = vec![];
        let property = match word {
            "atmost" => Property::AtMost(self.count(word)?),
            "atleast" => Property::AtLeast(self.count(word)?),
            "exactly" => Property::Exactly(self.count(word)?),
            "step" => {
                while !matches!(self.token.kind, TokenKind::Number(_)) {
                    names.push(self.name_pattern()?);
                    self.expect(",")?;
                }
                if matches!(self.token.kind, TokenKind::Number(0.0)) {
                    return Err(self.error("a step must be above 0"));
                }
                Property::Step(self.number(false)?)
            }
            "distance" => {
                let norm = self.norm()?;
                self.expect(")")?;
                return Ok(Phrase::Arithmetic(Arithmetic::Distance { norm, at }));
            }
            "onehot" => Property::OneHot,
            "integer" => Property::Integer,
            "missing" => Property::Missing,
            "maybemissing" => Property::MaybeMissing,
            "fixed" => Property::Fixed,
            "onlyincrease" => Property::OnlyIncrease,
            "onlydecrease" => Property::OnlyDecrease,
            "changed" => {
                self.names(&mut names)?;
                return Ok(Phrase::Arithmetic(Arithmetic::Changed { names, at }));
            }
            _ => return Err(self.error(&format!("`{word}` stands inside an expression"))),
        };
        match property {
            Property::Step(_) if names.is_empty() => return Err(self.expected("the name of a feature before the step")),
            Property::Step(_) => self.expect(")")?,
            _ => self.names(&mut names)?,
        }
        Ok(Phrase::Formula(Formula::Statement { property, names, at }))
    }

    /// The names up to the closing parenthesis.
    fn names(&mut self, names: &mut Vec<NamePattern>) -> Parsed<()> {
        names.push(self.name_pattern()?);
        while self.token.is(",") {
            self.take()?;
            names.push(self.name_pattern()?);
        }
        self.expect(")")
    }

    /// The number before the names.
    fn count(&mut self, word: &str) -> Parsed<usize> {
        let count = match self.token.kind {
            // More than the number of features has the same effect.
            TokenKind::Number(number) if number.fract() == 0.0 => number.min(f64::from(u32::MAX)),
            _ => return Err(self.expected(&format!("a whole number, as in `{word}(2, …)`"))),
        };
        self.take()?;
        self.expect(",")?;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a whole number of 32 bits")]
        Ok(count as usize)
    }

    fn norm(&mut self) -> Parsed<Norm> {
        if self.token.kind != TokenKind::Word {
            return Err(self.expected("a norm: linf, l2, l1 or l0"));
        }
        let word = self.token.text;
        let Some(norm) = Norm::ALL.into_iter().find(|norm| norm.name() == word) else {
            let meant = closest_name(word, Norm::ALL.map(Norm::name)).map(|known| format!("did you mean `{known}`?"));
            let meant = meant.unwrap_or_else(|| "there are linf, l2, l1 and l0".to_owned());
            return Err(self.error(&format!("there is no norm `{word}`; {meant}")));
        };
        self.take()?;
        Ok(norm)
    }

    fn name_pattern(&mut self) -> Parsed<NamePattern> {
        let at = Position(self.token.at);
        let is_of_pattern = self.token.kind == TokenKind::Word || self.token.is("*") || self.token.is("?");
        let written = if is_of_pattern { pattern(self.text, self.token.at) } else { "" };
        if written.contains(['*', '?']) {
            self.continue_at(self.token.at + written.len())?;
            return Ok(NamePattern::Like { pattern: written.to_owned(), at });
        }
        if let TokenKind::Quoted { content, is_name: false } = self.token.kind {
            self.take()?;
            return Ok(NamePattern::Like { pattern: content.to_owned(), at });
        }
        self.name().map(NamePattern::One)
    }
}
