//! Doubles passed over beside a multiple of a step are multiples, too.

use proptest::prelude::*;
use treeproof_ensemble::exact::Exact;

use crate::numbers::{is_multiple, past_multiple};

proptest! {
    #[test]
    fn what_is_passed_over_is_a_multiple(
        digits in 1_i64..2000,
        tens in 0..4_u32,
        shift in -130..120_i64,
        count in 1_i64..1_000_000,
        exponent in 0..1100_i64,
        part in 0.0..1.0_f64,
    ) {
        let step = Exact::from_i64(digits).divided_by(&Exact::from_i64(10_i64.pow(tens))).times(&Exact::power_of_two(8 * shift));
        let multiple = Exact::from_i64(count).times(&Exact::power_of_two(exponent)).times(&step).to_f64();
        prop_assume!(multiple.is_finite() && multiple != 0.0);
        for start in [multiple, -multiple] {
            let next = past_multiple(start, &step);
            prop_assert!(next > start, "{start} of {step}: {next}");
            let (first, last) = (start.next_up(), next.next_down());
            // By their bits, doubles of one sign are evenly spread.
            if first <= last && last.is_finite() {
                let bits = |number: f64| number.abs().to_bits();
                let between = bits(first).abs_diff(bits(last));
                #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "any place will do")]
                let place = bits(first).min(bits(last)) + (part * between as f64) as u64;
                let some = f64::from_bits(place).copysign(first);
                for number in [first, last, some, first.next_up().min(last), last.next_down().max(first)] {
                    prop_assert!(is_multiple(number, &step), "{number} between {start} and {next} of {step}");
                }
            }
        }
    }
}

#[test]
fn whole_numbers_end_where_doubles_are_whole() {
    let (one, last) = (Exact::one(), 2.0_f64.powi(52));
    assert_eq!(past_multiple(last.next_up(), &one), f64::MAX);
    assert_eq!(past_multiple(-f64::MAX, &one), -last);
    assert_eq!(past_multiple(last - 1.0, &one), last - 0.5);
    assert!(!is_multiple(last - 0.5, &one) && is_multiple(last, &one));
}
