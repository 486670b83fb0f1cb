//! The ball over all features of two inputs: a constraint over cells, and values within it.

use std::collections::BTreeMap;

use treeproof_ensemble::exact::Exact;
use treeproof_search::{Axis, Budget, Constraint, Costs, Points, Value};

use super::Ball;
use super::coupled::{CellSummary, CoupledFeature};
use crate::problem::cells::AxisPartition;
use crate::problem::cost_rule::CostRule;
use crate::problem::position;
use crate::problem::rename::Renamed;

/// Number of units in the limit where the costs of changed features are no whole numbers.
const UNITS: f64 = (1_u64 << 40) as f64;

/// Two inputs within a ball, over cells.
#[derive(Debug)]
pub(in crate::problem) struct Coupling {
    pub(super) rule: CostRule,
    /// The largest cost, and the same rounded down and up.
    pub(super) limit: Exact,
    pub(super) rounded: [f64; 2],
    pub(super) features: Vec<CoupledFeature>,
    /// Per axis its feature and its input; `None` if it is not coupled.
    pub(super) of_axis: Vec<Option<(usize, usize)>>,
}

impl Coupling {
    /// The coupling of axes. Where changes are counted, the axes of changes come after all others.
    pub(in crate::problem) fn new(
        ball: &Ball,
        renamed: &Renamed<'_>,
        (axes, axis_of): (&[AxisPartition], &[usize]),
        is_valued: &[bool],
    ) -> Self {
        let mut coupling = Self {
            rule: ball.metric.rule(),
            limit: ball.limit(),
            rounded: [ball.limit().floor_f64(), ball.limit().ceil_f64()],
            features: vec![],
            of_axis: vec![None; axes.len()],
        };
        for coordinates in &renamed.coupled {
            let of_axes = coordinates.map(|coordinate| axis_of[coordinate]);
            for (side, axis) in of_axes.into_iter().enumerate() {
                coupling.of_axis[axis] = Some((coupling.features.len(), side));
            }
            let reader = &renamed.coordinates[coordinates[0]].readers[0];
            let mut coupled = CoupledFeature::new(ball, reader, of_axes, axes);
            coupled.is_valued = is_valued[coordinates[0]] && !coupled.is_group();
            if coupling.rule.counts_changes {
                coupled.selector = Some(axes.len() + coupling.features.len());
            }
            coupling.features.push(coupled);
        }
        coupling
    }

    /// The axes of changes, besides those of the features: each feature stays the same, or changes.
    pub(in crate::problem) fn selectors(&self) -> impl Iterator<Item = Axis> {
        self.features.iter().filter(|coupled| coupled.selector.is_some()).map(|_| Axis::ordered(2))
    }

    /// The budget on all changes together, where changes are counted.
    pub(in crate::problem) fn budget(&self, axes: &[Axis]) -> Option<Budget> {
        if !self.rule.counts_changes {
            return None;
        }
        let is_whole = self.features.iter().all(|coupled| coupled.factor.fract() == 0.0 && coupled.factor < UNITS);
        // All doubles are multiples of the least one: where the radius is too small to be divided, that is the unit.
        let unit = if is_whole { 1.0 } else { (self.rounded[1] / UNITS).max(f64::from_bits(1)) };
        let unit = Exact::from_f64(unit)?;
        // All costs are rounded down in the same unit, and so is the limit.
        let count = |cost: &Exact| cost.divided_by(&unit).floor().ceil_i64();
        // A limit above all changes together is no limit.
        let all = Value::try_from(self.features.len() + 1).ok()?.checked_mul(1 << 40)?;
        let most = count(&self.limit).unwrap_or(Value::MAX).min(all);
        let mut costs = Costs { axes: axes.iter().map(|axis| vec![0; axis.num_cells() as usize]).collect() };
        for coupled in &self.features {
            let cost = Exact::from_f64(coupled.factor).and_then(|factor| count(&factor));
            // A cost above the limit is too much, whatever it is.
            costs.axes[coupled.selector?][1] = cost.unwrap_or(Value::MAX).min(most + 1);
        }
        Some(Budget { costs, limit: most })
    }

    /// Cells of two inputs within a cost along one feature.
    fn confine(coupled: &CoupledFeature, points: &mut Points<'_>, most: f64) {
        for side in [0, 1] {
            let summary = summary(coupled, points, side);
            points.retain(coupled.axes[1 - side], |cell| coupled.least(side, &summary, cell) <= most);
        }
    }

