//! Questions about inputs that are near each other, or near a row: random small models against brute force.
//!
//! `TREEPROOF_PROBLEMS` sets how many, `TREEPROOF_SEED` the random numbers.

#[expect(dead_code, reason = "the other tests use the rest")]
mod support;

use serde_json::json;
use support::{Random, all_candidates, random_domains, random_ensemble, setting};
use treeproof::internals::{AdmissibleInputs, Comparison, Metric, Near, Setting, dominant, stable};
use treeproof::internals::{Domain, NumberSet, StartingRow};
use treeproof::report::{Stopped, Verdict};
use treeproof::task::TaskLimits;
use treeproof::watch::Unwatched;
use treeproof_ensemble::ensemble::{Ensemble, Trend};
use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::input::Reading;
use treeproof_ensemble::load::{LoadOptions, load_bytes};
use treeproof_ensemble::norm::Norm;
use treeproof_ensemble::tree;
use treeproof_ensemble::values::{CategorySet, Present, ValueSet};
use treeproof_language::{Condition, Conjunct, Constraint, Groups, Resolved, Side, Variable};

static NO_GROUPS: Groups = Groups::NONE;

const NORMS: [Norm; 4] = [Norm::Linf, Norm::L2, Norm::L1, Norm::L0];

fn one_thread() -> TaskLimits {
    let mut limits = TaskLimits::default();
    limits.threads = Some(1);
    limits
}

fn exact(number: f64) -> Exact {
    Exact::from_f64(number).unwrap()
}

/// What splits make of a value, and whether it is there at all.
type Kind = (bool, Vec<tree::Side>);

/// Domains of one input or two; the numbers of some features lie on a grid, the same for both.
struct Problem {
    model: Ensemble,
    inputs: Vec<Vec<Domain>>,
    resolved: Resolved,
    conditions: [Condition; 1],
    limits: TaskLimits,
}

impl Problem {
    fn new(random: &mut Random, num_inputs: usize) -> Self {
        let model = random_ensemble(random);
        let domains = random_domains(random, &model);
        let others = if random.chance(3) { random_domains(random, &model) } else { domains.clone() };
        let mut inputs = [domains, others][..num_inputs].to_vec();
        let steps = |_| random.chance(4).then(|| Exact::from_decimal(random.pick(&["0.1", "0.25", "1"])).unwrap());
        let steps: Vec<Option<Exact>> = (0..model.features().len()).map(steps).collect();
        // Stands for all conditions in messages.
        let conditions = [Condition::parse("all == 1").unwrap()];
        let mut resolved = Resolved::default();
        let sides = if num_inputs == 1 { &[Side::Only][..] } else { &[Side::A, Side::B] };
        for (side, domains) in sides.iter().zip(&mut inputs) {
            for (feature, (domain, step)) in domains.iter_mut().zip(&steps).enumerate() {
                let variable = Variable { side: *side, feature };
                let mut add = |constraint| {
                    resolved.conjuncts.push(Conjunct { constraint, condition: 0 });
                };
                let (present, missing) = match domain {
                    Domain::Numbers { numbers, missing } => {
                        let plain = NumberSet::new(numbers.ranges().to_vec(), vec![]).within(-f64::MAX, f64::MAX);
                        *numbers = NumberSet::new(plain.ranges().to_vec(), step.iter().cloned().collect());
                        if let Some(step) = step {
                            let multiple = Constraint::Multiple { variable, step: step.clone(), is_negated: false };
                            let nothing = ValueSet { present: Present::numbers([]), missing: true };
                            add(Constraint::Any(vec![multiple, Constraint::Values(variable, nothing)]));
                        }
                        (Present::numbers(plain.ranges().iter().copied()), *missing)
                    }
                    Domain::Categories { codes, unknown, missing } => {
                        *unknown = false;
                        (Present::Categories(CategorySet::Only(codes.iter().copied().collect())), *missing)
                    }
                };
                add(Constraint::Values(variable, ValueSet { present, missing }));
                resolved.may_be_missing.extend(missing.then_some(variable));
            }
        }
        Self { model, inputs, resolved, conditions, limits: one_thread() }
    }

