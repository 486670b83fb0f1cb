//! The answer when time ends before the search has bounds: the plain bound, and some admissible input.

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::exact::Exact;
use treeproof_proof::statement::Goal;
use treeproof_search::{Limits, MAX_MASK_BYTES, Method, Search};

use super::{Admissible, Found, NumberBounds, SearchOutcome, SearchRequest};
use crate::problem::{Compiled, Form, Sum};
use crate::report::Stopped;
use crate::stop::{Clock, Grace};
use crate::watch::Event;
use crate::witness::{check, check_near};

/// In so many steps an input that is allowed is found or given up.
const MOST_STEPS: u64 = 64;

/// From so many leaves on the plain bound is found before all else.
const MANY_LEAVES: usize = 100_000;

impl SearchRequest<'_> {
    /// The plain bound of large models, ahead of all else: then it is there when the time ends, and beside the rest it takes
    /// little. None of others, of which it is soon found when it is needed.
    pub(super) fn early_bound(&self, clock: &Clock<'_>) -> Option<Exact> {
        let leaves = |model: &&Ensemble| model.trees().iter().map(|tree| tree.leaves().len()).sum::<usize>();
        let num_leaves = self.form.models.iter().map(leaves).sum::<usize>();
        if num_leaves < MANY_LEAVES { None } else { self.form.plain_bound(clock).ok().flatten() }
    }

    /// An end at which no bound is known yet.
    pub(super) fn unsearched(&self, clock: &Clock<'_>) -> SearchOutcome {
        let stopped = clock.ended().unwrap_or(Stopped::Interrupted);
        SearchOutcome { stopped, ..SearchOutcome::default() }
    }

    /// Adds what a search has not found out that was ended before it had both bounds.
    pub(super) fn completed(&self, ended: SearchOutcome, plain: Option<Exact>) -> SearchOutcome {
        // What is said where a proof is wanted is what the proof shows. Which conditions contradict each other is no question of
        // its own.
        let is_refused = self.watcher.proof().is_some() || matches!(self.goal, Some(Goal::Anything));
        let is_whole = is_refused || (ended.upper.is_some() && ended.found.is_some());
        if is_whole || !matches!(ended.stopped, Stopped::Time | Stopped::Interrupted) {
            return ended;
        }
        let grace = Grace::new();
        let late_bound = || self.form.plain_bound(&grace).ok().flatten();
        let upper = ended.upper.clone().or(plain).or_else(late_bound);
        // What is worth too little to matter is no answer.
        let matters = |found: &Found| self.stopping.at_least.as_ref().is_none_or(|least| found.exact >= *least);
        let counts = |found: &Found| matters(found) && (self.is_settled_by(found) || !self.is_decided_against(found));
        let found = ended.found.or_else(|| self.any_point(&grace).filter(counts));
        let is_settled = ended.is_settled || found.as_ref().is_some_and(|found| self.is_settled_by(found));
        let is_enough = upper.as_ref().zip(self.stopping.at_most.as_ref()).is_some_and(|(upper, most)| upper <= most);
        let bounds = self.bounds(found.as_ref(), upper.as_ref());
        let NumberBounds { lower, upper: most, gap } = bounds;
        let seconds = self.effort.start.elapsed().as_secs_f64();
        let event = Event { seconds, lower, upper: most, gap, is_better: true, ..Event::new(self.question) };
        // The question is at its end, whatever the watcher wants.
        let _ = self.watcher.watch(&Event { regions: ended.stats.regions, ..event });
        SearchOutcome {
            bounds,
            is_settled,
            stopped: if is_settled || (is_enough && found.is_some()) { Stopped::Target } else { ended.stopped },
            seconds,
            // Nothing holds of inputs that there may not be.
            upper: if found.is_some() { upper } else { ended.upper },
            found,
            ..ended
        }
    }

    /// An input that meets the conditions, whatever the models make of it.
    fn any_point(&self, grace: &Grace) -> Option<Found> {
        if self.space.allowed.predicate.is_some() {
            return None;
        }
        let cases = vec![vec![Sum::of([])]];
        let anything = Form { models: self.form.models.clone(), space: self.form.space.clone(), cases };
        let constraints = self.space.allowed.across();
        let compiled = anything.compile_until(self.space.nearness, &constraints, None, grace).ok()??;
        let mut search = Search::prepare(&compiled.problem, MAX_MASK_BYTES, grace).ok()?;
        let mut limits = Limits::default();
        limits.steps = Some(MOST_STEPS);
        search.run(&limits, grace);
        let point = search.solution()?;
        if !compiled.is_in_order(compiled.problem.value(point)) {
            return None;
        }
        // No bound rests on it, so one that fails its check is only one that is not found.
        self.checked(&compiled, point).ok().flatten()
    }

    /// The inputs of a point, after their check by the models alone. None if the number asked about is not finite there. An
    /// error says what fails.
    pub(super) fn checked(&self, compiled: &Compiled, point: &[u32]) -> Result<Option<Found>, String> {
        let mut rows = compiled.rows(point);
        let (form, Admissible { allowed, nearness }) = (self.form, &self.space);
        rows.iter_mut().for_each(|of_input| allowed.keep_own(form.models[0], &mut of_input[0]));
        check_near(form.models[0], allowed.groups, *nearness, &rows)?;
        let evaluations = check(form, allowed, &rows)?;
        Ok(form.value(&evaluations).map(|exact| Found { rows, evaluations, exact }))
    }

    /// Bounds on the number asked about.
    pub(super) fn bounds(&self, found: Option<&Found>, upper: Option<&Exact>) -> NumberBounds {
        let found = found.map(|found| &found.exact);
        let gap = upper.zip(found).map(|(upper, found)| upper.minus(found).ceil_f64());
        let (lower, upper) = if self.negated {
            (upper.map(|upper| upper.negated().floor_f64()), found.map(|found| found.negated().ceil_f64()))
        } else {
            (found.map(Exact::floor_f64), upper.map(Exact::ceil_f64))
        };
        // Adding zero makes +0 of −0, which would only puzzle.
        let finite = |bound: Option<f64>| bound.map(|bound| bound + 0.0).filter(|bound| bound.is_finite());
        NumberBounds { lower: finite(lower), upper: finite(upper), gap: finite(gap) }
    }
}
