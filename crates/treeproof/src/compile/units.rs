//! Leaf values as whole numbers of a unit, rounded up, so that sums are exact and never too small.
//!
//! All of it is integer arithmetic: a double is a whole number times a power of two, and so is a product of two.

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::sum::{BasePosition, Summation};
use treeproof_ensemble::tree::Tree;
use treeproof_search::Value;

use super::Objective;

/// How real numbers become values: one unit is `2^-shift`.
#[derive(Clone, Debug)]
pub(super) struct Units {
    shift: i32,
    /// Whether values are the negative of the sum.
    is_negated: bool,
    weights: Vec<f64>,
    /// What the sum starts at.
    first_base: f64,
    /// What is added behind division and scale, with the objective's sign.
    last_base: f64,
    summation: Summation,
}

/// `mantissa · 2^exponent`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Dyadic {
    mantissa: i128,
    exponent: i32,
}

impl Units {
    /// Chooses the smallest unit in which no sum overflows.
    ///
    /// # Panics
    /// If the ensemble is not a sum.
    pub(super) fn new(ensemble: &Ensemble, objective: Objective) -> Self {
        let summation = ensemble.summation().expect("questions are asked about sums only").clone();
        // In the reals, taking the base off again (`WeightRule::OffBase`) leaves the leaf.
        let weights = match &summation.weights {
            Some(weights) => weights.per_tree.clone(),
            None => vec![1.0; ensemble.trees().len()],
        };
        let base = summation.base[objective.output];
        let (first_base, last_base) = match summation.base_position {
            BasePosition::First => (base, 0.0),
            BasePosition::Last => (0.0, if objective.negated { -base } else { base }),
        };
        let is_negated = objective.negated != (summation.scale.unwrap_or(1.0) < 0.0);
        let mut units = Self { shift: 0, is_negated, weights, first_base, last_base, summation };
        units.shift = units.finest_shift(ensemble.trees(), objective.output);
        units
    }

    /// The largest shift for which `|base| + Σ max |leaf|` stays below 2^59, which leaves room for rounding up.
    fn finest_shift(&self, trees: &[Tree], output: usize) -> i32 {
        let largest = |tree: &Tree| {
            let of_leaf = |leaf: usize| -> f64 {
                let terms = tree.terms(leaf).iter().filter(|term| term.output as usize == output);
                terms.map(|term| term.value.abs()).sum()
            };
            (0..tree.leaves().len()).map(of_leaf).fold(0.0_f64, f64::max)
        };
        let sum = trees.iter().zip(&self.weights).map(|(tree, weight)| largest(tree) * weight.abs()).sum::<f64>()
            + self.first_base.abs();
        // Doubles of ordinary size say it at once; sums of at most 2^31 of them are off by far less than this.
        if (1e-200..1e200).contains(&sum) {
            #[expect(clippy::cast_possible_truncation, reason = "the logarithm of an ordinary number")]
            return 59 - (sum * 1.001).log2().ceil() as i32;
        }
        self.finest_shift_of_any(trees, output)
    }

    /// The same where doubles would overflow or vanish.
    fn finest_shift_of_any(&self, trees: &[Tree], output: usize) -> i32 {
        let products = |index: usize| {
            let terms = trees[index].all_terms().iter().filter(move |term| term.output as usize == output);
            terms.map(move |term| Dyadic::product(term.value, self.weights[index]))
        };
        let base = Dyadic::product(self.first_base, 1.0);
        let largest = (0..trees.len()).flat_map(products).chain([base]).filter_map(Dyadic::log2_above).max();
        // All is zero: any unit will do.
        let Some(largest) = largest else { return 0 };
        let relative = |dyadic: Dyadic| dyadic.magnitude_relative_to(largest);
        let of_tree = |index: usize| {
            let tree = &trees[index];
            let of_leaf = |leaf: usize| -> f64 {
                let terms = tree.terms(leaf).iter().filter(|term| term.output as usize == output);
                terms.map(|term| relative(Dyadic::product(term.value, self.weights[index]))).sum()
            };
            (0..tree.leaves().len()).map(of_leaf).fold(0.0_f64, f64::max)
        };
        let sum = relative(base) + (0..trees.len()).map(of_tree).sum::<f64>();
        // The sum of at most 2^31 numbers of at most 1 is off by far less than a part in a thousand.
        #[expect(clippy::cast_possible_truncation, reason = "the logarithm of a number below 2^32")]
        let log2 = (sum * 1.001).log2().ceil() as i32;
        59 - (largest + log2)
    }

    /// The base where it belongs to the sum.
    pub(super) fn base(&self) -> Value {
        self.round_up(Dyadic::product(self.first_base, 1.0))
    }

    /// A leaf's value.
    pub(super) fn leaf(&self, tree: usize, value: f64) -> Value {
        if self.weights[tree] == 1.0
            && let Some(units) = self.short_round_up(value)
        {
            return units;
        }
        self.round_up(Dyadic::product(value, self.weights[tree]))
    }

    /// What [`Units::round_up`] gives, if 64 bits are enough to find it.
    fn short_round_up(&self, value: f64) -> Option<Value> {
        let (mantissa, exponent) = Dyadic::of(value);
        let mantissa = if self.is_negated { -mantissa } else { mantissa };
        match exponent + self.shift {
            left @ 0..=9 => Some(mantissa << left),
            right @ -63..0 => Some(-((-mantissa) >> -right)),
            _ => None,
        }
    }

