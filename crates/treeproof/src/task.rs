//! A task: one question about one model, as data. Flags and files mean tasks; whoever answers sees nothing else.

mod comparison;
mod error;
mod quantity;

use serde::{Deserialize, Serialize};

pub use error::TaskError;
pub use quantity::{Bytes, Gap, Span};

/// The version of the task format that is written, and the only one read.
pub const VERSION: u32 = 1;

/// A question with everything that it depends on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Task {
    /// The version of the format: 1.
    pub treeproof: u32,
    /// What is asked.
    pub question: Question,
    /// The model's file, for whoever reads files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The class, by name or number, whose margin is asked about. Default: the only one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// Conditions that must hold, in the language of [`crate::language`]. Default: none.
    #[serde(default, rename = "where", skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<String>,
    /// A file of rows whose ranges, categories and missing values confine the features. Default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub domain: Option<String>,
    /// How the answer is searched. Default: the best way known.
    #[serde(default)]
    pub method: Method,
    /// Of the method `veritas`: the first ε, above 0 and at most 1, counted in thousandths. Default 0.5.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub epsilon: Option<f64>,
    /// Of `enumerate`: only configurations whose exact sum is above this. Default: all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub above: Option<f64>,
    /// Of `enumerate`: how many configurations. Default 100.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub top: Option<usize>,
    /// Of `diff`: the file of the model that is compared with the first, for whoever reads files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_model: Option<String>,
    /// Of `diff`: by how much the models may differ. Default: by how much they do is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<f64>,
    /// Of `monotone`: the features, by name. Default: every number that some tree tests.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub features: Vec<String>,
    /// Of `monotone`: whether the output must never rise. Default: it must never fall.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub decreasing: bool,
    /// Of `fair`: the features in which the two inputs may differ, each `sex` or, with the values of either,
    /// `status:{A91, A93}|{A92, A95}`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub protected: Vec<String>,
    /// Of `fair`: a file of rows, each of which is asked about, for whoever reads files. Default: any two inputs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<String>,
    /// Of `fair`: the probability above which the second class is chosen. Default: the library's own rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threshold: Option<f64>,
    /// What bounds the search.
    #[serde(default)]
    pub limits: TaskLimits,
}

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Question {
    /// The largest margin.
    Max,
    /// The smallest margin.
    Min,
    /// Both.
    Range,
    /// The output configurations of the largest margins.
    Enumerate,
    /// Where two models differ most.
    Diff,
    /// Whether the margin never falls, or never rises, as a feature rises.
    Monotone,
    /// Whether two inputs that differ in protected features alone are treated differently.
    Fair,
}

/// How an answer is searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Method {
    /// The best way known: best-first over regions.
    #[default]
    Auto,
    /// The search of the Veritas paper: leaf sequences, by ARA*; on one thread.
    Veritas,
    /// Its rival: trees merged two by two until memory is full; on one thread.
    Merge,
}

/// What bounds a search.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct TaskLimits {
    /// Wall-clock time. Default 60 s.
    #[serde(default)]
    pub time: Span,
    /// Memory for open regions. Default: any amount.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<Bytes>,
    /// Threads; with one, a run is the same on every machine. Default: all cores.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threads: Option<usize>,
    /// Stop when the bounds are this close. Default: only when nothing is left to search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap: Option<Gap>,
    /// Stop when the lower bound is at least this. Default: never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop_above: Option<f64>,
    /// Stop when the upper bound is at most this. Default: never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop_below: Option<f64>,
    /// Kept with the task; the present method draws no random numbers. Default 0.
    #[serde(default)]
    pub seed: u64,
}

impl Task {
    /// A question about everything the model accepts, with the default limits.
    pub fn new(question: Question) -> Self {
        Self {
            treeproof: VERSION,
            question,
            model: None,
            class: None,
            conditions: vec![],
            domain: None,
            method: Method::default(),
            epsilon: None,
            above: None,
            top: None,
            other_model: None,
            within: None,
            features: vec![],
            decreasing: false,
            protected: vec![],
            data: None,
            threshold: None,
            limits: TaskLimits::default(),
        }
    }

    /// How many configurations are asked for.
    pub fn top(&self) -> usize {
        self.top.unwrap_or(100)
    }

    /// Checks what types cannot.
    pub fn validate(&self) -> Result<(), TaskError> {
        let refuse = |field: &'static str, what: &str| Err(TaskError::Field { field, what: what.to_owned() });
        let limits = &self.limits;
        if self.treeproof != VERSION {
            return refuse("treeproof", "is not 1, the only version of tasks; a newer treeproof may know it");
        }
        if self.epsilon.is_some() && self.method != Method::Veritas {
            return refuse("epsilon", "is for the method `veritas` only");
        }
        if self.epsilon.is_some_and(|epsilon| !(0.001..=1.0).contains(&epsilon)) {
            return refuse("epsilon", "must be between 0.001 and 1");
        }
        if self.question == Question::Enumerate {
            // Silence would look like consent.
            let surplus = [
                ("method", self.method != Method::Auto),
                ("limits.gap", limits.gap.is_some()),
                ("limits.stop_above", limits.stop_above.is_some()),
                ("limits.stop_below", limits.stop_below.is_some()),
            ];
            if let Some((field, _)) = surplus.into_iter().find(|(_, is_given)| *is_given) {
                return refuse(field, "does not apply to `enumerate`");
            }
        } else if let Some(field) = [("above", self.above.is_some()), ("top", self.top.is_some())]
            .into_iter()
            .find_map(|(field, is_given)| is_given.then_some(field))
        {
            return refuse(field, "is for `enumerate` only");
        }
        if self.above.is_some_and(|above| !above.is_finite()) {
            return refuse("above", "is not a finite number");
        }
        if self.top == Some(0) {
            return refuse("top", "must be at least 1");
        }
        self.validate_comparison()?;
        if limits.threads == Some(0) {
            return refuse("limits.threads", "must be at least 1");
        }
        if limits.stop_above.is_some_and(f64::is_nan) {
            return refuse("limits.stop_above", "is not a number");
        }
        if limits.stop_below.is_some_and(f64::is_nan) {
            return refuse("limits.stop_below", "is not a number");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_reads_back_and_refuses_what_it_does_not_know() {
        let mut task = Task::new(Question::Max);
        task.conditions = vec!["age >= 30".into()];
        task.limits.gap = Some(Gap::Relative(0.01));
        task.limits.memory = Some(Bytes(4 << 30));
        let text = serde_json::to_string(&task).unwrap();
        assert_eq!(
            text,
            r#"{"treeproof":1,"question":"max","where":["age >= 30"],"method":"auto","limits":{"time":"60s","memory":"4GiB","gap":"1%","seed":0}}"#
        );
        assert_eq!(serde_json::from_str::<Task>(&text).unwrap(), task);
        assert!(serde_json::from_str::<Task>(r#"{"treeproof":1,"question":"max","wehre":[]}"#).is_err());
        task.limits.threads = Some(0);
        assert_eq!(task.validate().unwrap_err().to_string(), "limits.threads must be at least 1");
    }
}
