//! Exact real numbers of the form `mantissa · 2^exponent / divisor`: the real value of a sum of leaves, beside its
//! floating-point value in the library. Numbers beyond 128 bits are computed with big integers.

use std::cmp::Ordering;

use num_bigint::{BigInt, Sign};
use num_integer::Integer;

/// The largest exponent of a number in a file, of ten or of two: far beyond every `f64`, and cheap to compute with.
const LARGEST_EXPONENT: u32 = 100_000;

/// The longest number in a file.
const LONGEST_TEXT: usize = 5_000;

/// The least power of two that is an `f64`.
const LEAST_POWER: i64 = -1074;

/// The [`Exact::power_above`] of numbers above every `f64`.
const ABOVE_ALL: i64 = 1026;

/// An exact real number.
#[derive(Clone, Debug)]
pub struct Exact(Representation);

/// Nearly all numbers fit the small form; larger ones are computed with big integers.
#[derive(Clone, Debug)]
enum Representation {
    /// `mantissa · 2^exponent`.
    Small { mantissa: i128, exponent: i64 },
    /// `mantissa · 2^exponent / divisor`.
    Big(Big),
}

#[derive(Clone, Debug)]
struct Big {
    mantissa: BigInt,
    exponent: i64,
    /// Positive.
    divisor: BigInt,
}

impl Exact {
    /// Zero.
    pub fn zero() -> Self {
        Self::small(0, 0)
    }

    /// One.
    pub fn one() -> Self {
        Self::small(1, 0)
    }

    fn small(mantissa: i128, exponent: i64) -> Self {
        Self(Representation::Small { mantissa, exponent })
    }

    /// The exact value of a finite number, `None` for NaN and ±∞.
    pub fn from_f64(x: f64) -> Option<Self> {
        if !x.is_finite() {
            return None;
        }
        let bits = x.to_bits();
        let fraction = bits & ((1 << 52) - 1);
        #[expect(clippy::cast_possible_wrap, reason = "eleven bits")]
        let biased = ((bits >> 52) & 0x7ff) as i64;
        let (magnitude, exponent) = if biased == 0 { (fraction, -1074) } else { (fraction | 1 << 52, biased - 1075) };
        if magnitude == 0 {
            return Some(Self::zero());
        }
        // Without zeros at its end a sum stays small for longer.
        let zeros = magnitude.trailing_zeros();
        let mantissa = i128::from(magnitude >> zeros);
        Some(Self::small(if x < 0.0 { -mantissa } else { mantissa }, exponent + i64::from(zeros)))
    }

    /// The exact value of a decimal number such as `-12.5e-3`, `None` where the text is none or its exponent absurd.
    pub fn from_decimal(text: &str) -> Option<Self> {
        let (digits, exponent) = match text.split_once(['e', 'E']) {
            Some((digits, exponent)) => (digits, exponent.parse::<i32>().ok()?),
            None => (text, 0),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let mantissa: BigInt = format!("{whole}{fraction}").parse().ok()?;
        let scale = i64::from(exponent).checked_sub(i64::try_from(fraction.len()).ok()?)?;
        let power = u32::try_from(scale.unsigned_abs()).ok().filter(|power| *power <= LARGEST_EXPONENT)?;
        let power = BigInt::from(10).pow(power);
        let (mantissa, divisor) = if scale < 0 { (mantissa, power) } else { (mantissa * power, BigInt::from(1)) };
        Some(Self(Representation::Big(Big { mantissa, exponent: 0, divisor })))
    }

    /// The number written by [`Display`](std::fmt::Display): `5`, `-5/3`, or with a power of two as in `3p-1`, which is 1.5.
    /// `None` where the text is none, or longer than a proof needs.
    pub fn from_text(text: &str) -> Option<Self> {
        if text.len() > LONGEST_TEXT {
            return None;
        }
        let (fraction, exponent) = match text.split_once('p') {
            Some((fraction, exponent)) => (fraction, exponent.parse::<i32>().ok()?),
            None => (text, 0),
        };
        let (mantissa, divisor) = fraction.split_once('/').unwrap_or((fraction, "1"));
        let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if !is_digits(mantissa.strip_prefix('-').unwrap_or(mantissa)) || !is_digits(divisor) {
            return None;
        }
        let (mantissa, divisor): (BigInt, BigInt) = (mantissa.parse().ok()?, divisor.parse().ok()?);
        let is_sound = divisor > BigInt::ZERO && exponent.unsigned_abs() <= LARGEST_EXPONENT;
        is_sound.then(|| Self(Representation::Big(Big { mantissa, exponent: exponent.into(), divisor })).reduced())
    }

    /// The sum.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        if let Some((left, right, exponent)) = self.aligned(other)
            && let Some(mantissa) = left.checked_add(right).filter(|sum| *sum != i128::MIN)
        {
            return Self::small(mantissa, exponent);
        }
        Self(Representation::Big(self.big().plus(&other.big())))
    }

