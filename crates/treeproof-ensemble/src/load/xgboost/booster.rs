//! The inner part of an XGBoost file: the booster and its trees, as arrays.

use std::collections::BTreeMap;

use crate::error::LoadError;
use crate::input::CategoryType;
use crate::load::document::{Document, DocumentNumber, shortened};

/// The booster.
#[derive(Default)]
pub(super) struct Booster {
    /// True to read `base_weights`, which only vector leaves of versions before 3.1 need.
    pub(super) keep_base_weights: bool,
    pub(super) trees: Vec<RawTree>,
    tree_info: Vec<i32>,
    pub(super) num_parallel_tree: usize,
    pub(super) iteration_indptr: Option<Vec<i32>>,
    /// Dart's tree weights; versions from 3.4 on write them for `gbtree`.
    pub(super) weight_drop: Option<Vec<f32>>,
    /// Per feature the names of its categories; empty for numeric ones.
    pub(super) category_names: Vec<(Vec<String>, CategoryType)>,
}

/// One tree as it stands in the file.
#[derive(Default)]
pub(super) struct RawTree {
    id: Option<i64>,
    num_nodes: Option<i64>,
    pub(super) leaf_width: usize,
    pub(super) left_children: Vec<i32>,
    pub(super) right_children: Vec<i32>,
    pub(super) split_indices: Vec<i32>,
    pub(super) split_conditions: Vec<f32>,
    pub(super) default_left: Vec<i32>,
    split_type: Vec<i32>,
    categories: Vec<i32>,
    pub(super) category_nodes: Vec<i32>,
    category_segments: Vec<i32>,
    category_sizes: Vec<i32>,
    pub(super) leaf_weights: Option<Vec<f32>>,
    pub(super) base_weights: Vec<f32>,
}

impl Booster {
    pub(super) fn read<D: Document>(&mut self, document: &mut D) -> Result<(), LoadError> {
        document.object(|document, key| {
            match key {
                "name" => match document.text()?.as_str() {
                    "gbtree" | "dart" => {}
                    "gblinear" => {
                        let what = "gblinear is a linear model, not trees";
                        return Err(LoadError::unsupported("learner.gradient_booster", what));
                    }
                    other => return Err(document.error(format!("the booster \"{}\" is not known", shortened(other)))),
                },
                "gbtree" => self.read(document)?,
                "model" => self.read_model(document)?,
                "weight_drop" => self.weight_drop = Some(document.float32s()?),
                _ => document.skip()?,
            }
            Ok(())
        })
    }

    fn read_model<D: Document>(&mut self, document: &mut D) -> Result<(), LoadError> {
        let mut claimed = None;
        document.object(|document, key| {
            match key {
                "gbtree_model_param" => document.object(|document, key| {
                    match key {
                        "num_parallel_tree" => {
                            self.num_parallel_tree = usize::try_from(document.integer_in_text()?).unwrap_or(0);
                        }
                        "num_trees" => claimed = Some(document.integer_in_text()?),
                        _ => document.skip()?,
                    }
                    Ok(())
                })?,
                "trees" => {
                    let trees = document.list(|document| RawTree::read(document, self.keep_base_weights))?;
                    self.trees.extend(trees);
                }
                "tree_info" => self.tree_info = document.integers()?,
                "iteration_indptr" => self.iteration_indptr = Some(document.integers()?),
                "weight_drop" => self.weight_drop = Some(document.float32s()?),
                "cats" => self.read_categories(document)?,
                _ => document.skip()?,
            }
            Ok(())
        })?;
        let trees = self.trees.len();
        if claimed.is_some_and(|claimed| usize::try_from(claimed) != Ok(trees)) || self.tree_info.len() != trees {
            return Err(document.error(format!("the file holds {trees} trees but claims another number")));
        }
        self.order_by_id()
    }

