//! Cells of answers that stand below each other: bounds, and bars that compare them.

use crate::tables::{Look, TableCell};
use crate::words::short;

/// A lower bound and an upper one.
pub(crate) type Ends = (Option<f64>, Option<f64>);

/// A bar for each of some bounds, as a share of the largest.
pub(crate) fn bars(all: impl Iterator<Item = Ends>) -> impl Fn(Ends) -> Look {
    let ends = |(lower, upper): Ends| {
        let found = lower.unwrap_or(0.0).max(0.0);
        (found, upper.unwrap_or(found).max(found))
    };
    let largest = all.map(|one| ends(one).1).fold(0.0, f64::max);
    move |one| {
        let (found, most) = ends(one);
        let share = |x: f64| if largest > 0.0 { (x / largest).clamp(0.0, 1.0) } else { 0.0 };
        Look::Bar { found: share(found), most: share(most) }
    }
}

/// A number by its bounds.
pub(crate) fn between(ends: Ends, text: impl Fn(f64) -> String) -> TableCell {
    match ends {
        (Some(lower), Some(upper)) if short(lower) == short(upper) => {
            TableCell::new(text(lower)).sorted_by(Some(lower))
        }
        (Some(lower), Some(upper)) => {
            TableCell::new(format!("{} to {}", text(lower), text(upper))).sorted_by(Some(lower))
        }
        (Some(lower), None) => TableCell::new(format!("{} or more", text(lower))).sorted_by(Some(lower)),
        (None, Some(upper)) => TableCell::new(format!("{} or less", text(upper))).sorted_by(Some(upper)),
        (None, None) => TableCell::new("?"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_shares_of_the_largest() {
        let all = [(Some(2.0), Some(4.0)), (None, None)];
        let bar = bars(all.into_iter());
        assert!(matches!(bar(all[0]), Look::Bar { found: 0.5, most: 1.0 }));
        assert!(matches!(bar(all[1]), Look::Bar { found: 0.0, most: 0.0 }));
    }
}
