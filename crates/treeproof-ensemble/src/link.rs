//! Links from margins to the library's outputs, each in its library's own arithmetic.
//!
//! `exp`, `expf`, `log1p` are the C library's, as in the model libraries themselves; on glibc the results marked
//! exact are bit-identical.

use serde::{Deserialize, Serialize};

/// The function from margins to outputs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "function", rename_all = "snake_case")]
pub enum Link {
    /// The margins themselves.
    Identity,
    /// The margins rounded to `f32` (ONNX models in double precision).
    Narrow,
    /// XGBoost: `1 / (expf(min(−m, 88.7)) + 1 + 1e-16)` in `f32`.
    LogisticXgboost,
    /// `1 / (1 + exp(−slope·m))` in `f64` (LightGBM, CatBoost, scikit-learn).
    Logistic {
        /// LightGBM's `sigmoid`; 2 for scikit-learn's exponential loss.
        slope: f64,
    },
    /// ONNX: `1 / (1 + expf(−|m|))` in `f32`, one minus that for negative `m`.
    LogisticOnnx,
    /// XGBoost: `expf` in `f32`, summed in `f64`.
    SoftmaxXgboost,
    /// `exp` summed in order in `f64` (LightGBM; close to, not bit-equal with, CatBoost and scikit-learn).
    Softmax,
    /// ONNX: `expf` summed in order in `f32`.
    SoftmaxOnnx,
    /// `expf` in `f32` (XGBoost's Poisson, gamma, Tweedie and survival objectives).
    ExpF32,
    /// `exp` in `f64`.
    Exp,
    /// XGBoost's hinge: 1 if the margin is positive, else 0.
    Hinge,
    /// The number of the class with the largest margin, the first on ties (XGBoost's `multi:softmax`).
    ClassIndex,
    /// `log1p(exp(m))` (LightGBM's `cross_entropy_lambda`).
    LogOnePlusExp,
    /// `sign(m)·m²` (LightGBM's `reg_sqrt`).
    SignedSquare,
    /// Isolation forest: `−2^(−m / scale)`, `m` being the sum of path lengths.
    Isolation {
        /// The number of trees times the average path length.
        scale: f64,
    },
    /// ONNX, two classes from one score: `(1 − m, m)` or `(−m, m)`, or their logistic, in `f32`.
    PairOnnx {
        /// The rule of the first of the two.
        rule: PairRule,
    },
    /// Different between versions of the library, and not recorded in the file. Outputs are NaN.
    VersionDependent,
    /// Each margin divided by this, then another link (LightGBM's random forests average only here).
    Averaged {
        /// The number of iterations.
        divisor: f64,
        /// The next link.
        then: Box<Link>,
    },
}

/// The rule by which ONNX makes two scores from one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PairRule {
    /// `(1 − m, m)`.
    Complement,
    /// `(−m, m)`.
    Negation,
    /// `(logistic(−m), logistic(m))`.
    Logistic,
}

impl Link {
    /// The outputs for these margins; `f32` results are held as `f64`.
    pub fn apply(&self, margins: &[f64]) -> Vec<f64> {
        let each = |f: &dyn Fn(f64) -> f64| margins.iter().map(|m| f(*m)).collect();
        match self {
            Self::Identity => margins.to_vec(),
            Self::Narrow => each(&|m| f64::from(narrow(m))),
            Self::LogisticXgboost => each(&|m| f64::from(logistic_xgboost(narrow(m)))),
            Self::Logistic { slope } => each(&|m| 1.0 / (1.0 + (-slope * m).exp())),
            Self::LogisticOnnx => each(&|m| f64::from(logistic_onnx(narrow(m)))),
            Self::SoftmaxXgboost => softmax_xgboost(margins),
            Self::Softmax => softmax(margins),
            Self::SoftmaxOnnx => softmax_onnx(margins),
            Self::ExpF32 => each(&|m| f64::from(narrow(m).exp())),
            Self::Exp => each(&f64::exp),
            Self::Hinge => each(&|m| if m > 0.0 { 1.0 } else { 0.0 }),
            Self::ClassIndex => vec![first_largest(margins) as f64],
            Self::LogOnePlusExp => each(&|m| m.exp().ln_1p()),
            Self::SignedSquare => each(&|m| if m == 0.0 { 0.0 } else { m.signum() * m * m }),
            Self::Isolation { scale } => each(&|m| -2.0_f64.powf(-(m / scale))),
            Self::PairOnnx { rule } => pair_onnx(*rule, margins[0]),
            Self::VersionDependent => vec![f64::NAN; margins.len()],
            Self::Averaged { divisor, then } => then.apply(&each(&|m| m / divisor)),
        }
    }

    /// The number of outputs for this number of margins.
    pub fn num_outputs(&self, margins: usize) -> usize {
        match self {
            Self::ClassIndex => 1,
            Self::PairOnnx { .. } => 2,
            Self::Averaged { then, .. } => then.num_outputs(margins),
            _ => margins,
        }
    }

    /// True if its numbers are finite.
    pub(crate) fn is_finite(&self) -> bool {
        match self {
            Self::Logistic { slope: number } | Self::Isolation { scale: number } => number.is_finite(),
            Self::Averaged { divisor, then } => divisor.is_finite() && then.is_finite(),
            _ => true,
        }
    }

