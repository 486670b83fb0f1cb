//! Distances between numbers of two cells.

use treeproof_ensemble::exact::Exact;

use crate::numbers::{Numbers, Range};
use crate::space::cell_values::CellValues;

/// A distance between numbers.
pub(crate) enum Gap {
    /// A finite distance.
    Finite(Exact),
    /// An infinite distance: one number is infinite, and the other is not.
    Infinite,
}

/// A lower bound on the distance between numbers of two cells; `None` if one has no numbers.
pub(crate) fn gap(before: &CellValues, after: &CellValues, steps: Option<&Numbers>) -> Option<Gap> {
    let sorted = |held: &CellValues| {
        let mut ranges: Vec<Range> = held.present().collect();
        ranges.sort_by(|one, other| one.0.total_cmp(&other.0));
        ranges
    };
    let (mine, others) = (sorted(before), sorted(after));
    let (mut mine, mut others) = (mine.iter().peekable(), others.iter().peekable());
    let mut least: Option<Gap> = None;
    while let (Some(one), Some(other)) = (mine.peek(), others.peek()) {
        let pairs = match () {
            () if one.1 < other.0 => vec![(one.1, other.0)],
            () if other.1 < one.0 => vec![(one.0, other.1)],
            // The multiples next to a number may be the nearest.
            () if one.0 == one.1 => {
                let next = steps.map_or([Some(one.0); 2], |steps| [steps.at_or_below(one.0), steps.at_or_above(one.0)]);
                let next = next.into_iter().flatten().map(|next| next.clamp(other.0, other.1));
                next.map(|next| (one.0, next)).collect()
            }
            () => vec![(one.0.max(other.0), one.0.max(other.0))],
        };
        for (one, other) in pairs {
            let distance = match (Exact::from_f64(one), Exact::from_f64(other)) {
                _ if one == other => Gap::Finite(Exact::zero()),
                (Some(one), Some(other)) => Gap::Finite(one.minus(&other).magnitude()),
                _ => Gap::Infinite,
            };
            least = match (least, distance) {
                (Some(Gap::Finite(one)), Gap::Finite(other)) => Some(Gap::Finite(one.min(other))),
                (Some(Gap::Finite(one)), Gap::Infinite) => Some(Gap::Finite(one)),
                (_, distance) => Some(distance),
            };
        }
        if one.1 <= other.1 {
            mine.next()
        } else {
            others.next()
        };
    }
    least
}
