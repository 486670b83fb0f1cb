//! The search of the Veritas paper (Devos, Meert and Davis, ICML 2021): leaf sequences in tree order, by A* and ARA*.
//!
//! A state has one leaf of each of the first trees, and these overlap. `g` sums their values, `h` sums the best leaf that
//! overlaps them in each of the other trees: `g + h` is never below what a full state behind it reaches, and never rises
//! along a path. A* takes the state with the largest `g + h`; ARA* the one with the largest `g + ε·h`, `ε ≤ 1`, which finds
//! full states sooner. Each one found raises ε by a twentieth, and OPEN is ordered again, not filled again.
//!
//! *Schedule*, which the paper leaves open: until there is a solution, any will do, so ε falls by a twentieth whenever none
//! comes for long. From then on a solution must be better than the last to count, and the bound must come down, for which
//! small ε is no help: it digs for depth and leaves the states that hold the bound up. So ε never falls below that of the
//! last solution: the larger one is given as long, then the one that is known to find solutions has the rest.
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

use crate::grid::Value;
use crate::method::{Abandoned, Method, Status, Stop, Unobserved};
use crate::problem::Problem;
use expand::{Expander, Score};
use open::{OpenStates, ROOT};

/// ε counts thousandths, so that sums stay exact.
const EPSILON_ONE: u32 = 1_000;
const EPSILON_STEP: u32 = 50;
const EPSILON_FIRST: u32 = 500;
/// Steps without a solution before ε is lowered, where no budget says otherwise.
const PATIENCE: u64 = 1_000;

/// The order of OPEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Strategy {
    /// By `g + h`: the first full state is optimal.
    AStar,
    /// By `g + ε·h`.
    Anytime {
        /// The first ε, in thousandths: from 1 to 1000.
        first: u32,
        /// Steps without a solution before ε is lowered by a twentieth.
        patience: u64,
    },
}

impl Strategy {
    /// ARA* with a first ε of one half.
    pub const DEFAULT: Self = Self::Anytime { first: EPSILON_FIRST, patience: PATIENCE };

    /// ARA* with this first ε, in thousandths; A* for 1.
    ///
    /// # Panics
    /// If it is not between 1 and 1000.
    pub fn from_epsilon(thousandths: u32) -> Self {
        assert!((1..=EPSILON_ONE).contains(&thousandths), "ε is above 0 and at most 1");
        if thousandths == EPSILON_ONE {
            return Self::AStar;
        }
        Self::Anytime { first: thousandths, patience: PATIENCE }
    }
}

/// The default judge of full states, given the case and one of its points.
type FullStateJudge = fn(usize, &[u32]) -> bool;

/// The state of a search; it can go on at any time.
#[derive(Debug)]
pub struct Veritas<J = FullStateJudge> {
    expander: Expander,
    open: OpenStates,
    strategy: Strategy,
    /// In thousandths.
    epsilon: u32,
    /// ε is not lowered below this: the one that found the last solution.
    least_epsilon: u32,
    floor: Value,
    /// Counted from the floor.
    incumbent: Option<Value>,
    solution: Option<Vec<u32>>,
    steps: u64,
    /// When ε last changed.
    changed_at: u64,
    judge: J,
}

impl Veritas {
    /// Makes a problem ready for ARA*, with the empty state of every case open.
    ///
    /// # Panics
    /// If the problem has an axis without cells, or a case without channels: there is nothing to search. If it is not
    /// [plain](Problem::is_plain).
    pub fn new(problem: &Problem) -> Self {
        Self::with_strategy(problem, Strategy::DEFAULT)
    }

    /// As [`new`](Self::new), with OPEN ordered as asked for.
    pub fn with_strategy(problem: &Problem, strategy: Strategy) -> Self {
        Self::with_judge(problem, strategy, |_, _| true)
    }
}

