//! treeproof's own JSON: the canonical model without loss, documented in `docs/format.md`.
//!
//! Any format can be converted to it, and exporters (scikit-learn has no file format) write it. A file may use `<=`
//! and thresholds of any precision; written files are canonical, so converting twice changes nothing.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::LoadOptions;
use super::json::CUT_OFF;
use crate::builder::{EnsembleBuilder, RawSplit, TreeBuilder, build_trees};
use crate::ensemble::{Ensemble, Source};
use crate::error::LoadError;
use crate::input::{Feature, InputRules};
use crate::label::{ClassName, LabelRule};
use crate::link::Link;
use crate::literal::Literal;
use crate::sum::Aggregate;
use crate::tree::{Child, LeafTerm, Node, SetId, Side, Test, Tree};

/// The version of the format that is written, and the only one read.
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OwnDocument {
    treeproof: u32,
    source: Source,
    features: Vec<Feature>,
    input: InputRules,
    num_outputs: usize,
    aggregate: Aggregate,
    link: Link,
    label: LabelRule,
    classes: Vec<ClassName>,
    trees: Vec<TreeColumns>,
}

/// A tree as columns with one entry per node; node 0 is the root.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TreeColumns {
    left: Vec<i64>,
    right: Vec<i64>,
    feature: Vec<i64>,
    test: Tests,
    threshold: Vec<Literal>,
    missing_left: Vec<u8>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    zero_left: Vec<Option<u8>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    sets: Vec<Vec<Literal>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    leaf_id: Vec<u32>,
    #[serde(default)]
    output: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    value: Option<Vec<Literal>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    values: Option<Vec<Vec<Literal>>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    terms: Option<Vec<Vec<(u32, Literal)>>>,
}

/// One test for all nodes, or one per node (any in leaves).
#[derive(Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "a test is \"<\", \"<=\", \"present\", \"one_of\" or \"in\", one for the tree or one per node"
)]
enum Tests {
    All(TestName),
    Each(Vec<TestName>),
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum TestName {
    #[serde(rename = "<")]
    Below,
    #[serde(rename = "<=")]
    AtMost,
    #[serde(rename = "present")]
    Present,
    #[serde(rename = "in")]
    InSet,
    #[serde(rename = "one_of")]
    OneOf,
    #[serde(rename = "")]
    Leaf,
}

impl Default for Tests {
    fn default() -> Self {
        Self::All(TestName::Below)
    }
}

pub(super) fn load(content: &[u8], options: &LoadOptions) -> Result<Ensemble, LoadError> {
    let document: OwnDocument = serde_json::from_slice(content).map_err(|error| syntax_error(&error))?;
    ensemble(document, options)
}

/// The error for invalid JSON, with its position.
pub(super) fn syntax_error(error: &serde_json::Error) -> LoadError {
    let place = format!("line {}, column {}", error.line(), error.column());
    if error.is_eof() {
        return LoadError::malformed(place, CUT_OFF);
    }
    let text = error.to_string();
    let what = text.rsplit_once(" at line ").map_or(text.as_str(), |(what, _)| what);
    LoadError::malformed(place, what)
}

pub(super) fn ensemble(document: OwnDocument, options: &LoadOptions) -> Result<Ensemble, LoadError> {
    if document.treeproof != VERSION {
        let what = format!("format version {} is not {VERSION}; a newer treeproof may read it", document.treeproof);
        return Err(LoadError::unsupported("treeproof", what));
    }
    let mut input = document.input;
    if let Some(missing) = options.missing_value.filter(|value| !value.is_nan()) {
        input.missing_value = Some(input.precision.round(missing));
    }
    let trees = build_trees(&document.trees, |_, columns| columns.tree(&input))?;
    EnsembleBuilder {
        source: document.source,
        features: document.features,
        input,
        num_outputs: document.num_outputs,
        aggregate: document.aggregate,
        link: document.link,
        label: document.label,
        classes: document.classes,
        trees,
    }
    .finish()
}

/// Writes an ensemble in treeproof's own format, without loss.
pub fn to_json(ensemble: &Ensemble) -> String {
    let document = OwnDocument {
        treeproof: VERSION,
        source: ensemble.source.clone(),
        features: ensemble.features.clone(),
        input: ensemble.input.clone(),
        num_outputs: ensemble.num_accumulators,
        aggregate: ensemble.aggregate.clone(),
        link: ensemble.link.clone(),
        label: ensemble.label.clone(),
        classes: ensemble.classes.clone(),
        trees: ensemble.trees.iter().map(TreeColumns::of).collect(),
    };
    serde_json::to_string(&document).expect("every part is plain data")
}

impl TreeColumns {
    fn tree(&self, input: &InputRules) -> Result<Tree, LoadError> {
        let nodes = self.check_lengths()?;
        let mut builder = TreeBuilder::new(nodes);
        let mut sets = BTreeMap::new();
        for node in 0..nodes {
            if self.left[node] == -1 {
                let id = match self.leaf_id.get(node) {
                    Some(id) => *id,
                    None => u32::try_from(node).unwrap_or(u32::MAX),
                };
                builder.leaf(node, id, self.terms_of(node))?;
                continue;
            }
            let place = || format!("node {node}");
            let child = |child: i64| {
                usize::try_from(child)
                    .map_err(|_| LoadError::malformed(place(), format!("child {child} is out of range")))
            };
            let feature = u32::try_from(self.feature[node]).map_err(|_| {
                LoadError::malformed(place(), format!("feature {} is out of range", self.feature[node]))
            })?;
            let test = self.test_of(node, input, &mut builder, &mut sets).map_err(|error| error.within(&place()))?;
            let zero = self.zero_left.get(node).copied().flatten().map(|left| Side::from(left != 0));
            let split = RawSplit {
                feature,
                test,
                missing: Side::from(self.missing_left[node] != 0),
                zero,
                left: child(self.left[node])?,
                right: child(self.right[node])?,
            };
            builder.split(node, split)?;
        }
        builder.finish(0)
    }

