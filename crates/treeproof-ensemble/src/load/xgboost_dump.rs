//! XGBoost's JSON dump: trees without base score, objective, class count or column order. It is read only when the
//! caller supplies what is missing; the saved model is always better.

use super::document::{Document, ValueKind};
use super::json::Json;
use super::xgboost::input_rules;
use super::{DumpFacts, LoadOptions};
use crate::builder::{EnsembleBuilder, RawSplit, TreeBuilder, build_trees};
use crate::ensemble::{Ensemble, Source};
use crate::error::LoadError;
use crate::float::Precision;
use crate::input::{Categories, CategoryEncoding, Feature, FeatureKind, InputRules};
use crate::label::{ClassName, LabelRule};
use crate::link::Link;
use crate::sum::{Aggregate, Summation};
use crate::tree::{LeafTerm, Side, Tree};

/// Deeper than any tree that XGBoost grows in practice; children are nested in this format.
const MAX_DEPTH: usize = 200;

pub(super) fn load(content: &[u8], options: &LoadOptions) -> Result<Ensemble, LoadError> {
    let Some(facts) = &options.dump else {
        return Err(LoadError::unsupported(
            "",
            "this is XGBoost's JSON dump, which leaves out base score, objective and classes; save the model with \
             save_model(), or supply them with --base-margin and --classes",
        ));
    };
    let mut dump = Dump::default();
    let mut document = Json::new(content);
    document.array(|document, _| {
        let mut nodes = Vec::new();
        dump.read_node(document, &mut nodes, 0)?;
        dump.trees.push(nodes);
        Ok(())
    })?;
    document.finish()?;
    dump.assemble(facts, options)
}

#[derive(Default)]
struct Dump {
    /// In order of first appearance.
    features: Vec<Feature>,
    trees: Vec<Vec<DumpNode>>,
}

/// A node; children are named by `nodeid`.
#[derive(Default)]
struct DumpNode {
    id: usize,
    leaf: Option<f32>,
    feature: usize,
    threshold: Option<f32>,
    categories: Option<Vec<u32>>,
    yes: usize,
    no: usize,
    missing: Option<usize>,
}

impl Dump {
    fn read_node(&mut self, document: &mut Json<'_>, nodes: &mut Vec<DumpNode>, depth: usize) -> Result<(), LoadError> {
        if depth > MAX_DEPTH {
            return Err(document.error("nested too deeply"));
        }
        let mut node = DumpNode::default();
        let mut feature = None;
        document.object(|document, key| {
            match key {
                "nodeid" => node.id = node_id(document)?,
                "leaf" if document.kind()? == ValueKind::Array => {
                    return Err(LoadError::unsupported(
                        "",
                        "a dump with vector leaves; save the model with save_model()",
                    ));
                }
                "leaf" => node.leaf = Some(document.float32()?),
                "split" => feature = Some(document.text()?),
                "split_condition" if document.kind()? == ValueKind::Array => {
                    let codes = document.integers()?;
                    let codes: Result<Vec<u32>, _> = codes.into_iter().map(u32::try_from).collect();
                    node.categories = Some(codes.map_err(|_| document.error("a category is negative"))?);
                }
                "split_condition" => node.threshold = Some(document.float32()?),
                "yes" => node.yes = node_id(document)?,
                "no" => node.no = node_id(document)?,
                "missing" => node.missing = Some(node_id(document)?),
                "children" => document.array(|document, _| self.read_node(document, nodes, depth + 1))?,
                _ => document.skip()?,
            }
            Ok(())
        })?;
        match feature {
            Some(name) => node.feature = self.feature(name, node.categories.is_some()),
            None if node.leaf.is_none() => return Err(document.error("a node that is neither a split nor a leaf")),
            None => {}
        }
        nodes.push(node);
        Ok(())
    }

    fn feature(&mut self, name: String, is_category: bool) -> usize {
        let index = match self.features.iter().position(|feature| feature.name == name) {
            Some(index) => index,
            None => {
                self.features.push(Feature::numeric(name));
                self.features.len() - 1
            }
        };
        if is_category {
            self.features[index].kind = FeatureKind::Category(Categories::of_texts(CategoryEncoding::Xgboost, vec![]));
        }
        index
    }