    fn setting(&self) -> Setting<'_> {
        let allowed = AdmissibleInputs {
            conditions: &self.conditions,
            resolved: &self.resolved,
            groups: &NO_GROUPS,
            observed: None.into(),
            own: None,
            predicate: None,
        };
        Setting { allowed, limits: &self.limits, watcher: &Unwatched }
    }

    fn read(&self, feature: usize, raw: f64) -> Reading {
        self.model.input().read(&self.model.features()[feature], raw).unwrap()
    }

    fn signature(&self, feature: usize, raw: f64) -> Kind {
        let reading = self.read(feature, raw);
        let trees = self.model.trees().iter();
        let sides = trees.flat_map(|tree| {
            let splits = tree.splits().iter().filter(|split| split.feature as usize == feature);
            splits.map(|split| tree.side(split, reading))
        });
        (reading == Reading::Missing, sides.collect())
    }

    fn is_allowed(&self, input: usize, feature: usize, raw: f64) -> bool {
        match (&self.inputs[input][feature], self.read(feature, raw)) {
            (Domain::Numbers { missing, .. } | Domain::Categories { missing, .. }, Reading::Missing) => *missing,
            (Domain::Numbers { numbers, .. }, _) => numbers.contains(raw),
            (Domain::Categories { codes, .. }, Reading::Category(code)) => codes.contains(&code),
            _ => false,
        }
    }

    /// Of every run of values that no split tells apart the first and the last, at each input; each category once. These are
    /// the values of two inputs that may be nearest to each other.
    fn ends(&self, feature: usize) -> Vec<Vec<f64>> {
        let of_input = |domains: &Vec<Domain>| all_candidates(&self.model, feature, &domains[feature]);
        let mut raws: Vec<f64> = self.inputs.iter().flat_map(of_input).collect();
        if !self.model.features()[feature].is_category() {
            raws.extend(raws.clone().iter().flat_map(|raw| [raw.next_up(), raw.next_down()]));
            raws.retain(|raw| raw.is_nan() || raw.is_finite());
        }
        let known = &self.model.features()[feature];
        raws.retain(|raw| self.model.input().read(known, *raw).is_ok());
        raws.sort_by(f64::total_cmp);
        raws.dedup_by(|one, other| one == other || (one.is_nan() && other.is_nan()));
        let is_category = self.model.features()[feature].is_category();
        let mut kept: Vec<f64> = vec![];
        for input in 0..self.inputs.len() {
            // What is not allowed parts a run, too.
            let signature = |raw: &f64| self.is_allowed(input, feature, *raw).then(|| self.signature(feature, *raw));
            let signed: Vec<Option<Kind>> = raws.iter().map(signature).collect();
            self.assert_ends(input, feature, raws.iter().copied().zip(signed.iter().cloned()));
            for (place, raw) in raws.iter().enumerate().filter(|(place, _)| signed[*place].is_some()) {
                let is_first = place == 0 || signed[place - 1] != signed[place];
                let is_last = signed.get(place + 1) != Some(&signed[place]);
                let is_known = kept.iter().any(|known| match is_category {
                    true => self.read(feature, *known) == self.read(feature, *raw),
                    false => known == raw || known.is_nan() && raw.is_nan(),
                });
                if (is_first || is_last || is_category) && !is_known {
                    kept.push(*raw);
                }
            }
        }
        let of_input = |input| kept.iter().copied().filter(|raw| self.is_allowed(input, feature, *raw)).collect();
        (0..self.inputs.len()).map(of_input).collect()
    }

    /// Asserts that between two numbers that splits tell apart there is no third.
    fn assert_ends(&self, input: usize, feature: usize, signed: impl Iterator<Item = (f64, Option<Kind>)>) {
        let Domain::Numbers { numbers, .. } = &self.inputs[input][feature] else { return };
        let known = &self.model.features()[feature];
        let is_number = |raw: f64| matches!(self.model.input().read(known, raw), Ok(Reading::Number(_)));
        let allowed: Vec<_> = signed.filter(|(raw, side)| side.is_some() && is_number(*raw)).collect();
        for pair in allowed.windows(2).filter(|pair| pair[0].1 != pair[1].1) {
            let next = numbers.at_or_above(pair[0].0.next_up()).unwrap();
            assert!(next == pair[1].0 || !is_number(next), "{next:e} between {:e} and {:e}", pair[0].0, pair[1].0);
        }
    }
}

