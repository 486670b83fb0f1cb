//! The search for the nearest input.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::evaluate::Evaluation;
use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::input::Reading;
use treeproof_search::problem::MAX_MAGNITUDE;
use treeproof_search::{
    Constraint, Distance, Limits, Method, Objective, Observer, Points, Problem, Search, Status, StopReason, Value,
};

use super::conditions::Conditions;
use super::goal::{Aim, Goal};
use super::metric::{Metric, Norm};
use super::units::Units;
use crate::compile::{Domain, Features, Form, Limit, Nearby, Placed, Reference, Space};
use crate::report::{Stats, Stopped, Verdict};
use crate::solve::refuse_other_than_sums;
use crate::task::{TaskError, TaskLimits};

/// Where rounding of costs would blur a distance by more than this part of it, they are counted anew in a finer unit.
const FINE: f64 = 1e-12;

/// So often what is between two bounds is halved.
const MOST_HALVED: usize = 100;

/// A question about the nearest input that changes the answer, asked of one row after the other.
#[derive(Clone, Debug)]
pub struct Closest {
    /// The model, which must be a sum.
    pub ensemble: Arc<Ensemble>,
    /// What moving costs.
    pub metric: Metric,
    /// What counts as another answer.
    pub goal: Goal,
    /// The threshold of the probability, if it is not the library's own.
    pub threshold: Option<f64>,
    /// What the features may become.
    pub conditions: Conditions,
    /// Only inputs at most this far away matter, and any of them answers the question.
    pub within: Option<f64>,
    /// Of these the time, the memory and the threads.
    pub limits: TaskLimits,
}

/// What was proved about the nearest input.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Nearest {
    /// With a radius whether there is none, `holds`, or one, `violated`; else whether the distance is `optimal`, or
    /// there is no such input at any distance, `infeasible`.
    pub verdict: Verdict,
    /// No such input is nearer.
    pub lower: Option<f64>,
    /// The distance of the input that was found.
    pub upper: Option<f64>,
    /// That input.
    pub row: Option<Vec<f64>>,
    /// What the library makes of it.
    pub evaluation: Option<Evaluation>,
    /// What the library makes of the row that was asked about.
    pub asked: Evaluation,
    /// Why the search ended.
    pub stopped: Stopped,
    /// How long it took.
    pub seconds: f64,
    /// What it took.
    pub stats: Stats,
}

/// An input that was found.
#[derive(Clone, Debug)]
struct Found {
    row: Vec<f64>,
    evaluation: Evaluation,
    cost: Exact,
}

/// One row of a question.
struct Asked<'a> {
    question: &'a Closest,
    row: &'a [f64],
    start: Instant,
    watch: &'a (dyn Fn() -> bool + Sync),
}

/// How a search ended.
struct Ended {
    found: Option<Found>,
    /// Nothing costs less; none if nothing reaches the goal.
    least: Option<Exact>,
    stopped: Stopped,
    /// Whether no input is allowed at all.
    is_empty: bool,
}

impl Closest {
    /// Looks for the nearest input to a row. The watch is asked now and then whether to go on.
    ///
    /// # Errors
    /// If the model is no sum, has no label about which something can be proved, or its library refuses the row.
    pub fn ask(&self, row: &[f64], watch: &(dyn Fn() -> bool + Sync)) -> Result<Nearest, TaskError> {
        refuse_other_than_sums(&self.ensemble)?;
        let readings = self.ensemble.read(row).map_err(|error| TaskError::Row { row: 0, what: error.to_string() })?;
        self.conditions.groups().check(row, &self.ensemble).map_err(|what| TaskError::Row { row: 0, what })?;
        let evaluation = self.ensemble.evaluate_readings(&readings);
        let aim = Arc::new(Aim::new(&self.ensemble, self.goal, self.threshold, &evaluation)?);
        let asked = Asked { question: self, row, start: Instant::now(), watch };
        let (ended, stats) = asked.search(&readings, &aim)?;
        Ok(asked.answer(evaluation, ended, stats))
    }

