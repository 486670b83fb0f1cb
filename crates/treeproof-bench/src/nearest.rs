//! The nearest inputs of another class, and the largest margin with few features changed: bounds after a given time.

use std::ops::Range;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde::Serialize;
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::load::{LoadOptions, load_path};
use treeproof_search::{
    Budget, Case, Distance, Limits, Method, Norm, Objective, Observer, Problem, Search, Status, Value,
};

use crate::grid::{ThresholdGrid, real};
use crate::meter::{MeterClock, Time};

#[derive(Args)]
pub(crate) struct NearestArgs {
    /// The model file.
    model: PathBuf,
    /// A matrix of numbers.
    rows: PathBuf,
    /// How distances are measured.
    #[arg(long, value_enum, default_value_t = NormName::L1)]
    norm: NormName,
    /// How many rows.
    #[arg(long = "rows", default_value_t = 20)]
    count: usize,
    /// The class to reach, for every row; any other than its own if none is given.
    #[arg(long, value_delimiter = ',')]
    targets: Vec<usize>,
    /// Only inputs whose features are all within this.
    #[arg(long, default_value_t = f64::INFINITY)]
    within: f64,
    #[command(flatten)]
    limit: Limit,
}

#[derive(Args)]
pub(crate) struct AtMost {
    /// The model file; its features are 0 or 1.
    model: PathBuf,
    /// How many may be 1.
    features: Value,
    #[command(flatten)]
    limit: Limit,
}

#[derive(Args)]
struct Limit {
    /// Seconds that each search may compute, compiling included.
    #[arg(long, default_value_t = 1.0)]
    time: f64,
}

#[derive(Clone, Copy, ValueEnum)]
enum NormName {
    L0,
    L1,
    L2,
    Linf,
}

/// A search, in one line.
#[derive(Serialize)]
pub(crate) struct RowBounds {
    row: usize,
    seconds: f64,
    setup_seconds: f64,
    steps: u64,
    exact: bool,
    /// Distances, or margins.
    lower: Option<f64>,
    upper: Option<f64>,
    /// The best input found.
    input: Option<Vec<f64>>,
}

/// How many were exact, and each search.
#[derive(Serialize)]
pub(crate) struct NearestSummary {
    exact: usize,
    seconds: f64,
    steps: u64,
    /// The mean of `1 − lower/upper`.
    mean_gap: f64,
    searches: Vec<RowBounds>,
}

impl NormName {
    /// Units of the costs that the search sees.
    fn scale(self) -> f64 {
        match self {
            Self::L0 => 1.0,
            Self::L1 | Self::Linf => 1_048_576.0,
            Self::L2 => 1024.0,
        }
    }

    fn cost(self, distance: f64) -> Value {
        let measured = match self {
            Self::L0 => f64::from(u8::from(distance > 0.0)),
            Self::L1 | Self::Linf => distance,
            Self::L2 => distance * distance,
        };
        #[expect(clippy::cast_possible_truncation, reason = "rounded down")]
        let units = (measured * self.scale()) as Value;
        units
    }

    fn real(self, cost: Value) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "for printing")]
        let measured = cost as f64 / self.scale();
        if matches!(self, Self::L2) { measured.sqrt() } else { measured }
    }
}

pub(crate) fn nearest(request: &NearestArgs) -> anyhow::Result<NearestSummary> {
    let ensemble = load_path(&request.model, &LoadOptions::default())?;
    let cells = crate::cells(&request.rows)?;
    let rows = cells.chunks_exact(ensemble.features().len()).take(request.count).enumerate();
    let grid = ThresholdGrid::new(&ensemble)?;
    let searches: anyhow::Result<Vec<RowBounds>> = rows
        .map(|(number, row)| {
            let start = Time::now();
            let targets = request.targets.get(number).map_or(&[][..], std::slice::from_ref);
            let (problem, within) = problem(request, &grid, &ensemble, row, targets)?;
            let (bounds, point) = measure(number, start, request.limit.time, &problem);
            let input = point.map(|point| grid.input(&within, row, &point));
            // The search maximises minus the distance.
            let distance = |value: Option<f64>| value.map(|value| request.norm.real(-(value as Value)));
            Ok(RowBounds { lower: distance(bounds.upper), upper: distance(bounds.lower), input, ..bounds })
        })
        .collect();
    Ok(summary(searches?))
}

