//! The values of cells that are nearest to a given row.

use std::sync::Arc;

use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::input::Reading;
use treeproof_search::{Abandoned, Budget, Costs, Stop, Value, proceed};

use super::cells::AxisPartition;
use super::one_or_two::OneOrTwo;
use super::rules::{JointConstraint, RealisedValues};
use super::simplex::LinearConstraint;

/// Cells of an axis between two looks at whether to abandon.
const POLL_EVERY: u32 = 256;

/// For every cell the value with the least cost from a row. For questions about one model at one input.
#[derive(Clone, Debug)]
pub struct NearestValues {
    /// The row, with features that no tree tests moved into their domains.
    row: Vec<f64>,
    /// Per axis its feature, or the columns of a group; its number of ordered cells; and the setting of each cell.
    features: Vec<OneOrTwo<usize>>,
    num_ordered: Vec<u32>,
    settings: Vec<Vec<AxisSetting>>,
    /// Costs of cells, in each measure.
    pub costs: Vec<NearestCosts>,
    /// Per axis and cell true if its value is another than the row's.
    changes: Vec<Vec<bool>>,
    num_changed: usize,
    /// The conditions on values besides their cells.
    joint: Option<Arc<JointConstraint>>,
}

/// Costs of the nearest values, in one measure.
#[derive(Clone, Debug, Default)]
pub struct NearestCosts {
    /// Cost of each value, per axis and cell.
    pub axes: Vec<Vec<Exact>>,
    /// Costs of moving features that no tree tests, for each that must be moved.
    pub always: Vec<Exact>,
}

/// The nearest setting of an axis in a cell.
#[derive(Clone, Copy, Debug)]
enum AxisSetting {
    /// A value of its feature.
    Value(f64),
    /// The feature of a group that is 1.
    Column(usize),
}

/// A setting with its costs, and true if it is another than the row's.
struct PricedSetting {
    setting: AxisSetting,
    costs: Vec<Exact>,
    changes: bool,
}

impl NearestValues {
    /// The nearest inputs to a row, by the cost of moving a feature to a value in each of some measures, of which the first
    /// counts most. `readings` is how the library reads the row. No cost may fall as a number goes further away, and all must
    /// put changes into the same order, so that the nearest is the nearest by every measure. The cost of a group is that of
    /// moving its new column to 1.
    ///
    /// # Errors
    /// If it is abandoned.
    pub(super) fn new(
        (axes, untested): (&[AxisPartition], &[AxisPartition]),
        joint: Option<Arc<JointConstraint>>,
        row: &[f64],
        readings: &[Reading],
        costs: &[impl Fn(usize, f64) -> Exact],
        stop: &dyn Stop,
    ) -> Result<Self, Abandoned> {
        let all_costs = |feature: usize, to: f64| costs.iter().map(|cost| cost(feature, to)).collect();
        let cheapest = |axis: &AxisPartition, cell: u32| {
            if let Some((feature, changes)) = axis.nearest_column(cell, row) {
                return PricedSetting {
                    setting: AxisSetting::Column(feature),
                    costs: all_costs(feature, 1.0),
                    changes,
                };
            }
            let feature = axis.feature();
            let own: f64 = row[feature];
            let moves = axis.next_to(cell, own, readings[feature]).into_iter().map(|value| PricedSetting {
                setting: AxisSetting::Value(value),
                costs: all_costs(feature, value),
                changes: value != own && !(value.is_nan() && own.is_nan()),
            });
            moves.min_by(|one, other| one.costs.cmp(&other.costs)).expect("a cell has values")
        };
        let cells = |axis: &AxisPartition| 0..axis.shape().num_cells();
        let mut nearby = Self {
            row: row.to_vec(),
            features: axes.iter().map(AxisPartition::features).collect(),
            num_ordered: axes.iter().map(|axis| axis.shape().ordered).collect(),
            settings: vec![],
            costs: vec![NearestCosts::default(); costs.len()],
            changes: vec![],
            num_changed: 0,
            joint,
        };
        for axis in axes {
            let polled = |cell: u32| if cell.is_multiple_of(POLL_EVERY) { proceed(stop) } else { Ok(()) };
            let moves = cells(axis).map(|cell| polled(cell).map(|()| cheapest(axis, cell)));
            let moves: Vec<PricedSetting> = moves.collect::<Result<_, _>>()?;
            nearby.changes.push(moves.iter().map(|to| to.changes).collect());
            nearby.settings.push(moves.iter().map(|to| to.setting).collect());
            for (measure, costs) in nearby.costs.iter_mut().enumerate() {
                costs.axes.push(moves.iter().map(|to| to.costs[measure].clone()).collect());
            }
        }
        for axis in untested {
            proceed(stop)?;
            // A change must not replace an equally cheap value that is none.
            let all = cells(axis).map(|cell| cheapest(axis, cell));
            let least = all.min_by(|one, other| (&one.costs, one.changes).cmp(&(&other.costs, other.changes)));
            let PricedSetting { setting, costs, changes } = least.expect("a domain has values");
            nearby.num_changed += usize::from(changes);
            setting.put(&axis.features(), &mut nearby.row);
            for (of_measure, cost) in nearby.costs.iter_mut().zip(costs) {
                of_measure.always.extend(Some(cost).filter(|cost| *cost > Exact::zero()));
            }
        }
        Ok(nearby)
    }

