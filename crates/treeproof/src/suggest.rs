//! What a misspelt name may mean.

/// How likeness is measured: 1 is equal, and below this a suggestion would only confuse.
const ALIKE: f64 = 0.6;

/// The name most like another, if any is like it.
pub fn closest<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let name = name.to_lowercase();
    // Names of thousands of letters come from damaged files; comparing them would take ages.
    let names = names.into_iter().filter(|known| known.len() <= 200).take(10_000);
    names
        .map(|known| (strsim::normalized_damerau_levenshtein(&name, &known.to_lowercase()), known))
        .filter(|(likeness, _)| *likeness >= ALIKE)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, known)| known.to_owned())
}
