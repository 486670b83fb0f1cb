//! Confine pass: conditions on single features and data become a domain for each feature, or a conflict.

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
    /// The texts of the conditions, and the names of the data.
    pub(crate) texts: Vec<String>,
    /// The domains that are left, of which one at least is empty.
    pub(crate) domains: Vec<Domain>,
}

/// The domain of every feature of one input under all conditions, given the domains of everything. Conditions on several
/// features together are left to later passes.
pub(crate) fn feature_domains(
    ensemble: &Ensemble,
    side: Side,
    everything: Vec<Domain>,
    allowed: &AdmissibleInputs<'_>,
) -> Result<Vec<Domain>, EmptyDomain> {
    let AdmissibleInputs { conditions, resolved, observed, .. } = *allowed;
    let mut restrictions: Vec<FeatureRestrictions<'_>> = everything
        .into_iter()
        .enumerate()
        .map(|(index, all)| {
            let may_be_missing = resolved.may_be_missing.contains(&Variable { side, feature: index });
            FeatureRestrictions::new(ensemble, index, all, observed.of(side), may_be_missing)
        })
        .collect();
    for conjunct in &resolved.conjuncts {
        let condition = &conditions[conjunct.condition];
        for part in conjunct.requirements() {
            match part {
                Requirement::PerFeature { variable, values, step } if variable.side == side => {
                    restrictions[variable.feature].restrictions.push(Restriction {
                        values,
                        step: step.cloned(),
                        by: &condition.text,
                        is_stated: true,
                    });
                }
                // A condition on one input may be one that the other must meet too.
                Requirement::PerFeature { variable, values, .. } => restrictions[variable.feature].learn(&values),
                Requirement::CrossFeature(part) => learn(part, &mut restrictions),
            }
        }
    }
    let domain = |restrictions: &FeatureRestrictions<'_>| {
        restrictions.domain(&restrictions.restrictions.iter().collect::<Vec<_>>())
    };
    let domains: Vec<Domain> = restrictions.iter().map(domain).collect();
    match domains.iter().position(Domain::is_empty) {
        Some(feature) => Err(EmptyDomain { texts: restrictions[feature].conflict(), domains }),
        None => Ok(domains),
    }
}

/// Adds the categories that a condition on several features names or compares.
fn learn(part: &Constraint, restrictions: &mut [FeatureRestrictions<'_>]) {
    match part {
        Constraint::All(parts) | Constraint::Any(parts) => parts.iter().for_each(|part| learn(part, restrictions)),
        Constraint::Values(variable, values) => restrictions[variable.feature].learn(values),
        Constraint::Same { feature, .. } => restrictions[*feature].compare(),
        Constraint::Changed { units, .. } => {
            units.iter().flatten().for_each(|feature| restrictions[*feature].compare())
        }
        Constraint::Linear(_) | Constraint::Multiple { .. } | Constraint::Count { .. } | Constraint::Moved { .. } => {}
    }
}

/// The restrictions about one feature.
struct FeatureRestrictions<'a> {
    ensemble: &'a Ensemble,
    index: usize,
    /// The values without any restriction.
    base: ValueSet,
    /// Categories that stand for all where the file does not name them.
    known: BTreeSet<u32>,
    /// True if it may be a value that is no category, as some are in data.
    unknown: bool,
    restrictions: Vec<Restriction<'a>>,
}

/// A restriction of values by a condition or by data.
struct Restriction<'a> {
    values: ValueSet,
    /// A step of which numbers must be multiples.
    step: Option<Exact>,
    by: &'a str,
    /// True for a condition, false for data.
    is_stated: bool,
}

impl<'a> FeatureRestrictions<'a> {
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
                // Categories without names that no split lists are known to the user alone.
                let is_open = matches!(&ensemble.features()[index].kind,
                    FeatureKind::Category(known) if known.names.is_empty());
                let codes: BTreeSet<u32> = codes.into_iter().collect();
                let everything = if is_open { Present::every_category() } else { only(codes.clone()) };
                (everything, codes)
            }
        };
        let mut restrictions = Self {
            ensemble,
            index,
            base: ValueSet { present: everything, missing },
            known,
            unknown: unknown || seen.is_some_and(|seen| seen.unknown),
            restrictions: vec![],
        };
        if let Some((observed, seen)) = observed.zip(seen) {
            let present = match restrictions.base.present {
                Present::Numbers(_) => Present::numbers([Range { low: seen.low, high: seen.high }]),
                Present::Categories(_) => only(seen.codes.clone()),
            };
            let values = ValueSet { present, missing };
            restrictions.restrictions.push(Restriction {
                values,
                step: seen.step(),
                by: &observed.label,
                is_stated: false,
            });
        }
        restrictions
    }

    /// Adds categories that a condition on several features names, if no other source names any.
    fn learn(&mut self, values: &ValueSet) {
        let Present::Categories(CategorySet::Only(named) | CategorySet::Except(named)) = &values.present else {
            return;
        };
        if self.is_open() {
            self.known.extend(named);
            // One category without a name stands for all others.
            let another = self.another(&BTreeSet::new());
            self.known.extend(another);
        }
    }

    /// Makes sure that two inputs can have different categories without names.
    fn compare(&mut self) {
        for _ in 0..2 {
            let another = self.another(&BTreeSet::new()).filter(|_| self.is_open());
            self.known.extend(another);
        }
    }

    /// True if the user knows categories that the model does not.
    fn is_open(&self) -> bool {
        matches!(&self.base.present, Present::Categories(CategorySet::Except(_)))
    }

    fn feature(&self) -> &'a Feature {
        &self.ensemble.features()[self.index]
    }

    /// The values left by some restrictions, as the library accepts them.
    fn domain(&self, restrictions: &[&Restriction<'_>]) -> Domain {
        let values =
            restrictions.iter().fold(self.base.clone(), |values, restriction| values.intersection(&restriction.values));
        let missing = values.missing;
        let domain = match values.present {
            Present::Numbers(ranges) => {
                let steps = restrictions.iter().filter_map(|restriction| restriction.step.clone()).collect();
                Domain::Numbers { numbers: NumberSet::new(ranges, steps), missing }
            }
            Present::Categories(set) => {
                let stated = restrictions.iter().filter(|restriction| restriction.is_stated);
                let mut allow_unknown =
                    stated.map(|restriction| restriction.values.contains(f64::NAN, Reading::NoCategory));
                let unknown = self.unknown && allow_unknown.all(|allowed| allowed);
                Domain::Categories { codes: self.codes(set).into_iter().collect(), unknown, missing }
            }
        };
        domain.accepted(self.feature(), self.ensemble.input())
    }

    /// Codes of a set of categories; one without a name stands for all such.
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

    /// A minimal set of restrictions that leave no value together.
    fn conflict(&self) -> Vec<String> {
        // Conditions come first: they matter most to the user.
        let mut needed: Vec<&Restriction<'_>> = self.restrictions.iter().collect();
        needed.sort_by_key(|restriction| !restriction.is_stated);
        let mut index = needed.len();
        while index > 0 {
            index -= 1;
            let restriction = needed.remove(index);
            if !self.domain(&needed).is_empty() {
                needed.insert(index, restriction);
            }
        }
        // A restriction that is satisfiable by itself contradicts the values without any restriction.
        let is_alone = needed.len() < 2 && !needed.iter().any(|restriction| restriction.values.is_empty());
        let mut texts: Vec<String> = vec![];
        for restriction in needed {
            if !texts.iter().any(|text| text == restriction.by) {
                texts.push(restriction.by.to_owned());
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
