//! CutAxes pass: coordinates are cut into cells at the reachable splits.

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::input::Reading;
use treeproof_ensemble::tree::Test;
use treeproof_search::{Abandoned, Node, Problem, Stop, proceed};

use super::ball::Ball;
use super::cells::{AxisPartition, CutPoints, raw_cut};
use super::form::Form;
use super::one_or_two::OneOrTwo;
use super::position;
use super::reachable::ReachableByInput;
use super::relevant_trees::{RelevantTree, RelevantTrees};
use super::rename::{Coordinate, CoordinateColumn, Renamed};
use super::rules::{self, Desugared, ReferenceRow};

/// The axes of a problem, and the coordinates that are none.
pub(super) struct CutAxes {
    pub(super) axes: Vec<AxisPartition>,
    pub(super) untested: Vec<AxisPartition>,
    /// For each coordinate its axis, if it has one.
    pub(super) axis_of: Vec<usize>,
}

impl Form<'_> {
    /// The cells of every coordinate that some tree or constraint tests, and of the others. `None` if one has no cells.
    pub(super) fn cut(
        &self,
        (renamed, reachable): (&Renamed<'_>, &ReachableByInput<'_>),
        all: &[&RelevantTrees],
        ball: Option<&Ball>,
        (conditions, is_valued): (&[Desugared], &[bool]),
        reference: Option<ReferenceRow<'_>>,
        stop: &dyn Stop,
    ) -> Result<Option<CutAxes>, Abandoned> {
        let unused = |coordinate: &Coordinate<'_>| coordinate.readers.map(|_| CutPoints::default());
        let mut uses: Vec<OneOrTwo<CutPoints>> = renamed.coordinates.iter().map(unused).collect();
        let mut is_tested = vec![false; uses.len()];
        let is_seen = |model: &&Ensemble| vec![vec![false; model.trees().len()]; self.space.inputs.len()];
        let mut seen: Vec<Vec<Vec<bool>>> = self.models.iter().map(is_seen).collect();
        for RelevantTree { model, index, inputs, .. } in all.iter().flat_map(|looked| &looked.trees) {
            proceed(stop)?;
            for input in inputs.clone() {
                if std::mem::replace(&mut seen[*model][input][*index], true) {
                    continue;
                }
                let (model, tree) = (*model, &self.models[*model].trees()[*index]);
                reachable[model][input].splits(tree, |split| {
                    let CoordinateColumn { coordinate, reader } = renamed.places(input, model)[split.feature as usize];
                    is_tested[coordinate] = true;
                    let of_reader = &mut uses[coordinate][reader];
                    of_reader.has_zero_rule |= split.zero.is_some();
                    match split.test {
                        Test::Below(threshold) => of_reader.cuts.push(threshold),
                        Test::OneOf(set) => of_reader.values.extend_from_slice(tree.value_set(set)),
                        Test::InSet(set) => of_reader.sets.push(tree.category_set(set).to_vec()),
                        Test::Present => {}
                    }
                });
            }
        }
        // Order needs both coordinates even where no tree tests them.
        for (first, second) in &renamed.ordered {
            (is_tested[*first], is_tested[*second]) = (true, true);
        }
        for coordinates in renamed.coupled.iter().filter(|_| ball.is_some()) {
            coordinates.iter().for_each(|coordinate| is_tested[*coordinate] = true);
        }
        if let Some(ball) = ball {
            mark_reaches(ball, renamed, &mut uses);
        }
        for condition in conditions {
            condition.see(&mut |CoordinateColumn { coordinate, reader }, values| {
                is_tested[coordinate] = true;
                uses[coordinate][reader].part(values);
            });
        }
        for (coordinate, _) in is_valued.iter().enumerate().filter(|(_, is_valued)| **is_valued) {
            // Numbers in sums and comparisons are finite.
            uses[coordinate][0].part(&rules::finite());
            let feature = renamed.coordinates[coordinate].readers[0].index;
            if let Some(reference) = reference
                && let Reading::Number(_) = reference.readings[feature]
            {
                // Numbers on either side of the row's own are told apart: from there on distances grow.
                uses[coordinate][0].part(&rules::number(reference.row[feature]));
            }
        }
        let num_tested = is_tested.iter().filter(|is_tested| **is_tested).count();
        let (axes, untested) = (Vec::with_capacity(num_tested), Vec::with_capacity(uses.len() - num_tested));
        let mut cut = CutAxes { axes, untested, axis_of: vec![usize::MAX; uses.len()] };
        for (place, (coordinate, uses)) in renamed.coordinates.iter().zip(uses).enumerate() {
            proceed(stop)?;
            let cells = AxisPartition::new(coordinate, uses);
            if cells.shape().num_cells() == 0 {
                return Ok(None);
            }
            if is_tested[place] {
                cut.axis_of[place] = cut.axes.len();
                cut.axes.push(cells);
            } else {
                cut.untested.push(cells);
            }
        }
        Ok(Some(cut))
    }
}

impl CutAxes {
    /// Drops axes on which no tree of a problem splits, and that nothing else needs.
    pub(super) fn drop_unused(&mut self, problem: &mut Problem, is_needed: &[bool]) {
        let mut is_used = vec![false; self.axes.len()];
        for (axis, is_needed) in self.axis_of.iter().zip(is_needed).filter(|(axis, _)| **axis < usize::MAX) {
            is_used[*axis] |= is_needed;
        }
        let splits = |problem: &mut Problem, see: &mut dyn FnMut(&mut u32)| {
            let channels = problem.cases.iter_mut().flat_map(|case| &mut case.channels);
            for node in channels.flat_map(|channel| &mut channel.trees).flat_map(|tree| &mut tree.nodes) {
                if let Node::Split(split) = node {
                    see(&mut split.axis);
                }
            }
        };
        splits(problem, &mut |axis| is_used[*axis as usize] = true);
        if is_used.iter().all(|is_used| *is_used) {
            return;
        }
        let mut places = vec![usize::MAX; self.axes.len()];
        for (axis, (cells, is_used)) in std::mem::take(&mut self.axes).into_iter().zip(&is_used).enumerate() {
            if *is_used {
                places[axis] = self.axes.len();
                self.axes.push(cells);
            } else {
                self.untested.push(cells);
            }
        }
        splits(problem, &mut |axis| *axis = position(places[*axis as usize]));
        problem.axes = self.axes.iter().map(AxisPartition::shape).collect();
        self.axis_of.iter_mut().filter(|axis| **axis < usize::MAX).for_each(|axis| *axis = places[*axis]);
    }
}

/// Cuts coupled coordinates at the reach of the ball from every cut: the reach of one input ends there for the other.
fn mark_reaches(ball: &Ball, renamed: &Renamed<'_>, uses: &mut [OneOrTwo<CutPoints>]) {
    for coordinates in &renamed.coupled {
        let coordinate = &renamed.coordinates[coordinates[0]];
        let reader = &coordinate.readers[0];
        let reach = ball.reach(reader.index).filter(|_| coordinate.choices.is_none());
        let Some(reach) = reach else { continue };
        let thresholds = coordinates.iter().flat_map(|coordinate| &uses[*coordinate][0].cuts);
        let cuts = thresholds.filter_map(|threshold| raw_cut(reader.ensemble.input(), *threshold));
        let marks: Vec<f64> = cuts.flat_map(|cut| [cut - reach, cut + reach]).filter(|mark| mark.is_finite()).collect();
        coordinates.iter().for_each(|coordinate| uses[*coordinate][0].marks.extend(&marks));
    }
}
