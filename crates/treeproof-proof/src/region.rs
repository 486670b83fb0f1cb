//! A box of cells: per axis an interval of the ordered cells and a set of special ones.

/// The number of ordered and of special cells of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The ordered cells come first.
    pub ordered: u32,
    /// The special cells.
    pub special: u32,
}

/// A box of cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// Per axis.
    pub axes: Vec<Side>,
}

/// The cells of one axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Side {
    /// The first ordered cell.
    pub low: u32,
    /// The end of the ordered cells: none are in it if that is not above `low`.
    pub high: u32,
    /// The special cells, as bits.
    pub special: Box<[u64]>,
}

impl Shape {
    /// The number of cells.
    pub fn num_cells(self) -> u32 {
        self.ordered + self.special
    }

    /// The number of words that the bits of special cells take.
    pub fn num_words(self) -> usize {
        self.special.div_ceil(64) as usize
    }
}

impl Region {
    /// All cells.
    pub fn everything(shapes: &[Shape]) -> Self {
        Self { axes: shapes.iter().map(|shape| Side::all(*shape)).collect() }
    }

    /// Whether some axis has no cell.
    pub fn is_empty(&self) -> bool {
        self.axes.iter().any(Side::is_empty)
    }

    /// The same box with other cells of one axis.
    #[must_use]
    pub fn with(&self, axis: usize, side: Side) -> Self {
        let mut region = self.clone();
        region.axes[axis] = side;
        region
    }
}

impl Side {
    /// All cells of an axis.
    pub fn all(shape: Shape) -> Self {
        let mut special: Box<[u64]> = vec![0; shape.num_words()].into();
        (0..shape.special).for_each(|cell| special[(cell / 64) as usize] |= 1 << (cell % 64));
        Self { low: 0, high: shape.ordered, special }
    }

    /// No cell.
    pub fn none(&self) -> Self {
        Self { low: 0, high: 0, special: vec![0; self.special.len()].into() }
    }

    /// One cell.
    pub fn one(&self, shape: Shape, cell: u32) -> Self {
        let mut side = self.none();
        match cell.checked_sub(shape.ordered) {
            None => (side.low, side.high) = (cell, cell + 1),
            Some(cell) => side.special[(cell / 64) as usize] |= 1 << (cell % 64),
        }
        side
    }

    /// Whether there is no cell.
    pub fn is_empty(&self) -> bool {
        self.low >= self.high && self.special.iter().all(|word| *word == 0)
    }

    /// Whether a special cell is in it.
    pub fn has_special(&self, cell: u32) -> bool {
        self.special.get((cell / 64) as usize).is_some_and(|word| word >> (cell % 64) & 1 == 1)
    }

    /// The special cells, ascending, counted from 0.
    pub fn special_cells(&self) -> impl Iterator<Item = u32> + '_ {
        (0..64 * self.special.len() as u32).filter(|cell| self.has_special(*cell))
    }

    /// All cells: special ones are counted from the last ordered one on.
    pub fn cells(&self, shape: Shape) -> impl Iterator<Item = u32> + '_ {
        (self.low..self.high).chain(self.special_cells().map(move |cell| shape.ordered + cell))
    }

    /// The cells of this that are also in another.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        let special = self.special.iter().zip(&other.special).map(|(one, other)| one & other).collect();
        Self { low: self.low.max(other.low), high: self.high.min(other.high), special }
    }

    /// Whether all cells are in another.
    pub fn is_in(&self, other: &Self) -> bool {
        let is_in = |(own, other): (&u64, &u64)| own & !other == 0;
        (self.low >= self.high || (self.low >= other.low && self.high <= other.high))
            && self.special.iter().zip(&other.special).all(is_in)
    }

    /// The cells of this that are not in another, which is a part of this: below, above, and special ones. Each has cells.
    pub fn without(&self, kept: &Self) -> Vec<Self> {
        let special = self.special.iter().zip(&kept.special).map(|(own, kept)| own & !kept).collect();
        let none = self.none();
        let parts = match kept.low >= kept.high {
            true => [Self { low: self.low, high: self.high, ..none.clone() }, none.clone()],
            false => [
                Self { low: self.low, high: kept.low, ..none.clone() },
                Self { low: kept.high, high: self.high, ..none.clone() },
            ],
        };
        parts.into_iter().chain([Self { special, ..none }]).filter(|part| !part.is_empty()).collect()
    }
}
