//! Listed regions: the claim is about all other inputs, and the listed outputs must be right.

use treeproof_proof::conclusion::{Claim, Conclusion, ListedRegion};
use treeproof_proof::statement::Goal;

use crate::error::{Refused, ensure};
use crate::problem::{cells_of, sums_in};
use crate::region::NarrowBox;
use crate::space::grid::Grid;

/// Limit on the words of cells of all listed regions: a file must not take much more memory than it has bytes.
const MOST_WORDS: usize = 1 << 24;

/// The listed regions, each of which holds inputs, all with the listed output.
///
/// # Errors
/// If an output is another one, or the statement allows no list: it must be about one number at one input, without conditions.
pub(crate) fn listed(grid: &Grid<'_>, conclusion: &Conclusion) -> Result<Vec<NarrowBox>, Refused> {
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
    ensure(!(0..statement.features.len()).any(is_free_void), || "there is no input to list".to_owned())?;
    let everything = grid.everything();
    let (mut boxes, mut words) = (vec![], 0_usize);
    for (place, listed) in conclusion.listed.iter().enumerate() {
        let mut narrow = NarrowBox::default();
        for side in &listed.sides {
            let cells = cells_of(&everything, side)?;
            words += cells.special.len() + 1;
            ensure(words <= MOST_WORDS, || "the list is too large".to_owned())?;
            narrow.narrowed.push((side.axis, cells));
        }
        let region = narrow.region(&everything);
        let has_inputs = |axis: usize| region.axis(axis).cells().any(|cell| !grid.is_void(axis, cell));
        ensure((0..region.num_axes()).all(has_inputs), || format!("region {place} of the list holds no input"))?;
        boxes.push(narrow);
    }
    let outputs = sums_in(grid, sum, (boxes.len(), &|number| boxes[number].region(&everything)))?;
    for (place, (ListedRegion { output, .. }, own)) in conclusion.listed.iter().zip(outputs).enumerate() {
        ensure(*output == own, || format!("the output of region {place} of the list is another one"))?;
    }
    Ok(boxes)
}
