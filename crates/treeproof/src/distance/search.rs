//! The search for the nearest input.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::evaluate::Evaluation;
use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::input::Reading;
use treeproof_proof::file::ProofWriter;
use treeproof_proof::near::{Near, Within};
use treeproof_proof::section::{Conclusion, Counted};
use treeproof_proof::statement::{Claim, Number, Statement};
use treeproof_search::problem::MAX_MAGNITUDE;
use treeproof_search::{
    Constraint, Method, Note, Objective, Observer, Problem, Search, Status, StopReason, Strategy, Value, Why,
};

use super::ball::{Ball, PointBall};
use super::bisection::{Bisection, refuse_other_than_boxes};
use super::conditions::Conditions;
use super::goal::{Aim, Goal};
use super::metric::{Metric, Norm};
use super::reached::{Plain, Reached};
use super::refuted::Refuted;
use super::units::Units;
use crate::compile::{Compiled, Domain, Features, Form, Nearby, Nearness, Placed, Reference, Space};
use crate::language::DistanceBound;
use crate::proof::{
    FromRow, Section, Stated, follow, metric_near, prove_empty, prove_unreachable, row, small, unstated_method,
};
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
    /// So many inputs are wanted, the nearest first. Every further one leaves something unchanged that each one before it
    /// changes. Without a radius only; at least one.
    pub count: usize,
    /// Instead of the best search known: halve a radius as the Veritas paper does, and search leaf sequences within it in this
    /// order. For L∞ and one input only, and conditions on single features.
    pub bisection: Option<Strategy>,
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
    /// Further inputs, as many as were asked for; if there are fewer and the verdict is not `undecided`, no more exist.
    pub others: Vec<Another>,
    /// What the library makes of the row that was asked about.
    pub asked: Evaluation,
    /// Why the search ended.
    pub stopped: Stopped,
    /// How long it took.
    pub seconds: f64,
    /// What it took.
    pub stats: Stats,
}

/// A further input that changes the answer: it leaves something unchanged that each one before it changes.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Another {
    /// No such input is nearer.
    pub lower: Option<f64>,
    /// The distance of this one.
    pub upper: Option<f64>,
    /// The input.
    pub row: Vec<f64>,
    /// What the library makes of it.
    pub evaluation: Evaluation,
}

/// An input that was found.
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// The axes on which it is another than the row.
    changed: Vec<usize>,
    row: Vec<f64>,
    evaluation: Evaluation,
    pub(super) cost: Exact,
}

/// One row of a question.
pub(super) struct Asked<'a> {
    pub(super) question: &'a Closest,
    pub(super) row: &'a [f64],
    pub(super) start: Instant,
    watch: &'a (dyn Fn() -> bool + Sync),
    /// Where proofs go.
    proof: Option<&'a ProofWriter>,
}

/// What is searched for, and what a proof tells of it.
struct Sought<'a> {
    nearby: &'a Arc<Nearby>,
    aim: &'a Arc<Aim>,
    form: &'a Form<'a>,
    compiled: &'a Compiled,
    /// Where conditions bound distances.
    bounds: &'a [PointBall],
    /// Of each of these lists of features something must stay as it is.
    not_all: &'a [Vec<usize>],
}

/// A question about a row, over inputs up to a little beyond a radius.
pub(super) struct WithinRadius {
    pub(super) compiled: Compiled,
    pub(super) nearby: Nearby,
    /// Where conditions bound distances.
    pub(super) bounds: Vec<PointBall>,
}

/// How a search ended.
#[derive(Clone)]
pub(super) struct Ended {
    pub(super) found: Option<Found>,
    /// Nothing costs less; none if nothing reaches the goal.
    pub(super) least: Option<Exact>,
    pub(super) stopped: Stopped,
    /// Whether no input is allowed at all.
    pub(super) is_empty: bool,
}

