//! Spellings of a missing value in text data: those of pandas, and the looser ones among numbers.

/// Spellings that pandas reads as missing, beside the empty cell.
const MISSING: [&str; 18] = [
    "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A", "NA", "NULL",
    "NaN", "None", "n/a", "nan", "null",
];

/// True if pandas reads a cell as missing.
pub(crate) fn is_missing(text: &str) -> bool {
    text.is_empty() || MISSING.contains(&text)
}

/// True if a text in a column of numbers stands for a missing value: blanks, ` NA`, `nan` in any case.
pub fn is_missing_number(text: &str) -> bool {
    let text = text.trim_ascii();
    is_missing(text) || text.trim_start_matches(['+', '-']).eq_ignore_ascii_case("nan")
}
