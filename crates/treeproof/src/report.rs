//! A report: what was proved, as data. Shells only format it.

mod combination;
mod configurations;
mod distances;
mod dominant;
mod nearest;
mod pair;
mod together;

use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::input::{Categories, CategoryType, FeatureKind, Reading};
use treeproof_ensemble::label::ClassName;
use treeproof_ensemble::link::{Link, PairRule};
use treeproof_ensemble::literal::Literal;
use treeproof_language::Groups;

pub use self::combination::CombinationAnswer;
pub(crate) use self::configurations::AskedValues;
pub use self::configurations::{
    ConfigurationDomain, ConfigurationReport, EnumerateAnswer, FeatureDomain, FeatureValues,
};
pub use self::distances::{Change, DistanceRow, DistancesAnswer, DistancesSummary, NearWitness};
pub use self::dominant::{DominantAnswer, FeatureChange, RankedFeature, RankingAnswer};
pub use self::nearest::{NearestRow, NearestRows};
pub use self::pair::{Numbers, Pair, PairAnswer, PairRow, PairRowsAnswer, PairRowsSummary, PairWitness, PairsAnswer};
pub use self::together::{RowFacts, RowsQuestion, Summary, Together, together};

/// The answer to a task.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// What was asked, by its name.
    pub question: &'static str,
    /// The class whose margin it is, in models with several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<ClassName>,
    /// What bounds and outputs are measured in.
    pub unit: Unit,
    /// Features that the question is about and that no tree tests, so that the answer is the same whatever they are. Of `robust`: all
    /// that may change, if no tree tests any of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_tested: Vec<String>,
    /// What was found.
    #[serde(flatten)]
    pub finding: Finding,
}

/// What was found.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Finding {
    /// Bounds on one number.
    One(Answer),
    /// Bounds on the smallest and the largest number.
    Range(Box<RangeAnswer>),
    /// Output configurations.
    Configurations(EnumerateAnswer),
    /// What two models, or two inputs, differ by.
    Pair(Box<PairAnswer>),
    /// The same for each of some features.
    Pairs(PairsAnswer),
    /// The same for each of some rows.
    PairRows(PairRowsAnswer),
    /// Bounds on a sum of margins.
    Combination(Box<CombinationAnswer>),
    /// How far each of some rows is from another answer.
    Distances(DistancesAnswer),
    /// What moves a margin, and how far.
    Dominant(Box<DominantAnswer>),
    /// How far each feature moves a margin by itself.
    Ranking(RankingAnswer),
    /// Nothing meets the conditions.
    Infeasible(Infeasible),
}

/// Bounds on one number, and an input that reaches one of them.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Answer {
    /// What was proved.
    pub verdict: Verdict,
    /// The number is at least this.
    pub lower: Option<f64>,
    /// The number is at most this.
    pub upper: Option<f64>,
    /// Between the bounds before they were rounded, itself rounded up.
    pub gap: Option<f64>,
    /// The library's own sum for the witness is within this of the exact one.
    pub rounding: Option<f64>,
    /// An input whose exact sum is the bound that was found (the lower one of `max`, the upper one of `min`).
    pub witness: Option<Witness>,
    /// The row of the task's `domain` that is nearest to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nearest_row: Option<NearestRow>,
    /// The library's own margin for the witness.
    pub output: Option<f64>,
    /// The library's own probability for the witness, where margins are turned into such.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
    /// The library's own prediction for the witness, where it is neither margin nor probability.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prediction: Option<f64>,
    /// Why the search ended.
    pub stopped: Stopped,
    /// How long it took.
    pub seconds: f64,
    /// What it took.
    pub stats: Stats,
}

/// The smallest and the largest number.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RangeAnswer {
    /// What was proved of both.
    pub verdict: Verdict,
    /// No output is below.
    pub lower: Option<f64>,
    /// No output is above.
    pub upper: Option<f64>,
    /// The smallest.
    pub min: Answer,
    /// The largest.
    pub max: Answer,
    /// How long both took.
    pub seconds: f64,
}

