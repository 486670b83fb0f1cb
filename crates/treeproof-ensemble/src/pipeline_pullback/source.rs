//! The kind of an input column, numbers or categories, inferred from its steps.

use std::collections::{HashMap, HashSet};

use super::categories::KnownValues;
use super::column::{DerivedColumn, Operation};
use super::value::{CellValue, Constant, Key};
use crate::error::LoadError;

/// The kind of an input column.
pub(super) enum InputKind {
    /// Numbers; NaN is missing.
    Numbers,
    /// Categories of an encoder.
    Categories {
        known: KnownValues,
        names: Vec<String>,
        /// The raw value of each.
        raws: Vec<f64>,
    },
}

impl InputKind {
    /// The kind of an input column from which all these are derived.
    pub(super) fn new(columns: &[&DerivedColumn]) -> Result<Self, LoadError> {
        let operations = || columns.iter().flat_map(|column| &column.operations);
        let mut constants: Vec<&Constant> = vec![];
        let mut seen: HashSet<*const Constant> = HashSet::new();
        for categories in operations().filter_map(Operation::categories) {
            // An encoder has a column for each category, and each lists them all.
            if seen.insert(categories.as_ptr()) {
                constants.extend(categories);
            }
        }
        let is_encoded = !seen.is_empty();
        let searched = operations().filter_map(|operation| match operation {
            Operation::Fill { missing, .. } | Operation::Is(missing) => Some(missing),
            _ => None,
        });
        let searched: Vec<&CellValue> = searched.collect();
        let fills = operations().filter_map(|operation| match operation {
            Operation::Fill { fill, .. } => Some(fill),
            _ => None,
        });
        let known = || constants.iter().map(|known| &known.value).chain(searched.iter().copied());
        let values: Vec<&CellValue> = known().chain(fills).collect();
        let has_texts = values.iter().any(|value| matches!(value, CellValue::Text(_)));
        let has_numbers = values.iter().any(|value| matches!(value, CellValue::Number(number) if !number.is_nan()));
        let refuse = |what: &str| Err(LoadError::unsupported("", what));
        if has_texts && has_numbers {
            return refuse("its steps know texts and numbers; make all of them texts, or all numbers");
        }
        let knows = |is_it: &dyn Fn(&CellValue) -> bool| known().any(is_it);
        let missing = match (knows(&CellValue::is_nan), knows(&|value| *value == CellValue::PythonNone)) {
            (true, true) => {
                return refuse("its steps tell None from NaN, and a model knows only one way to be missing");
            }
            (false, true) if has_texts => CellValue::PythonNone,
            (false, true) => return refuse("None in a column of numbers; use NaN for what is missing"),
            (_, false) => CellValue::Number(f64::NAN),
        };
        let is_category = has_texts || (is_encoded && is_enumerable(columns));
        if !is_category {
            return Ok(Self::Numbers);
        }
        if is_encoded && columns.iter().any(|column| is_computed_before_encoding(column)) {
            return refuse("an encoder after a scaler, which refuses what it does not know");
        }
        let mut places: HashMap<Key, usize> = HashMap::new();
        let (mut names, mut listed) = (vec![], vec![]);
        let mut add = |value: &CellValue, name: String| {
            let is_value = !value.is_nan() && *value != CellValue::PythonNone;
            if is_value && places.insert(value.key(), listed.len()).is_none() {
                listed.push(value.clone());
                names.push(name);
            }
        };
        constants.iter().for_each(|known| add(&known.value, known.name.clone()));
        for value in &searched {
            match value {
                CellValue::Text(text) => add(value, text.clone()),
                CellValue::Number(number) => add(value, number.to_string()),
                CellValue::PythonNone => {}
            }
        }
        let raw = |(code, value): (u32, &CellValue)| match value {
            CellValue::Number(number) => *number,
            _ => f64::from(code),
        };
        let raws: Vec<f64> = (0..).zip(&listed).map(raw).collect();
        let unknown = unknown(&listed, &places, has_texts);
        Ok(Self::Categories { known: KnownValues { values: listed, missing, unknown }, names, raws })
    }
}

/// True if only the numbers of an encoder need to be told apart: others are refused, or alike to all columns.
fn is_enumerable(columns: &[&DerivedColumn]) -> bool {
    let tells_few = |operation: &Operation| operation.categories().is_some() || matches!(operation, Operation::Is(_));
    let is_alike = |column: &&DerivedColumn| {
        let first = column.operations.iter().position(tells_few);
        first.is_some_and(|place| !column.operations[..place].iter().any(Operation::computes))
    };
    let mut operations = columns.iter().flat_map(|column| &column.operations);
    operations.any(Operation::refuses_unknown) || columns.iter().all(is_alike)
}

fn is_computed_before_encoding(column: &DerivedColumn) -> bool {
    let encoder = column.operations.iter().position(|operation| operation.categories().is_some());
    encoder.is_some_and(|place| column.operations[..place].iter().any(Operation::computes))
}

/// A value outside a list.
fn unknown(listed: &[CellValue], places: &HashMap<Key, usize>, has_texts: bool) -> CellValue {
    if has_texts {
        let longest = listed.iter().map(|value| if let CellValue::Text(text) = value { text.len() } else { 0 }).max();
        return CellValue::Text("?".repeat(longest.unwrap_or(0) + 1));
    }
    let mut numbers = (1..).map(|number: u32| CellValue::Number(-f64::from(number)));
    numbers.find(|number| !places.contains_key(&number.key())).unwrap_or(CellValue::Number(0.5))
}
