//! Pulling a model back through the steps of its pipeline: the model over the input columns of the pipeline.
//!
//! scikit-learn's encoders, scalers and imputers derive each column of the model from one input
//! column. Each test of the model is therefore a test of one input column, and the model can be written over these. The
//! law: for every row, the pulled-back model reaches the leaves that the model reaches on the transformed row,
//! and it refuses the rows that the steps or the model refuse.
//!
//! | module | content |
//! |---|---|
//! | [`step`], [`value`] | steps and cells as data |
//! | `plan`, `column` | the derivation of each column of the model |
//! | `source` | the kind of an input column: numbers or categories |
//! | `numbers` | the numbers that a test sends left, by bisection over the doubles |
//! | `categories` | the categories that a test sends left, by enumeration |
//! | `rebuild` | trees with pulled-back tests |

mod categories;
mod column;
mod numbers;
mod plan;
mod rebuild;
mod source;
pub(crate) mod step;
mod value;

use std::collections::HashMap;
use std::rc::Rc;

use categories::{CategoryReadings, EncoderCache, KnownValues};
use column::{DerivedColumn, Operation, Refusal};
use numbers::{FeatureReader, NumericReadings};
use plan::DerivedColumns;
use rebuild::{GrowthBudget, PulledBackTest, rebuild};
use source::InputKind;
use step::{InputColumns, PipelineStep};
use value::CellValue;

use crate::builder::{EnsembleBuilder, build_trees};
use crate::ensemble::{Ensemble, Trend};
use crate::error::LoadError;
use crate::float::Precision;
use crate::input::{
    Absent, Accepts, Categories, CategoryEncoding, CategoryType, Feature, FeatureKind, InputRules, Reading,
};
use crate::literal::Literal;
use crate::tree::{Side, Split, Test, Tree};

/// The largest number of columns: a bare count needs no bytes in the file.
const MAX_COLUMNS: usize = 1 << 20;

/// Pulls the last step of a pipeline back to the input columns.
pub(crate) fn pull_back(
    model: &Ensemble,
    columns: &InputColumns,
    steps: &[PipelineStep],
) -> Result<Ensemble, LoadError> {
    let names: Vec<String> = match columns {
        InputColumns::Named(names) => names.clone(),
        InputColumns::Counted(count) if *count > MAX_COLUMNS => {
            return Err(LoadError::malformed("columns", format!("{count} columns; at most {MAX_COLUMNS}")));
        }
        InputColumns::Counted(count) => (0..*count).map(|place| format!("f{place}")).collect(),
    };
    let table = DerivedColumns::new(names.len()).through(steps)?;
    if table.columns.len() != model.features().len() {
        let what = format!("the steps make {} columns, the model has {}", table.columns.len(), model.features().len());
        return Err(LoadError::malformed("steps", what));
    }
    let mut uses: Vec<Vec<usize>> = vec![vec![]; names.len()];
    for (place, column) in table.columns.iter().enumerate() {
        uses[column.source].push(place);
    }
    // Dropped columns count if they may be refused.
    for (place, column) in (table.columns.len()..).zip(&table.dropped) {
        if column.operations.iter().any(Operation::refuses) {
            uses[column.source].push(place);
        }
    }
    let context = PullbackContext { model, table: &table };
    let mut pulled_back = vec![];
    for (name, uses) in names.iter().zip(&uses) {
        let place = || format!("column `{name}`");
        let is_kept = !uses.is_empty() || matches!(columns, InputColumns::Counted(_));
        let made = is_kept.then(|| context.pull_back_column(name, uses).map_err(|error| error.within(&place())));
        pulled_back.push(made.transpose()?);
    }
    context.finish(pulled_back, &uses, steps)
}

struct PullbackContext<'m> {
    model: &'m Ensemble,
    table: &'m DerivedColumns,
}

/// An input column in the pulled-back model.
struct PulledBackColumn<'m> {
    feature: Feature,
    tests: TestTranslation<'m>,
}

