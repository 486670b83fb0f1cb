//! Answers that are lists: features, attributes, configurations, checks.

use serde_json::Value;

use crate::about::About;
use crate::answer::{answer, list};
use crate::grid::{Cell, Grid, Group, Look, Tone, columns, left_out, signed};
use crate::surface::Surface;
use crate::words::{change, clean, counted, decimal, number, short, value};

fn grid(caption: &str, names: &[&str], rows: Vec<Vec<Cell>>, more: String) -> Grid {
    let is_long = rows.len() > 10;
    let groups = vec![Group::of(rows)];
    Grid { caption: caption.to_owned(), columns: columns(names), groups, more, is_long, ..Grid::default() }
}

/// A bar for each of some bounds, as a share of the largest.
fn bars(answers: &[Value]) -> impl Fn(&Value) -> Look {
    let ends = |one: &Value| {
        let found = one["lower"].as_f64().unwrap_or(0.0).max(0.0);
        (found, one["upper"].as_f64().unwrap_or(found).max(found))
    };
    let largest = answers.iter().map(|one| ends(one).1).fold(0.0, f64::max);
    move |one| {
        let (found, most) = ends(one);
        let share = |x: f64| if largest > 0.0 { (x / largest).clamp(0.0, 1.0) } else { 0.0 };
        Look::Bar { found: share(found), most: share(most) }
    }
}

fn between(one: &Value, text: impl Fn(f64) -> String) -> Cell {
    let bound = |name: &str| one[name].as_f64();
    match (bound("lower"), bound("upper")) {
        (Some(lower), Some(upper)) if short(lower) == short(upper) => Cell::new(text(lower)).sorted_by(Some(lower)),
        (Some(lower), Some(upper)) => Cell::new(format!("{} to {}", text(lower), text(upper))).sorted_by(Some(lower)),
        (Some(lower), None) => Cell::new(format!("{} or more", text(lower))).sorted_by(Some(lower)),
        (None, Some(upper)) => Cell::new(format!("{} or less", text(upper))).sorted_by(Some(upper)),
        (None, None) => Cell::new("?"),
    }
}

/// The features of `monotone`.
pub(crate) fn features(answers: &[Value], surface: Surface) -> Grid {
    let bar = bars(answers);
    let line = |one: &Value| {
        vec![
            Cell::head(value(&one["feature"])),
            Cell::badge(one["verdict"].as_str().unwrap_or_default()),
            between(one, short),
            Cell { look: bar(one), ..Cell::default() },
        ]
    };
    let mut shown: Vec<&Value> = answers.iter().collect();
    if shown.len() > surface.listed {
        // Where not all can be shown, those that hold tell least.
        let by = |one: &Value| one["lower"].as_f64().unwrap_or(0.0);
        shown.sort_by(|one, other| by(other).total_cmp(&by(one)));
        shown.sort_by_key(|one| Tone::of(one["verdict"].as_str().unwrap_or_default()) == Tone::Good);
    }
    let rows = shown.into_iter().take(surface.listed).map(line).collect();
    let more = left_out(answers.len().saturating_sub(surface.listed), "feature", surface);
    grid("Feature by feature", &["feature", "verdict", "largest violation#", "compared"], rows, more)
}

/// What each attribute of `dominant` does by itself.
pub(crate) fn attributes(answer: &Value, is_falling: bool, surface: Surface) -> Grid {
    let all = list(answer, "attributes");
    let bar = bars(all);
    let effect = |end: f64| signed(if is_falling { -end } else { end });
    let line = |one: &Value| {
        let moved = if one["to"].is_null() { "(no change)".to_owned() } else { change(&one["from"], &one["to"]) };
        vec![
            Cell::head(value(&one["attribute"])),
            Cell::new(moved),
            between(one, effect),
            Cell { look: bar(one), ..Cell::default() },
        ]
    };
    let rows = all.iter().take(surface.listed).map(line).collect();
    let mut more = vec![left_out(all.len().saturating_sub(surface.listed), "attribute", surface)];
    if let Some(untested) = answer["untested"].as_u64().filter(|untested| *untested > 0) {
        more.push(format!("{} that no tree tests.", counted(untested, "more attribute")));
    }
    more.retain(|text| !text.is_empty());
    grid(
        "What each attribute does by itself, the largest effect first",
        &["attribute", "change", "effect#", "compared"],
        rows,
        more.join(" "),
    )
}

