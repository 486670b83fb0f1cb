//! Finds out why conditions leave no input in a box, in the words of the checker: case by case, by sums that cannot be.
//!
//! What the search saw by its own means is looked for again here, from the statement alone; so what is written is what the checker
//! sees.

use std::collections::{BTreeMap, BTreeSet};

use treeproof_checker::exclusion::distance_limit::DistanceLimit;
use treeproof_checker::exclusion::refute::refutes;
use treeproof_checker::exclusion::subcase::{Row, Subcase};
use treeproof_checker::numbers::{self, is_multiple};
use treeproof_checker::region::{CellSet, Region};
use treeproof_checker::space::grid::Grid;
use treeproof_ensemble::exact::Exact;
use treeproof_proof::refutation::{MOST_DIGITS, Plane, Refutation};
use treeproof_proof::statement::condition::{Condition, Domain, Relation, Variable};
use treeproof_proof::statement::distance::Norm;
use treeproof_search::Cells;

use crate::problem::{Feasible, LinearConstraint, Simplex};

/// So many cases are looked at for one box.
const MOST_CASES: usize = 20_000;

/// So many for all boxes of a log: then the others have no reason, as writing must end.
pub(super) const MOST_IN_LOG: usize = 100_000;

/// So many cases are within each other.
const MOST_DEEP: usize = 400;

/// With so many planes the case is parted: a ball may be touched by what no few planes show to be outside.
const MOST_PLANES: usize = 16;

/// A case that is parted so counts as many: where a ball is touched indeed, there is no end to it.
const PARTED: usize = 20;

/// Of so many bits is the largest number of a plane that is made of short ones.
const SHORT: i64 = 7;

/// Of so many bits, where short ones do not do.
const DOUBLE: i64 = 53;

/// Knows what a statement demands.
#[derive(Debug)]
pub(crate) struct Refuter<'a> {
    grid: &'a Grid<'a>,
    limits: &'a [DistanceLimit<'a>],
}

/// Numbers of features.
type Numbers = BTreeMap<Variable, Exact>;

/// Whether what sums must be can be.
enum Solved {
    /// These numbers are such.
    At(Numbers),
    /// These numbers are such but for distances, which leave little.
    Near(Numbers),
    /// Nothing is such.
    Never(Refutation),
    /// It took too long to see.
    Unknown,
}

impl<'a> Refuter<'a> {
    pub(crate) fn new(grid: &'a Grid<'a>, limits: &'a [DistanceLimit<'a>]) -> Self {
        Self { grid, limits }
    }

    /// Why no input of a box meets the conditions; none if that is seen at once, or is not so, or is not found. What it looks at
    /// is taken off the cases that are left to the log.
    pub(crate) fn refute(&self, cells: &[Cells], in_log: &mut usize) -> Option<Refutation> {
        let region = self.region(cells);
        let whole = Subcase::new(self.grid, self.limits, &region);
        if whole.is_void() || whole.is_too_far() {
            return None;
        }
        let most = MOST_CASES.min(*in_log);
        let mut left = most;
        let found = refute(&whole, &mut vec![], &mut left);
        *in_log -= most - left;
        let found = found?;
        debug_assert!(refutes(&found, &whole), "{found:?}");
        Some(found)
    }

    /// The box of these cells. Axes that the search does not know have all of theirs.
    fn region(&self, cells: &[Cells]) -> Region {
        let everything = self.grid.everything();
        let num_axes = everything.num_axes().max(cells.len());
        let axis = |place: usize| {
            // Behind the axes of features are those that say whether a feature changes.
            let mut all = match place < everything.num_axes() {
                true => everything.axis(place).clone(),
                false => CellSet::all(2, 2),
            };
            if let Some(cells) = cells.get(place) {
                let ordered = all.num_ordered();
                all.keep(|cell| match cell.checked_sub(ordered) {
                    Some(special) => cells.special.binary_search(&special).is_ok(),
                    None => cells.ordered.contains(&cell),
                });
            }
            all
        };
        Region::new((0..num_axes).map(axis).collect())
    }
}

