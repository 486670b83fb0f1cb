//! Finds out why conditions leave no input in a box, in the words of the checker: case by case, by sums that cannot be.
//!
//! What the search saw by its own means is looked for again here, from the statement alone; so what is written is what the checker
//! sees.

use std::collections::{BTreeMap, BTreeSet};

use treeproof_ensemble::exact::Exact;
use treeproof_proof::condition::{Condition, Relation, Variable};
use treeproof_proof::grid::Grid;
use treeproof_proof::near::Norm;
use treeproof_proof::numbers::is_multiple;
use treeproof_proof::reach::Reach;
use treeproof_proof::refute::{Plane, Refutation};
use treeproof_proof::region::{CellSet, Region};
use treeproof_proof::situation::{Row, Situation};
use treeproof_search::Cells;

use crate::compile::{Feasible, LinearSum, Simplex};
use crate::language;

/// So many cases are looked at.
const MOST_CASES: usize = 20_000;

/// So many cases are within each other.
const MOST_DEEP: usize = 400;

/// With so many planes it is given up.
const MOST_PLANES: usize = 64;

/// Knows what a statement demands.
#[derive(Debug)]
pub(crate) struct Refuter<'a> {
    grid: &'a Grid<'a>,
    reaches: &'a [Reach<'a>],
}

/// Numbers of features.
type Numbers = BTreeMap<Variable, Exact>;

/// Whether what sums must be can be.
enum Solved {
    /// These numbers are such.
    At(Numbers),
    /// Nothing is such.
    Never(Refutation),
    /// It took too long to see.
    Unknown,
}

impl<'a> Refuter<'a> {
    pub(crate) fn new(grid: &'a Grid<'a>, reaches: &'a [Reach<'a>]) -> Self {
        Self { grid, reaches }
    }

    /// Why no input of a box meets the conditions; none if that is seen at once, or is not so, or is not found.
    pub(crate) fn refute(&self, cells: &[Cells]) -> Option<Refutation> {
        let region = self.region(cells);
        let whole = Situation::new(self.grid, self.reaches, &region);
        if whole.is_void() || whole.is_too_far() {
            return None;
        }
        let mut left = MOST_CASES;
        let found = refute(&whole, &mut vec![], &mut left)?;
        debug_assert!(found.refutes(&whole), "{found:?}");
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

fn refute(case: &Situation<'_>, chosen: &mut Vec<usize>, left: &mut usize) -> Option<Refutation> {
    *left = left.checked_sub(1)?;
    if case.is_void() {
        return Some(Refutation::Void);
    }
    let numbers = match solve(case) {
        Solved::Never(why) => return Some(why),
        Solved::Unknown => return None,
        Solved::At(numbers) => numbers,
    };
    if chosen.len() > MOST_DEEP {
        return None;
    }
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
        let [less, same, more] = cases.each_ref().map(|case| refute(case, chosen, left));
        return Some(Refutation::Ordered { feature, cases: Box::new([less?, same?, more?]) });
    }
    // The last number that is between two members: those before it are freer to follow.
    for (variable, number) in numbers.iter().rev() {
        let Some([below, above]) = case.next_to(*variable, number) else { continue };
        if below.is_some() && below == above {
            continue;
        }
        let number = below.or_else(|| above.map(f64::next_down)).unwrap_or(0.0);
        let cases = case.parted(*variable, number)?;
        chosen.push(usize::MAX);
        let [lower, upper] = cases.each_ref().map(|case| refute(case, chosen, left));
        chosen.pop();
        return Some(Refutation::Parted { variable: *variable, number, cases: Box::new([lower?, upper?]) });
    }
    None
}

/// Whether numbers meet a condition, as far as they tell; what cells tell is seen otherwise.
fn is_met(condition: &Condition, numbers: &Numbers, case: &Situation<'_>) -> bool {
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
                _ => true,
            }
        }
        _ => true,
    }
}

