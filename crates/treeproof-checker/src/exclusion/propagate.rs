//! Propagation of conditions over a box of cells. A cell is removed only if no input of the box with a value there meets the
//! condition; so a box without cells holds no input that does.

mod count;

use std::cmp::Ordering;
use std::collections::BTreeMap;

use treeproof_ensemble::exact::Exact;
use treeproof_proof::statement::condition::{Condition, Direction, Domain, LinearTerm, Relation, Variable};

use crate::linear::{LinearForm, may_hold, plus};
use crate::numbers::{Numbers, is_multiple, past_multiple};
use crate::region::{CellSet, Region};
use crate::space::cell_values::CellValues;
use crate::space::grid::Grid;

/// Limit on the numbers of a cell that are tried for one that is no multiple.
const MOST_PASSED: usize = 64;

/// Assumptions about the inputs of a box beside their cells.
#[derive(Clone, Debug, Default)]
pub(crate) struct Assumptions {
    /// Values of some features, each of which has one cell of its axis, or no axis.
    pub(crate) values: BTreeMap<Variable, CellValues>,
    /// Orders of some numbers of the second input relative to the first.
    pub(crate) orders: BTreeMap<u32, Ordering>,
}

/// The remaining cells of a box. Only narrowed axes are copied.
#[derive(Clone)]
pub(crate) struct Propagation<'a> {
    grid: &'a Grid<'a>,
    region: &'a Region,
    assumed: &'a Assumptions,
    own: BTreeMap<usize, CellSet>,
    pub(crate) is_empty: bool,
}

/// The location of a feature's values.
#[derive(Clone, Copy)]
enum Location<'a> {
    /// On an axis, of a feature.
    Axis(usize, usize),
    /// These values, whatever the cells are.
    Anywhere(&'a CellValues),
}

impl<'a> Propagation<'a> {
    pub(crate) fn new(grid: &'a Grid<'a>, region: &'a Region, assumed: &'a Assumptions) -> Self {
        let is_empty = region.is_empty() || assumed.values.values().any(CellValues::is_empty);
        Self { grid, region, assumed, own: BTreeMap::new(), is_empty }
    }

    /// The narrowed axes, by which progress is seen.
    pub(crate) fn removed(&self) -> BTreeMap<usize, CellSet> {
        self.own.clone()
    }

    fn cells(&self, axis: usize) -> &CellSet {
        self.own.get(&axis).unwrap_or_else(|| self.region.axis(axis))
    }

    fn keep(&mut self, axis: usize, is_kept: impl Fn(u32) -> bool) {
        let mut cells = self.cells(axis).clone();
        cells.keep(is_kept);
        self.is_empty |= cells.is_empty();
        if !cells.is_same(self.cells(axis)) {
            self.own.insert(axis, cells);
        }
    }

