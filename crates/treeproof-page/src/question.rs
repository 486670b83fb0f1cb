//! What was asked, in words.

use serde_json::Value;

use crate::about::About;
use crate::words::{clean, norm_name, number, several};

/// The details of a task's question: what only that question has.
pub(crate) fn details(task: Option<&Value>) -> &Value {
    const NONE: &Value = &Value::Null;
    let question = task.map_or(NONE, |task| &task["question"]);
    question.as_object().and_then(|question| question.values().next()).unwrap_or(NONE)
}

/// What was asked, as a sentence.
pub(crate) fn question(answer: &Value, task: Option<&Value>) -> String {
    format!("{}{}?", asked(answer, details(task)), region(task))
}

/// The same without the region.
pub(crate) fn short_question(answer: &Value, task: Option<&Value>) -> String {
    format!("{}?", asked(answer, details(task)))
}

/// The region in which it was asked: nothing if that is everything.
pub(crate) fn region(task: Option<&Value>) -> String {
    let mut text = String::new();
    let conditions = conditions(task);
    if let [condition] = conditions.as_slice() {
        text.push_str(&format!(" where {condition}"));
    } else if !conditions.is_empty() {
        text.push_str(&format!(" where ({})", conditions.join(") and (")));
    }
    if let Some(domain) = domain(task) {
        text.push_str(&format!(" within what occurs in {domain}"));
    }
    text
}

/// The conditions of a task.
pub(crate) fn conditions(task: Option<&Value>) -> Vec<String> {
    match task.map(|task| &task["where"]) {
        Some(Value::String(condition)) => vec![clean(condition)],
        Some(Value::Array(conditions)) => conditions.iter().filter_map(Value::as_str).map(clean).collect(),
        _ => vec![],
    }
}

/// The data that confines the features: the name of its file, as a path only makes sentences long.
pub(crate) fn domain(task: Option<&Value>) -> Option<String> {
    task?["domain"].as_str().map(file_name)
}

/// The name of a file without its folders.
pub(crate) fn file_name(path: &str) -> String {
    let name = path.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next().unwrap_or(path);
    // Rows that are no file have the name of Python's argument.
    if path == "domain" { "data".to_owned() } else { clean(name) }
}

/// The number that an answer is about.
pub(crate) fn margin(answer: &Value) -> String {
    format!("margin{}", of_class(answer))
}

/// Whose number it is, in models with several classes.
pub(crate) fn of_class(answer: &Value) -> String {
    match &answer["class"] {
        Value::Null => String::new(),
        class => format!(" of class {}", number(class)),
    }
}

/// Whether `fair` asks about labels, and not how far margins differ; none where that is not known.
pub(crate) fn is_about_labels(answer: &Value, about: &About) -> Option<bool> {
    let asked = |name: &str| about.task.as_ref().is_some_and(|task| !task[name].is_null());
    match answer["verdict"].as_str() {
        _ if answer["question"] != "fair" => Some(false),
        Some("holds" | "violated") => Some(true),
        Some("optimal") => Some(false),
        _ if asked("threshold") => Some(true),
        _ if asked("class") => Some(false),
        _ => about.models.first().map(|model| model["label_rule"] != "none"),
    }
}

/// The features that are protected.
pub(crate) fn protected(details: &Value) -> String {
    let names: Vec<String> = names(&details["protected"]).iter().flat_map(|text| items(text)).collect();
    if names.is_empty() { "what is protected".to_owned() } else { several(&names) }
}

/// What commas part, but not those between braces: `a, b:{1, 2}`.
fn items(text: &str) -> Vec<String> {
    let mut depth = 0_u32;
    let parts = text.split(|sign: char| {
        depth = match sign {
            '{' => depth.saturating_add(1),
            '}' => depth.saturating_sub(1),
            _ => depth,
        };
        sign == ',' && depth == 0
    });
    parts.map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect()
}

/// Texts of a list.
pub(crate) fn names(list: &Value) -> Vec<String> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).map(clean).collect()
}

/// What is said in an answer, or else in its task.
fn either<'v>(answer: &'v Value, details: &'v Value, name: &str) -> &'v Value {
    if answer[name].is_null() { &details[name] } else { &answer[name] }
}

/// What is near: by the number of features that change, or by how far they do.
pub(crate) fn near(answer: &Value, details: &Value) -> String {
    let radius = number(either(answer, details, "radius"));
    match either(answer, details, "norm").as_str().unwrap_or("linf") {
        "l0" if radius == "1" => "changes of at most 1 feature".to_owned(),
        "l0" => format!("changes of at most {radius} features"),
        norm => format!("changes of at most {radius} ({})", clean(norm_name(norm))),
    }
}

/// Two inputs that are near.
pub(crate) fn apart(answer: &Value, details: &Value) -> String {
    let radius = number(either(answer, details, "radius"));
    match either(answer, details, "norm").as_str() {
        Some("l0") if radius == "1" => "two inputs that differ in 1 feature".to_owned(),
        Some("l0") => format!("two inputs that differ in at most {radius} features"),
        _ => format!("two inputs at most {radius} apart"),
    }
}

/// What may change for `dominant`.
pub(crate) fn few_change(details: &Value) -> String {
    match details["at_most"].as_u64() {
        None | Some(1) => "one attribute changes".to_owned(),
        Some(most) => format!("at most {most} attributes change"),
    }
}

