//! Text from files, escaped so that it cannot pass for text of the checker.

/// Limit on letters shown of an unchecked name.
const MOST_LETTERS: usize = 100;

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
