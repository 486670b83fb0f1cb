//! `treeproof inspect`: the facts about a model, as text or JSON.

use std::borrow::Cow;
use std::io::Write;

use serde::Serialize;
use treeproof::inspect::{Facts, FeatureFacts, inspect};
use treeproof_language::Groups;

use crate::args::InspectArgs;
use crate::progress::while_reading;
use crate::{hint, output};

/// Number of features in the text, most tested first; JSON has all.
const SHOWN: usize = 15;
/// Longest name in the table.
const NAME_WIDTH: usize = 40;

pub(crate) fn run(args: &InspectArgs) -> anyhow::Result<()> {
    let ensemble = while_reading(args.json, &args.model.path, || args.model.load_quietly())?;
    let facts = inspect(&ensemble);
    let mut out = std::io::stdout().lock();
    if args.json {
        let answer = InspectAnswer { question: "inspect", model: args.model.path.to_string_lossy(), facts: &facts };
        let answer = output::json(&answer)?;
        output::written(writeln!(out, "{answer}"))
    } else {
        output::written(out.write_all(describe(&facts).as_bytes()))?;
        hint::tell(&ensemble, &Groups::NONE, &[]);
        Ok(())
    }
}

#[derive(Serialize)]
struct InspectAnswer<'a> {
    question: &'static str,
    // A path need not be UTF-8, JSON must be.
    model: Cow<'a, str>,
    #[serde(flatten)]
    facts: &'a Facts,
}

fn describe(facts: &Facts) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: String| text.push_str(&format!("{name:<12} {value}\n"));
    let version = facts.version.as_ref().map(|version| format!(" ({version})")).unwrap_or_default();
    line("format", format!("{}{version}", facts.format));
    line("objective", facts.objective.clone().unwrap_or_else(|| "not in the file".into()));
    if !facts.classes.is_empty() {
        let names: Vec<String> = facts.classes.iter().take(20).map(ToString::to_string).collect();
        let more = if facts.classes.len() > 20 { ", …" } else { "" };
        line("classes", format!("{} ({}{more})", facts.classes.len(), names.join(", ")));
    }
    let largest = format!(" (at most {} in one tree)", facts.largest_tree);
    let largest = if facts.trees > 1 { largest } else { String::new() };
    let shape = format!("{}, with {} leaves{largest}, at most {} deep", facts.trees, facts.leaves, facts.depth);
    line("trees", shape);
    line("margins", format!("{} per row", facts.margins));
    line(
        "features",
        format!("{} of {} used; distinct thresholds: {}", facts.features_used.len(), facts.features, facts.thresholds),
    );
    line("input", facts.input.clone());
    line("missing", facts.missing.clone());
    line("arithmetic", facts.arithmetic.clone());
    let base: Vec<String> = facts.base.iter().copied().map(output::number).collect();
    if !base.is_empty() {
        line("base score", base.join(", "));
    }
    line("link", facts.link.clone());
    line("label", facts.label_rule.clone());
    match facts.rounding {
        Some(rounding) => line("rounding", format!("the library's sum is within {rounding:.1e} of the exact one")),
        None => line("rounding", "no bound: the model is not a sum, or its sums can overflow".into()),
    }
    for note in &facts.notes {
        line("note", note.clone());
    }
    text.push_str(&feature_table(&facts.features_used));
    // Names in the file may hold control characters.
    text.replace(|c: char| c.is_control() && c != '\n', "?")
}

/// The most tested features first.
fn feature_table(features: &[FeatureFacts]) -> String {
    let mut features: Vec<_> = features.iter().collect();
    features.sort_by_key(|feature| std::cmp::Reverse(feature.splits));
    if features.is_empty() {
        return String::new();
    }
    let names: Vec<String> = features.iter().take(SHOWN).map(|feature| shortened(&feature.name)).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max("feature".len());
    let mut text =
        format!("\n{:<width$}  {:<8} {:>6} {:>10}  missing values\n", "feature", "kind", "splits", "thresholds");
    for (feature, name) in features.iter().zip(names) {
        let FeatureFacts { kind, splits, thresholds, missing, .. } = feature;
        let missing = missing.describe(*kind == "category");
        text.push_str(&format!("{name:<width$}  {kind:<8} {splits:>6} {thresholds:>10}  {missing}\n"));
    }
    if features.len() > SHOWN {
        text.push_str(&format!("and {} more (--json lists all)\n", features.len() - SHOWN));
    }
    text
}

/// A name that fits into a column.
fn shortened(name: &str) -> String {
    match name.char_indices().nth(NAME_WIDTH) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}
