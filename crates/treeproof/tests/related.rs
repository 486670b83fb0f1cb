//! Sums, grids and relations between two inputs, alone and in every combination, against brute force.
//!
//! On a grid of few values all rows are tried, so that answers must be exact. Between the values of a grid there are more
//! rows: then a bound must not be beaten by any row of the grid. `TREEPROOF_PROBLEMS` sets how many, `TREEPROOF_SEED` the
//! random numbers.

#[expect(dead_code, reason = "the other tests use the rest")]
mod support;

mod relations;

use std::sync::Arc;

use relations::{Rows, Tally, World, product};
use support::{Random, setting};
use treeproof::internals::{
    AdmissibleInputs, Conditions, Metric, NearestRequest, RowGoal, Setting, fair_difference, monotone,
};
use treeproof::report::{Finding, Stopped, Verdict};
use treeproof::task::{Question, Task, TaskLimits};
use treeproof::watch::Unwatched;
use treeproof_ensemble::ensemble::{Ensemble, Trend};
use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::norm::Norm;
use treeproof_language::{Assignment, DistanceLimit, Groups, Inputs, ReadRow};

#[test]
fn one_input_is_confined_as_brute_force_says() {
    let (first, problems) = (setting("TREEPROOF_SEED", 1), setting("TREEPROOF_PROBLEMS", 250));
    let mut tally = Tally::default();
    for seed in first..first + problems {
        let mut random = Random(seed.wrapping_mul(0x517C_C1B7_2722_0A95));
        let world = World::random(&mut random, Inputs::One);
        let texts = world.conditions(&mut random);
        let context = format!("seed {seed}: {texts:?}");
        if world.resolved(&texts).is_none() {
            tally.refused += 1;
            continue;
        }
        let mut task = Task::new(Question::Max);
        (task.conditions, task.limits.threads) = (texts.clone(), Some(1));
        let report = task.clone().about(&world.model).run().unwrap_or_else(|error| panic!("{context}: {error}"));
        let rows = Rows::new(&world, &texts);
        let known = rows.of_one(&texts).into_iter().max();
        match report.finding {
            Finding::Max(answer) => {
                let found = (answer.verdict, answer.stopped);
                tally.add(found, [answer.lower, answer.upper], known, &world, &context);
            }
            Finding::Infeasible(found) => {
                tally.add((Verdict::Infeasible, Stopped::Optimal), [None; 2], known, &world, &context);
                let named: Vec<String> = texts.iter().filter(|text| found.conflict.contains(text)).cloned().collect();
                assert!(rows.of_one(&named).is_empty(), "{context}: {named:?} do not conflict");
            }
            other => panic!("{context}: {other:?}"),
        }
    }
    tally.assert_enough(problems);
}

