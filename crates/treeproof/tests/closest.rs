//! The nearest input that changes the answer, against brute force on random small models.

mod nearest;
#[expect(dead_code, reason = "other tests use the rest")]
mod support;

use std::sync::Arc;

use treeproof::compile::Domain;
use treeproof::distance::{Conditions, Norm};
use treeproof::language::{DistanceBound, Groups};
use treeproof::report::{Stopped, Verdict};
use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::input::Reading;

use crate::nearest::{Allowed, brute_force, check, check_others, is_goal, power, random_question, total};
use crate::support::{Random, all_candidates, setting};

#[test]
fn the_nearest_input_is_the_nearest() {
    assert_nearest(false, 3_000);
}

#[test]
fn a_group_counts_once() {
    assert_nearest(true, 1_500);
}

fn assert_nearest(has_groups: bool, problems: u64) {
    let first = setting("TREEPROOF_SEED", 1);
    let (mut tried, mut none, mut far, mut others, mut refused) = (0, 0, 0, 0, 0);
    for seed in first..first + setting("TREEPROOF_PROBLEMS", problems) {
        let mut random = Random(seed.wrapping_mul(0xD6E8_FEB8_6659_FD93));
        let Some((mut question, domains, row)) = random_question(&mut random, has_groups) else { continue };
        let what = format!("seed {seed}, {:?}, {:?}", question.metric.norm, question.goal);
        let answer = match question.ask(&row, &|| true) {
            Ok(answer) => answer,
            Err(error) => {
                let text = error.to_string();
                assert!(text.contains("labels") || text.contains("finite output"), "{what}: {text}");
                refused += 1;
                continue;
            }
        };
        let least = brute_force(&question, &domains, &row, |other| is_goal(&question, &row, other));
        check(&question, &domains, &row, &answer, least.as_ref(), &what);
        let nearest = answer.upper;
        tried += 1;
        none += usize::from(least.is_none());
        others += check_others(&mut question, &domains, &row, |_| true, &what);
        far += usize::from(least.as_ref().is_some_and(|least| *least > Exact::zero()));
        for radius in [0.0, 0.5, 1.0, 2.0, 1e30] {
            question.within = Some(radius);
            let answer = question.ask(&row, &|| true).unwrap();
            let is_within = least.as_ref().is_some_and(|least| *least <= power(question.metric.norm, radius))
                || nearest.is_some_and(|nearest| nearest <= radius);
            let expected = if is_within { Verdict::Violated } else { Verdict::Holds };
            if answer.stopped == Stopped::Rounding {
                assert!(!question.ensemble.summation().unwrap().fixed_order, "{what}");
                assert_eq!(answer.verdict, Verdict::Undecided, "{what}, radius {radius}");
                continue;
            }
            // Without any input there is nothing to hold.
            let is_vacuous = answer.verdict == Verdict::Infeasible && expected == Verdict::Holds;
            assert!(is_vacuous || answer.verdict == expected, "{what}, radius {radius}: {:?}", answer.verdict);
            if let Some(found) = &answer.row {
                assert!(is_goal(&question, &row, found), "{what}, radius {radius}");
            }
        }
    }
    let summary = format!("{tried} tried, {none} without, {far} at a distance, {others} others, {refused} refused");
    assert!(tried * 2 > refused && far * 8 > tried && none * 10 > tried && others * 100 > tried, "{summary}");
}

/// A value that is no category may stay what it is, though nothing may become so.
#[test]
fn what_is_no_category_may_stay_so() {
    let first = setting("TREEPROOF_SEED", 1);
    let (mut tried, mut unknown) = (0, 0);
    for seed in first..first + setting("TREEPROOF_PROBLEMS", 3_000) {
        let mut random = Random(seed.wrapping_mul(0xD6E8_FEB8_6659_FD93));
        let Some((mut question, _, _)) = random_question(&mut random, false) else { continue };
        let ensemble = Arc::clone(&question.ensemble);
        let mut domains = Domain::everything(&ensemble);
        let mut row = vec![];
        for (feature, domain) in domains.iter_mut().enumerate() {
            if let Domain::Categories { unknown, .. } = domain {
                *unknown = true;
            }
            let candidates = all_candidates(&ensemble, feature, domain);
            row.extend(candidates.get(random.below(candidates.len().max(1))));
        }
        if row.len() < domains.len() {
            continue;
        }
        let readings = ensemble.read(&row).unwrap();
        for (domain, reading) in domains.iter_mut().zip(&readings) {
            if let Domain::Categories { unknown, .. } = domain {
                *unknown = *reading == Reading::NoCategory;
            }
        }
        question.conditions = Conditions::new(&ensemble, &Groups::default(), &[], None).unwrap().unwrap();
        let Ok(answer) = question.ask(&row, &|| true) else { continue };
        let domains: Vec<Allowed> = domains.into_iter().map(|domain| (domain, false)).collect();
        let least = brute_force(&question, &domains, &row, |other| is_goal(&question, &row, other));
        check(&question, &domains, &row, &answer, least.as_ref(), &format!("seed {seed}"));
        tried += 1;
        unknown += usize::from(least.is_some() && readings.contains(&Reading::NoCategory));
    }
    assert!(unknown * 50 > tried, "{unknown} of {tried}");
}