/// The translation of tests of the model's columns to tests of an input column, by the model's columns.
enum TestTranslation<'m> {
    /// Unchanged.
    Kept,
    Numbers {
        readings: HashMap<usize, NumericReadings<'m>>,
        range: (f64, f64),
        takes_missing: bool,
    },
    Categories {
        readings: HashMap<usize, CategoryReadings>,
        num_codes: usize,
        /// The new code of each accepted old one.
        codes: Rc<[Option<u32>]>,
        accepts: Accepts,
    },
}

impl<'m> PullbackContext<'m> {
    fn reader(&self, place: usize) -> FeatureReader<'m> {
        FeatureReader::new(self.model, self.model.features().get(place), self.column(place), self.table.is_sparse)
    }

    /// A column of the model or, behind these, a dropped one.
    fn column(&self, place: usize) -> &'m DerivedColumn {
        let given = self.table.columns.get(place);
        given.unwrap_or_else(|| &self.table.dropped[place - self.table.columns.len()])
    }

    fn is_category(&self, place: usize) -> bool {
        self.model.features().get(place).is_some_and(Feature::is_category)
    }

    fn pull_back_column(&self, name: &str, uses: &[usize]) -> Result<PulledBackColumn<'m>, LoadError> {
        let columns: Vec<&DerivedColumn> = uses.iter().map(|place| self.column(*place)).collect();
        if let Some(feature) = self.kept(name, uses)? {
            return Ok(PulledBackColumn { feature, tests: TestTranslation::Kept });
        }
        match InputKind::new(&columns)? {
            InputKind::Numbers => self.pull_back_numbers(name, uses),
            InputKind::Categories { known, names, raws } => self.pull_back_categories(name, uses, &known, names, &raws),
        }
    }

    /// The feature of a column that no step changes and that the model itself reads as a category.
    fn kept(&self, name: &str, uses: &[usize]) -> Result<Option<Feature>, LoadError> {
        let is_category = |place: &&usize| self.is_category(**place);
        let is_unchanged = |place: &&usize| self.column(**place).operations.is_empty();
        let Some(place) = uses.iter().filter(is_category).find(is_unchanged) else { return Ok(None) };
        let (feature, rules) = (&self.model.features()[*place], self.model.input());
        let FeatureKind::Category(categories) = &feature.kind else { return Ok(None) };
        let refuse = |what: &str| Err(LoadError::unsupported("", what));
        if uses.len() > 1 {
            return refuse("the model reads it as a category, and steps make other columns of it as well");
        }
        let is_same_in_f64 = rules.precision == Precision::F64 || categories.encoding == CategoryEncoding::Position;
        let is_dense = !(self.table.is_sparse && rules.absent == Absent::Missing);
        if !is_same_in_f64 || rules.missing_value.is_some() || !is_dense {
            return refuse(
                "the model reads it as a category after rounding it; encode it in a step, with numbers for categories",
            );
        }
        let accepts = Accepts { missing: rules.takes_missing(feature), ..feature.accepts.clone() };
        Ok(Some(Feature { name: name.to_owned(), kind: feature.kind.clone(), accepts }))
    }

    fn pull_back_numbers(&self, name: &str, uses: &[usize]) -> Result<PulledBackColumn<'m>, LoadError> {
        let mut readings = HashMap::new();
        let mut range = (f64::NEG_INFINITY, f64::INFINITY);
        let mut takes_missing = true;
        for place in uses {
            if self.is_category(*place) {
                let what = "the model reads it as a category after steps that take it for a number";
                return Err(LoadError::unsupported("", what));
            }
            let column_readings = NumericReadings::new(self.reader(*place));
            let what = "the numbers that are not refused are not all those between two";
            let Some((low, high)) = column_readings.accepted().map_err(|()| LoadError::unsupported("", what))? else {
                return Err(LoadError::unsupported("", "every number is refused"));
            };
            range = (range.0.max(low), range.1.min(high));
            takes_missing &= column_readings.missing(&CellValue::Number(f64::NAN)).is_some();
            readings.insert(*place, column_readings);
        }
        if range.0 > range.1 {
            return Err(LoadError::unsupported("", "every number is refused"));
        }
        let between = Some([Literal(range.0), Literal(range.1)]);
        let accepts = Accepts { missing: takes_missing, unknown: true, between };
        let feature = Feature { accepts, ..Feature::numeric(name) };
        Ok(PulledBackColumn { feature, tests: TestTranslation::Numbers { readings, range, takes_missing } })
    }

    fn pull_back_categories(
        &self,
        name: &str,
        uses: &[usize],
        known: &KnownValues,
        names: Vec<String>,
        raws: &[f64],
    ) -> Result<PulledBackColumn<'m>, LoadError> {
        let num_codes = known.values.len();
        let mut encoded = EncoderCache::default();
        let mut readings = HashMap::new();
        let mut is_refused = vec![false; num_codes];
        let mut accepts = Accepts::default();
        for place in uses {
            let read = CategoryReadings::new(&self.reader(*place), known, &mut encoded).map_err(|refusal| {
                debug_assert_eq!(refusal, Refusal::Text);
                LoadError::unsupported("", "texts of it reach a scaler or the model without an encoder between")
            })?;
            read.refused(num_codes).into_iter().for_each(|code| is_refused[code as usize] = true);
            accepts.missing &= read.missing.is_some();
            accepts.unknown &= read.unknown.is_some();
            readings.insert(*place, read);
        }
        if accepts.unknown && is_refused.contains(&true) {
            return Err(LoadError::unsupported("", "some of its categories are refused, but not what is no category"));
        }
        let mut next = 0..;
        let codes: Rc<[Option<u32>]> =
            is_refused.iter().map(|refused| if *refused { None } else { next.next() }).collect();
        let accepted = |place: &usize| !is_refused[*place];
        let raws: Vec<f64> = (0..num_codes).filter(accepted).map(|place| raws[place]).collect();
        let names: Vec<String> =
            names.into_iter().zip(is_refused).filter(|(_, refused)| !refused).map(|(name, _)| name).collect();
        let is_text = known.values.iter().any(|value| matches!(value, CellValue::Text(_)));
        let is_truth = |name: &String| name == "True" || name == "False";
        // Encoders compare booleans with numbers as numbers.
        let value_type = match is_text {
            true => CategoryType::Text,
            false if !names.is_empty() && names.iter().all(is_truth) => CategoryType::Truth,
            false => CategoryType::Number,
        };
        let encoding = CategoryEncoding::Listed(raws);
        let kind = FeatureKind::Category(Categories { encoding, names, value_type });
        let feature = Feature { name: name.to_owned(), kind, accepts: accepts.clone() };
        Ok(PulledBackColumn { feature, tests: TestTranslation::Categories { readings, num_codes, codes, accepts } })
    }

    fn finish(
        &self,
        pulled_back: Vec<Option<PulledBackColumn<'m>>>,
        uses: &[Vec<usize>],
        steps: &[PipelineStep],
    ) -> Result<Ensemble, LoadError> {
        let model = self.model;
        let mut place_of: Vec<u32> = vec![];
        for column in &pulled_back {
            place_of.push(place_of.last().map_or(0, |last| *last) + u32::from(column.is_some()));
        }
        let place_of = |source: usize| place_of[source].saturating_sub(1);
        let mut budget = GrowthBudget::new(model.trees().iter().map(|tree| 2 * tree.leaves().len()).sum());
        let mut found: HashMap<TestKey, PulledBackTest> = HashMap::new();
        let trees = build_trees(model.trees(), |_, tree| {
            let mut pull = |split: &Split| {
                let column = split.feature as usize;
                let source = self.table.columns[column].source;
                let tests = &pulled_back[source].as_ref().expect("a column that is made of another has it").tests;
                let pulled = match TestKey::of(split) {
                    None => tests.pull(column, tree, split),
                    Some(key) => found.entry(key).or_insert_with(|| tests.pull(column, tree, split)).clone(),
                };
                (place_of(source), pulled)
            };
            rebuild(tree, &mut budget, &mut pull)
        })?;

        let mut source = model.source().clone();
        source.trends = self.trends(uses, &pulled_back, &place_of);
        if !steps.is_empty() {
            let names: Vec<&str> = steps.iter().map(|step| step.name.as_str()).collect();
            source.notes.push(format!("takes the columns of its pipeline, before the steps {}", names.join(", ")));
        }
        let is_kept = |column: &PulledBackColumn<'_>| matches!(column.tests, TestTranslation::Kept);
        let keeps_infinite = model.input().accepts_infinite && pulled_back.iter().flatten().any(is_kept);
        let mut features: Vec<Feature> = pulled_back.into_iter().flatten().map(|column| column.feature).collect();
        let input = input_rules(&mut features, keeps_infinite);
        EnsembleBuilder {
            source,
            features,
            input,
            num_outputs: model.num_accumulators(),
            aggregate: model.aggregate().clone(),
            link: model.link().clone(),
            label: model.label_rule().clone(),
            classes: model.classes().to_vec(),
            trees,
        }
        .finish()
    }

    /// Trends of columns that rise with their input column and are the only ones derived from it.
    fn trends(
        &self,
        uses: &[Vec<usize>],
        pulled_back: &[Option<PulledBackColumn<'_>>],
        place_of: &dyn Fn(usize) -> u32,
    ) -> std::collections::BTreeMap<usize, Trend> {
        let of_source = |(source, uses): (usize, &Vec<usize>)| {
            let [column] = uses[..] else { return None };
            let is_number = matches!(pulled_back[source].as_ref()?.tests, TestTranslation::Numbers { .. });
            let rises = |operation: &Operation| match operation {
                Operation::Fill { missing, .. } => missing.is_nan(),
                Operation::Finite | Operation::NotNan => true,
                operation => operation.computes(),
            };
            let is_rising = self.column(column).operations.iter().all(rises);
            let trend = self.model.source().trends.get(&column).filter(|_| is_number && is_rising)?;
            Some((place_of(source) as usize, *trend))
        };
        uses.iter().enumerate().filter_map(of_source).collect()
    }
}

