//! One tree: splits with canonical tests, and leaves that add terms to the outputs.

/// A binary tree. Built and checked by [`crate::builder::TreeBuilder`] alone, so every child exists, is
/// reached once, and every number is finite where it must be.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    pub(crate) splits: Vec<Split>,
    pub(crate) leaves: Vec<Leaf>,
    pub(crate) terms: Vec<LeafTerm>,
    pub(crate) category_sets: Vec<Box<[u32]>>,
    pub(crate) value_sets: Vec<Box<[f64]>>,
    pub(crate) depth: u32,
}

/// An inner node: inputs for which the test holds go left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Split {
    /// The tested feature.
    pub feature: u32,
    /// The test on a value that is not missing.
    pub test: Test,
    /// The side of a missing value.
    pub missing: Side,
    /// The side of zero, if it overrides the test (LightGBM's "zero is missing").
    pub zero: Option<Side>,
    /// The child for inputs that pass the test.
    pub left: Child,
    /// The child for the others.
    pub right: Child,
}

/// A test on a value that is not missing, in the model's input precision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Test {
    /// Numeric: `x < threshold`; the threshold may be ±∞ but not NaN.
    Below(f64),
    /// Numeric: always true; the split only separates missing values.
    Present,
    /// Numeric: `x` equals one of the values of a set of the tree (ONNX).
    OneOf(SetId),
    /// Categorical: the category is in a set of the tree.
    InSet(SetId),
}

/// A set of values or categories of one tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SetId(pub u32);

/// One of the two children of a split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The test holds.
    Left,
    /// It does not.
    Right,
}

/// A reference to a child, packed: a split of the tree, or a leaf.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Child(i32);

/// A [`Child`] unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    /// Index into [`Tree::splits`].
    Split(usize),
    /// Index into [`Tree::leaves`].
    Leaf(usize),
}

/// A leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// The library's own number of this leaf (`pred_leaf`, `apply`).
    pub id: u32,
    pub(crate) first_term: u32,
}

/// The value that a leaf adds to one output.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeafTerm {
    /// The output.
    pub output: u32,
    /// The value as stored in the file, before tree weights.
    pub value: f64,
}

impl From<bool> for Side {
    /// Left if true.
    fn from(left: bool) -> Self {
        if left { Self::Left } else { Self::Right }
    }
}

impl Side {
    /// The other side.
    pub fn opposite(self) -> Self {
        if self == Self::Left { Self::Right } else { Self::Left }
    }
}

impl Child {
    /// Packs a node.
    #[expect(clippy::cast_possible_truncation, clippy::cast_possible_wrap, reason = "the builder bounds sizes")]
    pub(crate) fn new(node: Node) -> Self {
        match node {
            Node::Split(index) => Self(index as i32),
            Node::Leaf(index) => Self(!(index as i32)),
        }
    }

    /// The unpacked node.
    #[inline]
    #[expect(clippy::cast_sign_loss, reason = "each branch is non-negative")]
    pub fn node(self) -> Node {
        if self.0 >= 0 { Node::Split(self.0 as usize) } else { Node::Leaf(!self.0 as usize) }
    }
}

impl std::fmt::Debug for Child {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.node().fmt(f)
    }
}

impl Split {
    /// The child on a side.
    #[inline]
    pub fn child(&self, side: Side) -> Child {
        match side {
            Side::Left => self.left,
            Side::Right => self.right,
        }
    }
}

impl Tree {
    /// The inner nodes, parents before children.
    pub fn splits(&self) -> &[Split] {
        &self.splits
    }

    /// The leaves, from left to right.
    pub fn leaves(&self) -> &[Leaf] {
        &self.leaves
    }

    /// The root.
    pub fn root(&self) -> Node {
        if self.splits.is_empty() { Node::Leaf(0) } else { Node::Split(0) }
    }

    /// The number of splits on the longest path.
    pub fn depth(&self) -> usize {
        self.depth as usize
    }

    /// The terms of a leaf, in the order in which the library adds them.
    pub fn terms(&self, leaf: usize) -> &[LeafTerm] {
        let end = self.leaves.get(leaf + 1).map_or(self.terms.len(), |next| next.first_term as usize);
        &self.terms[self.leaves[leaf].first_term as usize..end]
    }

    /// All terms of all leaves.
    pub fn all_terms(&self) -> &[LeafTerm] {
        &self.terms
    }

    /// A set of category codes, ascending.
    pub fn category_set(&self, set: SetId) -> &[u32] {
        &self.category_sets[set.0 as usize]
    }

    /// A set of numbers, ascending.
    pub fn value_set(&self, set: SetId) -> &[f64] {
        &self.value_sets[set.0 as usize]
    }
}