    /// The difference.
    #[must_use]
    pub fn minus(&self, other: &Self) -> Self {
        self.plus(&other.negated())
    }

    /// The number with the other sign.
    #[must_use]
    pub fn negated(&self) -> Self {
        match &self.0 {
            // No mantissa is the least of its type: sums and products that would be so are big.
            Representation::Small { mantissa, exponent } => Self::small(-mantissa, *exponent),
            Representation::Big(big) => Self(Representation::Big(Big { mantissa: -&big.mantissa, ..big.clone() })),
        }
    }

    /// The magnitude.
    #[must_use]
    pub fn magnitude(&self) -> Self {
        if self.sign() == Ordering::Less { self.negated() } else { self.clone() }
    }

    /// The product.
    #[must_use]
    pub fn times(&self, other: &Self) -> Self {
        if let (
            Representation::Small { mantissa, exponent },
            Representation::Small { mantissa: factor, exponent: more },
        ) = (&self.0, &other.0)
            && let Some(mantissa) = mantissa.checked_mul(*factor).filter(|product| *product != i128::MIN)
        {
            return Self::small(mantissa, exponent + more);
        }
        let (one, other) = (self.big(), other.big());
        Self(Representation::Big(Big {
            mantissa: one.mantissa * other.mantissa,
            exponent: one.exponent + other.exponent,
            divisor: one.divisor * other.divisor,
        }))
    }

    /// The quotient by a positive number.
    ///
    /// # Panics
    /// If `other` is not positive.
    #[must_use]
    pub fn divided_by(&self, other: &Self) -> Self {
        assert_eq!(other.sign(), Ordering::Greater, "division by a number that is not positive");
        let (one, other) = (self.big(), other.big());
        Self(Representation::Big(Big {
            mantissa: one.mantissa * other.divisor,
            exponent: one.exponent - other.exponent,
            divisor: one.divisor * other.mantissa,
        }))
    }

    /// The number in lowest terms, which keeps long computations cheap.
    #[must_use]
    pub fn reduced(self) -> Self {
        if self.sign() == Ordering::Equal {
            return Self::zero();
        }
        let Big { mut mantissa, mut exponent, mut divisor } = match self.0 {
            Representation::Small { mantissa, exponent } => {
                let zeros = mantissa.trailing_zeros();
                return Self::small(mantissa >> zeros, exponent + i64::from(zeros));
            }
            Representation::Big(big) => big,
        };
        let common = mantissa.gcd(&divisor);
        if common != BigInt::from(1) {
            (mantissa, divisor) = (mantissa / &common, divisor / common);
        }
        for (number, sign) in [(&mut mantissa, 1), (&mut divisor, -1)] {
            let zeros = number.trailing_zeros().unwrap_or(0);
            *number >>= zeros;
            exponent += sign * i64::try_from(zeros).expect("memory is smaller");
        }
        match i128::try_from(&mantissa) {
            Ok(small) if divisor == BigInt::from(1) && small != i128::MIN => Self::small(small, exponent),
            _ => Self(Representation::Big(Big { mantissa, exponent, divisor })),
        }
    }

    /// The largest whole number that is at most this one.
    #[must_use]
    pub fn floor(&self) -> Self {
        match self.0 {
            Representation::Small { exponent: 0.., .. } => return self.clone(),
            Representation::Small { mantissa, exponent } => {
                // An arithmetic shift rounds down.
                let by = u32::try_from(-exponent).unwrap_or(u32::MAX).min(i128::BITS - 1);
                return Self::small(mantissa >> by, 0);
            }
            Representation::Big(_) => {}
        }
        let Big { mantissa, exponent, divisor } = self.big();
        let (above, below) = (shifted(&mantissa, exponent.max(0)), shifted(&divisor, -exponent.min(0)));
        let quotient = &above / &below;
        // Division of big integers rounds towards zero.
        let is_above = &quotient * &below > above;
        let mantissa = if is_above { quotient - 1 } else { quotient };
        Self(Representation::Big(Big { mantissa, exponent: 0, divisor: BigInt::from(1) }))
    }

