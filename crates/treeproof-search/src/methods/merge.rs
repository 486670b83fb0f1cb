//! MERGE (Chen et al., Robustness Verification of Tree-based Models, NeurIPS 2019): trees merged two by two until one is
//! left or memory is full.
//!
//! The leaves of a tree are an independent set of a graph in which leaves that overlap are joined. Merging two sets makes
//! one of all pairs that overlap, and the sum over sets of the best member only falls: that is the upper bound. The queue
//! of sets gives the two oldest to merge and takes the result at its end, so merging goes level by level, with groups of
//! two sets (`L = 2` in the paper).
//!
//! *Lower bound*: the original gives none before all sets are merged. The comparison in the Veritas paper takes the sum
//! over sets of the worst member, which no point need have. Here it is greedy, and never smaller: the best member of the
//! first set, then the best of the next set that overlaps what is chosen, and so on. Every point is in one member of every
//! set, so this always ends in a clique, with a point.
//!
//! *Steps*: late sets have millions of members, so merging two, looking for the clique and freeing what was merged are each
//! done in parts.
//!
//! *Several channels*: sets are merged within each channel, and the bound is the smallest of the channels' bounds. That is
//! valid but may stay too large, as channels can have their best at different points; so when every channel is one set,
//! these are merged too, into members with a value per channel of which the worst counts. *Several cases*: the largest
//! bound counts, and a case that cannot exceed the lower bound is merged no further.

mod sets;

use crate::grid::{Axis, Value};
use crate::method::{Abandoned, Method, Status, Stop, Unobserved, proceed};
use crate::methods::free::free;
use crate::problem::Problem;
use sets::{IndependentSet, Merging, Seeking, Sets};

/// Limit on the members visited in one step: some milliseconds of work, between two looks at the clock.
const AT_ONCE: usize = 1 << 14;

/// About the bytes of a member.
const MEMBER_BYTES: usize = 200;

/// The state of merging; it can go on at any time.
#[derive(Debug)]
pub struct Merge {
    axes: Vec<Axis>,
    cases: Vec<Sets>,
    /// The work under way, and its case.
    work: Option<(usize, Work)>,
    /// Sets that were merged and are yet to be freed.
    merged: Vec<IndependentSet>,
    /// The best solution: its value and a point.
    incumbent: Option<(Value, Vec<u32>)>,
    max_bytes: usize,
    is_out_of_memory: bool,
    steps: u64,
}

/// Work that takes more than one step.
#[derive(Debug)]
enum Work {
    Merging(Merging),
    Seeking(Seeking),
}

impl Merge {
    /// Makes a problem ready: a set for every tree. There are bounds at once.
    ///
    /// # Panics
    /// If the problem has an axis without cells, or a case without channels: there is nothing to search. If it is not
    /// [plain](Problem::is_plain).
    pub fn new(problem: &Problem) -> Self {
        Self::prepare(problem, usize::MAX, &Unobserved).expect("nobody stops it")
    }

    /// As [`new`](Self::new), unless it is abandoned before there are bounds; stops when the sets would take more memory.
    ///
    /// # Errors
    /// If it is abandoned.
    ///
    /// # Panics
    /// As [`new`](Self::new).
    pub fn prepare(problem: &Problem, max_bytes: usize, stop: &dyn Stop) -> Result<Self, Abandoned> {
        problem.assert_plain();
        problem.assert_searchable();
        let sets = problem.cases.iter().map(|case| Sets::new(&problem.axes, case, stop));
        let cases = sets.collect::<Result<_, _>>()?;
        let mut merge = Self {
            axes: problem.axes.clone(),
            cases,
            work: None,
            merged: vec![],
            incumbent: None,
            max_bytes,
            is_out_of_memory: false,
            steps: 0,
        };
        for case in 0..merge.cases.len() {
            let mut seeking = Seeking::default();
            while !merge.cases[case].seek(&mut seeking, AT_ONCE) {
                proceed(stop)?;
            }
            merge.found(seeking);
        }
        Ok(merge)
    }

