//! The terms that leaves add to the sums of a group of rows, tree weights applied.

use super::bins::GROUP;
use crate::float::Precision;
use crate::sum::Summation;
use crate::tree::{LeafTerm, Tree};

/// The terms of leaves by place, the number of a leaf in its layout.
pub(super) enum Payload {
    /// One value, to one output.
    Scalar { output: usize, values: Vec<f64> },
    /// Any number of (output, value) pairs: a range of `terms` per place.
    Terms { ranges: Vec<(u32, u32)>, terms: Vec<(u32, f64)> },
}

/// The sums of a group of rows, [`GROUP`] of them for each of the outputs, row after row.
pub(super) struct Sums<'s> {
    pub(super) precision: Precision,
    pub(super) outputs: usize,
    pub(super) sums: &'s mut [f64],
    /// Marks of the outputs with a term; empty if not needed.
    pub(super) scored: &'s mut [bool],
}

impl Payload {
    /// The payload of the tree at `index` of the ensemble, from the place of every leaf below `num_places`.
    pub(super) fn new(
        tree: &Tree,
        index: usize,
        summation: &Summation,
        leaf_at: &[(usize, usize)],
        num_places: usize,
    ) -> Self {
        let weighted = |term: &LeafTerm| summation.term_value(index, term.output as usize, term.value);
        let output = tree.terms.first().map_or(0, |term| term.output);
        let scalar = leaf_at.iter().all(|(_, leaf)| matches!(tree.terms(*leaf), [term] if term.output == output));
        if scalar {
            let mut values = vec![0.0; num_places];
            for (place, leaf) in leaf_at {
                values[*place] = weighted(&tree.terms(*leaf)[0]);
            }
            return Self::Scalar { output: output as usize, values };
        }
        let mut ranges = vec![(0, 0); num_places];
        let mut terms = Vec::with_capacity(tree.terms.len());
        for (place, leaf) in leaf_at {
            let start = terms.len();
            terms.extend(tree.terms(*leaf).iter().map(|term| (term.output, weighted(term))));
            let end = |count: usize| u32::try_from(count).expect("trees are bounded");
            ranges[*place] = (end(start), end(terms.len()));
        }
        Self::Terms { ranges, terms }
    }

    /// Adds the terms of the leaves at the reached places.
    #[inline]
    pub(super) fn add<P: Copy + Into<u32>>(&self, reached: &[P; GROUP], to: &mut Sums<'_>) {
        match self {
            Self::Scalar { output, values } => {
                // The same loop several times: neither precision nor distance is looked up per row.
                match (<&mut [f64; GROUP]>::try_from(&mut *to.sums), to.precision) {
                    (Ok(sums), Precision::F32) => add_each(sums, reached, values, |sum| Precision::F32.round(sum)),
                    (Ok(sums), Precision::F64) => add_each(sums, reached, values, |sum| sum),
                    (Err(_), precision) => {
                        let sums = to.sums[*output..].iter_mut().step_by(to.outputs);
                        add_each(sums, reached, values, |sum| precision.round(sum));
                    }
                }
                to.scored.iter_mut().skip(*output).step_by(to.outputs).for_each(|scored| *scored = true);
            }
            Self::Terms { ranges, terms } => {
                for (row, place) in reached.iter().enumerate() {
                    let (start, end) = ranges[index(*place)];
                    for (output, value) in &terms[start as usize..end as usize] {
                        let place = row * to.outputs + *output as usize;
                        to.sums[place] = to.precision.round(to.sums[place] + value);
                        if let Some(scored) = to.scored.get_mut(place) {
                            *scored = true;
                        }
                    }
                }
            }
        }
    }
}

#[inline(always)]
fn add_each<'s, P: Copy + Into<u32>>(
    sums: impl IntoIterator<Item = &'s mut f64>,
    reached: &[P; GROUP],
    values: &[f64],
    round: impl Fn(f64) -> f64,
) {
    for (sum, place) in sums.into_iter().zip(reached) {
        *sum = round(*sum + values[index(*place)]);
    }
}

#[inline]
fn index(place: impl Into<u32>) -> usize {
    place.into() as usize
}
