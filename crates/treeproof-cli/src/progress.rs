//! Progress of a running search: a line on a terminal, `--verbose`, a trace in a file; and Ctrl-C, which ends the search.

mod line;
mod narrow;
mod reading;
mod verbose;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once, OnceLock};
use std::time::{Duration, Instant};

use anyhow::Context;
use console::Term;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle, TermLike};
use serde_json::json;
use treeproof::Report;
use treeproof::outputs::{Ends, FileKind, ProofFile, Replacement, abandon_all};
use treeproof::report::{Finding, PairAnswer};
use treeproof::watch::{Begun, Event, Watcher};
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_proof::writer::ProofWriter;
use treeproof_report::{Recorder, SearchTrace};

use self::line::Counts;
pub(crate) use self::line::counted;
use self::narrow::Narrow;
pub(crate) use self::reading::ReadingLine;
use self::verbose::Verbose;
use crate::args::OutputArgs;
use crate::{files, output};

/// Width of the bar over rows.
const BAR: usize = 20;
/// Time between two updates of the line, and before the first.
const PAUSE: Duration = Duration::from_millis(200);

/// Set by Ctrl-C; a signal handler can reach nothing else.
static IS_INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// True once there is an answer that Ctrl-C may ask for: not while files are read.
static IS_ANSWERING: AtomicBool = AtomicBool::new(false);

/// Exit codes after Ctrl-C and SIGTERM: 128 plus the number of the signal, as shells have it.
const INTERRUPTED: i32 = 130;
#[cfg(unix)]
const TERMINATED: i32 = 143;

/// The kind of file that a trace may overwrite.
pub(crate) const TRACE: FileKind = FileKind { name: "a trace of treeproof", is_kind: is_trace };

/// The fields of an answer about one feature that are told.
fn brief(answer: &PairAnswer) -> serde_json::Value {
    let is_checked = answer.witness.is_some().then_some(true);
    json!({
        "feature": answer.feature, "stopped": answer.stopped, "stats": answer.stats,
        "witness": is_checked, "rounding": answer.rounding,
    })
}

/// Recognises a trace by its first line: an event of a search, which an answer is not.
fn is_trace(Ends { start, .. }: &Ends) -> bool {
    let line = start.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let Ok(event) = serde_json::from_slice::<serde_json::Value>(line) else { return false };
    let is_bound = |field: &str| event.get(field).is_some_and(|bound| bound.is_number() || bound.is_null());
    event["question"].is_string()
        && ["seconds", "regions", "open", "memory_bytes"].iter().all(|field| event[field].is_number())
        && ["lower", "upper", "gap"].into_iter().all(is_bound)
}

/// Within this time two signals are one: `timeout -s INT` sends it to the process, and then to its group.
const SAME_INTERRUPT: Duration = Duration::from_millis(300);

/// Takes over Ctrl-C and SIGTERM. Until there is something to answer they end the command with one line; then they end the search.
pub(crate) fn catch_interrupts() -> anyhow::Result<()> {
    static ONCE: Once = Once::new();
    let mut outcome = Ok(());
    ONCE.call_once(|| {
        outcome = ctrlc::set_handler(|| interrupt(INTERRUPTED)).context("Ctrl-C cannot be caught");
        #[cfg(unix)]
        if outcome.is_ok() {
            outcome = catch_termination().context("SIGTERM cannot be caught");
        }
    });
    outcome
}

#[cfg(unix)]
fn catch_termination() -> std::io::Result<()> {
    let mut signals = signal_hook::iterator::Signals::new([signal_hook::consts::SIGTERM])?;
    std::thread::Builder::new().spawn(move || signals.forever().for_each(|_| interrupt(TERMINATED)))?;
    Ok(())
}

/// Asks for the answer so far; the second time it is not waited for.
#[expect(clippy::exit, reason = "who asks twice, or when nothing is known, does not want to wait")]
fn interrupt(code: i32) {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    if !IS_ANSWERING.load(Ordering::Relaxed) {
        let term = Term::stderr();
        if term.is_term() {
            let _ = term.clear_line();
        }
        abandon_all();
        // Nothing is left to be done if even this fails.
        let _ = writeln!(std::io::stderr(), "treeproof: interrupted: nothing is known yet");
        std::process::exit(code);
    }
    IS_INTERRUPTED.store(true, Ordering::Relaxed);
    if FIRST.get_or_init(Instant::now).elapsed() > SAME_INTERRUPT {
        abandon_all();
        std::process::exit(code);
    }
}

/// Lets Ctrl-C end a search instead of the process from now on.
pub(crate) fn begin_to_answer() -> anyhow::Result<()> {
    catch_interrupts()?;
    IS_ANSWERING.store(true, Ordering::Relaxed);
    Ok(())
}

