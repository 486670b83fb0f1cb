//! Pruning of cells, closing and branching of the current region.

use treeproof_proof::record::{CutPlace, Reason};

use super::current::{CurrentRegion, Effect};
use super::{EMPTY, MISSED};
use crate::region::{CellSet, Region};

impl CurrentRegion<'_> {
    /// Prunes some cells of an axis and returns a bound on them.
    pub(super) fn prune(&mut self, axis: u32, removed: &CellSet, reason: Reason) -> Result<i64, &'static str> {
        if self.region.is_empty() {
            return Ok(EMPTY);
        }
        let worth = match reason {
            Reason::Channel(channel, by_leaves) => {
                let evaluation = self.evaluation(channel)?;
                let ledgers = &self.problem.ledgers;
                if by_leaves {
                    let cells = evaluation.by_leaves(ledgers, axis, removed);
                    cells.map(|(lost, plain)| self.worth(channel, evaluation, lost, plain)).max().unwrap_or(EMPTY)
                } else {
                    // The least loss leaves the largest value.
                    self.worth(channel, evaluation, evaluation.total_in(ledgers, axis, removed), evaluation.plain)
                }
            }
            Reason::Cost(number) => {
                let ledger = self.problem.ledger(number)?;
                let own = ledger.least_of(axis as usize, removed);
                let cost = if ledger.is_largest {
                    own
                } else {
                    let at_axis = ledger.least_of(axis as usize, &self.region.axes[axis as usize]);
                    ledger.least(&self.region).saturating_sub(at_axis).saturating_add(own)
                };
                self.too_dear(number, cost)?
            }
            Reason::Constraint(_) => {
                let part = self.region.with(axis as usize, removed.clone());
                let one = |cell: u32| self.void(&self.region.with(axis as usize, removed.one(cell)));
                let by_cells = || removed.cells().try_fold(EMPTY, |most, cell| Some(most.max(one(cell)?)));
                self.void(&part).or_else(by_cells).ok_or("no condition excludes what is removed")?
            }
            Reason::Known | Reason::Point | Reason::Listed(_) => return Err("cells are removed without a reason"),
        };
        self.measure();
        Ok(worth.min(self.bound))
    }

    /// The value of a box without inputs, or that misses the goal; `None` if some input may count.
    fn void(&self, region: &Region) -> Option<i64> {
        match () {
            () if self.excludes.excludes(region, self.refutation.as_ref()) => Some(EMPTY),
            () if self.excludes.misses(region, self.case) => Some(MISSED),
            () => None,
        }
    }

    /// The bound on points of at least this cost.
    fn too_dear(&self, ledger: u32, cost: i64) -> Result<i64, &'static str> {
        match self.problem.ledger(ledger)?.limit {
            _ if self.problem.is_distance(ledger) => Ok(-cost),
            Some(limit) if cost > limit => Ok(EMPTY),
            _ => Err("it does not cost too much"),
        }
    }

    /// Lowers the bound by the distance of the nearest cells.
    pub(super) fn measure(&mut self) {
        if let Some(distance) = self.problem.ledgers.last().filter(|_| self.problem.is_nearest) {
            self.bound = self.bound.min(-distance.least(&self.region));
        }
    }

    /// Prunes all of the region and returns a bound on it.
    pub(super) fn close(&mut self, reason: Reason) -> Result<i64, &'static str> {
        if self.region.is_empty() {
            return Ok(EMPTY);
        }
        self.measure();
        let worth = match reason {
            Reason::Known => self.bound,
            Reason::Cost(number) => {
                let least = self.problem.ledger(number)?.least(&self.region);
                self.too_dear(number, least)?
            }
            // Where only the library could tell, and does not, a point keeps its bound.
            Reason::Point => self.void(&self.region).unwrap_or(self.bound),
            Reason::Constraint(_) => self.void(&self.region).ok_or("no condition excludes what is closed")?,
            Reason::Listed(number) => {
                let listed = self.problem.listed.get(number as usize).ok_or("there is no such region in the list")?;
                if !listed.contains(&self.region) {
                    return Err("it is not in the region that the list has");
                }
                EMPTY
            }
            Reason::Channel(..) => return Err("no condition excludes what is closed"),
        };
        Ok(worth.min(self.bound))
    }

    /// Cuts the region. Parts that do not stay open are pruned.
    pub(super) fn cut(
        &mut self,
        axis: u32,
        place: &CutPlace,
        is_open: [bool; 2],
        channel: Option<(u32, bool)>,
    ) -> Result<Effect, &'static str> {
        let sides = cut(self.region.axes.get(axis as usize).ok_or("there is no such axis")?, place);
        self.measure();
        let evaluation = match channel {
            Some((channel, by_leaves)) => Some((channel, self.evaluation(channel)?, by_leaves)),
            None => None,
        };
        let mut effect = Effect { pruned: EMPTY, parts: vec![] };
        for (number, side) in sides.into_iter().enumerate() {
            let mut bound = self.bound;
            if let Some((channel, evaluation, by_leaves)) = evaluation {
                let plain = evaluation.parts.filter(|_| by_leaves).map_or(evaluation.plain, |parts| parts[number]);
                let lost = evaluation.total_in(&self.problem.ledgers, axis, &side);
                bound = bound.min(self.worth(channel, evaluation, lost, plain));
            }
            if is_open[number] {
                effect.parts.push(self.part(bound, axis, side));
            } else if !side.is_empty() && !self.region.is_empty() {
                effect.pruned = effect.pruned.max(bound);
            }
        }
        Ok(effect)
    }
}

/// The two parts of a cut.
pub(crate) fn cut(cells: &CellSet, place: &CutPlace) -> [CellSet; 2] {
    let (mut first, mut second) = (cells.clone(), cells.clone());
    match place {
        CutPlace::Below(cell) => {
            first.keep_ordered(0, *cell);
            second.keep_ordered(*cell, u32::MAX);
            second.special.fill(0);
        }
        CutPlace::Ordered => {
            first.special.fill(0);
            second.keep_ordered(0, 0);
        }
        CutPlace::Special(cell) => {
            let cell = cells.num_ordered().saturating_add(*cell);
            first = if cells.has(cell) { cells.one(cell) } else { cells.none() };
            second.special.iter_mut().zip(&first.special).for_each(|(own, one)| *own &= !one);
        }
        CutPlace::Set(cell, special) => {
            first.keep_ordered(0, *cell);
            second.keep_ordered(*cell, u32::MAX);
            first.special.iter_mut().zip(special).for_each(|(own, some)| *own &= some);
            second.special.iter_mut().zip(special).for_each(|(own, some)| *own &= !some);
        }
    }
    [first, second]
}
