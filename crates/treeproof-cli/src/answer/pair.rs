//! Differences in words: what was proved, what the models say, what differs between the two inputs, then what they share.

use treeproof::language::Groups;
use treeproof::report::{
    NearestRows, Numbers, Pair, PairAnswer, PairRow, PairRowsAnswer, PairRowsSummary, PairWitness, PairsAnswer,
    Stopped, Verdict, Witness,
};
use treeproof::task::{Question, Task};
use treeproof_ensemble::ensemble::{Ensemble, Trend};

use super::{SHOWN, describe_witness, hint, near, nearest_text, value_text};
use crate::output::number;

pub(super) fn describe(answer: &PairAnswer, class: &str, task: &Task, models: &[&Ensemble]) -> String {
    let mut text = describe_numbers(answer, class, task, models);
    let groups = task.groups_in(models[0]).unwrap_or_default();
    match &answer.witness {
        Some(PairWitness::One(witness)) => {
            text.push_str(&describe_witness(witness, models, &groups));
            text.push_str(hint(task, [witness]));
        }
        Some(PairWitness::Two(pair)) => {
            text.push_str(&describe_pair(pair, models, &groups));
            text.push_str(hint(task, [&pair.a, &pair.b]));
        }
        None => {}
    }
    text
}

/// What was proved, and what the models say.
pub(super) fn describe_numbers(answer: &PairAnswer, class: &str, task: &Task, models: &[&Ensemble]) -> String {
    let mut text = format!("{}\n", sentence(answer, class, task, models));
    let mut line = |name: &str, value: String| text.push_str(&format!("{name:<12} {value}\n"));
    let bound = |bound: Option<f64>| bound.map_or("unknown".to_owned(), number);
    // By how much labels are clear of the decision is no number that people ask for.
    if !task.is_about_labels(models[0]) {
        line("bounds", format!("at least {}, at most {}", bound(answer.lower), bound(answer.upper)));
    }
    if let Some(output) = &answer.output {
        let rounding = answer.rounding.unwrap_or(f64::INFINITY);
        let note = format!("as the library computes it (within {rounding:.1e} of the exact sums)");
        line("output", format!("{}, {note}", both(output, numbers)));
    }
    for (name, pair) in [("probability", &answer.probability), ("prediction", &answer.prediction)] {
        if let Some(pair) = pair {
            line(name, both(pair, numbers));
        }
    }
    if answer.verdict == Verdict::Optimal && answer.probability.is_some() && answer.upper != Some(0.0) {
        line("note", "margins are compared; probabilities may differ more elsewhere".to_owned());
    }
    if let Some(label) = &answer.label {
        line("label", both(label, ToString::to_string));
    }
    match &answer.nearest_row {
        Some(NearestRows::One(nearest)) => line("nearest row", nearest_text(nearest, task.domain.as_deref())),
        Some(NearestRows::Two(Pair { a, b })) => {
            line("nearest to a", format!("row {}", nearest_text(a, task.domain.as_deref())));
            line("nearest to b", format!("row {}", nearest_text(b, task.domain.as_deref())));
        }
        None => {}
    }
    let regions = answer.stats.regions;
    line("time", format!("{:.2} s, {regions} region{}", answer.seconds, if regions == 1 { "" } else { "s" }));
    text
}

/// A line for each feature, then the first that is violated in full.
pub(super) fn describe_all(answers: &PairsAnswer, class: &str, task: &Task, models: &[&Ensemble]) -> String {
    let count = |verdict: Verdict| answers.features.iter().filter(|answer| answer.verdict == verdict).count();
    let all = answers.features.len();
    let falls = match &answers.features[..] {
        [first, others @ ..] if others.iter().all(|other| other.trend == first.trend) => falls(first),
        _ => "goes against its trend",
    };
    let mut text = match answers.verdict {
        Verdict::Holds => format!("The margin{class} never {falls} as a feature rises, whichever of {all}: proved.\n"),
        _ => {
            let (holds, violated) = (count(Verdict::Holds), count(Verdict::Violated));
            let open = match all - holds - violated {
                0 => String::new(),
                open => format!(", and is undecided for {open}"),
            };
            format!(
                "The margin{class} {falls} as a feature rises for {violated} of {all} features, never for {holds}{open}.\n"
            )
        }
    };
    text.push_str(&format!("time         {:.2} s\n\n", answers.seconds));
    let names = answers.features.iter().filter_map(|answer| answer.feature.as_deref());
    let width = names.map(|name| name.chars().count()).max().unwrap_or(0).clamp("feature".len(), 40);
    text.push_str(&format!("{:<width$}  verdict     by at most\n", "feature"));
    for answer in &answers.features {
        let by = answer.upper.map_or("unknown".to_owned(), number);
        let name = answer.feature.as_deref().unwrap_or_default();
        text.push_str(&format!("{name:<width$}  {:<10}  {by}\n", word(answer.verdict)));
    }
    let worst = answers.features.iter().filter(|answer| answer.verdict == Verdict::Violated);
    if let Some(worst) = worst.max_by(|a, b| a.lower.unwrap_or(0.0).total_cmp(&b.lower.unwrap_or(0.0))) {
        text.push_str(&format!("\n{}", describe(worst, class, task, models)));
    }
    text
}

