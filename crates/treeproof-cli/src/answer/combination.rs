//! The largest sum of margins in words.

use treeproof::report::{CombinationAnswer, NearestRows, Pair, PairWitness, Stopped, Verdict, Witness};
use treeproof::task::GeneralTask;
use treeproof_ensemble::ensemble::Ensemble;

use super::pair::describe_pair;
use super::{HINT, describe_witness, is_huge, nearest_text};
use crate::output::number;

pub(super) fn describe(answer: &CombinationAnswer, models: &[&Ensemble], task: &GeneralTask) -> String {
    let mut text = format!("{}\n", sentence(answer));
    let mut line = |name: &str, value: String| text.push_str(&format!("{name:<12} {value}\n"));
    let bound = |bound: Option<f64>| bound.map_or("unknown".to_owned(), number);
    line("bounds", format!("at least {}, at most {}", bound(answer.lower), bound(answer.upper)));
    for (margin, output) in task.maximise.iter().zip(&answer.outputs) {
        let sign = if margin.sign < 0 { "−" } else { "+" };
        let class = margin.class.as_ref().map(|class| format!(", class {class}")).unwrap_or_default();
        line("output", format!("{sign} {} of {} at {}{class}", number(*output), margin.model, margin.input));
    }
    if let Some(rounding) = answer.rounding {
        line("rounding", format!("the libraries' own sums are within {rounding:.1e} of the exact one"));
    }
    let domains = task.domains();
    match &answer.nearest_row {
        Some(NearestRows::One(nearest)) => line("nearest row", nearest_text(nearest, domains[0])),
        Some(NearestRows::Two(Pair { a, b })) => {
            line("nearest to a", format!("row {}", nearest_text(a, domains[0])));
            line("nearest to b", format!("row {}", nearest_text(b, domains[1])));
        }
        None => {}
    }
    let regions = answer.stats.regions;
    line("time", format!("{:.2} s, {regions} region{}", answer.seconds, if regions == 1 { "" } else { "s" }));
    let groups = task.groups_in(models[0]).unwrap_or_default();
    let witnesses: Vec<&Witness> = match &answer.witness {
        Some(PairWitness::One(witness)) => {
            text.push_str(&describe_witness(witness, models, &groups));
            vec![witness]
        }
        Some(PairWitness::Two(pair)) => {
            text.push_str(&describe_pair(pair, models, &groups));
            vec![&pair.a, &pair.b]
        }
        None => vec![],
    };
    let have_domains = task.domains().iter().all(Option::is_some);
    if !have_domains && is_huge(witnesses) {
        text.push_str(&HINT.replace("--domain DATA", "a domain"));
    }
    text
}

fn sentence(answer: &CombinationAnswer) -> String {
    let between = match (answer.lower, answer.upper) {
        (Some(lower), Some(upper)) => format!("between {} and {}", number(lower), number(upper)),
        (None, Some(upper)) => format!("at most {}", number(upper)),
        _ => "not known".to_owned(),
    };
    let (value, why) = match (answer.verdict, answer.stopped) {
        (Verdict::Optimal, Stopped::Optimal) => (answer.lower.map_or("not known".to_owned(), number), "proved"),
        (Verdict::Optimal, _) => (between, "as close as asked for"),
        (_, Stopped::Target) => (between, "the target is reached"),
        (_, Stopped::Time) => (between, "the time was up (--time gives more)"),
        (_, Stopped::Memory) => (between, "the memory was full (--memory gives more)"),
        (_, _) => (between, "the search was interrupted"),
    };
    format!("The largest sum is {value}: {why}.")
}
