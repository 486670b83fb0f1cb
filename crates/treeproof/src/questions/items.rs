//! Lists as people write them.

/// The parts of a list between commas that stand neither in braces nor in backquotes.
pub(crate) fn items(text: &str) -> Vec<&str> {
    let (mut items, mut start, mut is_quoted, mut depth) = (vec![], 0, false, 0_i32);
    for (at, c) in text.char_indices() {
        match c {
            '`' => is_quoted = !is_quoted,
            '{' if !is_quoted => depth += 1,
            '}' if !is_quoted => depth -= 1,
            ',' if !is_quoted && depth <= 0 => {
                items.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    items.push(text[start..].trim());
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_end_at_commas_of_their_own() {
        assert_eq!(items("sex, race"), ["sex", "race"]);
        assert_eq!(items("s:{a,b}|{c, d},`x,y`,z"), ["s:{a,b}|{c, d}", "`x,y`", "z"]);
        assert_eq!(items(""), [""]);
    }
}
