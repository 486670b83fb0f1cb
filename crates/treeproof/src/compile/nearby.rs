//! The inputs of a problem's cells that are nearest to a given row.

use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::input::Reading;

use super::cells::AxisCells;
use super::compiled::Compiled;

/// For every cell the value that costs least, seen from a row. For questions about one model at one input.
#[derive(Clone, Debug)]
pub struct Nearby {
    /// The row, with features that no tree looks at moved into their domains.
    row: Vec<f64>,
    /// Per axis its feature, and per cell a value.
    features: Vec<usize>,
    values: Vec<Vec<f64>>,
    /// Per axis and cell what its value costs.
    pub costs: Vec<Vec<Exact>>,
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
        let cells = |axis: &AxisCells| 0..axis.shape().num_cells();
        let mut nearby = Nearby {
            row: row.to_vec(),
            features: self.axes.iter().map(AxisCells::feature).collect(),
            values: vec![],
            costs: vec![],
            fixed_costs: vec![],
        };
        for axis in &self.axes {
            let (costs, values) = cells(axis).map(|cell| cheapest(axis, cell)).unzip();
            nearby.costs.push(costs);
            nearby.values.push(values);
        }
        for axis in &self.untested {
            let all = cells(axis).map(|cell| cheapest(axis, cell));
            let (cost, value) = all.min_by(|one, other| one.0.cmp(&other.0)).expect("a domain has values");
            nearby.row[axis.feature()] = value;
            nearby.fixed_costs.extend(Some(cost).filter(|cost| *cost > Exact::zero()));
        }
        nearby
    }
}

impl Nearby {
    /// The nearest input in the cells of a point.
    pub fn row(&self, point: &[u32]) -> Vec<f64> {
        let mut row = self.row.clone();
        for ((feature, values), cell) in self.features.iter().zip(&self.values).zip(point) {
            row[*feature] = values[*cell as usize];
        }
        row
    }
}
