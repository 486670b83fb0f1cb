//! Pages as HTML: one file with its style and its script, readable without the script, and every text escaped.

mod figure;
mod model;
mod table;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use treeproof_report::{About, AnyReport, AuditReport, SavedAnswer};

use crate::page::Page;
use crate::question::{checks as checks_table, expected, page as page_of, page_of_report, question};
use crate::scene::{data, models};
use crate::surface::{Spelling, Surface};
use crate::tables::{Badge, Look, PageTable, TableCell};
use crate::words::{clean, json, visible};

const STYLE: &str = include_str!("html/page.css");
const SCRIPT: &str = include_str!("html/page.js");
/// Rows of data in all tables of a page together, and in one at least.
const MOST_ROWS: usize = 2000;
const LEAST_ROWS: usize = 100;

/// Tables that are opened by those who want to see them, of those that are printed; the style knows it, too.
const ON_PAPER: usize = 3;

/// The state of a page: its room, and the names that are taken.
struct Context {
    surface: Surface,
    ids: usize,
}

impl Context {
    /// A name for an element that no other has.
    fn id(&mut self) -> String {
        self.ids += 1;
        format!("e{}", self.ids)
    }
}

pub(crate) fn document(answers: &[SavedAnswer], spelling: Spelling) -> String {
    let parts_of =
        |saved: &SavedAnswer| if let AnyReport::Audit(audit) = &saved.report { audit.checks.len() } else { 1 };
    let parts: usize = answers.iter().map(|saved| parts_of(saved).max(1)).sum();
    let surface = Surface::page(spelling, (MOST_ROWS / parts.max(1)).max(LEAST_ROWS));
    let mut context = Context { surface, ids: 0 };
    let context = &mut context;
    let (title, body) = match answers {
        [saved] => (question(&saved.report, &saved.about, surface), answered(saved, "a1", 1, context)),
        answers => (format!("{} answers", answers.len()), several(answers, context)),
    };
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="generator" content="treeproof";
                title { (title) " – treeproof" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                a class="skip" href="#main" { "Skip to the answer" }
                header class="top" {
                    span class="brand" { "treeproof" }
                    span class="muted" { "exact answers about tree ensembles" }
                }
                main id="main" { (body) }
                (footer(answers))
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    // Whatever came from files, nothing on the page hides or turns the direction of what is read.
    visible(&page.into_string())
}

fn footer(answers: &[SavedAnswer]) -> Markup {
    let told = |of: fn(&About) -> Option<&String>| {
        let mut texts: Vec<String> =
            answers.iter().filter_map(|saved| of(&saved.about)).map(|text| clean(text)).collect();
        texts.dedup();
        texts.join(", ")
    };
    let (version, date) = (told(|about| about.treeproof.as_ref()), told(|about| about.date.as_ref()));
    html! {
        footer {
            p {
                @if version.is_empty() { "Made by treeproof." } @else { "Made by treeproof " (version) "." }
                @if !date.is_empty() { " Asked on " (date) "." }
                " This page is one file: it loads nothing and sends nothing."
            }
        }
    }
}

fn heading(level: usize, id: Option<&str>, text: &str) -> Markup {
    html! {
        @match level {
            1 => h1 id=[id] { (text) },
            2 => h2 id=[id] { (text) },
            3 => h3 id=[id] { (text) },
            _ => h4 id=[id] { (text) },
        }
    }
}

/// Several answers: a table of all, then each.
fn several(answers: &[SavedAnswer], context: &mut Context) -> Markup {
    let line = |(place, saved): (usize, &SavedAnswer)| {
        let link = Some(format!("#a{}", place + 1));
        let page = page_of(&saved.report, &saved.about, context.surface);
        vec![
            TableCell {
                text: question(&saved.report, &saved.about, context.surface),
                sort: None,
                look: Look::Head(link),
            },
            TableCell::badge(page.verdict),
            TableCell { look: Look::Lines(vec![page.answer.clone()]), ..TableCell::new(page.answer) },
            TableCell::new(models(&saved.about).join(", ")),
        ]
    };
    let lines = answers.iter().enumerate().map(line).collect();
    let names = ["question", "verdict", "answer", "model"];
    let summary = PageTable::new("All answers", &names, lines, String::new());
    html! {
        h1 { (answers.len()) " answers" }
        div class="overview" { (table::table(&summary, context)) }
        @for (place, saved) in answers.iter().enumerate() { (answered(saved, &format!("a{}", place + 1), 2, context)) }
    }
}

/// An answer with where it comes from.
fn answered(saved: &SavedAnswer, id: &str, level: usize, context: &mut Context) -> Markup {
    let SavedAnswer { report, about } = saved;
    let page = page_of(report, about, context.surface);
    html! {
        section class="answer" id=(id) aria-labelledby={ (id) "-h" } {
            (heading(level, Some(&format!("{id}-h")), &page.question))
            @if !page.region.is_empty() { p class="region" { "…" (page.region) } }
            (asked_of(about))
            (shown(&page, level + 1, context))
            @if let AnyReport::Audit(audit) = report { (checks(audit, about, id, level + 1, context)) }
            (model::models(&about.models, level + 1, context))
            (again(about, level + 1))
        }
    }
}

/// The model and the rows: those who did not type the command do not know them.
fn asked_of(about: &About) -> Markup {
    let models = models(about);
    let rows = data(about);
    html! {
        @if !models.is_empty() {
            p class="asked" {
                (if models.len() == 1 { "Model " } else { "Models " }) (models.join(", "))
                @if let Some(rows) = rows { " · data " (rows) }
            }
        }
    }
}

/// The answer itself.
fn shown(page: &Page, level: usize, context: &mut Context) -> Markup {
    html! {
        p class="verdict" { (badge(&page.verdict)) " " span class="sentence" { (page.answer) } }
        (proved(page, level))
        @if !page.facts.0.is_empty() || !page.grids.is_empty() || !page.plots.is_empty() {
            (heading(level, None, "What was found"))
        }
        (facts(&page.facts.0))
        @for plot in &page.plots { (figure::plot(plot, context)) }
        (figure::strips(&page.strips, context))
        @for grid in &page.grids { (table::table(grid, context)) }
        @for grid in &page.folded {
            details class="found" { summary { (grid.caption) } (table::table(grid, context)) }
        }
        @if page.folded.len() > ON_PAPER { p class="more print" { "On paper, only the first " (ON_PAPER) " are shown." } }
    }
}

/// Facts by name.
fn facts(facts: &[(String, String)]) -> Markup {
    html! {
        @if !facts.is_empty() {
            dl class="facts" { @for (name, text) in facts { div { dt { (name) } dd { (text) } } } }
        }
    }
}

fn proved(page: &Page, level: usize) -> Markup {
    let lists = [
        ("Proved", "yes", &page.proved.yes),
        ("Not proved", "no", &page.proved.no),
        ("What it is about", "about", &page.proved.about),
    ];
    html! {
        @if lists.iter().any(|(_, _, list)| !list.is_empty()) {
            div class="proved" {
                @for (name, kind, list) in lists {
                    @if !list.is_empty() {
                        div class=(kind) { (heading(level, None, name)) ul { @for text in list { li { (text) } } } }
                    }
                }
            }
        }
    }
}

/// The checks of an audit: a table of all, then each.
fn checks(audit: &AuditReport, about: &About, id: &str, level: usize, context: &mut Context) -> Markup {
    let unknown = About::default();
    html! {
        div class="overview" { (table::table(&checks_table(audit, &about.parts, id, context.surface), context)) }
        @for (place, check) in audit.checks.iter().enumerate() {
            @let own = format!("{id}-{}", place + 1);
            section class="check" id=(own) aria-labelledby={ (own) "-h" } {
                (heading(level, Some(&format!("{own}-h")), &clean(&check.name)))
                @if let Some(report) = &check.report {
                    @let page = page_of_report(report, about.parts.get(place).unwrap_or(&unknown), context.surface);
                    @let (expected, measured) = expected(check);
                    p class="asked" { (page.question) @if !page.region.is_empty() { " …" (page.region) } }
                    p class="asked" {
                        (badge(&check.outcome.into()))
                        " expected: " (expected) @if !measured.is_empty() { "; found: " (measured) }
                    }
                    (shown(&page, level + 1, context))
                } @else {
                    p { "Not asked: the run was interrupted." }
                }
            }
        }
    }
}

/// How to get the same answer again.
fn again(about: &About, level: usize) -> Markup {
    html! {
        @if about.command.is_some() || about.task.is_some() {
            (heading(level, None, "Reproduce it"))
            @if let Some(command) = &about.command {
                div class="scroll" tabindex="0" role="group" aria-label="Command" { pre class="command" { code { (words(command)) } } }
            }
            @if let Some(task) = &about.task {
                details class="task" {
                    summary { "The task, as a file for `treeproof solve`" }
                    div class="scroll" tabindex="0" role="group" aria-label="Task" {
                        pre { code { (json(task.json())) } }
                    }
                }
            }
        }
    }
}

/// A command whose words are broken apart only if they must be.
fn words(command: &str) -> Markup {
    let command = clean(command);
    html! { @for (place, word) in command.split(' ').enumerate() { @if place > 0 { " " } span { (word) } } }
}

/// A verdict with its sign.
fn badge(Badge { word, mark }: &Badge) -> Markup {
    html! { span class={ "badge " (mark.name()) } { span aria-hidden="true" { (mark.sign()) } " " (word) } }
}
