//! Answers about rows of data: the table of all, and some rows beside what was found.

use serde_json::{Map, Value};

use crate::about::About;
use crate::answer::list;
use crate::facts;
use crate::grid::{Cell, Grid, Group, Look, columns, signed};
use crate::inputs::{Tested, beside, pair};
use crate::question::margin;
use crate::surface::Surface;
use crate::words::{change, clean, compact, grouped, rough, short, value};

/// Changes in one line of the table.
const SHOWN_CHANGES: usize = 5;

/// What each row of `robust`, `closest` or `fair` is, for people.
fn verdict(answer: &Value, row: &Value) -> String {
    let is_distance = answer["unit"] == "distance";
    match row["verdict"].as_str().unwrap_or_default() {
        "holds" if is_distance => "robust".to_owned(),
        "violated" if is_distance => "changed".to_owned(),
        "optimal" => "exact".to_owned(),
        "infeasible" if is_distance && answer["radius"].is_null() => "none exists".to_owned(),
        "infeasible" => "not allowed".to_owned(),
        word => clean(word),
    }
}

/// Which rows are listed if not all can be: those that people look for first.
fn chosen(answer: &Value, most: usize) -> Vec<&Value> {
    let rows = list(answer, "rows");
    let mut order: Vec<usize> = (0..rows.len()).collect();
    // Of what is proved or not, the rows that people look for come first.
    let is_ranked = answer["question"] != "closest";
    if rows.len() > most || is_ranked {
        let rank = |row: &Value| match row["verdict"].as_str() {
            Some("violated") => 0,
            Some("undecided") => 1,
            Some("optimal") => 2,
            _ => 3,
        };
        // Of labels, bounds say only how clear of the decision they are.
        let near =
            |row: &Value| row["upper"].as_f64().filter(|_| answer["unit"] == "distance").unwrap_or(f64::INFINITY);
        let compare =
            |one: &Value, other: &Value| (rank(one).cmp(&rank(other))).then(near(one).total_cmp(&near(other)));
        order.sort_by(|one, other| compare(&rows[*one], &rows[*other]));
        order.truncate(most);
        if !is_ranked {
            order.sort_unstable();
        }
    }
    order.into_iter().map(|place| &rows[place]).collect()
}

/// The table of rows.
pub(crate) fn table(answer: &Value, surface: Surface) -> Grid {
    let rows = list(answer, "rows");
    let is_distance = answer["unit"] == "distance";
    let has_labels = rows.iter().any(|row| !row["label"].is_null());
    let has_truth = rows.iter().any(|row| row["is_correct"].is_boolean());
    let has_nearest = is_distance && rows.iter().any(|row| row["nearest_row"].is_object());
    let line = |row: &Value| {
        let mut cells = vec![
            Cell { text: value(&row["row"]), sort: row["row"].as_f64(), look: Look::Head(None) },
            Cell::badge(&verdict(answer, row)),
        ];
        cells.push(if is_distance { distance(row) } else { difference(row) });
        if has_labels {
            cells.push(Cell::new(labels(row)));
        }
        if has_truth {
            cells.push(Cell::new(match row["is_correct"].as_bool() {
                Some(true) => "right",
                Some(false) => "wrong",
                None => "",
            }));
        }
        if has_nearest {
            cells.push(nearest(&row["nearest_row"]));
        }
        // Last, as it is the longest.
        let mut lines = vec![changes(row)];
        for other in list(row, "witnesses").iter().skip(1) {
            let label = &other["witness_label"];
            let label = if label.is_null() { String::new() } else { format!(" (label {})", value(label)) };
            lines.push(format!("or {} away: {}{label}", value(&other["distance"]), changes(other)));
        }
        cells.push(match lines.len() {
            1 => Cell::new(lines.remove(0)),
            _ => Cell { text: lines.join(" "), sort: None, look: Look::Lines(lines) },
        });
        cells
    };
    let shown = chosen(answer, surface.rows);
    let more = match rows.len() - shown.len() {
        0 => String::new(),
        _ => format!(
            "{} of {} rows, those first that change or are open; {}.",
            grouped(shown.len() as u64),
            grouped(rows.len() as u64),
            surface.all_rows()
        ),
    };
    let measured = if is_distance { "distance#".to_owned() } else { format!("change of the {}#", margin(answer)) };
    let mut names = vec!["row#", "verdict", &measured];
    names.extend(has_labels.then_some("label"));
    names.extend(has_truth.then_some("prediction"));
    names.extend(has_nearest.then_some("nearest row, scaled"));
    names.push("what changes");
    Grid {
        caption: "Row by row".to_owned(),
        columns: columns(&names),
        groups: vec![Group::of(shown.into_iter().map(line).collect())],
        more,
        is_long: true,
        ..Grid::default()
    }
}

