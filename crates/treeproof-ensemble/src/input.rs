//! Reading of one input value by a library: rounding, missing values, zero bands and categories.
//!
//! A raw value is an `f64` with NaN for "missing"; a categorical feature holds its code (see
//! [`CategoryEncoding`]). Tests in trees see only the [`Reading`].

use serde::{Deserialize, Serialize};

use crate::error::InputError;
use crate::float::Precision;
use crate::literal::Literal;
use crate::tree::Test;

/// The rules by which a library reads numbers before the trees see them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InputRules {
    /// The type to which numbers are rounded before they are compared.
    pub precision: Precision,
    /// A number that means missing beside NaN (XGBoost's `missing=`), a value of `precision`.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "crate::literal::option")]
    pub missing_value: Option<f64>,
    /// Numbers of at most this magnitude are read as zero (LightGBM: about 1e-35).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zero_band: Option<f64>,
    /// True if the library predicts rows with missing values (else it raises an error).
    pub accepts_missing: bool,
    /// True if the library predicts rows with infinite values, or values that overflow `precision`.
    pub accepts_infinite: bool,
    /// The meaning of an entry absent from sparse data.
    pub absent: Absent,
}

/// The meaning of an entry absent from sparse data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Absent {
    /// A missing value (XGBoost).
    Missing,
    /// The number zero (LightGBM, CatBoost, scikit-learn).
    Zero,
}

/// One input column of a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Feature {
    /// The column's name; `f0`, `f1`, … where the file has none.
    pub name: String,
    /// The kind of its values.
    #[serde(flatten)]
    pub kind: FeatureKind,
    /// The accepted values of this column.
    #[serde(default, skip_serializing_if = "Accepts::is_all")]
    pub accepts: Accepts,
}

/// The values of one column that are predicted, among those that [`InputRules`] accept of every column. A step before the
/// model may refuse what the model would take: an encoder that knows its categories, a scaler that wants finite numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Accepts {
    /// True if missing values are accepted.
    pub missing: bool,
    /// True if values outside all categories are accepted, for categorical features.
    pub unknown: bool,
    /// The least and the greatest accepted number, unless all are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub between: Option<[Literal; 2]>,
}

/// The kind of a feature's values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum FeatureKind {
    /// Ordered numbers.
    Numeric,
    /// Unordered categories.
    Category(Categories),
}

/// The categories of a feature.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "WrittenCategories", into = "WrittenCategories")]
pub struct Categories {
    /// The encoding of raw values as codes.
    pub encoding: CategoryEncoding,
    /// The name of each code, if the file has them; empty otherwise.
    pub names: Vec<String>,
    /// The type of the named values.
    pub value_type: CategoryType,
}

/// Categories in treeproof's own JSON, which omits the type if the names suggest it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenCategories {
    encoding: CategoryEncoding,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    names: Vec<String>,
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    value_type: Option<CategoryType>,
}

impl From<WrittenCategories> for Categories {
    fn from(written: WrittenCategories) -> Self {
        let WrittenCategories { encoding, names, value_type } = written;
        let value_type = value_type.unwrap_or_else(|| CategoryType::suggested(&encoding, &names));
        Self { encoding, names, value_type }
    }
}

impl From<Categories> for WrittenCategories {
    fn from(categories: Categories) -> Self {
        let Categories { encoding, names, value_type } = categories;
        let value_type = Some(value_type).filter(|known| *known != CategoryType::suggested(&encoding, &names));
        Self { encoding, names, value_type }
    }
}

/// The type of a feature's categories in the data that the model was trained on.
///
/// Libraries match a cell to a category by type and value: the text `1` is not the number 1, and `True` is neither.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CategoryType {
    /// Texts.
    #[default]
    Text,
    /// Numbers; a name is the number in decimal.
    Number,
    /// Booleans, named `True` and `False`.
    Truth,
    /// Values of several types in one list, or of unknown type: no cell is matched with them.
    Mixed,
}

