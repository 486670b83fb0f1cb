//! The nearest input that changes the answer, against brute force on random small models.

mod nearest;
#[expect(dead_code, reason = "other tests use the rest")]
mod support;

use std::sync::Arc;

use treeproof::internals::Domain;
use treeproof::internals::{Conditions, Metric, Nearest, NearestRequest, RowGoal};
use treeproof::report::{Stopped, Verdict};
use treeproof::watch::Unwatched;
use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::input::Reading;
use treeproof_ensemble::norm::Norm;
use treeproof_language::{DistanceLimit, Groups};
use treeproof_search::Strategy;

use crate::nearest::{
    AdmissibleInputs, check, check_found, check_others, distance, gentle_classifier, is_goal, least,
    nearest_of_each_kind, power, random_question, random_question_of, total,
};
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
        let answer = match question.ask(&row, &Unwatched) {
            Ok(answer) => answer,
            Err(error) => {
                let text = error.to_string();
                let is_known =
                    ["labels", "finite output", "beyond all outputs"].iter().any(|known| text.contains(known));
                assert!(is_known, "{what}: {text}");
                refused += 1;
                continue;
            }
        };
        let mut goals = nearest_of_each_kind(&question, &domains, &row);
        goals.retain(|(other, _)| is_goal(&question, &row, other));
        let least = least(&goals, |_| true);
        check(&question, &domains, &row, &answer, least.as_ref(), &what);
        let nearest = answer.upper;
        tried += 1;
        none += usize::from(least.is_none());
        others += check_others(&mut question, &goals, &row, |_| true, &what);
        far += usize::from(least.as_ref().is_some_and(|least| *least > Exact::zero()));
        for radius in [0.0, 0.5, 1.0, 2.0, 1e30] {
            question.within = Some(radius);
            let answer = question.ask(&row, &Unwatched).unwrap();
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
        question.conditions = Conditions::new(&ensemble, &Groups::default(), &[], None, None).unwrap().unwrap();
        let Ok(answer) = question.ask(&row, &Unwatched) else { continue };
        let domains: Vec<AdmissibleInputs> = domains.into_iter().map(|domain| (domain, false)).collect();
        let mut goals = nearest_of_each_kind(&question, &domains, &row);
        goals.retain(|(other, _)| is_goal(&question, &row, other));
        let least = least(&goals, |_| true);
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
    let (mut tried, mut none, mut others, mut halved) = (0, 0, 0, 0);
    // By the norm of the question and that of a bound, how often the bound leaves what is further away.
    let mut further = [[0; 4]; 4];
    for seed in first..first + setting("TREEPROOF_PROBLEMS", 4_000) {
        let mut random = Random(seed.wrapping_mul(0x9FB2_1C65_1E98_DF25));
        let ensemble = gentle_classifier(&mut random);
        let Some((mut question, domains, mut row)) = random_question_of(&mut random, ensemble) else { continue };
        if !random.chance(4) {
            question.goal = RowGoal::Other;
        }
        for (feature, raw) in row.iter_mut().enumerate().filter(|(_, raw)| ![0.0, 1.0].contains(*raw)) {
            let gentle = random.pick(&[-2.0, -0.9, -0.4, 0.0, 0.2, 0.7, 1.2, 2.5]);
            let known = &question.ensemble.features()[feature];
            if let Ok(Reading::Number(_)) = question.ensemble.input().read(known, gentle) {
                *raw = gentle;
            }
        }
        if question.ask(&row, &Unwatched).is_err() {
            continue;
        }
        let ensemble = Arc::clone(&question.ensemble);
        let mut goals = nearest_of_each_kind(&question, &domains, &row);
        goals.retain(|(other, _)| is_goal(&question, &row, other));
        let bounds: Vec<(Metric, f64)> = (0..1 + random.below(2))
            .map(|_| {
                let metric = Metric { norm: random.pick(&Norm::ALL), ..question.metric.clone() };
                let costs = goals.iter().filter_map(|(goal, _)| total(&ensemble, &metric, &row, goal));
                let mut costs: Vec<Exact> = costs.collect();
                costs.sort_unstable();
                // The least that leaves something, and any other.
                let cost = costs.get(if random.chance(2) { 0 } else { random.below(costs.len().max(1)) });
                let limit = match cost.map(|cost| distance(metric.norm, cost)).filter(|limit| limit.is_finite()) {
                    Some(limit) if !random.chance(4) => random.pick(&[limit, limit, limit.next_down()]),
                    _ => random.pick(&[-1.0, 0.0, 0.5, 1.0, 2.0, 2.5, 1e30]),
                };
                (metric, limit)
            })
            .collect();
        let is_within = |to: &[f64]| {
            bounds.iter().all(|(metric, limit)| {
                let cost = total(&ensemble, metric, &row, to);
                *limit >= 0.0 && cost.is_some_and(|cost| cost <= power(metric.norm, *limit))
            })
        };
        let texts: Vec<String> =
            bounds.iter().map(|(metric, limit)| format!("{:?} <= {limit:e}", metric.norm)).collect();
        let what = format!("seed {seed}, {:?}, {:?}, {texts:?}", question.metric.norm, question.goal);
        let stated = bounds
            .iter()
            .map(|(metric, limit)| DistanceLimit { norm: metric.norm, limit: Exact::from_f64(*limit).unwrap() });
        question.conditions = question.conditions.bounded(stated);
        let answer = question.ask(&row, &Unwatched).unwrap();
        let (any, least) = (least(&goals, |_| true), least(&goals, is_within));
        check(&question, &domains, &row, &answer, least.as_ref(), &what);
        assert!(answer.row.as_ref().is_none_or(|found| is_within(found)), "{what}: {:?}", answer.row);
        tried += 1;
        none += usize::from(any.is_some() && least.is_none());
        if any != least && least.is_some() {
            bounds.iter().for_each(|(metric, _)| further[question.metric.norm as usize][metric.norm as usize] += 1);
        }
        others += check_others(&mut question, &goals, &row, is_within, &what);
        for radius in [0.0, 1.0, 2.0, 1e30] {
            question.within = Some(radius);
            let answer = question.ask(&row, &Unwatched).unwrap();
            assert!(answer.row.as_ref().is_none_or(|found| is_within(found)), "{what}: {:?}", answer.row);
            if answer.stopped == Stopped::Rounding {
                assert!(!ensemble.summation().unwrap().fixed_order, "{what}");
                continue;
            }
            let is_near = least.as_ref().is_some_and(|least| *least <= power(question.metric.norm, radius));
            match answer.verdict {
                Verdict::Violated => assert!(is_near, "{what}, radius {radius}"),
                Verdict::Holds | Verdict::Infeasible => assert!(!is_near, "{what}, radius {radius}"),
                verdict => panic!("{what}, radius {radius}: {verdict:?}"),
            }
            if question.metric.norm == Norm::Linf {
                question.bisection = Some(random.pick(&STRATEGIES));
                let halved = question.ask(&row, &Unwatched).unwrap();
                question.bisection = None;
                let is_known = halved.stopped != Stopped::Rounding;
                assert!(!is_known || halved.verdict == answer.verdict, "{what}, radius {radius}: {:?}", halved.verdict);
                assert!(halved.row.as_ref().is_none_or(|found| is_within(found)), "{what}: {:?}", halved.row);
            }
        }
        if question.metric.norm == Norm::Linf {
            (question.within, question.bisection) = (None, Some(random.pick(&STRATEGIES)));
            let answer = question.ask(&row, &Unwatched).unwrap();
            check_halved(&question, &domains, &row, &answer, least.as_ref(), &what);
            assert!(answer.row.as_ref().is_none_or(|found| is_within(found)), "{what}: {:?}", answer.row);
            halved += usize::from(any != least && least.is_some() && answer.stopped != Stopped::Rounding);
        }
    }
    let summary = format!("{tried} tried, {none} without, {others} others, {halved} halved, further away {further:?}");
    assert!(none * 10 > tried && others * 100 > tried && halved > 0, "{summary}");
    // No bound in the same norm leaves what is further away.
    let is_other = |(place, count): (usize, &usize)| place % 5 == 0 || *count > 0;
    assert!(further.as_flattened().iter().enumerate().all(is_other), "{summary}");
}

