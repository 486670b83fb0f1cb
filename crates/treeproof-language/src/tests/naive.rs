//! An oracle for conditions: direct evaluation of the tree without any normal form, with fractions of big integers.

use num_bigint::BigInt;

use super::laws::{COLOURS, FEATURES};
use crate::Inputs;
use crate::expression::{Arithmetic, FeatureName, Formula, NamePattern, Operator, Property, Sign, WrittenValue};

/// A point, and what may be missing.
#[derive(Clone, Copy)]
pub(super) struct Naive<'a> {
    pub(super) first: &'a [f64],
    pub(super) second: &'a [f64],
    pub(super) inputs: Inputs,
    pub(super) permitted: &'a [String],
    /// The input that names without a side mean.
    pub(super) side: char,
}

/// A fraction; the denominator is positive.
#[derive(Clone)]
struct Fraction(BigInt, BigInt);

impl Fraction {
    fn of(x: f64) -> Self {
        // Every double is a whole number of 2^-1074.
        let unit = BigInt::from(1) << 1074;
        let (mut mantissa, mut shift) = (x, 0_usize);
        while mantissa.fract() != 0.0 {
            mantissa *= 2.0;
            shift += 1;
        }
        let mut scale = 0_usize;
        while mantissa.abs() >= 9e15 {
            mantissa /= 2.0;
            scale += 1;
        }
        #[expect(clippy::cast_possible_truncation, reason = "a whole number of 53 bits")]
        let whole = BigInt::from(mantissa as i64) << scale;
        Self((whole * unit) >> shift, BigInt::from(1) << 1074)
    }

    fn plus(&self, other: &Self) -> Self {
        Self(&self.0 * &other.1 + &other.0 * &self.1, &self.1 * &other.1)
    }

    fn times(&self, other: &Self) -> Self {
        Self(&self.0 * &other.0, &self.1 * &other.1)
    }

    fn over(&self, other: &Self) -> Self {
        let quotient = Self(&self.0 * &other.1, &self.1 * &other.0);
        if quotient.1 < BigInt::ZERO { Self(-quotient.0, -quotient.1) } else { quotient }
    }

    fn negated(&self) -> Self {
        Self(-&self.0, self.1.clone())
    }

    fn compares(&self, sign: Sign, other: &Self) -> bool {
        let (left, right) = (&self.0 * &other.1, &other.0 * &self.1);
        match sign {
            Sign::Below => left < right,
            Sign::AtMost => left <= right,
            Sign::Above => left > right,
            Sign::AtLeast => left >= right,
            Sign::Equal => left == right,
            Sign::NotEqual => left != right,
        }
    }
}

