//! Finds the one tree operator of a graph, and refuses everything around it that could change a number: only
//! operators that pass values on, as converters put them around trees, are let through.

use std::collections::BTreeMap;
use std::rc::Rc;

use prost::bytes::Bytes;

use super::attributes::{self, Attributes};
use super::proto::{self, GraphProto, NodeProto, TensorProto, ValueInfoProto, element};
use crate::error::LoadError;
use crate::float::Precision;
use crate::load::document::shortened;

/// Graphs around a single tree operator have a handful of nodes.
const MAX_NODES: usize = 10_000;
/// More columns than any table has: a number in the file, not backed by data in it.
const MAX_COLUMNS: i64 = 1 << 20;

/// The tree operator and what surrounds it.
#[derive(Debug)]
pub(super) struct TreeOperator {
    pub(super) node: NodeProto,
    pub(super) input: OperatorInput,
    /// The scores are divided by this after the operator.
    pub(super) divisor: Option<f64>,
}

/// The numbers that reach the tree operator.
#[derive(Clone, Debug)]
pub(super) struct OperatorInput {
    /// The coarsest type through which the numbers pass.
    pub(super) grid: Precision,
    /// The type in which they reach the operator, and in which it computes.
    pub(super) computes: Precision,
    /// The number of columns, where the graph fixes it.
    pub(super) num_columns: Option<usize>,
}

/// The value of a name in the graph.
#[derive(Clone, Debug)]
enum GraphValue {
    Input(OperatorInput),
    /// Shared by all names that stand for it.
    Constant(Rc<TensorProto>),
    Label,
    Scores,
    /// A list of maps from class to score, the end of the line.
    Zipped,
}

/// Follows the nodes in their order, which ONNX demands to be the order of computation.
pub(super) fn find(graph: &GraphProto) -> Result<TreeOperator, LoadError> {
    if graph.nodes.len() > MAX_NODES {
        let what = format!("{} nodes: not a tree ensemble with conversions around it", graph.nodes.len());
        return Err(LoadError::unsupported("graph", what));
    }
    let mut walk = Walk { values: BTreeMap::new(), inputs: BTreeMap::new(), tree: None, divisor: None };
    for content in &graph.initializers {
        let tensor: TensorProto = proto::decode(content.clone(), "initializer")?;
        walk.values.insert(tensor.name.clone(), GraphValue::Constant(Rc::new(tensor)));
    }
    for content in &graph.inputs {
        let info: ValueInfoProto = proto::decode(content.clone(), "graph input")?;
        walk.inputs.insert(info.name.clone(), info);
    }
    for content in &graph.nodes {
        walk.step(content.clone())?;
    }
    let Some((node, input)) = walk.tree else {
        let what = "no TreeEnsembleRegressor, TreeEnsembleClassifier or TreeEnsemble; treeproof reads tree models only";
        return Err(LoadError::unsupported("graph", what));
    };
    Ok(TreeOperator { node, input, divisor: walk.divisor })
}

struct Walk {
    values: BTreeMap<String, GraphValue>,
    inputs: BTreeMap<String, ValueInfoProto>,
    tree: Option<(NodeProto, OperatorInput)>,
    divisor: Option<f64>,
}

impl Walk {
    fn step(&mut self, content: Bytes) -> Result<(), LoadError> {
        let node: NodeProto = proto::decode(content, "graph node")?;
        let place = match node.name.as_str() {
            "" => format!("operator {}", shortened(&node.op)),
            name => format!("operator {} `{}`", shortened(&node.op), shortened(name)),
        };
        let standard = matches!(node.domain.as_str(), "" | "ai.onnx");
        let value = match node.op.as_str() {
            "TreeEnsembleRegressor" | "TreeEnsembleClassifier" | "TreeEnsemble" if node.domain == "ai.onnx.ml" => {
                return self.tree_operator(node, &place);
            }
            "Identity" if standard => self.first_input(&node, &place)?,
            "Cast" if standard => self.cast(&node, &place)?,
            "Constant" if standard => {
                let Some(tensor) = Attributes::new(&node)?.tensor("value")? else {
                    return Err(LoadError::unsupported(place, "a constant that is not given as a tensor"));
                };
                GraphValue::Constant(Rc::new(tensor))
            }
            "Mul" | "Div" if standard => self.scale(&node, &place)?,
            "ZipMap" if node.domain == "ai.onnx.ml" => match self.first_input(&node, &place)? {
                GraphValue::Scores => GraphValue::Zipped,
                _ => return Err(LoadError::unsupported(place, "zips something else than the scores of the trees")),
            },
            "Exp" | "Sigmoid" | "Softmax" | "Log" if standard => {
                let what = "onnxruntime computes this function with vector code of its own, which cannot be reproduced \
                            bit for bit; export the raw scores";
                return Err(LoadError::unsupported(place, what));
            }
            _ => {
                let what = "only Identity, Cast, ZipMap and a constant factor of 1 or divisor may surround the tree operator; \
                            export the tree model alone, and classifiers with zipmap=False";
                return Err(LoadError::unsupported(place, what));
            }
        };
        if let Some(name) = node.outputs.first() {
            self.values.insert(name.clone(), value);
        }
        Ok(())
    }

