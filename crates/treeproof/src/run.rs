//! One search from start to end: what is asked, and how it ended.

mod progress;
mod unsearched;

use std::sync::Arc;
use std::time::{Duration, Instant};

use treeproof_ensemble::evaluate::Evaluation;
use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::norm::Norm;
use treeproof_proof::conclusion::{Claim, Conclusion};
use treeproof_proof::header::LedgerKind;
use treeproof_proof::statement::{Goal, Number};
use treeproof_search::{Abandoned, Journal, Merge, Search, Status, Stop, StopReason, Strategy, Value, Veritas};

use self::progress::Run;
use crate::problem::{AdmissibleInputs, Compiled, Form, InputRows, Nearness};
use crate::proof::{Section, Stated, follow, goal_of_sums, row};
use crate::report::{Stats, Stopped};
use crate::stop::Clock;
use crate::task::{Method, TaskError, TaskLimits};
use crate::watch::{Begun, Watcher};

/// So many sets of points are left out at most.
const MOST_PASSED: usize = 256;

/// What is searched for: the maximum of a form, or what settles a question about it.
pub(crate) struct Asked<'a> {
    pub(crate) form: &'a Form<'a>,
    pub(crate) allowed: AdmissibleInputs<'a>,
    /// What the question is called in events.
    pub(crate) question: &'static str,
    /// Whether the number asked about is the negative of the form.
    pub(crate) negated: bool,
    pub(crate) method: Method,
    /// Of the method `veritas`.
    pub(crate) epsilon: Option<f64>,
    pub(crate) start: Instant,
    pub(crate) time: Duration,
    /// Of these all but the time.
    pub(crate) limits: &'a TaskLimits,
    /// Points worth less than this do not matter.
    pub(crate) at_least: Option<Exact>,
    /// Where nothing is worth more than this, nothing more need be known.
    pub(crate) at_most: Option<Exact>,
    /// Whether a point answers the question, so that nothing more need be known.
    pub(crate) settles: Option<&'a (dyn Fn(&Found) -> bool + Sync)>,
    /// Whether all points that reach the same leaves answer it alike. Then those that do not settle it are left out one after
    /// the other.
    pub(crate) goes_past: bool,
    /// What the question is, where it is not the number itself: for proofs.
    pub(crate) goal: Option<Goal>,
    /// What the inputs must be near to.
    pub(crate) nearness: Nearness<'a>,
    pub(crate) watcher: &'a dyn Watcher,
}

/// A point that passed its check.
#[derive(Clone, Debug)]
pub struct Found {
    /// The rows, per input and model.
    pub rows: InputRows,
    /// What the models make of them, in the same order.
    pub evaluations: Vec<Vec<Evaluation>>,
    /// The exact number of the form.
    pub exact: Exact,
}

/// How a search ended.
pub(crate) struct Ended {
    /// The best point that was found, or the one that settles the question.
    pub(crate) found: Option<Found>,
    pub(crate) is_settled: bool,
    /// No point of the form is worth more.
    pub(crate) upper: Option<Exact>,
    pub(crate) bounds: Bounds,
    /// Whether the bounds are as close as was asked for.
    pub(crate) is_optimal: bool,
    pub(crate) stopped: Stopped,
    pub(crate) seconds: f64,
    pub(crate) stats: Stats,
}

/// Bounds on the number asked about.
#[derive(Clone, Copy)]
pub(crate) struct Bounds {
    pub(crate) lower: Option<f64>,
    pub(crate) upper: Option<f64>,
    pub(crate) gap: Option<f64>,
}

