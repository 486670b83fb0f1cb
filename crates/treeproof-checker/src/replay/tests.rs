//! What real searches tell of random problems proves what they found, and not one unit more.

use std::io::Cursor;
use std::sync::{Arc, Mutex};

use treeproof_proof::record::{CutPlace, DepthFirst, Price, Reason, Share};
use treeproof_search::{Costs, Journal, Limits, Method, Node, Norm, Objective, Search, Status, StopReason, Value};

use super::*;
use crate::region::CellSet;
use crate::trees::bundle::Bundle;
use crate::trees::{CellNode, CellTree, join};

#[path = "../../../treeproof-search/tests/support/mod.rs"]
#[expect(dead_code, reason = "the tests of the search use the rest")]
mod support;

mod broken;
mod listed;

fn everything(of: &treeproof_search::Problem) -> Region {
    Region::new(of.axes.iter().map(|axis| CellSet::all(axis.ordered, axis.ordered + axis.special)).collect())
}

/// The problem of a search, as the checker would make it.
fn problem(of: &treeproof_search::Problem) -> Problem {
    let everything = everything(of);
    let bundle = |tree: &treeproof_search::Tree| {
        let mut values = vec![];
        let mut node = |node: &Node| match node {
            Node::Leaf(value) => {
                values.push(*value);
                CellNode::Leaf(values.len() as u32 - 1)
            }
            Node::Split(split) => {
                let words = everything.axes[split.axis as usize].special.len();
                let mut special = [vec![0; words], vec![0; words]];
                for cell in 0..of.axes[split.axis as usize].special {
                    let side = usize::from(!split.special_left.contains(&cell));
                    special[side][(cell / 64) as usize] |= 1 << (cell % 64);
                }
                CellNode::Split {
                    axis: split.axis,
                    left_end: split.cut,
                    right_start: split.cut,
                    special: special.map(Vec::into_boxed_slice),
                    children: [split.left, split.right],
                }
            }
        };
        let nodes = tree.nodes.iter().map(&mut node).collect();
        let joined = join(&everything, &[CellTree { nodes }], None).unwrap();
        let values: Vec<i64> = joined.leaves.iter().map(|(_, leaves)| values[leaves[0] as usize]).collect();
        Bundle::new(&everything, joined, &values)
    };
    let channel =
        |channel: &treeproof_search::Channel| Channel::new(channel.base, channel.trees.iter().map(bundle).collect());
    let ledger = |costs: &Costs, limit: Option<Value>, is_largest| {
        let lowest: Vec<Value> = costs.axes.iter().map(|cells| cells.iter().copied().min().unwrap_or(0)).collect();
        // Costs of any sign are counted from the least of each axis.
        let lowest = if limit.is_some() { lowest } else { vec![0; costs.axes.len()] };
        let above = |(cells, lowest): (&Vec<Value>, &Value)| cells.iter().map(|cost| cost - lowest).collect();
        Ledger {
            costs: costs.axes.iter().zip(&lowest).map(above).collect(),
            fixed: 0,
            limit: limit.map(|limit| limit - lowest.iter().sum::<Value>()),
            is_largest,
        }
    };
    let mut ledgers: Vec<Ledger> =
        of.budgets.iter().map(|budget| ledger(&budget.costs, Some(budget.limit), false)).collect();
    if let Objective::Nearest(distance) = &of.objective {
        ledgers.push(ledger(&distance.costs, None, distance.norm == Norm::Max));
    }
    let cases = of.cases.iter().map(|case| case.channels.iter().map(channel).collect()).collect();
    Problem { everything, cases, ledgers, is_nearest: of.objective != Objective::Margin, listed: vec![] }
}

/// Exclusion what no point of a box meets, by looking at each.
struct Constraints<'p>(&'p treeproof_search::Problem);

impl Exclusion for Constraints<'_> {
    fn excludes(&self, region: &Region, _: Option<&Refutation>) -> bool {
        let cells: Vec<Vec<u32>> = region.axes.iter().map(|cells| cells.cells().collect()).collect();
        let mut points: Vec<Vec<u32>> = vec![vec![]];
        for cells in &cells {
            points = points.iter().flat_map(|point| cells.iter().map(|cell| [&point[..], &[*cell]].concat())).collect();
        }
        let holds = |point: &Vec<u32>| self.0.constraints.iter().all(|constraint| constraint.holds(point));
        !points.iter().any(holds)
    }

    fn misses(&self, _: &Region, _: usize) -> bool {
        false
    }
}

type Records = DepthFirst<Cursor<Vec<u8>>>;

#[derive(Clone, Debug)]
struct Written(Arc<Mutex<Option<Records>>>);

impl Written {
    fn new(num_cases: usize) -> Self {
        Self(Arc::new(Mutex::new(Some(DepthFirst::new(Cursor::new(vec![]), num_cases as u64)))))
    }

    /// The log, without what is not needed to show that nothing is worth more than `enough`.
    fn log(&self, enough: Option<Value>) -> Vec<u8> {
        let mut log = vec![];
        let records = self.0.lock().unwrap().take().unwrap();
        records.assemble(enough, |piece| log.extend_from_slice(piece)).unwrap();
        log
    }
}

impl Journal for Written {
    fn record(&mut self, region: u64, notes: &[treeproof_search::Note]) {
        let bounds = match notes.last() {
            Some(treeproof_search::Note::Cut { bounds, .. }) => *bounds,
            Some(treeproof_search::Note::Parted { bound, .. }) => [*bound; 2],
            _ => [Value::MIN; 2],
        };
        let notes: Vec<Note> = notes.iter().filter_map(told).collect();
        self.0.lock().unwrap().as_mut().unwrap().record(region, &notes, bounds);
    }
}

