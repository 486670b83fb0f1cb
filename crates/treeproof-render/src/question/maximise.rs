//! The largest sum of margins: the general form.

use treeproof_report::{Bounds, CombinationAnswer, MarginFields, PairWitness};

use super::Words;
use crate::facts::Facts;
use crate::page::Drawn;
use crate::proved::Proved;
use crate::scene::{Scene, found};
use crate::words::{clean, decimal};

pub(super) struct Maximise<'a> {
    pub(super) scene: Scene<'a>,
    pub(super) answer: &'a CombinationAnswer,
}

impl Words for Maximise<'_> {
    fn answer(&self) -> String {
        let bounds = Bounds::from(self.answer);
        format!("The largest sum is {}: {}.", found(bounds, bounds.lower), self.scene.why(bounds))
    }

    fn prove(&self, proved: &mut Proved) {
        let shown = self.answer.witness.as_ref().map(|_| "What is shown");
        proved.largest(self.answer.into(), "a sum of margins", shown);
    }

    fn facts(&self, facts: &mut Facts) {
        facts.bounds(self.answer.into(), self.answer.gap);
        let margins = &self.scene.task().maximise;
        for (place, output) in self.answer.outputs.iter().enumerate() {
            facts.tell("output", margins.get(place).map_or(decimal(*output), |margin| summand(margin, *output)));
        }
        if let Some(rounding) = self.answer.rounding.filter(|_| self.scene.surface.is_brief) {
            facts.tell("rounding", format!("the libraries' own sums are within {rounding:.1e} of the exact one"));
        }
        facts.nearest_of_both(self.answer.nearest_row.as_ref(), self.scene);
        facts.time(self.answer.seconds, Some(self.answer.stats));
        facts.hint("a domain", self.answer.witness.iter().flat_map(PairWitness::inputs), self.scene);
    }

    fn draw(&self, drawn: &mut Drawn) {
        drawn.bounds(self.scene, self.answer.into(), self.answer.seconds);
        drawn.pair(self.answer.witness.as_ref(), self.scene);
    }

    fn is_only_close(&self) -> bool {
        !Bounds::from(self.answer).is_exact()
    }

    fn rounding(&self) -> Option<f64> {
        self.answer.rounding
    }
}

/// A margin that is added or subtracted.
fn summand(margin: &MarginFields, output: f64) -> String {
    let sign = if margin.sign.is_some_and(|sign| sign < 0) { "-" } else { "+" };
    let class = margin.class.as_ref().map_or(String::new(), |class| format!(", class {}", clean(class)));
    let input = margin.input.as_deref().unwrap_or("a");
    format!("{sign} {} of {} at {}{class}", decimal(output), clean(&margin.model), clean(input))
}
