//! The best output configurations: one leaf per tree such that the leaves share a point. Best first, each once.
//!
//! Best-first over regions. A region is parted where the first split of some tree parts its points: no configuration lies
//! on both sides of such a split, as its leaf of that tree is on one. So no configuration is reached twice, and where no
//! tree parts a region any more, the region is the whole of a configuration. (The cuts of [`Search`](crate::Search) fall
//! faster, but run through configurations.) Of the first splits the one is taken whose two sides fall most.
//!
//! Laws: every configuration is behind one open region, or certain, or was dropped; it is worth no more than that region's
//! bound. One that is taken from the open regions is therefore worth at least as much as all that were not yet: it is
//! certain. Regions are dropped below the least value asked for, and where as many configurations as were asked for are
//! known to be worth as much.

mod branch;
mod queue;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use self::branch::SplitChooser;
use self::queue::{Next, OpenRegions};
use crate::bound::{BoundAim, Evaluation, Incumbent, Request};
use crate::compiled::{CompiledProblem, MAX_MASK_BYTES};
use crate::frontier::Ranked;
use crate::grid::{Cells, Packed, Region, Value, index};
use crate::journal::{Journal, Note, Why};
use crate::method::{Abandoned, Method, Status, Stop, Unobserved};
use crate::problem::Problem;

/// The requested configurations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Number of configurations, the best ones.
    pub count: usize,
    /// Only those of at least this value.
    pub least: Value,
    /// Least value of a configuration that counts towards `count`: where values are rounded, some of the others may
    /// have to be refused.
    pub counted: Value,
}

impl Wanted {
    /// The best ones, whatever their values.
    pub fn best(count: usize) -> Self {
        Self { count, least: Value::MIN, counted: Value::MIN }
    }
}

/// A configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Configuration {
    /// The value of all its points.
    pub value: Value,
    /// Per axis its cells; its points are all combinations of these.
    pub cells: Vec<Cells>,
}

/// The state of an enumeration; it can go on at any time.
#[derive(Debug)]
pub struct Enumeration<'j> {
    compiled: CompiledProblem,
    chooser: SplitChooser,
    wanted: Wanted,
    open: OpenRegions,
    certain: Vec<(Value, Packed)>,
    certain_bytes: usize,
    /// Number of certain configurations that count.
    num_counted: usize,
    /// The values of the best configurations known, certain or open: those that count, at most as many as are wanted.
    known: BinaryHeap<Reverse<Value>>,
    /// The largest bound of what was dropped.
    dropped: Option<Value>,
    steps: u64,
    evaluation: Evaluation,
    journal: Option<Box<dyn Journal + 'j>>,
    /// Number of regions in the journal.
    num_recorded: u64,
    /// True once a step was abandoned: then there are no more.
    is_abandoned: bool,
}

impl<'j> Enumeration<'j> {
    /// Makes a problem ready, all of its points open.
    ///
    /// # Panics
    /// If the problem has an axis without cells, other than one case with one channel, or is not
    /// [plain](Problem::is_plain).
    pub fn new(problem: &Problem, wanted: Wanted) -> Self {
        Self::prepare(problem, wanted, MAX_MASK_BYTES, &Unobserved).expect("nobody stops it")
    }

    /// As [`Enumeration::new`], unless it is abandoned before the problem is ready; with a limit on the bit masks, as
    /// [`Search::prepare`](crate::Search::prepare).
    ///
    /// # Errors
    /// If it is abandoned.
    ///
    /// # Panics
    /// As [`Enumeration::new`].
    pub fn prepare(
        problem: &Problem,
        wanted: Wanted,
        max_mask_bytes: usize,
        stop: &dyn Stop,
    ) -> Result<Self, Abandoned> {
        problem.assert_plain();
        let compiled = CompiledProblem::new(problem, max_mask_bytes, stop)?;
        let [case] = &problem.cases[..] else { panic!("configurations are those of one case") };
        assert!(case.channels.len() == 1, "configurations are those of one channel");
        let mut enumerate = Self {
            compiled,
            chooser: SplitChooser::default(),
            wanted,
            open: OpenRegions::default(),
            certain: vec![],
            certain_bytes: 0,
            num_counted: 0,
            known: BinaryHeap::new(),
            dropped: None,
            steps: 0,
            evaluation: Evaluation::default(),
            journal: None,
            num_recorded: 1,
            is_abandoned: false,
        };
        enumerate.open_everything(stop)?;
        Ok(enumerate)
    }

    /// Records everything in a journal, from the beginning: earlier findings are forgotten.
    pub fn set_journal(&mut self, journal: Box<dyn Journal + 'j>) {
        self.evaluation.record_notes(true);
        (self.journal, self.num_recorded) = (Some(journal), 1);
        (self.open, self.certain, self.certain_bytes) = (OpenRegions::default(), vec![], 0);
        (self.num_counted, self.dropped, self.steps) = (0, None, 0);
        self.known.clear();
        self.open_everything(&Unobserved).expect("nobody stops it");
    }

