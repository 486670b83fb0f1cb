//! Flags of `max`, `min` and `range`, and their task.

use clap::Args;
use treeproof::task::{Method, Question, Task};

use super::ask::{AskArgs, regions_help};
use super::targets::TargetArgs;
use super::{method, number};

pub(super) const EXAMPLES: &str = concat!(
    "Examples:\n  treeproof max model.ubj --domain train.csv\n  ",
    "treeproof min model.txt --where '30 <= age < 50' --where 'colour in {red, blue}' --time 10s\n  ",
    "treeproof range model.json --class setosa --json\n\n",
    regions_help!(),
    "\n\nExit code: 0 optimal or a target reached, 3 undecided within the limits, 4 no input meets the conditions."
);

#[derive(Args)]
pub(crate) struct BoundsArgs {
    #[command(flatten)]
    pub(crate) ask: AskArgs,
    #[command(flatten)]
    targets: TargetArgs,
    /// Search method, for comparison on your own model: `auto` is the fastest, `veritas` the published search over leaf
    /// sequences (ARA*), `merge` its rival. The last two use one thread and end when memory is full.
    #[arg(long, value_parser = method(), hide_possible_values = true, default_value_t = Method::Auto, help_heading = "Method")]
    method: Method,
    /// Initial ε of `--method veritas`, from 0.001 to 1: smaller finds a first input sooner, 1 is A* (default: 0.5).
    #[arg(long, value_name = "E", value_parser = number, allow_hyphen_values = true, help_heading = "Method")]
    epsilon: Option<f64>,
}

impl BoundsArgs {
    /// The task of the flags.
    pub(crate) fn task(&self, question: Question) -> Task {
        let mut task = self.ask.task(question);
        (task.method, task.epsilon) = (self.method, self.epsilon);
        self.targets.set(&mut task.limits);
        task
    }
}
