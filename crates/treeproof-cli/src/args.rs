//! The command line: commands and flags, with their help texts.

mod ask;
mod audit;
mod bounds;
mod compare;
mod completions;
mod distance;
mod enumerate;
mod groups;
mod near;
mod solve;
mod targets;

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ColorChoice, Parser, Subcommand, ValueEnum};
use serde::de::value::Error as ValueError;
use serde::de::{DeserializeOwned, IntoDeserializer};
use treeproof::rows::{CategoryCells, IndexBase, RowOptions};
use treeproof::task::{Api, Method, Reading};
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::error::LoadError;
use treeproof_ensemble::literal::Literal;
use treeproof_ensemble::load::LoadOptions;

use crate::files;

pub(crate) use ask::{AskArgs, ForceArgs, LimitArgs, OutputArgs, TableArgs};
pub(crate) use audit::AuditArgs;
pub(crate) use bounds::BoundsArgs;
pub(crate) use compare::{DiffArgs, FairArgs, MonotoneArgs};
pub(crate) use completions::CompletionsArgs;
pub(crate) use distance::{ClosestArgs, RobustArgs};
pub(crate) use enumerate::EnumerateArgs;
pub(crate) use near::{DominantArgs, StableArgs};
pub(crate) use solve::SolveArgs;

/// Exact answers about tree ensembles: XGBoost, LightGBM, CatBoost, scikit-learn and ONNX models as their own libraries
/// compute them.
#[derive(Parser)]
#[command(
    name = "treeproof",
    version,
    arg_required_else_help = true,
    subcommand_value_name = "QUESTION",
    help_template = groups::help_template(),
    after_help = "`treeproof QUESTION --help` shows the details and examples. `treeproof demo` is a tour.\n\nExit \
                  code: 0 done, 1 violated, 2 bad usage, bad input or an internal error, 3 undecided within the limits, 4 \
                  no input meets the conditions. An error is one line on standard error."
)]
pub(crate) struct Treeproof {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Colours: `auto` (on terminals, unless NO_COLOR is set), `always` or `never`.
    #[arg(
        long = "color",
        alias = "colour",
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        hide_default_value = true,
        help_heading = "Output"
    )]
    pub(crate) colour: ColorChoice,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// A tour: live answers about built-in models.
    #[command(
        after_help = "Examples:\n  treeproof demo\n  treeproof demo --dir /tmp/demo\n\nThe tour takes about ten seconds. It writes models, data and a report \
                      into a folder, and shows every command that it runs, so that you can run it again there. Other files are \
                      never overwritten. Exit code: 0 done, 130 ended by Ctrl-C."
    )]
    Demo(DemoArgs),
    /// Show the facts about a model file.
    #[command(after_help = "Examples:\n  treeproof inspect model.ubj\n  treeproof inspect model.txt.gz --json")]
    Inspect(InspectArgs),
    /// Predict rows of data exactly as the model's library does.
    #[command(
        after_help = "Examples:\n  treeproof predict model.json people.csv\n  treeproof predict model.txt rows.npy --margin\n  \
                            treeproof predict model.ubj rows.parquet --json"
    )]
    Predict(PredictArgs),
    /// Convert a model to treeproof's own JSON, without loss.
    #[command(
        after_help = "Examples:\n  treeproof convert model.ubj model.json\n  treeproof convert model.txt model.json.gz"
    )]
    Convert(ConvertArgs),
    /// Find the largest output in a region.
    #[command(after_help = bounds::EXAMPLES)]
    Max(BoundsArgs),
    /// Find the smallest output in a region.
    #[command(after_help = bounds::EXAMPLES)]
    Min(BoundsArgs),
    /// Find the smallest and the largest output in a region.
    #[command(after_help = bounds::EXAMPLES)]
    Range(BoundsArgs),
    /// Can a change within a radius flip the label of a row?
    #[command(
        after_help = distance::robust_help(),
        mut_arg("path", |arg| arg.index(1)),
        mut_arg("class", |arg| arg.hide(true))
    )]
    Robust(RobustArgs),
    /// Find the closest input with another label (or output).
    #[command(
        after_help = distance::closest_help(),
        mut_arg("path", |arg| arg.index(1)),
        mut_arg("class", |arg| arg.hide(true))
    )]
    Closest(ClosestArgs),
    /// List the largest output configurations, with their inputs.
    #[command(after_help = enumerate::EXAMPLES)]
    Enumerate(EnumerateArgs),
    /// Find where two models differ most, or prove them equal.
    #[command(
        after_help = compare::DIFF_HELP,
        mut_arg("path", |arg| arg.value_name("MODEL_A").index(1)),
        mut_arg("class", |arg| arg.hide(true))
    )]
    Diff(DiffArgs),
    /// Is the output monotone in a feature?
    #[command(after_help = compare::MONOTONE_HELP)]
    Monotone(MonotoneArgs),
    /// Can protected features alone change the label?
    #[command(after_help = compare::FAIR_HELP, mut_arg("path", |arg| arg.index(1)))]
    Fair(FairArgs),
    /// Find the largest jump of the output between two close inputs.
    #[command(after_help = near::STABLE_HELP)]
    Stable(StableArgs),
    /// Find the few attributes that move the output most.
    #[command(after_help = near::DOMINANT_HELP)]
    Dominant(DominantArgs),
    /// Solve a task file: the general form, or output of --print-task.
    #[command(after_help = solve::HELP)]
    Solve(SolveArgs),
    /// Verify a proof, independently of the search.
    #[command(
        after_help = "Examples:\n  treeproof max model.ubj --proof max.proof\n  treeproof check max.proof model.ubj\n\nExit \
                      code: 0 valid, 1 invalid, 2 the files cannot be read, 3 valid, but a statement in it claims nothing."
    )]
    Check(CheckArgs),
    /// Run a list of checks on a model, as a gate.
    #[command(after_help = audit::HELP)]
    Audit(AuditArgs),
    /// Write a report on saved answers, as one HTML file.
    #[command(after_help = REPORT_HELP)]
    Report(ReportArgs),
    /// Print a completion script for a shell.
    #[command(after_help = completions::HELP)]
    Completions(CompletionsArgs),
}

