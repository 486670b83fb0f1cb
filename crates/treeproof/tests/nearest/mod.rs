//! The nearest inputs of small models, by brute force.

use std::sync::Arc;

use treeproof::internals::Domain;
use treeproof::internals::{Conditions, Metric, Nearest, NearestRequest, RowGoal};
use treeproof::report::{Stopped, Verdict};
use treeproof::task::{Question, Task, TaskLimits};
use treeproof::watch::Unwatched;
use treeproof_ensemble::builder::{RawSplit, TreeBuilder};
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::float::Precision;
use treeproof_ensemble::input::{Feature, Reading};
use treeproof_ensemble::label::{ClassName, LabelRule};
use treeproof_ensemble::norm::Norm;
use treeproof_ensemble::sum::{Aggregate, Summation};
use treeproof_ensemble::tree::{LeafTerm, Side, Tree};
use treeproof_language::Groups;

use crate::support::{
    Random, all_candidates, groups_of_columns, is_allowed, is_one_hot, random_builder, random_classifier,
    random_classifier_of, random_columns, random_domains, random_input,
};

fn limits() -> TaskLimits {
    let mut limits = Task::new(Question::Max).limits;
    limits.threads = Some(1);
    limits
}

/// Whether every split sees two values of a feature alike, and both are of one kind.
fn is_alike(ensemble: &Ensemble, feature: usize, one: f64, other: f64) -> bool {
    let known = &ensemble.features()[feature];
    let (Ok(one), Ok(other)) = (ensemble.input().read(known, one), ensemble.input().read(known, other)) else {
        return false;
    };
    let splits = |reading: Reading| -> Vec<Side> {
        let of_tree = |tree: &Tree| {
            let of_feature = tree.splits().iter().filter(|split| split.feature as usize == feature);
            of_feature.map(|split| tree.side(split, reading)).collect::<Vec<Side>>()
        };
        ensemble.trees().iter().flat_map(of_tree).collect()
    };
    splits(one) == splits(other) && (one == Reading::Missing) == (other == Reading::Missing)
}

/// Values among which is the nearest of every kind: all that stand at the edge of a kind, and the value itself.
fn values(ensemble: &Ensemble, feature: usize, domain: &Domain, own: f64) -> Vec<f64> {
    let known = &ensemble.features()[feature];
    let read = |raw: f64| ensemble.input().read(known, raw);
    let mut values = all_candidates(ensemble, feature, domain);
    let is_in = match domain {
        Domain::Numbers { numbers, missing } => match read(own).unwrap() {
            Reading::Missing => *missing && ensemble.input().accepts_missing,
            _ => numbers.contains(own),
        },
        Domain::Categories { codes, unknown, missing } => match read(own).unwrap() {
            Reading::Missing => *missing && ensemble.input().accepts_missing,
            Reading::Category(code) => codes.contains(&code),
            _ => *unknown,
        },
    };
    values.extend(is_in.then_some(own));
    if let Domain::Numbers { numbers, .. } = domain {
        let is_number = |raw: &f64| matches!(read(*raw), Ok(Reading::Number(_)));
        if is_number(&own) {
            let beside = [numbers.at_or_below(own), numbers.at_or_above(own)];
            values.extend(beside.into_iter().flatten().filter(|value| value.is_finite() && is_number(value)));
        }
        let mut known: Vec<f64> = values.iter().copied().filter(is_number).collect();
        known.extend(Some(own).filter(is_number));
        known.sort_by(f64::total_cmp);
        for pair in known.windows(2).filter(|pair| !is_alike(ensemble, feature, pair[0], pair[1])) {
            // From either side to where its kind ends.
            for (start, end) in [(pair[0], pair[1]), (pair[1], pair[0])] {
                let (mut own, mut other) = (start, end);
                loop {
                    let middle = own / 2.0 + other / 2.0;
                    let next = if own < other { own.next_up() } else { own.next_down() };
                    let is_between = own.min(other) < middle && middle < own.max(other);
                    let middle = if is_between { middle } else { next };
                    if middle == other {
                        break;
                    }
                    if is_alike(ensemble, feature, own, middle) { own = middle } else { other = middle }
                }
                values.extend(
                    [numbers.at_or_below(own), numbers.at_or_above(own)].into_iter().flatten().filter(is_number),
                );
            }
        }
    }
    values
}

