//! Numbers, names and lists in words.

use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::label::ClassName;

/// Limit on letters shown of an unchecked name.
const MOST_LETTERS: usize = 100;

/// A number: very large and very small ones with a power of ten.
pub(super) fn said(number: f64) -> String {
    let size = number.abs();
    let is_plain = size == 0.0 || (1e-5..1e17).contains(&size) || !size.is_finite();
    if is_plain { (number + 0.0).to_string() } else { format!("{number:e}") }
}

/// An exact number, to its last digit.
pub(super) fn exact(number: &Exact) -> String {
    let near = number.to_f64();
    if Exact::from_f64(near).as_ref() == Some(number) { near.to_string() } else { number.to_string() }
}

pub(super) fn count(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// `a, b and c`.
pub(super) fn listed(words: &[String]) -> String {
    match words {
        [all @ .., last] if !all.is_empty() => format!("{} and {last}", all.join(", ")),
        _ => words.join(""),
    }
}

/// A place in a list.
pub(super) fn ordinal(place: u32) -> String {
    match place {
        0 => "first".to_owned(),
        1 => "second".to_owned(),
        2 => "third".to_owned(),
        place => format!("{}th", u64::from(place) + 1),
    }
}

/// A text from a file, of which nothing hides, turns or ends the line that it is shown in.
pub(crate) fn visible(text: &str) -> String {
    text.escape_debug().to_string().replace("\\'", "'").replace("\\\"", "\"").replace("\\\\", "\\")
}

/// A name that stands between these signs and cannot leave them.
pub(crate) fn between(sign: char, name: &str) -> String {
    let inner = name.escape_debug().to_string().replace("\\'", "'");
    let inner = if sign == '"' { inner } else { inner.replace("\\\"", "\"").replace(sign, &format!("\\{sign}")) };
    format!("{sign}{inner}{sign}")
}

/// Unchecked text: the proof's own name for something.
pub(crate) fn own_word(name: &str) -> String {
    let start: String = name.chars().take(MOST_LETTERS).collect();
    let more = if start.len() < name.len() { " …" } else { "" };
    format!("{}{more}", between('"', &start))
}

/// A class as the model names it.
pub(super) fn class(name: &ClassName) -> String {
    match name {
        ClassName::Text(text) => between('`', text),
        name => name.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_between_their_signs() {
        assert_eq!(between('`', "a`b\"c'd\\"), "`a\\`b\"c'd\\\\`");
        assert_eq!(between('"', "a`b\"c\u{1b}\u{9b}\u{202e}\n"), "\"a`b\\\"c\\u{1b}\\u{9b}\\u{202e}\\n\"");
        assert_eq!(own_word(&"x".repeat(1000)), format!("\"{}\" …", "x".repeat(100)));
        assert_eq!(visible("C:\\x 'y' \"z\" \u{7f}ü"), "C:\\x 'y' \"z\" \\u{7f}ü");
    }
}
