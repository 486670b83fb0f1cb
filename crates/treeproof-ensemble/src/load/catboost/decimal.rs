//! Decimals as CatBoost reads its own JSON files: with RapidJSON's fast path, which is not correctly rounded.
//!
//! A model that was saved as JSON and loaded again by CatBoost computes with these numbers; the trained model in
//! memory, and its `.cbm` file, with the correctly rounded ones.

/// Digits go into an integer up to here, then into an `f64`.
const LARGEST_EXACT: u64 = (1 << 53) - 1;
/// Digits of the fraction beyond this many are dropped.
const MAX_DIGITS: u32 = 17;

/// The number that CatBoost reads for a JSON literal; `None` if it is none, or too large for it.
pub(super) fn parse(literal: &str) -> Option<f64> {
    let (negative, unsigned) = match literal.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, literal),
    };
    let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let (value, scale) = significand(whole.as_bytes(), fraction.as_bytes(), negative)?;
    let exponent: i32 = exponent.parse().ok()?;
    let value = times_power_of_ten(value, exponent.saturating_add(scale));
    value.is_finite().then_some(if negative { -value } else { value })
}

/// All digits as a number, and the power of ten it must be multiplied with.
fn significand(whole: &[u8], fraction: &[u8], negative: bool) -> Option<(f64, i32)> {
    if whole.is_empty() || !whole.iter().chain(fraction).all(u8::is_ascii_digit) {
        return None;
    }
    let mut scale = 0_i32;
    // RapidJSON does not count the first digit of the whole part.
    let mut counted = 0_u32;
    let mut integer = 0_u64;
    let mut number = None;
    // A whole part that does not fit 64 bits, with a sign or without, goes on as `f64`.
    let largest = if negative { 1 << 63 } else { u64::MAX };
    for (position, digit) in whole.iter().map(|digit| digit - b'0').enumerate() {
        number = match number {
            Some(number) => Some(number * 10.0 + f64::from(digit)),
            None => match integer
                .checked_mul(10)
                .and_then(|shifted| shifted.checked_add(u64::from(digit)))
                .filter(|longer| *longer <= largest)
            {
                Some(longer) => {
                    integer = longer;
                    counted += u32::from(position > 0);
                    None
                }
                None => Some(integer as f64 * 10.0 + f64::from(digit)),
            },
        };
    }
    let mut fraction = fraction.iter().map(|digit| digit - b'0').peekable();
    if number.is_none() {
        while integer <= LARGEST_EXACT
            && let Some(digit) = fraction.next()
        {
            integer = integer * 10 + u64::from(digit);
            scale = scale.saturating_sub(1);
            counted += u32::from(integer != 0);
        }
    }
    let mut number = number.unwrap_or(integer as f64);
    for digit in fraction {
        if counted >= MAX_DIGITS {
            break;
        }
        number = number * 10.0 + f64::from(digit);
        scale = scale.saturating_sub(1);
        counted += u32::from(number > 0.0);
    }
    Some((number, scale))
}

/// One multiplication or division, two below 10⁻³⁰⁸.
fn times_power_of_ten(number: f64, exponent: i32) -> f64 {
    if exponent < -308 {
        let rest = exponent.saturating_add(308);
        return if rest < -308 { 0.0 } else { number / 1e308 / power_of_ten(rest.unsigned_abs()) };
    }
    let power = power_of_ten(exponent.unsigned_abs());
    if exponent < 0 { number / power } else { number * power }
}

/// The correctly rounded power: RapidJSON has a table of literals.
fn power_of_ten(exponent: u32) -> f64 {
    format!("1e{exponent}").parse().unwrap_or(f64::INFINITY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_decimals_are_read_exactly() {
        for literal in ["0", "-0", "1", "-1.5", "0.1", "123456789.25", "1e22", "2.5e-3"] {
            assert_eq!(parse(literal).map(f64::to_bits), literal.parse().ok().map(f64::to_bits), "{literal}");
        }
    }

    #[test]
    fn what_is_no_number_or_too_large_is_refused() {
        for literal in ["", "-", ".5", "1x", "NaN", "Infinity", "1e999", "1e99999999999"] {
            assert_eq!(parse(literal), None, "{literal}");
        }
        assert_eq!(parse("1e-999"), Some(0.0));
    }
}