/// The largest margin of the first output.
pub(crate) fn at_most(request: &AtMost) -> anyhow::Result<NearestSummary> {
    let ensemble = load_path(&request.model, &LoadOptions::default())?;
    let start = Time::now();
    let grid = ThresholdGrid::new(&ensemble)?;
    let cells = grid.everything();
    let row = vec![0.0; ensemble.features().len()];
    let costs = grid.costs(&cells, &row, |distance| Value::from(distance > 0.0));
    let problem = Problem {
        axes: grid.axes(&cells),
        cases: vec![Case { channels: vec![grid.channel(0, None, &cells)?] }],
        budgets: vec![Budget { costs, limit: request.features }],
        ..Problem::default()
    };
    let (bounds, point) = measure(0, start, request.limit.time, &problem);
    let input = point.map(|point| grid.input(&cells, &row, &point));
    let margin = |value: Option<f64>| value.map(|value| real(value as Value));
    Ok(summary(vec![RowBounds { lower: margin(bounds.lower), upper: margin(bounds.upper), input, ..bounds }]))
}

/// The nearest input of a class among the targets, or of any but the row's own, and the cells that are within reach.
fn problem(
    request: &NearestArgs,
    grid: &ThresholdGrid<'_>,
    ensemble: &Ensemble,
    row: &[f64],
    targets: &[usize],
) -> anyhow::Result<(Problem, Vec<Range<u32>>)> {
    let margins: Vec<f64> = ensemble.evaluate(row)?.margins.iter().map(|margin| margin.library).collect();
    let own = (0..margins.len()).max_by(|a, b| margins[*a].total_cmp(&margins[*b])).unwrap_or(0);
    let within: Vec<Range<u32>> =
        row.iter().enumerate().map(|(feature, value)| grid.cells_within(feature, *value, request.within)).collect();
    let targets: Vec<usize> =
        if targets.is_empty() { (0..margins.len()).filter(|class| *class != own).collect() } else { targets.to_vec() };
    let case = |target: &usize| Ok(Case { channels: vec![grid.channel(*target, Some(own), &within)?] });
    let costs = grid.costs(&within, row, |distance| request.norm.cost(distance));
    let norm = if matches!(request.norm, NormName::Linf) { Norm::Max } else { Norm::Sum };
    let problem = Problem {
        axes: grid.axes(&within),
        cases: targets.iter().map(case).collect::<anyhow::Result<_>>()?,
        objective: Objective::Nearest(Distance { costs, norm }),
        ..Problem::default()
    };
    Ok((problem, within))
}

/// RowBounds in the units of the search, and the best point.
fn measure(row: usize, start: Time, limit: f64, problem: &Problem) -> (RowBounds, Option<Vec<u32>>) {
    struct TimeLimit(Time, f64);
    impl treeproof_search::Stop for TimeLimit {}

    impl Observer for TimeLimit {
        fn observe(&self, _: &Status, _: Option<&[u32]>) -> bool {
            self.0.elapsed().on(MeterClock::Cpu) < self.1
        }
    }
    let mut search = Search::new(problem);
    let setup = start.elapsed();
    search.run(&Limits::default(), &TimeLimit(start, limit));
    let status = search.status();
    #[expect(clippy::cast_precision_loss, reason = "for printing")]
    let real = |value: Value| value as f64;
    let bounds = RowBounds {
        row,
        seconds: start.elapsed().cpu,
        setup_seconds: setup.cpu,
        steps: status.steps,
        exact: search.is_done() || status.lower == status.upper,
        lower: status.lower.map(real),
        upper: status.upper.filter(|upper| *upper > Value::MIN).map(real),
        input: None,
    };
    (bounds, search.solution().map(<[u32]>::to_vec))
}

fn summary(searches: Vec<RowBounds>) -> NearestSummary {
    let gap = |bounds: &RowBounds| match (bounds.lower, bounds.upper) {
        (Some(lower), Some(upper)) if upper > 0.0 => 1.0 - lower / upper,
        (Some(_), Some(_)) => 0.0,
        // There is none, or none was found.
        _ => f64::from(u8::from(!bounds.exact)),
    };
    #[expect(clippy::cast_precision_loss, reason = "few rows")]
    let count = searches.len() as f64;
    NearestSummary {
        exact: searches.iter().filter(|bounds| bounds.exact).count(),
        seconds: searches.iter().map(|bounds| bounds.seconds).sum(),
        steps: searches.iter().map(|bounds| bounds.steps).sum(),
        mean_gap: searches.iter().map(gap).sum::<f64>() / count,
        searches,
    }
}