fn cost(ensemble: &Ensemble, metric: &Metric, feature: usize, from: f64, to: f64) -> Exact {
    let exact = |number: f64| Exact::from_f64(number).unwrap();
    let read = |raw: f64| ensemble.input().read(&ensemble.features()[feature], raw).unwrap();
    let (a, b) = (read(from), read(to));
    let is_number = matches!((a, b), (Reading::Number(_), Reading::Number(_)));
    let is_same = if is_number { from == to } else { a == b };
    let along = match metric.norm {
        _ if is_same => Exact::zero(),
        Norm::L0 => Exact::one(),
        _ if is_number => exact(to).minus(&exact(from)).magnitude(),
        _ if a == Reading::Missing || b == Reading::Missing => exact(metric.missing_cost.unwrap()),
        _ => exact(metric.category_cost.unwrap()),
    };
    let scale = metric.scales.as_ref().filter(|_| is_number && metric.norm != Norm::L0).map_or(1.0, |all| all[feature]);
    let cost = along.times(&exact(metric.factors[feature] / scale));
    if metric.norm == Norm::L2 { cost.times(&cost) } else { cost }
}

/// What it costs to move a feature; none if that has no cost.
fn priced(ensemble: &Ensemble, metric: &Metric, feature: usize, from: f64, to: f64) -> Option<Exact> {
    let read = |raw: f64| ensemble.input().read(&ensemble.features()[feature], raw).unwrap();
    let has_cost = match (read(from), read(to)) {
        (Reading::Number(_), Reading::Number(_)) => true,
        (one, other) if one == other || metric.norm == Norm::L0 => true,
        (Reading::Missing, _) | (_, Reading::Missing) => metric.missing_cost.is_some(),
        _ => metric.category_cost.is_some(),
    };
    has_cost.then(|| cost(ensemble, metric, feature, from, to))
}

/// What a row costs; none if a change in it has no cost.
pub(crate) fn total(ensemble: &Ensemble, metric: &Metric, from: &[f64], row: &[f64]) -> Option<Exact> {
    let along = |feature: usize| priced(ensemble, metric, feature, from[feature], row[feature]);
    // Of a group, the column that becomes 1 is paid for.
    let is_paid = |feature: &usize| metric.groups.of(*feature).is_none() || row[*feature] == 1.0;
    let costs: Option<Vec<Exact>> = (0..row.len()).filter(is_paid).map(along).collect();
    Some(match metric.norm {
        Norm::Linf => costs?.into_iter().max().unwrap_or_else(Exact::zero),
        _ => costs?.iter().fold(Exact::zero(), |sum, cost| sum.plus(cost)),
    })
}

/// The nearest row of every kind that splits can tell apart, and its cost.
pub(crate) fn nearest_of_each_kind(
    question: &NearestRequest,
    domains: &[AdmissibleInputs],
    row: &[f64],
) -> Vec<(Vec<f64>, Exact)> {
    let NearestRequest { ensemble, metric, .. } = question;
    let group_of = |feature: usize| metric.groups.of(feature);
    let mut rows: Vec<(Vec<f64>, Exact)> = vec![(vec![], Exact::zero())];
    for (feature, (domain, may_be_missing)) in domains.iter().enumerate() {
        let own = row[feature];
        let is_free = metric.norm == Norm::L0;
        let read = |raw: f64| ensemble.input().read(&ensemble.features()[feature], raw).unwrap();
        let mut values = match group_of(feature) {
            None => values(ensemble, feature, domain, own),
            Some(_) => vec![0.0, 1.0],
        };
        values.retain(|value| match domain {
            Domain::Numbers { numbers, .. } if group_of(feature).is_some() => numbers.contains(*value),
            _ => true,
        });
        values.retain(|value| match (read(*value), read(own)) {
            (Reading::Missing, Reading::Missing) | (Reading::Number(_), Reading::Number(_)) => true,
            (Reading::Missing, _) | (_, Reading::Missing) => {
                *may_be_missing && (is_free || metric.missing_cost.is_some())
            }
            (one, own) => one == own || is_free || metric.category_cost.is_some(),
        });
        // Of those that look alike the nearest is enough, by whatever norm.
        if group_of(feature).is_none() {
            let sum = Metric { norm: Norm::L1, ..metric.clone() };
            let along = |value: &f64| priced(ensemble, &sum, feature, own, *value);
            let changes = |value: &f64| *value != own && !(value.is_nan() && own.is_nan());
            values.sort_by_cached_key(|value| {
                (cost(ensemble, metric, feature, own, *value), changes(value), along(value))
            });
            let mut kept: Vec<f64> = vec![];
            for value in values {
                if !kept.iter().any(|known| is_alike(ensemble, feature, *known, value)) {
                    kept.push(value);
                }
            }
            values = kept;
        }
        let longer = |(row, so_far): &(Vec<f64>, Exact)| {
            let with = |value: &f64| {
                // Of a group, the column that becomes 1 is paid for.
                let is_free = group_of(feature).is_some() && *value == 0.0;
                let along = if is_free { Exact::zero() } else { cost(ensemble, metric, feature, own, *value) };
                let cost = if metric.norm == Norm::Linf { so_far.clone().max(along) } else { so_far.plus(&along) };
                ([row.as_slice(), &[*value]].concat(), cost)
            };
            values.iter().map(with).collect::<Vec<_>>()
        };
        rows = rows.iter().flat_map(longer).collect();
    }
    rows.retain(|(row, _)| is_one_hot(&metric.groups, row));
    rows
}

