//! Patterns of names.

/// True if a name matches a pattern, in which `*` stands for any letters and `?` for one.
pub(super) fn is_like(name: &str, pattern: &str) -> bool {
    let (name, pattern): (Vec<char>, Vec<char>) = (name.chars().collect(), pattern.chars().collect());
    let (mut at, mut next) = (0, 0);
    // Where to go on if what follows the last star fails: the star takes one letter more.
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

/// The part of a name that the only star of a pattern stands for; `None` if it does not match or there are other wildcards.
pub(super) fn starred<'n>(name: &'n str, pattern: &str) -> Option<&'n str> {
    let (before, after) = pattern.split_once('*')?;
    name.strip_prefix(before)?.strip_suffix(after)
}

#[cfg(test)]
mod tests {
    use super::{is_like, starred};

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
            assert!(is_like(name, pattern), "{name} {pattern}");
        }
        for (pattern, name) in [("?", ""), ("a*", "ba"), ("a*c", "abcb"), ("ab", "abc"), ("", "a"), ("a*b?", "ab")] {
            assert!(!is_like(name, pattern), "{name} {pattern}");
        }
        assert!(!is_like(&"a".repeat(5000), &("a*".repeat(100) + "b")), "in reasonable time");
    }
}
