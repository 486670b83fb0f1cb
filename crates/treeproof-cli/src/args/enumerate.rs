//! The flags of `enumerate`, and the task that they mean.

use clap::Args;
use treeproof::task::{Enumerate, Task};

use super::ask::{AskArgs, regions_help};
use super::number;

pub(super) const EXAMPLES: &str = concat!(
    "Examples:\n  treeproof enumerate model.ubj --domain train.csv --top 10\n  ",
    "treeproof enumerate model.txt --above 3.5 --where 'age < 30' --json\n\n",
    "An output configuration is a leaf of each tree such that some input reaches them all: every input that does has the \
     same output. Each is listed once, largest exact sum first, with all of its inputs: any combination of the values \
     shown, and any value of the features not shown. It is listed when no other can have a larger output; where a limit \
     comes first, those listed are still the best ones. Trees that add the same at every leaf do not count, as those for \
     other classes. One thread is used.\n\n",
    regions_help!(),
    "\n\nExit code: 0 all that were asked for are listed (also if none is above V), 3 a limit came first, 4 nothing meets \
     the conditions."
);

#[derive(Args)]
pub(crate) struct EnumerateArgs {
    #[command(flatten)]
    pub(crate) ask: AskArgs,
    /// Only configurations whose exact sum is above this, and not equal to it.
    #[arg(long, value_name = "V", value_parser = number, allow_hyphen_values = true)]
    above: Option<f64>,
    /// How many configurations, the best ones.
    #[arg(long, value_name = "K", value_parser = many, allow_hyphen_values = true, default_value = "100")]
    top: usize,
}

impl EnumerateArgs {
    /// The task that the flags mean.
    pub(crate) fn task(&self) -> Task {
        let mut enumerate = Enumerate::default();
        (enumerate.above, enumerate.top) = (self.above, Some(self.top));
        self.ask.task(enumerate)
    }
}

/// A count of configurations: all of them are kept until the answer is printed.
fn many(text: &str) -> Result<usize, &'static str> {
    text.parse().ok().filter(|count| (1..=1_000_000).contains(count)).ok_or("not a whole number from 1 to 1000000")
}
