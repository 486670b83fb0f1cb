//! What was proved and what was not, in plain words; and what it is about.

use serde_json::Value;

use crate::answer::{count, is_exact, list, not_tested, stopped};
use crate::question::{
    conditions, data, details, domain, is_decreasing, margin, measure, names, near, protected, start, wanted,
};
use crate::words::{clean, counted, grouped, number, several, short};

/// Features that are named in a sentence; the table has all.
const SHOWN_NAMES: usize = 12;

/// Sentences about an answer.
#[derive(Debug, Default)]
pub(crate) struct Proved {
    /// What was proved.
    pub(crate) yes: Vec<String>,
    /// What was not.
    pub(crate) no: Vec<String>,
    /// To which inputs and numbers both refer.
    pub(crate) about: Vec<String>,
}

impl Proved {
    pub(crate) fn of(answer: &Value, task: Option<&Value>) -> Self {
        let mut proved = Self::default();
        let details = details(task);
        let name = answer["question"].as_str().unwrap_or_default();
        let is_infeasible = answer["verdict"] == "infeasible";
        match name {
            "robust" => proved.robust(answer, details),
            "closest" => proved.closest(answer, details),
            "audit" => proved.audit(answer),
            "check" => proved.check(answer),
            "fair" if answer["summary"].is_object() => proved.fair_rows(answer, details),
            _ if is_infeasible => {
                proved.yes.push("No input meets all conditions together.".to_owned());
                proved.no.push("Anything about the model: there was nothing to ask. This is not a pass.".to_owned());
            }
            "max" => proved.largest(answer, &format!("a {}", margin(answer)), "The input shown"),
            "min" => proved.smallest(answer, "The input shown"),
            "maximise" => proved.largest(answer, "a sum of margins", "What is shown"),
            "range" => {
                proved.smallest(&answer["min"], "The input at the smallest");
                proved.largest(&answer["max"], &format!("a {}", margin(answer)), "The input at the largest");
            }
            "fair" => proved.fair(answer, details),
            "monotone" if answer["features"].is_array() => proved.monotone_features(answer, details),
            "monotone" => proved.monotone(answer, details),
            "stable" => proved.difference(answer, details, "two inputs this close"),
            "diff" => proved.difference(answer, details, "the two models"),
            "dominant" => proved.dominant(answer, details),
            "enumerate" => proved.enumerate(answer),
            _ => {}
        }
        if !matches!(name, "audit" | "check") {
            proved.scope(answer, task);
        }
        proved.no.push("That the model is right about the world: this is about what it computes.".to_owned());
        proved
    }

    fn largest(&mut self, answer: &Value, what: &str, shown: &str) {
        match &answer["upper"] {
            Value::Null => {
                self.no.push(format!("Any number that {what} never exceeds: {}.", stopped(&answer["stopped"])))
            }
            upper => self.yes.push(format!("No allowed input has {what} above {}.", number(upper))),
        }
        if answer["witness"].is_object() {
            self.yes.push(format!("{shown} has {what} of at least {}.", number(&answer["lower"])));
        }
        self.open(answer, &format!("Whether some input has {what}"));
    }

    fn smallest(&mut self, answer: &Value, shown: &str) {
        match &answer["lower"] {
            Value::Null => {
                self.no.push(format!("Any number that margins never fall below: {}.", stopped(&answer["stopped"])))
            }
            lower => self.yes.push(format!("No allowed input has a {} below {}.", margin(answer), number(lower))),
        }
        if answer["witness"].is_object() {
            self.yes.push(format!("{shown} has a {} of at most {}.", margin(answer), number(&answer["upper"])));
        }
        self.open(answer, &format!("Whether some input has a {}", margin(answer)));
    }

    /// What lies between the bounds.
    fn open(&mut self, answer: &Value, whether: &str) {
        if is_exact(answer) || !matches!(answer["verdict"].as_str(), Some("undecided" | "optimal")) {
            return;
        }
        if let (Some(lower), Some(upper)) = (answer["lower"].as_f64(), answer["upper"].as_f64())
            && upper > lower
        {
            let why =
                if answer["verdict"] == "optimal" { "as close as asked for" } else { stopped(&answer["stopped"]) };
            let [lower, upper] = ["lower", "upper"].map(|end| number(&answer[end]));
            self.no.push(format!("{whether} between {lower} and {upper}: {why}."));
        }
    }

