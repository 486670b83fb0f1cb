//! Patterns of names with `*` and `?`.

/// True if a name matches a pattern, in which `*` stands for any characters and `?` for one.
pub(super) fn is_match(name: &str, pattern: &str) -> bool {
    let (name, pattern): (Vec<char>, Vec<char>) = (name.chars().collect(), pattern.chars().collect());
    let (mut at, mut next) = (0, 0);
    // On a mismatch behind the last star, the star takes one character more.
    let mut again: Option<(usize, usize)> = None;
    while at < name.len() {
        match pattern.get(next) {
            Some('*') => {
                again = Some((at, next));
                next += 1;
            }
            Some(letter) if *letter == '?' || *letter == name[at] => (at, next) = (at + 1, next + 1),
            _ => match again {
                Some((from, star)) => {
                    again = Some((from + 1, star));
                    (at, next) = (from + 1, star + 1);
                }
                None => return false,
            },
        }
    }
    pattern[next..].iter().all(|letter| *letter == '*')
}

/// The text matched by the only star of a pattern; `None` if the pattern has other wildcards.
pub(super) fn starred<'n>(name: &'n str, pattern: &str) -> Option<&'n str> {
    let (before, after) = pattern.split_once('*')?;
    name.strip_prefix(before)?.strip_suffix(after)
}

#[cfg(test)]
mod tests {
    use super::{is_match, starred};

    #[test]
    fn a_star_stands_for_something() {
        assert_eq!(starred("sex_male", "sex_*"), Some("male"));
        assert_eq!(starred("is male?", "is *?"), Some("male"));
        assert_eq!(starred("sex_male", "sex_?*"), None);
        assert_eq!(starred("sex_male", "*_*"), None);
        assert_eq!(starred("sex_male", "sex_male"), None);
    }

    #[test]
    fn stars_and_question_marks() {
        for (pattern, name) in [("*", ""), ("a*", "a"), ("a*c", "abcbc"), ("?é*", "aéx"), ("a**b", "ab"), ("ab", "ab")]
        {
            assert!(is_match(name, pattern), "{name} {pattern}");
        }
        for (pattern, name) in [("?", ""), ("a*", "ba"), ("a*c", "abcb"), ("ab", "abc"), ("", "a"), ("a*b?", "ab")] {
            assert!(!is_match(name, pattern), "{name} {pattern}");
        }
        assert!(!is_match(&"a".repeat(5000), &("a*".repeat(100) + "b")), "in reasonable time");
    }
}