fn told(note: &treeproof_search::Note) -> Option<Note> {
    use treeproof_search::Note as Told;
    let share = |share: &treeproof_search::Share| Share { tree: share.tree, axis: share.axis, units: share.units };
    let shares = |shares: &[treeproof_search::Share]| shares.iter().map(share).collect();
    let price = |price: &treeproof_search::Price| Price {
        ledger: price.table,
        mantissa: price.mantissa,
        exponent: price.exponent,
    };
    let why = |why: &treeproof_search::Why| match *why {
        treeproof_search::Why::Known => Reason::Known,
        treeproof_search::Why::Point => Reason::Point,
        treeproof_search::Why::Cost(ledger) => Reason::Cost(ledger),
        treeproof_search::Why::Constraint(number) => Reason::Constraint(number),
        treeproof_search::Why::Listed(number) => Reason::Listed(number),
        treeproof_search::Why::Channel(channel, by_leaves) => Reason::Channel(channel, by_leaves),
    };
    let place = |place: &treeproof_search::journal::Place| match *place {
        treeproof_search::journal::Place::Below(cell) => CutPlace::Below(cell),
        treeproof_search::journal::Place::Ordered => CutPlace::Ordered,
        treeproof_search::journal::Place::Special(cell) => CutPlace::Special(cell),
    };
    Some(match note {
        Told::Void { .. } => return None,
        Told::Weighed { channel, shares: own, price: at, widened } => {
            Note::Weighed { channel: *channel, shares: shares(own), price: at.as_ref().map(price), widened: *widened }
        }
        Told::Tolled { channel, shares: own, price: at } => {
            Note::Tolled { channel: *channel, shares: shares(own), price: price(at) }
        }
        Told::Kept { axis, low, high, special, why: reason } => {
            Note::Kept { axis: *axis, low: *low, high: *high, special: special.clone(), reason: why(reason) }
        }
        Told::Closed(reason) => Note::Closed(why(reason)),
        Told::Parted { axis, cut, special, .. } => {
            let place = CutPlace::Set(*cut, special.clone());
            Note::Cut { axis: *axis, place, is_open: [true; 2], channel: None }
        }
        Told::Cut { axis, place: at, is_open, channel, .. } => {
            Note::Cut { axis: *axis, place: place(at), is_open: *is_open, channel: *channel }
        }
    })
}

struct Steps(u64);

impl treeproof_search::Stop for Steps {}

impl treeproof_search::Observer for Steps {
    fn observe(&self, status: &Status, _: Option<&[u32]>) -> bool {
        status.steps < self.0
    }
}

/// What a search does, and what it found.
fn logged(of: &treeproof_search::Problem, limits: &Limits, is_trimmed: bool) -> (Vec<u8>, StopReason, Value) {
    let mut search = Search::new(of);
    let written = Written::new(of.cases.len());
    search.set_journal(Box::new(written.clone()));
    let reason = search.run(limits, &Steps(u64::MAX));
    let upper = search.upper().unwrap_or(Value::MAX);
    drop(search);
    (written.log(is_trimmed.then_some(upper)), reason, upper)
}

fn check(name: &str, of: &treeproof_search::Problem, optimum: Value, limits: &Limits) {
    for is_trimmed in [false, true] {
        let (log, reason, upper) = logged(of, limits, is_trimmed);
        let (proved, _) =
            replay(&problem(of), &Constraints(of), &log[..]).unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
        let forgetful = replay_within(&problem(of), &Constraints(of), &log[..], 0).map(|(proved, _)| proved).ok();
        assert_eq!(forgetful, Some(proved), "{name}: leaves that are found again are others");
        // To the search what misses the goal is nothing.
        let proved = if proved == MISSED { EMPTY } else { proved };
        assert!(proved >= optimum, "{name}: {proved} < {optimum}, a wrong proof");
        assert!(proved <= upper, "{name}: {proved} > {upper}, {reason:?}");
        if reason == StopReason::Optimal {
            assert!(proved == optimum || proved <= upper, "{name}: {proved} and {optimum}");
        }
    }
}

#[test]
fn a_log_proves_what_the_search_found() {
    for known in support::costs::costly_problems(800) {
        let mut limits = Limits::default();
        check(&known.name, &known.problem, known.optimum, &limits);
        limits.steps = Some(5);
        check(&known.name, &known.problem, known.optimum, &limits);
        limits.steps = None;
        limits.threads = 2;
        check(&known.name, &known.problem, known.optimum, &limits);
    }
}

#[test]
fn memory_that_is_full_changes_nothing() {
    for known in support::costs::costly_problems(200) {
        let mut limits = Limits::default();
        limits.memory = Some(1);
        check(&known.name, &known.problem, known.optimum, &limits);
    }
}

#[test]
fn a_damaged_log_is_refused_or_still_right() {
    let mut state = 1_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let (mut refused, mut right) = (0, 0);
    for known in support::costs::costly_problems(200) {
        let (log, ..) = logged(&known.problem, &Limits::default(), known.optimum % 2 == 0);
        let problem = problem(&known.problem);
        for _ in 0..20 {
            let mut damaged = log.clone();
            for _ in 0..=random(2) {
                let place = random(damaged.len());
                damaged[place] = [0, 1, 2, 127, 255, damaged[place].wrapping_add(1)][random(6)];
            }
            match replay(&problem, &Constraints(&known.problem), &damaged[..]) {
                Err(_) => refused += 1,
                Ok((proved, _)) => {
                    right += 1;
                    assert!(proved >= known.optimum, "{}: {proved} < {}, a wrong proof", known.name, known.optimum);
                }
            }
        }
    }
    assert!(refused > 0 && right > 0);
}
