//! Conditions of a question about distances: what they leave to the features, and what they say about the row itself.

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::input::Reading;
use treeproof_language::{
    Assignment, Condition, Constraint, CountRange, DistanceLimit, Groups, Inputs, Movement, ReadRow, Resolved, Side,
    Variable, Vocabulary,
};
use treeproof_proof::writer::ProofWriter;

use super::ball::RowBall;
use crate::elaborate::StatementSource;
use crate::error::TaskError;
use crate::problem::{
    AdmissibleInputs, Domain, EmptyDomain, Features, Form, Metric, Nearness, NumberSet, Observed, Space,
    feature_domains,
};
use crate::witness::{Seen, is_allowed};

/// Conditions, ready to be asked about one row after the other.
#[derive(Clone, Debug)]
pub struct Conditions {
    conditions: Vec<Condition>,
    resolved: Resolved,
    /// Columns of which exactly one is 1.
    pub(super) groups: Groups,
    /// Without what ties the features to the row.
    others: Resolved,
    /// Domains of the features that hold for every row.
    domains: Vec<Domain>,
    pub(super) may_be_missing: Vec<bool>,
    /// The data that confine the inputs.
    observed: Option<Observed>,
    /// True if a row's own value is admissible for a feature, unless a condition on the feature excludes it.
    takes_own: bool,
    /// Conditions that tie features to the row.
    ties: Vec<Constraint>,
    /// Limit on the number of features that change.
    pub(super) most_changed: Option<usize>,
}

impl Conditions {
    /// Reads conditions about a model's input and the row from which it starts. The inner error lists conditions that
    /// exclude each other.
    ///
    /// # Errors
    /// If a condition cannot be understood or is not supported, or the proof that they exclude each other cannot be written.
    pub fn new(
        ensemble: &Ensemble,
        groups: &Groups,
        texts: &[String],
        observed: Option<&Observed>,
        proof: Option<&ProofWriter>,
    ) -> Result<Result<Self, Vec<String>>, TaskError> {
        let conditions: Vec<Condition> = texts.iter().map(|text| Condition::parse(text)).collect::<Result<_, _>>()?;
        let resolved = Resolved::new(&conditions, &Vocabulary::new(ensemble, groups, Inputs::WithReference))?;
        let (mut ties, mut most_changed) = (vec![], None::<usize>);
        let mut others = resolved.clone();
        others.conjuncts.retain(|conjunct| {
            let mut parts = match &conjunct.constraint {
                Constraint::All(parts) => parts.clone(),
                part => vec![part.clone()],
            };
            let is_tie = |part: &Constraint| match part {
                Constraint::Same { is_negated, .. } => !is_negated,
                Constraint::Moved { .. } => true,
                // All features and groups, each of which is one axis.
                Constraint::Changed { units, number } => {
                    number.at_least == 0 && units.iter().map(Vec::len).sum::<usize>() == ensemble.features().len()
                }
                _ => false,
            };
            if parts.is_empty() || !parts.iter().all(is_tie) {
                return true;
            }
            for part in parts.drain(..) {
                match part {
                    Constraint::Changed { number: CountRange { at_most, .. }, .. } => {
                        most_changed = Some(most_changed.map_or(at_most, |most| most.min(at_most)));
                    }
                    tie => ties.push(tie),
                }
            }
            false
        });
        // A value that is missing in the row may stay so, if no condition is about it.
        let all = (0..ensemble.features().len()).map(|feature| Variable { side: Side::Only, feature });
        others.may_be_missing.extend(all);
        let allowed = AdmissibleInputs {
            conditions: &conditions,
            resolved: &others,
            groups,
            observed: observed.into(),
            own: None,
            predicate: None,
        };
        // So may what is no category.
        let mut everything = Domain::everything(ensemble);
        for domain in &mut everything {
            if let Domain::Categories { unknown, .. } = domain {
                *unknown = true;
            }
        }
        let domains = match feature_domains(ensemble, Side::Only, everything, &allowed) {
            Ok(domains) => domains,
            Err(EmptyDomain { texts, domains }) => {
                let space = Space::one(Features::of(ensemble).grouped(groups), domains);
                let form = Form { models: vec![ensemble], space, cases: vec![] };
                let nothing = Resolved::default();
                let allowed = AdmissibleInputs { resolved: &nothing, ..allowed };
                StatementSource::anything(&form, &allowed, Nearness::Any).prove_empty(proof)?;
                return Ok(Err(texts));
            }
        };
        let may_be_missing = |feature| resolved.may_be_missing.contains(&Variable { side: Side::Only, feature });
        let may_be_missing: Vec<bool> = (0..ensemble.features().len()).map(may_be_missing).collect();
        let (groups, observed) = (groups.clone(), observed.cloned());
        let takes_own = true;
        Ok(Ok(Self {
            conditions,
            resolved,
            groups,
            others,
            domains,
            may_be_missing,
            observed,
            takes_own,
            ties,
            most_changed,
        }))
    }

