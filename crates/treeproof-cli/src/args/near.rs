//! The flags of `stable` and `dominant`, and the tasks that they mean.

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
    "Two inputs are looked for that are at most R apart, and of which one has the larger margin by as much as possible: the \
     largest jump of the exact sums. What is missing in one is missing in the other, unless `maybemissing(x)` allows \
     otherwise; categories are the same in both, but for l0 and with --category-cost. The two inputs are `a` and `b`: a \
     condition on `age` is about both, on `a.age` or `b.age` about one of them.\n\n",
    regions_help!(),
    "\n\nExit code: 0 the largest jump is proved, or none is above EPS; 1 some jump is above EPS; 3 undecided within the \
     limits; 4 nothing meets the conditions."
);

pub(super) const DOMINANT_HELP: &str = concat!(
    "Examples:\n  treeproof dominant model.json --given 'live=1,news=1' --vary '*' --at-most 2 --domain words.csv\n  ",
    "treeproof dominant model.ubj --baseline people.csv:0 --vary 'income,debt' --each --domain people.csv\n  ",
    "treeproof dominant model.ubj --where '30 <= age < 50' --vary '*' --at-most 1 --domain people.csv\n\n",
    "The starting point has the values of --given, which do not change, and else those of --baseline or 0. Of the features \
     that --vary names, at most K change, to values that conditions and --domain allow; all others stay. Without a starting \
     point any two inputs are compared that differ so. The effect of a change is what it does by itself: where changes \
     act together, effects do not add up.\n\n",
    regions_help!(),
    "\n\nExit code: 0 proved, 3 undecided within the limits, 4 nothing meets the conditions."
);

#[derive(Args)]
pub(crate) struct StableArgs {
    #[command(flatten)]
    pub(crate) ask: AskArgs,
    /// How far apart the two inputs may be.
    #[arg(long, value_name = "R", value_parser = number, allow_hyphen_values = true)]
    radius: f64,
    /// How distances along features make one: the largest, the root of the sum of squares, the sum, the number of changes.
    #[arg(long, value_enum, ignore_case = true, default_value = "linf")]
    norm: NormName,
    #[command(flatten)]
    measure: MeasureArgs,
    /// Ask whether the margin never jumps by more than this.
    #[arg(long, value_name = "EPS", value_parser = number, allow_hyphen_values = true)]
    within: Option<f64>,
    #[command(flatten)]
    targets: TargetArgs,
}

#[derive(Args)]
pub(crate) struct DominantArgs {
    #[command(flatten)]
    pub(crate) ask: AskArgs,
    /// Values of the starting point, as in `live=1,news=1`; they stay as they are.
    #[arg(long, value_name = "NAME=V,…")]
    given: Vec<String>,
    /// The rest of the starting point: a row, counted from 0, as in `people.csv:17`, or values, as in `age=30,income=4`, where
    /// all other features are 0; 0 for each by default.
    #[arg(long, value_name = "DATA:N|NAME=V,…")]
    baseline: Option<String>,
    /// The features that may change, separated by commas; `*` stands for any letters, `?` for one.
    #[arg(long, value_name = "NAMES", required = true)]
    vary: Vec<String>,
    /// How many of them may change at most; 1 by default.
    #[arg(long, value_name = "K", value_parser = few, allow_hyphen_values = true)]
    at_most: Option<usize>,
    /// Ask how far the margin falls, not how far it rises.
    #[arg(long)]
    decrease: bool,
    /// Ask about each feature by itself, and list them by their effect.
    #[arg(long)]
    each: bool,
    #[command(flatten)]
    targets: TargetArgs,
}

impl StableArgs {
    /// The task that the flags mean.
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
    /// The task that the flags mean.
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
                    let what = "is no row, as in people.csv:17 (rows are counted from 0), and no values, as in age=30,income=4";
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

/// How many features may change; that none may is refused elsewhere, with the reason.
fn few(text: &str) -> Result<usize, &'static str> {
    text.parse().map_err(|_| "not a whole number from 1 on")
}