impl Closest {
    /// Looks for the nearest input to a row. The watch is asked now and then whether to go on.
    ///
    /// # Errors
    /// If the model is no sum, has no label about which something can be proved, or its library refuses the row.
    pub fn ask(&self, row: &[f64], watch: &(dyn Fn() -> bool + Sync)) -> Result<Nearest, TaskError> {
        self.ask_proving(row, watch, None)
    }

    /// The same, and writes proofs of what is found.
    ///
    /// # Errors
    /// As [`Closest::ask`]; and if proofs of this cannot be written.
    pub fn ask_proving(
        &self,
        row: &[f64],
        watch: &(dyn Fn() -> bool + Sync),
        proof: Option<&ProofWriter>,
    ) -> Result<Nearest, TaskError> {
        refuse_other_than_sums(&self.ensemble)?;
        if self.bisection.is_some() {
            refuse_other_than_boxes(self.metric.norm, self.count)?;
            self.conditions.refuse_several_features()?;
            if proof.is_some() {
                return Err(unstated_method());
            }
        }
        let readings = self.ensemble.read(row).map_err(|error| TaskError::Row { row: 0, what: error.to_string() })?;
        self.conditions.groups().check(row, &self.ensemble).map_err(|what| TaskError::Row { row: 0, what })?;
        let evaluation = self.ensemble.evaluate_readings(&readings);
        let aim = Arc::new(Aim::new(&self.ensemble, self.goal, self.threshold, &evaluation)?);
        let asked = Asked { question: self, row, start: Instant::now(), watch, proof };
        let mut stats = Stats::default();
        self.conditions.refuse_infinite(&self.ensemble, row)?;
        let mut ended = asked.search(&readings, &aim, &mut stats)?;
        if let ([only], Some(_)) = (&mut ended[..], self.within) {
            // Nothing holds of inputs that there are not.
            let is_proved = only.found.is_none() && only.least.is_none() && only.stopped == Stopped::Optimal;
            if is_proved && !only.is_empty && !self.is_allowed(row, &readings) {
                let any = asked.search(&readings, &Arc::new(Aim::anything()), &mut stats)?;
                match any.iter().all(|any| any.found.is_none()) {
                    true if any.iter().all(|any| any.stopped == Stopped::Optimal) => only.is_empty = true,
                    // Whether there are any is not known: neither is whether something holds of them.
                    true => only.stopped = any.last().map_or(only.stopped, |any| any.stopped),
                    false => {}
                }
            }
        }
        Ok(asked.answer(evaluation, ended, stats))
    }

    /// Whether a row itself is among what is looked at.
    fn is_allowed(&self, row: &[f64], readings: &[Reading]) -> bool {
        let domains = self.domains(row, readings, self.radius().as_ref());
        let mut values = domains.iter().zip(row.iter().zip(readings));
        values.all(|(domain, (raw, reading))| domain.contains(*raw, *reading))
            && self.conditions.check(&self.ensemble, &self.metric, row, row).is_ok()
    }

    /// What the features may become, seen from a row: where there is a radius, up to a little beyond it. What is outside of it
    /// is left to the search.
    fn domains(&self, row: &[f64], readings: &[Reading], radius: Option<&Exact>) -> Vec<Domain> {
        let mut domains = self.conditions.domains(row, readings);
        for ball in self.balls(radius) {
            for (feature, domain) in domains.iter_mut().enumerate() {
                let may_be_missing = self.conditions.may_be_missing(feature);
                *domain = ball.confine(feature, domain, row[feature], readings[feature], may_be_missing);
            }
        }
        domains
    }

    /// What inputs must be in: a ball by the distance of the question first, then those of conditions.
    fn balls(&self, radius: Option<&Exact>) -> Vec<Ball> {
        let own = Ball { metric: self.metric.clone(), radius: radius.cloned() };
        let bounds = self.conditions.bounds().iter().map(|bound| Ball::bounded(&self.metric, bound));
        std::iter::once(own).chain(bounds).collect()
    }

    fn radius(&self) -> Option<Exact> {
        self.within.and_then(Exact::from_f64)
    }
}