/// Nothing meets the conditions.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Infeasible {
    /// Always `infeasible`.
    pub verdict: Verdict,
    /// There is no bound.
    pub lower: Option<f64>,
    /// There is no bound.
    pub upper: Option<f64>,
    /// There is no gap.
    pub gap: Option<f64>,
    /// There is no input.
    pub witness: Option<Witness>,
    /// There is no output.
    pub output: Option<f64>,
    /// Nothing was left to search from the start.
    pub stopped: Stopped,
    /// The texts that contradict each other.
    pub conflict: Vec<String>,
}

/// What was proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Verdict {
    /// The bounds are as close as was asked for; by default, nothing is left to search.
    Optimal,
    /// What was asked is so for every input.
    Holds,
    /// What was asked is not so for the witness.
    Violated,
    /// The bounds hold, but a limit or a target ended the search first.
    Undecided,
    /// Nothing meets the conditions.
    Infeasible,
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Stopped {
    /// Nothing is left to search.
    Optimal,
    /// A gap or an output that was asked for.
    Target,
    /// The time was up.
    Time,
    /// The memory was full.
    Memory,
    /// Somebody said so.
    Interrupted,
    /// What is left to decide lies within the rounding errors of the library's sums.
    Rounding,
    /// Open: unknown whether any doubles meet the conditions in what is left.
    Conditions,
    /// The method `veritas` has halved the distance as often as it does.
    Steps,
}

/// What numbers are measured in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Unit {
    /// Margins: the sum of the leaves, before any link.
    Margin,
    /// Distances between inputs.
    Distance,
}

/// What a search took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Stats {
    /// Regions looked at.
    pub regions: u64,
    /// The most that open regions took.
    pub memory_bytes: u64,
}

/// An input: every feature with its value, in the model's order. A group stands in the place of its first column.
#[derive(Clone, Debug, PartialEq)]
pub struct Witness(pub Vec<(String, WitnessValue)>);

/// The value of a feature.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum WitnessValue {
    /// It is missing.
    Missing,
    /// A number, or the code of a category without a name.
    Number(#[serde(serialize_with = "literal")] f64),
    /// A category, or the value of a group, by name.
    Category(CategoryName),
}

/// The name of a category, and what it spells: in JSON a number, a truth value or a text, as the model's data has it, so that a
/// witness that is given back is matched to the same category.
#[derive(Clone, Debug, PartialEq)]
pub struct CategoryName {
    /// The name.
    pub text: String,
    value_type: CategoryType,
}

impl CategoryName {
    /// The name of a category by its code, if it has one.
    pub(crate) fn of(categories: &Categories, code: u32) -> Option<Self> {
        let text = categories.names.get(code as usize)?.clone();
        Some(Self { text, value_type: categories.value_type })
    }

    /// A name that is a text.
    pub(crate) fn text(text: &str) -> Self {
        Self { text: text.to_owned(), value_type: CategoryType::Text }
    }
}

impl Serialize for CategoryName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match (self.value_type, self.text.as_str(), self.text.parse::<f64>()) {
            (CategoryType::Truth, "True", _) => serializer.serialize_bool(true),
            (CategoryType::Truth, "False", _) => serializer.serialize_bool(false),
            (CategoryType::Number, _, Ok(number)) => literal(&number, serializer),
            (_, text, _) => serializer.serialize_str(text),
        }
    }
}

/// JSON has no infinities, and no number would say that a value is missing.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "what serde calls has references")]
fn literal<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    Literal(*number).serialize(serializer)
}

