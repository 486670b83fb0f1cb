//! The precisions in which libraries compare: `f32` or `f64`, both stored as `f64` values.
//!
//! Not here: what a library does with missing values or zero bands (`input`). The law kept here: a test on a
//! user's number and the canonical test on the rounded number agree for every `f64`.

use serde::{Deserialize, Serialize};

/// A floating-point type in which a library rounds its inputs or its sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Precision {
    /// IEEE 754 binary32.
    F32,
    /// IEEE 754 binary64.
    F64,
}

impl Precision {
    /// Rounds to nearest, ties to even; overflow gives ±infinity, exactly as a C cast does.
    ///
    /// One operation (`+ − × ÷`) on two `f32` values computed in `f64` and then rounded here equals the
    /// operation in `f32`: 53 ≥ 2·24 + 2 bits make the double rounding harmless.
    #[inline]
    pub fn round(self, x: f64) -> f64 {
        match self {
            #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is the point")]
            Self::F32 => f64::from(x as f32),
            Self::F64 => x,
        }
    }

    /// The unit roundoff: half the distance from 1 to the next larger number.
    pub(crate) fn unit_roundoff(self) -> f64 {
        match self {
            Self::F32 => f64::from(f32::EPSILON) / 2.0,
            Self::F64 => f64::EPSILON / 2.0,
        }
    }

    /// The smallest positive number of this type.
    pub fn smallest_positive(self) -> f64 {
        match self {
            Self::F32 => f64::from(f32::from_bits(1)),
            Self::F64 => f64::from_bits(1),
        }
    }

    /// The largest finite number of this type.
    pub fn largest(self) -> f64 {
        match self {
            Self::F32 => f64::from(f32::MAX),
            Self::F64 => f64::MAX,
        }
    }

    /// The smallest number of this type above `x`, which must itself be of this type; +∞ stays +∞.
    pub fn next_up(self, x: f64) -> f64 {
        match self {
            #[expect(clippy::cast_possible_truncation, reason = "x is an f32 value by contract")]
            Self::F32 => f64::from((x as f32).next_up()),
            Self::F64 => x.next_up(),
        }
    }

    /// The largest number of this type that is at most `x`.
    pub fn floor(self, x: f64) -> f64 {
        let nearest = self.round(x);
        if nearest > x { -self.next_up(-nearest) } else { nearest }
    }

    /// True if `x` is a number of this type (NaN is not).
    pub fn contains(self, x: f64) -> bool {
        x == self.round(x)
    }
}

/// Bisection to two neighbouring numbers: the predicate holds for the first and not for the second, as for the ends.
pub fn bisect(mut low: f64, mut high: f64, holds: impl Fn(f64) -> bool) -> (f64, f64) {
    while low.next_up() < high {
        // Half of the numbers between them are below this.
        let middle = from_place(i64::midpoint(place(low), place(high)));
        if holds(middle) { low = middle } else { high = middle }
    }
    (low, high)
}

/// The place of a finite number in the order of all.
fn place(number: f64) -> i64 {
    let magnitude = number.abs().to_bits().cast_signed();
    if number < 0.0 { -magnitude } else { magnitude }
}

fn from_place(place: i64) -> f64 {
    let magnitude = f64::from_bits(place.unsigned_abs());
    if place < 0 { -magnitude } else { magnitude }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn floor_and_next_up_at_the_edges() {
        let max32 = f64::from(f32::MAX);
        assert_eq!(Precision::F32.floor(1e39), max32);
        assert_eq!(Precision::F32.floor(-1e39), f64::NEG_INFINITY);
        assert_eq!(Precision::F32.floor(f64::INFINITY), f64::INFINITY);
        assert_eq!(Precision::F32.next_up(max32), f64::INFINITY);
        assert_eq!(Precision::F32.next_up(-0.0), f64::from(f32::from_bits(1)));
        assert_eq!(Precision::F32.floor(1e-60), 0.0);
        assert_eq!(Precision::F32.floor(-1e-60), -f64::from(f32::from_bits(1)));
        assert_eq!(Precision::F64.floor(0.1), 0.1);
        assert!(!Precision::F32.contains(0.1) && Precision::F64.contains(0.1));
    }

    proptest! {
        #[test]
        fn floor_is_the_largest_number_not_above(bits in any::<u64>()) {
            let x = f64::from_bits(bits);
            prop_assume!(!x.is_nan());
            let floor = Precision::F32.floor(x);
            prop_assert!(Precision::F32.contains(floor) && floor <= x);
            prop_assert!(floor == f64::INFINITY || Precision::F32.next_up(floor) > x);
        }

        #[test]
        fn one_operation_in_f64_then_rounded_is_the_f32_operation(a in any::<u32>(), b in any::<u32>()) {
            let (a, b) = (f32::from_bits(a), f32::from_bits(b));
            let (x, y) = (f64::from(a), f64::from(b));
            for (exact, single) in [(x + y, a + b), (x - y, a - b), (x * y, a * b), (x / y, a / b)] {
                let rounded = Precision::F32.round(exact);
                prop_assert!(rounded.to_bits() == f64::from(single).to_bits() || (rounded.is_nan() && single.is_nan()));
            }
        }
    }
}
