//! The only constructor of an [`Ensemble`]: loaders provide the parts, and every invariant is checked here, once.
//!
//! Guaranteed invariants: trees are trees (every child exists and is reached once), features and outputs exist,
//! tests suit their feature and are canonical, leaf values and weights are finite numbers of the summation's precision,
//! sets are sorted and without repeats, and all parts agree on the number of trees, outputs and classes.

use crate::ensemble::{Ensemble, Source};
use crate::error::LoadError;
use crate::float::Precision;
use crate::input::{CategoryEncoding, Feature, FeatureKind, InputRules};
use crate::label::{ClassName, LabelRule};
use crate::link::Link;
use crate::literal::Literal;
use crate::sum::Aggregate;
use crate::tree::{Child, Leaf, LeafTerm, Node, SetId, Side, Split, Test, Tree};

/// Sizes beyond these are damage or an attack, not a model; indices fit 32 bits with room to spare.
const MAX_NODES: usize = 1 << 30;
/// Outputs need no bytes in a file, but memory in every evaluation.
const MAX_OUTPUTS: usize = 1 << 20;

/// Collects the parts of an ensemble.
#[derive(Debug)]
pub struct EnsembleBuilder {
    /// The origin of the model.
    pub source: Source,
    /// The input columns.
    pub features: Vec<Feature>,
    /// The rules for reading input values.
    pub input: InputRules,
    /// The number of outputs to which leaves add.
    pub num_outputs: usize,
    /// The aggregation of leaf values.
    pub aggregate: Aggregate,
    /// The link from margins to outputs.
    pub link: Link,
    /// The label rule.
    pub label: LabelRule,
    /// The classes; empty for models without labels.
    pub classes: Vec<ClassName>,
    /// The trees, in the order in which the library adds them.
    pub trees: Vec<Tree>,
}

impl EnsembleBuilder {
    /// Checks all parts together.
    pub fn finish(self) -> Result<Ensemble, LoadError> {
        ensure(!self.trees.is_empty(), "the model has no trees")?;
        ensure(self.num_outputs > 0, "the model has no outputs")?;
        ensure(self.num_outputs <= MAX_OUTPUTS, format!("{} outputs; at most {MAX_OUTPUTS}", self.num_outputs))?;
        ensure(self.link.is_finite(), "a number of the link is not finite")?;
        ensure(self.label.is_sound(), "the number of the label rule is not one to compare with")?;
        self.check_features()?;
        for (index, tree) in self.trees.iter().enumerate() {
            self.check_tree(tree).map_err(|error| error.within(&format!("tree {index}")))?;
        }
        self.check_aggregate()?;
        let Self { source, features, input, num_outputs, aggregate, link, label, classes, trees } = self;
        let num_accumulators = num_outputs;
        let ensemble = Ensemble { source, features, input, trees, num_accumulators, aggregate, link, label, classes };
        check_label(&ensemble)?;
        Ok(ensemble)
    }

    fn check_features(&self) -> Result<(), LoadError> {
        let (precision, missing) = (self.input.precision, self.input.missing_value);
        let is_missing_known = missing.is_none_or(|value| precision.contains(value));
        ensure(is_missing_known, "the missing value is not a number of the input precision")?;
        let is_band = |band: f64| precision.contains(band) && band.is_finite() && band >= 0.0;
        let what = "the zero band is not a positive number of the input precision";
        ensure(self.input.zero_band.is_none_or(is_band), what)?;
        for feature in &self.features {
            let place = || format!("feature `{}`", feature.name);
            check_feature(feature, precision).map_err(|error| error.within(&place()))?;
        }
        if let Some((place, _)) = self.source.trends.iter().find(|(place, _)| **place >= self.features.len()) {
            let what = format!("feature {place} has a trend, but the model has {} features", self.features.len());
            return Err(LoadError::malformed("source", what));
        }
        Ok(())
    }

