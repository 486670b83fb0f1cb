//! Which top-level modules of a crate name which others, read from its source. Tests do not count.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The modules of a crate, and what uses what, with a file that says so.
pub(crate) struct Uses {
    pub(crate) modules: BTreeSet<String>,
    pub(crate) uses: BTreeMap<(String, String), String>,
}

/// Reads a folder `src`.
pub(crate) fn uses(src: &Path) -> Uses {
    let mut files = vec![];
    list(src, &mut files);
    files.sort();
    // As module paths; those of the crate itself are empty.
    let texts: Vec<(Vec<String>, PathBuf, String)> = files
        .into_iter()
        .map(|file| {
            let path = file.strip_prefix(src).unwrap().with_extension("");
            let mut path: Vec<String> = path.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
            if path == ["lib"] || path == ["main"] {
                path.clear();
            }
            let text = code(&fs::read_to_string(&file).unwrap());
            (path, file, text)
        })
        .collect();
    let mut tests = BTreeSet::new();
    let texts: Vec<(Vec<String>, PathBuf, String)> = texts
        .into_iter()
        .map(|(path, file, text)| {
            let text = without_tests(&text, |module| {
                tests.insert([path.as_slice(), &[module.to_owned()]].concat());
            });
            (path, file, text)
        })
        .collect();
    let is_test = |path: &[String]| (0..=path.len()).any(|length| tests.contains(&path[..length]));
    let texts: Vec<_> = texts.into_iter().filter(|(path, ..)| !is_test(path)).collect();
    let modules: BTreeSet<String> = texts.iter().filter_map(|(path, ..)| path.first().cloned()).collect();
    let exported =
        exported(texts.iter().filter(|(path, ..)| path.is_empty()).map(|(.., text)| text.as_str()), &modules);

    let mut uses = BTreeMap::new();
    for (path, file, text) in texts.iter().filter(|(path, ..)| !path.is_empty()) {
        for name in from_root(text, path.len()) {
            let used = if modules.contains(&name) { Some(&name) } else { exported.get(&name) };
            if let Some(used) = used.filter(|used| **used != path[0]) {
                let place = file.strip_prefix(src).unwrap().display().to_string();
                uses.entry((path[0].clone(), used.clone())).or_insert(place);
            }
        }
    }
    Uses { modules, uses }
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            list(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// The text without comments and the content of quotes.
fn code(text: &str) -> String {
    let mut code = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let after = &rest[first.len_utf8()..];
        let is_word = code.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let skipped = match first {
            '/' if after.starts_with('/') => rest.find('\n').unwrap_or(rest.len()),
            '"' => 1 + end_of_string(after),
            'r' if !is_word && after.trim_start_matches('#').starts_with('"') => {
                let hashes = after.len() - after.trim_start_matches('#').len();
                let start = hashes + 2;
                let end = format!("\"{}", "#".repeat(hashes));
                start + rest[start..].find(&end).expect("raw strings end") + end.len()
            }
            '\'' if after.starts_with('\\') => 4 + after[2..].find('\'').expect("characters end"),
            '\'' if after.chars().nth(1) == Some('\'') => 2 + after.chars().next().unwrap().len_utf8(),
            _ => {
                code.push(first);
                rest = after;
                continue;
            }
        };
        code.push(' ');
        rest = &rest[skipped..];
    }
    code
}

/// The length of what is left of a string, its quote included.
fn end_of_string(rest: &str) -> usize {
    let mut is_escaped = false;
    let end = rest.find(|c| {
        let is_end = c == '"' && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        is_end
    });
    end.expect("strings end") + 1
}

/// The code without items that only tests have; shows the names of modules in other files among them.
fn without_tests(code: &str, mut see: impl FnMut(&str)) -> String {
    const MARK: &str = "#[cfg(test)]";
    let mut kept = String::new();
    let mut rest = code;
    while let Some(at) = rest.find(MARK) {
        kept.push_str(&rest[..at]);
        rest = &rest[at + MARK.len()..];
        let end = rest.find(['{', ';']).expect("an item has an end");
        if rest[end..].starts_with(';') {
            let words: Vec<&str> = rest[..end].split_whitespace().collect();
            if let [.., "mod", name] = words[..] {
                see(name);
            }
            rest = &rest[end + 1..];
        } else {
            let mut depth = 0;
            let close = rest[end..].find(|c| {
                depth += i32::from(c == '{') - i32::from(c == '}');
                depth == 0
            });
            rest = &rest[end + close.expect("braces are closed") + 1..];
        }
    }
    kept.push_str(rest);
    kept
}

/// What the root of a crate exports of its modules: per name the module.
fn exported<'t>(roots: impl Iterator<Item = &'t str>, modules: &BTreeSet<String>) -> BTreeMap<String, String> {
    let statements =
        roots.flat_map(|text| text.split(';')).filter_map(|statement| Some(statement.split_once("use ")?.1));
    let named = statements.filter_map(|path| {
        let (module, names) = path.trim_start_matches("self::").split_once("::")?;
        modules.contains(module).then_some((module, names))
    });
    let words =
        |names: &'t str| names.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    named.flat_map(|(module, names)| words(names).map(|word| (word.to_owned(), module.to_owned()))).collect()
}

/// The names that code at some depth below the root of its crate takes from there, by `crate::` or `super::`.
fn from_root(code: &str, depth: usize) -> Vec<String> {
    let up = "super::".repeat(depth);
    let mut names = vec![];
    for start in ["crate::", &up] {
        for (at, _) in code.match_indices(start) {
            let is_start = !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
            let rest = &code[at + start.len()..];
            if is_start && !rest.starts_with("super::") {
                first_names(rest, &mut names);
            }
        }
    }
    names
}

/// The first names of the paths that a text begins with: one, or those of a group in braces.
fn first_names(rest: &str, names: &mut Vec<String>) {
    let word =
        |text: &str| text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let Some(group) = rest.strip_prefix('{') else { return names.push(word(rest)) };
    let (mut depth, mut start) = (0, 0);
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            ',' | '}' if depth == 0 => {
                names.push(word(&group[start..at]));
                start = at + 1;
                if c == '}' {
                    return;
                }
            }
            '}' => depth -= 1,
            _ => {}
        }
    }
}