    /// Records the configurations that are known but not certain, and closes the journal.
    pub fn end_journal(&mut self) {
        let Some(mut journal) = self.journal.take() else { return };
        // They have one leaf of every tree: no shares are needed to know their values. Parts of others are open.
        let weighed = Note::Weighed { channel: 0, shares: vec![], price: None, widened: None };
        let notes = [weighed, Note::Closed(Why::Known)];
        let mut certain: Vec<u64> = self.open.certain().collect();
        certain.sort_unstable();
        certain.into_iter().for_each(|number| journal.record(number, &notes));
    }

    fn open_everything(&mut self, stop: &dyn Stop) -> Result<(), Abandoned> {
        let everything = self.compiled.space.everything();
        self.open(&everything, Value::MAX, 0, stop)
    }

    /// Number of certain configurations: no other is worth more than any of them.
    pub fn num_certain(&self) -> usize {
        self.certain.len()
    }

    /// A certain configuration; the best is number 0.
    ///
    /// # Panics
    /// If there are fewer.
    pub fn configuration(&self, number: usize) -> Configuration {
        let space = &self.compiled.space;
        let (value, packed) = &self.certain[number];
        let mut region = space.everything();
        space.unpack(packed, &mut region);
        Configuration { value: *value, cells: space.cells(&region) }
    }

    /// No configuration that is not certain is worth more; `None` if all are certain.
    pub fn rest(&self) -> Option<Value> {
        self.open.bound().max(self.dropped)
    }

    /// Opens a region with a known bound, unless nothing in it is wanted. `number` is its number in the journal.
    fn open(&mut self, region: &Region, bound: Value, number: u64, stop: &dyn Stop) -> Result<(), Abandoned> {
        let CompiledProblem { space, cases, .. } = &self.compiled;
        let request = Request { space, region, aim: BoundAim::margin(Incumbent::NONE, &[]), stop };
        self.evaluation.evaluate(&cases[0][0], request)?;
        let bound = bound.min(self.evaluation.bound);
        let is_known = self.known.len() >= self.wanted.count && self.known.peek().is_none_or(|least| bound <= least.0);
        if bound < self.wanted.least || is_known {
            self.dropped = self.dropped.max(Some(bound));
            self.record(number, Note::Closed(Why::Known));
            return Ok(());
        }
        let next = self.chooser.of(space, &cases[0][0].flat, region, &self.evaluation);
        if let Next::Certain(value) = next
            && value >= self.wanted.counted
        {
            self.known.push(Reverse(value));
            if self.known.len() > self.wanted.count {
                self.known.pop();
            }
        }
        let (packed, mut number_in_journal) = (space.pack(region), number);
        if let (Next::Part(node), true) = (next, self.journal.is_some()) {
            // Its parts are open from now on to whoever follows, with what is known of it.
            let note = cases[0][0].flat.parted(space, node, bound);
            number_in_journal = self.num_recorded;
            self.num_recorded += 2;
            self.record(number, note);
        }
        self.open.push(bound, packed, next, number_in_journal);
        Ok(())
    }

    /// Records the evaluation of the region at hand, and what becomes of it.
    fn record(&mut self, number: u64, last: Note) {
        let Some(journal) = &mut self.journal else { return };
        let mut notes = vec![];
        self.evaluation.record(0, &[], 0, &mut |note| notes.push(note));
        notes.push(last);
        journal.record(number, &notes);
    }
}

impl Method for Enumeration<'_> {
    /// There is not one number to bound: the upper bound is that of all configurations not certain, and there is no lower one.
    fn status(&self) -> Status {
        Status {
            lower: None,
            upper: self.rest(),
            steps: self.steps,
            open: self.open.len(),
            memory: self.open.bytes() + self.certain_bytes,
        }
    }

    /// There is not one solution, but [configurations](Self::configuration).
    fn solution(&self) -> Option<&[u32]> {
        None
    }

    /// True if all wanted configurations are certain.
    fn is_done(&self) -> bool {
        self.open.len() == 0 || self.num_counted >= self.wanted.count
    }

    /// Takes the best open region: its configuration becomes certain, or its two sides are opened.
    fn advance(&mut self, stop: &dyn Stop) -> bool {
        if self.is_done() || self.is_abandoned {
            return false;
        }
        let Some(Ranked { bound, item: entry, .. }) = self.open.pop() else { return false };
        self.steps += 1;
        match entry.next {
            Next::Certain(value) => {
                self.num_counted += usize::from(value >= self.wanted.counted);
                self.certain_bytes += size_of::<(Value, Packed)>() + entry.region.bytes();
                if let Some(journal) = &mut self.journal {
                    journal.record(entry.number_in_journal, &[Note::Closed(Why::Listed(index(self.certain.len())))]);
                }
                self.certain.push((value, entry.region));
            }
            Next::Part(node) => {
                for left in [false, true] {
                    let mut region = self.compiled.space.everything();
                    self.compiled.space.unpack(&entry.region, &mut region);
                    let CompiledProblem { space, cases, .. } = &self.compiled;
                    cases[0][0].flat.keep_side(space, &mut region, node, left);
                    if self.open(&region, bound, entry.number_in_journal + u64::from(!left), stop).is_err() {
                        // The other side may be open already: what is listed from here on might be listed twice.
                        self.is_abandoned = true;
                        self.open.push(bound, entry.region, entry.next, entry.number_in_journal);
                        break;
                    }
                }
            }
        }
        true
    }
}
