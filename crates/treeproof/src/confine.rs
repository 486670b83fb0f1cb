//! From conditions and observed data to the values that each feature may take, and to what contradicts what.

use std::collections::BTreeSet;

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::input::{CategoryEncoding, Feature, FeatureKind};

use crate::compile::Domain;
use crate::language::{Condition, Fact, FeatureName, LanguageError, category_code, feature_named};
use crate::observed::Observed;

/// The domains, or the texts of what contradicts each other.
pub(crate) type Confined = Result<Vec<Domain>, Vec<String>>;

/// The domain of every feature under all conditions.
pub(crate) fn confine(
    ensemble: &Ensemble,
    conditions: &[Condition],
    observed: Option<&Observed>,
) -> Result<Confined, LanguageError> {
    let mut claims: Vec<Claim> = Domain::everything(ensemble)
        .into_iter()
        .enumerate()
        .map(|(index, all)| Claim::new(index, all, observed))
        .collect();
    for condition in conditions {
        for fact in &condition.facts {
            let index = feature_named(ensemble, condition, fact.name())?;
            claims[index].add(ensemble, &ensemble.features()[index], condition, fact)?;
        }
    }
    let mut domains = vec![];
    for (claim, feature) in claims.into_iter().zip(ensemble.features()) {
        let domain = claim.domain().accepted(feature, ensemble.input());
        if domain.is_empty() {
            return Ok(Err(claim.conflict(feature)));
        }
        domains.push(domain);
    }
    Ok(Ok(domains))
}

/// What is claimed about one feature.
struct Claim {
    low: f64,
    high: f64,
    codes: BTreeSet<u32>,
    is_category: bool,
    unknown: bool,
    /// Missing in the data.
    was_missing: bool,
    /// Some condition is about its value.
    has_value: bool,
    must_be_missing: bool,
    may_be_missing: bool,
    /// What drew the low end, the high end, or anything else.
    low_by: Option<String>,
    high_by: Option<String>,
    others: Vec<String>,
}

impl Claim {
    fn new(index: usize, everything: Domain, observed: Option<&Observed>) -> Self {
        let mut claim = Self {
            low: f64::NEG_INFINITY,
            high: f64::INFINITY,
            codes: BTreeSet::new(),
            is_category: false,
            unknown: false,
            was_missing: false,
            has_value: false,
            must_be_missing: false,
            may_be_missing: false,
            low_by: None,
            high_by: None,
            others: vec![],
        };
        match everything {
            Domain::Numbers { low, high, .. } => (claim.low, claim.high) = (low, high),
            Domain::Categories { codes, .. } => {
                (claim.codes, claim.is_category) = (codes.into_iter().collect(), true);
            }
        }
        if let Some(observed) = observed {
            let feature = &observed.features[index];
            (claim.low, claim.high, claim.codes) = (feature.low, feature.high, feature.codes.clone());
            (claim.unknown, claim.was_missing) = (feature.unknown, feature.missing);
            let label = Some(observed.label.clone());
            (claim.low_by, claim.high_by) = (label.clone(), label.clone());
            claim.others.extend(label.filter(|_| claim.is_category));
        }
        claim
    }

    fn add(
        &mut self,
        ensemble: &Ensemble,
        feature: &Feature,
        condition: &Condition,
        fact: &Fact,
    ) -> Result<(), LanguageError> {
        let by = || Some(condition.text.clone());
        match fact {
            Fact::Between { name, low, high } => {
                if self.is_category {
                    let what = format!("`{}` has categories, which have no order; write `in {{…}}`", name.text);
                    return Err(condition.error(name.at, what));
                }
                self.has_value = true;
                if let Some(low) = low.map(|low| low.least()).filter(|low| *low > self.low) {
                    (self.low, self.low_by) = (low, by());
                }
                if let Some(high) = high.map(|high| high.greatest()).filter(|high| *high < self.high) {
                    (self.high, self.high_by) = (high, by());
                }
            }
            Fact::OneOf { values, .. } if self.is_category => {
                self.has_value = true;
                let code = |value| category_code(feature, ensemble.input(), condition, value);
                let codes: BTreeSet<u32> = values.iter().map(code).collect::<Result<_, _>>()?;
                // Unnamed categories that no split lists are known to nobody but the user.
                let is_open = matches!(&feature.kind, FeatureKind::Category(known) if known.names.is_empty());
                let is_first = self.others.is_empty();
                self.codes = if is_open && is_first { codes } else { &self.codes & &codes };
                self.unknown = false;
                self.others.extend(by());
            }
            Fact::OneOf { values, .. } => {
                self.has_value = true;
                if let Some(second) = values.get(1) {
                    return Err(condition.error(second.at, "sets of numbers: not supported yet; write a range"));
                }
                let Some(number) = values[0].number else {
                    category_code(feature, ensemble.input(), condition, &values[0])?;
                    return Ok(());
                };
                if number > self.low {
                    (self.low, self.low_by) = (number, by());
                }
                if number < self.high {
                    (self.high, self.high_by) = (number, by());
                }
                if (self.low, self.high) != (number, number) {
                    self.others.extend(by());
                }
            }
            Fact::Missing(name) => {
                can_be_missing(ensemble, feature, condition, name)?;
                self.must_be_missing = true;
                self.others.extend(by());
            }
            Fact::MaybeMissing(name) => {
                can_be_missing(ensemble, feature, condition, name)?;
                self.may_be_missing = true;
            }
        }
        Ok(())
    }

    fn domain(&self) -> Domain {
        // A comparison speaks of a value that is there, unless it is said that there may be none.
        let missing = match (self.must_be_missing, self.may_be_missing) {
            (true, may) => may || !self.has_value,
            (false, true) => true,
            (false, false) => self.was_missing && !self.has_value,
        };
        match (self.is_category, self.must_be_missing) {
            (false, true) => Domain::Numbers { low: f64::INFINITY, high: f64::NEG_INFINITY, missing },
            (false, false) => Domain::Numbers { low: self.low, high: self.high, missing },
            (true, true) => Domain::Categories { codes: vec![], unknown: false, missing },
            (true, false) => {
                Domain::Categories { codes: self.codes.iter().copied().collect(), unknown: self.unknown, missing }
            }
        }
    }

    /// The claims that leave nothing.
    fn conflict(self, feature: &Feature) -> Vec<String> {
        let mut texts: Vec<String> = vec![];
        let all = [self.low_by, self.high_by].into_iter().flatten().chain(self.others);
        for text in all {
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        if texts.len() < 2 {
            texts.push(format!("what the model's library takes as a value of {}", feature.name));
        }
        texts
    }
}

fn can_be_missing(
    ensemble: &Ensemble,
    feature: &Feature,
    condition: &Condition,
    name: &FeatureName,
) -> Result<(), LanguageError> {
    let is_position =
        matches!(&feature.kind, FeatureKind::Category(known) if known.encoding == CategoryEncoding::Position);
    if ensemble.input().accepts_missing && !is_position {
        return Ok(());
    }
    Err(condition.error(name.at, format!("the model's library refuses missing values of `{}`", feature.name)))
}
