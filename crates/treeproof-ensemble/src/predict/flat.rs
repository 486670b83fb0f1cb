//! Trees as flat arrays: siblings side by side, leaves that lead to themselves.

use crate::ensemble::Ensemble;
use crate::float::Precision;
use crate::sum::Summation;
use crate::tree::{Node, SetId, Side, Split, Test, Tree};

/// Rows of a block that walk down a tree together.
const GROUP: usize = 16;

/// A type of input values.
pub(super) trait Number: Copy + Send + Sync + PartialOrd {
    /// An `f64` that is a value of this type, as such.
    fn narrow(x: f64) -> Self;
    fn widen(self) -> f64;
    fn is_missing(self) -> bool;
}

impl Number for f32 {
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "an f32 value by contract")]
    fn narrow(x: f64) -> Self {
        x as f32
    }
    #[inline]
    fn widen(self) -> f64 {
        f64::from(self)
    }
    #[inline]
    fn is_missing(self) -> bool {
        self.is_nan()
    }
}

impl Number for f64 {
    #[inline]
    fn narrow(x: f64) -> Self {
        x
    }
    #[inline]
    fn widen(self) -> f64 {
        self
    }
    #[inline]
    fn is_missing(self) -> bool {
        self.is_nan()
    }
}

/// All trees of an ensemble.
pub(super) struct FlatForest<T> {
    trees: Vec<FlatTree<T>>,
}

struct FlatTree<T> {
    nodes: Vec<FlatNode<T>>,
    depth: usize,
    /// Per node that is a leaf: what it adds.
    payload: Payload,
    /// Splits that are more than `x < threshold`, by [`FlatNode::first`] of the left child.
    special: Vec<SpecialSplit>,
}

/// What leaves add, tree weights applied.
enum Payload {
    /// One value, to one output.
    Scalar { output: usize, values: Vec<f64> },
    /// Any number of (output, value) pairs: a range of `terms` per node.
    Terms { ranges: Vec<(u32, u32)>, terms: Vec<(u32, f64)> },
}

#[derive(Clone, Copy)]
struct FlatNode<T> {
    threshold: T,
    /// The tested feature, and flags above it.
    feature: u32,
    /// The left child; the right one follows it. A leaf leads to itself.
    first: u32,
}

const MISSING_RIGHT: u32 = 1 << 31;
const LEAF: u32 = 1 << 30;
const SPECIAL: u32 = 1 << 29;
const FEATURE: u32 = SPECIAL - 1;

/// A split on a set, on presence, or with a direction of its own for zero.
struct SpecialSplit {
    node: u32,
    test: SpecialTest,
    zero: Option<Side>,
}

enum SpecialTest {
    Below(f64),
    Present,
    OneOf(Box<[f64]>),
    InSet(Box<[u32]>),
}

impl<T: Number> FlatForest<T> {
    pub(super) fn new(ensemble: &Ensemble, summation: &Summation) -> Self {
        let trees =
            ensemble.trees.iter().enumerate().map(|(index, tree)| FlatTree::new(tree, index, summation)).collect();
        Self { trees }
    }

    /// Adds what every tree says about every row; `scored` (if not empty) notes which outputs got a term.
    pub(super) fn add(
        &self,
        values: &[T],
        width: usize,
        precision: Precision,
        outputs: usize,
        sums: &mut [f64],
        scored: &mut [bool],
    ) {
        for tree in &self.trees {
            for (group, rows) in values.chunks(width * GROUP).enumerate() {
                let first_row = group * GROUP;
                tree.walk(rows, width, |row, node| {
                    let place = (first_row + row) * outputs;
                    match &tree.payload {
                        Payload::Scalar { output, values } => {
                            let sum = &mut sums[place + output];
                            *sum = precision.round(*sum + values[node as usize]);
                            if let Some(scored) = scored.get_mut(place + output) {
                                *scored = true;
                            }
                        }
                        Payload::Terms { ranges, terms } => {
                            let (start, end) = ranges[node as usize];
                            for (output, value) in &terms[start as usize..end as usize] {
                                let place = place + *output as usize;
                                sums[place] = precision.round(sums[place] + value);
                                if let Some(scored) = scored.get_mut(place) {
                                    *scored = true;
                                }
                            }
                        }
                    }
                });
            }
        }
    }
}

impl<T: Number> FlatTree<T> {
    fn new(tree: &Tree, index: usize, summation: &Summation) -> Self {
        let leaf_node = FlatNode { threshold: T::narrow(0.0), feature: LEAF, first: 0 };
        let mut flat = Self {
            nodes: vec![leaf_node],
            depth: tree.depth(),
            payload: Payload::Terms { ranges: vec![], terms: vec![] },
            special: vec![],
        };
        let mut leaf_at: Vec<(usize, usize)> = Vec::with_capacity(tree.leaves.len());
        let mut pending = vec![(tree.root(), 0_usize)];
        while let Some((node, place)) = pending.pop() {
            match node {
                Node::Leaf(leaf) => {
                    flat.nodes[place].first = u32::try_from(place).expect("trees are bounded");
                    leaf_at.push((place, leaf));
                }
                Node::Split(split) => {
                    let split = &tree.splits[split];
                    let first = flat.nodes.len();
                    flat.nodes.extend([leaf_node, leaf_node]);
                    flat.nodes[place] = flat.split(tree, split, place, first);
                    pending.push((split.right.node(), first + 1));
                    pending.push((split.left.node(), first));
                }
            }
        }
        flat.payload = payload(tree, index, summation, &leaf_at, flat.nodes.len());
        flat.special.sort_by_key(|special| special.node);
        flat
    }