    /// The function in words.
    pub fn describe(&self) -> String {
        match self {
            Self::Identity => "identity".into(),
            Self::Narrow => "rounded to f32".into(),
            Self::LogisticXgboost | Self::LogisticOnnx => "logistic (f32)".into(),
            Self::Logistic { slope: 1.0 } => "logistic (f64)".into(),
            Self::Logistic { slope } => format!("logistic of {slope}·margin (f64)"),
            Self::SoftmaxXgboost | Self::SoftmaxOnnx => "softmax (f32)".into(),
            Self::Softmax => "softmax (f64)".into(),
            Self::ExpF32 => "exp (f32)".into(),
            Self::Exp => "exp (f64)".into(),
            Self::Hinge => "1 if the margin is positive, else 0".into(),
            Self::ClassIndex => "number of the class with the largest margin".into(),
            Self::LogOnePlusExp => "log(1 + exp)".into(),
            Self::SignedSquare => "sign(m)·m²".into(),
            Self::Isolation { .. } => "isolation score −2^(−path length)".into(),
            Self::PairOnnx { rule: PairRule::Complement } => "(1 − margin, margin)".into(),
            Self::PairOnnx { rule: PairRule::Negation } => "(−margin, margin)".into(),
            Self::PairOnnx { rule: PairRule::Logistic } => "logistic of (−margin, margin) (f32)".into(),
            Self::VersionDependent => "not the same in all versions of the library".into(),
            Self::Averaged { divisor, then } => format!("margin divided by {divisor}, then {}", then.describe()),
        }
    }
}

/// The position of the largest number, the first one on ties; NaN never wins.
pub(crate) fn first_largest(numbers: &[f64]) -> usize {
    let mut best = 0;
    for (index, number) in numbers.iter().enumerate() {
        if *number > numbers[best] {
            best = index;
        }
    }
    best
}

#[expect(clippy::cast_possible_truncation, reason = "margins of f32 models are f32 values")]
fn narrow(m: f64) -> f32 {
    m as f32
}

fn logistic_xgboost(m: f32) -> f32 {
    // 1e-16 vanishes beside 1 in f32; it is the library's own formula.
    1.0 / ((-m).min(88.7).exp() + 1.0 + 1e-16)
}

fn logistic_onnx(m: f32) -> f32 {
    let positive = 1.0 / (1.0 + (-m.abs()).exp());
    if m < 0.0 { 1.0 - positive } else { positive }
}

fn softmax_xgboost(margins: &[f64]) -> Vec<f64> {
    let largest = margins.iter().fold(f32::NEG_INFINITY, |largest, m| largest.max(narrow(*m)));
    let powers: Vec<f32> = margins.iter().map(|m| (narrow(*m) - largest).exp()).collect();
    let sum = narrow(powers.iter().map(|power| f64::from(*power)).sum());
    powers.iter().map(|power| f64::from(power / sum)).collect()
}

fn softmax(margins: &[f64]) -> Vec<f64> {
    let largest = margins.iter().fold(f64::NEG_INFINITY, |largest, m| largest.max(*m));
    let powers: Vec<f64> = margins.iter().map(|m| (m - largest).exp()).collect();
    let sum: f64 = powers.iter().sum();
    powers.iter().map(|power| power / sum).collect()
}

fn softmax_onnx(margins: &[f64]) -> Vec<f64> {
    let largest = margins.iter().fold(f32::NEG_INFINITY, |largest, m| largest.max(narrow(*m)));
    let powers: Vec<f32> = margins.iter().map(|m| (narrow(*m) - largest).exp()).collect();
    let sum: f32 = powers.iter().sum();
    powers.iter().map(|power| f64::from(power / sum)).collect()
}

/// The subtraction happens in the margin's own type; for `f32` margins rounding `1 − m` afterwards is the same.
fn pair_onnx(rule: PairRule, m: f64) -> Vec<f64> {
    let (first, second) = match rule {
        PairRule::Complement => (narrow(1.0 - m), narrow(m)),
        PairRule::Negation => (narrow(-m), narrow(m)),
        PairRule::Logistic => (logistic_onnx(narrow(-m)), logistic_onnx(narrow(m))),
    };
    vec![f64::from(first), f64::from(second)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_start_at_plus_zero() {
        // `iter().sum()` of floats starts at −0.0 in Rust; with positive powers that cannot show.
        assert_eq!(softmax(&[0.0, 0.0]), [0.5, 0.5]);
        assert_eq!(softmax_xgboost(&[1.0, 1.0, 1.0, 1.0]), [0.25; 4]);
    }

    #[test]
    fn the_first_largest_wins_ties() {
        assert_eq!(first_largest(&[1.0, 3.0, 3.0]), 1);
        assert_eq!(first_largest(&[2.0]), 0);
    }

    #[test]
    fn xgboost_flips_its_label_above_half_an_ulp() {
        let probability = |bits: u32| Link::LogisticXgboost.apply(&[f64::from(f32::from_bits(bits))])[0];
        assert!(probability(0x33C0_0001) > 0.5, "the first margin of the second class");
        assert!(probability(0x33C0_0000) <= 0.5);
    }
}
