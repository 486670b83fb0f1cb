//! The cells between a model's thresholds, for measurements of questions that the library cannot put yet.

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::tree::{Node as ModelNode, Side, Test, Tree as ModelTree};
use treeproof_search::{Axis, Channel, Node, Split, Tree, Value};

/// Values are counted in units of 2⁻³².
const UNITS: f64 = 4_294_967_296.0;

/// The thresholds of every feature, ascending: cell `i` lies below the `i`-th one. Missing values are left out.
pub(crate) struct Grid<'e> {
    ensemble: &'e Ensemble,
    thresholds: Vec<Vec<f64>>,
}

impl<'e> Grid<'e> {
    pub(crate) fn new(ensemble: &'e Ensemble) -> anyhow::Result<Self> {
        let mut thresholds = vec![vec![]; ensemble.features().len()];
        for split in ensemble.trees().iter().flat_map(ModelTree::splits) {
            match split.test {
                Test::Below(threshold) => thresholds[split.feature as usize].push(threshold),
                _ => anyhow::bail!("only thresholds are measured"),
            }
        }
        for of_feature in &mut thresholds {
            of_feature.sort_unstable_by(f64::total_cmp);
            of_feature.dedup();
        }
        Ok(Self { ensemble, thresholds })
    }

    pub(crate) fn axes(&self) -> Vec<Axis> {
        self.thresholds.iter().map(|cuts| Axis::ordered(position(cuts.len()) + 1)).collect()
    }

    /// How far each cell of a feature is from a value.
    pub(crate) fn distances(&self, feature: usize, value: f64) -> Vec<f64> {
        let cuts = &self.thresholds[feature];
        let distance = |cell: usize| {
            let low = cell.checked_sub(1).map_or(f64::NEG_INFINITY, |cut| cuts[cut]);
            let high = cuts.get(cell).map_or(f64::INFINITY, |cut| before(*cut));
            (low - value).max(value - high).max(0.0)
        };
        (0..=cuts.len()).map(distance).collect()
    }

    /// One output minus another.
    pub(crate) fn channel(&self, output: usize, minus: Option<usize>) -> anyhow::Result<Channel> {
        let Some(summation) = self.ensemble.summation() else { anyhow::bail!("only sums are measured") };
        let base = summation.base[output] - minus.map_or(0.0, |minus| summation.base[minus]);
        let signed = |term_output: u32, value: f64| match () {
            () if term_output as usize == output => value,
            () if Some(term_output as usize) == minus => -value,
            () => 0.0,
        };
        let trees = self.ensemble.trees().iter().filter_map(|tree| {
            let value = |leaf: usize| tree.terms(leaf).iter().map(|term| signed(term.output, term.value)).sum::<f64>();
            let matters = (0..tree.leaves().len()).any(|leaf| value(leaf) != 0.0);
            matters.then(|| self.tree(tree, |leaf| units(value(leaf))))
        });
        Ok(Channel { base: units(base), trees: trees.collect() })
    }

    fn tree(&self, tree: &ModelTree, value: impl Fn(usize) -> Value) -> Tree {
        let mut nodes: Vec<Node> = vec![];
        let mut pending = vec![(tree.root(), None)];
        while let Some((node, parent)) = pending.pop() {
            let place = position(nodes.len());
            if let Some((parent, side)) = parent
                && let Node::Split(split) = &mut nodes[parent as usize]
            {
                *(if side == Side::Left { &mut split.left } else { &mut split.right }) = place;
            }
            match node {
                ModelNode::Leaf(leaf) => nodes.push(Node::Leaf(value(leaf))),
                ModelNode::Split(split) => {
                    let split = &tree.splits()[split];
                    let Test::Below(threshold) = split.test else { unreachable!("a grid has thresholds alone") };
                    let cuts = &self.thresholds[split.feature as usize];
                    let cut = position(cuts.partition_point(|cut| *cut < threshold)) + 1;
                    nodes.push(Node::Split(Split {
                        axis: split.feature,
                        cut,
                        special_left: vec![],
                        left: 0,
                        right: 0,
                    }));
                    pending.push((split.right.node(), Some((place, Side::Right))));
                    pending.push((split.left.node(), Some((place, Side::Left))));
                }
            }
        }
        Tree { nodes }
    }
}

/// The last `f32` before a threshold.
fn before(threshold: f64) -> f64 {
    #[expect(clippy::cast_possible_truncation, reason = "thresholds are f32 numbers")]
    let below = (threshold as f32).next_down();
    f64::from(below)
}

fn units(value: f64) -> Value {
    #[expect(clippy::cast_possible_truncation, reason = "leaves are far smaller")]
    let units = (value * UNITS).ceil() as Value;
    units
}

/// A value in the model's own unit.
pub(crate) fn real(value: Value) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "for printing")]
    let units = value as f64;
    units / UNITS
}

fn position(place: usize) -> u32 {
    u32::try_from(place).expect("models are bounded by memory far below this")
}
