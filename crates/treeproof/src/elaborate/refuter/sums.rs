//! Sums of a case that have no solution, or numbers that solve them.

use std::collections::{BTreeMap, BTreeSet};

use treeproof_checker::exclusion::distance_limit::DistanceLimit;
use treeproof_checker::exclusion::subcase::{Row, Subcase};
use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::norm::Norm;
use treeproof_proof::refutation::{MOST_DIGITS, Plane, Refutation};
use treeproof_proof::statement::condition::{Condition, Relation, Variable};

use crate::problem::{CostRule, Feasible, LinearConstraint, Simplex};

/// Bits of the largest number of a plane with short numbers.
const SHORT: i64 = 7;

/// Bits of the largest number of a plane where short ones do not do.
const DOUBLE: i64 = 53;

/// Limit on the planes of a case; beyond it the case is parted, as values may touch a ball.
const MOST_PLANES: usize = 16;

/// Numbers of variables.
pub(super) type NumberAssignment = BTreeMap<Variable, Exact>;

/// The outcome of solving the sums of a case.
pub(super) enum SumOutcome {
    /// A solution.
    At(NumberAssignment),
    /// A solution of all but the distances, which leave little.
    Near(NumberAssignment),
    /// There is no solution, with the reason.
    Never(Refutation),
    /// Undecided within the limits.
    Unknown,
}

/// Solves the rows of a case within its distances. Only if `is_strict` are numbers hardly outside a round ball told from
/// those inside: it takes long numbers.
pub(super) fn solve(case: &Subcase<'_>, is_strict: bool) -> SumOutcome {
    let rows = case.rows();
    let mut variables: BTreeSet<Variable> = BTreeSet::new();
    let is_pair = case.grid.space.statement.inputs.len() == 2;
    // Near each other, the number of one input bounds that of the other.
    let is_near = is_pair && !case.limits.is_empty();
    let mut add = |of: Variable| {
        let (input, feature) = (of.input as usize, of.feature as usize);
        if case.grid.space.group_of(feature).is_none() {
            variables.insert(case.grid.variable(input, feature));
            variables.extend(is_near.then(|| case.grid.variable(1 - input, feature)));
        }
    };
    case.demands().iter().for_each(|demand| valued(demand, is_pair, &mut add));
    rows.iter().flat_map(|row| &row.terms).for_each(|(_, of)| add(*of));
    // A row over a feature without finite numbers has no solution.
    for (place, row) in (0..).zip(&rows) {
        if case.ends(&row.terms).is_none() {
            return SumOutcome::Never(Refutation::Sums { rows: vec![(place, Exact::one())], planes: vec![] });
        }
    }
    let ends = variables.into_iter().filter_map(|of| Some((of, case.ends(&[(Exact::one(), of)])?)));
    let ends: BTreeMap<Variable, (Exact, Exact)> = ends.collect();
    let mut planes: Vec<Plane> = vec![];
    loop {
        let of_planes: Option<Vec<Row>> =
            planes.iter().map(|plane| case.limits[plane.distance as usize].row(case, &plane.normal)).collect();
        let Some(of_planes) = of_planes else { return SumOutcome::Unknown };
        let numbers = match solve_rows(case, &ends, rows.iter().chain(&of_planes)) {
            Ok(Some(numbers)) => numbers,
            Ok(None) => return SumOutcome::Unknown,
            Err(conflict) => {
                let (mut of_rows, mut scaled) = (vec![], vec![]);
                for (place, times) in conflict {
                    match place.checked_sub(rows.len()) {
                        None => of_rows.push((u32::try_from(place).unwrap_or(u32::MAX), times)),
                        Some(plane) => scaled.push(Plane { times, ..planes[plane].clone() }),
                    }
                }
                // Numbers that are too long for a file are not a reason.
                let of_planes =
                    scaled.iter().flat_map(|of| of.normal.iter().map(|(_, number)| number).chain([&of.times]));
                let all = of_rows.iter().map(|(_, times)| times).chain(of_planes);
                let texts: Vec<String> = all.map(ToString::to_string).collect();
                let are_short = texts.iter().map(String::len).sum::<usize>() <= MOST_DIGITS;
                if !are_short || texts.iter().any(|text| Exact::from_text(text).is_none()) {
                    return SumOutcome::Unknown;
                }
                return SumOutcome::Never(Refutation::Sums { rows: of_rows, planes: scaled });
            }
        };
        let outside =
            (0..).zip(case.limits).find_map(|(place, limit)| Some((place, plane(case, limit, &numbers, is_strict)?)));
        match outside {
            Some(_) if planes.len() == MOST_PLANES => return SumOutcome::Near(numbers),
            Some((distance, normal)) => planes.push(Plane { distance, times: Exact::one(), normal }),
            None => return SumOutcome::At(numbers),
        }
    }
}

/// Shows the features whose numbers count in a condition, with those of two inputs that it compares. Compared with a row, cells tell.
fn valued(condition: &Condition, is_pair: bool, see: &mut impl FnMut(Variable)) {
    let mut both = |feature: u32| {
        if is_pair {
            (0..2).for_each(|input| see(Variable { input, feature }));
        }
    };
    match condition {
        Condition::All(parts) | Condition::Any(parts) => parts.iter().for_each(|part| valued(part, is_pair, see)),
        Condition::Linear { terms, .. } => terms.iter().for_each(|term| see(term.variable)),
        Condition::Multiple { variable, .. } => see(*variable),
        Condition::Same { feature, .. } | Condition::Moved { feature, .. } => both(*feature),
        Condition::Changed { units, .. } => units.iter().flatten().for_each(|feature| both(*feature)),
        _ => {}
    }
}

