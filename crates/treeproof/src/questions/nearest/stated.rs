//! The statement of a question about a row, and its conclusion.

use treeproof_ensemble::exact::Exact;
use treeproof_language::DistanceLimit;
use treeproof_proof::conclusion::{Claim, Conclusion};
use treeproof_proof::header::LedgerKind;
use treeproof_proof::statement::distance::{self as stated, Distance};
use treeproof_proof::statement::{Number, Statement};
use treeproof_search::Note;

use super::bounds::CostBounds;
use super::request::NearestRequest;
use super::search::{RowSearch, Sought};
use super::units::Units;
use crate::elaborate::{FromRow, Section, StatementSource, metric_near, row};
use crate::error::TaskError;
use crate::problem::{Form, Metric, Nearness, position};
use crate::report::Stopped;

impl RowSearch<'_> {
    /// Writes that nothing reaches the goal, where every case is closed by notes that are known without a search.
    pub(super) fn prove_at_once(
        &self,
        sought: &Sought<'_>,
        notes: impl Fn(usize) -> Vec<Note>,
    ) -> Result<(), TaskError> {
        let Some(writer) = self.watcher.proof() else { return Ok(()) };
        let statement = self.statement(sought.form, sought.not_all);
        let section = Section::begin(writer, statement, sought.form, sought.compiled, vec![])?;
        section.follow(&sought.form.models, |mut journal| {
            (0..self.aim.cases.len()).for_each(|case| journal.record(case as u64, &notes(case)));
        });
        Ok(section.finish(&Claim::Never.into(), None)?)
    }

    /// Begins to write a proof, if one is wanted.
    pub(super) fn section(
        &self,
        sought: &Sought<'_>,
        units: &Units,
        most: Option<&Exact>,
    ) -> Result<Option<Section>, TaskError> {
        let Some(writer) = self.watcher.proof() else { return Ok(None) };
        let conditions = &self.question.conditions;
        // In the order of the problem's budgets.
        let changed = (conditions.across().len()..).map(|place| LedgerKind::AtMost(position(place)));
        let num_first = usize::from(conditions.most_changed.is_some());
        let mut ledgers = sought.compiled.counted().to_vec();
        ledgers.extend(changed.clone().take(num_first));
        let exponents = sought.bounds.iter().map(|ball| ball.exponent);
        ledgers.extend((0..).zip(exponents).map(|(place, exponent)| LedgerKind::Within(place, exponent)));
        ledgers.extend(changed.skip(num_first).take(sought.not_all.len()));
        ledgers.push(LedgerKind::Distance(units.exponent()));
        let statement = self.statement(sought.form, sought.not_all);
        let section = Section::begin(writer, statement, sought.form, sought.compiled, ledgers)?;
        Ok(Some(section.up_to(most.map(|most| self.question.metric.distance(most)[0]))))
    }

    /// The statement of the question about the row.
    pub(super) fn statement(&self, form: &Form<'_>, not_all: &[Vec<usize>]) -> Statement {
        let NearestRequest { metric, conditions, within, .. } = self.question;
        let (constraints, groups, nearness) = (conditions.across(), &conditions.groups, Nearness::Any);
        let goal = self.aim.stated();
        let mut statement = StatementSource { form, groups, constraints, nearness, goal }.statement();
        let near = |metric: &Metric| {
            let missing_cost = |feature: usize| metric.missing_price().filter(|_| conditions.may_be_missing[feature]);
            metric_near(metric, missing_cost)
        };
        let within_bound = |bound: &DistanceLimit| stated::DistanceBound {
            distance: near(&metric.measured(bound.norm)),
            at_most: bound.limit.clone(),
        };
        let bounded: Vec<stated::DistanceBound> = conditions.bounds().iter().map(within_bound).collect();
        let near = Distance { radius: within.map(Number), ..near(metric) };
        FromRow { row: self.row, near, within: bounded, most_changed: conditions.most_changed, not_all }
            .add(&mut statement, groups);
        statement
    }

    /// The conclusion of a search whose bound stands for a cost.
    pub(super) fn conclusion(&self, ended: &CostBounds, bound: Option<Exact>, most: Option<&Exact>) -> Conclusion {
        let is_nothing = ended.found.is_none() && ended.least.is_none() && ended.stopped == Stopped::Optimal;
        // Where nothing was found, nothing is nearer than what was looked at.
        let least = ended.least.clone().or_else(|| if is_nothing { most.cloned() } else { bound });
        let nearest = least.as_ref().map_or(0.0, |least| self.question.metric.distance(least)[0]);
        let claim = match least {
            _ if is_nothing && self.question.within.is_some() => Claim::Never,
            None if is_nothing => Claim::Never,
            // That nothing is nearer than 0 is no claim: what is known is the witness, or nothing.
            _ if nearest <= 0.0 && ended.found.is_some() => Claim::Reached,
            _ if nearest <= 0.0 => Claim::Nothing,
            _ => Claim::NotNearer(Number(nearest)),
        };
        let witness = ended.found.as_ref().filter(|_| claim != Claim::Never);
        Conclusion { listed: vec![], claim, witness: witness.map(|found| vec![vec![row(&found.row)]]) }
    }
}