    /// The budget on the number of changed features. The cheapest value of a cell decides: it is the row's own where the
    /// cell has that.
    pub fn at_most(&self, most: usize) -> Budget {
        let count = |number: usize| Value::try_from(number).expect("models are bounded by memory far below this");
        let axes = self.changes.iter().map(|cells| cells.iter().map(|changes| Value::from(*changes)).collect());
        let most = count(most.min(self.num_changed + self.changes.len()));
        Budget { costs: Costs { axes: axes.collect() }, limit: most - count(self.num_changed) }
    }

    /// The axes on which the nearest input of a point differs from the row.
    pub fn changed(&self, point: &[u32]) -> Vec<usize> {
        (0..point.len()).filter(|axis| self.changes[*axis][point[*axis] as usize]).collect()
    }

    /// The feature of an axis, or the first column of a group.
    pub(crate) fn feature(&self, axis: usize) -> usize {
        self.features[axis][0]
    }

    /// The budget that excludes changes on all of these axes together.
    pub fn not_all(&self, axes: &[usize]) -> Budget {
        let mut costs = Costs { axes: self.changes.iter().map(|cells| vec![0; cells.len()]).collect() };
        for axis in axes {
            costs.axes[*axis] = self.changes[*axis].iter().map(|changes| Value::from(*changes)).collect();
        }
        Budget { costs, limit: Value::try_from(axes.len()).expect("axes are in memory") - 1 }
    }

    /// The cell of an axis that has the row's own value, if one does.
    pub fn own_cell(&self, axis: usize) -> Option<u32> {
        (0..).zip(&self.changes[axis]).find(|(_, changes)| !**changes).map(|(cell, _)| cell)
    }

    /// The axis of every feature, if it has one.
    pub(crate) fn axes_of_features(&self) -> Vec<Option<usize>> {
        let mut axes = vec![None; self.row.len()];
        for (axis, features) in self.features.iter().enumerate() {
            features.iter().for_each(|feature| axes[*feature] = Some(axis));
        }
        axes
    }

    /// The numbers of ordered and of special cells of an axis.
    pub(crate) fn num_cells(&self, axis: usize) -> (u32, usize) {
        (self.num_ordered[axis], self.settings[axis].len() - self.num_ordered[axis] as usize)
    }

    /// The value of a feature of an axis in a cell, in the nearest input.
    pub(crate) fn value(&self, axis: usize, cell: u32, feature: usize) -> f64 {
        match self.settings[axis][cell as usize] {
            AxisSetting::Value(value) => value,
            AxisSetting::Column(column) => f64::from(u8::from(column == feature)),
        }
    }

    /// The conditions on values besides their cells.
    pub(crate) fn joint(&self) -> Option<&dyn treeproof_search::Constraint> {
        self.joint.as_deref().map(|joint| joint as &dyn treeproof_search::Constraint)
    }

    /// The axes whose values matter besides their cells, with the feature of each and its nearest value at a point.
    pub(crate) fn valued(&self, point: &[u32]) -> Vec<(usize, usize, f64)> {
        let axes = self.joint.iter().flat_map(|joint| joint.valued_axes());
        axes.map(|axis| (axis, self.features[axis][0], self.nearest(axis, point))).collect()
    }

    /// The nearest value of an axis that is no group.
    fn nearest(&self, axis: usize, point: &[u32]) -> f64 {
        self.value(axis, point[axis], self.features[axis][0])
    }

    /// An input in the cells of a point that meets all conditions and limits on values; near the row, but not always the
    /// nearest.
    pub(crate) fn place(&self, point: &[u32], limits: &[LinearConstraint]) -> RealisedValues<Vec<f64>> {
        let mut row = self.row(point);
        let Some(joint) = &self.joint else { return RealisedValues::Found(row) };
        match joint.values_near(point, &|axis| self.nearest(axis, point), limits) {
            RealisedValues::Found(values) => {
                values.into_iter().for_each(|(axis, value)| row[self.features[axis][0]] = value);
                RealisedValues::Found(row)
            }
            RealisedValues::Impossible => RealisedValues::Impossible,
            RealisedValues::Unknown => RealisedValues::Unknown,
        }
    }

    /// True if the value of a cell of an axis is another than the row's.
    pub(super) fn is_change(&self, axis: usize, cell: u32) -> bool {
        self.changes[axis][cell as usize]
    }

    /// The nearest input in the cells of a point.
    pub fn row(&self, point: &[u32]) -> Vec<f64> {
        let mut row = self.row.clone();
        for ((features, settings), cell) in self.features.iter().zip(&self.settings).zip(point) {
            settings[*cell as usize].put(features, &mut row);
        }
        row
    }
}

impl AxisSetting {
    fn put(self, features: &[usize], row: &mut [f64]) {
        match self {
            Self::Value(value) => row[features[0]] = value,
            Self::Column(column) => {
                features.iter().for_each(|feature| row[*feature] = 0.0);
                row[column] = 1.0;
            }
        }
    }
}
