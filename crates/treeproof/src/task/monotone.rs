//! What `monotone` asks.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Whether the margin never falls, or never rises, as a feature rises.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Monotone {
    /// The features, by name. Default: those that the model was trained to constrain, the way it was trained to; else every
    /// number that some tree tests.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub features: Vec<String>,
    /// Whether the output must never rise. Default: it must never fall, but for what the model was trained to do.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub decreasing: bool,
}
