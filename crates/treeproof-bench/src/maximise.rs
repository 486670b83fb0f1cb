//! Maximises a margin inside a box, with clocks and bounds on record: compiling counts, reading the model does not.

use anyhow::Context;
use std::io::Read;
use std::path::PathBuf;
use std::sync::Mutex;

use clap::{Args, ValueEnum};
use serde::Serialize;
use treeproof::internals::{Compiled, Domain, MarginObjective, compile};
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::load::{LoadOptions, load_path};
use treeproof_search::{Limits, Merge, Method, Observer, Search, Status, Unobserved, Value, Veritas};

use crate::meter::{MeterClock, Peak, Time};

/// A bound goes on record when this much more time has passed than at the one before.
const TRACE_GROWTH: f64 = 1.01;

#[derive(Args)]
pub(crate) struct MaximiseArgs {
    /// The model file; the box is read from standard input, as JSON: `[low, high)` for every feature.
    model: PathBuf,
    /// How to search.
    #[arg(long, value_enum, default_value_t = Name::Auto)]
    method: Name,
    /// Seconds until the search is stopped.
    #[arg(long, default_value_t = 5.0)]
    time: f64,
    /// The clock that `--time` is read from.
    #[arg(long, value_enum, default_value_t = MeterClock::Wall)]
    clock: MeterClock,
    /// Bytes that the search may take.
    #[arg(long, default_value_t = 4 << 30)]
    memory: usize,
    /// Threads, for `auto`; the CPU clock is that of the first.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Seconds of the same search before the one that is measured.
    #[arg(long, default_value_t = 0.0)]
    warm_up: f64,
}

#[derive(Clone, Copy, ValueEnum)]
enum Name {
    /// Best-first search over regions.
    Auto,
    /// The published search over leaf sequences.
    Veritas,
    /// Trees merged two by two.
    Merge,
}

/// The result of a search, in one line.
#[derive(Serialize)]
pub(crate) struct Maximum {
    wall_seconds: f64,
    cpu_seconds: f64,
    /// The part of `cpu_seconds` before the first step.
    setup_seconds: f64,
    steps: u64,
    exact: bool,
    lower: Option<f64>,
    upper: Option<f64>,
    /// Bytes by the method's own account, at the end.
    memory: usize,
    /// Bytes by which the process grew, at most.
    peak: Option<u64>,
    /// A row that attains `lower`, and its margin as the library sums it.
    row: Option<Vec<f64>>,
    margin: Option<f64>,
    /// Seconds on `--clock`, and the upper bound then.
    trace: Vec<(f64, f64)>,
    /// The same for the lower bound.
    lower_trace: Vec<(f64, f64)>,
}

pub(crate) fn maximise(request: &MaximiseArgs) -> anyhow::Result<Maximum> {
    let ensemble = load_path(&request.model, &LoadOptions::default())?;
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    let bounds: Vec<(f64, f64)> = serde_json::from_str(&text)?;
    anyhow::ensure!(bounds.len() == ensemble.features().len(), "the box must have an interval for every feature");
    let domains: Vec<Domain> = bounds.iter().map(|(low, high)| domain(*low, *high)).collect();
    // Before the warm-up, which leaves memory to the search after it.
    let peak = Peak::start();
    if request.warm_up > 0.0 {
        measure(request, request.warm_up, &ensemble, &domains)?;
    }
    let mut maximum = measure(request, request.time, &ensemble, &domains)?;
    maximum.peak = peak.bytes();
    Ok(maximum)
}

/// The `f32` numbers of `[low, high)`.
fn domain(low: f64, high: f64) -> Domain {
    #[expect(clippy::cast_possible_truncation, reason = "the ends of boxes are f32 numbers")]
    let below = (high as f32).next_down();
    Domain::between(low, f64::from(below))
}

fn measure(request: &MaximiseArgs, limit: f64, ensemble: &Ensemble, domains: &[Domain]) -> anyhow::Result<Maximum> {
    let start = Time::now();
    let compiled =
        compile(ensemble, domains, MarginObjective { output: 0, negated: false }).context("the box has no points")?;
    let watch = BoundsRecorder { compiled: &compiled, start, clock: request.clock, limit, traces: Mutex::default() };
    let mut method: Box<dyn Method> = match request.method {
        Name::Auto => Box::new(Search::new(&compiled.problem)),
        Name::Veritas => Box::new(Veritas::new(&compiled.problem)),
        Name::Merge => {
            Box::new(Merge::prepare(&compiled.problem, request.memory, &Unobserved).expect("nobody stops it"))
        }
    };
    let setup = start.elapsed();
    let mut limits = Limits::default();
    limits.memory = Some(request.memory);
    limits.threads = request.threads;
    method.run(&limits, &watch);
    let (status, exact) = (method.status(), method.lower() == method.upper());
    let elapsed = start.elapsed();
    watch.note(elapsed.on(request.clock), &status, true);
    let real = |value: Value| compiled.upper(value);
    let row = method.solution().map(|point| compiled.row(point));
    let margin = row.as_ref().map(|row| ensemble.evaluate(row)).transpose()?.map(|output| output.margins[0].library);
    let traces = watch.traces.into_inner().expect("no thread panics while it holds the traces");
    Ok(Maximum {
        wall_seconds: elapsed.wall,
        cpu_seconds: elapsed.cpu,
        setup_seconds: setup.cpu,
        steps: status.steps,
        exact,
        lower: status.lower.map(real),
        upper: status.upper.map(real),
        memory: status.memory,
        peak: None,
        row,
        margin,
        trace: traces.upper,
        lower_trace: traces.lower,
    })
}

/// Stops a search in time and keeps its bounds.
struct BoundsRecorder<'a> {
    compiled: &'a Compiled,
    start: Time,
    clock: MeterClock,
    limit: f64,
    traces: Mutex<Traces>,
}

/// Bounds and when they were known.
#[derive(Default)]
struct Traces {
    lower: Vec<(f64, f64)>,
    upper: Vec<(f64, f64)>,
}

impl BoundsRecorder<'_> {
    fn note(&self, seconds: f64, status: &Status, is_last: bool) {
        let Traces { lower, upper } = &mut *self.traces.lock().expect("no thread panics while it holds the traces");
        let note = |trace: &mut Vec<(f64, f64)>, bound: Option<Value>| {
            let Some(bound) = bound.map(|value| self.compiled.upper(value)) else { return };
            let is_news =
                trace.last().is_none_or(|(then, known)| bound != *known && (is_last || seconds > then * TRACE_GROWTH));
            if is_news {
                trace.push((seconds, bound));
            }
        };
        note(lower, status.lower);
        note(upper, status.upper);
    }
}

impl treeproof_search::Stop for BoundsRecorder<'_> {}

impl Observer for BoundsRecorder<'_> {
    fn observe(&self, status: &Status, _: Option<&[u32]>) -> bool {
        let seconds = self.start.elapsed().on(self.clock);
        self.note(seconds, status, false);
        seconds < self.limit
    }
}
