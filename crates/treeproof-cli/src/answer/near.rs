//! Jumps and dominant features in words.

use treeproof::report::{DominantAnswer, PairAnswer, RankingAnswer, Stopped, Verdict};
use treeproof::task::{Dominant, Stable, Task};
use treeproof_ensemble::ensemble::Ensemble;

use super::{SHOWN, pair, value_text};
use crate::output::number;

/// What was proved about the largest jump.
pub(super) fn jump(stable: &Stable, answer: &PairAnswer, class: &str, [between, open]: [&str; 2]) -> String {
    let lower = answer.lower.map_or("something".to_owned(), number);
    let near = format!("two inputs at most {} apart", number(stable.radius));
    let within = stable.within.map(number).unwrap_or_default();
    match answer.verdict {
        Verdict::Holds => format!("The margin{class} of {near} never differs by more than {within}: proved."),
        Verdict::Violated => format!("The margin{class} of {near} differs by {lower}, which is more than {within}:"),
        Verdict::Optimal if answer.stopped == Stopped::Optimal => {
            format!("The margin{class} of {near} differs by {lower} at most: proved.")
        }
        Verdict::Optimal => format!("The largest difference of {near} is {between}: as close as asked for."),
        _ => format!("The largest difference of the margin{class} of {near} is {between}: {open}."),
    }
}

/// What was proved about how far few features move the margin.
pub(super) fn moved(dominant: &Dominant, answer: &PairAnswer, class: &str, [between, open]: [&str; 2]) -> String {
    let lower = answer.lower.map_or("something".to_owned(), number);
    let rises = if dominant.decrease { "falls" } else { "rises" };
    let features = match dominant.at_most.unwrap_or(1) {
        1 => "one attribute changes".to_owned(),
        most => format!("at most {most} attributes change"),
    };
    match answer.verdict {
        Verdict::Optimal if answer.stopped == Stopped::Optimal => {
            format!("The margin{class} {rises} by {lower} at most if {features}: proved.")
        }
        Verdict::Optimal => {
            format!("How far the margin{class} {rises} if {features} is {between}: as close as asked for.")
        }
        _ => format!("How far the margin{class} {rises} if {features} is {between}: {open}."),
    }
}

/// What changes, and what it does.
pub(super) fn describe(answer: &DominantAnswer, class: &str, task: &Task, models: &[&Ensemble]) -> String {
    let mut text = pair::describe_numbers(&answer.answer, class, task, models);
    if answer.changes.is_empty() {
        text.push_str("\nNo change moves it that way.\n");
        return text;
    }
    let rows: Vec<[String; 3]> = answer
        .changes
        .iter()
        .take(SHOWN)
        .map(|change| {
            let values = format!("{} -> {}", value_text(&change.from), value_text(&change.to));
            [change.attribute.clone(), values, signed(change.effect)]
        })
        .collect();
    text.push_str(&table(["attribute", "change", "effect"], &rows));
    if answer.changes.len() > rows.len() {
        text.push_str(&format!("and {} more (--json lists all)\n", answer.changes.len() - rows.len()));
    }
    text
}

/// The features by their effect.
pub(super) fn describe_ranking(answer: &RankingAnswer, class: &str, dominant: &Dominant) -> String {
    let rises = if dominant.decrease { "falls" } else { "rises" };
    let all = answer.attributes.len();
    let how = if answer.verdict == Verdict::Optimal { "proved" } else { "some are undecided" };
    let mut text = format!("How far the margin{class} {rises} if one attribute changes, for each of {all}: {how}.\n");
    text.push_str(&format!("time         {:.2} s\n", answer.seconds));
    let effect = |bound: Option<f64>| {
        bound.map_or("unknown".to_owned(), |bound| signed(if dominant.decrease { -bound } else { bound }))
    };
    let rows: Vec<[String; 3]> = answer
        .attributes
        .iter()
        .take(SHOWN)
        .map(|ranked| {
            let to = ranked.to.as_ref().map_or("(no change)".to_owned(), value_text);
            let by = match ranked.verdict {
                Verdict::Optimal => effect(ranked.lower),
                _ => format!("{} to {}", effect(ranked.lower), effect(ranked.upper)),
            };
            [ranked.attribute.clone(), format!("{} -> {to}", value_text(&ranked.from)), by]
        })
        .collect();
    text.push_str(&table(["attribute", "change", "effect"], &rows));
    if all > rows.len() {
        text.push_str(&format!("and {} more (--json lists all)\n", all - rows.len()));
    }
    if answer.untested > 0 {
        text.push_str(&format!("({} more that no tree tests)\n", answer.untested));
    }
    text
}

/// A number with its sign.
fn signed(effect: f64) -> String {
    if effect > 0.0 { format!("+{}", number(effect)) } else { number(effect + 0.0) }
}

fn table(head: [&str; 3], rows: &[[String; 3]]) -> String {
    let head = head.map(str::to_owned);
    let width =
        |column: usize| rows.iter().chain([&head]).map(|row| row[column].chars().count()).max().unwrap_or(0).min(40);
    let (names, changes) = (width(0), width(1));
    let line = |[name, change, effect]: &[String; 3]| format!("{name:<names$}  {change:<changes$}  {effect}\n");
    std::iter::once("\n".to_owned()).chain([&head].into_iter().chain(rows).map(line)).collect()
}
