//! Propagation of conditions that count: columns that are not 0, units that differ.

use std::collections::BTreeMap;

use treeproof_proof::statement::condition::{Condition, Variable};

use super::{Location, Propagation};
use crate::space::cell_values::CellValues;

/// The least and the largest count.
type Counts = (u64, u64);

impl<'a> Propagation<'a> {
    /// Propagates a bound on the number of features that are present and not 0. Features on one axis are counted together:
    /// exactly one column of a group is 1.
    pub(super) fn keep_count(&mut self, columns: &[Variable], (at_least, at_most): (u64, u64)) {
        // For each axis and feature the number of times it is listed: once for each input.
        let mut axes: BTreeMap<usize, BTreeMap<usize, u64>> = BTreeMap::new();
        let mut total: Counts = (0, 0);
        for column in columns {
            match self.location_of(*column) {
                Location::Axis(axis, feature) => *axes.entry(axis).or_default().entry(feature).or_insert(0) += 1,
                Location::Anywhere(held) => total = plus(total, counted(held)),
            }
        }
        let grid = self.grid;
        let of_cell = |axis: usize, cell: u32, listed: &BTreeMap<usize, u64>| -> Option<Counts> {
            if grid.is_void(axis, cell) {
                return None;
            }
            match grid.columns(axis, cell) {
                Some(columns) => {
                    let counts = || columns.iter().map(|feature| listed.get(feature).copied().unwrap_or(0));
                    Some((counts().min()?, counts().max()?))
                }
                None => {
                    let (feature, times) = listed.first_key_value()?;
                    let (least, most) = counted(grid.cell_values(axis, cell, *feature));
                    Some((least * times, most * times))
                }
            }
        };
        let mut of_axes = vec![];
        for (axis, listed) in &axes {
            let cells = self.cells(*axis).cells().filter_map(|cell| of_cell(*axis, cell, listed));
            let Some(counts) = cells.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1))) else {
                self.is_empty = true;
                return;
            };
            total = plus(total, counts);
            of_axes.push(counts);
        }
        self.is_empty |= total.0 > at_most || total.1 < at_least;
        for ((axis, listed), counts) in axes.iter().zip(of_axes) {
            let rest = (total.0 - counts.0, total.1 - counts.1);
            self.keep(*axis, |cell| {
                let own = of_cell(*axis, cell, listed);
                own.is_some_and(|own| rest.0 + own.0 <= at_most && rest.1 + own.1 >= at_least)
            });
        }
    }

    /// Propagates a bound on the number of units that differ from the reference.
    pub(super) fn keep_changed(&mut self, units: &[Vec<u32>], (at_least, at_most): (u64, u64)) {
        let mut open: Vec<Vec<u32>> = vec![];
        let (mut certain, mut possible) = (0, 0);
        for unit in units {
            let mut may_be_same = true;
            let mut may_differ = vec![];
            for feature in unit {
                let mut same = self.clone();
                same.keep_same(*feature, false);
                may_be_same &= !same.is_empty;
                let mut other = self.clone();
                other.keep_same(*feature, true);
                may_differ.extend((!other.is_empty).then_some(*feature));
            }
            certain += u64::from(!may_be_same);
            possible += u64::from(!may_differ.is_empty());
            self.is_empty |= !may_be_same && may_differ.is_empty();
            if may_be_same && !may_differ.is_empty() {
                open.push(may_differ);
            }
        }
        self.is_empty |= certain > at_most || possible < at_least;
        for may_differ in open {
            let one = |feature: &u32, negated: bool| Condition::Same { feature: *feature, negated };
            if certain == at_most {
                may_differ.iter().for_each(|feature| self.apply(&one(feature, false)));
            }
            if possible == at_least {
                self.apply(&Condition::Any(may_differ.iter().map(|feature| one(feature, true)).collect()));
            }
        }
    }
}

fn plus(one: Counts, other: Counts) -> Counts {
    (one.0 + other.0, one.1 + other.1)
}

/// 1 or 0 for a value that surely counts, and for one that may count.
fn counted(held: &CellValues) -> Counts {
    // The raw values of categories are unknown.
    let has_categories = !held.codes.is_empty() || held.unknown;
    let may_be_0 = held.may_be_missing() || held.present().any(|range| range.0 <= 0.0 && range.1 >= 0.0);
    let may_count = held.present().any(|range| range.0 != 0.0 || range.1 != 0.0);
    (u64::from(!may_be_0 && !has_categories), u64::from(may_count || has_categories))
}
