//! The names that conditions may use: features, groups, categories, sides.

use std::collections::HashMap;

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::input::{CategoryEncoding, CategoryType, Feature, FeatureKind, Reading};

use super::expression::{FeatureName, NamePattern, Position, Quoting, Side, WrittenValue};
use super::families::families;
use super::glob::is_match;
use super::groups::{Group, Groups};
use super::suggest::{list, quote, suggestion};

/// The names that conditions may use.
#[derive(Clone, Debug)]
pub struct Vocabulary<'m> {
    ensemble: &'m Ensemble,
    groups: &'m Groups,
    inputs: Inputs,
    by_name: HashMap<&'m str, usize>,
    /// True if `f0`, `f1`, … are positions: no feature or group has a name of this form.
    is_counted: bool,
}

/// The inputs of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inputs {
    /// One input.
    One,
    /// One input and a reference row.
    WithReference,
    /// Two inputs, `a` and `b`.
    Two,
}

/// Columns that a condition names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NamedColumns {
    /// The side, if one is written.
    pub(super) side: Option<Side>,
    /// A feature, or the columns of a group.
    pub(super) columns: Vec<usize>,
    pub(super) at: Position,
}

impl Inputs {
    /// The inputs whose values a condition without sides is about.
    pub(super) fn sides(self) -> &'static [Side] {
        match self {
            Self::Two => &[Side::A, Side::B],
            Self::One | Self::WithReference => &[Side::Only],
        }
    }
}

/// Errors are messages; the caller adds the place in the condition.
impl<'m> Vocabulary<'m> {
    /// The features and groups of a model.
    pub fn new(ensemble: &'m Ensemble, groups: &'m Groups, inputs: Inputs) -> Self {
        let names = ensemble.features().iter().enumerate().rev();
        // The first of equal names wins.
        let by_name = names.map(|(index, feature)| (feature.name.as_str(), index)).collect();
        let features = ensemble.features().iter().map(|feature| feature.name.as_str());
        let mut names = features.chain(groups.iter().map(|group| group.name.as_str()));
        let is_counted = !names.any(looks_counted);
        Self { ensemble, groups, inputs, by_name, is_counted }
    }

    /// Takes the names of a second model into account: none of them is a position in the first.
    #[must_use]
    pub fn beside(mut self, second: &Ensemble) -> Self {
        self.is_counted &= !second.features().iter().any(|feature| looks_counted(&feature.name));
        self
    }

    /// The inputs of the question.
    pub fn inputs(&self) -> Inputs {
        self.inputs
    }

    /// The feature of a name, as in conditions; an error with a suggestion if there is none.
    pub fn feature_called(&self, text: &str) -> Result<usize, String> {
        let name = bare_name(text);
        self.one_feature(&name, || self.unknown(&name, false)).map(|(_, feature)| feature)
    }

    /// The feature or all columns of the group of a name; a single column of a group is an error.
    pub fn columns_called(&self, text: &str) -> Result<Vec<usize>, String> {
        let name = bare_name(text);
        match (self.find(&name), self.group(&name)) {
            (None, Some((_, group))) => Ok(group.columns.clone()),
            (None, None) => Err(self.unknown(&name, true)),
            (Some((_, feature)), _) => match self.groups.of(feature) {
                Some(group) => {
                    let group = quote(&group.name);
                    Err(format!("{} is a column of group {group}: name the group", quote(&name.text)))
                }
                None => Ok(vec![feature]),
            },
        }
    }

    /// The features that match a pattern or have a name; an error if there is none.
    pub fn features_like(&self, pattern: &str) -> Result<Vec<usize>, String> {
        if !pattern.contains(['*', '?']) || pattern.starts_with('`') {
            return self.feature_called(pattern).map(|feature| vec![feature]);
        }
        let like = self.like(pattern);
        if like.is_empty() { Err(self.no_feature_like(pattern)) } else { Ok(like) }
    }

    /// The features that match a pattern.
    fn like(&self, pattern: &str) -> Vec<usize> {
        let features = self.ensemble.features().iter().enumerate();
        features.filter(|(_, feature)| is_match(&feature.name, pattern)).map(|(index, _)| index).collect()
    }

    fn no_feature_like(&self, pattern: &str) -> String {
        let what = format!("the model has no feature like {}", quote(pattern));
        let names = || self.ensemble.features().iter().map(|feature| feature.name.as_str());
        what + &suggestion(&pattern.replace(['*', '?'], ""), names)
    }