#[test]
fn two_inputs_are_confined_as_brute_force_says() {
    let (first, problems) = (setting("TREEPROOF_SEED", 1), setting("TREEPROOF_PROBLEMS", 250));
    let mut tally = Tally::default();
    for seed in first..first + problems {
        let mut random = Random(seed.wrapping_mul(0x3C6E_F372_FE94_F82B));
        let world = World::random(&mut random, Inputs::Two);
        let texts = world.conditions(&mut random);
        let context = format!("seed {seed}: {texts:?}");
        let Some((conditions, resolved)) = world.resolved(&texts) else {
            tally.refused += 1;
            continue;
        };
        let mut limits = TaskLimits::default();
        limits.threads = Some(1);
        let allowed =
            AdmissibleInputs { conditions: &conditions, resolved: &resolved, ..AdmissibleInputs::everything() };
        let asked = Setting { allowed, limits: &limits, watcher: &Unwatched };
        let rows = Rows::new(&world, &texts);
        let (answer, known) = if random.chance(3) {
            let is_turned = random.chance(2);
            let trend = if is_turned { Trend::Decreasing } else { Trend::Increasing };
            let rises = |feature: usize, from: f64, to: f64| feature == 0 && from <= to;
            let differences = rows.of_two(&texts, rises).into_iter();
            let step = |difference: Exact| if is_turned { difference } else { difference.negated() };
            (monotone(&world.model, (0, trend), 0, &asked).unwrap(), differences.map(step).max())
        } else {
            let protected: Vec<usize> = (0..3).filter(|feature| random.chance(2) || *feature == 0).collect();
            let differences = rows.of_two(&texts, |feature, _, _| protected.contains(&feature)).into_iter();
            let answer = fair_difference(&world.model, None, &protected, 0, &asked).unwrap();
            (answer, differences.map(|difference| difference.magnitude()).max())
        };
        // Whether the library shows it is another question.
        let is_shown = matches!(answer.verdict, Verdict::Undecided) && answer.gap.is_some_and(|gap| gap < 1e-6);
        let verdict = if is_shown { Verdict::Optimal } else { answer.verdict };
        tally.add((verdict, answer.stopped), [answer.lower, answer.upper], known.as_ref(), &world, &context);
        if let (Some(found), Verdict::Infeasible) = (answer.found.as_ref(), answer.verdict) {
            panic!("{context}: {found:?}");
        }
    }
    tally.assert_enough(problems);
}

/// How far two rows without missing values are apart; none if one cannot become the other.
fn distance(model: &Ensemble, norm: Norm, from: &[f64], to: &[f64]) -> Option<f64> {
    let along = |feature: usize| match model.features()[feature].is_category() {
        true if from[feature] == to[feature] => Some(0.0),
        true => (norm == Norm::L0).then_some(1.0),
        false if norm == Norm::L0 => Some(f64::from(u8::from(from[feature] != to[feature]))),
        false => Some((from[feature] - to[feature]).abs()),
    };
    let along: Vec<f64> = (0..from.len()).map(along).collect::<Option<_>>()?;
    Some(match norm {
        Norm::Linf => along.into_iter().fold(0.0, f64::max),
        Norm::L2 => along.iter().map(|along| along * along).sum::<f64>().sqrt(),
        Norm::L1 | Norm::L0 => along.iter().sum(),
    })
}

