//! The parser, from text to trees. Precedence, from loose to tight: `implies`, `or`, `and`, `not`, comparisons, sums, products.
//!
//! Parentheses may hold a condition or arithmetic, which shows only behind the first sign in them. Every level therefore
//! returns a [`Phrase`], which may be either, and its caller demands one kind.

mod arithmetic;
mod statement;

use super::error::LanguageError;
use super::expression::{Arithmetic, Condition, Formula, Position, Sign, WrittenValue};
use super::lexer::{Token, TokenKind, is_keyword, token};
use super::suggest::quote;

/// The largest nesting of parentheses, `not` and `implies`: a bound on the stack.
const MAX_DEPTH: usize = 100;

impl Condition {
    /// Reads the text of a condition.
    pub fn parse(text: &str) -> Result<Self, LanguageError> {
        let mut parser = ConditionParser { text, token: token(text, 0)?, depth: 0 };
        let formula = parser.formula(ConditionParser::implication)?;
        match parser.token.kind {
            TokenKind::End => Ok(Self { text: text.to_owned(), formula }),
            _ => Err(parser.expected("`and`, `or`, `implies` or the end")),
        }
    }

    /// An error at a place in this condition.
    pub(crate) fn error(&self, at: Position, what: impl Into<String>) -> LanguageError {
        LanguageError::new(&self.text, at, what)
    }
}

struct ConditionParser<'t> {
    text: &'t str,
    /// The next token.
    token: Token<'t>,
    depth: usize,
}

/// The content of parentheses.
enum Phrase {
    Formula(Formula),
    Arithmetic(Arithmetic),
}

type Parsed<T> = Result<T, LanguageError>;

impl<'t> ConditionParser<'t> {
    fn implication(&mut self) -> Parsed<Phrase> {
        let left = self.list("or", Formula::Or, |parser| parser.list("and", Formula::And, Self::negation))?;
        if !self.token.is("implies") {
            return Ok(left);
        }
        let left = self.stated(left)?;
        self.take()?;
        let right = self.formula(|parser| parser.nested(Self::implication))?;
        Ok(Phrase::Formula(Formula::Implies(Box::new(left), Box::new(right))))
    }

    /// Parts with a word between them.
    fn list(
        &mut self,
        word: &str,
        join: fn(Vec<Formula>) -> Formula,
        part: impl Fn(&mut Self) -> Parsed<Phrase>,
    ) -> Parsed<Phrase> {
        let first = part(self)?;
        if !self.token.is(word) {
            return Ok(first);
        }
        let mut parts = vec![self.stated(first)?];
        while self.token.is(word) {
            self.take()?;
            parts.push(self.formula(&part)?);
        }
        Ok(Phrase::Formula(join(parts)))
    }

    fn negation(&mut self) -> Parsed<Phrase> {
        if !self.token.is("not") {
            return self.comparison();
        }
        self.take()?;
        let of = self.formula(|parser| parser.nested(Self::negation))?;
        Ok(Phrase::Formula(Formula::Not(Box::new(of))))
    }

    fn comparison(&mut self) -> Parsed<Phrase> {
        let first = match self.sum()? {
            Phrase::Arithmetic(first) => first,
            formula => return Ok(formula),
        };
        let is_not_in = self.token.is("not") && token(self.text, self.token.end())?.is("in");
        if self.token.is("in") || is_not_in {
            return self.membership(first, is_not_in);
        }
        let mut rest: Vec<(Sign, Arithmetic)> = vec![];
        while let Some(sign) = self.sign()? {
            if let Some((before, _)) = rest.last() {
                self.same_way(*before, sign)?;
            }
            self.take()?;
            rest.push((sign, self.arithmetic(Self::sum)?));
        }
        Ok(match rest.is_empty() {
            true => Phrase::Arithmetic(first),
            false => Phrase::Formula(Formula::Comparison { first, rest }),
        })
    }

    fn membership(&mut self, first: Arithmetic, is_negated: bool) -> Parsed<Phrase> {
        let Arithmetic::Name(name) = first else {
            return Err(self.error("`in` needs the name of one feature before it"));
        };
        if is_negated {
            self.take()?;
        }
        self.take()?;
        self.expect("{")?;
        let mut values = vec![self.value()?];
        while self.token.is(",") {
            self.take()?;
            values.push(self.value()?);
        }
        if !self.token.is("}") {
            return Err(self.expected("`,` or `}`"));
        }
        self.take()?;
        Ok(Phrase::Formula(Formula::Membership { name, is_negated, values }))
    }

