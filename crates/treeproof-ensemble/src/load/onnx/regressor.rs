//! `TreeEnsembleRegressor`, and what it shares with `TreeEnsemble`: aggregation and post-transform.

use super::attributes::Attributes;
use super::graph::TreeOperator;
use super::listing;
use super::model::{OperatorParts, refuse_transform};
use super::nodes::{RawTree, always_scored};
use crate::error::LoadError;
use crate::float::Precision;
use crate::label::LabelRule;
use crate::link::Link;
use crate::sum::{Aggregate, BasePosition, ExtremeRule, Summation};

/// A number in the file, not backed by data in it.
const MAX_TARGETS: i64 = 1 << 20;

pub(super) fn read(found: &TreeOperator) -> Result<OperatorParts, LoadError> {
    let mut attributes = Attributes::new(&found.node)?;
    let computes = found.input.computes;
    let num_outputs = num_targets(&mut attributes)?;
    let base = attributes.reals("base_values", computes)?;
    let aggregate = attributes.text("aggregate_function")?.unwrap_or_else(|| "SUM".into());
    let transform = attributes.text("post_transform")?.unwrap_or_else(|| "NONE".into());
    let listing = listing::read(&mut attributes, "target", num_outputs, computes)?;
    let place = attributes.place("base_values");
    attributes.finish()?;
    if !base.is_empty() && base.len() != num_outputs {
        let what = format!("{} base values for {num_outputs} targets: onnxruntime refuses it", base.len());
        return Err(LoadError::unsupported(place, what));
    }
    let settings = Settings { aggregate, transform, base, narrow: computes == Precision::F64 };
    regression(found, num_outputs, listing.trees, settings)
}

/// The number of targets; ONNX has no default for it.
pub(super) fn num_targets(attributes: &mut Attributes) -> Result<usize, LoadError> {
    match attributes.integer("n_targets")? {
        Some(number @ 1..=MAX_TARGETS) => Ok(usize::try_from(number).unwrap_or(1)),
        number => {
            let what = format!("expected between 1 and {MAX_TARGETS} targets, found {}", number.unwrap_or(0));
            Err(LoadError::malformed(attributes.place("n_targets"), what))
        }
    }
}

/// The aggregation of leaf values in a regression.
pub(super) struct Settings {
    pub(super) aggregate: String,
    pub(super) transform: String,
    pub(super) base: Vec<f64>,
    /// True if the operator computes in double but returns float.
    pub(super) narrow: bool,
}

pub(super) fn regression(
    found: &TreeOperator,
    num_outputs: usize,
    trees: Vec<RawTree>,
    settings: Settings,
) -> Result<OperatorParts, LoadError> {
    let Settings { aggregate, transform, base, narrow } = settings;
    let place = found.node.op.clone();
    let mut notes = Vec::new();
    let precision = found.input.computes;
    // A base of zeros and none are the same, for a sum that starts at +0 is never −0 (only an average that underflows
    // can be, and then nothing but the sign of a zero is at stake).
    let base = if base.is_empty() { vec![0.0; num_outputs] } else { base };
    let scored = if num_outputs == 1 { vec![true] } else { always_scored(&trees, num_outputs) };
    if let Some(output) = (0..num_outputs).find(|output| base[*output] != 0.0 && !scored[*output]) {
        let what = format!(
            "an input may reach only leaves without a weight for target {output}: onnxruntime then leaves its base value \
             out; give every leaf of one tree a weight for it"
        );
        return Err(LoadError::unsupported(place, what));
    }
    let mut link = match transform.as_str() {
        "NONE" => Link::Identity,
        "LOGISTIC" | "SOFTMAX" if num_outputs == 1 => {
            notes.push(format!("the post transform {transform} is ignored, as onnxruntime does with a single target"));
            Link::Identity
        }
        "LOGISTIC" => Link::LogisticOnnx,
        "SOFTMAX" => Link::SoftmaxOnnx,
        other => return Err(refuse_transform(&place, other)),
    };
    let mut divisor = (aggregate == "AVERAGE").then_some(trees.len() as f64);
    if let Some(after) = found.divisor {
        let plain = aggregate == "SUM" && link == Link::Identity && base.iter().all(|base| *base == 0.0);
        if !plain || precision != Precision::F32 {
            let what = "the division after it can be represented for plain sums in float without base values only";
            return Err(LoadError::unsupported(place, what));
        }
        divisor = Some(after);
    }
    let aggregate = match aggregate.as_str() {
        "SUM" | "AVERAGE" => Aggregate::Sum(Summation {
            base_position: BasePosition::Last,
            divisor,
            narrow,
            fixed_order: false,
            ..Summation::plain(precision, base)
        }),
        "MIN" | "MAX" => {
            if narrow && link == Link::Identity {
                link = Link::Narrow;
            }
            let extreme = ExtremeRule { precision, base };
            if aggregate == "MIN" { Aggregate::Min(extreme) } else { Aggregate::Max(extreme) }
        }
        other => {
            let what = format!("unknown aggregate function `{}`", crate::load::document::shortened(other));
            return Err(LoadError::unsupported(place, what));
        }
    };
    Ok(OperatorParts { trees, num_outputs, aggregate, link, label: LabelRule::None, classes: Vec::new(), notes })
}
