//! What was asked, in words.

use serde_json::Value;

use crate::about::About;
use crate::words::{clean, counted, norm_name, number, several};

/// Features that are named in a sentence; the task has all.
const SHOWN_WEIGHTS: usize = 12;

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
    if let Some(start) = start(task) {
        text.push_str(&format!(" from {start}"));
    }
    let conditions = conditions(task);
    if let [condition] = conditions.as_slice() {
        text.push_str(&format!(" where {condition}"));
    } else if !conditions.is_empty() {
        text.push_str(&format!(" where ({})", conditions.join(") and (")));
    }
    if let Some(domain) = domain(task) {
        let comma = if text.is_empty() { "" } else { "," };
        text.push_str(&format!("{comma} within what occurs in {domain}"));
    }
    text
}

/// Where `dominant` begins; none if it may begin anywhere.
pub(crate) fn start(task: Option<&Value>) -> Option<String> {
    let details = task.and_then(|task| task["question"].get("dominant"))?;
    let values = |text: &str| items(text).iter().map(|item| clean(item)).collect::<Vec<_>>();
    let row = match &details["baseline"] {
        Value::Number(row) => {
            let of = data(task).map(|name| format!(" of {name}")).unwrap_or_default();
            vec![format!("row {row}{of}")]
        }
        Value::String(text) => values(text),
        list => names(list).iter().flat_map(|text| values(text)).collect(),
    };
    let given: Vec<String> = names(&details["given"]).iter().flat_map(|text| values(text)).collect();
    let all: Vec<String> = row.into_iter().chain(given).collect();
    if all.is_empty() { None } else { Some(several(&all)) }
}

/// The models that were asked about: the names of their files, as far as they have any.
pub(crate) fn models(about: &About) -> Vec<String> {
    about.models.iter().filter_map(|model| model["file"].as_str()).map(file_name).collect()
}

