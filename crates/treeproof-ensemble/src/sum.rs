//! Summation of leaf values to margins: the library's accumulator and order of addition, the exact real sum, and the
//! guaranteed distance between the two.

use serde::{Deserialize, Serialize};

use crate::exact::Exact;
use crate::float::Precision;

/// The aggregation of the terms of the reached leaves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "rule", rename_all = "snake_case")]
pub enum Aggregate {
    /// A sum, the only form that can be verified.
    Sum(Summation),
    /// AdaBoost regression: the median of the trees' values under these weights, one per tree.
    WeightedMedian {
        /// One weight per tree.
        weights: Vec<f64>,
    },
    /// ONNX `MIN` of the trees' values, plus the base.
    Min(ExtremeRule),
    /// ONNX `MAX` of the trees' values, plus the base.
    Max(ExtremeRule),
}

/// The details of ONNX `MIN` and `MAX`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExtremeRule {
    /// The type of the base addition.
    pub precision: Precision,
    /// One number per output, added last; empty when there is none.
    pub base: Vec<f64>,
}

/// A sum in a library's own arithmetic: every operation is rounded to `precision`, terms are added one after
/// the other in tree order, output by output.
///
/// The steps, in order: start at the base (or zero); add every term, weighted; divide; scale; add the base
/// (if it comes last); fold; narrow.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Summation {
    /// The type of the accumulator.
    pub precision: Precision,
    /// One number per output.
    pub base: Vec<f64>,
    /// The position of the base in the sum.
    pub base_position: BasePosition,
    /// Weights of whole trees.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weights: Option<TreeWeights>,
    /// The sum is divided by this (averaging forests).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub divisor: Option<f64>,
    /// The sum is multiplied by this (CatBoost).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<f64>,
    /// Two accumulated outputs become one margin, the second minus the first (AdaBoost with two classes).
    #[serde(default, skip_serializing_if = "is_false")]
    pub fold_pair: bool,
    /// The result is rounded to `f32` (ONNX models in double precision).
    #[serde(default, skip_serializing_if = "is_false")]
    pub narrow: bool,
    /// True if the library always adds in tree order; if not, only the error bound is certain.
    pub fixed_order: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's skip_serializing_if passes a reference")]
fn is_false(flag: &bool) -> bool {
    !flag
}

/// The position of the base in the sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BasePosition {
    /// The accumulator starts at it.
    First,
    /// It is added to the finished sum.
    Last,
}

/// Weights of whole trees.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TreeWeights {
    /// One per tree.
    pub per_tree: Vec<f64>,
    /// The rule by which a weight is applied.
    pub rule: WeightRule,
}

/// The rule by which the weight `w` of a tree is applied to its term `v`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WeightRule {
    /// `v · w`, rounded.
    Product,
    /// `((base + v) − base) · w`, each step rounded (XGBoost's in-place prediction of dart models).
    OffBase,
}

/// A margin: the library's number, the exact one, and a bound on their distance.
#[derive(Clone, Debug)]
pub struct ComputedMargin {
    /// The library's own number, bit for bit.
    pub library: f64,
    /// The exact real number; `None` if the sum is not finite.
    pub exact: Option<Exact>,
    /// A bound on `|library − exact|`.
    pub error: f64,
}

/// An accumulator that follows the library and the reals side by side, with a running error bound: an
/// operation rounded to nearest errs by at most `u·|result|`, or half the smallest number if it underflows.
#[derive(Clone, Debug)]
pub(crate) struct Running {
    precision: Precision,
    library: f64,
    exact: Option<Exact>,
    error: f64,
}

impl Running {
    pub(crate) fn new(precision: Precision, start: f64) -> Self {
        Self { precision, library: start, exact: Exact::from_f64(start), error: 0.0 }
    }

    fn round(&mut self, unrounded: f64, error: f64) {
        self.library = self.precision.round(unrounded);
        // Each addition of bounds is itself pushed up by one ulp, so the bound stays a bound.
        let step = (self.precision.unit_roundoff() * self.library.abs()).next_up() + self.precision.smallest_positive();
        self.error = (error + step).next_up();
    }

