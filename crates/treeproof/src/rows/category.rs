//! From the cells of a categorical column to the raw values of the model, as the model's library matches them.
//!
//! A cell has a type. In a table with names, which stands for a data frame, it is matched to a category of its own type and
//! value, as in `df[c].astype("category")`: the number 1 is not the text `1`. In a table without names, which stands for an
//! array, numbers are category codes already. What the libraries do with a cell of another type than the categories':
//!
//! | library | cell of another type |
//! |---|---|
//! | LightGBM | missing; but numbers for truth values, or the reverse, go by their codes if all are 0 or 1: refused |
//! | XGBoost | an error |
//! | scikit-learn | truth values are numbers; a text among numbers is unknown, a number among texts an error |
//! | CatBoost | made a text: 1 is `1`, `True` is `1`; numbers with a fraction are an error |

use std::collections::HashMap;

use treeproof_ensemble::input::{Categories, CategoryEncoding, CategoryType};

use super::CategoryCells;
use super::error::{DataError, Misfit};

/// Limit on the categories that a message lists.
const LISTED: usize = 8;

/// The largest whole number that no other is rounded to as a double.
const LARGEST_WHOLE: f64 = 9_007_199_254_740_991.0;

/// One cell of a categorical column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum CategoryCell<'a> {
    Missing,
    Text(&'a str),
    Number(f64),
    Truth(bool),
}

/// Reads the cells of one categorical column.
pub(super) struct CategoryReader<'a> {
    categories: &'a Categories,
    pub(super) column: &'a str,
    by_name: HashMap<&'a str, usize>,
    /// The categories whose names are numbers, in order of the number.
    by_value: Vec<(f64, usize)>,
    cells: CategoryCells,
}

impl<'a> CategoryReader<'a> {
    /// A reader for a column of a table with names.
    pub(super) fn new(categories: &'a Categories, column: &'a str, cells: CategoryCells) -> Self {
        let names = || categories.names.iter().enumerate();
        let mut by_value: Vec<(f64, usize)> = Vec::new();
        if categories.value_type == CategoryType::Number {
            by_value = names().filter_map(|(code, name)| Some((name.parse().ok()?, code))).collect();
            by_value.retain(|(value, _): &(f64, usize)| !value.is_nan());
            by_value.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        }
        // Of equal names the first, as everywhere.
        let by_name = names().rev().map(|(code, name)| (name.as_str(), code)).collect();
        Self { categories, column, by_name, by_value, cells }
    }

    /// A reader for a column of an array, whose numbers are codes; CatBoost makes texts of numbers there, too.
    pub(super) fn of_array(categories: &'a Categories, column: &'a str, cells: CategoryCells) -> Self {
        let cells = match (&categories.encoding, cells) {
            (CategoryEncoding::Position, CategoryCells::Typed | CategoryCells::Text) => CategoryCells::Typed,
            _ => CategoryCells::Codes,
        };
        Self::new(categories, column, cells)
    }

    /// The raw value of a cell.
    pub(super) fn read(&self, cell: CategoryCell<'_>, row: usize) -> Result<f64, DataError> {
        match (cell, self.cells) {
            (CategoryCell::Missing, _) => self.read_missing(row),
            (CategoryCell::Number(number), CategoryCells::Codes) => Ok(number),
            (cell, CategoryCells::Text) if !self.categories.names.is_empty() => match spelt(cell).as_deref() {
                Some(text) => self.read_name(text, row),
                None => self.read_missing(row),
            },
            (cell, _) => self.read_typed(cell, row),
        }
    }

    fn read_typed(&self, cell: CategoryCell<'_>, row: usize) -> Result<f64, DataError> {
        if self.categories.names.is_empty() {
            return match cell {
                CategoryCell::Text(_) => Err(self.misfit(cell, row, Misfit::Nameless)),
                CategoryCell::Number(number) => Ok(number),
                CategoryCell::Truth(truth) => Ok(f64::from(u8::from(truth))),
                CategoryCell::Missing => self.read_missing(row),
            };
        }
        match (&self.categories.encoding, self.categories.value_type, cell) {
            (_, CategoryType::Mixed, _) => Err(self.misfit(cell, row, Misfit::Mixed)),
            (CategoryEncoding::Position, _, CategoryCell::Number(number)) => match number {
                whole if whole.fract() == 0.0 && whole.abs() <= LARGEST_WHOLE => {
                    self.read_name(&format!("{:.0}", whole + 0.0), row)
                }
                _ => Err(self.misfit(cell, row, Misfit::Fraction)),
            },
            (CategoryEncoding::Position, _, CategoryCell::Truth(truth)) => {
                self.read_name(if truth { "1" } else { "0" }, row)
            }
            (_, CategoryType::Text, CategoryCell::Text(text)) => self.read_name(text, row),
            (
                CategoryEncoding::Exact(_) | CategoryEncoding::Listed(_),
                CategoryType::Number | CategoryType::Truth,
                CategoryCell::Number(_) | CategoryCell::Truth(_),
            ) => Ok(cell.number()),
            (_, CategoryType::Number, CategoryCell::Number(number)) => self.read_number(number, row),
            (_, CategoryType::Truth, CategoryCell::Truth(truth)) => {
                self.read_name(if truth { "True" } else { "False" }, row)
            }
            (CategoryEncoding::Lightgbm, value_type, CategoryCell::Number(_) | CategoryCell::Truth(_))
                if self.may_equal(cell) =>
            {
                Err(self.misfit(cell, row, Misfit::Type(value_type)))
            }
            (CategoryEncoding::Lightgbm, ..) => Ok(f64::NAN),
            (CategoryEncoding::Exact(_) | CategoryEncoding::Listed(_), _, CategoryCell::Text(text)) => {
                self.unseen(text, row)
            }
            _ => Err(self.misfit(cell, row, Misfit::Type(self.categories.value_type))),
        }
    }

