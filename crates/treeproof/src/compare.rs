//! Questions about two models, or two inputs of one model: [`diff()`], [`fair_difference`], [`fair_label`],
//! [`monotone()`], [`stable()`], [`combination()`]; and about one input near a row: [`dominant()`].
//!
//! Each makes a [`Form`] and says what its maximum means. Conditions on two inputs are those of a
//! vocabulary of [`Inputs::Two`](treeproof_language::Inputs::Two).

mod combination;
mod diff;
mod dominant;
mod fair;
mod meaning;
mod monotone;
mod stable;

use std::time::Instant;

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::input::Reading;
use treeproof_language::Side;

use crate::conflict::Feasibility;
use crate::problem::{
    AdmissibleInputs, Domain, EmptyDomain, Features, Form, InputRows, Nearness, NumberSet, Space, Sum, Term, Tie,
    feature_domains,
};
use crate::proof::Stated;
use crate::report::{Stats, Stopped, Verdict};
use crate::run::{self, Ended};
use crate::task::{Method, TaskError, TaskLimits};
use crate::watch::Watcher;

pub use self::combination::combination;
pub use self::diff::diff;
pub use self::dominant::{Direction, dominant};
pub use self::fair::{fair_difference, fair_difference_from, fair_label, fair_label_from};
pub(crate) use self::meaning::are_comparable;
pub use self::monotone::monotone;
pub use self::stable::{Near, stable};
pub use crate::run::Found;

/// Which inputs are compared, within what limits, and who is told.
#[derive(Clone, Copy)]
pub struct Setting<'a> {
    /// Which inputs are compared.
    pub allowed: AdmissibleInputs<'a>,
    /// What bounds the search.
    pub limits: &'a TaskLimits,
    /// Who is told.
    pub watcher: &'a dyn Watcher,
}

/// What was proved about the largest difference.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Comparison {
    /// What was proved.
    pub verdict: Verdict,
    /// The number is at least this.
    pub lower: Option<f64>,
    /// The number is at most this.
    pub upper: Option<f64>,
    /// Between the bounds before they were rounded, itself rounded up.
    pub gap: Option<f64>,
    /// The best point that was found, which passed its check.
    pub found: Option<Found>,
    /// Of questions about labels: the classes of the two inputs of that point.
    pub classes: Option<[usize; 2]>,
    /// The library's own sums at that point, taken together, are within this of the exact number.
    pub rounding: Option<f64>,
    /// Of `infeasible`: the conditions that contradict each other; none where it is a row that they exclude.
    pub conflict: Vec<String>,
    /// Why the search ended.
    pub stopped: Stopped,
    /// How long it took.
    pub seconds: f64,
    /// What it took.
    pub stats: Stats,
}

impl Comparison {
    /// The rows of the best point.
    pub fn rows(&self) -> Option<&InputRows> {
        self.found.as_ref().map(|found| &found.rows)
    }

    /// Nothing is allowed.
    fn infeasible(conflict: Vec<String>) -> Self {
        Self { conflict, ..Self::unsearched(Verdict::Infeasible) }
    }

    /// What is known without a search.
    fn unsearched(verdict: Verdict) -> Self {
        Self {
            verdict,
            lower: None,
            upper: None,
            gap: None,
            classes: None,
            found: None,
            rounding: None,
            conflict: vec![],
            stopped: Stopped::Optimal,
            seconds: 0.0,
            stats: Stats::default(),
        }
    }

    fn new(ended: Ended, form: &Form<'_>, verdict: Verdict, stopped: Stopped) -> Self {
        let rounding = ended.found.as_ref().map(|found| {
            let error = |term: &Term| found.evaluations[term.input][term.model].margins[term.output].error;
            let of_sum = |sum: &Sum| sum.terms.iter().map(error).sum::<f64>();
            form.cases.iter().flatten().map(of_sum).fold(0.0, f64::max).next_up()
        });
        Self {
            verdict,
            lower: ended.bounds.lower,
            upper: ended.bounds.upper,
            gap: ended.bounds.gap,
            classes: None,
            found: ended.found,
            rounding,
            conflict: vec![],
            stopped,
            seconds: ended.seconds,
            stats: ended.stats,
        }
    }
}

/// A space, or one in which some feature has no value.
type Confined<'m> = Result<Space<'m>, Emptied<'m>>;

/// A space in which some feature has no value.
struct Emptied<'m> {
    /// The conditions that leave none; none where it is a row that they exclude.
    conflict: Vec<String>,
    space: Space<'m>,
}

/// How a space is made.
type Confine<'a, 'm> = &'a dyn Fn(&Setting<'_>) -> Result<Confined<'m>, TaskError>;