    pub(super) fn groups(&self) -> &'m Groups {
        self.groups
    }

    /// The group of a name, unless a feature has it, and the side if one is written.
    pub(super) fn group(&self, name: &FeatureName) -> Option<(Option<Side>, &'m Group)> {
        let group = self.groups.named(self.bare(name)).filter(|_| self.find(name).is_none())?;
        Some((self.sided(name).map(|(side, _)| side), group))
    }

    /// The position of the value of a group that a value means.
    pub(super) fn group_value(&self, group: &Group, value: &WrittenValue) -> Result<usize, String> {
        group.place(&value.text, self.ensemble).ok_or_else(|| {
            let meant = suggestion(&value.text, || group.values.iter().map(String::as_str));
            format!("group {} has no value {}{meant}", quote(&group.name), quote(&value.text))
        })
    }

    pub(super) fn feature(&self, index: usize) -> &'m Feature {
        &self.ensemble.features()[index]
    }

    pub(super) fn num_features(&self) -> usize {
        self.ensemble.features().len()
    }

    /// The feature of a name, and the side if one is written.
    pub(super) fn find(&self, name: &FeatureName) -> Option<(Option<Side>, usize)> {
        let is_plain = name.quoting == Quoting::Plain;
        let sided = self.sided(name).and_then(|(side, rest)| Some((Some(side), self.column(rest, is_plain)?)));
        let whole = || match name.quoting {
            Quoting::BackquotesOf(_) => None,
            _ => self.column(&name.text, is_plain).map(|feature| (None, feature)),
        };
        sided.or_else(whole)
    }

    /// True for the name of a feature, not its position.
    pub(super) fn is_name(&self, name: &FeatureName) -> bool {
        [self.bare(name), &name.text].iter().any(|text| self.by_name.contains_key(text))
    }

    /// The feature of a name in the text of a condition.
    pub(super) fn variable(&self, text: &str, name: &FeatureName) -> Result<(Option<Side>, usize), String> {
        self.one_feature(name, || self.unknown_in(text, name))
    }

    fn one_feature(
        &self,
        name: &FeatureName,
        unknown: impl FnOnce() -> String,
    ) -> Result<(Option<Side>, usize), String> {
        self.find(name).ok_or_else(|| self.group(name).map_or_else(unknown, |(_, group)| no_number(group)))
    }

    /// The features and groups of a name or pattern in the text of a condition, each once.
    pub(super) fn named(&self, text: &str, names: &NamePattern) -> Result<Vec<NamedColumns>, String> {
        let at = names.at();
        match names {
            NamePattern::One(name) => match (self.find(name), self.group(name)) {
                (Some((side, feature)), _) => Ok(vec![NamedColumns { side, columns: vec![feature], at }]),
                (None, Some((side, group))) => Ok(vec![NamedColumns { side, columns: group.columns.clone(), at }]),
                (None, None) => Err(self.unknown_in(text, name)),
            },
            NamePattern::Like { pattern, .. } => {
                let (side, bare) = match split_side(pattern).filter(|_| self.inputs == Inputs::Two) {
                    Some((side, bare)) => (Some(side), bare),
                    None => (None, pattern.as_str()),
                };
                let like = self.like(bare);
                if like.is_empty() {
                    return Err(self.no_feature_like(pattern));
                }
                Ok(like.into_iter().map(|index| NamedColumns { side, columns: vec![index], at }).collect())
            }
        }
    }

    /// By name, else as `f0`, `f1`, … if no name is of this form: among names `f1` to `f9`, `f0` is a misspelled one.
    fn column(&self, name: &str, may_be_counted: bool) -> Option<usize> {
        let counted = || {
            let digits = name.strip_prefix('f').filter(|_| may_be_counted && self.is_counted && looks_counted(name))?;
            let is_plain = digits == "0" || !digits.starts_with('0');
            digits.parse().ok().filter(|number| is_plain && *number < self.num_features())
        };
        self.by_name.get(name).copied().or_else(counted)
    }

    /// The side and the rest of a name, in questions about two inputs.
    fn sided<'n>(&self, name: &'n FeatureName) -> Option<(Side, &'n str)> {
        match name.quoting {
            _ if self.inputs != Inputs::Two => None,
            Quoting::Plain => split_side(&name.text),
            Quoting::Backquotes => None,
            Quoting::BackquotesOf(side) => Some((side, &name.text)),
        }
    }

    fn bare<'n>(&self, name: &'n FeatureName) -> &'n str {
        self.sided(name).map_or(&name.text, |(_, rest)| rest)
    }

    /// The message for an unknown name in a condition, which may be the start of one that needs backquotes: `mass-index`.
    fn unknown_in(&self, text: &str, name: &FeatureName) -> String {
        let bare = self.bare(name);
        let start = name.at.0 + name.text.len() - bare.len();
        let written = text.get(start..).filter(|_| name.quoting == Quoting::Plain).unwrap_or_default();
        let names = self.ensemble.features().iter().map(|feature| feature.name.as_str());
        let whole = names
            .filter(|known| known.len() > bare.len() && written.starts_with(known))
            .max_by_key(|known| known.len());
        match whole {
            Some(known) => {
                format!("the model has no feature {}, but {}: write it in backquotes", quote(bare), quote(known))
            }
            None => self.unknown(name, true),
        }
    }

    fn unknown(&self, name: &FeatureName, or_group: bool) -> String {
        let has_side = matches!(name.quoting, Quoting::BackquotesOf(_))
            || (name.quoting == Quoting::Plain && split_side(&name.text).is_some());
        if has_side && self.inputs != Inputs::Two {
            return "`a.` and `b.` are for questions about two inputs; this one has one".to_owned();
        }
        if name.quoting == Quoting::Plain && name.text.eq_ignore_ascii_case("nan") {
            return format!("nothing compares with {}; `missing(…)` says that a value is missing", quote(&name.text));
        }
        let text = self.bare(name);
        let what = format!("the model has no feature {}", quote(text));
        // `sex` means `sex_male` and `sex_female`.
        let families = families(self.ensemble, self.groups, std::iter::empty);
        if let Some(family) = families.iter().find(|family| [&family.name, &family.pattern].contains(&&text.to_owned()))
        {
            let columns = list(family.columns.iter().map(String::as_str));
            return format!("{what}, but {columns}: {} makes them one feature", family.flags());
        }
        let groups = || self.groups.iter().map(|group| group.name.as_str()).filter(|_| or_group);
        what + &suggestion(text, || {
            self.ensemble.features().iter().map(|feature| feature.name.as_str()).chain(groups())
        })
    }

    /// The code of the category that a value means: by name, else by number where categories have no names.
    pub(super) fn category(&self, feature: usize, value: &WrittenValue) -> Result<u32, String> {
        let feature = self.feature(feature);
        let (text, owner) = (quote(&value.text), quote(&feature.name));
        let FeatureKind::Category(categories) = &feature.kind else {
            return Err(format!("{text} is not a number, but {owner} is numeric"));
        };
        // Numbers and booleans have several spellings, texts only one.
        let is_same = |name: &String| match categories.value_type {
            CategoryType::Text | CategoryType::Mixed => false,
            CategoryType::Number => value.number.is_some() && name.parse::<f64>().ok() == value.number,
            CategoryType::Truth => name.eq_ignore_ascii_case(&value.text),
        };
        let by_name = categories.names.iter().position(|name| *name == value.text);
        let code = by_name.or_else(|| categories.names.iter().position(is_same));
        if let Some(code) = code.and_then(|code| u32::try_from(code).ok()) {
            return Ok(code);
        }
        if categories.names.is_empty() {
            let Some(number) = value.number else {
                return Err(format!("the model knows the categories of {owner} by number only; write their codes"));
            };
            return match self.ensemble.input().read(feature, number) {
                Ok(Reading::Category(code)) => Ok(code),
                _ => Err(format!("{text} is no category of {owner}")),
            };
        }
        let names = || categories.names.iter().map(String::as_str);
        Err(format!("feature {owner} has no category {text}{}", suggestion(&value.text, names)))
    }

    /// An error if the model's library never accepts missing values of the feature.
    pub(super) fn can_be_missing(&self, feature: usize) -> Result<(), String> {
        let feature = self.feature(feature);
        let is_position =
            matches!(&feature.kind, FeatureKind::Category(known) if known.encoding == CategoryEncoding::Position);
        if self.ensemble.input().takes_missing(feature) && !is_position {
            return Ok(());
        }
        Err(format!("the model's library refuses missing values of {}", quote(&feature.name)))
    }
}

/// True if a name is of the form `f0`, `f1`, ….
fn looks_counted(name: &str) -> bool {
    name.strip_prefix('f')
        .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit()))
}

/// A name outside a condition, in backquotes or not.
fn bare_name(text: &str) -> FeatureName {
    let quoted = text.strip_prefix('`').and_then(|text| text.strip_suffix('`'));
    let quoting = if quoted.is_some() { Quoting::Backquotes } else { Quoting::Plain };
    FeatureName { text: quoted.unwrap_or(text).to_owned(), at: Position(0), quoting }
}

/// `a.age` as side and name.
fn split_side(text: &str) -> Option<(Side, &str)> {
    let of = |prefix, side| text.strip_prefix(prefix).map(|rest| (side, rest));
    of("a.", Side::A).or_else(|| of("b.", Side::B))
}

/// The message for a group in place of a number.
pub(super) fn no_number(group: &Group) -> String {
    format!("{} is a group of columns, whose values have no order; write `==` or `in {{…}}`", quote(&group.name))
}
