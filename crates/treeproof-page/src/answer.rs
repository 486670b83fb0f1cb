//! What was proved, in one sentence.

use serde_json::Value;

use crate::about::About;
use crate::question::{
    apart, details, far, few_change, is_about_labels, is_decreasing, margin, of_class, protected, radius, wanted,
};
use crate::surface::Surface;
use crate::words::{clean, counted, grouped, number, percent, several, some_of, value};

/// Limit on features named in a sentence.
const MOST_NAMED: usize = 3;

/// The answer as a sentence; and another one if it rests on features that no tree tests.
pub(crate) fn answer(answer: &Value, about: &About, surface: Surface) -> String {
    let said = sentence(answer, about, surface);
    match not_tested(answer) {
        Some(names) => format!("{said} No tree tests {names}."),
        None => said,
    }
}

/// The features that a question is about and no tree tests.
pub(crate) fn not_tested(answer: &Value) -> Option<String> {
    let names: Vec<String> = list(answer, "not_tested").iter().filter_map(Value::as_str).map(clean).collect();
    match names.len() {
        0 => None,
        1..=MOST_NAMED => Some(names.join(if names.len() == 2 { " or " } else { ", " })),
        many => {
            let more = counted((many - MOST_NAMED) as u64, "other feature");
            Some(several(&[names[..MOST_NAMED].to_vec(), vec![more]].concat()))
        }
    }
}

fn sentence(answer: &Value, about: &About, surface: Surface) -> String {
    if answer["verdict"] == "infeasible" && answer["rows"].is_null() {
        return infeasible(answer);
    }
    let details = details(about.task.as_ref());
    let why = &*why(answer, surface);
    let margin = margin(answer);
    match answer["question"].as_str().unwrap_or_default() {
        "range" => format!("The {margin} is {}: {why}.", between(answer)),
        "robust" => robust(answer, details),
        "closest" => closest(answer, details, surface),
        "dominant" => dominant(answer, details, why),
        "fair" if answer["summary"].is_object() => fair_rows(answer, details),
        "fair" => fair(answer, about, details, why),
        "monotone" if answer["features"].is_array() => monotone_features(answer, details),
        "monotone" => monotone(answer, details, why),
        "stable" => difference(&format!("{margin} of {}", apart(answer, details)), "differs", answer, details, why),
        "diff" => difference(&format!("margins{}", of_class(answer)), "differ", answer, details, why),
        "enumerate" => enumerate(answer, details, why),
        "audit" => audit(answer),
        "check" if answer["verdict"] == "valid" => "The proof is right.".to_owned(),
        "check" if answer["verdict"] == "undecided" => {
            let nothing = list(answer, "proved").iter().filter(|proved| proved["is_vacuous"] == true).count() as u64;
            match list(answer, "proved").len() as u64 {
                1 => "The proof is right, but claims nothing.".to_owned(),
                all => {
                    let some = some_of(nothing, all, "statement", ["claims", "claim"]);
                    format!("The proof is right, but {some} nothing.")
                }
            }
        }
        "check" => format!("The proof is wrong: {}.", value(&answer["wrong"])),
        name => bound_on(name, answer, why),
    }
}

/// What is in a list; nothing if it is none.
pub(crate) fn list<'v>(answer: &'v Value, name: &str) -> &'v [Value] {
    answer[name].as_array().map_or(&[], Vec::as_slice)
}

/// A count; 0 if there is none.
pub(crate) fn count(summary: &Value, name: &str) -> u64 {
    summary[name].as_u64().unwrap_or(0)
}

fn infeasible(answer: &Value) -> String {
    let conflict: Vec<String> =
        list(answer, "conflict").iter().filter_map(Value::as_str).map(|text| format!("`{}`", clean(text))).collect();
    match conflict.as_slice() {
        [] => "Nothing meets the conditions: no two inputs can agree where they must.".to_owned(),
        [alone] => format!("Nothing meets the conditions: {alone} never holds."),
        several => format!("Nothing meets the conditions: {} exclude each other.", several.join(" and ")),
    }
}

