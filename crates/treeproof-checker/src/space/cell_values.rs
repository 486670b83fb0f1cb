//! The values of a feature that a cell holds.

use std::cmp::Ordering;

use treeproof_ensemble::input::Reading;
use treeproof_ensemble::tree::{Side, Split, Test, Tree};

use crate::numbers::{Numbers, Range, preimage};
use crate::space::feature_values::{FeatureReader, FeatureValues};

/// A superset of the values of a feature in a cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CellValues {
    /// The numbers that all readers see as numbers, ascending.
    pub numbers: Vec<Range>,
    /// The numbers that one of several readers, given by its place, sees as missing.
    pub partly: Vec<(usize, Range)>,
    /// The categories, by the first reader's codes, ascending.
    pub codes: Vec<u32>,
    /// True if it may be a value that is no category.
    pub unknown: bool,
    /// True if it may be missing to all readers.
    pub missing: bool,
    /// The least and the greatest finite number that the first reader sees as one.
    pub finite: Option<Range>,
}

impl CellValues {
    /// The union of such values.
    pub fn new(
        mut numbers: Vec<Range>,
        partly: Vec<(usize, Range)>,
        mut codes: Vec<u32>,
        unknown: bool,
        missing: bool,
    ) -> Self {
        numbers.sort_by(|one, other| one.0.total_cmp(&other.0));
        codes.sort_unstable();
        codes.dedup();
        let mut held = Self { numbers, partly, codes, unknown, missing, finite: None };
        let finite = held.present().map(|range| (range.0.max(-f64::MAX), range.1.min(f64::MAX)));
        let finite = finite.filter(|range| range.0 <= range.1);
        held.finite = finite.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)));
        held
    }

    /// The numbers 0, 1, both, or none.
    pub fn bits(may_be_0: bool, may_be_1: bool) -> Self {
        let bits = [(may_be_0, 0.0), (may_be_1, 1.0)].into_iter().filter(|(may_be, _)| *may_be);
        Self::new(bits.map(|(_, bit)| (bit, bit)).collect(), vec![], vec![], false, false)
    }

    /// A single raw value with the first reader's reading.
    pub fn one(raw: f64, reading: Reading) -> Self {
        match reading {
            Reading::Missing => Self { missing: true, ..Self::default() },
            Reading::NoCategory => Self { unknown: true, ..Self::default() },
            Reading::Category(code) => Self { codes: vec![code], ..Self::default() },
            Reading::Number(_) => Self::new(vec![(raw, raw)], vec![], vec![], false, false),
        }
    }

    /// The numbers up to a threshold, and all other values.
    pub fn parted(&self, number: f64) -> [Self; 2] {
        let below = |range: Range| (range.0, range.1.min(number));
        let above = |range: Range| (if range.0 > number { range.0 } else { number.next_up() }, range.1);
        let of = |cut: &dyn Fn(Range) -> Range, is_kept: &dyn Fn(Range) -> bool| {
            let numbers = self.numbers.iter().map(|range| cut(*range)).filter(|range| is_kept(*range)).collect();
            let partly = self.partly.iter().map(|(reader, range)| (*reader, cut(*range)));
            (numbers, partly.filter(|(_, range)| is_kept(*range)).collect())
        };
        let (lower, lower_partly) = of(&below, &|range| range.0 <= range.1);
        // Infinity is its own neighbour.
        let (upper, upper_partly) = of(&above, &|range| range.0 <= range.1 && range.0 > number);
        [
            Self::new(lower, lower_partly, vec![], false, false),
            Self::new(upper, upper_partly, self.codes.clone(), self.unknown, self.missing),
        ]
    }

    /// True if there is no value.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty() && self.partly.is_empty() && self.codes.is_empty() && !self.unknown && !self.missing
    }

    /// The numbers that the first reader sees as numbers.
    pub fn present(&self) -> impl Iterator<Item = Range> + '_ {
        let partly = self.partly.iter().filter(|(reader, _)| *reader != 0).map(|(_, range)| *range);
        self.numbers.iter().copied().chain(partly)
    }

    /// The least and the greatest of these.
    pub fn ends(&self) -> Option<Range> {
        self.present().reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)))
    }

    /// True if it may be missing to the first reader.
    pub fn may_be_missing(&self) -> bool {
        self.missing || self.partly.iter().any(|(reader, _)| *reader == 0)
    }

    /// True if both may have the same value for the first reader: one number or category, or missing.
    pub fn may_be(&self, other: &Self) -> bool {
        let is_shared = |range: Range| {
            let first = other.numbers.partition_point(|other| other.1 < range.0);
            let mut partly = other.present().skip(other.numbers.len());
            let meets = |other: &Range| range.0 <= other.1 && other.0 <= range.1;
            other.numbers.get(first).is_some_and(meets) || partly.any(|other| meets(&other))
        };
        (self.may_be_missing() && other.may_be_missing())
            || (self.unknown && other.unknown)
            || self.codes.iter().any(|code| other.codes.binary_search(code).is_ok())
            || self.present().any(is_shared)
    }

    /// True if both may differ: unless each has one value alone, the same.
    pub fn may_differ_from(&self, other: &Self) -> bool {
        match (self.only(), other.only()) {
            (Some(one), Some(other)) => one != other,
            _ => !self.is_empty() && !other.is_empty(),
        }
    }

    /// The only value, to the first reader.
    fn only(&self) -> Option<Reading> {
        let missing = self.may_be_missing().then_some(Reading::Missing);
        let unknown = self.unknown.then_some(Reading::NoCategory);
        let code = self.codes.first().map(|code| Reading::Category(*code));
        let number = self.ends().map(|(first, _)| Reading::Number(first));
        let mut all = [missing, unknown, code, number].into_iter().flatten();
        let only = all.next().filter(|_| all.next().is_none())?;
        let is_one = self.codes.len() <= 1 && self.ends().is_none_or(|(first, last)| first == last);
        is_one.then_some(only)
    }

    /// True if some number here may have one of these orders relative to some number of the other, or both may be missing and
    /// equality is among the orders.
    pub fn may_lie(&self, wanted: &[Ordering], other: &Self) -> bool {
        if wanted.contains(&Ordering::Equal) && self.may_be_missing() && other.may_be_missing() {
            return true;
        }
        // Only raw values of categories are ordered, and they are unknown.
        if !self.codes.is_empty() || self.unknown {
            return !other.codes.is_empty() || other.unknown;
        }
        let (Some(mine), Some(others)) = (self.ends(), other.ends()) else { return false };
        wanted.iter().any(|wanted| match wanted {
            Ordering::Less => mine.0 < others.1,
            Ordering::Greater => mine.1 > others.0,
            Ordering::Equal => mine.0 <= others.1 && others.0 <= mine.1,
        })
    }

    /// True if some number may be at most one of the other, for any reader; a value missing to all goes only with another such
    /// value.
    pub fn may_be_in_order(&self, other: &Self) -> bool {
        let numbers = |held: &Self| {
            let partly = held.partly.iter().map(|(_, range)| *range);
            held.numbers.iter().copied().chain(partly).reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)))
        };
        let is_ordered = numbers(self).zip(numbers(other)).is_some_and(|(first, second)| first.0 <= second.1);
        is_ordered || (self.missing && other.missing)
    }

    /// The sides of a split to which some value goes, in the model of a reader; both if in doubt.
    pub fn sides(
        &self,
        values: &FeatureValues,
        (place, reader): (usize, FeatureReader<'_>),
        tree: &Tree,
        split: &Split,
    ) -> [bool; 2] {
        let mut sides = [false; 2];
        let mut see = |side: Side| sides[usize::from(side == Side::Right)] = true;
        if self.missing {
            see(split.missing);
        }
        if self.unknown {
            see(tree.side(split, Reading::NoCategory));
        }
        for codes in self.codes.iter().filter_map(|code| values.codes.get(code)) {
            see(tree.side(split, Reading::Category(codes[place])));
        }
        let partly = self.partly.iter().map(|(reader, range)| (*range, *reader == place));
        for ((low, high), is_missing) in self.numbers.iter().map(|range| (*range, false)).chain(partly) {
            let seen = |raw: f64| match reader.input.read(reader.feature, raw) {
                Ok(Reading::Number(number)) => Some(number),
                _ => None,
            };
            match (seen(low), seen(high)) {
                _ if is_missing => see(split.missing),
                // Reading keeps the order, so what is between the ends is read as something between.
                (Some(low), Some(high)) => {
                    // Not every number of a list is one that some value is read as.
                    let is_read = |number: f64| {
                        let raws = preimage(|raw| reader.input.seen(raw), (number, number));
                        let has = |numbers: &Numbers| raws.is_some_and(|raws| !numbers.misses(raws));
                        has(&values.numbers) || values.partly.iter().any(|partly| has(&partly.numbers))
                    };
                    number_sides(tree, split, (low, high), &is_read, &mut see);
                }
                _ => [Side::Left, Side::Right].into_iter().for_each(&mut see),
            }
        }
        sides
    }
}

