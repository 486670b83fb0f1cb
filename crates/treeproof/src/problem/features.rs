//! The features of one or two models, matched.

use std::collections::{BTreeMap, BTreeSet};

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::input::{Feature, FeatureKind};
use treeproof_language::Groups;
use treeproof_language::suggest::closest_name;

use super::domain::Domain;
use super::one_or_two::OneOrTwo;

/// The features of some models, each once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Features<'a> {
    all: Vec<MatchedFeature<'a>>,
    /// The columns of each group, by their places, ascending.
    groups: Vec<Vec<usize>>,
}

/// A feature of one model, or of both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchedFeature<'a> {
    name: &'a str,
    pub(super) readers: OneOrTwo<ModelFeature>,
    /// For categories that two models number differently: the second model's code for each of the first's.
    codes: Option<BTreeMap<u32, u32>>,
}

/// The place of a feature in one model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModelFeature {
    /// The model.
    pub model: usize,
    /// The place of the feature among its features.
    pub feature: usize,
}

/// Two models whose features do not match.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MismatchError {
    /// Each model has features that the other lacks.
    #[error("the models have different features: only one has `{name}`{hint}; rename or retrain so that they match")]
    Name {
        /// A feature of one of them.
        name: String,
        /// Hint at its name in the other.
        hint: String,
    },
    /// A name of two features of one model.
    #[error("a model has two features `{name}`, so that features cannot be matched by name")]
    Repeated {
        /// The name.
        name: String,
    },
    /// A feature that is a number to one model and a category to the other.
    #[error("`{name}` is a number to one model and a category to the other")]
    Kind {
        /// The feature.
        name: String,
    },
}

impl<'a> Features<'a> {
    /// The features of one model.
    pub fn of(ensemble: &'a Ensemble) -> Self {
        let features = 0..ensemble.features().len();
        Self { all: features.map(|feature| MatchedFeature::of_one(ensemble, 0, feature)).collect(), groups: vec![] }
    }

    /// The features of two models, the first model's in its order, then those of the second alone.
    ///
    /// They are matched by name; one model may have features that the other does not read, but not each. Where no name is
    /// common to both, as with names that libraries make up (`f0`, `Column_0`), they are matched by position.
    pub fn matched(first: &'a Ensemble, second: &'a Ensemble) -> Result<Self, MismatchError> {
        let [mine, others] = [first, second]
            .map(|model| model.features().iter().map(|feature| feature.name.as_str()).collect::<Vec<&str>>());
        for names in [&mine, &others] {
            let mut sorted = names.clone();
            sorted.sort_unstable();
            if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
                return Err(MismatchError::Repeated { name: pair[0].to_owned() });
            }
        }
        let place = |name: &&str| others.iter().position(|other| other == name);
        let mut partners: Vec<Option<usize>> = mine.iter().map(place).collect();
        if partners.iter().all(Option::is_none) && mine.len() == others.len() {
            partners = (0..others.len()).map(Some).collect();
        }
        let surplus: Vec<usize> = (0..others.len()).filter(|other| !partners.contains(&Some(*other))).collect();
        let alone = partners.iter().position(Option::is_none);
        if let (Some(alone), Some(_)) = (alone, surplus.first()) {
            let hint = closest_name(mine[alone], surplus.iter().map(|other| others[*other]));
            let hint = hint.map_or(String::new(), |name| format!(" (is it `{name}` in the other?)"));
            return Err(MismatchError::Name { name: mine[alone].to_owned(), hint });
        }
        let mut features = vec![];
        for (feature, partner) in partners.into_iter().enumerate() {
            let mut matched = MatchedFeature::of_one(first, 0, feature);
            if let Some(partner) = partner {
                let (known, other) = (&first.features()[feature], &second.features()[partner]);
                if known.is_category() != other.is_category() {
                    return Err(MismatchError::Kind { name: known.name.clone() });
                }
                matched.readers = OneOrTwo::Two([matched.first(), ModelFeature { model: 1, feature: partner }]);
                matched.codes = other_codes(known, other);
            }
            features.push(matched);
        }
        features.extend(surplus.into_iter().map(|feature| MatchedFeature::of_one(second, 1, feature)));
        Ok(Self { all: features, groups: vec![] })
    }

    /// Adds groups: some of the first model's features are columns of which exactly one per group is 1, and all others are
    /// 0.
    #[must_use]
    pub fn grouped(mut self, groups: &Groups) -> Self {
        self.groups = groups.iter().map(|group| group.columns.clone()).collect();
        self
    }

    /// The columns of the group that a feature is in, by their places.
    pub(super) fn group_of(&self, place: usize) -> Option<&[usize]> {
        self.groups.iter().find(|columns| columns.binary_search(&place).is_ok()).map(Vec::as_slice)
    }

    /// For each feature every finite number, or every known category; not missing.
    ///
    /// Without names of categories, those that a split of either model lists are known, and one more that stands for all
    /// others.
    pub fn everything(&self, models: &[&Ensemble]) -> Vec<Domain> {
        let domains: Vec<Vec<Domain>> = models.iter().map(|model| Domain::everything(model)).collect();
        let of_feature = |feature: &MatchedFeature<'_>| {
            let mut of_readers = feature.readers().iter().map(|of| &domains[of.model][of.feature]);
            let first = of_readers.next().expect("a feature has readers").clone();
            match (first, of_readers.next()) {
                (Domain::Categories { codes, unknown, missing }, Some(Domain::Categories { codes: others, .. }))
                    if feature.codes.is_none() =>
                {
                    let mut codes: BTreeSet<u32> = codes.into_iter().chain(others.iter().copied()).collect();
                    codes.extend((0..=u32::MAX).find(|code| !codes.contains(code)));
                    Domain::Categories { codes: codes.into_iter().collect(), unknown, missing }
                }
                (first, _) => first,
            }
        };
        self.all.iter().map(of_feature).collect()
    }

    /// The matched features in order.
    pub fn iter(&self) -> impl Iterator<Item = &MatchedFeature<'a>> {
        self.all.iter()
    }

    /// The feature at a place.
    pub(super) fn at(&self, place: usize) -> &MatchedFeature<'a> {
        &self.all[place]
    }

    /// The place of a feature by name.
    pub fn named(&self, name: &str) -> Option<usize> {
        self.all.iter().position(|feature| feature.name == name)
    }
}