fn refute(case: &Subcase<'_>, chosen: &mut Vec<usize>, left: &mut usize) -> Option<Refutation> {
    *left = left.checked_sub(1)?;
    if case.is_void() {
        return Some(Refutation::Void);
    }
    let numbers = match solve(case, false) {
        Solved::Never(why) => return Some(why),
        Solved::Unknown => {
            return None;
        }
        Solved::At(_) | Solved::Near(_) if chosen.len() > MOST_DEEP => return None,
        Solved::Near(numbers) => {
            *left = left.checked_sub(PARTED)?;
            let (variable, number) = numbers.keys().find_map(|of| Some((*of, middle(case, *of)?)))?;
            return part(case, variable, number, chosen, left);
        }
        Solved::At(numbers) => numbers,
    };
    // Alternatives of which none is met by these numbers.
    let is_open = |place: &usize| {
        let Condition::Any(parts) = case.demands()[*place] else { return false };
        let cases = case.either(*place).unwrap_or_default();
        let mut parts = parts.iter().zip(&cases);
        !chosen.contains(place) && !parts.any(|(part, case)| is_met(part, &numbers, case) && !case.is_void())
    };
    if let Some(place) = (0..case.demands().len()).find(is_open) {
        let mut cases = vec![];
        chosen.push(place);
        for case in case.either(place)? {
            cases.push(refute(&case, chosen, left)?);
        }
        chosen.pop();
        return Some(Refutation::Either { place: u32::try_from(place).ok()?, cases });
    }
    if let Some(feature) = unordered(case, &numbers) {
        let cases = case.ordered(feature)?;
        let mut case = |place: usize| refute(&cases[place], chosen, left);
        return Some(Refutation::Ordered { feature, cases: Box::new([case(0)?, case(1)?, case(2)?]) });
    }
    // The last number that is between two members: those before it are freer to follow.
    for (variable, number) in numbers.iter().rev() {
        let Some([below, above]) = case.next_to(*variable, number) else { continue };
        if below.is_some() && below == above {
            continue;
        }
        let number = below.or_else(|| above.map(f64::next_down)).unwrap_or(0.0);
        return part(case, *variable, number, chosen, left);
    }
    match solve(case, true) {
        Solved::Never(why) => Some(why),
        _ => None,
    }
}

/// Parts a case by a feature that is a number up to this one, or anything else.
fn part(
    case: &Subcase<'_>,
    variable: Variable,
    number: f64,
    chosen: &mut Vec<usize>,
    left: &mut usize,
) -> Option<Refutation> {
    let cases = case.parted(variable, number)?;
    chosen.push(usize::MAX);
    let mut case = |place: usize| refute(&cases[place], chosen, left);
    let cases = Box::new([case(0)?, case(1)?]);
    chosen.pop();
    Some(Refutation::Parted { variable, number, cases })
}

/// A number between the least and the greatest of a feature that can be parted, if these are not the same.
fn middle(case: &Subcase<'_>, variable: Variable) -> Option<f64> {
    let (low, high) = case.ends(&[(Exact::one(), variable)])?;
    let middle = low.plus(&high).times(&Exact::power_of_two(-1));
    let [below, _] = case.next_to(variable, &middle)?;
    below.filter(|_| low < high)
}

/// Whether numbers meet a condition, as far as they tell; what cells tell is seen otherwise.
fn is_met(condition: &Condition, numbers: &Numbers, case: &Subcase<'_>) -> bool {
    let number = |of: Variable| numbers.get(&case.grid.variable(of.input as usize, of.feature as usize));
    match condition {
        Condition::All(parts) => parts.iter().all(|part| is_met(part, numbers, case)),
        Condition::Any(parts) => parts.iter().any(|part| is_met(part, numbers, case)),
        Condition::Linear { terms, relation, constant } => {
            let terms: Vec<(Exact, Variable)> =
                terms.iter().map(|term| (term.coefficient.clone(), term.variable)).collect();
            // Columns of groups count as what they can be.
            let (known, others): (Vec<_>, Vec<_>) = terms.into_iter().partition(|(_, of)| number(*of).is_some());
            let sum = known.iter().filter_map(|(times, of)| Some(times.times(number(*of)?)));
            let sum = sum.fold(Exact::zero(), |sum, more| sum.plus(&more));
            case.ends(&others).is_some_and(|(least, most)| {
                let (least, most) = (sum.plus(&least), sum.plus(&most));
                match relation {
                    Relation::Equal => least <= *constant && *constant <= most,
                    relation => relation.holds(&least, constant),
                }
            })
        }
        Condition::Multiple { variable, step, negated } => number(*variable).is_none_or(|number| {
            let double = number.to_f64();
            Exact::from_f64(double).as_ref() == Some(number) && is_multiple(double, step) != *negated
        }),
        // Seen from a row, cells tell.
        Condition::Same { feature, negated } if case.grid.space.statement.inputs.len() == 2 => {
            match [0, 1].map(|input| number(Variable { input, feature: *feature })) {
                [Some(first), Some(second)] => (first != second) == *negated,
                _ => case.may_meet(condition),
            }
        }
        Condition::Moved { feature, direction } if case.grid.space.statement.inputs.len() == 2 => {
            match [0, 1].map(|input| number(Variable { input, feature: *feature })) {
                [Some(first), Some(second)] => direction.orders().contains(&second.cmp(first)),
                _ => case.may_meet(condition),
            }
        }
        Condition::Changed { units, at_least, at_most } if case.grid.space.statement.inputs.len() == 2 => {
            let (certain, possible) = changed(case, numbers, units);
            certain <= *at_most && possible >= *at_least && case.may_meet(condition)
        }
        Condition::Values(variable, domain @ Domain::Numbers { missing, .. }) => {
            let is_number =
                |number: &Exact| !numbers::Numbers::of(domain).misses((number.floor_f64(), number.ceil_f64()));
            case.may_meet(condition) && (*missing || number(*variable).is_none_or(is_number))
        }
        _ => case.may_meet(condition),
    }
}

