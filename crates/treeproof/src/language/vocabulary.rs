//! Which feature and which category a condition means.

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::input::{Feature, FeatureKind, InputRules, Reading};

use super::error::LanguageError;
use super::expression::{Condition, FeatureName, Literal};
use crate::suggest::closest;

/// How many names a message lists.
const LISTED: usize = 8;

/// The position of the feature that a condition names: by name, else `f0`, `f1`, ….
pub fn feature_named(ensemble: &Ensemble, condition: &Condition, name: &FeatureName) -> Result<usize, LanguageError> {
    let counted = || {
        let number = name.text.strip_prefix('f').filter(|digits| digits.bytes().all(|digit| digit.is_ascii_digit()));
        let number = number.filter(|_| !name.is_quoted)?.parse::<usize>().ok()?;
        Some(number).filter(|number| *number < ensemble.features().len())
    };
    ensemble.feature_named(&name.text).or_else(counted).ok_or_else(|| {
        let text = &name.text;
        let what = match text.as_str() {
            "changed" => "`changed` is about two inputs: not supported yet".to_owned(),
            _ if text.starts_with("a.") || text.starts_with("b.") => {
                "`a.` and `b.` are about two inputs: not supported yet".to_owned()
            }
            _ => {
                let names = ensemble.features().iter().map(|feature| feature.name.as_str());
                let meant = closest(text, names).map(|name| format!("; did you mean {}?", written(&name)));
                let meant = meant.unwrap_or_else(|| {
                    let names = ensemble.features().iter().map(|feature| feature.name.as_str());
                    format!("; it has {}", list(names))
                });
                format!("the model has no feature `{text}`{meant}")
            }
        };
        condition.error(name.at, what)
    })
}

/// The code of the category that a condition names: by name, else by number where categories have no names.
pub fn category_code(
    feature: &Feature,
    input: &InputRules,
    condition: &Condition,
    literal: &Literal,
) -> Result<u32, LanguageError> {
    let FeatureKind::Category(categories) = &feature.kind else {
        return Err(condition
            .error(literal.at, format!("`{}` is not a number, but `{}` is numeric", literal.text, feature.name)));
    };
    let same_number = |name: &String| literal.number.is_some() && name.trim().parse::<f64>().ok() == literal.number;
    let by_name = || categories.names.iter().position(|name| *name == literal.text);
    let by_number = || categories.names.iter().position(same_number);
    if let Some(code) = by_name().or_else(by_number).and_then(|code| u32::try_from(code).ok()) {
        return Ok(code);
    }
    let text = &literal.text;
    if categories.names.is_empty() {
        let Some(number) = literal.number else {
            let what =
                format!("the model knows the categories of `{}` by number only; write their codes", feature.name);
            return Err(condition.error(literal.at, what));
        };
        return match input.read(&feature.kind, number) {
            Ok(Reading::Category(code)) => Ok(code),
            _ => Err(condition.error(literal.at, format!("`{text}` is no category of `{}`", feature.name))),
        };
    }
    let names = || categories.names.iter().map(String::as_str);
    let meant = closest(text, names()).map(|name| format!("; did you mean {}?", written(&name)));
    let meant = meant.unwrap_or_else(|| format!("; it has {}", list(names())));
    Err(condition.error(literal.at, format!("feature `{}` has no category `{text}`{meant}", feature.name)))
}

fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.take(LISTED + 1).map(written).collect();
    let more = if names.len() > LISTED { ", …" } else { "" };
    format!("{}{more}", names[..names.len().min(LISTED)].join(", "))
}

fn written(name: &str) -> String {
    treeproof_data::error::quote(name).to_string()
}
