//! The best output configurations: `enumerate`.

use treeproof_report::{Bounds, ConfigurationReport, EnumerateAnswer, Verdict};

use crate::configuration::condition;
use crate::page::Page;
use crate::scene::{Scene, stopped};
use crate::surface::Surface;
use crate::tables::{Look, PageTable, TableCell, left_out};
use crate::words::{counted, decimal, grouped};

/// A number that only some models have.
type Extra = fn(&ConfigurationReport) -> Option<f64>;

pub(super) fn asked(scene: Scene<'_>) -> String {
    let top = scene.asked().top.map(|top| format!("{top} ")).unwrap_or_default();
    format!("Which inputs have the {top}largest outputs{}?", above(scene))
}

/// The number above which outputs are listed.
fn above(scene: Scene<'_>) -> String {
    scene.asked().above.map_or(String::new(), |above| format!(" above {}", decimal(above)))
}

fn bounds(answer: &EnumerateAnswer) -> Bounds {
    Bounds { verdict: answer.verdict, stopped: answer.stopped, ..Bounds::default() }
}

/// The configurations: outputs, and the inputs that have them.
fn table(regions: &[ConfigurationReport], surface: Surface) -> PageTable {
    let extra: [(&str, Extra); 2] =
        [("probability", |region| region.probability), ("prediction", |region| region.prediction)];
    let has = |of: Extra| regions.iter().any(|region| of(region).is_some());
    let extra: Vec<_> = extra.into_iter().filter(|(_, of)| has(*of)).collect();
    let line = |(place, region): (usize, &ConfigurationReport)| {
        // What the question asks anyway need not be told.
        let narrowed = region.domain.0.iter().filter(|(_, feature)| !feature.is_as_asked);
        let mut lines: Vec<String> = narrowed.map(condition).collect();
        let hidden = lines.len().saturating_sub(surface.conditions);
        lines.truncate(surface.conditions);
        if hidden > 0 {
            lines.push(format!("{hidden} more ({})", surface.all()));
        }
        if lines.is_empty() {
            lines.push("all inputs".to_owned());
        }
        let mut cells = vec![TableCell::place(place + 1), TableCell::decimal(Some(region.output))];
        cells.extend(extra.iter().map(|(_, of)| TableCell::number(of(region))));
        cells.push(TableCell { text: lines.join(" and "), sort: None, look: Look::Lines(lines) });
        cells
    };
    let rows = regions.iter().take(surface.listed).enumerate().map(line).collect();
    let more = left_out(regions.len().saturating_sub(surface.listed), "configuration", surface);
    let mut names = vec!["place#".to_owned(), "output#".to_owned()];
    names.extend(extra.iter().map(|(name, _)| format!("{name}#")));
    names.push("inputs".to_owned());
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    PageTable::list("Output configurations, best first", &names, rows, more)
}

pub(super) fn sentence(scene: Scene<'_>, answer: &EnumerateAnswer) -> String {
    let many = answer.regions.len();
    let top = scene.asked().top.map_or(many, |top| usize::try_from(top).unwrap_or(usize::MAX));
    let (plural, above) = (if many > 1 { "s" } else { "" }, above(scene));
    let what = format!("output configuration{plural}{}{above}", scene.of_class());
    let bounds = bounds(answer);
    let why = scene.why(bounds);
    match (bounds.is_exact(), many) {
        (true, 0) => format!("No {what}: {why}."),
        (true, 1) if top > 1 => format!("The only {what}: {why}."),
        (true, 1) => format!("The best {what}: {why}."),
        (true, many) if many < top => format!("All {} {what}: {why}.", grouped(many)),
        (true, many) => format!("The {} best {what}: {why}.", grouped(many)),
        (false, 0) => format!("No {what} is certain yet: {why}."),
        (false, many) => format!("The best {} {what}, of {} asked for: {why}.", grouped(many), grouped(top)),
    }
}

pub(super) fn fill(scene: Scene<'_>, answer: &EnumerateAnswer, page: &mut Page) {
    let is_all = answer.verdict == Verdict::Optimal;
    if !answer.regions.is_empty() {
        let shown = counted(answer.regions.len(), "configuration");
        page.proved
            .yes(format!("No output configuration that is not listed has a larger exact sum than the {shown} listed."));
        page.proved.yes("Every input of a configuration has its output.");
    }
    match answer.others_at_most {
        Some(others) => page.proved.yes(format!("All others have at most {}.", decimal(others))),
        None if is_all => page.proved.yes("There are no others."),
        None => {}
    }
    if !is_all {
        page.proved.no(format!("The rest of what was asked for: {}.", stopped(answer.stopped)));
    }
    let others = match (answer.others_at_most, answer.verdict) {
        (None, Verdict::Optimal) => "there are none".to_owned(),
        (None, _) => "not known".to_owned(),
        (Some(others), _) => format!("at most {}", decimal(others)),
    };
    page.facts.tell("others", others);
    page.facts.time(answer.seconds, Some(answer.stats));
    let is_rounded = scene.about.models.first().is_some_and(|model| model.input.contains("f32"));
    if is_rounded && answer.regions.iter().any(|region| !region.domain.0.is_empty()) {
        let note = "the model rounds numbers to f32: the ends below are those of the f64 numbers before that";
        page.facts.tell("note", note.to_owned());
    }
    page.bounds(scene, bounds(answer), answer.seconds);
    page.grids.push(table(&answer.regions, scene.surface));
}