    fn check_tree(&self, tree: &Tree) -> Result<(), LoadError> {
        for split in &tree.splits {
            let Some(feature) = self.features.get(split.feature as usize) else {
                let what = format!(
                    "a split tests feature {}, but the model has {} features",
                    split.feature,
                    self.features.len()
                );
                return Err(LoadError::malformed("", what));
            };
            let suits = match split.test {
                Test::Below(threshold) => {
                    // Canonical: a number of the input precision outside the zero band.
                    if self.input.test_below(threshold) != split.test {
                        let what = format!("threshold {threshold:e} is not one that the inputs can be compared with");
                        return Err(LoadError::malformed("", what));
                    }
                    !feature.is_category()
                }
                Test::OneOf(_) => !feature.is_category(),
                Test::InSet(_) => feature.is_category(),
                Test::Present => true,
            };
            if !suits {
                let what = format!("feature `{}` is split both by order and by category", feature.name);
                return Err(LoadError::malformed("", what));
            }
            if split.zero.is_some() && feature.is_category() {
                let what = format!("feature `{}` is a category, but a split sends zero its own way", feature.name);
                return Err(LoadError::malformed("", what));
            }
        }
        // Roundings on the way are bounded by one rounding per operation only between numbers of one precision.
        let precision = self.aggregate.precision();
        if let Some(term) = tree.terms.iter().find(|term| !precision.contains(term.value)) {
            let what = format!("the leaf value {:e} is not a number of the summation's precision", term.value);
            return Err(LoadError::malformed("", what));
        }
        match tree.terms.iter().find(|term| term.output as usize >= self.num_outputs) {
            Some(term) => {
                let what =
                    format!("a leaf adds to output {}, but the model has {} outputs", term.output, self.num_outputs);
                Err(LoadError::malformed("", what))
            }
            None => Ok(()),
        }
    }

    fn check_aggregate(&self) -> Result<(), LoadError> {
        match &self.aggregate {
            Aggregate::Sum(summation) => {
                let fits = |number: f64| number.is_finite() && summation.precision.contains(number);
                let what = "the number of base scores differs from the number of outputs";
                ensure(summation.base.len() == self.num_outputs, what)?;
                let what = "a base score is not a finite number of the summation's precision";
                ensure(summation.base.iter().all(|base| fits(*base)), what)?;
                let what = "the sum is divided by what is not a positive number of its precision";
                ensure(summation.divisor.is_none_or(|divisor| divisor > 0.0 && fits(divisor)), what)?;
                let what = "the scale is not finite, or not a number of the summation's precision";
                ensure(summation.scale.is_none_or(fits), what)?;
                let what = "a pair of outputs is folded, but the model does not have two";
                ensure(!summation.fold_pair || self.num_outputs == 2, what)?;
                let Some(weights) = &summation.weights else { return Ok(()) };
                let what = "the number of tree weights differs from the number of trees";
                ensure(weights.per_tree.len() == self.trees.len(), what)?;
                let what = "a tree weight is not a finite number of the summation's precision";
                ensure(weights.per_tree.iter().all(|weight| fits(*weight)), what)
            }
            Aggregate::WeightedMedian { weights } => {
                let are_weights = weights.iter().all(|weight| *weight >= 0.0 && weight.is_finite());
                let what = "a weighted median needs one finite weight, zero or more, per tree";
                ensure(weights.len() == self.trees.len() && are_weights, what)?;
                let single = |tree: &Tree| (0..tree.leaves.len()).all(|leaf| tree.terms(leaf).len() == 1);
                let what = "a weighted median needs one value per leaf";
                ensure(self.num_outputs == 1 && self.trees.iter().all(single), what)
            }
            Aggregate::Min(extreme) | Aggregate::Max(extreme) => {
                let what = "the number of base scores differs from the number of outputs";
                ensure(extreme.base.is_empty() || extreme.base.len() == self.num_outputs, what)?;
                let fits = |base: &f64| base.is_finite() && extreme.precision.contains(*base);
                let what = "a base score is not a finite number of the aggregate's precision";
                ensure(extreme.base.iter().all(fits), what)
            }
        }
    }
}

/// An error without a place unless a condition holds.
fn ensure(holds: bool, what: impl Into<String>) -> Result<(), LoadError> {
    if holds { Ok(()) } else { Err(LoadError::malformed("", what)) }
}

fn check_feature(feature: &Feature, precision: Precision) -> Result<(), LoadError> {
    let categories = match &feature.kind {
        FeatureKind::Category(categories) => categories,
        FeatureKind::Numeric => {
            let is_range = |[low, high]: [Literal; 2]| low.0 <= high.0;
            return ensure(feature.accepts.between.is_none_or(is_range), "no number is accepted");
        }
    };
    let values = categories.encoding.values().unwrap_or_default();
    let fits = |value: &f64| precision.contains(*value) && value.is_finite();
    ensure(values.iter().all(fits), "a category value is not a finite number of the input precision")?;
    if matches!(categories.encoding, CategoryEncoding::Listed(_)) {
        let mut sorted = values.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        ensure(sorted.windows(2).all(|pair| pair[0] != pair[1]), "two categories have the same value")?;
        // Values outside all categories need a number below all of them.
        ensure(sorted.first() != Some(&f64::MIN), "the least number of all is a category value")?;
    }
    ensure(feature.accepts.between.is_none(), "a category has no order in which to be between numbers")
}

