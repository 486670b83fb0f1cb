//! The inputs of a configuration as conditions.

use treeproof_report::{Ends, FeatureDomain, FeatureValues, WitnessValue};

use crate::words::{clean, decimal, value};

/// The values of a feature as `--where` takes them, as far as that goes.
pub(crate) fn condition((name, feature): &(String, FeatureDomain)) -> String {
    let name = quoted(name);
    let (text, is_missing_too) = match &feature.values {
        FeatureValues::Listed { values, unknown: false, missing: true } if values.is_empty() => {
            return format!("missing({name})");
        }
        FeatureValues::Listed { values, unknown, missing } => {
            let mut known: Vec<String> = values.iter().map(value).collect();
            known.extend(unknown.then(|| "no known category".to_owned()));
            match (values.as_slice(), known.as_slice()) {
                ([WitnessValue::Number(_)], [text]) => (format!("{name} == {text}"), *missing),
                _ => return format!("{name} in {{{}}}{}", known.join(", "), or_missing(*missing)),
            }
        }
        FeatureValues::Interval { low, high, steps, missing } => {
            (of_intervals(&name, &[Ends { low: *low, high: *high }], steps, *missing), *missing)
        }
        FeatureValues::Intervals { intervals, steps, missing } => {
            (of_intervals(&name, intervals, steps, *missing), *missing)
        }
    };
    text + or_missing(is_missing_too)
}

fn or_missing(is_missing_too: bool) -> &'static str {
    if is_missing_too { ", or missing" } else { "" }
}

fn of_intervals(name: &str, intervals: &[Ends], steps: &[f64], is_missing_too: bool) -> String {
    let interval = |ends: &Ends| match (ends.low, ends.high) {
        (None, None) if is_missing_too => format!("{name} is any number"),
        (None, None) => format!("not missing({name})"),
        (Some(low), None) => format!("{name} >= {}", decimal(low)),
        (None, Some(high)) => format!("{name} {}", below(high)),
        // No number lies between these.
        (Some(low), Some(high)) if low.next_up() == high => format!("{name} == {}", decimal(low)),
        (Some(low), Some(high)) => format!("{} <= {name} {}", decimal(low), below(high)),
    };
    let told: Vec<String> = intervals.iter().map(interval).collect();
    let mut text = told.join(" or ");
    if !steps.is_empty() && told.len() > 1 {
        text = format!("({text})");
    }
    for step in steps {
        text += &match decimal(*step).as_str() {
            "1" => format!(" and integer({name})"),
            step => format!(" and step({name}, {step})"),
        };
    }
    text
}

/// Backquoted where it is no plain word.
fn quoted(name: &str) -> String {
    let is_word = |sign: char| sign.is_alphanumeric() || sign == '_';
    let is_plain = name.chars().all(is_word) && !name.starts_with(|sign: char| sign.is_ascii_digit());
    if is_plain && !name.is_empty() { name.to_owned() } else { format!("`{}`", clean(name)) }
}

/// Below a number, or up to the one before it, where that has the shorter text.
fn below(high: f64) -> String {
    let (open, closed) = (decimal(high), decimal(high.next_down()));
    if closed.len() < open.len() { format!("<= {closed}") } else { format!("< {open}") }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn told(name: &str, values: Value) -> String {
        let values = serde_json::from_value(values).unwrap();
        condition(&(name.to_owned(), FeatureDomain { values, is_as_asked: false }))
    }

    #[test]
    fn conditions_are_told_as_people_write_them() {
        let told = |values: Value| told("x", values);
        assert_eq!(told(json!({"low": 1.5, "high": null})), "x >= 1.5");
        assert_eq!(
            told(json!({"intervals": [{"low": null, "high": 2.0}, {"low": 3.0, "high": null}], "missing": true})),
            "x < 2 or x >= 3, or missing"
        );
        assert_eq!(told(json!({"low": null, "high": null, "missing": false})), "not missing(x)");
        let tens = json!({"intervals": [{"low": null, "high": 2.0}, {"low": 7.0, "high": null}], "steps": [1.0]});
        assert_eq!(told(tens), "(x < 2 or x >= 7) and integer(x)");
        assert_eq!(told(json!({"low": 1.5, "high": null, "steps": [0.5]})), "x >= 1.5 and step(x, 0.5)");
        assert_eq!(told(json!({"values": ["u", 2], "unknown": true})), "x in {u, 2, no known category}");
        assert_eq!(told(json!({"values": [], "missing": true})), "missing(x)");
        assert_eq!(told(json!({"values": [49.0], "missing": true})), "x == 49, or missing");
        assert_eq!(told(json!({"low": 2.0, "high": 2.0_f64.next_up()})), "x == 2");
    }

    #[test]
    fn names_that_are_no_words_are_quoted() {
        assert_eq!(told("a b", json!({"low": 2.0})), "`a b` >= 2");
    }
}