    /// What the features may become, seen from a row.
    fn domains(&self, row: &[f64], readings: &[Reading]) -> Vec<Domain> {
        let domains = self.conditions.domains(row, readings);
        let reachable = |feature: usize| {
            let may_be_missing = self.conditions.may_be_missing(feature);
            let reachable = self.metric.reachable(&domains[feature], readings[feature], may_be_missing);
            let (Some(radius), Domain::Numbers { numbers, missing }) = (self.within, &reachable) else {
                return reachable;
            };
            let (own, factor) = (row[feature], self.metric.factors[feature]);
            let has_ball =
                self.metric.norm != Norm::L0 && matches!(readings[feature], Reading::Number(_)) && factor > 0.0;
            if !has_ball {
                return reachable;
            }
            // A little wider than the ball: what is outside of it is left to the search.
            let reach = (radius / factor).next_up();
            let (least, greatest) = ((own - reach).next_down(), (own + reach).next_up());
            Domain::Numbers { numbers: numbers.within(least, greatest), missing: *missing }
        };
        (0..row.len()).map(reachable).collect()
    }
}

impl Asked<'_> {
    fn search(&self, readings: &[Reading], aim: &Arc<Aim>) -> Result<(Ended, Stats), TaskError> {
        let nothing = |is_empty| Ended { found: None, least: None, stopped: Stopped::Optimal, is_empty };
        let Closest { ensemble, metric, .. } = self.question;
        let form = Form {
            models: vec![ensemble],
            space: Space::one(
                Features::of(ensemble).grouped(self.question.conditions.groups()),
                self.question.domains(self.row, readings),
            ),
            cases: aim.cases.clone(),
        };
        let reference = Reference { row: self.row, readings };
        let Some(mut compiled) = form.compile_from(reference, &self.question.conditions.across()) else {
            return Ok((nothing(true), Stats::default()));
        };
        let enough = compiled.least_at_least(&Exact::zero());
        let nearby = Arc::new(
            compiled.nearby(self.row, readings, |feature, to| metric.cost(ensemble, feature, self.row[feature], to)),
        );
        let mut problem = std::mem::take(&mut compiled.problem);
        if enough == Value::MAX {
            return Ok((nothing(false), Stats::default()));
        }
        // Sums stay below half of this: beyond it every point reaches the goal, or none does.
        let enough = enough.clamp(-MAX_MAGNITUDE / 2, MAX_MAGNITUDE / 2);
        let sure = compiled.least_above(&aim.certain).saturating_add(compiled.slack()).saturating_sub(enough);
        for channel in problem.cases.iter_mut().flat_map(|case| &mut case.channels) {
            channel.base -= enough;
        }
        let plain = Arc::new(problem.clone());
        let asked = Plain { problem: plain, sure };
        let mut stats = Stats::default();
        let mut most = self.question.within.and_then(|radius| metric.of_distance(radius));
        loop {
            let mut ended = self.search_in_units(&mut problem, &asked, &nearby, aim, most.as_ref(), &mut stats)?;
            if nearby.joint().is_some() && self.question.within.is_none() {
                let mut search =
                    |most: &Exact| self.search_in_units(&mut problem, &asked, &nearby, aim, Some(most), &mut stats);
                let ended = ended.closer(&mut search)?;
                return Ok((ended, stats));
            }
            let Some(found) = ended.found.as_ref().filter(|_| self.question.within.is_none()) else {
                return Ok((ended, stats));
            };
            let least = ended.least.get_or_insert_with(Exact::zero);
            let blur = found.cost.minus(least);
            let is_fine = blur <= found.cost.times(&Exact::from_f64(FINE).expect("finite"));
            let is_finer = most.as_ref().is_none_or(|most| found.cost < *most);
            if is_fine || ended.stopped != Stopped::Optimal || !is_finer {
                return Ok((ended, stats));
            }
            most = Some(found.cost.clone());
        }
    }

    /// Searches with costs up to `most` told apart.
    fn search_in_units(
        &self,
        problem: &mut Problem,
        plain: &Plain,
        nearby: &Arc<Nearby>,
        aim: &Arc<Aim>,
        most: Option<&Exact>,
        stats: &mut Stats,
    ) -> Result<Ended, TaskError> {
        let Closest { ensemble, metric, limits, within, .. } = self.question;
        let units = Units::new(metric, nearby, most);
        let distance = units.distance(nearby, most);
        let limit = match most.map(|most| units.limit(most)) {
            None => Value::MAX,
            Some(Some(limit)) => limit,
            Some(None) => return Ok(Ended { found: None, least: None, stopped: Stopped::Optimal, is_empty: false }),
        };
        let reached = Arc::new(Reached {
            ensemble: Arc::clone(ensemble),
            metric: metric.clone(),
            from: self.row.to_vec(),
            nearby: Arc::clone(nearby),
            aim: Arc::clone(aim),
            most: most.cloned(),
            plain: plain.clone(),
            surely_within: limit.saturating_sub(units.slack(distance.costs.axes.len())),
            distance: distance.clone(),
            is_order_fixed: ensemble.summation().is_some_and(|summation| summation.fixed_order),
            unsure: Mutex::default(),
        });
        problem.budgets = plain.problem.budgets.clone();
        problem.budgets.extend(self.question.conditions.most_changed().map(|most| nearby.at_most(most)));
        problem.objective = Objective::Nearest(distance);
        problem.constraints = plain.problem.constraints.clone();
        problem.constraints.push(Arc::clone(&reached) as Arc<dyn Constraint>);
        let mut search = Search::new(problem);
        search.set_seed(limits.seed);
        if limit < Value::MAX {
            search.set_target(-limit);
        }
        let mut engine = Limits::default();
        engine.threads = limits.threads.unwrap_or(1);
        engine.memory = limits.memory.map(|memory| usize::try_from(memory.0).unwrap_or(usize::MAX));
        let clock = Clock { asked: self, stops_at_once: within.is_some(), stopped: Mutex::default() };
        let reason = search.run(&engine, &clock);
        let status = search.status();
        stats.regions += status.steps;
        stats.memory_bytes = stats.memory_bytes.max(status.memory as u64);
        let row = |point: &[u32]| match reached.place(point) {
            Placed::Row(row) => row,
            Placed::Nowhere | Placed::Unknown => nearby.row(point),
        };
        let found = search.solution().map(|point| self.check(row(point), aim)).transpose()?;
        let stopped = match (reason, *clock.stopped()) {
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
        if let Some(cost) = unsure.filter(|cost| least.as_ref().is_none_or(|least| cost < least)) {
            least = Some(cost);
            let is_answered = within.is_some() && found.is_some();
            stopped = if stopped == Stopped::Optimal && !is_answered { Stopped::Rounding } else { stopped };
        }
        Ok(Ended { found, least, stopped, is_empty: false })
    }

    /// Tests an input by the model and the metric alone.
    fn check(&self, row: Vec<f64>, aim: &Aim) -> Result<Found, TaskError> {
        let Closest { ensemble, metric, .. } = self.question;
        let refused = |what: String| TaskError::WitnessRefused { what };
        let evaluation = ensemble.evaluate(&row).map_err(|error| refused(error.to_string()))?;
        if !aim.is_reached(ensemble, &evaluation) {
            return Err(refused(format!("{row:?} does not change the answer")));
        }
        self.question.conditions.check(ensemble, self.row, &row).map_err(refused)?;
        let cost = metric.between(ensemble, self.row, &row);
        Ok(Found { row, evaluation, cost })
    }

    fn answer(&self, asked: Evaluation, ended: Ended, stats: Stats) -> Nearest {
        let Closest { metric, within, .. } = self.question;
        let is_over = ended.stopped == Stopped::Optimal;
        let verdict = match (&ended.found, within) {
            // Nothing holds of inputs that there are not.
            _ if ended.is_empty => Verdict::Infeasible,
            (Some(_), Some(_)) => Verdict::Violated,
            (None, Some(_)) if is_over && ended.least.is_none() => Verdict::Holds,
            (Some(_), None) if is_over => Verdict::Optimal,
            (None, None) if is_over => Verdict::Infeasible,
            _ => Verdict::Undecided,
        };
        let finite = |distance: f64| Some(distance).filter(|distance| distance.is_finite());
        let lower = match (&ended.least, within) {
            (Some(least), _) => finite(metric.distance(least)[0]),
            // Nothing within the radius.
            (None, Some(radius)) if !ended.is_empty => Some(*radius),
            (None, _) => None,
        };
        let upper = ended.found.as_ref().and_then(|found| finite(metric.distance(&found.cost)[1]));
        let (row, evaluation) = ended.found.map(|found| (found.row, found.evaluation)).unzip();
        let seconds = self.start.elapsed().as_secs_f64();
        Nearest { verdict, lower, upper, row, evaluation, asked, stopped: ended.stopped, seconds, stats }
    }
}

