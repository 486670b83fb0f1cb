//! The search of the Veritas paper (Devos, Meert and Davis, ICML 2021): leaf sequences in tree order, by A* and ARA*.
//!
//! A state has one leaf of each of the first trees, and these overlap. `g` sums their values, `h` sums the best leaf that
//! overlaps them in each of the other trees: `g + h` is never below what a full state behind it reaches, and never rises
//! along a path. A* takes the state with the largest `g + h`; ARA* the one with the largest `g + ε·h`, `ε ≤ 1`, which finds
//! full states sooner. Each one found raises ε by a twentieth, and OPEN is ordered again, not filled again. If none comes
//! for long, ε is lowered: the paper leaves the schedule open, this is ours.
//!
//! Laws: the upper bound is the largest `g + h` over OPEN, whatever ε is; the lower bound is the value of the best full
//! state; a full state found with ε is worth at least `ε` of the optimum, both counted from [`Veritas::floor`]. For the
//! last law every tree is shifted so that its smallest leaf is 0 and every channel so that its smallest sum is not
//! negative; the bounds are shifted back.
//!
//! *Several channels*: `g` and `h` are kept per channel, the worst channel counts, and the trees take turns: the first
//! tree of every channel, then the second of every channel. So the two inputs of a question about `T2(x2)` and `T1(x1)`
//! are expanded alternately, as in the paper, where each has its channel; where one channel is `T2(x2) − T1(x1)`, its
//! trees are taken as they stand, and whoever makes the problem lets them alternate. *Several cases*: one search space
//! each, in one OPEN, against one best solution.

mod expand;
mod open;

use crate::problem::{Problem, Value};
use expand::{Expander, Score};
use open::Open;

/// ε counts twentieths, so that sums stay exact.
const EPSILON_ONE: u32 = 20;
const EPSILON_FIRST: u32 = 10;
/// Steps without a solution before ε is lowered, where no budget says otherwise.
const PATIENCE: u64 = 1_000;

/// How OPEN is ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Strategy {
    /// By `g + h`: the first full state is optimal.
    AStar,
    /// By `g + ε·h`, ε starting at a half.
    Anytime {
        /// Steps without a solution before ε is lowered by a twentieth.
        patience: u64,
    },
}

/// The state of a search; it can go on at any time.
#[derive(Debug)]
pub struct Veritas {
    expander: Expander,
    open: Open,
    strategy: Strategy,
    /// In twentieths.
    epsilon: u32,
    floor: Value,
    /// Counted from the floor.
    incumbent: Option<Value>,
    solution: Option<Vec<u32>>,
    steps: u64,
    /// When ε last changed.
    changed_at: u64,
}

impl Veritas {
    /// Makes a problem ready for ARA*, with the empty state of every case open.
    ///
    /// # Panics
    /// If the problem has an axis without cells, or a case without channels: there is nothing to search.
    pub fn new(problem: &Problem) -> Self {
        Self::with_strategy(problem, Strategy::Anytime { patience: PATIENCE })
    }

    /// As [`new`](Self::new), with ε lowered when no solution comes for a tenth of the steps that the search may take.
    pub fn within_steps(problem: &Problem, max_steps: u64) -> Self {
        Self::with_strategy(problem, Strategy::Anytime { patience: (max_steps / 10).max(1) })
    }

    /// As [`new`](Self::new), with OPEN ordered as asked for.
    pub fn with_strategy(problem: &Problem, strategy: Strategy) -> Self {
        assert!(problem.axes.iter().all(|axis| axis.num_cells() > 0), "an axis without cells");
        assert!(
            !problem.cases.is_empty() && problem.cases.iter().all(|case| !case.channels.is_empty()),
            "nothing to maximise"
        );
        let (expander, floor) = Expander::new(problem);
        let mut open = Open::default();
        let epsilon = match strategy {
            Strategy::AStar => EPSILON_ONE,
            Strategy::Anytime { .. } => EPSILON_FIRST,
        };
        expander.roots(|case, score| open.push_root(case, score, epsilon));
        let (incumbent, solution) = (None, None);
        Self { expander, open, strategy, epsilon, floor, incumbent, solution, steps: 0, changed_at: 0 }
    }

    /// No point has a larger value.
    pub fn upper(&self) -> Option<Value> {
        // What is open is above the best solution.
        self.open.bound().or(self.incumbent).map(|value| value + self.floor)
    }

    /// The value of the best point found.
    pub fn lower(&self) -> Option<Value> {
        self.incumbent.map(|value| value + self.floor)
    }

    /// The best point found: a cell per axis.
    pub fn solution(&self) -> Option<&[u32]> {
        self.solution.as_deref()
    }

    /// Whether no state is open: those that cannot lead to a better solution are not.
    pub fn is_done(&self) -> bool {
        self.open.len() == 0
    }

    /// The states taken from OPEN so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The states that are open.
    pub fn num_open(&self) -> usize {
        self.open.len()
    }

    /// The bytes that states take; all are kept, as successors refer to their predecessors.
    pub fn memory(&self) -> usize {
        self.open.bytes()
    }

    /// The present ε, in twentieths.
    pub fn epsilon_twentieths(&self) -> u32 {
        self.epsilon
    }

    /// No point has a smaller value in any case; what the suboptimality that ε allows is counted from.
    pub fn floor(&self) -> Value {
        self.floor
    }

    /// Takes the first state of OPEN and opens its successors. Returns whether there was one.
    pub fn step(&mut self) -> bool {
        let Some(state) = self.open.pop() else { return false };
        self.steps += 1;
        let sequence = self.open.sequence(state);
        if self.expander.is_full(&sequence) {
            let value = self.open.bound_of(state);
            self.incumbent = Some(value);
            self.solution = Some(self.expander.point(&sequence));
            self.open.drop_up_to(value);
            self.change_epsilon((self.epsilon + 1).min(EPSILON_ONE));
        } else {
            let Self { expander, open, incumbent, epsilon, .. } = self;
            expander.expand(&sequence, |leaf, score: &[Score]| {
                if incumbent.is_none_or(|value| Score::bound(score) > value) {
                    open.push(state, leaf, score, *epsilon);
                }
            });
            if let Strategy::Anytime { patience } = self.strategy
                && self.steps - self.changed_at >= patience
            {
                self.change_epsilon((self.epsilon - 1).max(1));
            }
        }
        self.open.settle();
        true
    }

    fn change_epsilon(&mut self, epsilon: u32) {
        self.changed_at = self.steps;
        if self.epsilon != epsilon {
            self.epsilon = epsilon;
            self.open.reorder(epsilon);
        }
    }
}
