//! Which cells of some axes lead to leaves.

use crate::space::region::CellSet;

/// For each of some leaves, the cells of some axes that lead to it.
#[derive(Debug, Default)]
pub(crate) struct Leads {
    axes: Vec<Column>,
    /// What a leaf takes.
    num_words: usize,
    /// Leaf by leaf, axis by axis: from where to where ordered cells lead, then special ones as bits.
    words: Vec<u64>,
    num_leaves: u32,
}

#[derive(Debug)]
struct Column {
    axis: u32,
    first: usize,
    num_special_words: usize,
}

/// Cells of an axis that lead to a leaf.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leading<'l> {
    pub(crate) low: u32,
    pub(crate) high: u32,
    pub(crate) special: &'l [u64],
}

impl Leads {
    /// Forgets all leaves, and will be about these axes of a box.
    pub(crate) fn begin(&mut self, axes: &[u32], region: &[CellSet]) {
        self.axes.clear();
        self.words.clear();
        (self.num_words, self.num_leaves) = (0, 0);
        for axis in axes {
            let num_special_words = region[*axis as usize].special.len();
            self.axes.push(Column { axis: *axis, first: self.num_words, num_special_words });
            self.num_words += 1 + num_special_words;
        }
    }

    /// Adds a leaf, to which these cells of all axes lead, and says its number.
    pub(crate) fn add(&mut self, region: &[CellSet]) -> u32 {
        let number = self.num_leaves;
        self.num_leaves += 1;
        for column in &self.axes {
            let cells = &region[column.axis as usize];
            self.words.push(u64::from(cells.low) | u64::from(cells.high) << 32);
            self.words.extend_from_slice(&cells.special);
        }
        number
    }

    /// The cells of an axis that lead to leaves, by their number. It must be one of the axes that this is about.
    pub(crate) fn along<'l>(&'l self, axis: u32) -> impl Fn(u32) -> Leading<'l> {
        let column = self.axes.iter().find(|column| column.axis == axis).expect("an axis that was asked for");
        move |leaf: u32| {
            let own = &self.words[leaf as usize * self.num_words + column.first..];
            let (low, high) = (own[0] as u32, (own[0] >> 32) as u32);
            Leading { low, high, special: &own[1..=column.num_special_words] }
        }
    }
}

impl Leading<'_> {
    /// The special cells, counted from the first one.
    pub(crate) fn special_places(&self) -> impl Iterator<Item = usize> {
        let has = |place: &usize| self.special[place / 64] >> (place % 64) & 1 == 1;
        (0..64 * self.special.len()).filter(has)
    }
}
