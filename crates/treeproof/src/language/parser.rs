//! From tokens to facts. Forms of the language that are not built yet are recognised and refused by name.

use super::error::LanguageError;
use super::expression::{Condition, Fact, FeatureName, Limit, Literal, Position};
use super::lexer::{Token, TokenKind, tokens};
use crate::suggest::closest;

/// Functions that the language will have.
const NOT_YET: [&str; 11] = [
    "onehot",
    "atmost",
    "atleast",
    "exactly",
    "integer",
    "step",
    "fixed",
    "onlyincrease",
    "onlydecrease",
    "abs",
    "not",
];

impl Condition {
    /// Reads the text of a condition.
    pub fn parse(text: &str) -> Result<Self, LanguageError> {
        let mut parser = Parser { text, tokens: tokens(text)?, next: 0 };
        let mut facts = vec![];
        loop {
            parser.fact(&mut facts)?;
            let token = parser.take();
            match token.text.as_str() {
                _ if token.kind == TokenKind::End => break,
                "and" => {}
                word @ ("or" | "implies") => return Err(parser.not_yet(&token, &format!("`{word}`"))),
                "+" | "-" | "*" | "/" => return Err(parser.not_yet(&token, "arithmetic")),
                "<" | "<=" | ">" | ">=" | "==" => {
                    return Err(parser.error(&token, "one comparison too many; write `low <= name <= high`"));
                }
                _ => return Err(parser.expected(&token, "`and` or the end")),
            }
        }
        Ok(Self { text: text.to_owned(), facts })
    }
}

struct Parser<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    next: usize,
}

/// A comparison, read from left to right.
#[derive(Clone, Copy, PartialEq)]
enum Comparison {
    Below { is_strict: bool },
    Above { is_strict: bool },
    Equal,
}

