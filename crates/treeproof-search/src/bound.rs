//! The bound of a channel over a region, and how much it falls in either part of every cut.
//!
//! The plain bound is the sum of the best reachable leaves. A tree whose best leaf is cut off loses the difference to the
//! best leaf that remains; adding these losses over trees gives, for every cut of every axis, the exact fall of the
//! plain bound on both sides. The share bound spreads each tree's loss over the axes of its best leaf's path, with weights
//! that sum to at most one, so that axes become independent: whatever cell a point takes, it loses at least the cheapest one.
//!
//! | file | content |
//! |---|---|
//! | `losses` | losses of every tree along the axes of its best leaf's path |
//! | `masked`, `walked` | their computation by bit masks, or by walks through flat trees |
//! | `falls` | their sums over trees, per axis and segment of cells |
//! | `shares` | the share bound |
//! | `prices` | its gain from costs: budgets, distances |
//! | `tolls` | the toll bound: costs divided among the leaves that need them |
//! | `knapsack` | the relaxation behind both |
//! | `tighten`, `branch`, `candidate` | its use: cells to remove, the cut to make, a point to try |
//! | `incumbent` | the value to beat, and the rule by which a bound prunes |
//! | `record` | the record of an evaluation for a journal |

mod branch;
mod candidate;
mod falls;
mod incumbent;
mod knapsack;
mod losses;
mod masked;
mod prices;
mod record;
mod shares;
mod tighten;
mod tolls;
mod walked;

use self::falls::Falls;
pub(crate) use self::incumbent::{Incumbent, Pruned};
use self::losses::Losses;
use self::prices::Prices;
use self::shares::Shares;
use self::tolls::Tolls;
use self::walked::Walked;
use crate::compiled::{CostTable, Trees};
use crate::grid::{Axes, Region, Value};
use crate::journal::{Price, Share};
use crate::method::{Abandoned, Stop, proceed};

/// Rounds in which the weights of the share bound are found, and found again for a region that has shrunk.
const ROUNDS: usize = 4;
const ROUNDS_AGAIN: usize = 2;

/// An evaluation takes about as long as looking at this many nodes for every loss in it.
const LOSS_WORK: u64 = 8;

/// Trees evaluated by bits between two polls of the stop flag.
const POLL_EVERY: usize = 64;

/// Asks now and then, from tree to tree, whether to abandon an evaluation.
#[inline]
fn poll(tree: usize, stop: &dyn Stop) -> Result<(), Abandoned> {
    if tree.is_multiple_of(POLL_EVERY) { proceed(stop) } else { Ok(()) }
}

/// The purpose of an evaluation: the value to beat, and the costs that count.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoundAim<'a> {
    /// The value that a channel has to beat.
    pub(crate) floor: Incumbent,
    /// The role of costs: limits, or the objective.
    pub(crate) objective: BoundObjective,
    pub(crate) tables: &'a [CostTable],
}

/// The objective of an evaluation.
#[derive(Clone, Copy, Debug)]
pub(crate) enum BoundObjective {
    /// An upper bound on a channel within the limits of the cost tables.
    Margin,
    /// A lower bound on the cost of points with the channel at the floor or above; irrelevant beyond the limit.
    Nearest {
        /// The largest distance that would be an improvement; `None` before anything is known.
        limit: Option<Value>,
    },
}

/// A region to evaluate, and the purpose.
#[derive(Clone, Copy)]
pub(crate) struct Request<'a> {
    pub(crate) space: &'a Axes,
    pub(crate) region: &'a Region,
    pub(crate) aim: BoundAim<'a>,
    pub(crate) stop: &'a dyn Stop,
}

impl<'a> BoundAim<'a> {
    /// An upper bound on a channel, within budgets.
    pub(crate) fn margin(floor: Incumbent, budgets: &'a [CostTable]) -> Self {
        Self { floor, objective: BoundObjective::Margin, tables: budgets }
    }

    /// A lower bound on the distance where no channel is below 0.
    pub(crate) fn nearest(distance: &'a CostTable, limit: Option<Value>) -> Self {
        let floor = Incumbent { value: 0, is_attained: false };
        Self { floor, objective: BoundObjective::Nearest { limit }, tables: std::slice::from_ref(distance) }
    }