impl<'a> MatchedFeature<'a> {
    fn of_one(ensemble: &'a Ensemble, model: usize, feature: usize) -> Self {
        let name = &ensemble.features()[feature].name;
        Self { name, readers: OneOrTwo::One([ModelFeature { model, feature }]), codes: None }
    }

    /// Its name, in the first model that has it.
    pub fn name(&self) -> &'a str {
        self.name
    }

    /// Its places in the models that have it, in their order.
    pub fn readers(&self) -> &[ModelFeature] {
        &self.readers
    }

    /// Its place in the first model that has it.
    pub fn first(&self) -> ModelFeature {
        self.readers[0]
    }

    /// The code of a category in a model, given its code in the first model that has the feature.
    pub fn code_in(&self, model: usize, code: u32) -> Option<u32> {
        match &self.codes {
            Some(codes) if model != self.first().model => codes.get(&code).copied(),
            _ => Some(code),
        }
    }
}

/// Codes of one feature's categories in another: by name where both have names, else by raw value. `None` where a code
/// means the same to both.
fn other_codes(first: &Feature, second: &Feature) -> Option<BTreeMap<u32, u32>> {
    let (FeatureKind::Category(mine), FeatureKind::Category(others)) = (&first.kind, &second.kind) else { return None };
    if !mine.names.is_empty() && !others.names.is_empty() {
        return (mine.names != others.names).then(|| pairs(&mine.names, &others.names));
    }
    // Where no values are listed in the file, a raw value is its own code.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the filter bounds it")]
    let own_code = |raw: f64| Some(raw as u32).filter(|code| f64::from(*code) == raw);
    match (mine.encoding.values(), others.encoding.values()) {
        (Some(mine), Some(others)) => (mine != others).then(|| pairs(mine, others)),
        (Some(mine), None) => Some((0..).zip(mine).filter_map(|(code, raw)| Some((code, own_code(*raw)?))).collect()),
        (None, Some(others)) => {
            Some((0..).zip(others).filter_map(|(code, raw)| Some((own_code(*raw)?, code))).collect())
        }
        (None, None) => None,
    }
}

/// The places of equal elements in two lists.
fn pairs<T: PartialEq>(mine: &[T], others: &[T]) -> BTreeMap<u32, u32> {
    let partner = |element: &T| (0..).zip(others).find(|(_, other)| *other == element).map(|(place, _)| place);
    (0..).zip(mine).filter_map(|(place, element)| Some((place, partner(element)?))).collect()
}
