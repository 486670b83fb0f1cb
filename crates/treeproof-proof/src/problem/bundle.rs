//! Leaves as bits, the best first: which of them a box can reach, and the best one in each of its cells.
//!
//! Along an axis, a leaf has an interval of ordered cells and some special ones. The cells at which the interval of some leaf begins
//! or ends are bounds. For each bound there are three sets of leaves: those that begin below it, those that end above it, and those
//! to which the cells between it and the next bound lead. Of a box that has cells up to a bound only leaves are reached that
//! begin below it, and of one that has cells from a bound on only leaves that end above it.

use std::ops::Range;

use crate::problem::trees::Together;
use crate::space::region::{CellSet, Region};

/// So many leaves, next to each other in a tree, are looked at as bits together: with more, the sets would take much memory.
const PART: usize = 256;

/// Trees that are looked at together, as one: a box that reaches a leaf of each at the same time reaches one of this.
#[derive(Debug)]
pub(crate) struct Bundle {
    pub(crate) parts: Vec<Part>,
    /// The least that a leaf adds.
    pub(crate) least: i64,
    /// The least that inputs add: leaves that add less are for what is no input.
    pub(crate) floor: i64,
    /// The axes that matter, ascending.
    axes: Vec<u32>,
    /// Where its leaves are in a set of those of all bundles of a channel, in words: those of its parts, in order.
    words: Range<usize>,
}

/// Some of its leaves.
#[derive(Debug)]
pub(crate) struct Part {
    /// What they add, in units, rounded up once; the best first.
    pub(crate) values: Vec<i64>,
    /// The axes that matter to them, ascending.
    pub(crate) axes: Vec<u32>,
    /// For each of these where its bounds begin, and its sets; and where the last ones end. All are side by side, as looking for
    /// them in memory is what takes most time.
    starts: Vec<[u32; 2]>,
    bounds: Vec<u32>,
    sets: Vec<u64>,
}

/// Which cells of an axis lead to which leaves of a part.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Along<'p> {
    /// Where ordered cells of leaves begin and end, the first cell and the end among them, ascending.
    pub(crate) bounds: &'p [u32],
    /// For every bound the leaves that begin below it, then those that end above each; then for every special cell those to which
    /// it leads; then those between each bound and the next one: here the first words of all these sets come first, as most often
    /// the best leaf is found there.
    sets: &'p [u64],
    /// The words of a set.
    words: usize,
}

impl Bundle {
    /// Of leaves, and what each adds.
    pub(crate) fn new(everything: &Region, leaves: &[(i64, Together)]) -> Self {
        let parts: Vec<Part> = leaves.chunks(PART).map(|leaves| Part::new(everything, leaves)).collect();
        let mut axes: Vec<u32> = parts.iter().flat_map(|part| &part.axes).copied().collect();
        axes.sort_unstable();
        axes.dedup();
        let least = leaves.iter().map(|(value, _)| *value).min().unwrap_or(0);
        Self { parts, least, floor: least, axes, words: 0..0 }
    }

    /// Adds its leaves to a set of those of all bundles; it says for each part where they are.
    pub(crate) fn place(&mut self, all: &mut Vec<u64>) -> Vec<Range<usize>> {
        let first = all.len();
        let place = |part: &Part| {
            let first = all.len();
            all.extend(part.all());
            first..all.len()
        };
        let places = self.parts.iter().map(place).collect();
        self.words = first..all.len();
        places
    }

    /// The parts of which some leaf is in a set of leaves of all bundles, with their own in it.
    pub(crate) fn reached<'b>(&'b self, set: &'b [u64]) -> impl Iterator<Item = (&'b Part, &'b [u64])> {
        // Most parts have none, and are not looked at.
        let own = set[self.words.clone()].chunks(PART / 64);
        self.parts.iter().zip(own).filter(|(_, own)| own.iter().any(|bits| *bits != 0))
    }

    /// Whether cells of an axis may lead to different leaves.
    pub(crate) fn tells_apart(&self, axis: u32) -> bool {
        self.axes.binary_search(&axis).is_ok()
    }

    /// What all leaves add, if that is the same.
    pub(crate) fn constant(&self) -> Option<i64> {
        let is_least = |part: &Part| part.values.first().is_none_or(|best| *best == self.least);
        self.parts.iter().all(is_least).then_some(self.least)
    }
}

