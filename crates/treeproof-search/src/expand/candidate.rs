//! Points that a region suggests: guessed, moved nearer, climbed from.

use super::{Evaluated, Worker};
use crate::bound::Incumbent;
use crate::compiled::{CompiledProblem, CostTable, Trees};
use crate::grid::{Axes, Region, Value};
use crate::primal::ClimbGoal;
use crate::problem::Norm;

/// Climbing takes at most one part in this many of the work.
const CLIMB_SHARE: u64 = 24;
/// Balls in which points are looked for, at most, where the largest distance along an axis counts.
const MAX_BALLS: u32 = 8;

impl Worker {
    /// Makes a good point of a region the guess.
    fn find_guess(&mut self, of: Evaluated<'_>) {
        let Evaluated { compiled, binding, region, .. } = of;
        let space = &compiled.space;
        if compiled.distance.is_none() && compiled.budgets.is_empty() {
            self.channels[binding].guess(space, region, &mut self.guess);
            return;
        }
        let trees = &of.channels()[binding];
        if let Some(distance) = compiled.distance.as_ref().filter(|distance| distance.norm == Norm::Sum)
            && let Some(masks) = trees.masks()
        {
            self.nearest_cells(space, distance, region);
            let mut value = trees.flat.value_at(space, &self.guess);
            for leaf in self.channels[binding].worthwhile_leaves() {
                if value >= 0 {
                    break;
                }
                masks.enter(region, leaf as usize, distance, &mut self.guess);
                value = trees.flat.value_at(space, &self.guess);
            }
            return;
        }
        self.channels[binding].relaxed_guess(self.aim(compiled), space, region, &mut self.guess);
        // One budget may have been forgotten for another.
        for budget in &compiled.budgets {
            while budget.of_point(&self.guess) > budget.limit {
                let axis = budget.costliest_axis(space, region, &self.guess) as usize;
                self.guess[axis] = budget.cheapest(space, region, axis);
            }
        }
    }

    /// Makes the nearest point of a region the guess.
    fn nearest_cells(&mut self, space: &Axes, distance: &CostTable, region: &Region) {
        self.guess.clear();
        self.guess.extend((0..space.axes.len()).map(|axis| distance.cheapest(space, region, axis)));
    }

    /// Moves the guess, which counts, nearer axis by axis as long as it counts.
    fn retreat(&mut self, of: Evaluated<'_>, distance: &CostTable) {
        let Evaluated { compiled, region, .. } = of;
        let space = &compiled.space;
        let cost = |axis: usize, cell: u32| distance.cost(axis, cell);
        let mut far: Vec<(Value, usize)> = (0..space.axes.len())
            .map(|axis| (cost(axis, self.guess[axis]) - distance.least_of_axis(space, region, axis), axis))
            .filter(|(excess, _)| *excess > 0)
            .collect();
        far.sort_unstable_by(|a, b| b.cmp(a));
        for (_, axis) in far {
            let before = self.guess[axis];
            self.guess[axis] = distance.cheapest(space, region, axis);
            let value = self.value_of_guess(of);
            if compiled.counts(&self.guess, value).is_none() {
                self.guess[axis] = before;
            }
        }
    }

    /// The value of the worst channel at the guess.
    fn value_of_guess(&self, of: Evaluated<'_>) -> Value {
        let values = of.channels().iter().map(|trees| trees.flat.value_at(&of.compiled.space, &self.guess));
        values.min().expect("a case has channels")
    }

    /// Takes the guess if it is better than the incumbent.
    fn take_guess(&mut self, of: Evaluated<'_>) -> (Value, bool) {
        let value = self.value_of_guess(of);
        let guess = std::mem::take(&mut self.guess);
        let improves = self.take(of.compiled, &guess, value);
        self.guess = guess;
        (value, improves)
    }

    /// Tries a good point. Then it is time to climb, from there or along a chain.
    pub(super) fn try_guess(&mut self, of: Evaluated<'_>) {
        self.find_guess(of);
        if let Some(distance) = &of.compiled.distance
            && self.value_of_guess(of) >= 0
        {
            self.retreat(of, distance);
        }
        let guess = self.repair_guess(of.compiled);
        self.try_to_improve(of);
        // What the region suggests is what is asked about later.
        if let Some(guess) = guess {
            self.guess = guess;
        }
    }

    /// Moves a guess for which some constraint does not hold; returns what it was.
    fn repair_guess(&mut self, compiled: &CompiledProblem) -> Option<Vec<u32>> {
        let mut repaired = None;
        for constraint in &compiled.on_the_way {
            if !constraint.holds(&self.guess) {
                repaired.get_or_insert_with(|| self.guess.clone());
                constraint.repair(&mut self.guess);
            }
        }
        repaired
    }

