//! Rows with their labels, made from a table.

use treeproof_data::{Column, Table};
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::label::ClassName;

use crate::rows::{DataError, RowOptions, Rows, label_column};

/// Rows, and their labels if they have any.
#[derive(Clone, Debug)]
pub struct Labelled {
    /// The rows.
    pub rows: Rows,
    /// The class of each row; none where it is no class of the model.
    pub labels: Option<Vec<Option<ClassName>>>,
}

impl Labelled {
    /// The rows of a table, and what a column of labels says.
    ///
    /// # Errors
    /// If the table is none for the model.
    pub fn of_table(table: &Table, ensemble: &Ensemble, options: &RowOptions) -> Result<Self, DataError> {
        let rows = Rows::from_table(table, ensemble, options)?;
        let column = options.label.as_deref().map(|name| label_column(table, name)).transpose()?;
        let labels = column.map(|column| class_names(column, ensemble)).transpose()?;
        Ok(Self { rows, labels })
    }
}

/// The labels of a column as classes of the model; none where it is none of them.
///
/// # Errors
/// If the column has neither numbers nor texts.
pub fn class_names(column: &Column, ensemble: &Ensemble) -> Result<Vec<Option<ClassName>>, DataError> {
    let classes: Vec<ClassName> = (0..ensemble.num_margins().max(2)).map(|class| ensemble.class_name(class)).collect();
    // Truth is written as 1 here and as `True` there.
    let is_called = |class: &ClassName, text: &str| match class {
        ClassName::Bool(is_true) => {
            text.eq_ignore_ascii_case(&is_true.to_string()) || text == if *is_true { "1" } else { "0" }
        }
        class => class.to_string() == text,
    };
    let find = |text: &str| classes.iter().find(|class| is_called(class, text)).cloned();
    match column {
        Column::Numbers(numbers) => Ok(numbers.iter().map(|number| find(&number.to_string())).collect()),
        Column::Texts(texts) => Ok(texts.iter().map(|text| text.and_then(find)).collect()),
        Column::Refused(why) => Err(DataError::Labels { reason: why.clone() }),
        _ => Err(DataError::Labels { reason: "neither numbers nor texts".to_owned() }),
    }
}
