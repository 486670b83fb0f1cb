//! Tree ensembles, exactly as the libraries that trained them compute.
//!
//! # The problem
//!
//! An ensemble maps a row x to margins. Each tree t routes x to one leaf, which adds a value vₜ(x); a margin is
//!
//! > s(x) = fl( b + v₁(x) + v₂(x) + … + vₙ(x) ),
//!
//! where *fl* stands for the library's own arithmetic: the precision to which it rounds x, the order of its
//! additions, where it rounds, how it weights and divides. A link turns margins into outputs, a rule turns either into
//! a label. XGBoost, LightGBM, scikit-learn, CatBoost and onnxruntime differ in every one of these. This crate
//! represents all of them in one model, [`ensemble::Ensemble`], and computes the same bits; beside them it gives the
//! exact real sum and a bound on the distance between the two.
//!
//! Models that cannot be represented exactly are refused with a reason, never approximated.
//!
//! # Roles
//!
//! * A *loader* ([`load`]) knows one file format and its library's quirks, and nothing else does.
//! * The *builder* ([`builder`]) is the only way to an ensemble, and checks the rules once: every child exists and is
//!   reached once, numbers are finite, features exist.
//! * The *reference evaluation* ([`evaluate`]) is plain code for one row. The *predictor* ([`predict`]) is fast code
//!   for many, tested to give the same bits.
//!
//! # Example
//!
//! ```
//! use treeproof_ensemble::load::{LoadOptions, load_bytes};
//!
//! // A LightGBM model of one stump: −1 for rows with `age <= 40`, else 2.
//! let file = b"tree
//! version=v4
//! num_class=1
//! num_tree_per_iteration=1
//! max_feature_idx=0
//! objective=binary sigmoid:1
//! feature_names=age
//! feature_infos=[18:90]
//!
//! Tree=0
//! num_leaves=2
//! num_cat=0
//! split_feature=0
//! threshold=40
//! decision_type=2
//! left_child=-1
//! right_child=-2
//! leaf_value=-1 2
//! shrinkage=1
//!
//! end of trees
//! ";
//! let ensemble = load_bytes(file, &LoadOptions::default())?;
//! let evaluation = ensemble.evaluate(&[40.0])?;
//! assert_eq!(evaluation.leaves, [0]);
//! assert_eq!(evaluation.library_margins(), [-1.0]);
//! assert_eq!(evaluation.outputs, [1.0 / (1.0 + 1.0_f64.exp())]);
//! assert_eq!(evaluation.class, Some(0));
//!
//! // The test `x <= 40` is kept as `x < next_up(40)`: one kind of split for every library.
//! assert_eq!(ensemble.evaluate(&[40.0_f64.next_up()])?.class, Some(1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Map
//!
//! | module | content |
//! |---|---|
//! | [`load`] | model files: formats found by content, one loader each, treeproof's own JSON |
//! | [`builder`] | from the parts of a loader to a checked model |
//! | [`ensemble`], [`tree`] | the model: trees of canonical splits, leaves that add terms |
//! | [`input`] | how a raw value is read: rounding, missing, categories; canonical tests |
//! | [`sum`], [`exact`], [`float`] | the library's sum, the exact sum, the bound between them |
//! | `pipeline_pullback` | a model pulled back through the steps of its pipeline to the input columns |
//! | [`values`], [`norm`] | sets of values of one feature; norms |
//! | [`link`], [`label`] | from margins to outputs and labels |
//! | [`decision`] | conditions on exact margins for a label or an output |
//! | [`evaluate`], [`predict`] | one row plainly, many rows fast |
//! | [`error`] | errors of files and rows |

pub mod builder;
pub mod decision;
pub mod ensemble;
pub mod error;
pub mod evaluate;
pub mod exact;
pub mod float;
pub mod input;
pub mod label;
pub mod link;
pub mod literal;
pub mod load;
pub mod norm;
mod pipeline_pullback;
pub mod predict;
pub mod sum;
pub mod tree;
pub mod values;
