//! The change of each feature by itself that moves a margin most: `dominant` with `--each`.

use treeproof_report::{RankedFeature, RankingAnswer, Verdict};

use super::Words;
use super::dominant::moves;
use crate::facts::Facts;
use crate::grid::{Cell, Grid, left_out, signed};
use crate::lists::{bars, between};
use crate::page::Drawn;
use crate::proved::Proved;
use crate::scene::Scene;
use crate::words::{change, clean, counted, number};

pub(super) struct DominantEach<'a> {
    pub(super) scene: Scene<'a>,
    pub(super) answer: &'a RankingAnswer,
}

impl DominantEach<'_> {
    /// True if the effect of a decided feature is exact, not only known within a gap that was close enough.
    fn is_exact(&self, one: &RankedFeature) -> bool {
        one.lower == one.upper || self.scene.task().limits.gap.is_none()
    }

    /// The features, the largest effect first.
    fn table(&self) -> Grid {
        let (all, surface) = (&self.answer.attributes, self.scene.surface);
        let ends = |one: &RankedFeature| (one.lower, one.upper);
        let bar = bars(all.iter().map(ends));
        let effect = |end: f64| signed(if self.scene.asked().decrease { -end } else { end });
        let line = |one: &RankedFeature| {
            let moved = one.to.as_ref().map_or("(no change)".to_owned(), |to| change(&one.from, to));
            vec![
                Cell::head(clean(&one.attribute)),
                Cell::new(moved),
                between(ends(one), effect),
                Cell { look: bar(ends(one)), ..Cell::default() },
            ]
        };
        let rows = all.iter().take(surface.listed).map(line).collect();
        let mut more = vec![left_out(all.len().saturating_sub(surface.listed), "attribute", surface)];
        if self.answer.untested > 0 {
            more.push(format!("{} that no tree tests.", counted(self.answer.untested, "more attribute")));
        }
        more.retain(|text| !text.is_empty());
        Grid::list(
            "What each attribute does by itself, the largest effect first",
            &["attribute", "change", "effect#", "compared"],
            rows,
            more.join(" "),
        )
    }
}

impl Words for DominantEach<'_> {
    fn answer(&self) -> String {
        let (margin, attributes) = (self.scene.margin(), &self.answer.attributes);
        let moves = if self.scene.asked().decrease { "lower" } else { "raise" };
        let found = |one: &RankedFeature| one.lower.unwrap_or(0.0);
        let best = attributes.iter().max_by(|one, other| found(one).total_cmp(&found(other)));
        let best = best.filter(|best| found(best) > 0.0).map(|best| (clean(&best.attribute), number(best.lower)));
        let (among, most) = match attributes.len() {
            1 => (String::new(), ""),
            many => (format!("Of {many} attributes, "), " most,"),
        };
        let is_exact = self.answer.verdict == Verdict::Optimal && attributes.iter().all(|one| self.is_exact(one));
        let open = match self.answer.verdict {
            Verdict::Optimal => "some effects are known within the gap only",
            _ => "some effects are undecided",
        };
        match (best, is_exact) {
            (Some((name, by)), true) => format!("{among}{name} alone {moves}s the {margin}{most} by {by}: proved."),
            (None, true) => format!("No attribute alone {moves}s the {margin}: proved."),
            (Some((name, by)), false) => {
                format!("{among}{name} alone {moves}s the {margin} by {by} or more; {open}.")
            }
            (None, false) => format!("Whether an attribute alone {moves}s the {margin} is open: {open}."),
        }
    }

    fn prove(&self, proved: &mut Proved) {
        let (all, moves, margin) = (&self.answer.attributes, moves(self.scene), self.scene.margin());
        let exact = all.iter().filter(|one| one.verdict == Verdict::Optimal && self.is_exact(one)).count();
        let attributes = counted(all.len(), "attribute");
        proved.yes(format!("For {exact} of {attributes}, exactly how far the {margin} {moves}."));
        if exact < all.len() {
            proved.no("The exact effect of the others: it lies between the two numbers shown.");
        }
        proved.no("What several attributes do together.");
    }

    fn facts(&self, facts: &mut Facts) {
        facts.time(self.answer.seconds, None);
    }

    fn draw(&self, drawn: &mut Drawn) {
        drawn.grids.push(self.table());
    }
}
