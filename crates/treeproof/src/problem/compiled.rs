//! A compiled question, and the way back: from points to rows, and from values to numbers.

use std::collections::BTreeMap;
use std::sync::Arc;

use treeproof_ensemble::exact::Exact;
use treeproof_proof::header::{Bundled, LedgerKind};
use treeproof_search::MAX_MAGNITUDE;
use treeproof_search::{Cells, Problem, Value};

use super::ball::Coupling;
use super::cells::AxisCells;
use super::configuration_values::ConfigurationValues;
use super::exclude;
use super::form::InputRows;
use super::nearest_values::NearestValues;
use super::one_or_two::OneOrTwo;
use super::predicate::PredicateConstraint;
use super::rules::JointConstraint;
use super::units::ValueUnits;

/// A compiled question.
#[derive(Debug)]
pub struct Compiled {
    /// What the search sees.
    pub problem: Problem,
    pub(super) axes: Arc<Vec<AxisCells>>,
    /// The coordinates that no tree of the problem looks at.
    pub(super) untested: Arc<Vec<AxisCells>>,
    /// What raw values must meet beside their cells.
    pub(super) joints: Vec<Arc<JointConstraint>>,
    /// Of two inputs that are not far apart: which values are near enough.
    pub(super) coupling: Option<Arc<Coupling>>,
    /// Of one input that starts from a row: its values nearest to the row.
    pub(super) nearby: Option<NearestValues>,
    /// The axes, first and second, of which the second must not be below the first.
    pub(super) ordered: Vec<(usize, usize)>,
    /// Per model its number of features.
    pub(super) widths: Vec<usize>,
    pub(super) num_inputs: usize,
    pub(super) units: ValueUnits,
    pub(super) slack: Value,
    pub(super) least: Value,
    /// By how much points were made worth less, all together.
    pub(super) excluded: Value,
    /// So many trees were added to every channel for that.
    pub(super) num_excluded: usize,
    pub(super) pairing: Pairing,
    /// Per case and channel what its trees are made of.
    pub(super) bundles: Vec<Vec<ChannelBundles>>,
    /// The sets of points that were made worth less.
    pub(super) missed: Vec<Bundled>,
    /// What the budgets of conditions, which come after all others, count: conditions by their places.
    pub(super) counted: Vec<LedgerKind>,
    /// What is asked of code.
    pub(super) predicate: Option<Arc<PredicateConstraint>>,
}

/// What a channel is made of.
#[derive(Clone, Debug, Default)]
pub(super) struct ChannelBundles {
    /// For each of its trees.
    pub(super) trees: Vec<Bundled>,
    /// What makes no difference.
    pub(super) others: Vec<Bundled>,
}

/// What became of the trees that stand at two inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pairing {
    /// Trees that cannot differ between the inputs.
    pub cancelled: usize,
    /// Trees that became one tree of leaf pairs each.
    pub paired: usize,
    /// The leaves of those.
    pub pairs: usize,
    /// Trees with too many pairs, which were kept as two.
    pub apart: usize,
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
                // How far a change goes does not matter.
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
        let mut fill = |axis: &AxisCells, raws: &[f64]| {
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
    pub fn values(&self, cells: &[Cells]) -> Vec<ConfigurationValues> {
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

    /// What is known of each tested feature and each other one, in the order of the features.
    fn in_order<T: Clone>(
        &self,
        tested: impl Iterator<Item = (OneOrTwo<usize>, OneOrTwo<T>)>,
        other: impl Fn(&AxisCells) -> OneOrTwo<T>,
    ) -> Vec<T> {
        let all = tested.chain(self.untested.iter().map(|axis| (axis.features(), other(axis))));
        let mut all: Vec<(usize, T)> =
            all.flat_map(|(features, known)| std::iter::zip(features.to_vec(), known.to_vec())).collect();
        all.sort_by_key(|(feature, _)| *feature);
        all.into_iter().map(|(_, known)| known).collect()
    }

    /// The real number that a value of the problem stands for. No point of the value is worth more.
    pub fn real(&self, value: Value) -> Exact {
        self.units.real(value)
    }

    /// The same, rounded up.
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

    /// The exact number of a point of a value is less than this many units below what the value stands for.
    pub fn slack(&self) -> Value {
        self.slack
    }

    /// Whether a point of a value keeps the order of two inputs.
    pub fn is_in_order(&self, value: Value) -> bool {
        value >= self.least
    }

    /// Whether values stay small enough if points are made worth less by this.
    pub fn can_exclude(&self, by: Value) -> bool {
        self.excluded.saturating_add(by) <= MAX_MAGNITUDE / 8
    }

    /// Makes all points that reach the same leaves as a point worth less by this, so that a search goes past them.
    ///
    /// # Panics
    /// If values would get too large.
    pub fn exclude(&mut self, point: &[u32], by: Value) {
        assert!(self.can_exclude(by), "values would overflow");
        self.excluded += by;
        let (tree, cells) = exclude::exclude(&self.problem, self.num_excluded, point, by);
        self.missed.push(Bundled::Missed(cells));
        self.num_excluded += 1;
        for channel in self.problem.cases.iter_mut().flat_map(|case| &mut case.channels) {
            channel.trees.push(tree.clone());
        }
    }

    /// Where it is not known whether some points meet the conditions: what the best of them is worth. They do not count as
    /// solutions, so no bound below this holds.
    pub fn doubt(&self) -> Option<Value> {
        let of_code = self.predicate.iter().filter_map(|predicate| predicate.most_in_doubt());
        self.joints.iter().filter_map(|joint| joint.most_in_doubt()).chain(of_code).max()
    }

    /// What became of the trees that stand at two inputs, over all channels.
    pub fn pairing(&self) -> Pairing {
        self.pairing
    }
}
