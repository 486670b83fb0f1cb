//! The input space of a statement with its models, checked for everything that could be wrong.

pub(crate) mod category;
pub mod cell_values;
mod distance;
pub mod feature_values;
pub mod grid;

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::input::Reading;
use treeproof_proof::statement::condition::{Condition, Domain, Variable};
use treeproof_proof::statement::distance::Distance;
use treeproof_proof::statement::{Statement, Tie};

use crate::error::{Refused, ensure};
use crate::quote::between;
use crate::space::cell_values::CellValues;
use crate::space::feature_values::{FeatureReader, FeatureValues};

/// Limit on the steps of a feature's numbers: a common multiple of many takes long to find.
const MOST_STEPS: usize = 16;

/// Limit on the characters of the numbers of a sum, or of the steps of a feature, beyond ordinary ones.
const MOST_DIGITS: usize = 1 << 12;
const ORDINARY_DIGITS: usize = 40;

/// True if numbers are short enough to be added up often.
fn is_short<'n>(numbers: impl IntoIterator<Item = &'n Exact>) -> bool {
    let beyond = |number: &Exact| number.to_string().len().saturating_sub(ORDINARY_DIGITS);
    numbers.into_iter().map(beyond).sum::<usize>() <= MOST_DIGITS
}

/// The values of one input, or of the reference, by feature of the statement.
#[derive(Clone, Debug)]
pub struct Input {
    /// The raw values.
    pub raws: Vec<f64>,
    /// Their readings by the first reader.
    pub readings: Vec<Reading>,
}

/// A raw value that is not missing, and its reading.
pub(crate) type PresentValue = (f64, Reading);

impl Input {
    /// A value, unless it is missing.
    pub(crate) fn value(&self, feature: u32) -> Option<PresentValue> {
        let (raw, reading) = (*self.raws.get(feature as usize)?, *self.readings.get(feature as usize)?);
        (reading != Reading::Missing).then_some((raw, reading))
    }
}

/// A statement whose every index, name and number is sound, with its models.
#[derive(Debug)]
pub struct Space<'a> {
    /// The statement.
    pub statement: &'a Statement,
    /// The models.
    pub models: Vec<&'a Ensemble>,
    /// The feature of the statement for each model and each of its features.
    places: Vec<Vec<usize>>,
    /// The group of each feature, by its place.
    group_of: Vec<Option<usize>>,
    /// The value of each feature in the reference.
    reference: Option<Vec<CellValues>>,
}

impl<'a> Space<'a> {
    /// The space of a statement.
    ///
    /// # Errors
    /// If something in the statement is not sound; the message says what.
    pub fn new(statement: &'a Statement, models: impl IntoIterator<Item = &'a Ensemble>) -> Result<Self, Refused> {
        let models: Vec<&Ensemble> = models.into_iter().collect();
        let num_features = statement.features.len();
        ensure(matches!(models.len(), 1 | 2), || format!("a statement is about 1 or 2 models, not {}", models.len()))?;
        let are_sums = models.iter().all(|model| model.summation().is_some());
        ensure(are_sums, || "a model is no sum of trees, about which nothing can be proved".to_owned())?;
        let num_inputs = statement.inputs.len();
        ensure(matches!(num_inputs, 1 | 2), || format!("a statement is about 1 or 2 inputs, not {num_inputs}"))?;
        let mut space = Self {
            statement,
            places: models.iter().map(|model| vec![usize::MAX; model.features().len()]).collect(),
            models,
            group_of: vec![None; num_features],
            reference: None,
        };
        space.match_features()?;
        for domains in &statement.inputs {
            ensure(domains.len() == num_features, || {
                format!("an input has {} domains for {num_features} features", domains.len())
            })?;
            (0..num_features).try_for_each(|feature| space.check_domain(feature, &domains[feature]))?;
        }
        let num_ties = if num_inputs == 2 { num_features } else { 0 };
        ensure(statement.ties.len() == num_ties, || {
            format!("there are {} ties, not {num_ties}", statement.ties.len())
        })?;
        space.check_groups()?;
        for (feature, tie) in statement.ties.iter().enumerate() {
            ensure(*tie != Tie::NotBelow || !space.is_category(feature), || {
                format!("{} has no order", space.name(feature))
            })?;
        }
        space.reference = space.read_reference()?;
        statement.conditions.iter().try_for_each(|condition| space.check_condition(condition))?;
        ensure(num_inputs == 1 || statement.within.is_empty(), || {
            "other distances are bounded of one input alone".to_owned()
        })?;
        let others = statement.within.iter().map(|within| &within.distance);
        statement.near.iter().chain(others).try_for_each(|near| space.check_near(near))?;
        Ok(space)
    }

