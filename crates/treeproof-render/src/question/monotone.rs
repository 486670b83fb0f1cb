//! Monotonicity of a margin in one feature: `monotone`.

use treeproof_report::{Bounds, Finding, Pair, PairAnswer, PairWitness, Trend, Verdict};

use super::Words;
use crate::facts::Facts;
use crate::page::Drawn;
use crate::proved::Proved;
use crate::scene::{Scene, stopped};
use crate::words::{clean, decimal, number, value};

pub(super) struct Monotone<'a> {
    pub(super) scene: Scene<'a>,
    pub(super) answer: &'a PairAnswer,
}

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

impl Monotone<'_> {
    fn feature(&self) -> String {
        self.answer.feature.as_deref().map_or("the feature".to_owned(), clean)
    }
}

impl Words for Monotone<'_> {
    fn answer(&self) -> String {
        let (margin, feature) = (self.scene.margin(), self.feature());
        let falls = falls(self.answer.trend, self.scene);
        match self.answer.verdict {
            Verdict::Holds => format!("The {margin} never {falls} as {feature} rises: proved."),
            Verdict::Violated => {
                let name = self.answer.feature.as_deref().unwrap_or_default();
                let pair = self.answer.witness.as_ref().and_then(PairWitness::two);
                let rises =
                    pair.map(Pair::both).map(|ends| ends.map(|end| end.get(name).map_or("missing".to_owned(), value)));
                let rises = rises.map(|[from, to]| format!(" from {from} to {to}")).unwrap_or_default();
                format!("The {margin} {falls} by {} when {feature} rises{rises}.", number(self.answer.lower))
            }
            _ => {
                let why = self.scene.why(self.answer.into());
                format!("Whether the {margin} never {falls} as {feature} rises is open: {why}.")
            }
        }
    }

    fn prove(&self, proved: &mut Proved) {
        let (margin, feature) = (self.scene.margin(), self.feature());
        let falls = falls(self.answer.trend, self.scene);
        let Bounds { lower, upper, .. } = self.answer.into();
        match self.answer.verdict {
            Verdict::Holds => proved.yes(format!("The {margin} never {falls} as {feature} rises and all else stays.")),
            Verdict::Violated => {
                proved.yes(format!(
                    "The {margin} {falls} by {} between the two inputs shown, which differ only in {feature}.",
                    number(lower)
                ));
                match upper {
                    None => {}
                    Some(upper) if lower.is_some_and(|lower| upper > lower) => proved
                        .no(format!("Whether it {falls} by more elsewhere; never by more than {}.", decimal(upper))),
                    Some(_) => proved.yes(format!("It never {falls} by more as {feature} rises.")),
                }
            }
            _ => {
                let why = stopped(self.answer.stopped);
                proved.no(format!("Whether the {margin} ever {falls} as {feature} rises: {why}."));
            }
        }
    }

    fn facts(&self, facts: &mut Facts) {
        facts.bounds(self.answer.into(), self.answer.gap);
        facts.pair(self.answer, self.scene);
        facts.time(self.answer.seconds, Some(self.answer.stats));
        let witnesses = self.answer.witness.iter().flat_map(PairWitness::inputs);
        facts.hint(&self.scene.surface.option("domain"), witnesses, self.scene);
    }

    fn draw(&self, drawn: &mut Drawn) {
        drawn.bounds(self.scene, self.answer.into(), self.answer.seconds);
        drawn.pair(self.answer.witness.as_ref(), self.scene);
    }

    fn rounding(&self) -> Option<f64> {
        self.answer.rounding
    }
}
