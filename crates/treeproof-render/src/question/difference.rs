//! The largest difference between near inputs, or between two models: `stable`, `diff`.

use treeproof_report::{Bounds, Norm, PairAnswer, PairWitness, Verdict};

use crate::page::Page;
use crate::proved::Proved;
use crate::scene::{Scene, between};
use crate::words::{decimal, number};

/// The question of `diff`.
pub(super) fn asked(within: Option<f64>) -> String {
    match within {
        None => "Where do the margins of two models differ most?".to_owned(),
        Some(0.0) => "Are the margins of two models the same?".to_owned(),
        Some(within) => format!("Do the margins of two models agree up to {}?", decimal(within)),
    }
}

/// Two inputs that are near each other.
fn apart(scene: Scene<'_>) -> String {
    let radius = scene.radius().unwrap_or_else(|| "an unknown radius".to_owned());
    match scene.norm() {
        Norm::L0 if radius == "1 change" => "two inputs that differ in 1 feature".to_owned(),
        Norm::L0 if scene.asked().weights.is_empty() => {
            format!("two inputs that differ in at most {}", radius.replace("change", "feature"))
        }
        _ => format!("two inputs at most {radius} apart"),
    }
}

/// Tells what is proved about the margins of some inputs or models. Returns true if they are the same.
pub(super) fn prove(answer: &PairAnswer, within: Option<f64>, who: &str, proved: &mut Proved) -> bool {
    let (lower, upper) = (answer.lower, answer.upper);
    let holds = answer.verdict == Verdict::Holds;
    let is_same = (if holds { within } else { upper }) == Some(0.0);
    if is_same {
        proved.yes(format!("The margins of {who} never differ."));
    } else if let Some(most) = if holds { within } else { upper } {
        proved.yes(format!("The margins of {who} never differ by more than {}.", decimal(most)));
    }
    if let (Some(_), Some(lower), false) = (&answer.witness, lower, is_same) {
        proved.yes(format!("What is shown makes them differ by at least {}.", decimal(lower)));
    }
    if let (Verdict::Violated, Some(upper)) =
        (answer.verdict, upper.filter(|upper| lower.is_some_and(|lower| *upper > lower)))
    {
        proved.no(format!(
            "Whether they differ by more elsewhere, up to {}: the tolerance is exceeded either way.",
            decimal(upper)
        ));
    }
    proved.open(answer.into(), "Whether some differ by a number");
    if answer.probability.is_some() && !is_same {
        proved.no("The largest difference of probabilities, which may lie elsewhere: margins were compared.");
    }
    is_same
}

pub(super) fn sentence(scene: Scene<'_>, answer: &PairAnswer, is_between_models: bool) -> String {
    let (what, differ) = if is_between_models {
        (format!("margins{}", scene.of_class()), "differ")
    } else {
        (format!("{} of {}", scene.margin(), apart(scene)), "differs")
    };
    let (bounds, within) = (Bounds::from(answer), scene.asked().within);
    let lower = number(bounds.lower);
    match bounds.verdict {
        Verdict::Holds if within == Some(0.0) => format!("The {what} never {differ}: proved."),
        Verdict::Holds => format!("The {what} never {differ} by more than {}: proved.", number(within)),
        Verdict::Violated => format!("The {what} {differ} by {lower}, which is more than {}.", number(within)),
        _ if bounds.is_exact() && bounds.upper == Some(0.0) => format!("The {what} never {differ}: proved."),
        _ if bounds.is_exact() => format!("The {what} {differ} by {lower} at most: proved."),
        _ => {
            let why = scene.why(bounds);
            format!("The largest difference of the {what} is {}: {why}.", between(bounds))
        }
    }
}

pub(super) fn fill(scene: Scene<'_>, answer: &PairAnswer, is_between_models: bool, page: &mut Page) {
    let who = if is_between_models { "the two models" } else { "two inputs this close" };
    let is_same = prove(answer, scene.asked().within, who, &mut page.proved);
    if is_same && is_between_models {
        page.proved.no("That what the libraries return is the same: they round sums, and the models may turn margins into outputs differently.");
    }
    page.facts.bounds(answer.into(), answer.gap);
    page.facts.pair(answer, scene);
    page.facts.time(answer.seconds, Some(answer.stats));
    page.facts.hint(answer.witness.iter().flat_map(PairWitness::inputs), scene);
    page.bounds(scene, answer.into(), answer.seconds);
    // Where nothing differs, no input shows it.
    if !(answer.verdict == Verdict::Holds && answer.lower == Some(0.0)) {
        page.pair(answer.witness.as_ref(), scene);
    }
    page.rounding = answer.rounding;
}
