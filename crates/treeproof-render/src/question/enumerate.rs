//! The best output configurations: `enumerate`.

use treeproof_report::{Bounds, ConfigurationReport, EnumerateAnswer, Verdict};

use super::Words;
use crate::configuration::condition;
use crate::facts::Facts;
use crate::grid::{Cell, Grid, Look, left_out};
use crate::page::Drawn;
use crate::proved::Proved;
use crate::scene::{Scene, stopped};
use crate::words::{counted, decimal, grouped};

/// A number that only some models have.
type Extra = fn(&ConfigurationReport) -> Option<f64>;

pub(super) struct Enumerate<'a> {
    pub(super) scene: Scene<'a>,
    pub(super) answer: &'a EnumerateAnswer,
}

pub(super) fn asked(scene: Scene<'_>) -> String {
    let top = scene.asked().top.map(|top| format!("{top} ")).unwrap_or_default();
    format!("Which inputs have the {top}largest outputs{}?", above(scene))
}

/// The number above which outputs are listed.
fn above(scene: Scene<'_>) -> String {
    scene.asked().above.map_or(String::new(), |above| format!(" above {}", decimal(above)))
}

impl Enumerate<'_> {
    fn bounds(&self) -> Bounds {
        Bounds { verdict: self.answer.verdict, stopped: self.answer.stopped, ..Bounds::default() }
    }

    /// The configurations: outputs, and the inputs that have them.
    fn table(&self) -> Grid {
        let (regions, surface) = (&self.answer.regions, self.scene.surface);
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
            let mut cells = vec![Cell::place(place + 1), Cell::decimal(Some(region.output))];
            cells.extend(extra.iter().map(|(_, of)| Cell::number(of(region))));
            cells.push(Cell { text: lines.join(" and "), sort: None, look: Look::Lines(lines) });
            cells
        };
        let rows = regions.iter().take(surface.listed).enumerate().map(line).collect();
        let more = left_out(regions.len().saturating_sub(surface.listed), "configuration", surface);
        let mut names = vec!["place#".to_owned(), "output#".to_owned()];
        names.extend(extra.iter().map(|(name, _)| format!("{name}#")));
        names.push("inputs".to_owned());
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        Grid::list("Output configurations, best first", &names, rows, more)
    }
}

impl Words for Enumerate<'_> {
    fn answer(&self) -> String {
        let many = self.answer.regions.len();
        let top = self.scene.asked().top.map_or(many, |top| usize::try_from(top).unwrap_or(usize::MAX));
        let (plural, above) = (if many > 1 { "s" } else { "" }, above(self.scene));
        let what = format!("output configuration{plural}{}{above}", self.scene.of_class());
        let why = self.scene.why(self.bounds());
        match (self.bounds().is_exact(), many) {
            (true, 0) => format!("No {what}: {why}."),
            (true, 1) if top > 1 => format!("The only {what}: {why}."),
            (true, 1) => format!("The best {what}: {why}."),
            (true, many) if many < top => format!("All {} {what}: {why}.", grouped(many)),
            (true, many) => format!("The {} best {what}: {why}.", grouped(many)),
            (false, 0) => format!("No {what} is certain yet: {why}."),
            (false, many) => format!("The best {} {what}, of {} asked for: {why}.", grouped(many), grouped(top)),
        }
    }

    fn prove(&self, proved: &mut Proved) {
        let is_all = self.answer.verdict == Verdict::Optimal;
        if !self.answer.regions.is_empty() {
            let shown = counted(self.answer.regions.len(), "configuration");
            proved.yes(format!(
                "No output configuration that is not listed has a larger exact sum than the {shown} listed."
            ));
            proved.yes("Every input of a configuration has its output.");
        }
        match self.answer.others_at_most {
            Some(others) => proved.yes(format!("All others have at most {}.", decimal(others))),
            None if is_all => proved.yes("There are no others."),
            None => {}
        }
        if !is_all {
            proved.no(format!("The rest of what was asked for: {}.", stopped(self.answer.stopped)));
        }
    }

    fn facts(&self, facts: &mut Facts) {
        let others = match (self.answer.others_at_most, self.answer.verdict) {
            (None, Verdict::Optimal) => "there are none".to_owned(),
            (None, _) => "not known".to_owned(),
            (Some(others), _) => format!("at most {}", decimal(others)),
        };
        facts.tell("others", others);
        facts.time(self.answer.seconds, Some(self.answer.stats));
        let is_rounded = self.scene.about.models.first().is_some_and(|model| model.input.contains("f32"));
        if is_rounded && self.answer.regions.iter().any(|region| !region.domain.0.is_empty()) {
            let note = "the model rounds numbers to f32: the ends below are those of the f64 numbers before that";
            facts.tell("note", note.to_owned());
        }
    }

    fn draw(&self, drawn: &mut Drawn) {
        drawn.bounds(self.scene, self.bounds(), self.answer.seconds);
        drawn.grids.push(self.table());
    }

    fn is_only_close(&self) -> bool {
        !self.bounds().is_exact()
    }
}