    /// Removes cells that cost too much on top of the least cost of all other features.
    fn confine_sum(&self, points: &mut Points<'_>) {
        let least: Vec<f64> = self
            .features
            .iter()
            .map(|coupled| {
                let summaries = [0, 1].map(|side| summary(coupled, points, side));
                self.rule.cost_down(coupled.least_of([&summaries[0], &summaries[1]]))
            })
            .collect();
        let total = least.iter().fold(0.0, |sum: f64, cost| sum_down(sum, *cost));
        if total > self.rounded[1] {
            return points.clear();
        }
        // Most features cost nothing, and nothing adds nothing.
        let costly: Vec<(usize, f64)> = least.into_iter().enumerate().filter(|(_, cost)| *cost != 0.0).collect();
        for (place, coupled) in self.features.iter().enumerate() {
            let others = costly.iter().filter(|(other, _)| *other != place);
            let rest = others.fold(0.0, |sum: f64, (_, cost)| sum_down(sum, *cost));
            let left = (self.rounded[1] - rest).next_up();
            Self::confine(coupled, points, self.rule.distance_up(left));
        }
    }

    /// True if the cells of a point are within the limit; `None` if rounded numbers do not tell.
    fn roughly_holds(&self, point: &[u32]) -> Option<bool> {
        let [mut low, mut high] = [0.0_f64; 2];
        for coupled in &self.features {
            let Some((least, most)) = coupled.bounds(coupled.of(point)) else { return Some(false) };
            let (least, most) = (self.rule.cost_down(least), if most == 0.0 { 0.0 } else { self.rule.cost_up(most) });
            (low, high) = match self.rule.takes_largest {
                true => (low.max(least), high.max(most)),
                false => (sum_down(low, least), if most == 0.0 { high } else { (high + most).next_up() }),
            };
        }
        match () {
            () if low > self.rounded[1] => Some(false),
            () if high <= self.rounded[0] => Some(true),
            () => None,
        }
    }

    /// The costs of some features together, of the cells of a point.
    pub(super) fn cost_of<'f>(
        &self,
        features: impl IntoIterator<Item = &'f CoupledFeature>,
        point: &[u32],
    ) -> Option<Exact> {
        let cost = |coupled: &CoupledFeature| Some(self.rule.cost(coupled.exact(coupled.of(point))?));
        Some(self.rule.together(features.into_iter().map(cost).collect::<Option<Vec<Exact>>>()?))
    }

    /// Values for both inputs in the cells of a point, for each coupled feature: the preferred ones if they are near
    /// enough, else the nearest ones. Some axes have values already.
    pub(in crate::problem) fn realise(
        &self,
        point: &[u32],
        axes: &[AxisPartition],
        met: &BTreeMap<usize, f64>,
    ) -> Vec<([usize; 2], [f64; 2])> {
        let is_met = |coupled: &CoupledFeature| coupled.axes.iter().any(|axis| met.contains_key(axis));
        let pair = |coupled: &CoupledFeature| {
            let nearest = coupled.nearest(coupled.of(point), axes);
            [0, 1].map(|side| met.get(&coupled.axes[side]).copied().unwrap_or(nearest[side]))
        };
        let mut chosen: Vec<[f64; 2]> = self.features.iter().map(pair).collect();
        let cost = |coupled: &CoupledFeature, pair: &[f64; 2]| -> Option<Exact> {
            let along = match coupled.nearest_numbers(coupled.of(point)) {
                Some([one, other]) if !self.rule.counts_changes && (one != other || is_met(coupled)) => {
                    let [one, other] = [Exact::from_f64(pair[0])?, Exact::from_f64(pair[1])?];
                    one.minus(&other).magnitude().times(&Exact::from_f64(coupled.factor)?)
                }
                _ => coupled.exact(coupled.of(point))?,
            };
            Some(self.rule.cost(along))
        };
        let mut costs: Vec<Option<Exact>> =
            self.features.iter().zip(&chosen).map(|(coupled, pair)| cost(coupled, pair)).collect();
        let is_too_much = |cost: &Option<Exact>| cost.as_ref().is_none_or(|cost| *cost > self.limit);
        let mut num_too_much = costs.iter().filter(|cost| is_too_much(cost)).count();
        let mut total = costs.iter().flatten().fold(Exact::zero(), |total, cost| total.plus(cost));
        for (place, coupled) in self.features.iter().enumerate() {
            let cells = coupled.of(point);
            if !is_met(coupled) && matches!(coupled.nearest_numbers(cells), Some([one, other]) if one != other) {
                let liked = [0, 1].map(|side| axes[coupled.axes[side]].raws(cells[side])[0]);
                let own = cost(coupled, &liked);
                let others_too_much = num_too_much - usize::from(is_too_much(&costs[place]));
                let Some(along) = own.as_ref().filter(|_| others_too_much == 0 && !is_too_much(&own)) else { continue };
                let before = costs[place].clone().unwrap_or_else(Exact::zero);
                let all = total.minus(&before).plus(along);
                if self.rule.takes_largest || all <= self.limit {
                    (chosen[place], costs[place], total, num_too_much) = (liked, own, all, 0);
                }
            }
        }
        // A group has as many values as columns, which its cells say.
        let single = self.features.iter().zip(chosen).filter(|(coupled, _)| !coupled.is_group());
        single.map(|(coupled, pair)| (coupled.axes, pair)).collect()
    }
}

