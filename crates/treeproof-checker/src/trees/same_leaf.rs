//! Trees that always reach the same leaf: one tree at two inputs that agree in all its features, or equal trees of two models
//! at one input. Cells that do not tell their leaves apart still cannot lead to different ones.

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::tree::{Split, Test, Tree};
use treeproof_proof::header::TreeSource;
use treeproof_proof::statement::Tie;

use crate::space::Space;

/// True if two trees always reach the leaf of the same number.
pub(crate) fn reach_same_leaf(space: &Space<'_>, one: TreeSource, other: TreeSource) -> bool {
    let tree = |source: TreeSource| {
        let model = space.models.get(source.model as usize)?;
        Some((model, model.trees().get(source.tree as usize)?))
    };
    let (Some((first, own)), Some((second, others))) = (tree(one), tree(other)) else { return false };
    if one.model == other.model && one.tree == other.tree {
        let is_same = |split: &Split| {
            let (feature, _) = space.place(one.model as usize, split.feature);
            space.statement.ties.get(feature) == Some(&Tie::Same)
        };
        return one.input == other.input || own.splits().iter().all(is_same);
    }
    let is_same_split = |(mine, theirs): (&Split, &Split)| {
        let (feature, _) = space.place(one.model as usize, mine.feature);
        let (matched, _) = space.place(other.model as usize, theirs.feature);
        let kinds = [&first.features()[mine.feature as usize].kind, &second.features()[theirs.feature as usize].kind];
        feature == matched
            && kinds[0] == kinds[1]
            && (mine.missing, mine.zero) == (theirs.missing, theirs.zero)
            && (mine.left.node(), mine.right.node()) == (theirs.left.node(), theirs.right.node())
            && is_same_test(own, mine.test, others, theirs.test)
    };
    one.input == other.input
        && reads_alike(first, second)
        && own.splits().len() == others.splits().len()
        && own.splits().iter().zip(others.splits()).all(is_same_split)
}

/// True if both libraries read every number alike.
fn reads_alike(first: &Ensemble, second: &Ensemble) -> bool {
    let rules = [first, second].map(|model| {
        let input = model.input();
        (input.precision, input.missing_value, input.zero_band)
    });
    rules[0] == rules[1]
}

fn is_same_test(own: &Tree, test: Test, others: &Tree, other: Test) -> bool {
    match (test, other) {
        (Test::Below(one), Test::Below(other)) => one == other,
        (Test::Present, Test::Present) => true,
        (Test::OneOf(one), Test::OneOf(other)) => own.value_set(one) == others.value_set(other),
        (Test::InSet(one), Test::InSet(other)) => own.category_set(one) == others.category_set(other),
        _ => false,
    }
}