fn check_label(ensemble: &Ensemble) -> Result<(), LoadError> {
    let (margins, classes) = (ensemble.num_margins(), ensemble.classes.len());
    match ensemble.label {
        LabelRule::None => Ok(()),
        LabelRule::LargestMargin | LabelRule::LargestScored => {
            ensure(margins == classes, format!("{margins} margins but {classes} classes"))
        }
        LabelRule::LargestOutput => {
            let outputs = ensemble.link.num_outputs(margins);
            ensure(outputs == classes, format!("{outputs} outputs but {classes} classes"))
        }
        _ => {
            let what = format!("a two-class label rule with {margins} margins and {classes} classes");
            ensure(margins == 1 && classes == 2, what)
        }
    }
}

/// Builds the trees of a model in order; an error names its tree.
pub(crate) fn build_trees<T>(
    parts: impl IntoIterator<Item = T>,
    mut build: impl FnMut(usize, T) -> Result<Tree, LoadError>,
) -> Result<Vec<Tree>, LoadError> {
    let build = |(index, part)| build(index, part).map_err(|error: LoadError| error.within(&format!("tree {index}")));
    parts.into_iter().enumerate().map(build).collect()
}

/// Collects the nodes of one tree under the file's own numbering, in any order.
#[derive(Debug)]
pub struct TreeBuilder {
    nodes: Vec<RawNode>,
    terms: Vec<LeafTerm>,
    category_sets: Vec<Box<[u32]>>,
    value_sets: Vec<Box<[f64]>>,
}

#[derive(Clone, Copy, Debug)]
enum RawNode {
    Undefined,
    Split { split: Split, left: u32, right: u32 },
    Leaf { id: u32, first_term: u32, num_terms: u32 },
}

/// A split as read by a loader, its children under the file's numbering.
#[derive(Clone, Copy, Debug)]
pub struct RawSplit {
    /// The tested feature.
    pub feature: u32,
    /// The test on a value that is not missing, already canonical (see [`InputRules::test_below`]).
    pub test: Test,
    /// The side of a missing value.
    pub missing: Side,
    /// The side of zero, if it overrides the test.
    pub zero: Option<Side>,
    /// The child for inputs that pass the test.
    pub left: usize,
    /// The child for the others.
    pub right: usize,
}

impl TreeBuilder {
    /// A tree whose nodes are numbered below `num_nodes`. The number must come from data actually
    /// present in the file, not from a claim in it.
    pub fn new(num_nodes: usize) -> Self {
        assert!(num_nodes <= MAX_NODES, "a tree of {num_nodes} nodes");
        Self {
            nodes: vec![RawNode::Undefined; num_nodes],
            terms: Vec::with_capacity(num_nodes / 2 + 1),
            category_sets: Vec::new(),
            value_sets: Vec::new(),
        }
    }

    /// Adds one more node, which is still to be defined.
    pub(crate) fn add_node(&mut self) -> usize {
        self.nodes.push(RawNode::Undefined);
        self.nodes.len() - 1
    }

    /// Adds a set of category codes.
    pub fn category_set(&mut self, codes: impl IntoIterator<Item = u32>) -> Test {
        let mut codes: Vec<u32> = codes.into_iter().collect();
        codes.sort_unstable();
        codes.dedup();
        self.category_sets.push(codes.into());
        Test::InSet(set_id(self.category_sets.len()))
    }

    /// Adds a set of numbers; NaN equals nothing and is dropped.
    pub fn value_set(&mut self, values: impl IntoIterator<Item = f64>) -> Test {
        let mut values: Vec<f64> =
            values.into_iter().filter(|value| !value.is_nan()).map(|value| value + 0.0).collect();
        values.sort_by(f64::total_cmp);
        values.dedup();
        self.value_sets.push(values.into());
        Test::OneOf(set_id(self.value_sets.len()))
    }

    /// Defines a split.
    pub fn split(&mut self, node: usize, raw: RawSplit) -> Result<(), LoadError> {
        let child = |child: usize| match u32::try_from(child) {
            Ok(index) if child < self.nodes.len() => Ok(index),
            _ => Err(LoadError::malformed(
                format!("node {node}"),
                format!("child {child} is out of range (the tree has {} nodes)", self.nodes.len()),
            )),
        };
        let (left, right) = (child(raw.left)?, child(raw.right)?);
        if matches!(raw.test, Test::Below(threshold) if threshold.is_nan()) {
            return Err(LoadError::malformed(format!("node {node}"), "the threshold is not a number"));
        }
        let unset = Child::new(Node::Leaf(0));
        let RawSplit { feature, test, missing, zero, .. } = raw;
        self.define(
            node,
            RawNode::Split { split: Split { feature, test, missing, zero, left: unset, right: unset }, left, right },
        )
    }

