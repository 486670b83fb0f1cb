//! How plausible a witness is: the row of the data that is nearest to it.
//!
//! Distances are Gower's, made for features of all kinds: the mean over the features of how much they differ, from 0 (same) to
//! 1 (as much as anything in the data). Numbers differ by a part of the data's range; categories, groups and missing values are
//! the same or not. Features that no tree tests do not count, as their values in a witness mean nothing.

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::input::{FeatureKind, Reading};
use treeproof_language::{Group, Groups};

use crate::attributes::{attributes, tested};
use crate::problem::{Observed, ObservedInputs};
use crate::report::{
    Answer, Finding, NearestRow, NearestRows, Pair, PairAnswer, PairWitness, Report, Witness, WitnessValue,
    category_name,
};

/// More comparisons of values than this would take longer than people wait for what is said by the way.
const MOST_COMPARED: usize = 2_000_000_000;
/// A value that is no category, or a group in which not exactly one column is 1.
const NONE_KNOWN: f64 = -1.0;

/// Tells the nearest row of each witness. Features and groups are those of the first model.
pub(crate) fn tell_nearest(report: &mut Report, models: &[&Ensemble], groups: &Groups, observed: &Observed) {
    let num_witnesses = match &report.finding {
        Finding::FairRows(answer) => 2 * answer.rows.len(),
        Finding::Robust(answer) | Finding::Closest(answer) => answer.rows.len(),
        _ => 1,
    };
    let Some(known) = Known::new(models, groups, observed, num_witnesses) else { return };
    let one = |answer: &mut Answer| answer.nearest_row = answer.witness.as_ref().map(|witness| known.nearest(witness));
    let pair = |answer: &mut PairAnswer| {
        answer.nearest_row = answer.witness.as_ref().map(|witness| match witness {
            PairWitness::One(witness) => NearestRows::One(known.nearest(witness)),
            PairWitness::Two(pair) => NearestRows::Two(Pair::new([&pair.a, &pair.b].map(|of| known.nearest(of)))),
        });
    };
    match &mut report.finding {
        Finding::Max(answer) | Finding::Min(answer) => one(answer),
        Finding::Range(range) => [&mut range.min, &mut range.max].into_iter().for_each(one),
        Finding::Fair(answer) | Finding::Monotone(answer) | Finding::Stable(answer) | Finding::Diff(answer) => {
            pair(answer)
        }
        Finding::MonotoneEach(answers) => answers.features.iter_mut().for_each(pair),
        Finding::FairRows(answers) => answers.rows.iter_mut().for_each(|row| pair(&mut row.answer)),
        Finding::Dominant(answer) => pair(&mut answer.answer),
        Finding::Robust(answers) | Finding::Closest(answers) => {
            for row in &mut answers.rows {
                row.nearest_row = row.witness.as_ref().map(|witness| known.nearest(witness));
            }
        }
        _ => {}
    }
}

/// The nearest row of each input of a witness, if there is data of all.
pub(crate) fn nearest_rows(
    witness: &PairWitness,
    models: &[&Ensemble],
    groups: &Groups,
    observed: ObservedInputs<'_>,
) -> Option<NearestRows> {
    let nearest =
        |witness: &Witness, observed: &Observed| Some(Known::new(models, groups, observed, 1)?.nearest(witness));
    Some(match witness {
        PairWitness::One(witness) => NearestRows::One(nearest(witness, observed.first?)?),
        PairWitness::Two(Pair { a, b }) => {
            NearestRows::Two(Pair::new([nearest(a, observed.first?)?, nearest(b, observed.second?)?]))
        }
    })
}

/// The rows of the data, each feature as one number: its own, or a code that is the same or not; NaN is missing.
struct Known<'a> {
    ensemble: &'a Ensemble,
    counted: Vec<Counted<'a>>,
    /// Row by row.
    values: Vec<f64>,
}

/// A feature that counts.
struct Counted<'a> {
    /// Its place in a witness.
    place: usize,
    /// The column, or the first of its group.
    column: usize,
    group: Option<&'a Group>,
    /// Of numbers: how far apart they are in the data at most.
    range: Option<f64>,
}

