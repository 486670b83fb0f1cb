//! The axes that splits on the way to a node have narrowed.

use treeproof_search::{Axis, Cells, Split};

/// The axes narrowed by the splits on the way, with the cells that are left.
#[derive(Clone, Default)]
pub(super) struct NarrowedAxes(Vec<(u32, Cells)>);

impl NarrowedAxes {
    pub(super) fn cells(&self, axes: &[Axis], axis: u32) -> Cells {
        let known = self.0.iter().find(|(known, _)| *known == axis).map(|(_, cells)| cells.clone());
        known.unwrap_or_else(|| {
            let Axis { ordered, special } = axes[axis as usize];
            Cells { ordered: 0..ordered, special: (0..special).collect() }
        })
    }

    /// The cells on both sides of a split; `None` if one has none.
    pub(super) fn sides(&self, axes: &[Axis], split: &Split) -> [Option<Cells>; 2] {
        let Cells { ordered, special } = self.cells(axes, split.axis);
        let cut = split.cut.clamp(ordered.start, ordered.end);
        let (left, right) = special.into_iter().partition(|cell| split.special_left.binary_search(cell).is_ok());
        let sides =
            [Cells { ordered: ordered.start..cut, special: left }, Cells { ordered: cut..ordered.end, special: right }];
        sides.map(|cells| Some(cells).filter(|cells| !cells.ordered.is_empty() || !cells.special.is_empty()))
    }

    /// The cells on one side of a split, possibly none.
    pub(super) fn part(&self, axes: &[Axis], split: &Split, is_left: bool) -> Cells {
        let [left, right] = self.sides(axes, split);
        (if is_left { left } else { right }).unwrap_or(Cells { ordered: 0..0, special: vec![] })
    }

    /// True if an axis was narrowed.
    pub(super) fn has(&self, axis: u32) -> bool {
        self.0.iter().any(|(known, _)| *known == axis)
    }

    /// Each of these axes, with the cells that are left of it.
    pub(super) fn narrowed(&self) -> impl Iterator<Item = (u32, &Cells)> {
        self.0.iter().map(|(axis, cells)| (*axis, cells))
    }

    pub(super) fn keep(&mut self, axis: u32, cells: Cells) {
        match self.0.iter_mut().find(|(known, _)| *known == axis) {
            Some((_, known)) => *known = cells,
            None => self.0.push((axis, cells)),
        }
    }
}