    /// Matches features: every feature of every model is one of the statement, and all models see it as of one kind.
    fn match_features(&mut self) -> Result<(), Refused> {
        for (feature, stated) in self.statement.features.iter().enumerate() {
            ensure(!stated.readers.is_empty(), || format!("feature {feature} is read by no model"))?;
            for reader in &stated.readers {
                let place = self
                    .places
                    .get_mut(reader.model as usize)
                    .and_then(|places| places.get_mut(reader.feature as usize));
                let place = place.filter(|place| **place == usize::MAX);
                *place.ok_or_else(|| Refused(format!("feature {feature} is read where there is none, or twice")))? =
                    feature;
            }
            ensure(stated.readers.windows(2).all(|pair| pair[0].model < pair[1].model), || {
                format!("the models that read feature {feature} are not in order")
            })?;
            let readers = self.readers(feature);
            ensure(readers[0].feature.name == stated.name, || {
                format!("feature {feature} is `{}` in the model, not `{}`", readers[0].feature.name, stated.name)
            })?;
            ensure(
                readers.iter().all(|reader| reader.feature.is_category() == readers[0].feature.is_category()),
                || format!("{} is a number to one model and a category to the other", self.name(feature)),
            )?;
        }
        let is_matched = self.places.iter().flatten().all(|place| *place != usize::MAX);
        ensure(is_matched, || "a feature of a model is not among those of the statement".to_owned())
    }

    fn check_domain(&self, feature: usize, domain: &Domain) -> Result<(), Refused> {
        let is_sound = match domain {
            Domain::Categories { .. } => self.is_category(feature),
            Domain::Numbers { steps, .. } => {
                ensure(steps.len() <= MOST_STEPS && is_short(steps), || {
                    format!("values of {} are multiples of too much", self.name(feature))
                })?;
                !self.is_category(feature) && steps.iter().all(|step| *step > Exact::zero())
            }
        };
        ensure(is_sound, || format!("values of {} are of the wrong kind, or multiples of nothing", self.name(feature)))
    }

