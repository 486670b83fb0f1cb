//! From conditions to the values that each feature may take, and to what contradicts what.

use std::collections::BTreeSet;

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::input::{Feature, FeatureKind, Reading};

use crate::compile::Domain;
use crate::language::{
    CategorySet, Condition, Conjunct, Constraint, LanguageError, Present, Range, Resolved, Side, ValueSet, Variable,
};
use crate::observed::Observed;

/// The domains, or the texts of what contradicts each other.
pub(crate) type Confined = Result<Vec<Domain>, Vec<String>>;

/// The domain of every feature under all conditions. An error if a condition is about more than one feature, or no
/// domain can express it.
pub(crate) fn confine(
    ensemble: &Ensemble,
    conditions: &[Condition],
    resolved: &Resolved,
    observed: Option<&Observed>,
) -> Result<Confined, LanguageError> {
    let mut claims: Vec<Claims<'_>> = Domain::everything(ensemble)
        .into_iter()
        .enumerate()
        .map(|(index, all)| {
            let may_be_missing = resolved.may_be_missing.contains(&Variable { side: Side::Only, feature: index });
            Claims::new(ensemble, index, all, observed, may_be_missing)
        })
        .collect();
    for conjunct in &resolved.conjuncts {
        let condition = &conditions[conjunct.condition];
        for (variable, values) in values(conjunct, condition)? {
            claims[variable.feature].add(values, condition, conjunct);
        }
    }
    let mut domains = vec![];
    for claims in claims {
        let everyone: Vec<&Claim<'_>> = claims.claims.iter().collect();
        match claims.domain(&everyone) {
            None => return Err(claims.too_many_ranges()),
            Some(domain) if domain.is_empty() => return Ok(Err(claims.conflict())),
            Some(domain) => domains.push(domain),
        }
    }
    Ok(Ok(domains))
}

/// The values that a conjunct leaves to each feature, if that is all it says.
fn values<'c>(conjunct: &'c Conjunct, condition: &Condition) -> Result<Vec<(Variable, &'c ValueSet)>, LanguageError> {
    let parts = match &conjunct.constraint {
        Constraint::All(parts) => parts.as_slice(),
        part => std::slice::from_ref(part),
    };
    let values = parts.iter().map(|part| match part {
        Constraint::Values(variable, values) => Ok((*variable, values)),
        part => Err(condition.error(conjunct.at, format!("{}: not supported yet", kind(part)))),
    });
    values.collect()
}

/// What people call a constraint that is about more than the values of a feature.
fn kind(constraint: &Constraint) -> &'static str {
    match constraint {
        Constraint::Any(parts) if parts.is_empty() => "a condition that nothing meets",
        Constraint::All(_) | Constraint::Any(_) => "`or` between different features",
        Constraint::Multiple { .. } => "`integer` and `step`",
        Constraint::Linear(_) => "a sum of several features",
        Constraint::Count { .. } => "counting columns",
        _ => "comparing inputs",
    }
}

/// What is claimed about one feature.
struct Claims<'a> {
    ensemble: &'a Ensemble,
    index: usize,
    /// What there is without any claim.
    base: ValueSet,
    /// Categories that stand for all where the file does not name them.
    known: BTreeSet<u32>,
    /// Whether data shows values that are no category.
    unknown: bool,
    claims: Vec<Claim<'a>>,
}

/// Values that someone leaves.
struct Claim<'a> {
    values: ValueSet,
    by: &'a str,
    /// Where conditions say it.
    at: Option<(&'a Condition, &'a Conjunct)>,
}

