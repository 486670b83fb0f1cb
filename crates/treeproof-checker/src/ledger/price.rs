//! The worth of costs at a price, rounded down or up.

use treeproof_proof::record::Price;

/// The worth of a cost that is not negative, rounded down, and cut off at 2¹⁰⁰.
pub(crate) fn floor(price: Price, cost: i128) -> i128 {
    const MOST: u128 = 1 << 100;
    let (mantissa, cost) = (u128::from(price.mantissa), cost.max(0).cast_unsigned().min(MOST));
    // The product is `high · 2⁶⁴ + low`, and each of both far below 2¹²⁸.
    let (high, low) = (mantissa * (cost >> 64), mantissa * (cost & u128::from(u64::MAX)));
    let worth = match price.exponent {
        ..-190 => 0,
        exponent @ ..=-64 => (high + (low >> 64)) >> (-exponent - 64).min(127),
        exponent @ ..=0 => {
            let high = high.checked_mul(1 << (64 + exponent));
            high.map_or(MOST, |high| high.saturating_add(low >> -exponent))
        }
        exponent => {
            let product = high.checked_mul(1 << 64).and_then(|high| high.checked_add(low));
            let has_room = |product: &u128| product.leading_zeros() > exponent.unsigned_abs() || *product == 0;
            product.filter(has_room).map_or(MOST, |product| product << exponent.min(127))
        }
    };
    worth.min(MOST).cast_signed()
}

/// The worth of a cost, rounded up; `None` if it is cut off.
pub(crate) fn ceil(price: Price, cost: i128) -> Option<i128> {
    let floor = floor(price, cost);
    (floor < 1 << 100).then_some(floor + 1)
}

/// The least cost whose [`floor`] is at least `worth`; `None` if it is beyond 2¹⁰⁰.
pub(crate) fn least_cost(price: Price, worth: i128) -> Option<i128> {
    let (mut too_little, mut enough) = (-1_i128, 1_i128 << 100);
    // A larger worth is cut off, too.
    let worth = worth.min(1 << 100);
    if floor(price, enough) < worth {
        return None;
    }
    while enough - too_little > 1 {
        let middle = (too_little + enough) / 2;
        if floor(price, middle) >= worth { enough = middle } else { too_little = middle }
    }
    Some(enough)
}

#[cfg(test)]
mod tests {
    use treeproof_ensemble::exact::Exact;

    use super::*;

    #[test]
    fn what_costs_are_worth_is_never_too_much() {
        let mut state = 1_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state >> 11
        };
        for _ in 0..20_000 {
            let mantissa = random() >> (random() % 54);
            let price = Price { ledger: 0, mantissa, exponent: i32::try_from(random() % 300).unwrap() - 200 };
            let cost = (i128::from(random()) << 40 | i128::from(random())) >> (random() % 94);
            let [low, high] = [cost >> 40, cost & ((1 << 40) - 1)].map(|half| Exact::from_i64(half as i64));
            let exact = low.times(&Exact::power_of_two(40)).plus(&high).times(&Exact::from_i64(mantissa as i64));
            let exact = exact.times(&Exact::power_of_two(price.exponent.into())).floor();
            let floor = floor(price, cost);
            match floor < 1 << 100 {
                true => assert_eq!(
                    exact,
                    Exact::from_i64((floor >> 62) as i64)
                        .times(&Exact::power_of_two(62))
                        .plus(&Exact::from_i64((floor & ((1 << 62) - 1)) as i64)),
                    "{price:?} {cost}"
                ),
                false => assert!(exact >= Exact::power_of_two(100)),
            }
        }
    }

    #[test]
    fn the_least_cost_is_the_least() {
        let price = Price { ledger: 0, mantissa: 3, exponent: -2 };
        for worth in 1..200 {
            let least = least_cost(price, worth).unwrap();
            assert!(floor(price, least) >= worth && floor(price, least - 1) < worth);
        }
        assert_eq!(least_cost(Price { ledger: 0, mantissa: 0, exponent: 0 }, 1), None);
    }
}
