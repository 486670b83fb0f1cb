//! Protected features as people write them: `sex`, or `status:{A91, A93}|{A92, A95}` for two sets of values.

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_language::{Condition, Groups, Inputs, Resolved, Vocabulary};

use super::Fair;
use crate::error::TaskError;

/// The features in which two inputs may differ, and what the values of either must be.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Protected {
    pub(super) features: Vec<usize>,
    /// Of the first input and of the second in turn.
    pub(super) conditions: Vec<String>,
}

impl Protected {
    /// Reads the names of features.
    pub(super) fn new(fair: &Fair, ensemble: &Ensemble, groups: &Groups) -> Result<Self, TaskError> {
        let refuse = |what: String| TaskError::Value { field: "protected", what };
        let mut protected = Self { features: vec![], conditions: vec![] };
        for text in fair.names() {
            let (name, sets) = match text.split_once(":{") {
                Some((name, sets)) => (name, Some(sets)),
                None => (text, None),
            };
            let columns = Vocabulary::new(ensemble, groups, Inputs::One).columns_called(name.trim()).map_err(refuse)?;
            let feature = columns[0];
            protected.features.extend(columns);
            let Some(sets) = sets else { continue };
            let sides = sets.split_once('|').and_then(|(a, b)| Some((a.trim().strip_suffix('}')?, b.trim())));
            let sides = sides.and_then(|(a, b)| Some((a, b.strip_prefix('{')?.strip_suffix('}')?)));
            let Some((a, b)) = sides else {
                return Err(refuse(format!("`{text}` is not of the form `{name}:{{x, y}}|{{z}}`")));
            };
            let name = groups.of(feature).map_or(&ensemble.features()[feature].name, |group| &group.name);
            let conditions = [("a", a), ("b", b)].map(|(side, values)| format!("{side}.`{name}` in {{{values}}}"));
            // What is wrong here was not written as a condition.
            for condition in &conditions {
                let parsed = Condition::parse(condition).map_err(|error| refuse(error.what))?;
                Resolved::new(&[parsed], &Vocabulary::new(ensemble, groups, Inputs::Two))
                    .map_err(|error| refuse(error.what))?;
            }
            protected.conditions.extend(conditions);
        }
        Ok(protected)
    }

    /// The protected features with the inputs exchanged.
    pub(super) fn exchanged(&self) -> Self {
        let exchange = |text: &String| match text.split_at(1) {
            ("a", rest) => format!("b{rest}"),
            (_, rest) => format!("a{rest}"),
        };
        Self { features: self.features.clone(), conditions: self.conditions.iter().map(exchange).collect() }
    }
}