impl Parser<'_> {
    fn fact(&mut self, facts: &mut Vec<Fact>) -> Result<(), LanguageError> {
        let first = self.peek().clone();
        match &first.kind {
            TokenKind::Number(_) => self.number_first(facts),
            TokenKind::Sign if first.text == "-" => self.number_first(facts),
            TokenKind::Sign if first.text == "(" => Err(self.not_yet(&first, "parentheses")),
            TokenKind::Word if self.tokens[self.next + 1].text == "(" => self.function(facts),
            TokenKind::Word if matches!(first.text.as_str(), "not") => Err(self.not_yet(&first, "`not`")),
            TokenKind::Word | TokenKind::Quoted { is_name: true, .. } => self.name_first(facts),
            _ => Err(self.expected(&first, "a feature, a number or a function")),
        }
    }

    /// `30 <= age`, `30 <= age < 50`.
    fn number_first(&mut self, facts: &mut Vec<Fact>) -> Result<(), LanguageError> {
        let number = self.number()?;
        let sign = self.take();
        let before = self.comparison(&sign)?;
        let name = self.name()?;
        let (mut low, mut high) = match before {
            Comparison::Below { is_strict } => (Some(Limit { number, is_strict }), None),
            Comparison::Above { is_strict } => (None, Some(Limit { number, is_strict })),
            Comparison::Equal => {
                let limit = Some(Limit { number, is_strict: false });
                (limit, limit)
            }
        };
        let next = self.peek().clone();
        if before != Comparison::Equal && matches!(next.text.as_str(), "<" | "<=" | ">" | ">=" | "==" | "=") {
            self.next += 1;
            let number_token = self.peek().clone();
            let after = self.comparison(&next)?;
            let number = self.number()?;
            match (before, after) {
                (Comparison::Below { .. }, Comparison::Below { is_strict }) => high = Some(Limit { number, is_strict }),
                (Comparison::Above { .. }, Comparison::Above { is_strict }) => low = Some(Limit { number, is_strict }),
                _ => return Err(self.error(&number_token, "both comparisons must point the same way")),
            }
        }
        facts.push(Fact::Between { name, low, high });
        Ok(())
    }

    /// `age >= 30`, `sex == 1`, `colour in {red, blue}`.
    fn name_first(&mut self, facts: &mut Vec<Fact>) -> Result<(), LanguageError> {
        let name = self.name()?;
        let token = self.take();
        if token.text == "in" {
            let values = self.set()?;
            facts.push(Fact::OneOf { name, values });
            return Ok(());
        }
        let limit = |number, is_strict| Some(Limit { number, is_strict });
        let is_about_another_feature = |parser: &Self| {
            let next = parser.peek();
            matches!(next.kind, TokenKind::Word | TokenKind::Quoted { is_name: true, .. })
        };
        let comparison = self.comparison(&token)?;
        if comparison != Comparison::Equal && is_about_another_feature(self) {
            let next = self.peek().clone();
            return Err(self.not_yet(&next, "comparing two features"));
        }
        facts.push(match comparison {
            Comparison::Below { is_strict } => {
                Fact::Between { name, low: None, high: limit(self.number()?, is_strict) }
            }
            Comparison::Above { is_strict } => {
                Fact::Between { name, low: limit(self.number()?, is_strict), high: None }
            }
            Comparison::Equal => Fact::OneOf { name, values: vec![self.literal()?] },
        });
        Ok(())
    }

    /// `missing(x)`, `maybemissing(x, y)`.
    fn function(&mut self, facts: &mut Vec<Fact>) -> Result<(), LanguageError> {
        let function = self.take();
        let fact = match function.text.as_str() {
            "missing" => Fact::Missing,
            "maybemissing" => Fact::MaybeMissing,
            word if NOT_YET.contains(&word) => return Err(self.not_yet(&function, &format!("`{word}(…)`"))),
            word => {
                let known = NOT_YET.into_iter().chain(["missing", "maybemissing"]);
                let meant = closest(word, known).map(|known| format!("; did you mean `{known}`?")).unwrap_or_default();
                return Err(self.error(&function, &format!("there is no function `{word}`{meant}")));
            }
        };
        self.sign("(")?;
        loop {
            facts.push(fact(self.name()?));
            let token = self.take();
            match token.text.as_str() {
                "," => {}
                ")" => return Ok(()),
                "*" | "?" => return Err(self.not_yet(&token, "patterns of names")),
                _ => return Err(self.expected(&token, "`)`")),
            }
        }
    }

    fn set(&mut self) -> Result<Vec<Literal>, LanguageError> {
        self.sign("{")?;
        let mut values = vec![];
        loop {
            values.push(self.literal()?);
            let token = self.take();
            match token.text.as_str() {
                "," => {}
                "}" => return Ok(values),
                _ => return Err(self.expected(&token, "`,` or `}`")),
            }
        }
    }

    fn comparison(&self, token: &Token) -> Result<Comparison, LanguageError> {
        match token.text.as_str() {
            "<" => Ok(Comparison::Below { is_strict: true }),
            "<=" => Ok(Comparison::Below { is_strict: false }),
            ">" => Ok(Comparison::Above { is_strict: true }),
            ">=" => Ok(Comparison::Above { is_strict: false }),
            "==" => Ok(Comparison::Equal),
            "=" => Err(self.error(token, "`=` is written `==`")),
            "!=" => Err(self.not_yet(token, "`!=`")),
            "+" | "-" | "*" | "/" => Err(self.not_yet(token, "arithmetic")),
            _ => Err(self.expected(token, "`<`, `<=`, `>`, `>=`, `==` or `in`")),
        }
    }

    fn name(&mut self) -> Result<FeatureName, LanguageError> {
        let token = self.take();
        match token.kind {
            TokenKind::Quoted { content, is_name: true } => {
                Ok(FeatureName { text: content, at: token.at, is_quoted: true })
            }
            TokenKind::Word => Ok(FeatureName { text: token.text, at: token.at, is_quoted: false }),
            _ => Err(self.expected(&token, "the name of a feature")),
        }
    }

    fn number(&mut self) -> Result<f64, LanguageError> {
        let is_negative = self.peek().text == "-";
        if is_negative {
            self.next += 1;
        }
        let token = self.take();
        match token.kind {
            TokenKind::Number(number) => Ok(if is_negative { -number } else { number }),
            _ => Err(self.expected(&token, "a number")),
        }
    }

    fn literal(&mut self) -> Result<Literal, LanguageError> {
        let token = self.peek().clone();
        let literal = |text: &str, number| Literal { text: text.to_owned(), number, at: token.at };
        match &token.kind {
            TokenKind::Word => {
                self.next += 1;
                Ok(literal(&token.text, None))
            }
            TokenKind::Quoted { content, .. } => {
                self.next += 1;
                Ok(literal(content, None))
            }
            TokenKind::Sign | TokenKind::Number(_) if token.text == "-" || token.kind != TokenKind::Sign => {
                let start = token.at.0;
                let number = self.number()?;
                let last = &self.tokens[self.next - 1];
                Ok(literal(&self.text[start..last.at.0 + last.text.len()], Some(number)))
            }
            _ => Err(self.expected(&token, "a value")),
        }
    }

    fn sign(&mut self, sign: &str) -> Result<(), LanguageError> {
        let token = self.take();
        if token.text == sign { Ok(()) } else { Err(self.expected(&token, &format!("`{sign}`"))) }
    }

    fn peek(&self) -> &Token {
        &self.tokens[self.next]
    }

    /// The next token; the end is never passed.
    fn take(&mut self) -> Token {
        let token = self.peek().clone();
        self.next = (self.next + 1).min(self.tokens.len() - 1);
        token
    }

    fn error(&self, token: &Token, what: &str) -> LanguageError {
        LanguageError::new(self.text, token.at, what)
    }

    fn not_yet(&self, token: &Token, what: &str) -> LanguageError {
        LanguageError::not_yet(self.text, token.at, what)
    }

    fn expected(&self, token: &Token, what: &str) -> LanguageError {
        let found = if token.kind == TokenKind::End { "the end".to_owned() } else { format!("`{}`", token.text) };
        self.error(token, &format!("expected {what}, found {found}"))
    }
}

