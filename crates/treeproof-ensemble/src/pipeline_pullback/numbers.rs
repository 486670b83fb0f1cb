//! A column of numbers, pulled back: the input numbers that a test of the model sends left.
//!
//! Every step is a monotone function of numbers, also as rounded, apart from a few numbers that it treats
//! specially. Between these, the model's reading
//! rises with the input, and a comparison changes its outcome at one double, which bisection finds exactly.

use super::column::{self, DerivedColumn, Operation, Refusal};
use super::value::CellValue;
use crate::ensemble::Ensemble;
use crate::float::bisect;
use crate::input::{Absent, Feature, Reading};
use crate::tree::{Side, Split, Test, Tree};

/// The reading of one column of the model from the input value.
pub(super) struct FeatureReader<'m> {
    model: &'m Ensemble,
    /// `None` for a dropped column.
    feature: Option<&'m Feature>,
    pub(super) column: &'m DerivedColumn,
    /// True if the model reads a zero as missing, because sparse data leaves it out.
    zero_is_missing: bool,
}

impl<'m> FeatureReader<'m> {
    pub(super) fn new(
        model: &'m Ensemble,
        feature: Option<&'m Feature>,
        column: &'m DerivedColumn,
        is_sparse: bool,
    ) -> Self {
        Self { model, feature, column, zero_is_missing: is_sparse && model.input().absent == Absent::Missing }
    }

    /// The reading of an input value; an error if a step or the model refuses it.
    pub(super) fn read(&self, value: &CellValue) -> Result<Reading, Refusal> {
        if self.feature.is_none() {
            return column::apply(&self.column.operations, value).map(|_| Reading::Missing);
        }
        self.read_number(column::number(&column::apply(&self.column.operations, value)?)?)
    }

    pub(super) fn read_number(&self, number: f64) -> Result<Reading, Refusal> {
        let number = if self.zero_is_missing && number == 0.0 { f64::NAN } else { number };
        match self.feature {
            Some(feature) => self.model.input().read(feature, number).map_err(|_| Refusal::Refused),
            None => Ok(Reading::Missing),
        }
    }
}

/// A numeric column of the model over the numbers of the input.
pub(super) struct NumericReadings<'m> {
    reader: FeatureReader<'m>,
    /// Starts of pieces, ascending, the first at −∞: on each piece the reading is monotone, or missing, or refused.
    starts: Vec<f64>,
}

impl<'m> NumericReadings<'m> {
    pub(super) fn new(reader: FeatureReader<'m>) -> Self {
        let mut readings = Self { reader, starts: vec![f64::NEG_INFINITY] };
        for place in 0..readings.reader.column.operations.len() {
            let before = &readings.reader.column.operations[..place];
            let at = |x: f64| number_at(before, x);
            let special = readings.reader.column.operations[place].special();
            readings.starts = cut(&readings.starts, &special, &at);
        }
        let Some(feature) = readings.reader.feature else { return readings };
        let rules = readings.reader.model.input();
        let all = &readings.reader.column.operations;
        let given = |x: f64| number_at(all, x);
        let rounded = |x: f64| number_at(all, x).map(|number| rules.precision.round(number));
        let mut own: Vec<f64> = feature.accepts.between.iter().flatten().map(|end| end.0).collect();
        own.extend(readings.reader.zero_is_missing.then_some(0.0));
        readings.starts = cut(&readings.starts, &own, &given);
        let mut own: Vec<f64> = rules.missing_value.into_iter().collect();
        own.extend([f64::NEG_INFINITY, f64::INFINITY]);
        readings.starts = cut(&readings.starts, &own, &rounded);
        readings
    }

    /// The least and the greatest accepted number; `None` without any, an error if some between them are refused.
    pub(super) fn accepted(&self) -> Result<Option<(f64, f64)>, ()> {
        let is_accepted: Vec<bool> =
            self.starts.iter().map(|start| self.reader.read(&CellValue::Number(*start)).is_ok()).collect();
        let Some(first) = is_accepted.iter().position(|accepted| *accepted) else { return Ok(None) };
        let end = is_accepted.iter().rposition(|accepted| *accepted).map_or(first, |last| last + 1);
        if !is_accepted[first..end].iter().all(|accepted| *accepted) {
            return Err(());
        }
        let last = self.starts.get(end).map_or(f64::INFINITY, |next| next.next_down());
        Ok(Some((self.starts[first], last)))
    }

