//! Conditions on values that share axes, decided together at a point: true if its cells have values that meet them all.
//!
//! Cells decide first. For the rest, alternatives are tried one after the other until only sums and grids are left, which
//! [`LinearSystem`] solves. Only doubles count, so some points stay undecided in reasonable time: such a point is no
//! solution, and its value is kept as a doubt.

use std::sync::{Arc, Mutex};

use treeproof_ensemble::exact::Exact;
use treeproof_search::{Points, Problem, Value};

use super::formula::CountedChoice;
use super::linear::LinearRule;
use super::rule::{CellCondition, Rule};
use super::system::{LinearSystem, RealisedValues};
use crate::problem::ball::Coupling;
use crate::problem::cells::AxisPartition;
use crate::problem::remembered::Remembered;
use crate::problem::simplex::{Feasible, LinearConstraint, Simplex};

/// Limit on the combinations of alternatives at a point.
const MOST_TRIED: usize = 64;

/// Conditions on values that share axes.
#[derive(Debug)]
pub(in crate::problem) struct JointConstraint {
    pub(super) rules: Vec<Arc<Rule>>,
    pub(super) axes: Arc<Vec<AxisPartition>>,
    /// The ball between two inputs, if their values must be near each other too.
    pub(super) coupling: Option<Arc<Coupling>>,
    /// The undecided points, if this constraint decides about points.
    pub(super) doubt: Option<Arc<Doubt>>,
    /// Decisions so far.
    pub(super) decided: Remembered<bool>,
}

/// Points whose values may or may not meet the conditions.
#[derive(Debug)]
pub(in crate::problem) struct Doubt {
    /// The problem, for the values of points.
    problem: Problem,
    most: Mutex<Option<Value>>,
}

impl Doubt {
    pub(in crate::problem) fn new(problem: &Problem) -> Self {
        Self { problem: problem.clone(), most: Mutex::default() }
    }

    /// The value of the best of them.
    pub(in crate::problem) fn most(&self) -> Option<Value> {
        *self.most.lock().expect("no thread panics while it holds this")
    }

    pub(in crate::problem) fn add(&self, point: &[u32]) {
        let value = self.problem.value(point);
        let mut most = self.most.lock().expect("no thread panics while it holds this");
        *most = Some(most.map_or(value, |most| most.max(value)));
    }
}

impl JointConstraint {
    /// The value of the best undecided point.
    pub(in crate::problem) fn most_in_doubt(&self) -> Option<Value> {
        self.doubt.as_ref().and_then(|doubt| doubt.most())
    }

    /// Values of some axes, in the cells of a point, that meet all conditions; those of other axes do not matter.
    pub(in crate::problem) fn values(&self, point: &[u32]) -> RealisedValues {
        // Starts from preferred numbers, so that values stay there where they can.
        let liked = |axis: usize| self.axes[axis].raws(point[axis])[0];
        match &self.coupling {
            None => self.values_near(point, &liked, &[]),
            Some(coupling) => {
                let nearest = coupling.nearest(point, &self.axes);
                let start = |axis: usize| nearest.get(&axis).copied().unwrap_or_else(|| liked(axis));
                coupling.meet(point, &|limits| self.values_near(point, &start, limits))
            }
        }
    }

    /// Values that meet further limits too, near where they start.
    pub(in crate::problem) fn values_near(
        &self,
        point: &[u32],
        start: &dyn Fn(usize) -> f64,
        limits: &[LinearConstraint],
    ) -> RealisedValues {
        let mut trial = Trial { joint: self, point, start, limits, sums: vec![], steps: vec![], num_tried: 0 };
        trial.meet(self.rules.iter().map(|rule| Pending::Rule(rule)).collect())
    }

    /// The axes whose values matter, ascending.
    pub(in crate::problem) fn valued_axes(&self) -> Vec<usize> {
        let mut axes = vec![];
        self.rules.iter().for_each(|rule| rule.valued_axes(&mut |axis| axes.push(axis)));
        axes.sort_unstable();
        axes.dedup();
        axes
    }

