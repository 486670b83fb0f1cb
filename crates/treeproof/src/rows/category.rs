//! From the cells of a categorical column to the raw values of the model.
//!
//! A table with names stands for a data frame: its numbers and texts are categories themselves, as in
//! `df[c].astype("category")`, so the number 3 is the category named `3`, and codes are only what remains where no
//! category's name is a number. A table without names stands for an array: its numbers are codes already, as XGBoost,
//! LightGBM and scikit-learn take them. CatBoost makes texts of numbers in both.

use std::collections::HashMap;

use treeproof_ensemble::input::{Categories, CategoryEncoding};

use super::error::DataError;

/// How many categories a message lists.
const LISTED: usize = 8;

/// Reads the cells of one categorical column.
pub(super) struct CategoryReader<'a> {
    categories: &'a Categories,
    column: &'a str,
    by_name: HashMap<&'a str, usize>,
    /// The categories whose names are numbers, in order of the number; empty where numbers are codes.
    by_value: Vec<(f64, usize)>,
    numbers_are_codes: bool,
}

impl<'a> CategoryReader<'a> {
    pub(super) fn new(categories: &'a Categories, column: &'a str, is_frame: bool) -> Self {
        let names = || categories.names.iter().enumerate();
        let mut by_value: Vec<(f64, usize)> =
            names().filter_map(|(code, name)| Some((name.trim().parse().ok()?, code))).collect();
        by_value.retain(|(value, _): &(f64, usize)| !value.is_nan());
        by_value.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let stands_for_itself = is_frame || categories.encoding == CategoryEncoding::Position;
        Self {
            categories,
            column,
            // Of equal names the first, as everywhere.
            by_name: names().rev().map(|(code, name)| (name.as_str(), code)).collect(),
            numbers_are_codes: by_value.is_empty() || !stands_for_itself,
            by_value,
        }
    }

    /// The raw value of a text.
    pub(super) fn read_text(&self, text: &str, row: usize) -> Result<f64, DataError> {
        if self.categories.names.is_empty() {
            let (column, text) = (self.column.to_owned(), text.to_owned());
            return Err(DataError::NoCategoryNames { column, row, text });
        }
        if let Some(code) = self.by_name.get(text).or_else(|| self.by_name.get(text.trim())) {
            return Ok(self.raw(*code));
        }
        match text.trim().parse() {
            Ok(number) => match self.find(number, row)? {
                Some(code) => Ok(self.raw(code)),
                None => self.unseen(text, row),
            },
            Err(_) => self.unseen(text, row),
        }
    }

    /// The raw value of a number.
    pub(super) fn read_number(&self, number: f64, row: usize) -> Result<f64, DataError> {
        if number.is_nan() {
            return self.read_missing(row);
        }
        if self.numbers_are_codes {
            return Ok(number);
        }
        match self.find(number, row)? {
            Some(code) => Ok(self.raw(code)),
            None => self.unseen(&number.to_string(), row),
        }
    }

    /// The raw value of a missing cell. CatBoost has no missing categories, only a category that is called so.
    pub(super) fn read_missing(&self, row: usize) -> Result<f64, DataError> {
        match (&self.categories.encoding, self.by_name.get("nan")) {
            (CategoryEncoding::Position, Some(code)) => Ok(self.raw(*code)),
            (CategoryEncoding::Position, None) => {
                Err(DataError::MissingCategory { column: self.column.to_owned(), row })
            }
            _ => Ok(f64::NAN),
        }
    }

    /// The raw value of a missing cell that may be spelt out: `NA` is a category to a model that has one of that name.
    pub(super) fn read_missing_spelt(&self, spelling: Option<&str>, row: usize) -> Result<f64, DataError> {
        match spelling.and_then(|spelling| self.by_name.get(spelling)) {
            Some(code) => Ok(self.raw(*code)),
            None => self.read_missing(row),
        }
    }