    fn robust(&mut self, answer: &Value, details: &Value) {
        let (summary, near) = (&answer["summary"], near(answer, details));
        let changes = match (&details["within"], &details["target"]) {
            (Value::Null, Value::Null) => "gets another label".to_owned(),
            (Value::Null, class) => format!("gets the label {}", number(class)),
            (within, _) => format!("moves the output by more than {}", number(within)),
        };
        let rows = |name| Some(count(summary, name)).filter(|many| *many > 0).map(|many| counted(many, "row"));
        if let Some(rows) = rows("holds") {
            self.yes.push(format!("{rows}: none of the allowed {near} {changes}."));
        }
        if let Some(rows) = rows("violated") {
            self.yes
                .push(format!("{rows}: a change that small {changes}; it was found and computed as the library does."));
        }
        if let Some(rows) = rows("infeasible") {
            self.no.push(format!("{rows}: nothing, as the conditions allow no input this close."));
        }
        self.open_rows(answer);
        if summary["certified_accuracy"].is_number() {
            self.no.push(
                "That robust rows are right: certified accuracy counts those that are robust and right.".to_owned(),
            );
        }
    }

    fn closest(&mut self, answer: &Value, details: &Value) {
        let (summary, wanted) = (&answer["summary"], wanted(details));
        let (none, decided) = (count(summary, "infeasible"), count(summary, "decided"));
        if let Some(exact) = decided.checked_sub(none).filter(|many| *many > 0) {
            let rows = counted(exact, "row");
            self.yes.push(format!("{rows}: no allowed input {wanted} is closer than the one that was found."));
        }
        if none > 0 {
            self.yes.push(format!("{}: no allowed input {wanted} exists, however far away.", counted(none, "row")));
        }
        self.open_rows(answer);
    }

    /// Rows of which something is not known, by the reason.
    fn open_rows(&mut self, answer: &Value) {
        let mut reasons: Vec<(&str, u64)> = vec![];
        for row in list(answer, "rows").iter().filter(|row| row["verdict"] == "undecided") {
            let why = stopped(&row["stopped"]);
            match reasons.iter_mut().find(|(reason, _)| *reason == why) {
                Some((_, many)) => *many += 1,
                None => reasons.push((why, 1)),
            }
        }
        for (why, many) in reasons {
            self.no.push(format!("{}: open, {why}. The bounds in the table hold all the same.", counted(many, "row")));
        }
        let left = count(&answer["summary"], "left");
        if left > 0 {
            self.no.push(format!("{}: not asked, the run was interrupted.", counted(left, "row")));
        }
    }

    fn fair_rows(&mut self, answer: &Value, details: &Value) {
        let (rows, protected) = (list(answer, "rows"), protected(details));
        let with = |verdict: &str| rows.iter().filter(|row| row["verdict"] == verdict).count() as u64;
        let mut tell = |verdict, yes: bool, what: String| {
            let many = with(verdict);
            if many > 0 {
                let told = format!("{}: {what}.", counted(many, "row"));
                if yes { self.yes.push(told) } else { self.no.push(told) }
            }
        };
        tell("holds", true, format!("no other value of {protected} gives another label"));
        tell("violated", true, format!("another value of {protected} gives another label"));
        tell("optimal", true, format!("how far {protected} alone moves the margin is exact"));
        tell("infeasible", false, "not asked about, as they do not meet the conditions".to_owned());
        self.open_rows(answer);
        self.no.push("Anything about rows that are not in the data.".to_owned());
    }

    fn fair(&mut self, answer: &Value, details: &Value) {
        let protected = protected(details);
        match answer["verdict"].as_str().unwrap_or_default() {
            "holds" => {
                self.yes.push(format!("No two allowed inputs that differ only in {protected} get different labels."))
            }
            "violated" => {
                self.yes.push(format!("The two inputs shown differ only in {protected} and get different labels."));
                self.no.push("How many such pairs there are, or how often they occur.".to_owned());
            }
            "undecided" if answer["unit"] == "margin" && answer["witness"].is_null() => {
                self.no.push(format!("Whether two such inputs get different labels: {}.", stopped(&answer["stopped"])));
            }
            _ => self.difference(answer, details, &format!("two inputs that differ only in {protected}")),
        }
    }

