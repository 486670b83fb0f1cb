//! Errors of tasks. Each message is one line: what, where, what to do.

use thiserror::Error;
use treeproof_language::{GroupError, LanguageError};

/// A task that cannot be answered.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum TaskError {
    /// A field of the task is wrong.
    #[error("{field} {what}")]
    Field {
        /// The path of the field.
        field: &'static str,
        /// What is wrong with it.
        what: String,
    },
    /// A name or value in a field is none that the model has.
    #[error("{field}: {what}")]
    Value {
        /// The path of the field.
        field: &'static str,
        /// What is wrong, and what may be meant.
        what: String,
    },
    /// Columns are no group.
    #[error(transparent)]
    Group(#[from] GroupError),
    /// A condition cannot be understood.
    #[error("where: {0}")]
    Condition(#[from] LanguageError),
    /// The model is no sum of trees.
    #[error("the model can be predicted, but {what}; questions can be asked about sums only")]
    NotASum {
        /// What it is.
        what: &'static str,
    },
    /// Nothing can be proved about the labels of this model.
    #[error("questions about the model's labels cannot be asked: {what}")]
    NoLabel {
        /// Why.
        what: &'static str,
    },
    /// It is asked about labels, but the model has none.
    #[error("the model has no labels: ask with {instead}")]
    Unlabelled {
        /// What can be asked.
        instead: &'static str,
    },
    /// A row that the model's library refuses.
    #[error("row {row}: {what}")]
    Row {
        /// Its number, from 0.
        row: usize,
        /// Why.
        what: String,
    },
    /// Two models that cannot be compared.
    #[error(transparent)]
    Mismatch(#[from] crate::problem::MismatchError),
    /// Two models with different numbers of margins.
    #[error("the models have {} and {} margins: there is nothing to compare them by", .margins[0], .margins[1])]
    Margins {
        /// The numbers of margins.
        margins: [usize; 2],
    },
    /// Two models whose margins mean different things.
    #[error("the models cannot be compared by their margins: {what}; `solve` takes sums of any margins")]
    Unlike {
        /// The two meanings.
        what: String,
    },
    /// A model with several margins needs a class.
    #[error("the model has {margins} margins: say with --class which is meant ({known})")]
    ClassNeeded {
        /// The number of margins.
        margins: usize,
        /// Some of the classes.
        known: String,
    },
    /// There are no classes.
    #[error("the model has no classes, and so none called `{class}`: ask without a class")]
    NoClasses {
        /// What was asked for.
        class: String,
    },
    /// There is no such class.
    #[error("the model has no class `{class}`; it has {known}")]
    NoSuchClass {
        /// What was asked for.
        class: String,
        /// Some of the classes.
        known: String,
    },
    /// One margin stands for two classes.
    #[error(
        "the only margin is that of class `{has}`: the margin of `{class}` is its negative, so ask min for max and max for min"
    )]
    OtherClass {
        /// What was asked for.
        class: String,
        /// The class whose margin it is.
        has: String,
    },
    /// More models are given than the task is about.
    #[error("the task is about {}, but more are given", if *most == 1 { "one model" } else { "two models" })]
    SurplusModels {
        /// How many it is about.
        most: usize,
    },
    /// A witness did not pass its check: a defect of treeproof.
    #[error("internal error: a witness failed its check: {what}; please report it with the command and the files")]
    WitnessRefused {
        /// What the check said.
        what: String,
    },
}

/// The error that something is wrong with a field.
pub(crate) fn refuse<T>(field: &'static str, what: impl Into<String>) -> Result<T, TaskError> {
    Err(TaskError::Field { field, what: what.into() })
}

impl TaskError {
    /// A condition that only the best method can use.
    pub(crate) fn several_features() -> Self {
        let what = "must be `auto` where a condition is about several features together";
        Self::Field { field: "method", what: what.to_owned() }
    }
}
