//! Categorical columns and the names of their categories.
//!
//! A column is categorical if the trees split it so; for columns that no tree tests, `feature_infos` and the
//! training parameters say it. Names come from `pandas_categorical`, which holds one list per *category column of
//! the DataFrame* without saying which columns those are: ordered categories are in it though they are trained as
//! numbers, and numbers that the user declared categorical are not. So a list is given to a column where no other
//! column could be its own. Where that leaves columns without names, but there are as many lists as categorical columns
//! and all fit in order, they are taken so, and a note says it: that would be wrong only if the data had as many ordered
//! categories as numbers that were declared categorical. Else there are no names, as a wrong one would be worse.

use super::ModelHeader;
use super::text::{Text, TextField, TextLine};
use crate::error::LoadError;
use crate::input::{Categories, CategoryEncoding, CategoryType, Feature, FeatureKind};
use crate::load::document::{Document, ValueKind};
use crate::load::json::Json;
use crate::tree::{Test, Tree};

/// Beyond this product of lists and columns, names are not worth the search.
const MAX_SEARCH: usize = 1 << 24;

/// The model's features, and a note if some categories could not be named.
pub(super) fn features(
    text: &Text<'_>,
    header: &ModelHeader<'_>,
    tail: &[TextLine<'_>],
    trees: &[Tree],
) -> Result<(Vec<Feature>, Option<String>), LoadError> {
    let categorical = categorical_columns(text, header, tail, trees)?;
    let lists = category_lists(text, tail)?;
    let contents = Contents::read(header);
    let mut names = tie(&lists, &contents);
    let is_open = |names: &[Option<usize>]| {
        (0..header.num_features).any(|column| categorical[column] && names.get(column) == Some(&None))
    };
    let in_order = in_order(&lists, &contents, &categorical, &names).filter(|_| is_open(&names));
    let is_likely = in_order.is_some();
    names = in_order.unwrap_or(names);
    let mut unnamed = Vec::new();
    let mut features: Vec<Feature> = (0..header.num_features).map(|index| header.numeric_feature(index)).collect();
    for (index, feature) in features.iter_mut().enumerate().filter(|(index, _)| categorical[*index]) {
        let List { names, value_type } =
            names.get_mut(index).and_then(Option::take).map(|list| lists[list].clone()).unwrap_or_default();
        if names.is_empty() {
            unnamed.push(feature.name.clone());
        }
        feature.kind = FeatureKind::Category(Categories { encoding: CategoryEncoding::Lightgbm, names, value_type });
    }
    let note = match () {
        () if is_likely => Some(
            "The file does not say to which columns its category lists belong; they are taken to be those of the categorical \
             columns, in order."
                .to_owned(),
        ),
        // Without lists nobody expects names: the columns held codes from the start.
        () if !lists.is_empty() && !unnamed.is_empty() => Some(format!(
            "The file does not say to which columns its category lists belong; give the categories of {} as codes.",
            unnamed.join(", ")
        )),
        () => None,
    };
    Ok((features, note))
}

fn categorical_columns(
    text: &Text<'_>,
    header: &ModelHeader<'_>,
    tail: &[TextLine<'_>],
    trees: &[Tree],
) -> Result<Vec<bool>, LoadError> {
    let mut categorical = vec![false; header.num_features];
    if header.feature_infos.len() == header.num_features {
        for (categorical, info) in categorical.iter_mut().zip(&header.feature_infos) {
            *categorical = !info.starts_with('[') && *info != "none";
        }
    }
    let declared = tail.iter().find_map(|line| {
        let value = line.bytes.strip_prefix(b"[categorical_feature: ")?.strip_suffix(b"]")?;
        Some(TextField { value, offset: line.offset })
    });
    if let Some(field) = declared {
        // Names are possible here too (`name:a,b`); then the other two sources have to do.
        for column in text.utf8(&field)?.split(',').filter_map(|word| word.trim().parse::<usize>().ok()) {
            if let Some(categorical) = categorical.get_mut(column) {
                *categorical = true;
            }
        }
    }
    for split in trees.iter().flat_map(Tree::splits) {
        categorical[split.feature as usize] = matches!(split.test, Test::InSet(_));
    }
    // If splits of both kinds meet in one column, the builder says so.
    Ok(categorical)
}

/// The categories of one column of the DataFrame.
#[derive(Clone, Default)]
struct List {
    names: Vec<String>,
    value_type: CategoryType,
}

/// The lists of `pandas_categorical`.
fn category_lists(text: &Text<'_>, tail: &[TextLine<'_>]) -> Result<Vec<List>, LoadError> {
    let Some((line, list)) =
        tail.iter().rev().find_map(|line| Some((line, line.bytes.strip_prefix(b"pandas_categorical:")?)))
    else {
        return Ok(Vec::new());
    };
    let read = || -> Result<Vec<List>, LoadError> {
        let mut json = Json::new(list);
        if json.kind()? == ValueKind::Null {
            return Ok(Vec::new());
        }
        let lists = json.list(|json| {
            let (names, types): (_, Vec<CategoryType>) = json.list(category)?.into_iter().unzip();
            Ok(List { names, value_type: CategoryType::of_all(types) })
        })?;
        json.finish()?;
        Ok(lists)
    };
    read().map_err(|error| error.within(&text.error(line.offset, "").place))
}

/// A category as Python prints it, and its type.
fn category(json: &mut Json<'_>) -> Result<(String, CategoryType), LoadError> {
    match json.kind()? {
        ValueKind::Text => Ok((json.text()?, CategoryType::Text)),
        ValueKind::Number => Ok((json.literal(|literal| Some(literal.to_owned()))?, CategoryType::Number)),
        ValueKind::Bool => Ok((if json.integer()? == 1 { "True" } else { "False" }.to_owned(), CategoryType::Truth)),
        // No cell of a DataFrame is this category.
        ValueKind::Null => json.skip().map(|()| ("None".into(), CategoryType::Mixed)),
        ValueKind::Object | ValueKind::Array => Err(json.error("a category is not a text, number or truth value")),
    }
}

/// The values of a column in training, from `feature_infos`.
enum Contents {
    /// Constant, or never looked at: it may have been anything.
    Anything,
    /// All codes are at most this.
    Codes(f64),
    /// Certainly no category codes.
    NoCodes,
}

impl Contents {
    fn read(header: &ModelHeader<'_>) -> Vec<Self> {
        if header.feature_infos.len() != header.num_features {
            return Vec::new();
        }
        header.feature_infos.iter().map(|info| Self::of(info)).collect()
    }

    fn of(info: &str) -> Self {
        if info == "none" {
            return Self::Anything;
        }
        // −1 stands for missing values in a list of codes; in a range it could only be a number.
        let smallest = if info.starts_with('[') { 0.0 } else { -1.0 };
        let mut largest = 0.0_f64;
        for word in info.trim_start_matches('[').trim_end_matches(']').split(':') {
            match word.parse::<f64>() {
                Ok(code) if code.fract() == 0.0 && code >= smallest => {
                    largest = largest.max(code);
                }
                _ => return Self::NoCodes,
            }
        }
        Self::Codes(largest)
    }

    fn fits(&self, list: &List) -> bool {
        match self {
            Self::Anything => true,
            Self::Codes(largest) => *largest < list.names.len() as f64,
            Self::NoCodes => false,
        }
    }
}

/// For each column, the list that must be its own. Lists are in the order of their columns, so a list lies after
/// the earliest possible column of the list before it and before the latest possible one of the list after it.
fn tie(lists: &[List], columns: &[Contents]) -> Vec<Option<usize>> {
    let mut tied = vec![None; columns.len()];
    if lists.len().saturating_mul(columns.len()) > MAX_SEARCH {
        return tied;
    }
    let mut earliest = Vec::with_capacity(lists.len());
    let mut next = 0;
    for list in lists {
        let Some(found) = (next..columns.len()).find(|column| columns[*column].fits(list)) else { return tied };
        earliest.push(found);
        next = found + 1;
    }
    let mut end = columns.len();
    for (index, list) in lists.iter().enumerate().rev() {
        let start = if index == 0 { 0 } else { earliest[index - 1] + 1 };
        let mut possible = (start..end).rev().filter(|column| columns[*column].fits(list));
        let Some(latest) = possible.next() else { return tied };
        if possible.next().is_none() {
            tied[latest] = Some(index);
        }
        end = latest;
    }
    tied
}

/// Each list for one of the categorical columns, in order, if there are as many, all fit, and nothing is known that says
/// otherwise.
fn in_order(
    lists: &[List],
    columns: &[Contents],
    categorical: &[bool],
    known: &[Option<usize>],
) -> Option<Vec<Option<usize>>> {
    let mut places = (0..columns.len()).filter(|column| categorical[*column]);
    let mut tied = vec![None; columns.len()];
    for (index, list) in lists.iter().enumerate() {
        let column = places.next().filter(|column| columns[*column].fits(list))?;
        tied[column] = Some(index);
    }
    let agrees = |(known, tied): (&Option<usize>, &Option<usize>)| known.is_none() || known == tied;
    (places.next().is_none() && known.iter().zip(&tied).all(agrees)).then_some(tied)
}