    fn value(&mut self) -> Parsed<WrittenValue> {
        let at = Position(self.token.at);
        match self.token.kind {
            TokenKind::Word => Ok(WrittenValue { text: self.take()?.text.to_owned(), number: None, at }),
            TokenKind::Quoted { content, .. } => {
                self.take()?;
                Ok(WrittenValue { text: content.to_owned(), number: None, at })
            }
            TokenKind::Number(_) => self.number(false),
            TokenKind::Sign if self.token.is("-") => {
                self.take()?;
                Ok(WrittenValue { at, ..self.number(true)? })
            }
            _ => Err(self.expected("a value")),
        }
    }

    /// The sign of a comparison, if the next token is one.
    fn sign(&self) -> Parsed<Option<Sign>> {
        let signs = [Sign::Below, Sign::AtMost, Sign::Above, Sign::AtLeast, Sign::Equal, Sign::NotEqual];
        match self.token.text {
            "=" => Err(self.error("write `==` instead of `=`")),
            text => Ok(signs.into_iter().find(|sign| sign.text() == text)),
        }
    }

    /// Refuses a chain such as `1 < x > 3`, which is usually a slip.
    fn same_way(&self, before: Sign, after: Sign) -> Parsed<()> {
        let way = |sign| match sign {
            Sign::Below | Sign::AtMost => Some(1),
            Sign::Above | Sign::AtLeast => Some(-1),
            Sign::Equal => Some(0),
            Sign::NotEqual => None,
        };
        match (way(before), way(after)) {
            (Some(before), Some(after)) if before * after >= 0 => Ok(()),
            (Some(_), Some(_)) => Err(self.error("both comparisons must point the same way")),
            _ => Err(self.error("`!=` cannot be one of several comparisons; join them with `and`")),
        }
    }

    /// A part that must be a condition.
    fn formula(&mut self, part: impl FnOnce(&mut Self) -> Parsed<Phrase>) -> Parsed<Formula> {
        let phrase = part(self)?;
        self.stated(phrase)
    }

    fn stated(&self, phrase: Phrase) -> Parsed<Formula> {
        match phrase {
            Phrase::Formula(formula) => Ok(formula),
            Phrase::Arithmetic(_) => Err(self.expected("`<`, `<=`, `>`, `>=`, `==`, `!=` or `in`")),
        }
    }

    /// True if the next token is a name behind a name, as in `mean radius`, which is one name in many models.
    fn is_second_word(&self) -> bool {
        let before = self.text[..self.token.at].split_whitespace().next_back().unwrap_or_default();
        let is_name = |word: &str| word.starts_with(char::is_alphabetic) && !is_keyword(word);
        self.token.kind == TokenKind::Word && is_name(self.token.text) && is_name(before)
    }

    /// A part that must be arithmetic.
    fn arithmetic(&mut self, part: impl FnOnce(&mut Self) -> Parsed<Phrase>) -> Parsed<Arithmetic> {
        let start = Position(self.token.at);
        match part(self)? {
            Phrase::Arithmetic(arithmetic) => Ok(arithmetic),
            Phrase::Formula(_) => {
                Err(LanguageError::new(self.text, start, "expected a number or a feature, found a condition"))
            }
        }
    }

    fn nested<T>(&mut self, part: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == MAX_DEPTH {
            return Err(self.error(&format!("more than {MAX_DEPTH} nested conditions")));
        }
        self.depth += 1;
        let parsed = part(self);
        self.depth -= 1;
        parsed
    }

