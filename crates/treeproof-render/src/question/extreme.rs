//! The largest or the smallest margin: `max`, `min`.

use treeproof_report::{Answer, Bounds};

use super::Words;
use crate::facts::Facts;
use crate::page::Drawn;
use crate::proved::Proved;
use crate::scene::{Scene, found};

pub(super) struct Extreme<'a> {
    pub(super) scene: Scene<'a>,
    pub(super) answer: &'a Answer,
    pub(super) is_least: bool,
}

impl Words for Extreme<'_> {
    fn answer(&self) -> String {
        let bounds = Bounds::from(self.answer);
        // The end that an input reaches.
        let (what, end) = if self.is_least { ("smallest", bounds.upper) } else { ("largest", bounds.lower) };
        let (margin, why) = (self.scene.margin(), self.scene.why(bounds));
        format!("The {what} {margin} is {}: {why}.", found(bounds, end))
    }

    fn prove(&self, proved: &mut Proved) {
        let (bounds, what) = (self.answer.into(), format!("a {}", self.scene.margin()));
        let shown = self.answer.witness.as_ref().map(|_| "The input shown");
        if self.is_least { proved.smallest(bounds, &what, shown) } else { proved.largest(bounds, &what, shown) }
    }

    fn facts(&self, facts: &mut Facts) {
        facts.bounds(self.answer.into(), self.answer.gap);
        facts.one(self.answer, self.scene);
        facts.time(self.answer.seconds, Some(self.answer.stats));
        facts.hint(&self.scene.surface.option("domain"), self.answer.witness.iter(), self.scene);
    }

    fn draw(&self, drawn: &mut Drawn) {
        drawn.bounds(self.scene, self.answer.into(), self.answer.seconds);
        drawn.input(self.answer.witness.as_ref(), self.scene);
    }

    fn is_only_close(&self) -> bool {
        !Bounds::from(self.answer).is_exact()
    }

    fn rounding(&self) -> Option<f64> {
        self.answer.rounding
    }
}
