//! `max`, `min` and `range`: the largest and the smallest margin.

use std::time::{Duration, Instant};

use treeproof_language::Inputs;

use super::common::CommonFields;
use super::context::Context;
use super::form_search::FormSearch;
use super::setting::Setting;
use crate::error::TaskError;
use crate::limits::Method;
use crate::problem::{Features, Form, Space, Sum, Term};
use crate::report::{
    Answer, Finding, Infeasible, QuestionName, RangeAnswer, Report, Verdict, prediction, witness_of_row,
};
use crate::run::{Effort, NumberBounds, SearchRequest};

/// Refuses fields that do not apply.
pub(super) fn validate(common: &CommonFields<'_>) -> Result<(), TaskError> {
    common.refuse_surplus(&["data", "threshold"])
}

/// Answers `max` or `min`.
pub(super) fn answer(context: &Context<'_>, question: QuestionName) -> Result<Report, TaskError> {
    let of = if question == QuestionName::Min { Finding::Min } else { Finding::Max };
    within_space(context, |margin| Ok(margin.bounds(question, context.start, context.common.time)?.map(of)))
}

/// Answers `range`.
pub(super) fn answer_range(context: &Context<'_>) -> Result<Report, TaskError> {
    within_space(context, |margin| {
        let (start, time) = (context.start, context.common.time);
        let Some(min) = margin.bounds(QuestionName::Min, start, time / 2)? else { return Ok(None) };
        // The second search has the time that the first does not need.
        let left = time.saturating_sub(start.elapsed());
        let Some(max) = margin.bounds(QuestionName::Max, Instant::now(), left)? else { return Ok(None) };
        let is_optimal = [&min, &max].iter().all(|answer| answer.verdict == Verdict::Optimal);
        let verdict = if is_optimal { Verdict::Optimal } else { Verdict::Undecided };
        let seconds = start.elapsed().as_secs_f64();
        let answer = RangeAnswer { verdict, lower: min.lower, upper: max.upper, min, max, seconds };
        Ok(Some(Finding::Range(Box::new(answer))))
    })
}

/// A margin over the inputs that the conditions leave.
pub(super) struct Margin<'a, 'm> {
    pub(super) context: &'a Context<'m>,
    pub(super) setting: &'a Setting<'a>,
    pub(super) space: Space<'m>,
    pub(super) output: usize,
}

/// Asks about the margin of the task. The finding is `None` if no input meets the conditions.
pub(super) fn within_space(
    context: &Context<'_>,
    ask: impl FnOnce(&Margin<'_, '_>) -> Result<Option<Finding>, TaskError>,
) -> Result<Report, TaskError> {
    let (ensemble, output) = (context.ensemble(), context.output()?);
    let finding = context.within_conditions(Inputs::One, |setting| {
        let confine = |setting: &Setting<'_>| setting.space(&[ensemble], Features::of(ensemble), None);
        let models = [ensemble];
        let search = FormSearch::new(context.common.question.name(), &models, setting, &confine);
        let conflict = match search.space()? {
            Err(conflict) => conflict,
            Ok(_) if context.common.method != Method::Auto && !setting.allowed.across().is_empty() => {
                return Err(TaskError::several_features());
            }
            Ok(space) => match ask(&Margin { context, setting, space, output })? {
                Some(finding) => return Ok(finding),
                None => search.conflict(context.start)?,
            },
        };
        Ok(Finding::Infeasible(Infeasible::new(conflict)))
    })?;
    Ok(context.report(context.class(output), finding))
}

impl Margin<'_, '_> {
    /// The margin, or its negative, as a form.
    pub(super) fn form(&self, negated: bool) -> Form<'_> {
        let term = Term { model: 0, input: 0, output: self.output, negated };
        Form { models: vec![self.context.ensemble()], space: self.space.clone(), cases: vec![vec![Sum::of([term])]] }
    }

    /// Bounds on the smallest or the largest margin; `None` if no input meets the conditions.
    fn bounds(&self, question: QuestionName, start: Instant, time: Duration) -> Result<Option<Answer>, TaskError> {
        let (ensemble, negated) = (self.context.ensemble(), question == QuestionName::Min);
        let CommonFields { method, epsilon, limits, .. } = self.context.common;
        let form = self.form(negated);
        let request = self.setting.request(&form, question.name());
        let request = SearchRequest { negated, effort: Effort { method, epsilon, start, time, limits }, ..request };
        let Some(outcome) = request.search()? else { return Ok(None) };
        let NumberBounds { lower, upper, gap } = outcome.bounds;
        let mut answer = Answer {
            verdict: if outcome.is_optimal { Verdict::Optimal } else { Verdict::Undecided },
            lower,
            upper,
            gap,
            stopped: outcome.stopped,
            seconds: outcome.seconds,
            stats: outcome.stats,
            ..Answer::default()
        };
        if let Some(found) = &outcome.found {
            let evaluation = &found.evaluations[0][0];
            let margin = &evaluation.margins[self.output];
            answer.witness = Some(witness_of_row(ensemble, &self.context.groups, &found.rows[0][0]));
            (answer.output, answer.rounding) = (Some(margin.library), Some(margin.error));
            match prediction(ensemble, self.output, &evaluation.outputs) {
                Some((probability, true)) => answer.probability = Some(probability),
                Some((prediction, false)) => answer.prediction = Some(prediction),
                None => {}
            }
        }
        Ok(Some(answer))
    }
}
