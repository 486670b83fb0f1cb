//! The statements about an answer in plain words: proved, not proved, and the inputs and numbers that both are about.

use treeproof_report::{Bounds, Finding, QuestionName, Stopped, Unit, Verdict};

use crate::scene::{Scene, data, stopped};
use crate::words::{clean, counted, decimal, number, several, short};

/// Sentences about an answer.
#[derive(Debug, Default)]
pub(crate) struct Proved {
    /// Statements that were proved.
    pub(crate) yes: Vec<String>,
    /// Statements that were not.
    pub(crate) no: Vec<String>,
    /// The inputs and numbers to which both refer.
    pub(crate) about: Vec<String>,
}

impl Proved {
    pub(crate) fn yes(&mut self, text: impl Into<String>) {
        self.yes.push(text.into());
    }

    pub(crate) fn no(&mut self, text: impl Into<String>) {
        self.no.push(text.into());
    }

    /// Tells what is known of some rows, checks or others, unless there are none.
    pub(crate) fn count(&mut self, is_proved: bool, many: usize, of: &str, what: &str) {
        if many > 0 {
            let text = format!("{}: {what}.", counted(many, of));
            if is_proved { self.yes(text) } else { self.no(text) }
        }
    }

    /// A bound from above on a number, and the witness that reaches the other bound.
    pub(crate) fn largest(&mut self, bounds: Bounds, what: &str, shown: Option<&str>) {
        match bounds.upper {
            None => self.no(format!("Any number that {what} never exceeds: {}.", stopped(bounds.stopped))),
            Some(upper) => self.yes(format!("No allowed input has {what} above {}.", decimal(upper))),
        }
        if let Some(shown) = shown {
            self.yes(format!("{shown} has {what} of at least {}.", number(bounds.lower)));
        }
        self.open(bounds, &format!("Whether some input has {what}"));
    }

    /// A bound from below on a margin, and the witness that reaches the other bound.
    pub(crate) fn smallest(&mut self, bounds: Bounds, what: &str, shown: Option<&str>) {
        match bounds.lower {
            None => self.no(format!("Any number that margins never fall below: {}.", stopped(bounds.stopped))),
            Some(lower) => self.yes(format!("No allowed input has {what} below {}.", decimal(lower))),
        }
        if let Some(shown) = shown {
            self.yes(format!("{shown} has {what} of at most {}.", number(bounds.upper)));
        }
        self.open(bounds, &format!("Whether some input has {what}"));
    }

    /// The numbers between the bounds.
    pub(crate) fn open(&mut self, bounds: Bounds, whether: &str) {
        let is_open = matches!(bounds.verdict, Verdict::Undecided | Verdict::Optimal) && !bounds.is_exact();
        if let (Some(lower), Some(upper), true) = (bounds.lower, bounds.upper, is_open)
            && upper > lower
        {
            let is_close = bounds.verdict == Verdict::Optimal;
            let why = if is_close { "as close as asked for" } else { stopped(bounds.stopped) };
            self.no(format!("{whether} between {} and {}: {why}.", decimal(lower), decimal(upper)));
        }
    }

    /// Open rows by the reason why they are open, and rows that were not asked about.
    pub(crate) fn open_rows(&mut self, rows: impl Iterator<Item = (Verdict, Stopped)>, left: usize) {
        let mut reasons: Vec<(&str, usize)> = vec![];
        for why in rows.filter(|(verdict, _)| *verdict == Verdict::Undecided).map(|(_, reason)| stopped(reason)) {
            match reasons.iter_mut().find(|(reason, _)| *reason == why) {
                Some((_, many)) => *many += 1,
                None => reasons.push((why, 1)),
            }
        }
        for (why, many) in reasons {
            self.no(format!("{}: open, {why}. The bounds in the table hold all the same.", counted(many, "row")));
        }
        self.count(false, left, "row", "not asked, the run was interrupted");
    }

    /// The inputs that count, and what numbers mean.
    pub(crate) fn scope(&mut self, scene: Scene<'_>, rounding: Option<f64>) {
        let (task, asked) = (scene.task(), scene.asked());
        if let Some(names) = scene.not_tested() {
            self.about.push(format!("No tree tests {names}: whatever they are, the model computes the same."));
        }
        let has_rows = matches!(scene.report.finding, Finding::Robust(_) | Finding::Closest(_) | Finding::FairRows(_));
        if let Some(data) = data(scene.about).filter(|_| has_rows) {
            self.about.push(format!("Rows are those of {data}, counted from 0."));
        }
        if matches!(scene.report.question, QuestionName::Robust | QuestionName::Closest | QuestionName::Stable) {
            self.about.extend(scene.measure());
        }
        if let Some(start) = scene.start() {
            let is_row = matches!(asked.baseline, Some(treeproof_report::BaselineField::Row(_)));
            let rest = if is_row { "" } else { "; all other features are 0" };
            self.about.push(format!("The starting point is {start}{rest}."));
        }
        match asked.vary.as_slice() {
            [] => {}
            [all] if all == "*" => self.about.push("Every attribute may change.".to_owned()),
            some => {
                let names: Vec<String> = some.iter().map(|name| clean(name)).collect();
                self.about.push(format!("Only these attributes may change: {}.", several(&names)));
            }
        }
        if let Some(threshold) = task.threshold {
            self.about.push(format!("The second class is chosen above a probability of {}.", decimal(threshold)));
        }
        if scene.about.task.is_some() {
            let conditions = scene.conditions();
            if !conditions.is_empty() {
                self.about.push(format!("Only inputs count that meet: {}.", conditions.join("; ")));
            }
            let confined = scene.confined();
            for (inputs, domain) in &confined {
                self.about.push(format!(
                    "Every feature{inputs} stays within what occurs in {domain}: its range, its whole numbers, its categories, and whether it is ever missing."
                ));
            }
            if confined.is_empty() && conditions.is_empty() && scene.report.unit == Unit::Margin {
                self.about.push(
                    "All inputs count: every finite number and every known category, nothing missing.".to_owned(),
                );
            }
        }
        if !task.groups.is_empty() {
            let names: Vec<String> = task.groups.keys().map(|name| clean(name)).collect();
            self.about.push(format!("One-hot columns count as one feature: {}.", names.join(", ")));
        }
        if scene.report.unit == Unit::Margin {
            self.about.push(
                "A margin is the sum of the leaves that an input reaches, before it becomes a probability or a label."
                    .to_owned(),
            );
        }
        if let Some(rounding) = rounding {
            self.about.push(format!(
                "Bounds are on exact sums. The library adds rounded numbers; its own sum for what is shown is within {} of the exact one.",
                short(rounding)
            ));
        }
    }
}
