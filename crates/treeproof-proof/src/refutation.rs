//! Refutations: reasons why conditions, taken together, leave no input in a box, as a tree of cases.

use treeproof_ensemble::exact::Exact;

use crate::statement::condition::Variable;

/// Limit on the characters of all exact numbers of one sum; most have some hundred.
pub const MOST_DIGITS: usize = 1 << 12;

/// A reason why a case holds no input.
#[derive(Clone, Debug, PartialEq)]
pub enum Refutation {
    /// Propagation of the demanded conditions leaves no cell.
    Void,
    /// Farkas' lemma: a combination of linear rows that cannot hold.
    Sums {
        /// Rows of the case, by their places, with factors: not negative, unless the row is an equation.
        rows: Vec<(u32, Exact)>,
        /// Planes, which bound numbers within distances.
        planes: Vec<Plane>,
    },
    /// A demanded disjunction, of which no alternative can hold.
    Either {
        /// Its place among the demanded conditions.
        place: u32,
        /// A refutation of each alternative.
        cases: Vec<Refutation>,
    },
    /// A split of the values of a feature: numbers up to a threshold, and all other values.
    Parted {
        /// The feature, which has one cell, or no axis.
        variable: Variable,
        /// The threshold.
        number: f64,
        /// A refutation of each side.
        cases: Box<[Refutation; 2]>,
    },
    /// A split by the order of two inputs: the second's number is below, equal to, or above the first's.
    Ordered {
        /// The feature.
        feature: u32,
        /// A refutation of each order.
        cases: Box<[Refutation; 3]>,
    },
}

/// An upper bound on `Σ number · factor · (x − x₀)` within a distance.
#[derive(Clone, Debug, PartialEq)]
pub struct Plane {
    /// The distance: the one that is asked about, if it has a limit, then the others.
    pub distance: u32,
    /// The factor on the bound, not negative.
    pub times: Exact,
    /// Features with their numbers.
    pub normal: Vec<(u32, Exact)>,
}