/// The data that is asked about, row by row: none if it has no name.
pub(crate) fn data(task: Option<&Value>) -> Option<String> {
    task?["data"].as_str().map(file_name).filter(|name| name != "data")
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

/// How distances along features make one.
pub(crate) fn norm<'v>(answer: &'v Value, details: &'v Value) -> &'v str {
    either(answer, details, "norm").as_str().unwrap_or("linf")
}

/// Whether distances are in standard deviations, and not in the units of the columns.
pub(crate) fn is_scaled(details: &Value) -> bool {
    details["scale"].is_string()
}

/// Whether features count differently.
fn is_weighted(details: &Value) -> bool {
    details["weights"].as_object().is_some_and(|weights| !weights.is_empty())
}

/// A distance with its unit, where it has one.
pub(crate) fn far(distance: &Value, answer: &Value, details: &Value) -> String {
    let text = number(distance);
    let unit = match norm(answer, details) {
        _ if is_weighted(details) => "",
        "l0" => "change",
        _ if is_scaled(details) => "standard deviation",
        _ => "",
    };
    match (unit, text.as_str()) {
        ("", _) => text,
        (unit, "1") => format!("1 {unit}"),
        (unit, _) => format!("{text} {unit}s"),
    }
}

/// The radius with its unit; none if there is none.
pub(crate) fn radius(answer: &Value, details: &Value) -> Option<String> {
    Some(either(answer, details, "radius"))
        .filter(|radius| !radius.is_null())
        .map(|radius| far(radius, answer, details))
}

/// What is near: by the number of features that change, or by how far they do.
pub(crate) fn near(answer: &Value, details: &Value) -> String {
    let radius = radius(answer, details).unwrap_or_else(|| "an unknown radius".to_owned());
    match norm(answer, details) {
        "l0" if !is_weighted(details) => format!("changes of at most {}", radius.replace("change", "feature")),
        norm => format!("changes of at most {radius} ({})", clean(norm_name(norm))),
    }
}

/// Two inputs that are near.
pub(crate) fn apart(answer: &Value, details: &Value) -> String {
    let radius = radius(answer, details).unwrap_or_else(|| "an unknown radius".to_owned());
    match norm(answer, details) {
        "l0" if radius == "1 change" => "two inputs that differ in 1 feature".to_owned(),
        "l0" if !is_weighted(details) => {
            format!("two inputs that differ in at most {}", radius.replace("change", "feature"))
        }
        _ => format!("two inputs at most {radius} apart"),
    }
}

/// How distances are measured, in sentences: a radius means nothing without its unit.
pub(crate) fn measure(answer: &Value, details: &Value) -> Vec<String> {
    let how = match norm(answer, details) {
        "linf" => "the largest change of a feature (l∞)",
        "l2" => "the root of the sum of squared changes (l2)",
        "l1" => "the sum of the changes of all features (l1)",
        "l0" => "the number of features that change (l0)",
        _ => return vec![],
    };
    let mut told = vec![format!("A distance is {how}.")];
    if let Some(file) = details["scale"].as_str().map(|scale| scale.strip_prefix("std:").unwrap_or(scale)) {
        told.push(format!(
            "Each change of a number is divided by the feature's standard deviation in {}.",
            file_name(file)
        ));
    }
    if let Some(weights) = details["weights"].as_object().filter(|weights| !weights.is_empty()) {
        let mut shown: Vec<String> = weights
            .iter()
            .take(SHOWN_WEIGHTS)
            .map(|(name, weight)| format!("{} by {}", clean(name), number(weight)))
            .collect();
        let more = weights.len().saturating_sub(SHOWN_WEIGHTS);
        shown.extend((more > 0).then(|| counted(more as u64, "other")));
        told.push(format!("Changes are multiplied by weights: {}.", several(&shown)));
    }
    for (name, what) in
        [("missing_cost", "To go missing, or to cease to be, counts"), ("category_cost", "Another category counts")]
    {
        if !details[name].is_null() {
            told.push(format!("{what} {}.", number(&details[name])));
        }
    }
    told
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
            let how = match norm(answer, details) {
                "l0" => "in the number of changes",
                "l1" => "by the sum of changes (l1)",
                "l2" => "in Euclidean distance (l2)",
                _ => "by the largest change (l∞)",
            };
            let unit = if is_scaled(details) { ", in standard deviations" } else { "" };
            format!("How far is the closest input {}, {how}{unit}", wanted(details))
        }
        "dominant" => {
            let moves = if details["decrease"] == true { "lower" } else { "raise" };
            match details["at_most"].as_u64() {
                _ if details["each"] == true => format!("How far does each attribute alone {moves} the {margin}"),
                Some(1) => format!("Which attribute {moves}s the {margin} most"),
                Some(few) => format!("Which attributes, {few} at most, {moves} the {margin} most"),
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
        "diff" if within.as_f64() == Some(0.0) => "Are the margins of two models the same".to_owned(),
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
            "How large can the margin be where (a < 1) and (b > 2), within what occurs in x.csv?"
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
            "How far is the closest input with an output above 3, by the sum of changes (l1)?"
        );
        let stable = json!({"question": "stable", "norm": "l1", "radius": 0.5});
        let task = json!({"question": {"stable": {"norm": "l1", "radius": 0.5, "scale": "std:way/x.csv"}}});
        assert_eq!(
            of(stable, task),
            "How far can the margin jump under changes of at most 0.5 standard deviations (l1)?"
        );
        let task =
            json!({"question": {"dominant": {"baseline": 3, "at_most": 2}}, "data": "way/x.csv", "domain": "y.csv"});
        assert_eq!(
            of(json!({"question": "dominant"}), task),
            "Which attributes, 2 at most, raise the margin most from row 3 of x.csv, within what occurs in y.csv?"
        );
        let task =
            json!({"question": {"dominant": {"baseline": ["age=30, bmi=25"], "given": ["sex=1"], "at_most": 1}}});
        assert_eq!(
            of(json!({"question": "dominant"}), task),
            "Which attribute raises the margin most from age=30, bmi=25 and sex=1?"
        );
        let task = json!({"question": {"fair": {"protected": ["age", "sex"]}}});
        assert_eq!(of(json!({"question": "fair"}), task), "Are inputs treated alike that differ only in age and sex?");
        let falling = json!({"question": "monotone", "feature": "age", "trend": "decreasing"});
        assert_eq!(of(falling, json!(null)), "Does the margin never rise as age rises?");
        assert_eq!(of(json!({"question": "new"}), json!(7)), "new?");
        let task = json!({"question": {"diff": {"within": 0.0}}});
        assert_eq!(of(json!({"question": "diff"}), task), "Are the margins of two models the same?");
        assert_eq!(protected(&json!({"protected": ["a, b", "c:{1,2}|{3}"]})), "a, b and c:{1,2}|{3}");
    }

    #[test]
    fn a_radius_has_its_unit() {
        let scaled = json!({"norm": "linf", "scale": "std:way/x.csv", "weights": {}});
        assert_eq!(far(&json!(0.1), &Value::Null, &scaled), "0.1 standard deviations");
        assert_eq!(
            measure(&Value::Null, &scaled),
            [
                "A distance is the largest change of a feature (l∞).",
                "Each change of a number is divided by the feature's standard deviation in x.csv."
            ]
        );
        let weighted = json!({"norm": "l0", "weights": {"age": 2.0}, "category_cost": 3});
        assert_eq!(far(&json!(2), &Value::Null, &weighted), "2");
        assert_eq!(
            measure(&Value::Null, &weighted)[1..],
            ["Changes are multiplied by weights: age by 2.", "Another category counts 3."]
        );
        assert_eq!(far(&json!(1.0), &Value::Null, &json!({"norm": "l0"})), "1 change");
    }
}
