//! Cells: the values of a feature that no split of the model tells apart.
//!
//! The law kept here: every raw value of the domain is in one cell, every cell has such a value, and a split sends all
//! of a cell to one side.

mod choose;
mod line;

use std::collections::BTreeMap;

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::input::Reading;
use treeproof_ensemble::tree::{Node, Test, Tree};
use treeproof_search::{Axis, Cells};

use self::line::{Line, Span};
use super::Values;
use super::domain::{Domain, raw_category, raw_unknown};

/// The cells of one feature.
#[derive(Debug)]
pub(super) struct AxisCells {
    pub(super) feature: usize,
    is_category: bool,
    /// The ordered cells, ascending, and the line on which they lie.
    line: Option<Line>,
    spans: Vec<Span>,
    special: Vec<Special>,
}

/// A cell outside the order.
#[derive(Debug)]
struct Special {
    /// What the trees see.
    reading: Reading,
    /// A raw value that they see so.
    raw: f64,
    /// All categories of the cell; the first is the one in `reading`.
    codes: Vec<u32>,
}

impl Special {
    fn new(reading: Reading, raw: f64) -> Self {
        Self { reading, raw, codes: vec![] }
    }
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

/// The cells of every feature that some reachable split of these trees tests. Domains are accepted ones, none empty.
pub(super) fn collect<'t>(
    ensemble: &Ensemble,
    domains: &[Domain],
    trees: impl Iterator<Item = &'t Tree>,
) -> Vec<AxisCells> {
    let mut uses = vec![Use::default(); ensemble.features().len()];
    for tree in trees {
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
        let is_category = feature.is_category();
        let mut cells = Self { feature: index, is_category, line: None, spans: vec![], special: vec![] };
        let is_missing_allowed = match domain {
            Domain::Numbers { low, high, missing } => {
                if low <= high {
                    if of_feature.has_zero_rule {
                        of_feature.values.push(0.0);
                    }
                    let line = Line::new(input, *low, *high, of_feature.values);
                    cells.special.extend(line.apart().map(|(value, raw)| Special::new(Reading::Number(value), raw)));
                    cells.spans = line.spans(of_feature.cuts);
                    cells.line = Some(line);
                }
                *missing
            }
            Domain::Categories { codes, unknown, missing } => {
                // Categories that are in the same sets are one cell.
                let mut classes: BTreeMap<Vec<bool>, Vec<u32>> = BTreeMap::new();
                for code in codes {
                    let signature = of_feature.sets.iter().map(|set| set.binary_search(code).is_ok()).collect();
                    classes.entry(signature).or_default().push(*code);
                }
                let mut classes: Vec<Vec<u32>> = classes.into_values().collect();
                classes.sort_unstable();
                let cell = |codes: Vec<u32>| {
                    let raw = raw_category(feature, input, codes[0])?;
                    Some(Special { reading: Reading::Category(codes[0]), raw, codes })
                };
                cells.special.extend(classes.into_iter().filter_map(cell));
                if let Some(raw) = raw_unknown(feature, input).filter(|_| *unknown) {
                    cells.special.push(Special::new(Reading::NoCategory, raw));
                }
                *missing
            }
        };
        if is_missing_allowed {
            cells.special.push(Special::new(Reading::Missing, f64::NAN));
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
        (0..).zip(&self.special).filter(|(_, special)| holds(special.reading)).map(|(cell, _)| cell).collect()
    }

    /// A raw value in a cell, one that people like where there is one.
    pub(super) fn raw(&self, cell: u32) -> f64 {
        let cell = cell as usize;
        match (self.spans.get(cell), &self.line) {
            (Some(span), Some(line)) => choose::raw(line, span),
            _ => self.special[cell - self.spans.len()].raw,
        }
    }

    /// All cells.
    pub(super) fn all(&self) -> Cells {
        let Axis { ordered, special } = self.shape();
        Cells { ordered: 0..ordered, special: (0..special).collect() }
    }

    /// The values in some cells.
    pub(super) fn values(&self, cells: &Cells) -> Values {
        let chosen = |special: &usize| cells.special.binary_search(&super::position(*special)).is_ok();
        let (chosen, others): (Vec<usize>, Vec<usize>) = (0..self.special.len()).partition(chosen);
        let readings = |of: &[usize]| of.iter().map(|special| self.special[*special].reading).collect::<Vec<_>>();
        let (chosen_readings, other_readings) = (readings(&chosen), readings(&others));
        let missing = chosen_readings.contains(&Reading::Missing);
        if self.is_category {
            let mut codes: Vec<u32> = chosen.iter().flat_map(|special| self.special[*special].codes.clone()).collect();
            codes.sort_unstable();
            return Values::Categories { codes, unknown: chosen_readings.contains(&Reading::NoCategory), missing };
        }
        let spans = &self.spans[cells.ordered.start as usize..cells.ordered.end as usize];
        let within = self.line.as_ref().zip(spans.first().zip(spans.last()));
        let is_within =
            |number: &f64| within.is_some_and(|(line, (first, last))| line.is_between(first, last, *number));
        let numbers = |readings: Vec<Reading>| {
            readings.into_iter().filter_map(|reading| match reading {
                Reading::Number(number) => Some(number),
                _ => None,
            })
        };
        Values::Numbers {
            interval: within.map(|(line, (first, last))| line.interval(first, last)),
            except: numbers(other_readings).filter(is_within).collect(),
            also: numbers(chosen_readings).filter(|number| !is_within(number)).collect(),
            missing,
        }
    }

    /// A raw value at an end of some cells: the first and least, or the last and greatest; special ones come last.
    pub(super) fn corner(&self, cells: &Cells, is_last: bool) -> f64 {
        let spans = &self.spans[cells.ordered.start as usize..cells.ordered.end as usize];
        let special = |cell: &u32| self.special[*cell as usize].raw;
        let of_line = self.line.as_ref().and_then(|line| match is_last {
            false => spans.first().map(|span| line.raw(span.member)),
            true => spans.last().map(|span| line.last(span).unwrap_or_else(|| choose::raw(line, span))),
        });
        let found = match is_last {
            false => of_line.or_else(|| cells.special.first().map(special)),
            true => cells.special.last().map(special).or(of_line),
        };
        found.expect("a configuration has cells of every axis")
    }
}
