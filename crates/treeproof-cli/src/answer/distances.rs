//! Distances in words: what the answers about all rows say together, then row by row.

use treeproof::report::{Change, DistanceRow, DistancesAnswer, Verdict};
use treeproof::task::Task;
use treeproof_ensemble::label::ClassName;

use super::{short, value_text};
use crate::output::number;

/// The rows that people are shown; JSON has all.
const SHOWN: usize = 10;

/// The answers for people: what they say together, then row by row.
pub(super) fn describe(answers: &DistancesAnswer, task: &Task) -> String {
    let summary = &answers.summary;
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let mut text = match answers.radius {
        Some(radius) => format!(
            "{} of {} rows are robust within {}: proved; {} can be changed, {} undecided{}.\n",
            summary.holds,
            summary.rows,
            number(radius),
            summary.violated,
            summary.undecided,
            if summary.infeasible > 0 {
                format!(", {} without any input that is allowed", summary.infeasible)
            } else {
                String::new()
            }
        ),
        None => format!(
            "The distance of {} of {} rows is exact: proved; for {} no such input exists, {} undecided.\n",
            summary.decided - summary.infeasible,
            summary.rows,
            summary.infeasible,
            summary.undecided
        ),
    };
    let mut line = |name: &str, value: String| text.push_str(&format!("{name:<12} {value}\n"));
    if let Some(accuracy) = summary.accuracy {
        line("accuracy", percent(accuracy));
    }
    if let Some(accuracy) = summary.certified_accuracy {
        line("certified", format!("{} correct and robust", percent(accuracy)));
    }
    if let Some(median) = summary.median_distance {
        line("median", format!("{} away", number(median)));
    }
    if summary.left > 0 {
        line("not asked", format!("{}: interrupted", summary.left));
    }
    line("time", format!("{:.2} s", summary.seconds));
    text.push_str("\n row  verdict     distance              what changes\n");
    for answer in answers.rows.iter().take(SHOWN) {
        text.push_str(&describe_row(answer));
    }
    if let Some(domain) = task.domain.as_deref().filter(|_| answers.rows.iter().any(|row| row.nearest_row.is_some())) {
        text.push_str(&format!(
            "(rows in brackets: the nearest of {}, and how far away that is, scaled)\n",
            domain.display()
        ));
    }
    if answers.rows.len() > SHOWN {
        text.push_str(&format!("and {} more (--json lists all)\n", answers.rows.len() - SHOWN));
    }
    text
}

fn describe_row(answer: &DistanceRow) -> String {
    let verdict = match answer.verdict {
        Verdict::Holds => "robust",
        Verdict::Violated => "changed",
        Verdict::Optimal => "exact",
        Verdict::Infeasible => "none exists",
        _ => "undecided",
    };
    let bound = |bound: Option<f64>| bound.map_or("?".to_owned(), |bound| format!("{bound:.6}"));
    let distance = match answer.verdict {
        Verdict::Infeasible => String::new(),
        Verdict::Holds => format!("> {}", bound(answer.lower)),
        Verdict::Undecided => format!("{} to {}", bound(answer.lower), bound(answer.upper)),
        _ => bound(answer.upper),
    };
    let label = |other: &Option<ClassName>| match (&answer.label, other) {
        (Some(own), Some(other)) => format!(" ({own} → {other})"),
        _ => String::new(),
    };
    let nearest = answer.nearest_row.as_ref();
    let nearest = nearest.map(|nearest| format!(" [row {}, {}]", nearest.row, short(nearest.distance)));
    let (changes, label_of, nearest) =
        (describe_changes(&answer.changed), label(&answer.witness_label), nearest.unwrap_or_default());
    let mut text = format!("{:>4}  {verdict:<11} {distance:<20}  {changes}{label_of}{nearest}\n", answer.row);
    for other in answer.witnesses.iter().skip(1) {
        let (distance, changes) = (bound(other.distance), describe_changes(&other.changed));
        text.push_str(&format!("      or          {distance:<20}  {changes}{}\n", label(&other.witness_label)));
    }
    text
}

fn describe_changes(changed: &[Change]) -> String {
    let change =
        |changed: &Change| format!("{} {} → {}", changed.feature, value_text(&changed.from), value_text(&changed.to));
    let mut changes: Vec<String> = changed.iter().take(4).map(change).collect();
    if changed.len() > changes.len() {
        changes.push(format!("{} more", changed.len() - changes.len()));
    }
    changes.join(", ")
}
