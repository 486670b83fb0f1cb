//! The compiled problem, and the way back: from points to rows, and from values to numbers.

use std::collections::BTreeMap;
use std::sync::Arc;

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::input::Reading;
use treeproof_ensemble::norm::Norm;
use treeproof_language::Groups;
use treeproof_proof::header::{Bundled, LedgerKind};
use treeproof_search::{Abandoned, Cells, Constraint, MAX_MAGNITUDE, Problem, Stop, Value};

use super::ball::Coupling;
use super::cells::{AxisPartition, CutPoints};
use super::domain::Domain;
use super::exclude::{exclude, same_leaves};
use super::features::Features;
use super::form::{Form, InputRows};
use super::lower::{ChannelBundles, Pairing};
use super::metric::Metric;
use super::nearest_values::NearestValues;
use super::one_or_two::OneOrTwo;
use super::predicate::{Predicate, PredicateConstraint};
use super::remembered::Remembered;
use super::rename::Renamed;
use super::rules::{Doubt, JointConstraint, ReferenceRow};
use super::space::Space;
use super::units::ValueUnits;

/// A compiled form.
#[derive(Debug)]
pub struct Compiled {
    /// The problem for the search.
    pub problem: Problem,
    pub(super) axes: Arc<Vec<AxisPartition>>,
    /// The coordinates that no tree of the problem tests.
    pub(super) untested: Arc<Vec<AxisPartition>>,
    /// The conditions on values besides their cells.
    pub(super) joints: Vec<Arc<JointConstraint>>,
    /// The ball between two inputs.
    pub(super) coupling: Option<Arc<Coupling>>,
    /// The nearest values, for one input that starts from a row.
    pub(super) nearby: Option<NearestValues>,
    /// The axes, first and second, of which the second must not be below the first.
    pub(super) ordered: Vec<(usize, usize)>,
    /// Per model its number of features.
    pub(super) widths: Vec<usize>,
    pub(super) num_inputs: usize,
    pub(super) units: ValueUnits,
    pub(super) slack: Value,
    pub(super) least: Value,
    /// Total of the penalties on excluded points.
    pub(super) excluded: Value,
    /// Number of trees added to every channel for that.
    pub(super) num_excluded: usize,
    pub(super) pairing: Pairing,
    /// The model trees of each channel, per case and channel.
    pub(super) bundles: Vec<Vec<ChannelBundles>>,
    /// The sets of points that were excluded.
    pub(super) missed: Vec<Bundled>,
    /// The ledgers of the budgets of conditions, which come after all others: conditions by their places.
    pub(super) counted: Vec<LedgerKind>,
    /// The condition that is code.
    pub(super) predicate: Option<Arc<PredicateConstraint>>,
}

impl Compiled {
    /// A row of raw values in the cells of a point, for questions about one model at one input.
    pub fn row(&self, point: &[u32]) -> Vec<f64> {
        self.rows(point).swap_remove(0).swap_remove(0)
    }

