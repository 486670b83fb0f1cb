//! The flags of `diff`, `monotone` and `fair`, and the tasks that they mean.

use std::path::PathBuf;

use clap::Args;
use treeproof::task::{Diff, Fair, Monotone, Task};

use super::ask::{AskArgs, TableArgs, regions_help};
use super::targets::TargetArgs;
use super::{count, number};

/// What the help texts of questions about two inputs add about conditions.
macro_rules! sides_help {
    () => {
        "The two inputs are `a` and `b`: a condition on `age` is about both, on `a.age` or `b.age` about one of them."
    };
}

pub(super) const DIFF_HELP: &str = concat!(
    "Examples:\n  treeproof diff old.json new.ubj --domain train.csv\n  ",
    "treeproof diff model.json converted.onnx --within 1e-5\n\n",
    "Features are matched by name, or by position where no name is common to both. Differences are those of the exact \
     sums of the margins; conditions and data are about the features of MODEL_A.\n\n",
    regions_help!(),
    "\n\nExit code: 0 the largest difference is proved, or no difference is above EPS; 1 some difference is above EPS; 3 \
     undecided within the limits; 4 nothing meets the conditions."
);

pub(super) const MONOTONE_HELP: &str = concat!(
    "Examples:\n  treeproof monotone model.ubj --feature income --domain train.csv\n  ",
    "treeproof monotone model.txt --feature debt --decreasing --where 'age >= 18'\n  treeproof monotone model.json\n\n",
    "Two inputs are looked for that differ in the feature alone, and of which the one with the larger value has the smaller \
     margin: the largest such fall of the exact sums. A missing value is neither above nor below any other. Without \
     --feature every feature is asked about that is a number and that some tree tests, and the time is shared. ",
    sides_help!(),
    "\n\n",
    regions_help!(),
    "\n\nExit code: 0 it holds, 1 violated, 3 undecided within the limits, 4 nothing meets the conditions."
);

pub(super) const FAIR_HELP: &str = concat!(
    "Examples:\n  treeproof fair model.ubj --protected sex,race --domain train.csv\n  ",
    "treeproof fair model.ubj people.csv --protected sex --json\n  ",
    "treeproof fair model.json --protected 'status:{A91, A93}|{A92, A95}' --where 'age >= 18'\n\n",
    "Classifiers: can two inputs that differ in the protected features alone have different labels, the library's own or \
     those of --threshold? With --class, and for models without labels: the largest difference of the margin between two \
     such inputs. With DATA, the first of the two is a row; rows that the conditions or --domain exclude are left out. ",
    sides_help!(),
    "\n\n",
    regions_help!(),
    "\n\nExit code: 0 no two such inputs have different labels, or the largest difference is proved; 1 two of them have; 3 \
     undecided within the limits; 4 nothing meets the conditions."
);

#[derive(Args)]
pub(crate) struct DiffArgs {
    #[command(flatten)]
    pub(crate) ask: AskArgs,
    /// The model that is compared with the first; --api and the like are about both.
    #[arg(value_name = "MODEL_B", index = 2)]
    other: PathBuf,
    /// Ask whether no margins differ by more than this.
    #[arg(long, value_name = "EPS", value_parser = number, allow_hyphen_values = true)]
    within: Option<f64>,
    #[command(flatten)]
    targets: TargetArgs,
}

#[derive(Args)]
pub(crate) struct MonotoneArgs {
    #[command(flatten)]
    pub(crate) ask: AskArgs,
    /// The feature that rises; may be given several times. Default: those that training constrained, where the file says so
    /// (LightGBM, CatBoost, scikit-learn), each in its direction; else every number that some tree tests.
    #[arg(long = "feature", value_name = "NAME")]
    features: Vec<String>,
    /// Ask whether the output never rises as the feature rises.
    #[arg(long)]
    decreasing: bool,
    #[command(flatten)]
    targets: TargetArgs,
}

#[derive(Args)]
pub(crate) struct FairArgs {
    #[command(flatten)]
    pub(crate) ask: AskArgs,
    /// Ask of each of these rows whether changing its protected features alone changes its label; --time is for each row.
    #[arg(value_name = "DATA", index = 2)]
    data: Option<PathBuf>,
    /// Ask only about this many rows, from the first on.
    #[arg(long, value_name = "N", value_parser = count, allow_hyphen_values = true, requires = "data")]
    rows: Option<usize>,
    /// The features in which the two inputs may differ, separated by commas; with `name:{x, y}|{z}`, one of them has a
    /// value of the first set and the other one of the second.
    #[arg(long, value_name = "NAMES", required = true)]
    protected: Vec<String>,
    /// Decide for the second class above this probability, not by the library's own rule.
    #[arg(long, value_name = "P", value_parser = number, allow_hyphen_values = true)]
    threshold: Option<f64>,
    #[command(flatten)]
    targets: TargetArgs,
    #[command(flatten)]
    pub(crate) table: TableArgs,
}

impl DiffArgs {
    /// The task that the flags mean.
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
    /// The task that the flags mean.
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
    /// The task that the flags mean.
    pub(crate) fn task(&self) -> Task {
        let mut task = self.ask.task(Fair::of(&self.protected));
        task.threshold = self.threshold;
        task.data.clone_from(&self.data);
        task.rows = self.rows;
        self.targets.set(&mut task.limits);
        task
    }
}
