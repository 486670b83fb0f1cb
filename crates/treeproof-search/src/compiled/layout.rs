//! The places at which the falls of each axis are added up: its cuts, then its choices.

use crate::grid::Space;

/// The offsets of each axis's numbers.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// The first of an axis's places: its cuts, then its choices.
    pub(crate) first_place: Vec<u32>,
    /// The first word of the bits that say at which cuts something is lost.
    pub(crate) first_event: Vec<u32>,
    pub(crate) num_places: usize,
    pub(crate) num_events: usize,
}

impl Layout {
    pub(crate) fn new(space: &Space) -> Self {
        let (mut first_place, mut first_event) = (vec![], vec![]);
        let (mut places, mut events) = (0, 0);
        for axis in &space.axes {
            first_place.push(places);
            first_event.push(events);
            places += axis.ordered + 1 + axis.special + 1;
            events += axis.ordered / 64 + 1;
        }
        Self { first_place, first_event, num_places: places as usize, num_events: events as usize }
    }
}
