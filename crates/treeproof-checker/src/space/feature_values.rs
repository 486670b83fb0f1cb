//! The values that a feature may have, at one input or at two that share it.
//!
//! A value is one number for all models that read the feature; or a category that all of them know, by its name or, where
//! models have no names, by its raw value; or what is no category to all; or what is missing to all. A number that some model
//! reads as missing is allowed only where missing is, and what a library refuses is no value.

use std::collections::BTreeMap;

use treeproof_ensemble::input::{CategoryEncoding, Feature, InputRules, Reading};
use treeproof_proof::axis::Piece;
use treeproof_proof::statement::condition::Domain;

use crate::numbers::{Numbers, Range, merged, preimage};
use crate::space::category::{code_of, encoding};
use crate::space::cell_values::CellValues;

/// A model as the reader of a feature.
#[derive(Clone, Copy, Debug)]
pub struct FeatureReader<'a> {
    /// How the model's library reads values.
    pub input: &'a InputRules,
    /// The feature in that model.
    pub feature: &'a Feature,
}

/// The values that a feature may have.
#[derive(Clone, Debug, Default)]
pub struct FeatureValues {
    /// The numbers that all readers see as numbers.
    pub numbers: Numbers,
    /// The numbers that one of several readers sees as missing, and the others do not.
    pub partly: Vec<PartlyMissing>,
    /// The categories, by the first reader's codes, with the code that each reader has for it.
    pub codes: BTreeMap<u32, Vec<u32>>,
    /// True if it may be a value that is no category.
    pub unknown: bool,
    /// True if it may be missing to all readers.
    pub missing: bool,
}

/// Numbers that one of several readers sees as missing.
#[derive(Clone, Debug)]
pub struct PartlyMissing {
    /// The place of that reader.
    pub reader: usize,
    /// All that it reads as missing lies here.
    pub stretch: Range,
    /// Those that the others see as numbers.
    pub numbers: Numbers,
}

