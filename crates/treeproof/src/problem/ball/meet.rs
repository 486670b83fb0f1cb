//! Values for two inputs that meet conditions and are near each other, where cells alone do not tell.
//!
//! A ball is convex. Values that meet all else but are too far apart are cut off by a plane between them and the ball: one
//! more sum, under which other values are looked for. So "there are none" is a proof, as it is for sums alone. In norms
//! with flat faces few planes are needed; for a round ball values in a box inside it are tried as well.

use std::collections::BTreeMap;

use treeproof_ensemble::exact::Exact;
use treeproof_search::{Constraint, Points};

use super::coupled::CoupledFeature;
use super::coupling::Coupling;
use crate::problem::cells::AxisPartition;
use crate::problem::cost_rule::CostRule;
use crate::problem::exact;
use crate::problem::rules::RealisedValues;
use crate::problem::simplex::LinearConstraint;

/// Limit on the planes, beyond which the search is given up.
const MOST_PLANES: usize = 32;

/// Shrinkage of a box inside a round ball, so that rounding does not put corners outside.
const INSIDE: f64 = 1.0 - 1e-12;

impl Coupling {
    /// True if values of some feature matter besides their cells.
    pub(in crate::problem) fn has_valued(&self) -> bool {
        self.features.iter().any(|coupled| coupled.is_valued)
    }

    /// The nearest values by axis, for the features whose values matter.
    pub(in crate::problem) fn nearest(&self, point: &[u32], axes: &[AxisPartition]) -> BTreeMap<usize, f64> {
        let valued = self.features.iter().filter(|coupled| coupled.is_valued);
        valued.flat_map(|coupled| coupled.axes.into_iter().zip(coupled.nearest(coupled.of(point), axes))).collect()
    }

    /// Values in the cells of a point that are near enough, among those that `find` gives under limits.
    pub(in crate::problem) fn meet(
        &self,
        point: &[u32],
        find: &dyn Fn(&[LinearConstraint]) -> RealisedValues,
    ) -> RealisedValues {
        if !self.holds(point) {
            return RealisedValues::Impossible;
        }
        let is_open = |coupled: &&CoupledFeature| coupled.is_open(point);
        let (open, others): (Vec<&CoupledFeature>, Vec<&CoupledFeature>) = self.features.iter().partition(is_open);
        let left = match self.cost_of(others, point) {
            _ if self.rule.counts_changes => Exact::zero(),
            Some(spent) if !self.rule.takes_largest => self.limit.minus(&spent),
            _ => self.limit.clone(),
        };
        let mut limits: Vec<LinearConstraint> = vec![];
        for coupled in &open {
            limits.extend(coupled.within(&self.reach(&left)));
        }
        for _ in 0..MOST_PLANES {
            let values = match find(&limits) {
                RealisedValues::Found(values) => values,
                other => return other,
            };
            let ball = BallSlack { rule: self.rule, left: &left, open: &open };
            let Some(apart) = ball.outside(&values) else { return RealisedValues::Found(values) };
            if self.rule.squares {
                let inside = [&limits[..], &ball.inside(&apart)].concat();
                if let RealisedValues::Found(values) = find(&inside)
                    && ball.outside(&values).is_none()
                {
                    return RealisedValues::Found(values);
                }
            }
            limits.push(ball.plane(&apart));
        }
        RealisedValues::Unknown
    }

    /// Largest distance between values of a feature, before its factor, at this cost; rounded up.
    fn reach(&self, most: &Exact) -> Exact {
        match self.rule.squares && *most > Exact::zero() {
            true => Exact::from_f64(self.rule.distance_up(most.ceil_f64())).unwrap_or_else(|| most.plus(&Exact::one())),
            false => most.clone(),
        }
    }

    /// Limits on the distance between numbers of some axes in all points given, where both inputs have numbers.
    pub(in crate::problem) fn limits_among(&self, points: &Points<'_>, axes: &[usize]) -> Vec<LinearConstraint> {
        let is_certain = |coupled: &&CoupledFeature| {
            let is_number = |(side, axis): (usize, usize)| {
                axes.contains(&axis) && points.special(axis).all(|cell| coupled.has_numbers(side, cell))
            };
            let is_same = coupled.selector.is_none_or(|selector| points.ordered(selector).end == 1);
            coupled.is_bound() && is_same && coupled.axes.into_iter().enumerate().all(is_number)
        };
        let most = if self.rule.counts_changes { Exact::zero() } else { self.reach(&self.limit) };
        self.features.iter().filter(is_certain).flat_map(|coupled| coupled.within(&most)).collect()
    }
}