    /// The cost that is left for points beyond the least of a region; `None` if nothing limits it.
    fn room(self, table: &CostTable, least: Value) -> Option<Value> {
        let limit = match self.objective {
            BoundObjective::Margin => Some(table.limit),
            BoundObjective::Nearest { limit } => limit,
        };
        limit.map(|limit| limit - least)
    }
}

/// The bounds of one channel over one region, with the losses, falls and weights from which they follow; memory is kept from
/// region to region, and what is known of a region helps with a part of it.
#[derive(Debug, Default)]
pub(crate) struct Evaluation {
    /// The sum of the best reachable leaves.
    pub(crate) plain: Value,
    /// The share bound, at most `plain`.
    pub(crate) bound: Value,
    /// For nearest points: a lower bound on the distance of points of the region at which the channel reaches the
    /// floor.
    pub(crate) distance: Value,
    /// The best reachable leaf of every tree.
    pub(crate) best: Vec<u32>,
    /// The leaves that the region leaves reachable, and those before it shrank.
    pub(crate) reach: Vec<u64>,
    reach_before: Vec<u64>,
    /// The region of all this.
    region: Option<Region>,
    losses: Losses,
    losses_before: Losses,
    falls: Falls,
    shares: Shares,
    prices: Prices,
    /// A lower bound on the shares and prices of all axes together.
    total: i64,
    tolls: Tolls,
    walked: Walked,
    /// The number of nodes that walks visited.
    work: u64,
    /// The unit of shares is `2^(shift − 16)`.
    shift: u32,
    /// The tolls that improved the bounds, recorded for a journal.
    toll_notes: Option<Vec<(Vec<Share>, Price)>>,
}

impl Evaluation {
    /// Evaluates a region that has points. What cannot beat the incumbent need not be known exactly. Where it is abandoned,
    /// the evaluation is that of no region.
    pub(crate) fn evaluate(&mut self, trees: &Trees, request: Request<'_>) -> Result<(), Abandoned> {
        self.evaluate_trees(trees, request, false).map(drop)
    }

    /// Evaluates the region again after it has shrunk. Returns false if that changes nothing for any tree: what is
    /// known then still holds, with segments outside the region to be ignored.
    pub(crate) fn evaluate_again(&mut self, trees: &Trees, request: Request<'_>) -> Result<bool, Abandoned> {
        let keeps = !self.has_other_choices(request.space, request.region);
        self.evaluate_trees(trees, request, keeps)
    }

    /// Evaluates a region; a tree `keeps` what is known of it if the last region reached the same of its leaves.
    fn evaluate_trees(&mut self, trees: &Trees, request: Request<'_>, keeps: bool) -> Result<bool, Abandoned> {
        match trees.masks() {
            Some(masks) => self.evaluate_masks(masks, request, keeps),
            None => self.evaluate_walk(&trees.flat, request, keeps),
        }
    }

    /// True if axes with special cells have lost cells since the evaluation.
    fn has_other_choices(&self, space: &Axes, region: &Region) -> bool {
        let before = self.region.as_ref().expect("a region was evaluated");
        let mut mixed = (0..space.axes.len()).filter(|axis| space.is_mixed(before, *axis));
        mixed.any(|axis| !space.same_cells(before, region, axis))
    }

    /// Turns the recording for a journal on or off; while it is on, bounds rely on nothing else.
    pub(crate) fn record_notes(&mut self, is_enabled: bool) {
        self.toll_notes = is_enabled.then(Vec::new);
        self.prices.is_recorded = is_enabled;
    }

    /// The price of the evaluation, in units of about one visited node.
    pub(crate) fn work(&self) -> u64 {
        self.work + LOSS_WORK * self.losses.losses.len() as u64
    }

    /// True if a region is a part of the evaluated one.
    pub(crate) fn covers(&self, region: &Region) -> bool {
        self.region.as_ref().is_some_and(|whole| whole.contains(region))
    }

    fn finish(&mut self, Request { space, region, aim, .. }: Request<'_>, shift: u32, keeps: bool) {
        self.shift = shift;
        match &mut self.region {
            Some(own) => own.clone_from(region),
            None => self.region = Some(region.clone()),
        }
        self.falls.add_up(space, region, &mut self.losses);
        self.share(aim, space, region, if keeps { ROUNDS_AGAIN } else { ROUNDS });
    }
}