    pub(crate) fn add(&mut self, other: &Self) {
        let error = if other.error > 0.0 { (self.error + other.error).next_up() } else { self.error };
        self.round(self.library + other.library, error);
        self.exact = self.exact.as_ref().zip(other.exact.as_ref()).map(|(a, b)| a.plus(b));
    }

    fn subtract_constant(&mut self, constant: f64) {
        self.add(&Self::new(self.precision, -constant));
    }

    fn multiply(&mut self, factor: f64) {
        self.round(self.library * factor, (self.error * factor.abs()).next_up());
        self.exact = self.exact.as_ref().zip(Exact::from_f64(factor).as_ref()).map(|(a, b)| a.times(b));
    }

    fn divide(&mut self, divisor: f64) {
        self.round(self.library / divisor, (self.error / divisor).next_up());
        self.exact = self.exact.as_ref().zip(Exact::from_f64(divisor).as_ref()).map(|(a, b)| a.divided_by(b));
    }

    fn negate(&mut self) {
        self.library = -self.library;
        self.exact = self.exact.as_ref().map(Exact::negated);
    }

    fn narrow(&mut self) {
        self.precision = Precision::F32;
        self.round(self.library, self.error);
    }

    pub(crate) fn finish(self) -> ComputedMargin {
        // An infinite error times zero is NaN, which bounds nothing.
        let known = self.library.is_finite() && !self.error.is_nan();
        ComputedMargin {
            library: self.library,
            exact: self.exact,
            error: if known { self.error } else { f64::INFINITY },
        }
    }
}

impl Aggregate {
    /// The type in which leaf values are held and put together.
    pub fn precision(&self) -> Precision {
        match self {
            Self::Sum(summation) => summation.precision,
            Self::WeightedMedian { .. } => Precision::F64,
            Self::Min(extreme) | Self::Max(extreme) => extreme.precision,
        }
    }
}

impl Summation {
    /// A plain sum from a base, the most common kind.
    pub fn plain(precision: Precision, base: Vec<f64>) -> Self {
        Self {
            precision,
            base,
            base_position: BasePosition::First,
            weights: None,
            divisor: None,
            scale: None,
            fold_pair: false,
            narrow: false,
            fixed_order: true,
        }
    }

    /// The accumulators before the first term, one per output.
    pub(crate) fn start(&self) -> Vec<Running> {
        let start = |base: &f64| match self.base_position {
            BasePosition::First => Running::new(self.precision, *base),
            BasePosition::Last => Running::new(self.precision, 0.0),
        };
        self.base.iter().map(start).collect()
    }

    /// The weighted term of a tree.
    pub(crate) fn term(&self, tree: usize, output: usize, value: f64) -> Running {
        let mut term = Running::new(self.precision, value);
        if let Some(weights) = &self.weights {
            if weights.rule == WeightRule::OffBase {
                // The reals see v: (base + v) − base is exact there.
                let base = self.base[output];
                term.add(&Running::new(self.precision, base));
                term.subtract_constant(base);
            }
            term.multiply(weights.per_tree[tree]);
        }
        term
    }

    /// The library's number of [`Summation::term`], without the exact one beside it.
    pub(crate) fn term_value(&self, tree: usize, output: usize, value: f64) -> f64 {
        let Some(weights) = &self.weights else { return value };
        let round = |x: f64| self.precision.round(x);
        let value = match weights.rule {
            WeightRule::Product => value,
            WeightRule::OffBase => round(round(value + self.base[output]) - self.base[output]),
        };
        round(value * weights.per_tree[tree])
    }