impl CoupledFeature {
    /// True if its values matter besides their cells.
    fn is_bound(&self) -> bool {
        self.is_valued && self.factor != 0.0
    }

    /// True if its values in the cells of a point are numbers that must be near each other.
    fn is_open(&self, point: &[u32]) -> bool {
        let is_same = self.selector.is_none_or(|selector| point[selector] == 0);
        let are_finite = |pair: [f64; 2]| pair.iter().all(|number| number.is_finite());
        self.is_bound() && is_same && self.nearest_numbers(self.of(point)).is_some_and(are_finite)
    }

    /// The limit that its values are no further apart, with its factor.
    fn within(&self, most: &Exact) -> [LinearConstraint; 2] {
        [self.factor, -self.factor].map(|factor| LinearConstraint::at_most(self.terms(&exact(factor)), most.clone()))
    }

    /// A multiple of the difference of its values.
    fn terms(&self, factor: &Exact) -> Vec<(usize, Exact)> {
        vec![(self.axes[0], factor.clone()), (self.axes[1], factor.negated())]
    }
}

/// The rest of a ball for features whose values are looked for.
struct BallSlack<'a> {
    rule: CostRule,
    left: &'a Exact,
    open: &'a [&'a CoupledFeature],
}

/// The distance along each feature, with its factor, and the cost of all.
struct Separation {
    along: Vec<Exact>,
    cost: Exact,
}

impl BallSlack<'_> {
    /// The separation of values outside the ball; `None` if they are inside. Each is near enough by itself.
    fn outside(&self, values: &[(usize, f64)]) -> Option<Separation> {
        if self.rule.counts_changes || self.rule.takes_largest {
            return None;
        }
        let value = |axis: usize| values.iter().find(|(of, _)| *of == axis).map(|(_, value)| exact(*value));
        let along = |coupled: &&CoupledFeature| {
            let [one, other] = coupled.axes.map(|axis| value(axis).expect("limits name all axes"));
            one.minus(&other).times(&exact(coupled.factor))
        };
        let along: Vec<Exact> = self.open.iter().map(along).collect();
        let cost = self.rule.together(along.iter().map(|along| self.rule.cost(along.magnitude())));
        (cost > *self.left).then_some(Separation { along, cost })
    }

    /// A plane between the ball and values outside.
    fn plane(&self, Separation { along, cost }: &Separation) -> LinearConstraint {
        let zero = Exact::zero();
        let normal = |along: &Exact| match () {
            () if self.rule.squares => along.clone(),
            () if *along > zero => Exact::one(),
            () if *along < zero => Exact::one().negated(),
            () => Exact::zero(),
        };
        let sloping = self.open.iter().zip(along).filter(|(_, along)| **along != zero);
        let terms = sloping.flat_map(|(coupled, along)| coupled.terms(&normal(along).times(&exact(coupled.factor))));
        let most = match self.rule.squares {
            // Towards those values, the ball ends at the geometric mean of the two costs. The arithmetic mean is not below
            // it, and below the cost.
            true => {
                let root = Exact::from_f64(self.left.times(cost).ceil_f64().sqrt().next_up());
                let mean = self.left.plus(cost).times(&exact(0.5));
                root.filter(|root| *root < mean).unwrap_or(mean)
            }
            false => self.left.clone(),
        };
        LinearConstraint::at_most(terms.collect(), most)
    }

    /// The box inside a round ball whose corner is where the ball ends towards values outside.
    fn inside(&self, Separation { along, cost }: &Separation) -> Vec<LinearConstraint> {
        let part = (self.left.to_f64() / cost.to_f64()).sqrt() * INSIDE;
        let part = Exact::from_f64(part).unwrap_or_else(Exact::zero);
        let sides = self.open.iter().zip(along);
        sides.flat_map(|(coupled, along)| coupled.within(&along.magnitude().times(&part))).collect()
    }
}
