//! `treeproof audit`: many questions about one model, as a gate.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use serde::{Deserialize, Serialize};
use treeproof::Report;
use treeproof::audit::{Check, Defaults, Measured, Outcome};
use treeproof::report::Verdict;
use treeproof::task::{Question, Task, spelt};
use treeproof::watch::Named;

use crate::args::AuditArgs;
use crate::ask::{self, Source};
use crate::check;
use crate::files::{self, Files, Folder};
use crate::output::{self, number};
use crate::progress::{self, Progress};

/// The checks of a file, with their tasks.
struct Audit {
    defaults: Defaults,
    checks: Vec<(Check, Task)>,
}

/// A check that is over.
#[derive(Serialize)]
struct Checked {
    name: String,
    outcome: Outcome,
    /// Whether the gate lets it through.
    passes: bool,
    seconds: f64,
    /// None where it was not asked, as somebody interrupted.
    report: Option<Report>,
}

#[derive(Serialize)]
struct Answer {
    question: &'static str,
    verdict: Verdict,
    checks: Vec<Checked>,
    summary: Summary,
}

#[derive(Serialize)]
struct Summary {
    checks: usize,
    pass: usize,
    fail: usize,
    undecided: usize,
    infeasible: usize,
    seconds: f64,
}

pub(crate) fn run(args: &AuditArgs) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let Audit { defaults, checks } = Audit::read(&args.file)?;
    let ensemble = Arc::new(args.reading.load(&defaults.model)?);
    // Everything that can be wrong is found before the first search.
    let mut asked = vec![];
    for (check, task) in &checks {
        let source = Source::Check(&args.file, &check.name);
        check.validate_for(task, &ensemble).map_err(|error| source.locate(error))?;
        let files = Files::read_for(Arc::clone(&ensemble), task, &args.reading, source)?;
        asked.push((check, task, files));
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
    for (check, task, files) in &asked {
        let began = Instant::now();
        let mut report = None;
        if !progress::is_interrupted() {
            let source = Source::Check(&args.file, &check.name);
            let other = other_model(task).and_then(|other| models.iter().position(|model| *model == other));
            let about: Vec<u32> =
                std::iter::once(0).chain(other).map(|place| u32::try_from(place).unwrap_or(u32::MAX)).collect();
            let answer = files.answer(task, &Named::new(&progress, &check.name).about(&about));
            report = Some(answer.map_err(|error| source.locate_in(error, task))?);
        }
        progress.clear();
        let outcome = report.as_ref().map_or(Outcome::Undecided, |report| check.outcome(report));
        let is_allowed = check.allow_undecided.unwrap_or(defaults.allow_undecided);
        let passes = outcome == Outcome::Pass || (outcome == Outcome::Undecided && is_allowed);
        let seconds = began.elapsed().as_secs_f64();
        let checked = Checked { name: check.name.clone(), outcome, passes, seconds, report };
        if !args.json {
            output::written(writeln!(std::io::stdout(), "{}", line(check, &checked, width)))?;
        }
        done.push(checked);
    }
    // What cannot be written beside the answer does not take the answer away.
    let written = progress.finish();
    let answer = Answer::new(done, start.elapsed().as_secs_f64());
    let code = answer.exit_code();
    let text = if args.json { serde_json::to_string(&answer)? } else { answer.summary.words() };
    output::written(writeln!(std::io::stdout(), "{text}"))?;
    written.map(|()| code)
}

/// The second model of `diff`.
fn other_model(task: &Task) -> Option<&Path> {
    if let Question::Diff(diff) = &task.question { diff.other_model.as_deref() } else { None }
}

