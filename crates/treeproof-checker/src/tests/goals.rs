//! Goals and witnesses: what the library says is never where the sums say it cannot be, and rows are taken as they should be.

use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::input::Reading;
use treeproof_proof::statement::condition::{Condition, Variable};
use treeproof_proof::statement::{Goal, GoalSum, GoalTerm, Row, Tie};

use super::world::{Dice, Value, World, number};
use crate::goal::ResolvedGoal;
use crate::space::Space;
use crate::witness::evaluate_witness;

fn goal(dice: &mut Dice, has_reference: bool) -> Goal {
    let threshold = dice.of(&[None, None, Some(0.3), Some(0.55)]).map(number);
    let term = |input, negated| GoalTerm { model: 0, input, output: 0, negated };
    match dice.below(if has_reference { 7 } else { 6 }) {
        0 => Goal::OtherLabel { class: Some(dice.of(&[0, 1])), threshold },
        1 => Goal::OtherLabel { class: None, threshold },
        2 => Goal::Label { class: dice.of(&[0, 1]), threshold },
        3 => Goal::Output { number: number(dice.of(&[0.2, 0.5, 0.8])), above: dice.is(50) },
        4 => Goal::Anything,
        5 => Goal::Sums(vec![vec![GoalSum { terms: vec![term(0, dice.is(50))], constant: Exact::one() }]]),
        _ => Goal::Moved { by: number(dice.of(&[0.0, 0.1, 0.3])) },
    }
}

/// Whether two inputs are tied, said another way.
fn is_tied(world: &World, feature: usize, values: &[Vec<Value>]) -> bool {
    let [first, second] = [0, 1].map(|input| world.read_all(feature, values[input][feature]).unwrap());
    let is_missing = |seen: &[(f64, Reading)]| seen.iter().all(|seen| seen.1 == Reading::Missing);
    match world.statement.ties[feature] {
        Tie::Free => true,
        _ if is_missing(&first) || is_missing(&second) => is_missing(&first) && is_missing(&second),
        Tie::Same => first[0].0 == second[0].0,
        Tie::NotBelow => first[0].0 <= second[0].0,
    }
}

#[test]
fn rows_show_what_they_are() {
    let (mut num_taken, mut num_refused, mut num_reached) = (0, 0, 0);
    for seed in 0..1500 {
        let dice = &mut Dice(seed);
        let num_models = 1 + dice.below(2);
        let mut world = World::new(dice, num_models);
        world.statement.goal = goal(dice, world.statement.reference.is_some());
        let variable = Variable { input: 0, feature: 0 };
        world.statement.conditions = vec![Condition::Multiple { variable, step: Exact::one(), negated: dice.is(50) }];
        world.with(|grid| {
            let aim = match ResolvedGoal::new(grid.space) {
                Ok(aim) => aim,
                Err(error) => panic!("{error} {world:#?}"),
            };
            for _ in 0..8 {
                let Some(values) = world.point(dice, grid, &grid.everything()) else { continue };
                let row = |input: usize, model: usize| {
                    let raw = |feature: usize| number(world.read(feature, values[input][feature], model).unwrap().0);
                    Row((0..6).map(raw).collect())
                };
                let num_inputs = world.statement.inputs.len();
                let rows: Vec<Vec<Row>> =
                    (0..num_inputs).map(|input| (0..num_models).map(|model| row(input, model)).collect()).collect();
                let are_tied = num_inputs == 1 || (0..6).all(|feature| is_tied(&world, feature, &values));
                let holds =
                    world.statement.conditions.iter().all(|condition| world.read_point(grid, &values).meets(condition));
                let shown = evaluate_witness(&aim, grid.space, &rows);
                assert_eq!(shown.is_ok(), are_tied && holds, "{shown:?} {rows:?} {world:#?}");
                let Ok(shown) = shown else {
                    num_refused += 1;
                    continue;
                };
                num_taken += 1;
                num_reached += u32::from(shown.is_reached);
                let value = shown.value.unwrap_or_else(|| Exact::from_i64(-1));
                assert!(!shown.is_reached || value >= Exact::zero(), "{value:?} {rows:?} {world:#?}");
                // With one value that is not allowed, it is refused.
                let feature = dice.below(3);
                let is_refused =
                    |value: &Value| !world.is_allowed(0, feature, *value) && world.read_all(feature, *value).is_some();
                if let Some(other) = World::tried(feature).into_iter().find(is_refused) {
                    let mut rows = rows.clone();
                    for (model, row) in rows[0].iter_mut().enumerate() {
                        row.0[feature] = number(world.read(feature, other, model).unwrap().0);
                    }
                    assert!(evaluate_witness(&aim, grid.space, &rows).is_err(), "{other:?} {rows:?} {world:#?}");
                }
            }
        });
    }
    assert!(num_taken > 1000 && num_refused > 1000 && num_reached > 300, "{num_taken} {num_refused} {num_reached}");
}

#[test]
fn goals_that_cannot_be_are_refused() {
    let dice = &mut Dice(3);
    let mut world = (0..).map(|_| World::new(dice, 1)).find(|world| world.statement.inputs.len() == 1).unwrap();
    let mut refused = |goal: Goal| {
        world.statement.goal = goal;
        let space = Space::new(&world.statement, &world.models).unwrap();
        ResolvedGoal::new(&space).map(|_| ()).map_err(|error| error.to_string())
    };
    let no_class = Err("there is no such class".to_owned());
    assert_eq!(refused(Goal::Label { class: 2, threshold: None }), no_class);
    assert_eq!(refused(Goal::OtherLabel { class: Some(7), threshold: None }), no_class);
    assert_eq!(refused(Goal::Sums(vec![])), Err("a case has no sum".to_owned()));
    let term = GoalTerm { model: 1, input: 0, output: 0, negated: false };
    let sum = GoalSum { terms: vec![term], constant: Exact::zero() };
    assert_eq!(refused(Goal::Sums(vec![vec![sum]])), Err("a sum has a margin that is not there".to_owned()));
    assert!(refused(Goal::Output { number: number(f64::NAN), above: true }).is_err());
}
