//! The admissible values of one or two inputs: a domain per feature, and the ties between the inputs.

use super::domain::Domain;
use super::features::Features;

/// The admissible values of the inputs.
#[derive(Clone, Debug)]
pub struct Space<'a> {
    /// The features of the models, matched.
    pub features: Features<'a>,
    /// For each input, one or two, a domain per matched feature, in the codes of the first model that has it. The domain of
    /// a column of a group says which of 0 and 1 are admissible.
    pub inputs: Vec<Vec<Domain>>,
    /// The tie of two inputs, per matched feature: all columns of a group have one, and not by order. One input has no
    /// ties: any will do.
    pub ties: Vec<Tie>,
}

/// The tie of two inputs in a feature.
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
    /// The space of one input.
    pub fn one(features: Features<'a>, domains: Vec<Domain>) -> Self {
        let ties = vec![Tie::Same; domains.len()];
        Self { features, inputs: vec![domains], ties }
    }

    /// The space of two inputs with the same domains.
    pub fn two(features: Features<'a>, domains: Vec<Domain>, ties: Vec<Tie>) -> Self {
        Self { features, inputs: vec![domains.clone(), domains], ties }
    }

    /// True if both inputs have the same domains and no order, so that they can be exchanged.
    pub fn is_symmetric(&self) -> bool {
        let is_ordered = self.ties.contains(&Tie::NotBelow);
        !is_ordered && self.inputs.windows(2).all(|pair| pair[0] == pair[1])
    }
}
