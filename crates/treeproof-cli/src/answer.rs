//! A report in words: what was proved first, then the bounds, then the input that shows it.

mod combination;
mod configurations;
mod distances;
mod near;
mod pair;

use std::collections::HashMap;
use std::path::Path;

use treeproof::Report;
use treeproof::inspect::inspect;
use treeproof::language::Groups;
use treeproof::report::{Answer, Finding, Infeasible, NearestRow, Stopped, Verdict, Witness, WitnessValue};
use treeproof::task::{GeneralTask, Question, Task};
use treeproof_ensemble::ensemble::Ensemble;

use crate::output::number;

/// The features of a witness that people are shown; JSON has all.
const SHOWN: usize = 15;
/// Beyond this, a witness earns the hint to give data.
const HUGE: f64 = 1e9;
const HINT: &str = "\nhint         --domain DATA confines the features to what occurs in data\n";

/// The answer for people.
pub(crate) fn describe(report: &Report, models: &[&Ensemble], task: &Task) -> String {
    let ensemble = models[0];
    let class = report.class.as_ref().map(|class| format!(" of class {class}")).unwrap_or_default();
    let mut text = String::new();
    let answers: Vec<(&str, &Answer)> = match &report.finding {
        Finding::One(answer) if task.question == Question::Min => vec![("smallest", answer)],
        Finding::One(answer) => vec![("largest", answer)],
        Finding::Range(range) => vec![("smallest", &range.min), ("largest", &range.max)],
        Finding::Configurations(answer) => {
            let Question::Enumerate(asked) = &task.question else { unreachable!("only it lists configurations") };
            return clean(&configurations::describe(answer, &class, asked, ensemble));
        }
        Finding::Pair(answer) => return clean(&pair::describe(answer, &class, task, models)),
        Finding::Pairs(answers) => return clean(&pair::describe_all(answers, &class, task, models)),
        Finding::PairRows(answer) => return clean(&pair::describe_rows(answer, &class, task, models)),
        Finding::Dominant(answer) => return clean(&near::describe(answer, &class, task, models)),
        Finding::Ranking(answer) => {
            let Question::Dominant(asked) = &task.question else { unreachable!("only it ranks features") };
            return clean(&near::describe_ranking(answer, &class, asked));
        }
        Finding::Distances(answer) => return clean(&distances::describe(answer, task)),
        Finding::Infeasible(infeasible) => return clean(&describe_infeasible(infeasible)),
        _ => vec![],
    };
    for (which, answer) in &answers {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&describe_one(&format!("{which} margin{class}"), answer, ensemble, task));
    }
    text.push_str(hint(task, answers.iter().filter_map(|(_, answer)| answer.witness.as_ref())));
    clean(&text)
}

/// The answer to a task of the general form for people.
pub(crate) fn describe_general(report: &Report, models: &[&Ensemble], task: &GeneralTask) -> String {
    clean(&match &report.finding {
        Finding::Combination(answer) => combination::describe(answer, models, task),
        Finding::Infeasible(infeasible) => describe_infeasible(infeasible),
        _ => unreachable!("the general form has no other answer"),
    })
}

fn describe_infeasible(infeasible: &Infeasible) -> String {
    if infeasible.conflict.is_empty() {
        return "Nothing meets the conditions: no two inputs can agree where they must.\n".to_owned();
    }
    let conflict: Vec<String> = infeasible.conflict.iter().map(|text| format!("`{text}`")).collect();
    if let [alone] = conflict.as_slice() {
        return format!("Nothing meets the conditions: {alone} never holds.\n");
    }
    format!("Nothing meets the conditions: {} exclude each other.\n", conflict.join(" and "))
}

/// The hint to give data, where it would help.
fn hint<'w>(task: &Task, witnesses: impl IntoIterator<Item = &'w Witness>) -> &'static str {
    if task.domain.is_none() && is_huge(witnesses) { HINT } else { "" }
}

/// Whether some number is so large that it convinces nobody.
fn is_huge<'w>(witnesses: impl IntoIterator<Item = &'w Witness>) -> bool {
    let is_huge = |value: &WitnessValue| matches!(value, WitnessValue::Number(number) if number.abs() >= HUGE);
    witnesses.into_iter().flat_map(|witness| &witness.0).any(|(_, value)| is_huge(value))
}

fn describe_one(what: &str, answer: &Answer, ensemble: &Ensemble, task: &Task) -> String {
    let mut text = format!("{}\n", sentence(what, answer));
    let mut line = |name: &str, value: String| text.push_str(&format!("{name:<12} {value}\n"));
    let bound = |bound: Option<f64>| bound.map_or("unknown".to_owned(), number);
    line("bounds", format!("at least {}, at most {}", bound(answer.lower), bound(answer.upper)));
    if let Some(output) = answer.output {
        let rounding = answer.rounding.unwrap_or(f64::INFINITY);
        line(
            "output",
            format!("{}, as the library computes it (within {rounding:.1e} of the exact sum)", number(output)),
        );
    }
    if let Some(probability) = answer.probability {
        line("probability", number(probability));
    }
    if let Some(prediction) = answer.prediction {
        line("prediction", number(prediction));
    }
    if let Some(nearest) = &answer.nearest_row {
        line("nearest row", nearest_text(nearest, task.domain.as_deref()));
    }
    let regions = answer.stats.regions;
    line("time", format!("{:.2} s, {regions} region{}", answer.seconds, if regions == 1 { "" } else { "s" }));
    if let Some(witness) = &answer.witness {
        text.push_str(&describe_witness(witness, &[ensemble], &task.groups_in(ensemble).unwrap_or_default()));
    }
    text
}

