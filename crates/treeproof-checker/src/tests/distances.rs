//! Distances: what cells cost is never more than what a value in them costs, and as much where they hold one alone.

use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::input::Reading;
use treeproof_proof::axis::Piece;
use treeproof_proof::statement::distance::{Distance, Norm};

use super::world::{COLUMNS, Dice, NUMBERS, Value, World, number};
use crate::distance::{CellCosts, between, pair_cost};
use crate::space::grid::Grid;

pub(super) fn near(dice: &mut Dice) -> Distance {
    let mut factors: Vec<f64> = (0..6).map(|_| dice.of(&[0.0, 0.1, 1.0, 2.5])).collect();
    factors[5] = factors[3];
    factors[4] = factors[3];
    let mut cost = || dice.of(&[None, Some(0.0), Some(0.3), Some(4.0)]).map(number);
    let (missing_costs, category_cost) = ((0..6).map(|_| cost()).collect(), cost());
    let norm = dice.of(&[Norm::L0, Norm::L1, Norm::L2, Norm::Linf]);
    let mut own = factors.clone();
    own[..3].iter_mut().for_each(|factor| *factor = dice.of(&[*factor, 0.0, 0.5, 3.0]));
    let number_factors =
        Some(own.into_iter().map(number).collect()).filter(|_| norm != Norm::L0 && dice.of(&[true, false]));
    let factors = factors.into_iter().map(number).collect();
    Distance { norm, factors, number_factors, missing_costs, category_cost, radius: None }
}

/// What it costs to go from one value of a feature to another, said another way.
fn cost(world: &World, near: &Distance, feature: usize, from: Value, to: Value) -> Option<Exact> {
    let [(before, one), (after, other)] = [from, to].map(|value| world.read(feature, value, 0).unwrap());
    let is_number = matches!((one, other), (Reading::Number(_), Reading::Number(_)));
    let factor = if is_number { near.number_factor(feature).0 } else { near.factors[feature].0 };
    let given = |cost: Option<treeproof_proof::statement::Number>| {
        cost.map(|cost| Exact::from_f64(if near.norm == Norm::L0 { 1.0 } else { cost.0 }).unwrap())
    };
    let along = match (one, other) {
        (Reading::Number(_), Reading::Number(_)) if before == after => Exact::zero(),
        (Reading::Number(_), Reading::Number(_)) if near.norm == Norm::L0 => Exact::one(),
        (Reading::Number(_), Reading::Number(_)) => match (Exact::from_f64(before), Exact::from_f64(after)) {
            (Some(before), Some(after)) => before.minus(&after).magnitude(),
            _ if factor == 0.0 => Exact::zero(),
            _ => return None,
        },
        (one, other) if one == other => Exact::zero(),
        (Reading::Missing, _) | (_, Reading::Missing) => given(near.missing_costs[feature])?,
        _ => given(near.category_cost)?,
    };
    let cost = along.times(&Exact::from_f64(factor).unwrap());
    Some(if near.norm == Norm::L2 { cost.times(&cost) } else { cost })
}

/// The allowed values of a feature in a cell, and whether these are all.
fn values(world: &World, grid: &Grid<'_>, axis: usize, cell: u32) -> (Vec<Value>, bool) {
    let of = &world.axes[axis];
    let feature = of.features[0] as usize;
    let is_good = |value: &Value| {
        of.inputs.iter().all(|input| world.is_allowed(*input as usize, feature, *value))
            && of.cells[cell as usize].iter().any(|piece: &Piece| world.is_in(feature, *value, piece))
    };
    let held = grid.cell_values(axis, cell, feature);
    let is_all = held.present().all(|range| range.0 == range.1 && NUMBERS.contains(&range.0));
    (World::tried(feature).into_iter().filter(is_good).collect(), is_all)
}

/// A bound for what values cost: not more than any, and as much as the least if these are all.
fn must_bound(bound: Option<&Exact>, costs: Vec<Option<Exact>>, is_all: bool, what: impl Fn() -> String) {
    for cost in costs.iter().flatten() {
        assert!(bound.is_some_and(|bound| bound <= cost), "{bound:?} {cost:?} {}", what());
    }
    if is_all && !costs.is_empty() {
        assert_eq!(bound, costs.iter().flatten().min(), "{}", what());
    }
}