    /// The raw value of the category of this name, if the categories are texts and one has it.
    pub(super) fn named(&self, text: &str) -> Option<f64> {
        let is_text = self.categories.value_type == CategoryType::Text;
        self.by_name.get(text).filter(|_| is_text).map(|code| self.raw(*code))
    }

    /// True if the cell may be in a list that Python takes for equal to that of the categories though the types differ:
    /// `[False, True] == [0, 1]`. LightGBM then takes the cells' own codes, and whether it does depends on the whole column.
    fn may_equal(&self, cell: CategoryCell<'_>) -> bool {
        let is_truth = |number: f64| number == 0.0 || number == 1.0;
        match self.categories.value_type {
            CategoryType::Truth => is_truth(cell.number()),
            CategoryType::Number => self.by_value.iter().any(|(value, _)| is_truth(*value)),
            CategoryType::Text | CategoryType::Mixed => false,
        }
    }

    /// True if texts in a column of several types are matched and its other values are unknown categories: the categories are texts,
    /// and the library compares value by value. CatBoost makes texts of some types, and XGBoost takes one type only.
    pub(super) fn knows_texts_among_others(&self) -> bool {
        let compares = matches!(
            self.categories.encoding,
            CategoryEncoding::Lightgbm | CategoryEncoding::Exact(_) | CategoryEncoding::Listed(_)
        );
        compares && self.cells == CategoryCells::Typed && self.categories.value_type == CategoryType::Text
    }

    /// True if a raw value stands for a cell that is no category.
    pub(super) fn is_unseen(&self, raw: f64) -> bool {
        raw.is_nan() || self.categories.encoding.no_category() == Some(raw)
    }

    /// The raw value of a missing cell. CatBoost has no missing categories, only a category that is called so.
    fn read_missing(&self, row: usize) -> Result<f64, DataError> {
        match (&self.categories.encoding, self.by_name.get("nan")) {
            (CategoryEncoding::Position, Some(code)) => Ok(self.raw(*code)),
            (CategoryEncoding::Position, None) => Err(self.misfit(CategoryCell::Missing, row, Misfit::Missing)),
            _ => Ok(f64::NAN),
        }
    }

    fn read_name(&self, name: &str, row: usize) -> Result<f64, DataError> {
        match self.by_name.get(name) {
            Some(code) => Ok(self.raw(*code)),
            None => self.unseen(name, row),
        }
    }

    fn read_number(&self, number: f64, row: usize) -> Result<f64, DataError> {
        if number.abs() > LARGEST_WHOLE && number.is_finite() {
            return Err(self.misfit(CategoryCell::Number(number), row, Misfit::Large));
        }
        let start = self.by_value.partition_point(|(value, _)| *value < number);
        match self.by_value.get(start).filter(|(value, _)| *value == number) {
            Some((_, code)) => Ok(self.raw(*code)),
            None => self.unseen(&number.to_string(), row),
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "codes are far below 2⁵³")]
    fn raw(&self, code: usize) -> f64 {
        match self.categories.encoding.values() {
            Some(values) => values.get(code).copied().unwrap_or(f64::NAN),
            None => code as f64,
        }
    }

    /// The raw value of a category that was not seen in training, if the library takes it.
    pub(super) fn unseen(&self, text: &str, row: usize) -> Result<f64, DataError> {
        match self.categories.encoding {
            // Some versions take the next known category instead: nothing to rely on.
            CategoryEncoding::Xgboost => Err(self.misfit(CategoryCell::Text(text), row, Misfit::Unknown)),
            CategoryEncoding::Lightgbm | CategoryEncoding::Exact(_) => Ok(f64::NAN),
            CategoryEncoding::Position | CategoryEncoding::Listed(_) => {
                Ok(self.categories.encoding.no_category().unwrap_or(f64::NAN))
            }
        }
    }

