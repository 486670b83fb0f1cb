//! The trees as the file writes them: oblivious ones as a list of splits and a table of leaves, others nested.

use super::features::{FeaturesInfo, optional_list, read_hash32};
use crate::builder::{RawSplit, TreeBuilder};
use crate::error::LoadError;
use crate::input::InputRules;
use crate::load::document::{Document, ValueKind, shortened};
use crate::load::json::Json;
use crate::tree::{LeafTerm, Side, Test, Tree};

/// CatBoost itself stops at 16; the reader's stack has room for much more than this.
const MAX_NESTING: usize = 200;
/// A table of `2^24` leaves is 100 MB of file already.
const MAX_OBLIVIOUS_DEPTH: usize = 24;

/// The reader of the model's numbers from their literals.
pub(super) type ReadDecimal = fn(&str) -> Option<f64>;

/// The numbering of leaves of nested trees by `calc_leaf_indexes`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LeafOrder {
    /// As after training, and in `.cbm` files: from left to right, except that a right child which is a leaf comes
    /// before a left one which is not.
    Trained,
    /// As after loading the JSON file: from left to right.
    Reloaded,
}

/// A split of the file; true goes right.
#[derive(Clone, Copy, Debug)]
pub(super) enum FileSplit {
    /// `x > border`.
    Float { feature: i64, border: f32 },
    /// The category's hash is this one.
    OneHot { feature: i64, hash: u32 },
}

/// A tree before its features are known.
#[derive(Debug)]
pub(super) enum FileTree {
    Oblivious { splits: Vec<FileSplit>, values: Vec<f64> },
    Nested { nodes: Vec<FileNode> },
}

/// A node of a nested tree.
#[derive(Debug)]
pub(super) enum FileNode {
    Split { split: FileSplit, left: usize, right: usize },
    Leaf { values: Vec<f64> },
}

/// Reads one number or a list of them.
pub(super) fn read_values(json: &mut Json<'_>, decimal: ReadDecimal) -> Result<Vec<f64>, LoadError> {
    match json.kind()? {
        ValueKind::Array => json.list(|json| json.literal(decimal)),
        _ => Ok(vec![json.literal(decimal)?]),
    }
}

/// Reads an element of `oblivious_trees`.
pub(super) fn read_oblivious(json: &mut Json<'_>, decimal: ReadDecimal) -> Result<FileTree, LoadError> {
    let (mut splits, mut values) = (Vec::new(), Vec::new());
    json.object(|json, key| {
        match key {
            "splits" => splits.extend(optional_list(json, |json, _| read_split(json, decimal))?),
            "leaf_values" => values = read_values(json, decimal)?,
            _ => json.skip()?,
        }
        Ok(())
    })?;
    Ok(FileTree::Oblivious { splits, values })
}

/// Reads an element of `trees`.
pub(super) fn read_nested(json: &mut Json<'_>, decimal: ReadDecimal) -> Result<FileTree, LoadError> {
    let mut nodes = Vec::new();
    read_node(json, decimal, &mut nodes, 0)?;
    Ok(FileTree::Nested { nodes })
}

/// Reads a node and all below it; the root comes last, and its position is returned.
fn read_node(
    json: &mut Json<'_>,
    decimal: ReadDecimal,
    nodes: &mut Vec<FileNode>,
    depth: usize,
) -> Result<usize, LoadError> {
    if depth > MAX_NESTING {
        return Err(json.error(format!("the tree is deeper than {MAX_NESTING}")));
    }
    let (mut split, mut left, mut right, mut values) = (None, None, None, None);
    json.object(|json, key| {
        match key {
            "split" => split = Some(read_split(json, decimal)?),
            "left" => left = Some(read_node(json, decimal, nodes, depth + 1)?),
            "right" => right = Some(read_node(json, decimal, nodes, depth + 1)?),
            "value" => values = Some(read_values(json, decimal)?),
            _ => json.skip()?,
        }
        Ok(())
    })?;
    nodes.push(match (split, left, right, values) {
        (Some(split), Some(left), Some(right), None) => FileNode::Split { split, left, right },
        (None, None, None, Some(values)) => FileNode::Leaf { values },
        _ => return Err(json.error("a node has either \"split\", \"left\" and \"right\", or \"value\"")),
    });
    Ok(nodes.len() - 1)
}