#[derive(Args)]
pub(crate) struct DemoArgs {
    /// Folder for the models, data and report; created if necessary.
    #[arg(long, value_name = "DIR", default_value = "treeproof-demo")]
    pub(crate) dir: PathBuf,
}

const REPORT_HELP: &str = "Examples:\n  treeproof max model.ubj --json > max.json\n  treeproof report max.json -o max.html\n  \
    treeproof report max.json fair.json audit.json -o all.html\n\nA report on several answers begins with a summary table. \
    The questions themselves take --report FILE to write the report on one answer.";

#[derive(Args)]
pub(crate) struct InspectArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// Print the answer as one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct CheckArgs {
    /// Proof written by --proof.
    #[arg(value_name = "PROOF")]
    pub(crate) proof: PathBuf,
    /// The model, or all models in the order of the question.
    #[arg(value_name = "MODEL", required = true, num_args = 1..)]
    pub(crate) models: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    /// Print the answer as one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct ReportArgs {
    /// Answers printed by --json.
    #[arg(value_name = "ANSWER", required = true, num_args = 1..)]
    pub(crate) answers: Vec<PathBuf>,
    /// The HTML file to write.
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) force: ForceArgs,
}

#[derive(Args)]
pub(crate) struct PredictArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// Rows: CSV with a header, .npy, .npz, libsvm or Parquet, plain or gzipped. Columns are matched by name, else by position.
    #[arg(value_name = "DATA")]
    pub(crate) data: PathBuf,
    /// Print margins (raw scores) instead of outputs and labels.
    #[arg(long)]
    pub(crate) margin: bool,
    /// Add the leaf that each row reaches in each tree, in the library's numbering.
    #[arg(long)]
    pub(crate) leaves: bool,
    #[command(flatten)]
    cells: CellArgs,
    /// Index of the first feature in libsvm data (default: inferred from the file, else 0).
    #[arg(long, value_name = "BASE", value_enum)]
    index_base: Option<IndexBaseName>,
    /// Number of threads (default: all cores).
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) threads: Option<usize>,
    /// Print the answer as one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct ConvertArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// The file to write; gzipped if the name ends in .gz, standard output for `-`.
    #[arg(value_name = "OUT")]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) force: ForceArgs,
}

/// A model file, with options for facts that it does not record.
#[derive(Args)]
pub(crate) struct ModelArgs {
    /// Model: XGBoost .json or .ubj, LightGBM .txt, CatBoost .json, ONNX, or treeproof's own JSON; plain or gzipped.
    #[arg(value_name = "MODEL")]
    pub(crate) path: PathBuf,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
}

