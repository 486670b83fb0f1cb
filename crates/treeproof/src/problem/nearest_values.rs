//! The inputs of a problem's cells that are nearest to a given row.

use std::sync::Arc;

use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::input::Reading;
use treeproof_search::{Abandoned, Budget, Cells, Costs, Stop, Unobserved, Value, proceed};

use super::cells::AxisCells;
use super::compiled::Compiled;
use super::exclude::same_leaves;
use super::one_or_two::OneOrTwo;
use super::rules::{JointConstraint, LinearLimit, RealisedValues};

/// Between two looks at whether to abandon the values of an axis: so many cells.
const POLL_EVERY: u32 = 256;

/// For every cell the value that costs least, seen from a row. For questions about one model at one input.
#[derive(Clone, Debug)]
pub struct NearestValues {
    /// The row, with features that no tree looks at moved into their domains.
    row: Vec<f64>,
    /// Per axis its feature, or the columns of a group, how many of its cells are ordered, and per cell what it is set to.
    features: Vec<OneOrTwo<usize>>,
    num_ordered: Vec<u32>,
    settings: Vec<Vec<AxisSetting>>,
    /// What the cells cost, in each of some measures.
    pub costs: Vec<CellCosts>,
    /// Per axis and cell whether its value is another than the row's.
    changes: Vec<Vec<bool>>,
    num_changed: usize,
    /// What values must meet beside their cells.
    joint: Option<Arc<JointConstraint>>,
}

/// What the nearest inputs cost, in one measure.
#[derive(Clone, Debug, Default)]
pub struct CellCosts {
    /// Per axis and cell what its value costs.
    pub axes: Vec<Vec<Exact>>,
    /// What moving features that no tree looks at costs, for each that has to be moved.
    pub always: Vec<Exact>,
}

/// An input in the cells of a point that meets all conditions.
pub(crate) enum Placement {
    /// This one, the nearest if it will do.
    Row(Vec<f64>),
    /// There is none.
    Nowhere,
    /// It took too long to find one.
    Unknown,
}

/// What an axis is set to.
#[derive(Clone, Copy, Debug)]
enum AxisSetting {
    /// Its feature has a value.
    Value(f64),
    /// Of the columns of a group, this feature is 1.
    Column(usize),
}

/// A setting, what it costs, and whether it is another than the row's.
struct Candidate {
    setting: AxisSetting,
    costs: Vec<Exact>,
    changes: bool,
}

impl Compiled {
    /// The nearest inputs to a row whose values are read so, by what it costs to move a feature to a value in each of some
    /// measures, of which the first counts most. None may fall as a number goes further away, nor put two changes into the
    /// other order than another one does: so the nearest is the nearest by all. The cost of a group is what it costs to move
    /// its new column to 1.
    pub fn nearby(&self, row: &[f64], readings: &[Reading], costs: &[impl Fn(usize, f64) -> Exact]) -> NearestValues {
        self.nearby_until(row, readings, costs, &Unobserved).expect("nobody stops it")
    }

    /// As above, but it may be abandoned.
    ///
    /// # Errors
    /// If it is abandoned.
    pub(crate) fn nearby_until(
        &self,
        row: &[f64],
        readings: &[Reading],
        costs: &[impl Fn(usize, f64) -> Exact],
        stop: &dyn Stop,
    ) -> Result<NearestValues, Abandoned> {
        let all_costs = |feature: usize, to: f64| costs.iter().map(|cost| cost(feature, to)).collect();
        let cheapest = |axis: &AxisCells, cell: u32| {
            if let Some((feature, changes)) = axis.nearest_column(cell, row) {
                return Candidate { setting: AxisSetting::Column(feature), costs: all_costs(feature, 1.0), changes };
            }
            let feature = axis.feature();
            let own: f64 = row[feature];
            let moves = axis.next_to(cell, own, readings[feature]).into_iter().map(|value| Candidate {
                setting: AxisSetting::Value(value),
                costs: all_costs(feature, value),
                changes: value != own && !(value.is_nan() && own.is_nan()),
            });
            moves.min_by(|one, other| one.costs.cmp(&other.costs)).expect("a cell has values")
        };
        let cells = |axis: &AxisCells| 0..axis.shape().num_cells();
        let mut nearby = NearestValues {
            row: row.to_vec(),
            features: self.axes.iter().map(AxisCells::features).collect(),
            num_ordered: self.axes.iter().map(|axis| axis.shape().ordered).collect(),
            settings: vec![],
            costs: vec![CellCosts::default(); costs.len()],
            changes: vec![],
            num_changed: 0,
            joint: self.joints.first().map(Arc::clone),
        };
        for axis in self.axes.iter() {
            let polled = |cell: u32| if cell.is_multiple_of(POLL_EVERY) { proceed(stop) } else { Ok(()) };
            let moves = cells(axis).map(|cell| polled(cell).map(|()| cheapest(axis, cell)));
            let moves: Vec<Candidate> = moves.collect::<Result<_, _>>()?;
            nearby.changes.push(moves.iter().map(|to| to.changes).collect());
            nearby.settings.push(moves.iter().map(|to| to.setting).collect());
            for (measure, costs) in nearby.costs.iter_mut().enumerate() {
                costs.axes.push(moves.iter().map(|to| to.costs[measure].clone()).collect());
            }
        }
        for axis in &*self.untested {
            proceed(stop)?;
            // What costs nothing is no reason for a change.
            let all = cells(axis).map(|cell| cheapest(axis, cell));
            let least = all.min_by(|one, other| (&one.costs, one.changes).cmp(&(&other.costs, other.changes)));
            let Candidate { setting, costs, changes } = least.expect("a domain has values");
            nearby.num_changed += usize::from(changes);
            setting.put(&axis.features(), &mut nearby.row);
            for (of_measure, cost) in nearby.costs.iter_mut().zip(costs) {
                of_measure.always.extend(Some(cost).filter(|cost| *cost > Exact::zero()));
            }
        }
        Ok(nearby)
    }

