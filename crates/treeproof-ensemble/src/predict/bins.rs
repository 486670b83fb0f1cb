//! Input values as ranks among the thresholds of their feature, so that a split compares two small integers.
//!
//! `x < t` holds iff fewer thresholds are at most `x` than up to and including `t`. A missing value takes the lowest
//! rank where splits send it left and the highest where they send it right: a feature whose splits differ in that
//! has two columns, and no split needs to ask whether a value is missing.

use crate::ensemble::Ensemble;
use crate::tree::{Side, Split, Test};

/// Rows that walk down a tree together; their ranks in one column lie side by side.
pub(super) const GROUP: usize = 32;

/// An integer type of ranks and columns.
pub(super) trait Bin: Copy + Send + Sync + Ord {
    /// The rank of a leaf: no value reaches it.
    const LEAF: Self;
    /// The rank of a special split, beyond `x < threshold`: no value reaches it either.
    const SPECIAL: Self;
    fn new(index: usize) -> Self;
    fn index(self) -> usize;
}

macro_rules! bin {
    ($type:ty) => {
        impl Bin for $type {
            const LEAF: Self = Self::MAX;
            const SPECIAL: Self = Self::MAX - 1;
            #[inline]
            fn new(index: usize) -> Self {
                Self::try_from(index).expect("the type is chosen by the number of thresholds and columns")
            }
            #[inline]
            fn index(self) -> usize {
                self as usize
            }
        }
    };
}

bin!(u16);
bin!(u32);

/// The columns of ranks that the splits of an ensemble compare with.
pub(super) struct RankColumns {
    /// Per feature: its thresholds, ascending.
    thresholds: Vec<Vec<f64>>,
    /// Per feature: the columns in which missing values go left and right.
    by_feature: Vec<[Option<usize>; 2]>,
    num_columns: usize,
}

impl RankColumns {
    pub(super) fn new(ensemble: &Ensemble) -> Self {
        let mut thresholds = vec![Vec::new(); ensemble.features.len()];
        let mut by_feature = vec![[None; 2]; ensemble.features.len()];
        let mut num_columns = 0;
        for split in ensemble.trees.iter().flat_map(|tree| &tree.splits) {
            if let Some(threshold) = plain_threshold(split) {
                thresholds[split.feature as usize].push(threshold);
                by_feature[split.feature as usize][side(split.missing)].get_or_insert_with(|| {
                    num_columns += 1;
                    num_columns - 1
                });
            }
        }
        for thresholds in &mut thresholds {
            thresholds.sort_unstable_by(f64::total_cmp);
            thresholds.dedup();
        }
        Self { thresholds, by_feature, num_columns }
    }

    /// The number of columns; at least one, which leaves may name.
    pub(super) fn count(&self) -> usize {
        self.num_columns.max(1)
    }

    /// True if ranks and columns fit 16 bits.
    pub(super) fn is_narrow(&self) -> bool {
        let most = self.thresholds.iter().map(Vec::len).max().unwrap_or(0);
        most < u16::SPECIAL.index() && self.count() <= u16::MAX.index()
    }

    /// The column and the rank of a split that is `x < threshold` and nothing more: right iff the value's rank is at
    /// least this one.
    pub(super) fn place<B: Bin>(&self, split: &Split) -> Option<(B, B)> {
        let threshold = plain_threshold(split)?;
        let feature = split.feature as usize;
        let column = self.by_feature[feature][side(split.missing)].expect("every split was seen");
        let rank = self.thresholds[feature].partition_point(|known| *known <= threshold);
        Some((B::new(column), B::new(rank)))
    }

    /// The ranks of rows given one after the other, NaN being missing: for each group of rows, column after column.
    pub(super) fn bin<B: Bin>(&self, values: &[f64], width: usize) -> Vec<[B; GROUP]> {
        let mut bins = vec![[B::new(0); GROUP]; values.len().div_ceil(width * GROUP) * self.count()];
        for (rows, bins) in values.chunks(width * GROUP).zip(bins.chunks_exact_mut(self.count())) {
            for (feature, (thresholds, [left, right])) in self.thresholds.iter().zip(&self.by_feature).enumerate() {
                let column = rows[feature..].iter().step_by(width);
                if let Some(left) = left {
                    fill(&mut bins[*left], column.clone(), thresholds, 0);
                }
                if let Some(right) = right {
                    fill(&mut bins[*right], column, thresholds, thresholds.len());
                }
            }
        }
        bins
    }
}

#[inline]
fn fill<'v, B: Bin>(
    bins: &mut [B; GROUP],
    column: impl Iterator<Item = &'v f64>,
    thresholds: &[f64],
    of_missing: usize,
) {
    for (bin, value) in bins.iter_mut().zip(column) {
        let rank = thresholds.partition_point(|threshold| threshold <= value);
        *bin = B::new(if value.is_nan() { of_missing } else { rank });
    }
}

fn plain_threshold(split: &Split) -> Option<f64> {
    match split.test {
        Test::Below(threshold) if split.zero.is_none() => Some(threshold),
        _ => None,
    }
}

fn side(side: Side) -> usize {
    usize::from(side == Side::Right)
}
