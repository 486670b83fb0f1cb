//! Flags of `enumerate`, and its task.

use clap::Args;
use treeproof::task::{Enumerate, Task};

use super::ask::{AskArgs, regions_help};
use super::number;

pub(super) const EXAMPLES: &str = concat!(
    "Examples:\n  treeproof enumerate model.ubj --domain train.csv --top 10\n  ",
    "treeproof enumerate model.txt --above 3.5 --where 'age < 30' --json\n\n",
    "An output configuration is one leaf of each tree such that some input reaches them all; all such inputs have the \
     same output. Each is listed once, largest exact sum first, with all of its inputs: any combination of the values \
     shown, and any value of the features not shown. If a limit ends the search, the listed ones are still the best. \
     Trees whose leaves all add the same are ignored, such as those of other classes. The search uses one thread.\n\n",
    regions_help!(),
    "\n\nExit code: 0 all requested ones are listed (also if none is above V), 3 a limit was reached, 4 no input meets the \
     conditions."
);

#[derive(Args)]
pub(crate) struct EnumerateArgs {
    #[command(flatten)]
    pub(crate) ask: AskArgs,
    /// List only configurations whose exact sum is strictly above this.
    #[arg(long, value_name = "V", value_parser = number, allow_hyphen_values = true)]
    above: Option<f64>,
    /// Largest number of configurations.
    #[arg(long, value_name = "K", value_parser = many, allow_hyphen_values = true, default_value = "100")]
    top: usize,
}

impl EnumerateArgs {
    /// The task of the flags.
    pub(crate) fn task(&self) -> Task {
        let mut enumerate = Enumerate::default();
        (enumerate.above, enumerate.top) = (self.above, Some(self.top));
        self.ask.task(enumerate)
    }
}

/// Parses a number of configurations, all of which are kept in memory until the answer is printed.
fn many(text: &str) -> Result<usize, &'static str> {
    text.parse().ok().filter(|count| (1..=1_000_000).contains(count)).ok_or("expected an integer from 1 to 1000000")
}
