//! Anytime bounds on sums of trees over cells.
//!
//! ```text
//! max over cases · max over points · min over channels · base + Σ over trees of the value of the point's leaf
//! ```
//!
//! A [`Problem`] is a grid of cells and trees over it; nothing here knows files, features or real numbers. A [`Method`] answers
//! it, with an upper bound and a solution at every moment: [`Search`] is the engine, best-first over regions; [`Veritas`] and
//! [`Merge`] are the published searches, kept for comparison. [`Enumeration`] goes on from the maximum: it lists the best sets
//! of points that reach the same leaves.
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
//!
//! Modules, each above those that it uses:
//!
//! | module | role |
//! |---|---|
//! | `engine` | the run: threads that take regions from the frontier and share an incumbent |
//! | `enumerate` | the best output configurations |
//! | `methods` | the published searches: leaf sequences (Veritas), merged trees (MERGE) |
//! | `frontier` | the open regions, best bound first |
//! | `expand` | one step: propagate, prune or branch |
//! | `primal` | heuristics for solutions: coordinate ascent, iterated local search |
//! | `bound` | bounds of a region: plain, by shares, by tolls; their fall at every cut; the incumbent |
//! | `compiled` | a problem made ready: bit masks or flat trees, cost tables |
//! | `problem` | the problem, its costs and constraints; plain code that evaluates a point |
//! | `journal` | the log of a run for a checker |
//! | `method` | the contract of all methods: bounds, steps, limits, observers |
//! | `grid`, `random` | axes, cells, regions; random numbers |

mod bound;
mod compiled;
mod engine;
mod enumerate;
mod expand;
mod frontier;
mod grid;
pub mod journal;
mod method;
mod methods;
mod primal;
mod problem;
mod random;

pub use compiled::MAX_MASK_BYTES;
pub use engine::Search;
pub use enumerate::{Configuration, Enumeration, Wanted};
pub use grid::{Axis, Cells, MAX_MAGNITUDE, Value};
pub use journal::{Journal, Note, Price, Share, Why};
pub use method::{Abandoned, Limits, Method, Observer, Status, Stop, StopReason, Unobserved, proceed};
pub use methods::{Merge, Strategy, Veritas};
pub use problem::{
    Budget, Case, Channel, Constraint, Costs, Distance, Node, Norm, Objective, Points, Problem, Split, Tree,
};
