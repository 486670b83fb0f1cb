//! What `predict` does with the raw score, by objective.

use crate::error::Reason;
use crate::label::{ClassName, LabelRule};
use crate::link::Link;

/// Everything after the sum.
#[derive(Debug)]
pub(super) struct Outputs {
    pub(super) link: Link,
    pub(super) label: LabelRule,
    pub(super) classes: Vec<ClassName>,
    pub(super) objective: Option<String>,
    pub(super) notes: Vec<String>,
}

impl Outputs {
    fn without_label(link: Link) -> Self {
        Self { link, label: LabelRule::None, classes: Vec::new(), objective: None, notes: Vec::new() }
    }

    /// The library writes no objective for a custom one, and then returns the raw score.
    pub(super) fn custom() -> Self {
        let note = "The file names no objective (it was a custom one): outputs are the raw scores, as in LightGBM.";
        Self { notes: vec![note.into()], ..Self::without_label(Link::Identity) }
    }
}

/// Reads the value of the `objective` line, as in `binary sigmoid:1`.
pub(super) fn outputs(line: &str, num_outputs: usize) -> Result<Outputs, Reason> {
    let mut words = line.split_ascii_whitespace();
    let Some(name) = words.next() else {
        return Err(Reason::Malformed("the objective is empty; LightGBM cannot load this file either".into()));
    };
    let words: Vec<&str> = words.collect();
    let root = words.contains(&"sqrt");
    let one_output = |outputs: Outputs| {
        if num_outputs == 1 {
            return Ok(outputs);
        }
        Err(Reason::Malformed(format!("objective {name} has one output, but the model has {num_outputs}")))
    };
    let mut outputs = match name {
        "binary" => {
            let two = vec![ClassName::Int(0), ClassName::Int(1)];
            let link = Link::Logistic { slope: sigmoid(&words)? };
            let plain = Outputs::without_label(link);
            one_output(Outputs { label: LabelRule::OutputAboveComplement, classes: two, ..plain })?
        }
        "multiclass" | "multiclassova" => {
            let claimed = parameter(&words, "num_class").and_then(|value| value.parse::<usize>().ok());
            if claimed.is_some_and(|claimed| claimed != num_outputs) {
                let what = format!("the objective's num_class differs from the {num_outputs} trees per iteration");
                return Err(Reason::Malformed(what));
            }
            let link = if name == "multiclass" { Link::Softmax } else { Link::Logistic { slope: sigmoid(&words)? } };
            let classes = (0..).take(num_outputs).map(ClassName::Int).collect();
            Outputs { label: LabelRule::LargestOutput, classes, ..Outputs::without_label(link) }
        }
        "cross_entropy" | "xentropy" => one_output(Outputs::without_label(Link::Logistic { slope: 1.0 }))?,
        "cross_entropy_lambda" | "xentlambda" => one_output(Outputs::without_label(Link::LogOnePlusExp))?,
        "poisson" | "gamma" | "tweedie" => one_output(Outputs::without_label(Link::Exp))?,
        // Only these inherit the square; the Huber loss switches it off.
        "regression" | "regression_l1" | "fair" | "quantile" | "mape" if root => {
            one_output(Outputs::without_label(Link::SignedSquare))?
        }
        "regression" | "regression_l1" | "huber" | "fair" | "quantile" | "mape" | "lambdarank" | "rank_xendcg" => {
            one_output(Outputs::without_label(Link::Identity))?
        }
        "custom" => Outputs::custom(),
        _ => {
            let shown = crate::load::document::shortened(name);
            return Err(Reason::Unsupported(format!("objective {shown}, which LightGBM 4 does not know")));
        }
    };
    outputs.objective = Some(line.to_owned());
    Ok(outputs)
}

fn parameter<'a>(words: &[&'a str], key: &str) -> Option<&'a str> {
    words.iter().find_map(|word| word.strip_prefix(key)?.strip_prefix(':'))
}

/// The library refuses a slope that is absent or not positive.
fn sigmoid(words: &[&str]) -> Result<f64, Reason> {
    let slope = parameter(words, "sigmoid").and_then(|value| value.parse::<f64>().ok());
    slope
        .filter(|slope| *slope > 0.0 && slope.is_finite())
        .ok_or_else(|| Reason::Malformed("the objective has no positive `sigmoid:`".into()))
}