fn read_split(json: &mut Json<'_>, decimal: ReadDecimal) -> Result<FileSplit, LoadError> {
    let (mut kind, mut feature, mut border, mut hash) = (None, None, None, None);
    json.object(|json, key| {
        match key {
            "split_type" => kind = Some(json.text()?),
            "float_feature_index" | "cat_feature_index" => feature = Some(json.integer()?),
            "border" => border = Some(json.literal(decimal)?),
            "value" => hash = Some(read_hash32(json)?),
            _ => json.skip()?,
        }
        Ok(())
    })?;
    match (kind.as_deref(), feature, border, hash) {
        // The library reads a double and narrows it.
        #[expect(clippy::cast_possible_truncation, reason = "borders are f32 values")]
        (Some("FloatFeature"), Some(feature), Some(border), _) if !border.is_nan() => {
            Ok(FileSplit::Float { feature, border: border as f32 })
        }
        (Some("OneHotFeature"), Some(feature), _, Some(hash)) => Ok(FileSplit::OneHot { feature, hash }),
        (Some("FloatFeature" | "OneHotFeature") | None, ..) => Err(json.error("the split is incomplete")),
        (Some(kind), ..) => {
            let why = match kind {
                "OnlineCtr" => "target statistics of categorical features (split_type OnlineCtr); \
                                train with one_hot_max_size at least the number of categories, or encode them before"
                    .to_owned(),
                _ => format!("split_type {}; only FloatFeature and OneHotFeature are read", shortened(kind)),
            };
            Err(json.unsupported(why))
        }
    }
}

impl FileTree {
    /// The number of values of a leaf.
    pub(super) fn num_outputs(&self) -> Result<usize, LoadError> {
        match self {
            Self::Oblivious { splits, values } => {
                let depth = splits.len();
                let leaves = if depth <= MAX_OBLIVIOUS_DEPTH { 1_usize << depth } else { usize::MAX };
                if values.is_empty() || !values.len().is_multiple_of(leaves) {
                    let what =
                        format!("{depth} splits make 2^{depth} leaves, but there are {} leaf values", values.len());
                    return Err(LoadError::malformed("", what));
                }
                Ok(values.len() / leaves)
            }
            Self::Nested { nodes } => {
                let leaf = nodes.iter().find_map(|node| match node {
                    FileNode::Leaf { values } => Some(values.len()),
                    FileNode::Split { .. } => None,
                });
                Ok(leaf.unwrap_or(0))
            }
        }
    }

    /// Builds the tree; canonical splits have "at or below the border" or "is the category" on the left.
    pub(super) fn build(
        self,
        info: &mut FeaturesInfo,
        input: &InputRules,
        num_outputs: usize,
        order: LeafOrder,
    ) -> Result<Tree, LoadError> {
        let found = self.num_outputs()?;
        if found != num_outputs || num_outputs == 0 {
            let what = format!("leaves have {found} values, but the first tree's have {num_outputs}");
            return Err(LoadError::malformed("", what));
        }
        match self {
            Self::Oblivious { splits, values } => build_oblivious(&splits, &values, info, input, num_outputs),
            Self::Nested { nodes } => build_nested(&nodes, info, input, num_outputs, order),
        }
    }
}