    fn round_up(&self, number: Dyadic) -> Value {
        let mantissa = if self.is_negated { -number.mantissa } else { number.mantissa };
        if mantissa == 0 {
            return 0;
        }
        let units = match number.exponent + self.shift {
            left @ 0.. => mantissa << left,
            // −(−m >> r) rounds up, as >> rounds down. A mantissa has at most 106 bits.
            right => -((-mantissa) >> right.unsigned_abs().min(120)),
        };
        Value::try_from(units).expect("the unit was chosen so")
    }

    /// The margin (or its negative) that a value stands for: exactly, apart from leaves having been rounded up.
    pub(super) fn real(&self, value: Value) -> Exact {
        let exact = |x: f64| Exact::from_f64(x).expect("finite, as the builder checks");
        #[expect(clippy::cast_precision_loss, reason = "each half has at most 44 bits")]
        let (high, low) = ((value >> 20) as f64 * 2.0_f64.powi(20), (value & 0xf_ffff) as f64);
        let mut real = exact(high).plus(&exact(low)).times(&power_of_two(-self.shift));
        if let Some(divisor) = self.summation.divisor {
            real = real.divided_by(&exact(divisor));
        }
        if let Some(scale) = self.summation.scale {
            real = real.times(&exact(scale.abs()));
        }
        real.plus(&exact(self.last_base))
    }
}

impl Dyadic {
    fn of(x: f64) -> (i64, i32) {
        let bits = x.to_bits();
        let fraction = i64::try_from(bits & ((1 << 52) - 1)).expect("52 bits");
        let biased = i32::try_from((bits >> 52) & 0x7ff).expect("11 bits");
        let (magnitude, exponent) = if biased == 0 { (fraction, -1074) } else { (fraction | 1 << 52, biased - 1075) };
        (if x < 0.0 { -magnitude } else { magnitude }, exponent)
    }

    fn product(x: f64, y: f64) -> Self {
        let ((a, p), (b, q)) = (Self::of(x), Self::of(y));
        let mantissa = i128::from(a) * i128::from(b);
        // Trailing zeros off, so that a shift to the left never loses bits.
        let zeros = if mantissa == 0 { 0 } else { mantissa.trailing_zeros() };
        Self { mantissa: mantissa >> zeros, exponent: p + q + zeros.cast_signed() }
    }

    /// The least `e` with `|x| < 2^e`; none for zero.
    fn log2_above(self) -> Option<i32> {
        let bits = 128 - self.mantissa.unsigned_abs().leading_zeros();
        (bits > 0).then(|| self.exponent + bits.cast_signed())
    }

    /// `|x| / 2^exponent`, to the accuracy of doubles; `|x|` is below `2^exponent`.
    fn magnitude_relative_to(self, exponent: i32) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "a magnitude to choose a unit by")]
        let mantissa = self.mantissa.unsigned_abs() as f64;
        mantissa * 2.0_f64.powi((self.exponent - exponent).max(-1000))
    }
}

/// `2^exponent`, also where no double can hold it.
fn power_of_two(exponent: i32) -> Exact {
    let factor = |exponent: i32| Exact::from_f64(2.0_f64.powi(exponent)).expect("in range");
    let (mut power, mut rest) = (factor(0), exponent);
    while rest != 0 {
        let step = rest.clamp(-1000, 1000);
        power = power.times(&factor(step));
        rest -= step;
    }
    power
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(shift: i32, is_negated: bool) -> Units {
        let summation = Summation::plain(treeproof_ensemble::float::Precision::F64, vec![0.0]);
        Units { shift, is_negated, weights: vec![1.0, 0.1], first_base: 0.0, last_base: 0.0, summation }
    }

    #[test]
    fn values_are_rounded_up_in_either_direction() {
        assert_eq!([1.0, 1.25, -1.25, 0.0].map(|x| units(1, false).leaf(0, x)), [2, 3, -2, 0]);
        assert_eq!([1.0, 1.25, -1.25, 0.0].map(|x| units(1, true).leaf(0, x)), [-2, -2, 3, 0]);
        assert_eq!([f64::MIN_POSITIVE, -f64::MIN_POSITIVE].map(|x| units(0, false).leaf(0, x)), [1, 0]);
        assert_eq!(units(1074, false).leaf(0, f64::from_bits(1)), 1);
    }

    #[test]
    fn values_stand_for_at_least_the_real_number() {
        for shift in [-1000, -3, 0, 7, 50, 900] {
            for (tree, value) in [(0, 1.5_f64), (1, 0.3), (1, -0.3), (0, -1e-300), (1, f64::from_bits(3))] {
                let (value, shift) = (value * 2.0_f64.powi(-shift.clamp(-900, 900)), shift);
                let units = units(shift, false);
                let product = Exact::from_f64(value).unwrap().times(&Exact::from_f64(units.weights[tree]).unwrap());
                let real = units.real(units.leaf(tree, value));
                assert!(real >= product, "{value:e} at 2^-{shift}");
                assert!(real.minus(&product) < power_of_two(-shift), "{value:e} at 2^-{shift}");
            }
        }
    }
}
