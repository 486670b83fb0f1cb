//! Resolution of bounds on the distance from the reference.

use treeproof_ensemble::norm::Norm;

use super::Resolver;
use crate::constraint::DistanceLimit;
use crate::error::LanguageError;
use crate::expression::{Arithmetic, Formula, Position, Sign};
use crate::vocabulary::Inputs;

impl Resolver<'_, '_> {
    /// The bound stated by a part of a condition on a distance: `distance(l1) <= 5`.
    pub(super) fn bound(&mut self, part: &Formula) -> Result<Option<DistanceLimit>, LanguageError> {
        let Formula::Comparison { first, rest } = part else { return Ok(None) };
        let mut sides = std::iter::once(first).chain(rest.iter().map(|(_, side)| side));
        let Some((norm, at)) = sides.find_map(distance) else { return Ok(None) };
        self.needs_measure(at)?;
        let limit = match (&rest[..], distance(first)) {
            ([(Sign::AtMost, limit)], Some(_)) => limit,
            ([(Sign::AtLeast, _)], None) => first,
            _ => {
                let what = format!("a distance can only be at most a number: `distance({}) <= 5`", norm.name());
                return Err(self.error(at, what));
            }
        };
        let form = self.form(limit)?;
        match form.is_constant() {
            true => Ok(Some(DistanceLimit { norm, limit: form.constant })),
            false => Err(self.error(limit.at(), "`distance` can be compared with a number only")),
        }
    }

    /// The error for a distance inside a larger condition.
    pub(super) fn distance_within(&self, at: Position) -> LanguageError {
        let what = "a bound on a distance stands alone: it cannot be part of `or`, `not` or `implies`";
        self.needs_measure(at).err().unwrap_or_else(|| self.error(at, what))
    }

    fn needs_measure(&self, at: Position) -> Result<(), LanguageError> {
        match self.vocabulary.inputs() {
            Inputs::WithReference => Ok(()),
            Inputs::One | Inputs::Two => Err(self.error(
                at,
                "`distance` is measured from a row, as in `robust` and `closest`, but not in this question",
            )),
        }
    }
}

fn distance(arithmetic: &Arithmetic) -> Option<(Norm, Position)> {
    match arithmetic {
        Arithmetic::Distance { norm, at } => Some((*norm, *at)),
        _ => None,
    }
}
