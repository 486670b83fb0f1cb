//! The values that one or two inputs may take: a domain per feature, and how the two are tied.

use super::domain::Domain;
use super::features::Features;

/// The values that inputs may take.
#[derive(Clone, Debug)]
pub struct Space<'a> {
    /// The features of the models, matched.
    pub features: Features<'a>,
    /// For each input, one or two, a domain per matched feature, in the codes of the first model that has it. That of a column
    /// of a group says whether it may be 0, and whether it may be 1.
    pub inputs: Vec<Vec<Domain>>,
    /// How two inputs are tied, per matched feature: all columns of a group in one way, and not by order. One input has no
    /// ties: any will do.
    pub ties: Vec<Tie>,
}

/// How the two inputs are tied in a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tie {
    /// Both have the same value.
    Same,
    /// Each has any value.
    Free,
    /// The second is not below the first; missing goes with missing alone. For numbers only. A number that means
    /// "missing" to all models is missing.
    NotBelow,
}

impl<'a> Space<'a> {
    /// One input.
    pub fn one(features: Features<'a>, domains: Vec<Domain>) -> Self {
        let ties = vec![Tie::Same; domains.len()];
        Self { features, inputs: vec![domains], ties }
    }

    /// Two inputs with the same domains.
    pub fn two(features: Features<'a>, domains: Vec<Domain>, ties: Vec<Tie>) -> Self {
        Self { features, inputs: vec![domains.clone(), domains], ties }
    }

    /// Whether both inputs may take the same values, so that they can be exchanged.
    pub fn is_symmetric(&self) -> bool {
        let is_ordered = self.ties.contains(&Tie::NotBelow);
        !is_ordered && self.inputs.windows(2).all(|pair| pair[0] == pair[1])
    }
}
