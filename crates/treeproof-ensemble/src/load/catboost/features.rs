//! `features_info`: which input column each numbered feature is, what happens to NaN, and the strings behind the
//! hashes of categories.

use std::collections::BTreeMap;

use crate::ensemble::Trend;
use crate::error::LoadError;
use crate::input::{Categories, CategoryEncoding, Feature, FeatureKind};
use crate::load::document::{Document, ValueKind};
use crate::load::json::Json;
use crate::tree::Side;

/// Every categorical feature lists every known string; a file for which that is more than this is no model.
const MAX_NAMES: usize = 1 << 24;

/// Strings of one hash; two of a million collide by chance, more only by intent.
const MAX_COLLISIONS: usize = 16;

/// The features as the file describes them.
#[derive(Debug, Default)]
pub(super) struct FeaturesInfo {
    floats: Vec<FloatFeature>,
    categories: Vec<ColumnPosition>,
    /// The known strings in file order, whatever feature they belong to: the file does not say.
    strings: Vec<String>,
    codes: BTreeMap<u32, Vec<u32>>,
    /// Codes of hashes without a string, per categorical feature.
    placeholders: Vec<BTreeMap<u32, u32>>,
}

#[derive(Debug)]
struct ColumnPosition {
    name: String,
    column: Option<i64>,
}

#[derive(Debug)]
struct FloatFeature {
    column: ColumnPosition,
    /// The side of NaN; values above the border go right.
    missing: Side,
}

impl FeaturesInfo {
    /// Reads the object.
    pub(super) fn read(json: &mut Json<'_>) -> Result<Self, LoadError> {
        let mut info = Self::default();
        json.object(|json, key| {
            match key {
                "float_features" => info.floats.extend(optional_list(json, read_float)?),
                "categorical_features" => {
                    let columns = optional_list(json, |json, index| Ok(read_column(json, index)?.0))?;
                    info.categories.extend(columns);
                }
                "cat_features_hash" => drop(optional_list(json, |json, _| info.read_hash(json))?),
                "text_features" | "embedding_features" => {
                    let kind = key.trim_end_matches("_features");
                    let what = format!("{kind} features; train without them");
                    optional_list(json, |json, _| -> Result<(), _> { Err(json.unsupported(what.clone())) })?;
                }
                _ => json.skip()?,
            }
            Ok(())
        })?;
        Ok(info)
    }

    fn read_hash(&mut self, json: &mut Json<'_>) -> Result<(), LoadError> {
        let (mut hash, mut value) = (None, None);
        json.object(|json, key| {
            match key {
                "hash" => hash = Some(read_hash32(json)?),
                "value" => value = Some(json.text()?),
                _ => json.skip()?,
            }
            Ok(())
        })?;
        let (Some(hash), Some(value)) = (hash, value) else {
            return Err(json.error("a category needs \"hash\" and \"value\""));
        };
        let code = u32::try_from(self.strings.len()).map_err(|_| json.error("too many category strings"))?;
        let codes = self.codes.entry(hash).or_default();
        if codes.len() == MAX_COLLISIONS {
            return Err(json.error(format!("more than {MAX_COLLISIONS} category strings have the hash {hash}")));
        }
        codes.push(code);
        self.strings.push(value);
        Ok(())
    }

    /// The input column of a numeric feature, and where its NaN goes.
    pub(super) fn float(&self, index: i64) -> Result<(u32, Side), String> {
        let found = usize::try_from(index).ok().and_then(|index| self.floats.get(index));
        match found {
            Some(feature) => Ok((flat(&feature.column)?, feature.missing)),
            None => Err(format!("there is no float feature {index}")),
        }
    }

    /// The input column of a categorical feature, and the codes of its categories with this hash.
    pub(super) fn category(&mut self, index: i64, hash: u32) -> Result<(u32, Vec<u32>), String> {
        let found = usize::try_from(index).ok().filter(|index| *index < self.categories.len());
        let Some(index) = found else { return Err(format!("there is no categorical feature {index}")) };
        let column = flat(&self.categories[index])?;
        if let Some(codes) = self.codes.get(&hash) {
            return Ok((column, codes.clone()));
        }
        // The model was saved without its pool: the string is unknown, but the category can still be asked about.
        self.placeholders.resize_with(self.categories.len(), BTreeMap::new);
        let next = self.strings.len() + self.placeholders[index].len();
        let next = u32::try_from(next).map_err(|_| "too many categories".to_owned())?;
        Ok((column, vec![*self.placeholders[index].entry(hash).or_insert(next)]))
    }

