//! Conclusions of sections: the claim, a witness, and listed regions.

use serde::{Deserialize, Serialize};
use treeproof_ensemble::exact::Exact;

use crate::header::BoxSide;
use crate::statement::{Number, Row};

/// A claim about all inputs of a statement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Claim {
    /// An upper bound on the goal, which is a number.
    AtMost(Number),
    /// No input reaches the goal.
    Never,
    /// A lower bound on the distance of inputs that reach the goal.
    NotNearer(Number),
    /// There is no input.
    Infeasible,
    /// The witness reaches the goal.
    Reached,
    /// No claim: the search was stopped too early.
    Nothing,
}

/// A claim with its witness.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Conclusion {
    /// The claim.
    pub claim: Claim,
    /// The witness, which bounds from the other side: for each input one row per model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<Vec<Vec<Row>>>,
    /// Regions to which the claim does not apply.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub listed: Vec<ListedRegion>,
}

impl From<Claim> for Conclusion {
    /// The claim alone.
    fn from(claim: Claim) -> Self {
        Self { claim, witness: None, listed: vec![] }
    }
}

/// A region whose inputs all have one output.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListedRegion {
    /// Its cells on the axes on which it has not all of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sides: Vec<BoxSide>,
    /// The number that is asked about.
    #[serde(with = "crate::exact_text")]
    pub output: Exact,
}
