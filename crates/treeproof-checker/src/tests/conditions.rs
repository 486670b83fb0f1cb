//! Conditions and ties: no box is excluded that has an input which meets them, and a box of one input is whenever it does not.

use treeproof_ensemble::exact::Exact;
use treeproof_proof::refutation::Refutation;
use treeproof_proof::statement::Tie;
use treeproof_proof::statement::condition::{Condition, Direction, Domain, LinearTerm, Relation, Variable};

use super::world::{COLUMNS, Dice, NUMBERS, Value, World, number};
use crate::exclusion::propagate::{Assumptions, Propagation};
use crate::exclusion::refute::refutes;
use crate::exclusion::subcase::Subcase;
use crate::region::Region;
use crate::space::grid::Grid;

pub(super) fn exact(dice: &mut Dice) -> Exact {
    Exact::from_text(dice.of(&["1", "-1", "2", "-3", "1/2", "1/10", "0", "7/2"])).unwrap()
}

fn variable(dice: &mut Dice, world: &World, features: &[u32]) -> Variable {
    let input = u32::try_from(dice.below(world.statement.inputs.len())).unwrap();
    Variable { input, feature: dice.of(features) }
}

pub(super) fn linear(dice: &mut Dice, world: &World) -> Condition {
    let mut terms: Vec<LinearTerm> = vec![];
    for _ in 0..=dice.below(3) {
        let term = LinearTerm { coefficient: exact(dice), variable: variable(dice, world, &[0, 1, 0, 1, 3, 4]) };
        if terms.iter().all(|other| other.variable != term.variable) && term.coefficient != Exact::zero() {
            terms.push(term);
        }
    }
    Condition::Linear {
        terms,
        relation: dice.of(&[Relation::Below, Relation::AtMost, Relation::Equal]),
        constant: exact(dice),
    }
}

fn condition(dice: &mut Dice, world: &World, depth: usize) -> Condition {
    let feature = u32::try_from(dice.below(6)).unwrap();
    let numeric = dice.of(&[0, 1, 3, 4]);
    let counts = (dice.below(3) as u64, dice.below(4) as u64);
    match dice.below(if depth > 0 { 11 } else { 7 }) {
        0 => {
            let missing = dice.is(30);
            let domain = if feature == 2 {
                Domain::Categories { codes: dice.some(&[0, 1, 2, 3], 40), unknown: dice.is(30), missing }
            } else {
                let (one, other) = (dice.of(&NUMBERS), dice.of(&NUMBERS));
                let steps = if dice.is(20) { vec![Exact::one()] } else { vec![] };
                Domain::Numbers { ranges: vec![(number(one.min(other)), number(one.max(other)))], steps, missing }
            };
            Condition::Values(variable(dice, world, &[feature]), domain)
        }
        1 => {
            let step = Exact::from_text(dice.of(&["1", "2", "1/2", "1/10"])).unwrap();
            Condition::Multiple { variable: variable(dice, world, &[numeric]), step, negated: dice.is(50) }
        }
        2 => linear(dice, world),
        3 => {
            let columns = (0..3).map(|_| variable(dice, world, &[0, 1, 3, 4, 5])).collect();
            Condition::Count { columns, at_least: counts.0, at_most: counts.1 }
        }
        4 => Condition::Same { feature, negated: dice.is(50) },
        5 => {
            let all = [Direction::AtLeast, Direction::AtMost, Direction::Above, Direction::Below];
            Condition::Moved { feature: numeric, direction: dice.of(&all) }
        }
        6 => {
            let units = [vec![0], vec![1], vec![2], COLUMNS.to_vec()];
            let units = units.into_iter().filter(|_| dice.is(70)).collect();
            Condition::Changed { units, at_least: counts.0, at_most: counts.1 }
        }
        part => {
            let parts = (0..dice.below(4)).map(|_| condition(dice, world, depth - 1)).collect();
            if part < 9 { Condition::Any(parts) } else { Condition::All(parts) }
        }
    }
}

/// Whether narrowing a box so leaves nothing.
fn excludes(grid: &Grid<'_>, region: &Region, narrow: impl FnOnce(&mut Propagation<'_>)) -> bool {
    let assumed = Assumptions::default();
    let mut narrowed = Propagation::new(grid, region, &assumed);
    narrow(&mut narrowed);
    narrowed.is_empty
}

/// Whether sums, times these numbers, add up to what cannot be.
fn add_up(grid: &Grid<'_>, region: &Region, rows: &[(u32, Exact)]) -> bool {
    let refutation = Refutation::Sums { rows: rows.to_vec(), planes: vec![] };
    refutes(&refutation, &Subcase::new(grid, &[], region))
}

/// Whether every feature has an axis, and every cell of the box one value, so that all is seen.
fn is_one_point(grid: &Grid<'_>, region: &Region, num_inputs: usize) -> bool {
    let is_one = |(input, feature): (usize, usize)| {
        let Some(axis) = grid.axis_of(input, feature) else { return false };
        let mut cells = region.axis(axis).cells();
        let (Some(cell), None) = (cells.next(), cells.next()) else { return false };
        let held = grid.cell_values(axis, cell, feature);
        let is_number = held.ends().is_none_or(|(first, last)| first == last);
        let kinds =
            held.codes.len() + usize::from(held.unknown) + usize::from(held.may_be_missing()) + held.present().count();
        is_number && kinds == 1
    };
    (0..num_inputs).all(|input| (0..6).all(|feature| is_one((input, feature))))
}

