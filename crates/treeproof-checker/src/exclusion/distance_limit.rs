//! Limits on distances: boxes that are too far away, and bounds on numbers within the rest of a distance.

use treeproof_ensemble::exact::Exact;
use treeproof_proof::statement::condition::Relation;
use treeproof_proof::statement::distance::{Distance, Norm};

use crate::distance::CellCosts;
use crate::distance::pair::PairDistance;
use crate::error::Refused;
use crate::exclusion::subcase::{Row, Subcase};
use crate::region::Region;
use crate::space::grid::Grid;

/// A limit on the distance from the reference, or between two inputs.
#[derive(Debug)]
pub struct DistanceLimit<'a> {
    near: &'a Distance,
    /// The largest cost: for L2 a square.
    limit: Exact,
    from: From,
}

#[derive(Debug)]
enum From {
    /// The costs of cells, from the reference.
    Reference(CellCosts),
    /// The distance of two inputs.
    Other(PairDistance),
}

impl<'a> DistanceLimit<'a> {
    /// All limits of a statement: that on the distance that is asked about, if it has a radius or only what is within `most`
    /// counts, then the others.
    ///
    /// # Errors
    /// If there is no row to be near to.
    pub fn all(grid: &'a Grid<'a>, most: Option<f64>) -> Result<Vec<Self>, Refused> {
        let statement = grid.space.statement;
        let mut all = vec![];
        let asked = statement.near.iter().map(|near| (near, near.limit().or_else(|| near.cost(most?))));
        for (near, limit) in asked.chain(statement.within.iter().map(|of| (&of.distance, Some(of.limit())))) {
            let Some(limit) = limit else { continue };
            let from = match statement.inputs.len() {
                1 => From::Reference(CellCosts::new(near, grid)?),
                _ => From::Other(PairDistance::new(grid, near, limit.clone())),
            };
            all.push(Self { near, limit, from });
        }
        Ok(all)
    }

    /// The distance.
    pub fn near(&self) -> &'a Distance {
        self.near
    }

    /// The largest cost.
    pub(crate) fn limit(&self) -> &Exact {
        &self.limit
    }

    /// True if all inputs of a box are farther away.
    pub(crate) fn excludes(&self, grid: &Grid<'_>, region: &Region) -> bool {
        let of_point = || self.left(grid, region, &[]).is_none();
        match &self.from {
            From::Reference(_) => of_point(),
            From::Other(ball) => ball.excludes(region) || of_point(),
        }
    }

    /// The part of the limit that is left for some features when all others have their least costs; `None` if those cost too
    /// much.
    pub fn left(&self, grid: &Grid<'_>, region: &Region, features: &[u32]) -> Option<Exact> {
        let spent = match &self.from {
            From::Reference(costs) => {
                let is_used = |axis: usize| features.iter().any(|of| grid.axis_of(0, *of as usize) == Some(axis));
                let mut all: Vec<Exact> = costs.free.iter().cloned().collect::<Option<_>>()?;
                for (axis, of_axis) in costs.cells.iter().enumerate().filter(|(axis, _)| !is_used(*axis)) {
                    let cells = region.axis(axis).cells();
                    all.push(cells.filter_map(|cell| of_axis.get(cell as usize).cloned().flatten()).min()?);
                }
                self.near.total(all)
            }
            From::Other(ball) => ball.spent(grid, self.near, region, features)?,
        };
        match self.near.norm {
            _ if spent > self.limit => None,
            Norm::Linf => Some(self.limit.clone()),
            _ => Some(self.limit.minus(&spent)),
        }
    }

    /// An upper bound on `Σ number · factor · (x − x₀)` over features that are finite numbers, within the rest of the distance:
    /// by Hölder's inequality, and for L2 by the mean of both squares, which is exact where the numbers are as large as the
    /// rest.
    pub fn row(&self, case: &Subcase<'_>, normal: &[(u32, Exact)]) -> Option<Row> {
        let features: Vec<u32> = normal.iter().map(|(feature, _)| *feature).collect();
        let is_ascending = features.windows(2).all(|pair| pair[0] < pair[1]);
        let num_features = case.grid.space.statement.features.len();
        if !is_ascending || features.last().is_none_or(|last| *last as usize >= num_features) {
            return None;
        }
        let left = self.left(case.grid, case.region, &features)?;
        let sizes = || normal.iter().map(|(_, number)| number.magnitude());
        let most = match (self.near.norm, &self.from) {
            (Norm::Linf, _) => sizes().fold(Exact::zero(), |sum, size| sum.plus(&size)).times(&left),
            (Norm::L1, _) => sizes().max()?.times(&left),
            (Norm::L2, _) if left == Exact::zero() => left,
            (Norm::L2, _) => {
                let squares = sizes().fold(left, |sum, size| sum.plus(&size.times(&size)));
                squares.times(&Exact::power_of_two(-1))
            }
            // Features that do not change have a difference of 0.
            (Norm::L0, From::Other(ball)) if features.iter().all(|of| ball.stays(case.region, *of as usize)) => {
                Exact::zero()
            }
            (Norm::L0, _) => return None,
        };
        let mut row = Row { terms: vec![], relation: Relation::AtMost, constant: most };
        for (feature, number) in normal {
            let along = self.along(case, *feature)?;
            row.constant = row.constant.plus(&along.constant.times(number));
            row.terms.extend(along.terms.into_iter().map(|(factor, variable)| (factor.times(number), variable)));
        }
        Some(row)
    }

    /// The terms and the constant of `factor · (x − x₀)`, for a feature that is a finite number in the reference or both
    /// inputs, and no column of a group.
    pub fn along(&self, case: &Subcase<'_>, feature: u32) -> Option<Row> {
        let (grid, place) = (case.grid, feature as usize);
        if place >= grid.space.statement.features.len() || grid.space.group_of(place).is_some() {
            return None;
        }
        let factor = Exact::from_f64(self.near.number_factor(place).0)?;
        let variable = |input: usize| Some(grid.variable(input, place)).filter(|of| case.is_finite(*of));
        let (terms, constant) = match &self.from {
            // Features without an axis are counted among the least costs.
            From::Reference(_) if grid.axis_of(0, place).is_none() => return None,
            From::Reference(_) => {
                let (own, last) = grid.space.reference(place)?.ends()?;
                let own = Exact::from_f64(own).filter(|_| own == last)?;
                (vec![(factor.clone(), variable(0)?)], factor.times(&own))
            }
            From::Other(_) => {
                let [first, second] = [variable(0)?, variable(1)?];
                (vec![(factor.clone(), second), (factor.negated(), first)], Exact::zero())
            }
        };
        Some(Row { terms, relation: Relation::Equal, constant })
    }
}