/// Why a search ended before the answer was exact.
pub(crate) fn stopped(reason: &Value) -> &'static str {
    match reason.as_str().unwrap_or_default() {
        "target" => "the target is reached",
        "time" => "the time was up",
        "memory" => "the memory was full",
        "rounding" => "what is left lies within the rounding of the library's sums",
        "conditions" => "of what is left it was not found out whether any numbers meet the conditions",
        "steps" => "the steps were used up",
        "interrupted" => "the search was interrupted",
        _ => "the search ended early",
    }
}

/// Whether nothing is left to search.
pub(crate) fn is_exact(answer: &Value) -> bool {
    answer["verdict"] == "optimal" && answer["stopped"].as_str().is_none_or(|stopped| stopped == "optimal")
}

/// Why there is not more to tell, and what gives more.
fn why(answer: &Value, surface: Surface) -> String {
    // Of both ends, the one that is open tells it.
    if let Some(open) = ["min", "max"].map(|end| &answer[end]).into_iter().find(|end| end.is_object() && !is_exact(end))
    {
        return why(open, surface);
    }
    let why = match () {
        () if is_exact(answer) => "proved",
        () if answer["verdict"] == "optimal" => "as close as asked for",
        () => stopped(&answer["stopped"]),
    };
    match answer["stopped"].as_str() {
        Some(limit @ ("time" | "memory")) => format!("{why} ({} gives more)", surface.option(limit)),
        _ => why.to_owned(),
    }
}

/// What is known of a number.
pub(crate) fn between(answer: &Value) -> String {
    match (&answer["lower"], &answer["upper"]) {
        (Value::Null, Value::Null) => "not known".to_owned(),
        (lower, Value::Null) => format!("at least {}", number(lower)),
        (Value::Null, upper) => format!("at most {}", number(upper)),
        (lower, upper) => format!("between {} and {}", number(lower), number(upper)),
    }
}

fn bound_on(name: &str, answer: &Value, why: &str) -> String {
    let (what, end) = match name {
        "min" => ("smallest margin", "upper"),
        "max" => ("largest margin", "lower"),
        "maximise" => ("largest sum", "lower"),
        _ => ("number", "lower"),
    };
    let class = of_class(answer);
    // The end that an input reaches.
    let found = if is_exact(answer) { number(&answer[end]) } else { between(answer) };
    format!("The {what}{class} is {found}: {why}.")
}

fn robust(answer: &Value, details: &Value) -> String {
    let of = |name| count(&answer["summary"], name);
    let (rows, holds, none) = (of("rows"), of("holds"), of("infeasible"));
    let within = radius(answer, details).map(|radius| format!(" within {radius}")).unwrap_or_default();
    if rows > 0 && none == rows {
        return format!("Nothing{within} of {} meets the conditions.", each(rows));
    }
    let first = match holds {
        1 if rows == 1 => format!("The row is robust{within}: proved"),
        _ if rows == 1 && of("violated") == 1 => return format!("The row is not robust{within}: it can be changed."),
        _ if rows == 1 => return format!("Whether the row is robust{within} is open."),
        0 => format!("{} robust{within}", some_of(0, rows, "row", ["is", "are"])),
        many if many == rows => format!("All {} are robust{within}: proved", counted(rows, "row")),
        many => format!("{} robust{within}: proved", some_of(many, rows, "row", ["is", "are"])),
    };
    let others = [
        some(of("violated"), "can be changed"),
        some(of("undecided"), "undecided"),
        some(none, "without any input that is allowed"),
    ];
    format!("{first}{}.", others.concat())
}

/// So many rows, one by one.
fn each(rows: u64) -> String {
    if rows == 1 { "the row".to_owned() } else { format!("any of {}", counted(rows, "row")) }
}