#[test]
fn no_box_is_excluded_that_has_an_input() {
    let (mut num_excluded, mut num_points, mut num_exact) = (0, 0, 0);
    for seed in 0..2000 {
        let dice = &mut Dice(seed);
        let num_models = 1 + dice.below(2);
        let mut world = World::new(dice, num_models);
        world.statement.conditions = some(dice, &world);
        world.with(|grid| {
            for _ in 0..6 {
                let region = World::region(dice, grid);
                let points: Vec<_> = (0..12).filter_map(|_| world.point(dice, grid, &region)).collect();
                for condition in &world.statement.conditions {
                    let is_excluded = excludes(grid, &region, |narrowed| narrowed.apply(condition));
                    num_excluded += u32::from(is_excluded && !points.is_empty());
                    for values in &points {
                        num_points += 1;
                        let holds = world.read_point(grid, values).meets(condition);
                        assert!(!(is_excluded && holds), "{condition:#?} {values:?} {region:?} {world:#?}");
                        if is_one_point(grid, &region, world.statement.inputs.len()) {
                            assert_eq!(is_excluded, !holds, "{condition:#?} {values:?} {region:?} {world:#?}");
                            num_exact += 1;
                        }
                    }
                }
            }
        });
    }
    assert!(num_excluded > 5_000 && num_points > 100_000 && num_exact > 500, "{num_excluded} {num_points} {num_exact}");
}

#[test]
fn no_box_is_excluded_by_a_tie_that_has_a_pair() {
    let mut num_excluded = 0;
    for seed in 0..2000 {
        let dice = &mut Dice(seed);
        let world = World::new(dice, 1 + usize::from(seed % 3 == 0));
        world.with(|grid| {
            let region = World::region(dice, grid);
            for feature in (0..2).filter(|feature| world.statement.ties.get(*feature) == Some(&Tie::NotBelow)) {
                let is_excluded = excludes(grid, &region, |narrowed| narrowed.keep_in_order(feature));
                for values in (0..12).filter_map(|_| world.point(dice, grid, &region)) {
                    num_excluded += u32::from(is_excluded);
                    let is_missing = |input: usize| {
                        let seen = world.read_all(feature, values[input][feature]).unwrap();
                        seen.iter().all(|seen| seen.1 == treeproof_ensemble::input::Reading::Missing)
                    };
                    let is_tied = match (values[0][feature], values[1][feature]) {
                        _ if is_missing(0) || is_missing(1) => is_missing(0) && is_missing(1),
                        (Value::Number(first), Value::Number(second)) => first <= second,
                        _ => false,
                    };
                    assert!(!(is_excluded && is_tied), "{values:?} {region:?} {world:#?}");
                }
            }
        });
    }
    assert!(num_excluded > 1000, "{num_excluded}");
}

#[test]
fn sums_that_contradict_each_other_are_refuted_together() {
    let (mut num_refuted, mut num_alone) = (0, 0);
    for seed in 0..1500 {
        let dice = &mut Dice(seed);
        let mut world = World::new(dice, 1);
        world.statement.conditions = (0..2).map(|_| linear(dice, &world)).collect();
        world.with(|grid| {
            let region = World::region(dice, grid);
            let points: Vec<_> = (0..12).filter_map(|_| world.point(dice, grid, &region)).collect();
            for _ in 0..4 {
                let multipliers = [(0, exact(dice)), (1, exact(dice))];
                let is_refuted = add_up(grid, &region, &multipliers);
                num_refuted += u32::from(is_refuted && !points.is_empty());
                let is_alone =
                    world.statement.conditions.iter().any(|of| excludes(grid, &region, |narrowed| narrowed.apply(of)));
                num_alone += u32::from(is_refuted && is_alone && !points.is_empty());
                for values in &points {
                    let point = world.read_point(grid, values);
                    let is_met = world.statement.conditions.iter().all(|condition| point.meets(condition));
                    assert!(!(is_refuted && is_met), "{multipliers:?} {values:?} {region:?} {world:#?}");
                }
            }
        });
    }
    assert!(num_refuted > 1000 && num_alone < num_refuted, "{num_refuted} {num_alone}");
}

#[test]
fn x_below_y_and_y_below_x_exclude_each_other() {
    let dice = &mut Dice(11);
    let is_plain = |world: &World| world.statement.inputs.len() == 1 && world.axes.len() == 4;
    let mut world = (0..).map(|_| World::new(dice, 1)).find(is_plain).unwrap();
    let everything = || Domain::Numbers { ranges: vec![(number(-9.0), number(9.0))], steps: vec![], missing: false };
    (world.statement.inputs[0][0], world.statement.inputs[0][1]) = (everything(), everything());
    let term = |feature: u32, coefficient: i64| LinearTerm {
        coefficient: Exact::from_i64(coefficient),
        variable: Variable { input: 0, feature },
    };
    let below = |first: u32, second: u32, relation: Relation| Condition::Linear {
        terms: vec![term(first, 1), term(second, -1)],
        relation,
        constant: Exact::zero(),
    };
    let both = |relation| vec![below(0, 1, Relation::AtMost), below(1, 0, relation)];
    for (relation, is_refuted) in [(Relation::Below, true), (Relation::AtMost, false)] {
        world.statement.conditions = both(relation);
        world.with(|grid| {
            let region = grid.everything();
            let ones = [(0, Exact::one()), (1, Exact::one())];
            assert_eq!(add_up(grid, &region, &ones), is_refuted);
            assert!(!Subcase::new(grid, &[], &region).is_void());
            assert!(!add_up(grid, &region, &[]) && !add_up(grid, &region, &[(7, Exact::one())]));
            let negative = [(0, Exact::one().negated()), (1, Exact::one().negated())];
            assert!(!add_up(grid, &region, &negative));
        });
    }
}

/// Some conditions.
pub(super) fn some(dice: &mut Dice, world: &World) -> Vec<Condition> {
    (0..4).map(|_| condition(dice, world, 3)).collect()
}