    fn split(&mut self, tree: &Tree, split: &Split, place: usize, first: usize) -> FlatNode<T> {
        let mut feature = split.feature;
        assert!(feature <= FEATURE, "more features than any file can name");
        if split.missing == Side::Right {
            feature |= MISSING_RIGHT;
        }
        let mut threshold = T::narrow(0.0);
        let test = match split.test {
            Test::Below(t) if split.zero.is_none() => {
                threshold = T::narrow(t);
                None
            }
            Test::Below(t) => Some(SpecialTest::Below(t)),
            Test::Present => Some(SpecialTest::Present),
            Test::OneOf(SetId(set)) => Some(SpecialTest::OneOf(tree.value_sets[set as usize].clone())),
            Test::InSet(SetId(set)) => Some(SpecialTest::InSet(tree.category_sets[set as usize].clone())),
        };
        if let Some(test) = test {
            feature |= SPECIAL;
            self.special.push(SpecialSplit {
                node: u32::try_from(place).expect("trees are bounded"),
                test,
                zero: split.zero,
            });
        }
        FlatNode { threshold, feature, first: u32::try_from(first).expect("trees are bounded") }
    }

    /// Leads up to [`GROUP`] rows to their leaves and calls `reached` for each.
    #[inline]
    fn walk(&self, rows: &[T], width: usize, mut reached: impl FnMut(usize, u32)) {
        let count = rows.len() / width;
        let mut at = [0_u32; GROUP];
        if count == GROUP {
            // The same loop with a length known to the compiler.
            self.descend(rows, width, &mut at);
        } else {
            self.descend(rows, width, &mut at[..count]);
        }
        for (row, node) in at[..count].iter().enumerate() {
            reached(row, *node);
        }
    }

    #[inline(always)]
    #[expect(
        clippy::neg_cmp_op_on_partial_ord,
        reason = "a missing value is NaN: not below is not the same as at least"
    )]
    fn descend(&self, rows: &[T], width: usize, at: &mut [u32]) {
        for _ in 0..self.depth {
            let mut moved = 0;
            for (row, at) in at.iter_mut().enumerate() {
                let node = self.nodes[*at as usize];
                let x = rows[row * width + (node.feature & FEATURE) as usize];
                let right = if node.feature & SPECIAL != 0 {
                    self.goes_right(*at, x, node.feature)
                } else {
                    // Missing is neither below nor at least the threshold.
                    (x >= node.threshold) | (!(x < node.threshold) & (node.feature & MISSING_RIGHT != 0))
                };
                let next = node.first + u32::from(right & (node.feature & LEAF == 0));
                moved |= next ^ *at;
                *at = next;
            }
            if moved == 0 {
                break;
            }
        }
    }

    #[cold]
    fn goes_right(&self, node: u32, x: T, feature: u32) -> bool {
        if x.is_missing() {
            return feature & MISSING_RIGHT != 0;
        }
        let found =
            self.special.binary_search_by_key(&node, |special| special.node).expect("the node is marked special");
        let special = &self.special[found];
        let x = x.widen();
        if let Some(side) = special.zero
            && x == 0.0
        {
            return side == Side::Right;
        }
        !match &special.test {
            SpecialTest::Below(threshold) => x < *threshold,
            SpecialTest::Present => true,
            SpecialTest::OneOf(values) => values.contains(&x),
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a code, or negative for none")]
            SpecialTest::InSet(codes) => x >= 0.0 && codes.binary_search(&(x as u32)).is_ok(),
        }
    }
}

fn payload(tree: &Tree, index: usize, summation: &Summation, leaf_at: &[(usize, usize)], nodes: usize) -> Payload {
    let weighted = |term: &crate::tree::Term| summation.term_value(index, term.output as usize, term.value);
    let output = tree.terms.first().map_or(0, |term| term.output);
    let scalar = leaf_at.iter().all(|(_, leaf)| matches!(tree.terms(*leaf), [term] if term.output == output));
    if scalar {
        let mut values = vec![0.0; nodes];
        for (place, leaf) in leaf_at {
            values[*place] = weighted(&tree.terms(*leaf)[0]);
        }
        return Payload::Scalar { output: output as usize, values };
    }
    let mut ranges = vec![(0, 0); nodes];
    let mut terms = Vec::with_capacity(tree.terms.len());
    for (place, leaf) in leaf_at {
        let start = terms.len();
        terms.extend(tree.terms(*leaf).iter().map(|term| (term.output, weighted(term))));
        let end = |count: usize| u32::try_from(count).expect("trees are bounded");
        ranges[*place] = (end(start), end(terms.len()));
    }
    Payload::Terms { ranges, terms }
}