impl Condition {
    /// An error at a place in this condition.
    pub fn error(&self, at: Position, what: impl Into<String>) -> LanguageError {
        LanguageError::new(&self.text, at, what)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(text: &str) -> Vec<Fact> {
        Condition::parse(text).unwrap().facts
    }

    fn error(text: &str) -> String {
        let error = Condition::parse(text).unwrap_err();
        format!("{}: {}", error.at, error.what)
    }

    /// A number, and whether it is itself outside.
    type End = Option<(f64, bool)>;

    fn range(text: &str) -> (String, End, End) {
        match &facts(text)[..] {
            [Fact::Between { name, low, high }] => {
                let end = |limit: &Option<Limit>| limit.map(|limit| (limit.number, limit.is_strict));
                (name.text.clone(), end(low), end(high))
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn comparisons() {
        assert_eq!(range("age >= 30"), ("age".into(), Some((30.0, false)), None));
        assert_eq!(range("30 <= age < 50"), ("age".into(), Some((30.0, false)), Some((50.0, true))));
        assert_eq!(range("50 > `my age` >= -3e1"), ("my age".into(), Some((-30.0, false)), Some((50.0, true))));
        assert_eq!(range("f3 < -.5"), ("f3".into(), None, Some((-0.5, true))));
        assert_eq!(range("-1 == x"), ("x".into(), Some((-1.0, false)), Some((-1.0, false))));
    }

    #[test]
    fn sets_functions_and_conjunctions() {
        let facts = facts("colour in {red, 'dark blue', -3} and sex == 1 and missing(x) and maybemissing(y, z)");
        let Fact::OneOf { values, .. } = &facts[0] else { panic!() };
        let values: Vec<(&str, Option<f64>)> = values.iter().map(|value| (value.text.as_str(), value.number)).collect();
        assert_eq!(values, [("red", None), ("dark blue", None), ("-3", Some(-3.0))]);
        assert!(matches!(&facts[1], Fact::OneOf { values, .. } if values[0].number == Some(1.0)));
        let names: Vec<&str> = facts.iter().map(|fact| fact.name().text.as_str()).collect();
        assert_eq!(names, ["colour", "sex", "x", "y", "z"]);
        assert!(matches!(facts[2], Fact::Missing(_)) && matches!(facts[4], Fact::MaybeMissing(_)));
    }

    #[test]
    fn mistakes_are_pointed_at() {
        assert_eq!(error("age >="), "6: expected a number, found the end");
        assert_eq!(error("age = 3"), "4: `=` is written `==`");
        assert_eq!(error(""), "0: expected a feature, a number or a function, found the end");
        assert_eq!(error("1 < x > 3"), "8: both comparisons must point the same way");
        assert_eq!(error("x < 3 y > 4"), "6: expected `and` or the end, found `y`");
        assert_eq!(error("x in {a b}"), "8: expected `,` or `}`, found `b`");
        assert_eq!(error("mising(x)"), "0: there is no function `mising`; did you mean `missing`?");
        assert_eq!(error("x"), "1: expected `<`, `<=`, `>`, `>=`, `==` or `in`, found the end");
    }

    #[test]
    fn what_is_not_built_yet_is_named() {
        for (text, expected) in [
            ("2*x1 - x3 <= 5", "1: arithmetic: not supported yet"),
            ("x1 - x3 <= 5", "3: arithmetic: not supported yet"),
            ("onehot(a, b)", "0: `onehot(…)`: not supported yet"),
            ("x < 3 or y < 4", "6: `or`: not supported yet"),
            ("not x < 3", "0: `not`: not supported yet"),
            ("(x < 3)", "0: parentheses: not supported yet"),
            ("x != 3", "2: `!=`: not supported yet"),
            ("x < y", "4: comparing two features: not supported yet"),
            ("missing(word_*)", "13: patterns of names: not supported yet"),
        ] {
            assert_eq!(error(text), expected, "{text}");
        }
    }
}
