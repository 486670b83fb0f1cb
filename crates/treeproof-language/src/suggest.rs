//! Names in messages: quoted, listed, and suggested for a misspelled one.

/// Names that a message lists.
const LISTED: usize = 8;

/// The least similarity of a suggestion; 1 is equal.
const MIN_SIMILARITY: f64 = 0.6;

/// The name most similar to another, if any is similar enough.
pub fn closest_name<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let name = name.to_lowercase();
    // Names of thousands of characters come from damaged files and are slow to compare.
    let names = names.into_iter().filter(|known| known.len() <= 200).take(10_000);
    names
        .map(|known| (strsim::normalized_damerau_levenshtein(&name, &known.to_lowercase()), known))
        .filter(|(similarity, _)| *similarity >= MIN_SIMILARITY)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, known)| known.to_owned())
}

/// The end of a message about an unknown name: the most similar name, or else a list.
pub(super) fn suggestion<'a, N: Iterator<Item = &'a str>>(name: &str, names: impl Fn() -> N) -> String {
    match closest_name(name, names()) {
        Some(meant) => format!("; did you mean {}?", quote(&meant)),
        None => format!("; it has {}", list(names())),
    }
}

/// Names in backquotes, the first ones if there are many.
pub(super) fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.take(LISTED + 1).map(quote).collect();
    let more = if names.len() > LISTED { ", …" } else { "" };
    format!("{}{more}", names[..names.len().min(LISTED)].join(", "))
}

/// A name in backquotes, on one line and shortened, for a message.
pub fn quote(text: &str) -> String {
    const SHOWN: usize = 40;
    let shown = match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("`{}…`", &text[..end]),
        None => format!("`{text}`"),
    };
    shown.replace(|c: char| c.is_control(), "?")
}