impl<'a> Known<'a> {
    /// None if there is nothing to compare some witnesses with, or too much.
    fn new(models: &[&'a Ensemble], groups: &'a Groups, observed: &Observed, num_witnesses: usize) -> Option<Self> {
        let ensemble = models[0];
        let tested = tested(ensemble);
        let counts = |columns: &[usize]| models.len() > 1 || columns.iter().any(|column| tested[*column]);
        let counted = attributes(ensemble, groups).into_iter().enumerate().filter(|(_, one)| counts(&one.columns));
        let counted = counted.map(|(place, attribute)| {
            let column = attribute.columns[0];
            let (group, seen) = (groups.of(column), &observed.features[column]);
            let is_number = group.is_none() && !ensemble.features()[column].is_category();
            Counted { place, column, group, range: is_number.then(|| (seen.high - seen.low).max(0.0)) }
        });
        let counted: Vec<Counted<'a>> = counted.collect();
        let num_values = observed.rows.len().saturating_mul(counted.len());
        if num_values == 0 || num_values.saturating_mul(num_witnesses) > MOST_COMPARED {
            return None;
        }
        let rows = observed.rows.iter();
        let values = rows.flat_map(|row| counted.iter().map(move |one| one.of_row(ensemble, row))).collect();
        Some(Self { ensemble, counted, values })
    }

    /// The first of the nearest rows.
    fn nearest(&self, witness: &Witness) -> NearestRow {
        let point: Vec<f64> = self.counted.iter().map(|one| one.of_witness(self.ensemble, witness)).collect();
        let (mut nearest, mut least) = (0, f64::INFINITY);
        for (row, values) in self.values.chunks_exact(point.len()).enumerate() {
            let sum = self.apart(&point, values, least);
            if sum < least {
                (nearest, least) = (row, sum);
            }
        }
        let values = &self.values[nearest * point.len()..][..point.len()];
        let is_other = |(a, b): &(&f64, &f64)| a != b && !(a.is_nan() && b.is_nan());
        #[expect(clippy::cast_precision_loss, reason = "features are far fewer than 2^53")]
        let distance = least / point.len() as f64;
        NearestRow { row: nearest, changed: point.iter().zip(values).filter(is_other).count(), distance }
    }

    /// How much two inputs differ, all features together; no more is looked at once that is not less than `least`.
    fn apart(&self, a: &[f64], b: &[f64], least: f64) -> f64 {
        let mut sum = 0.0;
        for (one, (a, b)) in self.counted.iter().zip(a.iter().zip(b)) {
            sum += one.apart(*a, *b);
            if sum >= least {
                break;
            }
        }
        sum
    }
}

impl Counted<'_> {
    /// From 0 to 1.
    fn apart(&self, a: f64, b: f64) -> f64 {
        match self.range {
            _ if a == b || (a.is_nan() && b.is_nan()) => 0.0,
            // What is outside of the data is no further than what is missing; `min` makes 1 of NaN.
            Some(range) => ((a - b).abs() / range).min(1.0),
            None => 1.0,
        }
    }

    fn of_row(&self, ensemble: &Ensemble, row: &[f64]) -> f64 {
        match self.group {
            #[expect(clippy::cast_precision_loss, reason = "columns are far fewer than 2^53")]
            Some(group) => group.value(row, ensemble).map_or(NONE_KNOWN, |place| place as f64),
            None => self.of_raw(ensemble, row[self.column]),
        }
    }

    /// Numbers as the library reads them: what it rounds away is no difference.
    fn of_raw(&self, ensemble: &Ensemble, raw: f64) -> f64 {
        match ensemble.input().read(&ensemble.features()[self.column], raw) {
            Ok(Reading::Number(number)) => number,
            Ok(Reading::Category(code)) => f64::from(code),
            Ok(Reading::Missing) => f64::NAN,
            Ok(Reading::NoCategory) | Err(_) => NONE_KNOWN,
        }
    }