    /// The smallest whole number that is at least this one, if 64 bits hold it.
    pub fn ceil_i64(&self) -> Option<i64> {
        let floor = self.negated().floor();
        if let Representation::Small { mantissa, exponent } = floor.0
            && let Some(whole) = shifted_small(mantissa, exponent)
        {
            return i64::try_from(-whole).ok();
        }
        let Big { mantissa, exponent, .. } = floor.big();
        // Zero is whatever its exponent is; all else of such an exponent is too large.
        let by = exponent.min(i64::from(u64::BITS));
        i64::try_from(-shifted(&mantissa, by)).ok()
    }

    /// A power of two above the magnitude, at most four times as large; none for zero.
    pub fn power_above(&self) -> Option<i64> {
        let bits = |number: &BigInt| i64::try_from(number.bits()).expect("memory is smaller");
        match &self.0 {
            Representation::Small { .. } => self.small_power(),
            Representation::Big(Big { mantissa, .. }) if mantissa.sign() == Sign::NoSign => None,
            Representation::Big(big) => Some(bits(&big.mantissa) - bits(&big.divisor) + 1 + big.exponent),
        }
    }

    /// `2^exponent`, also where no `f64` can hold it.
    pub fn power_of_two(exponent: i64) -> Self {
        Self::small(1, exponent)
    }

    /// A whole number.
    pub fn from_i64(number: i64) -> Self {
        Self::small(number.into(), 0)
    }

    /// The nearest `f64`, by exact comparison with its neighbours; overflow gives ±∞.
    pub fn to_f64(&self) -> f64 {
        let (below, above) = (self.floor_f64(), self.ceil_f64());
        match (Self::from_f64(below), Self::from_f64(above)) {
            (Some(b), Some(a)) => match self.minus(&b).cmp(&a.minus(self)) {
                Ordering::Less => below,
                Ordering::Greater => above,
                Ordering::Equal if below.to_bits() & 1 == 0 => below,
                Ordering::Equal => above,
            },
            (Some(_), None) => below,
            (None, Some(_)) => above,
            (None, None) => f64::NAN,
        }
    }

    /// The largest `f64` that is at most this number (−∞ below every finite one): for lower bounds. Zero is never negative.
    pub fn floor_f64(&self) -> f64 {
        let Some(power) = self.power_above() else { return 0.0 };
        if power > ABOVE_ALL {
            return if self.sign() == Ordering::Less { f64::NEG_INFINITY } else { f64::MAX };
        }
        // No number of this size that an `f64` holds is finer than this unit, so that none is between the number and its units.
        let unit = (power - 55).max(LEAST_POWER);
        let units = self.times(&Self::power_of_two(-unit)).floor().ceil_i64().expect("they have 55 bits");
        // Those beyond the 53 bits of an `f64` are cut off, downwards.
        let beyond = (i64::BITS - units.unsigned_abs().leading_zeros()).saturating_sub(f64::MANTISSA_DIGITS);
        #[expect(clippy::cast_precision_loss, reason = "53 bits are left, or a power of two")]
        let kept = (units >> beyond) as f64;
        (kept * double_power(unit + i64::from(beyond))).min(f64::MAX)
    }

    /// The smallest `f64` that is at least this number: for upper bounds. Zero is never negative.
    pub fn ceil_f64(&self) -> f64 {
        // A difference, as the negative of 0 would be -0.
        0.0 - self.negated().floor_f64()
    }

    fn sign(&self) -> Ordering {
        match &self.0 {
            Representation::Small { mantissa, .. } => mantissa.cmp(&0),
            Representation::Big(big) => big.mantissa.cmp(&BigInt::ZERO),
        }
    }

    /// The least power of two above the magnitude of a small number; `None` for zero.
    fn small_power(&self) -> Option<i64> {
        match self.0 {
            Representation::Small { mantissa, exponent } if mantissa != 0 => {
                Some(i64::from(i128::BITS - mantissa.unsigned_abs().leading_zeros()) + exponent)
            }
            _ => None,
        }
    }

