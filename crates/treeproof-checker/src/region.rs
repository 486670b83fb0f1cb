//! Boxes of cells: an interval of ordered cells and a set of special ones for each axis.

/// Some cells of an axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellSet {
    /// The first ordered cell.
    pub(crate) low: u32,
    /// The end of the ordered cells.
    pub(crate) high: u32,
    /// The number of ordered cells of the axis; special cells are numbered from there.
    ordered: u32,
    /// The number of cells of the axis.
    total: u32,
    /// A bit for each special cell.
    pub(crate) special: Vec<u64>,
}

/// A box: cells of every axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    pub(crate) axes: Vec<CellSet>,
}

impl CellSet {
    /// All cells of an axis.
    pub fn all(ordered: u32, total: u32) -> Self {
        let ordered = ordered.min(total);
        let mut all = Self { low: 0, high: ordered, ordered, total, special: vec![] };
        all.special = vec![0; (total - ordered).div_ceil(64) as usize];
        (ordered..total).for_each(|cell| all.set_special(cell, true));
        all
    }

    /// Its memory.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<Self>() + size_of_val(&*self.special)
    }

    /// The empty set of the axis.
    #[must_use]
    pub fn none(&self) -> Self {
        Self { low: 0, high: 0, special: vec![0; self.special.len()], ..self.clone() }
    }

    /// The cells of this set in an interval, and these special ones, counted from 0.
    #[must_use]
    pub fn some(&self, (low, high): (u32, u32), special: &[u32]) -> Self {
        let mut some = Self { low: low.max(self.low), high: high.min(self.high), ..self.none() };
        for cell in special.iter().filter_map(|place| self.ordered.checked_add(*place)) {
            if self.has_special(cell) {
                some.set_special(cell, true);
            }
        }
        some
    }

    /// A single cell of the axis.
    #[must_use]
    pub fn one(&self, cell: u32) -> Self {
        let mut one = self.none();
        match cell < self.ordered {
            true => (one.low, one.high) = (cell, cell + 1),
            false => one.set_special(cell, true),
        }
        one
    }

    /// The complement of a subset: below, above, and special cells, each not empty.
    pub fn without(&self, kept: &Self) -> Vec<Self> {
        let special = self.special.iter().zip(&kept.special).map(|(own, kept)| own & !kept).collect();
        let ordered = |low: u32, high: u32| Self { low, high, ..self.none() };
        let [below, above] = match kept.low < kept.high {
            true => [ordered(self.low, kept.low), ordered(kept.high, self.high)],
            false => [ordered(self.low, self.high), self.none()],
        };
        let special = Self { special, ..self.none() };
        [below, above, special].into_iter().filter(|part| !part.is_empty()).collect()
    }

    /// The number of ordered cells of the axis.
    pub fn num_ordered(&self) -> u32 {
        self.ordered
    }

    /// The number of cells of the axis.
    pub fn num_cells(&self) -> u32 {
        self.total
    }

    /// The cells, ascending.
    pub fn cells(&self) -> impl DoubleEndedIterator<Item = u32> + '_ {
        (self.low..self.high).chain(self.special())
    }

    /// The ordered cells.
    pub fn ordered(&self) -> std::ops::Range<u32> {
        self.low..self.high.max(self.low)
    }

    /// The special cells.
    pub fn special(&self) -> impl DoubleEndedIterator<Item = u32> + '_ {
        (self.ordered..self.total).filter(|cell| self.has_special(*cell))
    }

    /// True if a cell is in the set.
    pub fn has(&self, cell: u32) -> bool {
        if cell < self.ordered { self.ordered().contains(&cell) } else { self.has_special(cell) }
    }

    /// True for equal sets of one axis.
    pub fn is_same(&self, other: &Self) -> bool {
        (self.low, self.high) == (other.low, other.high) && self.special.iter().eq(&other.special)
    }

    /// True if another set of the axis is a subset.
    pub fn contains(&self, other: &Self) -> bool {
        let is_within = other.low >= other.high || (self.low <= other.low && other.high <= self.high);
        is_within && self.special.iter().zip(&other.special).all(|(own, other)| other & !own == 0)
    }

    /// True for the empty set.
    pub fn is_empty(&self) -> bool {
        self.low >= self.high && self.special.iter().all(|bits| *bits == 0)
    }

    /// Keeps the special cells for which a predicate holds, and the ordered ones from the first to the last.
    pub fn keep(&mut self, is_kept: impl Fn(u32) -> bool) {
        while self.low < self.high && !is_kept(self.low) {
            self.low += 1;
        }
        while self.low < self.high && !is_kept(self.high - 1) {
            self.high -= 1;
        }
        for cell in self.ordered..self.total {
            if self.has_special(cell) && !is_kept(cell) {
                self.set_special(cell, false);
            }
        }
    }

    /// Keeps the ordered cells of an interval.
    pub fn keep_ordered(&mut self, from: u32, to: u32) {
        (self.low, self.high) = (self.low.max(from), self.high.min(to));
    }

    /// The intersection.
    #[must_use]
    pub fn common(&self, other: &Self) -> Self {
        let special = self.special.iter().zip(&other.special).map(|(one, other)| one & other).collect();
        Self { low: self.low.max(other.low), high: self.high.min(other.high), special, ..self.clone() }
    }

    /// The union, with the ordered cells in between.
    #[must_use]
    pub fn joined(&self, other: &Self) -> Self {
        let special = self.special.iter().zip(&other.special).map(|(one, other)| one | other).collect();
        let ordered = [self.ordered(), other.ordered()];
        let filled = || ordered.iter().filter(|cells| !cells.is_empty());
        let low = filled().map(|cells| cells.start).min().unwrap_or(0);
        let high = filled().map(|cells| cells.end).max().unwrap_or(0);
        Self { low, high, special, ..self.clone() }
    }

    fn has_special(&self, cell: u32) -> bool {
        let place = cell.wrapping_sub(self.ordered);
        self.special.get((place / 64) as usize).is_some_and(|bits| bits >> (place % 64) & 1 == 1)
    }

    fn set_special(&mut self, cell: u32, is_in: bool) {
        let place = cell - self.ordered;
        let bit = 1 << (place % 64);
        let bits = &mut self.special[(place / 64) as usize];
        *bits = if is_in { *bits | bit } else { *bits & !bit };
    }
}