/// Distances in other norms than the question's may be bounded, by closed balls.
#[test]
fn other_distances_can_be_bounded() {
    let first = setting("TREEPROOF_SEED", 1);
    let (mut tried, mut nearer, mut none, mut others) = (0, 0, 0, 0);
    // By the norm of the question and that of a bound, how often the bound leaves something further away.
    let mut matters = [[0; 4]; 4];
    for seed in first..first + setting("TREEPROOF_PROBLEMS", 4_000) {
        let mut random = Random(seed.wrapping_mul(0x9FB2_1C65_1E98_DF25));
        let has_groups = random.chance(3);
        let Some((mut question, domains, row)) = random_question(&mut random, has_groups) else { continue };
        let Ok(free) = question.ask(&row, &|| true) else { continue };
        let ensemble = Arc::clone(&question.ensemble);
        let mut balls = vec![];
        for _ in 0..1 + random.below(2) {
            let metric = question.metric.clone();
            let metric = treeproof::distance::Metric { norm: random.pick(&Norm::ALL), ..metric };
            let found = free.row.as_ref().and_then(|found| total(&ensemble, &metric, &row, found));
            let found = found.map(|cost| if metric.norm == Norm::L2 { cost.to_f64().sqrt() } else { cost.to_f64() });
            let limit = match found.filter(|found| found.is_finite() && random.chance(2)) {
                Some(found) => random.pick(&[found, found.next_down(), found / 2.0, found * 0.99]),
                None => random.pick(&[-1.0, 0.0, 0.5, 1.0, 2.0, 2.5, 3.0, 1e30]),
            };
            balls.push((metric, limit));
        }
        let bound = |(metric, limit): &(_, f64)| DistanceBound {
            norm: treeproof::distance::Metric::clone(metric).norm,
            limit: Exact::from_f64(*limit).unwrap(),
        };
        question.conditions = question.conditions.bounded(balls.iter().map(bound));
        let is_within = |to: &[f64]| {
            balls.iter().all(|(metric, limit)| {
                let cost = total(&ensemble, metric, &row, to);
                *limit >= 0.0 && cost.is_some_and(|cost| cost <= power(metric.norm, *limit))
            })
        };
        let texts: Vec<String> = balls.iter().map(|(metric, limit)| format!("{:?} {limit:e}", metric.norm)).collect();
        let what = format!("seed {seed}, {:?}, {:?}, {texts:?}", question.metric.norm, question.goal);
        let answer = question.ask(&row, &|| true).unwrap();
        let any = brute_force(&question, &domains, &row, |to| is_goal(&question, &row, to));
        let least = brute_force(&question, &domains, &row, |to| is_goal(&question, &row, to) && is_within(to));
        check(&question, &domains, &row, &answer, least.as_ref(), &what);
        assert!(answer.row.as_ref().is_none_or(|found| is_within(found)), "{what}: {:?}", answer.row);
        others += check_others(&mut question, &domains, &row, is_within, &what);
        tried += 1;
        none += usize::from(any.is_some() && least.is_none());
        nearer += usize::from(any != least && least.is_some());
        if let ([(metric, _)], true) = (&balls[..], any != least && least.is_some()) {
            matters[question.metric.norm as usize][metric.norm as usize] += 1;
        }
        for radius in [0.0, 1.0, 2.0, 1e30] {
            question.within = Some(radius);
            let answer = question.ask(&row, &|| true).unwrap();
            assert!(answer.row.as_ref().is_none_or(|found| is_within(found)), "{what}: {:?}", answer.row);
            if answer.stopped == Stopped::Rounding {
                assert!(!ensemble.summation().unwrap().fixed_order, "{what}");
                continue;
            }
            let is_found = least.as_ref().is_some_and(|least| *least <= power(question.metric.norm, radius));
            match answer.verdict {
                Verdict::Violated => assert!(is_found, "{what}, radius {radius}"),
                Verdict::Holds | Verdict::Infeasible => assert!(!is_found, "{what}, radius {radius}"),
                verdict => panic!("{what}, radius {radius}: {verdict:?}"),
            }
        }
    }
    let summary = format!("{tried} tried, {nearer} further away, {none} without, {others} others; {matters:?}");
    println!("{summary}");
    assert!(nearer * 50 > tried && none * 10 > tried && others * 100 > tried, "{summary}");
}
