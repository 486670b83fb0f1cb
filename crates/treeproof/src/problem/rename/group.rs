//! The columns of a group as one coordinate.

use std::ops::Range;

use treeproof_ensemble::values::Range as NumberRange;

use super::{Coordinate, CoordinateReader};
use crate::problem::domain::Domain;
use crate::problem::form::Form;
use crate::problem::number_set::NumberSet;
use crate::problem::one_or_two::OneOrTwo;

/// Which of some columns is 1, where each may take the values of its domain.
pub(super) fn coordinate<'a>(
    form: &Form<'a>,
    columns: &[usize],
    domains: &[Domain],
    inputs: Range<usize>,
) -> Coordinate<'a> {
    let choices = choices(domains);
    let point = |number: f64| NumberRange { low: number, high: number };
    let domain = |column: usize| {
        let may_be_1 = choices.contains(&column).then_some(point(1.0));
        let may_be_0 = choices.iter().any(|choice| *choice != column).then_some(point(0.0));
        Domain::Numbers { numbers: NumberSet::new(may_be_0.into_iter().chain(may_be_1), vec![]), missing: false }
    };
    let mut readers = vec![];
    for (column, place) in columns.iter().enumerate() {
        readers.extend(form.space.features.at(*place).readers().iter().map(|of| CoordinateReader {
            model: of.model,
            column,
            index: of.feature,
            ensemble: form.models[of.model],
            domain: domain(column),
        }));
    }
    Coordinate {
        feature: columns[0],
        inputs,
        readers: OneOrTwo::Many(readers),
        may_be_missing: false,
        choices: Some(choices),
    }
}

/// The columns that may be 1 while all others are 0.
fn choices(domains: &[Domain]) -> Vec<usize> {
    let may_be = |column: &usize, number: f64| match &domains[*column] {
        Domain::Numbers { numbers, .. } => numbers.contains(number),
        Domain::Categories { .. } => false,
    };
    let never_0: Vec<usize> = (0..domains.len()).filter(|column| !may_be(column, 0.0)).collect();
    let candidates = match never_0[..] {
        [] => 0..domains.len(),
        [column] => column..column + 1,
        _ => 0..0,
    };
    candidates.filter(|column| may_be(column, 1.0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_1_and_leaves_0_to_all_others() {
        let of = |domains: &[(f64, f64)]| {
            let domains: Vec<Domain> = domains.iter().map(|(low, high)| Domain::between(*low, *high)).collect();
            choices(&domains)
        };
        assert_eq!(of(&[(-9.0, 9.0), (0.0, 1.0), (0.0, 0.5)]), [0, 1]);
        assert_eq!(of(&[(-9.0, 9.0), (0.5, 1.0), (0.0, 1.0)]), [1]);
        assert_eq!(of(&[(-9.0, 9.0), (0.5, 0.7), (0.0, 1.0)]), [0; 0]);
        assert_eq!(of(&[(0.5, 9.0), (0.5, 1.0), (0.0, 1.0)]), [0; 0]);
    }
}
