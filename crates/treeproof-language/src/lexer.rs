//! The lexer: words, numbers and signs of a condition, one at a time, since the meaning of a star depends on the context.

use super::error::LanguageError;
use super::expression::Position;

/// A token of a condition.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token<'t> {
    pub(super) kind: TokenKind<'t>,
    /// The byte offset of its start.
    pub(super) at: usize,
    /// As it was written.
    pub(super) text: &'t str,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum TokenKind<'t> {
    /// A plain word, dots included, as in `a.age`.
    Word,
    /// In backquotes or quotes; the content.
    Quoted {
        content: &'t str,
        is_name: bool,
    },
    Number(f64),
    /// `<`, `<=`, `>`, `>=`, `==`, `=`, `!=` and all other signs.
    Sign,
    /// The end of the text.
    End,
}

const SIGNS: [&str; 18] =
    ["<=", ">=", "==", "!=", "<", ">", "=", "(", ")", "{", "}", ",", "+", "-", "*", "/", "?", "|"];

/// Words that name features only in backquotes.
const KEYWORDS: [&str; 6] = ["and", "or", "not", "implies", "in", "changed"];

impl Token<'_> {
    /// The byte behind it.
    pub(super) fn end(&self) -> usize {
        self.at + self.text.len()
    }

    /// True if it is this sign or word, and not in quotes.
    pub(super) fn is(&self, text: &str) -> bool {
        self.text == text
    }
}

/// The first token at or behind a byte.
pub(super) fn token(text: &str, from: usize) -> Result<Token<'_>, LanguageError> {
    let at = from + text[from..].find(|c: char| !c.is_whitespace()).unwrap_or(text.len() - from);
    let rest = &text[at..];
    let error = |what: String| Err(LanguageError::new(text, Position(at), what));
    let found = |kind, length| Ok(Token { kind, at, text: &rest[..length] });
    let Some(first) = rest.chars().next() else { return found(TokenKind::End, 0) };
    if matches!(first, '`' | '"' | '\'') {
        let Some(length) = rest[1..].find(first) else { return error(format!("missing closing {first}")) };
        return found(TokenKind::Quoted { content: &rest[1..=length], is_name: first == '`' }, length + 2);
    }
    if is_first_of_word(first) {
        return found(TokenKind::Word, rest.find(|c| !is_of_word(c)).unwrap_or(rest.len()));
    }
    if first.is_ascii_digit() || first == '.' {
        let length = number_length(rest);
        return match rest[..length].parse::<f64>() {
            Ok(number) if number.is_finite() => found(TokenKind::Number(number), length),
            Ok(_) => error("the number is too large".to_owned()),
            Err(_) => error(format!("`{}` is not a number", &rest[..length])),
        };
    }
    match SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
        Some(sign) => found(TokenKind::Sign, sign.len()),
        None if first == '&' => error("write `and` instead of `&`".to_owned()),
        None if first == '!' => error("write `not` instead of `!`".to_owned()),
        None => error(format!("unexpected character `{first}`; put names with such characters in backquotes")),
    }
}

/// The pattern of names at a byte, as in `word_*`: letters, stars and question marks.
pub(super) fn pattern(text: &str, at: usize) -> &str {
    let rest = &text[at..];
    &rest[..rest.find(|c| !is_of_word(c) && c != '*' && c != '?').unwrap_or(rest.len())]
}

/// True if a text is one word without quotes.
pub(super) fn is_plain_word(text: &str) -> bool {
    text.starts_with(is_first_of_word) && text.chars().all(is_of_word)
}

/// True if a word is part of the language.
pub(super) fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word)
}

fn is_first_of_word(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '.'
}

/// The length of a number at the start of a text, with any letters attached to it.
fn number_length(text: &str) -> usize {
    let mut previous = ' ';
    let end = text.find(|c: char| {
        let is_sign_of_exponent = matches!(c, '+' | '-') && matches!(previous, 'e' | 'E');
        previous = c;
        !(c.is_alphanumeric() || c == '.' || c == '_' || is_sign_of_exponent)
    });
    end.unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Result<Vec<&str>, LanguageError> {
        let (mut texts, mut at) = (vec![], 0);
        loop {
            let token = token(text, at)?;
            if token.kind == TokenKind::End {
                return Ok(texts);
            }
            at = token.end();
            texts.push(token.text);
        }
    }

    #[test]
    fn texts_are_cut_into_tokens() {
        let texts = |text| tokens(text).unwrap();
        assert_eq!(texts("30<=age < 5e+1"), ["30", "<=", "age", "<", "5e+1"]);
        assert_eq!(texts("`a b`==\"x y\""), ["`a b`", "==", "\"x y\""]);
        assert_eq!(texts("2*x-1"), ["2", "*", "x", "-", "1"]);
        assert_eq!(token("1e-3", 0).unwrap().kind, TokenKind::Number(1e-3));
        assert_eq!(pattern("atmost(2, word_*2b, x)", 10), "word_*2b");
    }

    #[test]
    fn errors_point_at_the_character() {
        let error = |text: &str| tokens(text).unwrap_err().to_string();
        assert_eq!(error("ä >= 3x"), "in `ä >= 3x`, character 6: `3x` is not a number");
        assert_eq!(error("x < `a"), "in `x < `a`, character 5: missing closing `");
        assert_eq!(error("x < 1e999"), "in `x < 1e999`, character 5: the number is too large");
        assert!(error("x § 3").contains("character 3"));
    }
}
