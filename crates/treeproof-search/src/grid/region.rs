//! Regions: the product of one set of cells per axis, as an interval of the ordered cells and a set of special ones.

use std::ops::Range;

use super::{Axis, Cells, Place, index};

/// The axes of a problem, and where each has its numbers in arrays over all axes; what all regions have in common.
#[derive(Clone, Debug)]
pub(crate) struct Axes {
    pub(crate) axes: Vec<Axis>,
    /// The first word of each axis among the words of special cells.
    first_word: Vec<u32>,
    /// The first of each axis's places, at which falls are added up: its cuts, then its choices.
    pub(crate) first_place: Vec<u32>,
    pub(crate) num_places: usize,
    /// The first word of the bits that say at which cuts of each axis something is lost.
    pub(crate) first_event: Vec<u32>,
    pub(crate) num_events: usize,
    /// The region of all points.
    pub(crate) everything: Region,
}

/// A region, the set of points at a node of the search: the product of one set of cells per axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Region {
    /// Per axis the first ordered cell.
    pub(crate) low: Box<[u32]>,
    /// Per axis the end of the ordered cells.
    pub(crate) high: Box<[u32]>,
    /// The special cells of all axes, as bits.
    pub(crate) special: Box<[u64]>,
}

/// A region as its difference from everything: (axis, low, high) for ordered cells, then (word, low half, high half) for
/// special ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Packed {
    numbers: Box<[u32]>,
    num_ordered: u32,
}

impl Region {
    /// The ordered cells of an axis, which may be none.
    pub(crate) fn ordered(&self, axis: usize) -> Range<u32> {
        self.low[axis]..self.high[axis].max(self.low[axis])
    }

    /// True if all cells of another region are in this one.
    pub(crate) fn contains(&self, part: &Self) -> bool {
        let mut low = self.low.iter().zip(&part.low);
        let mut high = self.high.iter().zip(&part.high);
        let mut special = self.special.iter().zip(&part.special);
        low.all(|(whole, part)| whole <= part)
            && high.all(|(whole, part)| whole >= part)
            && special.all(|(whole, part)| part & !whole == 0)
    }
}

impl Packed {
    /// The bytes it takes, allocation included.
    pub(crate) fn bytes(&self) -> usize {
        self.numbers.len() * 4 + 16
    }
}

/// A cut of a region in two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RegionCut {
    pub(crate) axis: u32,
    pub(crate) place: Place,
}

/// One of the two parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CutPart {
    /// Below, ordered, or the one special cell.
    First,
    /// The rest.
    Second,
}

impl Axes {
    pub(crate) fn new(axes: &[Axis]) -> Self {
        let (first_word, num_words) = offsets(axes, |axis| axis.special.div_ceil(64));
        let (first_place, num_places) = offsets(axes, |axis| axis.ordered + 1 + axis.special + 1);
        let (first_event, num_events) = offsets(axes, |axis| axis.ordered / 64 + 1);
        let everything = Region {
            low: vec![0; axes.len()].into(),
            high: axes.iter().map(|axis| axis.ordered).collect(),
            special: vec![0; num_words].into(),
        };
        let axes = axes.to_vec();
        let mut space = Self { axes, first_word, first_place, num_places, first_event, num_events, everything };
        let mut everything = space.everything();
        for (index, axis) in space.axes.iter().enumerate() {
            (0..axis.special).for_each(|cell| space.insert(&mut everything, index, cell));
        }
        space.everything = everything;
        space
    }

    /// All points.
    pub(crate) fn everything(&self) -> Region {
        self.everything.clone()
    }

