//! Output configurations in words: how many are certain, then each with its conditions, as `--where` takes them.

use treeproof::report::{ConfigurationReport, EnumerateAnswer, FeatureDomain, FeatureValues, Stopped};
use treeproof::task::Enumerate;
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::float::Precision;

use super::value_text;
use crate::output::number;

/// The configurations that people are shown, and the conditions of each; JSON has all.
const SHOWN: usize = 10;
const SHOWN_CONDITIONS: usize = 40;

pub(super) fn describe(answer: &EnumerateAnswer, class: &str, asked: &Enumerate, ensemble: &Ensemble) -> String {
    let mut text = format!("{}\n", sentence(answer, class, asked));
    let others =
        answer.others_at_most.map_or("there are none".to_owned(), |others| format!("at most {}", number(others)));
    text.push_str(&format!("others       {others}\n"));
    let regions = answer.stats.regions;
    let plural = if regions == 1 { "" } else { "s" };
    text.push_str(&format!("time         {:.2} s, {regions} region{plural}\n", answer.seconds));
    for (place, configuration) in answer.regions.iter().take(SHOWN).enumerate() {
        text.push_str(&format!("\n{}. {}\n", place + 1, output(configuration)));
        text.push_str(&conditions(configuration));
    }
    if answer.regions.len() > SHOWN {
        text.push_str(&format!("\nand {} more (--json lists all)\n", answer.regions.len() - SHOWN));
    }
    let has_ends = answer.regions.iter().flat_map(|region| &region.domain.0).any(|feature| !feature.is_as_asked);
    if has_ends && ensemble.input().precision == Precision::F32 {
        text.push_str(
            "\nnote         the model rounds numbers to f32: the ends above are those of the f64 numbers before that\n",
        );
    }
    text
}

fn sentence(answer: &EnumerateAnswer, class: &str, asked: &Enumerate) -> String {
    let count = answer.regions.len();
    let above = asked.above.map(|above| format!(" above {}", number(above))).unwrap_or_default();
    let what = format!("output configuration{}{class}{above}", if count == 1 { "" } else { "s" });
    let why = match answer.stopped {
        Stopped::Optimal => {
            return match count {
                0 => format!("No {what}: proved.").replace("configurations", "configuration"),
                1 if asked.top() > 1 => format!("The only {what}: proved."),
                1 => format!("The best {what}: proved."),
                _ if count < asked.top() => format!("All {count} {what}: proved."),
                _ => format!("The {count} best {what}: proved."),
            };
        }
        Stopped::Time => "the time was up (--time gives more)",
        Stopped::Memory => "the memory was full (--memory gives more)",
        _ => "the search was interrupted",
    };
    match count {
        0 => format!("No {what} is certain yet: {why}.").replace("configurations", "configuration"),
        _ => format!("The best {count} {what}, of {} asked for: {why}.", asked.top()),
    }
}

fn output(configuration: &ConfigurationReport) -> String {
    let mut text = format!("output {}", number(configuration.output));
    if let Some(probability) = configuration.probability {
        text.push_str(&format!(", probability {}", number(probability)));
    }
    if let Some(prediction) = configuration.prediction {
        text.push_str(&format!(", prediction {}", number(prediction)));
    }
    text
}

/// What the configuration asks of its inputs beyond the question.
fn conditions(configuration: &ConfigurationReport) -> String {
    let narrowed: Vec<&FeatureDomain> = configuration.domain.0.iter().filter(|feature| !feature.is_as_asked).collect();
    if narrowed.is_empty() {
        return "   all inputs\n".to_owned();
    }
    let mut text: String =
        narrowed.iter().take(SHOWN_CONDITIONS).map(|feature| format!("   {}\n", condition(feature))).collect();
    if narrowed.len() > SHOWN_CONDITIONS {
        text.push_str(&format!("   and {} more features (--json lists all)\n", narrowed.len() - SHOWN_CONDITIONS));
    }
    text
}

/// A feature's values in the language of `--where`, as far as it goes.
fn condition(feature: &FeatureDomain) -> String {
    let name = quoted(&feature.name);
    let (values, missing) = match &feature.values {
        FeatureValues::Interval { low, high, except, also, missing } => {
            let mut text = interval(&name, *low, *high);
            except.iter().for_each(|value| text.push_str(&format!(" and {name} != {}", number(*value))));
            if !also.is_empty() {
                text.push_str(&format!(" or {name} in {{{}}}", listed(also.iter().map(|value| number(*value)))));
            }
            (text, *missing)
        }
        FeatureValues::Listed { values, unknown, missing } => {
            let unknown = unknown.then(|| "no known category".to_owned());
            let texts: Vec<String> = values.iter().map(value_text).chain(unknown).collect();
            match (texts.is_empty(), missing) {
                (true, true) => return format!("missing({name})"),
                _ => (format!("{name} in {{{}}}", listed(texts.into_iter())), *missing),
            }
        }
        _ => return name,
    };
    if missing { format!("{values}, or missing") } else { values }
}

fn listed(texts: impl Iterator<Item = String>) -> String {
    texts.collect::<Vec<String>>().join(", ")
}

/// `low <= x < high`; or `x <= h`, where the last number has the shorter text, as in a condition of the user's own.
fn interval(name: &str, low: Option<f64>, high: Option<f64>) -> String {
    let below = high.map(|high| {
        let (open, closed) = (number(high), number(high.next_down()));
        if closed.len() < open.len() { format!("<= {closed}") } else { format!("< {open}") }
    });
    match (low, below) {
        (Some(low), Some(_)) if Some(low.next_up()) == high => format!("{name} == {}", number(low)),
        (Some(low), Some(below)) => format!("{} <= {name} {below}", number(low)),
        (Some(low), None) => format!("{name} >= {}", number(low)),
        (None, Some(below)) => format!("{name} {below}"),
        (None, None) => format!("{name} is any number"),
    }
}

/// Backquoted where it is no plain word.
fn quoted(name: &str) -> String {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let is_plain = name.chars().all(is_word) && !name.starts_with(|c: char| c.is_ascii_digit()) && !name.is_empty();
    if is_plain { name.to_owned() } else { format!("`{name}`") }
}
