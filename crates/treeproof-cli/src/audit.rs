//! `treeproof audit`: many questions about one model, as a gate.

use std::io::Write;
use std::sync::Arc;
use std::time::Instant;

use treeproof::audit::{self, Audit, AuditReport, AuditSummary, Check, Checked, Measured, Outcome};
use treeproof::outputs::{Outputs, PROOF};
use treeproof::report::Verdict;
use treeproof::sources::{self, InputFiles, files_of};
use treeproof::task::{Reading, Task};
use treeproof_report::{About, Report, SavedAnswer};

use crate::about;
use crate::args::AuditArgs;
use crate::exit::Done;
use crate::files::{self, Files};
use crate::output::{self, number};
use crate::page::PageFile;
use crate::progress::{self, Progress, counted};
use crate::task_source::TaskSource;
use crate::{proof_file, style};

pub(crate) fn run(args: &AuditArgs) -> anyhow::Result<Done> {
    let start = Instant::now();
    let text = files::read_text(&args.file)?;
    let read = audit::read(&text, &args.file);
    let mut audit = read.map_err(|what| anyhow::anyhow!("{}: {what}", args.file.display()))?;
    audit.set_reading(Reading { categories: args.cells.said(), ..args.reading.said() });
    let Audit { defaults, checks } = &audit;
    let models = audit.models();
    let named = checks.iter().flat_map(|(_, task)| files_of(task));
    let mut outputs = Outputs::new(models.iter().copied().chain(named).chain([args.file.as_path()]), args.force.force);
    let page = args.report.as_deref().map(|path| PageFile::create("--report", path, &mut outputs)).transpose()?;
    let proof = args.proof.as_deref().map(|path| outputs.open("--proof", path, PROOF)).transpose();
    let proof = proof.map_err(files::refused)?;
    let inputs = InputFiles::default();
    let files = Files { source: TaskSource::File(&args.file), inputs: &inputs };
    let reading = progress::reading(args.json, models.iter().copied());
    let ensemble = files.model_of(&defaults.model, &defaults.reading)?;
    // All errors are found before the first search.
    let mut asked = vec![];
    for (check, task) in checks {
        let source = TaskSource::Check(&args.file, &check.name);
        check.validate_for(task, &ensemble).map_err(|error| source.locate(error))?;
        let files = Files { source, inputs: &inputs };
        let query = sources::read_for(Arc::clone(&ensemble), task.clone(), &files);
        asked.push((check, task, query.map_err(|error| source.locate_unread(error))?));
    }
    inputs.forget_table();
    let begin = |file| proof_file::begin(file, "audit", models.iter().copied(), &defaults.reading, &inputs);
    let proof = proof.map(begin).transpose()?;
    drop(reading);
    let progress = Progress::quiet(args.json, args.verbose, Instant::now())?.proving(proof);
    progress.tell_models([(defaults.model.as_path(), &*ensemble)]);
    let width = asked.iter().map(|(check, ..)| check.name.chars().count()).max().unwrap_or(0).min(50);
    let (mut done, mut parts) = (vec![], vec![]);
    for (place, (check, task, query)) in asked.iter().enumerate() {
        let source = TaskSource::Check(&args.file, &check.name);
        let checked = audit.ask(place, query, &progress, progress::is_interrupted());
        let checked = checked.map_err(|error| source.locate_in(error, task))?;
        if let Some(report) = &checked.report {
            progress.tell_ends(report);
        }
        progress.clear();
        let mut part = About::default();
        about::add_task(&mut part, &task.with_names(&query.models()), &query.models(), &task.groups_in(&ensemble)?);
        let trace = progress.recorded();
        part.trace = if checked.report.as_ref().is_some_and(Report::is_of_one_search) { trace } else { vec![] };
        parts.push(part);
        if !args.json {
            output::written(writeln!(anstream::stdout(), "{}", line(check, &checked, width)))?;
        }
        done.push(checked);
    }
    // What cannot be written beside the answer does not take the answer away.
    let written = progress.finish();
    let report = AuditReport::new(done, start.elapsed().as_secs_f64());
    let code = exit_code(&report);
    let mut about = About::default();
    if args.json || page.is_some() {
        // The other models of `diff` are read where they are asked about.
        let ensembles = models.iter().enumerate().map(|(place, path)| {
            let is_it = |task: &Task| audit.places(task).get(1).is_some_and(|other| *other as usize == place);
            let other =
                asked.iter().find(|(_, task, _)| is_it(task)).and_then(|(_, _, query)| query.models().get(1).copied());
            (*path, other.unwrap_or(&ensemble))
        });
        about = about::about(about::models(ensembles, &inputs));
        about.parts = parts;
    }
    let summary = style::paint(style::of_code(code), &summary(&report.summary));
    let saved = SavedAnswer { report: report.into(), about };
    output::written(match args.json {
        true => writeln!(std::io::stdout(), "{}", output::json(&saved)?),
        false => writeln!(anstream::stdout(), "{summary}"),
    })?;
    let shown = page.map_or(Ok(()), |page| page.write(&saved));
    written.and(shown).map(|()| Done::new(code))
}

/// A check as one line of text.
fn line(check: &Check, checked: &Checked, width: usize) -> String {
    let outcome = match checked.outcome {
        Outcome::Pass => "pass",
        Outcome::Fail => "FAIL",
        Outcome::Undecided if checked.passes => "allowed",
        Outcome::Undecided => "undecided",
        Outcome::Infeasible => "infeasible",
    };
    let colour = match checked.outcome {
        Outcome::Pass => style::GOOD,
        Outcome::Fail => style::BAD,
        _ => style::OPEN,
    };
    let text = format!("{:<width$}  {}", checked.name, words(check, checked)).replace(|c: char| c.is_control(), "?");
    let outcome = style::paint(colour, &format!("{outcome:<10}"));
    format!("{outcome}  {}  ({:.2} s)", text.trim_end(), checked.seconds)
}

/// The verdict in few words.
fn words(check: &Check, checked: &Checked) -> String {
    let Some(report) = &checked.report else { return "not run: interrupted".to_owned() };
    if checked.outcome == Outcome::Infeasible {
        return "no input meets the conditions".to_owned();
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
            _ => "undecided within the limits".to_owned(),
        },
    }
}

fn exit_code(report: &AuditReport) -> u8 {
    match report.verdict {
        Verdict::Violated => 1,
        Verdict::Infeasible => 4,
        Verdict::Undecided => 3,
        _ => 0,
    }
}

fn summary(summary: &AuditSummary) -> String {
    let AuditSummary { checks, pass, fail, undecided, infeasible, seconds, .. } = summary;
    let counts = [("failed", fail), ("undecided", undecided), ("infeasible", infeasible)];
    let others = counts.iter().filter(|(_, count)| **count > 0).map(|(word, count)| format!(", {count} {word}"));
    let [checks, pass] = [*checks, *pass].map(|count| count as u64);
    let verb = if pass == 1 { "passes" } else { "pass" };
    let others = others.collect::<String>();
    format!("{pass} of {} {verb}{others} ({seconds:.2} s)", counted(checks, "check", "checks"))
}
