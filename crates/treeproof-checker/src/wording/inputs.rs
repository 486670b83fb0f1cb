//! Inputs of a claim, in words: no restriction must be left out.

use std::collections::BTreeSet;

use treeproof_ensemble::input::{FeatureKind, Reading};
use treeproof_proof::statement::Tie;
use treeproof_proof::statement::condition::Domain;

use super::condition::category;
use super::text::{count, exact, listed, said};
use crate::distance::least;
use crate::numbers::merged;
use crate::space::Space;
use crate::space::cell_values::CellValues;
use crate::space::feature_values::FeatureReader;

/// Number of features that are called by their names.
pub(super) const MOST_NAMED: usize = 3;

/// The restrictions on inputs beside the distance that is asked about; empty if every finite number and every category is
/// admissible.
pub(super) fn inputs(space: &Space<'_>) -> String {
    let statement = space.statement;
    let with = [
        limits(space),
        numbered(statement.groups.len(), "group of 0/1 columns", "groups of 0/1 columns"),
        numbered(statement.conditions.len(), "condition", "conditions"),
        numbered(statement.within.len(), "bound on a distance", "bounds on distances"),
    ];
    let with: Vec<String> = with.into_iter().flatten().collect();
    let with = if with.is_empty() { String::new() } else { format!(" with {}", listed(&with)) };
    match ties(space) {
        None if with.is_empty() => String::new(),
        None if statement.inputs.len() == 1 => format!(", for inputs{with}"),
        None => format!(", for two inputs{with}"),
        Some(ties) if with.is_empty() => format!(", for two inputs {ties}"),
        Some(ties) => format!(", for two inputs {ties},{with}"),
    }
}

fn numbered(number: usize, one: &str, many: &str) -> Option<String> {
    (number > 0).then(|| count(number as u64, one, many))
}

/// The ties of two inputs.
fn ties(space: &Space<'_>) -> Option<String> {
    let of = |wanted: Tie| {
        let all = space.statement.ties.iter().enumerate().filter(move |(_, tie)| **tie == wanted);
        all.map(|(feature, _)| space.name(feature)).collect::<Vec<String>>()
    };
    let (same, free, rising) = (of(Tie::Same), of(Tie::Free), of(Tie::NotBelow));
    let named = |features: &[String]| match features.len() {
        ..=MOST_NAMED => listed(features),
        number => format!("{number} features"),
    };
    let same = match (same.is_empty(), free.is_empty(), rising.is_empty()) {
        (true, _, true) => return None,
        (true, _, false) => String::new(),
        (false, true, true) => return Some("that are the same".to_owned()),
        (false, _, true) => return Some(format!("that are the same but for {}", named(&free))),
        (false, true, false) => "are the same otherwise".to_owned(),
        (false, false, false) => format!("are the same otherwise but for {}", named(&free)),
    };
    let rises = format!("of which the second is not below the first in {}", named(&rising));
    Some(if same.is_empty() { rises } else { format!("{rises} and which {same}") })
}

/// The features that are limited.
fn limits(space: &Space<'_>) -> Option<String> {
    let [first, others @ ..] = &space.statement.inputs[..] else { return None };
    let is_limited = |feature: &usize| {
        space.statement.inputs.iter().any(|domains| limit(space, *feature, &domains[*feature]).is_some())
    };
    let features: Vec<usize> = (0..first.len()).filter(is_limited).collect();
    let is_plain = features.iter().all(|feature| others.iter().all(|other| other[*feature] == first[*feature]));
    match features.len() {
        0 => None,
        ..=MOST_NAMED if is_plain => {
            let limits = features.iter().filter_map(|feature| limit(space, *feature, &first[*feature]));
            Some(listed(&limits.collect::<Vec<String>>()))
        }
        number => Some(format!("limits on {}", count(number as u64, "feature", "features"))),
    }
}