    pub(super) fn misfit(&self, cell: CategoryCell<'_>, row: usize, misfit: Misfit) -> DataError {
        let text = spelt(cell).unwrap_or_default();
        DataError::Cell { column: self.column.to_owned(), row, text, misfit, known: self.known() }
    }

    /// Some of the model's categories.
    fn known(&self) -> String {
        let names = &self.categories.names;
        let mut known = names.iter().take(LISTED).map(|name| treeproof_data::error::quote(name)).collect::<Vec<_>>();
        if names.len() > LISTED {
            known.push(format!("{} more", names.len() - LISTED));
        }
        known.join(", ")
    }
}

impl CategoryCell<'_> {
    /// A number of an array; NaN is missing.
    pub(super) fn of_number(number: f64) -> Self {
        if number.is_nan() { Self::Missing } else { Self::Number(number) }
    }

    /// A truth value as 1 or 0; NaN is missing.
    pub(super) fn of_truth(number: f64) -> Self {
        if number.is_nan() { Self::Missing } else { Self::Truth(number != 0.0) }
    }

    /// A number or truth value as a number.
    fn number(self) -> f64 {
        match self {
            Self::Number(number) => number,
            Self::Truth(truth) => f64::from(u8::from(truth)),
            Self::Missing | Self::Text(_) => f64::NAN,
        }
    }
}

