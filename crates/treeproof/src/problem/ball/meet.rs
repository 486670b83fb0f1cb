//! Values for two inputs that meet conditions and are near each other, where cells alone do not tell.
//!
//! A ball is convex. Where values that meet all else are too far apart, a plane parts them from the ball: it is one more
//! sum that values must meet, and others are looked for. So "there are none" is a proof, as it is for sums alone. In the
//! norms of flat faces few planes are needed; of a round ball values within a box inside it are tried as well.

use std::collections::BTreeMap;

use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::norm::Norm;
use treeproof_search::{Constraint, Points};

use super::coupled::CoupledFeature;
use super::coupling::Coupling;
use crate::problem::cells::AxisCells;
use crate::problem::rules::{LinearLimit, RealisedValues};

/// With so many planes it is given up.
const MOST_PLANES: usize = 32;

/// A box inside a round ball is this much smaller than it need be, so that rounding does not put corners outside.
const INSIDE: f64 = 1.0 - 1e-12;

impl Coupling {
    /// Whether values matter to some feature beside their cells.
    pub(in crate::problem) fn has_valued(&self) -> bool {
        self.features.iter().any(|coupled| coupled.is_valued)
    }

    /// Of the features whose values matter the nearest ones, by axis.
    pub(in crate::problem) fn nearest(&self, point: &[u32], axes: &[AxisCells]) -> BTreeMap<usize, f64> {
        let valued = self.features.iter().filter(|coupled| coupled.is_valued);
        valued.flat_map(|coupled| coupled.axes.into_iter().zip(coupled.nearest(coupled.of(point), axes))).collect()
    }

    /// Values in the cells of a point that are near enough, of those that are found within limits.
    pub(in crate::problem) fn meet(
        &self,
        point: &[u32],
        find: &dyn Fn(&[LinearLimit]) -> RealisedValues,
    ) -> RealisedValues {
        if !self.holds(point) {
            return RealisedValues::Impossible;
        }
        let is_open = |coupled: &&CoupledFeature| coupled.is_open(point);
        let (open, others): (Vec<&CoupledFeature>, Vec<&CoupledFeature>) = self.features.iter().partition(is_open);
        let costs = others.iter().map(|coupled| Some(self.cost_of(&coupled.exact(coupled.of(point))?)));
        let left = match (self.norm, self.together(costs)) {
            (Norm::L0, _) => Exact::zero(),
            (Norm::Linf, _) | (_, None) => self.limit.clone(),
            (_, Some(spent)) => self.limit.minus(&spent),
        };
        let mut limits: Vec<LinearLimit> = vec![];
        for coupled in &open {
            limits.extend(coupled.within(&self.reach(&left)));
        }
        for _ in 0..MOST_PLANES {
            let values = match find(&limits) {
                RealisedValues::Found(values) => values,
                other => return other,
            };
            let ball = BallSlack { norm: self.norm, left: &left, open: &open };
            let Some(apart) = ball.outside(&values) else { return RealisedValues::Found(values) };
            if self.norm == Norm::L2 {
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

    /// How far apart values of a feature may be, before its factor, if that may cost so much; rounded up.
    fn reach(&self, most: &Exact) -> Exact {
        match self.norm {
            Norm::L2 if *most > Exact::zero() => {
                Exact::from_f64(most.ceil_f64().sqrt().next_up()).unwrap_or_else(|| most.plus(&Exact::one()))
            }
            _ => most.clone(),
        }
    }

    /// How far apart numbers of some axes may be in all of some points, if both inputs have numbers there.
    pub(in crate::problem) fn limits_among(&self, points: &Points<'_>, axes: &[usize]) -> Vec<LinearLimit> {
        let is_certain = |coupled: &&CoupledFeature| {
            let is_number = |(side, axis): (usize, usize)| {
                axes.contains(&axis) && points.special(axis).all(|cell| coupled.has_numbers(side, cell))
            };
            let is_same = coupled.selector.is_none_or(|selector| points.ordered(selector).end == 1);
            coupled.is_bound() && is_same && coupled.axes.into_iter().enumerate().all(is_number)
        };
        let most = if self.norm == Norm::L0 { Exact::zero() } else { self.reach(&self.limit) };
        self.features.iter().filter(is_certain).flat_map(|coupled| coupled.within(&most)).collect()
    }
}

impl CoupledFeature {
    /// Whether what its values are beside their cells counts.
    fn is_bound(&self) -> bool {
        self.is_valued && self.factor != 0.0
    }

    /// Whether its values in the cells of a point are numbers that must be near each other.
    fn is_open(&self, point: &[u32]) -> bool {
        let is_same = self.selector.is_none_or(|selector| point[selector] == 0);
        let are_finite = |pair: [f64; 2]| pair.iter().all(|number| number.is_finite());
        self.is_bound() && is_same && self.nearest_numbers(self.of(point)).is_some_and(are_finite)
    }

    /// Its values are no further apart, with its factor.
    fn within(&self, most: &Exact) -> [LinearLimit; 2] {
        [self.factor, -self.factor].map(|factor| LinearLimit { terms: self.terms(&exact(factor)), most: most.clone() })
    }

    /// A multiple of the difference of its values.
    fn terms(&self, factor: &Exact) -> Vec<(usize, Exact)> {
        vec![(self.axes[0], factor.clone()), (self.axes[1], factor.negated())]
    }
}

/// What is left of a ball for features whose values are looked for.
struct BallSlack<'a> {
    norm: Norm,
    left: &'a Exact,
    open: &'a [&'a CoupledFeature],
}

/// How far apart the values of each feature are, with its factor, and what that costs.
struct Separation {
    along: Vec<Exact>,
    cost: Exact,
}

impl BallSlack<'_> {
    /// How far apart values are, if they are outside. Each is near enough by itself.
    fn outside(&self, values: &[(usize, f64)]) -> Option<Separation> {
        if matches!(self.norm, Norm::L0 | Norm::Linf) {
            return None;
        }
        let value = |axis: usize| values.iter().find(|(of, _)| *of == axis).map(|(_, value)| exact(*value));
        let along = |coupled: &&CoupledFeature| {
            let [one, other] = coupled.axes.map(|axis| value(axis).expect("limits name all axes"));
            one.minus(&other).times(&exact(coupled.factor))
        };
        let along: Vec<Exact> = self.open.iter().map(along).collect();
        let cost = |along: &Exact| if self.norm == Norm::L2 { along.times(along) } else { along.magnitude() };
        let cost = along.iter().fold(Exact::zero(), |sum, along| sum.plus(&cost(along)));
        (cost > *self.left).then_some(Separation { along, cost })
    }

