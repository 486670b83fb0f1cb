//! Sums, products, and what they are made of.

use super::{ConditionParser, Parsed, Phrase};
use crate::expression::{Arithmetic, FeatureName, Operator, Position, Quoting, Side, WrittenValue};
use crate::lexer::{TokenKind, is_keyword, token};

impl ConditionParser<'_> {
    pub(super) fn sum(&mut self) -> Parsed<Phrase> {
        self.operation([Operator::Plus, Operator::Minus], |parser| {
            parser.operation([Operator::Times, Operator::Over], Self::signed)
        })
    }

    fn operation(&mut self, operators: [Operator; 2], part: impl Fn(&mut Self) -> Parsed<Phrase>) -> Parsed<Phrase> {
        let first = match part(self)? {
            Phrase::Arithmetic(first) => first,
            formula => return Ok(formula),
        };
        let mut rest = vec![];
        while let Some(operator) = operators.into_iter().find(|operator| self.token.is(operator.text())) {
            self.take()?;
            rest.push((operator, self.arithmetic(&part)?));
        }
        Ok(Phrase::Arithmetic(match rest.is_empty() {
            true => first,
            false => Arithmetic::Operation { first: Box::new(first), rest },
        }))
    }

    fn signed(&mut self) -> Parsed<Phrase> {
        if !self.token.is("-") {
            return self.primary();
        }
        let at = Position(self.take()?.at);
        if let TokenKind::Number(_) = self.token.kind {
            return Ok(Phrase::Arithmetic(Arithmetic::Value(WrittenValue { at, ..self.number(true)? })));
        }
        let of = self.arithmetic(|parser| parser.nested(Self::signed))?;
        Ok(Phrase::Arithmetic(Arithmetic::Negative(Box::new(of))))
    }

    fn primary(&mut self) -> Parsed<Phrase> {
        let at = Position(self.token.at);
        let is_call = || token(self.text, self.token.end()).is_ok_and(|next| next.is("("));
        match self.token.kind {
            TokenKind::Number(_) => self.number(false).map(|number| Phrase::Arithmetic(Arithmetic::Value(number))),
            TokenKind::Quoted { content, is_name: false } => {
                self.take()?;
                let text = WrittenValue { text: content.to_owned(), number: None, at };
                Ok(Phrase::Arithmetic(Arithmetic::Value(text)))
            }
            TokenKind::Sign if self.token.is("(") => {
                self.take()?;
                let piece = self.nested(Self::implication)?;
                self.expect(")")?;
                Ok(piece)
            }
            TokenKind::Word if is_call() && (self.token.is("changed") || !is_keyword(self.token.text)) => self.call(),
            TokenKind::Word if self.token.is("changed") => {
                self.take()?;
                Ok(Phrase::Arithmetic(Arithmetic::Changed { names: vec![], at }))
            }
            TokenKind::Word if is_keyword(self.token.text) => Err(self.expected("a feature, a number or a function")),
            TokenKind::Word | TokenKind::Quoted { is_name: true, .. } => {
                self.name().map(|name| Phrase::Arithmetic(Arithmetic::Name(name)))
            }
            _ => Err(self.expected("a feature, a number or a function")),
        }
    }

    /// `abs(…)`, and all other functions.
    fn call(&mut self) -> Parsed<Phrase> {
        if !self.token.is("abs") {
            return self.statement();
        }
        let at = Position(self.take()?.at);
        self.expect("(")?;
        let of = self.arithmetic(|parser| parser.nested(Self::sum))?;
        self.expect(")")?;
        Ok(Phrase::Arithmetic(Arithmetic::Abs(Box::new(of), at)))
    }

    /// `age`, `` `my age` ``, ``a.`my age` ``.
    pub(super) fn name(&mut self) -> Parsed<FeatureName> {
        let at = Position(self.token.at);
        let side = match self.token.text {
            "a." => Some(Side::A),
            "b." => Some(Side::B),
            _ => None,
        };
        let is_joined = self.text[self.token.end()..].starts_with('`');
        let quoting = match side.filter(|_| is_joined) {
            Some(side) => {
                self.take()?;
                Quoting::BackquotesOf(side)
            }
            None => Quoting::Backquotes,
        };
        match self.token.kind {
            TokenKind::Quoted { content, is_name: true } => {
                self.take()?;
                Ok(FeatureName { text: content.to_owned(), at, quoting })
            }
            TokenKind::Word => Ok(FeatureName { text: self.take()?.text.to_owned(), at, quoting: Quoting::Plain }),
            _ => Err(self.expected("the name of a feature")),
        }
    }

    /// A number, behind a minus or not.
    pub(super) fn number(&mut self, is_negative: bool) -> Parsed<WrittenValue> {
        let TokenKind::Number(value) = self.token.kind else { return Err(self.expected("a number")) };
        let token = self.take()?;
        let (text, number) = match is_negative {
            true => (format!("-{}", token.text), -value),
            false => (token.text.to_owned(), value),
        };
        Ok(WrittenValue { text, number: Some(number), at: Position(token.at) })
    }
}