    /// True if the next merge would need more memory than allowed; the bounds are those before it.
    pub fn is_out_of_memory(&self) -> bool {
        self.is_out_of_memory
    }

    /// A case is open as long as it can exceed the lower bound.
    fn is_open(&self, case: usize) -> bool {
        self.incumbent.as_ref().is_none_or(|(lower, _)| self.cases[case].bound() > *lower)
    }

    /// The open case with the most sets comes next, so that all go down the levels together.
    fn next(&self) -> Option<(usize, Work)> {
        let open = (0..self.cases.len()).filter(|case| self.is_open(*case));
        let case = open.max_by_key(|case| (self.cases[*case].len(), std::cmp::Reverse(*case)))?;
        Some((case, Work::Merging(self.cases[case].start())))
    }

    fn merge(&mut self, case: usize, mut merging: Merging) {
        let others = self.memory();
        let room = self.max_bytes.saturating_sub(others);
        let is_finished = self.cases[case].merge(&mut merging, AT_ONCE, room);
        if merging.bytes() > room {
            // The two sets are still there: nothing is lost but the time.
            self.is_out_of_memory = true;
        } else if is_finished {
            self.merged.extend(self.cases[case].replace(merging));
            self.work = Some((case, Work::Seeking(Seeking::default())));
        } else {
            self.work = Some((case, Work::Merging(merging)));
        }
    }

    /// Takes in a solution.
    fn found(&mut self, seeking: Seeking) {
        let (value, extent) = seeking.clique();
        if self.lower().is_none_or(|lower| value > lower) {
            self.incumbent = Some((value, extent.point(&self.axes)));
        }
    }

    /// The bytes that sets take, that of the merging under way among them.
    fn memory(&self) -> usize {
        let merging = match &self.work {
            Some((_, Work::Merging(merging))) => merging.bytes(),
            _ => 0,
        };
        let sets: usize = self.cases.iter().map(Sets::bytes).sum();
        sets + self.merged.iter().map(IndependentSet::bytes).sum::<usize>() + merging
    }
}

impl Drop for Merge {
    fn drop(&mut self) {
        let num_members = self.memory() / MEMBER_BYTES;
        free((std::mem::take(&mut self.cases), self.work.take(), std::mem::take(&mut self.merged)), num_members);
    }
}

impl Method for Merge {
    /// Open are the sets of cases that can exceed the lower bound.
    fn status(&self) -> Status {
        let open = (0..self.cases.len()).filter(|case| self.is_open(*case)).map(|case| self.cases[case].len());
        Status {
            lower: self.incumbent.as_ref().map(|(value, _)| *value),
            upper: self.cases.iter().map(Sets::bound).max(),
            steps: self.steps,
            open: open.sum(),
            memory: self.memory(),
        }
    }

    fn solution(&self) -> Option<&[u32]> {
        self.incumbent.as_ref().map(|(_, point)| &**point)
    }

    /// True if the bounds are equal; if not, and [`step`](Method::step) does nothing, memory is full.
    fn is_done(&self) -> bool {
        (0..self.cases.len()).all(|case| !self.is_open(case))
    }

    /// Does a part of what is to be done.
    fn advance(&mut self, _: &dyn Stop) -> bool {
        if self.is_out_of_memory || self.is_done() {
            return false;
        }
        if let Some(set) = self.merged.last_mut() {
            self.steps += 1;
            if set.free(AT_ONCE) {
                self.merged.pop();
            }
            return true;
        }
        let Some((case, work)) = self.work.take().or_else(|| self.next()) else { return false };
        self.steps += 1;
        match work {
            Work::Merging(merging) => self.merge(case, merging),
            Work::Seeking(mut seeking) => match self.cases[case].seek(&mut seeking, AT_ONCE) {
                true => self.found(seeking),
                false => self.work = Some((case, Work::Seeking(seeking))),
            },
        }
        true
    }
}