/// A feature of two inputs on whose order it depends whether what is demanded is met, where these numbers do not meet it.
fn unordered(case: &Situation<'_>, numbers: &Numbers) -> Option<u32> {
    let statement = case.grid.space.statement;
    if statement.inputs.len() != 2 {
        return None;
    }
    let differs = |feature: u32| {
        let [first, second] = [0, 1].map(|input| numbers.get(&case.grid.variable(input, feature as usize)));
        Some(first? != second?)
    };
    let is_open = |feature: &u32| !case.is_ordered(*feature) && case.ordered(*feature).is_some();
    for demand in case.demands() {
        match demand {
            Condition::Same { feature, negated: true } if differs(*feature) == Some(false) && is_open(feature) => {
                return Some(*feature);
            }
            Condition::Changed { units, at_least, at_most } => {
                let may = |unit: &Vec<u32>, is_changed: bool| match is_changed {
                    true => unit.iter().any(|of| differs(*of).unwrap_or_else(|| case.may_be(*of, true))),
                    false => {
                        unit.iter().all(|of| differs(*of).map_or_else(|| case.may_be(*of, false), |differs| !differs))
                    }
                };
                let certain = units.iter().filter(|unit| !may(unit, false)).count() as u64;
                let possible = units.iter().filter(|unit| may(unit, true)).count() as u64;
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

/// Numbers that meet all rows of a case and are within its distances, if there are any.
fn solve(case: &Situation<'_>) -> Solved {
    let rows = case.rows();
    let mut variables: BTreeSet<Variable> = BTreeSet::new();
    let mut add = |of: Variable| {
        let (input, feature) = (of.input as usize, of.feature as usize);
        if case.grid.space.group_of(feature).is_none() {
            variables.insert(case.grid.variable(input, feature));
        }
    };
    case.demands().iter().for_each(|demand| valued(demand, &mut add));
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
    while planes.len() < MOST_PLANES {
        let of_planes: Option<Vec<Row>> =
            planes.iter().map(|plane| case.reaches[plane.reach as usize].row(case, &plane.normal)).collect();
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
                        Some(plane) => {
                            let Plane { reach, normal } = &planes[plane];
                            let normal = normal.iter().map(|(feature, number)| (*feature, number.times(&times)));
                            scaled.push(Plane { reach: *reach, normal: normal.collect() });
                        }
                    }
                }
                // A number that is too long for a file is no reason.
                let normals = scaled.iter().flat_map(|plane| &plane.normal);
                let mut all = of_rows.iter().chain(normals).map(|(_, times): &(u32, Exact)| times);
                if !all.all(|times| Exact::from_text(&times.to_string()).is_some()) {
                    return Solved::Unknown;
                }
                return Solved::Never(Refutation::Sums { rows: of_rows, planes: scaled });
            }
        };
        let outside =
            (0..).zip(case.reaches).find_map(|(place, reach)| plane(case, reach, &numbers).map(|of| (place, of)));
        match outside {
            Some((reach, normal)) => planes.push(Plane { reach, normal }),
            None => return Solved::At(numbers),
        }
    }
    Solved::Unknown
}

/// Shows the features whose numbers count in a condition.
fn valued(condition: &Condition, see: &mut impl FnMut(Variable)) {
    match condition {
        Condition::All(parts) | Condition::Any(parts) => parts.iter().for_each(|part| valued(part, see)),
        Condition::Linear { terms, .. } => terms.iter().for_each(|term| see(term.variable)),
        Condition::Multiple { variable, .. } => see(*variable),
        _ => {}
    }
}

/// A plane with numbers on one side, that are too far away, and all that is near enough on the other.
fn plane(case: &Situation<'_>, reach: &Reach<'_>, numbers: &Numbers) -> Option<Vec<(u32, Exact)>> {
    let zero = Exact::zero();
    let mut along: Vec<(u32, Exact)> = vec![];
    for feature in 0..u32::try_from(case.grid.space.statement.features.len()).ok()? {
        let Some(row) = reach.along(case, feature) else { continue };
        let terms: Option<Vec<Exact>> =
            row.terms.iter().map(|(times, of)| Some(times.times(numbers.get(of)?))).collect();
        let Some(terms) = terms else { continue };
        let number = terms.iter().fold(row.constant.negated(), |sum, term| sum.plus(term));
        if number != zero {
            along.push((feature, number));
        }
    }
    let sign = |number: &Exact| if *number > zero { Exact::one() } else { Exact::one().negated() };
    let features: Vec<u32> = along.iter().map(|(feature, _)| *feature).collect();
    let normals: Vec<Vec<(u32, Exact)>> = match reach.near().norm {
        Norm::Linf | Norm::L0 => along.iter().map(|(feature, number)| vec![(*feature, sign(number))]).collect(),
        Norm::L1 => vec![along.iter().map(|(feature, number)| (*feature, sign(number))).collect()],
        Norm::L2 => {
            let rounded = |number: &Exact| Exact::from_f64(number.to_f64()).unwrap_or_else(|| sign(number));
            vec![along.iter().map(|(feature, number)| (*feature, rounded(number))).collect()]
        }
    };
    reach.left(case.grid, case.region, &features)?;
    normals.into_iter().find(|normal| {
        reach.row(case, normal).is_some_and(|row| {
            let sum = row.terms.iter().filter_map(|(times, of)| Some(times.times(numbers.get(of)?)));
            sum.fold(zero.clone(), |sum, more| sum.plus(&more)) > row.constant
        })
    })
}

/// Variables, by their places, and what they are multiplied by.
type Terms = Vec<(usize, Exact)>;

/// Rows over variables of which each is between two numbers.
struct System {
    variables: Vec<Variable>,
    ends: Vec<[Exact; 2]>,
    rows: Vec<(Terms, language::Relation, Exact)>,
}

impl System {
    fn new<'r>(
        case: &Situation<'_>,
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
                Relation::Below => language::Relation::Below,
                Relation::AtMost => language::Relation::AtMost,
                Relation::Equal => language::Relation::Equal,
            };
            all.push((terms, relation, row.constant.clone()));
        }
        Self { variables, ends, rows: all }
    }

    /// Numbers that meet all rows; nothing if it took too long to see; or why there are none.
    fn solve(&self) -> Result<Option<Numbers>, Vec<(usize, Exact)>> {
        let sums: Vec<LinearSum<'_>> = self
            .rows
            .iter()
            .map(|row| LinearSum {
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
