//! A column of texts, each distinct text stored once: columns of categories repeat a few of them.

use std::collections::HashMap;

/// The code of a missing text.
const MISSING: u32 = u32::MAX;

/// A column of texts, any of which may be missing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Texts {
    /// In order of first appearance.
    distinct: Vec<String>,
    /// Row by row, a position in `distinct` or [`MISSING`].
    codes: Vec<u32>,
    /// Missing texts that are not blank, as in `NA`: row and position in `spellings`, in order of rows.
    spelled: Vec<(u32, u32)>,
    spellings: Vec<String>,
}

impl Texts {
    /// The number of rows.
    pub fn len(&self) -> usize {
        self.codes.len()
    }

    /// True without rows.
    pub fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }

    /// The text of a row; `None` where it is missing or there is no such row.
    pub fn get(&self, row: usize) -> Option<&str> {
        self.code(row).map(|code| self.distinct[code].as_str())
    }

    /// The position of a row's text in [`Self::distinct`]; `None` where it is missing or there is no such row.
    pub fn code(&self, row: usize) -> Option<usize> {
        self.codes.get(row).filter(|code| **code != MISSING).map(|code| *code as usize)
    }

    /// The spelling of a missing text that is not blank: `NA` may be a category of a model.
    pub fn missing_spelling(&self, row: usize) -> Option<&str> {
        let row = u32::try_from(row).ok()?;
        let found = self.spelled.binary_search_by_key(&row, |(row, _)| *row).ok()?;
        Some(&self.spellings[self.spelled[found].1 as usize])
    }

    /// The distinct texts, in order of first appearance.
    pub fn distinct(&self) -> &[String] {
        &self.distinct
    }

    /// The texts row by row.
    pub fn iter(&self) -> impl Iterator<Item = Option<&str>> {
        (0..self.len()).map(|row| self.get(row))
    }
}

impl<S: AsRef<str>> FromIterator<Option<S>> for Texts {
    fn from_iter<I: IntoIterator<Item = Option<S>>>(texts: I) -> Self {
        let mut builder = TextsBuilder::default();
        for text in texts {
            match text {
                Some(text) => builder.push(text.as_ref()),
                None => builder.push_missing(),
            }
        }
        builder.finish()
    }
}

/// Collects a column of texts row by row.
#[derive(Debug, Default)]
pub(crate) struct TextsBuilder {
    code_of: HashMap<String, u32>,
    /// The column so far, without its distinct texts.
    texts: Texts,
}

impl TextsBuilder {
    pub(crate) fn push(&mut self, text: &str) {
        let code = match self.code_of.get(text) {
            Some(code) => *code,
            None => {
                // 2³² − 1 distinct texts would exceed every memory limit.
                let code = u32::try_from(self.code_of.len()).unwrap_or(MISSING);
                self.code_of.insert(text.to_owned(), code);
                code
            }
        };
        self.texts.codes.push(code);
    }

    pub(crate) fn push_missing(&mut self) {
        self.texts.codes.push(MISSING);
    }

    /// Adds a missing text that is not blank.
    pub(crate) fn push_missing_as(&mut self, spelling: &str) {
        let Texts { codes, spelled, spellings, .. } = &mut self.texts;
        let place = spellings.iter().position(|known| known == spelling).unwrap_or_else(|| {
            spellings.push(spelling.to_owned());
            spellings.len() - 1
        });
        // Memory limits keep both below 2³².
        if let (Ok(row), Ok(place)) = (u32::try_from(codes.len()), u32::try_from(place)) {
            spelled.push((row, place));
        }
        self.push_missing();
    }

    pub(crate) fn finish(self) -> Texts {
        let mut distinct: Vec<(String, u32)> = self.code_of.into_iter().collect();
        distinct.sort_unstable_by_key(|(_, code)| *code);
        let distinct = distinct.into_iter().map(|(text, _)| text).collect();
        Texts { distinct, ..self.texts }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_read_back_and_are_held_once() {
        let rows = [Some("red"), None, Some("blue"), Some("red")];
        let texts: Texts = rows.into_iter().collect();
        assert_eq!(texts.iter().collect::<Vec<_>>(), rows);
        assert_eq!(texts.distinct(), ["red", "blue"]);
        assert_eq!((texts.get(4), texts.code(3), texts.len()), (None, Some(0), 4));
    }
}
