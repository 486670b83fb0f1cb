//! The table of rows of `robust` and `closest`, and some rows beside the inputs that were found.

use treeproof_report::{Bounds, Change, ClassName, DistanceRow, DistancesAnswer, Stopped, Verdict, Witness};

use crate::image;
use crate::inputs::{Tested, beside};
use crate::page::Page;
use crate::plot::curve;
use crate::rows::{changes, chosen, left_out_rows, nearest};
use crate::scene::Scene;
use crate::tables::{Badge, Mark, PageTable, TableCell};
use crate::words::{class, counted, decimal, percent, short};

/// Rows, for sentences about what is open.
pub(super) fn states(answer: &DistancesAnswer) -> impl Iterator<Item = (Verdict, Stopped)> {
    answer.rows.iter().map(|row| (row.verdict, row.stopped))
}

/// The facts about all rows.
pub(super) fn fill(answer: &DistancesAnswer, page: &mut Page, scene: Scene<'_>) {
    let (summary, facts) = (&answer.summary, &mut page.facts);
    if let Some(accuracy) = summary.accuracy {
        facts.tell("accuracy", percent(accuracy));
    }
    if let Some(certified) = summary.certified_accuracy {
        facts.tell("certified accuracy", format!("{}: right and robust", percent(certified)));
    }
    if summary.unlabelled > 0 {
        facts.tell("without label", format!("{}, in no accuracy", counted(summary.unlabelled, "row")));
    }
    if let Some(median) = summary.median_distance {
        facts.tell("median distance", decimal(median));
    }
    // Elsewhere this is among what was proved and what was not.
    if scene.surface.is_brief && summary.left > 0 {
        facts.tell("not asked", format!("{}: interrupted", counted(summary.left, "row")));
    }
    facts.time(summary.seconds, None);
    if answer.rows.is_empty() {
        return;
    }
    let surface = scene.surface;
    page.grids.push(table(answer, scene));
    let tested = &Tested::of(scene.about);
    // Rows are people's own, and the table tells what changes: where there is little room, that is enough of several.
    let is_enough = surface.is_brief && answer.rows.len() > 1;
    let beside = if is_enough { 0 } else { surface.beside };
    page.fold(telling(answer).take(beside).map(|(row, witness)| found(row, witness, tested, scene)).collect());
    if !surface.is_brief {
        page.plots.extend(curve(answer, scene.is_scaled()));
        page.strips = image::within_limits(telling(answer).map(|(row, witness)| strip(row, witness)));
    }
}

/// The rows that change most easily, with what was found for them.
fn telling(answer: &DistancesAnswer) -> impl Iterator<Item = (&DistanceRow, &Witness)> {
    let found = answer.rows.iter().filter_map(|row| Some((row, row.witness.as_ref()?)));
    let mut rows: Vec<(&DistanceRow, &Witness)> = found.collect();
    let near = |row: &DistanceRow| row.upper.unwrap_or(f64::INFINITY);
    rows.sort_by(|(one, _), (other, _)| near(one).total_cmp(&near(other)));
    rows.into_iter()
}

/// The verdict on a row, for people.
fn verdict(row: &DistanceRow, is_robust: bool) -> Badge {
    match row.verdict {
        Verdict::Holds => Badge { word: "robust", mark: Mark::Good },
        Verdict::Violated => Badge { word: "changed", mark: Mark::Bad },
        Verdict::Optimal => Badge::EXACT,
        Verdict::Infeasible if is_robust => Badge { word: "not allowed", mark: Mark::Open },
        Verdict::Infeasible => Badge { word: "none exists", mark: Mark::Neutral },
        Verdict::Undecided => row.verdict.into(),
    }
}

fn table(answer: &DistancesAnswer, scene: Scene<'_>) -> PageTable {
    let rows = &answer.rows;
    let is_robust = answer.radius.is_some();
    let has_labels = rows.iter().any(|row| row.label.is_some());
    let has_truth = rows.iter().any(|row| row.is_correct.is_some());
    let has_nearest = rows.iter().any(|row| row.nearest_row.is_some());
    let line = |row: &DistanceRow| {
        let mut cells = vec![TableCell::place(row.row), TableCell::badge(verdict(row, is_robust)), distance(row)];
        if has_labels {
            cells.push(TableCell::new(labels(row)));
        }
        if has_truth {
            cells.push(TableCell::new(match row.is_correct {
                Some(true) => "right",
                Some(false) => "wrong",
                None => "",
            }));
        }
        if has_nearest {
            cells.push(nearest(row.nearest_row.as_ref()));
        }
        // Last, as it is the longest.
        let mut lines = vec![match (&row.witness, row.changed.as_slice()) {
            // An input that is nothing but the row: what is asked for is so already.
            (Some(_), []) => "nothing".to_owned(),
            (_, changed) => told(changed),
        }];
        for other in row.witnesses.iter().skip(1) {
            let label = of_label(other.witness_label.as_ref(), |label| format!(" (label {label})"));
            let distance = other.distance.map_or("missing".to_owned(), decimal);
            lines.push(format!("or {distance} away: {}{label}", told(&other.changed)));
        }
        cells.push(TableCell::lines(lines));
        cells
    };
    // Of what is proved or not, the rows that people look for come first.
    let rank = |row: &DistanceRow| (row.verdict, row.upper.unwrap_or(f64::INFINITY));
    let shown = chosen(rows, scene.surface.rows, is_robust, rank);
    let mut names = vec!["row#", "verdict", "distance#"];
    names.extend(has_labels.then_some("label"));
    names.extend(has_truth.then_some("prediction"));
    names.extend(has_nearest.then_some("nearest row, scaled"));
    names.push("what changes");
    let more = left_out_rows(shown.len(), rows.len(), scene.surface);
    PageTable { is_long: true, ..PageTable::new("Row by row", &names, shown.into_iter().map(line).collect(), more) }
}

