//! The closest input as the Veritas paper finds it: a radius is halved again and again, and a search over leaf sequences
//! says of each whether the goal is reached within it.
//!
//! Both bounds of that search move the interval. A leaf sequence that reaches the goal has an input that is nearest to the
//! row: no more than its distance need be looked at. If none can, nothing within the radius reaches the goal. If that search
//! is ended before either is known, the goal may be reached there, and nearer is asked next, as in the paper.
//!
//! *The end*: inputs that look alike to all trees are as far away as the nearest of them, so there are only so many distances,
//! and the interval may have one left: that is the answer, exactly. For whole-numbered features this is the test of the
//! paper, that only one whole number is left. Otherwise there are ten steps, as in the paper, and an interval remains.
//!
//! *Conditions on distances*: of inputs that reach the same leaves the nearest is the nearest in every norm, so it alone says
//! whether they are met.
//!
//! *Several classes*: the search has a space of leaf sequences for each, and the best of all counts.

use std::time::Duration;

use treeproof_ensemble::error::RowError;
use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::norm::Norm;
use treeproof_search::{Abandoned, Limits, Method, Stop, StopReason, Strategy, Veritas};

use super::bounds::{CostBounds, NearInput};
use super::first_point::FirstPoint;
use super::search::{RowSearch, WithinRadius};
use super::units::places;
use crate::error::{TaskError, refuse};
use crate::report::{Stats, Stopped};
use crate::stop::Clock;

/// The first radius, as in the paper: its features are grey values up to 255. It is doubled while nothing is within.
const FIRST_RADIUS: i64 = 20;

/// Number of times the interval is halved, as in the paper.
const STEPS: u32 = 10;

/// Refuses what boxes do not tell.
pub(in crate::questions) fn refuse_other_than_boxes(norm: Norm, count: usize) -> Result<(), TaskError> {
    if norm != Norm::Linf {
        let what = format!("`veritas` knows `linf` only: leave it out for `{}`", norm.name());
        return refuse("method", what);
    }
    if count > 1 {
        let what = "does not go with the method `veritas`, which finds one input for each row".to_owned();
        return refuse("count", what);
    }
    Ok(())
}

/// One row, asked about by bisection.
pub(super) struct Bisection<'a> {
    pub(super) asked: &'a RowSearch<'a>,
    pub(super) strategy: Strategy,
}

/// The state of knowledge about inputs within a radius.
enum Within {
    /// One reaches the goal.
    Found(Box<NearInput>),
    /// None does, if there are any.
    Nothing {
        /// True if no input is admissible.
        is_empty: bool,
    },
    /// One may, for all that was found out before this.
    Perhaps(Stopped),
}