    /// Takes the guess if it is good, and climbs from there or along a chain if it is time to.
    fn try_to_improve(&mut self, of: Evaluated<'_>) {
        let Evaluated { compiled, binding, bound, stop, .. } = of;
        let (value, improves) = self.take_guess(of);
        if compiled.distance.is_none() && value >= bound {
            return;
        }
        if improves || self.may_climb() && !self.is_chains_turn {
            let (budgets, constraints) = (&compiled.budgets[..], &compiled.on_the_way[..]);
            let goal = ClimbGoal { budgets, constraints, ..ClimbGoal::default() };
            match &compiled.distance {
                Some(distance) if distance.norm == Norm::Max => self.climb_in_balls(of, goal, distance),
                distance => {
                    let price = self.channels[binding].value_of_cost();
                    self.climb(of, ClimbGoal { distance: distance.as_ref(), price, ..goal });
                }
            }
            // A point changed at random hardly ever stays within budgets, or near: chains are for plain problems only.
            self.is_chains_turn = compiled.is_plain();
        }
        if self.may_climb() && self.is_chains_turn {
            let (point, value) = self.chains.step(compiled, &mut self.ascent, stop);
            self.is_chains_turn = false;
            self.climbed_to(compiled, &point, value);
        }
    }

    /// True if climbing has not yet had its share of the work.
    fn may_climb(&self) -> bool {
        self.climbed * CLIMB_SHARE < self.work
    }

    /// Climbs from the guess. Returns whether a better point was found.
    fn climb(&mut self, of: Evaluated<'_>, goal: ClimbGoal<'_>) -> bool {
        let mut point = self.guess.clone();
        let value = self.ascent.climb(&of.compiled.space, of.channels(), goal, &mut point, of.stop);
        self.climbed_to(of.compiled, &point, value)
    }

    /// FullStateJudge the work of a climb, and takes the point that it led to if that is better than the incumbent.
    fn climbed_to(&mut self, compiled: &CompiledProblem, point: &[u32], value: Value) -> bool {
        self.climbed += std::mem::take(&mut self.ascent.work);
        self.take(compiled, point, value)
    }

    /// Climbs for the largest distance along an axis, where all points within a radius are equally good: the margin is
    /// maximised within the radius, and the least radius that leads to a feasible point is sought.
    fn climb_in_balls<'c>(&mut self, of: Evaluated<'_>, goal: ClimbGoal<'c>, distance: &'c CostTable) {
        let least = self.channels[of.binding].distance;
        let mut low = least;
        for _ in 0..MAX_BALLS {
            let high = self.max_distance().unwrap_or_else(|| distance.max_cost());
            if low > high {
                return;
            }
            // The bound first, which may be exact, then halves.
            let radius = if low == least { least } else { Value::midpoint(low, high) };
            if !self.climb(of, ClimbGoal { within: Some((distance, radius)), ..goal }) {
                low = radius + 1;
            }
        }
    }

    /// Tries the point that would have the bound as its worth if nothing stood against it.
    pub(super) fn try_last(&mut self, of: Evaluated<'_>) {
        match &of.compiled.distance {
            None => self.try_guess(of),
            Some(distance) => {
                self.nearest_cells(&of.compiled.space, distance, of.region);
                self.take_guess(of);
            }
        }
    }

    /// Takes a point if it is better than the incumbent. Returns whether it is.
    fn take(&mut self, compiled: &CompiledProblem, point: &[u32], value: Value) -> bool {
        let improves = compiled.counts(point, value).is_some_and(|worth| self.incumbent.is_improved_by(worth));
        if improves {
            // A point found in one case may be worth even more in another.
            let value = self.follow(compiled, point);
            let value = compiled.counts(point, value).expect("it counts in one case");
            self.incumbent = Incumbent { value, is_attained: true };
            self.found = Some(point.to_vec());
        }
        improves
    }

    /// Lets a chain go on from the best point known; returns the value of its worst channel.
    pub(crate) fn follow(&mut self, compiled: &CompiledProblem, point: &[u32]) -> Value {
        let CompiledProblem { space, cases, .. } = compiled;
        let of_case = |channels: &Vec<Trees>| channels.iter().map(|trees| trees.flat.value_at(space, point)).min();
        let (value, case) = cases.iter().filter_map(of_case).zip(0..).max().expect("a problem has cases");
        self.chains.follow(point, case, value);
        value
    }
}