/// The sides of numbers from one to another, as a model reads them.
fn number_sides(
    tree: &Tree,
    split: &Split,
    (low, high): Range,
    is_read: &dyn Fn(f64) -> bool,
    see: &mut impl FnMut(Side),
) {
    let mut test = |low: f64, high: f64| match split.test {
        Test::Below(threshold) => {
            if low < threshold {
                see(Side::Left);
            }
            if high >= threshold {
                see(Side::Right);
            }
        }
        Test::Present => see(Side::Left),
        Test::OneOf(set) => {
            let mut listed = tree.value_set(set).iter().filter(|value| (low..=high).contains(*value));
            let is_listed = listed.any(|value| is_read(*value));
            if is_listed {
                see(Side::Left);
            }
            if low != high || !is_listed {
                see(Side::Right);
            }
        }
        Test::InSet(_) => [Side::Left, Side::Right].into_iter().for_each(&mut *see),
    };
    match split.zero {
        // Zero has its own side; of what is left the nearest to zero may be any number.
        Some(_) if low < 0.0 && high > 0.0 => {
            test(low, -f64::from_bits(1));
            test(f64::from_bits(1), high);
        }
        Some(_) if low == 0.0 && high > 0.0 => test(f64::from_bits(1), high),
        Some(_) if low < 0.0 && high == 0.0 => test(low, -f64::from_bits(1)),
        Some(_) if low == 0.0 && high == 0.0 => {}
        _ => test(low, high),
    }
    if let Some(zero) = split.zero.filter(|_| low <= 0.0 && high >= 0.0) {
        see(zero);
    }
}
