//! `treeproof robust` and `treeproof closest`: a question about every row of some data.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use treeproof::distance::{Closest, Conditions, Goal, Metric, Norm, RowAnswer, RowsReport};
use treeproof::report::{Verdict, WitnessValue};
use treeproof::rows::{RowOptions, Rows, label_column};
use treeproof::task::{Bytes, TaskError, TaskLimits};
use treeproof_data::Column;
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::label::{ClassName, LabelRule};

use crate::args::{ClosestArgs, DistanceArgs, RobustArgs};
use crate::{ask, output, progress, rows};

/// The rows that people are shown; JSON has all.
const SHOWN: usize = 10;

pub(crate) fn robust(args: &RobustArgs) -> anyhow::Result<ExitCode> {
    anyhow::ensure!(args.radius >= 0.0 && args.radius.is_finite(), "--radius must be a number from 0 on");
    let goal = args.within.map(Goal::Moved);
    run(&args.distance, goal, Some(args.radius), args.label.as_deref())
}

pub(crate) fn closest(args: &ClosestArgs) -> anyhow::Result<ExitCode> {
    let goal = args.output_above.map(Goal::Above).or(args.output_below.map(Goal::Below));
    run(&args.distance, goal, None, None)
}

fn run(args: &DistanceArgs, goal: Option<Goal>, within: Option<f64>, label: Option<&str>) -> anyhow::Result<ExitCode> {
    let ensemble = Arc::new(args.model.load()?);
    let table = treeproof_data::read(&args.data)?;
    let named = || args.data.display().to_string();
    let mut options = RowOptions::default();
    options.label = label.map(str::to_owned);
    let rows = Rows::from_table(&table, &ensemble, &options).with_context(named)?;
    rows::tell_notes(&args.data, &rows);
    anyhow::ensure!(!rows.is_empty(), "{}: there are no rows to ask about", named());
    let rows = rows.first(args.rows.unwrap_or(usize::MAX));
    let labels =
        label.map(|name| class_names(label_column(&table, name).with_context(named)?, &ensemble)).transpose()?;
    let goal = goal.map_or_else(|| self::goal(args, &ensemble, within.is_some()), Ok)?;
    let observed = args.domain.as_deref().map(|path| ask::observe(path, &ensemble)).transpose()?;
    let conditions = Conditions::new(&ensemble, &args.conditions, observed.as_ref());
    let conditions = match conditions.map_err(|error| located(error, args))? {
        Ok(conditions) => conditions,
        Err(conflict) => {
            let texts: Vec<String> = conflict.iter().map(|text| format!("`{text}`")).collect();
            writeln!(std::io::stderr(), "Nothing meets the conditions: {} exclude each other.", texts.join(" and "))?;
            return Ok(ExitCode::from(4));
        }
    };
    let mut limits = TaskLimits::default();
    (limits.time, limits.threads) = (args.time, Some(1));
    limits.memory = args.memory.or_else(|| ask::half_of_memory().map(Bytes));
    let metric = metric(args, &ensemble)?;
    let threshold = args.threshold;
    let question =
        Closest { ensemble: Arc::clone(&ensemble), metric, goal, threshold, conditions, within, count: 1, limits };
    let threads = args.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let bar = bar(rows.len(), args.json)?;
    let tell = |answer: Option<&RowAnswer>| {
        bar.inc(u64::from(answer.is_some()));
        !progress::is_interrupted()
    };
    let report = question.ask_rows(&rows, labels.as_deref(), threads, &tell).map_err(|error| located(error, args))?;
    bar.finish_and_clear();
    let text = if args.json { serde_json::to_string(&report)? + "\n" } else { describe(&report, rows.len()) };
    output::written(std::io::stdout().lock().write_all(text.as_bytes()))?;
    Ok(exit_code(&report, rows.len()))
}