/// A plane between numbers that are too far away and all that are near enough.
fn plane(
    case: &Subcase<'_>,
    limit: &DistanceLimit<'_>,
    numbers: &NumberAssignment,
    is_strict: bool,
) -> Option<Vec<(u32, Exact)>> {
    let zero = Exact::zero();
    let mut along: Vec<(u32, Exact)> = vec![];
    for feature in 0..u32::try_from(case.grid.space.statement.features.len()).ok()? {
        let Some(row) = limit.along(case, feature) else { continue };
        let terms: Option<Vec<Exact>> =
            row.terms.iter().map(|(times, of)| Some(times.times(numbers.get(of)?))).collect();
        let Some(terms) = terms else { continue };
        let number = terms.iter().fold(row.constant.negated(), |sum, term| sum.plus(term));
        if number != zero {
            along.push((feature, number));
        }
    }
    let features: Vec<u32> = along.iter().map(|(feature, _)| *feature).collect();
    let left = limit.left(case.grid, case.region, &features)?;
    let sign = |number: &Exact| if *number > zero { Exact::one() } else { Exact::one().negated() };
    let rule = CostRule::from(Norm::from(limit.near().norm));
    let normals: Vec<Vec<(u32, Exact)>> = match () {
        () if rule.takes_largest || rule.counts_changes => {
            along.iter().map(|(feature, number)| vec![(*feature, sign(number))]).collect()
        }
        () if rule.squares => around_ball(&along, &left, is_strict),
        () => vec![along.iter().map(|(feature, number)| (*feature, sign(number))).collect()],
    };
    normals.into_iter().find(|normal| {
        limit.row(case, normal).is_some_and(|row| {
            let sum = row.terms.iter().filter_map(|(times, of)| Some(times.times(numbers.get(of)?)));
            sum.fold(zero.clone(), |sum, more| sum.plus(&more)) > row.constant
        })
    })
}

/// Planes between a round ball, with the square of its radius in `left`, and numbers outside: two that touch the ball, the
/// first of short numbers, which are added up sooner and mostly do as well; if `is_strict`, also one that is surely between.
fn around_ball(along: &[(u32, Exact)], left: &Exact, is_strict: bool) -> Vec<Vec<(u32, Exact)>> {
    let square = along.iter().fold(Exact::zero(), |sum, (_, number)| sum.plus(&number.times(number)));
    let largest = along.iter().filter_map(|(_, number)| number.power_above()).max();
    let (Some(largest), Some(beyond)) = (largest, square.minus(left).power_above()) else { return vec![] };
    let rounded = |part: &Exact, power: i64| {
        let (unit, half) = (Exact::power_of_two(power), Exact::power_of_two(-1));
        let round = |number: &Exact| number.times(part).divided_by(&unit).plus(&half).floor().times(&unit).reduced();
        along.iter().map(|(feature, number)| (*feature, round(number))).collect()
    };
    let part = Exact::from_f64((left.to_f64() / square.to_f64()).sqrt()).filter(|part| *part > Exact::zero());
    let part = part.unwrap_or_else(Exact::one);
    let touching = part.power_above().unwrap_or(0) + largest;
    // The square of the rounding error must be below the distance beyond the ball.
    let between = (beyond - along.len() as i64).div_euclid(2) - 1;
    let mut normals = vec![rounded(&part, touching - SHORT), rounded(&part, touching - DOUBLE)];
    normals.extend(is_strict.then(|| rounded(&Exact::one(), between)));
    normals
}

/// Numbers that meet rows over bounded variables; `None` if undecided; an error has the multipliers of a conflict.
fn solve_rows<'r>(
    case: &Subcase<'_>,
    ends: &BTreeMap<Variable, (Exact, Exact)>,
    rows: impl Iterator<Item = &'r Row>,
) -> Result<Option<NumberAssignment>, Vec<(usize, Exact)>> {
    let variables: Vec<Variable> = ends.keys().copied().collect();
    let mut ends: Vec<[Exact; 2]> = ends.values().map(|(low, high)| [low.clone(), high.clone()]).collect();
    let mut all = vec![];
    for row in rows {
        let (mut terms, mut of_groups): (_, BTreeMap<usize, Vec<_>>) = (vec![], BTreeMap::new());
        for (times, of) in &row.terms {
            let own = case.grid.variable(of.input as usize, of.feature as usize);
            match variables.binary_search(&own) {
                Ok(place) => terms.push((place, times.clone())),
                Err(_) => {
                    let axis = case.grid.axis_of(of.input as usize, of.feature as usize);
                    of_groups.entry(axis.unwrap_or(usize::MAX)).or_default().push((times.clone(), *of));
                }
            }
        }
        // The share of a group is a variable of its own.
        for group in of_groups.values() {
            let (low, high) = case.ends(group).expect("rows without numbers were found before");
            terms.push((ends.len(), Exact::one()));
            ends.push([low, high]);
        }
        let relation = match row.relation {
            Relation::Below => treeproof_language::Relation::Below,
            Relation::AtMost => treeproof_language::Relation::AtMost,
            Relation::Equal => treeproof_language::Relation::Equal,
        };
        all.push(LinearConstraint { terms, relation, constant: row.constant.clone() });
    }
    let start = |ends: &[Exact; 2]| Exact::zero().max(ends[0].clone()).min(ends[1].clone());
    let mut simplex = Simplex::new(ends.iter().map(|ends| (ends.clone(), start(ends))), &all);
    match simplex.solve() {
        Feasible::Yes => {
            let solution = simplex.solution(variables.len());
            Ok(Some(variables.into_iter().zip(solution).collect()))
        }
        Feasible::Unknown => Ok(None),
        Feasible::No => Err(simplex.conflict().to_vec()),
    }
}