/// True if a value of a feature is too far from the reference by itself, or cannot be reached from there, or is refused by a
/// model: its absence is no limit.
fn is_beyond(space: &Space<'_>, feature: usize, raw: f64, reading: Reading) -> bool {
    let is_taken =
        |reader: &FeatureReader<'_>| matches!(reader.input.read(reader.feature, raw), Ok(Reading::Number(_)));
    let is_refused = matches!(reading, Reading::Number(_)) && !space.readers(feature).iter().all(is_taken);
    let near = space.statement.near.as_ref().filter(|_| space.statement.inputs.len() == 1);
    let cost = near
        .zip(space.reference(feature))
        .map(|(near, own)| (least(near, feature, own, &CellValues::one(raw, reading), None), near.limit()));
    is_refused || cost.is_some_and(|(cost, limit)| cost.is_none_or(|cost| limit.is_some_and(|limit| cost > limit)))
}

/// The values of a feature, unless they are all finite numbers, or all categories that its model has a name or a value for,
/// near enough.
pub(super) fn limit(space: &Space<'_>, feature: usize, domain: &Domain) -> Option<String> {
    let limit = values(space, feature, domain);
    let (Domain::Numbers { missing, .. } | Domain::Categories { missing, .. }) = domain;
    // A feature that is missing in the row may stay so without being named.
    let is_own = space.reference(feature).is_some_and(CellValues::may_be_missing);
    let is_reached = || !is_beyond(space, feature, f64::NAN, Reading::Missing);
    match limit {
        limit if !missing || is_own || !is_reached() => limit,
        Some(limit) => Some(format!("{limit} or missing")),
        None => Some(format!("{} perhaps missing", space.name(feature))),
    }
}

/// Values that are present.
fn values(space: &Space<'_>, feature: usize, domain: &Domain) -> Option<String> {
    let name = space.name(feature);
    match domain {
        Domain::Numbers { ranges, steps, .. } => {
            let ranges = merged(ranges.iter().map(|(low, high)| (low.0, high.0)));
            let is_beyond = |number: f64| is_beyond(space, feature, number, Reading::Number(number));
            let own = space.reference(feature).and_then(CellValues::ends).map(|(own, _)| own);
            let from_all =
                |low: f64| low <= -f64::MAX || (own.is_none_or(|own| low <= own) && is_beyond(low.next_down()));
            let to_all =
                |high: f64| high >= f64::MAX || (own.is_none_or(|own| own <= high) && is_beyond(high.next_up()));
            let is_whole = |(low, high): &(f64, f64)| from_all(*low) && to_all(*high);
            let within = match &ranges[..] {
                [] if is_beyond(own.unwrap_or(0.0)) => return None,
                [] => return Some(format!("no number for {name}")),
                [range] if is_whole(range) && steps.is_empty() => return None,
                [range] if is_whole(range) => name,
                [(low, high)] if low == high => return Some(format!("{} for {name}", said(*low))),
                [(low, high)] if from_all(*low) => format!("{name} at most {}", said(*high)),
                [(low, high)] if to_all(*high) => format!("{name} at least {}", said(*low)),
                [(low, high)] => format!("{name} from {} to {}", said(*low), said(*high)),
                _ => return Some(format!("some numbers for {name}")),
            };
            Some(match &steps[..] {
                [] => within,
                [step] => format!("{within} in steps of {}", exact(step)),
                _ => format!("{within} in steps"),
            })
        }
        Domain::Categories { codes, .. } => {
            let FeatureKind::Category(categories) = &space.readers(feature)[0].feature.kind else { return None };
            let known = match categories.encoding.values() {
                _ if !categories.names.is_empty() => Some(categories.names.len()),
                values => values.map(<[f64]>::len),
            };
            let is_beyond = |code: u32| is_beyond(space, feature, f64::NAN, Reading::Category(code));
            let codes: BTreeSet<u32> = codes.iter().copied().collect();
            let is_whole = match known {
                Some(known) => (0..known as u32).all(|code| codes.contains(&code) || is_beyond(code)),
                // Without a list of categories, the first one that is not admissible stands for all.
                None => (0..).find(|code| !codes.contains(code)).is_some_and(is_beyond),
            };
            let named =
                || codes.iter().map(|code| category(space, feature, *code)).collect::<Vec<String>>().join(" or ");
            (!is_whole).then(|| match codes.len() {
                1..=MOST_NAMED => format!("{} for {name}", named()),
                number => format!("{} for {name}", count(number as u64, "category", "categories")),
            })
        }
    }
}