/// Any other label, or the one that was asked for.
fn goal(args: &DistanceArgs, ensemble: &Ensemble, is_robust: bool) -> anyhow::Result<Goal> {
    let has_labels = *ensemble.label_rule() != LabelRule::None || args.threshold.is_some();
    let other = if is_robust { "--within EPS" } else { "--output-above V or --output-below V" };
    anyhow::ensure!(has_labels, "{}: the model has no labels: ask with {other}", args.model.path.display());
    let Some(target) = &args.target else { return Ok(Goal::Other) };
    let classes = ensemble.classes();
    let place = classes.iter().position(|class| class.to_string() == *target);
    let by_number = || target.parse().ok().filter(|place| classes.is_empty() && *place < ensemble.num_margins().max(2));
    let known: Vec<String> = classes.iter().take(8).map(ToString::to_string).collect();
    let place = place.or_else(by_number);
    place
        .map(Goal::Class)
        .with_context(|| format!("--target: there is no class `{target}`; there are {}", known.join(", ")))
}

fn metric(args: &DistanceArgs, ensemble: &Ensemble) -> anyhow::Result<Metric> {
    let mut metric = Metric::new(args.norm(), ensemble);
    for (flag, cost) in [("missing-cost", args.missing_cost), ("category-cost", args.category_cost)] {
        anyhow::ensure!(cost.is_none_or(|cost| cost >= 0.0 && cost.is_finite()), "--{flag} must be a number from 0 on");
    }
    (metric.missing_cost, metric.category_cost) = (args.missing_cost, args.category_cost);
    for text in &args.weights {
        let (name, weight) = text.rsplit_once('=').context("--weights: write NAME=W, as in age=2")?;
        let feature = ensemble.features().iter().position(|feature| feature.name == name);
        let feature = feature.with_context(|| format!("--weights: the model has no feature `{name}`"))?;
        let weight: f64 =
            weight.parse().ok().filter(|weight: &f64| *weight >= 0.0 && weight.is_finite()).with_context(|| {
                format!("--weights: the weight of `{name}` must be a number from 0 on, not `{weight}`")
            })?;
        metric.factors[feature] = weight;
    }
    if let Some(scale) = args.scale.as_ref().filter(|_| args.norm() != Norm::L0) {
        let path = scale.strip_prefix("std:").context("--scale: write std:DATA, as in std:train.csv")?;
        let rows = rows::read(Path::new(path), ensemble, &RowOptions::default())?;
        for (feature, factor) in metric.factors.iter_mut().enumerate() {
            let deviation = deviation(rows.iter().map(|row| row[feature]).filter(|value| value.is_finite()));
            // What does not vary is not scaled.
            if deviation > 0.0 {
                *factor /= deviation;
            }
        }
    }
    Ok(metric)
}

/// The standard deviation of some numbers.
fn deviation(numbers: impl Iterator<Item = f64>) -> f64 {
    let (mut count, mut mean, mut squares) = (0.0, 0.0, 0.0);
    for number in numbers {
        count += 1.0;
        let apart = number - mean;
        mean += apart / count;
        squares += apart * (number - mean);
    }
    if count > 0.0 { (squares / count).sqrt() } else { 0.0 }
}

/// The labels of a column as classes of the model; none where it is none of them.
fn class_names(column: &Column, ensemble: &Ensemble) -> anyhow::Result<Vec<Option<ClassName>>> {
    let classes: Vec<ClassName> = (0..ensemble.num_margins().max(2)).map(|class| ensemble.class_name(class)).collect();
    let find = |text: &str| classes.iter().find(|class| class.to_string() == text).cloned();
    match column {
        Column::Numbers(numbers) => Ok(numbers.iter().map(|number| find(&output::number(*number))).collect()),
        Column::Texts(texts) => Ok(texts.iter().map(|text| text.and_then(find)).collect()),
        Column::Refused(why) => anyhow::bail!("--label: {why}"),
        _ => anyhow::bail!("--label: a column of labels has numbers or texts"),
    }
}

fn located(error: TaskError, args: &DistanceArgs) -> anyhow::Error {
    match error {
        TaskError::Condition(error) => anyhow::anyhow!("--where: {error}"),
        TaskError::Row { .. } => anyhow::Error::from(error).context(args.data.display().to_string()),
        TaskError::WitnessRefused { .. } => error.into(),
        TaskError::Field { field, what } => anyhow::anyhow!("--{field} {what}"),
        _ => anyhow::Error::from(error).context(args.model.path.display().to_string()),
    }
}

