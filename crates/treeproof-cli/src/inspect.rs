//! `treeproof inspect`: the facts about a model, for people or as JSON.

use std::io::Write;
use std::path::Path;

use serde::Serialize;
use treeproof::inspect::{Facts, inspect};

use crate::args::InspectArgs;

/// The most tested features that people are shown; JSON has all.
const SHOWN: usize = 15;

pub(crate) fn run(args: &InspectArgs) -> anyhow::Result<()> {
    let facts = inspect(&args.model.load()?);
    let mut out = std::io::stdout().lock();
    if args.json {
        let answer = Answer { question: "inspect", model: &args.model.path, facts: &facts };
        writeln!(out, "{}", serde_json::to_string(&answer)?)?;
    } else {
        out.write_all(describe(&facts).as_bytes())?;
    }
    Ok(())
}

#[derive(Serialize)]
struct Answer<'a> {
    question: &'static str,
    model: &'a Path,
    #[serde(flatten)]
    facts: &'a Facts,
}

fn describe(facts: &Facts) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: String| text.push_str(&format!("{name:<12} {value}\n"));
    let version = facts.version.as_ref().map(|version| format!(", written by {version}")).unwrap_or_default();
    line("format", format!("{}{version}", facts.format));
    line("objective", facts.objective.clone().unwrap_or_else(|| "not in the file".into()));
    if !facts.classes.is_empty() {
        let names: Vec<String> = facts.classes.iter().take(20).map(ToString::to_string).collect();
        let more = if facts.classes.len() > 20 { ", …" } else { "" };
        line("classes", format!("{} ({}{more})", facts.classes.len(), names.join(", ")));
    }
    let shape = format!(
        "{} trees, {} leaves (at most {} in one tree), depth {}",
        facts.trees, facts.leaves, facts.largest_tree, facts.depth
    );
    line("trees", shape);
    line("margins", facts.margins.to_string());
    line(
        "features",
        format!("{} of {} used, {} distinct thresholds", facts.features_used.len(), facts.features, facts.thresholds),
    );
    line("input", facts.input.clone());
    line("missing", facts.missing.clone());
    line("arithmetic", facts.arithmetic.clone());
    let base: Vec<String> = facts.base.iter().map(f64::to_string).collect();
    line("base score", base.join(", "));
    line("link", facts.link.clone());
    line("label", facts.label_rule.clone());
    match facts.rounding {
        Some(rounding) => line("rounding", format!("the library's sum is within {rounding:.1e} of the exact one")),
        None => line("rounding", "no bound: the model is not a sum, or its sums can overflow".into()),
    }
    for note in &facts.notes {
        line("note", note.clone());
    }
    let mut features: Vec<_> = facts.features_used.iter().collect();
    features.sort_by_key(|feature| std::cmp::Reverse(feature.splits));
    if !features.is_empty() {
        let width =
            features.iter().take(SHOWN).map(|feature| feature.name.chars().count()).max().unwrap_or(0).clamp(8, 40);
        text.push_str(&format!(
            "\n{:<width$} {:>8} {:>7} {:>10}  missing\n",
            "feature", "kind", "splits", "thresholds"
        ));
        for feature in features.iter().take(SHOWN) {
            let missing = feature.missing.describe();
            let name: String = feature.name.chars().take(width).collect();
            text.push_str(&format!(
                "{name:<width$} {:>8} {:>7} {:>10}  {missing}\n",
                feature.kind, feature.splits, feature.thresholds
            ));
        }
        if features.len() > SHOWN {
            text.push_str(&format!("and {} more (--json lists all)\n", features.len() - SHOWN));
        }
    }
    // Names come from the file: nothing in them may steer the terminal.
    text.replace(|c: char| c.is_control() && c != '\n', "?")
}