/// Whether a feature has another number in the second input than in the first.
fn differs(case: &Subcase<'_>, numbers: &Numbers, feature: u32) -> Option<bool> {
    let [first, second] = [0, 1].map(|input| numbers.get(&case.grid.variable(input, feature as usize)));
    Some(first? != second?)
}

/// How many units surely differ between two inputs with these numbers, and how many may.
fn changed(case: &Subcase<'_>, numbers: &Numbers, units: &[Vec<u32>]) -> (u64, u64) {
    let may = |feature: u32, negated: bool| match differs(case, numbers, feature) {
        Some(differs) => differs == negated,
        None => case.may_meet(&Condition::Same { feature, negated }),
    };
    let certain = units.iter().filter(|unit| !unit.iter().all(|feature| may(*feature, false))).count();
    let possible = units.iter().filter(|unit| unit.iter().any(|feature| may(*feature, true))).count();
    (certain as u64, possible as u64)
}

/// A feature of two inputs on whose order it depends whether what is demanded is met, where these numbers do not meet it.
fn unordered(case: &Subcase<'_>, numbers: &Numbers) -> Option<u32> {
    let statement = case.grid.space.statement;
    if statement.inputs.len() != 2 {
        return None;
    }
    let differs = |feature: u32| differs(case, numbers, feature);
    let is_open = |feature: &u32| !case.is_ordered(*feature) && case.ordered(*feature).is_some();
    for demand in case.demands() {
        match demand {
            Condition::Same { feature, negated: true } if differs(*feature) == Some(false) && is_open(feature) => {
                return Some(*feature);
            }
            Condition::Changed { units, at_least, at_most } => {
                let (certain, possible) = changed(case, numbers, units);
                if certain > *at_most || possible < *at_least {
                    let mut features = units.iter().flatten().copied();
                    let open = features.find(|of| differs(*of).is_some() && is_open(of));
                    if open.is_some() {
                        return open;
                    }
                }
            }
            _ => {}
        }
    }
    None
}

/// Numbers that meet all rows of a case and are within its distances, if there are any. What is hardly outside of a round ball is
/// told from what is not only if that is asked for: it takes long numbers.
fn solve(case: &Subcase<'_>, is_strict: bool) -> Solved {
    let rows = case.rows();
    let mut variables: BTreeSet<Variable> = BTreeSet::new();
    let is_pair = case.grid.space.statement.inputs.len() == 2;
    // Of two inputs that are near each other, one tells where the other can be.
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
    // What cannot be a finite number meets no sum; of the others only those with numbers are looked at.
    for (place, row) in (0..).zip(&rows) {
        if case.ends(&row.terms).is_none() {
            return Solved::Never(Refutation::Sums { rows: vec![(place, Exact::one())], planes: vec![] });
        }
    }
    let ends = variables.into_iter().filter_map(|of| Some((of, case.ends(&[(Exact::one(), of)])?)));
    let ends: BTreeMap<Variable, (Exact, Exact)> = ends.collect();
    let mut planes: Vec<Plane> = vec![];
    loop {
        let of_planes: Option<Vec<Row>> =
            planes.iter().map(|plane| case.limits[plane.distance as usize].row(case, &plane.normal)).collect();
        let Some(of_planes) = of_planes else { return Solved::Unknown };
        let system = System::new(case, &ends, rows.iter().chain(&of_planes));
        let numbers = match system.solve() {
            Ok(Some(numbers)) => numbers,
            Ok(None) => return Solved::Unknown,
            Err(conflict) => {
                let (mut of_rows, mut scaled) = (vec![], vec![]);
                for (place, times) in conflict {
                    match place.checked_sub(rows.len()) {
                        None => of_rows.push((u32::try_from(place).unwrap_or(u32::MAX), times)),
                        Some(plane) => scaled.push(Plane { times, ..planes[plane].clone() }),
                    }
                }
                // Numbers that are too long for a file are no reason.
                let of_planes =
                    scaled.iter().flat_map(|of| of.normal.iter().map(|(_, number)| number).chain([&of.times]));
                let all = of_rows.iter().map(|(_, times)| times).chain(of_planes);
                let texts: Vec<String> = all.map(ToString::to_string).collect();
                let are_short = texts.iter().map(String::len).sum::<usize>() <= MOST_DIGITS;
                if !are_short || texts.iter().any(|text| Exact::from_text(text).is_none()) {
                    return Solved::Unknown;
                }
                return Solved::Never(Refutation::Sums { rows: of_rows, planes: scaled });
            }
        };
        let outside =
            (0..).zip(case.limits).find_map(|(place, limit)| Some((place, plane(case, limit, &numbers, is_strict)?)));
        match outside {
            Some(_) if planes.len() == MOST_PLANES => return Solved::Near(numbers),
            Some((distance, normal)) => planes.push(Plane { distance, times: Exact::one(), normal }),
            None => return Solved::At(numbers),
        }
    }
}

