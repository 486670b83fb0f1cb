//! The trees of a channel behind one interface: bit masks where they fit, walks where they would not.

use crate::evaluate::{Aim, Evaluation, Layout};
use crate::masks::Masks;
use crate::problem::{Channel, Value};
use crate::region::{Cut, Place, Region, Space};
use crate::walk::Walk;

/// The trees of a channel, ready for evaluation.
#[derive(Debug)]
pub(crate) enum Trees {
    /// Fast, but as large as leaves times boundaries.
    Bits(Box<Masks>),
    /// Slow, but no larger than the trees.
    Walk(Walk),
}

impl Trees {
    /// Chooses masks if they take at most `max_bytes`.
    pub(crate) fn new(space: &Space, channel: &Channel, max_bytes: usize) -> Self {
        if Masks::bytes(space, channel) <= max_bytes {
            Self::Bits(Box::new(Masks::new(space, channel)))
        } else {
            Self::Walk(Walk::new(channel))
        }
    }

    pub(crate) fn masks(&self) -> Option<&Masks> {
        match self {
            Self::Bits(masks) => Some(masks),
            Self::Walk(_) => None,
        }
    }

    /// The sum at a point.
    pub(crate) fn value_at(&self, space: &Space, point: &[u32]) -> Value {
        match self {
            Self::Bits(masks) => masks.value_at(space, point, masks.full()),
            Self::Walk(walk) => walk.value_at(space, point),
        }
    }

    /// The sum at a point of the region that was evaluated.
    pub(crate) fn value_within(&self, space: &Space, point: &[u32], evaluation: &Evaluation) -> Value {
        match self {
            Self::Bits(masks) => masks.value_at(space, point, &evaluation.reach),
            Self::Walk(walk) => walk.value_at(space, point),
        }
    }

    /// Evaluates a region that has points. What cannot beat the incumbent need not be known exactly.
    pub(crate) fn evaluate(
        &self,
        space: &Space,
        layout: &Layout,
        region: &Region,
        aim: Aim<'_>,
        evaluation: &mut Evaluation,
    ) {
        match self {
            Self::Bits(masks) => evaluation.evaluate(space, layout, masks, region, aim),
            Self::Walk(walk) => evaluation.evaluate_walk(space, layout, walk, region, aim),
        }
    }

    /// Evaluates the region again after it has shrunk. Returns false if that changes nothing.
    pub(crate) fn evaluate_again(
        &self,
        space: &Space,
        layout: &Layout,
        region: &Region,
        aim: Aim<'_>,
        evaluation: &mut Evaluation,
    ) -> bool {
        match self {
            Self::Bits(masks) => evaluation.evaluate_again(space, layout, masks, region, aim),
            Self::Walk(walk) => {
                evaluation.evaluate_walk(space, layout, walk, region, aim);
                true
            }
        }
    }

    /// The bytes that were taken since the trees were compiled.
    pub(crate) fn grown_bytes(&self) -> usize {
        self.masks().map_or(0, Masks::row_bytes)
    }

    /// What an evaluation costs, in a unit that is the same on every machine.
    pub(crate) fn work(&self, space: &Space) -> u64 {
        match self {
            Self::Bits(masks) => (masks.full().len() * space.axes.len()) as u64,
            Self::Walk(walk) => walk.num_nodes() as u64,
        }
    }

    /// A cut between a point and the best leaf of a tree that does not have it; `None` if all best leaves have it.
    pub(crate) fn conflict(&self, space: &Space, region: &Region, best: &[u32], point: &[u32]) -> Option<Cut> {
        match self {
            Self::Bits(masks) => masks.conflict(space, region, best, point),
            Self::Walk(walk) => walk.conflict(space, region, best, point),
        }
    }
}

/// The cut that parts a cell from the leaf behind a boundary of its axis.
pub(crate) fn parting(space: &Space, region: &Region, axis: u32, cell: u32, boundary: u32) -> Cut {
    let ordered = space.axes[axis as usize].ordered;
    let place = if cell >= ordered {
        Place::Special(cell - ordered)
    } else if space.is_mixed(region, axis as usize) {
        Place::Ordered
    } else {
        Place::Below(boundary)
    };
    Cut { axis, place }
}
