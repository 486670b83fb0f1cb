//! Conditions that are code: the trait that judges regions, and the constraint that asks it about cells.

use std::fmt::Debug;
use std::sync::Arc;

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::input::Reading;
use treeproof_search::{Cells, Constraint, Points, Value};

use super::cells::{AxisPartition, CellValues};
use super::remembered::Remembered;
use super::rules::{Doubt, JointConstraint};

/// The values of a feature in a region.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct RegionValues {
    /// The least and the greatest number; not every number between them need be in the region. `None` without numbers.
    pub numbers: Option<(f64, f64)>,
    /// The categories, by code, ascending.
    pub codes: Vec<u32>,
    /// True if it has values that are no category.
    pub unknown: bool,
    /// True if it has missing.
    pub missing: bool,
}

impl RegionValues {
    /// Extends the numbers to those between two.
    pub(crate) fn add_numbers(&mut self, low: f64, high: f64) {
        self.numbers = Some(self.numbers.map_or((low, high), |(least, most)| (least.min(low), most.max(high))));
    }

    /// The region of one input; `None` if the library refuses it.
    pub(crate) fn of_row(ensemble: &Ensemble, row: &[f64]) -> Option<Vec<Self>> {
        let of = |(reading, raw): (Reading, &f64)| {
            let mut values = Self::default();
            match reading {
                Reading::Missing => values.missing = true,
                Reading::NoCategory => values.unknown = true,
                Reading::Category(code) => values.codes.push(code),
                Reading::Number(_) => values.add_numbers(*raw, *raw),
            }
            values
        };
        Some(ensemble.read(row).ok()?.into_iter().zip(row).map(of).collect())
    }
}

/// A condition that is code.
///
/// *Soundness.* It may say `false` only of regions without an admissible input, and must always give the same answer. For a
/// region of one input it decides. It need not be exact elsewhere: the sooner it says `false`, the sooner a search ends. A
/// region that no tree splits stays open unless it says `false` of it, or `true` of one of the inputs tried there: bounds
/// count such regions, and nothing is claimed about them.
pub trait Predicate: Debug + Send + Sync {
    /// True if some input of a region may be admissible. The region has the values of each feature, in the model's order.
    fn may_hold(&self, region: &[RegionValues]) -> bool;
}

/// A row for each model, in order.
type ModelRows = Vec<Vec<f64>>;

/// The constraint of a condition that is code, on one input, in the features of the first model.
#[derive(Debug)]
pub(super) struct PredicateConstraint {
    pub(super) predicate: Arc<dyn Predicate>,
    pub(super) ensemble: Arc<Ensemble>,
    /// Numbers of features of the models.
    pub(super) widths: Vec<usize>,
    pub(super) axes: Arc<Vec<AxisPartition>>,
    pub(super) untested: Arc<Vec<AxisPartition>>,
    pub(super) joints: Vec<Arc<JointConstraint>>,
    /// Points of which no tried input is admissible, though others may be.
    pub(super) doubt: Doubt,
    /// The inputs of points, where one is admissible.
    pub(super) decided: Remembered<Option<ModelRows>>,
}

impl PredicateConstraint {
    /// The value of the best undecided point.
    pub(super) fn most_in_doubt(&self) -> Option<Value> {
        self.doubt.most()
    }

    /// An admissible input in the cells of a point, if one was found.
    pub(super) fn rows(&self, point: &[u32]) -> Option<ModelRows> {
        self.decided.or_decide(point, || self.find(point))
    }

    fn find(&self, point: &[u32]) -> Option<ModelRows> {
        let cells = |cell: u32, axis: &AxisPartition| match cell.checked_sub(axis.shape().ordered) {
            None => Cells { ordered: cell..cell + 1, special: vec![] },
            Some(special) => Cells { ordered: 0..0, special: vec![special] },
        };
        let all: Vec<Cells> = point.iter().zip(&*self.axes).map(|(cell, axis)| cells(*cell, axis)).collect();
        if !self.predicate.may_hold(&self.region(&all)) {
            return None;
        }
        let is_allowed = |rows: &ModelRows| {
            RegionValues::of_row(&self.ensemble, &rows[0]).is_some_and(|region| self.predicate.may_hold(&region))
        };
        // Values for conditions on sums are known at one place of a cell only.
        let ends: &[CellSample] = if self.joints.is_empty() { &[CellSample::Least, CellSample::Greatest] } else { &[] };
        let rows =
            std::iter::once(CellSample::Liked).chain(ends.iter().copied()).map(|place| self.rows_at(point, place));
        let found = rows.into_iter().find(is_allowed);
        if found.is_none() {
            self.doubt.add(point);
        }
        found
    }