    /// Stores a region compactly.
    pub(crate) fn pack(&self, region: &Region) -> Packed {
        let mut numbers = Vec::with_capacity(24);
        for (place, axis) in self.axes.iter().enumerate() {
            if region.low[place] != 0 || region.high[place] != axis.ordered {
                numbers.extend([index(place), region.low[place], region.high[place]]);
            }
        }
        let num_ordered = index(numbers.len());
        for (word, bits) in region.special.iter().copied().enumerate() {
            if bits != self.everything.special[word] {
                #[expect(clippy::cast_possible_truncation, reason = "the two halves")]
                numbers.extend([index(word), bits as u32, (bits >> 32) as u32]);
            }
        }
        Packed { numbers: numbers.into(), num_ordered }
    }

    /// Writes a stored region to `region`.
    pub(crate) fn unpack(&self, packed: &Packed, region: &mut Region) {
        region.low.fill(0);
        region.high.copy_from_slice(&self.everything.high);
        region.special.copy_from_slice(&self.everything.special);
        let (ordered, special) = packed.numbers.split_at(packed.num_ordered as usize);
        for side in ordered.chunks_exact(3) {
            region.low[side[0] as usize] = side[1];
            region.high[side[0] as usize] = side[2];
        }
        for word in special.chunks_exact(3) {
            region.special[word[0] as usize] = u64::from(word[1]) | u64::from(word[2]) << 32;
        }
    }

    fn bit(&self, axis: usize, cell: u32) -> (usize, u64) {
        (self.first_word[axis] as usize + (cell / 64) as usize, 1 << (cell % 64))
    }

    fn insert(&self, region: &mut Region, axis: usize, cell: u32) {
        let (word, bit) = self.bit(axis, cell);
        region.special[word] |= bit;
    }

    pub(crate) fn has_special(&self, region: &Region, axis: usize, cell: u32) -> bool {
        let (word, bit) = self.bit(axis, cell);
        region.special[word] & bit != 0
    }

