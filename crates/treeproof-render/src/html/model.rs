//! The table of facts about the models that were asked about.

use maud::{Markup, html};
use treeproof_report::ModelFacts;

use super::{Context, heading, table};
use crate::tables::{PageTable, TableCell};
use crate::words::{clean, grouped, short};

/// A fact about a model as text; empty if it is not known.
type Fact = fn(&ModelFacts) -> String;

/// The facts about a model, by their names for people.
const FACTS: [(&str, Fact); 17] = [
    ("file", |model| text(model.file.as_deref())),
    ("SHA-256", |model| text(model.sha256.as_deref())),
    ("format", |model| clean(&model.format)),
    ("written by", |model| text(model.version.as_deref())),
    ("objective", |model| text(model.objective.as_deref())),
    ("classes", |model| clean(&model.classes.join(", "))),
    ("trees", |model| grouped(model.trees)),
    ("leaves", |model| grouped(model.leaves)),
    ("depth", |model| grouped(model.depth)),
    ("features", |model| grouped(model.features)),
    ("features used", |model| grouped(model.features_used)),
    ("distinct thresholds", |model| grouped(model.thresholds)),
    ("input", |model| clean(&model.input)),
    ("missing values", |model| clean(&model.missing)),
    ("arithmetic", |model| clean(&model.arithmetic)),
    ("label", |model| clean(&model.label_rule)),
    ("rounding", |model| {
        model.rounding.map_or(String::new(), |rounding| {
            format!("the library's sum is within {} of the exact one", short(rounding))
        })
    }),
];

fn text(fact: Option<&str>) -> String {
    fact.map_or(String::new(), clean)
}

pub(super) fn models(models: &[ModelFacts], level: usize, context: &mut Context) -> Markup {
    let rows = FACTS.iter().filter_map(|(name, fact)| {
        let texts: Vec<String> = models.iter().map(fact).collect();
        let is_told = texts.iter().any(|text| !text.is_empty());
        is_told.then(|| std::iter::once(TableCell::head(*name)).chain(texts.into_iter().map(TableCell::new)).collect())
    });
    let rows: Vec<Vec<TableCell>> = rows.collect();
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
    let grid = PageTable::new(caption, &names, rows, String::new());
    html! { @if !models.is_empty() { (heading(level, None, title)) div class="model" { (table::table(&grid, context)) } } }
}