const STRATEGIES: [Strategy; 3] = [Strategy::DEFAULT, Strategy::AStar, Strategy::Anytime { first: 50, patience: 3 }];

/// What the way of the paper gives is the least distance, or an interval around it, or what it does not know.
fn check_halved(
    question: &NearestRequest,
    domains: &[AdmissibleInputs],
    row: &[f64],
    answer: &Nearest,
    least: Option<&Exact>,
    what: &str,
) {
    let bound = |distance: Option<f64>| power(Norm::Linf, distance.unwrap());
    match answer.stopped {
        Stopped::Rounding => {
            assert_eq!(answer.verdict, Verdict::Undecided, "{what}");
            assert!(least.is_none_or(|least| bound(answer.lower) <= *least), "{what}");
        }
        Stopped::Steps => {
            assert_eq!(answer.verdict, Verdict::Undecided, "{what}");
            check_found(question, domains, row, answer, what);
            let least = least.unwrap();
            assert!(bound(answer.lower) <= *least && *least <= bound(answer.upper), "{what}: {least:?}");
        }
        _ => check(question, domains, row, answer, least, what),
    }
}

/// The way of the paper gives an interval around the least distance, and ends with the distance where only one is left.
#[test]
fn halving_a_radius_leaves_an_interval_around_the_least_distance() {
    let first = setting("TREEPROOF_SEED", 1);
    let (mut exact, mut intervals, mut far, mut none, mut unsure) = (0, 0, 0, 0, 0);
    for seed in first..first + setting("TREEPROOF_PROBLEMS", 3_000) {
        let mut random = Random(seed.wrapping_mul(0xA5A3_564E_27F8_8651));
        let has_groups = random.chance(3);
        let Some((mut question, domains, row)) = random_question(&mut random, has_groups) else { continue };
        (question.metric.norm, question.bisection) = (Norm::Linf, Some(random.pick(&STRATEGIES)));
        let Ok(answer) = question.ask(&row, &Unwatched) else { continue };
        let rows = nearest_of_each_kind(&question, &domains, &row);
        let least = least(&rows, |other| is_goal(&question, &row, other));
        let what = format!("seed {seed}, {:?}", question.goal);
        check_halved(&question, &domains, &row, &answer, least.as_ref(), &what);
        if answer.stopped == Stopped::Rounding {
            // Where probabilities tie that depend on the margins of other classes too.
            unsure += usize::from(question.ensemble.summation().unwrap().fixed_order);
            continue;
        }
        match &least {
            None => none += 1,
            Some(_) if answer.stopped == Stopped::Steps => intervals += 1,
            Some(least) => (exact, far) = (exact + 1, far + usize::from(*least > power(Norm::Linf, 20.0))),
        }
        for radius in [0.0, 0.5, 1.0, 3.0, 25.0, 1e30] {
            question.within = Some(radius);
            let strategy = question.bisection.take();
            let expected = question.ask(&row, &Unwatched).unwrap();
            question.bisection = strategy;
            let answer = question.ask(&row, &Unwatched).unwrap();
            if answer.stopped == Stopped::Rounding {
                assert_eq!(answer.verdict, Verdict::Undecided, "{what}, radius {radius}");
                continue;
            }
            assert_eq!(answer.verdict, expected.verdict, "{what}, radius {radius}");
            assert_eq!(answer.row.is_some(), answer.verdict == Verdict::Violated, "{what}, radius {radius}");
        }
    }
    let summary = format!("{exact} exact ({far} far), {intervals} intervals, {none} without, {unsure} unsure");
    let is_enough = exact * 3 > none && far * 50 > exact && none * 8 > exact && unsure * 100 <= exact;
    assert!(is_enough, "{summary}");
}