fn distance(row: &Value) -> Cell {
    let bound = |name: &str| row[name].as_f64().map_or("?".to_owned(), short);
    let text = match row["verdict"].as_str().unwrap_or_default() {
        "infeasible" => "none".to_owned(),
        "holds" => format!("> {}", bound("lower")),
        "undecided" => format!("{} to {}", bound("lower"), bound("upper")),
        _ => bound("upper"),
    };
    // What is nowhere is farthest away.
    let sort =
        if row["verdict"] == "infeasible" { Some(f64::MAX) } else { row["upper"].as_f64().or(row["lower"].as_f64()) };
    Cell::new(text).sorted_by(sort)
}

fn difference(row: &Value) -> Cell {
    match (row["verdict"].as_str(), row["lower"].as_f64(), row["upper"].as_f64()) {
        // Of labels the bounds are by how much they are clear of the decision, which is no number that people ask for.
        (Some("optimal"), lower, _) => Cell::number(lower),
        (Some("undecided"), lower, upper) if lower.or(upper).is_some() => {
            let text = |bound: Option<f64>| bound.map_or("?".to_owned(), short);
            Cell::new(format!("{} to {}", text(lower), text(upper))).sorted_by(lower)
        }
        _ => match (row["output"]["a"].as_f64(), row["output"]["b"].as_f64()) {
            (Some(a), Some(b)) => Cell { text: signed(b - a), sort: Some(b - a), look: Look::Plain },
            _ => Cell::default(),
        },
    }
}

/// How far what was found is from real rows.
fn nearest(nearest: &Value) -> Cell {
    match (nearest["row"].as_u64(), nearest["distance"].as_f64()) {
        (Some(row), Some(distance)) => Cell::new(format!("{row}, {} away", rough(distance))).sorted_by(Some(distance)),
        _ => Cell::default(),
    }
}

fn labels(row: &Value) -> String {
    match (&row["label"], &row["witness_label"]) {
        (Value::Null, _) => String::new(),
        (both @ Value::Object(_), _) => value(both),
        (own, Value::Null) => value(own),
        (own, other) => change(own, other),
    }
}

/// What changes, in one line.
fn changes(row: &Value) -> String {
    let mut texts: Vec<String> = vec![];
    let mut many = 0;
    let mut tell = |name: &str, old: &Value, new: &Value| {
        many += 1;
        if many <= SHOWN_CHANGES {
            texts.push(format!("{} {} → {}", clean(name), compact(old), compact(new)));
        }
    };
    if let Some([a, b]) = pair(&row["witness"]) {
        for (name, new) in b {
            if let Some(old) = a.get(name).filter(|old| *old != new) {
                tell(name, old, new);
            }
        }
    }
    for one in list(row, "changed") {
        tell(one["feature"].as_str().unwrap_or_default(), &one["from"], &one["to"]);
    }
    if many > SHOWN_CHANGES {
        texts.push(format!("{} more", many - SHOWN_CHANGES));
    }
    // An input that is nothing but the row: what is asked for is so already.
    if many == 0 && row["witness"].is_object() && pair(&row["witness"]).is_none() {
        return "nothing".to_owned();
    }
    texts.join(", ")
}

/// The row of data that a witness is near to: what changed, as it was.
pub(crate) fn original(row: &Value) -> Option<Map<String, Value>> {
    let mut input = row["witness"].as_object()?.clone();
    for one in list(row, "changed") {
        if let Some(now) = one["feature"].as_str().and_then(|name| input.get_mut(name)) {
            *now = one["from"].clone();
        }
    }
    Some(input)
}