    /// The test of an inner node. Splits that name the same set share it.
    fn test_of(
        &self,
        node: usize,
        input: &InputRules,
        builder: &mut TreeBuilder,
        sets: &mut BTreeMap<(TestName, usize), Test>,
    ) -> Result<Test, LoadError> {
        let threshold = self.threshold[node].0;
        let name = match &self.test {
            Tests::All(name) => *name,
            Tests::Each(names) => names[node],
        };
        match name {
            TestName::Below => Ok(input.test_below(threshold)),
            TestName::AtMost => Ok(input.test_at_most(threshold)),
            TestName::Present => Ok(Test::Present),
            TestName::OneOf | TestName::InSet => {
                let missing = || LoadError::malformed("", format!("there is no set {threshold}"));
                let index = usize::try_from(code(threshold).ok_or_else(missing)?).map_err(|_| missing())?;
                if let Some(test) = sets.get(&(name, index)) {
                    return Ok(*test);
                }
                let values = self.sets.get(index).ok_or_else(missing)?.iter().map(|value| value.0);
                let test = if name == TestName::OneOf {
                    builder.value_set(values)
                } else {
                    let codes: Option<Vec<u32>> = values.map(code).collect();
                    let what = "a set of categories holds something else than codes";
                    builder.category_set(codes.ok_or_else(|| LoadError::malformed("", what))?)
                };
                sets.insert((name, index), test);
                Ok(test)
            }
            TestName::Leaf => Err(LoadError::malformed("", "an inner node has no test")),
        }
    }

    fn terms_of(&self, node: usize) -> Vec<LeafTerm> {
        if let Some(value) = &self.value {
            return vec![LeafTerm { output: self.output, value: value[node].0 }];
        }
        if let Some(values) = &self.values {
            return (0..).zip(&values[node]).map(|(output, value)| LeafTerm { output, value: value.0 }).collect();
        }
        let terms = self.terms.iter().flat_map(|terms| &terms[node]);
        terms.map(|(output, value)| LeafTerm { output: *output, value: value.0 }).collect()
    }

    fn check_lengths(&self) -> Result<usize, LoadError> {
        let nodes = self.left.len();
        let optional = |length: usize| if length == 0 { nodes } else { length };
        let each = match &self.test {
            Tests::All(_) => nodes,
            Tests::Each(names) => names.len(),
        };
        let forms =
            [self.value.as_ref().map(Vec::len), self.values.as_ref().map(Vec::len), self.terms.as_ref().map(Vec::len)];
        let given: Vec<usize> = forms.into_iter().flatten().collect();
        let [leaf_values] = given[..] else {
            return Err(LoadError::malformed("", "exactly one of value, values and terms must be given"));
        };
        let lengths = [
            ("right", self.right.len()),
            ("feature", self.feature.len()),
            ("test", each),
            ("threshold", self.threshold.len()),
            ("missing_left", self.missing_left.len()),
            ("zero_left", optional(self.zero_left.len())),
            ("leaf_id", optional(self.leaf_id.len())),
            ("value", leaf_values),
        ];
        match lengths.iter().find(|(_, length)| *length != nodes) {
            Some((name, length)) => Err(LoadError::malformed(*name, format!("{length} entries for {nodes} nodes"))),
            None if nodes == 0 => Err(LoadError::malformed("left", "the tree has no nodes")),
            None => Ok(nodes),
        }
    }

