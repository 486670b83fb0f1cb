//! Task files: JSON of one of two forms.

use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;
use serde_json::error::Category;
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_language::suggest::closest_name;
use treeproof_language::{GroupError, Groups};

use super::{GeneralTask, Task, TaskLimits};

/// A task file of treeproof.
#[derive(Clone, Debug, PartialEq, JsonSchema)]
#[schemars(untagged)]
pub enum TaskFile {
    /// A question that has a name.
    Named(Box<Task>),
    /// The general form.
    General(Box<GeneralTask>),
}

impl From<Task> for TaskFile {
    fn from(task: Task) -> Self {
        Self::Named(Box::new(task))
    }
}

impl From<GeneralTask> for TaskFile {
    fn from(task: GeneralTask) -> Self {
        Self::General(Box::new(task))
    }
}

impl TaskFile {
    /// The name of the question.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Named(task) => task.question.name(),
            Self::General(_) => "solve",
        }
    }

    pub(super) fn conditions_mut(&mut self) -> &mut Vec<String> {
        match self {
            Self::Named(task) => &mut task.conditions,
            Self::General(task) => &mut task.conditions,
        }
    }

    pub(super) fn limits_mut(&mut self) -> &mut TaskLimits {
        match self {
            Self::Named(task) => &mut task.limits,
            Self::General(task) => &mut task.limits,
        }
    }

    /// The limits of the search.
    pub fn limits(&self) -> &TaskLimits {
        match self {
            Self::Named(task) => &task.limits,
            Self::General(task) => &task.limits,
        }
    }

    /// The groups of a model that the task declares.
    ///
    /// # Errors
    /// If the model has no such columns, or they can be no group.
    pub fn groups_in(&self, ensemble: &Ensemble) -> Result<Groups, GroupError> {
        match self {
            Self::Named(task) => task.groups_in(ensemble),
            Self::General(task) => task.groups_in(ensemble),
        }
    }

    /// The JSON schema of task files.
    pub fn schema() -> String {
        serde_json::to_string_pretty(&schemars::schema_for!(Self)).expect("plain data") + "\n"
    }
}

/// The fields that tell the forms apart.
#[derive(Deserialize)]
struct FormFields {
    question: Option<IgnoredAny>,
    maximise: Option<IgnoredAny>,
}

impl TaskFile {
    /// Reads the text of a file.
    ///
    /// # Errors
    /// One line that says what is wrong, and where.
    pub fn read(text: &str) -> Result<Self, String> {
        let form: FormFields = parse(text)?;
        match (form.question, form.maximise) {
            (Some(_), None) => parse(text).map(|task| Self::Named(Box::new(task))),
            (None, Some(_)) => parse(text).map(|task| Self::General(Box::new(task))),
            (None, None) => Err("neither `question` nor `maximise` is there: say what is asked".to_owned()),
            (Some(_), Some(_)) => Err("`question` and `maximise` are both there: ask one of them".to_owned()),
        }
    }
}

fn parse<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| match error.classify() {
        Category::Eof => format!("the file ends too early: {error}"),
        Category::Syntax => format!("not JSON: {error}"),
        Category::Data | Category::Io => {
            let fields: Value = serde_json::from_str(text).unwrap_or_default();
            spelt(&error.to_string(), &fields["question"])
        }
    })
}

/// The fields of questions about distances: serde gives no list of them, and misses one before it sees that it is misspelt.
const DISTANCE_FIELDS: [&str; 12] = [
    "norm",
    "weights",
    "scale",
    "missing_cost",
    "category_cost",
    "radius",
    "target",
    "within",
    "label",
    "output_above",
    "output_below",
    "count",
];

/// A message of serde about an unknown word, with the known word that may be meant instead of the list of all; about a field that a
/// question misses, with what is there in its place.
pub(crate) fn spelt(message: &str, question: &Value) -> String {
    let message = message.replacen("unknown variant ", "unknown word ", 1);
    let words: Vec<&str> = message.split('`').collect();
    let (Some(start), Some(word)) = (words.first(), words.get(1)) else { return message };
    let listed: Vec<&str> = words.iter().skip(3).step_by(2).copied().collect();
    let meant = match *start {
        "unknown field " | "unknown word " if listed.is_empty() => closest_name(word, DISTANCE_FIELDS),
        "unknown field " | "unknown word " => closest_name(word, listed),
        "missing field " => {
            let fields = question.as_object().into_iter().flat_map(|named| named.values()).filter_map(Value::as_object);
            let written = fields.flat_map(|fields| fields.keys()).map(String::as_str);
            closest_name(word, written.filter(|field| !DISTANCE_FIELDS.contains(field)))
        }
        _ => None,
    };
    let place = message.rfind(" at line ").map_or("", |at| &message[at..]);
    match meant {
        Some(written) if *start == "missing field " => {
            format!("unknown field `{written}`{place}; did you mean `{word}`?")
        }
        Some(meant) => format!("{start}`{word}`{place}; did you mean `{meant}`?"),
        None => message,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn either_form_is_read_and_mistakes_are_pointed_at() {
        let named = r#"{"treeproof": 1, "question": "max"}"#;
        assert!(matches!(TaskFile::read(named), Ok(TaskFile::Named(_))));
        let general = r#"{"treeproof": 1, "models": {"m": null}, "maximise": [{"model": "m"}]}"#;
        assert!(matches!(TaskFile::read(general), Ok(TaskFile::General(_))));
        let refusal = |text: &str| TaskFile::read(text).unwrap_err();
        assert_eq!(refusal("{}"), "neither `question` nor `maximise` is there: say what is asked");
        assert_eq!(
            refusal(r#"{"treeproof": 1, "question": "max", "wehre": []}"#),
            "unknown field `wehre` at line 1 column 43; did you mean `where`?"
        );
        assert_eq!(
            refusal(r#"{"treeproof": 1, "question": "maxx"}"#),
            "unknown word `maxx` at line 1 column 35; did you mean `max`?"
        );
        let robust = r#"{"treeproof": 1, "question": {"robust": {"norm": "l1", "radius": 1, "missing_cots": 2}}}"#;
        assert!(refusal(robust).ends_with("did you mean `missing_cost`?"), "{}", refusal(robust));
        for question in [r#"{"robust": {"norm": "l1", "raduis": 1}}"#, r#"{"stable": {"norm": "l1", "raduis": 1}}"#] {
            let misspelt = format!(r#"{{"treeproof": 1, "question": {question}}}"#);
            assert_eq!(refusal(&misspelt), "unknown field `raduis` at line 1 column 67; did you mean `radius`?");
        }
        let missing = r#"{"treeproof": 1, "question": {"robust": {"norm": "l1", "target": "x"}}}"#;
        assert_eq!(refusal(missing), "missing field `radius` at line 1 column 69");
        assert!(refusal(r#"{"question": 1, "maximise": []}"#).contains("both"));
        assert_eq!(refusal("["), "the file ends too early: EOF while parsing a list at line 1 column 1");
        assert_eq!(refusal("age,income"), "not JSON: expected value at line 1 column 1");
    }
}
