//! The cells between a model's thresholds, for measurements of questions that the library cannot put yet.

use std::ops::Range;

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::tree::{Node as ModelNode, Side, Test, Tree as ModelTree};
use treeproof_search::{Axis, Channel, Costs, Node, Split, Tree, Value};

/// Values are counted in units of 2⁻³².
const UNITS: f64 = 4_294_967_296.0;

/// The thresholds of every feature, ascending: cell `i` lies below the `i`-th one. Missing values are left out.
pub(crate) struct ThresholdGrid<'e> {
    ensemble: &'e Ensemble,
    thresholds: Vec<Vec<f64>>,
}

impl<'e> ThresholdGrid<'e> {
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

    /// The features that have several of these cells: the others are no choice.
    pub(crate) fn axes(&self, cells: &[Range<u32>]) -> Vec<Axis> {
        cells.iter().filter(|cells| cells.len() > 1).map(|cells| Axis::ordered(cells.end - cells.start)).collect()
    }

    /// What a distance from a row costs, for each of these cells.
    pub(crate) fn costs(&self, cells: &[Range<u32>], row: &[f64], cost: impl Fn(f64) -> Value) -> Costs {
        let features = cells.iter().zip(row).enumerate().filter(|(_, (cells, _))| cells.len() > 1);
        let of_feature = |(feature, (cells, value)): (usize, (&Range<u32>, &f64))| {
            let distances = self.distances(feature, *value);
            distances[cells.start as usize..cells.end as usize].iter().map(|distance| cost(*distance)).collect()
        };
        Costs { axes: features.map(of_feature).collect() }
    }

    /// How far each cell of a feature is from a value.
    fn distances(&self, feature: usize, value: f64) -> Vec<f64> {
        let distance = |cell: usize| {
            let (low, high) = self.ends(feature, cell);
            (low - value).max(value - high).max(0.0)
        };
        (0..=self.thresholds[feature].len()).map(distance).collect()
    }

    /// The input nearest to a row that has the cells of a point, which has one for every axis.
    pub(crate) fn input(&self, cells: &[Range<u32>], row: &[f64], point: &[u32]) -> Vec<f64> {
        let mut point = point.iter();
        let of_feature = |(feature, (cells, value)): (usize, (&Range<u32>, &f64))| {
            let cell = if cells.len() > 1 { *point.next().expect("a cell for every axis") } else { 0 };
            let (low, high) = self.ends(feature, (cells.start + cell) as usize);
            value.clamp(low, high)
        };
        cells.iter().zip(row).enumerate().map(of_feature).collect()
    }

    /// The least and the largest value of a cell.
    fn ends(&self, feature: usize, cell: usize) -> (f64, f64) {
        let cuts = &self.thresholds[feature];
        let low = cell.checked_sub(1).map_or(f64::NEG_INFINITY, |cut| cuts[cut]);
        (low, cuts.get(cell).map_or(f64::INFINITY, |cut| before(*cut)))
    }

    /// The cells of a feature that are no farther than this from a value.
    pub(crate) fn cells_within(&self, feature: usize, value: f64, radius: f64) -> Range<u32> {
        let cuts = &self.thresholds[feature];
        let first = cuts.partition_point(|cut| before(*cut) < value - radius);
        let last = cuts.partition_point(|cut| *cut <= value + radius);
        position(first)..position(last) + 1
    }

    /// All cells of every feature.
    pub(crate) fn everything(&self) -> Vec<Range<u32>> {
        self.thresholds.iter().map(|cuts| 0..position(cuts.len()) + 1).collect()
    }

    /// One output minus another, over some cells of every feature, which are counted from the first of them. Features with one
    /// cell are no axes.
    pub(crate) fn channel(&self, output: usize, minus: Option<usize>, cells: &[Range<u32>]) -> anyhow::Result<Channel> {
        let Some(summation) = self.ensemble.summation() else { anyhow::bail!("only sums are measured") };
        let base = summation.base[output] - minus.map_or(0.0, |minus| summation.base[minus]);
        let signed = |term_output: u32, value: f64| match () {
            () if term_output as usize == output => value,
            () if Some(term_output as usize) == minus => -value,
            () => 0.0,
        };
        let mut next = 0;
        let axes: Vec<u32> = cells
            .iter()
            .map(|cells| {
                let axis = next;
                next += u32::from(cells.len() > 1);
                axis
            })
            .collect();
        let trees = self.ensemble.trees().iter().filter_map(|tree| {
            let value = |leaf: usize| tree.terms(leaf).iter().map(|term| signed(term.output, term.value)).sum::<f64>();
            let matters = (0..tree.leaves().len()).any(|leaf| value(leaf) != 0.0);
            matters.then(|| self.tree(tree, cells, &axes, |leaf| units(value(leaf))))
        });
        Ok(Channel { base: units(base), trees: trees.collect() })
    }

    /// A tree without the splits that these cells decide.
    fn tree(&self, tree: &ModelTree, cells: &[Range<u32>], axes: &[u32], value: impl Fn(usize) -> Value) -> Tree {
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
                    let Range { start, end } = cells[split.feature as usize];
                    if cut <= start || cut >= end {
                        let side = if cut <= start { &split.right } else { &split.left };
                        pending.push((side.node(), parent));
                        continue;
                    }
                    nodes.push(Node::Split(Split {
                        axis: axes[split.feature as usize],
                        cut: cut - start,
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
