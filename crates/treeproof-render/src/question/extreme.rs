//! The largest or the smallest margin: `max`, `min`.

use treeproof_report::{Answer, Bounds};

use crate::page::Page;
use crate::scene::{Scene, found};

pub(super) fn sentence(scene: Scene<'_>, answer: &Answer, is_least: bool) -> String {
    let bounds = Bounds::from(answer);
    // The end that an input reaches.
    let (what, end) = if is_least { ("smallest", bounds.upper) } else { ("largest", bounds.lower) };
    let (margin, why) = (scene.margin(), scene.why(bounds));
    format!("The {what} {margin} is {}: {why}.", found(bounds, end))
}

pub(super) fn fill(scene: Scene<'_>, answer: &Answer, is_least: bool, page: &mut Page) {
    let (bounds, what) = (answer.into(), format!("a {}", scene.margin()));
    let shown = answer.witness.as_ref().map(|_| "The input shown");
    if is_least {
        page.proved.smallest(bounds, &what, shown)
    } else {
        page.proved.largest(bounds, &what, shown)
    }
    page.facts.bounds(answer.into(), answer.gap);
    page.facts.one(answer, scene);
    page.facts.time(answer.seconds, Some(answer.stats));
    page.facts.hint(answer.witness.iter(), scene);
    page.bounds(scene, answer.into(), answer.seconds);
    page.input(answer.witness.as_ref(), scene);
    page.rounding = answer.rounding;
}
