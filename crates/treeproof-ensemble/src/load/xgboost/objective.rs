//! XGBoost's objectives: from the stored base score to a margin, and from margins to outputs and labels.

use crate::error::LoadError;
use crate::label::LabelRule;
use crate::link::Link;
use crate::load::document::shortened;

/// The consequences of an objective for prediction.
pub(super) struct ObjectiveRules {
    pub(super) link: Link,
    pub(super) label: LabelRule,
    base: BaseTransform,
}

enum BaseTransform {
    Identity,
    Logit,
    Log,
}

impl ObjectiveRules {
    /// The objective of a model with this number of margins.
    pub(super) fn named(name: &str, num_outputs: usize) -> Result<Self, LoadError> {
        use BaseTransform::{Identity, Log, Logit};
        let above_half = LabelRule::OutputAbove { threshold: 0.5 };
        let (base, link, label) = match name {
            // One output for each alpha.
            "reg:quantileerror" if num_outputs > 1 => (Identity, Link::VersionDependent, LabelRule::None),
            "reg:expectileerror" if num_outputs > 1 => {
                let what = "reg:expectileerror with several alphas: each output is made of several margins; train one model for each alpha";
                return Err(LoadError::unsupported("learner.objective.name", what));
            }
            "reg:squarederror"
            | "reg:linear"
            | "reg:squaredlogerror"
            | "reg:pseudohubererror"
            | "reg:absoluteerror"
            | "reg:quantileerror"
            | "reg:expectileerror"
            | "rank:pairwise"
            | "rank:ndcg"
            | "rank:map" => (Identity, Link::Identity, LabelRule::None),
            "reg:logistic" => (Logit, Link::LogisticXgboost, LabelRule::None),
            "binary:logistic" => (Logit, Link::LogisticXgboost, above_half),
            // The wrapper compares the raw margin with 0.5, as it does probabilities.
            "binary:logitraw" => (Identity, Link::Identity, above_half),
            "binary:hinge" => (Identity, Link::Hinge, above_half),
            "multi:softprob" => (Identity, Link::SoftmaxXgboost, LabelRule::LargestOutput),
            "multi:softmax" => (Identity, Link::ClassIndex, LabelRule::LargestMargin),
            "count:poisson" | "reg:gamma" | "reg:tweedie" | "survival:cox" | "survival:aft" => {
                (Log, Link::ExpF32, LabelRule::None)
            }
            other => {
                let what = format!("the objective \"{}\" is not known, so its link is not either", shortened(other));
                return Err(LoadError::unsupported("learner.objective.name", what));
            }
        };
        Ok(Self { link, label, base })
    }

    /// The base score as a margin, in `f32` throughout, as the library does when it loads the file.
    pub(super) fn base_margin(&self, score: f32) -> f64 {
        f64::from(match self.base {
            BaseTransform::Identity => score,
            BaseTransform::Logit => {
                const EDGE: f32 = 1e-6;
                let probability = score.clamp(EDGE, 1.0 - EDGE);
                -(1.0 / probability - 1.0).ln()
            }
            BaseTransform::Log => score.ln(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_scores_become_margins_as_in_the_library() {
        let margin = |score| ObjectiveRules::named("binary:logistic", 1).unwrap().base_margin(score);
        assert_eq!(margin(0.5).to_bits(), (-0.0_f64).to_bits());
        assert_eq!(margin(0.0) as f32, -13.81551);
        assert_eq!(margin(1.0) as f32, 13.74516);
    }

    #[test]
    fn unknown_objectives_are_refused() {
        let error = ObjectiveRules::named("reg:mine", 1).err().unwrap();
        assert!(error.to_string().contains("reg:mine"));
    }

    #[test]
    fn several_alphas_are_read_as_far_as_all_versions_agree() {
        let of = |name: &str, num_outputs| ObjectiveRules::named(name, num_outputs).map(|objective| objective.link);
        assert_eq!(of("reg:quantileerror", 1).unwrap(), Link::Identity);
        assert_eq!(of("reg:quantileerror", 2).unwrap(), Link::VersionDependent);
        assert_eq!(of("reg:expectileerror", 1).unwrap(), Link::Identity);
        assert!(of("reg:expectileerror", 2).unwrap_err().to_string().contains("several alphas"));
    }
}
