//! The run of a search: from a request to a checked outcome, within limits, with events and a proof.

mod engine;
mod progress;
mod unsearched;

use std::sync::Arc;
use std::time::{Duration, Instant};

use treeproof_ensemble::evaluate::Evaluation;
use treeproof_ensemble::exact::Exact;
use treeproof_proof::conclusion::{Claim, Conclusion};
use treeproof_proof::header::LedgerKind;
use treeproof_proof::statement::{Goal, Number};
use treeproof_search::{Abandoned, Status, StopReason};

pub(crate) use self::engine::{EngineEnd, EngineRun, strategy};
use self::progress::Run;
use crate::elaborate::{ProofError, Section, StatementSource, goal_of_sums, row};
use crate::error::TaskError;
use crate::limits::{Method, TaskLimits};
use crate::problem::{AdmissibleInputs, Compiled, Form, InputRows, Nearness};
use crate::report::{Stats, Stopped};
use crate::stop::Clock;
use crate::watch::{Begun, Watcher};

/// Limit on excluded leaf configurations.
const MOST_EXCLUDED: usize = 256;

/// A search request: maximise a form, or decide a question about it.
#[derive(Clone)]
pub(crate) struct SearchRequest<'a> {
    /// The name of the question in events.
    pub(crate) question: &'static str,
    /// The number to maximise.
    pub(crate) form: &'a Form<'a>,
    /// True if the number asked about is the negative of the form.
    pub(crate) negated: bool,
    /// The question as a proof states it, where it is not the number itself.
    pub(crate) goal: Option<Goal>,
    pub(crate) space: Admissible<'a>,
    pub(crate) effort: Effort<'a>,
    pub(crate) stopping: StoppingRule<'a>,
    pub(crate) watcher: &'a dyn Watcher,
}

/// The inputs that a search is about.
#[derive(Clone, Copy)]
pub(crate) struct Admissible<'a> {
    pub(crate) allowed: AdmissibleInputs<'a>,
    pub(crate) nearness: Nearness<'a>,
}

/// The method of a search, and its limits.
#[derive(Clone, Copy)]
pub(crate) struct Effort<'a> {
    pub(crate) method: Method,
    /// First ε of the method `veritas`.
    pub(crate) epsilon: Option<f64>,
    pub(crate) start: Instant,
    pub(crate) time: Duration,
    /// All limits but the time.
    pub(crate) limits: &'a TaskLimits,
}

/// The rule by which a search ends early. Default: none, so that it ends at the optimum.
#[derive(Clone, Default)]
pub(crate) struct StoppingRule<'a> {
    /// Points worth less than this do not matter.
    pub(crate) at_least: Option<Exact>,
    /// Bound that is low enough.
    pub(crate) at_most: Option<Exact>,
    /// True of a point that decides the question.
    pub(crate) is_decisive: Option<&'a (dyn Fn(&Found) -> bool + Sync)>,
    /// True if all points that reach the same leaves decide the question alike. Points that do not decide it are then excluded,
    /// with their leaf configurations, one after the other.
    pub(crate) exclude_and_retry: bool,
}

impl<'a> SearchRequest<'a> {
    /// Asks for the maximum of a form, by the default method, from now on.
    pub(crate) fn maximum(
        question: &'static str,
        form: &'a Form<'a>,
        allowed: AdmissibleInputs<'a>,
        limits: &'a TaskLimits,
        watcher: &'a dyn Watcher,
    ) -> Self {
        let (start, time) = (Instant::now(), limits.time());
        Self {
            question,
            form,
            negated: false,
            goal: None,
            space: Admissible { allowed, nearness: Nearness::Any },
            effort: Effort { method: Method::Auto, epsilon: None, start, time, limits },
            stopping: StoppingRule::default(),
            watcher,
        }
    }
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
#[derive(Default)]
pub(crate) struct SearchOutcome {
    /// The best point that was found, or the one that settles the question.
    pub(crate) found: Option<Found>,
    pub(crate) is_settled: bool,
    /// No point of the form is worth more.
    pub(crate) upper: Option<Exact>,
    pub(crate) bounds: NumberBounds,
    /// Whether the bounds are as close as was asked for.
    pub(crate) is_optimal: bool,
    pub(crate) stopped: Stopped,
    pub(crate) seconds: f64,
    pub(crate) stats: Stats,
}

/// Bounds on the number asked about.
#[derive(Clone, Copy, Default)]
pub(crate) struct NumberBounds {
    pub(crate) lower: Option<f64>,
    pub(crate) upper: Option<f64>,
    pub(crate) gap: Option<f64>,
}

impl SearchRequest<'_> {
    /// Searches. None if no point is allowed. Where the time is too short even to begin, what is known without a search.
    pub(crate) fn search(&self) -> Result<Option<SearchOutcome>, TaskError> {
        let clock = Clock::new(self.effort.start, self.effort.time, self.watcher);
        let plain = self.early_bound(&clock);
        match self.search_until(&clock) {
            Ok(ended) => Ok(ended.map(|ended| self.completed(ended, plain))),
            Err(Halt::Abandoned) => Ok(Some(self.completed(self.unsearched(&clock), plain))),
            Err(Halt::Failed(error)) => Err(error),
        }
    }

