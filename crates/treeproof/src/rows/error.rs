//! Errors between a table and a model. Each message is one line: what, where, what to do.
//! Rows are counted from 0, as in every answer about data.

use thiserror::Error;
use treeproof_data::error::quote;
use treeproof_ensemble::input::CategoryType;

/// A table does not suit a model.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum DataError {
    /// Some features of the model have a column of their name, this one has none.
    #[error("the data has no column {}{}", quote(feature), or_rename(suggestion.as_deref()))]
    MissingColumn {
        /// The name of the feature.
        feature: String,
        /// The column that may be meant.
        suggestion: Option<String>,
    },
    /// Columns are matched by position, but there are too many or too few.
    #[error("the data has {columns} columns, the model has {features} features{hint}")]
    Width {
        /// The number of columns, the label not counted.
        columns: usize,
        /// The number of features of the model.
        features: usize,
        /// Why the columns were counted, and what may be wrong.
        hint: String,
    },
    /// Several columns have the name of one feature.
    #[error("the data has more than one column {}; keep one of them", quote(name))]
    RepeatedColumn {
        /// The name.
        name: String,
    },
    /// There is no label column of this name.
    #[error("the data has no label column {}{hint}", quote(name))]
    NoLabel {
        /// The name that was asked for.
        name: String,
        /// The column that may be meant, or the last ones.
        hint: String,
    },
    /// A column holds neither numbers nor texts.
    #[error("column {}: not supported: {reason}", quote(column))]
    Refused {
        /// The name of the column.
        column: String,
        /// The kind of its values.
        reason: String,
    },
    /// The column of labels has no labels.
    #[error("the column of labels: {reason}")]
    Labels {
        /// Why.
        reason: String,
    },
    /// A column of pandas' type `category` where the model has numbers.
    #[error(
        "column {}: is of pandas' type category, of which the model's library would take the codes or nothing; give it as \
         numbers, its values or its codes, whichever the model was trained on",
        quote(column)
    )]
    Coded {
        /// The name of the column.
        column: String,
    },
    /// A cell that cannot be read for its feature.
    #[error("column {}, row {row}: {}", quote(column), misfit.says(&quote(text), known))]
    Cell {
        /// The name of the column.
        column: String,
        /// The row.
        row: usize,
        /// The cell; empty if it is missing.
        text: String,
        /// The reason.
        misfit: Misfit,
        /// Some categories of the model.
        known: String,
    },
    /// A sparse row names a column that the model does not have.
    #[error("row {row}: index {index} in data that counts from {base}, but the model has {features} features")]
    Index {
        /// The row.
        row: usize,
        /// The index as the file writes it.
        index: u32,
        /// The index of the first feature.
        base: u32,
        /// The number of features of the model.
        features: usize,
    },
    /// The matrix does not fit into memory.
    #[error("{rows} rows of {features} numbers do not fit into memory; split the file")]
    TooLarge {
        /// The number of rows.
        rows: usize,
        /// The number of features of the model.
        features: usize,
    },
}

/// The reason why a cell cannot be read for its feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Misfit {
    /// A text in the column of a numeric feature.
    NoNumber,
    /// A category that the model does not know and its library does not accept.
    Unknown,
    /// A category by name, but the model knows its categories by number only.
    Nameless,
    /// A missing category, for which the library demands a name.
    Missing,
    /// The categories are values of this other type, and the library refuses the cell.
    Type(CategoryType),
    /// The categories are values of several types, or have lost their names.
    Mixed,
    /// The library takes whole numbers and texts only.
    Fraction,
    /// A whole number that doubles do not tell from its neighbours.
    Large,
    /// A category by its spelling, and something else as pandas reads the column.
    Spelling,
}

impl Misfit {
    fn says(self, text: &str, known: &str) -> String {
        let codes = "--categories codes if the column holds category codes";
        match self {
            Self::NoNumber => format!("{text} is not a number (for a missing value leave the cell empty)"),
            Self::Unknown => format!("the model knows no category {text}; it knows {known}"),
            Self::Nameless => {
                format!("{text} is a name, but the model knows its categories by number only; write their codes")
            }
            Self::Missing => {
                "a missing category, which the model's library refuses; write the name used in training".to_owned()
            }
            Self::Type(value_type) => {
                let (one, several) = match value_type {
                    CategoryType::Number => ("number", "numbers"),
                    CategoryType::Truth => ("truth value", "truth values"),
                    CategoryType::Text | CategoryType::Mixed => ("text", "texts"),
                };
                let by_spelling = match value_type {
                    CategoryType::Text => "--categories text to match it by its spelling, ",
                    _ => "",
                };
                format!(
                    "{text} is no {one}, but the model's categories are {several}: {known}; say {by_spelling}{codes}"
                )
            }
            Self::Mixed => format!(
                "{text} cannot be matched: the model's categories are of several types, or texts beyond ASCII that XGBoost does not keep \
                 whole; say {codes}"
            ),
            Self::Fraction => format!(
                "{text} is no whole number, and the model's library takes only whole numbers and texts as categories; write \
                 the category's name"
            ),
            Self::Large => format!("{text} is too large to be told from its neighbours; say {codes}"),
            Self::Spelling => format!(
                "{text} is spelt like a category, but pandas.read_csv does not read it as that text; say --categories text to \
                 match cells by their spelling, {codes}"
            ),
        }
    }
}

fn or_rename(suggestion: Option<&str>) -> String {
    match suggestion {
        Some(name) => format!("; did you mean {}?", quote(name)),
        None => "; columns are matched by name: add it, or rename one".to_owned(),
    }
}
