//! Whether what a proof claims is true, by looking at many inputs: all of the values at which something can change.

use std::collections::BTreeSet;

use serde_json::Value;
use treeproof::internals::Domain;
use treeproof_checker::goal::ResolvedGoal;
use treeproof_checker::space::Space;
use treeproof_checker::witness::evaluate_witness;
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::exact::Exact;
use treeproof_proof::conclusion::{Claim, Conclusion};
use treeproof_proof::statement::{Number, Row, Statement, Tie};

use crate::support::{Random, all_candidates, keep_one_of_each};

/// So many inputs are looked at.
const MOST: usize = 3000;

/// What inputs of a statement show.
#[derive(Debug, Default)]
pub(crate) struct Truth {
    is_feasible: bool,
    is_reached: bool,
    most: Option<Exact>,
    values: BTreeSet<Exact>,
    nearest: Option<Exact>,
}

impl Truth {
    /// Looks at inputs of a statement, these among them. A statement that is none has no inputs.
    pub(crate) fn new(header: &Value, models: &[Ensemble], known: Option<&Vec<Vec<Row>>>) -> Self {
        let mut truth = Self::default();
        let Ok(statement) = serde_json::from_value::<Statement>(header["statement"].clone()) else { return truth };
        let Ok(space) = Space::new(&statement, models) else { return truth };
        let Ok(aim) = ResolvedGoal::new(&space) else { return truth };
        let mut look = |rows: &[Vec<Row>]| {
            let Ok(shown) = evaluate_witness(&aim, &space, rows) else { return };
            truth.is_feasible = true;
            truth.is_reached |= shown.is_reached;
            truth.values.extend(shown.value.clone());
            truth.most = truth.most.take().max(shown.value);
            if shown.is_reached {
                let nearest = truth.nearest.take();
                truth.nearest = [nearest, shown.cost].into_iter().flatten().min();
            }
        };
        known.into_iter().for_each(|rows| look(rows));
        let values: Vec<Vec<f64>> =
            (0..statement.features.len()).map(|feature| values(&statement, models, feature)).collect();
        inputs(&statement, &values, |inputs| {
            let of_model = |(model, own): (usize, &Ensemble), input: &[f64]| {
                let mut row = vec![0.0; own.features().len()];
                for (feature, stated) in statement.features.iter().enumerate() {
                    for reader in stated.readers.iter().filter(|reader| reader.model as usize == model) {
                        row[reader.feature as usize] = input[feature];
                    }
                }
                Row(row.into_iter().map(Number).collect())
            };
            let rows = |input: &Vec<f64>| models.iter().enumerate().map(|model| of_model(model, input)).collect();
            look(&inputs.iter().map(rows).collect::<Vec<_>>());
        });
        truth
    }

    /// Whether some input shows that a claim is false.
    pub(crate) fn refutes(&self, statement: &Statement, Conclusion { claim, listed, .. }: &Conclusion) -> bool {
        match claim {
            // What is more must be listed.
            Claim::AtMost(most) if !listed.is_empty() => {
                let is_listed = |value: &Exact| listed.iter().any(|listed| listed.output == *value);
                let is_more = |value: &Exact| match Exact::from_f64(most.0) {
                    Some(most) => *value > most,
                    None => most.0 < 0.0,
                };
                self.values.iter().any(|value| is_more(value) && !is_listed(value))
            }
            Claim::AtMost(most) => match Exact::from_f64(most.0) {
                Some(most) => self.most.as_ref().is_some_and(|value| *value > most),
                None => most.0.is_nan() || (most.0 < 0.0 && self.is_feasible),
            },
            Claim::Never => self.is_reached,
            Claim::Infeasible => self.is_feasible,
            Claim::Reached => !self.is_reached,
            Claim::Nothing => false,
            Claim::NotNearer(distance) => {
                let cost = statement.near.as_ref().and_then(|near| near.cost(distance.0));
                cost.is_none_or(|cost| self.nearest.as_ref().is_some_and(|nearest| *nearest < cost))
            }
        }
    }

    /// The largest number that was shown.
    pub(crate) fn most(&self) -> Option<&Exact> {
        self.most.as_ref()
    }
}

/// Values of a feature: one of each kind that the models tell apart, those of a small grid, and ends.
fn values(statement: &Statement, models: &[Ensemble], feature: usize) -> Vec<f64> {
    let mut raws = vec![];
    for reader in &statement.features[feature].readers {
        let (model, own) = (&models[reader.model as usize], reader.feature as usize);
        let all = all_candidates(model, own, &Domain::everything(model)[own]);
        raws.extend(keep_one_of_each(model, own, all));
    }
    raws.extend((-4..=6).map(|half| f64::from(half) / 2.0));
    raws.extend((4..9).map(f64::from));
    for input in &statement.inputs {
        if let treeproof_proof::statement::condition::Domain::Numbers { ranges, .. } = &input[feature] {
            let ends = ranges.iter().flat_map(|(low, high)| [low.0, high.0]);
            raws.extend(ends.flat_map(|end| [end, end.next_up(), end.next_down()]));
        }
    }
    raws.push(f64::NAN);
    raws.sort_by(f64::total_cmp);
    raws.dedup();
    raws
}

/// Rows of such values, for each input one: all if they are not too many.
fn inputs(statement: &Statement, values: &[Vec<f64>], mut visit: impl FnMut(&[Vec<f64>])) {
    let mut random = Random(7);
    let is_one = statement.inputs.len() == 1;
    let count = values.iter().try_fold(1_usize, |count, values| count.checked_mul(values.len()));
    if let Some(count) = count.filter(|count| is_one && statement.groups.is_empty() && *count <= MOST) {
        for mut number in 0..count {
            let place = |values: &Vec<f64>| {
                let raw = values[number % values.len()];
                number /= values.len();
                raw
            };
            visit(&[values.iter().map(place).collect()]);
        }
        return;
    }
    for _ in 0..MOST {
        let mut row = |before: Option<&Vec<f64>>| {
            let mut row: Vec<f64> = values.iter().map(|values| random.pick(values)).collect();
            for columns in &statement.groups {
                let one = columns[random.below(columns.len())];
                columns.iter().for_each(|column| row[*column as usize] = f64::from(u8::from(*column == one)));
            }
            if let Some(before) = before {
                for (feature, tie) in statement.ties.iter().enumerate() {
                    if *tie == Tie::Same || random.chance(3) {
                        row[feature] = before[feature];
                    }
                }
            }
            row
        };
        let first = row(None);
        if is_one {
            visit(&[first]);
        } else {
            let second = row(Some(&first));
            visit(&[first, second]);
        }
    }
}
