//! The change of some features that moves a margin most: `dominant`.

use treeproof_report::{Bounds, DominantAnswer, FeatureChange, PairWitness};

use crate::page::Page;
use crate::scene::{Scene, between};
use crate::surface::Surface;
use crate::tables::{PageTable, TableCell, left_out, signed};
use crate::words::{clean, decimal, number};

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

/// The changes that were found.
fn table(changes: &[FeatureChange], surface: Surface) -> PageTable {
    let line = |one: &FeatureChange| {
        let effect = Some(one.effect).filter(|effect| effect.is_finite());
        vec![
            TableCell::head(clean(&one.attribute)),
            TableCell::value(&one.from),
            TableCell::value(&one.to),
            TableCell::new(effect.map_or("?".to_owned(), signed)).sorted_by(effect),
        ]
    };
    let rows = changes.iter().take(surface.listed).map(line).collect();
    let more = left_out(changes.len().saturating_sub(surface.listed), "change", surface);
    PageTable::list("What changes", &["attribute", "from#", "to#", "effect by itself#"], rows, more)
}

pub(super) fn sentence(scene: Scene<'_>, found: &DominantAnswer) -> String {
    let (margin, moves, bounds) = (scene.margin(), moves(scene), Bounds::from(&found.answer));
    let changes = match scene.asked().at_most {
        None | Some(1) => "one attribute changes".to_owned(),
        Some(most) => format!("at most {most} attributes change"),
    };
    match bounds.is_exact() {
        true => format!("The {margin} {moves} by {} at most if {changes}: proved.", number(bounds.lower)),
        false => {
            let why = scene.why(bounds);
            format!("How far the {margin} {moves} if {changes} is {}: {why}.", between(bounds))
        }
    }
}

pub(super) fn fill(scene: Scene<'_>, found: &DominantAnswer, page: &mut Page) {
    let (margin, moves, answer) = (scene.margin(), moves(scene), &found.answer);
    if let Some(upper) = answer.upper {
        let by = decimal(upper);
        page.proved.yes(format!("Whatever is allowed to change, the {margin} {moves} by {by} at most."));
    }
    if answer.witness.is_some() {
        let by = number(answer.lower);
        page.proved.yes(format!("With the change shown the {margin} {moves} by at least {by}."));
    }
    page.proved.open(answer.into(), &format!("Whether the {margin} {moves} by a number"));
    page.facts.bounds(answer.into(), answer.gap);
    page.facts.pair(answer, scene);
    if found.changes.is_empty() {
        page.facts.tell("changes", "none moves it that way".to_owned());
    }
    page.facts.time(answer.seconds, Some(answer.stats));
    page.facts.hint(answer.witness.iter().flat_map(PairWitness::inputs), scene);
    page.bounds(scene, answer.into(), answer.seconds);
    if !found.changes.is_empty() {
        page.grids.push(table(&found.changes, scene.surface));
    }
    // Where there is little room, what changes is enough.
    if !scene.surface.is_brief {
        page.pair(answer.witness.as_ref(), scene);
    }
    page.rounding = answer.rounding;
}