/// The encoding of raw values of a categorical feature as category codes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "rule", content = "values")]
pub enum CategoryEncoding {
    /// XGBoost: the integer part of `0 ≤ x < 2²⁴`; any other number is no category.
    Xgboost,
    /// LightGBM: the integer part of `−1 < x < 2³¹` (so −0.5 is category 0); any other number is no category.
    Lightgbm,
    /// scikit-learn: the position of `x` among these values; any other number is missing.
    Exact(Vec<f64>),
    /// An encoder before the model: the position of `x` among these values; any other number is no category.
    Listed(Vec<f64>),
    /// CatBoost: `x` is itself a position in the list of names; any other number is no category.
    Position,
}

/// A value as the trees see it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reading {
    /// Missing; every split has a side for it.
    Missing,
    /// A number of the model's input precision, never NaN.
    Number(f64),
    /// A category code.
    Category(u32),
    /// A value outside all categories, and in no set.
    NoCategory,
}

impl InputRules {
    /// The rules of a library that predicts every input and reads absent entries as zero.
    pub(crate) fn permissive(precision: Precision) -> Self {
        Self {
            precision,
            missing_value: None,
            zero_band: None,
            accepts_missing: true,
            accepts_infinite: true,
            absent: Absent::Zero,
        }
    }

    /// Reads a raw value as the library does; an error if the library would refuse it.
    pub fn read(&self, feature: &Feature, raw: f64) -> Result<Reading, InputError> {
        let reading = match &feature.kind {
            FeatureKind::Numeric => self.read_number(raw),
            FeatureKind::Category(categories) => self.read_category(&categories.encoding, raw),
        };
        match reading {
            Reading::Missing if !self.takes_missing(feature) => Err(InputError::Missing),
            Reading::NoCategory if !feature.accepts.unknown => Err(InputError::Unknown),
            Reading::Number(_) if !feature.accepts.number(raw) => Err(InputError::Outside(raw)),
            Reading::Number(x) if x.is_infinite() && !self.accepts_infinite => Err(InputError::Infinite(raw)),
            // Encoders want finite numbers, whatever the model takes of other columns.
            Reading::NoCategory if raw.is_infinite() && feature.is_listed() => Err(InputError::Infinite(raw)),
            _ if raw.is_infinite() && !self.accepts_infinite => Err(InputError::Infinite(raw)),
            _ => Ok(reading),
        }
    }

    /// True if the library predicts rows in which this column is missing.
    pub fn takes_missing(&self, feature: &Feature) -> bool {
        self.accepts_missing && feature.accepts.missing
    }

    fn read_number(&self, raw: f64) -> Reading {
        let x = self.precision.round(raw);
        if x.is_nan() || self.missing_value.is_some_and(|missing| x == missing) {
            return Reading::Missing;
        }
        Reading::Number(self.seen(raw))
    }

    /// The number that trees compare, even if the library would refuse it or read it as missing; monotone in the
    /// raw number.
    pub fn seen(&self, raw: f64) -> f64 {
        let x = self.precision.round(raw);
        if self.zero_band.is_some_and(|band| x.abs() <= band) { 0.0 } else { x }
    }

    fn read_category(&self, encoding: &CategoryEncoding, raw: f64) -> Reading {
        let Reading::Number(x) = self.read_number(raw) else { return Reading::Missing };
        #[expect(clippy::cast_possible_truncation, reason = "files list fewer values than 32 bits can number")]
        let listed =
            |values: &[f64]| values.iter().position(|value| *value == x).map(|code| Reading::Category(code as u32));
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the guards bound x")]
        match encoding {
            CategoryEncoding::Xgboost if (0.0..16_777_216.0).contains(&x) => Reading::Category(x as u32),
            CategoryEncoding::Lightgbm if x > -1.0 && x < 2_147_483_648.0 => Reading::Category(x as u32),
            CategoryEncoding::Exact(values) => listed(values).unwrap_or(Reading::Missing),
            // Texts stand at their own places.
            CategoryEncoding::Listed(values) if values.get(x as usize) == Some(&x) => Reading::Category(x as u32),
            CategoryEncoding::Listed(values) => listed(values).unwrap_or(Reading::NoCategory),
            CategoryEncoding::Position if x >= 0.0 && x < f64::from(u32::MAX) && x.fract() == 0.0 => {
                Reading::Category(x as u32)
            }
            _ => Reading::NoCategory,
        }
    }

