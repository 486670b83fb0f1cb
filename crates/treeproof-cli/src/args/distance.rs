//! The flags of `robust` and `closest`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use treeproof::distance::Norm;
use treeproof::task::{Bytes, Span};

use super::{ModelArgs, count, number};

const CONDITIONS: &str = "Conditions beside those about values: `fixed(sex)`, `onlyincrease(age)`, `onlydecrease(debt)`, \
                          `changed <= 3`. What is missing stays missing, and what is there stays there, unless \
                          `maybemissing(x)` allows otherwise.";

pub(super) fn robust_examples() -> String {
    format!(
        "Examples:\n  treeproof robust model.ubj test.csv --norm linf --radius 0.1\n  \
         treeproof robust model.json test.csv --norm l0 --radius 2 --label y --json\n\n{CONDITIONS}\n\n\
         Exit code: 0 all rows hold, 1 some row is violated, 3 none violated but some undecided."
    )
}

pub(super) fn closest_examples() -> String {
    format!(
        "Examples:\n  treeproof closest model.ubj people.csv --norm l1 --where 'fixed(sex)' --domain train.csv\n  \
         treeproof closest model.txt houses.npy --norm linf --output-above 500000\n\n{CONDITIONS}\n\n\
         Exit code: 0 all rows decided (that no such input exists is an answer), 3 some undecided."
    )
}

#[derive(Args)]
pub(crate) struct RobustArgs {
    #[command(flatten)]
    pub(crate) distance: DistanceArgs,
    /// How far away an input may be.
    #[arg(long, value_name = "R", value_parser = number, allow_hyphen_values = true)]
    pub(crate) radius: f64,
    /// For regression: whether the output moves by more than this.
    #[arg(long, value_name = "EPS", value_parser = number, allow_hyphen_values = true)]
    pub(crate) within: Option<f64>,
    /// The column of DATA that holds the true labels: gives accuracy and certified accuracy.
    #[arg(long, value_name = "COL")]
    pub(crate) label: Option<String>,
}

#[derive(Args)]
pub(crate) struct ClosestArgs {
    #[command(flatten)]
    pub(crate) distance: DistanceArgs,
    /// Instead of another label: an output above this.
    #[arg(long, value_name = "V", value_parser = number, allow_hyphen_values = true, conflicts_with_all = ["output_below", "target"])]
    pub(crate) output_above: Option<f64>,
    /// Instead of another label: an output below this.
    #[arg(long, value_name = "V", value_parser = number, allow_hyphen_values = true, conflicts_with = "target")]
    pub(crate) output_below: Option<f64>,
}

/// What both have in common.
#[derive(Args)]
pub(crate) struct DistanceArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// The rows: CSV with a header, .npy, .npz, libsvm or Parquet, plain or gzipped.
    #[arg(value_name = "DATA")]
    pub(crate) data: PathBuf,
    /// How distances along features make one: the largest, the root of the sum of squares, the sum, the number of changes.
    #[arg(long, value_enum)]
    norm: NormName,
    /// The class, by name or number, that is to be reached; any other than the model's by default.
    #[arg(long, value_name = "CLASS")]
    pub(crate) target: Option<String>,
    /// Decide at this probability instead of the library's own.
    #[arg(long, value_name = "P", value_parser = number)]
    pub(crate) threshold: Option<f64>,
    /// Weights of features in the distance, as in `age=2,income=0.001`; 1 by default.
    #[arg(long, value_name = "NAME=W,…", value_delimiter = ',')]
    pub(crate) weights: Vec<String>,
    /// Divide distances along features by their standard deviation in DATA, as in `std:train.csv`.
    #[arg(long, value_name = "std:DATA")]
    pub(crate) scale: Option<String>,
    /// What it costs to go missing, or to cease to be, where `maybemissing` allows it; 1 in l0.
    #[arg(long, value_name = "C", value_parser = number)]
    pub(crate) missing_cost: Option<f64>,
    /// What it costs to change a category; 1 in l0, elsewhere categories are fixed by default.
    #[arg(long, value_name = "C", value_parser = number)]
    pub(crate) category_cost: Option<f64>,
    /// A condition on the input; may be given several times, and all must hold.
    #[arg(long = "where", value_name = "EXPR", allow_hyphen_values = true)]
    pub(crate) conditions: Vec<String>,
    /// Confine each feature to what occurs in this data.
    #[arg(long, value_name = "DATA")]
    pub(crate) domain: Option<PathBuf>,
    /// Ask only about this many rows, from the first on.
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) rows: Option<usize>,
    /// Stop after this time for each row, as in 500ms, 30s, 2min.
    #[arg(long, value_name = "TIME", default_value = "10s", help_heading = "Limits")]
    pub(crate) time: Span,
    /// Memory for what is open, as in 500MB or 4GiB; half of the machine's by default.
    #[arg(long, value_name = "SIZE", help_heading = "Limits")]
    pub(crate) memory: Option<Bytes>,
    /// Threads, each for rows of its own; all cores by default.
    #[arg(long, value_name = "N", value_parser = count, help_heading = "Limits")]
    pub(crate) threads: Option<usize>,
    /// Print one JSON object and nothing else.
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum NormName {
    Linf,
    L2,
    L1,
    L0,
}

impl DistanceArgs {
    pub(crate) fn norm(&self) -> Norm {
        match self.norm {
            NormName::Linf => Norm::Linf,
            NormName::L2 => Norm::L2,
            NormName::L1 => Norm::L1,
            NormName::L0 => Norm::L0,
        }
    }
}