fn bar(rows: usize, is_silent: bool) -> anyhow::Result<ProgressBar> {
    progress::catch_interrupts()?;
    let target = if is_silent { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr_with_hz(5) };
    let style =
        ProgressStyle::with_template("{pos} of {len} rows, {eta} left (Ctrl-C: answers so far)").expect("fixed");
    Ok(ProgressBar::with_draw_target(Some(rows as u64), target).with_style(style))
}

fn exit_code(report: &RowsReport, num_rows: usize) -> ExitCode {
    let summary = &report.summary;
    match () {
        () if summary.violated > 0 => ExitCode::from(1),
        // Where no input is allowed, nothing is robust: a wrong condition must not look like a proof.
        () if report.radius.is_some() && summary.infeasible > 0 => ExitCode::from(4),
        () if summary.undecided > 0 || summary.rows < num_rows => ExitCode::from(3),
        () => ExitCode::SUCCESS,
    }
}

/// The answers for people: what they say together, then row by row.
fn describe(report: &RowsReport, num_rows: usize) -> String {
    let summary = &report.summary;
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let mut text = match report.radius {
        Some(radius) => format!(
            "{} of {} rows are robust within {}: proved; {} can be changed, {} undecided{}.\n",
            summary.holds,
            summary.rows,
            output::number(radius),
            summary.violated,
            summary.undecided,
            if summary.infeasible > 0 {
                format!(", {} without any input that is allowed", summary.infeasible)
            } else {
                String::new()
            }
        ),
        None => format!(
            "The distance of {} of {} rows is exact: proved; for {} no such input exists, {} undecided.\n",
            summary.decided - summary.infeasible,
            summary.rows,
            summary.infeasible,
            summary.undecided
        ),
    };
    let mut line = |name: &str, value: String| text.push_str(&format!("{name:<12} {value}\n"));
    if let Some(accuracy) = summary.accuracy {
        line("accuracy", percent(accuracy));
    }
    if let Some(accuracy) = summary.certified_accuracy {
        line("certified", format!("{} correct and robust", percent(accuracy)));
    }
    if let Some(median) = summary.median_distance {
        line("median", format!("{} away", output::number(median)));
    }
    if summary.rows < num_rows {
        line("rows", format!("{} of {num_rows} asked about: interrupted", summary.rows));
    }
    line("time", format!("{:.2} s", summary.seconds));
    text.push_str("\n row  verdict     distance              what changes\n");
    for answer in report.rows.iter().take(SHOWN) {
        text.push_str(&describe_row(answer));
    }
    if report.rows.len() > SHOWN {
        text.push_str(&format!("and {} more (--json lists all)\n", report.rows.len() - SHOWN));
    }
    text.replace(|c: char| c.is_control() && c != '\n', "?")
}

fn describe_row(answer: &RowAnswer) -> String {
    let verdict = match answer.verdict {
        Verdict::Holds => "robust",
        Verdict::Violated => "changed",
        Verdict::Optimal => "exact",
        Verdict::Infeasible => "none exists",
        _ => "undecided",
    };
    let number = |bound: Option<f64>| bound.map_or("?".to_owned(), |bound| format!("{bound:.6}"));
    let distance = match answer.verdict {
        Verdict::Infeasible => String::new(),
        Verdict::Holds => format!("> {}", number(answer.lower)),
        Verdict::Undecided => format!("{} to {}", number(answer.lower), number(answer.upper)),
        _ => number(answer.upper),
    };
    let change = |value: &WitnessValue| match value {
        WitnessValue::Missing => "missing".to_owned(),
        WitnessValue::Number(value) => output::number(*value),
        WitnessValue::Category(name) => name.clone(),
        _ => "?".to_owned(),
    };
    let mut changes: Vec<String> = answer
        .changed
        .iter()
        .take(4)
        .map(|changed| format!("{} {} → {}", changed.feature, change(&changed.from), change(&changed.to)))
        .collect();
    if answer.changed.len() > changes.len() {
        changes.push(format!("{} more", answer.changed.len() - changes.len()));
    }
    let label = match (&answer.label, &answer.witness_label) {
        (Some(own), Some(other)) => format!(" ({own} → {other})"),
        _ => String::new(),
    };
    format!("{:>4}  {verdict:<11} {distance:<20}  {}{label}\n", answer.row, changes.join(", "))
}
