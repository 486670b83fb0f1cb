//! Detection of trees that onnxruntime itself changes: it folds chains of equality tests into one set test, and in doing so
//! compares too little.
//!
//! A chain is folded when a test `x == a` is followed, on its false side, by `x == b` on the same feature, both are
//! small positive integers, and the two true sides look alike: same features, comparisons and values, and the same
//! *first* weight in each leaf. Outputs, further weights and the treatment of NaN are not compared, so two different
//! subtrees can be taken for one. And the weights of the subtree that falls away land on the first node of the first
//! tree, which matters if that is a leaf. Such a model predicts something else than it says; it is refused.

use std::cmp::Ordering;

use super::nodes::{Mode, RawNode, RawTree};
use crate::error::LoadError;
use crate::float::Precision;

/// The likeness of two subtrees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Alike {
    No,
    /// As far as onnxruntime looks, but not beyond.
    Seemingly,
    Wholly,
}

/// Refuses trees that onnxruntime would change by folding. Every node must be reached at most once.
pub(super) fn check(trees: &[RawTree], computes: Precision) -> Result<(), LoadError> {
    let starts_with_leaf = trees.first().is_some_and(|tree| matches!(tree.nodes.first(), Some(RawNode::Leaf(_))));
    for (index, tree) in trees.iter().enumerate() {
        let within = |node: usize| format!("tree {index}, node {node}");
        match folds(tree, computes) {
            Some((node, Fold::Changing)) => {
                let what = "onnxruntime folds this chain of equality tests into one set although the tests lead to \
                            different results, so that the file does not say what is predicted; use category codes \
                            below 1 or above 64";
                return Err(LoadError::unsupported(within(node), what));
            }
            Some((node, Fold::Harmless)) if starts_with_leaf => {
                let what = "onnxruntime folds this chain of equality tests into one set and adds the weights that fall away \
                            to the first tree, because that is a single leaf; list another tree first";
                return Err(LoadError::unsupported(within(node), what));
            }
            _ => {}
        }
    }
    Ok(())
}

/// The effect of folding on a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fold {
    Harmless,
    Changing,
}

/// The first node at which folding changes the tree, or else any node at which it happens.
fn folds(tree: &RawTree, computes: Precision) -> Option<(usize, Fold)> {
    let mut harmless = None;
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
        match alike(tree, upper.on_true, lower.on_true) {
            Alike::No => {}
            Alike::Wholly if upper.tracks_true == lower.tracks_true => harmless = Some((index, Fold::Harmless)),
            _ => return Some((index, Fold::Changing)),
        }
    }
    harmless
}

/// True if onnxruntime may fold a test: the values must fit the bits of a mask as wide as the threshold type.
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
                (Some(first), Some(second)) if first.value.partial_cmp(&second.value) != Some(Ordering::Equal) => {
                    return Alike::No;
                }
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

#[cfg(test)]
mod tests {
    use super::super::nodes::{Branch, RawLeaf};
    use super::*;
    use crate::tree::LeafTerm;

    fn leaf(terms: &[(u32, f64)]) -> RawNode {
        let terms = terms.iter().map(|(output, value)| LeafTerm { output: *output, value: *value }).collect();
        RawNode::Leaf(RawLeaf { id: 0, terms })
    }

    fn equal(value: f64, tracks_true: bool, on_true: usize, on_false: usize) -> RawNode {
        RawNode::Branch(Branch { feature: 0, mode: Mode::Equal(value), tracks_true, on_true, on_false })
    }

    /// `x == 1`, else `x == second`, with these two leaves.
    fn chain(second: f64, tracks: bool, one: &[(u32, f64)], other: &[(u32, f64)]) -> RawTree {
        let nodes =
            vec![equal(1.0, false, 1, 2), leaf(one), equal(second, tracks, 3, 4), leaf(other), leaf(&[(0, 9.0)])];
        RawTree { nodes }
    }

    #[test]
    fn only_folding_that_changes_something_is_refused() {
        let is_kept = |tree| check(&[tree], Precision::F32).is_ok();
        assert!(is_kept(chain(2.0, false, &[(0, 1.0)], &[(0, 1.0)])));
        assert!(is_kept(chain(2.0, false, &[(0, 1.0)], &[(1, 2.0)])));
        assert!(!is_kept(chain(2.0, false, &[(0, 1.0)], &[(1, 1.0)])), "another output");
        assert!(!is_kept(chain(2.0, false, &[(0, 1.0), (1, 5.0)], &[(0, 1.0), (1, 6.0)])), "another second weight");
        assert!(!is_kept(chain(2.0, true, &[(0, 1.0)], &[(0, 1.0)])), "NaN goes elsewhere");
        assert!(is_kept(chain(33.0, false, &[(0, 1.0)], &[(1, 1.0)])), "beyond the mask of float");
        assert!(check(&[chain(33.0, false, &[(0, 1.0)], &[(1, 1.0)])], Precision::F64).is_err());
    }

    #[test]
    fn weights_that_fall_away_land_on_a_first_leaf() {
        let single = RawTree { nodes: vec![leaf(&[(0, 1.0)])] };
        let folded = chain(2.0, false, &[(0, 1.0)], &[(0, 1.0)]);
        assert!(check(&[single, folded], Precision::F32).is_err());
    }
}