/// The least cost of those that will do; none if there is none.
pub(crate) fn least(rows: &[(Vec<f64>, Exact)], will_do: impl Fn(&[f64]) -> bool) -> Option<Exact> {
    rows.iter().filter(|(row, _)| will_do(row)).map(|(_, cost)| cost.clone()).min()
}

/// The features in which a row differs from another; of a group its first column.
pub(crate) fn changed(groups: &Groups, from: &[f64], row: &[f64]) -> Vec<usize> {
    let is_same = |feature: &usize| {
        let (from, to) = (from[*feature], row[*feature]);
        from == to || (from.is_nan() && to.is_nan())
    };
    let unit = |feature: usize| groups.of(feature).map_or(feature, |group| group.columns[0]);
    (0..row.len()).filter(|feature| !is_same(feature)).map(unit).collect()
}

/// What a feature may become, and whether it may go missing.
pub(crate) type AdmissibleInputs = (Domain, bool);

pub(crate) fn random_question(
    random: &mut Random,
    has_groups: bool,
) -> Option<(NearestRequest, Vec<AdmissibleInputs>, Vec<f64>)> {
    let ensemble = match has_groups {
        false => random_classifier(random),
        true => {
            let (input, features) = random_columns(random);
            random_classifier_of(random, input, features)
        }
    };
    random_question_of(random, ensemble)
}

/// A model of several features in each of which few steps lead to another label, so that there are many ways to get there.
pub(crate) fn gentle_classifier(random: &mut Random) -> Ensemble {
    let (input, mut features) = match random.chance(3) {
        true => random_columns(random),
        false => (random_input(random), vec![]),
    };
    let num_others = if features.is_empty() { 3 + random.below(2) } else { 2 };
    features.extend((1..=num_others).map(|index| Feature::numeric(format!("x{index}"))));
    let mut builder = random_builder(random, input.clone(), features.clone(), 1);
    builder.aggregate = Aggregate::Sum(Summation::plain(Precision::F64, vec![0.0]));
    builder.classes = [0, 1].map(ClassName::Int).to_vec();
    let stump = |random: &mut Random, total: &mut f64| {
        let feature = random.below(features.len());
        let mut tree = TreeBuilder::new(3);
        let test = match features[feature].is_category() {
            true => tree.category_set((0..6).filter(|_| random.chance(2))),
            false => input.test_below(random.pick(&[-1.5, -1.0, -0.3, 0.1, 0.5, 1.0, 1.7, 2.0])),
        };
        let missing = Side::from(random.chance(2));
        let feature = u32::try_from(feature).unwrap();
        tree.split(0, RawSplit { feature, test, missing, zero: None, left: 1, right: 2 }).unwrap();
        let rise = random.pick(&[0.5, 1.0, 1.0, 1.5, 2.0]);
        for (node, value) in [(1, 0.0), (2, rise)] {
            tree.leaf(node, u32::try_from(node).unwrap(), [LeafTerm { output: 0, value }]).unwrap();
        }
        *total += rise;
        tree.finish(0).unwrap()
    };
    let mut total = 0.0;
    builder.trees = (0..5 + random.below(8)).map(|_| stump(random, &mut total)).collect();
    builder.label = LabelRule::MarginAbove { threshold: total * random.pick(&[0.3, 0.5, 0.7]) };
    builder.finish().unwrap()
}