    /// No conditions but these domains and groups.
    pub fn of_domains(groups: &Groups, domains: Vec<Domain>, may_be_missing: Vec<bool>) -> Self {
        let resolved = Resolved::default();
        Self {
            conditions: vec![],
            groups: groups.clone(),
            others: resolved.clone(),
            resolved,
            observed: None,
            takes_own: false,
            domains,
            may_be_missing,
            ties: vec![],
            most_changed: None,
        }
    }

    /// These conditions, and bounds on distances from the row.
    #[must_use]
    pub fn bounded(mut self, bounds: impl IntoIterator<Item = DistanceLimit>) -> Self {
        self.resolved.bounds.extend(bounds);
        self
    }

    /// Conditions on several features together.
    pub(super) fn across(&self) -> Vec<&Constraint> {
        self.allowed().across()
    }

    /// Refuses conditions that say something of several features together.
    pub(super) fn refuse_several_features(&self) -> Result<(), TaskError> {
        match self.across().is_empty() && self.most_changed.is_none() {
            true => Ok(()),
            false => Err(TaskError::several_features()),
        }
    }

    /// How far away inputs may be, in any norms.
    pub(super) fn bounds(&self) -> &[DistanceLimit] {
        &self.resolved.bounds
    }

    /// The features that may be another than in the row, as far as can be said of all rows.
    pub(crate) fn free(&self, ensemble: &Ensemble, metric: &Metric) -> Vec<usize> {
        let is_tied = |feature: usize| {
            let is_same = |tie: &Constraint| matches!(tie, Constraint::Same { feature: own, .. } if *own == feature);
            self.most_changed == Some(0) || self.ties.iter().any(is_same)
        };
        let is_held = |feature: usize| {
            let is_priced = metric.category_price().is_some() || self.may_be_missing[feature];
            ensemble.features()[feature].is_category() && !is_priced
        };
        (0..ensemble.features().len()).filter(|feature| !is_tied(*feature) && !is_held(*feature)).collect()
    }

    /// Domains of the features for a row, given its readings.
    pub(super) fn domains(&self, row: &[f64], readings: &[Reading]) -> Vec<Domain> {
        let mut domains = self.domains.clone();
        let allowed = self.allowed();
        for (feature, domain) in domains.iter_mut().enumerate().filter(|_| self.takes_own) {
            let seen = self.observed.as_ref().map(|observed| &observed.features[feature]);
            if let Domain::Categories { unknown, .. } = domain {
                *unknown &= seen.is_some_and(|seen| seen.unknown);
            }
            if allowed.leaves(Variable { side: Side::Only, feature }, row[feature], readings[feature]) {
                domain.include(row[feature], readings[feature]);
            }
        }
        for tie in &self.ties {
            match tie {
                Constraint::Same { feature, .. } => {
                    domains[*feature] = only(&domains[*feature], row[*feature], readings[*feature]);
                }
                Constraint::Moved { feature, direction } => {
                    moved(&mut domains[*feature], row[*feature], readings[*feature], *direction);
                }
                _ => {}
            }
        }
        domains
    }

