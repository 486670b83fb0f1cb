//! Tables as HTML. They scroll within their own box; those that may be long can be sorted and searched where scripts run.

use maud::{Markup, html};

use super::{Context, badge as badge_of, facts};
use crate::tables::{Look, PageTable, RowGroup, TableCell, TableColumn};

/// Among so many rows nobody needs to search.
const FEW_ROWS: usize = 5;

pub(super) fn table(grid: &PageTable, context: &mut Context) -> Markup {
    let id = context.id();
    let rows: usize = grid.groups.iter().map(|group| group.rows.len()).sum();
    let words = words(grid);
    let lines: usize = grid.groups.iter().flat_map(|group| &group.rows).map(|row| height(row)).sum();
    html! {
        div class="table" {
            (facts(&grid.facts))
            @if grid.is_long && rows > FEW_ROWS {
                // Shown by the script that makes it work.
                form class="tools" hidden data-for=(id) {
                    @if words.len() > 1 {
                        label { "Verdict " select name="verdict" {
                            option value="" { "all" }
                            @for word in &words { option value=(word) { (word) } }
                        } }
                    }
                    label { "Search " input type="search" name="text" autocomplete="off"; }
                    output aria-live="polite" { (rows) " of " (rows) }
                }
            }
            div class=(box_class(lines > 40, grid.is_long)) tabindex="0" role="group" aria-labelledby={ (id) "-c" } {
                table id=(id) data-sortable[grid.is_long] {
                    caption id={ (id) "-c" } { (grid.caption) }
                    thead { tr { @for column in &grid.columns { th scope="col" class=[class(column)] { (column.name) } } } }
                    @for group in &grid.groups { (body(group, &grid.columns)) }
                }
            }
            @if rows > 200 { p class="more print" { "On paper, only the first 200 rows are shown." } }
            @if !grid.more.is_empty() { p class="more" { (grid.more) } }
        }
    }
}

fn box_class(is_tall: bool, is_wide: bool) -> &'static str {
    match (is_tall, is_wide) {
        (true, true) => "scroll tall wide",
        (true, false) => "scroll tall",
        (false, _) => "scroll",
    }
}

/// How many lines a row takes.
fn height(row: &[TableCell]) -> usize {
    let lines = |cell: &TableCell| if let Look::Lines(lines) = &cell.look { lines.len() } else { 1 };
    row.iter().map(lines).max().unwrap_or(1)
}

fn class(column: &TableColumn) -> Option<&'static str> {
    column.is_number.then_some("n")
}

/// The verdicts that occur, in order of appearance.
fn words(grid: &PageTable) -> Vec<String> {
    let mut words: Vec<String> = vec![];
    for cell in grid.groups.iter().flat_map(|group| &group.rows).flatten() {
        if matches!(cell.look, Look::Badge(_)) && !words.contains(&cell.text) {
            words.push(cell.text.clone());
        }
    }
    words
}

fn body(group: &RowGroup, columns: &[TableColumn]) -> Markup {
    html! {
        tbody class=[group.is_changed.then_some("changed")] {
            @if !group.heading.is_empty() {
                tr class="heading" { th scope="rowgroup" colspan=(columns.len()) { (group.heading) } }
            }
            @for row in &group.rows { tr { @for (cell, column) in row.iter().zip(columns) { (cell_of(cell, column)) } } }
        }
    }
}

fn cell_of(cell: &TableCell, column: &TableColumn) -> Markup {
    let (class, sort) = (class(column), cell.sort.filter(|_| column.is_number));
    html! {
        @match &cell.look {
            Look::Head(link) => th scope="row" class=[class] data-v=[sort] {
                @if let Some(link) = link { a href=(link) { (cell.text) } } @else { (cell.text) }
            },
            Look::Badge(badge) => td { (badge_of(badge)) },
            Look::Bar { found, most } => td class="bar" aria-hidden="true" { (bar(*found, *most)) },
            Look::Lines(lines) => td class="lines" { @for line in lines { div { (line) } } },
            Look::Plain => td class=[class] data-v=[sort] { (cell.text) },
        }
    }
}

fn bar(found: f64, most: f64) -> Markup {
    let percent = |share: f64| format!("width:{:.2}%", 100.0 * share);
    html! { div class="most" style=(percent(most)) {} div class="found" style=(percent(found)) {} }
}
