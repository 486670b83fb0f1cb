//! Problems of logs, made from a header and the models: leaves become whole numbers, rounded up, and costs are rounded down, so
//! that every bound is on the safe side.

mod costs;
mod penalty;
mod sums;

use treeproof_ensemble::exact::Exact;
use treeproof_proof::header::{BoxSide, Header, LedgerKind};

use crate::distance::pair::PairDistance;
use crate::error::{Refused, ensure};
use crate::exclusion::Exclusions;
use crate::goal::ResolvedGoal;
use crate::region::{CellSet, NarrowBox, Region};
use crate::replay::Problem;
use crate::replay::evaluate::Channel;
use crate::space::grid::Grid;

pub(crate) use sums::sums_in;

/// Limit on sums of channels, and on sums of costs.
const MOST: i64 = 1 << 60;

/// The scale by which values and costs are read back.
#[derive(Debug)]
pub(crate) struct Scale {
    pub(crate) unit: Exact,
    pub(crate) offset: Exact,
    pub(crate) distances: Option<Distances>,
}

/// The meaning of distances in a log.
#[derive(Debug)]
pub(crate) enum Distances {
    /// Multiples of a power of two, beside the least cost of every input.
    Multiples { unit: Exact, always: Exact },
    /// Places in a list of costs.
    Places(Vec<Exact>),
}

impl Distances {
    /// The least cost of a number of the log; `None` if no cell costs as much.
    pub(crate) fn cost(&self, number: i64) -> Option<Exact> {
        match self {
            Self::Multiples { unit, always } => Some(Exact::from_i64(number).times(unit).plus(always)),
            Self::Places(places) => places.get(usize::try_from(number).unwrap_or(0)).cloned(),
        }
    }
}

/// The problem of a section's log, and its scale.
///
/// # Errors
/// If the header does not fit the statement, or numbers do not fit into 64 bits.
pub(crate) fn problem(
    grid: &Grid<'_>,
    goal: &ResolvedGoal<'_>,
    exclusions: &Exclusions<'_>,
    header: &Header,
    listed: Vec<NarrowBox>,
) -> Result<(Problem, Scale), Refused> {
    ensure(header.unit > Exact::zero(), || "the unit must be above 0".to_owned())?;
    ensure(header.bundles.len() == goal.cases.len(), || {
        format!("there are {} cases, not {}", goal.cases.len(), header.bundles.len())
    })?;
    let statement = grid.space.statement;
    let near = statement.near.as_ref().filter(|_| statement.inputs.len() == 2);
    let ball = near.and_then(|near| Some(PairDistance::new(grid, near, near.limit()?)));
    let everything = ball.as_ref().map_or_else(|| grid.everything(), |ball| ball.everything(grid));
    let is_nearest = matches!(header.ledgers.last(), Some(LedgerKind::Distance(_)));
    let builder = ProblemBuilder { grid, header, exclusions, ball, everything };
    let mut cases: Vec<Vec<Channel>> = vec![];
    for (place, (case, bundles)) in goal.cases.iter().zip(&header.bundles).enumerate() {
        ensure(case.len() == bundles.len(), || "a case has other sums".to_owned())?;
        cases.push(
            case.iter()
                .zip(bundles)
                .map(|(sum, bundles)| builder.channel(place, sum, bundles))
                .collect::<Result<_, _>>()?,
        );
    }
    let mut scale = Scale { unit: header.unit.clone(), offset: header.offset.clone(), distances: None };
    let mut ledgers = vec![];
    for (place, counted) in header.ledgers.iter().enumerate() {
        let is_last = place + 1 == header.ledgers.len();
        ledgers.push(match counted {
            LedgerKind::AtMost(condition) => builder.count(*condition, true)?,
            LedgerKind::AtLeast(condition) => builder.count(*condition, false)?,
            LedgerKind::Within(place, exponent) => builder.within(*place, *exponent)?,
            LedgerKind::Changes => {
                let num_axes = builder.everything.num_axes();
                let ledger = builder.ball.as_ref().and_then(|ball| ball.changes(num_axes));
                ledger.ok_or_else(|| Refused::because("changes are counted between inputs that need not be near"))?
            }
            LedgerKind::Distance(exponent) => {
                ensure(is_last, || "only the last costs can be the distance".to_owned())?;
                let (ledger, distances) = builder.distance(*exponent)?;
                scale.distances = Some(distances);
                ledger
            }
        });
    }
    if is_nearest {
        cases.iter_mut().flatten().try_for_each(|channel| builder.count_from_zero(channel))?;
    }
    Ok((Problem { everything: builder.everything, cases, ledgers, is_nearest, listed }, scale))
}

/// The cells of a side of a box.
pub(crate) fn cells_of(everything: &Region, side: &BoxSide) -> Result<CellSet, Refused> {
    let all = everything.axes.get(side.axis as usize);
    all.map(|all| all.some((side.low, side.high), &side.special))
        .ok_or_else(|| Refused::because("a box has an axis that is not there"))
}

struct ProblemBuilder<'a> {
    grid: &'a Grid<'a>,
    header: &'a Header,
    exclusions: &'a Exclusions<'a>,
    ball: Option<PairDistance>,
    /// All cells.
    everything: Region,
}