/// The changes of `dominant`.
pub(crate) fn moves(changes: &[Value], surface: Surface) -> Grid {
    let line = |one: &Value| {
        let effect = one["effect"].as_f64();
        let text = effect.map_or("?".to_owned(), signed);
        vec![
            Cell::head(value(&one["attribute"])),
            Cell::value(&one["from"]),
            Cell::value(&one["to"]),
            Cell::new(text).sorted_by(effect),
        ]
    };
    let rows = changes.iter().take(surface.listed).map(line).collect();
    let more = left_out(changes.len().saturating_sub(surface.listed), "change", surface);
    grid("What changes", &["attribute", "from#", "to#", "effect by itself#"], rows, more)
}

/// The configurations of `enumerate`: outputs, and the inputs that have them.
pub(crate) fn configurations(regions: &[Value], surface: Surface) -> Grid {
    let has = |name: &str| regions.iter().any(|region| region[name].is_number());
    let extra: Vec<&str> = ["probability", "prediction"].into_iter().filter(|name| has(name)).collect();
    let line = |(place, region): (usize, &Value)| {
        let domain = region["domain"].as_object().into_iter().flatten();
        // What the question asks anyway need not be told.
        let narrowed = domain.filter(|(_, values)| values["as_asked"] != true);
        let mut lines: Vec<String> = narrowed.map(|(name, values)| condition(name, values)).collect();
        let hidden = lines.len().saturating_sub(surface.conditions);
        lines.truncate(surface.conditions);
        if hidden > 0 {
            lines.push(format!("{hidden} more ({})", surface.all()));
        }
        if lines.is_empty() {
            lines.push("all inputs".to_owned());
        }
        #[expect(clippy::cast_precision_loss, reason = "places are small")]
        let number_of = Cell { text: (place + 1).to_string(), sort: Some((place + 1) as f64), look: Look::Head(None) };
        let mut cells = vec![number_of, Cell::value(&region["output"])];
        cells.extend(extra.iter().map(|name| Cell::number(region[*name].as_f64())));
        let text = lines.join(" and ");
        cells.push(Cell { text, sort: None, look: Look::Lines(lines) });
        cells
    };
    let rows = regions.iter().take(surface.listed).enumerate().map(line).collect();
    let more = left_out(regions.len().saturating_sub(surface.listed), "configuration", surface);
    let mut names = vec!["place#".to_owned(), "output#".to_owned()];
    names.extend(extra.iter().map(|name| format!("{name}#")));
    names.push("inputs".to_owned());
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    grid("Output configurations, best first", &names, rows, more)
}

/// The values of a feature as `--where` takes them, as far as that goes.
fn condition(name: &str, values: &Value) -> String {
    let name = quoted(name);
    let is_missing_too = values["missing"] == true;
    let text = if values["values"].is_array() {
        let mut known: Vec<String> = list(values, "values").iter().map(value).collect();
        known.extend((values["unknown"] == true).then(|| "no known category".to_owned()));
        if known.is_empty() && values["missing"] == true {
            return format!("missing({name})");
        }
        if let ([number], [text]) = (list(values, "values"), &known[..])
            && number.is_number()
        {
            return format!("{name} == {text}{}", if is_missing_too { ", or missing" } else { "" });
        }
        format!("{name} in {{{}}}", known.join(", "))
    } else {
        let interval = |ends: &Value| match (&ends["low"], &ends["high"]) {
            (Value::Null, Value::Null) if is_missing_too => format!("{name} is any number"),
            (Value::Null, Value::Null) => format!("not missing({name})"),
            (low, Value::Null) => format!("{name} >= {}", number(low)),
            (Value::Null, high) => format!("{name} {}", below(high)),
            (low, high) if is_next(low, high) => format!("{name} == {}", number(low)),
            (low, high) => format!("{} <= {name} {}", number(low), below(high)),
        };
        let intervals: Vec<String> = match list(values, "intervals") {
            [] => vec![interval(values)],
            several => several.iter().map(interval).collect(),
        };
        let mut text = intervals.join(" or ");
        let steps = list(values, "steps");
        if !steps.is_empty() && intervals.len() > 1 {
            text = format!("({text})");
        }
        for step in steps {
            text += &match number(step).as_str() {
                "1" => format!(" and integer({name})"),
                step => format!(" and step({name}, {step})"),
            };
        }
        text
    };
    if is_missing_too { format!("{text}, or missing") } else { text }
}

/// Backquoted where it is no plain word.
fn quoted(name: &str) -> String {
    let is_word = |sign: char| sign.is_alphanumeric() || sign == '_';
    let is_plain = name.chars().all(is_word) && !name.starts_with(|sign: char| sign.is_ascii_digit());
    if is_plain && !name.is_empty() { name.to_owned() } else { format!("`{}`", clean(name)) }
}

