//! Two of something: one of each of two models or inputs.

use serde::{Deserialize, Serialize};

use crate::witness::Witness;

/// Something of each of two models or inputs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pair<T> {
    /// The first.
    pub a: T,
    /// The second.
    pub b: T,
}

impl<T> Pair<T> {
    /// A pair of two.
    pub fn new([a, b]: [T; 2]) -> Self {
        Self { a, b }
    }

    /// Both.
    pub fn both(&self) -> [&T; 2] {
        [&self.a, &self.b]
    }
}

/// The input to two models, or two inputs to one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum PairWitness {
    /// One input.
    One(Witness),
    /// Two inputs.
    Two(Pair<Witness>),
}

impl PairWitness {
    /// The two inputs, if there are two.
    pub fn two(&self) -> Option<&Pair<Witness>> {
        match self {
            Self::One(_) => None,
            Self::Two(pair) => Some(pair),
        }
    }
}

/// One number alone, several as a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Numbers {
    /// One number.
    One(#[serde(deserialize_with = "crate::number::or_nan")] f64),
    /// Several numbers.
    Several(#[serde(deserialize_with = "crate::number::all_or_nan")] Vec<f64>),
}

impl Numbers {
    /// The number, if it is one alone.
    pub fn one(&self) -> Option<f64> {
        match self {
            Self::One(number) => Some(*number),
            Self::Several(_) => None,
        }
    }
}

impl From<Vec<f64>> for Numbers {
    fn from(numbers: Vec<f64>) -> Self {
        match numbers[..] {
            [number] => Self::One(number),
            _ => Self::Several(numbers),
        }
    }
}
