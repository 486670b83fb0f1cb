//! Oblivious trees, with one test per level, as CatBoost grows them: the outcomes of a row are the
//! bits of its leaf's number, and the rows of a group are compared side by side.

use super::bins::{Bin, GROUP, RankColumns};
use crate::tree::{Node, Side, Split, Tree};

/// Deeper trees are walked: a full table of leaves would not stay in cache.
const MAX_DEPTH: usize = 12;

/// An oblivious tree: one test per level, from the root down.
pub(super) struct ObliviousTree<B> {
    /// For each level the column, and the least rank that goes right.
    levels: Vec<(B, B)>,
}

impl<B: Bin> ObliviousTree<B> {
    /// The tree and its leaves by number, if it is oblivious.
    pub(super) fn new(tree: &Tree, columns: &RankColumns) -> Option<(Self, Vec<usize>)> {
        let depth = tree.depth();
        if depth == 0 || depth > MAX_DEPTH || tree.leaves.len() != 1 << depth {
            return None;
        }
        let mut levels = Vec::with_capacity(depth);
        let mut nodes = vec![tree.root()];
        for _ in 0..depth {
            let splits: Vec<&Split> = nodes.iter().map(|node| split(tree, *node)).collect::<Option<_>>()?;
            let first = splits[0];
            let same = |split: &&Split| {
                (split.feature, split.test, split.missing, split.zero)
                    == (first.feature, first.test, first.missing, first.zero)
            };
            if !splits.iter().all(same) {
                return None;
            }
            levels.push(columns.place(first)?);
            nodes = splits
                .iter()
                .flat_map(|split| [Side::Left, Side::Right].map(|side| split.child(side).node()))
                .collect();
        }
        let leaf = |node: &Node| match node {
            Node::Leaf(leaf) => Some(*leaf),
            Node::Split(_) => None,
        };
        Some((Self { levels }, nodes.iter().map(leaf).collect::<Option<_>>()?))
    }

    /// The numbers of the leaves that a group of rows reaches: as wide as most ranks, for vectors of as many lanes.
    #[inline]
    pub(super) fn reach(&self, bins: &[[B; GROUP]]) -> [u16; GROUP] {
        let mut number = [0_u16; GROUP];
        for (column, rank) in &self.levels {
            for (number, bin) in number.iter_mut().zip(&bins[column.index()]) {
                *number = (*number << 1) | u16::from(bin >= rank);
            }
        }
        number
    }
}

fn split(tree: &Tree, node: Node) -> Option<&Split> {
    match node {
        Node::Split(index) => Some(&tree.splits[index]),
        Node::Leaf(_) => None,
    }
}
