//! Who is told while a search runs, and may end it: progress lines, traces, Ctrl-C.

use serde::Serialize;
use treeproof_proof::file::ProofWriter;

use crate::report::Verdict;

/// Bounds and effort at one moment. The bounds hold for good, whatever comes next.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Event {
    /// `max`, `min`, `enumerate`, `diff`, `fair`, `monotone`, `robust` or `closest`.
    pub question: &'static str,
    /// Since the search began.
    pub seconds: f64,
    /// The number is at least this.
    pub lower: Option<f64>,
    /// The number is at most this; of `enumerate`, all configurations that were not found yet are.
    pub upper: Option<f64>,
    /// Between the bounds.
    pub gap: Option<f64>,
    /// Of `enumerate`: the configurations found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<u64>,
    /// Regions looked at.
    pub regions: u64,
    /// Regions that are open.
    pub open: u64,
    /// Bytes that they take.
    pub memory_bytes: u64,
    /// Over rows of data: how many are done, and which was answered. Then bounds are those of that row.
    #[serde(flatten)]
    pub rows: Option<RowsDone>,
    /// Whether a bound is better than in the last event, or a row was answered.
    #[serde(skip)]
    pub is_better: bool,
}

/// How far a question about rows has come.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RowsDone {
    /// The row that was answered.
    pub row: Option<usize>,
    /// What was proved of it.
    pub verdict: Option<Verdict>,
    /// How many rows are answered.
    pub rows_done: u64,
    /// How many there are.
    pub num_rows: u64,
}

impl Event {
    /// Nothing is known yet.
    pub(crate) fn new(question: &'static str) -> Self {
        Self {
            question,
            seconds: 0.0,
            lower: None,
            upper: None,
            gap: None,
            found: None,
            regions: 0,
            open: 0,
            memory_bytes: 0,
            rows: None,
            is_better: false,
        }
    }
}

/// Is told about a search.
pub trait Watcher: Sync {
    /// Called now and then. Returns whether to go on.
    fn watch(&self, event: &Event) -> bool;

    /// Where proofs of what is found are written, if they are.
    fn proof(&self) -> Option<&ProofWriter> {
        None
    }
}

/// Watches a part of a question, whose sections of a proof are called by its name.
pub struct Named<'a> {
    watcher: &'a dyn Watcher,
    proof: Option<ProofWriter>,
}

impl<'a> Named<'a> {
    /// For a part of this name.
    pub fn new(watcher: &'a dyn Watcher, name: &str) -> Self {
        Self { watcher, proof: watcher.proof().map(|proof| proof.called(name)) }
    }

    /// The same for a part that is about some of the models of a proof.
    #[must_use]
    pub fn about(self, models: &[u32]) -> Self {
        Self { proof: self.proof.map(|proof| proof.about(models)), ..self }
    }
}

impl Watcher for Named<'_> {
    fn watch(&self, event: &Event) -> bool {
        self.watcher.watch(event)
    }

    fn proof(&self) -> Option<&ProofWriter> {
        self.proof.as_ref()
    }
}

/// Sees nothing and never stops a search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Watcher for Unwatched {
    fn watch(&self, _: &Event) -> bool {
        true
    }
}
