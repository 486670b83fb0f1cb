//! Anytime bounds on sums of trees over cells.
//!
//! ```text
//! max over cases · max over points · min over channels · base + Σ over trees of the value of the point's leaf
//! ```
//!
//! A [`Problem`] is a grid of cells and trees over it; nothing here knows files, features or real numbers. Three methods
//! answer it, each with an upper bound and a solution at every moment, behind one interface, [`Method`]: [`Search`]
//! (best-first over regions, the one to use), [`Veritas`] (the published search over leaf sequences) and [`Merge`] (its
//! rival), kept for comparison. [`Enumerate`] goes on from the maximum: it lists the best sets of points that reach the same
//! leaves.
//!
//! | file | what |
//! |---|---|
//! | `problem` | the problem, and plain code that evaluates a point |
//! | `region` | sets of cells per axis, and cuts |
//! | `ledger` | what cells cost: budgets and distances |
//! | `constraint` | other conditions on points, by code |
//! | `trees`: `masks` or `walk` | which leaves a region reaches: by bits, or by walking where bits would not fit |
//! | `evaluate` | the bound of a region and its fall at every cut |
//! | `climb`, `chains` | from a point to a better one; from there to others, at random |
//! | `expand` | one step: close a region or cut it |
//! | `frontier`, `search`, `limits`, `saved` | the run |
//! | `journal` | what a run does, for whoever checks it |
//! | `method` | what all methods have in common |
//! | `veritas`, `merge`; `extent` | the other methods; the leaves that they search over |
//! | `enumerate` | the best output configurations |
//!
//! ```
//! use treeproof_search::{Axis, Case, Channel, Limits, Method, Node, Problem, Search, Split, Tree, Unobserved};
//!
//! // One tree: 3 left of cell 1, 5 from there on.
//! let split = Split { axis: 0, cut: 1, special_left: vec![], left: 1, right: 2 };
//! let tree = Tree { nodes: vec![Node::Split(split), Node::Leaf(3), Node::Leaf(5)] };
//! let channel = Channel { base: 10, trees: vec![tree] };
//! let axes = vec![Axis::ordered(2)];
//! let problem = Problem { axes, cases: vec![Case { channels: vec![channel] }], ..Problem::default() };
//! let mut search = Search::new(&problem);
//! search.run(&Limits::default(), &Unobserved);
//! assert_eq!((search.lower(), search.upper()), (Some(15), Some(15)));
//! assert_eq!(search.solution(), Some(&[1][..]));
//! ```

mod chains;
mod climb;
pub mod constraint;
pub mod enumerate;
mod evaluate;
mod expand;
mod extent;
mod frontier;
pub mod journal;
mod ledger;
pub mod limits;
mod masks;
pub mod merge;
pub mod method;
pub mod problem;
mod random;
mod region;
#[cfg(test)]
mod sample;
mod saved;
pub mod search;
mod trees;
pub mod veritas;
mod walk;

pub use constraint::{Constraint, Points};
pub use enumerate::{Cells, Configuration, Enumerate, Wanted};
pub use expand::{Incumbent, Reason};
pub use journal::{Journal, Note, Price, Share, Why};
pub use limits::{Abandoned, Limits, Observer, Status, Stop, StopReason, Unobserved, proceed};
pub use merge::Merge;
pub use method::Method;
pub use problem::{Axis, Budget, Case, Channel, Costs, Distance, Node, Norm, Objective, Problem, Split, Tree, Value};
pub use search::Search;
pub use veritas::{Strategy, Veritas};
