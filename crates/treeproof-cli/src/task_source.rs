//! The origin of a task, which decides how errors name its fields.

use std::path::Path;

use treeproof::sources::AskError;
use treeproof::task::{Question, Task, TaskError};

/// The origin of a task.
#[derive(Clone, Copy)]
pub(crate) enum TaskSource<'a> {
    /// The flags of a command.
    Flags,
    /// A task file.
    File(&'a Path),
    /// A check of an audit, by its name.
    Check(&'a Path, &'a str),
}

impl TaskSource<'_> {
    /// The message for an error about the files of a task.
    pub(crate) fn locate_unread(self, error: AskError) -> anyhow::Error {
        match (self, error) {
            (_, AskError::Task(error)) => self.locate(error),
            (Self::File(path), AskError::NoModel { name }) => {
                let what = format!("the model `{name}` has no file: give one in the task or after TASK");
                anyhow::anyhow!("{}: {what}", path.display())
            }
            (_, error) => error.into(),
        }
    }

    /// The message for an error about a field.
    pub(crate) fn locate(self, error: TaskError) -> anyhow::Error {
        match (self, error) {
            (_, error @ TaskError::WitnessRefused { .. }) => error.into(),
            // The text of an error has all of its causes.
            (Self::File(path), error) => anyhow::anyhow!("{}: {error}", path.display()),
            (Self::Check(path, name), error) => anyhow::anyhow!("{}: check `{name}`: {error}", path.display()),
            (Self::Flags, TaskError::Condition(error)) => anyhow::anyhow!("--where: {error}"),
            (Self::Flags, TaskError::Field { field, what }) => anyhow::anyhow!("--{} {what}", flag(field)),
            (Self::Flags, TaskError::Value { field, what }) => anyhow::anyhow!("--{}: {what}", flag(field)),
            (Self::Flags, error) => error.into(),
        }
    }

    /// The message for an error about a field, a model or data, with the file.
    pub(crate) fn locate_in(self, error: TaskError, task: &Task) -> anyhow::Error {
        if let TaskError::Condition(_)
        | TaskError::Field { .. }
        | TaskError::Value { .. }
        | TaskError::WitnessRefused { .. } = error
        {
            return self.locate(error);
        }
        let model = task.model.as_deref().unwrap_or(Path::new("the model")).display();
        let files = match (&error, &task.question, &task.data) {
            (TaskError::Row { .. }, _, Some(data)) => data.display().to_string(),
            (_, Question::Diff(diff), _) => {
                let other = diff.other_model.as_deref().unwrap_or(Path::new("the other"));
                format!("{model} and {}", other.display())
            }
            _ => model.to_string(),
        };
        anyhow::Error::from(error).context(files)
    }
}

/// The flag that sets a field.
fn flag(field: &str) -> String {
    match field {
        // A flag names one, a task lists them.
        "features" => "feature".to_owned(),
        field => field.trim_start_matches("limits.").replace('_', "-"),
    }
}
