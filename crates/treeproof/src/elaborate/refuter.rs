//! Reasons why conditions leave no input in a box, in the words of the checker: case by case, by sums that have no solution.
//!
//! The search saw this by its own means. The reason is looked for again here, from the statement alone, so that it is one
//! that the checker accepts.

mod sums;

use treeproof_checker::exclusion::distance_limit::DistanceLimit;
use treeproof_checker::exclusion::refute::refutes;
use treeproof_checker::exclusion::subcase::Subcase;
use treeproof_checker::numbers::{self, is_multiple};
use treeproof_checker::region::{CellSet, Region};
use treeproof_checker::space::grid::Grid;
use treeproof_ensemble::exact::Exact;
use treeproof_proof::refutation::Refutation;
use treeproof_proof::statement::condition::{Condition, Domain, Relation, Variable};
use treeproof_search::Cells;

use self::sums::{NumberAssignment, SumOutcome, solve};

/// Limit on the cases for one box.
const MOST_CASES: usize = 20_000;

/// Limit on the cases for all boxes of a log; further boxes get no reason, as writing must end.
pub(super) const MOST_IN_LOG: usize = 100_000;

/// Limit on the depth of nested cases.
const MOST_DEEP: usize = 400;

/// Weight of a case that is parted because of a ball: where values touch the ball, there is no end to it.
const PARTED: usize = 20;

/// The cells and distance limits of a statement, from which boxes are refuted.
#[derive(Debug)]
pub(crate) struct Refuter<'a> {
    pub(super) grid: &'a Grid<'a>,
    pub(super) limits: &'a [DistanceLimit<'a>],
}

impl Refuter<'_> {
    /// The reason why no input of a box meets the conditions; `None` if that is seen at once, is not so, or is not found.
    /// `in_log` is the number of cases left to the log, and falls by those that are looked at.
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

    /// The box of these cells. Axes that the search does not know have all their cells.
    fn region(&self, cells: &[Cells]) -> Region {
        let everything = self.grid.everything();
        let num_axes = everything.num_axes().max(cells.len());
        let axis = |place: usize| {
            // Behind the axes of features are those of changes.
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

/// Refutes a case. `chosen` has the alternatives on the way, `left` the number of cases left.
fn refute(case: &Subcase<'_>, chosen: &mut Vec<usize>, left: &mut usize) -> Option<Refutation> {
    *left = left.checked_sub(1)?;
    if case.is_void() {
        return Some(Refutation::Void);
    }
    let numbers = match solve(case, false) {
        SumOutcome::Never(why) => return Some(why),
        SumOutcome::Unknown => {
            return None;
        }
        SumOutcome::At(_) | SumOutcome::Near(_) if chosen.len() > MOST_DEEP => return None,
        SumOutcome::Near(numbers) => {
            *left = left.checked_sub(PARTED)?;
            let (variable, number) = numbers.keys().find_map(|of| Some((*of, middle(case, *of)?)))?;
            return part(case, variable, number, chosen, left);
        }
        SumOutcome::At(numbers) => numbers,
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
        SumOutcome::Never(why) => Some(why),
        _ => None,
    }
}

/// Parts a case: a feature is a number up to this one, or anything else.
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

/// A number between the least and the greatest of a feature, at which a case can be parted.
fn middle(case: &Subcase<'_>, variable: Variable) -> Option<f64> {
    let (low, high) = case.ends(&[(Exact::one(), variable)])?;
    let middle = low.plus(&high).times(&Exact::power_of_two(-1));
    let [below, _] = case.next_to(variable, &middle)?;
    below.filter(|_| low < high)
}

/// True if numbers meet a condition as far as they tell; cells tell the rest.
fn is_met(condition: &Condition, numbers: &NumberAssignment, case: &Subcase<'_>) -> bool {
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

/// True if a feature has another number in the second input than in the first; `None` if a number is missing.
fn differs(case: &Subcase<'_>, numbers: &NumberAssignment, feature: u32) -> Option<bool> {
    let [first, second] = [0, 1].map(|input| numbers.get(&case.grid.variable(input, feature as usize)));
    Some(first? != second?)
}

/// The number of units that surely differ between two inputs with these numbers, and of those that may.
fn changed(case: &Subcase<'_>, numbers: &NumberAssignment, units: &[Vec<u32>]) -> (u64, u64) {
    let may = |feature: u32, negated: bool| match differs(case, numbers, feature) {
        Some(differs) => differs == negated,
        None => case.may_meet(&Condition::Same { feature, negated }),
    };
    let certain = units.iter().filter(|unit| !unit.iter().all(|feature| may(*feature, false))).count();
    let possible = units.iter().filter(|unit| unit.iter().any(|feature| may(*feature, true))).count();
    (certain as u64, possible as u64)
}

/// A feature whose order at two inputs decides an unmet demand.
fn unordered(case: &Subcase<'_>, numbers: &NumberAssignment) -> Option<u32> {
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