impl TestTranslation<'_> {
    fn pull(&self, column: usize, tree: &Tree, split: &Split) -> PulledBackTest {
        let side = |reading: Option<Reading>| reading.map(|reading| tree.side(split, reading));
        match self {
            Self::Kept => PulledBackTest::Kept,
            Self::Numbers { readings, range, takes_missing } => {
                let column_readings = &readings[&column];
                let missing = side(column_readings.missing(&CellValue::Number(f64::NAN))).filter(|_| *takes_missing);
                PulledBackTest::numbers(column_readings.sides(tree, split, *range), missing)
            }
            Self::Categories { readings, num_codes, codes, accepts } => {
                let of_column = &readings[&column];
                let mut parted = of_column.part(tree, split, *num_codes, accepts.unknown);
                parted.codes = parted.codes.iter().filter_map(|code| codes[*code as usize]).collect();
                let num_accepted = codes.iter().flatten().count();
                let has_others = accepts.unknown || parted.codes.len() < num_accepted;
                PulledBackTest::categories(parted, has_others, side(of_column.missing).filter(|_| accepts.missing))
            }
        }
    }
}

/// A test that means the same in all trees.
#[derive(PartialEq, Eq, Hash)]
struct TestKey {
    feature: u32,
    threshold: Option<u64>,
    missing: Side,
    zero: Option<Side>,
}

impl TestKey {
    fn of(split: &Split) -> Option<Self> {
        let threshold = match split.test {
            Test::Below(threshold) => Some(threshold.to_bits()),
            Test::Present => None,
            Test::OneOf(_) | Test::InSet(_) => return None,
        };
        let Split { feature, missing, zero, .. } = *split;
        Some(Self { feature, threshold, missing, zero })
    }
}

/// The input rules common to all columns; the rest is per feature.
fn input_rules(features: &mut [Feature], keeps_infinite: bool) -> InputRules {
    let is_infinite =
        |feature: &Feature| feature.accepts.between.is_some_and(|ends| ends.iter().any(|end| end.0.is_infinite()));
    let accepts_missing = features.iter().any(|feature| feature.accepts.missing);
    let accepts_infinite = keeps_infinite || features.iter().any(is_infinite);
    let largest = if accepts_infinite { f64::INFINITY } else { f64::MAX };
    for feature in features {
        feature.accepts.between = feature.accepts.between.filter(|[low, high]| (low.0, high.0) != (-largest, largest));
        feature.accepts.missing |= !accepts_missing;
    }
    InputRules { accepts_missing, accepts_infinite, ..InputRules::permissive(Precision::F64) }
}