fn distance(row: &DistanceRow) -> TableCell {
    let bound = |bound: Option<f64>| bound.map_or("?".to_owned(), short);
    let Bounds { lower, upper, .. } = row.into();
    let text = match row.verdict {
        Verdict::Infeasible => "none".to_owned(),
        Verdict::Holds => format!("> {}", bound(lower)),
        Verdict::Undecided => format!("{} to {}", bound(lower), bound(upper)),
        Verdict::Optimal | Verdict::Violated => bound(upper),
    };
    // What is nowhere is farthest away.
    let sort = if row.verdict == Verdict::Infeasible { Some(f64::MAX) } else { upper.or(lower) };
    TableCell::new(text).sorted_by(sort)
}

fn of_label(label: Option<&ClassName>, text: impl Fn(String) -> String) -> String {
    label.map_or(String::new(), |label| text(class(label)))
}

/// The label of the row, and that of what was found.
fn labels(row: &DistanceRow) -> String {
    let found = of_label(row.witness_label.as_ref(), |label| format!(" → {label}"));
    of_label(row.label.as_ref(), |label| format!("{label}{found}"))
}

/// The changes, in one line.
fn told(changed: &[Change]) -> String {
    changes(changed.iter().map(|Change { feature, from, to }| (&**feature, from, to)))
}

/// The row of data that a witness is near to: the features that changed, as they were.
fn original(row: &DistanceRow, witness: &Witness) -> Witness {
    let mut input = witness.clone();
    for (name, value) in &mut input.0 {
        if let Some(change) = row.changed.iter().find(|change| change.feature == *name) {
            value.clone_from(&change.from);
        }
    }
    input
}

/// A row beside what was found for it.
fn found(row: &DistanceRow, witness: &Witness, tested: &Tested<'_>, scene: Scene<'_>) -> PageTable {
    let name = format!("row {}", row.row);
    let mut caption = format!("Row {} and what was found", row.row);
    if let (Some(own), Some(other)) = (&row.label, &row.witness_label) {
        caption.push_str(&format!(": label {} → {}", class(own), class(other)));
    }
    if let Some(away) = row.upper {
        caption.push_str(&format!(", {} away", short(away)));
    }
    beside([&name, "found"], [&original(row, witness), witness], &caption, tested, scene.surface)
}

/// A row and what was found for it as images, if they are such.
fn strip(row: &DistanceRow, witness: &Witness) -> Option<image::Strip> {
    let away = row.upper.map_or(String::new(), |away| format!(", changed by {}", short(away)));
    let label = |label: &Option<ClassName>| of_label(label.as_ref(), |label| format!(": label {label}"));
    let names = [format!("row {}{}", row.row, label(&row.label)), format!("found{}", label(&row.witness_label))];
    let caption = format!("Row {}{away}", row.row);
    image::two(caption, [&names[0], &names[1]], [&original(row, witness), witness])
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use treeproof_report::About;

    use super::*;
    use crate::surface::{Spelling, Surface};

    fn drawn(report: serde_json::Value, surface: Surface) -> Page {
        let report = serde_json::from_value(report).unwrap();
        super::super::page_of_report(&report, &About::default(), surface)
    }

    #[test]
    fn rows_are_told_with_what_changes() {
        let report = json!({"question": "closest", "unit": "distance", "rows": [
            {"row": 4, "verdict": "optimal", "upper": 2.0, "label": "no", "witness_label": "yes",
             "witness": {"x": 3.0, "y": 1}, "changed": [{"feature": "x", "from": 1.0, "to": 3.0}]},
            {"row": 5, "verdict": "infeasible", "label": "no"}]});
        let drawn = drawn(report, Surface::page(Spelling::Flags, 10));
        let rows = &drawn.grids[0].groups[0].rows;
        let texts = |row: usize| rows[row].iter().map(|cell| cell.text.as_str()).collect::<Vec<_>>();
        assert_eq!(texts(0), ["4", "exact", "2", "no → yes", "x 1 → 3"]);
        assert_eq!(texts(1), ["5", "none exists", "none", "no", ""]);
        let found = &drawn.grids[1];
        assert_eq!(found.caption, "Row 4 and what was found: label no → yes, 2 away");
        assert_eq!(found.groups[0].rows[0][1].text, "1");
    }

    #[test]
    fn of_many_rows_the_telling_ones_are_kept() {
        let verdict = |row: i32| if row % 10 == 7 { "violated" } else { "holds" };
        let row = |row: i32| json!({"row": row, "verdict": verdict(row), "upper": 1.0 / f64::from(row)});
        let rows: Vec<_> = (0..100).map(row).collect();
        let report = json!({"question": "robust", "unit": "distance", "radius": 1, "rows": rows});
        let drawn = drawn(report, Surface::page(Spelling::Flags, 5));
        let shown: Vec<&str> = drawn.grids[0].groups[0].rows.iter().map(|row| row[0].text.as_str()).collect();
        assert_eq!(shown, ["97", "87", "77", "67", "57"]);
        assert!(drawn.grids[0].more.starts_with("5 of 100 rows, those first"));
    }
}