#[test]
fn nearest_inputs_are_what_brute_force_says() {
    let (first, problems) = (setting("TREEPROOF_SEED", 1), setting("TREEPROOF_PROBLEMS", 250));
    let mut tally = Tally::default();
    let mut answers = [0; 4];
    for seed in first..first + problems {
        let mut random = Random(seed.wrapping_mul(0x6A09_E667_F3BC_C909));
        let mut world = World::random(&mut random, Inputs::WithReference);
        let texts: Vec<String> =
            world.conditions(&mut random).into_iter().filter(|text| !text.contains("missing")).collect();
        let norm = random.pick(&[Norm::L1, Norm::L1, Norm::Linf, Norm::L0, Norm::L2]);
        let bound = random.chance(3).then(|| (random.pick(&Norm::ALL), random.pick(&[0.5, 1.0, 1.5, 2.0])));
        let is_exact = norm != Norm::L2 && bound.is_none_or(|(norm, _)| norm != Norm::L2);
        let context = format!("seed {seed}, {norm:?}: {texts:?}, {bound:?}");
        let choices: Vec<Vec<f64>> = (0..3)
            .map(|feature| world.values(feature, &texts).into_iter().filter(|value| !value.is_nan()).collect())
            .collect();
        let raws = product(&choices);
        if raws.is_empty() || world.resolved(&texts).is_none() {
            tally.refused += 1;
            continue;
        }
        let from = raws[random.below(raws.len())].clone();
        // Some row's own output, so that there are both labels.
        let output = |row: &[f64]| world.model.evaluate(row).unwrap().outputs[0];
        let threshold = output(&raws[random.below(raws.len())]);
        let class = |row: &[f64]| output(row) > threshold;
        let (_, resolved) = world.resolved(&texts).unwrap();
        let reference = ReadRow::new(&world.model, &from).unwrap();
        let is_met = |row: &[f64]| {
            let input = ReadRow::new(&world.model, row).unwrap();
            let point = Assignment::One { input: &input, reference: Some(&reference) };
            let is_within = |(norm, limit)| distance(&world.model, norm, &from, row).is_some_and(|far| far <= limit);
            resolved.conjuncts.iter().all(|conjunct| conjunct.constraint.holds(point)) && bound.is_none_or(is_within)
        };
        let others = raws.iter().filter(|row| class(row) != class(&from) && is_met(row));
        let known = others.filter_map(|row| distance(&world.model, norm, &from, row)).reduce(f64::min);
        let Ok(conditions) = Conditions::new(&world.model, &Groups::NONE, &texts, None, None).unwrap() else {
            assert!(known.is_none(), "{context}: {known:?}");
            tally.infeasible += 1;
            continue;
        };
        let exact = |(norm, limit)| DistanceLimit { norm, limit: Exact::from_f64(limit).unwrap() };
        let conditions = conditions.bounded(bound.map(exact));
        let mut limits = TaskLimits::default();
        limits.threads = Some(1);
        let (metric, is_grid) = (Metric::new(norm, &world.model, &Groups::NONE), world.is_grid);
        world.is_grid = false;
        let ensemble = Arc::new(world.model);
        let mut asked = NearestRequest {
            ensemble,
            metric,
            goal: RowGoal::Other,
            threshold: Some(threshold),
            conditions,
            within: None,
            count: 1,
            bisection: None,
            limits,
        };
        let nearest = match asked.ask(&from, &Unwatched) {
            Ok(nearest) => nearest,
            // Sums that may overflow have no labels about which something can be proved.
            Err(error) => {
                assert!(!error.to_string().contains("internal"), "{context}: {error}");
                tally.refused += 1;
                continue;
            }
        };
        let (lower, upper) = (nearest.lower.unwrap_or(f64::INFINITY), nearest.upper.unwrap_or(f64::INFINITY));
        let slack = 1e-9;
        match (nearest.verdict, known) {
            (Verdict::Infeasible, known) => {
                assert!(known.is_none(), "{context}: {known:?}");
                tally.infeasible += 1;
            }
            (verdict, Some(known)) => {
                assert!(lower <= known + slack, "{context}: {lower}, but {known}");
                assert!(!is_grid || upper >= known - slack, "{context}: {upper}, but {known}");
                if verdict == Verdict::Optimal {
                    assert!(upper <= known + slack, "{context}: {upper}, but {known}");
                    tally.optimal += 1;
                } else {
                    assert!(!is_exact || !is_grid, "{context}: {lower}, {upper}, but {known}");
                    tally.undecided += 1;
                }
            }
            (verdict, None) => assert!(!is_grid || verdict == Verdict::Undecided, "{context}: {lower}, {upper}"),
        }
        let radius = random.pick(&[0.5, 1.0, 2.0, 3.0]);
        asked.within = Some(radius);
        let robust = asked.ask(&from, &Unwatched).unwrap();
        let is_near = known.is_some_and(|known| known <= radius);
        match robust.verdict {
            Verdict::Holds | Verdict::Infeasible => assert!(!is_near, "{context}: {known:?} within {radius}"),
            Verdict::Violated => assert!(!is_grid || is_near, "{context}: {known:?} within {radius}"),
            _ => assert!(!is_exact || !is_grid, "{context}: {known:?} within {radius}"),
        }
        answers[match robust.verdict {
            Verdict::Holds => 0,
            Verdict::Violated => 1,
            Verdict::Infeasible => 2,
            _ => 3,
        }] += 1;
    }
    let problems = usize::try_from(problems).unwrap();
    assert!(tally.optimal * 6 > problems && tally.undecided * 8 < problems, "{tally:?}");
    assert!(answers[0] * 8 > problems && answers[1] * 40 > problems && answers[3] * 20 < problems, "{answers:?}");
}
