//! Monotonicity of a margin in each of several features: `monotone`.

use treeproof_report::{PairAnswer, PairWitness, PairsAnswer, Verdict};

use super::Words;
use super::monotone::{Monotone, falls};
use crate::facts::Facts;
use crate::grid::{Cell, Grid, left_out};
use crate::inputs::{Tested, inputs};
use crate::lists::{bars, between};
use crate::page::Drawn;
use crate::proved::Proved;
use crate::scene::Scene;
use crate::words::{clean, further, grouped, several, short};

/// Features that are named in a sentence; the table has all.
const SHOWN_NAMES: usize = 12;

pub(super) struct MonotoneEach<'a> {
    pub(super) scene: Scene<'a>,
    pub(super) answer: &'a PairsAnswer,
}

impl MonotoneEach<'_> {
    fn with(&self, verdict: Verdict) -> impl Iterator<Item = &PairAnswer> {
        self.answer.features.iter().filter(move |one| one.verdict == verdict)
    }

    /// The word for a violation: features may have different trends.
    fn falls(&self) -> &'static str {
        let falls = |one: &PairAnswer| falls(one.trend, self.scene);
        match self.answer.features.as_slice() {
            [first, others @ ..] if others.iter().all(|other| falls(other) == falls(first)) => falls(first),
            _ => "goes against its trend",
        }
    }

    /// The features, and what was found of each.
    fn table(&self) -> Grid {
        let (features, surface) = (&self.answer.features, self.scene.surface);
        let ends = |one: &PairAnswer| (one.lower, one.upper);
        let bar = bars(features.iter().map(ends));
        let line = |one: &PairAnswer| {
            vec![
                Cell::head(name(one)),
                Cell::badge(one.verdict),
                between(ends(one), short),
                Cell { look: bar(ends(one)), ..Cell::default() },
            ]
        };
        let mut shown: Vec<&PairAnswer> = features.iter().collect();
        if shown.len() > surface.listed {
            // Where not all can be shown, those that hold tell least.
            shown.sort_by(|one, other| by(other).total_cmp(&by(one)));
            shown.sort_by_key(|one| one.verdict == Verdict::Holds);
        }
        let rows = shown.into_iter().take(surface.listed).map(line).collect();
        let more = left_out(features.len().saturating_sub(surface.listed), "feature", surface);
        Grid::list("Feature by feature", &["feature", "verdict", "largest violation#", "compared"], rows, more)
    }
}

fn name(one: &PairAnswer) -> String {
    one.feature.as_deref().map_or(String::new(), clean)
}

fn by(one: &PairAnswer) -> f64 {
    one.lower.unwrap_or(0.0)
}

impl Words for MonotoneEach<'_> {
    fn answer(&self) -> String {
        let (margin, falls, features) = (self.scene.margin(), self.falls(), &self.answer.features);
        let many = features.len();
        if self.answer.verdict == Verdict::Holds {
            let names: Vec<String> = features.iter().map(name).collect();
            let rises = match names.as_slice() {
                [name] => name.clone(),
                [one, other] => format!("{one} or {other}"),
                [one, other, third] => format!("{one}, {other} or {third}"),
                _ => format!("any of {many} features"),
            };
            return format!("The {margin} never {falls} as {rises} rises: proved.");
        }
        let count = |verdict| self.with(verdict).count();
        let (broken, kept, none) = (count(Verdict::Violated), count(Verdict::Holds), count(Verdict::Infeasible));
        let open = further(many - broken - kept - none, "undecided") + &further(none, "without any allowed inputs");
        match (broken, kept) {
            (0, 0) if none == 0 => {
                format!("Whether the {margin} {falls} as a feature rises is open for all {many} features.")
            }
            (0, 0) => format!("Whether the {margin} {falls} as a feature rises is open{open}."),
            (0, kept) => {
                format!("The {margin} never {falls} as the feature rises, for {kept} of {many} features: proved{open}.")
            }
            (broken, 0) if broken == many => {
                format!("The {margin} {falls} somewhere as the feature rises, for each of {many} features.")
            }
            (broken, 0) => {
                format!("The {margin} {falls} somewhere as the feature rises, for {broken} of {many} features{open}.")
            }
            (broken, kept) => format!(
                "The {margin} {falls} somewhere as the feature rises, for {broken} of {many} features; never for {kept}: proved{open}."
            ),
        }
    }

    fn prove(&self, proved: &mut Proved) {
        let (margin, falls) = (self.scene.margin(), self.falls());
        let named = |verdict| {
            let names: Vec<String> = self.with(verdict).map(name).collect();
            let more = names.len().saturating_sub(SHOWN_NAMES);
            let mut shown: Vec<String> = names.into_iter().take(SHOWN_NAMES).collect();
            shown.extend((more > 0).then(|| format!("{} more", grouped(more))));
            (!shown.is_empty()).then(|| several(&shown))
        };
        if let Some(names) = named(Verdict::Holds) {
            proved.yes(format!("The {margin} never {falls} as one of these rises and all else stays: {names}."));
        }
        if let Some(names) = named(Verdict::Violated) {
            proved.yes(format!("The {margin} {falls} somewhere as one of these rises and all else stays: {names}."));
        }
        if let Some(names) = named(Verdict::Undecided) {
            proved.no(format!("Whether the {margin} ever {falls} as one of these rises: {names}."));
        }
        if let Some(names) = named(Verdict::Infeasible) {
            proved.no(format!("Anything about these, as no two inputs meet the conditions: {names}."));
        }
    }

    fn facts(&self, facts: &mut Facts) {
        facts.time(self.answer.seconds, None);
        let witnesses = self.answer.features.iter().filter_map(|one| one.witness.as_ref());
        let what = self.scene.surface.option("domain");
        facts.hint(&what, witnesses.flat_map(PairWitness::inputs), self.scene);
    }

    fn draw(&self, drawn: &mut Drawn) {
        let (scene, surface) = (self.scene, self.scene.surface);
        drawn.grids.push(self.table());
        let mut broken: Vec<&PairAnswer> = self.with(Verdict::Violated).collect();
        broken.sort_by(|one, other| by(other).total_cmp(&by(one)));
        let tested = &Tested::of(scene.about);
        let found = broken.into_iter().filter_map(|answer| {
            let caption = Monotone { scene, answer }.answer();
            let witness = answer.witness.as_ref().filter(|witness| witness.two().is_some())?;
            let mut grid = inputs(witness, &caption, tested, surface);
            let mut facts = Facts::default();
            facts.pair(answer, scene);
            grid.facts = facts.0;
            Some(grid)
        });
        drawn.fold(found.take(surface.beside).collect());
    }
}