    /// Trees stand where their `id` says, not where they are listed.
    fn order_by_id(&mut self) -> Result<(), LoadError> {
        if self.trees.iter().all(|tree| tree.id.is_none()) {
            return Ok(());
        }
        self.trees.sort_by_key(|tree| tree.id);
        match self.trees.iter().zip(0..).find(|(tree, place)| tree.id != Some(*place)) {
            Some((_, place)) => {
                Err(LoadError::malformed("trees", format!("no tree has the id {place}, or several have")))
            }
            None => Ok(()),
        }
    }

    /// The output to which a tree adds.
    pub(super) fn group(&self, tree: usize) -> Result<usize, LoadError> {
        let group = self.tree_info[tree];
        usize::try_from(group)
            .map_err(|_| LoadError::malformed(format!("tree_info[{tree}]"), format!("{group} is no output")))
    }

    /// True if leaf vectors stand in `base_weights` and were not kept.
    pub(super) fn needs_base_weights(&self) -> bool {
        !self.keep_base_weights && self.trees.iter().any(|tree| tree.leaf_width > 1 && tree.leaf_weights.is_none())
    }

    /// No more outputs than this can have trees of their own or places in leaves.
    pub(super) fn largest_num_outputs(&self) -> usize {
        let groups = self.tree_info.len();
        let width = self.trees.iter().map(|tree| tree.leaf_width).max().unwrap_or(0);
        groups.max(width).max(1)
    }

    /// `cats.enc`: per feature its categories, as UTF-8 bytes cut at offsets, or as plain numbers.
    fn read_categories<D: Document>(&mut self, document: &mut D) -> Result<(), LoadError> {
        document.object(|document, key| {
            match key {
                "enc" => self.category_names.extend(document.list(category_names)?),
                _ => document.skip()?,
            }
            Ok(())
        })
    }
}

fn category_names<D: Document>(document: &mut D) -> Result<(Vec<String>, CategoryType), LoadError> {
    let mut offsets: Option<Vec<i32>> = None;
    let mut values: Vec<DocumentNumber> = Vec::new();
    document.object(|document, key| {
        match key {
            "offsets" => offsets = Some(document.integers()?),
            "values" => values = document.list(D::number)?,
            _ => document.skip()?,
        }
        Ok(())
    })?;
    let spelt = |value: &DocumentNumber| match value {
        DocumentNumber::Integer(value) => value.to_string(),
        DocumentNumber::Float(value) => value.to_string(),
    };
    let Some(offsets) = offsets else { return Ok((values.iter().map(spelt).collect(), CategoryType::Number)) };
    // Bytes of text may be written as signed numbers.
    let byte = |value: &DocumentNumber| match value {
        DocumentNumber::Integer(value) => u8::try_from(value & 0xff).ok(),
        DocumentNumber::Float(_) => None,
    };
    let bytes: Option<Vec<u8>> = values.iter().map(byte).collect();
    if bytes.as_ref().is_some_and(|bytes| !bytes.is_ascii()) {
        // XGBoost counts characters and writes bytes, so that names are cut at wrong places, in data as in files: which category a
        // cell is depends on all of its frame. Codes are right.
        let codes = 0..offsets.len().saturating_sub(1);
        return Ok((codes.map(|code| code.to_string()).collect(), CategoryType::Mixed));
    }
    let cut = |window: &[i32]| {
        let range = usize::try_from(window[0]).ok()?..usize::try_from(window[1]).ok()?;
        String::from_utf8(bytes.as_ref()?.get(range)?.to_vec()).ok()
    };
    let names: Option<Vec<String>> = offsets.windows(2).map(cut).collect();
    let names = names.ok_or_else(|| document.error("the offsets of the category names do not fit their text"))?;
    Ok((names, CategoryType::Text))
}

