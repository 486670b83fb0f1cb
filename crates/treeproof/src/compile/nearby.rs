//! The inputs of a problem's cells that are nearest to a given row.

use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::input::Reading;
use treeproof_search::{Budget, Costs, Value};

use super::cells::AxisCells;
use super::compiled::Compiled;

/// For every cell the value that costs least, seen from a row. For questions about one model at one input.
#[derive(Clone, Debug)]
pub struct Nearby {
    /// The row, with features that no tree looks at moved into their domains.
    row: Vec<f64>,
    /// Per axis its feature, how many of its cells are ordered, and per cell a value.
    features: Vec<usize>,
    num_ordered: Vec<u32>,
    values: Vec<Vec<f64>>,
    /// Per axis and cell what its value costs.
    pub costs: Vec<Vec<Exact>>,
    /// Per axis and cell whether its value is another than the row's.
    changes: Vec<Vec<bool>>,
    num_changed: usize,
    /// What moving features that no tree looks at costs, for each that has to be moved.
    pub fixed_costs: Vec<Exact>,
}

impl Compiled {
    /// The nearest inputs to a row whose values are read so, by what it costs to move a feature to a value. The cost must
    /// not fall as a number goes further away.
    pub fn nearby(&self, row: &[f64], readings: &[Reading], cost: impl Fn(usize, f64) -> Exact) -> Nearby {
        let cheapest = |axis: &AxisCells, cell: u32| {
            let feature = axis.feature();
            let values = axis.next_to(cell, row[feature], readings[feature]);
            let costs = values.into_iter().map(|value| (cost(feature, value), value));
            costs.min_by(|one, other| one.0.cmp(&other.0)).expect("a cell has values")
        };
        let changes = |feature: usize, value: f64| {
            let own: f64 = row[feature];
            value != own && !(value.is_nan() && own.is_nan())
        };
        let cells = |axis: &AxisCells| 0..axis.shape().num_cells();
        let mut nearby = Nearby {
            row: row.to_vec(),
            features: self.axes.iter().map(AxisCells::feature).collect(),
            num_ordered: self.axes.iter().map(|axis| axis.shape().ordered).collect(),
            values: vec![],
            costs: vec![],
            changes: vec![],
            num_changed: 0,
            fixed_costs: vec![],
        };
        for axis in &self.axes {
            let (costs, values): (Vec<Exact>, Vec<f64>) = cells(axis).map(|cell| cheapest(axis, cell)).unzip();
            nearby.changes.push(values.iter().map(|value| changes(axis.feature(), *value)).collect());
            nearby.costs.push(costs);
            nearby.values.push(values);
        }
        for axis in &self.untested {
            // What costs nothing is no reason for a change.
            let all = cells(axis).map(|cell| cheapest(axis, cell));
            let all = all.map(|(cost, value)| (cost, changes(axis.feature(), value), value));
            let least = all.min_by(|one, other| (&one.0, one.1).cmp(&(&other.0, other.1)));
            let (cost, changes, value) = least.expect("a domain has values");
            nearby.num_changed += usize::from(changes);
            nearby.row[axis.feature()] = value;
            nearby.fixed_costs.extend(Some(cost).filter(|cost| *cost > Exact::zero()));
        }
        nearby
    }
}

impl Nearby {
    /// At most so many features change. What costs less may change more, so of a cell the cheapest value decides: it is
    /// the row's own where that is in the cell.
    pub fn at_most(&self, most: usize) -> Budget {
        let count = |number: usize| Value::try_from(number).expect("models are bounded by memory far below this");
        let axes = self.changes.iter().map(|cells| cells.iter().map(|changes| Value::from(*changes)).collect());
        let most = count(most.min(self.num_changed + self.changes.len()));
        Budget { costs: Costs { axes: axes.collect() }, limit: most - count(self.num_changed) }
    }

    /// The axes on which the nearest input of a point is another than the row.
    pub fn changed(&self, point: &[u32]) -> Vec<usize> {
        (0..point.len()).filter(|axis| self.changes[*axis][point[*axis] as usize]).collect()
    }

    /// Not all of these axes change.
    pub fn not_all(&self, axes: &[usize]) -> Budget {
        let mut costs = Costs { axes: self.changes.iter().map(|cells| vec![0; cells.len()]).collect() };
        for axis in axes {
            costs.axes[*axis] = self.changes[*axis].iter().map(|changes| Value::from(*changes)).collect();
        }
        Budget { costs, limit: Value::try_from(axes.len()).expect("axes are in memory") - 1 }
    }

    /// The cell of an axis in which the row is, if it is in one.
    pub fn own_cell(&self, axis: usize) -> Option<u32> {
        (0..).zip(&self.changes[axis]).find(|(_, changes)| !**changes).map(|(cell, _)| cell)
    }

    /// The axis of every feature that has one.
    pub(crate) fn axes_of_features(&self) -> Vec<Option<usize>> {
        let mut axes = vec![None; self.row.len()];
        self.features.iter().enumerate().for_each(|(axis, feature)| axes[*feature] = Some(axis));
        axes
    }

    /// The number of cells of an axis, ordered and special.
    pub(crate) fn num_cells(&self, axis: usize) -> (u32, usize) {
        (self.num_ordered[axis], self.values[axis].len() - self.num_ordered[axis] as usize)
    }

    /// What the feature of an axis is in this cell.
    pub(crate) fn value(&self, axis: usize, cell: u32) -> f64 {
        self.values[axis][cell as usize]
    }

    /// The nearest input in the cells of a point.
    pub fn row(&self, point: &[u32]) -> Vec<f64> {
        let mut row = self.row.clone();
        for ((feature, values), cell) in self.features.iter().zip(&self.values).zip(point) {
            row[*feature] = values[*cell as usize];
        }
        row
    }
}
