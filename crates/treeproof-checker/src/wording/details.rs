//! Details of a statement: the row, distances, conditions, limits of features.

use std::collections::BTreeMap;

use treeproof_proof::statement::condition::Domain;
use treeproof_proof::statement::distance::{Distance, Norm};
use treeproof_proof::statement::{Number, Row, Tie};

use super::condition::{condition, domain, value};
use super::inputs::{MOST_NAMED, limit};
use super::text::{exact, listed, ordinal, said};
use crate::numbers::merged;
use crate::space::Space;

/// Number of features from which the most common value is told once.
const MANY: usize = 12;

/// All details, each in one line.
pub(super) fn details(space: &Space<'_>) -> Vec<String> {
    let statement = space.statement;
    let mut all = vec![];
    if let Some(row) = &statement.reference {
        let values = (0..statement.features.len()).map(|feature| value(space, feature, row.0[feature].0));
        all.push(format!("the row: {}", per_feature(space, values, " = ")));
    }
    if let Some(near) = &statement.near {
        all.extend(prices(space, near).map(|prices| format!("the distance: {prices}")));
    }
    for within in &statement.within {
        let near = &within.distance;
        let prices = prices(space, near).map_or(String::new(), |prices| format!(": {prices}"));
        all.push(format!("at most {} from the row ({}){prices}", exact(&within.at_most), norm(near)));
    }
    for columns in &statement.groups {
        let names: Vec<String> = columns.iter().map(|column| space.name(*column as usize)).collect();
        all.push(format!("exactly one of {} is 1 and the others 0", listed(&names)));
    }
    all.extend(ties(space));
    all.extend(limits(space));
    all.extend(values(space));
    all.extend(statement.conditions.iter().map(|of| format!("condition: {}", condition(space, of))));
    all
}

/// The rows of a witness: the features as their first readers have them.
pub(super) fn witness(space: &Space<'_>, rows: &[Vec<Row>]) -> Vec<String> {
    let of_input = |(input, rows): (u32, &Vec<Row>)| {
        let values = space.statement.features.iter().enumerate().map(|(feature, stated)| {
            let reader = stated.readers[0];
            value(space, feature, rows[reader.model as usize].0[reader.feature as usize].0)
        });
        let which =
            if space.statement.inputs.len() == 1 { String::new() } else { format!(", {} input", ordinal(input)) };
        format!("the witness{which}: {}", per_feature(space, values, " = "))
    };
    (0..).zip(rows).map(of_input).collect()
}

/// Wording of a distance.
pub(super) fn norm(near: &Distance) -> String {
    let mut factors = near.factors.iter().chain(near.number_factors.iter().flatten());
    let is_weighted = factors.any(|factor| factor.0 != 1.0);
    format!("{}{}", if is_weighted { "weighted " } else { "" }, near.norm.name())
}

/// Costs of changes, where the norm alone does not say them.
fn prices(space: &Space<'_>, near: &Distance) -> Option<String> {
    let features = 0..space.statement.features.len();
    let mut all = vec![];
    let mut multiplied = |what: &str, factors: &[Number]| {
        if factors.iter().any(|factor| factor.0 != 1.0) {
            let factors = factors.iter().map(|factor| said(factor.0));
            all.push(format!("{what} are multiplied by {}", per_feature(space, factors, " × ")));
        }
    };
    match &near.number_factors {
        None => multiplied("changes", &near.factors),
        Some(numbers) => {
            multiplied("changes of numbers", numbers);
            multiplied("other changes", &near.factors);
        }
    }
    let has_categories = features.clone().any(|feature| space.is_category(feature));
    match near.category_cost {
        _ if !has_categories => {}
        // Every change counts once.
        Some(_) if near.norm == Norm::L0 => {}
        Some(cost) => all.push(format!("another category is {} away", said(cost.0))),
        None => all.push("categories do not change".to_owned()),
    }
    if near.norm != Norm::L0 {
        let priced = |feature: usize| near.missing_costs[feature].map(|cost| (feature, cost.0));
        let costs =
            features.filter_map(priced).map(|(feature, cost)| format!("{} {}", space.name(feature), said(cost)));
        let costs: Vec<String> = costs.collect();
        if !costs.is_empty() {
            all.push(format!("to become missing, or to be no more, costs: {}", listed(&costs)));
        }
    }
    (!all.is_empty()).then(|| all.join(", "))
}