impl CoupledFeature {
    /// The cells of the feature at a point.
    pub(super) fn of(&self, point: &[u32]) -> [u32; 2] {
        self.axes.map(|axis| point[axis])
    }

    /// True if a number is in a cell of an input.
    fn is_value(&self, axes: &[AxisPartition], side: usize, cell: u32, number: f64) -> bool {
        self.has_number(side, cell, number) && axes[self.axes[side]].around(cell, number)[1] == Some(number)
    }

    /// The nearest values of two cells.
    pub(super) fn nearest(&self, cells: [u32; 2], axes: &[AxisPartition]) -> [f64; 2] {
        let liked = [0, 1].map(|side| axes[self.axes[side]].raws(cells[side])[0]);
        match self.nearest_numbers(cells) {
            Some([one, other]) if one == other => {
                // Ranges that meet need not have a common value, where each has its own steps.
                let is_common =
                    |number: f64| [0, 1].iter().all(|side| self.is_value(axes, *side, cells[*side], number));
                [liked[0], one].into_iter().find(|number| is_common(*number)).map_or(liked, |number| [number; 2])
            }
            Some(pair) => pair,
            None => match self.common_category(cells) {
                Some(code) => [self.raw_of(code).unwrap_or(liked[0]); 2],
                None => liked,
            },
        }
    }
}

impl Constraint for Coupling {
    fn narrow(&self, points: &mut Points<'_>) {
        if self.rule.takes_largest {
            self.features.iter().for_each(|coupled| Self::confine(coupled, points, self.rounded[1]));
        } else if self.rule.counts_changes {
            for coupled in &self.features {
                let Some(selector) = coupled.selector else { continue };
                let summaries = [0, 1].map(|side| summary(coupled, points, side));
                if coupled.least_of([&summaries[0], &summaries[1]]) > 0.0 {
                    points.retain(selector, |cell| cell == 1);
                }
                // Cells that are not admissible together are removed at any price.
                let most = if points.ordered(selector).end > 1 { f64::MAX } else { 0.0 };
                Self::confine(coupled, points, most);
            }
        } else {
            self.confine_sum(points);
        }
    }

    fn repair(&self, point: &mut [u32]) {
        let mut spent = 0.0;
        for coupled in &self.features {
            let left = if self.rule.takes_largest { self.rounded[0] } else { (self.rounded[0] - spent).next_down() };
            let may_change = coupled.selector.is_none_or(|selector| point[selector] == 1);
            let most = if may_change { self.rule.distance_down(left) } else { 0.0 };
            let [first, cell] = coupled.of(point);
            // The second input moves until it is near enough, and no further.
            let is_near = |cell: &u32| coupled.bounds([first, *cell]).is_some_and(|(_, high)| high <= most);
            let cells = 0..position(coupled.cells[1].len());
            let near = cells.filter(is_near).min_by_key(|near| near.abs_diff(cell));
            let Some(near) = near else { continue };
            point[coupled.axes[1]] = near;
            let along = coupled.bounds([first, near]).map_or(0.0, |(_, high)| high);
            spent += self.rule.cost_up(along);
        }
    }

    fn holds(&self, point: &[u32]) -> bool {
        let is_as_said = |coupled: &CoupledFeature| {
            let is_same = coupled.selector.is_some_and(|selector| point[selector] == 0);
            !is_same || coupled.exact(coupled.of(point)).is_some_and(|cost| cost == Exact::zero())
        };
        self.features.iter().all(is_as_said)
            && self
                .roughly_holds(point)
                .unwrap_or_else(|| self.cost_of(&self.features, point).is_some_and(|cost| cost <= self.limit))
    }
}

fn summary(coupled: &CoupledFeature, points: &Points<'_>, side: usize) -> CellSummary {
    let axis = coupled.axes[side];
    coupled.summary(side, points.ordered(axis), points.special(axis))
}

/// The sum of two non-negative numbers, rounded down.
pub(super) fn sum_down(one: f64, other: f64) -> f64 {
    if one == 0.0 || other == 0.0 { one + other } else { (one + other).next_down() }
}
