//! The flags of `max`, `min` and `range`, and the task that they mean.

use std::path::PathBuf;

use clap::Args;
use treeproof::task::{Bytes, Gap, Method, Question, Span, Task};

use super::{ModelArgs, count, number};

pub(super) const EXAMPLES: &str = "Examples:\n  treeproof max model.ubj --domain train.csv\n  \
    treeproof min model.txt --where '30 <= age < 50' --where 'colour in {red, blue}' --time 10s\n  \
    treeproof range model.json --class setosa --json\n\n\
    Conditions: `age >= 30`, `30 <= age < 50`, `sex == 1`, `colour in {red, blue}`, `missing(x)`, `maybemissing(x)`, \
    joined by `and`; names that are no plain words in backquotes, or f0, f1, … by position. What else the language \
    has (docs/constraints.md) is read, and refused where it does not leave each feature one range.\n\n\
    Without --where and --domain every finite number and every known category is allowed, missing is not. --domain is \
    recommended: inputs far outside the data convince nobody.\n\n\
    Exit code: 0 optimal or a target reached, 3 undecided within the limits, 4 nothing meets the conditions.";

#[derive(Args)]
pub(crate) struct BoundsArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// The class, by name or number, whose margin is meant; needed where the model has several.
    #[arg(long, value_name = "K")]
    class: Option<String>,
    /// A condition on the input; may be given several times, and all must hold.
    #[arg(long = "where", value_name = "EXPR", allow_hyphen_values = true)]
    conditions: Vec<String>,
    /// Confine each feature to what occurs in this data: its range, categories, and whether it is ever missing. (That
    /// a column holds whole numbers only is not taken over yet.)
    #[arg(long, value_name = "DATA")]
    pub(crate) domain: Option<PathBuf>,
    /// Stop after this time, as in 500ms, 30s, 2min.
    #[arg(long, value_name = "TIME", default_value_t = Span::default(), help_heading = "Limits")]
    time: Span,
    /// Memory for open regions, as in 500MB or 4GiB; half of the machine's by default.
    #[arg(long, value_name = "SIZE", help_heading = "Limits")]
    memory: Option<Bytes>,
    /// Threads; all cores by default. With one, every run takes the same steps.
    #[arg(long, value_name = "N", value_parser = count, help_heading = "Limits")]
    threads: Option<usize>,
    /// Stop when the bounds are this close: 0.01, or 1% of the larger one's magnitude.
    #[arg(long, value_name = "GAP", help_heading = "Limits")]
    gap: Option<Gap>,
    /// Stop when the lower bound is at least this.
    #[arg(long, value_name = "V", value_parser = number, allow_hyphen_values = true, help_heading = "Limits")]
    stop_above: Option<f64>,
    /// Stop when the upper bound is at most this.
    #[arg(long, value_name = "V", value_parser = number, allow_hyphen_values = true, help_heading = "Limits")]
    stop_below: Option<f64>,
    /// The seed of random choices; the present method makes none.
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Limits")]
    seed: u64,
    /// How to search; `auto` is the best way known.
    #[arg(long, value_name = "METHOD", value_parser = method, default_value = "auto")]
    method: Method,
    /// Print one JSON object and nothing else.
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    /// Write a line of JSON to this file whenever a bound improves.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) trace: Option<PathBuf>,
    /// Print the task that these flags mean, and do not run it.
    #[arg(long, help_heading = "Output")]
    pub(crate) print_task: bool,
}

impl BoundsArgs {
    /// The task that the flags mean, on a machine with this much memory.
    pub(crate) fn task(&self, question: Question, half_of_memory: impl FnOnce() -> Option<u64>) -> Task {
        let mut task = Task::new(question);
        task.model = Some(self.model.path.to_string_lossy().into_owned());
        task.class.clone_from(&self.class);
        task.conditions.clone_from(&self.conditions);
        task.domain = self.domain.as_ref().map(|path| path.to_string_lossy().into_owned());
        task.method = self.method;
        let limits = &mut task.limits;
        limits.time = self.time;
        limits.memory = self.memory.or_else(|| half_of_memory().map(Bytes));
        limits.threads = self.threads;
        limits.gap = self.gap;
        (limits.stop_above, limits.stop_below) = (self.stop_above, self.stop_below);
        limits.seed = self.seed;
        task
    }
}

fn method(text: &str) -> Result<Method, &'static str> {
    match text {
        "auto" => Ok(Method::Auto),
        "veritas" | "merge" => Err("not supported yet; auto is"),
        _ => Err("the method is auto"),
    }
}
