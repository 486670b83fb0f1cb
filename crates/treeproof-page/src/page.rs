//! What is shown of an answer: sentences, facts, plots, images and tables.

use serde_json::Value;

use crate::about::About;
use crate::answer::{answer as sentence, is_exact, list};
use crate::facts::{Facts, facts, found};
use crate::grid::{Cell, Grid, Group, columns};
use crate::image::{Strip, has_rows, strips};
use crate::inputs::{Tested, beside, inputs, pair};
use crate::plot::{Plot, bounds, curve};
use crate::proved::Proved;
use crate::question::{details, region, short_question};
use crate::surface::Surface;
use crate::words::{clean, number, value};
use crate::{lists, rows};

/// An answer as it is shown.
#[derive(Debug, Default)]
pub(crate) struct Page {
    pub(crate) question: String,
    /// Where, after the question.
    pub(crate) region: String,
    pub(crate) verdict: String,
    pub(crate) answer: String,
    pub(crate) proved: Proved,
    pub(crate) facts: Facts,
    pub(crate) plots: Vec<Plot>,
    pub(crate) strips: Vec<Strip>,
    pub(crate) grids: Vec<Grid>,
    /// Tables that are opened by those who want to see them.
    pub(crate) folded: Vec<Grid>,
}

impl Page {
    /// Of an answer, and of what is known about it.
    pub(crate) fn of(answer: &Value, about: &About, surface: Surface) -> Self {
        let task = about.task.as_ref();
        let mut page = Self {
            question: short_question(answer, task),
            region: region(task),
            verdict: clean(answer["verdict"].as_str().unwrap_or_default()),
            answer: sentence(answer, about, surface),
            facts: facts(answer, about, surface),
            ..Self::default()
        };
        if !surface.is_brief {
            page.verdict = verdict(answer);
            page.proved = Proved::of(answer, task);
            page.plots.extend(curve(answer, task));
            page.plots.extend(bounds(answer, &about.trace));
            page.strips = strips(answer);
        }
        page.add_tables(answer, about, surface);
        page
    }

    fn add_tables(&mut self, answer: &Value, about: &About, surface: Surface) {
        let tested = &Tested::of(about);
        if answer["min"].is_object() && answer["max"].is_object() {
            self.grids.push(ends(answer, surface));
            let [low, high] = ["min", "max"].map(|end| answer[end]["witness"].as_object());
            match (low, high) {
                (Some(low), Some(high)) => {
                    let names = ["at the smallest", "at the largest"];
                    self.grids.push(beside(names, [low, high], "An input at each end", tested, surface));
                }
                (low, high) => {
                    let only = low.or(high).cloned().map_or(Value::Null, Value::Object);
                    self.grids.extend(inputs(&only, "The input", tested, surface));
                }
            }
        } else if has_rows(answer) {
            self.grids.push(rows::table(answer, surface));
            // Rows are people's own, and the table tells what changes: where there is little room, that is enough of several.
            let is_enough = surface.is_brief && answer["unit"] == "distance" && list(answer, "rows").len() > 1;
            let telling = rows::telling(answer, if is_enough { 0 } else { surface.beside });
            let is_exact = telling.first().is_some_and(|row| row["verdict"] == "optimal");
            let telling = telling.into_iter();
            let mut found: Vec<Grid> = telling.filter_map(|row| rows::found(row, about, tested, surface)).collect();
            // One row of many is not just any.
            let why = if is_exact { "the largest change" } else { "the clearest case" };
            if let ([only], true) = (found.as_mut_slice(), surface.is_brief && list(answer, "rows").len() > 1) {
                only.caption = only.caption.replacen(" and what was found", &format!(", {why}, and what was found"), 1);
            }
            self.add_folded(found);
        } else if answer["features"].is_array() {
            let features = list(answer, "features");
            self.grids.push(lists::features(features, surface));
            let mut broken: Vec<&Value> = features.iter().filter(|one| pair(&one["witness"]).is_some()).collect();
            broken.retain(|one| one["verdict"] == "violated");
            let by = |one: &Value| one["lower"].as_f64().unwrap_or(0.0);
            broken.sort_by(|one, other| by(other).total_cmp(&by(one)));
            let shown = broken.iter().take(surface.beside);
            self.add_folded(shown.filter_map(|one| part(answer, one, about, tested, surface)).collect());
        } else if answer["attributes"].is_array() {
            let is_falling = details(about.task.as_ref())["decrease"] == true;
            self.grids.push(lists::attributes(answer, is_falling, surface));
        } else if answer["regions"].is_array() {
            self.grids.push(lists::configurations(list(answer, "regions"), surface));
        } else {
            let changes = list(answer, "changes");
            if !changes.is_empty() {
                self.grids.push(lists::moves(changes, surface));
            }
            // Where there is little room, what changes is enough; where nothing differs, no input shows it.
            let is_shown = answer["verdict"] != "holds" || answer["lower"].as_f64() != Some(0.0);
            if is_shown && !(surface.is_brief && answer["changes"].is_array()) {
                let caption = if pair(&answer["witness"]).is_some() { "The two inputs" } else { "The input" };
                self.grids.extend(inputs(&answer["witness"], caption, tested, surface));
            }
        }
    }

    /// One is shown, several are opened by those who want to see them.
    fn add_folded(&mut self, grids: Vec<Grid>) {
        if grids.len() == 1 { self.grids.extend(grids) } else { self.folded = grids }
    }
}

/// The verdict for those who did not ask: "optimal" is said of a search, not of a number.
pub(crate) fn verdict(answer: &Value) -> String {
    match answer["verdict"].as_str().unwrap_or_default() {
        "optimal" if is_exact(answer) || answer["stopped"].is_null() => "exact".to_owned(),
        "optimal" => "close enough".to_owned(),
        word => clean(word),
    }
}

/// One of the features that an answer is about: what was found, and how the margin goes there.
fn part(answer: &Value, one: &Value, about: &About, tested: &Tested<'_>, surface: Surface) -> Option<Grid> {
    let mut alone = one.clone();
    alone["question"] = answer["question"].clone();
    alone["class"] = answer["class"].clone();
    let mut grid = inputs(&one["witness"], &sentence(&alone, about, surface), tested, surface)?;
    found(&mut grid.facts, one, about, surface);
    Some(grid)
}

/// Both ends of a range.
fn ends(answer: &Value, surface: Surface) -> Grid {
    let both = ["min", "max"].map(|end| &answer[end]);
    let is_told = |name: &str| both.iter().any(|of| !of[name].is_null());
    let extra: Vec<&str> = ["output", "probability", "prediction"].into_iter().filter(|name| is_told(name)).collect();
    let line = |(of, name): (&Value, &str)| {
        let mut cells = vec![
            Cell::head(name),
            Cell::badge(&if surface.is_brief { value(&of["verdict"]) } else { verdict(of) }),
            Cell::new(number(&of["lower"])),
            Cell::new(number(&of["upper"])),
        ];
        let shown = |name: &&str| if of[*name].is_null() { Cell::default() } else { Cell::value(&of[*name]) };
        cells.extend(extra.iter().map(shown));
        cells
    };
    let mut names = ["end", "verdict", "at least#", "at most#"].map(str::to_owned).to_vec();
    names.extend(extra.iter().map(|name| format!("{name} there#")));
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    Grid {
        caption: "Both ends".to_owned(),
        columns: columns(&names),
        groups: vec![Group::of(both.into_iter().zip(["smallest", "largest"]).map(line).collect())],
        ..Grid::default()
    }
}