    /// The sums that hold whatever the alternatives.
    fn certain_sums(&self) -> Vec<&LinearRule> {
        let mut sums = vec![];
        let mut pending: Vec<&Rule> = self.rules.iter().map(Arc::as_ref).collect();
        while let Some(rule) = pending.pop() {
            match rule {
                Rule::All(parts) => pending.extend(parts),
                Rule::Leaf(CellCondition::Sum(sum)) => sums.push(sum),
                _ => {}
            }
        }
        sums
    }

    /// The least and the greatest finite number of an axis in some points.
    fn ends(&self, axis: usize, points: &Points<'_>) -> Option<[Exact; 2]> {
        let cells = &self.axes[axis];
        let ends = |cell: u32| {
            let (least, greatest) = cells.number_ends(cell, 0)?;
            Some((least.max(-f64::MAX), greatest.min(f64::MAX)))
        };
        let mut ordered = points.ordered(axis);
        let first = ordered.clone().find_map(ends);
        let last = ordered.rfind(|cell| ends(*cell).is_some()).and_then(ends);
        let all = first.into_iter().chain(last).chain(points.special(axis).filter_map(ends));
        let (low, high) = all.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)))?;
        Some([Exact::from_f64(low)?, Exact::from_f64(high)?])
    }
}

impl treeproof_search::Constraint for JointConstraint {
    /// Sums that cannot hold together leave no points.
    fn narrow(&self, points: &mut Points<'_>) {
        let sums = self.certain_sums();
        let mut axes: Vec<usize> = sums.iter().flat_map(|sum| sum.terms().map(|(axis, _)| axis)).collect();
        axes.sort_unstable();
        axes.dedup();
        let near = self.coupling.as_ref().map_or(vec![], |coupling| coupling.limits_among(points, &axes));
        if sums.len() + near.len() < 2 {
            return;
        }
        let ends: Option<Vec<[Exact; 2]>> = axes.iter().map(|axis| self.ends(*axis, points)).collect();
        let Some(mut ends) = ends else { return points.clear() };
        let place = |axis: usize| axes.binary_search(&axis).expect("all axes of the sums are here");
        let one = Exact::one();
        let mut all: Vec<LinearConstraint<&Exact>> = vec![];
        for sum in sums {
            let mut terms: Vec<(usize, &Exact)> =
                sum.terms().map(|(axis, coefficient)| (place(axis), coefficient)).collect();
            // The share of a group is a variable of its own.
            for adds in sum.groups_in(points) {
                terms.push((ends.len(), &one));
                ends.push(adds);
            }
            all.push(LinearConstraint { terms, relation: sum.relation, constant: sum.constant.clone() });
        }
        all.extend(near.iter().map(|limit| limit.over(place)));
        let variables = ends.into_iter().map(|ends| (ends.clone(), ends[0].clone()));
        if Simplex::new(variables, &all).solve() == Feasible::No {
            points.clear();
        }
    }

    fn sees_values(&self) -> bool {
        true
    }

    fn holds(&self, point: &[u32]) -> bool {
        self.decided.or_decide(point, || match self.values(point) {
            RealisedValues::Found(_) => true,
            RealisedValues::Impossible => false,
            RealisedValues::Unknown => {
                self.doubt.iter().for_each(|doubt| doubt.add(point));
                false
            }
        })
    }
}

/// A condition that is still to be met.
#[derive(Clone, Copy)]
enum Pending<'a> {
    Rule(&'a Rule),
    /// Choices from a place on, and how many of them are "yes".
    Count {
        choices: &'a [CountedChoice<CellCondition>],
        at_least: usize,
        at_most: usize,
    },
}

/// The trial of one combination of alternatives.
struct Trial<'a> {
    joint: &'a JointConstraint,
    point: &'a [u32],
    start: &'a dyn Fn(usize) -> f64,
    limits: &'a [LinearConstraint],
    /// Sums and steps chosen so far.
    sums: Vec<&'a LinearRule>,
    steps: Vec<(usize, &'a Exact, bool)>,
    num_tried: usize,
}

