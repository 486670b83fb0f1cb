//! Equal treatment of inputs that differ in protected features only: `fair`.

use treeproof_report::{Bounds, PairAnswer, PairWitness, Verdict};

use super::{Words, difference};
use crate::facts::Facts;
use crate::page::Drawn;
use crate::proved::Proved;
use crate::scene::{Scene, found, stopped};

pub(super) struct Fair<'a> {
    pub(super) scene: Scene<'a>,
    pub(super) answer: &'a PairAnswer,
}

impl Fair<'_> {
    /// True if labels are compared, and not margins: by the task and the model. Of an answer without an origin, some verdicts are
    /// about labels only, and others about margins only; `None` for those that are about either.
    fn compares_labels(&self) -> Option<bool> {
        let task = self.scene.task();
        let by_verdict = match self.answer.verdict {
            Verdict::Holds | Verdict::Violated => Some(true),
            Verdict::Optimal => Some(false),
            Verdict::Undecided | Verdict::Infeasible => None,
        };
        let by_model = self.scene.about.models.first().map(|model| model.has_labels());
        match (task.threshold, &task.class) {
            (Some(_), _) => Some(true),
            (None, Some(_)) => Some(false),
            (None, None) => by_model.or(by_verdict),
        }
    }
}

impl Words for Fair<'_> {
    fn answer(&self) -> String {
        let (protected, bounds) = (self.scene.protected(), Bounds::from(self.answer));
        let why = self.scene.why(bounds);
        match bounds.verdict {
            Verdict::Holds => format!("No two inputs that differ only in {protected} have different labels: proved."),
            Verdict::Violated => format!("Two inputs that differ only in {protected} have different labels."),
            _ if self.compares_labels() == Some(false) => format!(
                "The largest difference of the {} between inputs that differ only in {protected} is {}: {why}.",
                self.scene.margin(),
                found(bounds, bounds.lower)
            ),
            _ => format!("Whether two inputs that differ only in {protected} are treated alike is open: {why}."),
        }
    }

    fn prove(&self, proved: &mut Proved) {
        let (protected, answer) = (self.scene.protected(), self.answer);
        match answer.verdict {
            Verdict::Holds => {
                proved.yes(format!("No two allowed inputs that differ only in {protected} get different labels."));
            }
            Verdict::Violated => {
                proved.yes(format!("The two inputs shown differ only in {protected} and get different labels."));
                proved.no("How many such pairs there are, or how often they occur.");
            }
            Verdict::Undecided if self.compares_labels() != Some(false) => {
                proved.no(format!("Whether two such inputs get different labels: {}.", stopped(answer.stopped)));
            }
            _ => {
                let who = format!("two inputs that differ only in {protected}");
                difference::prove(answer, self.scene.asked().within, &who, proved);
            }
        }
    }

    fn facts(&self, facts: &mut Facts) {
        // By how much labels are clear of the decision is no number that people ask for.
        if self.compares_labels() != Some(true) {
            facts.bounds(self.answer.into(), self.answer.gap);
        }
        facts.pair(self.answer, self.scene);
        facts.time(self.answer.seconds, Some(self.answer.stats));
        let witnesses = self.answer.witness.iter().flat_map(PairWitness::inputs);
        facts.hint(&self.scene.surface.option("domain"), witnesses, self.scene);
    }

    fn draw(&self, drawn: &mut Drawn) {
        if self.answer.verdict == Verdict::Optimal {
            drawn.bounds(self.scene, self.answer.into(), self.answer.seconds);
        }
        drawn.pair(self.answer.witness.as_ref(), self.scene);
    }

    fn is_only_close(&self) -> bool {
        !Bounds::from(self.answer).is_exact()
    }

    fn rounding(&self) -> Option<f64> {
        self.answer.rounding
    }
}