pub(crate) fn random_question_of(
    random: &mut Random,
    ensemble: Ensemble,
) -> Option<(NearestRequest, Vec<AdmissibleInputs>, Vec<f64>)> {
    let groups = groups_of_columns(&ensemble);
    let mut domains = if random.chance(2) { Domain::everything(&ensemble) } else { random_domains(random, &ensemble) };
    for column in groups.iter().flat_map(|group| &group.columns) {
        if !random.chance(10) {
            domains[*column] = Domain::between(0.0, 1.0);
        }
    }
    let mut metric = Metric::new(random.pick(&Norm::ALL), &ensemble, &groups);
    if random.chance(2) {
        metric.factors.iter_mut().for_each(|factor| *factor = random.pick(&[0.0, 0.1, 1.0, 3.0]));
    }
    for group in groups.iter() {
        group.columns.iter().for_each(|column| metric.factors[*column] = metric.factors[group.columns[0]]);
    }
    // Drawn apart, so that all else is as it is without.
    let mut drawn = Random(random.0);
    if drawn.chance(4) {
        let mut scale = |feature| if groups.of(feature).is_none() { drawn.pick(&[0.5, 1.0, 3.0]) } else { 1.0 };
        metric.scales = Some((0..ensemble.features().len()).map(&mut scale).collect());
    }
    metric.missing_cost = random.chance(2).then_some(0.7);
    metric.category_cost = random.chance(2).then_some(1.5);
    let everything = Domain::everything(&ensemble);
    let mut row = vec![];
    for (feature, domain) in everything.iter().enumerate() {
        let mut candidates = all_candidates(&ensemble, feature, domain);
        candidates.extend(ensemble.input().accepts_missing.then_some(f64::NAN));
        row.push(*candidates.get(random.below(candidates.len().max(1)))?);
    }
    for group in groups.iter() {
        group.columns.iter().for_each(|column| row[*column] = 0.0);
        row[random.pick(&group.columns)] = 1.0;
    }
    let num_classes = ensemble.num_margins().max(2);
    let goal = match (random.below(4), ensemble.num_margins()) {
        (0, _) => RowGoal::Class(random.below(num_classes)),
        (1, 1) => RowGoal::Above(random.pick(&[-1.0, 0.0, 3.3])),
        (2, 1) => RowGoal::Below(random.pick(&[-1.0, 0.0, 3.3])),
        (3, 1) => RowGoal::Moved(random.pick(&[0.0, 0.5, 20.0])),
        _ => RowGoal::Other,
    };
    let may_be_missing: Vec<bool> = domains.iter().map(|_| random.chance(2)).collect();
    let ensemble = Arc::new(ensemble);
    let conditions = Conditions::of_domains(&groups, domains.clone(), may_be_missing.clone());
    let question = NearestRequest {
        ensemble,
        metric,
        goal,
        threshold: None,
        conditions,
        within: None,
        count: 1,
        bisection: None,
        limits: limits(),
    };
    Some((question, domains.into_iter().zip(may_be_missing).collect(), row))
}

pub(crate) fn is_goal(question: &NearestRequest, from: &[f64], row: &[f64]) -> bool {
    let [own, other] = [from, row].map(|row| question.ensemble.evaluate(row).unwrap());
    match question.goal {
        RowGoal::Other => other.class != own.class,
        RowGoal::Class(class) => other.class == Some(class),
        RowGoal::Above(number) => other.outputs[0] > number,
        RowGoal::Below(number) => other.outputs[0] < number,
        RowGoal::Moved(by) => {
            let [own, other, by] = [own.outputs[0], other.outputs[0], by].map(Exact::from_f64);
            // A sum that overflows has moved further than any number.
            other.is_none_or(|other| other.minus(&own.unwrap()).magnitude() > by.unwrap())
        }
    }
}

