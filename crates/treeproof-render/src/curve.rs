//! Robustness curves: the share of rows that keeps its label, radius by radius.

use serde::Serialize;
use treeproof_report::{DistanceRow, DistancesAnswer, Finding, Report, Verdict};

/// Beyond so many points, those that would lie within one unit of the drawing are one.
const MANY_POINTS: usize = 1000;

/// Shares of rows. From each radius on, up to the next, the share beside it holds.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Curve {
    /// The share of rows for which it is proved that nothing that close changes the answer.
    pub certified: Vec<(f64, f64)>,
    /// The share of rows for which nothing that close was found to change it.
    pub attacked: Vec<(f64, f64)>,
    /// True if the two differ by more than the rounding of a distance.
    pub is_open: bool,
}

impl Curve {
    /// The curve of a report about distances of rows; `None` for others.
    pub fn of(report: &Report) -> Option<Self> {
        match &report.finding {
            Finding::Robust(answer) | Finding::Closest(answer) => Self::of_rows(answer),
            _ => None,
        }
    }

    /// The curve of some rows. Where true labels are known, rows that are wrong are neither.
    pub(crate) fn of_rows(answer: &DistancesAnswer) -> Option<Self> {
        let DistancesAnswer { rows, radius, .. } = answer;
        if rows.is_empty() {
            return None;
        }
        // A row without a label is neither right nor wrong.
        let is_labelled = rows.iter().any(|row| row.is_correct.is_some());
        let rows: Vec<&DistanceRow> = rows.iter().filter(|row| row.is_correct.is_some() == is_labelled).collect();
        let is_right = |row: &&&DistanceRow| row.is_correct != Some(false);
        let bounds: Vec<(f64, f64)> = rows.iter().filter(is_right).map(|row| distance_bounds(row, *radius)).collect();
        let mut ends: Vec<f64> = bounds.iter().flat_map(|(lower, upper)| [*lower, *upper]).collect();
        ends.retain(|end| end.is_finite() && *end > 0.0);
        ends.sort_by(f64::total_cmp);
        ends.dedup();
        let last = radius.or(ends.last().map(|end| 1.05 * end)).unwrap_or(1.0);
        if !last.is_finite() || last <= 0.0 {
            return None;
        }
        let radii: Vec<f64> =
            std::iter::once(0.0).chain(ends.iter().copied().filter(|end| *end < last)).chain([last]).collect();
        let share = |of: fn(&(f64, f64)) -> f64| -> Vec<(f64, f64)> {
            let mut sorted: Vec<f64> = bounds.iter().map(of).collect();
            sorted.sort_by(f64::total_cmp);
            #[expect(clippy::cast_precision_loss, reason = "rows are far fewer than 2^53")]
            let above =
                |radius: f64| (sorted.len() - sorted.partition_point(|end| *end <= radius)) as f64 / rows.len() as f64;
            thinned(radii.iter().map(|radius| (*radius, above(*radius))).collect(), last)
        };
        let is_open = bounds.iter().any(|(lower, upper)| upper - lower > 1e-9 * upper.abs().max(1e-300));
        Some(Self { certified: share(|bounds| bounds.0), attacked: share(|bounds| bounds.1), is_open })
    }
}

/// Between which numbers the distance of a row is: it is certified below the first and attacked from the second on.
/// Within no distance at all is the row alone, of which it is known what it is.
fn distance_bounds(row: &DistanceRow, radius: Option<f64>) -> (f64, f64) {
    match row.verdict {
        // Within the radius there is nothing; beyond it, nothing is known.
        Verdict::Holds => (f64::INFINITY, f64::INFINITY),
        // Without a radius: no such input at all. With one: no input is allowed, and nothing is certified of that.
        Verdict::Infeasible if radius.is_none() => (f64::INFINITY, f64::INFINITY),
        Verdict::Infeasible => (0.0, 0.0),
        Verdict::Optimal | Verdict::Violated | Verdict::Undecided => {
            let upper = row.upper.unwrap_or(f64::INFINITY);
            let least = if upper > 0.0 { f64::MIN_POSITIVE } else { 0.0 };
            (row.lower.unwrap_or(0.0).max(least), upper)
        }
    }
}

/// Leaves one of many points for each unit of the drawing: the last, which holds from there on.
fn thinned(points: Vec<(f64, f64)>, last: f64) -> Vec<(f64, f64)> {
    if points.len() <= MANY_POINTS {
        return points;
    }
    let unit = |x: f64| (1000.0 * x / last).floor();
    let is_kept = |place: usize| {
        let is_last = points.get(place + 1).is_none_or(|next| unit(next.0) != unit(points[place].0));
        place == 0 || is_last
    };
    (0..points.len()).filter(|place| is_kept(*place)).map(|place| points[place]).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_curve_counts_rows_beyond_each_radius() {
        let rows = json!([
            {"verdict": "optimal", "lower": 1.0, "upper": 1.0}, {"verdict": "undecided", "lower": 2.0, "upper": 4.0},
            {"verdict": "infeasible"}, {"verdict": "undecided", "lower": null, "upper": null}]);
        let answer = json!({"question": "closest", "unit": "distance", "norm": "l1", "rows": rows});
        let curve = Curve::of(&serde_json::from_value(answer).unwrap()).unwrap();
        let beyond = f64::MIN_POSITIVE;
        assert_eq!(
            curve.certified,
            [(0.0, 1.0), (beyond, 0.75), (1.0, 0.5), (2.0, 0.25), (4.0, 0.25), (4.2, 0.25)],
            "the row itself is what it is"
        );
        assert_eq!(curve.attacked, [(0.0, 1.0), (beyond, 1.0), (1.0, 0.75), (2.0, 0.75), (4.0, 0.5), (4.2, 0.5)]);
    }

    #[test]
    fn many_rows_make_a_short_line() {
        let row = |row| DistanceRow {
            verdict: Verdict::Optimal,
            lower: Some(f64::from(row)),
            upper: Some(f64::from(row)),
            ..DistanceRow::default()
        };
        let answer = DistancesAnswer { rows: (0..20_000).map(row).collect(), ..DistancesAnswer::default() };
        let curve = Curve::of_rows(&answer).unwrap();
        assert!(curve.certified.len() <= 1003);
        assert_eq!(curve.certified[0].1, 0.99995);
    }
}
