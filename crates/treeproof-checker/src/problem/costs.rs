//! Ledgers of cells: by a condition that counts features, or by a distance. Costs are rounded down.

use std::collections::BTreeSet;

use treeproof_ensemble::exact::Exact;
use treeproof_proof::statement::Tie;
use treeproof_proof::statement::condition::Condition;
use treeproof_proof::statement::distance::{Distance, Norm};

use super::{Distances, MOST, ProblemBuilder};
use crate::distance::CellCosts;
use crate::error::{Refused, ensure};
use crate::ledger::Ledger;
use crate::space::cell_values::CellValues;

/// A function that says whether a unit surely counts, and whether it may, by the values of its features.
type Counting<'f> = dyn Fn(&dyn Fn(usize) -> CellValues) -> (bool, bool) + 'f;

impl ProblemBuilder<'_> {
    /// The ledger of a condition that counts features.
    pub(super) fn count(&self, condition: u32, is_at_most: bool) -> Result<Ledger, Refused> {
        let refused = || Refused::because("costs are counted by a condition that counts nothing");
        let conditions = &self.grid.space.statement.conditions;
        let condition = conditions.get(condition as usize).ok_or_else(refused)?;
        let everything = self.grid.everything();
        let mut costs: Vec<Vec<i64>> =
            everything.axes.iter().map(|cells| vec![0; cells.num_cells() as usize]).collect();
        // Selectors cost nothing by themselves.
        costs.resize(self.everything.num_axes(), vec![]);
        let mut fixed = 0;
        // Adds a unit: its input, its features, and the function that counts it.
        let mut add = |input: usize, features: &[u32], counts: &Counting<'_>| {
            let axes: BTreeSet<Option<usize>> =
                features.iter().map(|of| self.grid.axis_of(input, *of as usize)).collect();
            let of = |(surely, maybe): (bool, bool)| i64::from(if is_at_most { surely } else { maybe });
            match (axes.len(), axes.first().copied().flatten()) {
                (1, Some(axis)) => {
                    for cell in 0..everything.axis(axis).num_cells() {
                        costs[axis][cell as usize] +=
                            of(counts(&|feature| self.grid.cell_values(axis, cell, feature).clone()));
                    }
                }
                (1, None) => fixed += of(counts(&|feature| self.grid.free(input, feature).clone())),
                // A unit on several axes is not counted, or counts in any case.
                _ => fixed += i64::from(!is_at_most),
            }
        };
        let (at_least, at_most) = match condition {
            Condition::Count { columns, at_least, at_most } => {
                for column in columns {
                    let feature = column.feature as usize;
                    add(column.input as usize, &[column.feature], &|held| {
                        let held = held(feature);
                        let has_zero = held.present().any(|range| range.0 <= 0.0 && 0.0 <= range.1);
                        let has_other = held.present().any(|range| range != (0.0, 0.0));
                        let has_category = !held.codes.is_empty() || held.unknown;
                        (!has_zero && !has_category && !held.may_be_missing() && has_other, has_other || has_category)
                    });
                }
                (*at_least, *at_most)
            }
            Condition::Changed { units, at_least, at_most } => {
                let statement = self.grid.space.statement;
                let input = statement.inputs.len() - 1;
                let may_change = |feature: &&u32| statement.ties.get(**feature as usize) != Some(&Tie::Same);
                for unit in units {
                    let own: Vec<(usize, Vec<CellValues>)> = unit
                        .iter()
                        .filter(may_change)
                        .map(|feature| Some((*feature as usize, self.compared_with(*feature as usize)?)))
                        .collect::<Option<_>>()
                        .ok_or_else(|| Refused::because("changes are counted without a reference"))?;
                    let is_excluded = own.iter().any(|(feature, own)| self.is_excluded(input, *feature, own));
                    add(input, unit, &|held| {
                        let differs = |(feature, own): &(usize, Vec<CellValues>)| {
                            let held = held(*feature);
                            !own.iter().any(|own| held.may_be(own))
                        };
                        let may_differ = |(feature, own): &(usize, Vec<CellValues>)| {
                            let held = held(*feature);
                            own.iter().any(|own| held.may_differ_from(own))
                        };
                        (is_excluded || own.iter().any(differs), own.iter().any(may_differ))
                    });
                }
                (*at_least, *at_most)
            }
            _ => return Err(refused()),
        };
        let small = |number: u64| i64::try_from(number).unwrap_or(MOST).min(MOST);
        if is_at_most {
            return Ok(Ledger { costs, fixed, limit: Some(small(at_most)), is_largest: false });
        }
        // For a lower limit, a unit that does not count costs, and the budget is the rest.
        let mut most = fixed;
        for cells in &mut costs {
            let own = cells.iter().copied().max().unwrap_or(0);
            cells.iter_mut().for_each(|cost| *cost = own - *cost);
            most += own;
        }
        Ok(Ledger { costs, fixed: 0, limit: Some((most - small(at_least)).max(-1)), is_largest: false })
    }

    /// The values of a feature in the reference, or in the first of two inputs.
    fn compared_with(&self, feature: usize) -> Option<Vec<CellValues>> {
        let space = self.grid.space;
        if space.statement.inputs.len() == 1 {
            return Some(vec![space.reference(feature)?.clone()]);
        }
        Some(match self.grid.axis_of(0, feature) {
            Some(axis) => {
                (0..self.grid.num_cells(axis)).map(|cell| self.grid.cell_values(axis, cell, feature).clone()).collect()
            }
            None => vec![self.grid.free(0, feature).clone()],
        })
    }

    /// True if a feature of an input cannot be the one number that it is compared with: numbers between multiples are no
    /// values, though they are between the ends of a cell.
    fn is_excluded(&self, input: usize, feature: usize, compared: &[CellValues]) -> bool {
        let values = self.grid.space.values(&[input as u32], feature);
        let has = |number: f64| {
            values.numbers.contains(number) || values.partly.iter().any(|partly| partly.numbers.contains(number))
        };
        let [compared] = compared else { return false };
        compared.ends().is_some_and(|(low, high)| low == high && !compared.may_be_missing() && !has(low))
    }

    /// The ledger of a bounded distance.
    pub(super) fn within(&self, place: u32, exponent: i64) -> Result<Ledger, Refused> {
        let within = self.grid.space.statement.within.get(place as usize);
        let within = within.ok_or_else(|| Refused::because("costs are counted by a distance that is not bounded"))?;
        let limit = within.limit();
        let (mut ledger, distances) = self.costs(&within.distance, exponent, BeyondLimit::Excluded(&limit))?;
        match distances {
            Distances::Places(places) => {
                // A cell counts only if it is too far away.
                let most = places.partition_point(|place| *place <= limit) as i64 - 1;
                ledger.costs.iter_mut().flatten().for_each(|cost| *cost = i64::from(*cost > most));
                (ledger.limit, ledger.is_largest) = (Some(if most < 0 { -1 } else { 0 }), false);
            }
            Distances::Multiples { unit, always } => {
                let most = limit.minus(&always).divided_by(&unit).floor();
                ledger.limit = Some(if most < Exact::zero() { -1 } else { most.ceil_i64().unwrap_or(MOST).min(MOST) });
            }
        }
        Ok(ledger)
    }

    pub(super) fn distance(&self, exponent: i64) -> Result<(Ledger, Distances), Refused> {
        let near = self.grid.space.statement.near.as_ref().ok_or_else(|| Refused::because("no distance is stated"))?;
        let radius = near.limit();
        let beyond = match (&radius, self.exclusions.most()) {
            (Some(radius), _) => BeyondLimit::Excluded(radius),
            (None, Some(most)) => BeyondLimit::Irrelevant(most),
            (None, None) => BeyondLimit::Nothing,
        };
        self.costs(near, exponent, beyond)
    }

    /// The ledger of a distance, and the meaning of its numbers.
    fn costs(&self, near: &Distance, exponent: i64, beyond: BeyondLimit<'_>) -> Result<(Ledger, Distances), Refused> {
        let costs = CellCosts::new(near, self.grid)?;
        let free: Option<Vec<Exact>> = costs.free.iter().cloned().collect();
        let always = near.total(free.ok_or_else(|| Refused::because("a feature without an axis cannot be reached"))?);
        ensure(exponent.unsigned_abs() < 5000, || "a unit of distances that is none".to_owned())?;
        let floor = |cost: &Exact| cost.times(&Exact::power_of_two(-exponent)).floor().ceil_i64();
        let unreachable = MOST / (costs.cells.len() as i64 + 1);
        let ledger = |of: &dyn Fn(&Exact) -> i64, unreachable: i64, is_largest: bool| Ledger {
            costs: costs
                .cells
                .iter()
                .map(|cells| cells.iter().map(|cost| cost.as_ref().map_or(unreachable, of)).collect())
                .collect(),
            fixed: 0,
            limit: None,
            is_largest,
        };
        if near.norm == Norm::Linf {
            let mut places: Vec<Exact> =
                costs.cells.iter().flatten().flatten().map(|cost| cost.max(&always).clone()).collect();
            places.push(always);
            places.sort_unstable();
            places.dedup();
            let place = |cost: &Exact| places.partition_point(|place| place <= cost).saturating_sub(1) as i64;
            let ledger = ledger(&place, unreachable, true);
            return Ok((ledger, Distances::Places(places)));
        }
        // The least number of a larger cost.
        let more = |cost: &Exact| floor(&cost.minus(&always)).map_or(MOST, |number| number.clamp(0, MOST - 1) + 1);
        let plain = |cost: &Exact| floor(cost).unwrap_or(MOST).clamp(0, MOST);
        let multiples = |cost: &Exact| match beyond {
            BeyondLimit::Excluded(limit) if cost > limit => more(limit),
            BeyondLimit::Irrelevant(limit) if cost >= limit => plain(cost).max(more(limit)),
            _ => plain(cost),
        };
        let unreachable = if let BeyondLimit::Excluded(limit) = beyond { more(limit) } else { unreachable };
        let mut ledger = ledger(&multiples, unreachable, false);
        // Sums of costs fit into 64 bits.
        let most = most_of_each(ledger.costs.iter().filter_map(|costs| costs.iter().max().copied()), MOST);
        ledger.costs.iter_mut().flatten().for_each(|cost| *cost = most.min(*cost));
        Ok((ledger, Distances::Multiples { unit: Exact::power_of_two(exponent), always }))
    }
}

/// The largest cap under which capped numbers come to at most a sum.
fn most_of_each(numbers: impl Iterator<Item = i64>, sum: i64) -> i64 {
    let mut numbers: Vec<i64> = numbers.collect();
    numbers.sort_unstable();
    let mut left = sum;
    for (place, number) in numbers.iter().enumerate() {
        let each = left / (numbers.len() - place) as i64;
        if *number > each {
            return each;
        }
        left -= number;
    }
    sum
}

/// The costs of cells that are beyond a limit by themselves.
#[derive(Clone, Copy)]
enum BeyondLimit<'a> {
    /// No limit.
    Nothing,
    /// No input has such cells: they cost just more than the limit.
    Excluded(&'a Exact),
    /// Inputs with such cells, or just at the limit, are not nearer than is claimed: they cost at least just more than it.
    Irrelevant(&'a Exact),
}
