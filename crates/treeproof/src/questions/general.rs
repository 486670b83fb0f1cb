//! The general form: the largest value of a sum of margins, each of a model at an input, under conditions that tie the
//! inputs.

mod combination;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_language::{GroupError, Groups};

use super::common::{CommonFields, VERSION, refuse_surplus_models, validate_conditions};
use super::context::Context;
use super::groups::{self, GroupColumns};
use super::subject::Subject;
use crate::error::{TaskError, refuse};
use crate::limits::{Method, TaskLimits};
use crate::reading::Reading;
use crate::report::{QuestionName, Report};
use crate::watch::Watcher;

/// A task of the general form: one or two models, one or two inputs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct GeneralTask {
    /// The version of the format: 1.
    pub treeproof: u32,
    /// The files of the models, one or two, by names of your choice; `null` for files that are named elsewhere. Conditions,
    /// data and exceptions are about the features of the first in order of the names.
    pub models: BTreeMap<String, Option<PathBuf>>,
    /// How they are read, where there are several ways. Default: as their libraries do by themselves.
    #[serde(default, skip_serializing_if = "Reading::is_plain")]
    pub reading: Reading,
    /// The margins to add up. The largest sum is asked for.
    pub maximise: Vec<SignedMargin>,
    /// The inputs: `a` and, if there are two, `b`. Default: anything, and nothing in common.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub inputs: BTreeMap<String, TaskInput>,
    /// Conditions that must hold, in the language of `docs/constraints.md`; of two inputs, `a.age` is that of the first.
    /// Default: none.
    #[serde(default, rename = "where", skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<String>,
    /// Columns that are one feature to people, by its name. Default: none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub groups: BTreeMap<String, GroupColumns>,
    /// Limits of the search.
    #[serde(default)]
    pub limits: TaskLimits,
}

/// The margin of a model at an input, added or subtracted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct SignedMargin {
    /// The model, by its name in this task.
    pub model: String,
    /// The input: `a` or `b`. Default `a`.
    #[serde(default = "first_input")]
    pub input: String,
    /// 1 to add it, -1 to subtract it. Default 1.
    #[serde(default = "one")]
    pub sign: i64,
    /// The class, by name or number, whose margin it is. Default: the only one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
}

/// The values that an input may have.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct TaskInput {
    /// A file of rows whose ranges, categories and missing values confine its features; those that it has in common with
    /// another input are confined by the domains of both. Default: that of the input it is the same as, else none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub domain: Option<PathBuf>,
    /// The input with which it has all values in common. Default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_as: Option<String>,
    /// The features in which it may differ from that, by name. Default: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub except: Vec<String>,
}

fn first_input() -> String {
    "a".to_owned()
}

fn one() -> i64 {
    1
}

/// The names of inputs, in order.
const INPUTS: [&str; 2] = ["a", "b"];

impl GeneralTask {
    /// How long the search may take.
    pub fn time(&self) -> Duration {
        self.limits.time()
    }

    /// Sets the limits that are not said.
    pub fn set_defaults(&mut self) {
        let time = self.time();
        self.limits.set_defaults(time);
    }

    /// Names the models, or as many as are given, in order of their names, instead of those that are named.
    ///
    /// # Errors
    /// If there are more than it is about.
    pub fn set_models(&mut self, given: impl IntoIterator<Item = PathBuf>) -> Result<(), TaskError> {
        let (mut given, most) = (given.into_iter(), self.models.len());
        for file in self.models.values_mut() {
            *file = given.next().or(file.take());
        }
        refuse_surplus_models(given.next().is_some(), most)
    }

    /// How many inputs there are: two if something is said of `b`.
    pub fn num_inputs(&self) -> usize {
        let mut names = self.inputs.keys().chain(self.maximise.iter().map(|margin| &margin.input));
        if names.any(|name| name == INPUTS[1]) { 2 } else { 1 }
    }

    /// The place of an input of this name.
    fn input(&self, name: &str) -> usize {
        usize::from(name == INPUTS[1])
    }

