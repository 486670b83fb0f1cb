//! Flags of `robust` and `closest`, and their tasks.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use treeproof::task::{Closest, Measure, Method, Robust, Task};

use treeproof_ensemble::norm::Norm;

use super::ask::{AskArgs, TableArgs};
use super::{count, method, number};

const CONDITIONS: &str = "Conditions relative to the row: `fixed(sex)`, `onlyincrease(age)`, `onlydecrease(debt)`, \
                          `changed <= 3`, and bounds in other norms: `distance(l1) <= 5`. Values do not become missing, nor missing values present, unless \
                          `maybemissing(x)` allows it. See docs/constraints.md for the syntax. --domain DATA restricts inputs to \
                          the values in data. It is recommended: answers far outside the data are rarely useful.";

pub(super) fn robust_help() -> String {
    format!(
        "Examples:\n  treeproof robust model.ubj test.csv --norm linf --radius 0.1\n  \
         treeproof robust model.json test.csv --norm l0 --radius 2 --label y --json\n\n{CONDITIONS}\n\n\
         Exit code: 0 all rows hold, 1 some row is violated, 3 none violated but some undecided, 4 no input meets the \
         conditions."
    )
}

pub(super) fn closest_help() -> String {
    format!(
        "Examples:\n  treeproof closest model.ubj people.csv --norm l1 --where 'fixed(sex)' --domain train.csv\n  \
         treeproof closest model.txt houses.npy --norm linf --output-above 500000\n\n{CONDITIONS}\n\n\
         Exit code: 0 all rows decided (also if no such input exists), 3 some undecided, 4 the conditions \
         contradict each other."
    )
}

#[derive(Args)]
pub(crate) struct RobustArgs {
    #[command(flatten)]
    pub(crate) distance: DistanceArgs,
    /// Largest distance from the row.
    #[arg(long, value_name = "R", value_parser = number, allow_hyphen_values = true)]
    radius: f64,
    /// For regression: the largest allowed change of the output.
    #[arg(long, value_name = "EPS", value_parser = number, allow_hyphen_values = true)]
    within: Option<f64>,
    /// Column of true labels in DATA, for accuracy and certified accuracy.
    #[arg(long, value_name = "COL")]
    label: Option<String>,
}

#[derive(Args)]
pub(crate) struct ClosestArgs {
    #[command(flatten)]
    pub(crate) distance: DistanceArgs,
    /// Find an output above this, instead of another label.
    #[arg(long, value_name = "V", value_parser = number, allow_hyphen_values = true)]
    output_above: Option<f64>,
    /// Find an output below this, instead of another label.
    #[arg(long, value_name = "V", value_parser = number, allow_hyphen_values = true)]
    output_below: Option<f64>,
    /// Number of inputs for each row, nearest first; each leaves some feature unchanged that every earlier one changes.
    #[arg(long, value_name = "N", value_parser = count)]
    count: Option<usize>,
}

/// Flags common to both.
#[derive(Args)]
pub(crate) struct DistanceArgs {
    #[command(flatten)]
    pub(crate) ask: AskArgs,
    /// Rows: CSV with a header, .npy, .npz, libsvm or Parquet, plain or gzipped.
    #[arg(value_name = "DATA", index = 2)]
    data: PathBuf,
    /// Use only the first N rows.
    #[arg(long, value_name = "N", value_parser = count, allow_hyphen_values = true)]
    rows: Option<usize>,
    /// Norm of the distance: largest change, Euclidean, sum of changes, or number of changed features.
    #[arg(long, value_enum, ignore_case = true)]
    norm: NormName,
    /// Target class, by name or number (default: any other than the model's).
    #[arg(long, value_name = "CLASS")]
    target: Option<String>,
    /// Probability threshold of the second class (default: the library's own label rule).
    #[arg(long, value_name = "P", value_parser = number, allow_hyphen_values = true)]
    threshold: Option<f64>,
    #[command(flatten)]
    measure: MeasureArgs,
    /// Search method, for comparison on your own model: `auto` is the fastest, `veritas` the published one for linf: a radius,
    /// initially 20, is doubled until it contains an input, then bisected ten times, each time with a search over leaf sequences
    /// (ARA*) on one thread. The answer is an interval, unless it contains only one possible distance.
    #[arg(long, value_parser = method(), hide_possible_values = true, default_value_t = Method::Auto, help_heading = "Method")]
    method: Method,
    /// Initial ε of `--method veritas`, from 0.001 to 1: smaller finds a first input sooner, 1 is A* (default: 0.5).
    #[arg(long, value_name = "E", value_parser = number, allow_hyphen_values = true, help_heading = "Method")]
    epsilon: Option<f64>,
    #[command(flatten)]
    pub(crate) table: TableArgs,
}