    fn search_until(&self, clock: &Clock<'_>) -> Result<Option<SearchOutcome>, Halt> {
        self.watcher.prepare(self.form.models.iter().map(|model| model.trees().len()).sum());
        let constraints = self.space.allowed.across();
        let Some(mut compiled) = self.form.compile_until(self.space.nearness, &constraints, None, clock)? else {
            let stated = StatementSource::anything(self.form, &self.space.allowed, self.space.nearness);
            return Ok(stated.prove_empty(self.watcher.proof()).map(|()| None)?);
        };
        if let Some(predicate) = self.space.allowed.predicate {
            compiled.add_predicate(Arc::clone(predicate), Arc::new(self.form.models[0].clone()));
        }
        let Effort { method, epsilon, limits, .. } = self.effort;
        let threads = if method == Method::Auto { limits.threads() } else { 1 };
        let memory_bytes = limits.memory.map(|memory| memory.0);
        self.watcher.begin(&Begun { threads, memory_bytes, ..Begun::new(self.question, &compiled, method) });
        let target = self.stopping.at_least.as_ref().map(|least| compiled.least_at_least(least));
        let (mut steps, mut num_excluded) = (0, 0);
        loop {
            let section = self.section(&compiled)?;
            let run = Run::new(self, &compiled, clock);
            let (problem, models) = (&compiled.problem, &self.form.models[..]);
            let section_of_run = section.as_ref();
            let engine = EngineRun { problem, method, epsilon, limits, target, section: section_of_run, models };
            let EngineEnd { reason, status, solution } = match engine.run(&run) {
                Ok(end) => end,
                Err(Abandoned) => {
                    if let Some(section) = section {
                        section.finish(&Claim::Nothing.into(), None)?;
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
            let is_open = self.stopping.exclude_and_retry && reason == StopReason::Optimal && !known.is_settled;
            if let (Some(point), Some(target)) = (solution.filter(|_| is_open), target) {
                let by = compiled.problem.value(&point) - target + 1;
                if num_excluded < MOST_EXCLUDED && compiled.can_exclude(by) {
                    num_excluded += 1;
                    drop(known);
                    if let Some(section) = section {
                        section.finish(&Claim::Nothing.into(), None)?;
                    }
                    compiled.exclude(&point, by);
                    continue;
                }
            }
            let ended = run.end(&mut known, reason, &Status { steps, ..status });
            if let Some(section) = section {
                section.finish(&self.conclusion(ended.as_ref()), status.upper)?;
            }
            return Ok(ended);
        }
    }

    /// True if a point decides the question.
    fn is_settled_by(&self, found: &Found) -> bool {
        self.stopping.is_decisive.is_some_and(|is_decisive| is_decisive(found))
    }

    /// True if a point that does not settle the question is worth enough to do so, within the error of the library's
    /// sums. The library has decided otherwise, so its number is no bound.
    fn is_decided_against(&self, found: &Found) -> bool {
        self.stopping.exclude_and_retry && self.stopping.at_least.as_ref().is_some_and(|least| found.exact >= *least)
    }

    /// Begins to write a proof, if one is wanted.
    fn section(&self, compiled: &Compiled) -> Result<Option<Section>, ProofError> {
        let Some(writer) = self.watcher.proof() else { return Ok(None) };
        let goal = self.goal.clone().unwrap_or_else(|| goal_of_sums(&self.form.cases));
        let stated =
            StatementSource { goal, ..StatementSource::anything(self.form, &self.space.allowed, self.space.nearness) };
        let num_conditions = stated.constraints.len();
        let mut ledgers = vec![];
        if matches!(self.space.nearness, Nearness::Ball(ball) if ball.metric.rule().counts_changes) {
            ledgers.push(LedgerKind::Changes);
        }
        ledgers.extend_from_slice(compiled.counted());
        if let Nearness::Start(_) = self.space.nearness {
            ledgers.push(LedgerKind::AtMost(u32::try_from(num_conditions).expect("conditions are few")));
        }
        Section::begin(writer, stated.statement(), self.form, compiled, ledgers).map(Some)
    }

    /// What was proved.
    fn conclusion(&self, ended: Option<&SearchOutcome>) -> Conclusion {
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

impl From<ProofError> for Halt {
    fn from(error: ProofError) -> Self {
        TaskError::from(error).into()
    }
}