    /// The input at one sample of the cells of a point.
    fn rows_at(&self, point: &[u32], place: CellSample) -> ModelRows {
        let mut rows: ModelRows = self.widths.iter().map(|width| vec![f64::NAN; *width]).collect();
        let raws = |axis: &AxisPartition, cell: u32| {
            let ends = axis.ends(cell).filter(|_| !axis.is_group());
            let end = match place {
                CellSample::Liked => None,
                CellSample::Least => ends.map(|(least, _)| least),
                CellSample::Greatest => ends.map(|(_, greatest)| greatest),
            };
            match end.filter(|end| end.is_finite()) {
                Some(end) => axis.readers.map(|_| end),
                None => axis.raws(cell),
            }
        };
        let untested = self.untested.iter().map(|axis| (axis, 0));
        for (axis, cell) in self.axes.iter().zip(point.iter().copied()).chain(untested) {
            let raws = raws(axis, cell);
            axis.readers.iter().zip(raws.iter()).for_each(|(reader, raw)| rows[reader.model][reader.feature] = *raw);
        }
        for (axis, raw) in self.joints.iter().flat_map(|joint| joint.values(point).found()) {
            self.axes[axis].readers.iter().for_each(|reader| rows[reader.model][reader.feature] = raw);
        }
        rows
    }

    /// The values of each feature of the first model in some cells.
    fn region(&self, cells: &[Cells]) -> Vec<RegionValues> {
        let mut region = vec![RegionValues::default(); self.ensemble.features().len()];
        self.axes.iter().zip(cells).for_each(|(axis, cells)| add(&mut region, axis, cells));
        self.untested.iter().for_each(|axis| add(&mut region, axis, &axis.all()));
        region
    }
}

/// A sample of a cell.
#[derive(Clone, Copy)]
enum CellSample {
    /// The preferred value.
    Liked,
    Least,
    Greatest,
}

/// Adds the values in some cells of an axis to a region, if the first model reads it.
fn add(region: &mut [RegionValues], axis: &AxisPartition, cells: &Cells) {
    if axis.readers[0].model != 0 {
        return;
    }
    // The others lie between the first and the last of the ordered cells.
    let ends = cells.ordered.clone().next().into_iter().chain(cells.ordered.clone().next_back());
    let special = cells.special.iter().map(|special| axis.shape().ordered + special);
    for cell in ends.chain(special) {
        match axis.contents(cell) {
            CellValues::Numbers(ranges) => {
                let values = &mut region[axis.feature()];
                ranges.into_iter().for_each(|range| values.add_numbers(range.low, range.high));
            }
            CellValues::Categories(codes) => {
                let values = &mut region[axis.feature()];
                values.codes.extend(codes);
                values.codes.sort_unstable();
                values.codes.dedup();
            }
            CellValues::Columns(columns) => {
                for reader in axis.readers.iter().filter(|reader| reader.model == 0) {
                    let own = u32::try_from(reader.column).ok();
                    let is_other = columns.iter().any(|column| Some(*column) != own);
                    let is_own = columns.iter().any(|column| Some(*column) == own);
                    let [low, high] = [!is_other, is_own].map(|is_one| f64::from(u8::from(is_one)));
                    region[reader.feature].add_numbers(low, high);
                }
            }
            CellValues::Unknown => region[axis.feature()].unknown = true,
            CellValues::Missing => region[axis.feature()].missing = true,
        }
    }
}

impl Constraint for PredicateConstraint {
    fn narrow(&self, points: &mut Points<'_>) {
        let cells = |axis: usize| {
            let ordered = self.axes[axis].shape().ordered;
            Cells { ordered: points.ordered(axis), special: points.special(axis).map(|cell| cell - ordered).collect() }
        };
        let cells: Vec<Cells> = (0..self.axes.len()).map(cells).collect();
        if !self.predicate.may_hold(&self.region(&cells)) {
            points.clear();
        }
    }

    fn holds(&self, point: &[u32]) -> bool {
        self.rows(point).is_some()
    }
}