/// Features in which two inputs may differ, where a sentence only counts them.
fn ties(space: &Space<'_>) -> Vec<String> {
    let of = |wanted: Tie, what: &str| {
        let all = space.statement.ties.iter().enumerate().filter(move |(_, tie)| **tie == wanted);
        let names: Vec<String> = all.map(|(feature, _)| space.name(feature)).collect();
        let is_all = names.len() == space.statement.ties.len();
        (names.len() > MOST_NAMED)
            .then(|| if is_all { format!("{what} every feature") } else { format!("{what} {}", listed(&names)) })
    };
    let is_any_tied = space.statement.ties.iter().any(|tie| *tie != Tie::Free);
    let free = is_any_tied.then(|| of(Tie::Free, "the inputs may differ in")).flatten();
    let rising = of(Tie::NotBelow, "the second input is not below the first in");
    free.into_iter().chain(rising).collect()
}

/// Limits of features, where a sentence only counts them.
fn limits(space: &Space<'_>) -> Vec<String> {
    let [first, others @ ..] = &space.statement.inputs[..] else { return vec![] };
    let of = |domains: &[Domain]| -> Vec<String> {
        (0..domains.len()).filter_map(|feature| limit(space, feature, &domains[feature])).collect()
    };
    let are_alike = others.iter().all(|other| other == first);
    if are_alike {
        let limits = of(first);
        return if limits.len() > MOST_NAMED { vec![format!("limits: {}", listed(&limits))] } else { vec![] };
    }
    let each = (0..).zip(&space.statement.inputs);
    let each = each.map(|(input, domains)| (input, of(domains))).filter(|(_, limits)| !limits.is_empty());
    each.map(|(input, limits)| format!("limits of the {} input: {}", ordinal(input), listed(&limits))).collect()
}

/// Admissible values of features, where that takes more than a few words.
fn values(space: &Space<'_>) -> Vec<String> {
    let is_long = |feature: usize, domain: &Domain| match domain {
        Domain::Numbers { ranges, steps, .. } => {
            steps.len() > 1 || merged(ranges.iter().map(|(low, high)| (low.0, high.0))).len() > 1
        }
        Domain::Categories { codes, .. } => codes.len() > MOST_NAMED && limit(space, feature, domain).is_some(),
    };
    let mut all = vec![];
    for (input, domains) in (0..).zip(&space.statement.inputs) {
        let which = match space.statement.inputs.len() {
            1 => String::new(),
            _ if input == 1 && domains == &space.statement.inputs[0] => continue,
            _ if space.statement.inputs[0] == space.statement.inputs[1] => String::new(),
            _ => format!(" of the {} input", ordinal(input)),
        };
        let long = domains.iter().enumerate().filter(|(feature, domain)| is_long(*feature, domain));
        all.extend(
            long.map(|(feature, values)| {
                format!("{}{which} is {}", space.name(feature), domain(space, feature, values))
            }),
        );
    }
    all
}

/// A value of each feature; the most common one of many is told once.
fn per_feature(space: &Space<'_>, values: impl Iterator<Item = String>, sign: &str) -> String {
    let values: Vec<String> = values.collect();
    let mut counts: BTreeMap<&String, usize> = BTreeMap::new();
    values.iter().for_each(|value| *counts.entry(value).or_default() += 1);
    let common = counts
        .iter()
        .max_by_key(|(_, count)| **count)
        .filter(|(_, count)| values.len() >= MANY && **count * 2 > values.len());
    let told = |value: &String| common.is_none_or(|(common, _)| *common != value);
    let own = values.iter().enumerate().filter(|(_, value)| told(value));
    let mut all: Vec<String> = own.map(|(feature, value)| format!("{}{sign}{value}", space.name(feature))).collect();
    if let Some((common, count)) = common {
        let which = if all.is_empty() { "all" } else { "the other" };
        all.push(format!("{which} {count} features{sign}{common}"));
    }
    all.join(", ")
}
