//! What the cells of axes lose of the plain bound, of all trees together.

use crate::region::CellSet;
use crate::trees::bundle::{Bundle, LeafCells};

/// What cells of some axes lose.
#[derive(Debug, Default)]
pub(crate) struct Losses {
    axes: Vec<OfAxis>,
    /// What all their cells lose: of an axis the ordered ones of the box, one more, and all special ones.
    lost: Vec<i128>,
}

/// Where that of an axis is.
#[derive(Debug)]
pub(crate) struct OfAxis {
    pub(crate) axis: u32,
    /// The first ordered cell of the box, and how many of them there are.
    low: u32,
    length: u32,
    /// How many ordered cells the axis has.
    num_ordered: u32,
    /// Where the numbers begin.
    first: usize,
    /// The least that any cell of the box loses.
    pub(crate) least: i128,
}

impl OfAxis {
    /// Where the number of a cell is, that the box has, or that is special.
    fn place(&self, cell: u32) -> usize {
        let place = match cell.checked_sub(self.num_ordered) {
            None => cell - self.low,
            Some(special) => self.length + 1 + special,
        };
        self.first + place as usize
    }
}

impl Losses {
    pub(crate) fn clear(&mut self) {
        self.axes.clear();
        self.lost.clear();
    }

    /// Cells of a further axis lose nothing yet.
    pub(crate) fn begin(&mut self, axis: u32, cells: &CellSet) {
        let (first, length) = (self.lost.len(), cells.ordered().len());
        let num_special = (cells.num_cells() - cells.num_ordered()) as usize;
        self.lost.resize(first + length + 1 + num_special, 0);
        let (low, num_ordered) = (cells.low, cells.num_ordered());
        self.axes.push(OfAxis { axis, low, length: length as u32, num_ordered, first, least: 0 });
    }

    /// The axes, in the order in which they began.
    pub(crate) fn axes(&self) -> &[OfAxis] {
        &self.axes
    }

    /// What there is of an axis.
    pub(crate) fn find(&self, axis: u32) -> Option<&OfAxis> {
        self.axes.iter().find(|of| of.axis == axis)
    }

    /// Adds what a tree loses in each cell of an axis, so many times. What ordered cells lose is kept as differences until
    /// [`Losses::finish`].
    pub(crate) fn add(&mut self, number: usize, best: i64, bests: &Bests, units: u32) {
        let of = &self.axes[number];
        let amount = |value: i64| i128::from(units) * (i128::from(best) - i128::from(value));
        for (start, end, value) in bests.ordered.iter().filter(|(_, _, value)| *value < best) {
            let amount = amount(*value);
            self.lost[of.first + (start - of.low) as usize] += amount;
            self.lost[of.first + (end - of.low) as usize] -= amount;
        }
        for (cell, value) in &bests.special {
            self.lost[of.place(of.num_ordered + cell)] += amount(*value);
        }
    }

    /// When all trees are through; what cells of an axis pay beside is added here.
    pub(crate) fn finish(&mut self, number: usize, cells: &CellSet, pays: Option<impl Fn(u32) -> i128>) {
        let of = &mut self.axes[number];
        let ordered = &mut self.lost[of.first..of.first + of.length as usize];
        let mut sum = 0;
        for difference in &mut *ordered {
            sum += *difference;
            *difference = sum;
        }
        if let Some(pays) = pays {
            cells.cells().for_each(|cell| self.lost[of.place(cell)] += pays(cell));
        }
        let ordered = self.lost[of.first..of.first + of.length as usize].iter();
        let special = cells.special().map(|cell| self.lost[of.place(cell)]);
        of.least = ordered.copied().chain(special).min().unwrap_or(0);
    }

    /// What a cell of an axis loses; nothing if it is not in the box.
    pub(crate) fn of(&self, of: &OfAxis, cell: u32) -> i128 {
        let is_in = cell >= of.num_ordered || (of.low..of.low + of.length).contains(&cell);
        if is_in { self.lost[of.place(cell)] } else { 0 }
    }
}

/// The best that a tree can be worth in each cell of an axis. A cell that leads to no leaf holds no input: it counts as the worst.
#[derive(Debug, Default)]
pub(crate) struct Bests {
    /// From a cell to below another, and the best leaf there.
    ordered: Vec<(u32, u32, i64)>,
    /// Special cells, counted from the first one.
    special: Vec<(u32, i64)>,
    /// The ordered cells of which no leaf is known yet, ascending, and the special ones, as bits.
    left: Vec<(u32, u32)>,
    left_special: Vec<u64>,
}

impl Bests {
    /// Of the leaves that a box reaches, the best first, with these cells of an axis.
    pub(crate) fn find(&mut self, bundle: &Bundle, leaves: &[u32], axis: u32, cells: &CellSet) {
        self.ordered.clear();
        self.special.clear();
        self.left.clear();
        self.left.extend((cells.low < cells.high).then_some((cells.low, cells.high)));
        self.left_special.clone_from(&cells.special);
        // As the best come first, a cell has its best leaf from the first that it leads to.
        let leading = bundle.leading(axis, cells);
        for leaf in leaves {
            self.lead(bundle.values[*leaf as usize], &leading(*leaf));
            if self.left.is_empty() && self.left_special.iter().all(|bits| *bits == 0) {
                return;
            }
        }
        let none = LeafCells { low: 0, high: u32::MAX, special: &vec![u64::MAX; self.left_special.len()] };
        self.lead(bundle.least, &none);
    }

    /// Cells lead to a leaf of such a value.
    fn lead(&mut self, value: i64, leading: &LeafCells<'_>) {
        // Mostly there are one or two, and to search takes longer than to look.
        let is_long = self.left.len() > 8;
        let mut place = if is_long { self.left.partition_point(|(_, end)| *end <= leading.low) } else { 0 };
        while let Some((start, end)) = self.left.get(place).copied() {
            let (from, to) = (start.max(leading.low), end.min(leading.high));
            if from >= to {
                if start >= leading.high {
                    break;
                }
                place += 1;
                continue;
            }
            self.ordered.push((from, to, value));
            let is_last = place + 1 == self.left.len();
            match (start < from, to < end) {
                (false, false) if is_last => _ = self.left.pop(),
                (false, false) => {
                    self.left.remove(place);
                    continue;
                }
                (true, false) => self.left[place] = (start, from),
                (false, true) => self.left[place] = (to, end),
                (true, true) => {
                    self.left[place] = (start, from);
                    match is_last {
                        true => self.left.push((to, end)),
                        false => self.left.insert(place + 1, (to, end)),
                    }
                    break;
                }
            }
            place += 1;
        }
        for (word, (left, goes)) in self.left_special.iter_mut().zip(leading.special).enumerate() {
            let mut found = *left & goes;
            *left &= !goes;
            while found != 0 {
                self.special.push((64 * word as u32 + found.trailing_zeros(), value));
                found &= found - 1;
            }
        }
    }

    /// The best of these cells.
    pub(crate) fn best_in(&self, cells: &CellSet) -> Option<i64> {
        let meets = |start: u32, end: u32| start.max(cells.low) < end.min(cells.high);
        let ordered = self.ordered.iter().filter(|(start, end, _)| meets(*start, *end)).map(|(_, _, value)| *value);
        let special = self.special.iter().filter(|(cell, _)| cells.has(cells.num_ordered() + cell));
        ordered.chain(special.map(|(_, value)| *value)).max()
    }
}
