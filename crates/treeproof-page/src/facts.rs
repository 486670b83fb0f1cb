//! What an answer says beside its sentence: facts by name.

use serde_json::Value;

use crate::about::About;
use crate::answer::{count, is_exact, list};
use crate::question::{domain, file_name, is_about_labels};
use crate::surface::Surface;
use crate::words::{clean, counted, number, percent, rough, short, value};

/// From here on a number convinces nobody.
const HUGE: f64 = 1e9;

/// Facts by name.
pub(crate) type Facts = Vec<(String, String)>;

/// The facts of an answer.
pub(crate) fn facts(answer: &Value, about: &About, surface: Surface) -> Facts {
    let mut facts = vec![];
    bounds(&mut facts, answer, about);
    found(&mut facts, answer, about, surface);
    both_ends(&mut facts, answer, about, surface);
    summary(&mut facts, answer, surface);
    if let Some(others) = others(answer) {
        tell(&mut facts, "others", others);
    }
    if let Some(seconds) = answer["seconds"].as_f64().or(answer["summary"]["seconds"].as_f64()) {
        let regions = answer["stats"]["regions"].as_u64();
        let regions = regions.map(|many| format!(", {}", counted(many, "region"))).unwrap_or_default();
        tell(&mut facts, "time", format!("{seconds:.2} s{regions}"));
    }
    if list(answer, "regions")
        .iter()
        .any(|region| region["domain"].as_object().is_some_and(|domain| !domain.is_empty()))
        && about.models.first().and_then(|model| model["input"].as_str()).is_some_and(|input| input.contains("f32"))
    {
        let note = "the model rounds numbers to f32: the ends below are those of the f64 numbers before that";
        tell(&mut facts, "note", note.to_owned());
    }
    if is_unconfined(about.task.as_ref()) && is_huge(answer) {
        let what = if answer["question"] == "maximise" { "a domain".to_owned() } else { surface.option("domain") };
        tell(&mut facts, "hint", format!("{what} confines the features to what occurs in data"));
    }
    facts
}

/// What was found, as the library computes it.
pub(crate) fn found(facts: &mut Facts, answer: &Value, about: &About, surface: Surface) {
    // Elsewhere this is among what was proved and what was not.
    let rounding = answer["rounding"].as_f64().filter(|_| surface.is_brief);
    if !answer["output"].is_null() {
        let sums = if answer["output"].is_object() { "sums" } else { "sum" };
        let near = rounding.map(|rounding| format!(" (within {rounding:.1e} of the exact {sums})"));
        let near = near.unwrap_or_default();
        tell(facts, "output", format!("{}, as the library computes it{near}", both(answer, "output")));
    }
    let margins = about.task.as_ref().map_or(&[][..], |task| list(task, "maximise"));
    for (place, output) in list(answer, "outputs").iter().enumerate() {
        tell(facts, "output", margins.get(place).map_or(value(output), |margin| summand(margin, output)));
    }
    if let Some(rounding) = rounding.filter(|_| !answer["outputs"].is_null()) {
        tell(facts, "rounding", format!("the libraries' own sums are within {rounding:.1e} of the exact one"));
    }
    for name in ["probability", "prediction"] {
        if !answer[name].is_null() {
            tell(facts, name, both(answer, name));
        }
    }
    if surface.is_brief
        && answer["probability"].is_object()
        && is_exact(answer)
        && answer["upper"].as_f64() != Some(0.0)
    {
        tell(facts, "note", "margins are compared; probabilities may differ more elsewhere".to_owned());
    }
    if !answer["label"].is_null() {
        tell(facts, "label", value(&answer["label"]));
    }
    let near = &answer["nearest_row"];
    let sides = near.as_object().filter(|_| near["row"].is_null()).into_iter().flatten();
    for (side, nearest) in sides {
        let text = self::nearest(nearest, own_domain(about.task.as_ref(), side));
        facts.extend(text.map(|text| (format!("nearest ({})", clean(side)), text)));
    }
    let text = nearest(near, own_domain(about.task.as_ref(), "a"));
    facts.extend(text.map(|text| ("nearest row".to_owned(), text)));
}

/// Of a range: what the table of both ends has no room for.
fn both_ends(facts: &mut Facts, answer: &Value, about: &About, surface: Surface) {
    let ends = [("smallest", &answer["min"]), ("largest", &answer["max"])];
    let rounding = ends.iter().filter_map(|(_, end)| end["rounding"].as_f64()).max_by(f64::total_cmp);
    if let Some(rounding) = rounding.filter(|_| surface.is_brief) {
        tell(facts, "rounding", format!("the library's own sums are within {rounding:.1e} of the exact ones"));
    }
    for (name, end) in ends {
        let text = nearest(&end["nearest_row"], own_domain(about.task.as_ref(), "a"));
        facts.extend(text.map(|text| (format!("nearest ({name})"), text)));
    }
}

fn tell(facts: &mut Facts, name: &str, text: String) {
    facts.push((name.to_owned(), text));
}

