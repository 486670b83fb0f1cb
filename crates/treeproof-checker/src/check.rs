//! Verification of sections: each by itself, from the models' files alone.

mod effort;
mod listed;

use std::io::{Read, Seek};

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::exact::Exact;
use treeproof_proof::conclusion::{Claim, Conclusion};
use treeproof_proof::header::Header;
use treeproof_proof::reader::ProofReader;
use treeproof_proof::statement::Goal;
use treeproof_proof::statement::distance::Distance;

use crate::check::effort::is_affordable;
use crate::check::listed::listed;
use crate::error::{Refused, ensure};
use crate::exclusion::Exclusions;
use crate::goal::ResolvedGoal;
use crate::problem::{Scale, problem};
use crate::replay::{EMPTY, MISSED, replay};
use crate::space::Space;
use crate::space::grid::Grid;
use crate::witness::{WitnessFacts, evaluate_witness};

/// A section that is right.
#[derive(Debug)]
pub struct Proved {
    /// The statement, and how it was proved.
    pub header: Header,
    /// The claim and the witness.
    pub conclusion: Conclusion,
    /// The number of records of its log.
    pub records: u64,
    /// The cost of the witness by the distance that is asked about.
    pub(crate) witness_cost: Option<Exact>,
}

impl Proved {
    /// True if it claims nothing.
    pub fn is_vacuous(&self) -> bool {
        let Conclusion { claim, witness, listed } = &self.conclusion;
        match claim {
            Claim::Nothing => true,
            Claim::AtMost(most) => most.0 == f64::INFINITY && listed.is_empty(),
            Claim::NotNearer(distance) => distance.0 <= 0.0 && witness.is_none(),
            Claim::Never | Claim::Infeasible | Claim::Reached => false,
        }
    }
}

/// Checks one section of a proof.
///
/// # Errors
/// If its claim does not follow; the message names the first mistake.
pub fn check_section<R: Read + Seek>(
    proof: &mut ProofReader<R>,
    section: u32,
    models: &[Ensemble],
) -> Result<Proved, Refused> {
    let unreadable = |error: std::io::Error| Refused(error.to_string());
    let header = proof.header(section).map_err(unreadable)?;
    let conclusion = proof.conclusion(section).map_err(unreadable)?;
    let space = Space::new(&header.statement, chosen(models, &header.models)?)?;
    let goal = ResolvedGoal::new(&space)?;
    let grid = Grid::new(&space, &header.axes)?;
    is_affordable(&grid, &goal, &header, &conclusion)?;
    let exclusions = Exclusions::new(&grid, &goal, &conclusion.claim)?;
    let listed = listed(&grid, &conclusion)?;
    let (problem, scale) = problem(&grid, &goal, &exclusions, &header, listed)?;
    let (proved, records) =
        replay(&problem, &exclusions, proof.log(section)).map_err(|wrong| Refused(wrong.to_string()))?;
    check_claim(&space, &scale, &conclusion.claim, proved)?;
    let shown = check_witness(&space, &goal, &conclusion)?;
    let witness_cost = shown.and_then(|shown| shown.cost);
    Ok(Proved { header, conclusion, records, witness_cost })
}

/// The models that a section is about: all, unless it names some.
pub(crate) fn chosen<'a>(models: &'a [Ensemble], places: &[u32]) -> Result<Vec<&'a Ensemble>, Refused> {
    if places.is_empty() {
        return Ok(models.iter().collect());
    }
    let chosen = places.iter().map(|place| models.get(*place as usize)).collect::<Option<_>>();
    chosen.ok_or_else(|| Refused::because("it is about a model that is not there"))
}

/// Checks that a claim follows from the bound of the log.
fn check_claim(space: &Space<'_>, scale: &Scale, claim: &Claim, proved: i64) -> Result<(), Refused> {
    let value = |number: i64| Exact::from_i64(number).times(&scale.unit).plus(&scale.offset);
    let is_number = matches!(space.statement.goal, Goal::Sums(_));
    match (claim, &scale.distances) {
        (Claim::Reached | Claim::Nothing, _) => Ok(()),
        (Claim::Infeasible, _) if proved == EMPTY => Ok(()),
        (Claim::Infeasible, _) => Err(Refused::because("the log leaves inputs open")),
        (Claim::AtMost(most), None) if is_number => {
            ensure(!most.0.is_nan(), || "the claim is no number".to_owned())?;
            let follows = match Exact::from_f64(most.0) {
                _ if proved <= MISSED => true,
                Some(most) => proved < i64::MAX && value(proved) <= most,
                None => most.0 > 0.0,
            };
            ensure(follows, || format!("the log proves only that no value exceeds {}", value(proved).ceil_f64() + 0.0))
        }
        (Claim::Never, None) => {
            // Inputs that reach the goal have no sum below 0.
            let follows = proved <= MISSED || (proved < i64::MAX && value(proved) < Exact::zero());
            ensure(follows, || "the log leaves inputs open that may reach the goal".to_owned())
        }
        (Claim::Never, Some(distances)) => {
            let near = space.statement.near.as_ref().and_then(Distance::limit);
            let is_beyond =
                |limit: Exact| proved != i64::MAX && distances.cost(-proved).is_none_or(|cost| cost > limit);
            let follows = proved <= MISSED || near.is_some_and(is_beyond);
            ensure(follows, || "the log leaves inputs open that may reach the goal".to_owned())
        }
        (Claim::NotNearer(distance), Some(distances)) => {
            let near = space.statement.near.as_ref().ok_or_else(|| Refused::because("no distance is stated"))?;
            let cost = near.cost(distance.0).filter(|_| distance.0 >= 0.0);
            let cost = cost.ok_or_else(|| Refused::because("the claim is no distance"))?;
            let follows = proved <= MISSED
                || (proved <= 0 && distances.cost(-proved).is_none_or(|known| known >= cost))
                || cost == Exact::zero();
            ensure(follows, || "the log proves a smaller distance only".to_owned())
        }
        _ => Err(Refused::because("the claim is not one about this goal")),
    }
}

/// A witness must be an input of the statement, and not contradict the claim.
fn check_witness(
    space: &Space<'_>,
    goal: &ResolvedGoal<'_>,
    conclusion: &Conclusion,
) -> Result<Option<WitnessFacts>, Refused> {
    let Some(rows) = &conclusion.witness else {
        ensure(conclusion.claim != Claim::Reached, || "there is no witness".to_owned())?;
        return Ok(None);
    };
    let shown = evaluate_witness(goal, space, rows)?;
    let agrees = match &conclusion.claim {
        Claim::Infeasible | Claim::Never => Err(Refused::because("a witness contradicts the claim")),
        Claim::AtMost(most) => {
            let value = shown.value.as_ref();
            let is_below = value.is_some_and(|value| Exact::from_f64(most.0).is_none_or(|most| *value <= most));
            ensure(is_below, || "the witness exceeds what is claimed".to_owned())
        }
        Claim::Nothing => Ok(()),
        Claim::NotNearer(_) | Claim::Reached => {
            ensure(shown.is_reached, || "the witness does not reach the goal".to_owned())
        }
    };
    agrees.map(|()| Some(shown))
}
