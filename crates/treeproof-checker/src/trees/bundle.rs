//! Bundles: one tree, or several, as a list of leaves with values. A leaf is a box; a region reaches it if both have a common cell on
//! every axis.

use std::cmp::Reverse;

use crate::region::{CellSet, NarrowBox, Region};

/// Trees as one list of leaves.
#[derive(Debug)]
pub(crate) struct Bundle {
    /// The values of the leaves, in units, rounded up once, in descending order.
    pub(crate) values: Vec<i64>,
    /// The least value of a leaf.
    pub(crate) least: i64,
    /// A lower bound on the value at inputs: leaves below it hold no input.
    pub(crate) floor: i64,
    /// The sides of all leaves, by axis within a leaf, and the end of each leaf's.
    sides: Vec<LeafSide>,
    ends: Vec<u32>,
    /// The special cells of all sides, as bits.
    special: Vec<u64>,
    /// The axes along which leaves differ, as bits.
    matters: Vec<u64>,
}

/// The cells of an axis that lead to a leaf.
#[derive(Clone, Copy, Debug)]
struct LeafSide {
    axis: u32,
    low: u32,
    high: u32,
    /// The place of the special cells.
    special: u32,
}

/// The cells of an axis that lead to a leaf; all others of the axis do not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LeafCells<'b> {
    pub(crate) low: u32,
    pub(crate) high: u32,
    /// The special cells, as bits; `None` for all.
    special: Option<&'b [u64]>,
}

impl LeafCells<'_> {
    /// All cells.
    pub(crate) const ALL: Self = Self { low: 0, high: u32::MAX, special: None };

    /// A word of the special cells.
    pub(crate) fn word(&self, place: usize) -> u64 {
        self.special.map_or(u64::MAX, |special| special[place])
    }
}

impl Bundle {
    /// The bundle of these leaves: a value and a box each.
    pub(crate) fn new(everything: &Region, mut leaves: Vec<(i64, NarrowBox)>) -> Self {
        leaves.sort_by_key(|(value, _)| Reverse(*value));
        let values: Vec<i64> = leaves.iter().map(|(value, _)| *value).collect();
        let least = values.last().copied().unwrap_or(0);
        let matters = vec![0; everything.num_axes().div_ceil(64)];
        let mut bundle = Self { values, least, floor: least, sides: vec![], ends: vec![], special: vec![], matters };
        for (_, mut leaf) in leaves {
            leaf.narrowed.sort_by_key(|(axis, _)| *axis);
            for (axis, cells) in &leaf.narrowed {
                bundle.matters[*axis as usize / 64] |= 1 << (axis % 64);
                let special = bundle.special.len() as u32;
                bundle.sides.push(LeafSide { axis: *axis, low: cells.low, high: cells.high, special });
                bundle.special.extend_from_slice(&cells.special);
            }
            bundle.ends.push(bundle.sides.len() as u32);
        }
        bundle
    }

    /// True if leaves differ along an axis.
    pub(crate) fn tells_apart(&self, axis: u32) -> bool {
        self.matters[axis as usize / 64] >> (axis % 64) & 1 == 1
    }

    /// The value of all leaves, if there is only one value.
    pub(crate) fn constant(&self) -> Option<i64> {
        self.values.first().is_none_or(|best| *best == self.least).then_some(self.least)
    }

    fn sides(&self, leaf: u32) -> &[LeafSide] {
        let start = leaf.checked_sub(1).map_or(0, |before| self.ends[before as usize]);
        &self.sides[start as usize..self.ends[leaf as usize] as usize]
    }

    /// True if a region reaches a leaf.
    pub(crate) fn is_reached(&self, leaf: u32, region: &Region) -> bool {
        self.sides(leaf).iter().all(|side| {
            let cells = &region.axes[side.axis as usize];
            let special = || &self.special[side.special as usize..];
            side.low.max(cells.low) < side.high.min(cells.high) || meets(&cells.special, special())
        })
    }

    /// The cells of an axis that lead to a leaf.
    pub(crate) fn leaf_cells(&self, leaf: u32, axis: u32, cells: &CellSet) -> LeafCells<'_> {
        let sides = self.sides(leaf);
        let place = sides.partition_point(|side| side.axis < axis);
        match sides.get(place).filter(|side| side.axis == axis) {
            None => LeafCells::ALL,
            Some(side) => {
                let first = side.special as usize;
                let special = &self.special[first..first + cells.special.len()];
                LeafCells { low: side.low, high: side.high, special: Some(special) }
            }
        }
    }
}

/// The leaves that a region reaches, of each bundle of a channel, best first.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReachedLeaves {
    leaves: Vec<u32>,
    /// The end of each bundle's leaves.
    ends: Vec<usize>,
}

impl ReachedLeaves {
    /// All leaves.
    pub(crate) fn all(bundles: &[Bundle]) -> Self {
        let mut all = Self::default();
        for bundle in bundles {
            all.leaves.extend(0..bundle.values.len() as u32);
            all.ends.push(all.leaves.len());
        }
        all
    }

    /// Removes the leaves that a region does not reach.
    pub(crate) fn narrow(&mut self, bundles: &[Bundle], region: &Region) {
        let (mut start, mut kept) = (0, 0);
        for (bundle, end) in bundles.iter().zip(&mut self.ends) {
            for place in start..*end {
                let leaf = self.leaves[place];
                if bundle.is_reached(leaf, region) {
                    self.leaves[kept] = leaf;
                    kept += 1;
                }
            }
            (start, *end) = (*end, kept);
        }
        self.leaves.truncate(kept);
    }

    /// The leaves of each bundle.
    pub(crate) fn by_bundle(&self) -> impl Iterator<Item = &[u32]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| &self.leaves[start..*end])
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.leaves) + size_of_val(&*self.ends)
    }
}

/// True if two sets of special cells have a common cell.
pub(crate) fn meets(one: &[u64], other: &[u64]) -> bool {
    one.iter().zip(other).any(|(one, other)| one & other != 0)
}