    /// The canonical form of the library's test `x < threshold` on a raw number, where the library
    /// compares the number as read with a threshold of any `f64` value. No number is below NaN.
    pub fn test_below(&self, threshold: f64) -> Test {
        if threshold.is_nan() {
            return Test::Below(f64::NEG_INFINITY);
        }
        let floor = self.precision.floor(threshold);
        if floor < threshold { self.test_at_most(floor) } else { self.leave_zero_band(threshold) }
    }

    /// The canonical form of the library's test `x <= threshold`.
    pub fn test_at_most(&self, threshold: f64) -> Test {
        if threshold.is_nan() {
            return Test::Below(f64::NEG_INFINITY);
        }
        let floor = self.precision.floor(threshold);
        if floor == f64::INFINITY {
            return Test::Present;
        }
        self.leave_zero_band(self.precision.next_up(floor))
    }

    /// No number inside the zero band is ever seen except zero itself, so a cut inside it moves to the
    /// band's end on the same side of zero: cells then never end inside the band.
    fn leave_zero_band(&self, below: f64) -> Test {
        match self.zero_band {
            Some(band) if below > 0.0 && below <= band => Test::Below(self.precision.next_up(band)),
            Some(band) if below <= 0.0 && below > -band => Test::Below(-band),
            // −0.0 and +0.0 are one number; keep one spelling.
            _ => Test::Below(below + 0.0),
        }
    }
}

impl Default for Accepts {
    /// Every value that the model's rules accept.
    fn default() -> Self {
        Self { missing: true, unknown: true, between: None }
    }
}

impl Accepts {
    fn is_all(&self) -> bool {
        *self == Self::default()
    }

    /// True if a number is accepted.
    pub fn number(&self, raw: f64) -> bool {
        self.between.is_none_or(|[low, high]| low.0 <= raw && raw <= high.0)
    }
}

impl Categories {
    /// Categories that are texts, or that have no names.
    pub fn of_texts(encoding: CategoryEncoding, names: Vec<String>) -> Self {
        Self { encoding, names, value_type: CategoryType::Text }
    }
}

impl CategoryType {
    /// The type of categories with these names; [`CategoryType::Mixed`] if texts and other types are possible.
    fn suggested(encoding: &CategoryEncoding, names: &[String]) -> Self {
        let is_truth = |name: &String| name == "True" || name == "False";
        if *encoding == CategoryEncoding::Position
            || names.iter().all(|name| name.parse::<f64>().is_err() && !is_truth(name))
        {
            return Self::Text;
        }
        let Some(values) = encoding.values() else { return Self::Mixed };
        let is_value = |(name, value): (&String, &f64)| name.parse() == Ok(*value);
        let are_values = names.len() == values.len() && names.iter().zip(values).all(is_value);
        // Texts stand at their places.
        let are_places = values.iter().zip(0_u32..).all(|(value, place)| *value == f64::from(place));
        match (are_values, are_places) {
            (true, false) => Self::Number,
            (false, true) if !names.iter().any(is_truth) => Self::Text,
            _ => Self::Mixed,
        }
    }

    /// The type of a list of values of these types. An empty list holds texts.
    pub fn of_all(types: impl IntoIterator<Item = Self>) -> Self {
        let mut types = types.into_iter();
        let first = types.next().unwrap_or_default();
        if types.all(|other| other == first) { first } else { Self::Mixed }
    }
}

impl CategoryEncoding {
    /// The raw values of the codes, if they are listed.
    pub fn values(&self) -> Option<&[f64]> {
        match self {
            Self::Exact(values) | Self::Listed(values) => Some(values),
            _ => None,
        }
    }