    /// The category whose name is this number.
    fn find(&self, number: f64, row: usize) -> Result<Option<usize>, DataError> {
        let start = self.by_value.partition_point(|(value, _)| *value < number);
        let same = self.by_value[start..].iter().take_while(|(value, _)| *value == number);
        match same.map(|(_, code)| *code).collect::<Vec<_>>().as_slice() {
            [] => Ok(None),
            [code] => Ok(Some(*code)),
            [first, second, ..] => Err(DataError::AmbiguousCategory {
                column: self.column.to_owned(),
                row,
                number,
                first: self.categories.names[*first].clone(),
                second: self.categories.names[*second].clone(),
            }),
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "codes are far below 2⁵³")]
    fn raw(&self, code: usize) -> f64 {
        match self.categories.encoding.values() {
            Some(values) => values.get(code).copied().unwrap_or(f64::NAN),
            None => code as f64,
        }
    }

    /// What the library makes of a category it has not seen in training.
    fn unseen(&self, text: &str, row: usize) -> Result<f64, DataError> {
        match self.categories.encoding {
            // Some versions take the next known category instead: nothing to rely on.
            CategoryEncoding::Xgboost => {
                let names = &self.categories.names;
                let mut known =
                    names.iter().take(LISTED).map(|name| treeproof_data::error::quote(name)).collect::<Vec<_>>();
                if names.len() > LISTED {
                    known.push(format!("{} more", names.len() - LISTED));
                }
                let (column, text) = (self.column.to_owned(), text.to_owned());
                Err(DataError::UnknownCategory { column, row, text, known: known.join(", ") })
            }
            CategoryEncoding::Lightgbm | CategoryEncoding::Exact(_) => Ok(f64::NAN),
            CategoryEncoding::Position | CategoryEncoding::Listed(_) => {
                Ok(self.categories.encoding.no_category().unwrap_or(f64::NAN))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn categories(encoding: CategoryEncoding, names: &[&str]) -> Categories {
        Categories { encoding, names: names.iter().map(|name| (*name).to_owned()).collect() }
    }

    #[test]
    fn names_numbers_and_codes() {
        let words = categories(CategoryEncoding::Lightgbm, &["red", "blue"]);
        let reader = CategoryReader::new(&words, "c", true);
        assert_eq!(reader.read_text("blue", 0), Ok(1.0));
        assert_eq!(reader.read_text(" blue", 0), Ok(1.0));
        assert_eq!(reader.read_number(1.0, 0), Ok(1.0), "no name is a number: codes");

        let numbers = categories(CategoryEncoding::Lightgbm, &["3", "1.5", "7"]);
        let frame = CategoryReader::new(&numbers, "c", true);
        assert_eq!((frame.read_number(7.0, 0), frame.read_text("3.0", 0)), (Ok(2.0), Ok(0.0)));
        assert!(frame.read_number(2.0, 0).unwrap().is_nan(), "unseen");
        assert_eq!(CategoryReader::new(&numbers, "c", false).read_number(2.0, 0), Ok(2.0), "an array holds codes");
    }

    #[test]
    fn unseen_and_missing_as_each_library() {
        let names = ["a", "b"];
        let exact = categories(CategoryEncoding::Exact(vec![10.0, 20.0]), &names);
        let reader = CategoryReader::new(&exact, "c", true);
        assert_eq!(reader.read_text("b", 0), Ok(20.0));
        assert!(reader.read_text("z", 0).unwrap().is_nan() && reader.read_missing(0).unwrap().is_nan());

        let position = categories(CategoryEncoding::Position, &names);
        let reader = CategoryReader::new(&position, "c", true);
        assert_eq!(reader.read_text("z", 0), Ok(-1.0));
        assert!(reader.read_number(f64::NAN, 0).is_err());
        let with_nan = categories(CategoryEncoding::Position, &["a", "nan"]);
        assert_eq!(CategoryReader::new(&with_nan, "c", true).read_missing(0), Ok(1.0));

        let xgboost = categories(CategoryEncoding::Xgboost, &names);
        let error = CategoryReader::new(&xgboost, "c", true).read_text("z", 4).unwrap_err().to_string();
        assert_eq!(error, "column `c`, row 4: the model knows no category `z`; it knows `a`, `b`");
    }

    #[test]
    fn a_number_with_two_names_is_refused() {
        let twice = categories(CategoryEncoding::Position, &["1", "1.0"]);
        let reader = CategoryReader::new(&twice, "c", true);
        assert_eq!(reader.read_text("1.0", 0), Ok(1.0));
        assert!(reader.read_number(1.0, 0).is_err());
    }
}