    /// Refuses a row with an infinite value in a sum of features that is a part of a condition.
    pub(super) fn refuse_infinite(&self, ensemble: &Ensemble, row: &[f64]) -> Result<(), TaskError> {
        fn is_summed(constraint: &Constraint, feature: usize) -> bool {
            match constraint {
                Constraint::All(parts) | Constraint::Any(parts) => parts.iter().any(|part| is_summed(part, feature)),
                Constraint::Linear(sum) => sum.terms.iter().any(|(_, variable)| variable.feature == feature),
                _ => false,
            }
        }
        let is_part = |constraint: &&Constraint| !matches!(constraint, Constraint::Linear(_));
        let across: Vec<&Constraint> = self.across().into_iter().filter(is_part).collect();
        let is_refused =
            |feature: &usize| row[*feature].is_infinite() && across.iter().any(|all| is_summed(all, *feature));
        match (0..row.len()).find(is_refused) {
            Some(feature) => {
                let name = &ensemble.features()[feature].name;
                Err(TaskError::Row { row: 0, what: format!("`{name}` is infinite, of which a condition needs a sum") })
            }
            None => Ok(()),
        }
    }

    fn allowed(&self) -> AdmissibleInputs<'_> {
        let Self { conditions, others, groups, observed, .. } = self;
        AdmissibleInputs {
            conditions,
            resolved: others,
            groups,
            observed: observed.as_ref().into(),
            own: None,
            predicate: None,
        }
    }

    /// Tests all conditions on an input, as they are written, with distances of this metric.
    pub(super) fn check(&self, ensemble: &Ensemble, metric: &Metric, from: &[f64], row: &[f64]) -> Result<(), String> {
        self.groups.check(row, ensemble)?;
        let is_too_far = |bound: &&DistanceLimit| !RowBall::bounded(metric, bound).has(ensemble, from, row);
        if let Some(bound) = self.bounds().iter().find(is_too_far) {
            let (norm, limit) = (bound.norm.name(), bound.limit.to_f64());
            return Err(format!("`distance({norm}) <= {limit}` does not hold for {row:?}"));
        }
        let [reference, input] = [from, row].map(|row| ReadRow::new(ensemble, row).map_err(|error| error.to_string()));
        let (reference, input) = (reference?, input?);
        let point = Assignment::One { input: &input, reference: Some(&reference) };
        match self.resolved.conjuncts.iter().find(|conjunct| !conjunct.constraint.holds(point)) {
            Some(broken) => {
                return Err(format!("`{}` does not hold for {row:?}", self.conditions[broken.condition].text));
            }
            None if !self.takes_own => return Ok(()),
            None => {}
        }
        let allowed = AdmissibleInputs { resolved: &self.resolved, own: Some(from), ..self.allowed() };
        for (feature, reading) in input.readings().iter().enumerate() {
            let seen = Seen { raw: row[feature], reading: *reading };
            let stays_missing = *reading == Reading::Missing && reference.readings()[feature] == Reading::Missing;
            if !stays_missing && !is_allowed(&allowed, Variable { side: Side::Only, feature }, &[seen]) {
                return Err(format!("{} is not allowed for `{}`", row[feature], ensemble.features()[feature].name));
            }
        }
        Ok(())
    }
}

/// The part of a domain that is a row's own value.
fn only(domain: &Domain, own: f64, reading: Reading) -> Domain {
    let keep_numbers = |numbers: &NumberSet| match reading {
        Reading::Missing => NumberSet::none(),
        _ => numbers.within(own, own),
    };
    domain.filtered(keep_numbers, |to| to == reading)
}

/// Leaves what lies so to a row's own value.
fn moved(domain: &mut Domain, own: f64, reading: Reading, direction: Movement) {
    let Domain::Numbers { numbers, missing } = domain else { return };
    if reading == Reading::Missing {
        // Missing is neither higher nor lower than missing.
        *numbers = NumberSet::none();
        *missing &= matches!(direction, Movement::AtLeast | Movement::AtMost);
        return;
    }
    *missing = false;
    *numbers = match direction {
        Movement::AtLeast => numbers.within(own, f64::INFINITY),
        Movement::AtMost => numbers.within(f64::NEG_INFINITY, own),
        // Nothing is beyond infinity, but its neighbour is itself.
        Movement::Above if own == f64::INFINITY => NumberSet::none(),
        Movement::Below if own == f64::NEG_INFINITY => NumberSet::none(),
        Movement::Above => numbers.within(own.next_up(), f64::INFINITY),
        Movement::Below => numbers.within(f64::NEG_INFINITY, own.next_down()),
    };
}
