//! Sets of points that are known not to reach the goal.
//!
//! A library's sum depends on the leaves alone. Once it has been computed for a point, it is known for all points whose
//! nearest inputs reach the same leaves of the trees that matter: a box of cells, which need not be searched again.

use std::ops::Range;
use std::sync::RwLock;

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::input::Reading;
use treeproof_ensemble::tree::{Node, Split, Tree};
use treeproof_search::Points;

use crate::problem::NearestValues;

/// Limit on the boxes remembered for a case.
const MOST_BOXES: usize = 1 << 10;

/// Per case the boxes in which it leads nowhere.
#[derive(Debug)]
pub(super) struct Refuted {
    cases: Vec<RwLock<Vec<CellBox>>>,
}

/// Points that have one of some cells on each of these axes.
#[derive(Debug)]
struct CellBox(Vec<BoxCells>);

/// Cells of an axis: of the ordered ones a range, of the special ones any.
#[derive(Debug)]
struct BoxCells {
    axis: usize,
    num_ordered: u32,
    ordered: Range<u32>,
    special: Vec<bool>,
}

impl Refuted {
    /// No boxes yet.
    pub(super) fn new(num_cases: usize) -> Self {
        Self { cases: (0..num_cases).map(|_| RwLock::default()).collect() }
    }

    /// True if a case is known to lead nowhere at a point.
    pub(super) fn is_known(&self, case: usize, point: &[u32]) -> bool {
        self.boxes(case).iter().any(|known| known.contains(point))
    }

    /// Removes cells all of whose points are known not to reach the goal by their case.
    pub(super) fn narrow(&self, points: &mut Points<'_>) {
        for known in self.boxes(points.case()).iter() {
            let mut outside = known.0.iter().filter(|side| !side.covers(points));
            match (outside.next(), outside.next()) {
                (None, _) => return points.clear(),
                (Some(only), None) => points.retain(only.axis, |cell| !only.has(cell)),
                _ => {}
            }
        }
    }

    /// The cut along the border of a box that has one of the points.
    pub(super) fn parting(&self, points: &Points<'_>, point: &[u32]) -> Option<(usize, u32)> {
        let boxes = self.boxes(points.case());
        let known = boxes.iter().find(|known| known.contains(point))?;
        let side = known.0.iter().find(|side| !side.covers(points))?;
        let is_below = points.ordered(side.axis).start < side.ordered.start;
        Some((side.axis, if is_below { side.ordered.start } else { side.ordered.end }))
    }

    /// Remembers that a case leads nowhere at all points whose nearest inputs reach the same leaves as the one of this point, in
    /// all trees that add to some of these sums.
    pub(super) fn learn(
        &self,
        case: usize,
        ensemble: &Ensemble,
        nearby: &NearestValues,
        point: &[u32],
        sums: &[usize],
    ) {
        let mut boxes = self.cases[case].write().expect("no thread panics while it holds this");
        if boxes.len() < MOST_BOXES {
            boxes.push(CellBox::of_leaves(ensemble, nearby, point, sums));
        }
    }

    fn boxes(&self, case: usize) -> impl std::ops::Deref<Target = Vec<CellBox>> + '_ {
        self.cases[case].read().expect("no thread panics while it holds this")
    }
}

impl CellBox {
    fn of_leaves(ensemble: &Ensemble, nearby: &NearestValues, point: &[u32], sums: &[usize]) -> Self {
        let read = |axis: usize, cell: u32, feature: u32| {
            let raw = nearby.value(axis, cell, feature as usize);
            let read = ensemble.input().read(&ensemble.features()[feature as usize], raw);
            read.expect("cells have values that are accepted")
        };
        let axis_of = nearby.axes_of_features();
        let own: Vec<Reading> = ensemble.read(&nearby.row(point)).expect("cells have values that are accepted");
        let mut sides: Vec<Option<BoxCells>> = point.iter().map(|_| None).collect();
        let matters = |tree: &&Tree| tree.all_terms().iter().any(|term| sums.contains(&(term.output as usize)));
        for tree in ensemble.trees().iter().filter(matters) {
            let mut node = tree.root();
            while let Node::Split(index) = node {
                let split: &Split = &tree.splits()[index];
                let taken = tree.side(split, own[split.feature as usize]);
                node = split.child(taken).node();
                let Some(axis) = axis_of[split.feature as usize] else { continue };
                let side = sides[axis].get_or_insert_with(|| BoxCells::all(axis, nearby));
                side.keep(point[axis], |cell| tree.side(split, read(axis, cell, split.feature)) == taken);
            }
        }
        Self(sides.into_iter().flatten().collect())
    }

    fn contains(&self, point: &[u32]) -> bool {
        self.0.iter().all(|side| side.has(point[side.axis]))
    }
}

impl BoxCells {
    fn all(axis: usize, nearby: &NearestValues) -> Self {
        let (num_ordered, num_special) = nearby.num_cells(axis);
        Self { axis, num_ordered, ordered: 0..num_ordered, special: vec![true; num_special] }
    }

    /// Leaves those for which this is true: of ordered cells those around a cell, without a gap.
    fn keep(&mut self, around: u32, keep: impl Fn(u32) -> bool) {
        if around < self.num_ordered {
            let gap_below = (self.ordered.start..around).rev().find(|cell| !keep(*cell));
            let gap_above = (around..self.ordered.end).find(|cell| !keep(*cell));
            self.ordered = gap_below.map_or(self.ordered.start, |gap| gap + 1)..gap_above.unwrap_or(self.ordered.end);
        } else {
            self.ordered = 0..0;
        }
        for (cell, has) in (self.num_ordered..).zip(&mut self.special) {
            *has &= keep(cell);
        }
    }

    fn has(&self, cell: u32) -> bool {
        match cell.checked_sub(self.num_ordered) {
            Some(special) => self.special[special as usize],
            None => self.ordered.contains(&cell),
        }
    }

    /// True if all points have a cell of these.
    fn covers(&self, points: &Points<'_>) -> bool {
        let ordered = points.ordered(self.axis);
        let is_within = ordered.is_empty() || (self.ordered.start <= ordered.start && ordered.end <= self.ordered.end);
        is_within && (self.special.is_empty() || points.special(self.axis).all(|cell| self.has(cell)))
    }
}
