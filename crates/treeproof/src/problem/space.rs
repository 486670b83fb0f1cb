//! The admissible values of one or two inputs: a domain per feature, ties between the inputs, and how near they must be.

pub use treeproof_proof::statement::Tie;

use super::ball::Ball;
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

/// A limit on how far inputs may be from each other, or from a row, besides the limits of their space.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Nearness<'a> {
    /// No limit.
    Any,
    /// Two inputs within a ball.
    Ball(&'a Ball),
    /// One input that changes few features of a row.
    Start(&'a StartingRow),
}

/// A row, and a limit on the number of features in which one input may differ from it. For questions about one model.
#[derive(Clone, Debug)]
pub struct StartingRow {
    /// The row, which the library accepts.
    pub row: Vec<f64>,
    /// Largest number of features that differ from it.
    pub at_most: usize,
}
