//! Primal heuristics: coordinate ascent from a point, and iterated local search.

mod ascent;
mod local_search;

pub(crate) use self::ascent::{Ascent, ClimbGoal};
pub(crate) use self::local_search::Chains;