    /// The cheapest of the points that reach the same leaves as a point, in the trees of one case: by all measures.
    pub fn nearest_alike(&self, nearby: &NearestValues, case: usize, point: &[u32]) -> Vec<u32> {
        let alike = same_leaves(&self.problem, &self.problem.cases[case..=case], self.num_excluded, point);
        let nearest = (0..).zip(&self.problem.axes).map(|(axis, shape)| {
            let Cells { ordered, special } = alike.cells(&self.problem.axes, axis);
            let cells = ordered.chain(special.into_iter().map(|cell| shape.ordered + cell));
            let axis = axis as usize;
            let price = |cell: &u32| {
                let costs = nearby.costs.iter().map(|costs| &costs.axes[axis][*cell as usize]);
                (costs.collect::<Vec<_>>(), nearby.is_change(axis, *cell))
            };
            cells.min_by(|one, other| price(one).cmp(&price(other))).expect("the point has a cell there")
        });
        nearest.collect()
    }
}

impl NearestValues {
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

    /// The feature of an axis, or the first column of a group.
    pub(crate) fn feature(&self, axis: usize) -> usize {
        self.features[axis][0]
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
        for (axis, features) in self.features.iter().enumerate() {
            features.iter().for_each(|feature| axes[*feature] = Some(axis));
        }
        axes
    }

    /// The number of cells of an axis, ordered and special.
    pub(crate) fn num_cells(&self, axis: usize) -> (u32, usize) {
        (self.num_ordered[axis], self.settings[axis].len() - self.num_ordered[axis] as usize)
    }

    /// What a feature of an axis is in a cell, in the nearest input.
    pub(crate) fn value(&self, axis: usize, cell: u32, feature: usize) -> f64 {
        match self.settings[axis][cell as usize] {
            AxisSetting::Value(value) => value,
            AxisSetting::Column(column) => f64::from(u8::from(column == feature)),
        }
    }

    /// What values must meet beside their cells.
    pub(crate) fn joint(&self) -> Option<&dyn treeproof_search::Constraint> {
        self.joint.as_deref().map(|joint| joint as &dyn treeproof_search::Constraint)
    }

    /// The axes whose values matter beside their cells, with the feature of each and its nearest value at a point.
    pub(crate) fn valued(&self, point: &[u32]) -> Vec<(usize, usize, f64)> {
        let axes = self.joint.iter().flat_map(|joint| joint.valued_axes());
        axes.map(|axis| (axis, self.features[axis][0], self.nearest(axis, point))).collect()
    }

    /// The nearest value of an axis that is no group: cells say all about those of a group.
    fn nearest(&self, axis: usize, point: &[u32]) -> f64 {
        self.value(axis, point[axis], self.features[axis][0])
    }

    /// An input in the cells of a point that meets all conditions, and limits on values; one near the row, but not always
    /// the nearest.
    pub(crate) fn place(&self, point: &[u32], limits: &[LinearLimit]) -> Placement {
        let mut row = self.row(point);
        let Some(joint) = &self.joint else { return Placement::Row(row) };
        match joint.values_near(point, &|axis| self.nearest(axis, point), limits) {
            RealisedValues::Found(values) => {
                values.into_iter().for_each(|(axis, value)| row[self.features[axis][0]] = value);
                Placement::Row(row)
            }
            RealisedValues::Impossible => Placement::Nowhere,
            RealisedValues::Unknown => Placement::Unknown,
        }
    }

    /// Whether the value of a cell of an axis is another than the row's.
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