impl<J: FnMut(usize, &[u32]) -> bool> Veritas<J> {
    /// As [`Veritas::with_strategy`], over admissible full states only. The judge is given the case of a full state
    /// and one of its points, and decides for all points that reach the same leaves of that case.
    pub fn with_judge(problem: &Problem, strategy: Strategy, judge: J) -> Self {
        Self::prepare(problem, strategy, judge, &Unobserved).expect("nobody stops it")
    }

    /// As [`Veritas::with_judge`], unless it is abandoned before the problem is ready.
    ///
    /// # Errors
    /// If it is abandoned.
    ///
    /// # Panics
    /// As [`Veritas::new`].
    pub fn prepare(problem: &Problem, strategy: Strategy, judge: J, stop: &dyn Stop) -> Result<Self, Abandoned> {
        problem.assert_plain();
        problem.assert_searchable();
        let (expander, floor) = Expander::new(problem, stop)?;
        let mut open = OpenStates::default();
        let epsilon = match strategy {
            Strategy::AStar => EPSILON_ONE,
            Strategy::Anytime { first, .. } => first,
        };
        expander.roots(|case, score| open.push(ROOT, case, score, epsilon));
        Ok(Self {
            expander,
            open,
            strategy,
            epsilon,
            least_epsilon: epsilon.min(EPSILON_STEP),
            floor,
            incumbent: None,
            solution: None,
            steps: 0,
            changed_at: 0,
            judge,
        })
    }
}

impl<J> Veritas<J> {
    /// The present ε, in thousandths.
    pub fn epsilon_thousandths(&self) -> u32 {
        self.epsilon
    }

    /// No point has a smaller value in any case; what the suboptimality that ε allows is counted from.
    pub fn floor(&self) -> Value {
        self.floor
    }

    fn change_epsilon(&mut self, epsilon: u32) {
        self.changed_at = self.steps;
        if self.epsilon != epsilon {
            self.epsilon = epsilon;
            self.open.reorder(epsilon);
        }
    }
}

impl<J: FnMut(usize, &[u32]) -> bool> Method for Veritas<J> {
    /// All states are kept, as successors refer to their predecessors: memory counts those that are not open too.
    fn status(&self) -> Status {
        // What is open is above the best solution.
        let upper = self.open.bound().or(self.incumbent);
        Status {
            lower: self.incumbent.map(|value| value + self.floor),
            upper: upper.map(|value| value + self.floor),
            steps: self.steps,
            open: self.open.len(),
            memory: self.open.bytes(),
        }
    }

    fn solution(&self) -> Option<&[u32]> {
        self.solution.as_deref()
    }

    /// True if no state is open: those that cannot lead to a better solution are not.
    fn is_done(&self) -> bool {
        self.open.len() == 0
    }

    /// Takes the first state of OPEN and opens its successors.
    fn advance(&mut self, stop: &dyn Stop) -> bool {
        let Some(state) = self.open.pop() else { return false };
        self.steps += 1;
        let sequence = self.open.sequence(state);
        if self.expander.is_full(&sequence) {
            let point = self.expander.point(&sequence);
            if (self.judge)(sequence.case as usize, &point) {
                let value = self.open.bound_of(state);
                self.incumbent = Some(value);
                self.solution = Some(point);
                self.open.drop_up_to(value);
                self.least_epsilon = self.epsilon;
                self.change_epsilon((self.epsilon + EPSILON_STEP).min(EPSILON_ONE));
            }
        } else {
            let Self { expander, open, incumbent, epsilon, .. } = self;
            let expanded = expander.expand(&sequence, stop, |leaf, score: &[Score]| {
                if incumbent.is_none_or(|value| Score::bound(score) > value) {
                    open.push(state, leaf, score, *epsilon);
                }
            });
            if expanded.is_err() {
                // What is behind it is still to be looked at; some of it twice, which does no harm.
                open.put_back(state, *epsilon);
            }
            if let Strategy::Anytime { patience, .. } = self.strategy
                && self.steps - self.changed_at >= patience
            {
                self.change_epsilon(self.epsilon.saturating_sub(EPSILON_STEP).max(self.least_epsilon));
            }
        }
        self.open.settle();
        true
    }
}
