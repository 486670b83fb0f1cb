//! Files that somebody damaged: whatever is in them, looking at them ends, and without a panic.

use serde_json::Value;
use treeproof_proof::axis::Axis;
use treeproof_proof::statement::distance::{Distance, Norm};
use treeproof_proof::statement::{Number, Statement};

use super::world::{Dice, World};
use crate::distance::CellCosts;
use crate::exclusion::distance_limit::DistanceLimit;
use crate::exclusion::refute::refutes;
use crate::exclusion::subcase::Subcase;
use crate::goal::ResolvedGoal;
use crate::space::Space;
use crate::space::grid::Grid;

/// Every place in a document that is no list and no object.
fn places(value: &mut Value) -> Vec<&mut Value> {
    match value {
        Value::Array(all) => all.iter_mut().flat_map(places).collect(),
        Value::Object(all) => all.values_mut().flat_map(places).collect(),
        leaf => vec![leaf],
    }
}

/// Every list in a document that has no list in it.
fn lists(value: &mut Value) -> Vec<&mut Vec<Value>> {
    let is_outer =
        matches!(&*value, Value::Array(all) if all.iter().any(|value| value.is_array() || value.is_object()));
    match value {
        Value::Array(all) => {
            if is_outer {
                all.iter_mut().flat_map(lists).collect()
            } else {
                vec![all]
            }
        }
        Value::Object(all) => all.values_mut().flat_map(lists).collect(),
        _ => vec![],
    }
}

fn damage(dice: &mut Dice, mut value: Value) -> Value {
    let mut all = places(&mut value);
    let place = dice.below(all.len());
    let texts = [
        "1e308",
        "-7",
        "4294967295",
        "0",
        "0.5",
        "\"nan\"",
        "\"inf\"",
        "\"1/3\"",
        "\"-1\"",
        "\"0\"",
        "null",
        "\"1p-9000\"",
    ];
    if let Some(leaf) = all.get_mut(place) {
        **leaf = serde_json::from_str(dice.of(&texts)).unwrap();
    }
    if dice.is(20) {
        // A list that lost an element, or has one twice.
        let mut all = lists(&mut value);
        let place = dice.below(all.len());
        if let Some(list) = all.get_mut(place).filter(|list| !list.is_empty()) {
            let element = list.pop();
            if dice.is(50) {
                list.extend([element.clone(), element].into_iter().flatten());
            }
        }
    }
    value
}

#[test]
fn damaged_files_are_refused_or_looked_at() {
    let (mut num_refused, mut num_taken) = (0, 0);
    for seed in 0..3000 {
        let dice = &mut Dice(seed);
        let num_models = 1 + dice.below(2);
        let mut world = World::new(dice, num_models);
        world.statement.near = world.statement.reference.as_ref().map(|_| Distance {
            norm: Norm::L2,
            factors: [1.0; 6].map(treeproof_ensemble::literal::Literal).to_vec(),
            number_factors: None,
            missing_costs: vec![None; 6],
            category_cost: Some(treeproof_ensemble::literal::Literal(2.0)),
            radius: None,
        });
        world.statement.conditions = super::conditions::some(dice, &world);
        let statement = serde_json::to_value(&world.statement).unwrap();
        let axes = serde_json::to_value(&world.axes).unwrap();
        let (statement, axes) =
            if dice.is(50) { (damage(dice, statement), axes) } else { (statement, damage(dice, axes)) };
        let parsed = (serde_json::from_value::<Statement>(statement), serde_json::from_value::<Vec<Axis>>(axes));
        let (Ok(statement), Ok(axes)) = parsed else {
            num_refused += 1;
            continue;
        };
        let Ok(space) = Space::new(&statement, &world.models) else {
            num_refused += 1;
            continue;
        };
        let _ = ResolvedGoal::new(&space).map(|aim| aim.cases.len());
        let Ok(grid) = Grid::new(&space, &axes) else {
            num_refused += 1;
            continue;
        };
        num_taken += 1;
        let region = World::region(dice, &grid);
        let Ok(limits) = DistanceLimit::all(&grid, Some(1.5)) else { continue };
        let subcase = Subcase::new(&grid, &limits, &region);
        subcase.is_too_far();
        for _ in 0..8 {
            refutes(&super::refutations::random(dice, &subcase, 3), &subcase);
        }
        if let Some(near) = &statement.near {
            let _ = CellCosts::new(near, &grid).map(|costs| costs.free.len());
        }
    }
    assert!(num_refused > 1000 && num_taken > 200, "{num_refused} {num_taken}");
}

#[test]
fn statements_read_back() {
    for seed in 0..200 {
        let dice = &mut Dice(seed);
        let mut world = World::new(dice, 1);
        world.statement.conditions = super::conditions::some(dice, &world);
        let text = serde_json::to_string(&world.statement).unwrap();
        let read: Statement = serde_json::from_str(&text).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), text);
        assert_eq!(read.conditions, world.statement.conditions);
    }
    let exact = |text: &str| serde_json::from_str::<Number>(text).is_ok();
    assert!(exact("1.5") && exact("\"nan\"") && !exact("\"1.5\""));
}