impl Part {
    fn new(everything: &Region, leaves: &[(i64, Together)]) -> Self {
        let mut leaves: Vec<&(i64, Together)> = leaves.iter().collect();
        leaves.sort_by_key(|(value, _)| std::cmp::Reverse(*value));
        let narrowed = leaves.iter().flat_map(|(_, leaf)| &leaf.way.narrowed);
        let mut axes: Vec<u32> = narrowed.map(|(axis, _)| *axis).collect();
        axes.sort_unstable();
        axes.dedup();
        let values = leaves.iter().map(|(value, _)| *value).collect();
        let mut part = Self { values, axes: vec![], starts: vec![[0; 2]], bounds: vec![], sets: vec![] };
        for axis in axes {
            let cells: Vec<&CellSet> = leaves.iter().map(|(_, leaf)| leaf.way.cells(everything, axis)).collect();
            part.add(axis, &everything.axes[axis as usize], &cells);
        }
        part
    }

    /// Adds an axis, of which each leaf has these cells.
    fn add(&mut self, axis: u32, all: &CellSet, leaves: &[&CellSet]) {
        let ordered = || leaves.iter().map(|cells| cells.ordered()).filter(|cells| !cells.is_empty());
        let mut bounds = vec![0, all.num_ordered()];
        bounds.extend(ordered().flat_map(|cells| [cells.start, cells.end]));
        bounds.sort_unstable();
        bounds.dedup();
        let (words, first) = (self.words(), self.sets.len());
        let num_special = (all.num_cells() - all.num_ordered()) as usize;
        let num_bounds = bounds.len();
        self.sets.resize(first + (3 * num_bounds + num_special) * words, 0);
        for (place, cells) in leaves.iter().enumerate() {
            let mut add = |set: usize| self.sets[first + set * words + place / 64] |= 1 << (place % 64);
            if !cells.ordered().is_empty() {
                for (number, bound) in bounds.iter().enumerate() {
                    if cells.low < *bound {
                        add(number);
                    }
                    if cells.high > *bound {
                        add(num_bounds + number);
                    }
                }
            }
            cells.special().for_each(|cell| add(2 * num_bounds + (cell - all.num_ordered()) as usize));
            let between = first + (2 * num_bounds + num_special) * words + place / 64 * num_bounds;
            for (number, _) in bounds.iter().enumerate().filter(|(_, bound)| cells.ordered().contains(bound)) {
                self.sets[between + number] |= 1 << (place % 64);
            }
        }
        self.axes.push(axis);
        self.bounds.extend(bounds);
        self.starts.push([self.bounds.len() as u32, self.sets.len() as u32]);
    }

    /// The words of a set of its leaves.
    pub(crate) fn words(&self) -> usize {
        self.values.len().div_ceil(64)
    }

    /// The set of all of them.
    fn all(&self) -> impl Iterator<Item = u64> {
        let count = self.values.len();
        (0..self.words()).map(move |word| if count - 64 * word < 64 { (1 << (count % 64)) - 1 } else { u64::MAX })
    }

    /// What is known of an axis; none if all cells of it lead to all leaves.
    pub(crate) fn along(&self, axis: u32) -> Option<Along<'_>> {
        let place = count(&self.axes, |own| own < axis);
        (self.axes.get(place) == Some(&axis)).then(|| self.along_at(place))
    }

    /// The same by its place among those that matter.
    pub(crate) fn along_at(&self, place: usize) -> Along<'_> {
        let ([bounds, sets], [bounds_end, sets_end]) = (self.starts[place], self.starts[place + 1]);
        Along {
            bounds: &self.bounds[bounds as usize..bounds_end as usize],
            sets: &self.sets[sets as usize..sets_end as usize],
            words: self.words(),
        }
    }

    /// What the best leaf of a set adds.
    pub(crate) fn best(&self, set: &[u64]) -> Option<i64> {
        let word = set.iter().position(|bits| *bits != 0)?;
        Some(self.values[64 * word + set[word].trailing_zeros() as usize])
    }

    /// What the best leaf of a set adds that is in another one too, given word by word.
    pub(crate) fn best_of(&self, set: &[u64], goes: impl Fn(usize) -> u64) -> Option<i64> {
        for (word, bits) in set.iter().enumerate().filter(|(_, bits)| **bits != 0) {
            let common = bits & goes(word);
            if common != 0 {
                return Some(self.values[64 * word + common.trailing_zeros() as usize]);
            }
        }
        None
    }
}

