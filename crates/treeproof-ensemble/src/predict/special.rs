//! Splits that are more than `x < threshold`: on a set, on presence, or with a direction of their own for zero.

use crate::tree::{Side, Split, Test, Tree};

/// Such a split, with all it needs.
pub(super) struct SpecialSplit {
    pub(super) node: u32,
    feature: usize,
    test: SpecialTest,
    missing: Side,
    zero: Option<Side>,
}

enum SpecialTest {
    Below(f64),
    Present,
    OneOf(Box<[f64]>),
    InSet(Box<[u32]>),
}

impl SpecialSplit {
    pub(super) fn new(tree: &Tree, split: &Split, node: u32) -> Self {
        let test = match split.test {
            Test::Below(threshold) => SpecialTest::Below(threshold),
            Test::Present => SpecialTest::Present,
            Test::OneOf(set) => SpecialTest::OneOf(tree.value_set(set).into()),
            Test::InSet(set) => SpecialTest::InSet(tree.category_set(set).into()),
        };
        Self { node, feature: split.feature as usize, test, missing: split.missing, zero: split.zero }
    }

    /// Whether a row goes right: NaN for missing, a category's code, −1 for no category.
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
        }
    }
}