impl Asked<'_> {
    /// Searches. None if no point is allowed. Where the time is too short even to begin, what is known without a search.
    pub(crate) fn search(&self) -> Result<Option<Ended>, TaskError> {
        let clock = Clock::new(self.start, self.time, self.watcher);
        let plain = self.early_bound(&clock);
        match self.search_until(&clock) {
            Ok(ended) => Ok(ended.map(|ended| self.completed(ended, plain))),
            Err(Halt::Abandoned) => Ok(Some(self.completed(self.unsearched(&clock), plain))),
            Err(Halt::Failed(error)) => Err(error),
        }
    }

    fn search_until(&self, clock: &Clock<'_>) -> Result<Option<Ended>, Halt> {
        self.watcher.prepare(self.form.models.iter().map(|model| model.trees().len()).sum());
        let Some(mut compiled) = self.form.compile_until(self.nearness, &self.allowed.across(), clock)? else {
            let stated = Stated::anything(self.form, &self.allowed, self.nearness);
            return Ok(stated.prove_empty(self.watcher.proof()).map(|()| None)?);
        };
        if let Some(predicate) = self.allowed.predicate {
            compiled.add_predicate(Arc::clone(predicate), Arc::new(self.form.models[0].clone()));
        }
        let engine = self.limits.engine();
        let threads = if self.method == Method::Auto { engine.threads } else { 1 };
        let memory_bytes = self.limits.memory.map(|memory| memory.0);
        self.watcher.begin(&Begun { threads, memory_bytes, ..Begun::new(self.question, &compiled, self.method) });
        let target = self.at_least.as_ref().map(|least| compiled.least_at_least(least));
        let (mut steps, mut num_passed) = (0, 0);
        loop {
            let section = self.section(&compiled)?;
            let run = Run::new(self, &compiled, clock);
            let followed = follow(section.as_ref(), &self.form.models, |journal| {
                let mut method = self.method(&compiled, target, (engine.memory, journal), clock)?;
                let reason = self.limits.run(method.as_mut(), &compiled.problem, &run);
                Ok((reason, method.status(), method.solution().map(<[u32]>::to_vec)))
            });
            let (reason, status, solution) = match followed {
                Ok(ended) => ended,
                Err(Abandoned) => {
                    if let Some(section) = section {
                        section.finish(&Claim::Nothing.into())?;
                    }
                    return Err(Halt::Abandoned);
                }
            };
            steps += status.steps;
            let mut known = run.known();
            run.learn(&mut known, &status, solution.as_deref());
            if let Some(what) = known.failure.take() {
                return Err(TaskError::WitnessRefused { what }.into());
            }
            let is_open = self.goes_past && reason == StopReason::Optimal && !known.is_settled;
            if let (Some(point), Some(target)) = (solution.filter(|_| is_open), target) {
                let by = compiled.problem.value(&point) - target + 1;
                if num_passed < MOST_PASSED && compiled.can_exclude(by) {
                    num_passed += 1;
                    drop(known);
                    if let Some(section) = section {
                        section.finish(&Claim::Nothing.into())?;
                    }
                    compiled.exclude(&point, by);
                    continue;
                }
            }
            let ended = run.end(&mut known, reason, &Status { steps, ..status });
            if let Some(section) = section {
                section.finish(&self.conclusion(ended.as_ref()))?;
            }
            return Ok(ended);
        }
    }

    /// True if a point decides the question.
    fn is_settled_by(&self, found: &Found) -> bool {
        self.settles.is_some_and(|settles| settles(found))
    }

    /// True if a point that does not settle the question is worth enough to do so, within the error of the library's
    /// sums. The library has decided otherwise, so its number is no bound.
    fn is_decided_against(&self, found: &Found) -> bool {
        self.goes_past && self.at_least.as_ref().is_some_and(|least| found.exact >= *least)
    }

    /// Begins to write a proof, if one is wanted.
    fn section(&self, compiled: &Compiled) -> Result<Option<Section>, TaskError> {
        let Some(writer) = self.watcher.proof() else { return Ok(None) };
        let goal = self.goal.clone().unwrap_or_else(|| goal_of_sums(&self.form.cases));
        let stated = Stated { goal, ..Stated::anything(self.form, &self.allowed, self.nearness) };
        let num_conditions = stated.constraints.len();
        let mut ledgers = vec![];
        if matches!(self.nearness, Nearness::Ball(ball) if ball.metric.norm == Norm::L0) {
            ledgers.push(LedgerKind::Changes);
        }
        ledgers.extend_from_slice(compiled.counted());
        if let Nearness::Start(_) = self.nearness {
            ledgers.push(LedgerKind::AtMost(u32::try_from(num_conditions).expect("conditions are few")));
        }
        Section::begin(writer, stated.statement(), self.form, compiled, ledgers).map(Some)
    }

    /// What was proved.
    fn conclusion(&self, ended: Option<&Ended>) -> Conclusion {
        let Some(ended) = ended else { return Claim::Infeasible.into() };
        let upper = ended.upper.as_ref();
        let claim = match (upper, &self.goal) {
            (_, Some(_)) if ended.is_settled => Claim::Reached,
            (Some(upper), Some(_)) if *upper < Exact::zero() => Claim::Never,
            (_, Some(_)) => Claim::Nothing,
            _ => Claim::AtMost(Number(upper.map_or(f64::INFINITY, Exact::ceil_f64))),
        };
        let witness = ended.found.as_ref().filter(|_| matches!(claim, Claim::AtMost(_) | Claim::Reached));
        let rows =
            |found: &Found| found.rows.iter().map(|rows| rows.iter().map(|of_model| row(of_model)).collect()).collect();
        Conclusion { listed: vec![], claim, witness: witness.map(rows) }
    }

    fn method<'j>(
        &self,
        compiled: &Compiled,
        target: Option<Value>,
        (memory, journal): (Option<usize>, Option<Box<dyn Journal + 'j>>),
        stop: &dyn Stop,
    ) -> Result<Box<dyn treeproof_search::Method + 'j>, Abandoned> {
        let problem = &compiled.problem;
        Ok(match self.method {
            Method::Auto => {
                let mut search = Search::prepare(problem, stop)?;
                search.set_seed(self.limits.seed);
                if let Some(target) = target {
                    search.set_target(target);
                }
                if let Some(journal) = journal {
                    search.set_journal(journal);
                }
                Box::new(search)
            }
            Method::Veritas => {
                let counts: fn(usize, &[u32]) -> bool = |_, _| true;
                Box::new(Veritas::prepare(problem, strategy(self.epsilon), counts, stop)?)
            }
            Method::Merge => Box::new(Merge::prepare(problem, memory.unwrap_or(usize::MAX), stop)?),
        })
    }
}

/// The reason why a search did not finish.
enum Halt {
    Abandoned,
    Failed(TaskError),
}

impl From<Abandoned> for Halt {
    fn from(_: Abandoned) -> Self {
        Self::Abandoned
    }
}

impl From<TaskError> for Halt {
    fn from(error: TaskError) -> Self {
        Self::Failed(error)
    }
}

/// How the method `veritas` orders its states.
pub(crate) fn strategy(epsilon: Option<f64>) -> Strategy {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "validated: 1 to 1000")]
    let thousandths = epsilon.map(|epsilon| (epsilon * 1000.0).round() as u32);
    thousandths.map_or(Strategy::DEFAULT, Strategy::from_epsilon)
}