/// Every further input is the nearest of those that leave something unchanged that each one before it changes. Returns how
/// many there were.
pub(crate) fn check_others(
    question: &mut NearestRequest,
    goals: &[(Vec<f64>, Exact)],
    row: &[f64],
    will_do: impl Fn(&[f64]) -> bool,
    what: &str,
) -> usize {
    question.count = 4;
    let groups = question.metric.groups.clone();
    let answer = question.ask(row, &Unwatched).unwrap();
    question.count = 1;
    if answer.verdict == Verdict::Undecided {
        assert_eq!(answer.stopped, Stopped::Rounding, "{what}");
        return 0;
    }
    let mut before: Vec<Vec<usize>> = answer.row.iter().map(|first| changed(&groups, row, first)).collect();
    let is_new = |before: &[Vec<usize>], other: &[f64]| {
        let changed = changed(&groups, row, other);
        before.iter().all(|earlier| earlier.iter().any(|feature| !changed.contains(feature)))
    };
    let least = |before: &[Vec<usize>]| least(goals, |other| will_do(other) && is_new(before, other));
    for other in &answer.others {
        let least = least(&before).unwrap_or_else(|| panic!("{what}: {:?}, but there is none", other.row));
        let is_right = is_goal(question, row, &other.row) && will_do(&other.row) && is_new(&before, &other.row);
        assert!(is_right, "{what}: {:?}", other.row);
        let norm = question.metric.norm;
        assert!(power(norm, other.lower.unwrap()) <= least, "{what}: above the least");
        if let Some(upper) = other.upper {
            let lower = other.lower.unwrap();
            assert!(upper - lower <= 1e-9 * upper || upper == lower.next_up(), "{what}: {lower} to {upper}");
        }
        before.push(changed(&groups, row, &other.row));
    }
    if answer.row.is_some() && answer.others.len() < 3 {
        assert_eq!(least(&before), None, "{what}: there are more");
    }
    answer.others.len()
}

pub(crate) fn power(norm: Norm, distance: f64) -> Exact {
    let exact = Exact::from_f64(distance).unwrap();
    if norm == Norm::L2 { exact.times(&exact) } else { exact }
}

/// The least distance that costs at least so much.
pub(crate) fn distance(norm: Norm, cost: &Exact) -> f64 {
    let (mut low, mut high) = (0, f64::INFINITY.to_bits());
    while low < high {
        let middle = (low + high) / 2;
        if power(norm, f64::from_bits(middle)) < *cost { low = middle + 1 } else { high = middle }
    }
    f64::from_bits(low)
}

/// The input that was found passes all tests, and is no further away than is said. It is right even if brute force has
/// missed it.
pub(crate) fn check_found(
    question: &NearestRequest,
    domains: &[AdmissibleInputs],
    row: &[f64],
    answer: &Nearest,
    what: &str,
) {
    let found = answer.row.as_ref().unwrap();
    assert!(is_goal(question, row, found), "{what}");
    let allowed: Vec<Domain> = domains.iter().map(|(domain, _)| domain.clone()).collect();
    assert!(is_allowed(&question.ensemble, &allowed, found), "{what}: {found:?}");
    assert!(is_one_hot(&question.metric.groups, found), "{what}: {found:?}");
    let Some(upper) = answer.upper else { return };
    let own = total(&question.ensemble, &question.metric, row, found).unwrap();
    assert!(own <= power(question.metric.norm, upper), "{what}: the input is further away than is said");
}

pub(crate) fn check(
    question: &NearestRequest,
    domains: &[AdmissibleInputs],
    row: &[f64],
    answer: &Nearest,
    least: Option<&Exact>,
    what: &str,
) {
    let norm = question.metric.norm;
    match (answer.verdict, least) {
        (Verdict::Infeasible, None) => assert_eq!(answer.row, None, "{what}"),
        (Verdict::Optimal, Some(least)) => {
            check_found(question, domains, row, answer, what);
            let lower = answer.lower.unwrap();
            assert!(power(norm, lower) <= *least, "{what}: {lower} is above the least");
            let Some(upper) = answer.upper else {
                assert!(*least > power(norm, f64::MAX / 2.0), "{what}: no upper bound");
                return;
            };
            let is_close = upper - lower <= 1e-9 * upper || upper == lower.next_up();
            assert!(is_close, "{what}: {lower} to {upper}");
        }
        // Where the library adds in no fixed order, what is within its error cannot be decided.
        (Verdict::Undecided, least) if answer.stopped == Stopped::Rounding => {
            assert!(!question.ensemble.summation().unwrap().fixed_order, "{what}");
            assert!(least.is_none_or(|least| power(norm, answer.lower.unwrap()) <= *least), "{what}");
        }
        (verdict, least) => panic!("{what}: {verdict:?} {:?}, but {least:?}", answer.stopped),
    }
}
