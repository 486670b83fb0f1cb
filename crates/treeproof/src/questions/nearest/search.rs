//! The search for the nearest input.

use std::sync::{Arc, Mutex};
use std::time::Instant;

use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::input::Reading;
use treeproof_search::MAX_MAGNITUDE;
use treeproof_search::{Abandoned, Constraint, Note, Objective, Problem, Stop, StopReason, Value, Why};

use super::ball::PointBall;
use super::bisection::Bisection;
use super::bounds::{CostBounds, FINE, NearInput};
use super::first_point::FirstPoint;
use super::goal::Aim;
use super::reached::{Plain, Reached};
use super::refuted::Refuted;
use super::request::NearestRequest;
use crate::elaborate::{prove_empty, prove_unreachable};
use crate::error::{TaskError, refuse};
use crate::limits::Method;
use crate::problem::{
    Compiled, Features, Form, NearestValues, Nearness, RealisedValues, ReferenceRow, Space, position,
};
use crate::report::{Stats, Stopped};
use crate::run::{EngineEnd, EngineRun};
use crate::stop::Clock;
use crate::watch::Watcher;

/// One row of a question.
pub(super) struct RowSearch<'a> {
    pub(super) question: &'a NearestRequest,
    pub(super) row: &'a [f64],
    pub(super) readings: &'a [Reading],
    pub(super) aim: Arc<Aim>,
    pub(super) start: Instant,
    pub(super) watcher: &'a dyn Watcher,
}

/// A search for the nearest input, with the parts that a proof states.
pub(super) struct Sought<'a> {
    pub(super) nearby: &'a Arc<NearestValues>,
    pub(super) form: &'a Form<'a>,
    pub(super) compiled: &'a Compiled,
    /// Balls of the conditions that bound distances.
    pub(super) bounds: &'a [PointBall],
    /// Lists of features, of each of which one at least stays as it is.
    pub(super) not_all: &'a [Vec<usize>],
}

/// A question about a row, over inputs up to a little beyond a radius.
pub(super) struct WithinRadius {
    pub(super) compiled: Compiled,
    pub(super) nearby: NearestValues,
    /// Balls of the conditions that bound distances.
    pub(super) bounds: Vec<PointBall>,
}

