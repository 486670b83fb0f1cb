//! Links and label rules by objective.

use crate::error::LoadFailure;
use crate::label::{ClassName, LabelRule};
use crate::link::Link;
use crate::load::document::shortened;
use crate::load::output_rules::OutputRules;

/// The library writes no objective for a custom one, and then returns the raw score.
pub(super) fn custom() -> OutputRules {
    let note = "The file names no objective (it was a custom one): outputs are the raw scores, as in LightGBM.";
    OutputRules { notes: vec![note.into()], ..OutputRules::without_label(Link::Identity) }
}

/// Reads the value of the `objective` line, as in `binary sigmoid:1`.
pub(super) fn outputs(line: &str, num_outputs: usize) -> Result<OutputRules, LoadFailure> {
    let mut words = line.split_ascii_whitespace();
    let Some(name) = words.next() else {
        return Err(LoadFailure::Malformed("the objective is empty; LightGBM cannot load this file either".into()));
    };
    let words: Vec<&str> = words.collect();
    let root = words.contains(&"sqrt");
    let one_output = |outputs: OutputRules| {
        if num_outputs == 1 {
            return Ok(outputs);
        }
        Err(LoadFailure::Malformed(format!("objective {name} has one output, but the model has {num_outputs}")))
    };
    Ok(match name {
        "binary" => {
            let two = vec![ClassName::Int(0), ClassName::Int(1)];
            let link = Link::Logistic { slope: sigmoid(&words)? };
            let plain = OutputRules::without_label(link);
            one_output(OutputRules { label: LabelRule::OutputAboveComplement, classes: two, ..plain })?
        }
        "multiclass" | "multiclassova" => {
            let claimed = parameter(&words, "num_class").and_then(|value| value.parse::<usize>().ok());
            if claimed.is_some_and(|claimed| claimed != num_outputs) {
                let what = format!("the objective's num_class differs from the {num_outputs} trees per iteration");
                return Err(LoadFailure::Malformed(what));
            }
            let link = if name == "multiclass" { Link::Softmax } else { Link::Logistic { slope: sigmoid(&words)? } };
            let classes = (0..).take(num_outputs).map(ClassName::Int).collect();
            OutputRules { label: LabelRule::LargestOutput, classes, ..OutputRules::without_label(link) }
        }
        "cross_entropy" | "xentropy" => one_output(OutputRules::without_label(Link::Logistic { slope: 1.0 }))?,
        "cross_entropy_lambda" | "xentlambda" => one_output(OutputRules::without_label(Link::LogOnePlusExp))?,
        "poisson" | "gamma" | "tweedie" => one_output(OutputRules::without_label(Link::Exp))?,
        // Only these inherit the square; the Huber loss switches it off.
        "regression" | "regression_l1" | "fair" | "quantile" | "mape" if root => {
            one_output(OutputRules::without_label(Link::SignedSquare))?
        }
        "regression" | "regression_l1" | "huber" | "fair" | "quantile" | "mape" | "lambdarank" | "rank_xendcg" => {
            one_output(OutputRules::without_label(Link::Identity))?
        }
        "custom" => custom(),
        _ => {
            let what = format!("objective {}, which LightGBM 4 does not know", shortened(name));
            return Err(LoadFailure::Unsupported(what));
        }
    })
}

fn parameter<'a>(words: &[&'a str], key: &str) -> Option<&'a str> {
    words.iter().find_map(|word| word.strip_prefix(key)?.strip_prefix(':'))
}

/// The library refuses a slope that is absent or not positive.
fn sigmoid(words: &[&str]) -> Result<f64, LoadFailure> {
    let slope = parameter(words, "sigmoid").and_then(short_decimal);
    slope
        .filter(|slope| *slope > 0.0 && slope.is_finite())
        .ok_or_else(|| LoadFailure::Malformed("the objective has no positive `sigmoid:`".into()))
}

/// A decimal as LightGBM reads the parameters of objectives: digit by digit in `f64`, so not always correctly rounded.
/// (Thresholds and leaf values it reads precisely.)
fn short_decimal(text: &str) -> Option<f64> {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, ""));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = |text: &str| {
        text.bytes()
            .try_fold(0.0_f64, |value, digit| digit.is_ascii_digit().then(|| value * 10.0 + f64::from(digit - b'0')))
    };
    if whole.is_empty() || fraction.len() > 300 {
        return None;
    }
    let mut value = digits(whole)?;
    if !fraction.is_empty() {
        value += digits(fraction)? / power(10.0, fraction.len());
    }
    if exponent.is_empty() {
        return (text.len() == mantissa.len()).then_some(value);
    }
    let unsigned = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    let mut rest = unsigned.parse::<u32>().ok()?.min(308);
    let mut scale = 1.0_f64;
    for (step, factor) in [(50, 1e50), (8, 1e8), (1, 10.0)] {
        while rest >= step {
            scale *= factor;
            rest -= step;
        }
    }
    Some(if exponent.starts_with('-') { value / scale } else { value * scale })
}

/// The library's own power, whose order of multiplications shows in the last bit beyond 10²².
fn power(base: f64, exponent: usize) -> f64 {
    match exponent {
        0 => 1.0,
        _ if exponent.is_multiple_of(2) => power(base * base, exponent / 2),
        _ if exponent.is_multiple_of(3) => power(base * base * base, exponent / 3),
        _ => base * power(base, exponent - 1),
    }
}