    fn monotone(&mut self, answer: &Value, details: &Value) {
        let falls = if is_decreasing(answer["trend"].as_str(), details) { "rises" } else { "falls" };
        let (margin, feature) = (margin(answer), answer["feature"].as_str().map_or("the feature".to_owned(), clean));
        match answer["verdict"].as_str().unwrap_or_default() {
            "holds" => self.yes.push(format!("The {margin} never {falls} as {feature} rises and all else stays.")),
            "violated" => {
                let by = number(&answer["lower"]);
                let where_shown = format!("between the two inputs shown, which differ only in {feature}");
                self.yes.push(format!("The {margin} {falls} by {by} {where_shown}."));
                match &answer["upper"] {
                    Value::Null => {}
                    upper if is_above(upper, &answer["lower"]) => {
                        let upper = number(upper);
                        self.no.push(format!("Whether it {falls} by more elsewhere; never by more than {upper}."));
                    }
                    _ => self.yes.push(format!("It never {falls} by more as {feature} rises.")),
                }
            }
            _ => {
                let why = stopped(&answer["stopped"]);
                self.no.push(format!("Whether the {margin} ever {falls} as {feature} rises: {why}."));
            }
        }
    }

    fn monotone_features(&mut self, answer: &Value, details: &Value) {
        let falls = if details["decreasing"] == true { "rises" } else { "falls" };
        let margin = margin(answer);
        let with = |verdict: &str| -> Option<String> {
            let ones = list(answer, "features").iter().filter(|one| one["verdict"] == verdict);
            let names: Vec<String> = ones.filter_map(|one| one["feature"].as_str()).map(clean).collect();
            let more = names.len().saturating_sub(SHOWN_NAMES);
            let mut shown: Vec<String> = names.into_iter().take(SHOWN_NAMES).collect();
            shown.extend((more > 0).then(|| format!("{} more", grouped(more as u64))));
            (!shown.is_empty()).then(|| several(&shown))
        };
        if let Some(names) = with("holds") {
            self.yes.push(format!("The {margin} never {falls} as one of these rises and all else stays: {names}."));
        }
        if let Some(names) = with("violated") {
            self.yes.push(format!("The {margin} {falls} somewhere as one of these rises and all else stays: {names}."));
        }
        if let Some(names) = with("undecided") {
            self.no.push(format!("Whether the {margin} ever {falls} as one of these rises: {names}."));
        }
        if let Some(names) = with("infeasible") {
            self.no.push(format!("Anything about these, as no two inputs meet the conditions: {names}."));
        }
    }

    fn difference(&mut self, answer: &Value, details: &Value, who: &str) {
        let (lower, upper) = (&answer["lower"], &answer["upper"]);
        let is_same = is_zero(if answer["verdict"] == "holds" { &details["within"] } else { upper });
        if is_same {
            self.yes.push(format!("The margins of {who} never differ."));
        } else if answer["verdict"] == "holds" {
            self.yes.push(format!("The margins of {who} never differ by more than {}.", number(&details["within"])));
        } else if !upper.is_null() {
            self.yes.push(format!("The margins of {who} never differ by more than {}.", number(upper)));
        }
        if answer["witness"].is_object() && !lower.is_null() && !is_same {
            self.yes.push(format!("What is shown makes them differ by at least {}.", number(lower)));
        }
        if answer["verdict"] == "violated" && is_above(upper, lower) {
            self.no.push(format!(
                "Whether they differ by more elsewhere, up to {}: the tolerance is exceeded either way.",
                number(upper)
            ));
        }
        self.open(answer, "Whether some differ by a number");
        if is_same && answer["question"] == "diff" {
            let told = "That what the libraries return is the same: they round sums, and the models may turn margins into outputs differently.";
            self.no.push(told.to_owned());
        } else if answer["probability"].is_object() && !is_same {
            self.no.push(
                "The largest difference of probabilities, which may lie elsewhere: margins were compared.".to_owned(),
            );
        }
    }

    fn dominant(&mut self, answer: &Value, details: &Value) {
        let (margin, moves) = (margin(answer), if details["decrease"] == true { "falls" } else { "rises" });
        if answer["attributes"].is_array() {
            let all = list(answer, "attributes");
            let exact = all.iter().filter(|one| one["verdict"] == "optimal").count();
            self.yes.push(format!(
                "For {exact} of {}, exactly how far the {margin} {moves}.",
                counted(all.len() as u64, "attribute")
            ));
            if exact < all.len() {
                self.no.push("The exact effect of the others: it lies between the two numbers shown.".to_owned());
            }
            self.no.push("What several attributes do together.".to_owned());
            return;
        }
        if !answer["upper"].is_null() {
            self.yes.push(format!(
                "Whatever is allowed to change, the {margin} {moves} by {} at most.",
                number(&answer["upper"])
            ));
        }
        if answer["witness"].is_object() {
            self.yes
                .push(format!("With the change shown the {margin} {moves} by at least {}.", number(&answer["lower"])));
        }
        self.open(answer, &format!("Whether the {margin} {moves} by a number"));
    }

