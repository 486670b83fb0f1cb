//! Equal treatment of inputs that differ in protected features only: `fair`.

use treeproof_report::{Bounds, PairAnswer, PairWitness, Verdict};

use super::difference;
use crate::page::Page;
use crate::scene::{Scene, found, stopped};

/// True if labels are compared, and not margins: by the task and the model. Of an answer without an origin, some verdicts are
/// about labels only, and others about margins only; `None` for those that are about either.
fn compares_labels(scene: Scene<'_>, answer: &PairAnswer) -> Option<bool> {
    let task = scene.task();
    let by_verdict = match answer.verdict {
        Verdict::Holds | Verdict::Violated => Some(true),
        Verdict::Optimal => Some(false),
        Verdict::Undecided | Verdict::Infeasible => None,
    };
    let by_model = scene.about.models.first().map(|model| model.has_labels());
    match (task.threshold, &task.class) {
        (Some(_), _) => Some(true),
        (None, Some(_)) => Some(false),
        (None, None) => by_model.or(by_verdict),
    }
}

pub(super) fn sentence(scene: Scene<'_>, answer: &PairAnswer) -> String {
    let (protected, bounds) = (scene.protected(), Bounds::from(answer));
    let why = scene.why(bounds);
    match bounds.verdict {
        Verdict::Holds => format!("No two inputs that differ only in {protected} have different labels: proved."),
        Verdict::Violated => format!("Two inputs that differ only in {protected} have different labels."),
        _ if compares_labels(scene, answer) == Some(false) => format!(
            "The largest difference of the {} between inputs that differ only in {protected} is {}: {why}.",
            scene.margin(),
            found(bounds, bounds.lower)
        ),
        _ => format!("Whether two inputs that differ only in {protected} are treated alike is open: {why}."),
    }
}

pub(super) fn fill(scene: Scene<'_>, answer: &PairAnswer, page: &mut Page) {
    let protected = scene.protected();
    match answer.verdict {
        Verdict::Holds => {
            page.proved.yes(format!("No two allowed inputs that differ only in {protected} get different labels."));
        }
        Verdict::Violated => {
            page.proved.yes(format!("The two inputs shown differ only in {protected} and get different labels."));
            page.proved.no("How many such pairs there are, or how often they occur.");
        }
        Verdict::Undecided if compares_labels(scene, answer) != Some(false) => {
            page.proved.no(format!("Whether two such inputs get different labels: {}.", stopped(answer.stopped)));
        }
        _ => {
            let who = format!("two inputs that differ only in {protected}");
            difference::prove(answer, scene.asked().within, &who, &mut page.proved);
        }
    }
    // By how much labels are clear of the decision is no number that people ask for.
    if compares_labels(scene, answer) != Some(true) {
        page.facts.bounds(answer.into(), answer.gap);
    }
    page.facts.pair(answer, scene);
    page.facts.time(answer.seconds, Some(answer.stats));
    page.facts.hint(answer.witness.iter().flat_map(PairWitness::inputs), scene);
    if answer.verdict == Verdict::Optimal {
        page.bounds(scene, answer.into(), answer.seconds);
    }
    page.pair(answer.witness.as_ref(), scene);
    page.rounding = answer.rounding;
}