/// What two values of a feature cost; none if they do not go together.
fn cost(problem: &Problem, metric: &Metric, feature: usize, [from, to]: [f64; 2]) -> Option<Exact> {
    let is_counted = metric.norm == Norm::L0;
    let may_go_missing = [Side::A, Side::B]
        .iter()
        .any(|side| problem.resolved.may_be_missing.contains(&Variable { side: *side, feature }));
    let along = match [from, to].map(|raw| problem.read(feature, raw)) {
        [Reading::Number(_), Reading::Number(_)] if from == to => Exact::zero(),
        [Reading::Number(_), Reading::Number(_)] if is_counted => Exact::one(),
        [Reading::Number(_), Reading::Number(_)] => exact(to).minus(&exact(from)).magnitude(),
        [one, other] if one == other => Exact::zero(),
        [Reading::Missing, _] | [_, Reading::Missing] if !may_go_missing => return None,
        _ if is_counted => Exact::one(),
        [Reading::Missing, _] | [_, Reading::Missing] => exact(metric.missing_cost?),
        _ => exact(metric.category_cost?),
    };
    let is_number = [from, to].iter().all(|raw| matches!(problem.read(feature, *raw), Reading::Number(_)));
    let scale = metric.scales.as_ref().filter(|_| is_number && !is_counted).map_or(1.0, |scales| scales[feature]);
    let cost = along.times(&exact(metric.factors[feature] / scale));
    Some(if metric.norm == Norm::L2 { cost.times(&cost) } else { cost })
}

/// Of every kind of two values those that cost least.
fn pairs(problem: &Problem, metric: &Metric, feature: usize, may_vary: bool) -> Vec<([f64; 2], Exact)> {
    let ends = problem.ends(feature);
    let mut pairs: Vec<([Kind; 2], [f64; 2], Exact)> = vec![];
    for from in &ends[0] {
        for to in &ends[1] {
            let Some(cost) = cost(problem, metric, feature, [*from, *to]) else { continue };
            let is_same = from == to || problem.read(feature, *from) == problem.read(feature, *to) && from.is_nan();
            if !may_vary && !is_same {
                continue;
            }
            let kinds = [*from, *to].map(|raw| problem.signature(feature, raw));
            match pairs.iter_mut().find(|(known, ..)| *known == kinds) {
                Some((_, _, least)) if *least <= cost => {}
                Some((_, raws, least)) => (*raws, *least) = ([*from, *to], cost),
                None => pairs.push((kinds, [*from, *to], cost)),
            }
        }
    }
    pairs.into_iter().map(|(_, raws, cost)| (raws, cost)).collect()
}

fn margin(model: &Ensemble, row: &[f64], output: usize) -> Exact {
    model.evaluate(row).unwrap().margins[output].exact.clone().unwrap()
}

fn together(metric: &Metric, costs: &[Exact]) -> Exact {
    match metric.norm {
        Norm::Linf => costs.iter().max().cloned().unwrap_or_else(Exact::zero),
        _ => costs.iter().fold(Exact::zero(), |sum, cost| sum.plus(cost)),
    }
}