/// By how much labels are clear of the decision is no number that people ask for. Of a range, the table has both ends.
fn bounds(facts: &mut Facts, answer: &Value, about: &About) {
    let has_bounds = !(answer["lower"].is_null() && answer["upper"].is_null()) && answer["min"].is_null();
    let is_infeasible = answer["verdict"] == "infeasible";
    if has_bounds && !is_infeasible && is_about_labels(answer, about) != Some(true) {
        tell(facts, "bounds", format!("at least {}, at most {}", number(&answer["lower"]), number(&answer["upper"])));
        // Of what is exact, only rounding is left.
        if let Some(gap) = answer["gap"].as_f64().filter(|gap| *gap > 0.0 && !is_exact(answer)) {
            tell(facts, "gap", short(gap));
        }
    }
}

/// What answers about rows or checks say together.
fn summary(facts: &mut Facts, answer: &Value, surface: Surface) {
    let summary = &answer["summary"];
    if let Some(accuracy) = summary["accuracy"].as_f64() {
        tell(facts, "accuracy", percent(accuracy));
    }
    if let Some(certified) = summary["certified_accuracy"].as_f64() {
        tell(facts, "certified accuracy", format!("{}: right and robust", percent(certified)));
    }
    let unlabelled = count(summary, "unlabelled");
    if unlabelled > 0 {
        tell(facts, "without label", format!("{}, in no accuracy", counted(unlabelled, "row")));
    }
    if !summary["median_distance"].is_null() {
        tell(facts, "median distance", number(&summary["median_distance"]));
    }
    // Elsewhere this is among what was proved and what was not.
    if surface.is_brief {
        let excluded = summary["asked"].as_u64().map_or(0, |asked| count(summary, "rows").saturating_sub(asked));
        if excluded > 0 {
            tell(facts, "left out", format!("{}, which the conditions or data exclude", counted(excluded, "row")));
        }
        let left = count(summary, "left");
        if left > 0 {
            tell(facts, "not asked", format!("{}: interrupted", counted(left, "row")));
        }
        let statements = list(answer, "statements").iter().zip(list(answer, "proved"));
        for (text, proved) in statements.filter_map(|(text, proved)| Some((text.as_str()?, proved))) {
            let name =
                proved["name"].as_str().map_or(String::new(), |name| format!("; the proof calls this \"{name}\""));
            tell(facts, "checked", clean(&format!("{text}{name}")));
        }
        for text in list(answer, "readings").iter().filter_map(Value::as_str) {
            tell(facts, "checked", clean(text));
        }
    }
    if answer["changes"].as_array().is_some_and(Vec::is_empty) {
        tell(facts, "changes", "none moves it that way".to_owned());
    }
}

/// How large the configurations are that are not listed.
fn others(answer: &Value) -> Option<String> {
    answer["regions"].as_array()?;
    Some(match (&answer["others_at_most"], answer["verdict"] == "optimal") {
        (Value::Null, true) => "there are none".to_owned(),
        (Value::Null, false) => "not known".to_owned(),
        (others, _) => format!("at most {}", number(others)),
    })
}

/// A margin that is added or subtracted.
fn summand(margin: &Value, output: &Value) -> String {
    let sign = if margin["sign"].as_i64().is_some_and(|sign| sign < 0) { "-" } else { "+" };
    let class = &margin["class"];
    let class = if class.is_null() { String::new() } else { format!(", class {}", value(class)) };
    let input = if margin["input"].is_null() { "a".to_owned() } else { value(&margin["input"]) };
    format!("{sign} {} of {} at {input}{class}", value(output), value(&margin["model"]))
}

/// A number of one input or of two. Of many classes, those tell that the labels are about.
fn both(answer: &Value, name: &str) -> String {
    let [a, b] = ["a", "b"].map(|side| list(&answer[name], side));
    let labels = ["a", "b"].map(|side| &answer["label"][side]);
    let places = [largest(a), largest(b)];
    let ([Some(one), Some(other)], true) = (places, a.len() == b.len() && !labels[0].is_null()) else {
        return value(&answer[name]);
    };
    if (one == other) != (labels[0] == labels[1]) {
        // Somebody else's labels.
        return value(&answer[name]);
    }
    let of =
        |place: usize, label: &Value| format!("{} → {} for class {}", value(&a[place]), value(&b[place]), value(label));
    if one == other { of(one, labels[0]) } else { format!("{}, {}", of(one, labels[0]), of(other, labels[1])) }
}

fn largest(numbers: &[Value]) -> Option<usize> {
    let number = |place: &usize| numbers[*place].as_f64().unwrap_or(f64::NEG_INFINITY);
    // The first of those that are equal, as libraries choose labels.
    (0..numbers.len()).rev().max_by(|one, other| number(one).total_cmp(&number(other)))
}

