//! Who is told while a search runs, and may end it: progress lines, traces, Ctrl-C.

use serde::Serialize;
use treeproof_proof::writer::ProofWriter;

use crate::limits::Method;
use crate::problem::Compiled;
use crate::report::Verdict;

/// Bounds and effort at one moment. The bounds hold for good, whatever comes next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
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

/// What a search begins with: how much there is to search, and how it is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Begun {
    /// As in [`Event`].
    pub question: &'static str,
    /// The trees that matter in the region, in all sums; several of a model may have become one.
    pub trees: usize,
    /// Their leaves.
    pub leaves: usize,
    /// The coordinates that these trees test.
    pub axes: usize,
    /// The parts of them that the trees tell apart.
    pub cells: u64,
    /// The best of these counts.
    pub cases: usize,
    /// The sums of trees in all of them.
    pub channels: usize,
    /// What has to be met by several coordinates together.
    pub conditions: usize,
    /// How it is searched.
    pub method: Method,
    /// On so many threads.
    pub threads: usize,
    /// Within so many bytes.
    pub memory_bytes: Option<u64>,
}

impl Begun {
    pub(crate) fn new(question: &'static str, compiled: &Compiled, method: Method) -> Self {
        let problem = &compiled.problem;
        let channels = || problem.cases.iter().flat_map(|case| &case.channels);
        Self {
            question,
            trees: channels().map(|channel| channel.trees.len()).sum(),
            leaves: problem.num_leaves(),
            axes: problem.axes.len(),
            cells: problem.axes.iter().map(|axis| u64::from(axis.num_cells())).sum(),
            cases: problem.cases.len(),
            channels: channels().count(),
            conditions: problem.constraints.len() + problem.budgets.len(),
            method,
            threads: 1,
            memory_bytes: None,
        }
    }
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
    /// An end at which no bound is known yet.
    pub(crate) fn new(question: &'static str) -> Self {
        Self { question, ..Self::default() }
    }
}

/// Is told about a search.
pub trait Watcher: Sync {
    /// Called now and then. Returns whether to go on.
    fn watch(&self, event: &Event) -> bool;

    /// True to end at once, with what is known. Polled in the midst of all work, so it must be quick; once true it must
    /// keep to it. Default: never, so that only [`watch`](Self::watch) ends a search.
    fn is_interrupted(&self) -> bool {
        false
    }

    /// Called when the trees of a question begin to be prepared for a search: how many there are.
    fn prepare(&self, _num_trees: usize) {}

    /// Called once before each search, but not for those about single rows of many.
    fn begin(&self, _: &Begun) {}

    /// Where proofs of what is found are written, if they are.
    fn proof(&self) -> Option<&ProofWriter> {
        None
    }
}

/// An observer whose searches write a proof, or sections of one that have a name of their own.
pub(crate) struct Recording<'a> {
    watcher: &'a dyn Watcher,
    proof: Option<ProofWriter>,
}

impl<'a> Recording<'a> {
    /// The observer of searches that write a proof.
    pub(crate) fn new(watcher: &'a dyn Watcher, proof: &ProofWriter) -> Self {
        Self { watcher, proof: Some(proof.clone()) }
    }

    /// The observer of a part of this name, at this place among the parts.
    pub(crate) fn part(watcher: &'a dyn Watcher, name: &str, place: usize) -> Self {
        Self { watcher, proof: watcher.proof().map(|proof| proof.called(name, place)) }
    }

    /// The observer of a part that is about some of the models of a proof.
    #[must_use]
    pub(crate) fn about(self, models: &[u32]) -> Self {
        Self { proof: self.proof.map(|proof| proof.about(models)), ..self }
    }
}

impl Watcher for Recording<'_> {
    fn watch(&self, event: &Event) -> bool {
        self.watcher.watch(event)
    }

    fn is_interrupted(&self) -> bool {
        self.watcher.is_interrupted()
    }

    fn prepare(&self, num_trees: usize) {
        self.watcher.prepare(num_trees);
    }

    fn begin(&self, begun: &Begun) {
        self.watcher.begin(begun);
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
