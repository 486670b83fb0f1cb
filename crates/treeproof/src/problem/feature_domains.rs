//! From conditions to the values that each feature may take, and to what contradicts what.

use std::collections::BTreeSet;

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::input::{Feature, FeatureKind, Reading};
use treeproof_ensemble::values::{CategorySet, Present, Range, ValueSet};
use treeproof_language::Requirement;
use treeproof_language::{Constraint, Side, Variable};

use super::admissible::AdmissibleInputs;
use super::domain::{Domain, another_category};
use super::number_set::NumberSet;
use super::observed::Observed;

/// Conditions and data that leave a feature no value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct EmptyDomain {
    /// Their texts.
    pub(crate) texts: Vec<String>,
    /// What is left of every feature: of some nothing.
    pub(crate) domains: Vec<Domain>,
}

/// The domain of every feature of one input under all conditions, of everything that there is. What conditions say of
/// several features together, no domain expresses: that is left to others.
pub(crate) fn feature_domains(
    ensemble: &Ensemble,
    side: Side,
    everything: Vec<Domain>,
    allowed: &AdmissibleInputs<'_>,
) -> Result<Vec<Domain>, EmptyDomain> {
    let AdmissibleInputs { conditions, resolved, observed, .. } = *allowed;
    let mut claims: Vec<Claims<'_>> = everything
        .into_iter()
        .enumerate()
        .map(|(index, all)| {
            let may_be_missing = resolved.may_be_missing.contains(&Variable { side, feature: index });
            Claims::new(ensemble, index, all, observed.of(side), may_be_missing)
        })
        .collect();
    for conjunct in &resolved.conjuncts {
        let condition = &conditions[conjunct.condition];
        for part in conjunct.requirements() {
            match part {
                Requirement::PerFeature { variable, values, step } if variable.side == side => {
                    claims[variable.feature].claims.push(Claim {
                        values,
                        step: step.cloned(),
                        by: &condition.text,
                        is_stated: true,
                    });
                }
                // What is said of one input may be what the other must have too.
                Requirement::PerFeature { variable, values, .. } => claims[variable.feature].learn(&values),
                Requirement::CrossFeature(part) => learn(part, &mut claims),
            }
        }
    }
    let domain = |claims: &Claims<'_>| claims.domain(&claims.claims.iter().collect::<Vec<_>>());
    let domains: Vec<Domain> = claims.iter().map(domain).collect();
    match domains.iter().position(Domain::is_empty) {
        Some(feature) => Err(EmptyDomain { texts: claims[feature].conflict(), domains }),
        None => Ok(domains),
    }
}

