//! Refutations: whatever cases and numbers one gives, no box is refuted that has an input.

use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::input::Reading;
use treeproof_proof::refutation::{Plane, Refutation};
use treeproof_proof::statement::Tie;
use treeproof_proof::statement::condition::{Condition, LinearTerm, Relation, Variable};
use treeproof_proof::statement::distance::{Distance, DistanceBound, Norm};

use super::conditions::{exact, linear, some};
use super::distances::near;
use super::world::{Dice, NUMBERS, Value, World, number};
use crate::distance::between;
use crate::exclusion::distance_limit::DistanceLimit;
use crate::exclusion::refute::refutes;
use crate::exclusion::subcase::Subcase;
use crate::space::Space;
use crate::witness::point::Point;

/// Some cases and numbers, most of which show nothing.
pub(super) fn random(dice: &mut Dice, case: &Subcase<'_>, depth: usize) -> Refutation {
    let num_inputs = case.grid.space.statement.inputs.len();
    let feature = u32::try_from(dice.below(6)).unwrap();
    let times = |dice: &mut Dice, count: u32| -> Vec<(u32, Exact)> {
        let mut times = vec![];
        for place in 0..count {
            if dice.is(70) {
                times.push((place, if dice.is(70) { Exact::one() } else { exact(dice) }));
            }
        }
        times
    };
    match dice.below(if depth > 0 { 8 } else { 4 }) {
        0 => Refutation::Void,
        1..4 => {
            let num_rows = u32::try_from(case.rows().len()).unwrap() + u32::from(dice.is(5));
            let plane = |dice: &mut Dice| Plane {
                distance: u32::from(dice.is(30)),
                times: if dice.is(70) { Exact::one() } else { exact(dice) },
                normal: times(dice, 3),
            };
            let planes = (0..dice.below(2)).map(|_| plane(dice)).collect();
            Refutation::Sums { rows: times(dice, num_rows), planes }
        }
        4 => {
            let demands = case.demands();
            let is_any = |place: &usize| matches!(demands[*place], Condition::Any(_));
            let place = (0..demands.len()).find(is_any).unwrap_or(0);
            let cases = case.either(place).unwrap_or_default();
            let cases = cases.iter().map(|case| random(dice, case, depth - 1)).collect();
            Refutation::Either { place: u32::try_from(place).unwrap(), cases }
        }
        5 => match case.ordered(feature) {
            Some(cases) => {
                let cases = Box::new(cases.each_ref().map(|case| random(dice, case, depth - 1)));
                Refutation::Ordered { feature, cases }
            }
            None => Refutation::Void,
        },
        _ => {
            let variable = Variable { input: u32::try_from(dice.below(num_inputs)).unwrap(), feature };
            let at = dice.of(&NUMBERS);
            match case.parted(variable, at) {
                Some(cases) => {
                    let cases = Box::new(cases.each_ref().map(|case| random(dice, case, depth - 1)));
                    Refutation::Parted { variable, number: at, cases }
                }
                None => Refutation::Void,
            }
        }
    }
}

/// Whether an input is one of the statement's: all conditions, ties and distances.
fn counts(world: &World, space: &Space<'_>, point: &Point, values: &[Vec<Value>]) -> bool {
    let statement = &world.statement;
    let is_missing = |input: usize, feature: usize| {
        let seen = world.read_all(feature, values[input][feature]).unwrap();
        seen.iter().all(|seen| seen.1 == Reading::Missing)
    };
    let is_tied = |(feature, tie): (usize, &Tie)| match tie {
        Tie::NotBelow => match (values[0][feature], values[1][feature]) {
            _ if is_missing(0, feature) || is_missing(1, feature) => is_missing(0, feature) && is_missing(1, feature),
            (Value::Number(first), Value::Number(second)) => first <= second,
            _ => false,
        },
        _ => true,
    };
    let cost_of = |near: &Distance| match &point.inputs[..] {
        [one] => between(near, space, point.reference.as_ref()?, one),
        [one, other] => between(near, space, one, other),
        _ => None,
    };
    let is_near = statement.near.iter().all(|near| cost_of(near).is_some_and(|cost| cost <= near.limit().unwrap()));
    let is_within = |of: &DistanceBound| cost_of(&of.distance).is_some_and(|cost| cost <= of.limit());
    statement.conditions.iter().all(|condition| point.meets(condition))
        && statement.ties.iter().enumerate().all(is_tied)
        && is_near
        && statement.within.iter().all(is_within)
}

