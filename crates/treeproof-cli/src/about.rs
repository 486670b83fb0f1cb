//! What stands beside an answer in JSON and on pages: the command, the task, the models, how bounds improved.

use std::path::Path;

use serde::Serialize;
use serde_json::Value;
use treeproof::Report;
use treeproof::inspect::{ShortFacts, tested};
use treeproof::report::Finding;
use treeproof::sources::InputFiles;
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_language::Groups;
use treeproof_page::{About, Search};

use crate::typed;

/// An answer as it is printed: with where it comes from.
#[derive(Serialize)]
pub(crate) struct Told<'a, T: Serialize> {
    #[serde(flatten)]
    pub(crate) answer: &'a T,
    pub(crate) about: &'a About,
}

/// The facts about models. Of large ones they take a while, which is not to be taken from the time of a question.
pub(crate) fn models<'m>(models: impl Iterator<Item = (&'m Path, &'m Ensemble)>, inputs: &InputFiles) -> Vec<Value> {
    models.map(|(path, ensemble)| facts(path, ensemble, inputs)).collect()
}

/// About an answer to questions about models with these facts.
pub(crate) fn about(models: Vec<Value>) -> About {
    let mut about = About::now(env!("CARGO_PKG_VERSION"));
    about.command = Some(command());
    about.models = models;
    about
}

/// Adds the task, and what its inputs are made of.
pub(crate) fn add_task(about: &mut About, task: &impl Serialize, models: &[&Ensemble], groups: &Groups) {
    // A file name that is no text makes no JSON.
    about.task = serde_json::to_value(task).ok();
    about.tested = Some(tested(models, groups));
}

/// How bounds improved, where the answer is about one number, or two: many searches in one picture would say nothing.
pub(crate) fn trace_of(report: &Report, trace: Vec<Search>) -> Vec<Search> {
    match report.finding {
        Finding::MonotoneEach(_)
        | Finding::FairRows(_)
        | Finding::Robust(_)
        | Finding::Closest(_)
        | Finding::DominantEach(_) => vec![],
        _ => trace,
    }
}

fn facts(path: &Path, ensemble: &Ensemble, inputs: &InputFiles) -> Value {
    let mut facts = ShortFacts::of(ensemble);
    facts.file = Some(path.to_string_lossy().into_owned());
    facts.sha256 = inputs.sha256(path);
    serde_json::to_value(facts).unwrap_or_default()
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
