//! `treeproof audit`: many questions about one model, as a gate.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use treeproof::audit::{self, Audit, AuditReport, AuditSummary, Check, Checked, Measured, Outcome};
use treeproof::report::Verdict;
use treeproof::sources::Given;
use treeproof::task::{Question, Task};
use treeproof::watch::Named;

use crate::args::AuditArgs;
use crate::ask::Source;
use crate::check;
use crate::files::{self, Files};
use crate::output::{self, number};
use crate::progress::{self, Progress};

pub(crate) fn run(args: &AuditArgs) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let text = files::read_text(&args.file)?;
    let read = audit::read(&text, &args.file);
    let Audit { defaults, checks } = read.map_err(|what| anyhow::anyhow!("{}: {what}", args.file.display()))?;
    let ensemble = Arc::new(args.reading.load(&defaults.model)?);
    // Everything that can be wrong is found before the first search.
    let mut asked = vec![];
    for (check, task) in &checks {
        let source = Source::Check(&args.file, &check.name);
        check.validate_for(task, &ensemble).map_err(|error| source.locate(error))?;
        let files = Files { reading: &args.reading, source };
        let given = Given::read_for(Arc::clone(&ensemble), task, &files);
        asked.push((check, task, given.map_err(|error| source.locate_unread(error))?));
    }
    let mut models = vec![defaults.model.as_path()];
    models.extend(checks.iter().filter_map(|(_, task)| other_model(task)));
    let models: Vec<&Path> = models
        .iter()
        .enumerate()
        .filter(|(place, path)| !models[..*place].contains(path))
        .map(|(_, path)| *path)
        .collect();
    let begin = |path: &PathBuf| check::begin(path, "audit", models.iter().copied(), &args.reading);
    let proof = args.proof.as_ref().map(begin).transpose()?;
    let progress = Progress::new(None, args.json)?.proving(proof);
    let width = asked.iter().map(|(check, ..)| check.name.chars().count()).max().unwrap_or(0).min(50);
    let mut done = vec![];
    for (check, task, given) in &asked {
        let source = Source::Check(&args.file, &check.name);
        let other = other_model(task).and_then(|other| models.iter().position(|model| *model == other));
        let about: Vec<u32> =
            std::iter::once(0).chain(other).map(|place| u32::try_from(place).unwrap_or(u32::MAX)).collect();
        let ask = || given.answer(task, &Named::new(&progress, &check.name).about(&about));
        let checked = Checked::ask(check, &defaults, progress::is_interrupted(), ask);
        let checked = checked.map_err(|error| source.locate_in(error, task))?;
        progress.clear();
        if !args.json {
            output::written(writeln!(std::io::stdout(), "{}", line(check, &checked, width)))?;
        }
        done.push(checked);
    }
    // What cannot be written beside the answer does not take the answer away.
    let written = progress.finish();
    let report = AuditReport::new(done, start.elapsed().as_secs_f64());
    let text = if args.json { serde_json::to_string(&report)? } else { summary(&report.summary) };
    output::written(writeln!(std::io::stdout(), "{text}"))?;
    written.map(|()| exit_code(&report))
}

/// The second model of `diff`.
fn other_model(task: &Task) -> Option<&Path> {
    if let Question::Diff(diff) = &task.question { diff.other_model.as_deref() } else { None }
}

/// A check for people.
fn line(check: &Check, checked: &Checked, width: usize) -> String {
    let outcome = match checked.outcome {
        Outcome::Pass => "pass",
        Outcome::Fail => "FAIL",
        Outcome::Undecided if checked.passes => "allowed",
        Outcome::Undecided => "undecided",
        Outcome::Infeasible => "infeasible",
    };
    let text = format!("{outcome:<10}  {:<width$}  {}", checked.name, words(check, checked));
    format!("{}  ({:.2} s)", text.replace(|c: char| c.is_control(), "?").trim_end(), checked.seconds)
}

/// The verdict in few words.
fn words(check: &Check, checked: &Checked) -> String {
    let Some(report) = &checked.report else { return "not asked: interrupted".to_owned() };
    if checked.outcome == Outcome::Infeasible {
        return "nothing meets the conditions".to_owned();
    }
    let expected = [("at most", check.at_most), ("at least", check.at_least)];
    let expected: Vec<String> =
        expected.iter().filter_map(|(word, limit)| Some(format!("{word} {}", number((*limit)?)))).collect();
    match Measured::of(report).filter(|_| !expected.is_empty()) {
        Some(measured) => {
            let is = match measured.ends() {
                [Some(lower), Some(upper)] if lower == upper => number(lower),
                [Some(lower), Some(upper)] => format!("{} to {}", number(lower), number(upper)),
                [Some(lower), None] => format!("{} or more", number(lower)),
                [None, Some(upper)] => format!("{} or less", number(upper)),
                [None, None] => "unknown".to_owned(),
            };
            format!("{} {is}, {}", measured.what, expected.join(" and "))
        }
        None => match report.verdict() {
            Verdict::Holds => "holds".to_owned(),
            Verdict::Violated => "violated".to_owned(),
            _ => "open within the limits".to_owned(),
        },
    }
}

fn exit_code(report: &AuditReport) -> ExitCode {
    match report.verdict {
        Verdict::Violated => ExitCode::from(1),
        Verdict::Infeasible => ExitCode::from(4),
        Verdict::Undecided => ExitCode::from(3),
        _ => ExitCode::SUCCESS,
    }
}

fn summary(summary: &AuditSummary) -> String {
    let AuditSummary { checks, pass, fail, undecided, infeasible, seconds, .. } = summary;
    let counts = [("failed", fail), ("undecided", undecided), ("infeasible", infeasible)];
    let others = counts.iter().filter(|(_, count)| **count > 0).map(|(word, count)| format!(", {count} {word}"));
    format!("{pass} of {checks} checks pass{} ({seconds:.2} s)", others.collect::<String>())
}