fn sentence(what: &str, answer: &Answer) -> String {
    let between = match (answer.lower, answer.upper) {
        (Some(lower), Some(upper)) => format!("between {} and {}", number(lower), number(upper)),
        (Some(lower), None) => format!("at least {}", number(lower)),
        (None, Some(upper)) => format!("at most {}", number(upper)),
        (None, None) => "not known".to_owned(),
    };
    match (answer.verdict, answer.stopped) {
        (Verdict::Optimal, Stopped::Optimal) => {
            // The bound that a witness reaches, to as many digits as the other bound leaves.
            let found = if what.starts_with("smallest") { answer.upper } else { answer.lower };
            format!("The {what} is {}: proved.", found.map_or("not known".to_owned(), number))
        }
        (Verdict::Optimal, _) => format!("The {what} is {between}: as close as asked for."),
        (_, Stopped::Target) => format!("The {what} is {between}: the target is reached."),
        (_, Stopped::Time) => format!("The {what} is {between}: the time was up (--time gives more)."),
        (_, Stopped::Memory) => format!("The {what} is {between}: the memory was full (--memory gives more)."),
        (_, _) => format!("The {what} is {between}: the search was interrupted."),
    }
}

/// The most tested features first, those that are 0 last; what no tree tests does not matter.
fn describe_witness(witness: &Witness, models: &[&Ensemble], groups: &Groups) -> String {
    let group_of = |name: &str| {
        let column = models[0].features().iter().position(|feature| feature.name == name)?;
        Some(groups.of(column)?.name.clone())
    };
    let mut splits: HashMap<String, usize> = HashMap::new();
    for used in models.iter().flat_map(|model| inspect(model).features_used) {
        let group = if groups.is_empty() { None } else { group_of(&used.name) };
        *splits.entry(group.unwrap_or(used.name)).or_default() += used.splits;
    }
    let splits_of = |name: &str| splits.get(name).copied().unwrap_or(0);
    let mut used: Vec<&(String, WitnessValue)> = witness.0.iter().filter(|(name, _)| splits_of(name) > 0).collect();
    let is_zero = |value: &WitnessValue| *value == WitnessValue::Number(0.0);
    used.sort_by_key(|(name, value)| (is_zero(value), std::cmp::Reverse(splits_of(name))));
    // Where not all can be shown, zeros tell least.
    let telling = used.iter().filter(|(_, value)| !is_zero(value)).count();
    let num_shown = if used.len() <= SHOWN { SHOWN } else { telling.clamp(1, SHOWN) };
    let shown: Vec<(&str, String)> =
        used.iter().take(num_shown).map(|(name, value)| (name.as_str(), value_text(value))).collect();
    let width = shown.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0).clamp("feature".len(), 40);
    let mut text = if shown.is_empty() { String::new() } else { format!("\n{:<width$}  value\n", "feature") };
    for (name, value) in &shown {
        text.push_str(&format!("{name:<width$}  {value}\n"));
    }
    if used.len() > shown.len() {
        let are_zero = if telling <= shown.len() { " that are 0" } else { "" };
        text.push_str(&format!("and {} more{are_zero} (--json lists all)\n", used.len() - shown.len()));
    }
    let untested = witness.0.len().saturating_sub(used.len());
    if untested > 0 {
        text.push_str(&format!("({untested} more that no tree tests)\n"));
    }
    text
}

pub(crate) fn value_text(value: &WitnessValue) -> String {
    match value {
        WitnessValue::Missing => "missing".to_owned(),
        WitnessValue::Number(value) => number(*value),
        WitnessValue::Category(name) => name.clone(),
        _ => "?".to_owned(),
    }
}

/// How far a witness is from real rows.
fn nearest_text(nearest: &NearestRow, domain: Option<&Path>) -> String {
    let NearestRow { row, changed, distance, .. } = nearest;
    let differ = match changed {
        0 => "the same".to_owned(),
        1 => format!("1 feature differs, scaled distance {}", short(*distance)),
        changed => format!("{changed} features differ, scaled distance {}", short(*distance)),
    };
    let data = domain.unwrap_or(Path::new("the data"));
    format!("{row} of {}: {differ}", data.display())
}

/// A distance to as many digits as matter.
fn short(distance: f64) -> String {
    if distance < 0.005 { format!("{distance:.1e}") } else { format!("{distance:.2}") }
}

/// Names come from the file: nothing in them may steer the terminal.
fn clean(text: &str) -> String {
    text.replace(|c: char| c.is_control() && c != '\n', "?")
}
