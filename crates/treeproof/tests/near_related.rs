//! Inputs that are near each other, or near a row, under sums, grids and relations: against brute force.
//!
//! On a grid of few values all rows are tried, so that answers must be exact. Between the values of a grid there are more
//! rows: then a bound must not be beaten by any row that is tried. `TREEPROOF_PROBLEMS` sets how many, `TREEPROOF_SEED` the
//! random numbers.

#[expect(dead_code, reason = "the other tests use the rest")]
mod support;

#[expect(dead_code, reason = "the other tests use the rest")]
mod relations;

use relations::{Rows, Tally, World};
use support::{Random, setting};
use treeproof::internals::StartingRow;
use treeproof::internals::{AdmissibleInputs, Metric, Near, Setting, dominant, stable};
use treeproof::report::Verdict;
use treeproof::task::TaskLimits;
use treeproof::watch::Unwatched;
use treeproof_ensemble::ensemble::{Ensemble, Trend};
use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::input::Reading;
use treeproof_ensemble::norm::Norm;
use treeproof_language::{Assignment, Groups, Inputs, ReadRow, Resolved, Side, Variable};

fn exact(number: f64) -> Exact {
    Exact::from_f64(number).unwrap()
}

fn one_thread() -> TaskLimits {
    let mut limits = TaskLimits::default();
    limits.threads = Some(1);
    limits
}

/// Whether two rows are near each other: plain code, the reference for all norms.
fn are_near(model: &Ensemble, near: &Near, resolved: &Resolved, [from, to]: [&[f64]; 2]) -> bool {
    let Metric { norm, factors, scales, missing_cost, category_cost, .. } = &near.metric;
    let read = |feature: usize, raw: f64| model.input().read(&model.features()[feature], raw).unwrap();
    let along = |feature: usize| {
        let raws = [from[feature], to[feature]];
        let may_be_missing = |side| resolved.may_be_missing.contains(&Variable { side, feature });
        let cost = match raws.map(|raw| read(feature, raw)) {
            [Reading::Number(_), Reading::Number(_)] if raws[0] == raws[1] => return Some(Exact::zero()),
            [one, other] if one == other && !matches!(one, Reading::Number(_)) => return Some(Exact::zero()),
            _ if near.varied.as_ref().is_some_and(|varied| !varied.contains(&feature)) => return None,
            [Reading::Number(_), Reading::Number(_)] if *norm == Norm::L0 => Exact::one(),
            [Reading::Number(_), Reading::Number(_)] => exact(raws[0]).minus(&exact(raws[1])).magnitude(),
            [Reading::Missing, _] | [_, Reading::Missing] if ![Side::A, Side::B].into_iter().any(may_be_missing) => {
                return None;
            }
            _ if *norm == Norm::L0 => Exact::one(),
            [Reading::Missing, _] | [_, Reading::Missing] => exact((*missing_cost)?),
            _ => exact((*category_cost)?),
        };
        let is_number = raws.iter().all(|raw| matches!(read(feature, *raw), Reading::Number(_)));
        let scale = scales.as_ref().filter(|_| is_number && *norm != Norm::L0).map_or(1.0, |scales| scales[feature]);
        Some(cost.times(&exact(factors[feature] / scale)))
    };
    let Some(along) = (0..from.len()).map(along).collect::<Option<Vec<Exact>>>() else { return false };
    let sum = |costs: &mut dyn Iterator<Item = Exact>| costs.fold(Exact::zero(), |sum, cost| sum.plus(&cost));
    let radius = exact(near.radius);
    match norm {
        Norm::Linf => along.iter().all(|along| *along <= radius),
        Norm::L2 => sum(&mut along.iter().map(|along| along.times(along))) <= radius.times(&radius),
        Norm::L1 | Norm::L0 => sum(&mut along.into_iter()) <= radius,
    }
}