    fn location(&self, input: usize, feature: usize) -> Location<'a> {
        match (self.assumed.values.get(&self.grid.variable(input, feature)), self.grid.axis_of(input, feature)) {
            (Some(assumed), _) => Location::Anywhere(assumed),
            (None, Some(axis)) => Location::Axis(axis, feature),
            (None, None) => Location::Anywhere(self.grid.free(input, feature)),
        }
    }

    fn location_of(&self, variable: Variable) -> Location<'a> {
        self.location(variable.input as usize, variable.feature as usize)
    }

    /// The locations of a feature in the reference and in the other input.
    fn pair(&self, feature: u32) -> Option<[Location<'a>; 2]> {
        let feature = feature as usize;
        match self.grid.space.statement.inputs.len() {
            1 => Some([Location::Anywhere(self.grid.space.reference(feature)?), self.location(0, feature)]),
            _ => Some([self.location(0, feature), self.location(1, feature)]),
        }
    }

    /// True if two inputs share the value of a feature.
    fn is_shared(&self, feature: u32) -> bool {
        let second = self.grid.space.statement.inputs.len() - 1;
        second == 1 && self.grid.variable(second, feature as usize).input == 0
    }

    /// True if a predicate holds for some cell of a location.
    fn any(&self, location: Location<'a>, is_so: impl Fn(&CellValues) -> bool) -> bool {
        match location {
            Location::Axis(axis, feature) => {
                self.cells(axis).cells().any(|cell| is_so(self.grid.cell_values(axis, cell, feature)))
            }
            Location::Anywhere(held) => is_so(held),
        }
    }

    /// Removes the cells of a location for which a predicate does not hold.
    fn keep_where(&mut self, location: Location<'a>, is_kept: impl Fn(&CellValues) -> bool) {
        match location {
            Location::Axis(axis, feature) => {
                let grid = self.grid;
                self.keep(axis, |cell| is_kept(grid.cell_values(axis, cell, feature)));
            }
            Location::Anywhere(held) => self.is_empty |= !is_kept(held),
        }
    }

    /// Removes the cells of two locations that have no partner in the other.
    fn keep_pairs(&mut self, [first, second]: [Location<'a>; 2], is_pair: impl Fn(&CellValues, &CellValues) -> bool) {
        let before = self.clone();
        self.keep_where(first, |held| before.any(second, |other| is_pair(held, other)));
        let before = self.clone();
        self.keep_where(second, |held| before.any(first, |other| is_pair(other, held)));
    }

    /// Removes the cells that do not meet a condition.
    pub(crate) fn apply(&mut self, condition: &Condition) {
        if self.is_empty {
            return;
        }
        match condition {
            Condition::All(parts) => parts.iter().for_each(|part| self.apply(part)),
            Condition::Any(parts) => self.apply_any(parts),
            Condition::Values(variable, domain) => self.keep_values(self.location_of(*variable), domain),
            Condition::Multiple { variable, step, negated } => self.keep_multiples(*variable, step, *negated),
            Condition::Linear { terms, relation, constant } => self.keep_sum(terms, *relation, constant),
            Condition::Count { columns, at_least, at_most } => self.keep_count(columns, (*at_least, *at_most)),
            Condition::Same { feature, negated } => self.keep_same(*feature, *negated),
            Condition::Moved { feature, direction } => self.keep_moved(*feature, *direction),
            Condition::Changed { units, at_least, at_most } => self.keep_changed(units, (*at_least, *at_most)),
        }
    }

    /// Keeps the cells that some alternative leaves.
    fn apply_any(&mut self, parts: &[Condition]) {
        let left = parts.iter().map(|part| {
            let mut left = self.clone();
            left.apply(part);
            left
        });
        let left: Vec<Self> = left.filter(|left| !left.is_empty).collect();
        let Some(first) = left.first() else {
            self.is_empty = true;
            return;
        };
        for axis in first.own.keys().copied() {
            let joined =
                left.iter().skip(1).fold(first.cells(axis).clone(), |all, other| all.joined(other.cells(axis)));
            if !joined.is_same(self.cells(axis)) {
                self.own.insert(axis, joined);
            }
        }
    }

    fn keep_values(&mut self, location: Location<'a>, domain: &Domain) {
        let numbers = Numbers::of(domain);
        let (mut known, has_unknown, has_missing) = match domain {
            Domain::Numbers { missing, .. } => (vec![], false, *missing),
            Domain::Categories { codes, unknown, missing } => (codes.clone(), *unknown, *missing),
        };
        known.sort_unstable();
        self.keep_where(location, |held| {
            (has_missing && held.may_be_missing())
                || (has_unknown && held.unknown)
                || held.codes.iter().any(|code| known.binary_search(code).is_ok())
                || held.present().any(|range| !numbers.misses(range))
        });
    }

    fn keep_multiples(&mut self, variable: Variable, step: &Exact, negated: bool) {
        let (location, own) = (self.location_of(variable), self.grid.multiples(variable));
        let multiples = own.common(&Numbers::new([(-f64::MAX, f64::MAX)], vec![step.clone()]));
        let may_be_other = |(low, high): (f64, f64)| {
            let mut number = low;
            for _ in 0..MOST_PASSED {
                match own.at_or_above(number).filter(|next| *next <= high) {
                    None => return false,
                    Some(next) if !is_multiple(next, step) => return true,
                    Some(f64::INFINITY) => return false,
                    Some(next) => number = past_multiple(next, step),
                }
            }
            true
        };
        let has_others = !own.are_multiples_of(step);
        self.keep_where(location, |held| match negated {
            true => has_others && held.present().any(may_be_other),
            false => held.present().any(|range| !multiples.misses(range)),
        });
    }

    fn keep_sum(&mut self, terms: &[LinearTerm], relation: Relation, constant: &Exact) {
        let sum = LinearForm::new(self.grid, terms.iter().map(|term| (term.coefficient.clone(), &term.variable)));
        let Some(mut total) = sum.ends(|axis| self.cells(axis), |_| None) else {
            self.is_empty = true;
            return;
        };
        self.is_empty |= !may_hold(relation, &total, constant);
        for axis in sum.axes() {
            let Some(own) = sum.of_cells(axis, self.cells(axis)).filter(|_| !self.is_empty) else { return };
            // The sum of all other axes.
            let rest = (total.0.minus(&own.0), total.1.minus(&own.1));
            self.keep(axis, |cell| {
                sum.of_cell(axis, cell).is_some_and(|own| may_hold(relation, &plus(&rest, &own), constant))
            });
            let Some(left) = sum.of_cells(axis, self.cells(axis)) else { return };
            total = plus(&rest, &left);
        }
    }

    fn keep_same(&mut self, feature: u32, negated: bool) {
        let order = self.assumed.orders.get(&feature);
        self.is_empty |= order.is_some_and(|order| (*order == Ordering::Equal) == negated);
        match self.pair(feature) {
            None => self.is_empty = true,
            Some(_) if self.is_shared(feature) => self.is_empty |= negated,
            Some(pair) if negated => self.keep_pairs(pair, CellValues::may_differ_from),
            Some(pair) => self.keep_pairs(pair, CellValues::may_be),
        }
    }

    fn keep_moved(&mut self, feature: u32, direction: Direction) {
        let wanted = direction.orders();
        self.is_empty |= self.assumed.orders.get(&feature).is_some_and(|order| !wanted.contains(order));
        match self.pair(feature) {
            None => self.is_empty = true,
            Some(_) if self.is_shared(feature) => self.is_empty |= !wanted.contains(&Ordering::Equal),
            Some(pair) => self.keep_pairs(pair, |before, after| after.may_lie(wanted, before)),
        }
    }

    /// Propagates that the second input is not below the first; a value missing to all readers goes only with another such
    /// value.
    pub(crate) fn keep_in_order(&mut self, feature: usize) {
        self.keep_pairs([self.location(0, feature), self.location(1, feature)], CellValues::may_be_in_order);
    }
}
