//! The flags of `robust` and `closest`, and the tasks that they mean.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use treeproof::task::{Closest, Measure, Robust, Task};

use treeproof_ensemble::norm::Norm;

use super::ask::{AskArgs, TableArgs};
use super::method::MethodName;
use super::{count, number};

const CONDITIONS: &str = "Conditions beside those about values: `fixed(sex)`, `onlyincrease(age)`, `onlydecrease(debt)`, \
                          `changed <= 3`, and bounds in other norms: `distance(l1) <= 5`. What is missing stays missing, and what is there stays there, unless \
                          `maybemissing(x)` allows otherwise. docs/constraints.md is the manual. --domain DATA keeps inputs within \
                          what occurs in data, and is recommended: inputs far outside the data convince nobody.";

pub(super) fn robust_help() -> String {
    format!(
        "Examples:\n  treeproof robust model.ubj test.csv --norm linf --radius 0.1\n  \
         treeproof robust model.json test.csv --norm l0 --radius 2 --label y --json\n\n{CONDITIONS}\n\n\
         Exit code: 0 all rows hold, 1 some row is violated, 3 none violated but some undecided, 4 nothing meets the \
         conditions."
    )
}

pub(super) fn closest_help() -> String {
    format!(
        "Examples:\n  treeproof closest model.ubj people.csv --norm l1 --where 'fixed(sex)' --domain train.csv\n  \
         treeproof closest model.txt houses.npy --norm linf --output-above 500000\n\n{CONDITIONS}\n\n\
         Exit code: 0 all rows decided (that no such input exists is an answer), 3 some undecided, 4 the conditions \
         contradict each other."
    )
}

#[derive(Args)]
pub(crate) struct RobustArgs {
    #[command(flatten)]
    pub(crate) distance: DistanceArgs,
    /// How far away an input may be.
    #[arg(long, value_name = "R", value_parser = number, allow_hyphen_values = true)]
    radius: f64,
    /// For regression: whether the output moves by more than this.
    #[arg(long, value_name = "EPS", value_parser = number, allow_hyphen_values = true)]
    within: Option<f64>,
    /// The column of DATA that holds the true labels: gives accuracy and certified accuracy.
    #[arg(long, value_name = "COL")]
    label: Option<String>,
}

#[derive(Args)]
pub(crate) struct ClosestArgs {
    #[command(flatten)]
    pub(crate) distance: DistanceArgs,
    /// Instead of another label: an output above this.
    #[arg(long, value_name = "V", value_parser = number, allow_hyphen_values = true)]
    output_above: Option<f64>,
    /// Instead of another label: an output below this.
    #[arg(long, value_name = "V", value_parser = number, allow_hyphen_values = true)]
    output_below: Option<f64>,
    /// So many inputs for each row, the nearest first: every further one leaves something unchanged that each one before it
    /// changes.
    #[arg(long, value_name = "N", value_parser = count)]
    count: Option<usize>,
}

/// What both have in common.
#[derive(Args)]
pub(crate) struct DistanceArgs {
    #[command(flatten)]
    pub(crate) ask: AskArgs,
    /// The rows: CSV with a header, .npy, .npz, libsvm or Parquet, plain or gzipped.
    #[arg(value_name = "DATA", index = 2)]
    data: PathBuf,
    /// Ask only about this many rows, from the first on.
    #[arg(long, value_name = "N", value_parser = count, allow_hyphen_values = true)]
    rows: Option<usize>,
    /// How distances along features make one: the largest, the root of the sum of squares, the sum, the number of changes.
    #[arg(long, value_enum, ignore_case = true)]
    norm: NormName,
    /// The class, by name or number, that is to be reached; any other than the model's by default.
    #[arg(long, value_name = "CLASS")]
    target: Option<String>,
    /// Decide at this probability instead of the library's own.
    #[arg(long, value_name = "P", value_parser = number, allow_hyphen_values = true)]
    threshold: Option<f64>,
    #[command(flatten)]
    measure: MeasureArgs,
    /// How to search, for comparison on your own model: `auto` is the best way known, `veritas` the published one, for linf: a
    /// radius from 20 on is doubled until something is within it, then halved ten times, each asked about by a search over leaf
    /// sequences (ARA*) on one thread. What is left is an interval, unless only one distance in it is possible.
    #[arg(long, value_enum, hide_possible_values = true, default_value_t = MethodName::Auto, help_heading = "Method")]
    method: MethodName,
    /// The first ε of `--method veritas`, from 0.001 to 1: smaller finds a first input sooner, 1 is A*. Default: 0.5.
    #[arg(long, value_name = "E", value_parser = number, allow_hyphen_values = true, help_heading = "Method")]
    epsilon: Option<f64>,
    #[command(flatten)]
    pub(crate) table: TableArgs,
}

/// How distances are measured, beside the norm.
#[derive(Args)]
pub(super) struct MeasureArgs {
    /// Weights of features in the distance, as in `age=2,income=0.001`; 1 by default.
    #[arg(long, value_name = "NAME=W,…", value_delimiter = ',')]
    weights: Vec<String>,
    /// Divide changes of numbers by the standard deviation of the feature in DATA, as in `std:train.csv`.
    #[arg(long, value_name = "std:DATA")]
    scale: Option<String>,
    /// What it costs to go missing, or to cease to be, where `maybemissing` allows it; 1 in l0.
    #[arg(long, value_name = "C", value_parser = number, allow_hyphen_values = true)]
    missing_cost: Option<f64>,
    /// What it costs to change a category; 1 in l0, elsewhere categories are fixed by default.
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
    /// The task that the flags mean.
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
    /// The task that the flags mean.
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
        self.method.set(self.epsilon, &mut task);
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
    /// What the flags mean.
    pub(super) fn measure(&self, norm: NormName) -> anyhow::Result<Measure> {
        let mut measure = Measure::new(norm.norm());
        for text in &self.weights {
            let weighted = text.rsplit_once('=').and_then(|(name, weight)| Some((name, weight.parse().ok()?)));
            let (name, weight) = weighted
                .ok_or_else(|| anyhow::anyhow!("--weights: `{text}` is not of the form NAME=W, as in age=2"))?;
            measure.weights.insert(name.to_owned(), weight);
        }
        measure.scale.clone_from(&self.scale);
        (measure.missing_cost, measure.category_cost) = (self.missing_cost, self.category_cost);
        Ok(measure)
    }
}
