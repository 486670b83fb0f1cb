//! Which number of a cell stands for it: one that people like, as 40 rather than 39.000004.

use treeproof_ensemble::float::Precision;

use super::number_line::{NumberLine, OrderedCell};

/// Beyond this a number is "anything large", and its cell is taken as unbounded.
const HUGE: f64 = 1e15;

/// A number in a cell: with few digits, near the middle; else one that a model reads as it is; else the cell's least.
pub(super) fn raw(line: &NumberLine, span: &OrderedCell, precision: Precision) -> f64 {
    let (first, last) = widest(line, span);
    let is_in = |number: &f64| line.is_in(span, *number);
    let found = if first <= 0.0 && last >= 0.0 {
        // Where zero itself will not do, a number on either side of it.
        Some(0.0).filter(is_in).or_else(|| {
            short(last / 2.0, last, is_in).or_else(|| short(-first / 2.0, -first, |raw| is_in(&-raw)).map(|raw| -raw))
        })
    } else if first > 0.0 {
        short(first, last, is_in)
    } else {
        short(-last, -first, |raw| is_in(&-raw)).map(|raw| -raw)
    };
    // Of a coarse grid a member near the middle.
    let on_grid = || {
        let near = match last > 0.0 {
            true => line.numbers.at_or_above(middle(first.max(0.0), last)),
            false => line.numbers.at_or_below(-middle(-last, -first)),
        };
        near.filter(is_in)
    };
    let as_read = || Some(precision.round(span.member)).filter(is_in);
    found.or_else(on_grid).or_else(as_read).unwrap_or(span.member)
}

/// The ends of the widest range of the domain in a cell.
fn widest(line: &NumberLine, span: &OrderedCell) -> (f64, f64) {
    let (first, last) = (span.stretch.first.max(line.low), line.last(&span.stretch));
    let ranges = line.numbers.ranges().iter().map(|range| (range.low.max(first), range.high.min(last)));
    let there = ranges.filter(|(low, high)| low <= high);
    there.max_by(|one, other| (one.1 - one.0).total_cmp(&(other.1 - other.0))).unwrap_or((first, last))
}

/// The middle between two numbers that are not negative.
fn middle(first: f64, last: f64) -> f64 {
    first / 2.0 + upper(first, last) / 2.0
}

/// The greater of two numbers, or less if it is so large that nobody means it.
fn upper(first: f64, last: f64) -> f64 {
    if last > HUGE && first < last / 2.0 { (2.0 * first).max(1.0) } else { last }
}

/// The number with the fewest digits between two, near their middle.
fn short(first: f64, last: f64, is_in: impl Fn(&f64) -> bool) -> Option<f64> {
    let (middle, last) = (middle(first, last), upper(first, last));
    if !(middle > 0.0 && middle.is_finite()) {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "the decimal exponent of an f64")]
    let leading = last.log10().ceil() as i32;
    (leading - 18..=leading).rev().find_map(|exponent| {
        // A power of ten is exact only if it is whole: divide by it where it would be a fraction.
        let rounded = if exponent >= 0 {
            let step = 10.0_f64.powi(exponent);
            (middle / step).round() * step
        } else {
            let parts = 10.0_f64.powi(-exponent);
            (middle * parts).round() / parts
        };
        Some(rounded).filter(|rounded| *rounded >= first && *rounded <= last && is_in(rounded))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::cells::number_line::cut;
    use crate::problem::number_set::NumberSet;
    use treeproof_ensemble::input::{Absent, InputRules};

    fn chosen(precision: Precision, low: f64, high: f64, cuts: Vec<f64>) -> Vec<f64> {
        let input = InputRules {
            precision,
            missing_value: None,
            zero_band: None,
            accepts_missing: true,
            accepts_infinite: true,
            absent: Absent::Zero,
        };
        let line = NumberLine::new(NumberSet::between(low, high), vec![]).unwrap();
        let cuts: Vec<f64> = cuts.into_iter().filter_map(|threshold| cut(&input, threshold)).collect();
        line.spans(&cuts).iter().map(|span| raw(&line, span, precision)).collect()
    }

    #[test]
    fn short_numbers_are_preferred() {
        assert_eq!(chosen(Precision::F64, 18.0, 90.0, vec![39.000_004, 40.3]), [30.0, 40.0, 70.0]);
        assert_eq!(chosen(Precision::F64, -f64::MAX, f64::MAX, vec![40.3]), [0.0, 60.0]);
        assert_eq!(chosen(Precision::F64, -f64::MAX, f64::MAX, vec![-3.5]), [-5.0, 0.0]);
        assert_eq!(chosen(Precision::F64, 0.123, 0.126, vec![0.125]), [0.124, 0.126]);
    }

    #[test]
    fn a_cell_of_one_number_has_that_number() {
        let next = 0.1_f64.next_up();
        assert_eq!(chosen(Precision::F64, 0.1, 0.2, vec![next, next.next_up()])[..2], [0.1, next]);
        // In f32 the ends of the domain round to the same number.
        assert_eq!(chosen(Precision::F32, 0.1, 0.1, vec![0.5]), [0.1]);
    }
}
