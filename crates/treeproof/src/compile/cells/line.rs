//! The numbers of a domain as the trees see them: rounded, the zero band drawn together, some of them set apart.

use treeproof_ensemble::input::{FeatureKind, InputRules, Reading};
use treeproof_ensemble::tree::Test;

use crate::compile::domain::largest_finite;
use crate::compile::values::Interval;

/// The numbers of a domain.
#[derive(Debug)]
pub(super) struct Line {
    input: InputRules,
    /// The domain, in the user's numbers.
    pub(super) low: f64,
    pub(super) high: f64,
    /// The same in the input precision. Rounding is monotone, so what lies between is what the domain becomes.
    pub(super) least: f64,
    pub(super) greatest: f64,
    /// Numbers that are cells of their own, ascending, each with a raw value where the domain has one.
    apart: Vec<(f64, Option<f64>)>,
}

/// An ordered cell: the numbers of the input precision from `first` to below `end`, or to the greatest; without those
/// set apart and those that are missing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) first: f64,
    pub(super) end: Option<f64>,
    /// The least number in it.
    pub(super) member: f64,
}

impl Line {
    pub(super) fn new(input: &InputRules, low: f64, high: f64, mut apart: Vec<f64>) -> Self {
        apart.iter_mut().for_each(|value| *value += 0.0);
        apart.sort_by(f64::total_cmp);
        apart.dedup();
        let (least, greatest) = (input.precision.round(low), input.precision.round(high));
        let mut line = Self { input: input.clone(), low, high, least, greatest, apart: vec![] };
        line.apart = apart.into_iter().map(|value| (value, line.raw_seen_as(value))).collect();
        line
    }

    /// The numbers set apart that the domain has, each with a raw value that is seen so.
    pub(super) fn apart(&self) -> impl Iterator<Item = (f64, f64)> {
        self.apart.iter().filter_map(|(value, raw)| Some((*value, (*raw)?)))
    }

    /// The cells between these cuts that have members, ascending.
    pub(super) fn spans(&self, cuts: Vec<f64>) -> Vec<Span> {
        // No cell may end inside the zero band, of which trees see only zero.
        let outside_band = |cut: f64| match self.input.test_below(cut) {
            Test::Below(cut) => cut,
            _ => f64::INFINITY,
        };
        let mut cuts: Vec<f64> = cuts.into_iter().map(outside_band).collect();
        cuts.sort_by(f64::total_cmp);
        cuts.dedup();
        cuts.retain(|cut| *cut > self.least && *cut <= self.greatest);
        let firsts = std::iter::once(self.least).chain(cuts.iter().copied());
        let ends = cuts.iter().copied().map(Some).chain(std::iter::once(None));
        let span = |(first, end)| Some(Span { first, end, member: self.member(first, end)? });
        firsts.zip(ends).filter_map(span).collect()
    }

    /// Whether a raw value is in the domain and in a cell.
    pub(super) fn is_in(&self, span: &Span, raw: f64) -> bool {
        let number = self.input.precision.round(raw);
        (self.low..=self.high).contains(&raw)
            && span.first <= number
            && span.end.map_or(number <= self.greatest, |end| number < end)
            && self.is_free(raw)
    }

    /// The raw value for a number of the input precision: itself, or the end of the domain that becomes it.
    pub(super) fn raw(&self, number: f64) -> f64 {
        number.clamp(self.low, self.high)
    }

    /// The raw values from one cell to another.
    pub(super) fn interval(&self, first: &Span, last: &Span) -> Interval {
        let largest = if self.input.accepts_infinite { f64::MAX } else { largest_finite(self.input.precision) };
        Interval {
            low: match first.first > self.least {
                true => Some(self.least_read_as(first.first)),
                false => Some(self.low).filter(|low| *low > -largest),
            },
            high: match last.end {
                Some(end) => Some(self.least_read_as(end)),
                None => Some(self.high).filter(|high| *high < largest).map(f64::next_up),
            },
        }
    }