fn closest(answer: &Value, details: &Value, surface: Surface) -> String {
    if let [row] = list(answer, "rows") {
        return closest_of_one(row, answer, details, surface);
    }
    let of = |name| count(&answer["summary"], name);
    let (rows, none) = (of("rows"), of("infeasible"));
    let exact = of("decided").saturating_sub(none);
    if rows > 0 && none == rows {
        return format!("No input {} exists for {}: proved.", wanted(details), each(rows));
    }
    let first = match exact {
        many if many == rows => format!("The distances of all {} are exact: proved", counted(rows, "row")),
        0 => format!("The distances of 0 of {} are exact", counted(rows, "row")),
        1 => format!("The distance of {} exact: proved", some_of(1, rows, "row", ["is", "are"])),
        many => format!("The distances of {} exact: proved", some_of(many, rows, "row", ["is", "are"])),
    };
    let others = [
        some(none, "without any such input: proved"),
        some(of("undecided"), "undecided"),
        some(of("left"), "not asked"),
    ];
    format!("{first}{}.", others.concat())
}

/// Of one row, the distance itself.
fn closest_of_one(row: &Value, answer: &Value, details: &Value, surface: Surface) -> String {
    let what = format!("input {}", wanted(details));
    let away = |end: &str| far(&row[end], answer, details);
    match row["verdict"].as_str().unwrap_or_default() {
        "infeasible" => format!("No {what} exists: proved."),
        "optimal" => format!("The closest {what} is {} away: proved.", away("upper")),
        _ if row["upper"].is_null() && row["lower"].is_null() => {
            format!("How far the closest {what} is, is open: {}.", why(row, surface))
        }
        _ if row["upper"].is_null() => {
            format!("The closest {what}, if there is one, is at least {} away: {}.", away("lower"), why(row, surface))
        }
        _ => {
            let (lower, upper, why) = (number(&row["lower"]), away("upper"), why(row, surface));
            format!("The closest {what} is between {lower} and {upper} away: {why}.")
        }
    }
}

/// How many, unless it is none: what did not happen need not be told.
fn some(many: u64, what: &str) -> String {
    if many == 0 { String::new() } else { format!("; {} {what}", grouped(many)) }
}

fn dominant(answer: &Value, details: &Value, why: &str) -> String {
    let (margin, moves) = (margin(answer), if details["decrease"] == true { "falls" } else { "rises" });
    if answer["attributes"].is_array() {
        return dominant_each(answer, &margin, if details["decrease"] == true { "lower" } else { "raise" });
    }
    let changes = few_change(details);
    match is_exact(answer) {
        true => format!("The {margin} {moves} by {} at most if {changes}: proved.", number(&answer["lower"])),
        false => format!("How far the {margin} {moves} if {changes} is {}: {why}.", between(answer)),
    }
}

/// Which attribute does most by itself.
fn dominant_each(answer: &Value, margin: &str, moves: &str) -> String {
    let attributes = list(answer, "attributes");
    let found = |one: &Value| one["lower"].as_f64().unwrap_or(0.0);
    let best = attributes.iter().max_by(|one, other| found(one).total_cmp(&found(other)));
    let among = match attributes.len() {
        1 => String::new(),
        many => format!("Of {many} attributes, "),
    };
    match best.filter(|best| found(best) > 0.0) {
        Some(best) if answer["verdict"] == "optimal" => {
            let (name, by) = (value(&best["attribute"]), number(&best["lower"]));
            let most = if among.is_empty() { "" } else { " most," };
            format!("{among}{name} alone {moves}s the {margin}{most} by {by}: proved.")
        }
        None if answer["verdict"] == "optimal" => format!("No attribute alone {moves}s the {margin}: proved."),
        Some(best) => {
            let (name, by) = (value(&best["attribute"]), number(&best["lower"]));
            format!("{among}{name} alone {moves}s the {margin} by {by} or more; some effects are undecided.")
        }
        None => format!("Whether an attribute alone {moves}s the {margin} is open: some effects are undecided."),
    }
}