    /// Consumes and returns the next token.
    fn take(&mut self) -> Parsed<Token<'t>> {
        self.continue_at(self.token.end())
    }

    /// Continues at a byte offset; returns the token that was next.
    fn continue_at(&mut self, end: usize) -> Parsed<Token<'t>> {
        let next = token(self.text, end)?;
        Ok(std::mem::replace(&mut self.token, next))
    }

    fn expect(&mut self, sign: &str) -> Parsed<()> {
        if !self.token.is(sign) {
            return Err(self.expected(&format!("`{sign}`")));
        }
        self.take().map(drop)
    }

    /// An error at the next token.
    fn error(&self, what: &str) -> LanguageError {
        LanguageError::new(self.text, Position(self.token.at), what)
    }

    fn expected(&self, what: &str) -> LanguageError {
        let found = match self.token.kind {
            TokenKind::End => "the end".to_owned(),
            _ => quote(self.token.text),
        };
        let is_behind_name = what == "`)`" || what.starts_with("`<`");
        let hint =
            if is_behind_name && self.is_second_word() { "; write a name of several words in backquotes" } else { "" };
        self.error(&format!("expected {what}, found {found}{hint}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The parsed condition, as text.
    fn read(text: &str) -> String {
        Condition::parse(text).unwrap().to_string()
    }

    fn error(text: &str) -> String {
        let error = Condition::parse(text).unwrap_err();
        format!("{}: {}", error.at, error.what)
    }

    #[test]
    fn every_form_is_read() {
        for text in [
            "age >= 30",
            "30 <= age < 50",
            "50 > `my age` >= -3e1",
            "colour in {red, 'dark blue', -3, 007}",
            "x not in {1, 2}",
            "2 * x1 - x3 <= 5",
            "x1 >= x2 + 3",
            "-(x + y) * 2 < (x + y) / 4",
            "abs(a.age - b.age) <= 2",
            "a.`my age` != b.`my age`",
            "onehot(a, b, c) and atmost(2, word_*) and exactly(0, 'work class_?')",
            "integer(age) and step(price, 0.5)",
            "missing(x) or maybemissing(y, z)",
            "changed <= 3",
            "1 <= changed(x1, glob_*) < 4",
            "distance(l1) <= 5 and -distance(linf) >= -3 and distance > 2",
            "not (p == 1 and (q == 1 or r == 1)) implies fixed(sex) implies onlyincrease(age)",
        ] {
            assert_eq!(read(text), text);
        }
        assert_eq!(read("(((x)) + (1)) < 3 and (((not((y)<2))))"), "x + 1 < 3 and not y < 2");
        assert_eq!(read("-.5<f3"), "-.5 < f3");
        assert_eq!(read("not a == 1 and b == 1 or c == 1"), "not a == 1 and b == 1 or c == 1");
        assert!(matches!(Condition::parse("not a == 1 and b == 1").unwrap().formula, Formula::And(_)));
        assert!(matches!(Condition::parse("a == 1 and b == 1 or c == 1").unwrap().formula, Formula::Or(_)));
    }

    #[test]
    fn mistakes_are_pointed_at() {
        for (text, expected) in [
            ("age >=", "6: expected a feature, a number or a function, found the end"),
            ("age = 3", "4: write `==` instead of `=`"),
            ("age > 3 && x < 1", "8: write `and` instead of `&`"),
            ("!missing(x)", "0: write `not` instead of `!`"),
            ("", "0: expected a feature, a number or a function, found the end"),
            ("1 < x > 3", "6: both comparisons must point the same way"),
            ("1 < x != 3", "6: `!=` cannot be one of several comparisons; join them with `and`"),
            ("x < 3 y > 4", "6: expected `and`, `or`, `implies` or the end, found `y`"),
            ("x in {a b}", "8: expected `,` or `}`, found `b`"),
            ("x in {}", "6: expected a value, found `}`"),
            ("x + y in {1}", "6: `in` needs the name of one feature before it"),
            ("mising(x)", "0: there is no function `mising`; did you mean `missing`?"),
            ("x", "1: expected `<`, `<=`, `>`, `>=`, `==`, `!=` or `in`, found the end"),
            (
                "mean radius > 3",
                "5: expected `<`, `<=`, `>`, `>=`, `==`, `!=` or `in`, found `radius`; write a name of several words in backquotes",
            ),
            ("(x and y < 3)", "3: expected `<`, `<=`, `>`, `>=`, `==`, `!=` or `in`, found `and`"),
            ("3 + (x < 3) < 2", "4: expected a number or a feature, found a condition"),
            ("(x < 3", "6: expected `)`, found the end"),
            ("atmost(word_*)", "7: expected a whole number, as in `atmost(2, …)`, found `word_`"),
            ("atmost(2.5, a)", "7: expected a whole number, as in `atmost(2, …)`, found `2.5`"),
            ("step(price)", "10: expected `,`, found `)`"),
            ("step(price, 0)", "12: a step must be above 0"),
            ("distance(l3) <= 2", "9: there is no norm `l3`; there are linf, l2, l1 and l0"),
            ("distance(L1) <= 2", "9: there is no norm `L1`; did you mean `l1`?"),
            ("distance(1) <= 2", "9: expected a norm: linf, l2, l1 or l0, found `1`"),
            ("distance(l1, x) <= 2", "11: expected `)`, found `,`"),
            ("distence(l1) <= 2", "0: there is no function `distence`; did you mean `distance`?"),
            ("x < and", "4: expected a feature, a number or a function, found `and`"),
        ] {
            assert_eq!(error(text), expected, "{text}");
        }
    }

    #[test]
    fn depth_is_bounded_and_length_is_not() {
        let deep = |open: &str, close: &str| format!("{}x < 3{}", open.repeat(1_000_000), close.repeat(1_000_000));
        for text in [deep("(", ")"), deep("not ", ""), deep("- ", ""), deep("x < 1 implies ", ""), deep("abs(", ")")] {
            assert!(error(&text).ends_with("more than 100 nested conditions"));
        }
        assert!(Condition::parse(&format!("{}x < 3{}", "(".repeat(100), ")".repeat(100))).is_ok());
        for part in ["x < 3 and ", "x < 3 or ", "x + ", "x * ", "x < "] {
            assert!(Condition::parse(&format!("{}x < 3", part.repeat(100_000))).is_ok());
        }
    }
}