/// Which inputs `closest` looks for.
pub(crate) fn wanted(details: &Value) -> String {
    let of = |name: &str| Some(&details[name]).filter(|value| !value.is_null()).map(number);
    match (of("target"), of("output_above"), of("output_below")) {
        (Some(class), ..) => format!("of class {class}"),
        (_, Some(above), _) => format!("with an output above {above}"),
        (.., Some(below)) => format!("with an output below {below}"),
        _ => "with another label".to_owned(),
    }
}

fn asked(answer: &Value, details: &Value) -> String {
    let margin = margin(answer);
    let within = &details["within"];
    match answer["question"].as_str().unwrap_or_default() {
        "max" => format!("How large can the {margin} be"),
        "min" => format!("How small can the {margin} be"),
        "range" => format!("Between which numbers does the {margin} stay"),
        "robust" => {
            let near = near(answer, details);
            match (within, &details["target"]) {
                (Value::Null, Value::Null) => format!("Do rows keep their label under all {near}"),
                (Value::Null, class) => format!("Do rows stay out of class {} under all {near}", number(class)),
                (within, _) => format!("Does the output of rows stay within {} under all {near}", number(within)),
            }
        }
        "closest" => {
            let norm = norm_name(either(answer, details, "norm").as_str().unwrap_or_default());
            format!("How far is the closest input {}, measured by {}", wanted(details), clean(norm))
        }
        "dominant" => {
            let moves = if details["decrease"] == true { "lower" } else { "raise" };
            match details["at_most"].as_u64() {
                _ if details["each"] == true => format!("How far does each attribute alone {moves} the {margin}"),
                Some(1) => format!("Which attribute {moves}s the {margin} most"),
                Some(few) => format!("Which at most {few} attributes {moves} the {margin} most"),
                None => format!("Which attributes {moves} the {margin} most"),
            }
        }
        "monotone" => {
            let trend = answer["trend"].as_str();
            let falls = if is_decreasing(trend, details) { "rise" } else { "fall" };
            let feature = answer["feature"].as_str().map_or("a feature".to_owned(), clean);
            format!("Does the {margin} never {falls} as {feature} rises")
        }
        "fair" => format!("Are inputs treated alike that differ only in {}", protected(details)),
        "diff" if within.is_null() => "Where do the margins of two models differ most".to_owned(),
        "diff" => format!("Do the margins of two models agree up to {}", number(within)),
        "stable" => format!("How far can the {margin} jump under {}", near(answer, details)),
        "enumerate" => {
            let above = &details["above"];
            let above = if above.is_null() { String::new() } else { format!(" above {}", number(above)) };
            let top = details["top"].as_u64().map(|top| format!("{top} ")).unwrap_or_default();
            format!("Which inputs have the {top}largest outputs{above}")
        }
        "maximise" => "How large can the sum of margins be".to_owned(),
        "audit" => "Does the model pass all checks".to_owned(),
        "check" => "Is the proof right".to_owned(),
        other => clean(other),
    }
}

/// Whether `monotone` asks that the margin never rises.
pub(crate) fn is_decreasing(trend: Option<&str>, details: &Value) -> bool {
    trend.map_or(details["decreasing"] == true, |trend| trend == "decreasing")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(answer: Value, task: Value) -> String {
        question(&answer, Some(&task))
    }

    #[test]
    fn questions_are_sentences() {
        assert_eq!(
            of(json!({"question": "min", "class": "b"}), json!(null)),
            "How small can the margin of class b be?"
        );
        assert_eq!(
            of(json!({"question": "max"}), json!({"where": ["a < 1", "b > 2"], "domain": "x.csv"})),
            "How large can the margin be where (a < 1) and (b > 2) within what occurs in x.csv?"
        );
        for path in ["/long/way/x.csv", "C:\\way\\x.csv", "x.csv"] {
            assert_eq!(domain(Some(&json!({"domain": path}))).as_deref(), Some("x.csv"));
        }
        let robust = json!({"question": "robust", "norm": "linf", "radius": 0.5});
        assert_eq!(of(robust, json!(null)), "Do rows keep their label under all changes of at most 0.5 (l∞)?");
        let robust = json!({"question": "robust", "norm": "l0", "radius": 2});
        let task = json!({"question": {"robust": {"target": "yes"}}});
        assert_eq!(of(robust, task), "Do rows stay out of class yes under all changes of at most 2 features?");
        let task = json!({"question": {"closest": {"norm": "l1", "output_above": 3}}});
        assert_eq!(
            of(json!({"question": "closest"}), task),
            "How far is the closest input with an output above 3, measured by l1?"
        );
        let task = json!({"question": {"fair": {"protected": ["age", "sex"]}}});
        assert_eq!(of(json!({"question": "fair"}), task), "Are inputs treated alike that differ only in age and sex?");
        let falling = json!({"question": "monotone", "feature": "age", "trend": "decreasing"});
        assert_eq!(of(falling, json!(null)), "Does the margin never rise as age rises?");
        assert_eq!(of(json!({"question": "new"}), json!(7)), "new?");
        assert_eq!(protected(&json!({"protected": ["a, b", "c:{1,2}|{3}"]})), "a, b and c:{1,2}|{3}");
    }
}
