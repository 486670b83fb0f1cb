//! Checks of stated distances.

use treeproof_proof::statement::Number;
use treeproof_proof::statement::distance::{Distance, Norm};

use crate::error::{Refused, ensure};
use crate::numbers::Range;
use crate::space::Space;

/// Accepts a distance whose numbers fit a space.
pub(super) fn check(distance: &Distance, space: &Space<'_>) -> Result<(), Refused> {
    let num_features = space.statement.features.len();
    ensure(distance.factors.len() == num_features && distance.missing_costs.len() == num_features, || {
        format!("a distance needs factors and costs for {num_features} features")
    })?;
    let costs = distance.missing_costs.iter().flatten().chain(&distance.category_cost).chain(&distance.radius);
    let is_sound = |number: &Number| number.0.is_finite() && number.0 >= 0.0;
    let factors = distance.factors.iter().chain(distance.number_factors.iter().flatten());
    ensure(factors.chain(costs).all(is_sound), || "a distance has a number that is none".to_owned())?;
    ensure(
        distance.number_factors.as_ref().is_none_or(|own| own.len() == num_features && distance.norm != Norm::L0),
        || format!("a distance needs factors of numbers for {num_features} features, and for l0 none"),
    )?;
    for columns in &space.statement.groups {
        let factor = |column: &u32| (distance.factors[*column as usize], distance.number_factor(*column as usize));
        ensure(columns.iter().all(|column| factor(column) == factor(&columns[0])), || {
            "the columns of a group have different factors".to_owned()
        })?;
        let bits = |column: &u32| space.reference(*column as usize).map(|held| held.ends());
        let bits: Option<Vec<_>> = columns.iter().map(bits).collect();
        let is_bit = |bit: &Option<Range>| matches!(bit, Some((0.0, 0.0) | (1.0, 1.0)));
        let num_ones = |bits: &[Option<Range>]| bits.iter().filter(|bit| **bit == Some((1.0, 1.0))).count();
        ensure(bits.is_none_or(|bits| bits.iter().all(is_bit) && num_ones(&bits) == 1), || {
            "of a group exactly one column of the reference must be 1, and the others 0".to_owned()
        })?;
    }
    Ok(())
}
