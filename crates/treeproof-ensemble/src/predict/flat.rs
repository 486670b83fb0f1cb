//! Trees as flat arrays: siblings side by side, leaves that lead to themselves.

use super::bins::{Bin, GROUP, RankColumns};
use super::oblivious::ObliviousTree;
use super::payload::{Payload, Sums};
use super::special::SpecialSplit;
use crate::ensemble::Ensemble;
use crate::float::Precision;
use crate::sum::Summation;
use crate::tree::{Node, Tree};

/// Levels that rows descend before they look whether all of them have arrived.
const STRIDE: usize = 4;

/// All trees of an ensemble.
pub(super) struct FlatForest<B> {
    columns: RankColumns,
    trees: Vec<(Layout<B>, Payload)>,
}

enum Layout<B> {
    Oblivious(ObliviousTree<B>),
    Walked(FlatTree<B>),
}

struct FlatTree<B> {
    nodes: Vec<FlatNode<B>>,
    depth: usize,
    special: Vec<SpecialSplit>,
    /// Per node its position in `special`; empty for a tree without special splits.
    special_at: Vec<u32>,
}

#[derive(Clone, Copy)]
struct FlatNode<B> {
    /// Rows whose rank is at least this go right.
    rank: B,
    /// The column of the rank.
    column: B,
    /// The left child; the right one follows it. A leaf leads to itself.
    first: u32,
}

impl<B: Bin> FlatForest<B> {
    pub(super) fn new(ensemble: &Ensemble, summation: &Summation, columns: RankColumns) -> Self {
        let lay_out = |(index, tree): (usize, &Tree)| {
            if let Some((oblivious, leaves)) = ObliviousTree::new(tree, &columns) {
                let leaf_at: Vec<(usize, usize)> = leaves.into_iter().enumerate().collect();
                let payload = Payload::new(tree, index, summation, &leaf_at, leaf_at.len());
                return (Layout::Oblivious(oblivious), payload);
            }
            let (flat, leaf_at) = FlatTree::new(tree, &columns);
            let payload = Payload::new(tree, index, summation, &leaf_at, flat.nodes.len());
            (Layout::Walked(flat), payload)
        };
        let trees = ensemble.trees.iter().enumerate().map(lay_out).collect();
        Self { columns, trees }
    }

    /// Adds the terms of every tree for every row, NaN being a missing value; `scored` (if not empty) notes which
    /// outputs got a term. Sums are padded to whole groups of rows.
    pub(super) fn add(
        &self,
        values: &[f64],
        width: usize,
        precision: Precision,
        outputs: usize,
        sums: &mut [f64],
        scored: &mut [bool],
    ) {
        let bins = self.columns.bin(values, width);
        for (layout, payload) in &self.trees {
            for (group, bins) in bins.chunks_exact(self.columns.count()).enumerate() {
                let range = group * GROUP * outputs..(group + 1) * GROUP * outputs;
                let scored = scored.get_mut(range.clone()).unwrap_or(&mut []);
                let to = &mut Sums { precision, outputs, sums: &mut sums[range], scored };
                match layout {
                    Layout::Oblivious(tree) => payload.add(&tree.reach(bins), to),
                    Layout::Walked(tree) if tree.special.is_empty() => payload.add(&tree.reach(bins), to),
                    Layout::Walked(tree) => {
                        let rows = &values[group * GROUP * width..];
                        let rows = &rows[..rows.len().min(GROUP * width)];
                        payload.add(&tree.reach_with_special(bins, rows, width), to);
                    }
                }
            }
        }
    }
}

impl<B: Bin> FlatTree<B> {
    /// The tree, with the places of its leaves.
    fn new(tree: &Tree, columns: &RankColumns) -> (Self, Vec<(usize, usize)>) {
        let leaf_node = FlatNode { rank: B::LEAF, column: B::new(0), first: 0 };
        let index = |place: usize| u32::try_from(place).expect("trees are bounded");
        let mut nodes = vec![leaf_node];
        let mut special = Vec::new();
        let mut special_nodes = Vec::new();
        let mut leaf_at: Vec<(usize, usize)> = Vec::with_capacity(tree.leaves.len());
        let mut pending = vec![(tree.root(), 0_usize)];
        while let Some((node, place)) = pending.pop() {
            match node {
                Node::Leaf(leaf) => {
                    nodes[place].first = index(place);
                    leaf_at.push((place, leaf));
                }
                Node::Split(split) => {
                    let split = &tree.splits[split];
                    let first = nodes.len();
                    nodes.extend([leaf_node, leaf_node]);
                    let (column, rank) = columns.place(split).unwrap_or_else(|| {
                        special.push(SpecialSplit::new(tree, split));
                        special_nodes.push(place);
                        (B::new(0), B::SPECIAL)
                    });
                    nodes[place] = FlatNode { rank, column, first: index(first) };
                    pending.push((split.right.node(), first + 1));
                    pending.push((split.left.node(), first));
                }
            }
        }
        let mut special_at = vec![0; if special.is_empty() { 0 } else { nodes.len() }];
        for (position, node) in special_nodes.into_iter().enumerate() {
            special_at[node] = index(position);
        }
        (Self { nodes, depth: tree.depth(), special, special_at }, leaf_at)
    }

    /// The nodes of the leaves that a group of rows reaches.
    #[inline]
    fn reach(&self, bins: &[[B; GROUP]]) -> [u32; GROUP] {
        self.descend(|row, _, node| bins[node.column.index()][row] >= node.rank)
    }

    /// As [`Self::reach`], with the values themselves for special splits; absent rows of the last group end anywhere.
    fn reach_with_special(&self, bins: &[[B; GROUP]], rows: &[f64], width: usize) -> [u32; GROUP] {
        self.descend(|row, at, node| {
            if node.rank == B::SPECIAL {
                rows.get(row * width..(row + 1) * width).is_some_and(|values| self.special(at).goes_right(values))
            } else {
                bins[node.column.index()][row] >= node.rank
            }
        })
    }

    #[inline(always)]
    fn descend(&self, goes_right: impl Fn(usize, u32, &FlatNode<B>) -> bool) -> [u32; GROUP] {
        let mut at = [0_u32; GROUP];
        let mut left = self.depth;
        loop {
            for _ in 0..left.min(STRIDE) {
                for (row, at) in at.iter_mut().enumerate() {
                    let node = self.nodes[*at as usize];
                    *at = node.first + u32::from(goes_right(row, *at, &node));
                }
            }
            left = left.saturating_sub(STRIDE);
            if left == 0 || at.iter().all(|at| self.nodes[*at as usize].rank == B::LEAF) {
                return at;
            }
        }
    }

    fn special(&self, node: u32) -> &SpecialSplit {
        &self.special[self.special_at[node as usize] as usize]
    }
}
