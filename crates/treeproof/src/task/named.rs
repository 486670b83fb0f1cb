//! Tasks as people are told of them: with names for the features that they give by position, as in `f0`.

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_language::{Condition, Groups, Inputs, Vocabulary};

use super::{Baseline, Closest, GeneralTask, Question, Robust, Stable, Task};
use crate::questions::context::vocabulary;
use crate::questions::items::items;

impl Task {
    /// The task about these models with the names of all features.
    #[must_use]
    pub fn with_names(&self, models: &[&Ensemble]) -> Self {
        let mut told = self.clone();
        let Some(Ok(groups)) = models.first().map(|first| self.groups_in(first)) else { return told };
        tell_conditions(&mut told.conditions, &vocabulary(models, &groups, self.question.inputs()));
        let vocabulary = vocabulary(models, &groups, Inputs::One);
        match &mut told.question {
            Question::Monotone(monotone) => tell_lists(&mut monotone.features, &vocabulary),
            Question::Fair(fair) => tell_lists(&mut fair.protected, &vocabulary),
            Question::Dominant(dominant) => {
                tell_lists(&mut dominant.given, &vocabulary);
                tell_lists(&mut dominant.vary, &vocabulary);
                if let Some(Baseline::Values(values)) = &mut dominant.baseline {
                    tell_lists(values, &vocabulary);
                }
            }
            Question::Robust(Robust { measure, .. })
            | Question::Closest(Closest { measure, .. })
            | Question::Stable(Stable { measure, .. }) => {
                let weights = std::mem::take(&mut measure.weights).into_iter();
                measure.weights = weights.map(|(name, weight)| (vocabulary.with_first_name(&name), weight)).collect();
            }
            Question::Max | Question::Min | Question::Range | Question::Enumerate(_) | Question::Diff(_) => {}
        }
        told
    }
}

impl GeneralTask {
    /// The task about these models with the names of all features.
    #[must_use]
    pub fn with_names(&self, models: &[&Ensemble]) -> Self {
        let mut told = self.clone();
        let Some(first) = models.first() else { return told };
        let groups = self.groups_in(first).unwrap_or(Groups::NONE);
        let inputs = if self.num_inputs() > 1 { Inputs::Two } else { Inputs::One };
        tell_conditions(&mut told.conditions, &vocabulary(models, &groups, inputs));
        for input in told.inputs.values_mut() {
            tell_lists(&mut input.except, &vocabulary(models, &groups, Inputs::One));
        }
        told
    }
}

impl Question {
    /// The inputs that conditions are about.
    pub(crate) fn inputs(&self) -> Inputs {
        match self {
            Self::Max | Self::Min | Self::Range | Self::Enumerate(_) | Self::Diff(_) => Inputs::One,
            Self::Dominant(dominant) if dominant.has_start() => Inputs::One,
            Self::Robust(_) | Self::Closest(_) => Inputs::WithReference,
            Self::Monotone(_) | Self::Fair(_) | Self::Stable(_) | Self::Dominant(_) => Inputs::Two,
        }
    }
}

fn tell_conditions(conditions: &mut [String], vocabulary: &Vocabulary<'_>) {
    for text in conditions {
        if let Ok(condition) = Condition::parse(text) {
            *text = vocabulary.with_names(&condition);
        }
    }
}

/// Lists of names, each perhaps with more behind it.
fn tell_lists(lists: &mut [String], vocabulary: &Vocabulary<'_>) {
    for text in lists {
        let told: Vec<String> = items(text).into_iter().map(|item| vocabulary.with_first_name(item)).collect();
        if told.iter().map(String::as_str).ne(items(text)) {
            *text = told.join(", ");
        }
    }
}