/// Sums of which one is the other way round, so that both hold of little or of nothing; the other among alternatives, now and then.
fn contrary(dice: &mut Dice, world: &World) -> Vec<Condition> {
    let Condition::Linear { terms, relation, constant } = linear(dice, world) else { unreachable!("it is a sum") };
    let negated = |term: &LinearTerm| LinearTerm { coefficient: term.coefficient.negated(), ..term.clone() };
    let other = Condition::Linear {
        terms: terms.iter().map(negated).collect(),
        relation: dice.of(&[Relation::Below, Relation::AtMost]),
        constant: constant.negated().minus(&exact(dice)),
    };
    let other = if dice.is(30) { Condition::Any(vec![other, linear(dice, world)]) } else { other };
    vec![Condition::Linear { terms, relation, constant }, other]
}

#[test]
fn no_box_is_refuted_that_has_an_input() {
    let (mut num_refuted, mut num_alone, mut num_met, mut num_far) = (0, 0, 0, 0);
    for seed in 0..3500 {
        let dice = &mut Dice(seed);
        let mut world = World::new(dice, 1 + usize::from(seed % 5 == 0));
        world.statement.conditions = match seed % 2 {
            0 => some(dice, &world),
            _ => contrary(dice, &world),
        };
        let is_measured = world.statement.inputs.len() == 2 || world.statement.reference.is_some();
        let mut distance = near(dice);
        // Of two inputs what changes is said by axes of its own.
        if is_measured && dice.is(60) && (distance.norm != Norm::L0 || world.statement.inputs.len() == 1) {
            distance.radius = Some(number(dice.of(&[0.0, 0.5, 1.0, 3.0])));
            world.statement.near = Some(distance);
            if world.statement.inputs.len() == 1 && dice.is(40) {
                world.statement.within.push(DistanceBound { distance: near(dice), at_most: exact(dice) });
            }
        }
        world.with(|grid| {
            let limits = DistanceLimit::all(grid, None).unwrap();
            for _ in 0..4 {
                let region = World::region(dice, grid);
                let points: Vec<_> = (0..12).filter_map(|_| world.point(dice, grid, &region)).collect();
                let whole = Subcase::new(grid, &limits, &region);
                let is_seen = whole.is_void() || whole.is_too_far();
                num_far += u32::from(whole.is_too_far() && !points.is_empty());
                let refutations: Vec<Refutation> = (0..24).map(|_| random(dice, &whole, 3)).collect();
                let refuting: Vec<&Refutation> = refutations.iter().filter(|of| refutes(of, &whole)).collect();
                num_refuted += u32::from(!refuting.is_empty() && !points.is_empty());
                num_alone += u32::from(!refuting.is_empty() && !is_seen && !points.is_empty());
                for values in &points {
                    let point = world.read_point(grid, values);
                    let is_met = counts(&world, grid.space, &point, values);
                    num_met += u32::from(is_met);
                    assert!(
                        !(is_met && (is_seen || !refuting.is_empty())),
                        "{refuting:?} {values:?} {region:?} {world:#?}"
                    );
                }
            }
        });
    }
    let counts = (num_refuted, num_alone, num_met, num_far);
    assert!(num_refuted > 3000 && num_alone > 50 && num_met > 1000 && num_far > 300, "{counts:?}");
}