/// A cell as pandas writes it; `None` if it is missing.
fn spelt(cell: CategoryCell<'_>) -> Option<String> {
    match cell {
        CategoryCell::Missing => None,
        CategoryCell::Text(text) => Some(text.to_owned()),
        CategoryCell::Number(number) => Some(number.to_string()),
        CategoryCell::Truth(truth) => Some(if truth { "True" } else { "False" }.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn categories(encoding: CategoryEncoding, value_type: CategoryType, names: &[&str]) -> Categories {
        Categories { encoding, names: names.iter().map(|name| (*name).to_owned()).collect(), value_type }
    }

    fn read(categories: &Categories, cells: CategoryCells, cell: CategoryCell<'_>) -> Result<f64, String> {
        CategoryReader::new(categories, "c", cells).read(cell, 4).map_err(|error| error.to_string())
    }

    fn typed(categories: &Categories, cell: CategoryCell<'_>) -> Result<f64, String> {
        read(categories, CategoryCells::Typed, cell)
    }

    #[test]
    fn a_cell_is_a_category_of_its_own_type() {
        use CategoryType::{Number, Text, Truth};
        let words = categories(CategoryEncoding::Lightgbm, Text, &["False", "1", " b"]);
        assert_eq!(
            (typed(&words, CategoryCell::Text("1")), typed(&words, CategoryCell::Text(" b"))),
            (Ok(1.0), Ok(2.0))
        );
        for other in
            [CategoryCell::Text("b"), CategoryCell::Text("1.0"), CategoryCell::Number(1.0), CategoryCell::Truth(false)]
        {
            assert!(typed(&words, other).unwrap().is_nan(), "{other:?}");
        }
        let numbers = categories(CategoryEncoding::Lightgbm, Number, &["3", "1.5", "7"]);
        assert_eq!(
            (typed(&numbers, CategoryCell::Number(7.0)), typed(&numbers, CategoryCell::Number(1.5))),
            (Ok(2.0), Ok(1.0))
        );
        for other in [CategoryCell::Text("7"), CategoryCell::Number(2.0), CategoryCell::Truth(true)] {
            assert!(typed(&numbers, other).unwrap().is_nan(), "{other:?}");
        }
        let bits = categories(CategoryEncoding::Lightgbm, Number, &["0", "1"]);
        assert!(typed(&bits, CategoryCell::Truth(true)).is_err(), "to Python, [False, True] == [0, 1]");
        let truths = categories(CategoryEncoding::Lightgbm, Truth, &["True", "False"]);
        assert_eq!(
            (typed(&truths, CategoryCell::Truth(true)), typed(&truths, CategoryCell::Truth(false))),
            (Ok(0.0), Ok(1.0))
        );
        assert!(
            typed(&truths, CategoryCell::Number(1.0)).is_err()
                && typed(&truths, CategoryCell::Number(2.0)).unwrap().is_nan()
        );
    }

    #[test]
    fn xgboost_takes_no_other_type_and_no_other_category() {
        let words = categories(CategoryEncoding::Xgboost, CategoryType::Text, &["a", "b"]);
        let error = typed(&words, CategoryCell::Text("z")).unwrap_err();
        assert_eq!(error, "column `c`, row 4: the model knows no category `z`; it knows `a`, `b`");
        let error = typed(&words, CategoryCell::Number(1.0)).unwrap_err();
        assert!(
            error.starts_with("column `c`, row 4: `1` is no text") && error.contains("--categories codes"),
            "{error}"
        );
        assert!(typed(&words, CategoryCell::Truth(true)).is_err());
        let numbers = categories(CategoryEncoding::Xgboost, CategoryType::Number, &["3", "9007199254740992"]);
        assert_eq!(typed(&numbers, CategoryCell::Number(3.0)), Ok(0.0));
        for number in [9_007_199_254_740_992.0, 9_007_199_254_740_994.0] {
            assert!(typed(&numbers, CategoryCell::Number(number)).is_err(), "may be a neighbour");
        }
        assert!(typed(&numbers, CategoryCell::Text("3")).is_err());
    }

    #[test]
    fn scikit_learn_compares_truth_values_as_numbers() {
        let numbers = categories(CategoryEncoding::Exact(vec![0.0, 1.0]), CategoryType::Truth, &["False", "True"]);
        assert_eq!(
            (typed(&numbers, CategoryCell::Truth(true)), typed(&numbers, CategoryCell::Number(0.0))),
            (Ok(1.0), Ok(0.0))
        );
        assert!(typed(&numbers, CategoryCell::Text("True")).unwrap().is_nan());
        let words = categories(CategoryEncoding::Exact(vec![10.0, 20.0]), CategoryType::Text, &["a", "b"]);
        assert_eq!(typed(&words, CategoryCell::Text("b")), Ok(20.0));
        assert!(
            typed(&words, CategoryCell::Text("z")).unwrap().is_nan()
                && typed(&words, CategoryCell::Missing).unwrap().is_nan()
        );
        assert!(typed(&words, CategoryCell::Number(1.0)).is_err());
    }

    #[test]
    fn catboost_makes_texts_of_whole_numbers_and_truth_values() {
        let words = categories(CategoryEncoding::Position, CategoryType::Text, &["a", "1", "True"]);
        assert_eq!(
            (typed(&words, CategoryCell::Number(1.0)), typed(&words, CategoryCell::Truth(true))),
            (Ok(1.0), Ok(1.0))
        );
        assert_eq!(
            (typed(&words, CategoryCell::Text("True")), typed(&words, CategoryCell::Text("z"))),
            (Ok(2.0), Ok(-1.0))
        );
        assert!(typed(&words, CategoryCell::Number(1.5)).is_err() && typed(&words, CategoryCell::Missing).is_err());
        let with_nan = categories(CategoryEncoding::Position, CategoryType::Text, &["a", "nan"]);
        assert_eq!(typed(&with_nan, CategoryCell::Missing), Ok(1.0));
    }

    #[test]
    fn codes_and_texts_on_request() {
        let words = categories(CategoryEncoding::Lightgbm, CategoryType::Text, &["a", "1"]);
        assert_eq!(read(&words, CategoryCells::Codes, CategoryCell::Number(0.0)), Ok(0.0));
        assert_eq!(read(&words, CategoryCells::Text, CategoryCell::Number(1.0)), Ok(1.0));
        let of_array = |categories: &Categories, cells, number| {
            CategoryReader::of_array(categories, "c", cells).read(CategoryCell::Number(number), 0).unwrap()
        };
        assert_eq!(of_array(&words, CategoryCells::Typed, 1.0), 1.0);
        let catboost = categories(CategoryEncoding::Position, CategoryType::Text, &["a", "7"]);
        assert_eq!(of_array(&catboost, CategoryCells::Typed, 7.0), 1.0, "a text");
        assert_eq!(of_array(&catboost, CategoryCells::Codes, 1.0), 1.0, "a code on request");
        let mixed = categories(CategoryEncoding::Lightgbm, CategoryType::Mixed, &["a", "1"]);
        assert!(typed(&mixed, CategoryCell::Text("a")).is_err());
        assert_eq!(read(&mixed, CategoryCells::Codes, CategoryCell::Number(1.0)), Ok(1.0));
        let nameless = categories(CategoryEncoding::Lightgbm, CategoryType::Text, &[]);
        assert_eq!(
            (typed(&nameless, CategoryCell::Number(3.0)), typed(&nameless, CategoryCell::Truth(true))),
            (Ok(3.0), Ok(1.0))
        );
        assert!(typed(&nameless, CategoryCell::Text("a")).is_err());
        assert_eq!(
            read(&nameless, CategoryCells::Text, CategoryCell::Number(3.0)),
            Ok(3.0),
            "without names there is no other"
        );
    }
}
