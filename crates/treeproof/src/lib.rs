//! Questions about tree ensembles: the place where models and data meet.
//!
//! # The problem
//!
//! A model computes with numbers in the order of its features; data comes as tables with names, texts, categories and
//! holes. Whoever asks about "the model's prediction for this row" means what the library would say, so the step from
//! table to row must be the library's as well: which column is which feature, which text is which category, and what
//! an entry left out of sparse data stands for.
//!
//! # Roles
//!
//! * An [`Ensemble`](treeproof_ensemble::ensemble::Ensemble) knows what a model computes, and no data.
//! * A [`Table`](treeproof_data::Table) knows what a file holds, and no models.
//! * [`Rows`] are a table read for one model; [`inspect`](inspect::inspect) says what is in a model.
//! * A [`Task`] is a question as data, a [`Report`] its answer as data; a [`Query`] goes from one to the other: conditions
//!   become domains, domains and models a problem over cells, which is searched, and every witness is checked by code
//!   that knows the model alone.
//!
//! Nothing here prints, and nothing here reads a terminal: the command line and other shells do.
//!
//! # Example
//!
//! ```
//! use treeproof::rows::{RowOptions, Rows};
//! use treeproof_ensemble::load::{LoadOptions, load_bytes};
//!
//! let model = br#"{"treeproof": 1, "source": {"format": "treeproof JSON"},
//!     "features": [{"name": "age", "kind": "numeric"}],
//!     "input": {"precision": "f64", "accepts_missing": true, "accepts_infinite": true, "absent": "zero"},
//!     "num_outputs": 1,
//!     "aggregate": {"rule": "sum", "precision": "f64", "base": [0.5], "base_position": "first", "fixed_order": true},
//!     "link": {"function": "identity"}, "label": {"rule": "none"}, "classes": [],
//!     "trees": [{"left": [1, -1, -1], "right": [2, -1, -1], "feature": [0, -1, -1], "test": "<",
//!                "threshold": [40, 0, 0], "missing_left": [1, 0, 0], "output": 0, "value": [0, -1.0, 2.0]}]}"#;
//! let ensemble = load_bytes(model, &LoadOptions::default())?;
//! assert_eq!(treeproof::inspect::inspect(&ensemble).leaves, 2);
//!
//! let table = treeproof_data::read_bytes("people.csv".as_ref(), b"name,age\nann,41\nbob,\n".to_vec())?;
//! let rows = Rows::from_table(&table, &ensemble, &RowOptions::default())?;
//! let margins: Vec<f64> =
//!     rows.iter().map(|row| Ok(ensemble.evaluate(row)?.margins[0].library)).collect::<Result<_, Box<dyn std::error::Error>>>()?;
//! assert_eq!(margins, [2.5, -0.5]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Public types
//!
//! A question is asked in three lines: [`Model::read`], a constructor of [`Task`], [`Query::run`]. `examples` has a program for
//! each question.
//!
//! | | |
//! |---|---|
//! | [`Model`], [`Rows`] | models and rows of data, read; [`rows`] has the options |
//! | [`Task`], [`Query`], [`TaskError`] | a question as data, the one door to its answer, and why it has none; [`task`] has the fields |
//! | [`Report`] | the answer as data; [`report`] has the findings |
//! | [`Observed`], [`Predicate`], [`RegionValues`] | what confines inputs beside conditions: data, and code |
//!
//! | module | for shells |
//! |---|---|
//! | [`watch`] | observers of a search |
//! | [`sources`] | the models and rows that tasks name, read |
//! | [`outputs`] | which files may be written, and how they appear: whole or not at all |
//! | [`audit`] | many questions about one model, and what is expected of the answers |
//! | [`inspect`] | the facts about a model |
//!
//! Private modules, lowest first: `file_kind` and `replace` (kinds of output files, and how they take their places), `attributes`
//! (features and groups as people see them), `problem` (from conditions and models to a problem over cells, and back to rows),
//! `model` (a model with the identity of its file), `witness` (re-evaluation by the model alone), `elaborate` (from the journal of
//! a search to a proof), `error`, `limits`, `reading` (fields of tasks), `stop` (the clock of a question), `run` (from a search
//! request to a checked outcome), `conflict` (conditions that contradict each other), `per_row` (one question for each row),
//! `questions` (one file for each). Conditions are the language of [`treeproof_language`].

mod attributes;
pub mod audit;
mod conflict;
mod elaborate;
mod error;
mod file_kind;
pub mod inspect;
mod limits;
mod model;
pub mod outputs;
mod per_row;
mod problem;
mod questions;
mod reading;
mod replace;
pub mod report;
pub mod rows;
mod run;
pub mod sources;
mod stop;
pub mod task;
pub mod watch;
mod witness;

pub use model::Model;
pub use problem::{Observed, Predicate, RegionValues};
pub use report::Report;
pub use rows::{DataError, Rows};
pub use task::{Query, Task, TaskError};

/// Parts that the brute-force suites and the benchmarks reach directly.
#[doc(hidden)]
pub mod internals {
    pub use crate::problem::{
        AdmissibleInputs, Compiled, Domain, Features, Form, InputRows, MarginObjective, MatchedFeature, Metric,
        ModelFeature, NumberSet, ObservedInputs, Space, StartingRow, Sum, Term, Tie, compile,
    };
    pub use crate::questions::{
        Comparison, Conditions, Near, Nearest, NearestRequest, RowGoal, Setting, diff, dominant, fair_difference,
        fair_label, monotone, stable,
    };
}
