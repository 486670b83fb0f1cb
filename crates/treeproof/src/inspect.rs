//! What is in a model file, as facts for people and for programs.

mod origin;
mod tested;

use serde::Serialize;
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::float::Precision;
use treeproof_ensemble::input::{Absent, FeatureKind};
use treeproof_ensemble::label::ClassName;
use treeproof_ensemble::sum::{Aggregate, BasePosition, Summation, WeightRule};
use treeproof_ensemble::tree::{Side, Test};

pub use crate::attributes::{Attribute, attributes};

pub use self::origin::{about_now, model_facts};
pub use self::tested::tested;

/// The facts about a model.
#[derive(Clone, Debug, Serialize)]
pub struct Facts {
    /// The file format.
    pub format: String,
    /// The writing library and its version.
    pub version: Option<String>,
    /// The training objective.
    pub objective: Option<String>,
    /// The classes in the library's order.
    pub classes: Vec<ClassName>,
    /// The number of margins.
    pub margins: usize,
    /// The number of trees.
    pub trees: usize,
    /// The number of leaves of all trees.
    pub leaves: usize,
    /// The leaves of the largest tree.
    pub largest_tree: usize,
    /// The depth of the deepest tree.
    pub depth: usize,
    /// The number of input columns.
    pub features: usize,
    /// The columns that some split tests.
    pub features_used: Vec<FeatureFacts>,
    /// Distinct thresholds over all features.
    pub thresholds: usize,
    /// How values are read.
    pub input: String,
    /// What happens to missing values.
    pub missing: String,
    /// How leaf values are added.
    pub arithmetic: String,
    /// The base scores, as margins.
    pub base: Vec<f64>,
    /// From margin to output.
    pub link: String,
    /// From margin or output to label.
    pub label_rule: String,
    /// The largest distance between the library's sum and the exact one, over all inputs; none if unbounded.
    pub rounding: Option<f64>,
    /// What a careful reader should know.
    pub notes: Vec<String>,
}

/// The facts about one feature.
#[derive(Clone, Debug, Serialize)]
pub struct FeatureFacts {
    /// Its name.
    pub name: String,
    /// `numeric` or `category`.
    pub kind: &'static str,
    /// How many splits test it.
    pub splits: usize,
    /// Its distinct thresholds.
    pub thresholds: usize,
    /// Its categories, where the file names them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<String>,
    /// How the splits treat missing values.
    pub missing: MissingRole,
}

/// How the splits on a feature treat missing values, taken together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MissingRole {
    /// Some send them left, some right: missing is a state of its own.
    Own,
    /// Like a number below all thresholds, or a category in every set.
    LikeSmallest,
    /// Like a number above all thresholds, or a category in no set.
    LikeLargest,
    /// The library refuses them.
    Refused,
}

impl MissingRole {
    /// The role in words, for a numeric feature or a categorical one.
    pub fn describe(self, is_category: bool) -> &'static str {
        match (self, is_category) {
            (Self::Own, _) => "a state of its own",
            (Self::LikeSmallest, false) => "like the smallest number",
            (Self::LikeLargest, false) => "like the largest number",
            (Self::LikeSmallest, true) => "like a category in every set",
            (Self::LikeLargest, true) => "like a category in no set",
            (Self::Refused, _) => "refused",
        }
    }
}

/// Collects the facts about a model.
pub fn inspect(ensemble: &Ensemble) -> Facts {
    let source = ensemble.source();
    let features_used = used_features(ensemble);
    Facts {
        format: source.format.clone(),
        version: source.version.clone(),
        objective: source.objective.clone(),
        classes: ensemble.classes().to_vec(),
        margins: ensemble.num_margins(),
        trees: ensemble.trees().len(),
        leaves: ensemble.trees().iter().map(|tree| tree.leaves().len()).sum(),
        largest_tree: ensemble.trees().iter().map(|tree| tree.leaves().len()).max().unwrap_or(0),
        depth: ensemble.trees().iter().map(|tree| tree.depth()).max().unwrap_or(0),
        features: ensemble.features().len(),
        thresholds: features_used.iter().map(|feature| feature.thresholds).sum(),
        features_used,
        input: input(ensemble),
        missing: missing(ensemble),
        arithmetic: arithmetic(ensemble.aggregate()),
        base: base(ensemble.aggregate()),
        link: ensemble.link().describe(),
        label_rule: ensemble.label_rule().describe(),
        rounding: rounding(ensemble),
        notes: source.notes.clone(),
    }
}