/// Options for facts that model files do not record.
#[derive(Args)]
pub(crate) struct ReadingArgs {
    /// Prediction path of the library, if it has several: `sklearn` for XGBClassifier and similar (which stop at the best
    /// iteration), `booster` for the native Booster.predict (default: sklearn).
    #[arg(long, value_parser = word::<Api>(&["sklearn", "booster"]), help_heading = "Reading the model")]
    api: Option<Api>,
    /// XGBoost's `missing=`: a number that means missing, beside NaN.
    #[arg(long, value_name = "V", value_parser = number, allow_hyphen_values = true, help_heading = "Reading the model")]
    missing_value: Option<f64>,
    /// For an XGBoost JSON dump: the base margin, one number or one per class.
    #[arg(long, value_name = "M", value_parser = number, value_delimiter = ',', allow_hyphen_values = true, requires = "classes", help_heading = "Reading the model")]
    base_margin: Vec<f64>,
    /// For an XGBoost JSON dump: the number of classes (1 for regression).
    #[arg(long, value_name = "N", value_parser = count, requires = "base_margin", help_heading = "Reading the model")]
    classes: Option<usize>,
    /// CatBoost: compute what CatBoost computes after loading this JSON file, whose reader rounds some leaf values wrongly
    /// (default: the model as trained, and as in its .cbm file).
    #[arg(long, help_heading = "Reading the model")]
    catboost_json_reader: bool,
}

/// Options for facts that data files do not record.
#[derive(Args)]
pub(crate) struct CellArgs {
    /// Meaning of cells in categorical columns: `text` matches them with categories by their text, `codes` reads numbers as
    /// category codes (default: by type and value, as the model's library does).
    #[arg(long, value_name = "CELLS", value_parser = word::<CategoryCells>(&["text", "codes"]), help_heading = "Reading the data")]
    categories: Option<CategoryCells>,
}

impl CellArgs {
    /// The value of the flags.
    pub(crate) fn said(&self) -> CategoryCells {
        self.categories.unwrap_or_default()
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum IndexBaseName {
    #[value(name = "0")]
    Zero,
    #[value(name = "1")]
    One,
}

impl PredictArgs {
    pub(crate) fn row_options(&self) -> RowOptions {
        let mut options = RowOptions::default().with_categories(self.cells.said());
        options.index_base = self.index_base.map(|base| match base {
            IndexBaseName::Zero => IndexBase::Zero,
            IndexBaseName::One => IndexBase::One,
        });
        options
    }
}

impl ModelArgs {
    /// Loads the model without notes.
    pub(crate) fn load_quietly(&self) -> Result<Ensemble, LoadError> {
        files::load_quietly(&self.path, &self.reading.said())
    }

    /// Tells the notes of the model, where the file has two readings and nobody chose.
    pub(crate) fn tell_notes(&self, ensemble: &Ensemble) {
        files::tell_notes(&self.path, &self.reading.said(), ensemble);
    }
}

impl ReadingArgs {
    /// The value of the flags.
    pub(crate) fn said(&self) -> Reading {
        Reading {
            api: self.api,
            missing_value: self.missing_value.map(Literal),
            base_margin: self.base_margin.clone(),
            classes: self.classes,
            catboost_json_reader: self.catboost_json_reader,
            categories: CategoryCells::default(),
        }
    }

    /// The first flag that contradicts these options.
    pub(crate) fn contradiction(&self, options: &LoadOptions) -> Option<&'static str> {
        let own = self.said().options();
        let is_other = |one: Option<f64>, other: Option<f64>| one.map(f64::to_bits) != other.map(f64::to_bits);
        match () {
            () if self.api.is_some() && own.api != options.api => Some("--api"),
            () if self.missing_value.is_some() && is_other(own.missing_value, options.missing_value) => {
                Some("--missing-value")
            }
            () if self.classes.is_some() && own.dump != options.dump => Some("--base-margin and --classes"),
            () if self.catboost_json_reader && !options.catboost_json_reader => Some("--catboost-json-reader"),
            () => None,
        }
    }
}

/// A parser of the words that a flag takes of those that a type has in tasks.
fn word<T: DeserializeOwned + Clone + Send + Sync + 'static>(
    words: &'static [&'static str],
) -> impl TypedValueParser<Value = T> {
    let read = |word: String| T::deserialize(IntoDeserializer::<ValueError>::into_deserializer(word));
    PossibleValuesParser::new(words.iter().copied()).try_map(read)
}

/// A parser of the name of a search method.
fn method() -> impl TypedValueParser<Value = Method> {
    word(&["auto", "veritas", "merge"])
}

/// Parses a number.
fn number(text: &str) -> Result<f64, &'static str> {
    text.parse().map_err(|_| "expected a number")
}

/// Parses a non-negative integer.
fn whole(text: &str) -> Result<u64, &'static str> {
    text.parse().map_err(|_| "expected a non-negative integer")
}

/// Parses a positive count.
fn count(text: &str) -> Result<usize, &'static str> {
    text.parse().ok().filter(|count| (1..=65_535).contains(count)).ok_or("expected an integer from 1 to 65535")
}
