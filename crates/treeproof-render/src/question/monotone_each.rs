//! Monotonicity of a margin in each of several features: `monotone`.

use treeproof_report::{PairAnswer, PairWitness, PairsAnswer, Verdict};

use super::monotone;
use crate::facts::Facts;
use crate::inputs::{Tested, inputs};
use crate::lists::{bars, between};
use crate::page::Page;
use crate::scene::Scene;
use crate::surface::Surface;
use crate::tables::{PageTable, TableCell, left_out};
use crate::words::{clean, further, grouped, several, short};

/// Features that are named in a sentence; the table has all.
const SHOWN_NAMES: usize = 12;

fn with(answer: &PairsAnswer, verdict: Verdict) -> impl Iterator<Item = &PairAnswer> {
    answer.features.iter().filter(move |one| one.verdict == verdict)
}

/// The word for a violation: features may have different trends.
fn violation(scene: Scene<'_>, answer: &PairsAnswer) -> &'static str {
    let falls = |one: &PairAnswer| monotone::falls(one.trend, scene);
    match answer.features.as_slice() {
        [first, others @ ..] if others.iter().all(|other| falls(other) == falls(first)) => falls(first),
        _ => "goes against its trend",
    }
}

/// The features, and what was found of each.
fn table(features: &[PairAnswer], surface: Surface) -> PageTable {
    let ends = |one: &PairAnswer| (one.lower, one.upper);
    let bar = bars(features.iter().map(ends));
    let line = |one: &PairAnswer| {
        vec![
            TableCell::head(name(one)),
            TableCell::badge(one.verdict),
            between(ends(one), short),
            TableCell { look: bar(ends(one)), ..TableCell::default() },
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
    PageTable::list("Feature by feature", &["feature", "verdict", "largest violation#", "compared"], rows, more)
}

fn name(one: &PairAnswer) -> String {
    one.feature.as_deref().map_or(String::new(), clean)
}

fn by(one: &PairAnswer) -> f64 {
    one.lower.unwrap_or(0.0)
}

pub(super) fn sentence(scene: Scene<'_>, answer: &PairsAnswer) -> String {
    let (margin, falls, features) = (scene.margin(), violation(scene, answer), &answer.features);
    let many = features.len();
    if answer.verdict == Verdict::Holds {
        let names: Vec<String> = features.iter().map(name).collect();
        let rises = match names.as_slice() {
            [name] => name.clone(),
            [one, other] => format!("{one} or {other}"),
            [one, other, third] => format!("{one}, {other} or {third}"),
            _ => format!("any of {many} features"),
        };
        return format!("The {margin} never {falls} as {rises} rises: proved.");
    }
    let count = |verdict| with(answer, verdict).count();
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

pub(super) fn fill(scene: Scene<'_>, answer: &PairsAnswer, page: &mut Page) {
    let (margin, falls) = (scene.margin(), violation(scene, answer));
    let named = |verdict| {
        let names: Vec<String> = with(answer, verdict).map(name).collect();
        let more = names.len().saturating_sub(SHOWN_NAMES);
        let mut shown: Vec<String> = names.into_iter().take(SHOWN_NAMES).collect();
        shown.extend((more > 0).then(|| format!("{} more", grouped(more))));
        (!shown.is_empty()).then(|| several(&shown))
    };
    if let Some(names) = named(Verdict::Holds) {
        page.proved.yes(format!("The {margin} never {falls} as one of these rises and all else stays: {names}."));
    }
    if let Some(names) = named(Verdict::Violated) {
        page.proved.yes(format!("The {margin} {falls} somewhere as one of these rises and all else stays: {names}."));
    }
    if let Some(names) = named(Verdict::Undecided) {
        page.proved.no(format!("Whether the {margin} ever {falls} as one of these rises: {names}."));
    }
    if let Some(names) = named(Verdict::Infeasible) {
        page.proved.no(format!("Anything about these, as no two inputs meet the conditions: {names}."));
    }
    page.facts.time(answer.seconds, None);
    let witnesses = answer.features.iter().filter_map(|one| one.witness.as_ref());
    page.facts.hint(witnesses.flat_map(PairWitness::inputs), scene);
    let surface = scene.surface;
    page.grids.push(table(&answer.features, surface));
    let mut broken: Vec<&PairAnswer> = with(answer, Verdict::Violated).collect();
    broken.sort_by(|one, other| by(other).total_cmp(&by(one)));
    let tested = &Tested::of(scene.about);
    let found = broken.into_iter().filter_map(|answer| {
        let caption = monotone::sentence(scene, answer);
        let witness = answer.witness.as_ref().filter(|witness| witness.two().is_some())?;
        let mut grid = inputs(witness, &caption, tested, surface);
        let mut facts = Facts::default();
        facts.pair(answer, scene);
        grid.facts = facts.0;
        Some(grid)
    });
    page.fold(found.take(surface.beside).collect());
}
