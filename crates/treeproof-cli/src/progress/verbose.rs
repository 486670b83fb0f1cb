//! The log of `--verbose`: the size of a search, improved bounds, and the reason for the end.

use std::time::Instant;

use serde_json::Value;
use treeproof::inspect::inspect;
use treeproof::watch::{Begun, Event, RowsDone};
use treeproof_ensemble::ensemble::Ensemble;

use super::line::{counted, grouped, rough, short};

/// Ratio of gaps from which on improved bounds are logged again, …
const CLOSER: f64 = 0.5;
/// … or time in seconds after which any improvement is.
const PAUSE: f64 = 1.0;

pub(super) struct Verbose {
    start: Instant,
    /// The last logged event.
    told: Option<Event>,
}

impl Verbose {
    /// A log with times since a start.
    pub(super) fn new(start: Instant) -> Self {
        Self { start, told: None }
    }

    /// A line with the time since the start.
    pub(super) fn line(&self, text: &str) -> String {
        format!("[{:6.2} s] {text}", self.start.elapsed().as_secs_f64())
    }

    /// The size of a search.
    pub(super) fn begin(&mut self, begun: &Begun) -> Vec<String> {
        self.told = None;
        let Begun { question, trees, leaves, axes, cells, cases, channels, conditions, threads, method, .. } = begun;
        let many = |count: usize, one: &str, several: &str| counted(count as u64, one, several);
        let mut left = vec![many(*trees, "tree", "trees"), many(*leaves, "leaf", "leaves")];
        left.push(format!("{} with {}", many(*axes, "axis", "axes"), counted(*cells, "cell", "cells")));
        if *channels > 1 {
            left.push(format!("{} in {}", many(*channels, "sum", "sums"), many(*cases, "case", "cases")));
        }
        if *conditions > 0 {
            left.push(format!("{} across features", many(*conditions, "condition", "conditions")));
        }
        let memory = begun.memory_bytes.map(|bytes| format!(", at most {}", amount(bytes))).unwrap_or_default();
        vec![
            format!("compiled for `{question}`: {}", left.join(", ")),
            format!("search: method {method}, {}{memory}", many(*threads, "thread", "threads")),
        ]
    }

    /// The bounds, if they improved enough.
    pub(super) fn bounds(&mut self, event: &Event) -> Option<String> {
        let is_first = |now: Option<f64>, before: Option<f64>| now.is_some() && before.is_none();
        let is_news = match &self.told {
            None => event.lower.is_some() || event.upper.is_some(),
            Some(last) => {
                let is_better = (last.lower, last.upper, last.found) != (event.lower, event.upper, event.found);
                let is_closer = event.gap.zip(last.gap).is_some_and(|(gap, before)| gap <= CLOSER * before);
                let is_found = is_first(event.lower, last.lower) || is_first(event.upper, last.upper);
                is_better && (is_closer || is_found || event.seconds - last.seconds >= PAUSE)
            }
        };
        if !is_news {
            return None;
        }
        let had_both = self.told.is_some_and(|last| last.gap.is_some());
        self.told = Some(*event);
        let bound = |bound: Option<f64>| bound.map_or("?".to_owned(), short);
        let what = match event.found {
            Some(found) => format!("{found} configurations found, all others at most {}", bound(event.upper)),
            None => format!("bounds {} to {}", bound(event.lower), bound(event.upper)),
        };
        let gap = event.gap.map(|gap| format!(", gap {}", rough(gap))).unwrap_or_default();
        let first = if event.gap.is_some() && !had_both { "; first input found and checked" } else { "" };
        let (open, memory) = (grouped(event.open), amount(event.memory_bytes));
        let regions = counted(event.regions, "region", "regions");
        Some(format!("{what}{gap}; {regions}, {open} open, {memory}{first}"))
    }

    /// The number of done rows, at intervals and at the end.
    pub(super) fn rows(
        &mut self,
        event: &Event,
        rows: &RowsDone,
        words: impl FnOnce() -> Vec<String>,
    ) -> Option<String> {
        let is_due = self.told.is_none_or(|last| event.seconds - last.seconds >= PAUSE);
        let is_last = rows.verdict.is_some() && rows.rows_done == rows.num_rows;
        (is_due || is_last).then(|| {
            self.told = Some(*event);
            words().join(", ")
        })
    }
}

/// The facts about a model.
pub(super) fn model(name: &str, model: &Ensemble) -> String {
    let facts = inspect(model);
    let used = facts.features_used.len();
    let trees = counted(facts.trees as u64, "tree", "trees");
    let leaves = counted(facts.leaves as u64, "leaf", "leaves");
    format!("read {name}: {}, {trees}, {leaves}, {used} of {} features used", facts.format, facts.features)
}

/// The reason for the end of each search and the check of its witness, from the answer as JSON.
pub(super) fn ends(answer: &Value) -> Vec<String> {
    let mut parts = vec![(String::new(), answer)];
    parts.extend(["min", "max"].iter().filter_map(|name| Some((format!("{name}: "), answer.get(name)?))));
    let features = answer["features"].as_array().into_iter().flatten();
    parts.extend(features.map(|part| (format!("{}: ", part["feature"].as_str().unwrap_or_default()), part)));
    let mut lines = vec![];
    for (name, answer) in parts {
        let Some(stopped) = answer["stopped"].as_str() else { continue };
        let why = match stopped {
            "optimal" => "search complete",
            "target" => "target reached",
            "time" => "time limit",
            "memory" => "memory limit",
            "rounding" => "remaining gap within the rounding of the library's sums",
            "conditions" => "could not decide whether any remaining input meets the conditions",
            "steps" => "step limit",
            _ => "interrupted",
        };
        let regions =
            answer["stats"]["regions"].as_u64().map(|count| format!(" after {}", counted(count, "region", "regions")));
        let memory = answer["stats"]["memory_bytes"].as_u64().map(|bytes| format!(", {} at most", amount(bytes)));
        lines.push(format!("{name}stopped{}: {why}{}", regions.unwrap_or_default(), memory.unwrap_or_default()));
        if !answer["witness"].is_null() {
            let rounding = answer["rounding"].as_f64();
            let within =
                rounding.map(|rounding| format!(", within {rounding:.1e} of the exact sum")).unwrap_or_default();
            let checked = "the witness was recomputed with the library's arithmetic";
            lines.push(format!("{name}checked: {checked}{within}, and meets every condition as written"));
        }
    }
    lines
}

/// An amount of memory.
fn amount(bytes: u64) -> String {
    match bytes {
        0..1024 => format!("{bytes} B"),
        1024..0x10_0000 => format!("{} KiB", bytes / 1024),
        0x10_0000..0x4000_0000 => format!("{} MiB", bytes / 0x10_0000),
        _ => format!("{} GiB", bytes / 0x4000_0000),
    }
}
