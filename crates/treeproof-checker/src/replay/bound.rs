//! Bounds of the current region by a channel: by shares of losses with prices, or by tolls.

use treeproof_proof::record::{Note, Price, Reason, Share};

use super::current::{ChannelState, CurrentRegion};
use super::{EMPTY, MISSED};
use crate::ledger::{Ledger, price};
use crate::replay::evaluate::{ChannelEvaluation, EvaluationRequest, ONE};

impl<'a> CurrentRegion<'a> {
    /// The evaluation of a channel.
    pub(super) fn evaluation(&self, channel: u32) -> Result<&ChannelEvaluation, &'static str> {
        let state = self.states.get(channel as usize).filter(|state| state.is_evaluated);
        state.map(|state| &state.evaluation).ok_or("the channel was not evaluated")
    }

    /// The ledger of a price.
    fn priced(&self, price: Price) -> Result<&'a Ledger, &'static str> {
        let (problem, ledger) = (self.problem, self.problem.ledger(price.ledger)?);
        match () {
            () if ledger.is_largest => Err("a price for the largest cost means nothing"),
            () if problem.is_nearest != problem.is_distance(price.ledger) => {
                Err("a price of other costs than those asked about")
            }
            () => Ok(ledger),
        }
    }

    /// The ledger of the distance, if it is the largest cost.
    fn largest_cost(&self) -> Result<&'a Ledger, &'static str> {
        let ledger = self.problem.ledgers.last().filter(|ledger| self.problem.is_nearest && ledger.is_largest);
        ledger.ok_or("the largest cost is not what is asked for")
    }

    /// Evaluates a channel by shares.
    pub(super) fn evaluate(
        &mut self,
        number: u32,
        shares: &[Share],
        price: Option<Price>,
        widened: Option<i64>,
        later: &[Note],
    ) -> Result<(), &'static str> {
        let problem = self.problem;
        let channel = problem.channel(self.case, number)?;
        check_shares(shares, channel.bundles.len(), problem.everything.axes.len(), |share| share.tree)?;
        let price = match price {
            Some(price) => Some((price, self.priced(price)?)),
            None => None,
        };
        let wanted = wanted(number, later, problem.everything.axes.len());
        let ChannelState { reached, evaluation, is_evaluated } = &mut self.states[number as usize];
        channel.evaluate(&self.region, reached, shares, price, &wanted, evaluation);
        *is_evaluated = true;
        let mut bound = self.bound;
        let evaluation = &self.states[number as usize].evaluation;
        if let Some(least) = widened {
            let ledger = self.largest_cost()?;
            let within = evaluation.total_within(&self.region, ledger, least - 1);
            // Points that cannot be within reach cost more.
            if within.is_none_or(|lost| lost > evaluation.plain * ONE) {
                bound = bound.min(-least);
            }
        }
        self.bound = bound.min(self.worth(number, evaluation, evaluation.total, evaluation.plain));
        Ok(())
    }

    /// An upper bound on points by their loss from the plain bound, in units of 2⁻¹⁶, and by their own plain bound.
    pub(super) fn worth(&self, channel: u32, evaluation: &ChannelEvaluation, lost: i128, plain: i128) -> i64 {
        let least = self.problem.cases[self.case][channel as usize].least();
        let left = |lost: i128| match (evaluation.plain - div_ceil(lost, ONE)).min(plain) {
            left if left < least => EMPTY,
            left => saturate(left),
        };
        match (&evaluation.price, self.problem.is_nearest) {
            (None, false) => left(lost.max(0)),
            (Some(priced), false) => {
                let limit = self.problem.ledgers[priced.price.ledger as usize].limit;
                let room = limit.map(|limit| i128::from(limit) - i128::from(priced.least));
                match room.and_then(|room| price::ceil(priced.price, room.max(0))) {
                    Some(room) => left((lost - room).max(0)),
                    None => saturate(plain),
                }
            }
            (_, true) if plain < 0 => MISSED,
            (None, true) => {
                if lost > evaluation.plain * ONE {
                    MISSED
                } else {
                    i64::MAX
                }
            }
            (Some(priced), true) => {
                let over = lost - evaluation.plain * ONE;
                let more = if over > 0 { price::least_cost(priced.price, over) } else { Some(0) };
                more.map_or(MISSED, |more| saturate(-i128::from(priced.least) - more))
            }
        }
    }

    /// Evaluates a channel by tolls.
    pub(super) fn evaluate_tolls(&mut self, number: u32, shares: &[Share], price: Price) -> Result<(), &'static str> {
        let problem = self.problem;
        let channel = problem.channel(self.case, number)?;
        check_shares(shares, channel.bundles.len(), problem.everything.axes.len(), |share| share.axis)?;
        let ledger = self.priced(price)?;
        let ChannelState { reached, evaluation, .. } = &mut self.states[number as usize];
        let value = channel.evaluate_tolls(&self.region, reached, shares, price, ledger, &mut evaluation.search);
        let least = i128::from(ledger.least(&self.region));
        let worth = if problem.is_nearest {
            // Points that reach the goal pay for the missing rest.
            let more =
                if value < 0 { price::least_cost(price, -value).map(|tolls| div_ceil(tolls, ONE)) } else { Some(0) };
            more.map_or(MISSED, |more| saturate(-least - more))
        } else {
            let room = ledger.limit.map(|limit| (i128::from(limit) - least).max(0) * ONE);
            room.and_then(|room| price::ceil(price, room)).map_or(i64::MAX, |room| saturate(value + room))
        };
        self.bound = self.bound.min(worth);
        Ok(())
    }
}

/// The details that later notes need of an evaluation, up to the next one of the channel.
fn wanted(channel: u32, later: &[Note], num_axes: usize) -> EvaluationRequest {
    let mut wanted = EvaluationRequest::default();
    for note in later {
        match note {
            Note::Weighed { channel: other, .. } if *other == channel => break,
            Note::Kept { axis, reason: Reason::Channel(of, true), .. }
                if *of == channel && !wanted.by_leaves.contains(axis) =>
            {
                wanted.by_leaves.push(*axis);
            }
            Note::Cut { axis, place, channel: Some((of, true)), .. }
                if *of == channel && (*axis as usize) < num_axes =>
            {
                wanted.cut = Some((*axis, place.clone()));
            }
            _ => {}
        }
    }
    wanted
}

/// Checks that shares are in the order of trees, of known trees and axes, and that those of one owner sum to at most one.
fn check_shares(
    shares: &[Share],
    num_trees: usize,
    num_axes: usize,
    owner: impl Fn(&Share) -> u32,
) -> Result<(), &'static str> {
    let mut sums: Vec<u64> = vec![0; num_trees.max(num_axes)];
    let mut last = 0;
    for share in shares {
        if share.tree as usize >= num_trees || share.axis as usize >= num_axes || share.tree < last {
            return Err("shares of an unknown tree or axis");
        }
        last = share.tree;
        let sum = &mut sums[owner(share) as usize];
        *sum += u64::from(share.units);
        if *sum > ONE as u64 {
            return Err("shares that sum to more than one");
        }
    }
    Ok(())
}

fn div_ceil(number: i128, by: i128) -> i128 {
    -(-number).div_euclid(by)
}

fn saturate(number: i128) -> i64 {
    i64::try_from(number).unwrap_or(if number < 0 { i64::MIN } else { i64::MAX }).max(MISSED + 1)
}