/// The measure of distances, beside the norm.
#[derive(Args)]
pub(super) struct MeasureArgs {
    /// Weights of features in the distance, such as `age=2,income=0.001` (default: 1).
    #[arg(long, value_name = "NAME=W,…", value_delimiter = ',')]
    weights: Vec<String>,
    /// Divide changes by the standard deviation of the feature in DATA, as in `std:train.csv`.
    #[arg(long, value_name = "std:DATA")]
    scale: Option<String>,
    /// Cost of becoming or ceasing to be missing, if `maybemissing` allows it; 1 in l0.
    #[arg(long, value_name = "C", value_parser = number, allow_hyphen_values = true)]
    missing_cost: Option<f64>,
    /// Cost of changing a category; 1 in l0. In other norms categories are fixed by default.
    #[arg(long, value_name = "C", value_parser = number, allow_hyphen_values = true)]
    category_cost: Option<f64>,
}

#[derive(Clone, Copy, ValueEnum)]
pub(super) enum NormName {
    #[value(alias = "inf")]
    Linf,
    L2,
    L1,
    L0,
}

impl RobustArgs {
    /// The task of the flags.
    pub(crate) fn task(&self) -> anyhow::Result<Task> {
        let mut robust = Robust::new(self.distance.norm.norm(), self.radius);
        robust.measure = self.distance.measure.measure(self.distance.norm)?;
        robust.target.clone_from(&self.distance.target);
        robust.within = self.within;
        robust.label.clone_from(&self.label);
        Ok(self.distance.about_rows(self.distance.ask.task(robust)))
    }
}

impl ClosestArgs {
    /// The task of the flags.
    pub(crate) fn task(&self) -> anyhow::Result<Task> {
        let mut closest = Closest::new(self.distance.norm.norm());
        closest.measure = self.distance.measure.measure(self.distance.norm)?;
        closest.target.clone_from(&self.distance.target);
        (closest.output_above, closest.output_below) = (self.output_above, self.output_below);
        closest.count = self.count;
        Ok(self.distance.about_rows(self.distance.ask.task(closest)))
    }
}

impl DistanceArgs {
    fn about_rows(&self, mut task: Task) -> Task {
        task.data = Some(self.data.clone());
        task.rows = self.rows;
        task.threshold = self.threshold;
        (task.method, task.epsilon) = (self.method, self.epsilon);
        task
    }
}

impl NormName {
    pub(super) fn norm(self) -> Norm {
        match self {
            Self::Linf => Norm::Linf,
            Self::L2 => Norm::L2,
            Self::L1 => Norm::L1,
            Self::L0 => Norm::L0,
        }
    }
}

impl MeasureArgs {
    /// The measure of the flags.
    pub(super) fn measure(&self, norm: NormName) -> anyhow::Result<Measure> {
        let mut measure = Measure::new(norm.norm());
        for text in &self.weights {
            let weighted = text.rsplit_once('=').and_then(|(name, weight)| Some((name, weight.parse().ok()?)));
            let (name, weight) = weighted
                .ok_or_else(|| anyhow::anyhow!("--weights: `{text}` is not of the form NAME=W, such as age=2"))?;
            measure.weights.insert(name.to_owned(), weight);
        }
        measure.scale.clone_from(&self.scale);
        (measure.missing_cost, measure.category_cost) = (self.missing_cost, self.category_cost);
        Ok(measure)
    }
}
