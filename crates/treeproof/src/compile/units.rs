//! Leaf values as whole numbers of a unit, rounded up, so that sums are exact and never too small.

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::sum::{BasePosition, Summation, WeightRule};
use treeproof_search::Value;

use super::Objective;

/// How real numbers become values: one unit is `2^-shift`.
#[derive(Clone, Debug)]
pub(super) struct Units {
    shift: i32,
    sign: f64,
    weights: Vec<f64>,
    base: f64,
    summation: Summation,
}

impl Units {
    /// Chooses the smallest unit in which no sum overflows.
    pub(super) fn new(ensemble: &Ensemble, objective: Objective) -> Self {
        let summation = ensemble.summation().expect("questions are asked about sums only").clone();
        let weights = match &summation.weights {
            // In the reals, taking the base off again leaves the leaf.
            Some(weights) => {
                debug_assert!(matches!(weights.rule, WeightRule::Product | WeightRule::OffBase));
                weights.per_tree.clone()
            }
            None => vec![1.0; ensemble.trees().len()],
        };
        let base = match summation.base_position {
            BasePosition::First => summation.base[objective.output],
            BasePosition::Last => 0.0,
        };
        let largest = |(tree, weight): (&treeproof_ensemble::tree::Tree, &f64)| {
            let values = tree.all_terms().iter().filter(|term| term.output as usize == objective.output);
            values.fold(0.0_f64, |largest, term| largest.max(term.value.abs())) * weight.abs()
        };
        let magnitude = base.abs() + ensemble.trees().iter().zip(&weights).map(largest).sum::<f64>();
        // 2^59 leaves room for the rounding of this very sum.
        let exponent = if magnitude > 0.0 { magnitude.log2().ceil() } else { 0.0 };
        #[expect(clippy::cast_possible_truncation, reason = "an exponent of f64")]
        let shift = (59 - exponent as i32).min(1000);
        let scale = summation.scale.unwrap_or(1.0);
        let sign = if objective.negated != (scale < 0.0) { -1.0 } else { 1.0 };
        Self { shift, sign, weights, base, summation }
    }

    /// The base where it belongs to the sum.
    pub(super) fn base(&self) -> Value {
        self.round_up(self.base, 0.0)
    }

    /// A leaf's value.
    pub(super) fn leaf(&self, tree: usize, value: f64) -> Value {
        let weight = self.weights[tree];
        let product = value * weight;
        // The error of the product, exactly.
        self.round_up(product, value.mul_add(weight, -product))
    }

    /// `sign · (number + rest)` in units, rounded up; `rest` is far smaller than `number`.
    fn round_up(&self, number: f64, rest: f64) -> Value {
        let scaled = self.sign * number * 2.0_f64.powi(self.shift);
        let up = scaled.ceil();
        let exact = scaled == up;
        #[expect(clippy::cast_possible_truncation, reason = "the unit was chosen so")]
        let value = up as Value;
        if exact && self.sign * rest > 0.0 { value + 1 } else { value }
    }

    /// The margin (or its negative) that a value stands for, rounded up.
    pub(super) fn real(&self, value: Value) -> f64 {
        let exact = |x: f64| Exact::from_f64(x).expect("finite");
        let high = (value >> 20) as f64 * 2.0_f64.powi(20 - self.shift);
        let low = (value & 0xf_ffff) as f64 * 2.0_f64.powi(-self.shift);
        let mut real = exact(high).plus(&exact(low));
        if let Some(divisor) = self.summation.divisor {
            real = real.divided_by(&exact(divisor));
        }
        if let Some(scale) = self.summation.scale {
            real = real.times(&exact(scale.abs()));
        }
        real.ceil_f64()
    }
}
