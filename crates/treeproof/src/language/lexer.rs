//! From the text of a condition to words, numbers and signs.

use super::error::LanguageError;
use super::expression::Position;

/// A piece of a condition.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) at: Position,
    /// As it was written.
    pub(super) text: String,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum TokenKind {
    /// A plain word, dots included, as in `a.age`.
    Word,
    /// In backquotes or quotes; the content.
    Quoted {
        content: String,
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

/// Cuts a text into tokens, of which the last is [`TokenKind::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, LanguageError> {
    let mut tokens = vec![];
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let (kind, length) = token(text, at, first)?;
        tokens.push(Token { kind, at: Position(at), text: text[at..at + length].to_owned() });
        at += length;
    }
    tokens.push(Token { kind: TokenKind::End, at: Position(text.len()), text: "the end".to_owned() });
    Ok(tokens)
}

fn token(text: &str, at: usize, first: char) -> Result<(TokenKind, usize), LanguageError> {
    let rest = &text[at..];
    let error = |what: String| Err(LanguageError::new(text, Position(at), what));
    if matches!(first, '`' | '"' | '\'') {
        let Some(end) = rest[1..].find(first) else { return error(format!("there is no second {first}")) };
        let content = rest[1..=end].to_owned();
        return Ok((TokenKind::Quoted { content, is_name: first == '`' }, end + 2));
    }
    let is_of_word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    if first.is_alphabetic() || first == '_' {
        let length = rest.find(|c| !is_of_word(c)).unwrap_or(rest.len());
        return Ok((TokenKind::Word, length));
    }
    if first.is_ascii_digit() || first == '.' {
        let length = number_length(rest);
        return match rest[..length].parse::<f64>() {
            Ok(number) if number.is_finite() => Ok((TokenKind::Number(number), length)),
            Ok(_) => error("the number is too large".to_owned()),
            Err(_) => error(format!("`{}` is not a number", &rest[..length])),
        };
    }
    match SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
        Some(sign) => Ok((TokenKind::Sign, sign.len())),
        None => error(format!("`{first}` means nothing here; put names that are no plain words in backquotes")),
    }
}

/// The digits, point and exponent at the start of a text, and any letters stuck to them.
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

    #[test]
    fn texts_are_cut_into_tokens() {
        let texts = |text: &str| tokens(text).unwrap().into_iter().map(|token| token.text).collect::<Vec<_>>();
        assert_eq!(texts("30<=age < 5e+1"), ["30", "<=", "age", "<", "5e+1", "the end"]);
        assert_eq!(texts("`a b`==\"x y\""), ["`a b`", "==", "\"x y\"", "the end"]);
        assert_eq!(texts("2*x-1"), ["2", "*", "x", "-", "1", "the end"]);
        assert_eq!(tokens("1e-3").unwrap()[0].kind, TokenKind::Number(1e-3));
    }

    #[test]
    fn errors_point_at_the_character() {
        let error = |text: &str| tokens(text).unwrap_err().to_string();
        assert_eq!(error("ä >= 3x"), "in `ä >= 3x`, character 6: `3x` is not a number");
        assert_eq!(error("x < `a"), "in `x < `a`, character 5: there is no second `");
        assert_eq!(error("x < 1e999"), "in `x < 1e999`, character 5: the number is too large");
        assert!(error("x § 3").contains("character 3"));
    }
}
