//! One `Tree=` block: splits that go left on `x <= threshold` or on a set bit, with LightGBM's three kinds of
//! missing values.

use super::text::{Text, TextField, TextLine};
use crate::builder::{RawSplit, TreeBuilder};
use crate::error::LoadError;
use crate::input::InputRules;
use crate::tree::{LeafTerm, Side, Test, Tree};

/// More leaves than any model has; two nodes per leaf stay far below the builder's bound.
const MAX_LEAVES: usize = 1 << 28;

const CATEGORICAL: u8 = 1;
const DEFAULT_LEFT: u8 = 2;

/// Reads a block; `output` is the one to which all leaves add.
pub(super) fn read(
    text: &Text<'_>,
    block: &[TextLine<'_>],
    input: &InputRules,
    output: u32,
    num_features: usize,
) -> Result<Tree, LoadError> {
    let [num_leaves, leaf_value, split_feature, threshold, decision_type, left, right, boundaries, bits, is_linear] =
        text.fields(
            block,
            [
                "num_leaves",
                "leaf_value",
                "split_feature",
                "threshold",
                "decision_type",
                "left_child",
                "right_child",
                "cat_boundaries",
                "cat_threshold",
                "is_linear",
            ],
        )?;
    if let Some(field) = &is_linear
        && text.single::<i64>(field)? != 0
    {
        let what = "linear trees (leaves that are linear functions); train with linear_tree=false";
        return Err(LoadError::unsupported("", what));
    }
    let required = |field: Option<_>, name: &str| {
        field.ok_or_else(|| LoadError::malformed("", format!("there is no `{name}` line")))
    };
    let num_leaves_field = required(num_leaves, "num_leaves")?;
    let num_leaves: usize = text.single(&num_leaves_field)?;
    if num_leaves == 0 || num_leaves > MAX_LEAVES {
        return Err(text.error(num_leaves_field.offset, format!("a tree cannot have {num_leaves} leaves")));
    }
    let leaf_value = NumberArray::<f64>::read(text, required(leaf_value, "leaf_value")?, num_leaves)?;

    // The leaves' values are present, so the file backs this many nodes.
    let num_splits = num_leaves - 1;
    let mut builder = TreeBuilder::new(num_leaves + num_splits);
    for (leaf, value) in leaf_value.numbers.iter().enumerate() {
        if !value.is_finite() {
            return Err(text.error(leaf_value.offset, format!("the value {value} of leaf {leaf} is not finite")));
        }
        #[expect(clippy::cast_possible_truncation, reason = "at most MAX_LEAVES")]
        builder.leaf(num_splits + leaf, leaf as u32, [LeafTerm { output, value: *value }])?;
    }
    if num_splits == 0 {
        return builder.finish(0);
    }

    let feature = NumberArray::<u32>::read(text, required(split_feature, "split_feature")?, num_splits)?;
    let threshold = NumberArray::<f64>::read(text, required(threshold, "threshold")?, num_splits)?;
    let left = NumberArray::<i32>::read(text, required(left, "left_child")?, num_splits)?;
    let right = NumberArray::<i32>::read(text, required(right, "right_child")?, num_splits)?;
    let decision = NumberArray::<u8>::read(text, required(decision_type, "decision_type")?, num_splits)?;
    let mut sets = Bitsets::read(text, boundaries, bits)?;

    let child = |column: &NumberArray<i32>, node: usize| {
        let child = column.numbers[node];
        // Negative numbers are leaves: −1 is the first.
        let index = if child >= 0 { i64::from(child) } else { num_splits as i64 + i64::from(!child) };
        usize::try_from(index)
            .ok()
            .filter(|index| *index < num_splits || child < 0 && *index < num_splits + num_leaves)
            .ok_or_else(|| text.error(column.offset, format!("child {child} of node {node} is out of range")))
    };
    for node in 0..num_splits {
        let (decision_type, threshold_value) = (decision.numbers[node], threshold.numbers[node]);
        if feature.numbers[node] as usize >= num_features {
            let what = format!(
                "node {node} tests feature {}, but the model has {num_features} features",
                feature.numbers[node]
            );
            return Err(text.error(feature.offset, what));
        }
        let default = Side::from(decision_type & DEFAULT_LEFT != 0);
        // The values that the split treats as missing, by bits 2 and 3.
        let (missing, zero) = match decision_type >> 2 {
            // None: NaN is read as zero.
            0 => (Side::from(0.0 <= threshold_value), None),
            // Zero, its band, and NaN.
            1 => (default, Some(default)),
            // NaN.
            2 => (default, None),
            _ => {
                let what = format!("the decision type {decision_type} of node {node} is unknown");
                return Err(text.error(decision.offset, what));
            }
        };
        let (test, missing, zero) = if decision_type & CATEGORICAL != 0 {
            // No category, no left: the missing type is not looked at.
            let test = sets
                .test(&mut builder, threshold_value)
                .map_err(|what| text.error(threshold.offset, format!("node {node}: {what}")))?;
            (test, Side::Right, None)
        } else {
            (input.test_at_most(threshold_value), missing, zero)
        };
        let (left, right) = (child(&left, node)?, child(&right, node)?);
        builder.split(node, RawSplit { feature: feature.numbers[node], test, missing, zero, left, right })?;
    }
    builder.finish(0)
}

/// An array of a tree, with one number per split or leaf.
struct NumberArray<T> {
    numbers: Vec<T>,
    offset: usize,
}

impl<T: std::str::FromStr> NumberArray<T> {
    fn read(text: &Text<'_>, field: TextField<'_>, expected: usize) -> Result<Self, LoadError> {
        let numbers = text.numbers(&field, expected)?;
        if numbers.len() != expected {
            let what = format!("{} numbers where num_leaves asks for {expected}", numbers.len());
            return Err(text.error(field.offset, what));
        }
        Ok(Self { numbers, offset: field.offset })
    }
}

/// The sets of categories of a tree, each expanded once however many splits name it.
struct Bitsets {
    boundaries: Vec<usize>,
    words: Vec<u32>,
    tests: Vec<Option<Test>>,
}

impl Bitsets {
    fn read(
        text: &Text<'_>,
        boundaries: Option<TextField<'_>>,
        words: Option<TextField<'_>>,
    ) -> Result<Self, LoadError> {
        let (Some(boundaries_field), Some(words_field)) = (boundaries, words) else {
            return Ok(Self { boundaries: Vec::new(), words: Vec::new(), tests: Vec::new() });
        };
        let boundaries: Vec<usize> = text.numbers(&boundaries_field, 0)?;
        let words: Vec<u32> = text.numbers(&words_field, 0)?;
        if !boundaries.is_sorted() || boundaries.last().is_some_and(|last| *last > words.len()) {
            let what = "the category boundaries are not ascending positions in `cat_threshold`";
            return Err(text.error(boundaries_field.offset, what));
        }
        let tests = vec![None; boundaries.len().saturating_sub(1)];
        Ok(Self { boundaries, words, tests })
    }

    /// The test of a categorical split, whose threshold is the number of its set.
    fn test(&mut self, builder: &mut TreeBuilder, threshold: f64) -> Result<Test, String> {
        let unknown = || format!("there is no category set {threshold}");
        if !(threshold >= 0.0 && threshold < self.tests.len() as f64) {
            return Err(unknown());
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "bounded just above")]
        let set = threshold as usize;
        if let Some(test) = self.tests[set] {
            return Ok(test);
        }
        let words = &self.words[self.boundaries[set]..self.boundaries[set + 1]];
        let codes = (0_u32..)
            .zip(words)
            .flat_map(|(index, word)| (0..32).filter(move |bit| word >> bit & 1 == 1).map(move |bit| index * 32 + bit));
        let test = builder.category_set(codes);
        self.tests[set] = Some(test);
        Ok(test)
    }
}