impl Audit {
    fn read(path: &Path) -> anyhow::Result<Self> {
        /// The checks by themselves, so that errors can name them.
        #[derive(Deserialize)]
        struct Checks {
            #[serde(default)]
            check: Vec<toml::Table>,
        }
        let text = files::read_text(path)?;
        let named = path.display().to_string();
        let line = |error: &toml::de::Error| {
            error.span().map_or(1, |span| text[..span.start.min(text.len())].matches('\n').count() + 1)
        };
        let mut table: toml::Table = toml::from_str(&text).map_err(|error| {
            let help = "write model = 'FILE' and [[check]]s; see treeproof audit --help";
            anyhow::anyhow!("{named}: line {}: not TOML: {} ({help})", line(&error), one_line(&error, None))
        })?;
        let Checks { check: checks } = toml::from_str(&text)
            .map_err(|error| anyhow::anyhow!("{named}: line {}: {}", line(&error), one_line(&error, None)))?;
        table.remove("check");
        let mut defaults: Defaults =
            table.try_into().map_err(|error| anyhow::anyhow!("{named}: {}", one_line(&error, None)))?;
        anyhow::ensure!(!checks.is_empty(), "{named}: there is no [[check]]: say what is asked");
        let folder = Folder::of(path);
        let mut checks_with_tasks: Vec<(Check, Task)> = vec![];
        for (place, table) in checks.into_iter().enumerate() {
            let name = table.get("name").and_then(toml::Value::as_str).map(|name| format!("`{name}`"));
            let name = name.unwrap_or_else(|| format!("number {}", place + 1));
            let wrong = |what: String| anyhow::anyhow!("{named}: check {name}: {what}");
            let question = table.get("question").cloned();
            let check: Check = table.try_into().map_err(|error| wrong(one_line(&error, question.as_ref())))?;
            if checks_with_tasks.iter().any(|(other, _)| other.name == check.name) {
                return Err(wrong("there is another of this name".to_owned()));
            }
            let mut task = check.task(&defaults).map_err(|error| wrong(error.to_string()))?;
            folder.locate_all(&mut task);
            let time = task.time();
            ask::set_defaults(&mut task.limits, time);
            checks_with_tasks.push((check, task));
        }
        folder.locate(Some(&mut defaults.model));
        Ok(Self { defaults, checks: checks_with_tasks })
    }
}

/// What is wrong with a file, with the word that may be meant.
fn one_line(error: &toml::de::Error, question: Option<&toml::Value>) -> String {
    let question = serde_json::to_value(question).unwrap_or_default();
    spelt(error.message(), &question).replace('\n', "; ")
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

impl Answer {
    fn new(checks: Vec<Checked>, seconds: f64) -> Self {
        let count = |outcome: Outcome| checks.iter().filter(|check| check.outcome == outcome).count();
        let summary = Summary {
            checks: checks.len(),
            pass: count(Outcome::Pass),
            fail: count(Outcome::Fail),
            undecided: count(Outcome::Undecided),
            infeasible: count(Outcome::Infeasible),
            seconds,
        };
        let is_open = checks.iter().any(|check| check.outcome == Outcome::Undecided && !check.passes);
        let verdict = match () {
            () if summary.fail > 0 => Verdict::Violated,
            () if summary.infeasible > 0 => Verdict::Infeasible,
            () if is_open => Verdict::Undecided,
            () => Verdict::Holds,
        };
        Self { question: "audit", verdict, checks, summary }
    }

    fn exit_code(&self) -> ExitCode {
        match self.verdict {
            Verdict::Violated => ExitCode::from(1),
            Verdict::Infeasible => ExitCode::from(4),
            Verdict::Undecided => ExitCode::from(3),
            _ => ExitCode::SUCCESS,
        }
    }
}

impl Summary {
    fn words(&self) -> String {
        let Self { checks, pass, fail, undecided, infeasible, seconds } = self;
        let counts = [("failed", fail), ("undecided", undecided), ("infeasible", infeasible)];
        let others = counts.iter().filter(|(_, count)| **count > 0).map(|(word, count)| format!(", {count} {word}"));
        format!("{pass} of {checks} checks pass{} ({seconds:.2} s)", others.collect::<String>())
    }
}
