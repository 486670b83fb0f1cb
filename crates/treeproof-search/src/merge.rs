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
//! *Several channels*: sets are merged within each channel, and the bound is the smallest of the channels' bounds. That is
//! valid but may stay too large, as channels can have their best at different points; so when every channel is one set,
//! these are merged too, into members with a value per channel of which the worst counts. *Several cases*: the largest
//! bound counts, and a case that cannot exceed the lower bound is merged no further.

mod sets;

use crate::problem::{Axis, Problem, Value};
use sets::{Merging, Sets};

/// The state of merging; it can go on at any time.
#[derive(Debug)]
pub struct Merge {
    axes: Vec<Axis>,
    cases: Vec<Sets>,
    /// The merging under way, and its case.
    merging: Option<(usize, Merging)>,
    /// The best solution: its value and a point.
    incumbent: Option<(Value, Vec<u32>)>,
    max_bytes: usize,
    is_out_of_memory: bool,
    steps: u64,
}

impl Merge {
    /// Makes a problem ready: a set for every tree. There are bounds at once.
    ///
    /// # Panics
    /// If the problem has an axis without cells, or a case without channels: there is nothing to search.
    pub fn new(problem: &Problem) -> Self {
        Self::within_bytes(problem, usize::MAX)
    }

    /// As [`new`](Self::new); stops when the sets would take more memory.
    pub fn within_bytes(problem: &Problem, max_bytes: usize) -> Self {
        assert!(problem.axes.iter().all(|axis| axis.num_cells() > 0), "an axis without cells");
        assert!(
            !problem.cases.is_empty() && problem.cases.iter().all(|case| !case.channels.is_empty()),
            "nothing to maximise"
        );
        let cases = problem.cases.iter().map(|case| Sets::new(&problem.axes, case)).collect();
        let mut merge = Self {
            axes: problem.axes.clone(),
            cases,
            merging: None,
            incumbent: None,
            max_bytes,
            is_out_of_memory: false,
            steps: 0,
        };
        (0..merge.cases.len()).for_each(|case| merge.seek(case));
        merge
    }

    /// No point has a larger value.
    pub fn upper(&self) -> Option<Value> {
        self.cases.iter().map(Sets::bound).max()
    }

    /// The value of the best point found.
    pub fn lower(&self) -> Option<Value> {
        self.incumbent.as_ref().map(|(value, _)| *value)
    }

    /// The best point found: a cell per axis.
    pub fn solution(&self) -> Option<&[u32]> {
        self.incumbent.as_ref().map(|(_, point)| &**point)
    }

    /// Whether the bounds are equal; if not, and [`step`](Self::step) does nothing, memory is full.
    pub fn is_done(&self) -> bool {
        (0..self.cases.len()).all(|case| !self.is_open(case))
    }

    /// Whether the next merge would need more memory than allowed; the bounds are those before it.
    pub fn is_out_of_memory(&self) -> bool {
        self.is_out_of_memory
    }

    /// The merges so far, a long one counted once for each part of it.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The sets that are left of cases that can exceed the lower bound.
    pub fn num_open(&self) -> usize {
        (0..self.cases.len()).filter(|case| self.is_open(*case)).map(|case| self.cases[case].len()).sum()
    }

    /// The bytes that sets take, that of the merging under way among them.
    pub fn memory(&self) -> usize {
        let merging = self.merging.as_ref().map_or(0, |(_, merging)| merging.bytes());
        self.cases.iter().map(Sets::bytes).sum::<usize>() + merging
    }

    /// Merges two sets, or goes on with it if there is much to merge. Returns whether there was something to do.
    pub fn step(&mut self) -> bool {
        if self.is_out_of_memory {
            return false;
        }
        let Some((case, mut merging)) = self.merging.take().or_else(|| self.next()) else { return false };
        self.steps += 1;
        let others = self.memory();
        let is_finished = self.cases[case].merge(&mut merging, self.max_bytes.saturating_sub(others));
        if others.saturating_add(merging.bytes()) > self.max_bytes {
            // The two sets are still there: nothing is lost but the time.
            self.is_out_of_memory = true;
        } else if is_finished {
            self.cases[case].replace(merging);
            self.seek(case);
        } else {
            self.merging = Some((case, merging));
        }
        true
    }

    /// A case is open as long as it can exceed the lower bound.
    fn is_open(&self, case: usize) -> bool {
        self.lower().is_none_or(|lower| self.cases[case].bound() > lower)
    }

    /// The open case with the most sets comes next, so that all go down the levels together.
    fn next(&self) -> Option<(usize, Merging)> {
        let open = (0..self.cases.len()).filter(|case| self.is_open(*case));
        let case = open.max_by_key(|case| (self.cases[*case].len(), std::cmp::Reverse(*case)))?;
        Some((case, self.cases[case].start()))
    }

    /// A solution of a case, greedily.
    fn seek(&mut self, case: usize) {
        let (value, extent) = self.cases[case].clique();
        if self.lower().is_none_or(|lower| value > lower) {
            self.incumbent = Some((value, extent.point(&self.axes)));
        }
    }
}