impl FeatureValues {
    /// The values that all of these domains allow and all readers accept; all are of one kind.
    pub fn new(domains: &[&Domain], readers: &[FeatureReader<'_>]) -> Self {
        let is_missing_allowed = domains.iter().all(|domain| match domain {
            Domain::Numbers { missing, .. } | Domain::Categories { missing, .. } => *missing,
        });
        let missing = is_missing_allowed && readers.iter().all(|own| own.input.takes_missing(own.feature));
        if readers.iter().all(|own| own.feature.is_category()) {
            return Self { missing, ..Self::categories(domains, readers) };
        }
        let mut numbers = Numbers::new([(f64::NEG_INFINITY, f64::INFINITY)], vec![]);
        for domain in domains {
            let Domain::Numbers { ranges, steps, .. } = domain else { return Self::default() };
            let ranges = ranges.iter().map(|(low, high)| (low.0, high.0));
            numbers = numbers.common(&Numbers::new(ranges, steps.clone()));
        }
        for FeatureReader { input, .. } in readers.iter().filter(|own| !own.input.accepts_infinite) {
            let largest = input.precision.largest();
            let accepted = preimage(|number| input.precision.round(number), (-largest, largest));
            numbers = accepted.map_or_else(Numbers::default, |accepted| numbers.inside(accepted));
        }
        for [low, high] in readers.iter().filter_map(|own| own.feature.accepts.between) {
            numbers = numbers.inside((low.0, high.0));
        }
        let stretches: Vec<Option<Range>> = readers.iter().map(|own| read_as_missing(own.input)).collect();
        let mut partly = vec![];
        for (reader, stretch) in stretches.iter().enumerate() {
            let Some(stretch) = *stretch else { continue };
            if is_missing_allowed && readers[reader].input.takes_missing(readers[reader].feature) {
                let others = stretches.iter().enumerate().filter(|(other, _)| *other != reader);
                let own = others.filter_map(|(_, other)| *other).fold(numbers.inside(stretch), |a, b| a.outside(b));
                partly.push(PartlyMissing { reader, stretch, numbers: own });
            }
        }
        // What is missing to the only reader is missing to all.
        partly.retain(|_| readers.len() > 1);
        let numbers = stretches.into_iter().flatten().fold(numbers, |numbers, stretch| numbers.outside(stretch));
        Self { numbers, partly, missing, ..Self::default() }
    }

    fn categories(domains: &[&Domain], readers: &[FeatureReader<'_>]) -> Self {
        let mut found: Option<Self> = None;
        for domain in domains {
            let Domain::Categories { codes, unknown, .. } = domain else { return Self::default() };
            let known = |code: &u32| {
                Some((*code, readers.iter().map(|own| code_of(readers[0], *own, *code)).collect::<Option<_>>()?))
            };
            let codes: BTreeMap<u32, Vec<u32>> = codes.iter().filter_map(known).collect();
            found = Some(match found {
                None => Self { codes, unknown: *unknown, ..Self::default() },
                Some(mut both) => {
                    both.codes.retain(|code, _| codes.contains_key(code));
                    Self { unknown: both.unknown && *unknown, ..both }
                }
            });
        }
        let mut found = found.unwrap_or_default();
        // scikit-learn reads what is none of its categories as missing, and an encoder before a model may refuse it.
        found.unknown &= readers.iter().all(|own| {
            own.feature.accepts.unknown && !matches!(encoding(own.feature), Some(CategoryEncoding::Exact(_)))
        });
        found
    }

    /// All values.
    pub fn whole(&self) -> CellValues {
        let everywhere = (f64::NEG_INFINITY, f64::INFINITY);
        let numbers = self.numbers.within(everywhere).collect();
        let partly = self.partly.iter();
        let partly = partly.flat_map(|of| of.numbers.within(everywhere).map(|range| (of.reader, range))).collect();
        CellValues::new(numbers, partly, self.codes.keys().copied().collect(), self.unknown, self.missing)
    }

    /// The values among some pieces; none if one is no piece of a feature of this kind.
    pub fn among(&self, pieces: &[Piece], is_category: bool) -> Option<CellValues> {
        let (mut numbers, mut partly, mut codes) = (vec![], vec![], vec![]);
        let (mut unknown, mut missing) = (false, false);
        for piece in pieces {
            match piece {
                Piece::Numbers(low, high) if !is_category && low.0 <= high.0 => {
                    let range = (low.0, high.0);
                    numbers.extend(self.numbers.within(range));
                    let own = self.partly.iter().filter(|of| of.is_own(range));
                    partly.extend(own.flat_map(|of| of.numbers.within(range).map(|range| (of.reader, range))));
                }
                Piece::Category(code) if is_category => codes.extend(self.codes.contains_key(code).then_some(*code)),
                Piece::Unknown if is_category => unknown |= self.unknown,
                Piece::Missing => missing |= self.missing,
                _ => return None,
            }
        }
        Some(CellValues::new(numbers, partly, codes, unknown, missing))
    }

    /// A value that is in none of these pieces, if there is one.
    pub fn uncovered<'p>(&self, pieces: impl Iterator<Item = &'p Piece> + Clone) -> Option<String> {
        let ranges = pieces.clone().filter_map(|piece| match piece {
            Piece::Numbers(low, high) => Some((low.0, high.0)),
            _ => None,
        });
        let hole = first_hole(&self.numbers, ranges.clone());
        let own_hole = |of: &PartlyMissing| first_hole(&of.numbers, ranges.clone().filter(|range| of.is_own(*range)));
        if let Some(number) = hole.or_else(|| self.partly.iter().find_map(own_hole)) {
            return Some(format!("{number}"));
        }
        let covered: std::collections::BTreeSet<u32> = pieces
            .clone()
            .filter_map(|piece| match piece {
                Piece::Category(code) => Some(*code),
                _ => None,
            })
            .collect();
        if let Some(code) = self.codes.keys().find(|code| !covered.contains(code)) {
            return Some(format!("category {code}"));
        }
        let has = |wanted: Piece| pieces.clone().any(|piece| *piece == wanted);
        match () {
            () if self.unknown && !has(Piece::Unknown) => Some("what is no category".to_owned()),
            () if self.missing && !has(Piece::Missing) => Some("missing".to_owned()),
            () => None,
        }
    }

    /// True if a raw value, as each reader has it, is admissible.
    pub fn has(&self, raws: &[f64], readings: &[Reading]) -> bool {
        let all = |reading: Reading| readings.iter().all(|other| *other == reading);
        match readings.first() {
            None => false,
            Some(Reading::Missing) if all(Reading::Missing) => self.missing,
            Some(Reading::NoCategory) => all(Reading::NoCategory) && self.unknown,
            Some(Reading::Category(code)) => self.codes.get(code).is_some_and(|codes| {
                let own = codes.iter().map(|code| Reading::Category(*code));
                own.eq(readings.iter().copied())
            }),
            Some(Reading::Number(_) | Reading::Missing) => {
                let is_one = raws.iter().all(|raw| *raw == raws[0]);
                is_one && (self.numbers.contains(raws[0]) || self.partly.iter().any(|of| of.numbers.contains(raws[0])))
            }
        }
    }
}

impl PartlyMissing {
    /// True if a range lies within the numbers that the reader sees as missing.
    fn is_own(&self, (low, high): Range) -> bool {
        self.stretch.0 <= low && high <= self.stretch.1
    }
}

/// A number that may be in none of some ranges.
fn first_hole(numbers: &Numbers, ranges: impl Iterator<Item = Range>) -> Option<f64> {
    let covered = merged(ranges);
    let lows = std::iter::once(f64::NEG_INFINITY).chain(covered.iter().map(|range| range.1.next_up()));
    let highs = covered.iter().map(|range| range.0.next_down()).chain([f64::INFINITY]);
    // Nothing is beyond infinity, but its neighbour is itself.
    let has = |number: f64| covered.iter().any(|range| range.0 <= number && number <= range.1);
    let is_covered = |number: f64| number.is_infinite() && has(number);
    let holes = lows.zip(highs).filter(|(low, high)| low <= high && !is_covered(*low) && !is_covered(*high));
    holes.into_iter().find_map(|hole| numbers.within(hole).next()).map(|(first, _)| first)
}

/// The doubles that a library reads as missing, if there are any beside NaN.
fn read_as_missing(input: &InputRules) -> Option<Range> {
    let value = input.missing_value.filter(|value| !value.is_nan())?;
    preimage(|number| input.precision.round(number), (value, value))
}
