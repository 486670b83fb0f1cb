//! Categories of one feature in two models.

use treeproof_ensemble::input::{CategoryEncoding, Feature, FeatureKind, Reading};

use crate::space::feature_values::FeatureReader;

/// The encoding of a feature that has categories.
pub(crate) fn encoding(feature: &Feature) -> Option<&CategoryEncoding> {
    match &feature.kind {
        FeatureKind::Category(categories) => Some(&categories.encoding),
        FeatureKind::Numeric => None,
    }
}

/// The code of a category in another model; `None` if that does not know it, or nothing is read so.
pub(crate) fn code_of(first: FeatureReader<'_>, other: FeatureReader<'_>, code: u32) -> Option<u32> {
    let (FeatureKind::Category(mine), FeatureKind::Category(others)) = (&first.feature.kind, &other.feature.kind)
    else {
        return None;
    };
    let place = |place: Option<usize>| u32::try_from(place?).ok();
    // Without values listed in the file, a raw value is its own code.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the filter bounds it")]
    let own_code = |raw: f64| Some(raw as u32).filter(|code| f64::from(*code) == raw);
    let found = if !mine.names.is_empty() && !others.names.is_empty() {
        match mine.names == others.names {
            true => Some(code),
            false => place(others.names.iter().position(|name| Some(name) == mine.names.get(code as usize))),
        }
    } else {
        match (mine.encoding.values(), others.encoding.values()) {
            (Some(mine), Some(others)) if mine == others => Some(code),
            (Some(mine), Some(others)) => place(others.iter().position(|raw| Some(raw) == mine.get(code as usize))),
            (Some(mine), None) => own_code(*mine.get(code as usize)?),
            (None, Some(others)) => place(others.iter().position(|raw| own_code(*raw) == Some(code))),
            (None, None) => Some(code),
        }
    };
    found.filter(|code| is_read(other, *code))
}

/// True if some raw value is read as a category.
fn is_read(own: FeatureReader<'_>, code: u32) -> bool {
    let natural = match encoding(own.feature).and_then(CategoryEncoding::values) {
        Some(values) => values.get(code as usize).copied(),
        None => Some(f64::from(code)),
    };
    // If the code itself means "missing", XGBoost and LightGBM still know the category by a fraction.
    let is_read = |raw: f64| own.input.read(own.feature, raw) == Ok(Reading::Category(code));
    natural.is_some_and(|natural| is_read(natural) || is_read(natural + 0.5))
}