    /// Splits come first, then leaves; so the root is node 0 in any case.
    fn of(tree: &Tree) -> Self {
        let splits = tree.splits.len();
        let nodes = splits + tree.leaves.len();
        let number = |child: Child| match child.node() {
            Node::Split(index) => index as i64,
            Node::Leaf(index) => (splits + index) as i64,
        };
        let column = |of_split: &dyn Fn(&crate::tree::Split) -> i64| {
            tree.splits.iter().map(of_split).chain(tree.leaves.iter().map(|_| -1)).collect::<Vec<i64>>()
        };
        let mut columns = Self {
            left: column(&|split| number(split.left)),
            right: column(&|split| number(split.right)),
            feature: column(&|split| i64::from(split.feature)),
            threshold: vec![Literal(0.0); nodes],
            missing_left: vec![0; nodes],
            leaf_id: vec![0; splits],
            ..Self::default()
        };
        columns.leaf_id.extend(tree.leaves.iter().map(|leaf| leaf.id));
        let mut names = vec![TestName::Leaf; nodes];
        let mut written = BTreeMap::new();
        for (node, split) in tree.splits.iter().enumerate() {
            columns.missing_left[node] = u8::from(split.missing == Side::Left);
            let mut set = |name: TestName, SetId(id): SetId, values: &dyn Fn() -> Vec<Literal>| {
                let index = *written.entry((name, id)).or_insert_with(|| {
                    columns.sets.push(values());
                    columns.sets.len() - 1
                });
                Literal(index as f64)
            };
            (names[node], columns.threshold[node]) = match split.test {
                Test::Below(threshold) => (TestName::Below, Literal(threshold)),
                Test::Present => (TestName::Present, Literal(0.0)),
                Test::InSet(id) => {
                    let codes = || tree.category_set(id).iter().map(|code| Literal(f64::from(*code))).collect();
                    (TestName::InSet, set(TestName::InSet, id, &codes))
                }
                Test::OneOf(id) => {
                    let values = || tree.value_set(id).iter().map(|value| Literal(*value)).collect();
                    (TestName::OneOf, set(TestName::OneOf, id, &values))
                }
            };
        }
        if names[..splits].iter().any(|name| *name != TestName::Below) {
            columns.test = Tests::Each(names);
        }
        if tree.splits.iter().any(|split| split.zero.is_some()) {
            let zero = tree.splits.iter().map(|split| split.zero.map(|side| u8::from(side == Side::Left)));
            columns.zero_left = zero.chain(tree.leaves.iter().map(|_| None)).collect();
        }
        columns.set_leaf_values(tree, splits);
        columns
    }

    fn set_leaf_values(&mut self, tree: &Tree, splits: usize) {
        let leaves = || (0..tree.leaves.len()).map(|leaf| tree.terms(leaf));
        let output = tree.terms.first().map_or(0, |term| term.output);
        if leaves().all(|terms| terms.len() == 1 && terms[0].output == output) {
            self.output = output;
            self.value = Some(
                vec![Literal(0.0); splits].into_iter().chain(leaves().map(|terms| Literal(terms[0].value))).collect(),
            );
        } else if leaves().all(|terms| terms.iter().zip(0..).all(|(term, output)| term.output == output)) {
            let values = leaves().map(|terms| terms.iter().map(|term| Literal(term.value)).collect());
            self.values = Some(vec![vec![]; splits].into_iter().chain(values).collect());
        } else {
            let pairs = leaves().map(|terms| terms.iter().map(|term| (term.output, Literal(term.value))).collect());
            self.terms = Some(vec![vec![]; splits].into_iter().chain(pairs).collect());
        }
    }
}

/// A number that is a category code or an index.
fn code(value: f64) -> Option<u32> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked to fit")]
    (value.fract() == 0.0 && (0.0..4_294_967_296.0).contains(&value)).then_some(value as u32)
}
