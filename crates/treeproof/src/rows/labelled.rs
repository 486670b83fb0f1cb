//! Rows with their labels, made from a table.

use std::collections::HashMap;

use treeproof_data::{Column, MixedCells, Table};
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::label::ClassName;

use super::{DataError, RowOptions, Rows, label_column};

/// Limit on the classes that a message names.
const SHOWN: usize = 5;

/// Prefix of a text known to be no class.
const NO_CLASS: char = '\0';

/// Rows, and their labels if they have any.
#[derive(Clone, Debug)]
pub struct Labelled {
    /// The rows.
    pub rows: Rows,
    /// The label of each row.
    pub labels: Option<Vec<TrueLabel>>,
}

/// The label of a row in the data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TrueLabel {
    /// No label: the cell is empty. Such a row is neither right nor wrong.
    None,
    /// A class of the model.
    Class(ClassName),
    /// No class of the model, so that the model is wrong whatever it says.
    NoClass(String),
}

impl TrueLabel {
    /// True if a model with this answer is right; `None` if unknown.
    pub(crate) fn agrees(&self, said: Option<&ClassName>) -> Option<bool> {
        match self {
            Self::None => None,
            Self::Class(class) => said.map(|said| said == class),
            Self::NoClass(_) => said.map(|_| false),
        }
    }

    /// A text that [`class_names`] reads as this, in whatever company it stands.
    pub fn text(&self) -> Option<String> {
        match self {
            Self::None => None,
            Self::Class(class) => Some(class.to_string()),
            Self::NoClass(text) => Some(format!("{NO_CLASS}{}", text.trim_start_matches(NO_CLASS))),
        }
    }
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

/// The labels of a column as classes of the model. Labels match by what they say: the same text, the same number however it is
/// written, or the same truth value. What libraries take for equal, as 1, 1.0 and `True`, is equal here, too.
///
/// # Errors
/// If the column has neither numbers nor texts, or none of its labels is a class: they are of another kind, then.
pub fn class_names(column: &Column, ensemble: &Ensemble) -> Result<Vec<TrueLabel>, DataError> {
    let classes: Vec<ClassName> = (0..ensemble.num_margins().max(2)).map(|class| ensemble.class_name(class)).collect();
    let texts: Vec<Option<String>> = match column {
        Column::Numbers(numbers) => {
            numbers.iter().map(|number| (!number.is_nan()).then(|| number.to_string())).collect()
        }
        Column::Booleans(truths) => {
            let called = |truth: f64| if truth == 0.0 { "False" } else { "True" }.to_owned();
            truths.iter().map(|truth| (!truth.is_nan()).then(|| called(*truth))).collect()
        }
        Column::Texts(texts) | Column::Mixed(MixedCells { texts, .. }) => {
            texts.iter().map(|text| text.map(str::to_owned)).collect()
        }
        Column::Unsupported(why) => return Err(DataError::Labels { reason: why.clone() }),
        _ => return Err(DataError::Labels { reason: "neither numbers nor texts".to_owned() }),
    };
    // Few labels are of many rows.
    let mut known: HashMap<String, TrueLabel> = HashMap::new();
    let mut label = |text: Option<String>| {
        let Some(text) = text else { return TrueLabel::None };
        known.entry(text).or_insert_with_key(|text| read(&classes, text)).clone()
    };
    let labels: Vec<TrueLabel> = texts.into_iter().map(&mut label).collect();
    let is_class = |label: &TrueLabel| matches!(label, TrueLabel::Class(_));
    let strange = labels.iter().find_map(|label| match label {
        TrueLabel::NoClass(text) if !text.starts_with(NO_CLASS) => Some(text),
        _ => None,
    });
    match strange {
        Some(text) if !labels.iter().any(is_class) => {
            let shown: Vec<String> = classes.iter().take(SHOWN).map(ToString::to_string).collect();
            let more = if classes.len() > SHOWN { ", …" } else { "" };
            let shown = shown.join(", ");
            let reason = format!("none is a class of the model: there is `{text}`, classes are {shown}{more}");
            Err(DataError::Labels { reason })
        }
        _ => Ok(labels),
    }
}

/// The class of which a label speaks: by its text, else by the number, else by the truth value that it is.
fn read(classes: &[ClassName], text: &str) -> TrueLabel {
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    let truth = |text: &str| match text {
        _ if text.eq_ignore_ascii_case("true") => Some(true),
        _ if text.eq_ignore_ascii_case("false") => Some(false),
        _ => None,
    };
    // Truth is written as 1 here and as `True` there.
    let truth_of =
        |text: &str| truth(text).or(number(text).filter(|bit| *bit == 0.0 || *bit == 1.0).map(|bit| bit == 1.0));
    let (as_number, as_truth) = (number(text), truth(text));
    let is_same = |class: &&ClassName| class.to_string() == text;
    let is_number = |class: &&ClassName| as_number.is_some() && number(&class.to_string()) == as_number;
    let is_truth = |class: &&ClassName| {
        let of_class = truth_of(&class.to_string());
        of_class.is_some()
            && (as_truth == of_class || matches!(class, ClassName::Bool(_)) && truth_of(text) == of_class)
    };
    let found = classes.iter().find(is_same).or_else(|| classes.iter().find(is_number));
    let found = found.or_else(|| classes.iter().find(is_truth));
    found.map_or_else(|| TrueLabel::NoClass(text.to_owned()), |class| TrueLabel::Class(class.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Labels, and the places of the classes that they are.
    type Read<'a> = &'a [(&'a str, Option<usize>)];

    #[test]
    fn labels_match_what_libraries_take_for_equal() {
        let text = |name: &str| ClassName::Text(name.to_owned());
        let truths = [ClassName::Bool(false), ClassName::Bool(true)];
        let numbers = [ClassName::Int(0), ClassName::Int(1)];
        let cases: [(&[ClassName], Read<'_>); 6] = [
            (&[text("False"), text("True")], &[("True", Some(1)), ("false", Some(0)), ("no", None)]),
            (&[text("false"), text("true")], &[("True", Some(1)), ("False", Some(0))]),
            (&truths, &[("True", Some(1)), ("FALSE", Some(0)), ("1", Some(1)), ("0.0", Some(0)), ("2", None)]),
            (
                &numbers,
                &[("True", Some(1)), ("1", Some(1)), ("1.0", Some(1)), ("False", Some(0)), ("2", None), ("a", None)],
            ),
            (&[text("1.5"), text("2.0")], &[("2", Some(1)), ("1.50", Some(0))]),
            (&[text("1"), text("01")], &[("01", Some(1)), ("1", Some(0)), ("1.0", Some(0))]),
        ];
        for (classes, labels) in cases {
            for (label, place) in labels {
                let expected = place
                    .map_or(TrueLabel::NoClass((*label).to_owned()), |place| TrueLabel::Class(classes[place].clone()));
                assert_eq!(read(classes, label), expected, "{label} of {classes:?}");
            }
        }
    }
}
