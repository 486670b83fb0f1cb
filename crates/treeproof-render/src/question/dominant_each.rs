//! The change of each feature by itself that moves a margin most: `dominant` with `--each`.

use treeproof_report::{RankedFeature, RankingAnswer, Verdict};

use super::dominant::moves;
use crate::lists::{bars, between};
use crate::page::Page;
use crate::scene::Scene;
use crate::tables::{PageTable, TableCell, left_out, signed};
use crate::words::{change, clean, counted, number};

/// True if the effect of a decided feature is exact, not only known within a gap that was close enough.
fn is_exact(scene: Scene<'_>, one: &RankedFeature) -> bool {
    one.lower == one.upper || scene.task().limits.gap.is_none()
}

/// The features, the largest effect first.
fn table(scene: Scene<'_>, answer: &RankingAnswer) -> PageTable {
    let (all, surface) = (&answer.attributes, scene.surface);
    let ends = |one: &RankedFeature| (one.lower, one.upper);
    let bar = bars(all.iter().map(ends));
    let effect = |end: f64| signed(if scene.asked().decrease { -end } else { end });
    let line = |one: &RankedFeature| {
        let moved = one.to.as_ref().map_or("(no change)".to_owned(), |to| change(&one.from, to));
        vec![
            TableCell::head(clean(&one.attribute)),
            TableCell::new(moved),
            between(ends(one), effect),
            TableCell { look: bar(ends(one)), ..TableCell::default() },
        ]
    };
    let rows = all.iter().take(surface.listed).map(line).collect();
    let mut more = vec![left_out(all.len().saturating_sub(surface.listed), "attribute", surface)];
    if answer.untested > 0 {
        more.push(format!("{} that no tree tests.", counted(answer.untested, "more attribute")));
    }
    more.retain(|text| !text.is_empty());
    PageTable::list(
        "What each attribute does by itself, the largest effect first",
        &["attribute", "change", "effect#", "compared"],
        rows,
        more.join(" "),
    )
}

pub(super) fn sentence(scene: Scene<'_>, answer: &RankingAnswer) -> String {
    let (margin, attributes) = (scene.margin(), &answer.attributes);
    let moves = if scene.asked().decrease { "lower" } else { "raise" };
    let found = |one: &RankedFeature| one.lower.unwrap_or(0.0);
    let best = attributes.iter().max_by(|one, other| found(one).total_cmp(&found(other)));
    let best = best.filter(|best| found(best) > 0.0).map(|best| (clean(&best.attribute), number(best.lower)));
    let (among, most) = match attributes.len() {
        1 => (String::new(), ""),
        many => (format!("Of {many} attributes, "), " most,"),
    };
    let is_exact = answer.verdict == Verdict::Optimal && attributes.iter().all(|one| is_exact(scene, one));
    let open = match answer.verdict {
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

pub(super) fn fill(scene: Scene<'_>, answer: &RankingAnswer, page: &mut Page) {
    let (all, moves, margin) = (&answer.attributes, moves(scene), scene.margin());
    let exact = all.iter().filter(|one| one.verdict == Verdict::Optimal && is_exact(scene, one)).count();
    let attributes = counted(all.len(), "attribute");
    page.proved.yes(format!("For {exact} of {attributes}, exactly how far the {margin} {moves}."));
    if exact < all.len() {
        page.proved.no("The exact effect of the others: it lies between the two numbers shown.");
    }
    page.proved.no("What several attributes do together.");
    page.facts.time(answer.seconds, None);
    page.grids.push(table(scene, answer));
}
