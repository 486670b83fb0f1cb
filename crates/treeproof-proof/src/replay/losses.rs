//! What the cells of axes lose of the plain bound, of all trees together.

use crate::problem::bundle::{Bundle, Part};
use crate::space::region::CellSet;

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
    /// From a cell to below another, and the best leaf there. They follow one another.
    ordered: Vec<(u32, u32, i64)>,
    /// Special cells, counted from the first one.
    special: Vec<(u32, i64)>,
    /// What was found before, for its memory.
    before: Vec<(u32, u32, i64)>,
    merged: Vec<(u32, u32, i64)>,
}

impl Bests {
    /// Of the leaves that a box can reach, with these cells of the axis. They are none in all cells that it has not.
    pub(crate) fn find(&mut self, bundle: &Bundle, reached: &[u64], axis: u32, cells: &CellSet) {
        self.ordered.clear();
        self.special.clear();
        for (number, (part, own)) in bundle.reached(reached).enumerate() {
            if number == 0 {
                self.add(part, own, bundle.least, axis, cells);
                continue;
            }
            std::mem::swap(&mut self.ordered, &mut self.before);
            let num_special = self.special.len();
            self.ordered.clear();
            self.add(part, own, bundle.least, axis, cells);
            self.merge();
            let (best, own) = self.special.split_at_mut(num_special);
            best.iter_mut().zip(own).for_each(|(best, own)| best.1 = best.1.max(own.1));
            self.special.truncate(num_special);
        }
    }

    fn add(&mut self, part: &Part, reached: &[u64], least: i64, axis: u32, cells: &CellSet) {
        let Some(along) = part.along(axis) else {
            let best = part.best(reached).unwrap_or(least);
            self.ordered.extend((cells.low < cells.high).then_some((cells.low, cells.high, best)));
            self.special.extend(cells.special().map(|cell| (cell - cells.num_ordered(), best)));
            return;
        };
        for number in along.intervals(cells) {
            let (start, end) = (along.bounds[number].max(cells.low), along.bounds[number + 1].min(cells.high));
            let best = part.best_of(reached, |word| along.between(number, word)).unwrap_or(least);
            push(&mut self.ordered, (start, end, best));
        }
        for cell in cells.special() {
            let cell = cell - cells.num_ordered();
            let goes = along.special(cell);
            self.special.push((cell, part.best_of(reached, |word| goes[word]).unwrap_or(least)));
        }
    }

    /// Of leaves of several parts, the best counts: of what was found before, and now, in the same cells.
    fn merge(&mut self) {
        self.merged.clear();
        let (mut before, mut now) = (self.before.iter().peekable(), self.ordered.iter().peekable());
        let mut start = self.ordered.first().map_or(0, |(start, ..)| *start);
        while let (Some((_, one, before_value)), Some((_, other, now_value))) = (before.peek(), now.peek()) {
            let end = *one.min(other);
            push(&mut self.merged, (start, end, *before_value.max(now_value)));
            before.next_if(|(_, one, _)| *one == end);
            now.next_if(|(_, other, _)| *other == end);
            start = end;
        }
        std::mem::swap(&mut self.ordered, &mut self.merged);
    }

    /// The best of these cells.
    pub(crate) fn best_in(&self, cells: &CellSet) -> Option<i64> {
        let meets = |start: u32, end: u32| start.max(cells.low) < end.min(cells.high);
        let ordered = self.ordered.iter().filter(|(start, end, _)| meets(*start, *end)).map(|(_, _, value)| *value);
        let special = self.special.iter().filter(|(cell, _)| cells.has(cells.num_ordered() + cell));
        ordered.chain(special.map(|(_, value)| *value)).max()
    }
}

/// Adds cells that follow, to those before if they are worth the same.
fn push(ordered: &mut Vec<(u32, u32, i64)>, (start, end, value): (u32, u32, i64)) {
    match ordered.last_mut() {
        Some((_, last, same)) if *same == value => *last = end,
        _ => ordered.push((start, end, value)),
    }
}
