//! The largest move of a margin from a starting point, if few features change.

use treeproof_ensemble::ensemble::{Ensemble, Trend};
use treeproof_language::{Side, Variable};

use crate::error::TaskError;
use crate::problem::{AdmissibleInputs, Domain, Features, Nearness, StartingRow, Sum, Term};
use crate::questions::context::refuse_other_than_sums;
use crate::questions::form_search::FormSearch;
use crate::questions::pair::Comparison;
use crate::questions::setting::{EmptySpace, Setting, point};

/// Bounds on how far a margin moves if at most so many of the varied features of a row change; all others stay as they are.
/// Conditions are about the changed row, which is the second of the two that are found. `infeasible` if they do not allow it,
/// whatever changes.
///
/// # Errors
/// If the model is no sum, the library refuses the row, or a condition is not supported.
pub fn dominant(
    ensemble: &Ensemble,
    (start, varied): (&StartingRow, &[usize]),
    (output, direction): (usize, Trend),
    setting: &Setting<'_>,
) -> Result<Comparison, TaskError> {
    refuse_other_than_sums(ensemble)?;
    let refuse = |what: String| TaskError::Row { row: 0, what };
    let readings = ensemble.read(&start.row).map_err(|error| refuse(error.to_string()))?;
    let of_start = ensemble.evaluate_readings(&readings);
    let own = of_start.margins[output].exact.clone();
    let own = own.ok_or_else(|| refuse("its output is not finite".to_owned()))?;
    let confine = |setting: &Setting<'_>| {
        let mut space = match setting.space(&[ensemble], Features::of(ensemble), None)? {
            Ok(space) => space,
            empty => return Ok(empty),
        };
        let domains = &mut space.inputs[0];
        for (feature, reading) in readings.iter().copied().enumerate() {
            let own = start.row[feature];
            // The row's own value may stay, though it may be none that others could have.
            if setting.allowed.leaves(Variable { side: Side::Only, feature }, own, reading) {
                domains[feature].include(own, reading);
            }
            if !varied.contains(&feature) {
                let point = point(reading, own, ensemble.features()[feature].is_category());
                domains[feature] = domains[feature].intersection(&point);
            }
        }
        let is_empty = domains.iter().any(Domain::is_empty);
        Ok(if is_empty { Err(EmptySpace { conflict: vec![], space }) } else { Ok(space) })
    };
    let negated = direction == Trend::Decreasing;
    let start_worth = if negated { own } else { own.negated() };
    let sum = Sum::of([Term { model: 0, input: 0, output, negated }]).plus(&start_worth);
    let allowed = AdmissibleInputs { own: Some(&start.row), ..setting.allowed };
    let (models, setting) = ([ensemble], Setting { allowed, ..*setting });
    let search = FormSearch::new("dominant", &models, &setting, &confine);
    let mut comparison = FormSearch { nearness: Nearness::Start(start), ..search }.largest(|_| vec![vec![sum]])?;
    if let Some(found) = &mut comparison.found {
        found.rows.insert(0, vec![start.row.clone()]);
        comparison.rounding = comparison.rounding.map(|rounding| (rounding + of_start.margins[output].error).next_up());
        found.evaluations.insert(0, vec![of_start]);
    }
    Ok(comparison)
}
