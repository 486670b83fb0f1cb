//! The nearest inputs that change the answers about rows: `closest`.

use treeproof_report::{Bounds, DistanceRow, DistancesAnswer, Norm, Verdict};

use super::{Words, distances, robust};
use crate::facts::Facts;
use crate::page::Drawn;
use crate::proved::Proved;
use crate::scene::Scene;
use crate::words::{clean, counted, decimal, further, number, some_of};

pub(super) struct Closest<'a> {
    pub(super) scene: Scene<'a>,
    pub(super) answer: &'a DistancesAnswer,
}

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

impl Closest<'_> {
    /// The answer about one row: the distance itself.
    fn of_one(&self, row: &DistanceRow) -> String {
        let what = format!("input {}", wanted(self.scene));
        let (bounds, why) = (Bounds::from(row), self.scene.why(row.into()));
        match (row.verdict, bounds.lower, bounds.upper) {
            (Verdict::Infeasible, ..) => format!("No {what} exists: proved."),
            (Verdict::Optimal, _, upper) => format!("The closest {what} is {} away: proved.", self.scene.far(upper)),
            (_, None, None) => format!("How far the closest {what} is, is open: {why}."),
            (_, lower, None) => {
                format!("The closest {what}, if there is one, is at least {} away: {why}.", self.scene.far(lower))
            }
            (_, lower, upper) => {
                let (lower, upper) = (number(lower), self.scene.far(upper));
                format!("The closest {what} is between {lower} and {upper} away: {why}.")
            }
        }
    }
}

impl Words for Closest<'_> {
    fn answer(&self) -> String {
        if let [row] = self.answer.rows.as_slice() {
            return self.of_one(row);
        }
        let summary = &self.answer.summary;
        let (rows, none) = (summary.rows, summary.infeasible);
        if rows > 0 && none == rows {
            return format!("No input {} exists for {}: proved.", wanted(self.scene), robust::each(rows));
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

    fn prove(&self, proved: &mut Proved) {
        let (summary, wanted) = (&self.answer.summary, wanted(self.scene));
        let exact = summary.decided.saturating_sub(summary.infeasible);
        proved.count(true, exact, "row", &format!("no allowed input {wanted} is closer than the one that was found"));
        let none = format!("no allowed input {wanted} exists, however far away");
        proved.count(true, summary.infeasible, "row", &none);
        proved.open_rows(distances::states(self.answer), summary.left);
    }

    fn facts(&self, facts: &mut Facts) {
        distances::facts(self.answer, facts, self.scene);
    }

    fn draw(&self, drawn: &mut Drawn) {
        distances::draw(self.answer, drawn, self.scene);
    }
}