    fn of_witness(&self, ensemble: &Ensemble, witness: &Witness) -> f64 {
        let value = &witness.0[self.place].1;
        let place = match (self.group, &ensemble.features()[self.column].kind) {
            (Some(group), _) => {
                group.values.iter().position(|name| matches!(value, WitnessValue::Text(own) if own == name))
            }
            (None, FeatureKind::Category(categories)) => (0..categories.names.len()).position(|code| {
                u32::try_from(code).is_ok_and(|code| category_name(categories, code).as_ref() == Some(value))
            }),
            (None, FeatureKind::Numeric) => None,
        };
        #[expect(clippy::cast_precision_loss, reason = "categories are far fewer than 2^53")]
        match (place, value) {
            (Some(place), _) => place as f64,
            (None, WitnessValue::Missing) => f64::NAN,
            (None, WitnessValue::Number(raw)) => self.of_raw(ensemble, *raw),
            (None, WitnessValue::Truth(_) | WitnessValue::Text(_)) => NONE_KNOWN,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::witness_of_row;
    use crate::rows::{RowOptions, Rows};
    use treeproof_ensemble::load::{LoadOptions, load_bytes};

    /// Two numbers and two one-hot columns that are tested, one number that is not.
    const MODEL: &str = r#"{"treeproof": 1, "source": {"format": "treeproof JSON"},
        "features": [{"name": "age", "kind": "numeric"}, {"name": "sex_f", "kind": "numeric"}, {"name": "idle", "kind": "numeric"},
                     {"name": "sex_m", "kind": "numeric"}, {"name": "debt", "kind": "numeric"}],
        "input": {"precision": "f32", "accepts_missing": true, "accepts_infinite": true, "absent": "zero"},
        "num_outputs": 1,
        "aggregate": {"rule": "sum", "precision": "f64", "base": [0.5], "base_position": "first", "fixed_order": true},
        "link": {"function": "identity"}, "label": {"rule": "none"}, "classes": [],
        "trees": [{"left": [1, -1, 3, -1, 5, -1, -1], "right": [2, -1, 4, -1, 6, -1, -1], "feature": [0, -1, 1, -1, 4, -1, -1],
                   "test": "<", "threshold": [40, 0, 0.5, 0, 3, 0, 0], "missing_left": [1, 0, 1, 0, 1, 0, 0], "output": 0,
                   "value": [0, -1.0, 0, 2.0, 0, 1.0, 3.0]}]}"#;

    #[test]
    fn the_nearest_row_is_that_of_the_least_gower_distance() {
        let ensemble = load_bytes(MODEL.as_bytes(), &LoadOptions::default()).unwrap();
        let patterns: &[&str] = &["sex_*"];
        let groups = Groups::new(&ensemble, [("sex", patterns)]).unwrap();
        let table = "age,sex_f,idle,sex_m,debt\n20,1,0,0,0.1\n60,0,7,1,\n30,0,9,1,8.1\n60,0,0,1,\n";
        let table = treeproof_data::read_bytes("people.csv".as_ref(), table.as_bytes().to_vec()).unwrap();
        let rows = Rows::from_table(&table, &ensemble, &RowOptions::default()).unwrap();
        let observed = Observed::new("people.csv", rows, &ensemble).unwrap();
        let known = Known::new(&[&ensemble], &groups, &observed, 1).unwrap();
        let nearest = |row: [f64; 5]| {
            let NearestRow { row, changed, distance } = known.nearest(&witness_of_row(&ensemble, &groups, &row));
            (row, changed, (distance * 1e4).round())
        };
        // What the library reads as the same number is the same, and what no tree tests does not count.
        assert_eq!(nearest([20.0, 1.0, 5.0, 0.0, f64::from(0.1f32)]), (0, 0, 0.0));
        // Missing as in the data; of two rows that are equally near, the first.
        assert_eq!(nearest([50.0, 0.0, 0.0, 1.0, f64::NAN]), (1, 1, 833.0));
        // The group is one difference, not two; a number counts as a part of its range.
        assert_eq!(nearest([20.0, 0.0, 0.0, 1.0, 4.1]), (2, 2, 2500.0));
        // What is outside of the data is no further away than what is missing.
        assert_eq!(nearest([1e9, 1.0, 0.0, 0.0, 0.1]), (0, 1, 3333.0));
        assert_eq!(nearest([f64::INFINITY, 1.0, 0.0, 0.0, 0.1]).0, 0);
    }
}