impl<'a> Trial<'a> {
    /// Values that meet all pending conditions, besides the sums and steps chosen so far.
    fn meet(&mut self, mut pending: Vec<Pending<'a>>) -> RealisedValues {
        let before = (self.sums.len(), self.steps.len());
        let outcome = self.meet_rest(&mut pending);
        self.sums.truncate(before.0);
        self.steps.truncate(before.1);
        outcome
    }

    fn meet_rest(&mut self, pending: &mut Vec<Pending<'a>>) -> RealisedValues {
        // Alternatives come last: certain conditions may leave few of them.
        let mut choices: Vec<Pending<'a>> = vec![];
        while let Some(next) = pending.pop() {
            match next {
                Pending::Rule(rule) => match (rule.at(self.point), rule) {
                    (Some(true), _) => {}
                    (Some(false), _) => return RealisedValues::Impossible,
                    (None, Rule::All(parts)) => pending.extend(parts.iter().map(Pending::Rule)),
                    (None, Rule::Leaf(CellCondition::Sum(sum))) => self.sums.push(sum),
                    (None, Rule::Leaf(CellCondition::Multiple(multiple))) => {
                        self.steps.push((multiple.possible.axis, &multiple.step, multiple.is_negated));
                    }
                    (None, Rule::Count { choices: all, number }) => {
                        let (at_least, at_most) = (number.at_least, number.at_most);
                        choices.push(Pending::Count { choices: all, at_least, at_most });
                    }
                    (None, Rule::Any(_)) => choices.push(next),
                    (None, Rule::Leaf(CellCondition::Cell(_))) => unreachable!("cells decide"),
                },
                Pending::Count { .. } => choices.push(next),
            }
        }
        let Some(next) = choices.pop() else {
            self.num_tried += 1;
            return match self.num_tried > MOST_TRIED {
                true => RealisedValues::Unknown,
                false => self.system().solve(self.start),
            };
        };
        let mut is_unknown = false;
        for alternative in self.alternatives(next) {
            match self.meet(choices.iter().copied().chain(alternative).collect()) {
                RealisedValues::Found(values) => return RealisedValues::Found(values),
                RealisedValues::Impossible => {}
                RealisedValues::Unknown => is_unknown = true,
            }
        }
        if is_unknown { RealisedValues::Unknown } else { RealisedValues::Impossible }
    }

    /// The alternatives of a pending condition.
    fn alternatives(&self, pending: Pending<'a>) -> Vec<Vec<Pending<'a>>> {
        match pending {
            Pending::Rule(Rule::Any(parts)) => parts.iter().map(|part| vec![Pending::Rule(part)]).collect(),
            Pending::Rule(rule) => vec![vec![Pending::Rule(rule)]],
            Pending::Count { choices, at_least, at_most } => {
                let [choice, rest @ ..] = choices else {
                    return if at_least == 0 { vec![vec![]] } else { vec![] };
                };
                if at_least > choices.len() {
                    return vec![];
                }
                let decided = choice.decide(&|leaf| leaf.at(self.point));
                let mut alternatives = vec![];
                // As few as possible are "yes": such values are easier to read.
                if decided != Some(true) {
                    let rest = Pending::Count { choices: rest, at_least, at_most };
                    alternatives.push(vec![Pending::Rule(&choice.no), rest]);
                }
                if decided != Some(false) && at_most > 0 {
                    let at_least = at_least.saturating_sub(1);
                    let rest = Pending::Count { choices: rest, at_least, at_most: at_most - 1 };
                    alternatives.push(vec![Pending::Rule(&choice.yes), rest]);
                }
                alternatives
            }
        }
    }

    fn system(&self) -> LinearSystem<'a> {
        LinearSystem::new(&self.joint.axes, self.point, &self.sums, self.limits, &self.steps)
    }
}