/// The largest difference of two inputs within a distance; nothing if there are too many to look at.
fn largest(problem: &Problem, near: &Near, output: usize) -> Option<Option<Exact>> {
    let limit =
        if near.metric.norm == Norm::L2 { exact(near.radius).times(&exact(near.radius)) } else { exact(near.radius) };
    let mut all: Vec<(Vec<f64>, Vec<f64>, Vec<Exact>)> = vec![Default::default()];
    for feature in 0..problem.model.features().len() {
        let may_vary = near.varied.as_ref().is_none_or(|varied| varied.contains(&feature));
        let pairs = pairs(problem, &near.metric, feature, may_vary);
        let with = |(a, b, costs): &(Vec<f64>, Vec<f64>, Vec<Exact>)| {
            let longer = pairs.iter().map(|([from, to], cost)| {
                let with = |row: &Vec<f64>, raw: f64| [&row[..], &[raw]].concat();
                (with(a, *from), with(b, *to), [&costs[..], std::slice::from_ref(cost)].concat())
            });
            longer.filter(|(_, _, costs)| together(&near.metric, costs) <= limit).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(with).collect();
        if all.len() > 1_000 {
            return None;
        }
    }
    let apart = |(a, b, _): &(Vec<f64>, Vec<f64>, Vec<Exact>)| {
        let rise = margin(&problem.model, b, output).minus(&margin(&problem.model, a, output));
        match near.direction {
            Some(Trend::Increasing) => rise,
            Some(Trend::Decreasing) => rise.negated(),
            None => rise.magnitude(),
        }
    };
    Some(all.iter().map(apart).max())
}

/// No number on the way to a margin is larger. Some rules add the base to a leaf before it is weighted.
fn largest_sum(model: &Ensemble) -> f64 {
    let summation = model.summation().unwrap();
    let base = summation.base.iter().map(|base| base.abs()).sum::<f64>();
    let largest = |(index, tree): (usize, &tree::Tree)| {
        let weight = summation.weights.as_ref().map_or(1.0, |weights| weights.per_tree[index].abs());
        weight * (base + tree.all_terms().iter().map(|term| term.value.abs()).sum::<f64>())
    };
    let sum = model.trees().iter().enumerate().map(largest).sum::<f64>();
    (sum + base) * summation.scale.unwrap_or(1.0).abs().max(1.0) / summation.divisor.unwrap_or(1.0).abs().min(1.0)
}

/// Asserts that the bounds hold a number, if there is one, and that they are close.
fn assert_bounds(model: &Ensemble, answer: &Comparison, expected: Option<&Exact>, context: &str) {
    let Some(expected) = expected else {
        assert_eq!(answer.verdict, Verdict::Infeasible, "{context}");
        return;
    };
    assert_eq!(answer.verdict, Verdict::Optimal, "{context}");
    assert!(exact(answer.lower.unwrap()) <= *expected, "{context}: {:?} of {}", answer.lower, expected.to_f64());
    // An upper bound that no double holds is none.
    let is_above = answer.upper.is_none_or(|upper| *expected <= exact(upper));
    assert!(is_above, "{context}: {:?} of {}", answer.upper, expected.to_f64());
    let close = (1e-14 * largest_sum(model)).max(f64::MIN_POSITIVE);
    assert!(answer.gap.is_none_or(|gap| gap <= close), "{context}: a gap of {:?} above {close:e}", answer.gap);
}

#[test]
fn stable_finds_the_largest_jump() {
    let first = setting("TREEPROOF_SEED", 1);
    let (mut tried, mut jumped, mut held, mut violated) = (0, 0, 0, 0);
    for seed in first..first + setting("TREEPROOF_PROBLEMS", 500) {
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let problem = Problem::new(&mut random, 2);
        let num_features = problem.model.features().len();
        let output = random.below(problem.model.num_margins());
        let metric = Metric {
            groups: Groups::NONE,
            norm: random.pick(&NORMS),
            factors: (0..num_features).map(|_| random.pick(&[1.0, 1.0, 1.0, 2.0, 0.1, 0.0])).collect(),
            scales: random.chance(3).then(|| (0..num_features).map(|_| random.pick(&[1.0, 2.0, 0.5, 3.0])).collect()),
            missing_cost: random.chance(3).then_some(0.5),
            category_cost: random.chance(2).then_some(1.5),
        };
        // Some radius is just that of two values.
        let values = problem.ends(random.below(num_features)).concat();
        let two = [0, 1].map(|_| values.get(random.below(values.len().max(1))).copied().unwrap_or(0.0));
        let radius = match random.below(3) {
            0 => random.pick(&[0.0, 1e-300, 0.1, 0.5, 1.0, 2.0]),
            1 => random.pick(&[1.0, 2.0, 3.0, 1e39]),
            _ => Some((two[1] - two[0]).abs()).filter(|radius| radius.is_finite()).unwrap_or(1.0),
        };
        let varied = random.chance(3).then(|| (0..num_features).filter(|_| random.chance(2)).collect());
        let direction = random.pick(&[None, None, Some(Trend::Increasing), Some(Trend::Decreasing)]);
        let near = Near { metric, radius, varied, direction };
        let Some(expected) = largest(&problem, &near, output) else { continue };
        let context = format!("seed {seed}: {:?} within {radius:e}", near.metric);
        let answer = match stable(&problem.model, &near, (output, None), &problem.setting()) {
            Ok(answer) => answer,
            Err(error) => panic!("{context}: {error}"),
        };
        assert_bounds(&problem.model, &answer, expected.as_ref(), &context);
        let Some(expected) = expected else { continue };
        tried += 1;
        jumped += usize::from(expected > Exact::zero());
        let rows = answer.rows().unwrap();
        let costs = (0..num_features)
            .map(|feature| cost(&problem, &near.metric, feature, [rows[0][0][feature], rows[1][0][feature]]).unwrap());
        let limit = if near.metric.norm == Norm::L2 { exact(radius).times(&exact(radius)) } else { exact(radius) };
        assert!(together(&near.metric, &costs.collect::<Vec<_>>()) <= limit, "{context}: {rows:?}");
        let bound = expected.to_f64();
        for within in [bound * 1.01, bound * 0.5].into_iter().filter(|within| *within >= 0.0) {
            let answer = stable(&problem.model, &near, (output, Some(within)), &problem.setting()).unwrap();
            match answer.verdict {
                Verdict::Holds => assert!(expected <= exact(within), "{context}"),
                Verdict::Violated => assert!(expected > exact(within), "{context}"),
                verdict => {
                    assert_eq!(verdict, Verdict::Undecided, "{context}");
                    assert!(matches!(answer.stopped, Stopped::Rounding | Stopped::Conditions), "{context}");
                }
            }
            held += usize::from(answer.verdict == Verdict::Holds);
            violated += usize::from(answer.verdict == Verdict::Violated);
        }
    }
    let summary = format!("{tried} tried, {jumped} jumped, {held} hold, {violated} violated");
    assert!(jumped * 5 > tried && held * 3 > tried && violated * 6 > tried, "{summary}");
}

/// The sum of five steps from 0 to 1, along a feature each.
fn steps() -> Ensemble {
    let stump = |feature: u32| {
        json!({"left": [1, -1, -1], "right": [2, -1, -1], "feature": [feature, -1, -1], "test": "<", "threshold": [0, 0, 0],
               "missing_left": [1, 0, 0], "output": 0, "value": [0, 0, 1]})
    };
    let feature = |feature: u32| json!({"name": format!("x{feature}"), "kind": "numeric"});
    let document = json!({
        "treeproof": 1, "source": {"format": "treeproof JSON"}, "features": (0..5).map(feature).collect::<Vec<_>>(),
        "input": {"precision": "f64", "accepts_missing": true, "accepts_infinite": true, "absent": "zero"},
        "num_outputs": 1,
        "aggregate": {"rule": "sum", "precision": "f64", "base": [0], "base_position": "first", "fixed_order": true},
        "link": {"function": "identity"}, "label": {"rule": "none"}, "classes": [],
        "trees": (0..5).map(stump).collect::<Vec<_>>(),
    });
    load_bytes(document.to_string().as_bytes(), &LoadOptions::default()).unwrap()
}

/// Changes that are so dear, or so cheap, that what all of them cost is easily lost: five are allowed, or four.
#[test]
fn changes_of_any_size_are_counted() {
    let conditions = [Condition::parse("all == 1").unwrap()];
    let (inputs, resolved) = (vec![], Resolved::default());
    let problem = Problem { model: steps(), inputs, resolved, conditions, limits: one_thread() };
    let dear = f64::from(1 << 30) * 512.0;
    for (factor, radius, most) in
        [(dear, 1e15, 5.0), (dear, 4.0 * dear, 4.0), (1e-321, 1e-320, 5.0), (4e-322, 16e-322, 4.0)]
    {
        let metric = Metric {
            groups: Groups::NONE,
            norm: Norm::L0,
            factors: vec![factor; 5],
            scales: None,
            missing_cost: None,
            category_cost: None,
        };
        let near = Near { metric, radius, varied: None, direction: None };
        let answer = stable(&problem.model, &near, (0, None), &problem.setting()).unwrap();
        assert_eq!((answer.lower, answer.upper), (Some(most), Some(most)), "{factor:e} within {radius:e}");
    }
}

#[test]
fn dominant_changes_are_the_largest() {
    let first = setting("TREEPROOF_SEED", 1);
    let (mut tried, mut changed) = (0, 0);
    for seed in first..first + setting("TREEPROOF_PROBLEMS", 500) {
        let mut random = Random(seed.wrapping_mul(0xD134_2543_DE82_EF95));
        let problem = Problem::new(&mut random, 1);
        let model = &problem.model;
        let num_features = model.features().len();
        let output = random.below(model.num_margins());
        let direction = random.pick(&[Trend::Increasing, Trend::Decreasing]);
        let varied: Vec<usize> = (0..num_features).filter(|_| !random.chance(3)).collect();
        let at_most = random.pick(&[0, 1, 1, 2, 3]);
        // A start that mostly is one of the inputs asked about.
        let values: Vec<Vec<f64>> = (0..num_features).map(|feature| problem.ends(feature).concat()).collect();
        let value = |values: &Vec<f64>| match values.is_empty() || random.chance(8) {
            true => 0.0,
            false => random.pick(values),
        };
        let row: Vec<f64> = values.iter().map(value).collect();
        if model.read(&row).is_err() {
            continue;
        }
        let start = StartingRow { row, at_most };
        let is_same = |feature: usize, raw: f64| {
            let own = start.row[feature];
            raw == own || (raw.is_nan() && own.is_nan())
        };
        let mut all: Vec<Vec<f64>> = vec![vec![]];
        for (feature, values) in values.iter().enumerate() {
            let own = Some(start.row[feature]).filter(|own| problem.is_allowed(0, feature, *own));
            let others = values.iter().copied().filter(|raw| varied.contains(&feature) && !is_same(feature, *raw));
            let choices: Vec<f64> = own.into_iter().chain(others).collect();
            let with = |row: &Vec<f64>| choices.iter().map(|raw| [&row[..], &[*raw]].concat()).collect::<Vec<_>>();
            all = all.iter().flat_map(with).collect();
        }
        let is_near = |row: &Vec<f64>| {
            row.iter().enumerate().filter(|(feature, raw)| !is_same(*feature, **raw)).count() <= at_most
        };
        all.retain(is_near);
        if all.len() > 1_000 {
            continue;
        }
        let own = margin(model, &start.row, output);
        let gain = |row: &Vec<f64>| {
            let gain = margin(model, row, output).minus(&own);
            if direction == Trend::Increasing { gain } else { gain.negated() }
        };
        let expected = all.iter().map(gain).max();
        let context = format!("seed {seed}: {varied:?} of {start:?}");
        let answer = match dominant(model, (&start, &varied), (output, direction), &problem.setting()) {
            Ok(answer) => answer,
            Err(error) => panic!("{context}: {error}"),
        };
        assert_bounds(model, &answer, expected.as_ref(), &context);
        if expected.is_some() {
            tried += 1;
            let row = &answer.rows().unwrap()[1][0];
            assert!(is_near(row), "{context}: {row:?}");
            changed += usize::from(row.iter().enumerate().any(|(feature, raw)| !is_same(feature, *raw)));
        }
    }
    assert!(changed * 5 > tried, "{changed} of {tried}");
}