    pub(crate) fn special_words<'r>(&self, region: &'r Region, axis: usize) -> &'r [u64] {
        let first = self.first_word[axis] as usize;
        &region.special[first..first + self.axes[axis].special.div_ceil(64) as usize]
    }

    /// The special cells of an axis that the region has.
    pub(crate) fn special_cells<'r>(&'r self, region: &'r Region, axis: usize) -> impl Iterator<Item = u32> + 'r {
        (0..self.axes[axis].special).filter(move |cell| self.has_special(region, axis, *cell))
    }

    /// The cells of every axis that the region has.
    pub(crate) fn cells(&self, region: &Region) -> Vec<Cells> {
        let cells =
            |axis: usize| Cells { ordered: region.ordered(axis), special: self.special_cells(region, axis).collect() };
        (0..self.axes.len()).map(cells).collect()
    }

    /// True if the region has special cells on this axis.
    pub(crate) fn is_mixed(&self, region: &Region, axis: usize) -> bool {
        self.axes[axis].special > 0 && self.special_words(region, axis).iter().any(|word| *word != 0)
    }

    /// True if two regions have equal cells on an axis.
    pub(crate) fn same_cells(&self, one: &Region, other: &Region, axis: usize) -> bool {
        (one.low[axis], one.high[axis]) == (other.low[axis], other.high[axis])
            && self.special_words(one, axis) == self.special_words(other, axis)
    }

    /// The number of cells of an axis that the region has.
    #[inline]
    pub(crate) fn num_cells(&self, region: &Region, axis: usize) -> u32 {
        let special: u32 = self.special_words(region, axis).iter().map(|word| word.count_ones()).sum();
        region.high[axis].saturating_sub(region.low[axis]) + special
    }

    /// The cell of a region that is nearest to one of this axis: itself, or the nearest ordered one, or any.
    pub(crate) fn nearest(&self, region: &Region, axis: usize, cell: u32) -> u32 {
        let (low, high, ordered) = (region.low[axis], region.high[axis], self.axes[axis].ordered);
        if cell >= ordered && self.has_special(region, axis, cell - ordered) {
            return cell;
        }
        if low < high {
            return cell.clamp(low, high - 1);
        }
        ordered + self.special_cells(region, axis).next().expect("a region has a cell of every axis")
    }

    /// True if some axis has no cell left.
    pub(crate) fn is_empty(&self, region: &Region) -> bool {
        (0..self.axes.len()).any(|axis| self.num_cells(region, axis) == 0)
    }

    /// Keeps one part of a cut.
    pub(crate) fn keep(&self, region: &mut Region, cut: RegionCut, part: CutPart) {
        let axis = cut.axis as usize;
        match (cut.place, part) {
            (Place::Below(cell), CutPart::First) => region.high[axis] = region.high[axis].min(cell),
            (Place::Below(cell), CutPart::Second) => region.low[axis] = region.low[axis].max(cell),
            (Place::Ordered, CutPart::First) => self.clear_special(region, axis),
            (Place::Ordered, CutPart::Second) => region.high[axis] = region.low[axis],
            (Place::Special(cell), CutPart::First) => {
                self.clear_special(region, axis);
                region.high[axis] = region.low[axis];
                self.insert(region, axis, cell);
            }
            (Place::Special(cell), CutPart::Second) => self.remove_special(region, axis, cell),
        }
    }

    /// Removes the cells of an axis that are not to be kept, of ordered ones only those at the ends. Returns whether there
    /// were any.
    pub(crate) fn retain(&self, region: &mut Region, axis: usize, keep: impl Fn(u32) -> bool) -> bool {
        let (low, high) = (&mut region.low[axis], &mut region.high[axis]);
        let before = (*low, *high);
        while *low < *high && !keep(*low) {
            *low += 1;
        }
        while *low < *high && !keep(*high - 1) {
            *high -= 1;
        }
        let mut changed = (*low, *high) != before;
        for cell in 0..self.axes[axis].special {
            if self.has_special(region, axis, cell) && !keep(self.axes[axis].ordered + cell) {
                self.remove_special(region, axis, cell);
                changed = true;
            }
        }
        changed
    }

    /// A cut that halves the axis with the most cells; `None` if the region is one point.
    pub(crate) fn halving(&self, region: &Region) -> Option<RegionCut> {
        let most = (0..self.axes.len()).max_by_key(|axis| self.num_cells(region, *axis))?;
        if self.num_cells(region, most) == 1 {
            return None;
        }
        let (low, high) = (region.low[most], region.high[most]);
        let place = match self.special_cells(region, most).next() {
            Some(_) if low < high => Place::Ordered,
            Some(cell) => Place::Special(cell),
            None => Place::Below(u32::midpoint(low, high)),
        };
        Some(RegionCut { axis: index(most), place })
    }

    /// The cut that parts a cell from the leaf behind a boundary of its axis.
    pub(crate) fn parting(&self, region: &Region, axis: u32, cell: u32, boundary: u32) -> RegionCut {
        let ordered = self.axes[axis as usize].ordered;
        let place = if cell >= ordered {
            Place::Special(cell - ordered)
        } else if self.is_mixed(region, axis as usize) {
            Place::Ordered
        } else {
            Place::Below(boundary)
        };
        RegionCut { axis, place }
    }

    pub(crate) fn remove_special(&self, region: &mut Region, axis: usize, cell: u32) {
        let (word, bit) = self.bit(axis, cell);
        region.special[word] &= !bit;
    }

    fn clear_special(&self, region: &mut Region, axis: usize) {
        let first = self.first_word[axis] as usize;
        region.special[first..first + self.axes[axis].special.div_ceil(64) as usize].fill(0);
    }
}

/// Where the numbers of each axis begin if those of all axes stand behind one another, and how many they are.
pub(crate) fn offsets(axes: &[Axis], count: impl Fn(&Axis) -> u32) -> (Vec<u32>, usize) {
    let mut end = 0;
    let next = |axis: &Axis| {
        let first = end;
        end += count(axis);
        first
    };
    let first = axes.iter().map(next).collect();
    (first, end as usize)
}
