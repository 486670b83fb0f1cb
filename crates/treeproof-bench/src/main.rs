//! Times loading, prediction and search inside one process: no process start, no file format of rows in the numbers.
//!
//! Prints one line of JSON. `bench/models` and `bench/compare` alternate it with others; it is no part of the product.

mod asked;
mod grid;
mod maximise;
mod meter;
mod nearest;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context;
use clap::{Args, Parser, Subcommand};
use serde::Serialize;
use treeproof_data::Column;
use treeproof_ensemble::load::{Api, LoadOptions, load_path};
use treeproof_ensemble::predict::{Prediction, Predictor};

#[derive(Parser)]
#[command(about = "Times loading, prediction and search inside one process")]
struct Bench {
    #[command(subcommand)]
    command: BenchCommand,
}

#[derive(Subcommand)]
enum BenchCommand {
    /// Reads a model file and builds the ensemble, from the file each time.
    Load {
        #[command(flatten)]
        model: ModelArgs,
    },
    /// Predicts rows that are in memory with a model that is in memory.
    Predict {
        #[command(flatten)]
        model: ModelArgs,
        /// A matrix of numbers.
        rows: PathBuf,
        /// Threads to predict on.
        #[arg(long, default_value_t = 1)]
        threads: usize,
        /// Where to write the margins, as little-endian `f64`, for a comparison bit by bit.
        #[arg(long)]
        margins: Option<PathBuf>,
    },
    /// Answers a task, again and again.
    Ask(asked::Ask),
    /// Maximises a margin inside a box.
    Maximise(maximise::MaximiseArgs),
    /// Looks for the nearest inputs of another class.
    Nearest(nearest::NearestArgs),
    /// Maximises the first margin with few features that are not 0.
    AtMost(nearest::AtMost),
}

#[derive(Args)]
struct ModelArgs {
    /// The model file.
    file: PathBuf,
    /// How often to measure.
    #[arg(long, default_value_t = 5)]
    repeat: usize,
    /// CatBoost: round leaf values as the library's own reader of JSON files does.
    #[arg(long)]
    catboost_json_reader: bool,
}

impl ModelArgs {
    fn options(&self) -> LoadOptions {
        let mut options = LoadOptions::default();
        options.api = Api::Booster;
        options.catboost_json_reader = self.catboost_json_reader;
        options
    }
}

#[derive(Serialize)]
struct Timings {
    /// One measurement per repetition.
    seconds: Vec<f64>,
    trees: usize,
    leaves: usize,
    /// Of `predict`: once per model, not part of `seconds`.
    #[serde(skip_serializing_if = "Option::is_none")]
    layout_seconds: Option<f64>,
}

fn main() -> anyhow::Result<()> {
    match Bench::parse().command {
        BenchCommand::Load { model } => print(&load(&model)?),
        BenchCommand::Predict { model, rows, threads, margins } => {
            print(&predict(&model, &rows, threads, margins.as_deref())?)
        }
        BenchCommand::Ask(request) => print(&asked::ask(&request)?),
        BenchCommand::Maximise(request) => print(&maximise::maximise(&request)?),
        BenchCommand::Nearest(request) => print(&nearest::nearest(&request)?),
        BenchCommand::AtMost(request) => print(&nearest::at_most(&request)?),
    }
}

fn print(report: &impl Serialize) -> anyhow::Result<()> {
    let mut stdout = std::io::stdout().lock();
    serde_json::to_writer(&mut stdout, report)?;
    writeln!(stdout)?;
    Ok(())
}

fn load(model: &ModelArgs) -> anyhow::Result<Timings> {
    let mut seconds = Vec::with_capacity(model.repeat);
    let (mut trees, mut leaves) = (0, 0);
    for _ in 0..model.repeat {
        let start = Instant::now();
        let ensemble = load_path(&model.file, &model.options())?;
        seconds.push(start.elapsed().as_secs_f64());
        trees = ensemble.trees().len();
        leaves = ensemble.trees().iter().map(|tree| tree.leaves().len()).sum();
    }
    Ok(Timings { seconds, trees, leaves, layout_seconds: None })
}

fn predict(model: &ModelArgs, rows: &Path, threads: usize, margins: Option<&Path>) -> anyhow::Result<Timings> {
    let ensemble = load_path(&model.file, &model.options())?;
    let cells = cells(rows)?;
    let start = Instant::now();
    let predictor = Predictor::new(&ensemble);
    let layout = start.elapsed().as_secs_f64();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let mut seconds = Vec::with_capacity(model.repeat);
    let mut prediction = Prediction::default();
    for _ in 0..model.repeat {
        let start = Instant::now();
        prediction = pool
            .install(|| predictor.predict(&cells))
            .map_err(|bad| anyhow::anyhow!("row {}: {}", bad.row, bad.error))?;
        seconds.push(start.elapsed().as_secs_f64());
    }
    if let Some(path) = margins {
        let bytes: Vec<u8> = prediction.margins.iter().flat_map(|margin| margin.to_le_bytes()).collect();
        std::fs::write(path, bytes).with_context(|| path.display().to_string())?;
    }
    let leaves = ensemble.trees().iter().map(|tree| tree.leaves().len()).sum();
    Ok(Timings { seconds, trees: ensemble.trees().len(), leaves, layout_seconds: Some(layout) })
}

/// A table of numbers, row after row.
fn cells(path: &Path) -> anyhow::Result<Vec<f64>> {
    let table = treeproof_data::read(path)?;
    let mut columns: Vec<&[f64]> = Vec::with_capacity(table.num_columns());
    for column in table.columns() {
        match column {
            Column::Numbers(numbers) | Column::Booleans(numbers) => columns.push(numbers),
            _ => anyhow::bail!("{}: rows must be numbers", path.display()),
        }
    }
    Ok((0..table.num_rows()).flat_map(|row| columns.iter().map(move |column| column[row])).collect())
}
