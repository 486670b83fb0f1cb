//! An audit as people write it: TOML.

use std::path::Path;

use serde::Deserialize;

use super::{Check, Defaults};
use crate::sources::Folder;
use crate::task::{Question, Reading, Task, spelt};

/// The checks of a file, with their tasks.
#[derive(Clone, Debug)]
pub struct Audit {
    /// What all checks have in common.
    pub defaults: Defaults,
    /// The checks and what they ask.
    pub checks: Vec<(Check, Task)>,
}

impl Audit {
    /// The files of all models, each once: that of all checks first, then those that it is compared with.
    pub fn models(&self) -> Vec<&Path> {
        let mut models = vec![self.defaults.model.as_path()];
        for other in self.checks.iter().filter_map(|(_, task)| other_model(task)) {
            if !models.contains(&other) {
                models.push(other);
            }
        }
        models
    }

    /// Says how models are read; where this says nothing, the file does.
    pub fn set_reading(&mut self, said: Reading) {
        let reading = said.over(std::mem::take(&mut self.defaults.reading));
        self.checks.iter_mut().for_each(|(_, task)| task.reading.clone_from(&reading));
        self.defaults.reading = reading;
    }

    /// The places among [`Audit::models`] of those that a check is about.
    pub fn places(&self, task: &Task) -> Vec<u32> {
        let other = other_model(task).and_then(|other| self.models().iter().position(|model| *model == other));
        std::iter::once(0).chain(other).map(|place| u32::try_from(place).unwrap_or(u32::MAX)).collect()
    }
}

/// The second model of `diff`.
fn other_model(task: &Task) -> Option<&Path> {
    if let Question::Diff(diff) = &task.question { diff.other_model.as_deref() } else { None }
}

/// Reads the text of a file. The files that it names are relative to its own folder.
///
/// # Errors
/// One line that says what is wrong, and where in the file.
pub fn read(text: &str, path: &Path) -> Result<Audit, String> {
    /// The checks by themselves, so that errors can name them.
    #[derive(Deserialize)]
    struct Checks {
        #[serde(default)]
        check: Vec<toml::Table>,
    }
    let line = |error: &toml::de::Error| {
        error.span().map_or(1, |span| text[..span.start.min(text.len())].matches('\n').count() + 1)
    };
    let mut table: toml::Table = toml::from_str(text).map_err(|error| {
        let help = "write model = 'FILE' and [[check]]s; see treeproof audit --help";
        format!("line {}: not TOML: {} ({help})", line(&error), one_line(&error, None))
    })?;
    let Checks { check: checks } =
        toml::from_str(text).map_err(|error| format!("line {}: {}", line(&error), one_line(&error, None)))?;
    table.remove("check");
    let mut defaults: Defaults = table.try_into().map_err(|error| one_line(&error, None))?;
    if checks.is_empty() {
        return Err("there is no [[check]]: say what is asked".to_owned());
    }
    let folder = Folder::of(path);
    let mut checks_with_tasks: Vec<(Check, Task)> = vec![];
    for (place, table) in checks.into_iter().enumerate() {
        let name = table.get("name").and_then(toml::Value::as_str).map(|name| format!("`{name}`"));
        let name = name.unwrap_or_else(|| format!("number {}", place + 1));
        let wrong = |what: String| format!("check {name}: {what}");
        let question = table.get("question").cloned();
        let check: Check = table.try_into().map_err(|error| wrong(one_line(&error, question.as_ref())))?;
        if checks_with_tasks.iter().any(|(other, _)| other.name == check.name) {
            return Err(wrong("there is another of this name".to_owned()));
        }
        let mut task = check.task(&defaults).map_err(|error| wrong(error.to_string()))?;
        folder.locate_all(&mut task);
        task.set_defaults();
        checks_with_tasks.push((check, task));
    }
    folder.locate(Some(&mut defaults.model));
    Ok(Audit { defaults, checks: checks_with_tasks })
}

/// What is wrong with a file, with the word that may be meant.
fn one_line(error: &toml::de::Error, question: Option<&toml::Value>) -> String {
    let question = serde_json::to_value(question).unwrap_or_default();
    spelt(error.message(), &question).replace('\n', "; ")
}