impl RowSearch<'_> {
    /// Searches for as many inputs as are wanted, one after the other; the last search may find none.
    pub(super) fn search(&self, stats: &mut Stats) -> Result<Vec<CostBounds>, TaskError> {
        let Self { question, aim, .. } = self;
        let NearestRequest { conditions, count, .. } = question;
        if aim.cases.is_empty() {
            if let Some(writer) = self.watcher.proof() {
                let form = self.form(question.radius().as_ref());
                prove_unreachable(writer, self.statement(&form, &[]))?;
            }
            return Ok(vec![CostBounds::nothing(false)]);
        }
        if let Some(strategy) = question.bisection {
            return Ok(vec![Bisection { asked: self, strategy }.search(stats)?]);
        }
        let radius = question.radius();
        let form = self.form(radius.as_ref());
        let clock = Clock::new(self.start, question.limits.time(), self.watcher);
        let within = self.compile(&form, radius.as_ref(), &clock);
        if let (Ok(None) | Err(Abandoned), Some(writer)) = (&within, self.watcher.proof()) {
            // Each row has a statement, if only one that claims nothing.
            prove_empty(writer, &[question.ensemble.as_ref()], self.statement(&form, &[]))?;
        }
        let WithinRadius { mut compiled, nearby, bounds } = match within {
            Ok(Some(within)) => within,
            Ok(None) => return Ok(vec![CostBounds::nothing(true)]),
            Err(Abandoned) => return Ok(vec![CostBounds::nothing_known(clock.ended())]),
        };
        let (nearby, bounds) = (Arc::new(nearby), Arc::new(bounds));
        let enough = compiled.least_at_least(&Exact::zero());
        if *count > 1 && nearby.joint().is_some() {
            let what = "is not supported beside sums of features, whose values may change within a cell";
            return refuse("count", what);
        }
        let mut problem = std::mem::take(&mut compiled.problem);
        if enough == Value::MAX {
            let sought = Sought { nearby: &nearby, form: &form, compiled: &compiled, not_all: &[], bounds: &[] };
            self.prove_at_once(&sought, |case| {
                let weigh = |channel| Note::Weighed { channel, shares: vec![], price: None, widened: None };
                let weighed = (0..position(problem.cases[case].channels.len())).map(weigh);
                weighed.chain([Note::Closed(Why::Known)]).collect()
            })?;
            return Ok(vec![CostBounds::nothing(false)]);
        }
        // Sums stay below half of this: beyond it every point reaches the goal, or none does.
        let enough = enough.clamp(-MAX_MAGNITUDE / 2, MAX_MAGNITUDE / 2);
        let sure = compiled.least_above(&aim.certain).saturating_add(compiled.slack()).saturating_sub(enough);
        for channel in problem.cases.iter_mut().flat_map(|case| &mut case.channels) {
            channel.base -= enough;
        }
        let mut plain = problem.clone();
        plain.budgets.extend(conditions.most_changed.map(|most| nearby.at_most(most)));
        plain.budgets.extend(bounds.iter().map(PointBall::budget));
        let mut all: Vec<CostBounds> = vec![];
        let mut not_all: Vec<Vec<usize>> = vec![];
        loop {
            let (nearby, form, compiled) = (&nearby, &form, &compiled);
            let sought = Sought { nearby, form, compiled, bounds: &bounds, not_all: &not_all };
            let asked = Plain { problem: Arc::new(plain.clone()), bounds: Arc::clone(&bounds), sure };
            let ended = self.nearest(&mut problem, &asked, &sought, stats)?;
            let changed = ended.found.as_ref().map(|found| found.changed.clone()).unwrap_or_default();
            let goes_on = ended.stopped == Stopped::Optimal && !changed.is_empty() && all.len() + 1 < *count;
            all.push(ended);
            if !goes_on {
                return Ok(all);
            }
            plain.budgets.push(nearby.not_all(&changed));
            not_all.push(changed.iter().map(|axis| nearby.feature(*axis)).collect());
        }
    }

    /// The form of inputs that reach the goal, up to a little beyond a radius if there is one.
    pub(super) fn form(&self, radius: Option<&Exact>) -> Form<'_> {
        let NearestRequest { ensemble, conditions, .. } = self.question;
        let domains = self.question.domains(self.row, self.readings, radius);
        let space = Space::one(Features::of(ensemble).grouped(&conditions.groups), domains);
        Form { models: vec![ensemble], space, cases: self.aim.cases.clone() }
    }

    /// That form, and what is near the row in its cells. None if no input is allowed.
    pub(super) fn compile(
        &self,
        form: &Form<'_>,
        radius: Option<&Exact>,
        stop: &dyn Stop,
    ) -> Result<Option<WithinRadius>, Abandoned> {
        let Self { readings, question: NearestRequest { ensemble, conditions, .. }, .. } = self;
        let reference = Some(ReferenceRow { row: self.row, readings });
        let compiled = form.compile_until(Nearness::Any, &conditions.across(), reference, stop)?;
        let Some(compiled) = compiled else { return Ok(None) };
        let balls = self.question.balls(radius);
        let costs = balls
            .iter()
            .map(|ball| move |feature: usize, to: f64| ball.metric.cost(ensemble, feature, self.row[feature], to));
        let nearby = compiled.nearest_values(self.row, readings, &costs.collect::<Vec<_>>(), stop)?;
        let bounds = balls.iter().enumerate().skip(1).map(|(measure, ball)| {
            let (ball, _) = PointBall::new(&ball.metric, ball.most().as_ref(), &nearby, measure)?;
            Some(ball)
        });
        let bounds = bounds.collect::<Option<Vec<_>>>();
        Ok(bounds.map(|bounds| WithinRadius { compiled, nearby, bounds }))
    }

    /// Searches for the nearest input, in units that are fine enough.
    fn nearest(
        &self,
        problem: &mut Problem,
        plain: &Plain,
        sought: &Sought<'_>,
        stats: &mut Stats,
    ) -> Result<CostBounds, TaskError> {
        let mut most = self.most();
        let mut coarse = None::<CostBounds>;
        loop {
            let ended = self.search_in_units(problem, plain, sought, most.as_ref(), stats)?;
            let mut ended = coarse.map_or_else(|| ended.clone(), |coarse| coarse.refined(&ended));
            if sought.nearby.joint().is_some() && self.question.within.is_none() {
                return ended.closer(&mut |most| self.search_in_units(problem, plain, sought, Some(most), stats));
            }
            let Some(found) = ended.found.as_ref().filter(|_| self.question.within.is_none()) else {
                return Ok(ended);
            };
            let least = ended.least.get_or_insert_with(Exact::zero);
            let blur = found.cost.minus(least);
            let is_fine = blur <= found.cost.times(&Exact::from_f64(FINE).expect("finite"));
            let is_finer = most.as_ref().is_none_or(|most| found.cost < *most);
            if is_fine || ended.stopped != Stopped::Optimal || !is_finer {
                return Ok(ended);
            }
            most = Some(found.cost.clone());
            coarse = Some(ended);
        }
    }

    /// Searches with costs up to `most` told apart.
    fn search_in_units(
        &self,
        problem: &mut Problem,
        plain: &Plain,
        sought: &Sought<'_>,
        most: Option<&Exact>,
        stats: &mut Stats,
    ) -> Result<CostBounds, TaskError> {
        let (nearby, aim) = (sought.nearby, &self.aim);
        let NearestRequest { ensemble, metric, limits, within, .. } = self.question;
        let Some((ball, units)) = PointBall::new(metric, most, nearby, 0) else {
            self.prove_at_once(sought, |_| vec![Note::Closed(Why::Constraint(0))])?;
            return Ok(CostBounds::nothing(false));
        };
        let limit = ball.limit;
        let reached = Arc::new(Reached {
            ensemble: Arc::clone(ensemble),
            metric: metric.clone(),
            from: self.row.to_vec(),
            nearby: Arc::clone(nearby),
            aim: Arc::clone(aim),
            plain: plain.clone(),
            ball,
            refuted: Refuted::new(plain.problem.cases.len()),
            unsure: Mutex::default(),
        });
        problem.budgets.clone_from(&plain.problem.budgets);
        problem.objective = Objective::Nearest(reached.ball.distance.clone());
        problem.constraints = plain.problem.constraints.clone();
        problem.constraints.push(Arc::clone(&reached) as Arc<dyn Constraint>);
        let section = self.section(sought, &units, most)?;
        let clock = Clock::new(self.start, limits.time(), self.watcher);
        let observer = FirstPoint::new(&clock, self.watcher, within.is_some());
        let engine = EngineRun {
            problem,
            method: Method::Auto,
            epsilon: None,
            limits,
            target: (limit < Value::MAX).then_some(-limit),
            section: section.as_ref(),
            models: &[ensemble.as_ref()],
        };
        let EngineEnd { reason, status, solution } = match engine.run(&observer) {
            Ok(end) => end,
            Err(Abandoned) => {
                let ended = CostBounds::nothing_known(observer.stopped());
                if let Some(section) = section {
                    section.finish(&self.conclusion(&ended, None, most), None)?;
                }
                return Ok(ended);
            }
        };
        stats.regions += status.steps;
        stats.memory_bytes = stats.memory_bytes.max(status.memory as u64);
        let found = solution.map(|point| {
            let point = without_needless_changes(problem, nearby, &point);
            let row = match reached.place(&point) {
                RealisedValues::Found(row) => row,
                RealisedValues::Impossible | RealisedValues::Unknown => nearby.row(&point),
            };
            self.check(row, nearby.changed(&point))
        });
        let found = found.transpose()?;
        let stopped = match (reason, observer.stopped()) {
            (StopReason::Optimal, _) => Stopped::Optimal,
            (_, Some(stopped)) => stopped,
            _ => Stopped::Memory,
        };
        // Without a point the bound is that of what was asked for, or of nothing at all.
        let bound = status.upper.filter(|upper| *upper > Value::MIN);
        let mut least = match (&found, bound, stopped) {
            (None, _, Stopped::Optimal) => None,
            (_, bound, _) => Some(bound.map_or_else(Exact::zero, |upper| units.cost((-upper).max(0)))),
        };
        let mut stopped = stopped;
        let unsure = reached.unsure.lock().expect("no thread panics while it holds this").take();
        if let Some((cost, why)) = unsure.filter(|(cost, _)| least.as_ref().is_none_or(|least| cost < least)) {
            least = Some(cost);
            let is_answered = within.is_some() && found.is_some();
            stopped = if stopped == Stopped::Optimal && !is_answered { why } else { stopped };
        }
        let ended = CostBounds { found, least, stopped, is_empty: false };
        if let Some(section) = section {
            // Where nothing was found, all that was asked about must be closed.
            let upper = bound.filter(|_| ended.least.is_some());
            let bound = bound.map(|upper| units.cost((-upper).max(0)));
            section.finish(&self.conclusion(&ended, bound, most), upper)?;
        }
        Ok(ended)
    }

    /// The largest cost within the radius, if there is one.
    pub(super) fn most(&self) -> Option<Exact> {
        self.question.within.and_then(|radius| self.question.metric.of_distance(radius))
    }

    /// Tests an input by the model and the metric alone.
    pub(super) fn check(&self, row: Vec<f64>, changed: Vec<usize>) -> Result<NearInput, TaskError> {
        let NearestRequest { ensemble, metric, .. } = self.question;
        let refused = |what: String| TaskError::WitnessRefused { what };
        let evaluation = ensemble.evaluate(&row).map_err(|error| refused(error.to_string()))?;
        if !self.aim.is_reached(ensemble, &evaluation) {
            return Err(refused(format!("{row:?} does not change the answer")));
        }
        self.question.conditions.check(ensemble, metric, self.row, &row).map_err(refused)?;
        let cost = metric.between(ensemble, self.row, &row);
        if self.most().is_some_and(|most| cost > most) {
            return Err(refused(format!("{row:?} is not within the radius")));
        }
        Ok(NearInput { changed, row, evaluation, cost })
    }
}

/// A point of equal worth in which no single axis can be set back to the row's cell.
fn without_needless_changes(problem: &Problem, nearby: &NearestValues, point: &[u32]) -> Vec<u32> {
    let mut point = point.to_vec();
    let worth = problem.worth(&point);
    loop {
        let mut has_changed = false;
        for axis in nearby.changed(&point) {
            let Some(own) = nearby.own_cell(axis) else { continue };
            let before = std::mem::replace(&mut point[axis], own);
            let is_as_good = problem.worth(&point).is_some_and(|less| Some(less) >= worth);
            if is_as_good {
                has_changed = true;
            } else {
                point[axis] = before;
            }
        }
        if !has_changed {
            return point;
        }
    }
}
