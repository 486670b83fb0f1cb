//! Flags of `stable` and `dominant`, and their tasks.

use clap::Args;
use treeproof::task::{Baseline, Dominant, Stable, Task};

use super::ask::{AskArgs, regions_help};
use super::distance::{MeasureArgs, NormName};
use super::number;
use super::targets::TargetArgs;

pub(super) const STABLE_HELP: &str = concat!(
    "Examples:\n  treeproof stable model.ubj --radius 0.1 --domain train.csv\n  ",
    "treeproof stable model.json --radius 1 --norm l0\n  ",
    "treeproof stable model.txt --radius 0.5 --scale std:train.csv --within 2\n\n",
    "The answer is the largest difference of the exact sums between two inputs at most R apart. A value missing in one is \
     missing in the other, unless `maybemissing(x)` allows otherwise. Categories are equal in both, except with l0 or \
     --category-cost. The two inputs are `a` and `b`: a condition on `age` applies to both, one on `a.age` or `b.age` to \
     that input.\n\n",
    regions_help!(),
    "\n\nExit code: 0 the largest jump is proved, or none exceeds EPS; 1 some jump exceeds EPS; 3 undecided within the \
     limits; 4 no input meets the conditions."
);

pub(super) const DOMINANT_HELP: &str = concat!(
    "Examples:\n  treeproof dominant model.json --given 'live=1,news=1' --vary '*' --at-most 2 --domain words.csv\n  ",
    "treeproof dominant model.ubj --baseline people.csv:0 --vary 'income,debt' --each --domain people.csv\n  ",
    "treeproof dominant model.ubj --where '30 <= age < 50' --vary '*' --at-most 1 --domain people.csv\n\n",
    "The starting point has the values of --given, which stay fixed, and otherwise those of --baseline, or 0. At most K of \
     the features of --vary change, to values that conditions and --domain allow; all others stay. Without a starting \
     point, any two inputs that differ in this way are compared. The effect of a change is its effect alone: effects of \
     several changes need not add up.\n\n",
    regions_help!(),
    "\n\nExit code: 0 proved, 3 undecided within the limits, 4 no input meets the conditions."
);

#[derive(Args)]
pub(crate) struct StableArgs {
    #[command(flatten)]
    pub(crate) ask: AskArgs,
    /// Largest distance between the two inputs.
    #[arg(long, value_name = "R", value_parser = number, allow_hyphen_values = true)]
    radius: f64,
    /// Norm of the distance: largest change, Euclidean, sum of changes, or number of changed features.
    #[arg(long, value_enum, ignore_case = true, default_value = "linf")]
    norm: NormName,
    #[command(flatten)]
    measure: MeasureArgs,
    /// Prove that the margin never jumps by more than this.
    #[arg(long, value_name = "EPS", value_parser = number, allow_hyphen_values = true)]
    within: Option<f64>,
    #[command(flatten)]
    targets: TargetArgs,
}

#[derive(Args)]
pub(crate) struct DominantArgs {
    #[command(flatten)]
    pub(crate) ask: AskArgs,
    /// Fixed values of the starting point, such as `live=1,news=1`.
    #[arg(long, value_name = "NAME=V,…")]
    given: Vec<String>,
    /// Other values of the starting point: a row, counted from 0, such as `people.csv:17`, or values, such as `age=30,income=4`,
    /// with 0 for all other features (default: 0 for each).
    #[arg(long, value_name = "DATA:N|NAME=V,…")]
    baseline: Option<String>,
    /// Features that may change, separated by commas; `*` matches any characters, `?` exactly one.
    #[arg(long, value_name = "NAMES", required = true)]
    vary: Vec<String>,
    /// Largest number of features that change (default: 1).
    #[arg(long, value_name = "K", value_parser = few, allow_hyphen_values = true)]
    at_most: Option<usize>,
    /// Find the largest fall of the margin instead of the largest rise.
    #[arg(long)]
    decrease: bool,
    /// Examine each feature alone, and rank the features by effect.
    #[arg(long)]
    each: bool,
    #[command(flatten)]
    targets: TargetArgs,
}

impl StableArgs {
    /// The task of the flags.
    pub(crate) fn task(&self) -> anyhow::Result<Task> {
        let mut stable = Stable::new(self.norm.norm(), self.radius);
        stable.measure = self.measure.measure(self.norm)?;
        stable.within = self.within;
        let mut task = self.ask.task(stable);
        self.targets.set(&mut task.limits);
        Ok(task)
    }
}

impl DominantArgs {
    /// The task of the flags.
    pub(crate) fn task(&self) -> anyhow::Result<Task> {
        let mut dominant = Dominant::new(self.given.clone(), self.vary.clone());
        (dominant.at_most, dominant.decrease, dominant.each) = (self.at_most, self.decrease, self.each);
        let mut data = None;
        if let Some(text) = &self.baseline {
            let row = text.rsplit_once(':').and_then(|(file, row)| Some((file, row.parse().ok()?)));
            dominant.baseline = Some(match row {
                Some((file, row)) => {
                    data = Some(file.into());
                    Baseline::Row(row)
                }
                None if text.contains('=') => Baseline::Values(vec![text.clone()]),
                None => {
                    let what =
                        "is neither a row, such as people.csv:17 (counted from 0), nor values, such as age=30,income=4";
                    anyhow::bail!("--baseline: `{text}` {what}");
                }
            });
        }
        let mut task = self.ask.task(dominant);
        task.data = data;
        self.targets.set(&mut task.limits);
        Ok(task)
    }
}

/// Parses a number of features; 0 is refused later, with the reason.
fn few(text: &str) -> Result<usize, &'static str> {
    text.parse().map_err(|_| "expected a positive integer")
}
