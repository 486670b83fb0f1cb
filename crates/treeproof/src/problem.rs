//! The problem layer: from conditions and models to a problem over cells, and from points back to rows.
//!
//! The only code that knows both models and searches. It knows no task, question, run or report. Its law: the problem's
//! optimum is that of the form, rounded up by less than one unit per tree. Each pass keeps it.
//!
//! # Passes, in the order they run
//!
//! | file | pass |
//! |---|---|
//! | `features` | match: the features of two models that are the same |
//! | `feature_domains` | confine: conditions on single features and data become a domain for each feature |
//! | `rename` | rename: features of inputs become coordinates; inputs that agree in a feature share one |
//! | `rules/desugar` | desugar: conditions on several features become value sets, sums, multiples and counts over coordinates |
//! | `channel` | channel: sums of margins become counted outputs and a constant |
//! | `cancel` | cancel: trees that two models have in common are dropped |
//! | `reachable` | restrict: branches outside the domains are passed over |
//! | `relevant_trees` | prune: trees that make no difference are dropped |
//! | `cut` | cut: coordinates are cut into cells at the reachable splits |
//! | `units` | scale: leaf values become integers, rounded up |
//! | `lower` | lower: trees are laid over cells |
//! | `pair` | pair: a tree at two inputs becomes one tree of leaf pairs |
//! | `order` | order: a tree that penalises two inputs out of order |
//! | `rules` | constrain: desugared conditions become budgets and constraints over cells |
//! | `ball` | limit: two inputs are kept near each other |
//! | `predicate` | ask: conditions that are code are asked about cells |
//!
//! `compile` runs them; the result is a [`Compiled`]. `plain_bound` bounds a form without cells, for when there is no time
//! for the passes; `exclude` takes leaf configurations out of a compiled problem, and `nearest_values` finds the values of
//! cells that are nearest to a row.
//!
//! # Input and output
//!
//! A [`Form`] is `max over cases · min over sums · Σ ± margin + constant`. "This or that" makes cases, of which the best
//! counts; "this and that" makes the sums of a case, its channels, of which the worst counts. A [`Term`] of a sum is a
//! margin of one of the models at one of the inputs, added or subtracted: `diff` subtracts another model at the same
//! input, `fair` the same model at another input.
//!
//! A [`Space`] has the admissible values of the inputs: a [`Domain`] for each feature of each input, and a [`Tie`] for each
//! feature of two. Inputs that agree in a feature share an axis there; else each has its own. The columns of a group
//! share an axis as well: its cells say which of them is 1, so that no cell breaks the law that exactly one is.
//!
//! A point of the problem has a cell for each axis. [`Compiled::rows`] makes inputs of it, a row for each model.
//! [`Form::evaluate`] evaluates the models alone at them, and [`Form::value`] gives the exact number: it is
//! never above [`Compiled::real`] of the point's value, and less than [`Compiled::slack`] units below.
//!
//! # Example
//!
//! How much more can a model give to one of two people who differ in age alone?
//!
//! ```
//! use treeproof::internals::{Domain, Features, Form, Space, Sum, Term, Tie};
//! use treeproof_ensemble::exact::Exact;
//! use treeproof_ensemble::load::{LoadOptions, load_bytes};
//! use treeproof_search::{Limits, Method, Search, Unobserved};
//!
//! // 4 · [age ≥ 40] + 8 · [income ≥ 100]
//! let model = br#"{"treeproof": 1, "source": {"format": "treeproof JSON"},
//!     "features": [{"name": "age", "kind": "numeric"}, {"name": "income", "kind": "numeric"}],
//!     "input": {"precision": "f64", "accepts_missing": true, "accepts_infinite": true, "absent": "zero"},
//!     "num_outputs": 1,
//!     "aggregate": {"rule": "sum", "precision": "f64", "base": [0], "base_position": "first", "fixed_order": true},
//!     "link": {"function": "identity"}, "label": {"rule": "none"}, "classes": [],
//!     "trees": [{"left": [1, -1, -1], "right": [2, -1, -1], "feature": [0, -1, -1], "test": "<",
//!                "threshold": [40, 0, 0], "missing_left": [1, 0, 0], "output": 0, "value": [0, 0, 4]},
//!               {"left": [1, -1, -1], "right": [2, -1, -1], "feature": [1, -1, -1], "test": "<",
//!                "threshold": [100, 0, 0], "missing_left": [1, 0, 0], "output": 0, "value": [0, 0, 8]}]}"#;
//! let model = load_bytes(model, &LoadOptions::default())?;
//!
//! let ties = vec![Tie::Free, Tie::Same];
//! let margin = |input, negated| Term { model: 0, input, output: 0, negated };
//! let form = Form {
//!     models: vec![&model],
//!     space: Space::two(Features::of(&model), Domain::everything(&model), ties),
//!     cases: vec![vec![Sum::of([margin(1, false), margin(0, true)])]],
//! };
//! let compiled = form.compile().expect("no domain is empty");
//! assert_eq!(compiled.pairing().cancelled, 1, "income is the same, so its tree cannot differ");
//!
//! let mut search = Search::new(&compiled.problem);
//! search.run(&Limits::default(), &Unobserved);
//! let rows = compiled.rows(search.solution().expect("there are points"));
//! let evaluations = form.evaluate(&rows)?;
//! assert_eq!(form.value(&evaluations), Exact::from_f64(4.0));
//! let [younger, older] = [0, 1].map(|input| &rows[input][0]);
//! assert!(younger[0] < 40.0 && older[0] >= 40.0 && younger[1] == older[1]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use treeproof_ensemble::exact::Exact;

