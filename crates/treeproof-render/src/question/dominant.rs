//! The change of some features that moves a margin most: `dominant`.

use treeproof_report::{Bounds, DominantAnswer, FeatureChange, PairWitness};

use super::Words;
use crate::facts::Facts;
use crate::grid::{Cell, Grid, left_out, signed};
use crate::page::Drawn;
use crate::proved::Proved;
use crate::scene::{Scene, between};
use crate::words::{clean, decimal, number};

pub(super) struct Dominant<'a> {
    pub(super) scene: Scene<'a>,
    pub(super) found: &'a DominantAnswer,
}

pub(super) fn asked(scene: Scene<'_>) -> String {
    let (asked, margin) = (scene.asked(), scene.margin());
    let moves = if asked.decrease { "lower" } else { "raise" };
    match asked.at_most {
        _ if asked.each => format!("How far does each attribute alone {moves} the {margin}?"),
        Some(1) => format!("Which attribute {moves}s the {margin} most?"),
        Some(few) => format!("Which attributes, {few} at most, {moves} the {margin} most?"),
        None => format!("Which attributes {moves} the {margin} most?"),
    }
}

/// The movement of the margin.
pub(super) fn moves(scene: Scene<'_>) -> &'static str {
    if scene.asked().decrease { "falls" } else { "rises" }
}

impl Dominant<'_> {
    /// The changes that were found.
    fn table(&self) -> Grid {
        let (changes, surface) = (&self.found.changes, self.scene.surface);
        let line = |one: &FeatureChange| {
            let effect = Some(one.effect).filter(|effect| effect.is_finite());
            vec![
                Cell::head(clean(&one.attribute)),
                Cell::value(&one.from),
                Cell::value(&one.to),
                Cell::new(effect.map_or("?".to_owned(), signed)).sorted_by(effect),
            ]
        };
        let rows = changes.iter().take(surface.listed).map(line).collect();
        let more = left_out(changes.len().saturating_sub(surface.listed), "change", surface);
        Grid::list("What changes", &["attribute", "from#", "to#", "effect by itself#"], rows, more)
    }
}

impl Words for Dominant<'_> {
    fn answer(&self) -> String {
        let (margin, moves, bounds) = (self.scene.margin(), moves(self.scene), Bounds::from(&self.found.answer));
        let changes = match self.scene.asked().at_most {
            None | Some(1) => "one attribute changes".to_owned(),
            Some(most) => format!("at most {most} attributes change"),
        };
        match bounds.is_exact() {
            true => format!("The {margin} {moves} by {} at most if {changes}: proved.", number(bounds.lower)),
            false => {
                let why = self.scene.why(bounds);
                format!("How far the {margin} {moves} if {changes} is {}: {why}.", between(bounds))
            }
        }
    }

    fn prove(&self, proved: &mut Proved) {
        let (margin, moves, answer) = (self.scene.margin(), moves(self.scene), &self.found.answer);
        if let Some(upper) = answer.upper {
            let by = decimal(upper);
            proved.yes(format!("Whatever is allowed to change, the {margin} {moves} by {by} at most."));
        }
        if answer.witness.is_some() {
            let by = number(answer.lower);
            proved.yes(format!("With the change shown the {margin} {moves} by at least {by}."));
        }
        proved.open(answer.into(), &format!("Whether the {margin} {moves} by a number"));
    }

    fn facts(&self, facts: &mut Facts) {
        let answer = &self.found.answer;
        facts.bounds(answer.into(), answer.gap);
        facts.pair(answer, self.scene);
        if self.found.changes.is_empty() {
            facts.tell("changes", "none moves it that way".to_owned());
        }
        facts.time(answer.seconds, Some(answer.stats));
        let witnesses = answer.witness.iter().flat_map(PairWitness::inputs);
        facts.hint(&self.scene.surface.option("domain"), witnesses, self.scene);
    }

    fn draw(&self, drawn: &mut Drawn) {
        let answer = &self.found.answer;
        drawn.bounds(self.scene, answer.into(), answer.seconds);
        if !self.found.changes.is_empty() {
            drawn.grids.push(self.table());
        }
        // Where there is little room, what changes is enough.
        if !self.scene.surface.is_brief {
            drawn.pair(answer.witness.as_ref(), self.scene);
        }
    }

    fn is_only_close(&self) -> bool {
        !Bounds::from(&self.found.answer).is_exact()
    }

    fn rounding(&self) -> Option<f64> {
        self.found.answer.rounding
    }
}