impl Ended {
    /// Halves what is between the bounds again and again, where the input found is not the nearest of its cells: either there
    /// is one in the nearer half, or there is none.
    fn closer(mut self, search: &mut dyn FnMut(&Exact) -> Result<Self, TaskError>) -> Result<Self, TaskError> {
        let half = Exact::from_f64(0.5).expect("finite");
        let fine = Exact::from_f64(FINE).expect("finite");
        let mut low = self.least.clone().unwrap_or_else(Exact::zero);
        for _ in 0..MOST_HALVED {
            let (Some(found), Stopped::Optimal | Stopped::Rounding) = (&self.found, self.stopped) else { break };
            let cost = found.cost.clone();
            if cost.minus(&low) <= cost.times(&fine) {
                let is_proved = self.least.as_ref().is_some_and(|least| *least >= low);
                self.stopped = if is_proved { Stopped::Optimal } else { Stopped::Rounding };
                return Ok(self);
            }
            let middle = low.plus(&cost).times(&half).reduced();
            let nearer = search(&middle)?;
            let is_decided = nearer.stopped == Stopped::Optimal;
            let least = nearer.least.unwrap_or_else(|| middle.clone());
            self.least = self.least.max(Some(least));
            match nearer.found {
                Some(found) => self.found = Some(found),
                None => low = middle,
            }
            if !is_decided {
                self.stopped = nearer.stopped;
            }
        }
        if self.found.is_some() && self.stopped == Stopped::Optimal {
            self.stopped = Stopped::Rounding;
        }
        Ok(self)
    }
}