    /// Whether the raw values from one cell to another have some that trees see as this number.
    pub(super) fn is_between(&self, first: &Span, last: &Span, number: f64) -> bool {
        // All of the zero band is seen as zero; the domain may have a part of it.
        let band = self.input.zero_band.filter(|_| number == 0.0).unwrap_or(0.0);
        let (least, greatest) = (number - band, number + band);
        first.first <= greatest && last.end.map_or(least <= self.greatest, |end| least < end)
    }

    /// The greatest raw value of a cell, unless that one is set apart or missing.
    pub(super) fn last(&self, span: &Span) -> Option<f64> {
        let last = self.interval(span, span).high.map_or(self.high, f64::next_down);
        Some(last).filter(|last| self.is_in(span, *last))
    }

    /// The least double that rounds to a number of the input precision, or to a larger one.
    fn least_read_as(&self, number: f64) -> f64 {
        let before = self.before(number);
        // Half-way between two numbers of a smaller precision, or the next double, where the tie goes down.
        let middle = match (before.is_infinite(), number.is_infinite()) {
            (true, _) => -largest_finite(self.input.precision),
            (_, true) => largest_finite(self.input.precision),
            _ => before / 2.0 + number / 2.0,
        };
        let candidates = [before.next_up(), middle, middle.next_up(), number];
        let is_read = |raw: &&f64| **raw > before && self.input.precision.round(**raw) >= number;
        *candidates.iter().filter(is_read).min_by(|a, b| a.total_cmp(b)).expect("the number itself will do")
    }

    /// The largest number of the input precision below another.
    pub(super) fn before(&self, number: f64) -> f64 {
        -self.input.precision.next_up(-number)
    }

    /// The least number of a cell, if it has one.
    fn member(&self, first: f64, end: Option<f64>) -> Option<f64> {
        let is_inside = |number: f64| end.map_or(number <= self.greatest, |end| number < end);
        let mut number = first;
        loop {
            if !is_inside(number) {
                return None;
            }
            let raw = self.raw(number);
            if self.is_free(raw) {
                return Some(number);
            }
            if number == f64::INFINITY {
                return None;
            }
            // Few numbers are not free, but the zero band has many: it is left in one step.
            number = match self.input.zero_band {
                Some(band) if number.abs() <= band && self.seen(raw) == Some(0.0) => self.input.precision.next_up(band),
                _ => self.input.precision.next_up(number),
            };
        }
    }

    /// Whether a raw value is a number that is not set apart.
    fn is_free(&self, raw: f64) -> bool {
        self.seen(raw).is_some_and(|seen| self.apart.binary_search_by(|(value, _)| value.total_cmp(&seen)).is_err())
    }

    /// The number that trees see for a raw value, unless it is missing or refused.
    fn seen(&self, raw: f64) -> Option<f64> {
        match self.input.read(&FeatureKind::Numeric, raw) {
            Ok(Reading::Number(number)) => Some(number + 0.0),
            _ => None,
        }
    }

    /// A raw value of the domain that trees see as this number.
    fn raw_seen_as(&self, number: f64) -> Option<f64> {
        // Zero may be missing itself while its band is not; the band may also begin or end in the domain, and the one number
        // that is missing may be that end.
        let tiny = self.input.precision.smallest_positive();
        let (second, last_but_one) = (self.input.precision.next_up(self.least), self.before(self.greatest));
        let of_band = [tiny, -tiny, self.least, second, self.greatest, last_but_one];
        let of_band = of_band.into_iter().filter(|_| number == 0.0);
        let mut candidates = std::iter::once(number).chain(of_band);
        let is_inside = |candidate: &f64| self.least <= *candidate && *candidate <= self.greatest;
        candidates.find_map(|candidate| {
            Some(self.raw(candidate)).filter(|raw| is_inside(&candidate) && self.seen(*raw) == Some(number))
        })
    }
}
