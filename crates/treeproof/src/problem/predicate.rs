//! A condition that is code: the trait that answers for regions, and the constraint that asks it about cells.

use std::collections::HashMap;
use std::fmt::Debug;
use std::sync::{Arc, Mutex, PoisonError};

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::input::Reading;
use treeproof_search::{Cells, Constraint, Points, Value};

use super::cells::{AxisCells, CellValues};
use super::compiled::Compiled;
use super::rules::{Doubt, JointConstraint};

/// So many points are remembered.
const MOST_REMEMBERED: usize = 1 << 12;

/// The values of a feature in a region.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct RegionValues {
    /// The least and the greatest number; not every number between them need be in the region. None if it has none.
    pub numbers: Option<(f64, f64)>,
    /// The categories, by code, ascending.
    pub codes: Vec<u32>,
    /// Whether it may be a value that is no category.
    pub unknown: bool,
    /// Whether it may be missing.
    pub missing: bool,
}

impl RegionValues {
    /// Takes in numbers between two.
    pub(crate) fn add_numbers(&mut self, low: f64, high: f64) {
        self.numbers = Some(self.numbers.map_or((low, high), |(least, most)| (least.min(low), most.max(high))));
    }

    /// The region of one input.
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
/// *Soundness.* It must say `false` only of regions in which no input is allowed, and the same whenever it is asked. Of a region
/// that is one input it has the last word. It need not be exact elsewhere: the sooner it says `false`, the sooner a search
/// ends. Where it does not say `false` of a region that no tree parts, and none of the inputs tried there is allowed, the
/// answer stays open: the bounds count such regions, and nothing is claimed of them.
pub trait Predicate: Debug + Send + Sync {
    /// Whether some input of a region may be allowed. The region has the values of each feature, in the model's order.
    fn may_hold(&self, region: &[RegionValues]) -> bool;
}

/// A row for each model, in order.
type ModelRows = Vec<Vec<f64>>;

/// A condition that is code, on one input, by the features of the first model.
#[derive(Debug)]
pub(super) struct PredicateConstraint {
    predicate: Arc<dyn Predicate>,
    ensemble: Arc<Ensemble>,
    /// How many features each model has.
    widths: Vec<usize>,
    axes: Arc<Vec<AxisCells>>,
    untested: Arc<Vec<AxisCells>>,
    joints: Vec<Arc<JointConstraint>>,
    /// Points none of whose tried inputs is allowed, though others may be.
    doubt: Doubt,
    /// The inputs of points, where one is allowed.
    decided: Mutex<HashMap<Vec<u32>, Option<ModelRows>>>,
}

impl Compiled {
    /// Adds a condition that is code, about the features of the first model.
    ///
    /// # Panics
    /// Unless the question is about one input, and nothing else ties it.
    pub(crate) fn add_predicate(&mut self, predicate: Arc<dyn Predicate>, ensemble: Arc<Ensemble>) {
        assert!(self.num_inputs == 1 && self.nearby.is_none(), "one input");
        let constraint = Arc::new(PredicateConstraint {
            predicate,
            ensemble,
            widths: self.widths.clone(),
            axes: Arc::clone(&self.axes),
            untested: Arc::clone(&self.untested),
            joints: self.joints.clone(),
            doubt: Doubt::new(&self.problem),
            decided: Mutex::default(),
        });
        self.problem.constraints.push(Arc::clone(&constraint) as Arc<dyn Constraint>);
        self.predicate = Some(constraint);
    }
}

impl PredicateConstraint {
    /// What the best point is worth of which it is not known whether it counts.
    pub(super) fn most_in_doubt(&self) -> Option<Value> {
        self.doubt.most()
    }

    /// An allowed input in the cells of a point, if one was found.
    pub(super) fn rows(&self, point: &[u32]) -> Option<ModelRows> {
        let known = || self.decided.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(rows) = known().get(point) {
            return rows.clone();
        }
        let rows = self.find(point);
        let mut known = known();
        if known.len() < MOST_REMEMBERED {
            known.insert(point.to_vec(), rows.clone());
        }
        rows
    }

    fn find(&self, point: &[u32]) -> Option<ModelRows> {
        let cells = |cell: u32, axis: &AxisCells| match cell.checked_sub(axis.shape().ordered) {
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
        // What conditions on sums want of values is not known at other places of a cell.
        let ends: &[CellSample] = if self.joints.is_empty() { &[CellSample::Least, CellSample::Greatest] } else { &[] };
        let rows =
            std::iter::once(CellSample::Liked).chain(ends.iter().copied()).map(|place| self.rows_at(point, place));
        let found = rows.into_iter().find(is_allowed);
        if found.is_none() {
            self.doubt.add(point);
        }
        found
    }

    /// The input at a place of the cells of a point.
    fn rows_at(&self, point: &[u32], place: CellSample) -> ModelRows {
        let mut rows: ModelRows = self.widths.iter().map(|width| vec![f64::NAN; *width]).collect();
        let raws = |axis: &AxisCells, cell: u32| {
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

/// A place in a cell.
#[derive(Clone, Copy)]
enum CellSample {
    /// Where people like numbers.
    Liked,
    Least,
    Greatest,
}

/// Takes the values in some cells of an axis into a region, if the first model looks at it.
fn add(region: &mut [RegionValues], axis: &AxisCells, cells: &Cells) {
    if axis.readers[0].model != 0 {
        return;
    }
    // Between the first and the last of ordered cells lie the others.
    let ends = cells.ordered.clone().next().into_iter().chain(cells.ordered.clone().next_back());
    let special = cells.special.iter().map(|special| axis.shape().ordered + special);
    for cell in ends.chain(special) {
        match axis.contents(cell) {
            CellValues::Numbers(ranges) => {
                let values = &mut region[axis.feature()];
                ranges.into_iter().for_each(|(low, high)| values.add_numbers(low, high));
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
