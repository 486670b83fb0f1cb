//! Cells: the values of a feature that no split of the model tells apart.

use std::collections::BTreeMap;

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::float::Precision;
use treeproof_ensemble::input::{CategoryEncoding, Feature, FeatureKind, Reading};
use treeproof_ensemble::tree::{Node, Test};
use treeproof_search::Axis;

use super::domain::Domain;

/// The cells of one feature.
#[derive(Debug)]
pub(super) struct AxisCells {
    pub(super) feature: usize,
    precision: Precision,
    /// The numbers of the input precision that the domain can become, and the domain itself.
    least: f64,
    greatest: f64,
    low: f64,
    high: f64,
    /// Ordered cell i holds the numbers from `cuts[i - 1]` (or the least) up to below `cuts[i]` (or the greatest).
    cuts: Vec<f64>,
    has_numbers: bool,
    /// Cells outside the order: what the trees see, and a raw value that they see so.
    special: Vec<(Reading, f64)>,
    /// Numbers that are special cells or read as missing, and so no members of ordered cells.
    excluded: Vec<f64>,
    zero_band: Option<f64>,
}

/// The cells of every feature that some reachable split tests.
pub(super) fn collect(ensemble: &Ensemble, domains: &[Domain]) -> Vec<AxisCells> {
    let mut uses: Vec<Use> = ensemble.features().iter().map(|_| Use::default()).collect();
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
                of_feature.zero |= split.zero.is_some();
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
    tested.map(|(feature, of_feature)| of_feature.cells(ensemble, feature, &domains[feature])).collect()
}

/// How the reachable splits use a feature.
#[derive(Default)]
struct Use {
    is_tested: bool,
    zero: bool,
    cuts: Vec<f64>,
    values: Vec<f64>,
    sets: Vec<Vec<u32>>,
}

impl Use {
    fn cells(mut self, ensemble: &Ensemble, index: usize, domain: &Domain) -> AxisCells {
        let input = ensemble.input();
        let feature = &ensemble.features()[index];
        let mut cells = AxisCells {
            feature: index,
            precision: input.precision,
            least: 0.0,
            greatest: 0.0,
            low: 0.0,
            high: 0.0,
            cuts: vec![],
            has_numbers: false,
            special: vec![],
            excluded: vec![],
            zero_band: input.zero_band,
        };
        match domain {
            Domain::Numbers { low, high, missing } => {
                if low <= high {
                    cells.has_numbers = true;
                    (cells.low, cells.high) = (*low, *high);
                    (cells.least, cells.greatest) = (input.precision.round(*low), input.precision.round(*high));
                    if self.zero {
                        self.values.push(0.0);
                    }
                    cells.excluded.extend(input.missing_value);
                    self.values.sort_by(f64::total_cmp);
                    self.values.dedup();
                    for value in self.values {
                        if let Some(raw) = cells.raw_of(value)
                            && input.read(&feature.kind, raw) == Ok(Reading::Number(value))
                        {
                            cells.special.push((Reading::Number(value), raw));
                        }
                        cells.excluded.push(value);
                    }
                    self.cuts.sort_by(f64::total_cmp);
                    self.cuts.dedup();
                    cells.cuts =
                        self.cuts.into_iter().filter(|cut| *cut > cells.least && *cut <= cells.greatest).collect();
                    cells.drop_empty_cells();
                }
                if *missing {
                    cells.special.push((Reading::Missing, f64::NAN));
                }
            }
            Domain::Categories { codes, missing } => {
                // Categories that are in the same sets are one cell.
                let mut classes: BTreeMap<Vec<bool>, u32> = BTreeMap::new();
                for code in codes {
                    let signature = self.sets.iter().map(|set| set.binary_search(code).is_ok()).collect();
                    classes.entry(signature).or_insert(*code);
                }
                let mut members: Vec<u32> = classes.into_values().collect();
                members.sort_unstable();
                cells
                    .special
                    .extend(members.into_iter().map(|code| (Reading::Category(code), raw_category(feature, code))));
                if *missing {
                    cells.special.push((Reading::Missing, f64::NAN));
                }
            }
        }
        cells
    }
}

