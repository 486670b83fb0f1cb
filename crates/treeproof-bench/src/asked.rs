//! Times a task from start to end, in memory: what a call from another language is held against.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context;
use clap::Args;
use serde::Serialize;
use treeproof::task::Task;
use treeproof_ensemble::load::{LoadOptions, load_path};

#[derive(Args)]
pub(crate) struct Ask {
    /// The model file.
    file: PathBuf,
    /// The task, as JSON.
    task: String,
    /// How often to measure.
    #[arg(long, default_value_t = 1000)]
    repeat: usize,
}

#[derive(Serialize)]
pub(crate) struct Asked {
    /// One measurement per repetition.
    seconds: Vec<f64>,
    upper: serde_json::Value,
}

pub(crate) fn ask(request: &Ask) -> anyhow::Result<Asked> {
    let ensemble = Arc::new(load_path(&request.file, &LoadOptions::default())?);
    let mut task: Task = serde_json::from_str(&request.task).context("the task")?;
    task.set_defaults();
    let (mut seconds, mut upper) = (Vec::with_capacity(request.repeat), serde_json::Value::Null);
    for _ in 0..request.repeat {
        let start = Instant::now();
        let report = task.clone().about(&ensemble).run()?;
        seconds.push(start.elapsed().as_secs_f64());
        upper = serde_json::to_value(&report)?["upper"].take();
    }
    Ok(Asked { seconds, upper })
}
