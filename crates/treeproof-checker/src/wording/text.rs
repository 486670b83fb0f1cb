//! Numbers, names and lists in words.

use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::label::ClassName;

use crate::quote::between;

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

/// A class as the model names it.
pub(super) fn class(name: &ClassName) -> String {
    match name {
        ClassName::Text(text) => between('`', text),
        name => name.to_string(),
    }
}