    /// Rows of raw values in the cells of a point.
    pub fn rows(&self, point: &[u32]) -> InputRows {
        if let Some(rows) = self.predicate.as_ref().and_then(|predicate| predicate.rows(point)) {
            return vec![rows];
        }
        if let Some(nearby) = &self.nearby {
            let mut row = nearby.row(point);
            for (place, (axis, cell)) in self.axes.iter().zip(point).enumerate() {
                // The size of a change does not matter.
                if nearby.is_change(place, *cell) {
                    axis.readers
                        .iter()
                        .zip(axis.raws(*cell).iter())
                        .for_each(|(reader, raw)| row[reader.feature] = *raw);
                }
            }
            for (axis, raw) in self.joints.iter().flat_map(|joint| joint.values(point).found()) {
                row[self.axes[axis].feature()] = raw;
            }
            return vec![vec![row]];
        }
        let mut rows =
            vec![self.widths.iter().map(|width| vec![f64::NAN; *width]).collect::<Vec<_>>(); self.num_inputs];
        let mut fill = |axis: &AxisPartition, raws: &[f64]| {
            for input in axis.inputs.clone() {
                for (reader, raw) in axis.readers.iter().zip(raws) {
                    rows[input][reader.model][reader.feature] = *raw;
                }
            }
        };
        // Without splits a coordinate has one cell, or several special ones: the first will do.
        self.untested.iter().for_each(|axis| fill(axis, &axis.raws(0)));
        self.axes.iter().zip(point).for_each(|(axis, cell)| fill(axis, &axis.raws(*cell)));
        let met: BTreeMap<usize, f64> = self.joints.iter().flat_map(|joint| joint.values(point).found()).collect();
        for (axes, raws) in self.coupling.iter().flat_map(|coupling| coupling.realise(point, &self.axes, &met)) {
            axes.into_iter().zip(raws).for_each(|(axis, raw)| fill(&self.axes[axis], &[raw]));
        }
        for (first, second) in &self.ordered {
            let [one, other] = [first, second].map(|axis| (&self.axes[*axis], point[*axis]));
            let (raw, next) = (one.0.raws(one.1)[0], other.0.raws(other.1)[0]);
            // The cells have numbers in order, but these are not.
            if raw > next
                && let (Some((least, _)), Some((_, greatest))) = (one.0.ends(one.1), other.0.ends(other.1))
            {
                fill(one.0, &one.0.readers.map(|_| least));
                fill(other.0, &other.0.readers.map(|_| greatest));
            }
        }
        met.iter().for_each(|(axis, raw)| fill(&self.axes[*axis], &self.axes[*axis].readers.map(|_| *raw)));
        rows
    }

    /// The values of every feature in a configuration.
    pub fn values(&self, cells: &[Cells]) -> Vec<Domain> {
        let tested = self.axes.iter().zip(cells).map(|(axis, cells)| (axis.features(), axis.values(cells)));
        self.in_order(tested, |axis| axis.values(&axis.all()))
    }

    /// Two opposite corners of a configuration: rows of the least and of the greatest values of every feature.
    pub fn corners(&self, cells: &[Cells]) -> [Vec<f64>; 2] {
        [false, true].map(|is_last| {
            let tested =
                self.axes.iter().zip(cells).map(|(axis, cells)| (axis.features(), axis.corner(cells, is_last)));
            self.in_order(tested, |axis| axis.corner(&axis.all(), is_last))
        })
    }

    /// One item for each tested feature and each other one, in the order of the features.
    fn in_order<T: Clone>(
        &self,
        tested: impl Iterator<Item = (OneOrTwo<usize>, OneOrTwo<T>)>,
        other: impl Fn(&AxisPartition) -> OneOrTwo<T>,
    ) -> Vec<T> {
        by_feature(tested.chain(self.untested.iter().map(|axis| (axis.features(), other(axis)))))
    }

    /// The real number that a value of the problem stands for. No point of the value is above it.
    pub fn real(&self, value: Value) -> Exact {
        self.units.real(value)
    }

    /// The real number, rounded up to a double.
    pub fn upper(&self, value: Value) -> f64 {
        self.real(value).ceil_f64()
    }

    /// The least value that stands for more than a number; [`Value::MAX`] if none does.
    pub fn least_above(&self, number: &Exact) -> Value {
        let (mut below, mut above) = (-MAX_MAGNITUDE - 1, MAX_MAGNITUDE + 1);
        while above - below > 1 {
            let middle = below + (above - below) / 2;
            if self.real(middle) > *number { above = middle } else { below = middle }
        }
        if above > MAX_MAGNITUDE { Value::MAX } else { above }
    }

    /// The least value that stands for a number or more; [`Value::MAX`] if none does.
    pub fn least_at_least(&self, number: &Exact) -> Value {
        let above = self.least_above(number);
        let before = if above == Value::MAX { MAX_MAGNITUDE } else { above - 1 };
        if self.real(before) == *number { before } else { above }
    }

    /// The rounding slack: the exact number of a point is less than this many units below what its value stands for.
    pub fn slack(&self) -> Value {
        self.slack
    }