    fn check_groups(&mut self) -> Result<(), Refused> {
        for (group, columns) in self.statement.groups.iter().enumerate() {
            ensure(columns.len() > 1, || format!("group {group} has not even two columns"))?;
            for column in columns {
                let feature = self.feature(*column)?;
                ensure(self.group_of[feature].replace(group).is_none(), || {
                    format!("{} is in two groups", self.name(feature))
                })?;
                let is_number = |reader: &FeatureReader<'_>| {
                    [0.0, 1.0].into_iter().all(|bit| reader.input.read(reader.feature, bit) == Ok(Reading::Number(bit)))
                };
                ensure(self.readers(feature).iter().all(is_number), || {
                    format!("{} is no 0/1 column of a group", self.name(feature))
                })?;
                let tie = |feature: u32| self.statement.ties.get(feature as usize);
                ensure(tie(*column) == tie(columns[0]) && tie(*column) != Some(&Tie::NotBelow), || {
                    format!("group {group} is not tied as one")
                })?;
            }
        }
        Ok(())
    }

    fn read_reference(&self) -> Result<Option<Vec<CellValues>>, Refused> {
        let Some(row) = &self.statement.reference else { return Ok(None) };
        ensure(self.statement.inputs.len() == 1, || {
            "of two inputs the first is the reference: there is no other".to_owned()
        })?;
        ensure(row.0.len() == self.statement.features.len(), || format!("the reference has {} values", row.0.len()))?;
        let held = |(feature, raw): (usize, &treeproof_proof::statement::Number)| {
            let reader = self.readers(feature)[0];
            let reading = reader.input.read(reader.feature, raw.0);
            let reading =
                reading.map_err(|error| Refused(format!("the reference: {}: {error}", self.name(feature))))?;
            Ok(CellValues::one(raw.0, reading))
        };
        row.0.iter().enumerate().map(held).collect::<Result<Vec<CellValues>, Refused>>().map(Some)
    }

    fn check_condition(&self, condition: &Condition) -> Result<(), Refused> {
        match condition {
            Condition::All(parts) | Condition::Any(parts) => {
                parts.iter().try_for_each(|part| self.check_condition(part))
            }
            Condition::Values(variable, domain) => self.check_domain(self.variable(*variable)?, domain),
            Condition::Multiple { variable, step, .. } => {
                let feature = self.variable(*variable)?;
                let is_sound = !self.is_category(feature) && *step > Exact::zero();
                ensure(is_sound, || format!("{} is asked to be a multiple of nothing", self.name(feature)))
            }
            Condition::Linear { terms, constant, .. } => {
                let numbers = terms.iter().map(|term| &term.coefficient).chain([constant]);
                ensure(is_short(numbers), || "a sum of numbers that are too long".to_owned())?;
                let numeric = |variable: Variable| {
                    let feature = self.variable(variable)?;
                    ensure(!self.is_category(feature), || format!("{} cannot be added up", self.name(feature)))
                };
                terms.iter().try_for_each(|term| numeric(term.variable))
            }
            Condition::Count { columns, .. } => {
                columns.iter().try_for_each(|column| self.variable(*column).map(|_| ()))
            }
            Condition::Same { feature, .. } => self.feature(*feature).map(|_| ()),
            Condition::Moved { feature, .. } => {
                let feature = self.feature(*feature)?;
                ensure(!self.is_category(feature), || format!("{} has no order", self.name(feature)))
            }
            Condition::Changed { units, .. } => {
                units.iter().flatten().try_for_each(|feature| self.feature(*feature).map(|_| ()))
            }
        }
    }

    fn check_near(&self, near: &Distance) -> Result<(), Refused> {
        let is_measured = self.statement.inputs.len() == 2 || self.reference.is_some();
        ensure(is_measured, || "a distance needs two inputs or a reference".to_owned())?;
        distance::check(near, self)
    }

    fn feature(&self, feature: u32) -> Result<usize, Refused> {
        let place = feature as usize;
        ensure(place < self.statement.features.len(), || format!("there is no feature {feature}"))?;
        Ok(place)
    }

    fn variable(&self, variable: Variable) -> Result<usize, Refused> {
        ensure((variable.input as usize) < self.statement.inputs.len(), || {
            format!("there is no input {}", variable.input)
        })?;
        self.feature(variable.feature)
    }

    /// The name of a feature in messages.
    pub fn name(&self, feature: usize) -> String {
        between('`', &self.statement.features[feature].name)
    }

    /// True if a feature has categories.
    pub fn is_category(&self, feature: usize) -> bool {
        self.readers(feature)[0].feature.is_category()
    }

    /// The models that read a feature.
    pub fn readers(&self, feature: usize) -> Vec<FeatureReader<'a>> {
        let readers = self.statement.features[feature].readers.iter();
        readers
            .map(|reader| {
                let model = self.models[reader.model as usize];
                FeatureReader { input: model.input(), feature: &model.features()[reader.feature as usize] }
            })
            .collect()
    }

    /// The feature of the statement for a feature of a model, and the place of the model among its readers.
    pub fn place(&self, model: usize, feature: u32) -> (usize, usize) {
        let place = self.places[model][feature as usize];
        let readers = &self.statement.features[place].readers;
        (place, readers.iter().position(|reader| reader.model as usize == model).unwrap_or(0))
    }

    /// The group of a feature, by its place.
    pub fn group_of(&self, feature: usize) -> Option<usize> {
        self.group_of[feature]
    }

    /// The values that a feature may have at these inputs, which share it.
    pub fn values(&self, inputs: &[u32], feature: usize) -> FeatureValues {
        let domains: Vec<&Domain> =
            inputs.iter().map(|input| &self.statement.inputs[*input as usize][feature]).collect();
        FeatureValues::new(&domains, &self.readers(feature))
    }

    /// The reference, if there is one.
    pub fn reference_input(&self) -> Option<Input> {
        let raws: Vec<f64> = self.statement.reference.as_ref()?.0.iter().map(|raw| raw.0).collect();
        let read = |(feature, raw): (usize, &f64)| {
            let reader = self.readers(feature)[0];
            reader.input.read(reader.feature, *raw).ok()
        };
        let readings = raws.iter().enumerate().map(read).collect::<Option<Vec<Reading>>>()?;
        Some(Input { raws, readings })
    }

    /// The value of a feature in the reference, if there is one.
    pub fn reference(&self, feature: usize) -> Option<&CellValues> {
        self.reference.as_ref().map(|reference| &reference[feature])
    }
}
