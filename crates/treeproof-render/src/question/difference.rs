//! The largest difference between near inputs, or between two models: `stable`, `diff`.

use treeproof_report::{Bounds, Norm, PairAnswer, PairWitness, Verdict};

use super::Words;
use crate::facts::Facts;
use crate::page::Drawn;
use crate::proved::Proved;
use crate::scene::{Scene, between};
use crate::words::{decimal, number};

pub(super) struct Difference<'a> {
    pub(super) scene: Scene<'a>,
    pub(super) answer: &'a PairAnswer,
    pub(super) is_between_models: bool,
}

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

impl Words for Difference<'_> {
    fn answer(&self) -> String {
        let (what, differ) = if self.is_between_models {
            (format!("margins{}", self.scene.of_class()), "differ")
        } else {
            (format!("{} of {}", self.scene.margin(), apart(self.scene)), "differs")
        };
        let (bounds, within) = (Bounds::from(self.answer), self.scene.asked().within);
        let lower = number(bounds.lower);
        match bounds.verdict {
            Verdict::Holds if within == Some(0.0) => format!("The {what} never {differ}: proved."),
            Verdict::Holds => format!("The {what} never {differ} by more than {}: proved.", number(within)),
            Verdict::Violated => format!("The {what} {differ} by {lower}, which is more than {}.", number(within)),
            _ if bounds.is_exact() && bounds.upper == Some(0.0) => format!("The {what} never {differ}: proved."),
            _ if bounds.is_exact() => format!("The {what} {differ} by {lower} at most: proved."),
            _ => {
                let why = self.scene.why(bounds);
                format!("The largest difference of the {what} is {}: {why}.", between(bounds))
            }
        }
    }

    fn prove(&self, proved: &mut Proved) {
        let who = if self.is_between_models { "the two models" } else { "two inputs this close" };
        let is_same = prove(self.answer, self.scene.asked().within, who, proved);
        if is_same && self.is_between_models {
            proved.no("That what the libraries return is the same: they round sums, and the models may turn margins into outputs differently.");
        }
    }

    fn facts(&self, facts: &mut Facts) {
        facts.bounds(self.answer.into(), self.answer.gap);
        facts.pair(self.answer, self.scene);
        facts.time(self.answer.seconds, Some(self.answer.stats));
        let witnesses = self.answer.witness.iter().flat_map(PairWitness::inputs);
        facts.hint(&self.scene.surface.option("domain"), witnesses, self.scene);
    }

    fn draw(&self, drawn: &mut Drawn) {
        drawn.bounds(self.scene, self.answer.into(), self.answer.seconds);
        // Where nothing differs, no input shows it.
        if !(self.answer.verdict == Verdict::Holds && self.answer.lower == Some(0.0)) {
            drawn.pair(self.answer.witness.as_ref(), self.scene);
        }
    }

    fn is_only_close(&self) -> bool {
        !Bounds::from(self.answer).is_exact()
    }

    fn rounding(&self) -> Option<f64> {
        self.answer.rounding
    }
}
