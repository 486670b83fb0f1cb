//! A column of categories, pulled back: the input categories that a test of the model sends left.
//!
//! All of the finitely many categories are tried, besides a missing value and a value outside all categories.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use super::column::{self, OneHotOutputs, Operation, Refusal};
use super::numbers::FeatureReader;
use super::value::CellValue;
use crate::input::Reading;
use crate::tree::{Side, Split, Tree};

/// The values of an input column that its steps tell apart.
pub(super) struct KnownValues {
    /// The categories, by code.
    pub(super) values: Vec<CellValue>,
    /// The missing value.
    pub(super) missing: CellValue,
    /// A value outside all categories.
    pub(super) unknown: CellValue,
}

/// The readings of one column of the model, by input value.
#[derive(Debug)]
pub(super) struct CategoryReadings {
    /// The reading of every category that is not listed; `None` if refused.
    others: Option<Reading>,
    /// The readings of some categories by code, ascending.
    listed: Vec<(u32, Option<Reading>)>,
    pub(super) missing: Option<Reading>,
    pub(super) unknown: Option<Reading>,
}

/// A partition of the codes into a set and the others, with their sides.
pub(super) struct CategoryPartition {
    /// The codes of the set, in the original numbering.
    pub(super) codes: Vec<u32>,
    /// The side of the set.
    pub(super) inside: Side,
}

/// A cache of encoders by address: an encoder has one column for every output.
#[derive(Default)]
pub(super) struct EncoderCache(HashMap<usize, Rc<ByOutput>>);

struct ByOutput {
    codes: HashMap<usize, Vec<u32>>,
    refused: Vec<u32>,
    missing: Option<Option<usize>>,
    unknown: Option<Option<usize>>,
}

impl CategoryReadings {
    /// The readings; an error if texts reach the model.
    pub(super) fn new(
        reader: &FeatureReader<'_>,
        known: &KnownValues,
        encoded: &mut EncoderCache,
    ) -> Result<Self, Refusal> {
        let operations = &reader.column.operations;
        let indicator = operations.iter().position(|operation| matches!(operation, Operation::Indicate(..)));
        let Some((place, Operation::Indicate(outputs, output))) = indicator.map(|place| (place, &operations[place]))
        else {
            let listed = (0..).zip(&known.values).map(|(code, value)| Ok((code, or_refused(reader.read(value))?)));
            return Ok(Self {
                others: None,
                listed: listed.collect::<Result<_, Refusal>>()?,
                missing: or_refused(reader.read(&known.missing))?,
                unknown: reader.read(&known.unknown).ok(),
            });
        };
        let by_output = encoded.of(outputs, &operations[..place], known)?;
        let read = |number: f64| -> Result<Option<Reading>, Refusal> {
            let value = column::apply(&operations[place + 1..], &CellValue::Number(number));
            or_refused(value.and_then(|value| reader.read_number(column::number(&value)?)))
        };
        let (zero, one) = (read(0.0)?, read(1.0)?);
        let of_output = |own: Option<Option<usize>>| own.and_then(|own| if own == Some(*output) { one } else { zero });
        let own = by_output.codes.get(output).into_iter().flatten().map(|code| (*code, one));
        let mut listed: Vec<(u32, Option<Reading>)> =
            own.chain(by_output.refused.iter().map(|code| (*code, None))).collect();
        listed.sort_unstable_by_key(|(code, _)| *code);
        let (missing, unknown) = (of_output(by_output.missing), of_output(by_output.unknown));
        Ok(Self { others: zero, listed, missing, unknown })
    }

    /// The categories that are refused, by code.
    pub(super) fn refused(&self, num_codes: usize) -> Vec<u32> {
        let listed = self.listed.iter().filter(|(_, reading)| reading.is_none()).map(|(code, _)| *code);
        if self.others.is_some() || self.listed.len() == num_codes {
            return listed.collect();
        }
        let is_accepted = |code: &u32| {
            let place = self.listed.binary_search_by_key(code, |(code, _)| *code);
            place.is_ok_and(|place| self.listed[place].1.is_some())
        };
        (0..u32::try_from(num_codes).unwrap_or(u32::MAX)).filter(|code| !is_accepted(code)).collect()
    }

    /// The partition of the codes by side; an empty set if all accepted ones share the side of values outside all categories.
    pub(super) fn part(&self, tree: &Tree, split: &Split, num_codes: usize, keeps_unknown: bool) -> CategoryPartition {
        let side = |reading: Reading| tree.side(split, reading);
        let own = |(code, reading): &(u32, Option<Reading>)| Some((*code, side((*reading)?)));
        let listed: Vec<(u32, Side)> = self.listed.iter().filter_map(own).collect();
        // Values outside all categories are in no set.
        let outside = match self.unknown.filter(|_| keeps_unknown) {
            Some(reading) => side(reading),
            None => self.others.map_or_else(|| more_frequent(&listed), side),
        };
        let others = self.others.map(side).filter(|_| self.listed.len() < num_codes);
        let inside = outside.opposite();
        let codes = match others {
            Some(others) if others == inside => {
                let is_outside = |code: &u32| {
                    let place = self.listed.binary_search_by_key(code, |(code, _)| *code);
                    place.is_ok_and(|place| self.listed[place].1.is_none_or(|reading| side(reading) == outside))
                };
                (0..u32::try_from(num_codes).unwrap_or(u32::MAX)).filter(|code| !is_outside(code)).collect()
            }
            _ => listed.iter().filter(|(_, side)| *side == inside).map(|(code, _)| *code).collect(),
        };
        CategoryPartition { codes, inside }
    }
}

impl EncoderCache {
    fn of(
        &mut self,
        outputs: &Arc<OneHotOutputs>,
        before: &[Operation],
        known: &KnownValues,
    ) -> Result<Rc<ByOutput>, Refusal> {
        // An encoder's column has one column before it, so that its address is enough to know both.
        let address = Arc::as_ptr(outputs).addr();
        if let Some(found) = self.0.get(&address) {
            return Ok(Rc::clone(found));
        }
        let of = |value: &CellValue| -> Result<Option<Option<usize>>, Refusal> {
            Ok(or_refused(column::apply(before, value))?.and_then(|value| outputs.of(&value)))
        };
        let mut found = ByOutput {
            codes: HashMap::new(),
            refused: vec![],
            missing: of(&known.missing)?,
            unknown: of(&known.unknown).unwrap_or(None),
        };
        for (code, value) in (0..).zip(&known.values) {
            match of(value)? {
                Some(Some(output)) => found.codes.entry(output).or_default().push(code),
                Some(None) => {}
                None => found.refused.push(code),
            }
        }
        let found = Rc::new(found);
        self.0.insert(address, Rc::clone(&found));
        Ok(found)
    }
}

/// The larger part goes outside, so that sets are small.
fn more_frequent(sides: &[(u32, Side)]) -> Side {
    let left = sides.iter().filter(|(_, side)| *side == Side::Left).count();
    Side::from(2 * left > sides.len())
}

/// `None` for what a step refuses.
fn or_refused<T>(result: Result<T, Refusal>) -> Result<Option<T>, Refusal> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(Refusal::Refused) => Ok(None),
        Err(Refusal::Text) => Err(Refusal::Text),
    }
}