/// Splits become a full tree numbered as a heap, the first split at the root; a leaf's number has a bit per split,
/// the lowest one for the first.
fn build_oblivious(
    splits: &[FileSplit],
    values: &[f64],
    info: &mut FeaturesInfo,
    input: &InputRules,
    num_outputs: usize,
) -> Result<Tree, LoadError> {
    let leaves = 1_usize << splits.len();
    let mut builder = TreeBuilder::new(2 * leaves - 1);
    for (depth, split) in splits.iter().enumerate() {
        let ready = ReadySplit::new(split, info, input, &mut builder)
            .map_err(|what| LoadError::malformed(format!("split {depth}"), what))?;
        let first = (1_usize << depth) - 1;
        for node in first..2 * first + 1 {
            builder.split(node, ready.between(2 * node + 1, 2 * node + 2))?;
        }
    }
    for position in 0..leaves {
        let id = if splits.is_empty() { 0 } else { position.reverse_bits() >> (usize::BITS as usize - splits.len()) };
        add_leaf(&mut builder, leaves - 1 + position, id, &values[id * num_outputs..][..num_outputs])?;
    }
    builder.finish(0)
}

fn build_nested(
    nodes: &[FileNode],
    info: &mut FeaturesInfo,
    input: &InputRules,
    num_outputs: usize,
    order: LeafOrder,
) -> Result<Tree, LoadError> {
    let is_leaf = |node: usize| matches!(nodes[node], FileNode::Leaf { .. });
    let mut builder = TreeBuilder::new(nodes.len());
    let root = nodes.len().saturating_sub(1);
    let mut pending = vec![root];
    let mut num_leaves = 0;
    while let Some(index) = pending.pop() {
        match &nodes[index] {
            FileNode::Split { split, left, right } => {
                let ready = ReadySplit::new(split, info, input, &mut builder)
                    .map_err(|what| LoadError::malformed(format!("node {index}"), what))?;
                builder.split(index, ready.between(*left, *right))?;
                // The last one pushed is visited, and its leaves numbered, first.
                let right_first = order == LeafOrder::Trained && is_leaf(*right) && !is_leaf(*left);
                pending.extend(if right_first { [*left, *right] } else { [*right, *left] });
            }
            FileNode::Leaf { values } => {
                if values.len() != num_outputs {
                    let what = format!("the leaf has {} values, others have {num_outputs}", values.len());
                    return Err(LoadError::malformed(format!("leaf {num_leaves}"), what));
                }
                add_leaf(&mut builder, index, num_leaves, values)?;
                num_leaves += 1;
            }
        }
    }
    builder.finish(root)
}

fn add_leaf(builder: &mut TreeBuilder, node: usize, id: usize, values: &[f64]) -> Result<(), LoadError> {
    if let Some(value) = values.iter().find(|value| !value.is_finite()) {
        return Err(LoadError::malformed(format!("leaf {id}"), format!("the value {value} is not finite")));
    }
    let terms = (0..).zip(values).map(|(output, value)| LeafTerm { output, value: *value });
    #[expect(clippy::cast_possible_truncation, reason = "bounded by the depth of trees")]
    builder.leaf(node, id as u32, terms)
}

/// A split with its feature found and its test made canonical.
struct ReadySplit {
    feature: u32,
    test: Test,
    missing: Side,
    /// Categories pass the canonical test by being in the set, numbers by staying at or below the border.
    passes_right: bool,
}

impl ReadySplit {
    fn new(
        split: &FileSplit,
        info: &mut FeaturesInfo,
        input: &InputRules,
        builder: &mut TreeBuilder,
    ) -> Result<Self, String> {
        match *split {
            FileSplit::Float { feature, border } => {
                let (feature, missing) = info.float(feature)?;
                let test = input.test_at_most(f64::from(border));
                Ok(Self { feature, test, missing, passes_right: false })
            }
            FileSplit::OneHot { feature, hash } => {
                let (feature, codes) = info.category(feature, hash)?;
                let test = builder.category_set(codes);
                Ok(Self { feature, test, missing: Side::Right, passes_right: true })
            }
        }
    }

    /// The split between the children for "false" and "true".
    fn between(&self, when_false: usize, when_true: usize) -> RawSplit {
        let (left, right) = if self.passes_right { (when_true, when_false) } else { (when_false, when_true) };
        RawSplit { feature: self.feature, test: self.test, missing: self.missing, zero: None, left, right }
    }
}