    fn enumerate(&mut self, answer: &Value) {
        let many = list(answer, "regions").len() as u64;
        if many > 0 {
            let shown = counted(many, "configuration");
            self.yes.push(format!(
                "No output configuration that is not listed has a larger exact sum than the {shown} listed."
            ));
            self.yes.push("Every input of a configuration has its output.".to_owned());
        }
        match &answer["others_at_most"] {
            Value::Null if answer["verdict"] == "optimal" => self.yes.push("There are no others.".to_owned()),
            Value::Null => {}
            others => self.yes.push(format!("All others have at most {}.", number(others))),
        }
        if answer["verdict"] != "optimal" {
            self.no.push(format!("The rest of what was asked for: {}.", stopped(&answer["stopped"])));
        }
    }

    fn audit(&mut self, answer: &Value) {
        let checks = list(answer, "checks");
        let with = |outcome: &str| checks.iter().filter(|check| check["outcome"] == outcome).count() as u64;
        let mut tell = |outcome, yes: bool, what: &str| {
            let many = with(outcome);
            if many > 0 {
                let told = format!("{}: {what}.", counted(many, "check"));
                if yes { self.yes.push(told) } else { self.no.push(told) }
            }
        };
        tell("pass", true, "what is expected was proved");
        tell("fail", true, "the contrary was proved; the section of each shows it");
        tell("undecided", false, "open within the limits");
        tell("infeasible", false, "nothing meets the conditions, so that nothing is known");
        let allowed = checks.iter().filter(|check| check["outcome"] == "undecided" && check["passes"] == true).count();
        if allowed > 0 {
            let many = counted(allowed as u64, "open check");
            self.no.push(format!("{many} counted as passed, as the file allows."));
        }
    }

    fn check(&mut self, answer: &Value) {
        if answer["verdict"] != "invalid" {
            for (text, proved) in list(answer, "statements").iter().zip(list(answer, "proved")) {
                let told = format!("{}.", clean(text.as_str().unwrap_or_default()));
                if proved["is_vacuous"] == true { self.no.push(told) } else { self.yes.push(told) }
            }
        } else {
            self.no.push("What the proof states.".to_owned());
        }
    }

    /// The inputs that count, and what numbers mean.
    fn scope(&mut self, answer: &Value, task: Option<&Value>) {
        let details = details(task);
        if let Some(names) = not_tested(answer) {
            self.about.push(format!("No tree tests {names}: whatever they are, the model computes the same."));
        }
        let is_near = matches!(answer["question"].as_str(), Some("robust" | "closest" | "stable"));
        if answer["rows"].is_array()
            && let Some(data) = data(task)
        {
            self.about.push(format!("Rows are those of {data}, counted from 0."));
        }
        if is_near {
            self.about.extend(measure(answer, details));
        }
        if let Some(start) = start(task) {
            let is_row = details["baseline"].is_number();
            let rest = if is_row { "" } else { "; all other features are 0" };
            self.about.push(format!("The starting point is {start}{rest}."));
        }
        match names(&details["vary"]).as_slice() {
            [] => {}
            [all] if all == "*" => self.about.push("Every attribute may change.".to_owned()),
            some => self.about.push(format!("Only these attributes may change: {}.", several(some))),
        }
        if let Some(threshold) = task.map(|task| &task["threshold"]).filter(|threshold| !threshold.is_null()) {
            self.about.push(format!("The second class is chosen above a probability of {}.", number(threshold)));
        }
        if task.is_some() {
            let conditions = conditions(task);
            if !conditions.is_empty() {
                self.about.push(format!("Only inputs count that meet: {}.", conditions.join("; ")));
            }
            match domain(task) {
                Some(domain) => self.about.push(format!(
                    "Every feature stays within what occurs in {domain}: its range, its whole numbers, its categories, and whether it is ever missing."
                )),
                None if conditions.is_empty() && answer["unit"] != "distance" => self.about.push(
                    "All inputs count: every finite number and every known category, nothing missing.".to_owned(),
                ),
                None => {}
            }
        }
        if let Some(groups) = task.and_then(|task| task["groups"].as_object()).filter(|groups| !groups.is_empty()) {
            let names: Vec<String> = groups.keys().map(|name| clean(name)).collect();
            self.about.push(format!("One-hot columns count as one feature: {}.", names.join(", ")));
        }
        if answer["unit"] == "margin" {
            self.about.push(
                "A margin is the sum of the leaves that an input reaches, before it becomes a probability or a label."
                    .to_owned(),
            );
        }
        if let Some(rounding) = answer["rounding"].as_f64() {
            self.about.push(format!(
                "Bounds are on exact sums. The library adds rounded numbers; its own sum for what is shown is within {} of the exact one.",
                short(rounding)
            ));
        }
    }
}