impl RawTree {
    fn read<D: Document>(document: &mut D, keep_base_weights: bool) -> Result<Self, LoadError> {
        let mut tree = Self { leaf_width: 1, ..Self::default() };
        document.object(|document, key| {
            match key {
                "id" => tree.id = Some(document.integer()?),
                "tree_param" => tree.read_parameters(document)?,
                "left_children" => tree.left_children = document.integers()?,
                "right_children" => tree.right_children = document.integers()?,
                "split_indices" => tree.split_indices = document.integers()?,
                "split_conditions" => tree.split_conditions = document.float32s()?,
                "default_left" => tree.default_left = document.integers()?,
                "split_type" => tree.split_type = document.integers()?,
                "categories" => tree.categories = document.integers()?,
                "categories_nodes" => tree.category_nodes = document.integers()?,
                "categories_segments" => tree.category_segments = document.integers()?,
                "categories_sizes" => tree.category_sizes = document.integers()?,
                "leaf_weights" => tree.leaf_weights = Some(document.float32s()?),
                "base_weights" if keep_base_weights => tree.base_weights = document.float32s()?,
                _ => document.skip()?,
            }
            Ok(())
        })?;
        Ok(tree)
    }

    fn read_parameters<D: Document>(&mut self, document: &mut D) -> Result<(), LoadError> {
        document.object(|document, key| {
            match key {
                "num_nodes" => self.num_nodes = Some(document.integer_in_text()?),
                "size_leaf_vector" => {
                    self.leaf_width = usize::try_from(document.integer_in_text()?).unwrap_or(0).max(1);
                }
                _ => document.skip()?,
            }
            Ok(())
        })
    }

    /// All arrays have one entry per node; returns the number of nodes.
    pub(super) fn check_lengths(&self) -> Result<usize, LoadError> {
        let nodes = self.left_children.len();
        if nodes == 0 {
            return Err(LoadError::malformed("left_children", "the tree has no nodes"));
        }
        let lengths = [
            ("right_children", self.right_children.len()),
            ("split_indices", self.split_indices.len()),
            ("split_conditions", self.split_conditions.len()),
            ("default_left", self.default_left.len()),
            // Old files have none.
            ("split_type", if self.split_type.is_empty() { nodes } else { self.split_type.len() }),
        ];
        if let Some((name, length)) = lengths.into_iter().find(|(_, length)| *length != nodes) {
            return Err(LoadError::malformed(name, format!("{length} entries for {nodes} nodes")));
        }
        if self.num_nodes.is_some_and(|claimed| usize::try_from(claimed) != Ok(nodes)) {
            return Err(LoadError::malformed("tree_param.num_nodes", format!("the arrays have {nodes} entries")));
        }
        Ok(nodes)
    }

    /// The listed categories of every categorical node.
    pub(super) fn categories(&self) -> Result<BTreeMap<usize, Vec<u32>>, LoadError> {
        let refuse = |what: String| LoadError::malformed("categories", what);
        let mut by_node = BTreeMap::new();
        if self.category_segments.len() != self.category_nodes.len()
            || self.category_sizes.len() != self.category_nodes.len()
        {
            return Err(refuse("nodes, segments and sizes differ in number".into()));
        }
        for (index, node) in self.category_nodes.iter().enumerate() {
            let range = usize::try_from(self.category_segments[index])
                .ok()
                .zip(usize::try_from(self.category_sizes[index]).ok());
            let listed = range.and_then(|(first, count)| self.categories.get(first..first.checked_add(count)?));
            let codes: Option<Vec<u32>> =
                listed.and_then(|codes| codes.iter().map(|code| u32::try_from(*code).ok()).collect());
            let node = usize::try_from(*node).map_err(|_| refuse(format!("node {node} is out of range")))?;
            let codes = codes.ok_or_else(|| refuse(format!("those of node {node} are missing or negative")))?;
            if by_node.insert(node, codes).is_some() {
                return Err(refuse(format!("node {node} is listed twice")));
            }
        }
        for (node, kind) in self.split_type.iter().enumerate() {
            let inner = self.left_children.get(node).is_some_and(|left| *left != -1);
            match kind {
                0 if by_node.contains_key(&node) && inner => {
                    return Err(refuse(format!("node {node} splits by order but lists categories")));
                }
                0 => {}
                1 if by_node.contains_key(&node) || !inner => {}
                1 => return Err(refuse(format!("node {node} splits by category but lists none"))),
                other => {
                    return Err(LoadError::unsupported(format!("node {node}"), format!("unknown split_type {other}")));
                }
            }
        }
        Ok(by_node)
    }
}
