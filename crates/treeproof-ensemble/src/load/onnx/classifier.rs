//! `TreeEnsembleClassifier`: scores and labels, with onnxruntime's own rules for two classes.

use super::attributes::Attributes;
use super::graph::TreeOperator;
use super::listing::{self, Listing};
use super::model::{OperatorParts, refuse_transform};
use super::nodes::{always_scored, always_scores};
use crate::error::LoadError;
use crate::float::Precision;
use crate::label::{ClassName, LabelRule};
use crate::link::{Link, PairRule};
use crate::sum::{Aggregate, BasePosition, Summation};

pub(super) fn read(found: &TreeOperator) -> Result<OperatorParts, LoadError> {
    let mut attributes = Attributes::new(&found.node)?;
    let computes = found.input.computes;
    let integers = attributes.integers("classlabels_int64s")?;
    let texts = attributes.texts("classlabels_strings")?;
    let place = attributes.place("classlabels_*");
    let classes: Vec<ClassName> = match (integers.is_empty(), texts.is_empty()) {
        (false, true) => integers.into_iter().map(ClassName::Int).collect(),
        (true, false) => texts.into_iter().map(ClassName::Text).collect(),
        (true, true) => return Err(LoadError::malformed(place, "no class labels")),
        (false, false) => return Err(LoadError::malformed(place, "both integer and string labels")),
    };
    if classes.len() == 1 {
        return Err(LoadError::unsupported(
            place,
            "a single class, which onnxruntime labels 0 or 1; give both classes",
        ));
    }
    let base = attributes.reals("base_values", computes)?;
    let transform = attributes.text("post_transform")?.unwrap_or_else(|| "NONE".into());
    let listing = listing::read(&mut attributes, "class", classes.len(), computes)?;
    let place = attributes.place("base_values");
    attributes.finish()?;
    if let Some(divisor) = found.divisor {
        let what = format!("the scores of a classifier divided by {divisor} cannot be represented");
        return Err(LoadError::unsupported(&found.node.op, what));
    }
    // Labels are chosen before scores are rounded to float, so the rounding belongs to the link.
    let link = match (transform.as_str(), computes) {
        ("NONE", Precision::F32) => Link::Identity,
        ("NONE", Precision::F64) => Link::Narrow,
        ("LOGISTIC", _) => Link::LogisticOnnx,
        ("SOFTMAX", _) => Link::SoftmaxOnnx,
        (other, _) => return Err(refuse_transform(&found.node.op, other)),
    };
    let from = ScoreRules { computes, base, place, listing, classes, link };
    match (from.classes.len(), from.listing.outputs.as_slice()) {
        (2, [0]) => from.single_score(),
        (2, _) => from.two_scores(),
        _ => from.many_scores(),
    }
}

struct ScoreRules {
    computes: Precision,
    base: Vec<f64>,
    /// The position of the base values.
    place: String,
    listing: Listing,
    classes: Vec<ClassName>,
    link: Link,
}

impl ScoreRules {
    fn parts(self, num_outputs: usize, base: Vec<f64>, label: LabelRule) -> OperatorParts {
        let aggregate = Aggregate::Sum(Summation {
            base_position: BasePosition::Last,
            fixed_order: false,
            ..Summation::plain(self.computes, base)
        });
        let trees = self.listing.trees;
        OperatorParts {
            trees,
            num_outputs,
            aggregate,
            link: self.link,
            label,
            classes: self.classes,
            notes: Vec::new(),
        }
    }

    /// Two classes and weights for the first id only: the weights are the score of the *second* class.
    fn single_score(mut self) -> Result<OperatorParts, LoadError> {
        if self.base.len() > 1 {
            let what = "two base values where the weights score one class: onnxruntime's second score is then a constant; \
                        give one base value";
            return Err(LoadError::unsupported(self.place, what));
        }
        if self.base.iter().any(|base| *base != 0.0) && !always_scored(&self.listing.trees, 2)[0] {
            let what = "an input may reach only leaves without weights: onnxruntime then leaves the base value out; give every \
                        leaf of one tree a weight";
            return Err(LoadError::unsupported(self.place, what));
        }
        let base = if self.base.is_empty() { vec![0.0] } else { std::mem::take(&mut self.base) };
        let positive = self.listing.all_positive;
        // SOFTMAX has no effect on a single score.
        let rule = match self.link {
            Link::LogisticOnnx => PairRule::Logistic,
            _ if positive => PairRule::Complement,
            _ => PairRule::Negation,
        };
        self.link = Link::PairOnnx { rule };
        let label = LabelRule::MarginAbove { threshold: if positive { 0.5 } else { 0.0 } };
        let mut parts = self.parts(1, base, label);
        if positive && rule == PairRule::Logistic {
            let what = "no weight is negative, so onnxruntime gives the second label where the raw score exceeds 0.5, \
                        not where the probability does";
            parts.notes.push(what.into());
        }
        Ok(parts)
    }

    /// Two classes with weights for the second or for both: the scores are plain, the label is not.
    fn two_scores(self) -> Result<OperatorParts, LoadError> {
        if !self.base.is_empty() {
            let what = "base values where the weights score both of two classes: onnxruntime mixes up the two scores; \
                        put the base into the weights of one tree";
            return Err(LoadError::unsupported(self.place, what));
        }
        if !always_scored(&self.listing.trees, 2)[1] {
            let what = "two classes, and an input may reach only leaves without a weight for the second: onnxruntime then \
                        returns other scores; give every leaf of one tree a weight for it";
            return Err(LoadError::unsupported("attributes `class_*`", what));
        }
        let mut parts = self.parts(2, vec![0.0; 2], LabelRule::None);
        // Without labels the classes only name the two scores.
        parts.notes.push(
            "there is no label: with weights for the second of two classes onnxruntime's label looks at the second score \
             alone and may ignore the class labels; ask about scores, or convert with weights for one class id"
                .into(),
        );
        Ok(parts)
    }

    fn many_scores(mut self) -> Result<OperatorParts, LoadError> {
        let num = self.classes.len();
        let (base, label) = match self.base.len() {
            0 => {
                if !always_scores(&self.listing.trees) {
                    let what = "an input may reach only leaves without weights, for which onnxruntime raises an error; \
                                give every leaf of one tree a weight";
                    return Err(LoadError::unsupported("attributes `class_*`", what));
                }
                // A class that no reached leaf scores is no candidate.
                (vec![0.0; num], LabelRule::LargestScored)
            }
            // A base is a score: with one, all classes are candidates.
            given if given == num => (std::mem::take(&mut self.base), LabelRule::LargestMargin),
            given => {
                let what = format!("{given} base values for {num} classes: onnxruntime refuses it");
                return Err(LoadError::unsupported(self.place, what));
            }
        };
        Ok(self.parts(num, base, label))
    }
}