    /// True if a point of a value keeps the order of two inputs.
    pub fn is_in_order(&self, value: Value) -> bool {
        value >= self.least
    }

    /// True if values stay small enough after another penalty.
    pub fn can_exclude(&self, by: Value) -> bool {
        self.excluded.saturating_add(by) <= MAX_MAGNITUDE / 8
    }

    /// Penalises all points that reach the same leaves as a point, so that a search goes past them.
    ///
    /// # Panics
    /// If values would get too large.
    pub fn exclude(&mut self, point: &[u32], by: Value) {
        assert!(self.can_exclude(by), "values would overflow");
        self.excluded += by;
        let (tree, cells) = exclude(&self.problem, self.num_excluded, point, by);
        self.missed.push(Bundled::Missed(cells));
        self.num_excluded += 1;
        for channel in self.problem.cases.iter_mut().flat_map(|case| &mut case.channels) {
            channel.trees.push(tree.clone());
        }
    }

    /// Adds a condition that is code, on the features of the first model.
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
            decided: Remembered::default(),
        });
        self.problem.constraints.push(Arc::clone(&constraint) as Arc<dyn Constraint>);
        self.predicate = Some(constraint);
    }

    /// Adds the budget on changed features. Where values matter besides their cells, the row's own value is a cell by itself.
    pub(super) fn start_from(
        &mut self,
        at_most: usize,
        from: ReferenceRow<'_>,
        ensemble: &Ensemble,
        stop: &dyn Stop,
    ) -> Result<(), Abandoned> {
        let metric = Metric::new(Norm::L0, ensemble, &Groups::NONE);
        let cost = |feature: usize, to: f64| -> Exact { metric.cost(ensemble, feature, from.row[feature], to) };
        let nearby = self.nearest_values(from.row, from.readings, &[cost], stop)?;
        self.problem.budgets.push(nearby.at_most(at_most));
        self.nearby = Some(nearby);
        Ok(())
    }

    /// The nearest values to a row. See [`NearestValues::new`].
    pub(crate) fn nearest_values(
        &self,
        row: &[f64],
        readings: &[Reading],
        costs: &[impl Fn(usize, f64) -> Exact],
        stop: &dyn Stop,
    ) -> Result<NearestValues, Abandoned> {
        let joint = self.joints.first().map(Arc::clone);
        NearestValues::new((&self.axes, &self.untested), joint, row, readings, costs, stop)
    }

    /// The cheapest point, by all measures, among those that reach the same leaves as a point in the trees of one case.
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

    /// The best value of a point whose conditions are undecided; `None` if there is none. Such points do not count as
    /// solutions, so no upper bound below this holds.
    pub fn doubt(&self) -> Option<Value> {
        let of_code = self.predicate.iter().filter_map(|predicate| predicate.most_in_doubt());
        self.joints.iter().filter_map(|joint| joint.most_in_doubt()).chain(of_code).max()
    }

    /// Statistics of the trees at two inputs, over all channels.
    pub fn pairing(&self) -> Pairing {
        self.pairing
    }
}

/// The values of every feature in its domain, without any split.
pub(crate) fn unsplit_values(ensemble: &Ensemble, groups: &Groups, domains: &[Domain]) -> Vec<Domain> {
    let space = Space::one(Features::of(ensemble).grouped(groups), domains.to_vec());
    let renamed = Renamed::new(&Form { models: vec![ensemble], space, cases: vec![] });
    by_feature(renamed.coordinates.iter().map(|coordinate| {
        let cells = AxisPartition::new(coordinate, coordinate.readers.map(|_| CutPoints::default()));
        (cells.features(), cells.values(&cells.all()))
    }))
}

/// One item for each feature, in the order of the features.
fn by_feature<T: Clone>(all: impl Iterator<Item = (OneOrTwo<usize>, OneOrTwo<T>)>) -> Vec<T> {
    let mut all: Vec<(usize, T)> =
        all.flat_map(|(features, known)| std::iter::zip(features.to_vec(), known.to_vec())).collect();
    all.sort_by_key(|(feature, _)| *feature);
    all.into_iter().map(|(_, known)| known).collect()
}