    /// The features in which two inputs may differ; none if they have nothing in common.
    pub fn except(&self) -> Option<&[String]> {
        self.inputs.values().find(|input| input.same_as.is_some()).map(|input| &input.except[..])
    }

    /// For each input the file of rows that confines it, if there is one.
    pub fn domains(&self) -> Vec<Option<&Path>> {
        let own = |name: &str| self.inputs.get(name).and_then(|input| input.domain.as_deref());
        let of = |name: &str| {
            let same_as = self.inputs.get(name).and_then(|input| input.same_as.as_deref());
            own(name).or_else(|| own(same_as?))
        };
        INPUTS[..self.num_inputs()].iter().map(|name| of(name)).collect()
    }

    /// The groups of a model that the task declares.
    ///
    /// # Errors
    /// If the model has no such columns, or they can be no group.
    pub fn groups_in(&self, ensemble: &Ensemble) -> Result<Groups, GroupError> {
        groups::declared(&self.groups, ensemble)
    }

    /// The largest sum.
    pub(crate) fn answer(&self, subject: &Subject, watcher: &dyn Watcher) -> Result<Report, TaskError> {
        let common = CommonFields {
            question: QuestionName::Maximise,
            class: None,
            conditions: &self.conditions,
            groups: &self.groups,
            has_data: false,
            threshold: None,
            method: Method::Auto,
            epsilon: None,
            limits: &self.limits,
            time: self.time(),
        };
        combination::answer(self, &Context::new(common, subject, watcher)?)
    }

    /// Checks what types cannot.
    pub fn validate(&self) -> Result<(), TaskError> {
        let wrong = |field: &'static str, what: String| Err(TaskError::Value { field, what });
        if self.treeproof != VERSION {
            return refuse("treeproof", "is not 1, the only version of tasks; a newer treeproof may know it");
        }
        if !(1..=2).contains(&self.models.len()) {
            return wrong("models", format!("{} are named, but one or two can be asked about", self.models.len()));
        }
        if self.maximise.is_empty() {
            return refuse("maximise", "is empty: say which margins are added up");
        }
        validate_conditions(&self.conditions)?;
        for SignedMargin { model, input, sign, .. } in &self.maximise {
            if !self.models.contains_key(model) {
                let known: Vec<&str> = self.models.keys().map(String::as_str).collect();
                return wrong("maximise", format!("there is no model `{model}`; there are {}", known.join(", ")));
            }
            if !INPUTS.contains(&input.as_str()) {
                return wrong("maximise", format!("there is no input `{input}`: inputs are called a and b"));
            }
            if ![1, -1].contains(sign) {
                return wrong("maximise", format!("the sign {sign} is neither 1 nor -1"));
            }
        }
        if let Some(unused) = self.models.keys().find(|name| self.maximise.iter().all(|margin| margin.model != **name))
        {
            return wrong("models", format!("`{unused}` is not part of what is maximised"));
        }
        for (name, input) in &self.inputs {
            if !INPUTS.contains(&name.as_str()) {
                return wrong("inputs", format!("there is no input `{name}`: they are called a and b, one or two"));
            }
            match &input.same_as {
                Some(other) if !INPUTS.contains(&other.as_str()) || other == name => {
                    return wrong("inputs", format!("`{name}` can only be the same as the other of a and b"));
                }
                None if !input.except.is_empty() => {
                    return wrong(
                        "inputs",
                        format!("`{name}` has exceptions, but does not say what it is the same as"),
                    );
                }
                _ => {}
            }
        }
        if self.inputs.values().filter(|input| input.same_as.is_some()).count() == 2 {
            return wrong("inputs", "a and b are each the same as the other: say it of one of them".to_owned());
        }
        let is_used = |name: &str| self.maximise.iter().any(|margin| margin.input == name);
        if self.num_inputs() == 2 && !is_used("a") {
            return wrong("maximise", "the input a is not part of it: call the only input a".to_owned());
        }
        self.limits.validate()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        let task: GeneralTask = serde_json::from_str(text).unwrap();
        task.validate().map_err(|error| error.to_string()).err().unwrap_or_default()
    }