/// How many rows, then the first that shows it in full.
pub(super) fn describe_rows(answer: &PairRowsAnswer, class: &str, task: &Task, models: &[&Ensemble]) -> String {
    let PairRowsSummary { rows, left, asked, violated, decided, share, largest, .. } = &answer.summary;
    let protected = protected(task);
    let is_about_labels = task.is_about_labels(models[0]);
    let mut text = match (share, largest) {
        (Some(share), _) => {
            let percent = number((share * 1e4).round() / 1e2);
            format!("{violated} of {asked} rows ({percent}%) get another label when only {protected} changes.\n")
        }
        (None, Some(largest)) => {
            let at = if decided == asked { "at most" } else { "at least" };
            let largest = number(*largest);
            format!("The margin{class} of {asked} rows moves by {at} {largest} when only {protected} changes.\n")
        }
        _ => "No row meets the conditions.\n".to_owned(),
    };
    if decided < asked {
        text.push_str(&format!("undecided    {}\n", asked - decided));
    }
    if asked < rows {
        text.push_str(&format!("left out     {}, which the conditions or data exclude\n", rows - asked));
    }
    if *left > 0 {
        text.push_str(&format!("not asked    {left}: interrupted\n"));
    }
    text.push_str(&format!("time         {:.2} s\n", answer.seconds));
    let shows = |row: &&PairRow| match is_about_labels {
        true => row.answer.verdict == Verdict::Violated,
        false => row.answer.lower == *largest && row.answer.witness.is_some(),
    };
    if let Some(row) = answer.rows.iter().find(shows) {
        text.push_str(&format!("\nRow {}. {}", row.row, describe(&row.answer, class, task, models)));
    }
    text
}

/// What the margin must not do along a feature.
fn falls(answer: &PairAnswer) -> &'static str {
    match answer.trend {
        Some(Trend::Decreasing) => "rises",
        _ => "falls",
    }
}

/// What two inputs may differ in.
fn protected(task: &Task) -> String {
    match &task.question {
        Question::Fair(fair) => match &fair.names()[..] {
            [] => String::new(),
            [one] => (*one).to_owned(),
            [others @ .., last] => format!("{} and {last}", others.join(", ")),
        },
        _ => String::new(),
    }
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "holds",
        Verdict::Violated => "violated",
        Verdict::Infeasible => "infeasible",
        Verdict::Optimal => "optimal",
        _ => "undecided",
    }
}