    fn big(&self) -> Big {
        match &self.0 {
            Representation::Small { mantissa, exponent } => {
                Big { mantissa: BigInt::from(*mantissa), exponent: *exponent, divisor: BigInt::from(1) }
            }
            Representation::Big(big) => big.clone(),
        }
    }

    /// Both mantissas at a common exponent, if they stay small.
    fn aligned(&self, other: &Self) -> Option<(i128, i128, i64)> {
        let (
            Representation::Small { mantissa: left, exponent },
            Representation::Small { mantissa: right, exponent: of_right },
        ) = (&self.0, &other.0)
        else {
            return None;
        };
        let least = match (left, right) {
            // The exponent of zero does not matter.
            (0, _) => *of_right,
            (_, 0) => *exponent,
            _ => *exponent.min(of_right),
        };
        Some((shifted_small(*left, exponent - least)?, shifted_small(*right, of_right - least)?, least))
    }
}

impl Big {
    fn plus(&self, other: &Self) -> Self {
        let exponent = self.exponent.min(other.exponent);
        let (left, right) =
            (shifted(&self.mantissa, self.exponent - exponent), shifted(&other.mantissa, other.exponent - exponent));
        if self.divisor == other.divisor {
            return Self { mantissa: left + right, exponent, divisor: self.divisor.clone() };
        }
        let mantissa = left * &other.divisor + right * &self.divisor;
        Self { mantissa, exponent, divisor: &self.divisor * &other.divisor }
    }
}

/// `mantissa · 2^by`, if there is a bit to spare; `by` is not negative, unless the mantissa is zero.
fn shifted_small(mantissa: i128, by: i64) -> Option<i128> {
    if mantissa == 0 || by == 0 {
        return Some(mantissa);
    }
    let room = mantissa.unsigned_abs().leading_zeros().saturating_sub(2);
    let by = u32::try_from(by).ok().filter(|by| *by <= room)?;
    Some(mantissa << by)
}

fn shifted(mantissa: &BigInt, by: i64) -> BigInt {
    mantissa << usize::try_from(by).expect("aligned to the smaller exponent")
}

/// `2^power`, which is neither below the least `f64` nor above the greatest.
fn double_power(power: i64) -> f64 {
    let number = |number: i64| u64::try_from(number).expect("it is not below the least");
    // Below the least exponent only the mantissa gets smaller.
    f64::from_bits(if power > -1023 { number(power + 1023) << 52 } else { 1 << number(power - LEAST_POWER) })
}

impl std::fmt::Display for Exact {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Big { mut mantissa, mut exponent, mut divisor } = self.clone().reduced().big();
        // Powers of two that people read more easily as digits.
        let digits = usize::try_from(exponent.unsigned_abs()).unwrap_or(usize::MAX);
        if digits <= 64 {
            if exponent < 0 {
                divisor <<= digits
            } else {
                mantissa <<= digits
            }
            exponent = 0;
        }
        mantissa.fmt(f)?;
        if divisor != BigInt::from(1) {
            write!(f, "/{divisor}")?;
        }
        if exponent == 0 { Ok(()) } else { write!(f, "p{exponent}") }
    }
}

