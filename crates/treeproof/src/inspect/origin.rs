//! The origin of an answer: the facts about its model in short, the version and the date.

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_report::{About, ModelFacts};

use super::inspect;

/// Classes that are named.
const SHOWN_CLASSES: usize = 20;

/// The facts about a model, without a file.
pub fn model_facts(ensemble: &Ensemble) -> ModelFacts {
    let facts = inspect(ensemble);
    let more = (facts.classes.len() > SHOWN_CLASSES).then(|| "…".to_owned());
    ModelFacts {
        file: None,
        sha256: None,
        format: facts.format,
        version: facts.version,
        objective: facts.objective,
        classes: facts.classes.iter().take(SHOWN_CLASSES).map(ToString::to_string).chain(more).collect(),
        trees: facts.trees,
        leaves: facts.leaves,
        depth: facts.depth,
        features: facts.features,
        features_used: facts.features_used.len(),
        thresholds: facts.thresholds,
        input: facts.input,
        missing: facts.missing,
        arithmetic: facts.arithmetic,
        label_rule: facts.label_rule,
        rounding: facts.rounding,
    }
}

/// The origin of an answer that this version of treeproof gives now.
pub fn about_now(version: &str) -> About {
    let date = jiff::Timestamp::now().strftime("%Y-%m-%d %H:%M UTC").to_string();
    About { treeproof: Some(version.to_owned()), date: Some(date), ..About::default() }
}
