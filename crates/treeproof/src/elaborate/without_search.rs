//! Sections for answers that need no search: no input is admissible, or none can reach the goal.

use treeproof_checker::space::Space;
use treeproof_checker::space::grid::Grid;
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::exact::Exact;
use treeproof_proof::axis::Axis;
use treeproof_proof::conclusion::Claim;
use treeproof_proof::header::{Bundled, Header};
use treeproof_proof::record::{Encoder, Note, Reason};
use treeproof_proof::statement::{Goal, Statement, Tie};
use treeproof_proof::writer::ProofWriter;

use super::{ProofError, StatementSource};
use crate::problem::position;

impl StatementSource<'_> {
    /// Writes that no input is admissible, as some feature has no value left.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn prove_empty(self, writer: Option<&ProofWriter>) -> Result<(), ProofError> {
        let Some(writer) = writer else { return Ok(()) };
        prove_empty(writer, &self.form.models, self.statement())
    }
}

/// Writes that no input of a statement is admissible: the axis of a feature that has no value left has no cell.
pub(crate) fn prove_empty(
    writer: &ProofWriter,
    models: &[&Ensemble],
    mut statement: Statement,
) -> Result<(), ProofError> {
    statement.goal = Goal::Anything;
    let axis = empty_axis(&statement, models);
    let claim = if axis.is_some() { Claim::Infeasible } else { Claim::Nothing };
    write(writer, statement, axis.into_iter().collect(), vec![vec![vec![]]], claim)
}

/// Writes that a goal is out of reach of every input.
pub(crate) fn prove_unreachable(writer: &ProofWriter, statement: Statement) -> Result<(), ProofError> {
    write(writer, statement, vec![], vec![], Claim::Never)
}

/// Writes a section whose log closes every case at once.
fn write(
    writer: &ProofWriter,
    statement: Statement,
    axes: Vec<Axis>,
    bundles: Vec<Vec<Vec<Bundled>>>,
    claim: Claim,
) -> Result<(), ProofError> {
    let num_cases = bundles.len();
    let (name, place, models) = (writer.name().to_owned(), writer.place().to_vec(), writer.models().to_vec());
    let (unit, offset) = (Exact::one(), Exact::zero());
    let header = Header { name, place, models, statement, axes, unit, offset, bundles, ledgers: vec![] };
    let mut section = writer.section(&header)?;
    let mut closed = Encoder::default();
    closed.note(&Note::Closed(Reason::Known));
    (0..num_cases).for_each(|_| section.log(&closed.bytes));
    Ok(section.finish(&claim.into())?)
}

/// The axis of a feature, or of a group, that has no value at some input, or none that both inputs may have where they agree.
fn empty_axis(statement: &Statement, models: &[&Ensemble]) -> Option<Axis> {
    let space = Space::new(statement, models.iter().copied()).ok()?;
    let num_inputs = position(statement.inputs.len());
    for feature in 0..statement.features.len() {
        let group = space.group_of(feature);
        let features = group.map_or_else(|| vec![position(feature)], |group| statement.groups[group].clone());
        let together = (statement.ties.get(feature) == Some(&Tie::Same)).then(|| vec![0, 1]);
        for inputs in (0..num_inputs).map(|input| vec![input]).chain(together) {
            let is_empty = match group {
                // Of a group the first column stands for all.
                Some(_) if features[0] != position(feature) => false,
                Some(_) => Grid::new(&space, &[axis(inputs.clone(), features.clone())]).is_ok(),
                None => space.values(&inputs, feature).uncovered([].iter()).is_none(),
            };
            if is_empty {
                return Some(axis(inputs, features));
            }
        }
    }
    None
}

fn axis(inputs: Vec<u32>, features: Vec<u32>) -> Axis {
    Axis { inputs, features, ordered: 0, cells: vec![] }
}
