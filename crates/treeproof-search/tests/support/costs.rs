//! Random budgets and distances, for problems that have none.

use treeproof_search::{Axis, Budget, Costs, Distance, Norm, Objective, Problem, Value};

use super::{Known, Mode, Random, brute, number_from_environment, random_problem};

/// As many small problems with costs as the environment says, or `default`.
pub(crate) fn costly_problems(default: u64) -> impl Iterator<Item = Known> {
    let seed = number_from_environment("TREEPROOF_SEED", 1);
    (0..number_from_environment("TREEPROOF_PROBLEMS", default)).map(move |index| {
        let mode = if index % 3 == 0 { Mode::Odd } else { Mode::Small };
        let mut random = Random::of_problem(seed, index);
        let mut problem = random_problem(&mut random, mode);
        add_costs(&mut random, &mut problem);
        let optimum = brute::optimum(&problem);
        Known { name: format!("seed {seed}, {mode:?} problem {index} with costs"), problem, optimum }
    })
}

/// Budgets and a distance for a problem that has none, or one of both.
fn add_costs(random: &mut Random, problem: &mut Problem) {
    let num_budgets = random.below(3);
    for _ in 0..num_budgets {
        let costs = random_costs(random, &problem.axes);
        let point = random_point(random, &problem.axes);
        let (least, some) = (costs.axes.iter().filter_map(|cells| cells.iter().min()).sum(), costs.sum(&point));
        let limit = match random.below(8) {
            0 => 0,
            1 => least,
            2 => some,
            _ => Value::midpoint(least, some),
        };
        problem.budgets.push(Budget { costs, limit });
    }
    if num_budgets > 0 && random.chance(2) {
        return;
    }
    let norm = if random.chance(3) { Norm::Max } else { Norm::Sum };
    problem.objective = Objective::Nearest(Distance { costs: random_costs(random, &problem.axes), norm });
    for channel in problem.cases.iter_mut().flat_map(|case| &mut case.channels) {
        // So that some points count, mostly: at least one for this channel.
        let values = (0..8).map(|_| channel.value(&problem.axes, &random_point(random, &problem.axes)));
        channel.base -= values.max().unwrap() + if random.chance(8) { 1 } else { 0 };
    }
}

fn random_point(random: &mut Random, axes: &[Axis]) -> Vec<u32> {
    axes.iter().map(|axis| random.below(axis.num_cells())).collect()
}

fn random_costs(random: &mut Random, axes: &[Axis]) -> Costs {
    let kind = random.below(5);
    let axes = axes.iter().map(|axis| {
        let here = random.below(axis.num_cells());
        let weight = Value::from(1 + random.below(9));
        let cost = |cell: u32, random: &mut Random| match kind {
            // Changed or not, how far, anything, anything large, few different ones.
            0 => Value::from(cell != here),
            1 => weight * Value::from(cell.abs_diff(here)),
            2 => Value::from(random.below(100)),
            3 => Value::from(random.below(1000)) << 40,
            _ => Value::from(random.below(3)),
        };
        (0..axis.num_cells()).map(|cell| cost(cell, random)).collect()
    });
    Costs { axes: axes.collect() }
}