impl Naive<'_> {
    /// The truth of a formula and of its negation: both false for a missing value, both true for a permitted one.
    pub(super) fn truth(&self, formula: &Formula, wanted: bool) -> bool {
        match formula {
            Formula::And(parts) if wanted => parts.iter().all(|part| self.truth(part, true)),
            Formula::And(parts) => parts.iter().any(|part| self.truth(part, false)),
            Formula::Or(parts) if wanted => parts.iter().any(|part| self.truth(part, true)),
            Formula::Or(parts) => parts.iter().all(|part| self.truth(part, false)),
            Formula::Not(of) => self.truth(of, !wanted),
            Formula::Implies(left, right) if wanted => self.truth(left, false) || self.truth(right, true),
            Formula::Implies(left, right) => self.truth(left, true) && self.truth(right, false),
            Formula::Comparison { first, rest } => {
                let mut left = first;
                let mut found = vec![];
                for (sign, right) in rest {
                    found.push(self.comparison(left, *sign, right, wanted));
                    left = right;
                }
                every(found, wanted)
            }
            Formula::Membership { name, is_negated, values } => {
                let is_in = |raw: f64| values.iter().any(|value| self.is_value(name, raw, value));
                self.about(&[self.place(name)], wanted, || is_in(self.raw(self.place(name))) != *is_negated)
            }
            Formula::Statement { property, names, .. } => self.statement(property, names, wanted),
        }
    }

    fn statement(&self, property: &Property, names: &[NamePattern], wanted: bool) -> bool {
        let mut places: Vec<(char, usize)> = names.iter().flat_map(|names| self.places(names)).collect();
        let each = |holds: &dyn Fn(f64) -> bool| {
            let found = |place: &(char, usize)| self.about(&[*place], wanted, || holds(self.raw(*place)));
            every(places.iter().map(found), wanted)
        };
        let count = || {
            let mut places = places.clone();
            places.sort_unstable();
            places.dedup();
            places.iter().filter(|place| !self.raw(**place).is_nan() && self.raw(**place) != 0.0).count()
        };
        match property {
            Property::OneHot => {
                let bits = each(&|raw| raw == 0.0 || raw == 1.0);
                if wanted { count() == 1 && bits } else { count() != 1 || bits }
            }
            Property::AtMost(limit) => (count() <= *limit) == wanted,
            Property::AtLeast(limit) => (count() >= *limit) == wanted,
            Property::Exactly(limit) => (count() == *limit) == wanted,
            Property::Integer => each(&|raw| raw == raw.round()),
            Property::Step(step) => each(&|raw| is_multiple(raw, &step.text)),
            Property::Missing => every(places.iter().map(|place| self.is_missing(*place) == wanted), wanted),
            Property::Fixed => every(places.iter().map(|(_, feature)| self.is_same(*feature) == wanted), wanted),
            Property::OnlyIncrease | Property::OnlyDecrease => {
                places.dedup();
                let found = |(_, feature): &(char, usize)| {
                    let (before, after) = (self.first[*feature], self.second[*feature]);
                    let pair = match self.inputs {
                        Inputs::Two => vec![('a', *feature), ('b', *feature)],
                        _ => vec![('b', *feature)],
                    };
                    let is_excused = pair.iter().any(|place| self.is_missing(*place)) && self.is_permitted(*feature);
                    let is_up = *property == Property::OnlyIncrease;
                    is_excused
                        || match (before.is_nan(), after.is_nan()) {
                            (true, true) => wanted,
                            (false, false) => (if is_up { after >= before } else { after <= before }) == wanted,
                            _ => false,
                        }
                };
                every(places.iter().map(found), wanted)
            }
            Property::MaybeMissing => panic!("a permission"),
        }
    }

    fn comparison(&self, left: &Arithmetic, sign: Sign, right: &Arithmetic, wanted: bool) -> bool {
        if let (Arithmetic::Name(name), Arithmetic::Value(text @ WrittenValue { number: None, .. })) = (left, right) {
            let place = self.place(name);
            let is_it = || self.is_value(name, self.raw(place), text) == (sign == Sign::Equal);
            return self.about(&[place], wanted, is_it);
        }
        if let (Arithmetic::Value(number), Arithmetic::Changed { names, .. }) = (left, right) {
            let group =
                |feature: usize| if FEATURES[feature].starts_with("w_") { vec![3, 4, 5] } else { vec![feature] };
            let mut units: Vec<Vec<usize>> = match names.is_empty() {
                true => (0..FEATURES.len()).map(group).collect(),
                false => names.iter().flat_map(|names| self.places(names)).map(|(_, at)| group(at)).collect(),
            };
            units.sort();
            units.dedup();
            let changed = units.iter().filter(|unit| unit.iter().any(|feature| !self.is_same(*feature))).count();
            return Fraction::of(number.number.unwrap()).compares(sign, &Fraction::of(changed as f64)) == wanted;
        }
        let mut places = vec![];
        let compared = (self.arithmetic(left, &mut places), self.arithmetic(right, &mut places));
        self.about(&places, wanted, || {
            let (Some(left), Some(right)) = &compared else { panic!("something is missing") };
            left.compares(sign, right)
        })
    }

    /// A statement about values: wanted where all are there, and both true and false where a permission excuses.
    fn about(&self, places: &[(char, usize)], wanted: bool, holds: impl Fn() -> bool) -> bool {
        let missing: Vec<&(char, usize)> = places.iter().filter(|place| self.is_missing(**place)).collect();
        match missing.is_empty() {
            true => holds() == wanted,
            false => missing.iter().all(|(_, feature)| self.is_permitted(*feature)),
        }
    }

    fn arithmetic(&self, arithmetic: &Arithmetic, places: &mut Vec<(char, usize)>) -> Option<Fraction> {
        match arithmetic {
            Arithmetic::Value(number) => Some(Fraction::of(number.number.unwrap())),
            Arithmetic::Name(name) => {
                let place = self.place(name);
                places.push(place);
                (!self.is_missing(place)).then(|| Fraction::of(self.raw(place)))
            }
            Arithmetic::Abs(of, _) => {
                let of = self.arithmetic(of, places)?;
                Some(if of.0 < BigInt::ZERO { of.negated() } else { of })
            }
            Arithmetic::Negative(of) => Some(self.arithmetic(of, places)?.negated()),
            Arithmetic::Operation { first, rest } => {
                let mut result = self.arithmetic(first, places);
                for (operator, next) in rest {
                    let next = self.arithmetic(next, places);
                    result = result.zip(next).map(|(result, next)| match operator {
                        Operator::Plus => result.plus(&next),
                        Operator::Minus => result.plus(&next.negated()),
                        Operator::Times => result.times(&next),
                        Operator::Over => result.over(&next),
                    });
                }
                result
            }
            Arithmetic::Changed { .. } | Arithmetic::Distance { .. } => panic!("no number"),
        }
    }

    fn is_value(&self, name: &FeatureName, raw: f64, value: &WrittenValue) -> bool {
        match FEATURES[self.place(name).1] {
            "colour" => raw > -1.0 && COLOURS[raw as usize] == value.text,
            _ => value.number == Some(raw),
        }
    }

    fn is_same(&self, feature: usize) -> bool {
        let (before, after) = (self.first[feature], self.second[feature]);
        // Negative values are no category, and alike.
        let is_one_category =
            FEATURES[feature] == "colour" && (before.floor() == after.floor() || (before <= -1.0 && after <= -1.0));
        before == after || is_one_category || (before.is_nan() && after.is_nan())
    }

    fn is_missing(&self, place: (char, usize)) -> bool {
        self.raw(place).is_nan()
    }

    fn is_permitted(&self, feature: usize) -> bool {
        self.permitted.iter().any(|name| name == FEATURES[feature])
    }

    fn raw(&self, (side, feature): (char, usize)) -> f64 {
        if side == 'a' { self.first[feature] } else { self.second[feature] }
    }

    fn place(&self, name: &FeatureName) -> (char, usize) {
        self.places(&NamePattern::One(name.clone()))[0]
    }

    fn places(&self, names: &NamePattern) -> Vec<(char, usize)> {
        let text = match names {
            NamePattern::One(name) => &name.text,
            NamePattern::Like { pattern, .. } => pattern,
        };
        let (side, text) = match text.split_once('.') {
            Some((side, rest)) => (side.chars().next().unwrap(), rest),
            None => (self.side, text.as_str()),
        };
        let is_meant = |name: &str| match text {
            "w" | "w_*" => name.starts_with("w_"),
            "?" => name.len() == 1,
            text => name == text,
        };
        (0..FEATURES.len()).filter(|at| is_meant(FEATURES[*at])).map(|at| (side, at)).collect()
    }
}

fn every(found: impl IntoIterator<Item = bool>, wanted: bool) -> bool {
    let mut found = found.into_iter();
    if wanted { found.all(|found| found) } else { found.any(|found| found) }
}

/// True if a number is written as a multiple of a step.
fn is_multiple(raw: f64, step: &str) -> bool {
    // Doubles so large are further apart than any step here.
    if raw.abs() > 1e17 {
        return true;
    }
    let tenths = (step.parse::<f64>().unwrap() * 10.0).round();
    let near = (raw * 10.0 / tenths).round();
    (-1..=1).any(|by| format!("{}e-1", (near + f64::from(by)) * tenths).parse() == Ok(raw))
}