/// Shows the features whose numbers count in a condition: of two inputs also where it compares them. Seen from a row, cells tell.
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

/// A plane with numbers on one side, that are too far away, and all that is near enough on the other.
fn plane(
    case: &Subcase<'_>,
    limit: &DistanceLimit<'_>,
    numbers: &Numbers,
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
    let normals: Vec<Vec<(u32, Exact)>> = match limit.near().norm {
        Norm::Linf | Norm::L0 => along.iter().map(|(feature, number)| vec![(*feature, sign(number))]).collect(),
        Norm::L1 => vec![along.iter().map(|(feature, number)| (*feature, sign(number))).collect()],
        Norm::L2 => around_ball(&along, &left, is_strict),
    };
    normals.into_iter().find(|normal| {
        limit.row(case, normal).is_some_and(|row| {
            let sum = row.terms.iter().filter_map(|(times, of)| Some(times.times(numbers.get(of)?)));
            sum.fold(zero.clone(), |sum, more| sum.plus(&more)) > row.constant
        })
    })
}

/// Planes between a round ball, of which so much is left, and what is outside: those that touch the ball, first one of short
/// numbers, which are added up sooner and mostly do as well; where it is strict, also one that is surely between.
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
    // What rounding changes must have a square that is less than what is beyond.
    let between = (beyond - along.len() as i64).div_euclid(2) - 1;
    let mut normals = vec![rounded(&part, touching - SHORT), rounded(&part, touching - DOUBLE)];
    normals.extend(is_strict.then(|| rounded(&Exact::one(), between)));
    normals
}

/// Variables, by their places, and what they are multiplied by.
type Terms = Vec<(usize, Exact)>;

/// Rows over variables of which each is between two numbers.
struct System {
    variables: Vec<Variable>,
    ends: Vec<[Exact; 2]>,
    rows: Vec<(Terms, treeproof_language::Relation, Exact)>,
}

impl System {
    fn new<'r>(
        case: &Subcase<'_>,
        ends: &BTreeMap<Variable, (Exact, Exact)>,
        rows: impl Iterator<Item = &'r Row>,
    ) -> Self {
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
            // What a group adds is a variable of its own.
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
            all.push((terms, relation, row.constant.clone()));
        }
        Self { variables, ends, rows: all }
    }

    /// Numbers that meet all rows; nothing if it took too long to see; or why there are none.
    fn solve(&self) -> Result<Option<Numbers>, Vec<(usize, Exact)>> {
        let sums: Vec<LinearConstraint<'_>> = self
            .rows
            .iter()
            .map(|row| LinearConstraint {
                terms: row.0.iter().map(|(place, times)| (*place, times)).collect(),
                relation: row.1,
                constant: row.2.clone(),
            })
            .collect();
        let start = |ends: &[Exact; 2]| Exact::zero().max(ends[0].clone()).min(ends[1].clone());
        let mut simplex = Simplex::new(self.ends.iter().map(|ends| (ends.clone(), start(ends))), &sums);
        match simplex.solve() {
            Feasible::Yes => {
                Ok(Some(self.variables.iter().copied().zip(simplex.solution(self.variables.len())).collect()))
            }
            Feasible::Unknown => Ok(None),
            Feasible::No => Err(simplex.conflict().to_vec()),
        }
    }
}