impl<'a> Claims<'a> {
    fn new(
        ensemble: &'a Ensemble,
        index: usize,
        everything: Domain,
        observed: Option<&'a Observed>,
        may_be_missing: bool,
    ) -> Self {
        let seen = observed.map(|observed| &observed.features[index]);
        let missing = may_be_missing || seen.is_some_and(|seen| seen.missing);
        let (everything, known) = match everything {
            Domain::Numbers { low, high, .. } => (Present::numbers([Range { low, high }]), BTreeSet::new()),
            Domain::Categories { codes, .. } => {
                // Unnamed categories that no split lists are known to nobody but the user.
                let is_open = matches!(&ensemble.features()[index].kind,
                    FeatureKind::Category(known) if known.names.is_empty());
                let codes: BTreeSet<u32> = codes.into_iter().collect();
                let everything = if is_open { Present::every_category() } else { only(codes.clone()) };
                (everything, codes)
            }
        };
        let mut claims = Self {
            ensemble,
            index,
            base: ValueSet { present: everything, missing },
            known,
            unknown: seen.is_some_and(|seen| seen.unknown),
            claims: vec![],
        };
        if let Some((observed, seen)) = observed.zip(seen) {
            let present = match claims.base.present {
                Present::Numbers(_) => Present::numbers([Range { low: seen.low, high: seen.high }]),
                Present::Categories(_) => only(seen.codes.clone()),
            };
            claims.claims.push(Claim { values: ValueSet { present, missing }, by: &observed.label, at: None });
        }
        claims
    }

    fn add(&mut self, values: &ValueSet, condition: &'a Condition, conjunct: &'a Conjunct) {
        self.claims.push(Claim { values: values.clone(), by: &condition.text, at: Some((condition, conjunct)) });
    }

    fn feature(&self) -> &'a Feature {
        &self.ensemble.features()[self.index]
    }

    /// The values that some of the claims leave, as the library accepts them. None if they are several ranges.
    fn domain(&self, claims: &[&Claim<'_>]) -> Option<Domain> {
        let values = claims.iter().fold(self.base.clone(), |values, claim| values.intersection(&claim.values));
        let missing = values.missing;
        let domain = match values.present {
            Present::Numbers(ranges) => match ranges[..] {
                [] => Domain::Numbers { low: f64::INFINITY, high: f64::NEG_INFINITY, missing },
                [Range { low, high }] => Domain::Numbers { low, high, missing },
                _ => return None,
            },
            Present::Categories(set) => {
                let stated = claims.iter().filter(|claim| claim.at.is_some());
                let mut allow_unknown = stated.map(|claim| claim.values.contains(f64::NAN, Reading::NoCategory));
                let unknown = self.unknown && allow_unknown.all(|allowed| allowed);
                Domain::Categories { codes: self.codes(set).into_iter().collect(), unknown, missing }
            }
        };
        Some(domain.accepted(self.feature(), self.ensemble.input()))
    }

    /// The categories of a set; of those that nobody knows, one stands for all.
    fn codes(&self, set: CategorySet) -> BTreeSet<u32> {
        match set {
            CategorySet::Only(codes) => codes,
            CategorySet::Except(others) => {
                let mut codes = &self.known - &others;
                if codes.len() < self.known.len() {
                    codes.extend((0..=u32::MAX).find(|code| !self.known.contains(code) && !others.contains(code)));
                }
                codes
            }
        }
    }

    /// The claims that leave nothing together, and none of which can be left out.
    fn conflict(&self) -> Vec<String> {
        // Conditions first: who asked reads them first.
        let mut needed: Vec<&Claim<'_>> = self.claims.iter().collect();
        needed.sort_by_key(|claim| claim.at.is_none());
        let mut index = needed.len();
        while index > 0 {
            index -= 1;
            let claim = needed.remove(index);
            if !self.domain(&needed).is_some_and(|domain| domain.is_empty()) {
                needed.insert(index, claim);
            }
        }
        let mut texts: Vec<String> = vec![];
        for claim in needed {
            if !texts.iter().any(|text| text == claim.by) {
                texts.push(claim.by.to_owned());
            }
        }
        if texts.len() < 2 {
            texts.push(format!("what the model's library takes as a value of {}", self.feature().name));
        }
        texts
    }

    fn too_many_ranges(&self) -> LanguageError {
        let is_cause =
            |claim: &&Claim<'_>| matches!(&claim.values.present, Present::Numbers(ranges) if ranges.len() > 1);
        let cause = self.claims.iter().find(is_cause).and_then(|claim| claim.at);
        let (condition, conjunct) = cause.expect("ranges that are one each have one range in common");
        condition.error(conjunct.at, "several ranges of one feature: not supported yet; write one range")
    }
}

fn only(codes: BTreeSet<u32>) -> Present {
    Present::Categories(CategorySet::Only(codes))
}