fn fair_rows(answer: &Value, details: &Value) -> String {
    let (summary, protected) = (&answer["summary"], protected(details));
    let asked = count(summary, "asked");
    if asked == 0 {
        return "No row meets the conditions.".to_owned();
    }
    let rows = if asked == 1 { "the row".to_owned() } else { counted(asked, "row") };
    if !summary["largest"].is_null() {
        let at = if count(summary, "decided") == asked { "at most" } else { "at least" };
        let largest = number(&summary["largest"]);
        return format!("The {} of {rows} moves by {at} {largest} when only {protected} changes.", margin(answer));
    }
    let violated = count(summary, "violated");
    match (asked, violated, count(summary, "decided")) {
        (1, 0, 1) => return format!("The label of the row does not change when only {protected} does: proved."),
        (1, 0, _) => return format!("Whether the label of the row changes when only {protected} does is open."),
        (1, ..) => return format!("The row gets another label when only {protected} changes."),
        (_, 0, decided) if decided == asked => {
            return format!("No label of {rows} changes when only {protected} does: proved.");
        }
        _ => {}
    }
    let share = summary["share"].as_f64().map(|share| format!(" ({})", percent(share))).unwrap_or_default();
    let open = some(asked.saturating_sub(count(summary, "decided")), "undecided");
    let get = if violated == 1 { "gets" } else { "get" };
    format!("{} of {rows}{share} {get} another label when only {protected} changes{open}.", grouped(violated))
}

fn fair(answer: &Value, about: &About, details: &Value, why: &str) -> String {
    let protected = protected(details);
    match answer["verdict"].as_str().unwrap_or_default() {
        "holds" => format!("No two inputs that differ only in {protected} have different labels: proved."),
        "violated" => format!("Two inputs that differ only in {protected} have different labels."),
        _ if is_about_labels(answer, about) == Some(false) => {
            let found = if is_exact(answer) { number(&answer["lower"]) } else { between(answer) };
            let margin = margin(answer);
            format!(
                "The largest difference of the {margin} between inputs that differ only in {protected} is {found}: {why}."
            )
        }
        _ => format!("Whether two inputs that differ only in {protected} are treated alike is open: {why}."),
    }
}

fn monotone(answer: &Value, details: &Value, why: &str) -> String {
    let falls = if is_decreasing(answer["trend"].as_str(), details) { "rises" } else { "falls" };
    let margin = margin(answer);
    let name = answer["feature"].as_str();
    let feature = name.map_or("the feature".to_owned(), clean);
    match answer["verdict"].as_str().unwrap_or_default() {
        "holds" => format!("The {margin} never {falls} as {feature} rises: proved."),
        "violated" => {
            let end = |side: &str| value(&answer["witness"][side][name.unwrap_or_default()]);
            let by = number(&answer["lower"]);
            format!("The {margin} {falls} by {by} when {feature} rises from {} to {}.", end("a"), end("b"))
        }
        _ => format!("Whether the {margin} never {falls} as {feature} rises is open: {why}."),
    }
}

fn monotone_features(answer: &Value, details: &Value) -> String {
    let (margin, features) = (margin(answer), list(answer, "features"));
    let many = features.len();
    let with = |verdict: &str| features.iter().filter(|one| one["verdict"] == verdict).count();
    let falls = |one: &Value| if is_decreasing(one["trend"].as_str(), details) { "rises" } else { "falls" };
    let falls = match features {
        [first, others @ ..] if others.iter().all(|other| falls(other) == falls(first)) => falls(first),
        _ => "goes against its trend",
    };
    if answer["verdict"] == "holds" {
        let names: Vec<String> = features.iter().filter_map(|one| one["feature"].as_str()).map(clean).collect();
        let rises = match names.as_slice() {
            [name] => name.clone(),
            [one, other] => format!("{one} or {other}"),
            [one, other, third] => format!("{one}, {other} or {third}"),
            _ => format!("any of {many} features"),
        };
        return format!("The {margin} never {falls} as {rises} rises: proved.");
    }
    let (broken, kept) = (with("violated"), with("holds"));
    let open = some((many - broken - kept) as u64, "undecided");
    match (broken, kept) {
        (0, 0) => format!("Whether the {margin} {falls} as a feature rises is open for all {many} features."),
        (0, kept) => {
            format!("The {margin} never {falls} as the feature rises, for {kept} of {many} features: proved{open}.")
        }
        (broken, 0) if broken == many => {
            format!("The {margin} {falls} somewhere as the feature rises, for each of {many} features.")
        }
        (broken, 0) => {
            format!("The {margin} {falls} somewhere as the feature rises, for {broken} of {many} features{open}.")
        }
        (broken, kept) => format!(
            "The {margin} {falls} somewhere as the feature rises, for {broken} of {many} features; never for {kept}: proved{open}."
        ),
    }
}

