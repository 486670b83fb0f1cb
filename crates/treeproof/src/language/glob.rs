//! Patterns of names.

/// Whether a name is like a pattern, in which `*` stands for any letters and `?` for one.
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

#[cfg(test)]
mod tests {
    use super::is_like;

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