    /// A raw value outside all categories, if there is one.
    pub fn no_category(&self) -> Option<f64> {
        match self {
            Self::Exact(_) => None,
            Self::Listed(values) => {
                let least = values.iter().copied().fold(0.0, f64::min);
                Some(if least > -1.0 { -1.0 } else { least.next_down() })
            }
            Self::Xgboost | Self::Lightgbm | Self::Position => Some(-1.0),
        }
    }
}

impl Feature {
    /// A feature with every value that the model's rules accept.
    pub fn new(name: impl Into<String>, kind: FeatureKind) -> Self {
        Self { name: name.into(), kind, accepts: Accepts::default() }
    }

    /// A numeric feature.
    pub fn numeric(name: impl Into<String>) -> Self {
        Self::new(name, FeatureKind::Numeric)
    }

    /// True if the feature's values are categories.
    pub fn is_category(&self) -> bool {
        matches!(self.kind, FeatureKind::Category(_))
    }

    fn is_listed(&self) -> bool {
        matches!(&self.kind, FeatureKind::Category(categories) if matches!(categories.encoding, CategoryEncoding::Listed(_)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// LightGBM's kZeroThreshold: the f32 1e-35 widened.
    const BAND: f64 = 1.000_000_018_002_509_5e-35;

    fn rules(precision: Precision, zero_band: Option<f64>) -> InputRules {
        InputRules { zero_band, ..InputRules::permissive(precision) }
    }

    fn numbers() -> impl Strategy<Value = f64> {
        let special = [
            0.0,
            -0.0,
            f64::from_bits(1),
            -f64::from_bits(1),
            BAND,
            -BAND,
            BAND.next_up(),
            -BAND.next_up(),
            BAND.next_down(),
            1e-36,
            -1e-36,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::MAX,
            f64::MIN,
            1e39,
            -1e39,
            1.0,
            0.1,
            f64::from(0.1_f32),
            f64::from(f32::MAX),
            f64::from(f32::from_bits(1)),
        ];
        prop_oneof![any::<f64>().prop_filter("a number", |x| !x.is_nan()), proptest::sample::select(special.to_vec())]
    }

    fn holds(test: Test, x: f64) -> bool {
        match test {
            Test::Below(t) => x < t,
            Test::Present => true,
            other => panic!("not a numeric test: {other:?}"),
        }
    }

    proptest! {
        #[test]
        fn canonical_tests_agree_with_the_librarys(x in numbers(), t in numbers(), single in any::<bool>(), band in any::<bool>()) {
            let rules = rules(if single { Precision::F32 } else { Precision::F64 }, band.then_some(BAND));
            let Ok(Reading::Number(read)) = rules.read(&Feature::numeric("x"), x) else { panic!() };
            prop_assert_eq!(holds(rules.test_at_most(t), read), read <= t, "{:e} <= {:e}", read, t);
            prop_assert_eq!(holds(rules.test_below(t), read), read < t, "{:e} < {:e}", read, t);
        }

        #[test]
        fn no_cut_lies_inside_the_zero_band(t in numbers()) {
            let rules = rules(Precision::F64, Some(BAND));
            for test in [rules.test_below(t), rules.test_at_most(t)] {
                if let Test::Below(cut) = test {
                    prop_assert!(cut <= -BAND || cut > BAND);
                }
            }
        }
    }

    #[test]
    fn categories_follow_each_librarys_rule() {
        let read = |encoding, raw| {
            let kind = FeatureKind::Category(Categories::of_texts(encoding, vec![]));
            rules(Precision::F64, None).read(&Feature::new("c", kind), raw).unwrap()
        };
        assert_eq!(read(CategoryEncoding::Xgboost, -0.5), Reading::NoCategory);
        assert_eq!(read(CategoryEncoding::Xgboost, -0.0), Reading::Category(0));
        assert_eq!(read(CategoryEncoding::Xgboost, 2.9999), Reading::Category(2));
        assert_eq!(read(CategoryEncoding::Xgboost, 16_777_216.0), Reading::NoCategory);
        assert_eq!(read(CategoryEncoding::Lightgbm, -0.5), Reading::Category(0));
        assert_eq!(read(CategoryEncoding::Lightgbm, -1.0), Reading::NoCategory);
        assert_eq!(read(CategoryEncoding::Lightgbm, 2_147_483_648.0), Reading::NoCategory);
        assert_eq!(read(CategoryEncoding::Lightgbm, f64::NAN), Reading::Missing);
        assert_eq!(read(CategoryEncoding::Exact(vec![1.0, 4.0]), 4.0), Reading::Category(1));
        assert_eq!(read(CategoryEncoding::Exact(vec![1.0, 4.0]), 1.0 + 1e-12), Reading::Missing);
        assert_eq!(read(CategoryEncoding::Listed(vec![1.0, 4.0]), 4.0), Reading::Category(1));
        assert_eq!(read(CategoryEncoding::Listed(vec![1.0, 4.0]), 2.0), Reading::NoCategory);
        assert_eq!(read(CategoryEncoding::Position, 3.0), Reading::Category(3));
        assert_eq!(read(CategoryEncoding::Position, -1.0), Reading::NoCategory);
    }

    #[test]
    fn the_type_of_categories_is_written_where_names_leave_it_open() {
        let exact = |values: &[f64]| CategoryEncoding::Exact(values.to_vec());
        for (encoding, names, suggested) in [
            (CategoryEncoding::Lightgbm, &["red", "1a"][..], CategoryType::Text),
            (CategoryEncoding::Lightgbm, &["1", "2"], CategoryType::Mixed),
            (CategoryEncoding::Xgboost, &["True", "red"], CategoryType::Mixed),
            (CategoryEncoding::Position, &["1", "True"], CategoryType::Text),
            (exact(&[1.0, 4.0]), &["1", "4"], CategoryType::Number),
            (exact(&[0.0, 1.0]), &["1", "4"], CategoryType::Text),
            (exact(&[0.0, 1.0]), &["0", "1"], CategoryType::Mixed),
            (exact(&[0.0, 1.0]), &["False", "True"], CategoryType::Mixed),
        ] {
            for value_type in [CategoryType::Text, CategoryType::Number, CategoryType::Truth, CategoryType::Mixed] {
                let names = names.iter().map(|name| (*name).to_owned()).collect();
                let categories = Categories { encoding: encoding.clone(), names, value_type };
                let written = serde_json::to_value(&categories).unwrap();
                assert_eq!(written.get("type").is_none(), value_type == suggested, "{written}");
                assert_eq!(serde_json::from_value::<Categories>(written).unwrap(), categories);
            }
        }
    }

    #[test]
    fn a_column_may_refuse_more_than_the_model() {
        let encoding = CategoryEncoding::Listed(vec![-1.0, 0.0, 2.0]);
        let unknown = encoding.no_category().unwrap();
        let kind = FeatureKind::Category(Categories::of_texts(encoding, vec![]));
        let mut category = Feature::new("c", kind);
        let rules = rules(Precision::F64, None);
        assert_eq!(rules.read(&category, unknown), Ok(Reading::NoCategory));
        category.accepts = Accepts { missing: false, unknown: false, between: None };
        assert_eq!(rules.read(&category, unknown), Err(InputError::Unknown));
        assert_eq!(rules.read(&category, f64::NAN), Err(InputError::Missing));
        assert_eq!(rules.read(&category, 2.0), Ok(Reading::Category(2)));
        let mut number = Feature::numeric("x");
        number.accepts.between = Some([Literal(-2.0), Literal(f64::INFINITY)]);
        assert_eq!(rules.read(&number, -2.5), Err(InputError::Outside(-2.5)));
        assert_eq!(rules.read(&number, f64::INFINITY), Ok(Reading::Number(f64::INFINITY)));
        assert_eq!(rules.read(&number, f64::NAN), Ok(Reading::Missing));
    }
}