    /// A plane with what is outside on one side and the ball on the other.
    fn plane(&self, Separation { along, cost }: &Separation) -> LinearLimit {
        let zero = Exact::zero();
        let normal = |along: &Exact| match self.norm {
            Norm::L2 => along.clone(),
            _ if *along > zero => Exact::one(),
            _ if *along < zero => Exact::one().negated(),
            _ => Exact::zero(),
        };
        let sloping = self.open.iter().zip(along).filter(|(_, along)| **along != zero);
        let terms = sloping.flat_map(|(coupled, along)| coupled.terms(&normal(along).times(&exact(coupled.factor))));
        let most = match self.norm {
            // Along what is outside, the ball ends at the root of the two costs' product. Their mean is not below it, and below
            // the cost.
            Norm::L2 => {
                let root = Exact::from_f64(self.left.times(cost).ceil_f64().sqrt().next_up());
                let mean = self.left.plus(cost).times(&exact(0.5));
                root.filter(|root| *root < mean).unwrap_or(mean)
            }
            _ => self.left.clone(),
        };
        LinearLimit { terms: terms.collect(), most }
    }

    /// The box inside a round ball whose corner is where the ball ends towards what is outside.
    fn inside(&self, Separation { along, cost }: &Separation) -> Vec<LinearLimit> {
        let part = (self.left.to_f64() / cost.to_f64()).sqrt() * INSIDE;
        let part = Exact::from_f64(part).unwrap_or_else(Exact::zero);
        let sides = self.open.iter().zip(along);
        sides.flat_map(|(coupled, along)| coupled.within(&along.magnitude().times(&part))).collect()
    }
}

fn exact(number: f64) -> Exact {
    Exact::from_f64(number).expect("finite")
}