impl<'p> Along<'p> {
    fn set(&self, number: usize) -> &'p [u64] {
        &self.sets[number * self.words..(number + 1) * self.words]
    }

    /// The numbers of the intervals between bounds that some ordered cells are in.
    pub(crate) fn intervals(&self, cells: &CellSet) -> Range<usize> {
        if cells.low >= cells.high {
            return 0..0;
        }
        self.number(true, cells)..self.number(false, cells)
    }

    /// The number of the last bound that is not above some ordered cells, or of the first that is not below them.
    pub(crate) fn number(&self, is_low: bool, cells: &CellSet) -> usize {
        match is_low {
            true => count(self.bounds, |bound| bound <= cells.low) - 1,
            false => count(self.bounds, |bound| bound < cells.high),
        }
    }

    /// The leaves that begin below a bound.
    fn below(&self, number: usize) -> &'p [u64] {
        self.set(number)
    }

    /// The leaves that end above a bound.
    fn above(&self, number: usize) -> &'p [u64] {
        self.set(self.bounds.len() + number)
    }

    /// A word of the leaves to which cells between a bound and the next one lead.
    pub(crate) fn between(&self, number: usize, word: usize) -> u64 {
        let first = self.sets.len() - self.bounds.len() * self.words;
        self.sets[first + word * self.bounds.len() + number]
    }

    /// The leaves to which a special cell leads, counted from the first special one.
    pub(crate) fn special(&self, cell: u32) -> &'p [u64] {
        self.set(2 * self.bounds.len() + cell as usize)
    }

    /// Takes leaves out of a set to which none of these cells lead.
    pub(crate) fn confine(&self, cells: &CellSet, set: &mut [u64]) {
        let mut goes = [0; PART / 64];
        let intervals = self.intervals(cells);
        if !intervals.is_empty() {
            let (below, above) = (self.below(intervals.end), self.above(intervals.start));
            goes.iter_mut().zip(below.iter().zip(above)).for_each(|(goes, (below, above))| *goes = below & above);
        }
        self.confine_to(goes, cells, set);
    }

    /// The same, if ordered cells were lost on one side alone, up to a bound or from it on.
    pub(crate) fn confine_at(&self, number: usize, is_low: bool, cells: &CellSet, set: &mut [u64]) {
        let kept = if is_low { self.above(number) } else { self.below(number) };
        if cells.special.is_empty() {
            set.iter_mut().zip(kept).for_each(|(bits, kept)| *bits &= kept);
            return;
        }
        let mut goes = [0; PART / 64];
        goes.iter_mut().zip(kept).for_each(|(goes, bits)| *goes = *bits);
        self.confine_to(goes, cells, set);
    }

    fn confine_to(&self, mut goes: [u64; PART / 64], cells: &CellSet, set: &mut [u64]) {
        if !cells.special.is_empty() {
            for cell in cells.special() {
                goes.iter_mut().zip(self.special(cell - cells.num_ordered())).for_each(|(goes, bits)| *goes |= bits);
            }
        }
        set.iter_mut().zip(goes).for_each(|(bits, goes)| *bits &= goes);
    }
}

/// How many numbers are so. There are few of them, and to count takes less time than to search.
fn count(numbers: &[u32], is_so: impl Fn(u32) -> bool) -> usize {
    numbers.iter().map(|number| u32::from(is_so(*number))).sum::<u32>() as usize
}