impl<'a> Setting<'a> {
    /// The space of one input, or of two that are tied like this.
    fn space<'m>(
        &self,
        models: &[&'m Ensemble],
        features: Features<'m>,
        ties: Option<Vec<Tie>>,
    ) -> Result<Confined<'m>, TaskError> {
        let features = features.grouped(self.allowed.groups);
        let sides = if ties.is_some() { &[Side::A, Side::B][..] } else { &[Side::Only] };
        let mut inputs = vec![];
        let mut conflict = None;
        for side in sides {
            let mut everything = features.everything(models);
            // Conditions are about the features of the first model, which come first.
            let others = everything.split_off(models[0].features().len());
            let domains = feature_domains(models[0], *side, everything, &self.allowed).unwrap_or_else(
                |EmptyDomain { texts, domains }| {
                    conflict.get_or_insert(texts);
                    domains
                },
            );
            inputs.push([domains, others].concat());
        }
        let domains: &Vec<Domain> = &inputs[0];
        let ties = ties.unwrap_or_else(|| vec![Tie::Same; domains.len()]);
        let space = Space { features, inputs, ties };
        Ok(match conflict {
            Some(conflict) => Err(Emptied { conflict, space }),
            None => Ok(space),
        })
    }

    /// That nothing is allowed, as some feature has no value.
    fn emptied(&self, models: &[&Ensemble], Emptied { conflict, space }: Emptied<'_>) -> Result<Comparison, TaskError> {
        let form = Form { models: models.to_vec(), space, cases: vec![] };
        Stated::anything(&form, &self.allowed, Nearness::Any).prove_empty(self.watcher.proof())?;
        Ok(Comparison::infeasible(conflict))
    }

    /// That nothing is allowed, though each feature has values.
    fn infeasible(
        &self,
        models: &[&Ensemble],
        start: Instant,
        space: Confine<'_, '_>,
    ) -> Result<Comparison, TaskError> {
        self.infeasible_near(models, start, Nearness::Any, space)
    }

    /// The same for inputs that must be near something.
    fn infeasible_near(
        &self,
        models: &[&Ensemble],
        start: Instant,
        nearness: Nearness<'_>,
        space: Confine<'_, '_>,
    ) -> Result<Comparison, TaskError> {
        let space = |allowed: &AdmissibleInputs<'_>| Ok(space(&Setting { allowed: *allowed, ..*self })?.ok());
        let question =
            Feasibility { models, limits: self.limits, watcher: self.watcher, start, nearness, space: &space };
        Ok(Comparison::infeasible(question.conflict(&self.allowed)?))
    }

    /// Whether conditions treat two inputs alike.
    fn is_symmetric(&self, space: &Space<'_>) -> bool {
        let across = self.allowed.across();
        space.is_symmetric() && across.iter().all(|one| across.contains(&&one.exchanged()))
    }

    /// The reason why a question ended early.
    fn ended(&self) -> Stopped {
        if self.watcher.is_interrupted() { Stopped::Interrupted } else { Stopped::Time }
    }

    /// The search for the maximum of a form.
    fn asked<'f>(&'f self, form: &'f Form<'f>, question: &'static str) -> run::Asked<'f> {
        run::Asked {
            form,
            allowed: self.allowed,
            question,
            negated: false,
            method: Method::Auto,
            epsilon: None,
            start: Instant::now(),
            time: self.limits.time(),
            limits: self.limits,
            at_least: None,
            at_most: None,
            settles: None,
            goes_past: false,
            goal: None,
            nearness: Nearness::Any,
            watcher: self.watcher,
        }
    }
}

/// A value alone.
fn point(reading: Reading, raw: f64, is_category: bool) -> Domain {
    match reading {
        Reading::Missing if is_category => Domain::Categories { codes: vec![], unknown: false, missing: true },
        Reading::Missing => Domain::Numbers { numbers: NumberSet::none(), missing: true },
        Reading::Number(_) => Domain::between(raw, raw),
        Reading::Category(code) => Domain::Categories { codes: vec![code], unknown: false, missing: false },
        Reading::NoCategory => Domain::Categories { codes: vec![], unknown: true, missing: false },
    }
}

impl Ended {
    /// What was proved of a number that is asked for, or must not be above a limit.
    fn verdict_within(&self, limit: Option<&Exact>) -> (Verdict, Stopped) {
        match limit {
            Some(limit) if self.is_at_most(limit) => (Verdict::Holds, self.stopped),
            Some(_) if self.is_settled => (Verdict::Violated, self.stopped),
            Some(_) if self.stopped == Stopped::Optimal => (Verdict::Undecided, Stopped::Rounding),
            None if self.is_optimal => (Verdict::Optimal, self.stopped),
            _ => (Verdict::Undecided, self.stopped),
        }
    }

    /// Whether no point is worth more than a number.
    fn is_at_most(&self, number: &Exact) -> bool {
        self.upper.as_ref().is_some_and(|upper| upper <= number)
    }
}
