//! Flags of `diff`, `monotone` and `fair`, and their tasks.

use std::path::PathBuf;

use clap::Args;
use treeproof::task::{Diff, Fair, Monotone, Task};

use super::ask::{AskArgs, TableArgs, regions_help};
use super::targets::TargetArgs;
use super::{count, number};

/// The paragraph on conditions in the help texts of questions about two inputs.
macro_rules! sides_help {
    () => {
        "The two inputs are `a` and `b`: a condition on `age` applies to both, one on `a.age` or `b.age` to that input."
    };
}

pub(super) const DIFF_HELP: &str = concat!(
    "Examples:\n  treeproof diff old.json new.ubj --domain train.csv\n  ",
    "treeproof diff model.json converted.onnx --within 1e-5\n\n",
    "Features are matched by name, or by position if the models share no name. Differences are those of the exact \
     sums of the margins. Conditions and data refer to the features of MODEL_A.\n\n",
    regions_help!(),
    "\n\nExit code: 0 the largest difference is proved, or none exceeds EPS; 1 some difference exceeds EPS; 3 undecided \
     within the limits; 4 no input meets the conditions."
);

pub(super) const MONOTONE_HELP: &str = concat!(
    "Examples:\n  treeproof monotone model.ubj --feature income --domain train.csv\n  ",
    "treeproof monotone model.txt --feature debt --decreasing --where 'age >= 18'\n  treeproof monotone model.json\n\n",
    "A counterexample is a pair of inputs that differ only in the feature, where the one with the larger value has the \
     smaller margin; the answer is the largest such fall of the exact sums. A missing value is neither above nor below any \
     other. Without --feature, every numeric feature that some tree tests is checked, and they share the time. ",
    sides_help!(),
    "\n\n",
    regions_help!(),
    "\n\nExit code: 0 it holds, 1 violated, 3 undecided within the limits, 4 no input meets the conditions."
);

pub(super) const FAIR_HELP: &str = concat!(
    "Examples:\n  treeproof fair model.ubj --protected sex,race --domain train.csv\n  ",
    "treeproof fair model.ubj people.csv --protected sex --json\n  ",
    "treeproof fair model.json --protected 'status:{A91, A93}|{A92, A95}' --where 'age >= 18'\n\n",
    "For classifiers: can two inputs that differ only in protected features have different labels, the library's own or \
     those of --threshold? With --class, and for models without labels: the largest difference of the margin between two \
     such inputs. With DATA, the first input is a row; rows that the conditions or --domain exclude are skipped. ",
    sides_help!(),
    "\n\n",
    regions_help!(),
    "\n\nExit code: 0 no two such inputs have different labels, or the largest difference is proved; 1 two such inputs do; 3 \
     undecided within the limits; 4 no input meets the conditions."
);

#[derive(Args)]
pub(crate) struct DiffArgs {
    #[command(flatten)]
    pub(crate) ask: AskArgs,
    /// The second model; --api and similar flags apply to both.
    #[arg(value_name = "MODEL_B", index = 2)]
    other: PathBuf,
    /// Prove that no margins differ by more than this.
    #[arg(long, value_name = "EPS", value_parser = number, allow_hyphen_values = true)]
    within: Option<f64>,
    #[command(flatten)]
    targets: TargetArgs,
}

#[derive(Args)]
pub(crate) struct MonotoneArgs {
    #[command(flatten)]
    pub(crate) ask: AskArgs,
    /// The feature to check; repeat the flag for several. Default: the monotone constraints of training, each in its direction,
    /// if the file records them (LightGBM, CatBoost, scikit-learn); else every numeric feature that some tree tests.
    #[arg(long = "feature", value_name = "NAME")]
    features: Vec<String>,
    /// Check that the output never rises as the feature rises.
    #[arg(long)]
    decreasing: bool,
    #[command(flatten)]
    targets: TargetArgs,
}

#[derive(Args)]
pub(crate) struct FairArgs {
    #[command(flatten)]
    pub(crate) ask: AskArgs,
    /// Rows of data: check each row for a change of its label by protected features alone. --time is per row.
    #[arg(value_name = "DATA", index = 2)]
    data: Option<PathBuf>,
    /// Use only the first N rows.
    #[arg(long, value_name = "N", value_parser = count, allow_hyphen_values = true, requires = "data")]
    rows: Option<usize>,
    /// Protected features, separated by commas: only in these may the two inputs differ. With `name:{x, y}|{z}`, one input
    /// takes a value of the first set and the other one of the second.
    #[arg(long, value_name = "NAMES", required = true)]
    protected: Vec<String>,
    /// Probability threshold of the second class (default: the library's own label rule).
    #[arg(long, value_name = "P", value_parser = number, allow_hyphen_values = true)]
    threshold: Option<f64>,
    #[command(flatten)]
    targets: TargetArgs,
    #[command(flatten)]
    pub(crate) table: TableArgs,
}

impl DiffArgs {
    /// The task of the flags.
    pub(crate) fn task(&self) -> Task {
        let mut diff = Diff::default();
        diff.other_model = Some(self.other.clone());
        diff.within = self.within;
        let mut task = self.ask.task(diff);
        self.targets.set(&mut task.limits);
        task
    }
}

impl MonotoneArgs {
    /// The task of the flags.
    pub(crate) fn task(&self) -> Task {
        let mut monotone = Monotone::default();
        monotone.features.clone_from(&self.features);
        monotone.decreasing = self.decreasing;
        let mut task = self.ask.task(monotone);
        self.targets.set(&mut task.limits);
        task
    }
}

impl FairArgs {
    /// The task of the flags.
    pub(crate) fn task(&self) -> Task {
        let mut task = self.ask.task(Fair::of(&self.protected));
        task.threshold = self.threshold;
        task.data.clone_from(&self.data);
        task.rows = self.rows;
        self.targets.set(&mut task.limits);
        task
    }
}
