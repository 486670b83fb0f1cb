//! `treeproof demo`: a tour of the main questions on built-in models and data. Every command is parsed and run as if it had been
//! typed.

mod files;
mod steps;

use std::io::Write;
use std::path::Path;
use std::time::Instant;

use anyhow::Context;
use clap::Parser;
use console::Term;
use treeproof::outputs::Outputs;
use treeproof_report::SavedAnswer;

use crate::args::{DemoArgs, Treeproof};
use crate::exit::Done;
use crate::page::PageFile;
use crate::progress::{begin_to_answer, is_interrupted};
use crate::style::{BOLD, DIM, paint};
use crate::{output, run};

use self::steps::{DemoStep, RESULTS, STEPS};

/// Exit code after Ctrl-C.
const INTERRUPTED: u8 = 130;
/// The report.
const REPORT: &str = "report.html";
/// Largest and smallest width of explanations.
const WIDTH: usize = 90;
const NARROWEST: usize = 30;
/// Commands to try next.
const OWN: [(&str, &str); 3] = [
    ("treeproof inspect model.json", "the facts about it"),
    ("treeproof max model.json --domain train.csv", "its largest output within the ranges of your data"),
    ("treeproof --help", "all questions; each has examples in its own help"),
];

pub(crate) fn run_all(args: &DemoArgs) -> anyhow::Result<Done> {
    let start = Instant::now();
    begin_to_answer()?;
    files::write(&args.dir, &[RESULTS.as_slice(), &[REPORT]].concat())?;
    std::env::set_current_dir(&args.dir).with_context(|| args.dir.display().to_string())?;
    let folder = args.dir.display().to_string();
    say(&paint(BOLD, "treeproof answers questions about tree ensembles, exactly and with proof."))?;
    let what = format!(
        "The folder {folder} now has small models and data. Here are {} questions about them. You can run every command \
         again there.",
        STEPS.len()
    );
    say(&wrapped(&what, ""))?;
    // Only a NUL cannot be quoted, and no name has one.
    let shown = shlex::try_quote(&folder).map_or(folder.as_str().into(), |quoted| quoted);
    say(&format!("\n{}", command(&format!("cd {shown}"))))?;
    let mut answers = vec![];
    for (place, step) in STEPS.iter().enumerate() {
        answers.extend(show(place, step)?);
        if is_interrupted() {
            say(&format!(
                "\nInterrupted after {} of {} questions. The files are in {folder}.",
                place + 1,
                STEPS.len()
            ))?;
            return Ok(Done::new(INTERRUPTED));
        }
    }
    PageFile::create("--report", Path::new(REPORT), &mut Outputs::new(std::iter::empty(), false))?
        .write_all(&answers)?;
    say(&format!("\n{}", paint(BOLD, "All answers on one page")))?;
    say(&args.dir.join(REPORT).display().to_string())?;
    say(&format!("\n{}", paint(BOLD, "With your own model")))?;
    for (line, what) in OWN {
        let padding = " ".repeat(OWN[1].0.len() - line.len());
        say(&format!("{}{padding}  {}", command(line), paint(DIM, what)))?;
    }
    say(&format!("\n{}", paint(DIM, &format!("{:.1} s in all.", start.elapsed().as_secs_f64()))))?;
    Ok(Done::new(0))
}

/// Shows a command, runs it and explains its answer. Returns the answer, if a question was asked.
fn show(place: usize, step: &DemoStep) -> anyhow::Result<Option<SavedAnswer>> {
    say(&format!("\n{}", paint(BOLD, &format!("{}. {}", place + 1, step.title))))?;
    say(&wrapped(step.about, ""))?;
    say(&format!("\n{}", command(step.command)))?;
    let parsed = Treeproof::try_parse_from(step.command.split(' ')).context("a command of the demo")?;
    let Done { code, mut saved } = run(&parsed.command)?;
    if code != 0 {
        say(&paint(DIM, &format!("(exit code {code})")))?;
    }
    if let Some(saved) = &mut saved {
        saved.about.command = Some(step.command.to_owned());
    }
    let answer = serde_json::to_value(saved.as_ref().map(|saved| &saved.report))?;
    say(&format!("\n{}", wrapped(&(step.means)(code, &answer), "=> ")))?;
    Ok(saved)
}

fn command(text: &str) -> String {
    format!("{} {}", paint(DIM, "$"), paint(BOLD, text))
}

fn say(text: &str) -> anyhow::Result<()> {
    output::written(writeln!(anstream::stdout(), "{text}"))
}

/// Text wrapped into lines; the first begins with a mark, the others are indented below it.
fn wrapped(text: &str, mark: &str) -> String {
    let columns = Term::stdout().size_checked().map_or(WIDTH, |(_, columns)| usize::from(columns));
    let width = columns.clamp(NARROWEST, WIDTH);
    let mut lines = vec![mark.to_owned()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is one");
        if line.chars().count() + word.chars().count() < width {
            if !line.is_empty() && !line.ends_with(' ') {
                line.push(' ');
            }
            line.push_str(word);
        } else {
            lines.push(" ".repeat(mark.len()) + word);
        }
    }
    lines.join("\n")
}