fn is_zero(number: &Value) -> bool {
    number.as_f64() == Some(0.0)
}

fn is_above(one: &Value, other: &Value) -> bool {
    matches!((one.as_f64(), other.as_f64()), (Some(one), Some(other)) if one > other)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_limit_leaves_something_open_and_an_optimum_nothing() {
        let mut answer = json!({"question": "max", "verdict": "undecided", "lower": 1.0, "upper": 2.5, "stopped": "time",
                                "witness": {"x": 1}, "unit": "margin"});
        let open = Proved::of(&answer, Some(&json!({})));
        assert_eq!(
            open.yes,
            ["No allowed input has a margin above 2.5.", "The input shown has a margin of at least 1."]
        );
        assert_eq!(open.no[0], "Whether some input has a margin between 1 and 2.5: the time was up.");
        (answer["verdict"], answer["stopped"]) = (json!("optimal"), json!("optimal"));
        assert_eq!(Proved::of(&answer, None).no.len(), 1, "only what no search can prove");
        answer["upper"] = Value::Null;
        assert!(Proved::of(&answer, None).no[0].starts_with("Any number that a margin never exceeds"));
    }

    #[test]
    fn what_a_question_is_about_is_told() {
        let details = json!({"norm": "l2", "radius": 0.5, "scale": "std:x.csv"});
        let task = json!({"question": {"robust": details}, "data": "way/y.csv", "threshold": 0.3});
        let answer =
            json!({"question": "robust", "verdict": "holds", "unit": "distance", "rows": [], "summary": {"rows": 0}});
        assert_eq!(
            Proved::of(&answer, Some(&task)).about,
            [
                "Rows are those of y.csv, counted from 0.",
                "A distance is the root of the sum of squared changes (l2).",
                "Each change of a number is divided by the feature's standard deviation in x.csv.",
                "The second class is chosen above a probability of 0.3."
            ]
        );
        let details = json!({"baseline": "age=30", "vary": ["b*", "c"]});
        let task = json!({"question": {"dominant": details}, "where": "age < 40"});
        assert_eq!(
            Proved::of(&json!({"question": "dominant"}), Some(&task)).about,
            [
                "The starting point is age=30; all other features are 0.",
                "Only these attributes may change: b* and c.",
                "Only inputs count that meet: age < 40."
            ]
        );
    }

    #[test]
    fn what_never_differs_is_not_called_different() {
        let answer = json!({"question": "diff", "verdict": "holds", "lower": 0.0, "upper": 0.0, "witness": {"x": 1},
                            "probability": {"a": 0.5, "b": 0.5}});
        let proved = Proved::of(&answer, Some(&json!({"question": {"diff": {"within": 0.0}}})));
        assert_eq!(proved.yes, ["The margins of the two models never differ."]);
        assert!(proved.no[0].starts_with("That what the libraries return is the same"));
    }

    #[test]
    fn rows_are_counted_by_what_is_known_of_them() {
        let rows = json!([{"verdict": "undecided", "stopped": "time"}, {"verdict": "holds"}]);
        let answer = json!({"question": "robust", "verdict": "undecided", "norm": "l1", "radius": 2, "rows": rows,
                            "summary": {"rows": 2, "holds": 1, "undecided": 1, "left": 3}});
        let proved = Proved::of(&answer, None);
        assert_eq!(proved.yes, ["1 row: none of the allowed changes of at most 2 (l1) gets another label."]);
        assert_eq!(proved.no[1], "3 rows: not asked, the run was interrupted.");
        assert!(proved.no[0].starts_with("1 row: open, the time was up."));
    }

    #[test]
    fn what_cannot_be_met_is_no_pass() {
        let proved = Proved::of(&json!({"question": "max", "verdict": "infeasible"}), None);
        assert!(proved.no[0].ends_with("This is not a pass."));
    }
}