fn difference(what: &str, differ: &str, answer: &Value, details: &Value, why: &str) -> String {
    let within = number(&details["within"]);
    let lower = number(&answer["lower"]);
    match answer["verdict"].as_str().unwrap_or_default() {
        "holds" if details["within"].as_f64() == Some(0.0) => format!("The {what} never {differ}: proved."),
        "holds" => format!("The {what} never {differ} by more than {within}: proved."),
        "violated" => format!("The {what} {differ} by {lower}, which is more than {within}."),
        _ if is_exact(answer) && answer["upper"].as_f64() == Some(0.0) => format!("The {what} never {differ}: proved."),
        _ if is_exact(answer) => format!("The {what} {differ} by {lower} at most: proved."),
        _ => format!("The largest difference of the {what} is {}: {why}.", between(answer)),
    }
}

fn enumerate(answer: &Value, details: &Value, why: &str) -> String {
    let many = list(answer, "regions").len() as u64;
    let top = details["top"].as_u64().unwrap_or(many);
    let above = &details["above"];
    let above = if above.is_null() { String::new() } else { format!(" above {}", number(above)) };
    let plural = if many > 1 { "s" } else { "" };
    let what = format!("output configuration{plural}{}{above}", of_class(answer));
    match (is_exact(answer), many) {
        (true, 0) => format!("No {what}: {why}."),
        (true, 1) if top > 1 => format!("The only {what}: {why}."),
        (true, 1) => format!("The best {what}: {why}."),
        (true, many) if many < top => format!("All {} {what}: {why}.", grouped(many)),
        (true, many) => format!("The {} best {what}: {why}.", grouped(many)),
        (false, 0) => format!("No {what} is certain yet: {why}."),
        (false, many) => format!("The best {} {what}, of {} asked for: {why}.", grouped(many), grouped(top)),
    }
}