/// Takes in the categories that a condition on several features names, or compares.
fn learn(part: &Constraint, claims: &mut [Claims<'_>]) {
    match part {
        Constraint::All(parts) | Constraint::Any(parts) => parts.iter().for_each(|part| learn(part, claims)),
        Constraint::Values(variable, values) => claims[variable.feature].learn(values),
        Constraint::Same { feature, .. } => claims[*feature].compare(),
        Constraint::Changed { units, .. } => units.iter().flatten().for_each(|feature| claims[*feature].compare()),
        Constraint::Linear(_) | Constraint::Multiple { .. } | Constraint::Count { .. } | Constraint::Moved { .. } => {}
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
    /// Whether it may be a value that is no category, as some are in data.
    unknown: bool,
    claims: Vec<Claim<'a>>,
}

/// Values that someone leaves.
struct Claim<'a> {
    values: ValueSet,
    /// Of numbers, that they are multiples of this.
    step: Option<Exact>,
    by: &'a str,
    /// Whether a condition says it.
    is_stated: bool,
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
        let unknown = matches!(everything, Domain::Categories { unknown: true, .. });
        let missing = may_be_missing || seen.is_some_and(|seen| seen.missing);
        let (everything, known) = match everything {
            Domain::Numbers { numbers, .. } => (Present::numbers(numbers.ranges().iter().copied()), BTreeSet::new()),
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
            unknown: unknown || seen.is_some_and(|seen| seen.unknown),
            claims: vec![],
        };
        if let Some((observed, seen)) = observed.zip(seen) {
            let present = match claims.base.present {
                Present::Numbers(_) => Present::numbers([Range { low: seen.low, high: seen.high }]),
                Present::Categories(_) => only(seen.codes.clone()),
            };
            let values = ValueSet { present, missing };
            claims.claims.push(Claim { values, step: seen.step(), by: &observed.label, is_stated: false });
        }
        claims
    }

    /// Takes in categories that a condition on several features names, where nobody else does.
    fn learn(&mut self, values: &ValueSet) {
        let Present::Categories(CategorySet::Only(named) | CategorySet::Except(named)) = &values.present else {
            return;
        };
        if self.is_open() {
            self.known.extend(named);
            // One that is not named stands for all others.
            let another = self.another(&BTreeSet::new());
            self.known.extend(another);
        }
    }

    /// Makes sure that two inputs can have different categories that nobody names.
    fn compare(&mut self) {
        for _ in 0..2 {
            let another = self.another(&BTreeSet::new()).filter(|_| self.is_open());
            self.known.extend(another);
        }
    }

    /// Whether the user knows categories that the model does not.
    fn is_open(&self) -> bool {
        matches!(&self.base.present, Present::Categories(CategorySet::Except(_)))
    }

    fn feature(&self) -> &'a Feature {
        &self.ensemble.features()[self.index]
    }

    /// The values that some of the claims leave, as the library accepts them.
    fn domain(&self, claims: &[&Claim<'_>]) -> Domain {
        let values = claims.iter().fold(self.base.clone(), |values, claim| values.intersection(&claim.values));
        let missing = values.missing;
        let domain = match values.present {
            Present::Numbers(ranges) => {
                let steps = claims.iter().filter_map(|claim| claim.step.clone()).collect();
                Domain::Numbers { numbers: NumberSet::new(ranges, steps), missing }
            }
            Present::Categories(set) => {
                let stated = claims.iter().filter(|claim| claim.is_stated);
                let mut allow_unknown = stated.map(|claim| claim.values.contains(f64::NAN, Reading::NoCategory));
                let unknown = self.unknown && allow_unknown.all(|allowed| allowed);
                Domain::Categories { codes: self.codes(set).into_iter().collect(), unknown, missing }
            }
        };
        domain.accepted(self.feature(), self.ensemble.input())
    }

    /// The categories of a set; of those that nobody knows, one stands for all.
    fn codes(&self, set: CategorySet) -> BTreeSet<u32> {
        match set {
            CategorySet::Only(codes) => codes,
            CategorySet::Except(others) => {
                let mut codes = &self.known - &others;
                if codes.len() < self.known.len() {
                    codes.extend(self.another(&others));
                }
                codes
            }
        }
    }

    /// A category that is neither known nor one of these.
    fn another(&self, others: &BTreeSet<u32>) -> Option<u32> {
        let is_known = |code: u32| self.known.contains(&code) || others.contains(&code);
        another_category(self.feature(), self.ensemble.input(), is_known)
    }

    /// The claims that leave nothing together, and none of which can be left out.
    fn conflict(&self) -> Vec<String> {
        // Conditions first: who asked reads them first.
        let mut needed: Vec<&Claim<'_>> = self.claims.iter().collect();
        needed.sort_by_key(|claim| !claim.is_stated);
        let mut index = needed.len();
        while index > 0 {
            index -= 1;
            let claim = needed.remove(index);
            if !self.domain(&needed).is_empty() {
                needed.insert(index, claim);
            }
        }
        // What leaves something by itself contradicts what there is without any claim.
        let is_alone = needed.len() < 2 && !needed.iter().any(|claim| claim.values.is_empty());
        let mut texts: Vec<String> = vec![];
        for claim in needed {
            if !texts.iter().any(|text| text == claim.by) {
                texts.push(claim.by.to_owned());
            }
        }
        if is_alone {
            texts.push(format!("what the model's library takes as a value of {}", self.feature().name));
        }
        texts
    }
}