    /// The columns of float features that have a sign, and which way it points.
    pub(super) fn trends(&self, signs: &[(usize, i64)]) -> Result<BTreeMap<usize, Trend>, LoadError> {
        let mut trends = BTreeMap::new();
        for (index, sign) in signs {
            let place = || "model_info.params.tree_learner_options.monotone_constraints";
            let Some(feature) = self.floats.get(*index) else {
                return Err(LoadError::malformed(place(), format!("there is no float feature {index}")));
            };
            let column = flat(&feature.column).map_err(|what| LoadError::malformed(place(), what))?;
            trends.extend(Trend::of_sign(*sign).map(|trend| (column as usize, trend)));
        }
        Ok(trends)
    }

    /// True if some category is known by its hash only.
    pub(super) fn has_placeholders(&self) -> bool {
        self.placeholders.iter().any(|hashes| !hashes.is_empty())
    }

    /// The input columns in order; each must be described once.
    pub(super) fn features(self) -> Result<Vec<Feature>, LoadError> {
        let refused = |what: String| LoadError::malformed("features_info", what);
        if self.strings.len().saturating_mul(self.categories.len()) > MAX_NAMES {
            return Err(refused(format!("more than {MAX_NAMES} category names")));
        }
        let mut features = vec![None; self.floats.len() + self.categories.len()];
        let mut place = |column: ColumnPosition, kind: FeatureKind| {
            let slot =
                column.column.and_then(|column| usize::try_from(column).ok()).filter(|slot| *slot < features.len());
            let Some(slot) = slot else {
                let what = "the columns of the features are not numbered from 0 without gaps (\"flat_feature_index\")";
                return Err(refused(what.to_owned()));
            };
            let name = if column.name.is_empty() { format!("f{slot}") } else { column.name };
            match features[slot].replace(Feature::new(name, kind)) {
                None => Ok(()),
                Some(_) => Err(refused(format!("two features are column {slot}"))),
            }
        };
        for feature in self.floats {
            place(feature.column, FeatureKind::Numeric)?;
        }
        let mut placeholders = self.placeholders.into_iter();
        for column in self.categories {
            let mut names = self.strings.clone();
            let mut unknown: Vec<(u32, u32)> =
                placeholders.next().unwrap_or_default().into_iter().map(|(hash, code)| (code, hash)).collect();
            unknown.sort_unstable();
            names.extend(unknown.into_iter().map(|(_, hash)| format!("hash:{}", hash.cast_signed())));
            place(column, FeatureKind::Category(Categories::of_texts(CategoryEncoding::Position, names)))?;
        }
        // As many features as slots, none of them twice: every slot is taken.
        Ok(features.into_iter().flatten().collect())
    }
}

fn flat(column: &ColumnPosition) -> Result<u32, String> {
    column
        .column
        .and_then(|column| u32::try_from(column).ok())
        .ok_or_else(|| "the split's feature has no \"flat_feature_index\"".to_owned())
}

/// Reads an array that may be `null`.
pub(super) fn optional_list<T>(
    json: &mut Json<'_>,
    mut read: impl FnMut(&mut Json<'_>, usize) -> Result<T, LoadError>,
) -> Result<Vec<T>, LoadError> {
    let mut list = Vec::new();
    if json.kind()? == ValueKind::Null {
        json.skip()?;
        return Ok(list);
    }
    json.array(|json, index| {
        list.push(read(json, index)?);
        Ok(())
    })?;
    Ok(list)
}

/// Hashes have 32 bits and are written signed in splits, unsigned in the list of strings.
pub(super) fn read_hash32(json: &mut Json<'_>) -> Result<u32, LoadError> {
    let number = json.integer()?;
    let signed = i32::try_from(number).map(i32::cast_unsigned);
    signed.or_else(|_| u32::try_from(number)).map_err(|_| json.error(format!("{number} is no hash of 32 bits")))
}

fn read_column(json: &mut Json<'_>, index: usize) -> Result<(ColumnPosition, Option<String>), LoadError> {
    let mut column = ColumnPosition { name: String::new(), column: None };
    let mut treatment = None;
    json.object(|json, key| {
        match key {
            "feature_id" if json.kind()? == ValueKind::Text => column.name = json.text()?,
            "flat_feature_index" => column.column = Some(json.integer()?),
            "feature_index" => {
                let number = json.integer()?;
                if usize::try_from(number) != Ok(index) {
                    return Err(json.error(format!("feature {number} stands at position {index}")));
                }
            }
            "nan_value_treatment" => treatment = Some(json.text()?),
            _ => json.skip()?,
        }
        Ok(())
    })?;
    Ok((column, treatment))
}

fn read_float(json: &mut Json<'_>, index: usize) -> Result<FloatFeature, LoadError> {
    let (column, treatment) = read_column(json, index)?;
    let missing = match treatment.as_deref() {
        Some("AsTrue") => Side::Right,
        // NaN compares false with every border.
        Some("AsFalse" | "AsIs") | None => Side::Left,
        Some(_) => return Err(json.error("\"nan_value_treatment\" is not AsIs, AsFalse or AsTrue")),
    };
    Ok(FloatFeature { column, missing })
}