    /// The reading of a missing input.
    pub(super) fn missing(&self, missing: &CellValue) -> Option<Reading> {
        self.reader.read(missing).ok()
    }

    /// The sides of the numbers of a range, each from a number on; sides alternate.
    pub(super) fn sides(&self, tree: &Tree, split: &Split, (low, high): (f64, f64)) -> Vec<(f64, Side)> {
        let read = |x: f64| match self.reader.read(&CellValue::Number(x)) {
            Ok(Reading::Number(number)) => Some(number),
            _ => None,
        };
        let mut special: Vec<f64> = split.zero.iter().map(|_| 0.0).collect();
        match split.test {
            Test::Below(threshold) => special.push(threshold),
            Test::OneOf(set) => special.extend(tree.value_set(set)),
            Test::Present | Test::InSet(_) => {}
        }
        let starts = cut(&self.starts, &special, &read);
        let mut sides: Vec<(f64, Side)> = vec![];
        for (place, start) in starts.iter().enumerate() {
            let end = starts.get(place + 1).map_or(f64::INFINITY, |next| next.next_down());
            if end < low || *start > high {
                continue;
            }
            // Refused numbers are outside the range.
            let Ok(reading) = self.reader.read(&CellValue::Number(*start)) else { continue };
            let side = tree.side(split, reading);
            if sides.last().is_none_or(|(_, last)| *last != side) {
                sides.push((if sides.is_empty() { f64::NEG_INFINITY } else { *start }, side));
            }
        }
        sides
    }
}

/// The result of operations on a number, unless refused or NaN.
fn number_at(operations: &[Operation], x: f64) -> Option<f64> {
    let value = column::apply(operations, &CellValue::Number(x)).ok()?;
    column::number(&value).ok().filter(|number| !number.is_nan())
}

/// Cuts pieces at the inputs where a function, monotone or undefined on each piece, reaches or passes one of some numbers.
fn cut(starts: &[f64], special: &[f64], function: &dyn Fn(f64) -> Option<f64>) -> Vec<f64> {
    if special.is_empty() {
        return starts.to_vec();
    }
    let mut special = special.to_vec();
    special.sort_unstable_by(f64::total_cmp);
    let mut cuts = starts.to_vec();
    for (place, start) in starts.iter().enumerate() {
        let end = starts.get(place + 1).map_or(f64::INFINITY, |next| next.next_down());
        let Some((least, greatest)) = function(*start).zip(function(end)) else { continue };
        if least == greatest {
            continue;
        }
        let reached =
            special.partition_point(|number| *number < least)..special.partition_point(|number| *number <= greatest);
        for number in &special[reached] {
            cuts.extend(first(*start, end, &|x| function(x).is_some_and(|y| y >= *number)));
            cuts.extend(first(*start, end, &|x| function(x).is_some_and(|y| y > *number)));
        }
    }
    // Both zeros are one number.
    cuts.iter_mut().for_each(|cut| *cut += 0.0);
    cuts.sort_unstable_by(f64::total_cmp);
    cuts.dedup();
    cuts
}

/// The first double in a range for which a predicate holds that, once true, stays true.
fn first(low: f64, high: f64, holds: &dyn Fn(f64) -> bool) -> Option<f64> {
    if holds(low) {
        return Some(low);
    }
    if !holds(high) {
        return None;
    }
    Some(bisect(low, high, |x| !holds(x)).1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn bisection_finds_the_first(threshold in any::<f64>()) {
            prop_assume!(!threshold.is_nan());
            let found = first(f64::NEG_INFINITY, f64::INFINITY, &|x| x >= threshold).unwrap();
            prop_assert_eq!(found, threshold);
        }
    }
}