    /// The margins from the finished accumulators.
    pub(crate) fn finish(&self, mut sums: Vec<Running>) -> Vec<ComputedMargin> {
        for (output, sum) in sums.iter_mut().enumerate() {
            if let Some(divisor) = self.divisor {
                sum.divide(divisor);
            }
            if let Some(scale) = self.scale {
                sum.multiply(scale);
            }
            if self.base_position == BasePosition::Last && self.adds_last_base() {
                sum.add(&Running::new(self.precision, self.base[output]));
            }
        }
        if self.fold_pair {
            let second = sums.pop().expect("checked by the builder: two outputs");
            let mut first = sums.pop().expect("checked by the builder: two outputs");
            first.negate();
            first.add(&second);
            sums.push(first);
        }
        if self.narrow {
            sums.iter_mut().for_each(Running::narrow);
        }
        sums.into_iter().map(Running::finish).collect()
    }

    /// A base that is zero everywhere is skipped, which matters for the sign of a zero sum.
    pub(crate) fn adds_last_base(&self) -> bool {
        self.base.iter().any(|base| *base != 0.0)
    }

    /// A bound on `|library − exact|` of one output over many inputs at once: at most `terms` terms are added,
    /// whose weighted magnitudes `Σ|w·v|` come to at most `magnitude` (of a folded pair: in each of the two). Holds for
    /// any order of addition, and is never below the running bound of a [`ComputedMargin`]. Infinite if sums of such terms may
    /// overflow; what it cannot see is the overflow of `base + v` before a small weight ([`WeightRule::OffBase`]).
    pub fn a_priori_error(&self, output: usize, terms: usize, magnitude: f64) -> f64 {
        let unit = self.precision.unit_roundoff();
        // Half the smallest number would do for an underflow; the running bound counts up to six per operation.
        let tiny = 8.0 * self.precision.smallest_positive();
        let terms = terms as f64;
        let base = if self.fold_pair { largest_magnitude(&self.base) } else { self.base[output].abs() };
        // Roundings that a term can pass through: its additions with the base, weight, division, scale, fold.
        let mut roundings = terms + 1.0;
        // Errors beside the relative one: underflows, and the detour of `OffBase`.
        let mut absolute = terms * tiny;
        if let Some(weights) = &self.weights {
            roundings += 1.0;
            absolute += terms * tiny;
            if weights.rule == WeightRule::OffBase {
                // Two roundings of numbers up to |base| + |v|(1 + u), each times |w|.
                let largest = largest_magnitude(&weights.per_tree);
                absolute += 4.0 * unit * (terms * base * largest + magnitude) + 2.0 * terms * tiny * largest;
            }
        }
        let mut reach = magnitude + absolute;
        if self.base_position == BasePosition::First {
            reach += base;
        }
        // Division and scale one after the other, as the library does them: their quotient could underflow, and the
        // underflow of the division is scaled too.
        let mut peak = reach;
        if let Some(divisor) = self.divisor {
            roundings += 1.0;
            (reach, absolute) = (reach / divisor + tiny, absolute / divisor + tiny);
            peak = peak.max(reach);
        }
        if let Some(scale) = self.scale {
            roundings += 1.0;
            (reach, absolute) = (reach * scale.abs() + tiny, absolute * scale.abs() + tiny);
        }
        if self.base_position == BasePosition::Last {
            (reach, absolute) = (reach + base, absolute + tiny);
        }
        if self.fold_pair {
            roundings += 1.0;
            (reach, absolute) = (2.0 * reach, 2.0 * absolute + tiny);
        }
        if roundings * unit >= 0.5 {
            return f64::INFINITY;
        }
        let growth = roundings * unit / (1.0 - roundings * unit);
        let mut error = reach * growth + absolute;
        let mut fits = peak.max(reach) * (1.0 + growth) + error <= self.precision.largest();
        if self.narrow {
            // Relative to the rounded number, as the running bound counts it.
            let unit = Precision::F32.unit_roundoff();
            error += (reach + error) * (unit / (1.0 - unit)) + 8.0 * Precision::F32.smallest_positive();
            fits &= reach + error <= Precision::F32.largest();
        }
        // The handful of roundings in this very formula. NaN (∞ · 0) fits nowhere.
        if fits { error * (1.0 + 1e-12) + f64::from_bits(1) } else { f64::INFINITY }
    }
}

fn largest_magnitude(numbers: &[f64]) -> f64 {
    numbers.iter().fold(0.0, |largest, number| number.abs().max(largest))
}
