//! A question under way: the fields of its task, its subject, and the observer.

use std::time::Instant;

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::label::ClassName;
use treeproof_ensemble::sum::Aggregate;
use treeproof_language::{Condition, Groups, Inputs, Resolved, Variable, Vocabulary};

use super::common::CommonFields;
use super::setting::Setting;
use super::subject::Subject;
use super::{class, groups};
use crate::attributes::untested;
use crate::error::{TaskError, refuse};
use crate::limits::{Span, TaskLimits};
use crate::per_row::PerRow;
use crate::problem::AdmissibleInputs;
use crate::report::{Finding, Report, Unit};
use crate::rows::Rows;
use crate::watch::Watcher;

/// A question under way.
pub(super) struct Context<'a> {
    pub(super) common: CommonFields<'a>,
    pub(super) subject: &'a Subject,
    pub(super) groups: Groups,
    pub(super) watcher: &'a dyn Watcher,
    /// The start of the question.
    pub(super) start: Instant,
}

impl<'a> Context<'a> {
    pub(super) fn new(
        common: CommonFields<'a>,
        subject: &'a Subject,
        watcher: &'a dyn Watcher,
    ) -> Result<Self, TaskError> {
        let start = Instant::now();
        subject.models.iter().try_for_each(|model| refuse_other_than_sums(model))?;
        let groups = groups::declared(common.groups, subject.ensemble())?;
        Ok(Self { common, subject, groups, watcher, start })
    }

    /// The model that conditions and data are about.
    pub(super) fn ensemble(&self) -> &'a Ensemble {
        &self.subject.models[0]
    }

    /// The margin asked about.
    pub(super) fn output(&self) -> Result<usize, TaskError> {
        class::output(self.ensemble(), self.common.class)
    }

    /// The rows that the task names; `None` if it names no data.
    pub(super) fn rows(&self) -> Result<Option<&'a Rows>, TaskError> {
        match &self.subject.rows {
            None if self.common.has_data => refuse("data", "was not read"),
            rows => Ok(rows.as_ref()),
        }
    }

    /// Limits of the next part, of which so many are left: what one does not need, the others have.
    pub(super) fn limits_of_part(&self, num_left: usize) -> TaskLimits {
        let left = self.common.time.saturating_sub(self.start.elapsed());
        let time = Some(Span(left / u32::try_from(num_left).unwrap_or(u32::MAX)));
        TaskLimits { time, ..self.common.limits.clone() }
    }

    /// The question for each of some rows.
    pub(super) fn per_row(&self, rows: &Rows) -> PerRow<'_> {
        PerRow {
            question: self.common.question.name(),
            start: rows.start(),
            num_rows: rows.len(),
            threads: self.common.limits.threads(),
            watcher: self.watcher,
        }
    }

    /// Asks about the inputs that the conditions of the task leave.
    pub(super) fn within_conditions<T>(
        &self,
        inputs: Inputs,
        ask: impl FnOnce(&Setting<'_>) -> Result<T, TaskError>,
    ) -> Result<T, TaskError> {
        self.within(self.common.conditions, (inputs, vec![]), (self.common.limits, self.watcher), ask)
    }

    /// Asks about the inputs that conditions leave, where these variables may be missing too.
    pub(super) fn within<T>(
        &self,
        conditions: &[String],
        (inputs, missing): (Inputs, Vec<Variable>),
        (limits, watcher): (&TaskLimits, &dyn Watcher),
        ask: impl FnOnce(&Setting<'_>) -> Result<T, TaskError>,
    ) -> Result<T, TaskError> {
        let conditions: Vec<Condition> =
            conditions.iter().map(|text| Condition::parse(text)).collect::<Result<_, _>>()?;
        let groups = &self.groups;
        let vocabulary = vocabulary(&self.subject.all_models(), groups, inputs);
        let mut resolved = Resolved::new(&conditions, &vocabulary)?;
        resolved.may_be_missing.extend(missing);
        let allowed = AdmissibleInputs {
            conditions: &conditions,
            resolved: &resolved,
            groups,
            observed: self.subject.observed_inputs(),
            own: None,
            predicate: self.subject.predicate.as_ref(),
        };
        ask(&Setting { allowed, limits, watcher })
    }

    /// The name of the class whose margin this is, in models with several.
    pub(super) fn class(&self, output: usize) -> Option<ClassName> {
        let has_classes = self.ensemble().num_margins() > 1 && !self.ensemble().classes().is_empty();
        has_classes.then(|| self.ensemble().class_name(output))
    }

    /// A report about margins.
    pub(super) fn report(&self, class: Option<ClassName>, finding: Finding) -> Report {
        Report { question: self.common.question, class, unit: Unit::Margin, not_tested: vec![], finding }
    }

    /// A report about some features.
    pub(super) fn report_about(
        &self,
        features: impl IntoIterator<Item = usize>,
        class: Option<ClassName>,
        finding: Finding,
    ) -> Report {
        let not_tested = match &finding {
            // Nothing was asked about any feature.
            Finding::Infeasible(_) => vec![],
            _ => untested(self.ensemble(), &self.groups, features),
        };
        Report { not_tested, ..self.report(class, finding) }
    }
}

/// The features of the first of some models, and what the others call their own.
pub(crate) fn vocabulary<'m>(models: &[&'m Ensemble], groups: &'m Groups, inputs: Inputs) -> Vocabulary<'m> {
    let first = Vocabulary::new(models[0], groups, inputs);
    models[1..].iter().fold(first, |vocabulary, other| vocabulary.beside(other))
}

/// Refuses models that are no sums of trees.
pub(super) fn refuse_other_than_sums(ensemble: &Ensemble) -> Result<(), TaskError> {
    let what = match ensemble.aggregate() {
        Aggregate::Sum(_) => return Ok(()),
        Aggregate::WeightedMedian { .. } => "it is not a sum but a weighted median of its trees",
        Aggregate::Min(_) => "it is not a sum but the minimum of its trees",
        Aggregate::Max(_) => "it is not a sum but the maximum of its trees",
    };
    let what = format!("the model can be predicted, but {what}; questions can be asked about sums only");
    Err(TaskError::Unsuitable(what))
}
