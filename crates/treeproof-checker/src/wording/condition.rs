//! Conditions in words, in full.

use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::input::{FeatureKind, Reading};
use treeproof_proof::statement::condition::{Condition, Direction, Domain, LinearTerm, Relation, Variable};

use super::text::{exact, listed, ordinal, said};
use crate::numbers::merged;
use crate::quote::between;
use crate::space::Space;

/// The words of a condition.
pub(super) fn condition(space: &Space<'_>, condition: &Condition) -> String {
    let parts = |parts: &[Condition], joint: &str, none: &str| match parts {
        [] => none.to_owned(),
        [one] => self::condition(space, one),
        parts => {
            let parts: Vec<String> = parts.iter().map(|part| self::condition(space, part)).collect();
            format!("({})", parts.join(joint))
        }
    };
    let of = |name: &Variable| variable(space, *name);
    let to = if space.statement.inputs.len() == 1 { "the row" } else { "the first input" };
    let own = |feature: u32| {
        let name = space.name(feature as usize);
        if space.statement.inputs.len() == 1 { name } else { format!("{name} of the second input") }
    };
    match condition {
        Condition::All(all) => parts(all, " and ", "nothing is demanded"),
        Condition::Any(any) => parts(any, " or ", "what cannot be"),
        Condition::Values(name, values) => format!("{} is {}", of(name), domain(space, name.feature as usize, values)),
        Condition::Multiple { variable: name, step, negated } => {
            let is = if *negated { "is a number but not" } else { "is" };
            format!("{} {is} the double nearest to a multiple of {}", of(name), exact(step))
        }
        Condition::Linear { terms, relation, constant } => {
            let sign = match relation {
                Relation::Below => "<",
                Relation::AtMost => "<=",
                Relation::Equal => "==",
            };
            format!("{} {sign} {}", sum(space, terms), exact(constant))
        }
        Condition::Count { columns, at_least, at_most } => {
            let columns: Vec<String> = columns.iter().map(of).collect();
            format!(
                "of {} {} are there and not 0",
                listed(&columns),
                between_counts(*at_least, *at_most, columns.len())
            )
        }
        Condition::Same { feature, negated: false } => format!("{} is as in {to}", own(*feature)),
        Condition::Same { feature, negated: true } => format!("{} is not as in {to}", own(*feature)),
        Condition::Moved { feature, direction } => {
            let lies = match direction {
                Direction::AtLeast => "not below",
                Direction::AtMost => "not above",
                Direction::Above => "above",
                Direction::Below => "below",
            };
            format!("{} is {lies} that of {to}", own(*feature))
        }
        Condition::Changed { units, at_least, at_most } => {
            let number = between_counts(*at_least, *at_most, units.len());
            format!("{number} of {} differ from {to}", self::units(space, units))
        }
    }
}

/// Numbers, or categories, that a feature may be.
pub(super) fn domain(space: &Space<'_>, feature: usize, domain: &Domain) -> String {
    let mut words = vec![];
    let (unknown, missing) = match domain {
        Domain::Numbers { ranges, steps, missing } => {
            let ranges = merged(ranges.iter().map(|(low, high)| (low.0, high.0)));
            let of_range = |(low, high): &(f64, f64)| match (low, high) {
                (low, high) if low == high => said(*low),
                (low, high) if *low <= -f64::MAX && *high >= f64::MAX => "any number".to_owned(),
                (low, high) if *low <= -f64::MAX => format!("at most {}", said(*high)),
                (low, high) if *high >= f64::MAX => format!("at least {}", said(*low)),
                (low, high) => format!("from {} to {}", said(*low), said(*high)),
            };
            words.extend(ranges.iter().map(of_range));
            if let (Some(last), false) = (words.last_mut(), steps.is_empty()) {
                let steps: Vec<String> = steps.iter().map(exact).collect();
                *last += &format!(" (all of them in steps of {})", listed(&steps));
            }
            (false, *missing)
        }
        Domain::Categories { codes, unknown, missing } => {
            words.extend(codes.iter().map(|code| category(space, feature, *code)));
            (*unknown, *missing)
        }
    };
    words.extend(unknown.then(|| "no category".to_owned()));
    words.extend(missing.then(|| "missing".to_owned()));
    if words.is_empty() { "what no value is".to_owned() } else { words.join(" or ") }
}

/// A category of a feature.
pub(super) fn category(space: &Space<'_>, feature: usize, code: u32) -> String {
    let FeatureKind::Category(categories) = &space.readers(feature)[0].feature.kind else { return code.to_string() };
    let raw = categories.encoding.values().and_then(|values| values.get(code as usize));
    match (categories.names.get(code as usize), raw) {
        (Some(name), _) => between('`', name),
        (None, Some(raw)) => said(*raw),
        (None, None) => code.to_string(),
    }
}

/// The raw value of a feature.
pub(super) fn value(space: &Space<'_>, feature: usize, raw: f64) -> String {
    let reader = &space.readers(feature)[0];
    match reader.input.read(reader.feature, raw) {
        Ok(Reading::Category(code)) => category(space, feature, code),
        Ok(Reading::NoCategory) => format!("{} (no category)", said(raw)),
        Ok(Reading::Missing) => "missing".to_owned(),
        Ok(Reading::Number(_)) | Err(_) => said(raw),
    }
}

fn variable(space: &Space<'_>, variable: Variable) -> String {
    let name = space.name(variable.feature as usize);
    match space.statement.inputs.len() {
        1 => name,
        _ => format!("{name} of the {} input", ordinal(variable.input)),
    }
}

fn sum(space: &Space<'_>, terms: &[LinearTerm]) -> String {
    let mut text = String::new();
    for LinearTerm { coefficient, variable: name } in terms {
        let is_negative = *coefficient < Exact::zero();
        text += match (text.is_empty(), is_negative) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        };
        let size = coefficient.magnitude();
        if size != Exact::one() {
            text += &format!("{} * ", exact(&size));
        }
        text += &variable(space, *name);
    }
    if text.is_empty() { "0".to_owned() } else { text }
}

/// A count out of a total.
fn between_counts(at_least: u64, at_most: u64, of: usize) -> String {
    match (at_least, at_most) {
        (least, most) if least == most => format!("exactly {most}"),
        (0, most) => format!("at most {most}"),
        (least, most) if most >= of as u64 => format!("at least {least}"),
        (least, most) => format!("{least} to {most}"),
    }
}

/// Features that count once each.
fn units(space: &Space<'_>, units: &[Vec<u32>]) -> String {
    let mut all: Vec<u32> = units.iter().flatten().copied().collect();
    all.sort_unstable();
    let is_everything = all.iter().copied().eq(0..u32::try_from(space.statement.features.len()).unwrap_or(u32::MAX));
    let is_group = |unit: &Vec<u32>| unit.len() == 1 || space.statement.groups.contains(unit);
    if is_everything && units.iter().all(is_group) {
        return if space.statement.groups.is_empty() {
            "all features".to_owned()
        } else {
            "all features, of which a group counts once,".to_owned()
        };
    }
    let names = |unit: &Vec<u32>| {
        let names: Vec<String> = unit.iter().map(|feature| space.name(*feature as usize)).collect();
        if names.len() == 1 { names.concat() } else { format!("({} as one)", listed(&names)) }
    };
    listed(&units.iter().map(names).collect::<Vec<String>>())
}