    fn tree_operator(&mut self, node: NodeProto, place: &str) -> Result<(), LoadError> {
        if self.tree.is_some() {
            let what = "a second tree operator; export the model as a single one (without bagging, stacking or split=)";
            return Err(LoadError::unsupported(place, what));
        }
        let GraphValue::Input(input) = self.first_input(&node, place)? else {
            return Err(LoadError::unsupported(place, "the operator does not read the input of the graph"));
        };
        let roles: &[GraphValue] = if node.op == "TreeEnsembleClassifier" {
            &[GraphValue::Label, GraphValue::Scores]
        } else {
            &[GraphValue::Scores]
        };
        for (name, role) in node.outputs.iter().zip(roles) {
            self.values.insert(name.clone(), role.clone());
        }
        self.tree = Some((node, input));
        Ok(())
    }

    /// A cast that changes no number, or only as reading the input does.
    fn cast(&self, node: &NodeProto, place: &str) -> Result<GraphValue, LoadError> {
        let to = Attributes::new(node)?.integer("to")?.unwrap_or(0);
        let to = i32::try_from(to).unwrap_or(0);
        Ok(match (self.first_input(node, place)?, to) {
            (GraphValue::Input(input), element::FLOAT) => {
                GraphValue::Input(OperatorInput { grid: Precision::F32, computes: Precision::F32, ..input })
            }
            (GraphValue::Input(input), element::DOUBLE) => {
                GraphValue::Input(OperatorInput { computes: Precision::F64, ..input })
            }
            // The scores of the two older operators are float; those of TreeEnsemble may be double.
            (GraphValue::Scores, element::FLOAT) if !self.scores_are_double() => GraphValue::Scores,
            (GraphValue::Scores, element::DOUBLE) => GraphValue::Scores,
            (GraphValue::Label, element::INT64 | element::STRING) => GraphValue::Label,
            (value, _) => {
                let what = match value {
                    GraphValue::Input(_) => "the input",
                    GraphValue::Label => "the label",
                    _ => "the scores",
                };
                let what = format!("casts {what} to {}, which changes it", element::name(to));
                return Err(LoadError::unsupported(place, what));
            }
        })
    }

    fn scores_are_double(&self) -> bool {
        let double =
            |(node, input): &(NodeProto, OperatorInput)| node.op == "TreeEnsemble" && input.computes == Precision::F64;
        self.tree.as_ref().is_some_and(double)
    }

    /// Scores times one (LightGBM's converter writes it for lack of an Identity), or divided by a constant (its
    /// random forests).
    fn scale(&mut self, node: &NodeProto, place: &str) -> Result<GraphValue, LoadError> {
        let second = node.inputs.get(1).and_then(|name| self.values.get(name)).cloned();
        let (GraphValue::Scores, Some(GraphValue::Constant(constant))) = (self.first_input(node, place)?, second)
        else {
            return Err(LoadError::unsupported(
                place,
                "scales something else than the scores of the trees by a constant",
            ));
        };
        let numbers = attributes::reals(&constant, place)?;
        match (node.op.as_str(), numbers.as_slice()) {
            ("Mul", [1.0]) => {}
            ("Div", [divisor]) if self.divisor.is_none() => self.divisor = Some(*divisor),
            _ => {
                return Err(LoadError::unsupported(
                    place,
                    "only a factor of 1, or a single divisor, can be represented",
                ));
            }
        }
        Ok(GraphValue::Scores)
    }

    fn first_input(&self, node: &NodeProto, place: &str) -> Result<GraphValue, LoadError> {
        let name = node.inputs.first().map(String::as_str).unwrap_or_default();
        if let Some(value) = self.values.get(name) {
            return Ok(value.clone());
        }
        match self.inputs.get(name) {
            Some(info) => graph_input(info).map(GraphValue::Input),
            None => {
                let what = format!("nothing computes its input `{}` beforehand", shortened(name));
                Err(LoadError::malformed(place, what))
            }
        }
    }
}

fn graph_input(info: &ValueInfoProto) -> Result<OperatorInput, LoadError> {
    let place = format!("graph input `{}`", shortened(&info.name));
    let Some(tensor) = info.kind.as_ref().and_then(|kind| kind.tensor.as_ref()) else {
        return Err(LoadError::unsupported(place, "not a tensor"));
    };
    let precision = match tensor.element {
        element::FLOAT => Precision::F32,
        element::DOUBLE => Precision::F64,
        other => {
            let what =
                format!("a tensor of {}; export the model with an input of float or double", element::name(other));
            return Err(LoadError::unsupported(place, what));
        }
    };
    let dims = tensor.shape.as_ref().map(|shape| shape.dims.as_slice()).unwrap_or_default();
    if dims.len() > 2 {
        return Err(LoadError::unsupported(place, "not a table: the tensor has more than two dimensions"));
    }
    let num_columns = match dims.last().and_then(|dim| dim.size) {
        // Some writers spell "any size" as 0 or a negative number.
        Some(size) if size > MAX_COLUMNS => return Err(LoadError::unsupported(place, format!("{size} columns"))),
        Some(size) if size > 0 => usize::try_from(size).ok(),
        _ => None,
    };
    Ok(OperatorInput { grid: precision, computes: precision, num_columns })
}
