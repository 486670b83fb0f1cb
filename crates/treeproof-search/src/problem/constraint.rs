//! Conditions on points that neither trees nor budgets can state.
//!
//! A condition is code: it removes cells from a set of points while the search goes on, and has the last word on a point, the
//! same whenever it is asked. What it removes may become more as it learns.
//!
//! ```
//! use std::sync::Arc;
//! use treeproof_search::{
//!     Axis, Case, Channel, Constraint, Limits, Method, Node, Points, Problem, Search, Split, Tree, Unobserved,
//! };
//!
//! /// The first coordinate is not above the second.
//! #[derive(Debug)]
//! struct InOrder;
//!
//! impl Constraint for InOrder {
//!     fn narrow(&self, points: &mut Points<'_>) {
//!         let (first, second) = (points.ordered(0), points.ordered(1));
//!         points.retain(0, |cell| cell < second.end);
//!         points.retain(1, |cell| cell >= first.start);
//!     }
//!
//!     fn holds(&self, point: &[u32]) -> bool {
//!         point[0] <= point[1]
//!     }
//! }
//!
//! // Every cell of the first coordinate is worth 3 more than the one before, of the second 2 less.
//! let axes = vec![Axis::ordered(4); 2];
//! let step = |axis, cut, value| {
//!     let split = Split { axis, cut, special_left: vec![], left: 1, right: 2 };
//!     Tree { nodes: vec![Node::Split(split), Node::Leaf(0), Node::Leaf(value)] }
//! };
//! let trees = (1..4).flat_map(|cut| [step(0, cut, 3), step(1, cut, -2)]).collect();
//! let cases = vec![Case { channels: vec![Channel { base: 0, trees }] }];
//! let constraints: Vec<Arc<dyn Constraint>> = vec![Arc::new(InOrder)];
//! let problem = Problem { axes, cases, constraints, ..Problem::default() };
//! let mut search = Search::new(&problem);
//! search.run(&Limits::default(), &Unobserved);
//! assert_eq!((search.lower(), search.upper()), (Some(3), Some(3)));
//! assert_eq!(search.solution(), Some(&[3, 3][..]));
//! ```

use std::fmt::Debug;
use std::ops::Range;

use crate::grid::{Axes, Region};
use crate::journal::{Note, Why};

/// A condition on points.
///
/// *Soundness.* A cell may be removed only if no point with that cell, of the points at hand, [holds](Self::holds): what is
/// removed is never looked at again. Removing nothing is always sound: the search parts what is left until only points
/// are, and asks about each that could be a solution. The more is removed, the sooner it ends. Where a problem has several
/// cases, points are looked at in each: it is enough that they remain in one in which no channel is negative.
pub trait Constraint: Debug + Send + Sync {
    /// Removes cells that no point has for which the condition holds.
    fn narrow(&self, points: &mut Points<'_>);

    /// True if the condition sees more than cells show; a journal then records the points that it leaves nothing of.
    /// Default false.
    fn sees_values(&self) -> bool {
        false
    }

    /// True if the condition only selects solutions in the end; climbing may then lead over points that violate it.
    /// Default false.
    fn is_about_solutions(&self) -> bool {
        false
    }

    /// Moves a point for which the condition does not hold to one near it for which it does, if that is easily said: a search
    /// that only guesses may hardly ever meet the condition. By default nothing is moved. What is found so is checked as any
    /// other point.
    fn repair(&self, _point: &mut [u32]) {}

    /// True if a point, one cell per axis, meets the condition; where cells stand for many inputs, if one of them
    /// does.
    fn holds(&self, point: &[u32]) -> bool;

    /// A cut of these points, one of which violates the condition: an axis on which they have several cells, and the
    /// first ordered cell of the second part. Both parts must have cells, unless there are special ones on the axis:
    /// then the cell of the point, if it is special, is parted from all others, or the ordered ones from those. By
    /// default the search chooses.
    fn parting(&self, _points: &Points<'_>, _point: &[u32]) -> Option<(usize, u32)> {
        None
    }
}

/// A set of points: all combinations of some cells of every axis.
#[derive(Debug)]
pub struct Points<'r> {
    space: &'r Axes,
    region: &'r mut Region,
    case: usize,
    /// True if cells were removed.
    pub(crate) has_changed: bool,
    /// The number of the constraint and the cells kept by every change, for a journal.
    notes: Option<(u32, Vec<Note>)>,
}

impl<'r> Points<'r> {
    /// The points of a region; what is kept of them is recorded if the number of the constraint is given.
    pub(crate) fn new(space: &'r Axes, region: &'r mut Region, case: usize, recorded: Option<u32>) -> Self {
        let notes = recorded.map(|constraint| (constraint, vec![]));
        Self { space, region, case, has_changed: false, notes }
    }

    /// The recorded changes, in order.
    pub(crate) fn into_notes(self) -> Vec<Note> {
        self.notes.map(|(_, notes)| notes).unwrap_or_default()
    }

    /// The case in which they are looked at.
    pub fn case(&self) -> usize {
        self.case
    }

    /// The number of axes.
    pub fn num_axes(&self) -> usize {
        self.space.axes.len()
    }

    /// The ordered cells of an axis, which may be none.
    pub fn ordered(&self, axis: usize) -> Range<u32> {
        self.region.ordered(axis)
    }

    /// The special cells of an axis, ascending; as in a point they are counted from the last ordered one on.
    pub fn special(&self, axis: usize) -> impl Iterator<Item = u32> {
        let ordered = self.space.axes[axis].ordered;
        self.space.special_cells(self.region, axis).map(move |cell| ordered + cell)
    }

    /// All cells of an axis.
    pub fn cells(&self, axis: usize) -> impl Iterator<Item = u32> {
        self.ordered(axis).chain(self.special(axis))
    }

    /// Removes the cells of an axis that are not to be kept. Of ordered cells only those at the ends go, so some that are not to
    /// be kept may remain.
    pub fn retain(&mut self, axis: usize, keep: impl Fn(u32) -> bool) {
        if self.space.retain(self.region, axis, keep) {
            self.has_changed = true;
            if let Some((constraint, notes)) = &mut self.notes {
                notes.push(Note::kept(self.space, self.region, axis, Why::Constraint(*constraint)));
            }
        }
    }

    /// Removes all points.
    pub fn clear(&mut self) {
        (0..self.space.axes.len()).for_each(|axis| self.retain(axis, |_| false));
    }

    /// True if there is no point left.
    pub fn is_empty(&self) -> bool {
        self.space.is_empty(self.region)
    }
}
