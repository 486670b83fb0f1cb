//! Cells: the values of a feature that no split of the model tells apart.
//!
//! The law kept here: every raw value of the domain is in one cell, every cell has such a value, and a split sends all
//! of a cell to one side.

mod choose;
mod line;

use std::collections::BTreeMap;

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::input::Reading;
use treeproof_ensemble::tree::{Node, Test};
use treeproof_search::Axis;

use self::line::{Line, Span};
use super::domain::{Domain, raw_category, raw_unknown};

/// The cells of one feature.
#[derive(Debug)]
pub(super) struct AxisCells {
    pub(super) feature: usize,
    /// The ordered cells, ascending, and the line on which they lie.
    line: Option<Line>,
    spans: Vec<Span>,
    /// Cells outside the order: what the trees see, and a raw value that they see so.
    special: Vec<(Reading, f64)>,
}

/// How the reachable splits use a feature.
#[derive(Clone, Debug, Default)]
pub(super) struct Use {
    is_tested: bool,
    has_zero_rule: bool,
    cuts: Vec<f64>,
    values: Vec<f64>,
    sets: Vec<Vec<u32>>,
}

/// The cells of every feature that some reachable split tests. Domains are accepted ones, none empty.
pub(super) fn collect(ensemble: &Ensemble, domains: &[Domain]) -> Vec<AxisCells> {
    let mut uses = vec![Use::default(); ensemble.features().len()];
    for tree in ensemble.trees() {
        let mut pending = vec![tree.root()];
        while let Some(node) = pending.pop() {
            let Node::Split(split) = node else { continue };
            let split = &tree.splits()[split];
            let (left, right) = domains[split.feature as usize].sides(ensemble, tree, split);
            if left {
                pending.push(split.left.node());
            }
            if right {
                pending.push(split.right.node());
            }
            if left && right {
                let of_feature = &mut uses[split.feature as usize];
                of_feature.is_tested = true;
                of_feature.has_zero_rule |= split.zero.is_some();
                match split.test {
                    Test::Below(threshold) => of_feature.cuts.push(threshold),
                    Test::OneOf(set) => of_feature.values.extend_from_slice(tree.value_set(set)),
                    Test::InSet(set) => of_feature.sets.push(tree.category_set(set).to_vec()),
                    Test::Present => {}
                }
            }
        }
    }
    let tested = uses.into_iter().enumerate().filter(|(_, of_feature)| of_feature.is_tested);
    tested.map(|(feature, of_feature)| AxisCells::new(ensemble, feature, &domains[feature], of_feature)).collect()
}

impl AxisCells {
    /// The cells of a feature whose splits use it so.
    pub(super) fn new(ensemble: &Ensemble, index: usize, domain: &Domain, mut of_feature: Use) -> Self {
        let input = ensemble.input();
        let feature = &ensemble.features()[index];
        let mut cells = Self { feature: index, line: None, spans: vec![], special: vec![] };
        let is_missing_allowed = match domain {
            Domain::Numbers { low, high, missing } => {
                if low <= high {
                    if of_feature.has_zero_rule {
                        of_feature.values.push(0.0);
                    }
                    let line = Line::new(input, *low, *high, of_feature.values);
                    cells.special.extend(line.apart().map(|(value, raw)| (Reading::Number(value), raw)));
                    cells.spans = line.spans(of_feature.cuts);
                    cells.line = Some(line);
                }
                *missing
            }
            Domain::Categories { codes, unknown, missing } => {
                // Categories that are in the same sets are one cell.
                let mut classes: BTreeMap<Vec<bool>, u32> = BTreeMap::new();
                for code in codes {
                    let signature = of_feature.sets.iter().map(|set| set.binary_search(code).is_ok()).collect();
                    classes.entry(signature).or_insert(*code);
                }
                let mut members: Vec<u32> = classes.into_values().collect();
                members.sort_unstable();
                let cell = |code| Some((Reading::Category(code), raw_category(feature, input, code)?));
                cells.special.extend(members.into_iter().filter_map(cell));
                if let Some(raw) = raw_unknown(feature, input).filter(|_| *unknown) {
                    cells.special.push((Reading::NoCategory, raw));
                }
                *missing
            }
        };
        if is_missing_allowed {
            cells.special.push((Reading::Missing, f64::NAN));
        }
        cells
    }

    pub(super) fn shape(&self) -> Axis {
        Axis { ordered: super::position(self.spans.len()), special: super::position(self.special.len()) }
    }

    /// The ordered cells left of a test's threshold. A cell lies on one side of it, so any member tells which.
    pub(super) fn cut(&self, test: Test) -> u32 {
        let left = match test {
            Test::Below(threshold) => self.spans.partition_point(|span| span.member < threshold),
            Test::Present => self.spans.len(),
            // Members of the set are special cells; the ordered ones hold only others.
            Test::OneOf(_) | Test::InSet(_) => 0,
        };
        super::position(left)
    }

    /// The special cells for which this holds.
    pub(super) fn special_where(&self, holds: impl Fn(Reading) -> bool) -> Vec<u32> {
        (0..).zip(&self.special).filter(|(_, (reading, _))| holds(*reading)).map(|(cell, _)| cell).collect()
    }

    /// A raw value in a cell, one that people like where there is one.
    pub(super) fn raw(&self, cell: u32) -> f64 {
        let cell = cell as usize;
        match (self.spans.get(cell), &self.line) {
            (Some(span), Some(line)) => choose::raw(line, span),
            _ => self.special[cell - self.spans.len()].1,
        }
    }
}