/// The margins of a question, in values of the search.
#[derive(Clone)]
struct Plain {
    problem: Arc<Problem>,
    /// From this value on the goal is reached, however the library rounds.
    sure: Value,
}

/// The condition that the nearest input of a point reaches the goal, as the library computes it.
struct Reached {
    ensemble: Arc<Ensemble>,
    metric: Metric,
    from: Vec<f64>,
    nearby: Arc<Nearby>,
    aim: Arc<Aim>,
    /// Nothing may cost more.
    most: Option<Exact>,
    plain: Plain,
    /// Points of at most this distance cost no more, however costs were rounded.
    surely_within: Value,
    distance: Distance,
    is_order_fixed: bool,
    /// What the cheapest input costs of which nothing is known, as the library adds in no fixed order, or as it was not found
    /// out whether it meets the conditions.
    unsure: Mutex<Option<Exact>>,
}

impl std::fmt::Debug for Reached {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reached").finish_non_exhaustive()
    }
}

impl Reached {
    /// An input in the cells of a point that meets all conditions and costs no more than it may.
    fn place(&self, point: &[u32]) -> Placed {
        let limits = self.most.as_ref().map_or(vec![], |most| self.limits(point, most));
        self.nearby.place(point, &limits)
    }

    /// What values in the cells of a point must meet in order not to cost more than this, where that is linear. A cell lies on
    /// one side of the row's own value.
    fn limits(&self, point: &[u32], most: &Exact) -> Vec<Limit> {
        let exact = |number: f64| Exact::from_f64(number).expect("values and factors are finite");
        let (mut limits, mut terms) = (vec![], vec![]);
        let mut rest = most.clone();
        let valued = self.nearby.valued(point);
        let costs = point.iter().enumerate().map(|(axis, cell)| (axis, &self.nearby.costs[axis][*cell as usize]));
        let others = costs.filter(|(axis, _)| valued.iter().all(|(of, ..)| of != axis)).map(|(_, cost)| cost);
        for cost in others.chain(&self.nearby.fixed_costs) {
            rest = rest.minus(cost);
        }
        for (axis, feature, nearest) in valued {
            let own = self.from[feature];
            let is_number = own.is_finite() && nearest.is_finite() && !self.ensemble.features()[feature].is_category();
            if !is_number || nearest == own {
                rest = rest.minus(&self.nearby.costs[axis][point[axis] as usize]);
                continue;
            }
            let factor = exact(self.metric.factors[feature]);
            let factor = if nearest > own { factor } else { factor.negated() };
            let offset = factor.times(&exact(own));
            match self.metric.norm {
                Norm::Linf => limits.push(Limit { terms: vec![(axis, factor)], most: most.plus(&offset) }),
                Norm::L1 => {
                    rest = rest.plus(&offset);
                    terms.push((axis, factor));
                }
                Norm::L0 | Norm::L2 => {}
            }
        }
        if !terms.is_empty() {
            limits.push(Limit { terms, most: rest });
        }
        limits
    }