/// Whether there is no number between these.
fn is_next(low: &Value, high: &Value) -> bool {
    low.as_f64().map(f64::next_up) == high.as_f64()
}

/// Below a number, or up to the one before it, where that has the shorter text.
fn below(high: &Value) -> String {
    let open = number(high);
    let closed = high.as_f64().map(|high| decimal(high.next_down()));
    match closed.filter(|closed| closed.len() < open.len()) {
        Some(closed) => format!("<= {closed}"),
        None => format!("< {open}"),
    }
}

/// What is expected of a check, and what was measured.
pub(crate) fn expected(check: &Value) -> (String, String) {
    let limits = [("at most", "at_most"), ("at least", "at_least")];
    let limits = limits.iter().filter(|(_, name)| check[*name].is_number());
    let limits: Vec<String> = limits.map(|(word, name)| format!("{word} {}", number(&check[*name]))).collect();
    let measured = &check["measured"];
    let what = match measured["what"].as_str() {
        Some(what) if !limits.is_empty() => format!("{}: {}", clean(what), between(measured, short).text),
        _ => String::new(),
    };
    let limits = if limits.is_empty() { "holds".to_owned() } else { limits.join(" and ") };
    (limits, what)
}

/// The checks of an audit, each with a link to its section.
pub(crate) fn checks(answer_of: &Value, parts: &[About], id: &str, surface: Surface) -> Grid {
    let unknown = About::default();
    let line = |(place, check): (usize, &Value)| {
        let report = &check["report"];
        let found = match report {
            Value::Null => "not asked: interrupted".to_owned(),
            report => answer(report, parts.get(place).unwrap_or(&unknown), surface),
        };
        let (expected, measured) = expected(check);
        let lines: Vec<String> = [found, measured].into_iter().filter(|text| !text.is_empty()).collect();
        let is_allowed = check["outcome"] == "undecided" && check["passes"] == true;
        let outcome = if is_allowed { "undecided, allowed" } else { check["outcome"].as_str().unwrap_or_default() };
        let mut cells = vec![
            Cell { text: value(&check["name"]), sort: None, look: Look::Head(Some(format!("#{id}-{}", place + 1))) },
            Cell::badge(outcome),
            Cell::new(expected),
            Cell { text: lines.join(" "), sort: None, look: Look::Lines(lines) },
        ];
        if !surface.is_brief {
            let seconds = check["seconds"].as_f64();
            cells.push(Cell::number(seconds.map(|seconds| (seconds * 1000.0).round() / 1000.0)));
        }
        cells
    };
    let rows = list(answer_of, "checks").iter().enumerate().map(line).collect();
    let names = ["check", "outcome", "expected", "found", "seconds#"];
    grid("All checks", if surface.is_brief { &names[..4] } else { &names }, rows, String::new())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn conditions_are_told_as_people_write_them() {
        let told = |values: Value| condition("x", &values);
        assert_eq!(told(json!({"low": 1.5, "high": null})), "x >= 1.5");
        assert_eq!(
            told(json!({"intervals": [{"low": null, "high": 2.0}, {"low": 3.0, "high": null}], "missing": true})),
            "x < 2 or x >= 3, or missing"
        );
        assert_eq!(told(json!({"low": null, "high": null, "missing": false})), "not missing(x)");
        let tens = json!({"intervals": [{"low": null, "high": 2.0}, {"low": 7.0, "high": null}], "steps": [1.0]});
        assert_eq!(told(tens), "(x < 2 or x >= 7) and integer(x)");
        assert_eq!(told(json!({"low": 1.5, "high": null, "steps": [0.5]})), "x >= 1.5 and step(x, 0.5)");
        assert_eq!(told(json!({"values": ["u", 2], "unknown": true})), "x in {u, 2, no known category}");
        assert_eq!(told(json!({"values": [], "missing": true})), "missing(x)");
        assert_eq!(told(json!({"values": [49.0], "missing": true})), "x == 49, or missing");
        assert_eq!(told(json!({"low": 2.0, "high": 2.0_f64.next_up()})), "x == 2");
        assert_eq!(condition("a b", &json!({"low": 2.0})), "`a b` >= 2");
    }

    #[test]
    fn bars_are_shares_of_the_largest() {
        let answers = [json!({"lower": 2.0, "upper": 4.0}), json!({"lower": null, "upper": null})];
        let bar = bars(&answers);
        assert!(matches!(bar(&answers[0]), Look::Bar { found: 0.5, most: 1.0 }));
        assert!(matches!(bar(&answers[1]), Look::Bar { found: 0.0, most: 0.0 }));
    }
}