impl Serialize for Witness {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl Witness {
    /// A row of raw values in words.
    pub(crate) fn new(ensemble: &Ensemble, groups: &Groups, row: &[f64]) -> Self {
        let value = |feature: usize| {
            let (feature, raw) = (&ensemble.features()[feature], &row[feature]);
            let value = match (ensemble.input().read(feature, *raw), &feature.kind) {
                (Ok(Reading::Missing), _) => WitnessValue::Missing,
                (Ok(Reading::Category(code)), FeatureKind::Category(categories)) => {
                    CategoryName::of(categories, code).map_or(WitnessValue::Number(*raw), WitnessValue::Category)
                }
                _ => WitnessValue::Number(*raw),
            };
            (feature.name.clone(), value)
        };
        let entry = |feature: usize| match groups.of(feature) {
            None => Some(value(feature)),
            Some(group) if group.columns[0] == feature => {
                let place = group.value(row, ensemble).expect("exactly one column is 1, as was checked");
                Some((group.name.clone(), WitnessValue::Category(CategoryName::text(&group.values[place]))))
            }
            Some(_) => None,
        };
        Self((0..row.len()).filter_map(entry).collect())
    }
}

impl Report {
    /// What was proved.
    pub fn verdict(&self) -> Verdict {
        match &self.finding {
            Finding::One(answer) => answer.verdict,
            Finding::Range(answer) => answer.verdict,
            Finding::Configurations(answer) => answer.verdict,
            Finding::Pair(answer) => answer.verdict,
            Finding::Pairs(answer) => answer.verdict,
            Finding::Combination(answer) => answer.verdict,
            Finding::PairRows(answer) => answer.verdict,
            Finding::Distances(answer) => answer.verdict,
            Finding::Dominant(answer) => answer.answer.verdict,
            Finding::Ranking(answer) => answer.verdict,
            Finding::Infeasible(_) => Verdict::Infeasible,
        }
    }

    /// Whether the search did what was asked of it: an optimum, or a target reached.
    pub fn is_done(&self) -> bool {
        let is_done = |answer: &Answer| answer.verdict == Verdict::Optimal || answer.stopped == Stopped::Target;
        match &self.finding {
            Finding::One(answer) => is_done(answer),
            Finding::Range(range) => is_done(&range.min) && is_done(&range.max),
            Finding::Combination(answer) => answer.verdict == Verdict::Optimal || answer.stopped == Stopped::Target,
            Finding::Configurations(answer) => answer.verdict == Verdict::Optimal,
            Finding::Pair(_) | Finding::Pairs(_) | Finding::PairRows(_) | Finding::Distances(_) => {
                matches!(self.verdict(), Verdict::Optimal | Verdict::Holds)
            }
            Finding::Dominant(answer) => {
                answer.answer.verdict == Verdict::Optimal || answer.answer.stopped == Stopped::Target
            }
            Finding::Ranking(answer) => answer.verdict == Verdict::Optimal,
            Finding::Infeasible(_) => false,
        }
    }
}

impl Infeasible {
    pub(crate) fn new(conflict: Vec<String>) -> Self {
        Self {
            verdict: Verdict::Infeasible,
            lower: None,
            upper: None,
            gap: None,
            witness: None,
            output: None,
            stopped: Stopped::Optimal,
            conflict,
        }
    }
}

/// Which of a model's outputs belongs to a margin, and whether outputs are probabilities.
pub(crate) fn prediction(ensemble: &Ensemble, margin: usize, outputs: &[f64]) -> Option<(f64, bool)> {
    let mut link = ensemble.link();
    while let Link::Averaged { then, .. } = link {
        link = then;
    }
    let is_probability = match link {
        Link::Identity | Link::Narrow | Link::ClassIndex | Link::VersionDependent => return None,
        Link::LogisticXgboost
        | Link::Logistic { .. }
        | Link::LogisticOnnx
        | Link::SoftmaxXgboost
        | Link::Softmax
        | Link::SoftmaxOnnx
        | Link::PairOnnx { rule: PairRule::Logistic } => true,
        _ => false,
    };
    // Two outputs of one margin: it is the second's.
    let place = if matches!(link, Link::PairOnnx { .. }) { 1 } else { margin };
    outputs.get(place).map(|output| (*output, is_probability))
}
