//! Monotonicity of a margin in one feature: `monotone`.

use treeproof_report::{Bounds, Finding, Pair, PairAnswer, PairWitness, Trend, Verdict};

use crate::page::Page;
use crate::scene::{Scene, stopped};
use crate::words::{clean, decimal, number, value};

/// The feature that one answer is about, and the trend that is asked of the margin.
fn of_one(scene: Scene<'_>) -> Option<&PairAnswer> {
    if let Finding::Monotone(answer) = &scene.report.finding { Some(answer) } else { None }
}

pub(super) fn asked(scene: Scene<'_>) -> String {
    let answer = of_one(scene);
    let falls = if is_decreasing(answer.and_then(|answer| answer.trend), scene) { "rise" } else { "fall" };
    let feature = answer.and_then(|answer| answer.feature.as_deref()).map_or("a feature".to_owned(), clean);
    format!("Does the {} never {falls} as {feature} rises?", scene.margin())
}

/// True if the margin must never rise.
fn is_decreasing(trend: Option<Trend>, scene: Scene<'_>) -> bool {
    trend.map_or(scene.asked().decreasing, |trend| trend == Trend::Decreasing)
}

/// The movement of the margin that is asked not to be.
pub(super) fn falls(trend: Option<Trend>, scene: Scene<'_>) -> &'static str {
    if is_decreasing(trend, scene) { "rises" } else { "falls" }
}

fn feature(answer: &PairAnswer) -> String {
    answer.feature.as_deref().map_or("the feature".to_owned(), clean)
}

pub(super) fn sentence(scene: Scene<'_>, answer: &PairAnswer) -> String {
    let (margin, feature) = (scene.margin(), feature(answer));
    let falls = falls(answer.trend, scene);
    match answer.verdict {
        Verdict::Holds => format!("The {margin} never {falls} as {feature} rises: proved."),
        Verdict::Violated => {
            let name = answer.feature.as_deref().unwrap_or_default();
            let pair = answer.witness.as_ref().and_then(PairWitness::two);
            let rises =
                pair.map(Pair::both).map(|ends| ends.map(|end| end.get(name).map_or("missing".to_owned(), value)));
            let rises = rises.map(|[from, to]| format!(" from {from} to {to}")).unwrap_or_default();
            format!("The {margin} {falls} by {} when {feature} rises{rises}.", number(answer.lower))
        }
        _ => {
            let why = scene.why(answer.into());
            format!("Whether the {margin} never {falls} as {feature} rises is open: {why}.")
        }
    }
}

pub(super) fn fill(scene: Scene<'_>, answer: &PairAnswer, page: &mut Page) {
    let (margin, feature) = (scene.margin(), feature(answer));
    let falls = falls(answer.trend, scene);
    let Bounds { lower, upper, .. } = answer.into();
    match answer.verdict {
        Verdict::Holds => page.proved.yes(format!("The {margin} never {falls} as {feature} rises and all else stays.")),
        Verdict::Violated => {
            page.proved.yes(format!(
                "The {margin} {falls} by {} between the two inputs shown, which differ only in {feature}.",
                number(lower)
            ));
            match upper {
                None => {}
                Some(upper) if lower.is_some_and(|lower| upper > lower) => page
                    .proved
                    .no(format!("Whether it {falls} by more elsewhere; never by more than {}.", decimal(upper))),
                Some(_) => page.proved.yes(format!("It never {falls} by more as {feature} rises.")),
            }
        }
        _ => {
            let why = stopped(answer.stopped);
            page.proved.no(format!("Whether the {margin} ever {falls} as {feature} rises: {why}."));
        }
    }
    page.facts.bounds(answer.into(), answer.gap);
    page.facts.pair(answer, scene);
    page.facts.time(answer.seconds, Some(answer.stats));
    page.facts.hint(answer.witness.iter().flat_map(PairWitness::inputs), scene);
    page.bounds(scene, answer.into(), answer.seconds);
    page.pair(answer.witness.as_ref(), scene);
    page.rounding = answer.rounding;
}
