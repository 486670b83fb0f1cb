//! What stands beside an answer in JSON and on pages: the command, the task, the models, how bounds improved.

use std::path::Path;

use serde::Serialize;
use treeproof::inspect::{about_now, model_facts, tested};
use treeproof::sources::InputFiles;
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_language::Groups;
use treeproof_report::{About, ModelFacts, TaskRecord};

use crate::typed;

/// The facts about models. Of large ones they take a while, which is not to be taken from the time of a question.
pub(crate) fn models<'m>(
    models: impl Iterator<Item = (&'m Path, &'m Ensemble)>,
    inputs: &InputFiles,
) -> Vec<ModelFacts> {
    models.map(|(path, ensemble)| facts(path, ensemble, inputs)).collect()
}

/// About an answer to questions about models with these facts.
pub(crate) fn about(models: Vec<ModelFacts>) -> About {
    let mut about = about_now(env!("CARGO_PKG_VERSION"));
    about.command = Some(command());
    about.models = models;
    about
}

/// Adds the task, and what its inputs are made of.
pub(crate) fn add_task(about: &mut About, task: &impl Serialize, models: &[&Ensemble], groups: &Groups) {
    // A file name that is no text makes no JSON.
    about.task = serde_json::to_value(task).ok().map(TaskRecord::from);
    about.tested = Some(tested(models, groups));
}

fn facts(path: &Path, ensemble: &Ensemble, inputs: &InputFiles) -> ModelFacts {
    let mut facts = model_facts(ensemble);
    facts.file = Some(path.to_string_lossy().into_owned());
    facts.sha256 = inputs.sha256(path);
    facts
}

/// What was typed, as a shell takes it.
fn command() -> String {
    let typed = typed::arguments().iter().map(|argument| quoted(&argument.to_string_lossy()));
    std::iter::once("treeproof".to_owned()).chain(typed).collect::<Vec<_>>().join(" ")
}

/// A word of a command, in quotes where a shell would take it for something else.
fn quoted(word: &str) -> String {
    // Only a NUL cannot be quoted, and no argument has one.
    shlex::try_quote(word).map_or_else(|_| word.to_owned(), std::borrow::Cow::into_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_needs_it() {
        assert_eq!(["max", "m.json", "--gap", "age >= 30"].map(quoted).join(" "), "max m.json --gap 'age >= 30'");
        let strange = r#"a'b"$c`d\"#;
        assert_eq!(shlex::split(&quoted(strange)), Some(vec![strange.to_owned()]));
    }
}