fn audit(answer: &Value) -> String {
    let checks = list(answer, "checks");
    let with =
        |outcome: &str| checks.iter().filter(|check| check["outcome"] == outcome && check["passes"] != true).count();
    let passed = checks.iter().filter(|check| check["passes"] == true).count();
    let others = ["fail", "undecided", "infeasible"].map(|outcome| match (with(outcome) as u64, outcome) {
        (many, "fail") => some(many, if many == 1 { "fails" } else { "fail" }),
        (many, outcome) => some(many, outcome),
    });
    let passes = some_of(passed as u64, checks.len() as u64, "check", ["passes", "pass"]);
    format!("{passes}{}.", others.concat())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::surface::Spelling;

    fn answer(of: &Value, details: &Value) -> String {
        let task = Some(json!({"question": {"asked": details}}));
        super::answer(of, &About { task, ..About::default() }, Surface::brief(Spelling::Flags))
    }

    #[test]
    fn nothing_is_called_proved_that_is_not() {
        for question in
            ["max", "min", "stable", "diff", "dominant", "maximise", "fair", "monotone", "range", "enumerate"]
        {
            for reason in ["time", "memory", "interrupted", "rounding", "target"] {
                let open = json!({"question": question, "verdict": "undecided", "lower": 1.0, "upper": 2.5, "stopped": reason});
                let said = answer(&open, &Value::Null);
                assert!(!said.contains("proved") && said.ends_with('.'), "{said}");
            }
        }
        let close = json!({"question": "max", "verdict": "optimal", "lower": 1.0, "upper": 2.5, "stopped": "target"});
        assert_eq!(answer(&close, &Value::Null), "The largest margin is between 1 and 2.5: as close as asked for.");
    }

    #[test]
    fn configurations_are_counted() {
        let told = |many: usize, top: u64, stopped: &str| {
            let verdict = if stopped == "optimal" { "optimal" } else { "undecided" };
            let regions = vec![json!({}); many];
            let found = json!({"question": "enumerate", "verdict": verdict, "stopped": stopped, "regions": regions});
            answer(&found, &json!({"top": top, "above": 1.5}))
        };
        assert_eq!(told(0, 3, "optimal"), "No output configuration above 1.5: proved.");
        assert_eq!(told(1, 3, "optimal"), "The only output configuration above 1.5: proved.");
        assert_eq!(told(2, 3, "optimal"), "All 2 output configurations above 1.5: proved.");
        assert_eq!(told(3, 3, "optimal"), "The 3 best output configurations above 1.5: proved.");
        let open = "The best 2 output configurations above 1.5, of 3 asked for: the time was up (--time gives more).";
        assert_eq!(told(2, 3, "time"), open);
    }

    #[test]
    fn answers_are_sentences() {
        let fair = json!({"question": "fair", "verdict": "violated", "summary": {"asked": 4, "violated": 1, "decided": 3, "share": 0.25}});
        let details = json!({"protected": ["sex"]});
        assert_eq!(
            answer(&fair, &details),
            "1 of 4 rows (25.0 %) gets another label when only sex changes; 1 undecided."
        );
        let monotone = json!({"question": "monotone", "verdict": "violated", "feature": "age", "lower": 0.5,
                              "witness": {"a": {"age": 3.0}, "b": {"age": null}}});
        assert_eq!(answer(&monotone, &Value::Null), "The margin falls by 0.5 when age rises from 3 to missing.");
        let features =
            json!([{"verdict": "violated", "trend": "decreasing"}, {"verdict": "undecided", "trend": "increasing"}]);
        let monotone = json!({"question": "monotone", "verdict": "violated", "features": features});
        assert_eq!(
            answer(&monotone, &Value::Null),
            "The margin goes against its trend somewhere as the feature rises, for 1 of 2 features; 1 undecided."
        );
        let features = |verdicts: &[&str]| -> Vec<Value> {
            let one = |(place, verdict)| json!({"feature": format!("x{place}"), "verdict": verdict});
            verdicts.iter().enumerate().map(one).collect()
        };
        let told = |verdict: &str, of: &[&str]| {
            answer(&json!({"question": "monotone", "verdict": verdict, "features": features(of)}), &Value::Null)
        };
        assert_eq!(told("holds", &["holds", "holds"]), "The margin never falls as x0 or x1 rises: proved.");
        assert_eq!(told("holds", &["holds"; 4]), "The margin never falls as any of 4 features rises: proved.");
        assert_eq!(
            told("violated", &["violated", "violated"]),
            "The margin falls somewhere as the feature rises, for each of 2 features."
        );
        assert_eq!(
            told("violated", &["violated", "holds", "undecided"]),
            "The margin falls somewhere as the feature rises, for 1 of 3 features; never for 1: proved; 1 undecided."
        );
        assert_eq!(
            told("undecided", &["holds", "undecided"]),
            "The margin never falls as the feature rises, for 1 of 2 features: proved; 1 undecided."
        );
        let same = json!({"question": "diff", "verdict": "optimal", "lower": 0.0, "upper": 0.0});
        assert_eq!(answer(&same, &Value::Null), "The margins never differ: proved.");
        let stable = json!({"question": "stable", "class": "b", "verdict": "optimal", "lower": 1.5, "upper": 1.5});
        assert_eq!(
            answer(&stable, &json!({"norm": "l0", "radius": 2})),
            "The margin of class b of two inputs that differ in at most 2 features differs by 1.5 at most: proved."
        );
        let nothing = json!({"question": "max", "verdict": "infeasible", "conflict": ["a < 1", "a > 2"]});
        assert_eq!(answer(&nothing, &details), "Nothing meets the conditions: `a < 1` and `a > 2` exclude each other.");
    }

    #[test]
    fn rows_are_counted_and_one_is_told() {
        let of = |question: &str, details: Value, summary: Value, rows: Value| {
            answer(&json!({"question": question, "summary": summary, "rows": rows}), &details)
        };
        let robust =
            |summary| of("robust", json!({"norm": "linf", "radius": 0.5, "scale": "std:x.csv"}), summary, json!([]));
        assert_eq!(
            robust(json!({"rows": 3, "holds": 3})),
            "All 3 rows are robust within 0.5 standard deviations: proved."
        );
        assert_eq!(
            robust(json!({"rows": 3, "violated": 2, "undecided": 1})),
            "0 of 3 rows are robust within 0.5 standard deviations; 2 can be changed; 1 undecided."
        );
        assert_eq!(
            robust(json!({"rows": 3, "infeasible": 3})),
            "Nothing within 0.5 standard deviations of any of 3 rows meets the conditions."
        );
        let closest = |rows: Value| of("closest", json!({"norm": "l0"}), json!({"rows": 1, "decided": 1}), rows);
        assert_eq!(
            closest(json!([{"verdict": "optimal", "lower": 2.0, "upper": 2.0}])),
            "The closest input with another label is 2 changes away: proved."
        );
        assert_eq!(closest(json!([{"verdict": "infeasible"}])), "No input with another label exists: proved.");
        assert_eq!(
            closest(json!([{"verdict": "undecided", "lower": 1.0, "upper": 2.0, "stopped": "interrupted"}])),
            "The closest input with another label is between 1 and 2 changes away: the search was interrupted."
        );
        let many = |summary| of("closest", json!({"norm": "l1"}), summary, json!([]));
        assert_eq!(many(json!({"rows": 20, "decided": 20})), "The distances of all 20 rows are exact: proved.");
        assert_eq!(
            many(json!({"rows": 20, "decided": 19, "infeasible": 1, "undecided": 1})),
            "The distances of 18 of 20 rows are exact: proved; 1 without any such input: proved; 1 undecided."
        );
        assert_eq!(
            many(json!({"rows": 2, "decided": 1, "undecided": 1})),
            "The distance of 1 of 2 rows is exact: proved; 1 undecided."
        );
        let one = |summary| of("robust", json!({"norm": "linf", "radius": 1}), summary, json!([]));
        assert_eq!(one(json!({"rows": 1, "holds": 1})), "The row is robust within 1: proved.");
        assert_eq!(one(json!({"rows": 1, "violated": 1})), "The row is not robust within 1: it can be changed.");
        assert_eq!(one(json!({"rows": 1, "undecided": 1})), "Whether the row is robust within 1 is open.");
        assert_eq!(one(json!({"rows": 2, "violated": 2})), "0 of 2 rows are robust within 1; 2 can be changed.");
        let fair = json!({"rows": 4, "asked": 4, "decided": 4, "violated": 0, "share": 0.0});
        assert_eq!(
            of("fair", json!({"protected": ["sex"]}), fair, json!([])),
            "No label of 4 rows changes when only sex does: proved."
        );
    }

    #[test]
    fn the_attribute_that_does_most_is_named() {
        let told = |verdict: &str, ones: Value| {
            answer(&json!({"question": "dominant", "verdict": verdict, "attributes": ones}), &json!({"decrease": true}))
        };
        let ones =
            json!([{"attribute": "x", "lower": 2.5, "upper": 2.5}, {"attribute": "y", "lower": 0.0, "upper": 0.0}]);
        assert_eq!(told("optimal", ones.clone()), "Of 2 attributes, x alone lowers the margin most, by 2.5: proved.");
        let open = "Of 2 attributes, x alone lowers the margin by 2.5 or more; some effects are undecided.";
        assert_eq!(told("undecided", ones), open);
        assert_eq!(
            told("optimal", json!([{"attribute": "x", "lower": 0.0}])),
            "No attribute alone lowers the margin: proved."
        );
    }
}
