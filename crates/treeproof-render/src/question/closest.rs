//! The nearest inputs that change the answers about rows: `closest`.

use treeproof_report::{Bounds, DistanceRow, DistancesAnswer, Norm, Verdict};

use super::{distances, robust};
use crate::page::Page;
use crate::scene::Scene;
use crate::words::{clean, counted, decimal, further, number, some_of};

pub(super) fn asked(scene: Scene<'_>) -> String {
    let how = match scene.norm() {
        Norm::L0 => "in the number of changes",
        Norm::L1 => "by the sum of changes (l1)",
        Norm::L2 => "in Euclidean distance (l2)",
        Norm::Linf => "by the largest change (l∞)",
    };
    let unit = if scene.is_scaled() { ", in standard deviations" } else { "" };
    format!("How far is the closest input {}, {how}{unit}?", wanted(scene))
}

/// The inputs that are looked for.
fn wanted(scene: Scene<'_>) -> String {
    let asked = scene.asked();
    match (&asked.target, asked.output_above, asked.output_below) {
        (Some(class), ..) => format!("of class {}", clean(class)),
        (_, Some(above), _) => format!("with an output above {}", decimal(above)),
        (.., Some(below)) => format!("with an output below {}", decimal(below)),
        _ => "with another label".to_owned(),
    }
}

/// The answer about one row: the distance itself.
fn of_one(scene: Scene<'_>, row: &DistanceRow) -> String {
    let what = format!("input {}", wanted(scene));
    let (bounds, why) = (Bounds::from(row), scene.why(row.into()));
    match (row.verdict, bounds.lower, bounds.upper) {
        (Verdict::Infeasible, ..) => format!("No {what} exists: proved."),
        (Verdict::Optimal, _, upper) => format!("The closest {what} is {} away: proved.", scene.far(upper)),
        (_, None, None) => format!("How far the closest {what} is, is open: {why}."),
        (_, lower, None) => {
            format!("The closest {what}, if there is one, is at least {} away: {why}.", scene.far(lower))
        }
        (_, lower, upper) => {
            let (lower, upper) = (number(lower), scene.far(upper));
            format!("The closest {what} is between {lower} and {upper} away: {why}.")
        }
    }
}

pub(super) fn sentence(scene: Scene<'_>, answer: &DistancesAnswer) -> String {
    if let [row] = answer.rows.as_slice() {
        return of_one(scene, row);
    }
    let summary = &answer.summary;
    let (rows, none) = (summary.rows, summary.infeasible);
    if rows > 0 && none == rows {
        return format!("No input {} exists for {}: proved.", wanted(scene), robust::each(rows));
    }
    let first = match summary.decided.saturating_sub(none) {
        many if many == rows => format!("The distances of all {} are exact: proved", counted(rows, "row")),
        0 => format!("The distances of 0 of {} are exact", counted(rows, "row")),
        1 => format!("The distance of {} exact: proved", some_of(1, rows, "row", ["is", "are"])),
        many => format!("The distances of {} exact: proved", some_of(many, rows, "row", ["is", "are"])),
    };
    let others = [
        further(none, "without any such input: proved"),
        further(summary.undecided, "undecided"),
        further(summary.left, "not asked"),
    ];
    format!("{first}{}.", others.concat())
}

pub(super) fn fill(scene: Scene<'_>, answer: &DistancesAnswer, page: &mut Page) {
    let (summary, wanted) = (&answer.summary, wanted(scene));
    let exact = summary.decided.saturating_sub(summary.infeasible);
    page.proved.count(true, exact, "row", &format!("no allowed input {wanted} is closer than the one that was found"));
    let none = format!("no allowed input {wanted} exists, however far away");
    page.proved.count(true, summary.infeasible, "row", &none);
    page.proved.open_rows(distances::states(answer), summary.left);
    distances::fill(answer, page, scene);
}