    /// Takes in that nothing is known of an input that costs so much.
    fn doubt(&self, cost: Exact) {
        let mut unsure = self.unsure.lock().expect("no thread panics while it holds this");
        if unsure.as_ref().is_none_or(|known| cost < *known) {
            *unsure = Some(cost);
        }
    }
}

impl Constraint for Reached {
    fn narrow(&self, points: &mut Points<'_>) {
        if let Some(joint) = self.nearby.joint() {
            joint.narrow(points);
        }
    }

    fn is_about_solutions(&self) -> bool {
        true
    }

    fn holds(&self, point: &[u32]) -> bool {
        let value = self.plain.problem.value(point);
        // Below 0 the search itself knows that the goal is not reached: nothing more need be said about the point.
        let is_sure = value < 0 || value >= self.plain.sure;
        if is_sure && (value < 0 || self.nearby.joint().is_none()) && self.distance.of(point) <= self.surely_within {
            return true;
        }
        // All inputs of a point reach the same leaves.
        let nearest = self.nearby.row(point);
        let Ok(evaluation) = self.ensemble.evaluate(&nearest) else { return false };
        let is_reached = self.aim.is_reached(&self.ensemble, &evaluation);
        let clearance = || self.aim.clearance(&evaluation);
        let is_possible = match self.is_order_fixed {
            true => is_reached,
            false => clearance().is_none_or(|clearance| clearance >= Exact::zero()),
        };
        let cost = |row: &[f64]| self.metric.between(&self.ensemble, &self.from, row);
        let is_near = |row: &[f64]| self.most.as_ref().is_none_or(|most| cost(row) <= *most);
        if !is_possible || !is_near(&nearest) {
            return false;
        }
        let is_placed = match self.place(point) {
            Placed::Nowhere => return false,
            Placed::Row(row) => is_near(&row),
            Placed::Unknown => false,
        };
        let is_sure =
            self.is_order_fixed || is_reached && clearance().is_some_and(|clearance| clearance > self.aim.certain);
        if !is_placed || !is_sure {
            self.doubt(cost(&nearest));
        }
        is_placed && is_sure
    }
}

/// Ends a search when its time is up, or when there is nothing more to know.
struct Clock<'a> {
    asked: &'a Asked<'a>,
    stops_at_once: bool,
    stopped: Mutex<Option<Stopped>>,
}

impl Clock<'_> {
    fn stopped(&self) -> MutexGuard<'_, Option<Stopped>> {
        self.stopped.lock().expect("no thread panics while it holds this")
    }
}

impl Observer for Clock<'_> {
    fn observe(&self, _: &Status, solution: Option<&[u32]>) -> bool {
        let time = self.asked.question.limits.time();
        let stopped = match () {
            () if self.stops_at_once && solution.is_some() => Stopped::Target,
            () if self.asked.start.elapsed() >= time => Stopped::Time,
            () if !(self.asked.watch)() => Stopped::Interrupted,
            () => return true,
        };
        self.stopped().get_or_insert(stopped);
        false
    }
}