fn used_features(ensemble: &Ensemble) -> Vec<FeatureFacts> {
    #[derive(Default, Clone)]
    struct Use {
        splits: usize,
        thresholds: Vec<u64>,
        missing_left: bool,
        missing_right: bool,
    }
    let mut uses = vec![Use::default(); ensemble.features().len()];
    for tree in ensemble.trees() {
        for split in tree.splits() {
            let feature = &mut uses[split.feature as usize];
            feature.splits += 1;
            match split.missing {
                Side::Left => feature.missing_left = true,
                Side::Right => feature.missing_right = true,
            }
            if let Test::Below(threshold) = split.test {
                feature.thresholds.push(threshold.to_bits());
            }
        }
    }
    // Once for all: a set that grows by one at a time takes many times as long.
    for of_feature in &mut uses {
        of_feature.thresholds.sort_unstable();
        of_feature.thresholds.dedup();
    }
    let facts = |(feature, tests): (&treeproof_ensemble::input::Feature, &Use)| FeatureFacts {
        name: feature.name.clone(),
        kind: if feature.is_category() { "category" } else { "numeric" },
        splits: tests.splits,
        thresholds: tests.thresholds.len(),
        categories: match &feature.kind {
            FeatureKind::Category(categories) => categories.names.clone(),
            FeatureKind::Numeric => vec![],
        },
        missing: match (ensemble.input().takes_missing(feature), tests.missing_left, tests.missing_right) {
            (false, _, _) => MissingRole::Refused,
            (true, true, true) => MissingRole::Own,
            (true, true, false) => MissingRole::LikeSmallest,
            (true, false, _) => MissingRole::LikeLargest,
        },
    };
    ensemble.features().iter().zip(&uses).filter(|(_, tests)| tests.splits > 0).map(facts).collect()
}

fn precision(precision: Precision) -> &'static str {
    match precision {
        Precision::F32 => "f32",
        Precision::F64 => "f64",
    }
}

fn input(ensemble: &Ensemble) -> String {
    let rules = ensemble.input();
    let mut text = match rules.precision {
        Precision::F32 => "numbers are rounded to f32, then compared".to_owned(),
        Precision::F64 => "numbers are compared as f64".to_owned(),
    };
    if let Some(band) = rules.zero_band {
        text.push_str(&format!("; magnitudes up to {band:e} are zero"));
    }
    if !rules.accepts_infinite {
        text.push_str("; infinite values are refused");
    }
    text
}

fn missing(ensemble: &Ensemble) -> String {
    let rules = ensemble.input();
    let mut text = match (rules.accepts_missing, rules.missing_value) {
        (false, _) => "refused".to_owned(),
        (true, None) => "NaN, by each split's default direction".to_owned(),
        (true, Some(value)) => format!("NaN and {value}, by each split's default direction"),
    };
    let absent = match rules.absent {
        Absent::Missing => "missing",
        Absent::Zero => "zero",
    };
    text.push_str(&format!("; absent entries of sparse data are {absent}"));
    text
}

fn arithmetic(aggregate: &Aggregate) -> String {
    let summation = match aggregate {
        Aggregate::Sum(summation) => summation,
        Aggregate::WeightedMedian { .. } => return "weighted median of the trees (prediction only)".into(),
        Aggregate::Min(_) => return "minimum of the trees (prediction only)".into(),
        Aggregate::Max(_) => return "maximum of the trees (prediction only)".into(),
    };
    let Summation { base_position, weights, divisor, scale, fixed_order, .. } = summation;
    let mut text = format!("sum in {} in tree order", precision(summation.precision));
    match base_position {
        BasePosition::First => text.push_str(", starting at the base score"),
        BasePosition::Last => text.push_str(", base score added last"),
    }
    match weights.as_ref().map(|weights| weights.rule) {
        Some(WeightRule::Product) => text.push_str(", trees weighted"),
        Some(WeightRule::OffBase) => text.push_str(", trees weighted off the base score"),
        None => {}
    }
    if let Some(divisor) = divisor {
        text.push_str(&format!(", divided by {divisor}"));
    }
    if let Some(scale) = scale {
        text.push_str(&format!(", scaled by {scale}"));
    }
    if !fixed_order {
        text.push_str("; with several threads the library may add in another order");
    }
    text
}

fn base(aggregate: &Aggregate) -> Vec<f64> {
    match aggregate {
        Aggregate::Sum(summation) => summation.base.clone(),
        Aggregate::Min(extreme) | Aggregate::Max(extreme) => extreme.base.clone(),
        Aggregate::WeightedMedian { .. } => vec![],
    }
}

/// The a-priori bound of the output whose largest leaves add up to most.
fn rounding(ensemble: &Ensemble) -> Option<f64> {
    let summation = ensemble.summation()?;
    let mut largest = 0.0_f64;
    for output in 0..ensemble.num_accumulators() {
        let (mut terms, mut magnitude) = (0, 0.0);
        for (index, tree) in ensemble.trees().iter().enumerate() {
            let weight = summation.weights.as_ref().map_or(1.0, |weights| weights.per_tree[index].abs());
            let leaf = |leaf: usize| {
                let of_output = || tree.terms(leaf).iter().filter(|term| term.output as usize == output);
                (of_output().count(), of_output().map(|term| term.value.abs()).sum::<f64>())
            };
            let leaves = (0..tree.leaves().len()).map(leaf);
            let (count, value) = leaves.fold((0, 0.0_f64), |best, leaf| (best.0.max(leaf.0), best.1.max(leaf.1)));
            terms += count;
            magnitude += value * weight;
        }
        // The sum of magnitudes is itself rounded; a relative 1e-9 covers millions of additions.
        largest = largest.max(summation.a_priori_error(output, terms, magnitude * (1.0 + 1e-9)));
    }
    largest.is_finite().then_some(largest)
}