/// How far what was found is from a real row.
fn nearest(nearest: &Value, domain: Option<String>) -> Option<String> {
    let row = value(nearest.get("row").filter(|row| !row.is_null())?);
    let differ = match nearest["changed"].as_u64() {
        Some(0) => "the same".to_owned(),
        Some(1) => "1 feature differs".to_owned(),
        Some(many) => format!("{} differ", counted(many, "feature")),
        None => String::new(),
    };
    let distance = nearest["distance"].as_f64().filter(|distance| *distance > 0.0);
    let distance = distance.map(|distance| format!(", scaled distance {}", rough(distance))).unwrap_or_default();
    let of = domain.map(|name| format!(" of {name}")).unwrap_or_default();
    Some(format!("row {row}{of}: {differ}{distance}"))
}

/// The data that confines an input: of a task, or of one of its inputs.
fn own_domain(task: Option<&Value>, side: &str) -> Option<String> {
    let inputs = &task?["inputs"];
    let of = |side: &str| inputs[side]["domain"].as_str().map(file_name);
    domain(task).or_else(|| of(side)).or_else(|| of(inputs[side]["same_as"].as_str()?))
}

/// Whether features may be anything. What is not known to be so is taken for confined.
fn is_unconfined(task: Option<&Value>) -> bool {
    task.is_some_and(|task| own_domain(Some(task), "a").is_none())
}

/// Whether some number of what was found is so large that it convinces nobody.
fn is_huge(answer: &Value) -> bool {
    let parts =
        list(answer, "features").iter().chain(list(answer, "rows")).chain(["min", "max"].map(|end| &answer[end]));
    let mut witnesses = parts.chain([answer]).filter(|_| answer["unit"] != "distance").map(|part| &part["witness"]);
    let is_large = |value: &Value| value.as_f64().is_some_and(|number| number.abs() >= HUGE);
    let values = |input: &Value| input.as_object().is_some_and(|input| input.values().any(is_large));
    witnesses.any(|witness| values(witness) || values(&witness["a"]) || values(&witness["b"]))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::surface::Spelling;

    fn told(answer: &Value, task: Value) -> Vec<String> {
        let about = About { task: Some(task), ..About::default() };
        let told = facts(answer, &about, Surface::brief(Spelling::Flags));
        told.into_iter().map(|(name, text)| format!("{name}: {text}")).collect()
    }

    #[test]
    fn facts_are_told_by_name() {
        let answer = json!({"question": "max", "verdict": "undecided", "lower": 1, "upper": 2.5, "gap": 1.5, "output": 1.0, "rounding": 1e-9,
            "probability": 0.75, "nearest_row": {"row": 3, "changed": 1, "distance": 0.125}, "seconds": 0.5, "stats": {"regions": 1200}});
        assert_eq!(
            told(&answer, json!({"domain": "way/x.csv"})),
            [
                "bounds: at least 1, at most 2.5",
                "gap: 1.5",
                "output: 1, as the library computes it (within 1.0e-9 of the exact sum)",
                "probability: 0.75",
                "nearest row: row 3 of x.csv: 1 feature differs, scaled distance 0.12",
                "time: 0.50 s, 1,200 regions"
            ]
        );
    }

    #[test]
    fn of_many_classes_those_are_told_that_labels_are_about() {
        let answer = json!({"question": "fair", "verdict": "violated", "label": {"a": "u", "b": "w"},
            "output": {"a": [3.0, 1.0, 2.0], "b": [0.5, 1.0, 2.5]}});
        assert_eq!(
            told(&answer, json!({}))[0],
            "output: 3 → 0.5 for class u, 2 → 2.5 for class w, as the library computes it"
        );
        let same =
            json!({"question": "diff", "label": {"a": "u", "b": "u"}, "output": {"a": [3.0, 1.0], "b": [2.5, 1.0]}});
        assert_eq!(told(&same, json!({}))[0], "output: 3 → 2.5 for class u, as the library computes it");
        let other = json!({"question": "diff", "output": {"a": [3.0, 1.0], "b": [2.5, 1.0]}});
        assert_eq!(told(&other, json!({}))[0], "output: (3, 1) → (2.5, 1), as the library computes it");
    }

    #[test]
    fn two_inputs_have_their_own_rows_and_margins_their_signs() {
        let near = json!({"a": {"row": 1, "changed": 0}, "b": {"row": 2, "changed": 3, "distance": 1e-4}});
        let answer = json!({"question": "maximise", "outputs": [1.5, 2], "nearest_row": near});
        let task = json!({"maximise": [{"model": "m"}, {"model": "m", "input": "b", "sign": -1, "class": "c"}],
                          "inputs": {"a": {"domain": "x.csv"}, "b": {"same_as": "a"}}});
        assert_eq!(
            told(&answer, task),
            [
                "output: + 1.5 of m at a",
                "output: - 2 of m at b, class c",
                "nearest (a): row 1 of x.csv: the same",
                "nearest (b): row 2 of x.csv: 3 features differ, scaled distance 1.0e-4"
            ]
        );
    }

    #[test]
    fn huge_numbers_earn_a_hint_where_data_would_help() {
        let answer = json!({"question": "range", "min": {"witness": {"x": 1}}, "max": {"witness": {"x": -2e9}}});
        assert_eq!(told(&answer, json!({})), ["hint: --domain confines the features to what occurs in data"]);
        assert!(told(&answer, json!({"domain": "x.csv"})).is_empty());
    }
}
