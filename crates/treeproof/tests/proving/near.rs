//! Random questions about distances whose answers are written as proofs: the nearest input, and jumps between near ones.

use std::sync::Arc;

use treeproof::internals::{
    AdmissibleInputs, Conditions, Metric, Near, Nearest, NearestRequest, RowGoal, Setting, stable,
};
use treeproof::report::{Stopped, Verdict};
use treeproof::watch::Watcher;
use treeproof_ensemble::ensemble::Trend;
use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::norm::Norm;
use treeproof_language::{DistanceLimit, Groups, Inputs};
use treeproof_proof::conclusion::Claim;

use super::{Asked, Unproved, check, compared, limits, prove, refused, stated};
use crate::relations::{World, product};
use crate::support::Random;

/// A jump between two inputs that are near each other.
pub(crate) fn random_jump(random: &mut Random) -> Result<Asked, Unproved> {
    let world = World::random(random, Inputs::Two);
    let texts = world.conditions(random);
    let near = Near {
        metric: metric(random),
        radius: random.pick(&[0.0, 0.5, 1.0, 1.5, 2.0, 3.0]),
        varied: random.chance(3).then(|| (0..3).filter(|_| !random.chance(3)).collect()),
        direction: random.pick(&[None, Some(Trend::Increasing), Some(Trend::Decreasing)]),
    };
    let Some((conditions, resolved)) = world.resolved(&texts) else {
        return Err(Unproved::Refused("conditions that are none".to_owned()));
    };
    let (limits, is_patient) = (limits(random), !random.chance(5));
    let allowed = AdmissibleInputs { conditions: &conditions, resolved: &resolved, ..AdmissibleInputs::everything() };
    let ask =
        |watcher: &dyn Watcher| stable(&world.model, &near, (0, None), &Setting { allowed, limits: &limits, watcher });
    let found = prove(is_patient, ask);
    compared("stable", vec![world.model], found, !is_patient || limits.gap.is_some())
}

fn metric(random: &mut Random) -> Metric {
    Metric {
        groups: Groups::NONE,
        norm: random.pick(&[Norm::Linf, Norm::L2, Norm::L1, Norm::L0]),
        factors: (0..3).map(|_| random.pick(&[1.0, 1.0, 1.0, 2.0, 0.1, 0.0])).collect(),
        scales: random.chance(3).then(|| (0..3).map(|_| random.pick(&[1.0, 2.0, 0.5, 3.0])).collect()),
        missing_cost: random.chance(3).then_some(0.5),
        category_cost: random.chance(2).then_some(1.5),
    }
}

/// The nearest input that reaches something, from a row: the answer, and whether its proof is accepted as what it says.
pub(crate) fn random_nearest(random: &mut Random, context: &str) -> Result<Result<Nearest, String>, Unproved> {
    let world = World::random(random, Inputs::WithReference);
    let texts = world.conditions(random);
    let rows = product(&(0..3).map(|feature| world.values(feature, &texts)).collect::<Vec<_>>());
    if rows.is_empty() {
        return Err(Unproved::Empty);
    }
    let row = rows[random.below(rows.len())].clone();
    let conditions = Conditions::new(&world.model, &Groups::NONE, &texts, None, None);
    let conditions = conditions.map_err(|error| refused(&error))?.map_err(|_| Unproved::Empty)?;
    let bound = |random: &mut Random| {
        let limit = random.pick(&["1/2", "1", "3/2", "2", "4/3"]);
        DistanceLimit { norm: random.pick(&Norm::ALL), limit: Exact::from_text(limit).unwrap() }
    };
    let num_bounds = random.below(3) / 2 + random.below(3) / 2;
    let bounds: Vec<DistanceLimit> = (0..num_bounds).map(|_| bound(random)).collect();
    let number = world.model.evaluate(&rows[random.below(rows.len())]).map_or(0.0, |of| of.outputs[0]);
    let within = random.chance(2).then(|| random.pick(&[0.0, 0.5, 1.0, 2.0, 5.0]));
    let asked = NearestRequest {
        ensemble: Arc::new(world.model),
        metric: metric(random),
        goal: random.pick(&[RowGoal::Above(number), RowGoal::Below(number), RowGoal::Moved(1.0)]),
        threshold: None,
        conditions: conditions.bounded(bounds),
        within,
        count: if within.is_none() && random.chance(4) { 3 } else { 1 },
        bisection: None,
        limits: limits(random),
    };
    let is_patient = !random.chance(8);
    let (answer, proof) = prove(is_patient, |watcher| asked.ask(&row, watcher));
    let answer = answer.map_err(|error| refused(&error))?;
    let sections = match check(&proof, &[(*asked.ensemble).clone()]) {
        Ok(sections) => sections,
        Err(wrong) => return Ok(Err(format!("{wrong}\n{}", stated(&proof)))),
    };
    if answer.stopped == Stopped::Optimal && !sections.is_empty() {
        let claims: Vec<&Claim> = sections.iter().map(|section| &section.conclusion.claim).collect();
        let is_proved = match answer.verdict {
            Verdict::Holds => claims.contains(&&Claim::Never),
            Verdict::Optimal => claims.iter().any(|claim| match claim {
                Claim::NotNearer(least) => answer.lower.is_some_and(|lower| least.0 >= lower),
                // Nothing is nearer than 0: that needs no claim.
                Claim::Reached => answer.lower == Some(0.0),
                _ => false,
            }),
            _ => true,
        };
        assert!(is_proved, "{context}: {claims:?}, {answer:?}");
    }
    Ok(Ok(answer))
}
