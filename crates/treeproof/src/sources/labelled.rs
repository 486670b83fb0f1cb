//! Rows with their labels, made from a table.

use treeproof_data::{Column, Table};
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::label::ClassName;

use crate::rows::{DataError, RowOptions, Rows, label_column};

/// A message names so many classes.
const SHOWN: usize = 5;

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
/// If the column has neither numbers nor texts, or none of its labels is a class: they are of another kind, then.
pub fn class_names(column: &Column, ensemble: &Ensemble) -> Result<Vec<Option<ClassName>>, DataError> {
    let classes: Vec<ClassName> = (0..ensemble.num_margins().max(2)).map(|class| ensemble.class_name(class)).collect();
    // Truth is written as 1 here and as `True` there.
    let is_called = |class: &ClassName, text: &str| match class {
        ClassName::Bool(is_true) => {
            text.eq_ignore_ascii_case(&is_true.to_string()) || text == if *is_true { "1" } else { "0" }
        }
        class => class.to_string() == text,
    };
    let called = |text: &str| classes.iter().find(|class| is_called(class, text));
    // Truth values are equal to the numbers 0 and 1, as everywhere in Python.
    let number = |text: &str| if text == "True" { "1" } else { "0" };
    let find = |text: &str| match (called(text), column) {
        (None, Column::Truths(_)) => called(number(text)).cloned(),
        (class, _) => class.cloned(),
    };
    let texts: Vec<Option<String>> = match column {
        Column::Numbers(numbers) => {
            numbers.iter().map(|number| (!number.is_nan()).then(|| number.to_string())).collect()
        }
        Column::Truths(truths) => {
            let called = |truth: f64| if truth == 0.0 { "False" } else { "True" }.to_owned();
            truths.iter().map(|truth| (!truth.is_nan()).then(|| called(*truth))).collect()
        }
        Column::Texts(texts) | Column::Mixed(texts, _) => texts.iter().map(|text| text.map(str::to_owned)).collect(),
        Column::Refused(why) => return Err(DataError::Labels { reason: why.clone() }),
        _ => return Err(DataError::Labels { reason: "neither numbers nor texts".to_owned() }),
    };
    let labels: Vec<Option<ClassName>> = texts.iter().map(|text| text.as_deref().and_then(find)).collect();
    match texts.iter().flatten().next() {
        Some(text) if labels.iter().all(Option::is_none) => {
            let shown: Vec<String> = classes.iter().take(SHOWN).map(ToString::to_string).collect();
            let more = if classes.len() > SHOWN { ", …" } else { "" };
            let shown = shown.join(", ");
            let reason = format!("none is a class of the model: there is `{text}`, classes are {shown}{more}");
            Err(DataError::Labels { reason })
        }
        _ => Ok(labels),
    }
}
