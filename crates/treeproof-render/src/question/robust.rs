//! Robustness of rows within a radius: `robust`.

use treeproof_report::DistancesAnswer;

use super::distances;
use crate::page::Page;
use crate::scene::Scene;
use crate::words::{clean, counted, decimal, further, some_of};

pub(super) fn asked(scene: Scene<'_>) -> String {
    let near = scene.near();
    match (scene.asked().within, &scene.asked().target) {
        (None, None) => format!("Do rows keep their label under all {near}?"),
        (None, Some(class)) => format!("Do rows stay out of class {} under all {near}?", clean(class)),
        (Some(within), _) => format!("Does the output of rows stay within {} under all {near}?", decimal(within)),
    }
}

/// Some rows, one by one.
pub(super) fn each(rows: usize) -> String {
    if rows == 1 { "the row".to_owned() } else { format!("any of {}", counted(rows, "row")) }
}

pub(super) fn sentence(scene: Scene<'_>, answer: &DistancesAnswer) -> String {
    let summary = &answer.summary;
    let (rows, none) = (summary.rows, summary.infeasible);
    let within = scene.radius().map(|radius| format!(" within {radius}")).unwrap_or_default();
    if rows > 0 && none == rows {
        return format!("Nothing{within} of {} meets the conditions.", each(rows));
    }
    let first = match summary.holds {
        1 if rows == 1 => format!("The row is robust{within}: proved"),
        _ if rows == 1 && summary.violated == 1 => {
            return format!("The row is not robust{within}: it can be changed.");
        }
        _ if rows == 1 => return format!("Whether the row is robust{within} is open."),
        0 => format!("{} robust{within}", some_of(0, rows, "row", ["is", "are"])),
        many if many == rows => format!("All {} are robust{within}: proved", counted(rows, "row")),
        many => format!("{} robust{within}: proved", some_of(many, rows, "row", ["is", "are"])),
    };
    let others = [
        further(summary.violated, "can be changed"),
        further(summary.undecided, "undecided"),
        further(none, "without any input that is allowed"),
    ];
    format!("{first}{}.", others.concat())
}

pub(super) fn fill(scene: Scene<'_>, answer: &DistancesAnswer, page: &mut Page) {
    let (summary, near, asked) = (&answer.summary, scene.near(), scene.asked());
    let changes = match (asked.within, &asked.target) {
        (None, None) => "gets another label".to_owned(),
        (None, Some(class)) => format!("gets the label {}", clean(class)),
        (Some(within), _) => format!("moves the output by more than {}", decimal(within)),
    };
    page.proved.count(true, summary.holds, "row", &format!("none of the allowed {near} {changes}"));
    let found = format!("a change that small {changes}; it was found and computed as the library does");
    page.proved.count(true, summary.violated, "row", &found);
    page.proved.count(false, summary.infeasible, "row", "nothing, as the conditions allow no input this close");
    page.proved.open_rows(distances::states(answer), summary.left);
    if summary.certified_accuracy.is_some() {
        page.proved.no("That robust rows are right: certified accuracy counts those that are robust and right.");
    }
    distances::fill(answer, page, scene);
}