impl Bisection<'_> {
    /// The answer to the question: within its radius if it has one.
    pub(super) fn search(&self, stats: &mut Stats) -> Result<CostBounds, TaskError> {
        let Some(radius) = self.asked.most() else { return self.bisect(stats) };
        let time = self.asked.question.limits.time();
        let (found, stopped, is_empty) = match self.within(&radius, time, stats)? {
            Within::Found(found) => (Some(*found), Stopped::Target, false),
            Within::Nothing { is_empty } => (None, Stopped::Optimal, is_empty),
            Within::Perhaps(stopped) => (None, stopped, false),
        };
        let least = (stopped != Stopped::Optimal).then(Exact::zero);
        Ok(CostBounds { found, least, stopped, is_empty })
    }

    fn bisect(&self, stats: &mut Stats) -> Result<CostBounds, TaskError> {
        let clock = self.clock(self.asked.question.limits.time());
        let Ok(all) = self.compile(None, &clock) else { return Ok(CostBounds::nothing_known(clock.ended())) };
        let Some(all) = all else { return Ok(CostBounds::nothing(true)) };
        let distances = places(&self.asked.question.metric, &all.nearby.costs[0]);
        let farthest = distances.last().expect("there is a least distance");
        let half = Exact::from_f64(0.5).expect("finite");
        let [two, first] = [2, FIRST_RADIUS].map(Exact::from_i64);
        // What is nearest of all is asked about first: the row itself, as a rule.
        let mut radius = distances[0].clone();
        let mut found = None::<NearInput>;
        // The goal is reached within this, or may be.
        let mut high = None::<Exact>;
        // Distances before this place are not those of the goal.
        let mut low = 0;
        let mut stopped = None;
        let mut steps = 0;
        while high.as_ref().is_none_or(|high| distances[low] < *high) {
            if let Some(high) = &high {
                if steps == STEPS {
                    stopped.get_or_insert(Stopped::Steps);
                    break;
                }
                steps += 1;
                radius = distances[low].plus(high).times(&half).reduced();
            }
            match self.within(&radius, self.time_of_step(steps), stats)? {
                Within::Found(nearer) => {
                    high = Some(nearer.cost.clone());
                    // What was not decided lies beyond.
                    (found, stopped) = (Some(*nearer), None);
                }
                Within::Nothing { .. } => {
                    low = distances.partition_point(|distance| *distance <= radius);
                    if low == distances.len() {
                        return Ok(CostBounds::nothing(false));
                    }
                    let wider = radius.times(&two).max(first.clone()).min(farthest.clone());
                    radius = wider.max(distances[low].clone());
                }
                Within::Perhaps(why) => {
                    stopped = Some(why);
                    high = Some(radius.clone());
                    if why == Stopped::Interrupted || self.time_left().is_zero() {
                        break;
                    }
                }
            }
        }
        let least = distances[low].clone();
        let is_exact = found.as_ref().is_some_and(|found| found.cost <= least);
        // Only a step that was not decided leaves a goal unfound in an interval that is at its end.
        let stopped = if is_exact { Stopped::Optimal } else { stopped.unwrap_or(Stopped::Rounding) };
        Ok(CostBounds { least: Some(least), found, stopped, is_empty: false })
    }

    /// Looks for an input within a radius that reaches the goal.
    fn within(&self, radius: &Exact, time: Duration, stats: &mut Stats) -> Result<Within, TaskError> {
        let clock = self.clock(time);
        let observer = FirstPoint::new(&clock, self.asked.watcher, false);
        let perhaps = || Within::Perhaps(clock.ended().unwrap_or(Stopped::Interrupted));
        let Ok(near) = self.compile(Some(radius), &clock) else { return Ok(perhaps()) };
        let Some(near) = near else {
            return Ok(Within::Nothing { is_empty: true });
        };
        let problem = &near.compiled.problem;
        let enough = near.compiled.least_at_least(&Exact::zero());
        let (mut known, mut is_unsure) = (Ok(None), false);
        // What is not enough is no input to be found, and none to be left out.
        let judge = |case: usize, point: &[u32]| {
            if problem.cases[case].value(&problem.axes, point) < enough {
                return true;
            }
            match self.nearest_alike(&near, case, point, radius) {
                Ok(Within::Found(found)) => known = Ok(Some(found)),
                Ok(Within::Nothing { .. }) => return false,
                Ok(Within::Perhaps(_)) => {
                    is_unsure = true;
                    return false;
                }
                Err(error) => known = Err(error),
            }
            true
        };
        let Ok(mut search) = Veritas::prepare(problem, self.strategy, judge, &clock) else { return Ok(perhaps()) };
        let mut limits = Limits::default();
        limits.memory = self.asked.question.limits.memory_bytes();
        (limits.stop_above, limits.stop_below) = (Some(enough), Some(enough));
        let reason = search.run(&limits, &observer);
        let status = search.status();
        stats.regions += status.steps;
        stats.memory_bytes = stats.memory_bytes.max(status.memory as u64);
        drop(search);
        Ok(match (known?, reason) {
            (Some(found), _) => Within::Found(found),
            (None, StopReason::Optimal | StopReason::Below) if is_unsure => Within::Perhaps(Stopped::Rounding),
            (None, StopReason::Optimal | StopReason::Below) => Within::Nothing { is_empty: false },
            (None, StopReason::Memory) => Within::Perhaps(Stopped::Memory),
            (None, _) => perhaps(),
        })
    }

    fn compile(&self, radius: Option<&Exact>, stop: &dyn Stop) -> Result<Option<WithinRadius>, Abandoned> {
        self.asked.compile(&self.asked.form(radius), radius, stop)
    }

    /// Decides about the inputs that reach the same leaves of a case as a point, by the nearest of them.
    fn nearest_alike(
        &self,
        WithinRadius { compiled, nearby, bounds }: &WithinRadius,
        case: usize,
        point: &[u32],
        radius: &Exact,
    ) -> Result<Within, TaskError> {
        let RowSearch { question, row: from, aim, .. } = self.asked;
        let ensemble = &question.ensemble;
        let nearest = compiled.nearest_alike(nearby, case, point);
        let row = nearby.row(&nearest);
        let is_near = question.metric.between(ensemble, from, &row) <= *radius;
        if !is_near || !bounds.iter().all(|ball| ball.has(ensemble, from, &row)) {
            return Ok(Within::Nothing { is_empty: false });
        }
        let refused = |error: RowError| TaskError::WitnessRefused { what: error.to_string() };
        let evaluation = ensemble.evaluate(&row).map_err(refused)?;
        if aim.is_surely_reached(ensemble, &evaluation) {
            return Ok(Within::Found(Box::new(self.asked.check(row, nearby.changed(&nearest))?)));
        }
        Ok(match aim.is_refuted_alike(ensemble, case, &evaluation) {
            true => Within::Nothing { is_empty: false },
            false => Within::Perhaps(Stopped::Rounding),
        })
    }

    fn clock(&self, time: Duration) -> Clock<'_> {
        Clock::new(self.asked.start, time, self.asked.watcher)
    }

    fn time_left(&self) -> Duration {
        self.asked.question.limits.time().saturating_sub(self.asked.start.elapsed())
    }

    /// When a step ends, counted from the start of all: those to come have as much time.
    fn time_of_step(&self, steps: u32) -> Duration {
        self.asked.start.elapsed() + self.time_left() / (STEPS + 1 - steps)
    }
}