    /// A task with something else in place of a part of it.
    fn changed(from: &str, to: &str) -> String {
        let task = r#"{"treeproof": 1, "models": {"m": "m.json"},
            "maximise": [{"model": "m", "input": "b"}, {"model": "m", "input": "a", "sign": -1}],
            "inputs": {"a": {"domain": "x.csv"}, "b": {"same_as": "a", "except": ["age"]}}}"#;
        assert!(task.contains(from), "{from}");
        message(&task.replace(from, to))
    }

    #[test]
    fn what_is_not_possible_is_refused() {
        assert_eq!(changed("x.csv", "y.csv"), "");
        assert_eq!(changed(r#"{"m": "m.json"}"#, "{}"), "models: 0 are named, but one or two can be asked about");
        assert_eq!(changed(r#"{"m": "m.json"}"#, r#"{"n": null}"#), "maximise: there is no model `m`; there are n");
        assert_eq!(
            changed(r#"{"m": "m.json"}"#, r#"{"m": null, "n": null}"#),
            "models: `n` is not part of what is maximised"
        );
        assert_eq!(changed(r#""sign": -1"#, r#""sign": 2"#), "maximise: the sign 2 is neither 1 nor -1");
        assert_eq!(
            changed(r#""input": "b""#, r#""input": "c""#),
            "maximise: there is no input `c`: inputs are called a and b"
        );
        assert_eq!(
            changed(r#""b": {"#, r#""c": {}, "b": {"#),
            "inputs: there is no input `c`: they are called a and b, one or two"
        );
        assert_eq!(
            changed(r#""same_as": "a", "#, ""),
            "inputs: `b` has exceptions, but does not say what it is the same as"
        );
        assert_eq!(
            changed(r#""same_as": "a""#, r#""same_as": "b""#),
            "inputs: `b` can only be the same as the other of a and b"
        );
        assert_eq!(changed(r#""same_as": "a","#, r#""same_as": "a", "domain": "z.csv","#), "");
        assert_eq!(
            message(r#"{"treeproof": 1, "models": {"m": null}, "maximise": []}"#),
            "maximise is empty: say which margins are added up"
        );
    }

    #[test]
    fn each_input_has_its_domain() {
        let domains = |inputs: &str| -> Vec<Option<String>> {
            let text = format!(
                r#"{{"treeproof": 1, "models": {{"m": null}}, "inputs": {inputs},
                "maximise": [{{"model": "m"}}, {{"model": "m", "input": "b", "sign": -1}}]}}"#
            );
            let task: GeneralTask = serde_json::from_str(&text).unwrap();
            assert_eq!(task.validate(), Ok(()));
            task.domains().into_iter().map(|domain| domain.map(|path| path.display().to_string())).collect()
        };
        let named = |name: &str| Some(name.to_owned());
        assert_eq!(domains(r#"{"a": {"domain": "x"}, "b": {"domain": "y"}}"#), [named("x"), named("y")]);
        assert_eq!(domains(r#"{"a": {"domain": "x"}}"#), [named("x"), None]);
        assert_eq!(domains(r#"{"b": {"domain": "y"}}"#), [None, named("y")]);
        assert_eq!(domains(r#"{"a": {"domain": "x"}, "b": {"same_as": "a"}}"#), [named("x"), named("x")]);
        let own = r#"{"a": {"domain": "x"}, "b": {"same_as": "a", "except": ["age"], "domain": "y"}}"#;
        assert_eq!(domains(own), [named("x"), named("y")]);
    }

    #[test]
    fn one_input_is_enough() {
        let task: GeneralTask =
            serde_json::from_str(r#"{"treeproof": 1, "models": {"m": null}, "maximise": [{"model": "m"}]}"#).unwrap();
        assert_eq!((task.validate(), task.num_inputs(), task.domains()), (Ok(()), 1, vec![None]));
        assert_eq!(task.maximise[0].sign, 1);
    }
}