/// Of whole numbers only one is left after a few steps.
#[test]
fn halving_a_radius_finds_whole_distances_exactly() {
    let first = setting("TREEPROOF_SEED", 1);
    let (mut tried, mut far) = (0, 0);
    for seed in first..first + setting("TREEPROOF_PROBLEMS", 3_000) {
        let mut random = Random(seed.wrapping_mul(0x94D0_49BB_1331_11EB));
        let Some((mut question, _, _)) = random_question(&mut random, false) else { continue };
        let ensemble = Arc::clone(&question.ensemble);
        if ensemble.features().iter().any(|feature| feature.is_category()) {
            continue;
        }
        let row: Vec<f64> = ensemble.features().iter().map(|_| random.pick(&[-40.0, -3.0, 0.0, 1.0, 7.0])).collect();
        question.metric = Metric::new(Norm::Linf, &ensemble, &Groups::NONE);
        let all = (0..row.len()).map(|feature| format!("integer(f{feature})")).collect::<Vec<_>>();
        question.conditions = Conditions::new(&ensemble, &Groups::NONE, &all, None, None).unwrap().unwrap();
        let Ok(expected) = question.ask(&row, &Unwatched) else { continue };
        question.bisection = Some(random.pick(&STRATEGIES));
        let answer = question.ask(&row, &Unwatched).unwrap();
        // Where the library adds in no fixed order, the goal may be reached nearer than anything that is sure to reach it.
        if answer.stopped == Stopped::Rounding {
            assert_eq!(expected.stopped, Stopped::Rounding, "seed {seed}");
            assert!(answer.lower <= expected.lower, "seed {seed}");
            continue;
        }
        let told = |nearest: &Nearest| (nearest.verdict, nearest.lower, nearest.upper, nearest.stopped);
        assert_eq!(told(&answer), told(&expected), "seed {seed}");
        tried += 1;
        far += usize::from(answer.upper.is_some_and(|upper| upper > 20.0));
    }
    assert!(tried > 0 && far * 50 > tried, "{tried} tried, {far} far");
}

#[test]
fn what_boxes_do_not_tell_is_refused() {
    let mut random = Random(7);
    let (mut question, _, row) =
        std::iter::repeat_with(|| random_question(&mut random, false)).find_map(|it| it).unwrap();
    question.bisection = Some(Strategy::DEFAULT);
    let refusal = |question: &NearestRequest| question.ask(&row, &Unwatched).unwrap_err().to_string();
    question.metric.norm = Norm::L1;
    assert_eq!(refusal(&question), "method `veritas` knows `linf` only: leave it out for `l1`");
    (question.metric.norm, question.count) = (Norm::Linf, 2);
    assert_eq!(refusal(&question), "count does not go with the method `veritas`, which finds one input for each row");
    question.count = 1;
    let texts = ["changed <= 1".to_owned()];
    question.conditions = Conditions::new(&question.ensemble, &Groups::NONE, &texts, None, None).unwrap().unwrap();
    assert_eq!(refusal(&question), "method must be `auto` where a condition is about several features together");
}