/// Shows that files are being read, until the result is dropped.
pub(crate) fn reading<'p>(is_json: bool, paths: impl Iterator<Item = &'p Path>) -> ReadingLine {
    let names = paths.map(|path| path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned());
    let text = format!("reading {}", names.collect::<Vec<_>>().join(" and "));
    let width = usize::from(Narrow(Term::stderr()).width());
    ReadingLine::on(line(is_json), line::fit_words(&text.replace(|c: char| c.is_control(), "?"), width))
}

/// Reads a file, and shows meanwhile that it is read.
pub(crate) fn while_reading<T>(is_json: bool, path: &Path, read: impl FnOnce() -> T) -> T {
    let _reading = reading(is_json, std::iter::once(path));
    read()
}

/// The line on standard error, hidden if that is no terminal, or JSON is asked for.
fn line(is_json: bool) -> ProgressBar {
    // A line that cannot be drawn over would be printed again and again.
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    let term = Term::buffered_stderr();
    let is_hidden = is_json || is_dumb || !term.is_term();
    let target = match is_hidden {
        true => ProgressDrawTarget::hidden(),
        false => ProgressDrawTarget::term_like_with_hz(Box::new(Narrow(term)), 20),
    };
    // No colours, so that NO_COLOR has nothing to forbid.
    let style = ProgressStyle::with_template("{msg}").expect("a fixed template");
    ProgressBar::with_draw_target(None, target).with_style(style)
}

/// True after Ctrl-C.
pub(crate) fn is_interrupted() -> bool {
    IS_INTERRUPTED.load(Ordering::Relaxed)
}

pub(crate) struct Progress {
    line: ProgressBar,
    /// When the line was drawn last; before that, when the question was asked.
    drawn: Mutex<Instant>,
    /// Number of trees being prepared, until it is shown.
    preparing: Mutex<Option<usize>>,
    counts: Mutex<Counts>,
    verbose: Option<Mutex<Verbose>>,
    trace: Option<Mutex<Trace>>,
    proof: Option<(Mutex<ProofFile>, ProofWriter)>,
    recorder: Mutex<Recorder>,
}

struct Trace {
    path: PathBuf,
    out: BufWriter<File>,
    failure: Option<std::io::Error>,
}

impl Progress {
    /// Shows progress on standard error if that is a terminal, unless JSON is asked for.
    pub(crate) fn new((told, trace): (&OutputArgs, Option<Replacement>), since: Instant) -> anyhow::Result<Self> {
        let open = |file: Replacement| -> anyhow::Result<Mutex<Trace>> {
            let path = file.path().to_owned();
            // Before the search, as a trace is read while it grows.
            let file = file.appear().map_err(|error| files::unwritten(&path, error))?;
            Ok(Mutex::new(Trace { path, out: BufWriter::new(file), failure: None }))
        };
        let trace = trace.map(open).transpose()?;
        Ok(Self { trace, ..Self::quiet(told.json, told.verbose, since)? })
    }

    /// Progress without a trace; times count from the start of the command.
    pub(crate) fn quiet(is_json: bool, is_verbose: bool, since: Instant) -> anyhow::Result<Self> {
        let line = line(is_json);
        begin_to_answer()?;
        let verbose = is_verbose.then(|| Mutex::new(Verbose::new(since)));
        let drawn = Mutex::new(Instant::now());
        let (counts, recorder) = Default::default();
        let preparing = Mutex::default();
        Ok(Self { line, drawn, preparing, counts, verbose, trace: None, proof: None, recorder })
    }

    /// Lets a proof be written.
    pub(crate) fn proving(self, proof: Option<ProofFile>) -> Self {
        let of = |file: ProofFile| {
            let writer = file.writer().clone();
            (Mutex::new(file), writer)
        };
        Self { proof: proof.map(of), ..self }
    }

    /// The improved bounds since the last call.
    pub(crate) fn recorded(&self) -> Vec<SearchTrace> {
        self.recorder.lock().expect("nobody panics while recording").take()
    }

    /// Clears the line until there is something new.
    pub(crate) fn clear(&self) {
        self.line.set_message("");
    }

