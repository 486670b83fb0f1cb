//! The cells of a leaf, and where leaves of different trees overlap; for the methods that search over leaves.
//!
//! The default search keeps bit masks over leaves instead. This representation shares no code with it, so each checks the
//! other.

use crate::grid::{Axis, Value};

use crate::problem::{Node, Tree};

/// Some cells of one axis: an interval of the ordered ones and a set of special ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BoxSide {
    axis: u32,
    low: u32,
    high: u32,
    /// The special cells, as bits.
    special: Box<[u64]>,
}

/// A set of points: all cells of every axis but those that it has a [`BoxSide`] for, ascending by axis.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SparseBox {
    sides: Box<[BoxSide]>,
}

/// A leaf that points can reach.
#[derive(Clone, Debug)]
pub(crate) struct LeafBox {
    pub(crate) value: Value,
    pub(crate) extent: SparseBox,
}

impl BoxSide {
    /// All cells of an axis.
    fn whole(axis: usize, shape: Axis) -> Self {
        let words = shape.special.div_ceil(64);
        let word = |word: u32| match shape.special - word * 64 {
            left @ 0..64 => (1 << left) - 1,
            _ => u64::MAX,
        };
        let axis = u32::try_from(axis).expect("axes are numbered by u32");
        Self { axis, low: 0, high: shape.ordered, special: (0..words).map(word).collect() }
    }

    fn is_empty(&self) -> bool {
        self.low >= self.high && self.special.iter().all(|word| *word == 0)
    }

    fn overlaps(&self, other: &Self) -> bool {
        self.low.max(other.low) < self.high.min(other.high)
            || self.special.iter().zip(&other.special).any(|(mine, theirs)| mine & theirs != 0)
    }

    fn intersect(&mut self, other: &Self) {
        self.low = self.low.max(other.low);
        self.high = self.high.min(other.high);
        self.special.iter_mut().zip(&other.special).for_each(|(mine, theirs)| *mine &= theirs);
    }

    /// The first cell: ordered ones come before special ones.
    fn first_cell(&self, shape: Axis) -> Option<u32> {
        if self.low < self.high {
            return Some(self.low);
        }
        let word = self.special.iter().position(|word| *word != 0)?;
        let word_start = u32::try_from(word * 64).expect("cells are numbered by u32");
        Some(shape.ordered + word_start + self.special[word].trailing_zeros())
    }
}

impl SparseBox {
    /// True if some point is in both.
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        let mut theirs = other.sides.iter().peekable();
        self.sides.iter().all(|mine| {
            while theirs.next_if(|their| their.axis < mine.axis).is_some() {}
            theirs.next_if(|their| their.axis == mine.axis).is_none_or(|their| mine.overlaps(their))
        })
    }

    /// The points in both, of two that overlap.
    pub(crate) fn intersection(&self, other: &Self) -> Self {
        let mut theirs = other.sides.iter().peekable();
        let mut sides = Vec::with_capacity(self.sides.len() + other.sides.len());
        for mine in &self.sides {
            while let Some(their) = theirs.next_if(|their| their.axis < mine.axis) {
                sides.push(their.clone());
            }
            let mut side = mine.clone();
            if let Some(their) = theirs.next_if(|their| their.axis == mine.axis) {
                side.intersect(their);
            }
            sides.push(side);
        }
        sides.extend(theirs.cloned());
        Self { sides: sides.into() }
    }

    /// A point in it: the first cell of every axis.
    pub(crate) fn point(&self, axes: &[Axis]) -> Vec<u32> {
        let mut dense = DenseBox::everything(axes);
        dense.intersect(self);
        dense.point(axes)
    }

    /// The bytes that it takes beside itself.
    pub(crate) fn bytes(&self) -> usize {
        self.sides.iter().map(|side| size_of::<BoxSide>() + size_of_val(&*side.special)).sum()
    }
}

/// As an [`SparseBox`], but with a side for every axis: quick to compare with many leaves.
#[derive(Clone, Debug)]
pub(crate) struct DenseBox {
    sides: Vec<BoxSide>,
}

impl DenseBox {
    pub(crate) fn everything(axes: &[Axis]) -> Self {
        Self { sides: axes.iter().enumerate().map(|(axis, shape)| BoxSide::whole(axis, *shape)).collect() }
    }

    pub(crate) fn overlaps(&self, extent: &SparseBox) -> bool {
        extent.sides.iter().all(|side| self.sides[side.axis as usize].overlaps(side))
    }

    pub(crate) fn intersect(&mut self, extent: &SparseBox) {
        extent.sides.iter().for_each(|side| self.sides[side.axis as usize].intersect(side));
    }

    /// Takes back the axes of an extent from where it was before.
    pub(crate) fn restore(&mut self, extent: &SparseBox, before: &Self) {
        for side in &extent.sides {
            self.sides[side.axis as usize].clone_from(&before.sides[side.axis as usize]);
        }
    }

    /// The first cell of every axis.
    pub(crate) fn point(&self, axes: &[Axis]) -> Vec<u32> {
        let first = |(side, shape): (&BoxSide, &Axis)| side.first_cell(*shape).expect("an extent has points");
        self.sides.iter().zip(axes).map(first).collect()
    }
}

/// The leaves of a tree that points can reach, best first; of equal leaves the leftmost comes first.
pub(crate) fn leaves(axes: &[Axis], tree: &Tree) -> Vec<LeafBox> {
    let mut leaves = vec![];
    let mut path: Vec<(usize, Vec<BoxSide>)> = vec![(0, vec![])];
    while let Some((at, sides)) = path.pop() {
        match &tree.nodes[at] {
            Node::Leaf(value) => leaves.push(LeafBox { value: *value, extent: SparseBox { sides: sides.into() } }),
            Node::Split(split) => {
                let axis = split.axis as usize;
                let whole = BoxSide::whole(axis, axes[axis]);
                let mut left = BoxSide { high: split.cut.min(whole.high), ..whole.clone() };
                let mut right = BoxSide { low: split.cut, ..whole.clone() };
                for cell in 0..axes[axis].special {
                    let bit = 1 << (cell % 64);
                    let loser = if split.special_left.binary_search(&cell).is_ok() { &mut right } else { &mut left };
                    loser.special[(cell / 64) as usize] &= !bit;
                }
                // The left child is taken from the stack first.
                for (child, side) in [(split.right, right), (split.left, left)] {
                    let mut sides = sides.clone();
                    match sides.binary_search_by_key(&split.axis, |side| side.axis) {
                        Ok(place) => sides[place].intersect(&side),
                        Err(_) if side == whole => {}
                        Err(place) => sides.insert(place, side),
                    }
                    if !sides.iter().any(BoxSide::is_empty) {
                        path.push((child as usize, sides));
                    }
                }
            }
        }
    }
    leaves.sort_by_key(|leaf| std::cmp::Reverse(leaf.value));
    leaves
}
