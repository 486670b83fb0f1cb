//! Special splits, beyond `x < threshold`: on a set, on presence, or with a side of its own for zero.

use crate::tree::{Side, Split, Test, Tree};

/// A special split with its set.
pub(super) struct SpecialSplit {
    feature: usize,
    test: SpecialTest,
    missing: Side,
    zero: Option<Side>,
}

enum SpecialTest {
    Below(f64),
    Present,
    OneOf(Box<[f64]>),
    /// Category codes, ascending.
    InSet(Box<[u32]>),
    /// Category codes as bits.
    InBits(Box<[u64]>),
}

impl SpecialSplit {
    pub(super) fn new(tree: &Tree, split: &Split) -> Self {
        let test = match split.test {
            Test::Below(threshold) => SpecialTest::Below(threshold),
            Test::Present => SpecialTest::Present,
            Test::OneOf(set) => SpecialTest::OneOf(tree.value_set(set).into()),
            Test::InSet(set) => SpecialTest::in_set(tree.category_set(set)),
        };
        Self { feature: split.feature as usize, test, missing: split.missing, zero: split.zero }
    }

    /// True if a row goes right: NaN for missing, a category's code, −1 outside all categories.
    pub(super) fn goes_right(&self, row: &[f64]) -> bool {
        let x = row[self.feature];
        if x.is_nan() {
            return self.missing == Side::Right;
        }
        if let Some(side) = self.zero
            && x == 0.0
        {
            return side == Side::Right;
        }
        !match &self.test {
            SpecialTest::Below(threshold) => x < *threshold,
            SpecialTest::Present => true,
            SpecialTest::OneOf(values) => values.contains(&x),
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a code, or negative for none")]
            SpecialTest::InSet(codes) => x >= 0.0 && codes.binary_search(&(x as u32)).is_ok(),
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a code, or negative for none")]
            SpecialTest::InBits(words) => {
                let code = x as usize;
                x >= 0.0 && words.get(code / 64).is_some_and(|word| word >> (code % 64) & 1 == 1)
            }
        }
    }
}

impl SpecialTest {
    /// Bits if they take no more memory than the codes: a single large code must not cost megabytes.
    fn in_set(codes: &[u32]) -> Self {
        let num_words = codes.last().map_or(0, |largest| *largest as usize / 64 + 1);
        if num_words > codes.len() + 4 {
            return Self::InSet(codes.into());
        }
        let mut words = vec![0_u64; num_words];
        for code in codes {
            words[*code as usize / 64] |= 1 << (code % 64);
        }
        Self::InBits(words.into())
    }
}
