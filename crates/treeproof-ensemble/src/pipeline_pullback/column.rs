//! A column of the model as a function of one input column of the pipeline.

use std::collections::HashMap;
use std::sync::Arc;

use super::value::{CellValue, Constant, Key};
use crate::error::LoadError;

/// A column derived from one input column.
#[derive(Clone, Debug)]
pub(super) struct DerivedColumn {
    /// The index of the input column.
    pub(super) source: usize,
    pub(super) operations: Vec<Operation>,
    /// True if its numbers are `f32`, in which a later step would compute.
    pub(super) is_single: bool,
}

/// One operation on a value, in the arithmetic of `f64`.
#[derive(Clone, Debug)]
pub(super) enum Operation {
    Subtract(f64),
    Divide(f64),
    Multiply(f64),
    Add(f64),
    Clip(f64, f64),
    /// Refuses infinite numbers.
    Finite,
    /// Refuses NaN.
    NotNan,
    /// Replaces a value by another.
    Fill {
        missing: CellValue,
        fill: CellValue,
    },
    /// 1 for this value, else 0.
    Is(CellValue),
    /// 1 if the category has this output, else 0.
    Indicate(Arc<OneHotOutputs>, usize),
    /// The number of a category.
    Encode(Arc<EncoderColumn<f64>>),
}

/// The column of an encoder: the code of each category, an output if it is one-hot and a number if it is ordinal.
#[derive(Debug)]
pub(super) struct EncoderColumn<T> {
    places: HashMap<Key, usize>,
    codes: Vec<T>,
    /// `None` if any other value is refused.
    unknown: Option<T>,
    categories: Vec<Constant>,
}

/// The outputs of a one-hot encoder's column; a category may have none.
pub(super) type OneHotOutputs = EncoderColumn<Option<usize>>;

/// The reason why a value is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// A step refuses it.
    Refused,
    /// It is a text in place of a number.
    Text,
}

impl Operation {
    pub(super) fn apply(&self, value: &CellValue) -> Result<CellValue, Refusal> {
        let number = |compute: &dyn Fn(f64) -> f64| Ok(CellValue::Number(compute(number(value)?)));
        match self {
            Self::Subtract(by) => number(&|number| number - by),
            Self::Divide(by) => number(&|number| number / by),
            Self::Multiply(by) => number(&|number| number * by),
            Self::Add(by) => number(&|number| number + by),
            // Unlike `f64::clamp`, whatever the order of the ends.
            Self::Clip(low, high) => {
                number(&|number| if number.is_nan() { number } else { number.max(*low).min(*high) })
            }
            Self::Finite if matches!(value, CellValue::Number(number) if number.is_infinite()) => Err(Refusal::Refused),
            Self::NotNan if value.is_nan() => Err(Refusal::Refused),
            Self::Finite | Self::NotNan => Ok(value.clone()),
            Self::Fill { missing, fill } => Ok(if value.is_same(missing) { fill.clone() } else { value.clone() }),
            Self::Is(missing) => Ok(CellValue::Number(f64::from(u8::from(value.is_same(missing))))),
            Self::Indicate(outputs, output) => {
                let own = outputs.of(value).ok_or(Refusal::Refused)?;
                Ok(CellValue::Number(f64::from(u8::from(own == Some(*output)))))
            }
            Self::Encode(codes) => codes.of(value).map(CellValue::Number).ok_or(Refusal::Refused),
        }
    }

    /// The numbers that it treats specially: between two of them, and beyond, it is monotone.
    pub(super) fn special(&self) -> Vec<f64> {
        let numbers = |categories: &mut dyn Iterator<Item = &Constant>| {
            let number = |known: &Constant| match known.value {
                CellValue::Number(number) if !number.is_nan() => Some(number),
                _ => None,
            };
            categories.filter_map(number).collect()
        };
        match self {
            Self::Finite => vec![f64::NEG_INFINITY, f64::INFINITY],
            Self::Fill { missing: CellValue::Number(number), .. } | Self::Is(CellValue::Number(number))
                if !number.is_nan() =>
            {
                vec![*number]
            }
            Self::Indicate(outputs, output) => {
                let is_alike = |own: Option<usize>| (own == Some(*output)) == (outputs.unknown == Some(Some(*output)));
                let own = outputs.categories.iter().zip(&outputs.codes).filter(|(_, own)| !is_alike(**own));
                numbers(&mut own.map(|(known, _)| known))
            }
            Self::Encode(codes) => numbers(&mut codes.categories.iter()),
            _ => vec![],
        }
    }

    /// The categories of an encoder.
    pub(super) fn categories(&self) -> Option<&[Constant]> {
        match self {
            Self::Indicate(outputs, _) => Some(&outputs.categories),
            Self::Encode(codes) => Some(&codes.categories),
            _ => None,
        }
    }

    /// True for an encoder that refuses unknown values.
    pub(super) fn refuses_unknown(&self) -> bool {
        match self {
            Self::Indicate(outputs, _) => outputs.unknown.is_none(),
            Self::Encode(codes) => codes.unknown.is_none(),
            _ => false,
        }
    }

    /// True if it may refuse a value.
    pub(super) fn refuses(&self) -> bool {
        matches!(self, Self::Finite | Self::NotNan) || self.refuses_unknown()
    }

    /// True if it changes numbers other than special ones.
    pub(super) fn computes(&self) -> bool {
        matches!(self, Self::Subtract(_) | Self::Divide(_) | Self::Multiply(_) | Self::Add(_) | Self::Clip(..))
    }
}

impl<T: Copy> EncoderColumn<T> {
    /// A column with one code for each category.
    pub(super) fn new(categories: &[Constant], codes: Vec<T>, unknown: Option<T>) -> Result<Self, LoadError> {
        let refuse = |what: String| Err(LoadError::malformed("", what));
        let is_infinite = |known: &Constant| matches!(known.value, CellValue::Number(number) if number.is_infinite());
        if categories.iter().any(is_infinite) {
            return refuse("a category is infinite".into());
        }
        if codes.len() != categories.len() {
            return refuse(format!("{} entries for {} categories", codes.len(), categories.len()));
        }
        let mut places = HashMap::with_capacity(categories.len());
        for (place, known) in categories.iter().enumerate() {
            if places.insert(known.value.key(), place).is_some() {
                return refuse(format!("the category {} is listed twice", known.name));
            }
        }
        Ok(Self { places, codes, unknown, categories: categories.to_vec() })
    }

    /// The code of a value, if it is not refused.
    pub(super) fn of(&self, value: &CellValue) -> Option<T> {
        match self.places.get(&value.key()) {
            Some(place) => Some(self.codes[*place]),
            None => self.unknown,
        }
    }
}

/// Applies operations in order.
pub(super) fn apply(operations: &[Operation], value: &CellValue) -> Result<CellValue, Refusal> {
    let mut value = value.clone();
    for operation in operations {
        value = operation.apply(&value)?;
    }
    Ok(value)
}

/// A value as the number that the model reads.
pub(super) fn number(value: &CellValue) -> Result<f64, Refusal> {
    match value {
        CellValue::Number(number) => Ok(*number),
        // As numpy converts it.
        CellValue::PythonNone => Ok(f64::NAN),
        CellValue::Text(_) => Err(Refusal::Text),
    }
}