#[test]
fn jumps_are_what_brute_force_says() {
    let (first, problems) = (setting("TREEPROOF_SEED", 1), setting("TREEPROOF_PROBLEMS", 100));
    let mut tally = Tally::default();
    let mut beside = 0;
    for seed in first..first + problems {
        let mut random = Random(seed.wrapping_mul(0xA54F_F53A_5F1D_36F1));
        let world = World::random(&mut random, Inputs::Two);
        let mut texts = world.conditions(&mut random);
        if random.chance(4) {
            // Another grid in one input than in the other.
            texts.push(format!("step({}x1, {})", random.pick(&["a.", "b."]), random.pick(&["0.5", "2", "3"])));
        }
        let near = Near {
            metric: Metric {
                groups: Groups::NONE,
                norm: random.pick(&[Norm::Linf, Norm::L2, Norm::L1, Norm::L0]),
                factors: (0..3).map(|_| random.pick(&[1.0, 1.0, 1.0, 2.0, 0.1, 0.0])).collect(),
                scales: random.chance(3).then(|| (0..3).map(|_| random.pick(&[1.0, 2.0, 0.5, 3.0])).collect()),
                missing_cost: random.chance(3).then_some(0.5),
                category_cost: random.chance(2).then_some(1.5),
            },
            radius: random.pick(&[0.0, 0.5, 1.0, 1.0, 1.5, 2.0, 2.0, 3.0]),
            varied: random.chance(3).then(|| (0..3).filter(|_| !random.chance(3)).collect()),
            direction: random.pick(&[None, None, Some(Trend::Increasing), Some(Trend::Decreasing)]),
        };
        let context = format!("seed {seed}: {:?} within {}, {texts:?}", near.metric, near.radius);
        let Some((conditions, resolved)) = world.resolved(&texts) else {
            tally.refused += 1;
            continue;
        };
        let limits = one_thread();
        let allowed =
            AdmissibleInputs { conditions: &conditions, resolved: &resolved, ..AdmissibleInputs::everything() };
        let asked = Setting { allowed, limits: &limits, watcher: &Unwatched };
        let answer =
            stable(&world.model, &near, (0, None), &asked).unwrap_or_else(|error| panic!("{context}: {error}"));
        let jump = |rise: Exact| match near.direction {
            Some(Trend::Increasing) => rise,
            Some(Trend::Decreasing) => rise.negated(),
            None => rise.magnitude(),
        };
        let rows = Rows::new(&world, &texts);
        let pairs = rows.of_pairs(&texts, |from, to| are_near(&world.model, &near, &resolved, [from, to]));
        let known = pairs.into_iter().map(jump).max();
        tally.add((answer.verdict, answer.stopped), [answer.lower, answer.upper], known.as_ref(), &world, &context);
        if let Some(found) = &answer.found {
            let rows = [&found.rows[0][0][..], &found.rows[1][0]];
            assert!(are_near(&world.model, &near, &resolved, rows), "{context}: {rows:?}");
        }
        // Rows beside the grid, some of them near each other.
        for _ in 0..if world.is_grid { 0 } else { 200 } {
            let [mut a, mut b] = [0, 1].map(|_| rows.raws[random.below(rows.raws.len())].clone());
            for feature in (0..3).filter(|feature| !world.model.features()[*feature].is_category()) {
                a[feature] += random.pick(&[0.0, 0.25, 0.5, 0.1]);
                if !random.chance(3) {
                    b[feature] = a[feature] + random.pick(&[0.0, 0.0, 0.25, -0.5, 1.0]);
                }
            }
            let (Ok(one), Ok(other)) = (ReadRow::new(&world.model, &a), ReadRow::new(&world.model, &b)) else {
                continue;
            };
            let is_there = |input: &ReadRow<'_>| !input.readings().contains(&Reading::Missing);
            let point = Assignment::Two { a: &one, b: &other };
            let is_met = is_there(&one)
                && is_there(&other)
                && resolved.conjuncts.iter().all(|conjunct| conjunct.constraint.holds(point))
                && are_near(&world.model, &near, &resolved, [&a, &b]);
            if is_met {
                let margin = |row: &[f64]| world.model.evaluate(row).unwrap().margins[0].exact.clone().unwrap();
                let jump = jump(margin(&b).minus(&margin(&a)));
                let is_bound = answer.upper.is_none_or(|upper| jump <= exact(upper));
                assert!(is_bound && answer.verdict != Verdict::Infeasible, "{context}: {a:?} and {b:?}");
                beside += 1;
            }
        }
    }
    tally.assert_enough(problems);
    assert!(beside > problems, "{beside}");
}

#[test]
fn changes_of_a_row_are_what_brute_force_says() {
    let (first, problems) = (setting("TREEPROOF_SEED", 1), setting("TREEPROOF_PROBLEMS", 250));
    let mut tally = Tally::default();
    for seed in first..first + problems {
        let mut random = Random(seed.wrapping_mul(0x510E_527F_ADE6_82D1));
        let world = World::random(&mut random, Inputs::One);
        let texts = world.conditions(&mut random);
        let rows = Rows::new(&world, &texts);
        let start = StartingRow { row: rows.raws[random.below(rows.raws.len())].clone(), at_most: random.below(4) };
        let varied: Vec<usize> = (0..3).filter(|_| !random.chance(4)).collect();
        let direction = random.pick(&[Trend::Increasing, Trend::Decreasing]);
        let context = format!("seed {seed}: {varied:?} of {start:?}, {texts:?}");
        let Some((conditions, resolved)) = world.resolved(&texts) else {
            tally.refused += 1;
            continue;
        };
        let limits = one_thread();
        let allowed =
            AdmissibleInputs { conditions: &conditions, resolved: &resolved, ..AdmissibleInputs::everything() };
        let asked = Setting { allowed, limits: &limits, watcher: &Unwatched };
        let answer = dominant(&world.model, (&start, &varied), (0, direction), &asked);
        let answer = answer.unwrap_or_else(|error| panic!("{context}: {error}"));
        let own = world.model.evaluate(&start.row).unwrap().margins[0].exact.clone().unwrap();
        let is_other = |row: &[f64], feature: &usize| {
            let (raw, own) = (row[*feature], start.row[*feature]);
            raw != own && !(raw.is_nan() && own.is_nan())
        };
        let changed = |row: &[f64]| (0..3).filter(|feature| is_other(row, feature)).collect::<Vec<_>>();
        let is_near = |row: &[f64]| {
            let changed = changed(row);
            changed.len() <= start.at_most && changed.iter().all(|feature| varied.contains(feature))
        };
        let gain = |margin: &Exact| match direction {
            Trend::Increasing => margin.minus(&own),
            Trend::Decreasing => own.minus(margin),
        };
        let known = rows.of_one_where(&texts, is_near).into_iter().map(gain).max();
        tally.add((answer.verdict, answer.stopped), [answer.lower, answer.upper], known.as_ref(), &world, &context);
        if let Some(found) = &answer.found {
            assert!(is_near(&found.rows[1][0]), "{context}: {:?}", found.rows);
        }
    }
    tally.assert_enough(problems);
}