impl Region {
    /// The box of these cells.
    pub fn new(axes: Vec<CellSet>) -> Self {
        Self { axes }
    }

    /// The cells of an axis.
    pub fn axis(&self, axis: usize) -> &CellSet {
        &self.axes[axis]
    }

    /// The number of axes.
    pub fn num_axes(&self) -> usize {
        self.axes.len()
    }

    /// The box with other cells of an axis.
    #[must_use]
    pub fn with(&self, axis: usize, cells: CellSet) -> Self {
        let mut axes = self.axes.clone();
        axes[axis] = cells;
        Self { axes }
    }

    /// True if some axis has no cell left.
    pub fn is_empty(&self) -> bool {
        self.axes.iter().any(CellSet::is_empty)
    }
}

/// A box, by the axes on which it has not all cells.
#[derive(Clone, Debug, Default)]
pub(crate) struct NarrowBox {
    pub(crate) narrowed: Vec<(u32, CellSet)>,
}

impl NarrowBox {
    /// The cells of an axis.
    pub(crate) fn cells<'a>(&'a self, everything: &'a Region, axis: u32) -> &'a CellSet {
        let narrowed = self.narrowed.iter().find(|(own, _)| *own == axis);
        narrowed.map_or(&everything.axes[axis as usize], |(_, cells)| cells)
    }

    /// Sets the cells of an axis.
    pub(crate) fn keep(&mut self, axis: u32, cells: CellSet) {
        match self.narrowed.iter_mut().find(|(own, _)| *own == axis) {
            Some((_, own)) => *own = cells,
            None => self.narrowed.push((axis, cells)),
        }
    }

    /// True if it contains a region.
    pub(crate) fn contains(&self, region: &Region) -> bool {
        self.narrowed.iter().all(|(axis, cells)| cells.contains(region.axis(*axis as usize)))
    }

    /// The box in full.
    pub(crate) fn region(&self, everything: &Region) -> Region {
        let mut region = everything.clone();
        for (axis, cells) in &self.narrowed {
            let own = &mut region.axes[*axis as usize];
            *own = own.common(cells);
        }
        region
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_kept_and_joined() {
        let all = CellSet::all(5, 140);
        assert_eq!(all.cells().count(), 140);
        let mut some = all.clone();
        some.keep(|cell| [1, 3, 5, 139].contains(&cell));
        assert_eq!(some.cells().collect::<Vec<_>>(), [1, 2, 3, 5, 139]);
        assert!(some.has(139) && !some.has(138) && !some.has(4) && !some.has(1000));
        let mut other = all.clone();
        other.keep(|cell| [0, 139, 70].contains(&cell));
        assert_eq!(some.common(&other).cells().collect::<Vec<_>>(), [139]);
        assert_eq!(some.joined(&other).cells().collect::<Vec<_>>(), [0, 1, 2, 3, 5, 70, 139]);
        assert!(all.none().is_empty() && some.joined(&all.none()) == some);
    }
}
