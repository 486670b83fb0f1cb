//! The largest sum of margins: the general form.

use treeproof_report::{Bounds, CombinationAnswer, MarginFields, PairWitness};

use crate::page::Page;
use crate::scene::{Scene, found};
use crate::words::{clean, decimal};

pub(super) fn sentence(scene: Scene<'_>, answer: &CombinationAnswer) -> String {
    let bounds = Bounds::from(answer);
    format!("The largest sum is {}: {}.", found(bounds, bounds.lower), scene.why(bounds))
}

pub(super) fn fill(scene: Scene<'_>, answer: &CombinationAnswer, page: &mut Page) {
    let shown = answer.witness.as_ref().map(|_| "What is shown");
    page.proved.largest(answer.into(), "a sum of margins", shown);
    page.facts.bounds(answer.into(), answer.gap);
    let margins = &scene.task().maximise;
    for (place, output) in answer.outputs.iter().enumerate() {
        page.facts.tell("output", margins.get(place).map_or(decimal(*output), |margin| summand(margin, *output)));
    }
    if let Some(rounding) = answer.rounding.filter(|_| scene.surface.is_brief) {
        page.facts.tell("rounding", format!("the libraries' own sums are within {rounding:.1e} of the exact one"));
    }
    page.facts.nearest_of_both(answer.nearest_row.as_ref(), scene);
    page.facts.time(answer.seconds, Some(answer.stats));
    page.facts.hint(answer.witness.iter().flat_map(PairWitness::inputs), scene);
    page.bounds(scene, answer.into(), answer.seconds);
    page.pair(answer.witness.as_ref(), scene);
    page.rounding = answer.rounding;
}

/// A margin that is added or subtracted.
fn summand(margin: &MarginFields, output: f64) -> String {
    let sign = if margin.sign.is_some_and(|sign| sign < 0) { "-" } else { "+" };
    let class = margin.class.as_ref().map_or(String::new(), |class| format!(", class {}", clean(class)));
    let input = margin.input.as_deref().unwrap_or("a");
    format!("{sign} {} of {} at {}{class}", decimal(output), clean(&margin.model), clean(input))
}