mod admissible;
mod ball;
mod cancel;
mod cells;
mod channel;
mod compile;
mod compiled;
mod cost_rule;
mod cut;
mod domain;
mod exclude;
mod feature_domains;
mod features;
mod form;
mod lower;
mod metric;
mod narrowed_axes;
mod nearest_values;
mod node_list;
mod number_set;
mod observed;
mod one_or_two;
mod order;
mod pair;
mod plain_bound;
mod predicate;
mod proof_header;
mod reachable;
mod relevant_trees;
mod remembered;
mod rename;
mod rules;
mod simplex;
mod space;
mod units;

pub use self::admissible::{AdmissibleInputs, ObservedInputs};
pub use self::compile::compile;
pub use self::compiled::Compiled;
pub use self::domain::Domain;
pub use self::features::{Features, MatchedFeature, ModelFeature};
pub use self::form::{Form, InputRows, MarginObjective, Sum, Term};
pub use self::metric::Metric;
pub use self::number_set::NumberSet;
pub use self::observed::Observed;
pub use self::predicate::{Predicate, RegionValues};
pub use self::space::{Space, StartingRow, Tie};

pub(crate) use self::ball::Ball;
pub(crate) use self::compiled::unsplit_values;
pub(crate) use self::cost_rule::CostRule;
pub(crate) use self::domain::{largest_finite, raw_category};
pub(crate) use self::feature_domains::{EmptyDomain, feature_domains};
pub(crate) use self::features::MismatchError;
pub(crate) use self::form::best;
pub(crate) use self::nearest_values::{NearestCosts, NearestValues};
pub(crate) use self::rules::{RealisedValues, ReferenceRow};
pub(crate) use self::simplex::{Feasible, LinearConstraint, Simplex};
pub(crate) use self::space::Nearness;

/// A finite number: values of models, factors and limits are checked before.
pub(crate) fn exact(number: f64) -> Exact {
    Exact::from_f64(number).expect("a finite number")
}

/// An index as the search counts.
pub(crate) fn position(place: usize) -> u32 {
    u32::try_from(place).expect("models are bounded by memory far below this")
}
