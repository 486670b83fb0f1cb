//! The flags of `max`, `min` and `range`, and the task that they mean.

use clap::{Args, ValueEnum};
use treeproof::task::{Gap, Method, Question, Task};

use super::ask::{AskArgs, regions_help};
use super::number;

pub(super) const EXAMPLES: &str = concat!(
    "Examples:\n  treeproof max model.ubj --domain train.csv\n  ",
    "treeproof min model.txt --where '30 <= age < 50' --where 'colour in {red, blue}' --time 10s\n  ",
    "treeproof range model.json --class setosa --json\n\n",
    regions_help!(),
    "\n\nExit code: 0 optimal or a target reached, 3 undecided within the limits, 4 nothing meets the conditions."
);

#[derive(Args)]
pub(crate) struct BoundsArgs {
    #[command(flatten)]
    pub(crate) ask: AskArgs,
    /// Stop when the bounds are this close: 0.01, or 1% of the larger one's magnitude.
    #[arg(long, value_name = "GAP", help_heading = "Limits")]
    gap: Option<Gap>,
    /// Stop when the lower bound is at least this.
    #[arg(long, value_name = "V", value_parser = number, allow_hyphen_values = true, help_heading = "Limits")]
    stop_above: Option<f64>,
    /// Stop when the upper bound is at most this.
    #[arg(long, value_name = "V", value_parser = number, allow_hyphen_values = true, help_heading = "Limits")]
    stop_below: Option<f64>,
    /// How to search, for comparison on your own model: `auto` is the best way known, `veritas` the published search over
    /// leaf sequences (ARA*), `merge` its rival. The last two use one thread, and end when memory is full.
    #[arg(long, value_enum, hide_possible_values = true, default_value_t = MethodName::Auto, help_heading = "Method")]
    method: MethodName,
    /// The first ε of `--method veritas`, from 0.001 to 1: smaller finds a first input sooner, 1 is A*. Default: 0.5.
    #[arg(long, value_name = "E", value_parser = number, allow_hyphen_values = true, help_heading = "Method")]
    epsilon: Option<f64>,
}

#[derive(Clone, Copy, ValueEnum)]
enum MethodName {
    Auto,
    Veritas,
    Merge,
}

impl BoundsArgs {
    /// The task that the flags mean.
    pub(crate) fn task(&self, question: Question) -> Task {
        let mut task = self.ask.task(question);
        task.method = match self.method {
            MethodName::Auto => Method::Auto,
            MethodName::Veritas => Method::Veritas,
            MethodName::Merge => Method::Merge,
        };
        task.epsilon = self.epsilon;
        task.limits.gap = self.gap;
        (task.limits.stop_above, task.limits.stop_below) = (self.stop_above, self.stop_below);
        task
    }
}
