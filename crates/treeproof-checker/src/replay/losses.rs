//! Losses: the part of the plain bound that points with a cell lose, summed over trees.

use crate::region::CellSet;
use crate::trees::bundle::{Bundle, LeafCells};

/// The losses of the cells of some axes.
#[derive(Debug, Default)]
pub(crate) struct Losses {
    axes: Vec<OfAxis>,
    /// The losses of an axis's ordered cells in the box, one number more, and those of its special cells.
    lost: Vec<i128>,
}

/// The place of an axis in the losses.
#[derive(Debug)]
pub(crate) struct OfAxis {
    pub(crate) axis: u32,
    /// The first ordered cell of the box, and their number.
    low: u32,
    length: u32,
    /// The number of ordered cells of the axis.
    num_ordered: u32,
    /// The place of the first number.
    first: usize,
    /// The least loss of a cell of the box.
    pub(crate) least: i128,
}

impl OfAxis {
    /// The place of a cell that is in the box, or special.
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

    /// Adds an axis whose cells lose nothing yet.
    pub(crate) fn begin(&mut self, axis: u32, cells: &CellSet) {
        let (first, length) = (self.lost.len(), cells.ordered().len());
        let num_special = (cells.num_cells() - cells.num_ordered()) as usize;
        self.lost.resize(first + length + 1 + num_special, 0);
        let (low, num_ordered) = (cells.low, cells.num_ordered());
        self.axes.push(OfAxis { axis, low, length: length as u32, num_ordered, first, least: 0 });
    }

    /// The axes, in the order in which they were added.
    pub(crate) fn axes(&self) -> &[OfAxis] {
        &self.axes
    }

    /// The place of an axis, if it was added.
    pub(crate) fn find(&self, axis: u32) -> Option<&OfAxis> {
        self.axes.iter().find(|of| of.axis == axis)
    }

    /// Adds the losses of a tree in each cell of an axis, times `units`. Those of ordered cells are kept as differences until
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

    /// Sums up an axis when all trees are added, and adds the worth of each cell's cost.
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

    /// The loss of a cell; 0 outside the box.
    pub(crate) fn of(&self, of: &OfAxis, cell: u32) -> i128 {
        let is_in = cell >= of.num_ordered || (of.low..of.low + of.length).contains(&cell);
        if is_in { self.lost[of.place(cell)] } else { 0 }
    }
}

/// The best value of a tree in each cell of an axis. A cell that leads to no leaf holds no input and counts as the least value.
#[derive(Debug, Default)]
pub(crate) struct Bests {
    /// Ordered cells, from one to below another, with the best value.
    ordered: Vec<(u32, u32, i64)>,
    /// Special cells, counted from the first one, with the best value.
    special: Vec<(u32, i64)>,
    /// The cells without a value yet: ordered ones, ascending, and special ones, as bits.
    left: Vec<(u32, u32)>,
    left_special: Vec<u64>,
}

impl Bests {
    /// Finds the best values of these cells by the leaves that a box reaches, in descending order.
    pub(crate) fn find(&mut self, bundle: &Bundle, leaves: &[u32], axis: u32, cells: &CellSet) {
        self.ordered.clear();
        self.special.clear();
        self.left.clear();
        self.left.extend((cells.low < cells.high).then_some((cells.low, cells.high)));
        self.left_special.clone_from(&cells.special);
        // In this order the first leaf of a cell is its best.
        let leaf_cells = bundle.leaf_cells(axis, cells);
        for leaf in leaves {
            self.lead(bundle.values[*leaf as usize], &leaf_cells(*leaf));
            if self.left.is_empty() && self.left_special.iter().all(|bits| *bits == 0) {
                return;
            }
        }
        let none = LeafCells { low: 0, high: u32::MAX, special: &vec![u64::MAX; self.left_special.len()] };
        self.lead(bundle.least, &none);
    }

    /// Gives a value to the remaining cells that lead to a leaf.
    fn lead(&mut self, value: i64, leaf_cells: &LeafCells<'_>) {
        // There are mostly one or two, and a linear scan is faster.
        let is_long = self.left.len() > 8;
        let mut place = if is_long { self.left.partition_point(|(_, end)| *end <= leaf_cells.low) } else { 0 };
        while let Some((start, end)) = self.left.get(place).copied() {
            let (from, to) = (start.max(leaf_cells.low), end.min(leaf_cells.high));
            if from >= to {
                if start >= leaf_cells.high {
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
        for (word, (left, goes)) in self.left_special.iter_mut().zip(leaf_cells.special).enumerate() {
            let mut found = *left & goes;
            *left &= !goes;
            while found != 0 {
                self.special.push((64 * word as u32 + found.trailing_zeros(), value));
                found &= found - 1;
            }
        }
    }

    /// The best value in these cells.
    pub(crate) fn best_in(&self, cells: &CellSet) -> Option<i64> {
        let meets = |start: u32, end: u32| start.max(cells.low) < end.min(cells.high);
        let ordered = self.ordered.iter().filter(|(start, end, _)| meets(*start, *end)).map(|(_, _, value)| *value);
        let special = self.special.iter().filter(|(cell, _)| cells.has(cells.num_ordered() + cell));
        ordered.chain(special.map(|(_, value)| *value)).max()
    }
}