fn only(codes: BTreeSet<u32>) -> Present {
    Present::Categories(CategorySet::Only(codes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use treeproof_ensemble::load::{LoadOptions, load_bytes};
    use treeproof_language::{Condition, Groups, Inputs, Resolved, Vocabulary};

    fn model() -> Ensemble {
        let model = br#"{"treeproof": 1, "source": {"format": "treeproof JSON"},
            "features": [{"name": "x", "kind": "numeric"}, {"name": "y", "kind": "numeric"},
                {"name": "code", "kind": "category", "encoding": {"rule": "lightgbm"}}],
            "input": {"precision": "f64", "accepts_missing": true, "accepts_infinite": true, "absent": "zero"},
            "num_outputs": 1,
            "aggregate": {"rule": "sum", "precision": "f64", "base": [0], "base_position": "first", "fixed_order": true},
            "link": {"function": "identity"}, "label": {"rule": "none"}, "classes": [],
            "trees": [{"left": [1, -1, -1], "right": [2, -1, -1], "feature": [0, -1, -1], "test": "<",
                       "threshold": [40, 0, 0], "missing_left": [1, 0, 0], "output": 0, "value": [0, -1.0, 2.0]}]}"#;
        load_bytes(model, &LoadOptions::default()).unwrap()
    }

    fn confined(texts: &[&str]) -> Result<Vec<Domain>, EmptyDomain> {
        let (model, groups) = (model(), Groups::default());
        let conditions: Vec<Condition> = texts.iter().map(|text| Condition::parse(text).unwrap()).collect();
        let resolved = Resolved::new(&conditions, &Vocabulary::new(&model, &groups, Inputs::One)).unwrap();
        let allowed = AdmissibleInputs {
            conditions: &conditions,
            resolved: &resolved,
            groups: &groups,
            observed: None.into(),
            own: None,
            predicate: None,
        };
        let everything = Domain::everything(&model);
        feature_domains(&model, Side::Only, everything, &allowed)
    }

    fn domain(texts: &[&str], feature: usize) -> Domain {
        confined(texts).unwrap()[feature].clone()
    }

    #[test]
    fn what_is_about_one_feature_is_a_domain() {
        let x = |texts: &[&str]| match domain(texts, 0) {
            Domain::Numbers { numbers, missing } => {
                let (low, high) = numbers.ends().unwrap_or((f64::INFINITY, f64::NEG_INFINITY));
                (low, high, missing)
            }
            other => panic!("{other:?}"),
        };
        assert_eq!(x(&[]), (-f64::MAX, f64::MAX, false));
        assert_eq!(x(&["x in {1, 2}", "x < 2"]), (1.0, 1.0, false));
        assert_eq!(x(&["not (x < 1 or x > 2) and y < 3"]), (1.0, 2.0, false));
        assert_eq!(x(&["x != 3", "x <= 3", "maybemissing(x)"]), (-f64::MAX, 3.0_f64.next_down(), true));
        assert_eq!(x(&["missing(x) or 2*x == 4"]), (2.0, 2.0, true));
        assert_eq!(x(&["missing(x)"]), (f64::INFINITY, f64::NEG_INFINITY, true));
        assert_eq!(x(&["0.5 < x < 3.5 and integer(x)", "maybemissing(x)"]), (1.0, 3.0, true));
        let numbers = |texts: &[&str]| match domain(texts, 0) {
            Domain::Numbers { numbers, .. } => numbers,
            other => panic!("{other:?}"),
        };
        let several = numbers(&["x in {1, 2, 5}", "x != 2", "y < 3 and onehot(x, y) or x > 0"]);
        assert!([1.0, 5.0].iter().all(|x| several.contains(*x)) && ![2.0, 3.0].iter().any(|x| several.contains(*x)));
        let halves = numbers(&["step(x, 0.5)", "x < 1 or x > 2"]);
        assert!([0.5, 2.5].iter().all(|x| halves.contains(*x)) && ![1.0, 0.25].iter().any(|x| halves.contains(*x)));
    }

    #[test]
    fn what_no_domain_expresses_is_left_to_others() {
        let everything = confined(&[]);
        for text in ["x + y == 3", "abs(x - y) < 3", "(x + y < 3 and x < 2) or y < 1", "not integer(x)"] {
            assert_eq!(confined(&[text]), everything, "{text}");
        }
    }

    #[test]
    fn a_conflict_names_only_what_is_needed() {
        let conflict = |texts: &[&str]| confined(texts).unwrap_err().texts;
        assert_eq!(conflict(&["x < 9", "x > 3", "y < 1", "x in {1, 2}"]), ["x > 3", "x in {1, 2}"]);
        assert_eq!(conflict(&["x < 1 and x > 2"]), ["x < 1 and x > 2"]);
        assert_eq!(conflict(&["2 < x < 1"]), ["2 < x < 1"]);
        assert_eq!(conflict(&["0 < x", "x < 1", "integer(x)"]), ["0 < x", "x < 1", "integer(x)"]);
    }

    #[test]
    fn unnamed_categories_are_what_the_user_knows() {
        let codes = |text: &str| match domain(&[text], 2) {
            Domain::Categories { codes, .. } => codes,
            other => panic!("{other:?}"),
        };
        assert_eq!(codes("code in {7, 9}"), [7, 9]);
        assert_eq!(codes("x < 1"), [0], "one stands for all");
        assert_eq!(codes("code not in {0, 1}"), [2]);
        assert_eq!(codes("code == 7 or x < 1"), [0, 1, 7], "one more stands for all others");
    }
}