impl AxisCells {
    pub(super) fn shape(&self) -> Axis {
        let ordered = if self.has_numbers { self.cuts.len() + 1 } else { 0 };
        Axis { ordered: super::position(ordered), special: super::position(self.special.len()) }
    }

    /// The cells left of a test's threshold.
    pub(super) fn cut(&self, test: Test) -> u32 {
        let ordered = self.shape().ordered;
        match test {
            Test::Below(threshold) if threshold > self.greatest => ordered,
            Test::Below(threshold) => super::position(self.cuts.partition_point(|cut| *cut <= threshold)),
            Test::Present => ordered,
            // Members of the set are special cells; the ordered ones hold only others.
            Test::OneOf(_) | Test::InSet(_) => 0,
        }
    }

    /// The special cells for which this holds.
    pub(super) fn special_where(&self, holds: impl Fn(Reading) -> bool) -> Vec<u32> {
        (0..).zip(&self.special).filter(|(_, (reading, _))| holds(*reading)).map(|(cell, _)| cell).collect()
    }

    /// A raw value in a cell.
    pub(super) fn raw(&self, cell: u32) -> f64 {
        let cell = cell as usize;
        let ordered = self.shape().ordered as usize;
        if cell >= ordered {
            return self.special[cell - ordered].1;
        }
        let number = self.member(cell).expect("cells without numbers are dropped");
        number.clamp(self.low, self.high)
    }

    /// A number of the input precision in an ordered cell: its least where that is natural, else one just inside.
    fn member(&self, cell: usize) -> Option<f64> {
        let first = if cell == 0 { self.least } else { self.cuts[cell - 1] };
        let end = self.cuts.get(cell).copied();
        let is_inside = |x: f64| end.map_or(x <= self.greatest, |end| x < end);
        let is_member = |x: f64| is_inside(x) && !self.is_excluded(x);
        // The end of an unbounded first cell is a better example than −10³⁰⁸.
        let before_end = end.map(|end| -self.precision.next_up(-end)).filter(|_| cell == 0 && first < -1e30);
        if let Some(before) = before_end.filter(|before| *before >= first && is_member(*before)) {
            return Some(before);
        }
        let mut number = first;
        // There are few excluded numbers; the zero band is left in one step.
        for _ in 0..=self.excluded.len() + 1 {
            if !is_inside(number) {
                return None;
            }
            if !self.is_excluded(number) {
                return Some(number);
            }
            number = match self.zero_band {
                Some(band) if number.abs() <= band => self.precision.next_up(band),
                _ => self.precision.next_up(number),
            };
        }
        None
    }

    fn is_excluded(&self, number: f64) -> bool {
        let seen = if self.zero_band.is_some_and(|band| number.abs() <= band) { 0.0 } else { number };
        self.excluded.contains(&seen)
    }

    /// A raw value of the domain that is read as this number of the input precision.
    fn raw_of(&self, number: f64) -> Option<f64> {
        (self.least <= number && number <= self.greatest).then(|| number.clamp(self.low, self.high))
    }

    /// Merges cells that hold only excluded numbers into their neighbours: no input is ever in them.
    fn drop_empty_cells(&mut self) {
        let mut cell = 0;
        while cell <= self.cuts.len() {
            if self.member(cell).is_some() {
                cell += 1;
            } else if self.cuts.is_empty() {
                self.has_numbers = false;
                return;
            } else {
                self.cuts.remove(cell.min(self.cuts.len() - 1));
            }
        }
    }
}

/// The raw value of a category.
pub(super) fn raw_category(feature: &Feature, code: u32) -> f64 {
    match &feature.kind {
        FeatureKind::Category(categories) => match &categories.encoding {
            CategoryEncoding::Exact(values) => values.get(code as usize).copied().unwrap_or(f64::NAN),
            _ => f64::from(code),
        },
        FeatureKind::Numeric => f64::from(code),
    }
}