#[test]
fn cells_cost_no_more_than_their_values() {
    let mut num_cells = 0;
    for seed in 0..800 {
        let dice = &mut Dice(seed);
        let mut world = World::new(dice, 1);
        let near = near(dice);
        world.statement.near =
            Some(near.clone()).filter(|_| world.statement.inputs.len() == 2 || world.statement.reference.is_some());
        if world.statement.near.is_none() {
            continue;
        }
        world.with(|grid| {
            let is_single = |axis: &usize| world.axes[*axis].features.len() == 1;
            let feature = |axis: usize| world.axes[axis].features[0] as usize;
            let Some(reference) = &world.statement.reference else {
                let pairs = [0, 1, 2].map(|feature| [grid.axis_of(0, feature), grid.axis_of(1, feature)]);
                for [first, second] in pairs.into_iter().filter_map(|[first, second]| Some([first?, second?])) {
                    for (one, other) in (0..grid.num_cells(first))
                        .flat_map(|one| (0..grid.num_cells(second)).map(move |other| (one, other)))
                    {
                        let bound = pair_cost(&near, grid, feature(first), [first, second], [one, other]);
                        let ((mine, is_all), (others, are_all)) =
                            (values(&world, grid, first, one), values(&world, grid, second, other));
                        let of_pair = |from: Value| others.iter().map(move |to| (from, *to));
                        let costs = mine
                            .into_iter()
                            .flat_map(of_pair)
                            .map(|(from, to)| cost(&world, &near, feature(first), from, to));
                        must_bound(bound.as_ref(), costs.collect(), is_all && are_all, || {
                            format!("{near:?} {world:#?}")
                        });
                        num_cells += 1;
                    }
                }
                return;
            };
            let own = |feature: usize| {
                let tried = World::tried(feature).into_iter();
                let mut own = tried.filter(|value| {
                    world.read(feature, *value, 0).is_some_and(|(raw, _)| {
                        raw == reference.0[feature].0 || (raw.is_nan() && reference.0[feature].0.is_nan())
                    })
                });
                own.next().unwrap()
            };
            let costs = CellCosts::new(&near, grid).unwrap();
            for axis in (0..world.axes.len()).filter(is_single) {
                for cell in 0..grid.num_cells(axis) {
                    let (values, is_all) = values(&world, grid, axis, cell);
                    let each = values.into_iter().map(|to| cost(&world, &near, feature(axis), own(feature(axis)), to));
                    let bound = costs.cells[axis][cell as usize].as_ref();
                    must_bound(bound, each.collect(), is_all, || format!("{near:?} {axis} {cell} {world:#?}"));
                    num_cells += 1;
                }
            }
            let region = World::region(dice, grid);
            for point in (0..6).filter_map(|_| world.point(dice, grid, &region)) {
                let read = world.read_point(grid, &point);
                let each = |feature: usize| {
                    cost(&world, &near, feature, own_or_bit(&own, feature, reference.0[feature].0), point[0][feature])
                };
                let of_group = COLUMNS.iter().map(|column| each(*column as usize).unwrap()).max().unwrap();
                let all: Option<Vec<Exact>> = (0..3).map(each).chain([Some(of_group)]).collect();
                let found = between(&near, grid.space, read.reference.as_ref().unwrap(), &read.inputs[0]);
                assert_eq!(found, all.map(|all| near.total(all)), "{near:?} {point:?} {world:#?}");
                // The least of all cells and of what is free is not more.
                let least = |axis: usize| {
                    region.axis(axis).cells().filter_map(|cell| costs.cells[axis][cell as usize].clone()).min()
                };
                let bounds: Option<Vec<Exact>> =
                    (0..world.axes.len()).map(least).chain(costs.free.iter().cloned()).collect();
                if let Some(found) = found {
                    assert!(bounds.is_some_and(|bounds| near.total(bounds) <= found), "{near:?} {point:?} {world:#?}");
                }
            }
        });
    }
    assert!(num_cells > 10_000, "{num_cells}");
}

fn own_or_bit(own: &impl Fn(usize) -> Value, feature: usize, raw: f64) -> Value {
    if feature < 3 { own(feature) } else { Value::Number(raw) }
}
