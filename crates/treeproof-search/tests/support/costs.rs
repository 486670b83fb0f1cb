//! Random budgets, constraints and distances, for problems that have none.

use std::sync::Arc;

use treeproof_search::{Axis, Budget, Constraint, Costs, Distance, Norm, Objective, Points, Problem, Value};

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

/// Budgets, constraints and a distance for a problem that has none, or some of these.
fn add_costs(random: &mut Random, problem: &mut Problem) {
    // Mostly there is a point that is meant to count.
    let witness = random_point(random, &problem.axes);
    let num_budgets = random.below(4);
    for _ in 0..num_budgets {
        let costs = random_costs(random, &problem.axes);
        let (least, some) = (costs.axes.iter().filter_map(|cells| cells.iter().min()).sum(), costs.sum(&witness));
        let limit = match random.below(12) {
            0 => 0,
            1 => least,
            2 => Value::midpoint(least, some),
            _ => some,
        };
        if random.chance(3) {
            // Exactly so much, and not at most.
            let negative = costs.axes.iter().map(|cells| cells.iter().map(|cost| -cost).collect()).collect();
            problem.budgets.push(Budget { costs: Costs { axes: negative }, limit: -limit });
        }
        problem.budgets.push(Budget { costs, limit });
    }
    if random.chance(4) && problem.axes.len() > 1 {
        let is_strong = random.chance(2);
        let total = if random.chance(8) { 1 } else { witness.iter().sum() };
        problem.constraints.push(Arc::new(Multiple { total, is_strong }));
    }
    if !problem.is_plain() && random.chance(2) {
        return;
    }
    let norm = if random.chance(3) { Norm::Max } else { Norm::Sum };
    let costs = random_costs(random, &problem.axes);
    let costs =
        Costs { axes: costs.axes.into_iter().map(|cells| cells.into_iter().map(Value::abs).collect()).collect() };
    problem.objective = Objective::Nearest(Distance { costs, norm });
    for channel in problem.cases.iter_mut().flat_map(|case| &mut case.channels) {
        // So that a point counts for this channel, mostly.
        let axes = &problem.axes;
        let best = (0..4).map(|_| channel.value(axes, &random_point(random, axes))).max().unwrap();
        let value = if random.chance(3) { best } else { channel.value(axes, &witness) };
        channel.base -= value + Value::from(random.chance(8));
    }
}

/// The numbers of a point's cells add up to a multiple of a total: a condition that no budget can state.
#[derive(Debug)]
struct Multiple {
    total: u32,
    /// Whether it removes what it can, or just waits for points.
    is_strong: bool,
}

impl Constraint for Multiple {
    fn narrow(&self, points: &mut Points<'_>) {
        let axes = points.num_axes();
        if !self.is_strong {
            return;
        }
        for axis in 0..axes {
            let others = (0..axes).filter(|other| *other != axis);
            let sums = others.fold(vec![0], |sums, other| {
                let mut more: Vec<u32> =
                    sums.iter().flat_map(|sum| points.cells(other).map(move |cell| self.rest(sum + cell))).collect();
                more.sort_unstable();
                more.dedup();
                more
            });
            points.retain(axis, |cell| sums.iter().any(|sum| self.rest(sum + cell) == 0));
            if points.is_empty() {
                return;
            }
        }
    }

    fn holds(&self, point: &[u32]) -> bool {
        self.rest(point.iter().sum()) == 0
    }

    fn parting(&self, points: &Points<'_>, point: &[u32]) -> Option<(usize, u32)> {
        let axis = (0..points.num_axes()).rev().find(|axis| points.cells(*axis).count() > 1)?;
        let ordered = points.ordered(axis);
        let next = ordered.start.max(point[axis].min(ordered.end.saturating_sub(2))) + 1;
        self.total.is_multiple_of(2).then_some((axis, next))
    }
}

impl Multiple {
    fn rest(&self, sum: u32) -> u32 {
        if self.total == 0 { sum } else { sum % self.total }
    }
}

fn random_point(random: &mut Random, axes: &[Axis]) -> Vec<u32> {
    axes.iter().map(|axis| random.below(axis.num_cells())).collect()
}

fn random_costs(random: &mut Random, axes: &[Axis]) -> Costs {
    let kind = random.below(7);
    let axes = axes.iter().map(|axis| {
        let here = random.below(axis.num_cells());
        let weight = Value::from(1 + random.below(9));
        let cost = |cell: u32, random: &mut Random| match kind {
            // Changed or not, how far, anything, anything large, any sign, at least so many, few different ones.
            0 => Value::from(cell != here),
            1 => weight * Value::from(cell.abs_diff(here)),
            2 => Value::from(random.below(100)),
            3 => Value::from(random.below(1000)) << 40,
            4 => Value::from(random.below(100)) - 50,
            5 => -Value::from(cell == here),
            _ => Value::from(random.below(3)),
        };
        (0..axis.num_cells()).map(|cell| cost(cell, random)).collect()
    });
    Costs { axes: axes.collect() }
}