/// The rows that change most easily, with what was found for them.
pub(crate) fn telling(answer: &Value, most: usize) -> Vec<&Value> {
    let mut rows: Vec<&Value> = list(answer, "rows").iter().filter(|row| row["witness"].is_object()).collect();
    if answer["unit"] == "distance" {
        rows.sort_by(|one, other| {
            let near = |row: &Value| row["upper"].as_f64().unwrap_or(f64::INFINITY);
            near(one).total_cmp(&near(other))
        });
    } else {
        rows.retain(|row| row["verdict"] == "violated" || row["verdict"] == "optimal");
        // The largest difference first.
        rows.sort_by(|one, other| {
            let far = |row: &Value| row["lower"].as_f64().unwrap_or(f64::NEG_INFINITY);
            far(other).total_cmp(&far(one))
        });
    }
    rows.truncate(most);
    rows
}

/// A row beside what was found for it.
pub(crate) fn found(row: &Value, about: &About, tested: &Tested<'_>, surface: Surface) -> Option<Grid> {
    let number = value(&row["row"]);
    let names = [&*format!("row {number}"), "found"];
    let mut caption = format!("Row {number} and what was found");
    if let Some(both) = pair(&row["witness"]) {
        // Facts tell the same where they are not folded away.
        if !surface.is_brief {
            let labels = labels(row);
            caption.push_str(&if labels.is_empty() { String::new() } else { format!(": label {labels}") });
            let by = difference(row).text;
            caption.push_str(&if by.is_empty() { String::new() } else { format!(", margin {by}") });
        }
        let mut grid = beside(names, both, &caption, tested, surface);
        facts::found(&mut grid.facts, row, about, surface);
        return Some(grid);
    }
    let labels = labels(row);
    if labels.contains('→') {
        caption.push_str(&format!(": label {labels}"));
    }
    if let Some(away) = row["upper"].as_f64() {
        caption.push_str(&format!(", {} away", short(away)));
    }
    let original = original(row)?;
    Some(beside(names, [&original, row["witness"].as_object()?], &caption, tested, surface))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::surface::Spelling;

    #[test]
    fn rows_are_told_with_what_changes() {
        let answer = json!({"question": "closest", "unit": "distance", "rows": [
            {"row": 4, "verdict": "optimal", "upper": 2.0, "label": "no", "witness_label": "yes",
             "witness": {"x": 3.0, "y": 1}, "changed": [{"feature": "x", "from": 1.0, "to": 3.0}]},
            {"row": 5, "verdict": "infeasible", "label": "no"}]});
        let surface = Surface::page(Spelling::Flags, 10);
        let grid = table(&answer, surface);
        let texts = |row: usize| grid.groups[0].rows[row].iter().map(|cell| cell.text.as_str()).collect::<Vec<_>>();
        assert_eq!(texts(0), ["4", "exact", "2", "no → yes", "x 1 → 3"]);
        assert_eq!(texts(1), ["5", "none exists", "none", "no", ""]);
        let about = About::default();
        let found = found(&answer["rows"][0], &about, &Tested::of(&about), surface).unwrap();
        assert_eq!(found.caption, "Row 4 and what was found: label no → yes, 2 away");
        assert_eq!(found.groups[0].rows[0][1].text, "1");
    }

    #[test]
    fn of_many_rows_the_telling_ones_are_kept() {
        let rows: Vec<Value> = (0..100)
            .map(|row| json!({"row": row, "verdict": if row % 10 == 7 { "violated" } else { "holds" }, "upper": 1.0 / f64::from(row)}))
            .collect();
        let answer = json!({"question": "robust", "unit": "distance", "radius": 1, "rows": rows});
        let grid = table(&answer, Surface::page(Spelling::Flags, 5));
        let shown: Vec<&str> = grid.groups[0].rows.iter().map(|row| row[0].text.as_str()).collect();
        assert_eq!(shown, ["97", "87", "77", "67", "57"]);
        assert!(grid.more.starts_with("5 of 100 rows, those first"));
    }
}