    /// Logs the models.
    pub(crate) fn tell_models<'m>(&self, models: impl IntoIterator<Item = (&'m Path, &'m Ensemble)>) {
        if let Some(verbose) = &self.verbose {
            let verbose = verbose.lock().expect("nobody panics while telling");
            let told = models.into_iter().map(|(path, model)| verbose::model(&path.display().to_string(), model));
            told.collect::<Vec<_>>().iter().for_each(|text| self.say(&verbose, text));
        }
    }

    /// Logs the reasons for the end.
    pub(crate) fn tell_ends(&self, report: &Report) {
        if let Some(verbose) = &self.verbose {
            let answer = match &report.finding {
                // Of thousands of features the inputs are long, and are not told.
                Finding::MonotoneEach(pairs) => {
                    json!({"features": pairs.features.iter().map(brief).collect::<Vec<_>>()})
                }
                _ => serde_json::to_value(report).unwrap_or_default(),
            };
            let verbose = verbose.lock().expect("nobody panics while telling");
            verbose::ends(&answer).iter().for_each(|text| self.say(&verbose, text));
        }
    }

    /// Writes a line above the progress line, ignoring failures.
    fn say(&self, verbose: &Verbose, text: &str) {
        let text = verbose.line(&text.replace(|c: char| c.is_control(), "?"));
        self.line.suspend(|| drop(writeln!(std::io::stderr(), "{text}")));
    }

    /// Clears the line, closes the trace and seals the proof.
    pub(crate) fn finish(&self) -> anyhow::Result<()> {
        self.line.finish_and_clear();
        if let Some((file, _)) = &self.proof {
            let mut file = file.lock().expect("nobody panics while writing");
            file.finish().with_context(|| file.path().display().to_string())?;
        }
        let Some(trace) = &self.trace else { return Ok(()) };
        let mut trace = trace.lock().expect("nobody panics while writing");
        let outcome = match trace.failure.take() {
            Some(failure) => Err(failure),
            None => trace.out.flush(),
        };
        outcome.with_context(|| trace.path.display().to_string())
    }

    /// Shows that trees are being prepared, if that takes long.
    fn draw_preparing(&self) {
        let mut preparing = self.preparing.lock().expect("nobody panics while drawing");
        let Some(num_trees) = *preparing else { return };
        let mut drawn = self.drawn.lock().expect("nobody panics while drawing");
        if drawn.elapsed() >= PAUSE {
            (*drawn, *preparing) = (Instant::now(), None);
            self.line.set_message(format!("preparing {}", counted(num_trees as u64, "tree", "trees")));
        }
    }

    /// Updates the progress line, if it is due.
    fn draw(&self, event: &Event) {
        {
            let mut drawn = self.drawn.lock().expect("nobody panics while drawing");
            if drawn.elapsed() < PAUSE {
                return;
            }
            *drawn = Instant::now();
        }
        let width = usize::from(Narrow(Term::stderr()).width());
        let Some(rows) = &event.rows else {
            self.line.set_message(line::fit(&line::within_search(event), width));
            return;
        };
        let parts = self.counts.lock().expect("nobody panics while counting").over_rows(event, rows);
        let bar = if width >= 3 * BAR { line::bar(rows, BAR) + " " } else { String::new() };
        let words = line::fit(&parts, width - bar.chars().count());
        self.line.set_message(bar + &words);
    }
}

impl Watcher for Progress {
    fn proof(&self) -> Option<&ProofWriter> {
        self.proof.as_ref().map(|(_, writer)| writer)
    }

    fn is_interrupted(&self) -> bool {
        // Nothing else draws while trees are prepared.
        if !self.line.is_hidden() {
            self.draw_preparing();
        }
        is_interrupted()
    }

    fn prepare(&self, num_trees: usize) {
        *self.preparing.lock().expect("nobody panics while drawing") = Some(num_trees);
    }

    fn begin(&self, begun: &Begun) {
        if let Some(verbose) = &self.verbose {
            let mut verbose = verbose.lock().expect("nobody panics while telling");
            verbose.begin(begun).iter().for_each(|text| self.say(&verbose, text));
        }
    }

    fn watch(&self, event: &Event) -> bool {
        if let Some(trace) = self.trace.as_ref().filter(|_| event.is_better) {
            let mut trace = trace.lock().expect("nobody panics while writing");
            let line = output::json(event).expect("plain data");
            if trace.failure.is_none() {
                trace.failure = writeln!(trace.out, "{line}").err();
            }
        }
        if event.is_better && event.rows.is_none() {
            let mut recorder = self.recorder.lock().expect("nobody panics while recording");
            recorder.add(event.question, event.seconds, event.lower, event.upper);
        }
        if let Some(verdict) = event.rows.and_then(|rows| rows.verdict) {
            self.counts.lock().expect("nobody panics while counting").add(verdict);
        }
        if let Some(verbose) = &self.verbose {
            let mut verbose = verbose.lock().expect("nobody panics while telling");
            let text = match &event.rows {
                Some(rows) => {
                    let counts = self.counts.lock().expect("nobody panics while counting");
                    verbose.rows(event, rows, || counts.over_rows(event, rows))
                }
                None => verbose.bounds(event),
            };
            if let Some(text) = text {
                self.say(&verbose, &text);
            }
        }
        if !self.line.is_hidden() {
            self.draw(event);
        }
        !is_interrupted()
    }
}
