//! What is seen of a running search: a line on a terminal, a trace in a file; and Ctrl-C, which ends it.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use treeproof::replace::ProofFile;
use treeproof::watch::{Event, RowsDone, Watcher};
use treeproof_proof::file::ProofWriter;

/// Set by Ctrl-C; a signal handler can reach nothing else.
static IS_INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Lets Ctrl-C end a search instead of the process.
#[expect(clippy::exit, reason = "who asks twice does not want to wait")]
fn catch_interrupts() -> anyhow::Result<()> {
    // The first asks for the answer so far, the second does not wait for it.
    let handler = ctrlc::set_handler(|| {
        if IS_INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    handler.context("Ctrl-C cannot be caught")
}

/// Whether there was a Ctrl-C.
pub(crate) fn is_interrupted() -> bool {
    IS_INTERRUPTED.load(Ordering::Relaxed)
}

pub(crate) struct Progress {
    line: ProgressBar,
    trace: Option<Mutex<Trace>>,
    proof: Option<Proof>,
}

struct Proof {
    file: Mutex<ProofFile>,
    writer: ProofWriter,
}

struct Trace {
    path: PathBuf,
    out: BufWriter<File>,
    failure: Option<std::io::Error>,
}

impl Progress {
    /// Shows progress on standard error if that is a terminal, unless it is to be `silent`.
    pub(crate) fn new(trace: Option<&Path>, silent: bool) -> anyhow::Result<Self> {
        let open = |path: &Path| -> anyhow::Result<Mutex<Trace>> {
            let file = File::create(path).with_context(|| path.display().to_string())?;
            Ok(Mutex::new(Trace { path: path.to_owned(), out: BufWriter::new(file), failure: None }))
        };
        let trace = trace.map(open).transpose()?;
        let target = if silent { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr_with_hz(5) };
        // No colours, so that NO_COLOR has nothing to forbid.
        let style = ProgressStyle::with_template("{msg}").expect("a fixed template");
        let line = ProgressBar::with_draw_target(None, target).with_style(style);
        catch_interrupts()?;
        Ok(Self { line, trace, proof: None })
    }

    /// Lets a proof be written.
    pub(crate) fn proving(self, proof: Option<ProofFile>) -> Self {
        let of = |file: ProofFile| Proof { writer: file.writer().clone(), file: Mutex::new(file) };
        Self { proof: proof.map(of), ..self }
    }

    /// Clears the line until there is something new.
    pub(crate) fn clear(&self) {
        self.line.set_message("");
        self.line.tick();
    }

    /// Clears the line, closes the trace and seals the proof.
    pub(crate) fn finish(&self) -> anyhow::Result<()> {
        self.line.finish_and_clear();
        if let Some(proof) = &self.proof {
            let mut file = proof.file.lock().expect("nobody panics while writing");
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
}

impl Watcher for Progress {
    fn proof(&self) -> Option<&ProofWriter> {
        self.proof.as_ref().map(|proof| &proof.writer)
    }

    fn watch(&self, event: &Event) -> bool {
        if let Some(trace) = self.trace.as_ref().filter(|_| event.is_better) {
            let mut trace = trace.lock().expect("nobody panics while writing");
            let line = serde_json::to_string(event).expect("plain data");
            if trace.failure.is_none() {
                trace.failure = writeln!(trace.out, "{line}").err();
            }
        }
        if !self.line.is_hidden() {
            let known = match &event.rows {
                Some(rows) => over_rows(event, rows),
                None => within_search(event),
            };
            self.line.set_message(format!("{known} (Ctrl-C: answer so far)"));
            self.line.tick();
        }
        !is_interrupted()
    }
}

fn within_search(event: &Event) -> String {
    let number = |bound: Option<f64>| bound.map_or("?".to_owned(), |bound| format!("{bound:.6}"));
    let gap = event.gap.map_or("?".to_owned(), |gap| format!("{gap:.2e}"));
    let known = match event.found {
        Some(found) => format!("{found} found, all others at most {}", number(event.upper)),
        None => format!("between {} and {}, gap {gap}", number(event.lower), number(event.upper)),
    };
    format!("{known}; {} regions looked at, {} open, {:.0} s", event.regions, event.open, event.seconds)
}

/// How many rows are done, and how long the others take if they are like those.
#[expect(clippy::cast_precision_loss, reason = "rows are far fewer than 2^53")]
fn over_rows(event: &Event, rows: &RowsDone) -> String {
    let left = match rows.rows_done {
        0 => String::new(),
        done => format!(", about {:.0} s left", event.seconds / done as f64 * (rows.num_rows - done) as f64),
    };
    format!("{} of {} rows, {:.0} s{left}", rows.rows_done, rows.num_rows, event.seconds)
}
