//! What is known of the models that were asked about.

use maud::{Markup, html};
use serde_json::Value;

use super::{Context, heading, table};
use crate::grid::{Cell, Grid, Group, columns};
use crate::words::{clean, grouped, short, value};

/// Facts by their names in JSON, and for people.
const FACTS: [(&str, &str); 17] = [
    ("file", "file"),
    ("sha256", "SHA-256"),
    ("format", "format"),
    ("version", "written by"),
    ("objective", "objective"),
    ("classes", "classes"),
    ("trees", "trees"),
    ("leaves", "leaves"),
    ("depth", "depth"),
    ("features", "features"),
    ("features_used", "features used"),
    ("thresholds", "distinct thresholds"),
    ("input", "input"),
    ("missing", "missing values"),
    ("arithmetic", "arithmetic"),
    ("label_rule", "label"),
    ("rounding", "rounding"),
];

pub(super) fn models(models: &[Value], level: usize, context: &mut Context) -> Markup {
    let text = |model: &Value, name: &str| match &model[name] {
        Value::Null => String::new(),
        Value::Array(list) if name == "classes" => list.iter().map(value).collect::<Vec<_>>().join(", "),
        Value::Array(list) => grouped(list.len() as u64),
        Value::Number(count) if count.is_u64() => count.as_u64().map_or(String::new(), grouped),
        rounding if name == "rounding" => rounding.as_f64().map_or(String::new(), |rounding| {
            format!("the library's sum is within {} of the exact one", short(rounding))
        }),
        Value::String(text) => clean(text),
        other => value(other),
    };
    let rows = FACTS.iter().filter_map(|(name, word)| {
        let texts: Vec<String> = models.iter().map(|model| text(model, name)).collect();
        let is_told = texts.iter().any(|text| !text.is_empty());
        is_told.then(|| std::iter::once(Cell::head(*word)).chain(texts.into_iter().map(Cell::new)).collect())
    });
    let rows: Vec<Vec<Cell>> = rows.collect();
    let mut names = vec!["fact".to_owned()];
    match models.len() {
        1 => names.push("value".to_owned()),
        many => names.extend((1..=many).map(|place| format!("model {place}"))),
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let (title, caption) = match models.len() {
        1 => ("The model", "What is in the file"),
        _ => ("The models", "What is in the files"),
    };
    let grid = Grid {
        caption: caption.to_owned(),
        columns: columns(&names),
        groups: vec![Group::of(rows)],
        ..Grid::default()
    };
    html! { @if !models.is_empty() { (heading(level, None, title)) div class="model" { (table::table(&grid, context)) } } }
}
