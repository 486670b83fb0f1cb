//! The trees of a channel behind one interface: bit masks where they fit, walks where they would not.

use crate::compiled::{FlatTrees, Masks};
use crate::grid::{Axes, Region, RegionCut};
use crate::method::{Abandoned, Stop};
use crate::problem::Channel;

/// The trees of a channel, ready for evaluation.
#[derive(Debug)]
pub(crate) struct Trees {
    /// The flat form, by which points are evaluated, and regions too where there are no masks.
    pub(crate) flat: FlatTrees,
    /// Fast, but as large as leaves times boundaries.
    masks: Option<Box<Masks>>,
}

impl Trees {
    /// Makes masks if they take at most `max_bytes`.
    pub(crate) fn new(space: &Axes, channel: &Channel, max_bytes: usize, stop: &dyn Stop) -> Result<Self, Abandoned> {
        let fits = Masks::bytes(space, channel) <= max_bytes;
        let masks = if fits { Some(Box::new(Masks::new(space, channel, stop)?)) } else { None };
        Ok(Self { flat: FlatTrees::new(channel, stop)?, masks })
    }

    /// The bit masks, if there are any.
    pub(crate) fn masks(&self) -> Option<&Masks> {
        self.masks.as_deref()
    }

    /// A cut between a point and the best leaf of a tree that does not have it; `None` if all best leaves have it.
    pub(crate) fn conflict(&self, space: &Axes, region: &Region, best: &[u32], point: &[u32]) -> Option<RegionCut> {
        match &self.masks {
            Some(masks) => masks.conflict(space, region, best, point),
            None => self.flat.conflict(space, region, best, point),
        }
    }
}