impl Asked<'_> {
    /// Searches for as many inputs as are wanted, one after the other; the last search may find none.
    fn search(&self, readings: &[Reading], aim: &Arc<Aim>, stats: &mut Stats) -> Result<Vec<Ended>, TaskError> {
        let nothing = |is_empty| vec![Ended { found: None, least: None, stopped: Stopped::Optimal, is_empty }];
        let Closest { conditions, count, .. } = self.question;
        if aim.cases.is_empty() {
            if let Some(writer) = self.proof {
                let radius = self.question.radius();
                let form = self.form(readings, aim, radius.as_ref());
                prove_unreachable(writer, self.statement(&form, aim, &[]))?;
            }
            return Ok(nothing(false));
        }
        if let Some(strategy) = self.question.bisection {
            return Ok(vec![Bisection { asked: self, strategy, readings, aim }.search(stats)?]);
        }
        let radius = self.question.radius();
        let form = self.form(readings, aim, radius.as_ref());
        let Some(within) = self.compile(&form, readings, radius.as_ref()) else {
            if let Some(writer) = self.proof {
                prove_empty(writer, &[self.question.ensemble.as_ref().clone()], self.statement(&form, aim, &[]))?;
            }
            return Ok(nothing(true));
        };
        let WithinRadius { mut compiled, nearby, bounds } = within;
        let (nearby, bounds) = (Arc::new(nearby), Arc::new(bounds));
        let enough = compiled.least_at_least(&Exact::zero());
        if *count > 1 && nearby.joint().is_some() {
            let what = "is not supported beside sums of features, whose values may change within a cell";
            return Err(TaskError::Field { field: "count", what: what.to_owned() });
        }
        let mut problem = std::mem::take(&mut compiled.problem);
        if enough == Value::MAX {
            let sought = Sought { nearby: &nearby, aim, form: &form, compiled: &compiled, not_all: &[], bounds: &[] };
            self.prove_at_once(&sought, |case| {
                let weigh = |channel| Note::Weighed { channel, shares: vec![], price: None, widened: None };
                let weighed = (0..small(problem.cases[case].channels.len())).map(weigh);
                weighed.chain([Note::Closed(Why::Known)]).collect()
            })?;
            return Ok(nothing(false));
        }
        // Sums stay below half of this: beyond it every point reaches the goal, or none does.
        let enough = enough.clamp(-MAX_MAGNITUDE / 2, MAX_MAGNITUDE / 2);
        let sure = compiled.least_above(&aim.certain).saturating_add(compiled.slack()).saturating_sub(enough);
        for channel in problem.cases.iter_mut().flat_map(|case| &mut case.channels) {
            channel.base -= enough;
        }
        let mut plain = problem.clone();
        plain.budgets.extend(conditions.most_changed().map(|most| nearby.at_most(most)));
        plain.budgets.extend(bounds.iter().map(PointBall::budget));
        let mut all: Vec<Ended> = vec![];
        let mut not_all: Vec<Vec<usize>> = vec![];
        loop {
            let (nearby, form, compiled) = (&nearby, &form, &compiled);
            let sought = Sought { nearby, aim, form, compiled, bounds: &bounds, not_all: &not_all };
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

    /// What reaches the goal up to a little beyond a radius, if there is one.
    pub(super) fn form(&self, readings: &[Reading], aim: &Aim, radius: Option<&Exact>) -> Form<'_> {
        let Closest { ensemble, conditions, .. } = self.question;
        let domains = self.question.domains(self.row, readings, radius);
        let space = Space::one(Features::of(ensemble).grouped(conditions.groups()), domains);
        Form { models: vec![ensemble], space, cases: aim.cases.clone() }
    }

    /// That form, and what is near the row in its cells. None if no input is allowed.
    pub(super) fn compile(
        &self,
        form: &Form<'_>,
        readings: &[Reading],
        radius: Option<&Exact>,
    ) -> Option<WithinRadius> {
        let Closest { ensemble, conditions, .. } = self.question;
        let compiled = form.compile_from(Reference { row: self.row, readings }, &conditions.across())?;
        let balls = self.question.balls(radius);
        let costs = balls
            .iter()
            .map(|ball| move |feature: usize, to: f64| ball.metric.cost(ensemble, feature, self.row[feature], to));
        let nearby = compiled.nearby(self.row, readings, &costs.collect::<Vec<_>>());
        let bounds = balls.iter().enumerate().skip(1).map(|(measure, ball)| {
            let (ball, _) = PointBall::new(&ball.metric, ball.most().as_ref(), &nearby, measure)?;
            Some(ball)
        });
        let bounds = bounds.collect::<Option<Vec<_>>>()?;
        Some(WithinRadius { compiled, nearby, bounds })
    }

    /// Searches for the nearest input, in units that are fine enough.
    fn nearest(
        &self,
        problem: &mut Problem,
        plain: &Plain,
        sought: &Sought<'_>,
        stats: &mut Stats,
    ) -> Result<Ended, TaskError> {
        let mut most = self.most();
        let mut coarse = None::<Ended>;
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
    ) -> Result<Ended, TaskError> {
        let Sought { nearby, aim, .. } = sought;
        let Closest { ensemble, metric, limits, within, .. } = self.question;
        let Some((ball, units)) = PointBall::new(metric, most, nearby, 0) else {
            self.prove_at_once(sought, |_| vec![Note::Closed(Why::Constraint(0))])?;
            return Ok(Ended { found: None, least: None, stopped: Stopped::Optimal, is_empty: false });
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
        let clock = Clock { stops_at_once: within.is_some(), ..Clock::new(self, limits.time()) };
        let (reason, status, solution) = follow(section.as_ref(), &[ensemble.as_ref()], |journal| {
            let mut search = Search::new(problem);
            if let Some(journal) = journal {
                search.set_journal(journal);
            }
            search.set_seed(limits.seed);
            if limit < Value::MAX {
                search.set_target(-limit);
            }
            let reason = limits.run(&mut search, problem, &clock);
            (reason, search.status(), search.solution().map(<[u32]>::to_vec))
        });
        stats.regions += status.steps;
        stats.memory_bytes = stats.memory_bytes.max(status.memory as u64);
        let found = solution.map(|point| {
            let point = without_needless_changes(problem, nearby, &point);
            let row = match reached.place(&point) {
                Placed::Row(row) => row,
                Placed::Nowhere | Placed::Unknown => nearby.row(&point),
            };
            self.check(row, nearby.changed(&point), aim)
        });
        let found = found.transpose()?;
        let stopped = match (reason, clock.stopped()) {
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
        let ended = Ended { found, least, stopped, is_empty: false };
        if let Some(section) = section {
            let bound = bound.map(|upper| units.cost((-upper).max(0)));
            section.finish(&self.conclusion(&ended, bound, most))?;
        }
        Ok(ended)
    }

    /// Writes that nothing reaches the goal, where every case is closed by notes that are known without a search.
    fn prove_at_once(&self, sought: &Sought<'_>, notes: impl Fn(usize) -> Vec<Note>) -> Result<(), TaskError> {
        let Some(writer) = self.proof else { return Ok(()) };
        let statement = self.statement(sought.form, sought.aim, sought.not_all);
        let section = Section::begin(writer, statement, sought.form, sought.compiled, vec![])?;
        section.follow(&sought.form.models, |mut journal| {
            (0..sought.aim.cases.len()).for_each(|case| journal.record(case as u64, &notes(case)));
        });
        section.finish(&Claim::Never.into())
    }

    /// Begins to write a proof, if one is wanted.
    fn section(&self, sought: &Sought<'_>, units: &Units, most: Option<&Exact>) -> Result<Option<Section>, TaskError> {
        let Some(writer) = self.proof else { return Ok(None) };
        let conditions = &self.question.conditions;
        // In the order of the problem's budgets.
        let changed = (conditions.across().len()..).map(|place| Counted::AtMost(small(place)));
        let num_first = usize::from(conditions.most_changed().is_some());
        let mut ledgers = sought.compiled.counted().to_vec();
        ledgers.extend(changed.clone().take(num_first));
        let exponents = sought.bounds.iter().map(PointBall::exponent);
        ledgers.extend((0..).zip(exponents).map(|(place, exponent)| Counted::Within(place, exponent)));
        ledgers.extend(changed.skip(num_first).take(sought.not_all.len()));
        ledgers.push(Counted::Distance(units.exponent()));
        let statement = self.statement(sought.form, sought.aim, sought.not_all);
        let section = Section::begin(writer, statement, sought.form, sought.compiled, ledgers)?;
        Ok(Some(section.up_to(most.map(|most| self.question.metric.distance(most)[0]))))
    }

    /// What is asked about the row.
    fn statement(&self, form: &Form<'_>, aim: &Aim, not_all: &[Vec<usize>]) -> Statement {
        let Closest { metric, conditions, within, threshold, goal, .. } = self.question;
        let (constraints, groups, nearness) = (conditions.across(), conditions.groups(), Nearness::Any);
        let goal = aim.stated(*goal, *threshold);
        let mut statement = Stated { form, groups, constraints, nearness, goal }.statement();
        let near = |metric: &Metric| {
            let missing_cost = |feature: usize| {
                let cost = if metric.norm == Norm::L0 { Some(1.0) } else { metric.missing_cost };
                cost.filter(|_| conditions.may_be_missing(feature))
            };
            metric_near(metric, missing_cost)
        };
        let within_bound = |bound: &DistanceBound| Within {
            distance: near(&metric.measured(bound.norm)),
            at_most: bound.limit.clone(),
        };
        let bounded: Vec<Within> = conditions.bounds().iter().map(within_bound).collect();
        let near = Near { radius: within.map(Number), ..near(metric) };
        FromRow { row: self.row, near, within: bounded, most_changed: conditions.most_changed(), not_all }
            .add(&mut statement, groups);
        statement
    }

    /// What a search proved whose bound stands for a cost.
    fn conclusion(&self, ended: &Ended, bound: Option<Exact>, most: Option<&Exact>) -> Conclusion {
        let is_nothing = ended.found.is_none() && ended.least.is_none() && ended.stopped == Stopped::Optimal;
        // Where nothing was found, nothing is nearer than what was looked at.
        let least = ended.least.clone().or_else(|| if is_nothing { most.cloned() } else { bound });
        let claim = match least {
            _ if is_nothing && self.question.within.is_some() => Claim::Never,
            None if is_nothing => Claim::Never,
            least => Claim::NotNearer(Number(least.map_or(0.0, |least| self.question.metric.distance(&least)[0]))),
        };
        let witness = ended.found.as_ref().filter(|_| claim != Claim::Never);
        Conclusion { listed: vec![], claim, witness: witness.map(|found| vec![vec![row(&found.row)]]) }
    }

    /// What may be spent within the radius, if there is one.
    pub(super) fn most(&self) -> Option<Exact> {
        self.question.within.and_then(|radius| self.question.metric.of_distance(radius))
    }

    /// Tests an input by the model and the metric alone.
    pub(super) fn check(&self, row: Vec<f64>, changed: Vec<usize>, aim: &Aim) -> Result<Found, TaskError> {
        let Closest { ensemble, metric, .. } = self.question;
        let refused = |what: String| TaskError::WitnessRefused { what };
        let evaluation = ensemble.evaluate(&row).map_err(|error| refused(error.to_string()))?;
        if !aim.is_reached(ensemble, &evaluation) {
            return Err(refused(format!("{row:?} does not change the answer")));
        }
        self.question.conditions.check(ensemble, metric, self.row, &row).map_err(refused)?;
        let cost = metric.between(ensemble, self.row, &row);
        if self.most().is_some_and(|most| cost > most) {
            return Err(refused(format!("{row:?} is not within the radius")));
        }
        Ok(Found { changed, row, evaluation, cost })
    }

    fn answer(&self, asked: Evaluation, all: Vec<Ended>, stats: Stats) -> Nearest {
        let Closest { metric, within, .. } = self.question;
        // What is said about all holds only if every search came to its end.
        let stopped = all.iter().map(|ended| ended.stopped).find(|stopped| *stopped != Stopped::Optimal);
        let stopped = stopped.unwrap_or(Stopped::Optimal);
        let finite = |distance: f64| Some(distance).filter(|distance| distance.is_finite());
        let upper = |found: &Found| finite(metric.distance(&found.cost)[1]);
        let lower = |least: &Exact| finite(metric.distance(least)[0]);
        let mut all = all.into_iter();
        let first = all.next().expect("there is a search");
        let others = all.filter_map(|ended| {
            let found = ended.found?;
            let (lower, upper) = (ended.least.as_ref().and_then(lower), upper(&found));
            Some(Another { lower, upper, row: found.row, evaluation: found.evaluation })
        });
        let others = others.collect();
        let is_over = stopped == Stopped::Optimal;
        let verdict = match (&first.found, within) {
            // Nothing holds of inputs that there are not.
            _ if first.is_empty => Verdict::Infeasible,
            (Some(_), Some(_)) => Verdict::Violated,
            (None, Some(_)) if is_over && first.least.is_none() => Verdict::Holds,
            (Some(_), None) if is_over => Verdict::Optimal,
            (None, None) if is_over => Verdict::Infeasible,
            _ => Verdict::Undecided,
        };
        let lower = match (&first.least, within) {
            (Some(least), _) => lower(least),
            // Nothing within the radius.
            (None, Some(radius)) if !first.is_empty => Some(*radius),
            (None, _) => None,
        };
        let upper = first.found.as_ref().and_then(upper);
        let (row, evaluation) = first.found.map(|found| (found.row, found.evaluation)).unzip();
        let seconds = self.start.elapsed().as_secs_f64();
        Nearest { verdict, lower, upper, row, evaluation, others, asked, stopped, seconds, stats }
    }
}

/// A point that counts as much, of which no axis alone can be as it is in the row.
fn without_needless_changes(problem: &Problem, nearby: &Nearby, point: &[u32]) -> Vec<u32> {
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

impl Ended {
    /// What is known after a search in finer units, which may not have come to its end.
    fn refined(self, finer: &Self) -> Self {
        let is_better = |found: &&Found| self.found.as_ref().is_none_or(|known| found.cost <= known.cost);
        Self {
            found: finer.found.as_ref().filter(is_better).cloned().or_else(|| self.found.clone()),
            least: self.least.max(finer.least.clone()),
            stopped: finer.stopped,
            is_empty: self.is_empty,
        }
    }

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

/// Ends a search when its time is up, or when there is nothing more to know.
pub(super) struct Clock<'a> {
    asked: &'a Asked<'a>,
    /// Counted from the start of the question.
    time: Duration,
    stops_at_once: bool,
    stopped: Mutex<Option<Stopped>>,
}

impl<'a> Clock<'a> {
    pub(super) fn new(asked: &'a Asked<'a>, time: Duration) -> Self {
        Self { asked, time, stops_at_once: false, stopped: Mutex::default() }
    }

    /// Why it has ended a search, if it has.
    pub(super) fn stopped(&self) -> Option<Stopped> {
        *self.stopped.lock().expect("no thread panics while it holds this")
    }
}

impl Observer for Clock<'_> {
    fn observe(&self, _: &Status, solution: Option<&[u32]>) -> bool {
        let stopped = match () {
            () if self.stops_at_once && solution.is_some() => Stopped::Target,
            () if self.asked.start.elapsed() >= self.time => Stopped::Time,
            () if !(self.asked.watch)() => Stopped::Interrupted,
            () => return true,
        };
        self.stopped.lock().expect("no thread panics while it holds this").get_or_insert(stopped);
        false
    }
}
