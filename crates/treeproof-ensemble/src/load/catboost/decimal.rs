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
    if let Ok(integer) = unsigned.parse::<u64>()
        && (!negative || integer <= 1 << 63)
    {
        // An integer that `f64` may not hold is no number to the library, and reads as zero; and −0 is 0.
        let value = if integer > LARGEST_EXACT + 1 { 0.0 } else { integer as f64 };
        return Some(if negative && integer > 0 { 0.0 - value } else { value });
    }
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

    const READ_BY_CATBOOST: [(&str, u64); 9] = [
        ("7.3160e-41", 0x3799_7e17_0f26_051c),
        ("-0", 0),
        ("-77679387844191120", 0),
        ("-0.513487927187787851631758", 0xbfe0_6e7e_3bc5_3233),
        ("-3.461218510959185846e199", 0xe95c_f086_c5d7_8d79),
        ("-0.000962298844125238757", 0xbf4f_8859_0841_6bdf),
        ("-0.86183229109643767", 0xbfeb_9421_501c_aba2),
        ("-1.4713384861585e-53", 0xb4f6_8c56_9e4d_6f94),
        ("6.579300956615944337436", 0x401a_5134_451c_d3f6),
    ];

    #[test]
    fn short_decimals_are_read_exactly() {
        for literal in ["0", "1", "-0.0", "-1.5", "0.1", "123456789.25", "1e22", "2.5e-3"] {
            assert_eq!(parse(literal).map(f64::to_bits), literal.parse().ok().map(f64::to_bits), "{literal}");
        }
    }

    /// Read back from CatBoost 1.2.10 after loading files with these leaf values.
    #[test]
    fn long_decimals_are_read_as_the_library_reads_them() {
        for (literal, bits) in READ_BY_CATBOOST {
            assert_eq!(parse(literal).map(f64::to_bits), Some(bits), "{literal}");
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