    /// Defines a leaf with the library's number `id` and its terms, in order.
    pub fn leaf(&mut self, node: usize, id: u32, terms: impl IntoIterator<Item = LeafTerm>) -> Result<(), LoadError> {
        let first = self.terms.len();
        self.terms.extend(terms);
        if let Some(term) = self.terms[first..].iter().find(|term| !term.value.is_finite()) {
            return Err(LoadError::malformed(
                format!("node {node}"),
                format!("the leaf value {} is not finite", term.value),
            ));
        }
        #[expect(clippy::cast_possible_truncation, reason = "bounded by MAX_NODES outputs")]
        let leaf = RawNode::Leaf { id, first_term: first as u32, num_terms: (self.terms.len() - first) as u32 };
        self.define(node, leaf)
    }

    fn define(&mut self, node: usize, content: RawNode) -> Result<(), LoadError> {
        match self.nodes.get_mut(node) {
            Some(slot @ RawNode::Undefined) => {
                *slot = content;
                Ok(())
            }
            Some(_) => Err(LoadError::malformed(format!("node {node}"), "the node is defined twice")),
            None => Err(LoadError::malformed(format!("node {node}"), "the node is out of range")),
        }
    }

    /// Walks the tree from its root: unreached nodes (pruned ones) are dropped, and nodes
    /// reached twice are refused, which rules out cycles too.
    pub fn finish(mut self, root: usize) -> Result<Tree, LoadError> {
        let mut tree = Tree {
            splits: Vec::with_capacity(self.nodes.len() / 2),
            leaves: Vec::with_capacity(self.nodes.len() / 2 + 1),
            terms: Vec::with_capacity(self.terms.len()),
            category_sets: vec![],
            value_sets: vec![],
            depth: 0,
        };
        // Sets are numbered in the order of the splits too, so that equal trees are equal; splits may share one.
        let mut category_sets = Renumbered::new(self.category_sets.len());
        let mut value_sets = Renumbered::new(self.value_sets.len());
        let mut pending: Vec<Visit> = vec![Visit { node: root, parent: None, depth: 0 }];
        while let Some(Visit { node, parent, depth }) = pending.pop() {
            let place = || format!("node {node}");
            let content = self.nodes.get_mut(node).map(|slot| std::mem::replace(slot, RawNode::Undefined));
            let reached = match content {
                None | Some(RawNode::Undefined) => {
                    return Err(LoadError::malformed(
                        place(),
                        "the node is missing, or reached twice (a cycle or a shared child)",
                    ));
                }
                Some(RawNode::Leaf { id, first_term, num_terms }) => {
                    #[expect(clippy::cast_possible_truncation, reason = "no more terms than were added")]
                    tree.leaves.push(Leaf { id, first_term: tree.terms.len() as u32 });
                    let first = first_term as usize;
                    tree.terms.extend_from_slice(&self.terms[first..first + num_terms as usize]);
                    Node::Leaf(tree.leaves.len() - 1)
                }
                Some(RawNode::Split { mut split, left, right }) => {
                    split.test = match split.test {
                        Test::InSet(set) => Test::InSet(category_sets.id(set)),
                        Test::OneOf(set) => Test::OneOf(value_sets.id(set)),
                        other => other,
                    };
                    tree.splits.push(split);
                    let index = tree.splits.len() - 1;
                    for (child, side) in [(right, Side::Right), (left, Side::Left)] {
                        pending.push(Visit { node: child as usize, parent: Some((index, side)), depth: depth + 1 });
                    }
                    Node::Split(index)
                }
            };
            tree.depth = tree.depth.max(depth);
            if let Some((parent, side)) = parent {
                let child = Child::new(reached);
                match side {
                    Side::Left => tree.splits[parent].left = child,
                    Side::Right => tree.splits[parent].right = child,
                }
            }
        }
        tree.category_sets = category_sets.pick(self.category_sets);
        tree.value_sets = value_sets.pick(self.value_sets);
        Ok(tree)
    }
}

struct Visit {
    node: usize,
    parent: Option<(usize, Side)>,
    depth: u32,
}

/// New numbers for sets, in the order of first use.
struct Renumbered {
    new: Vec<Option<SetId>>,
    order: Vec<usize>,
}

impl Renumbered {
    fn new(count: usize) -> Self {
        Self { new: vec![None; count], order: vec![] }
    }

    fn id(&mut self, SetId(old): SetId) -> SetId {
        let old = old as usize;
        *self.new[old].get_or_insert_with(|| {
            self.order.push(old);
            set_id(self.order.len())
        })
    }

    /// The used sets, in their new order.
    fn pick<T>(self, mut sets: Vec<Box<[T]>>) -> Vec<Box<[T]>> {
        self.order.into_iter().map(|old| std::mem::take(&mut sets[old])).collect()
    }
}

fn set_id(count: usize) -> SetId {
    #[expect(clippy::cast_possible_truncation, reason = "no more sets than nodes")]
    SetId(count as u32 - 1)
}
