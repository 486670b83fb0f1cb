//! Regions that a conclusion lists: what is claimed of all other inputs is not claimed of these, and what they are worth must be
//! so.

use crate::error::{Refused, must};
use crate::grid::Grid;
use crate::problem::{boxed, sums_in};
use crate::region::Region;
use crate::section::{Conclusion, Listed};
use crate::statement::{Claim, Goal};

/// The listed regions, each of which holds inputs, all of which have the output that is listed.
///
/// # Errors
/// If that is not so, or the statement is none of which regions can be listed: about one number at one input, without conditions.
pub(crate) fn listed(grid: &Grid<'_>, conclusion: &Conclusion) -> Result<Vec<Region>, Refused> {
    if conclusion.listed.is_empty() {
        return Ok(vec![]);
    }
    let statement = grid.space.statement;
    let sum = match &statement.goal {
        Goal::Sums(cases) if cases.len() == 1 && cases[0].len() == 1 => Some(&cases[0][0]),
        _ => None,
    };
    let is_free = statement.conditions.is_empty() && statement.near.is_none() && statement.within.is_empty();
    let is_plain = statement.inputs.len() == 1 && is_free;
    let sum = sum.filter(|_| is_plain && matches!(conclusion.claim, Claim::AtMost(_)));
    let sum = sum.ok_or_else(|| Refused::because("regions are listed for a claim about something else"))?;
    let is_free_void = |feature: usize| grid.axis_of(0, feature).is_none() && grid.free(0, feature).is_empty();
    must(!(0..statement.features.len()).any(is_free_void), || "there is no input to list".to_owned())?;
    let everything = grid.everything();
    let regions: Vec<Region> =
        conclusion.listed.iter().map(|listed| boxed(&everything, &listed.sides)).collect::<Result<_, _>>()?;
    for (place, region) in regions.iter().enumerate() {
        let has_inputs = |axis: usize| region.axis(axis).cells().any(|cell| !grid.is_void(axis, cell));
        must((0..region.num_axes()).all(has_inputs), || format!("region {place} of the list holds no input"))?;
    }
    let outputs = sums_in(grid, sum, &regions)?;
    for (place, (Listed { output, .. }, own)) in conclusion.listed.iter().zip(outputs).enumerate() {
        must(*output == own, || format!("the output of region {place} of the list is another one"))?;
    }
    Ok(regions)
}