    fn assemble(self, facts: &DumpFacts, options: &LoadOptions) -> Result<Ensemble, LoadError> {
        let num_outputs = if facts.classes > 2 { facts.classes } else { 1 };
        if self.trees.is_empty() || !self.trees.len().is_multiple_of(num_outputs) {
            let what = format!("{} trees cannot be shared out evenly among {num_outputs} classes", self.trees.len());
            return Err(LoadError::malformed("", what));
        }
        let base = match facts.base_margin[..] {
            [single] => vec![Precision::F32.round(single); num_outputs],
            _ => facts.base_margin.iter().map(|margin| Precision::F32.round(*margin)).collect(),
        };
        let (columns, features) = self.columns();
        let input = input_rules(options);
        let trees = build_trees(&self.trees, |index, nodes| {
            let output = u32::try_from(index % num_outputs).unwrap_or(u32::MAX);
            tree(nodes, output, &columns, &input)
        })?;
        let (link, label, classes) = match facts.classes {
            0 | 1 => (Link::Identity, LabelRule::None, 0),
            2 => (Link::LogisticXgboost, LabelRule::OutputAbove { threshold: 0.5 }, 2),
            more => (Link::SoftmaxXgboost, LabelRule::LargestOutput, more),
        };
        EnsembleBuilder {
            source: Source {
                format: "XGBoost JSON dump".into(),
                notes: vec![
                    "base margin and classes are the caller's word, and tree i adds to class i modulo their number".into(),
                    "a dump rounds thresholds of features typed `int` up, which is exact for whole numbers only".into(),
                    "a dump does not tell the order of columns: give data with a header unless features are named f0, f1, …".into(),
                ],
                ..Source::default()
            },
            features,
            input,
            num_outputs,
            aggregate: Aggregate::Sum(Summation::plain(Precision::F32, base)),
            link,
            label,
            classes: (0..i64::try_from(classes).unwrap_or(0)).map(ClassName::Int).collect(),
            trees,
        }
        .finish()
    }

    /// The column of every feature, and the features by column. `f7` is column 7; other names stand in order of
    /// appearance.
    fn columns(&self) -> (Vec<usize>, Vec<Feature>) {
        let numbered =
            |feature: &Feature| feature.name.strip_prefix('f').and_then(|number| number.parse::<usize>().ok());
        let numbers: Option<Vec<usize>> = self.features.iter().map(numbered).collect();
        match numbers {
            Some(numbers) if numbers.iter().all(|number| *number < 1 << 21) => {
                let width = numbers.iter().max().map_or(0, |largest| largest + 1);
                let mut features: Vec<Feature> =
                    (0..width).map(|index| Feature::numeric(format!("f{index}"))).collect();
                for (number, feature) in numbers.iter().zip(&self.features) {
                    features[*number] = feature.clone();
                }
                (numbers, features)
            }
            _ => ((0..self.features.len()).collect(), self.features.clone()),
        }
    }
}

fn node_id(document: &mut Json<'_>) -> Result<usize, LoadError> {
    let id = document.integer()?;
    usize::try_from(id).map_err(|_| document.error(format!("{id} is no node")))
}

fn tree(nodes: &[DumpNode], output: u32, columns: &[usize], input: &InputRules) -> Result<Tree, LoadError> {
    // Node numbers have gaps where the tree was pruned; positions have none.
    let mut ids: Vec<(usize, usize)> = nodes.iter().enumerate().map(|(position, node)| (node.id, position)).collect();
    ids.sort_unstable();
    let position = |id: usize| match ids.binary_search_by_key(&id, |(id, _)| *id) {
        Ok(found) => Ok(ids[found].1),
        Err(_) => Err(LoadError::malformed(format!("node {id}"), "the node is named as a child but is not there")),
    };
    let mut builder = TreeBuilder::new(nodes.len());
    for (index, node) in nodes.iter().enumerate() {
        if let Some(value) = node.leaf {
            let id = u32::try_from(node.id).unwrap_or(u32::MAX);
            builder.leaf(index, id, [LeafTerm { output, value: f64::from(value) }])?;
            continue;
        }
        let test = match (&node.categories, node.threshold) {
            (Some(codes), _) => builder.category_set(codes.iter().copied()),
            (None, Some(threshold)) => input.test_below(f64::from(threshold)),
            (None, None) => {
                let what = "an indicator split without a threshold; save the model with save_model()";
                return Err(LoadError::unsupported(format!("node {}", node.id), what));
            }
        };
        let Some(missing) = node.missing else {
            return Err(LoadError::malformed(format!("node {}", node.id), "the default direction is missing"));
        };
        let split = RawSplit {
            feature: u32::try_from(columns[node.feature]).unwrap_or(u32::MAX),
            test,
            missing: Side::from(missing == node.yes),
            zero: None,
            left: position(node.yes)?,
            right: position(node.no)?,
        };
        builder.split(index, split)?;
    }
    builder.finish(position(0)?)
}
