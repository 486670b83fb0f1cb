//! Where onnxruntime itself changes a tree: it folds chains of equality tests into one set test, and in doing so
//! looks at less than it should.
//!
//! A chain is folded when a test `x == a` is followed, on its false side, by `x == b` on the same feature, both are
//! small positive integers, and the two true sides look alike: same features, comparisons and values, and the same
//! *first* weight in each leaf. Outputs, further weights and the treatment of NaN are not compared, so two different
//! subtrees can be taken for one. Such a tree predicts something else than it says; it is refused.

use super::nodes::{Mode, RawNode, RawTree};
use crate::error::LoadError;
use crate::float::Precision;

/// What is alike in two subtrees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Alike {
    No,
    /// As far as onnxruntime looks, but not beyond.
    Seemingly,
    Wholly,
}

/// Refuses a tree that onnxruntime would change by folding. The tree must be one: every node reached at most once.
pub(super) fn check(tree: &RawTree, computes: Precision) -> Result<(), LoadError> {
    let mut pending = vec![0];
    while let Some(index) = pending.pop() {
        let RawNode::Branch(upper) = &tree.nodes[index] else { continue };
        pending.extend([upper.on_true, upper.on_false]);
        let RawNode::Branch(lower) = &tree.nodes[upper.on_false] else { continue };
        let foldable =
            upper.feature == lower.feature && can_fold(&upper.mode, computes) && can_fold(&lower.mode, computes);
        if !foldable {
            continue;
        }
        let changes = match alike(tree, upper.on_true, lower.on_true) {
            Alike::No => false,
            Alike::Seemingly => true,
            Alike::Wholly => upper.tracks_true != lower.tracks_true,
        };
        if changes {
            let what = "onnxruntime folds this chain of equality tests into one set although the tests lead to \
                        different results, so that the file does not say what is predicted; use membership tests or \
                        other category codes (below 1 or above 64)";
            return Err(LoadError::unsupported(format!("node {index}"), what));
        }
    }
    Ok(())
}

/// Whether onnxruntime may fold a test: the values must fit the bits of a mask as wide as the threshold type.
fn can_fold(mode: &Mode, computes: Precision) -> bool {
    let widest = match computes {
        Precision::F32 => 32.0,
        Precision::F64 => 64.0,
    };
    let in_mask = |value: &f64| (1.0..=widest).contains(value) && value.fract() == 0.0;
    match mode {
        Mode::Equal(value) => in_mask(value),
        // Written as a chain of equality tests first.
        Mode::Member(values) => values.iter().any(in_mask),
        _ => false,
    }
}

/// Walks both subtrees in step, so the cost is that of the smaller one.
fn alike(tree: &RawTree, one: usize, other: usize) -> Alike {
    let mut pending = vec![(one, other)];
    let mut wholly = true;
    while let Some((one, other)) = pending.pop() {
        match (&tree.nodes[one], &tree.nodes[other]) {
            (RawNode::Leaf(one), RawNode::Leaf(other)) => match (one.terms.first(), other.terms.first()) {
                (Some(first), Some(second)) if first.value != second.value => return Alike::No,
                _ => wholly &= one.terms == other.terms,
            },
            (RawNode::Branch(one), RawNode::Branch(other))
                if one.feature == other.feature && one.mode == other.mode =>
            {
                wholly &= one.tracks_true == other.tracks_true;
                pending.extend([(one.on_true, other.on_true), (one.on_false, other.on_false)]);
            }
            _ => return Alike::No,
        }
    }
    if wholly { Alike::Wholly } else { Alike::Seemingly }
}