impl PartialEq for Exact {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Exact {}

impl PartialOrd for Exact {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Exact {
    fn cmp(&self, other: &Self) -> Ordering {
        let signs = self.sign().cmp(&other.sign());
        if signs != Ordering::Equal {
            return signs;
        }
        let powers = self.small_power().zip(other.small_power()).map(|(one, other)| one.cmp(&other));
        if let Some(by_power) = powers.filter(|by_power| *by_power != Ordering::Equal) {
            return if self.sign() == Ordering::Less { by_power.reverse() } else { by_power };
        }
        if let Some((left, right, _)) = self.aligned(other) {
            return left.cmp(&right);
        }
        let (one, other) = (self.big(), other.big());
        let exponent = one.exponent.min(other.exponent);
        let left = shifted(&one.mantissa, one.exponent - exponent) * &other.divisor;
        let right = shifted(&other.mantissa, other.exponent - exponent) * &one.divisor;
        left.cmp(&right)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn exact(x: f64) -> Exact {
        Exact::from_f64(x).unwrap()
    }

    #[test]
    fn thirds_are_not_rounded() {
        let third = exact(1.0).divided_by(&exact(3.0));
        assert_eq!(third.plus(&third).plus(&third), exact(1.0));
        assert!(third.floor_f64() < third.ceil_f64());
        assert_eq!(third.to_f64(), 1.0 / 3.0);
    }

    #[test]
    fn zero_is_rounded_to_plain_zero() {
        assert!(Exact::zero().floor_f64().is_sign_positive() && Exact::zero().ceil_f64().is_sign_positive());
    }

    #[test]
    fn overflow_is_infinite_outward() {
        let huge = exact(f64::MAX).plus(&exact(f64::MAX));
        assert_eq!(huge.floor_f64(), f64::MAX);
        assert_eq!(huge.ceil_f64(), f64::INFINITY);
        assert_eq!(huge.negated().floor_f64(), f64::NEG_INFINITY);
        assert!(Exact::from_f64(f64::NAN).is_none());
    }

    #[test]
    fn zero_is_never_negative() {
        let tiny = exact(f64::from_bits(1)).divided_by(&exact(3.0));
        for number in [Exact::zero(), exact(-0.0), tiny.clone(), tiny.negated()] {
            for zero in [number.floor_f64(), number.to_f64(), number.ceil_f64()].into_iter().filter(|n| *n == 0.0) {
                assert!(zero.is_sign_positive(), "{number}");
            }
        }
    }

    #[test]
    fn whole_numbers_and_powers_are_exact() {
        let third = exact(1.0).divided_by(&exact(3.0));
        assert_eq!(
            [third.ceil_i64(), third.negated().ceil_i64(), exact(-7.0).ceil_i64()],
            [Some(1), Some(0), Some(-7)]
        );
        assert_eq!(Exact::power_of_two(63).ceil_i64(), None);
        assert_eq!(Exact::from_i64(i64::MIN).ceil_i64(), Some(i64::MIN));
        for number in [exact(1.0), exact(0.75), third, exact(-1e300), Exact::power_of_two(-5000)] {
            let above = Exact::power_of_two(number.power_above().unwrap());
            assert!(number.magnitude() < above && above <= number.magnitude().times(&exact(4.0)), "{number:?}");
        }
        assert_eq!(Exact::zero().power_above(), None);
    }

    #[test]
    fn decimals_are_what_they_say() {
        let decimal = |text| Exact::from_decimal(text);
        let tenth = exact(1.0).divided_by(&exact(10.0));
        for text in ["0.1", ".1", "1e-1", "0.0010e2", "00.1"] {
            assert_eq!(decimal(text), Some(tenth.clone()), "{text}");
        }
        assert_eq!(decimal("-12.5e1"), Some(exact(-125.0)));
        assert_eq!(decimal("5."), Some(exact(5.0)));
        for text in ["", ".", "e5", "x", "1e999999999", "1e-999999999", "1e99999999999"] {
            assert_eq!(decimal(text), None, "{text}");
        }
    }

    #[test]
    fn texts_are_what_they_say() {
        let third = exact(5.0).divided_by(&exact(3.0));
        assert_eq!(third.negated().to_string(), "-5/3");
        assert_eq!([exact(1.5), exact(-7.0), exact(0.0)].map(|x| x.to_string()), ["3/2", "-7", "0"]);
        assert_eq!(exact(f64::from_bits(1)).to_string(), "1p-1074");
        assert_eq!(Exact::from_text("3p-1"), Some(exact(1.5)));
        let long = "1".repeat(LONGEST_TEXT + 1);
        for text in ["", "-", "1/0", "1/-2", "+1", "1/", "p3", "1p", "1p999999999", "0x1", "1.5", "1 ", "1_0", &long] {
            assert_eq!(Exact::from_text(text), None, "{text}");
        }
    }

    /// Checks that the roundings of a number are its neighbours, below and above.
    fn is_between(number: &Exact) -> bool {
        let (below, above) = (number.floor_f64(), number.ceil_f64());
        let is_at_most = |x: f64| Exact::from_f64(x).map_or(x < 0.0, |x| x <= *number);
        let is_at_least = |x: f64| Exact::from_f64(x).map_or(x > 0.0, |x| x >= *number);
        is_at_most(below) && !is_at_most(below.next_up()) && is_at_least(above) && !is_at_least(above.next_down())
    }

    #[test]
    fn the_ends_of_doubles_are_rounded_to_the_next_one() {
        let third = exact(1.0).divided_by(&exact(3.0));
        for power in
            [-2000, -1076, -1075, -1074, -1073, -1024, -1023, -1022, -1021, -1, 0, 52, 53, 971, 1022, 1023, 1024, 2000]
        {
            for factor in [1.0, 1.5, 1.0 + f64::EPSILON, 1.0 - f64::EPSILON / 2.0, 9_007_199_254_740_993.0, f64::MAX] {
                let number = exact(factor).times(&Exact::power_of_two(power));
                for number in [
                    number.clone(),
                    number.times(&third),
                    number.plus(&third),
                    number.minus(&Exact::power_of_two(-1080)),
                ] {
                    assert!(is_between(&number) && is_between(&number.negated()), "{factor} {power}: {number}");
                }
            }
        }
    }

    proptest! {
        #[test]
        fn texts_read_back_exactly(a in any::<f64>(), b in any::<f64>()) {
            prop_assume!(a.is_finite() && b.is_finite() && b > 0.0);
            for number in [exact(a), exact(a).divided_by(&exact(b)), exact(a).times(&exact(b))] {
                prop_assert_eq!(Exact::from_text(&number.to_string()), Some(number));
            }
        }

        #[test]
        fn decimals_round_to_what_is_parsed(x in any::<f64>()) {
            prop_assume!(x.is_finite());
            prop_assert_eq!(Exact::from_decimal(&format!("{x:e}")).unwrap().to_f64(), x);
        }

        #[test]
        fn floors_are_whole_and_close(a in -1e6..1e6_f64, b in 1e-3..1e3_f64) {
            let quotient = exact(a).divided_by(&exact(b));
            let floor = quotient.floor();
            prop_assert!(floor <= quotient && quotient < floor.plus(&exact(1.0)));
            prop_assert_eq!(floor.to_f64().fract(), 0.0);
            prop_assert_eq!(exact(a).floor().to_f64(), a.floor());
        }

        #[test]
        fn numbers_that_get_large_are_the_same_as_big_ones(numbers in prop::collection::vec(any::<f64>(), 1..6)) {
            // Sums and products of these leave 128 bits sooner or later.
            let numbers: Vec<f64> = numbers.into_iter().filter(|number| number.is_finite()).collect();
            let big = |x: &Exact| Exact(Representation::Big(x.big()));
            let (mut small, mut large) = (exact(1.0), big(&exact(1.0)));
            for number in numbers {
                let next = exact(number);
                prop_assert_eq!(small.cmp(&next), large.cmp(&big(&next)));
                let scale = exact(2.0_f64.powi(-20));
                (small, large) = match number.to_bits() % 3 {
                    0 => (small.times(&next), large.times(&big(&next))),
                    1 => (small.plus(&next), large.plus(&big(&next))),
                    _ => (small.times(&scale).minus(&next), large.times(&scale).minus(&big(&next))),
                };
                prop_assert_eq!(&small, &large);
                prop_assert_eq!(small.floor(), large.floor());
                prop_assert_eq!(small.ceil_i64(), large.ceil_i64());
                prop_assert_eq!(small.power_above(), large.power_above());
                prop_assert_eq!(small.magnitude(), large.magnitude());
            }
        }

        #[test]
        fn operations_round_to_the_ieee_results(a in any::<f64>(), b in any::<f64>()) {
            prop_assume!(a.is_finite() && b.is_finite());
            prop_assert_eq!(exact(a).to_f64(), a);
            prop_assert_eq!(exact(a).partial_cmp(&exact(b)), a.partial_cmp(&b));
            for (exact, rounded) in [
                (exact(a).plus(&exact(b)), a + b),
                (exact(a).minus(&exact(b)), a - b),
                (exact(a).times(&exact(b)), a * b),
            ] {
                prop_assert_eq!(exact.clone().reduced(), exact.clone());
                prop_assert!(is_between(&exact), "{}", exact);
                if rounded.is_finite() {
                    prop_assert_eq!(exact.to_f64(), rounded);
                    prop_assert!(exact.floor_f64() <= rounded && rounded <= exact.ceil_f64());
                }
            }
            if b > 0.0 && (a / b).is_finite() {
                let quotient = exact(a).divided_by(&exact(b));
                prop_assert_eq!(quotient.to_f64(), a / b);
                prop_assert!(is_between(&quotient), "{}", quotient);
                prop_assert_eq!(quotient.clone().reduced(), quotient);
            }
        }
    }
}