fn sentence(answer: &PairAnswer, class: &str, task: &Task, models: &[&Ensemble]) -> String {
    let lower = answer.lower.map_or("something".to_owned(), number);
    let open = match answer.stopped {
        Stopped::Time => "the time was up (--time gives more)",
        Stopped::Memory => "the memory was full (--memory gives more)",
        Stopped::Rounding => "what is left lies within the rounding of the library's sums",
        Stopped::Target => "the target is reached",
        _ => "the search was interrupted",
    };
    let between = match (answer.lower, answer.upper) {
        (Some(lower), Some(upper)) => format!("between {} and {}", number(lower), number(upper)),
        (None, Some(upper)) => format!("at most {}", number(upper)),
        _ => "not known".to_owned(),
    };
    let protected = protected(task);
    match (&task.question, answer.verdict) {
        (Question::Stable(stable), _) => near::jump(stable, answer, class, [&between, open]),
        (Question::Dominant(dominant), _) => near::moved(dominant, answer, class, [&between, open]),
        (Question::Monotone(_), verdict) => {
            let feature = answer.feature.as_deref().unwrap_or_default();
            let falls = falls(answer);
            match (verdict, values(answer, feature)) {
                (Verdict::Holds, _) => format!("The margin{class} never {falls} as {feature} rises: proved."),
                (Verdict::Violated, Some([from, to])) => {
                    format!("The margin{class} {falls} by {lower} when {feature} rises from {from} to {to}:")
                }
                _ => format!("Whether the margin{class} never {falls} as {feature} rises is open: {open}."),
            }
        }
        (Question::Diff(diff), verdict) => {
            let within = diff.within.map(number).unwrap_or_default();
            match verdict {
                Verdict::Holds => format!("The margins never differ by more than {within}: proved."),
                Verdict::Violated => format!("The margins{class} differ by {lower}, which is more than {within}:"),
                Verdict::Optimal if answer.upper == Some(0.0) => "The margins never differ: proved.".to_owned(),
                Verdict::Optimal if answer.stopped == Stopped::Optimal => {
                    format!("The margins{class} differ by {lower} at most: proved.")
                }
                Verdict::Optimal => {
                    format!("The largest difference of the margins is {between}: as close as asked for.")
                }
                _ => format!("The largest difference of the margins is {between}: {open}."),
            }
        }
        (_, Verdict::Holds) => {
            format!("No two inputs that differ only in {protected} have different labels: proved.")
        }
        (_, Verdict::Violated) => {
            format!("Two inputs that differ only in {protected} have different labels:")
        }
        (_, Verdict::Optimal) => {
            let how = if answer.stopped == Stopped::Optimal { "proved" } else { "as close as asked for" };
            let most = if answer.stopped == Stopped::Optimal { lower } else { between };
            format!(
                "The largest difference of the margin{class} between inputs that differ only in {protected} is {most}: {how}."
            )
        }
        (_, _) if task.is_about_labels(models[0]) => {
            format!("Whether two inputs that differ only in {protected} have different labels is open: {open}.")
        }
        (_, _) => {
            format!(
                "The largest difference of the margin{class} between inputs that differ only in {protected} is {between}: {open}."
            )
        }
    }
}

/// The values of a feature in both inputs.
fn values(answer: &PairAnswer, feature: &str) -> Option<[String; 2]> {
    let Some(PairWitness::Two(pair)) = &answer.witness else { return None };
    let value = |witness: &Witness| {
        let found = witness.0.iter().find(|(name, _)| name == feature);
        found.map(|(_, value)| value_text(value))
    };
    Some([value(&pair.a)?, value(&pair.b)?])
}

fn both<T>(pair: &Pair<T>, text: impl Fn(&T) -> String) -> String {
    format!("{} -> {}", text(&pair.a), text(&pair.b))
}

fn numbers(numbers: &Numbers) -> String {
    match numbers {
        Numbers::One(one) => number(*one),
        Numbers::Several(several) => {
            format!("({})", several.iter().map(|one| number(*one)).collect::<Vec<String>>().join(", "))
        }
    }
}

/// What differs first, then what both share.
pub(super) fn describe_pair(pair: &Pair<Witness>, models: &[&Ensemble], groups: &Groups) -> String {
    let both = pair.a.0.iter().zip(&pair.b.0);
    let (differing, shared): (Vec<_>, Vec<_>) = both.partition(|(a, b)| a.1 != b.1);
    let rows: Vec<[String; 3]> =
        differing.iter().take(SHOWN).map(|(a, b)| [a.0.clone(), value_text(&a.1), value_text(&b.1)]).collect();
    let mut text = String::new();
    if !rows.is_empty() {
        let head = ["differing".to_owned(), "a".to_owned(), "b".to_owned()];
        let width = |column: usize| {
            rows.iter().chain([&head]).map(|row| row[column].chars().count()).max().unwrap_or(0).min(40)
        };
        let (names, first) = (width(0), width(1));
        text.push('\n');
        for [name, a, b] in [&head].into_iter().chain(&rows) {
            text.push_str(&format!("{name:<names$}  {a:<first$}  {b}\n"));
        }
        if differing.len() > rows.len() {
            text.push_str(&format!("and {} more (--json lists all)\n", differing.len() - rows.len()));
        }
    }
    let shared = Witness(shared.into_iter().map(|(a, _)| a.clone()).collect());
    text + &describe_witness(&shared, models, groups)
}
