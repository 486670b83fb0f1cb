//! Searches that are wrong, and journals that lie: no proof comes of them.

use std::sync::atomic::{AtomicU64, Ordering};

use treeproof_search::{Constraint, Points};

use super::*;

/// What a liar does to a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lie {
    /// Says nothing of why cells are gone, and gives any reason.
    Unfounded,
    /// Keeps fewer cells than it may.
    Greedy,
    /// Closes a region that should be cut.
    Early,
    /// Forgets a part of a cut.
    Forgetful,
    /// Weighs trees by more than one.
    Heavy,
}

const LIES: [Lie; 5] = [Lie::Unfounded, Lie::Greedy, Lie::Early, Lie::Forgetful, Lie::Heavy];

/// Tells every third record otherwise than it was, and then nothing of regions that it did not open.
#[derive(Debug)]
struct Liar {
    lie: Lie,
    records: u64,
    /// The regions that were opened, and by what number they are told.
    names: Vec<Option<u64>>,
    num_told: u64,
    told: Written,
}

impl Liar {
    fn new(lie: Lie, num_cases: u64, told: Written) -> Self {
        Self { lie, records: 0, names: (0..num_cases).map(Some).collect(), num_told: num_cases, told }
    }

    fn lie(&self, note: &mut treeproof_search::Note) {
        use treeproof_search::{Note as Told, Why};
        match (self.lie, note) {
            (Lie::Unfounded, Told::Kept { why, .. } | Told::Closed(why)) => *why = Why::Constraint(0),
            (Lie::Greedy, Told::Kept { low, high, .. }) if *low + 1 < *high => *low += 1,
            (Lie::Early, note @ Told::Cut { .. }) => *note = Told::Closed(Why::Point),
            (Lie::Forgetful, Told::Cut { is_open, .. }) => is_open[1] = false,
            (Lie::Heavy, Told::Weighed { shares, .. } | Told::Tolled { shares, .. }) => {
                shares.iter_mut().for_each(|share| share.units = share.units * 3 / 2);
            }
            _ => {}
        }
    }
}

impl Journal for Liar {
    fn record(&mut self, region: u64, notes: &[treeproof_search::Note]) {
        self.records += 1;
        let mut told = notes.to_vec();
        if self.records.is_multiple_of(3) {
            told.iter_mut().for_each(|note| self.lie(note));
        }
        let name = self.names[usize::try_from(region).unwrap()];
        let is_open = |note: Option<&treeproof_search::Note>| match note {
            Some(treeproof_search::Note::Cut { is_open, .. }) => *is_open,
            _ => [false; 2],
        };
        for (is_open, is_told) in is_open(notes.last()).into_iter().zip(is_open(told.last())) {
            if is_open {
                self.names.push((is_told && name.is_some()).then_some(self.num_told));
                self.num_told += u64::from(is_told && name.is_some());
            }
        }
        if let Some(name) = name {
            self.told.record(name, &told);
        }
    }
}

/// What a search says is the upper bound, and what its log proves of a problem, if anything.
fn ask(of: &treeproof_search::Problem, lie: Option<Lie>, about: &treeproof_search::Problem) -> (Value, Option<i64>) {
    let mut search = Search::new(of);
    let told = Written::new(of.cases.len());
    match lie {
        Some(lie) => search.set_journal(Box::new(Liar::new(lie, of.cases.len() as u64, told.clone()))),
        None => search.set_journal(Box::new(told.clone())),
    }
    search.run(&Limits::default(), &Steps(u64::MAX));
    let upper = search.upper().unwrap_or(Value::MAX);
    drop(search);
    let log = told.log(Some(upper));
    (upper, replay(&problem(about), &Constraints(about), &log[..]).ok().map(|(proved, _)| proved))
}

#[test]
fn a_journal_that_lies_proves_nothing_that_is_false() {
    let mut caught = [0; LIES.len()];
    for known in support::costs::costly_problems(400) {
        for (place, lie) in LIES.into_iter().enumerate() {
            let (upper, proved) = ask(&known.problem, Some(lie), &known.problem);
            if let Some(proved) = proved {
                assert!(proved >= known.optimum, "{}, {lie:?}: {proved} < {}", known.name, known.optimum);
            }
            // The log does not show what the search says.
            caught[place] += usize::from(proved.is_none_or(|proved| proved > upper));
        }
    }
    assert!(caught.iter().all(|caught| *caught > 10), "{caught:?}");
}

#[test]
fn a_search_that_reads_leaves_too_low_proves_nothing_that_is_false() {
    let (mut wrong, mut leaves) = (0, 0_u64);
    for known in support::costs::costly_problems(800) {
        let mut misread = known.problem.clone();
        for tree in misread.cases.iter_mut().flat_map(|case| &mut case.channels).flat_map(|of| &mut of.trees) {
            for node in &mut tree.nodes {
                if let Node::Leaf(value) = node {
                    leaves += 1;
                    *value -= if leaves.is_multiple_of(2) { 3 } else { 0 };
                }
            }
        }
        let (upper, proved) = ask(&misread, None, &known.problem);
        if let Some(proved) = proved {
            assert!(proved >= known.optimum, "{}: {proved} < {}", known.name, known.optimum);
        }
        wrong += usize::from(upper < known.optimum);
    }
    assert!(wrong > 100, "the search is wrong {wrong} times only");
}

/// Makes a search careless: of every fourth set of points it removes a cell that it may not.
#[derive(Debug, Default)]
struct Careless(AtomicU64);

impl Constraint for Careless {
    fn narrow(&self, points: &mut Points<'_>) {
        let asked = self.0.fetch_add(1, Ordering::Relaxed);
        let axis = (0..points.num_axes()).find(|axis| points.cells(*axis).count() > 1);
        if let Some(axis) = axis.filter(|_| asked.is_multiple_of(4)) {
            let lost = if asked.is_multiple_of(8) { points.cells(axis).next() } else { points.cells(axis).last() };
            points.retain(axis, |cell| Some(cell) != lost);
        }
    }

    fn holds(&self, _: &[u32]) -> bool {
        true
    }
}

#[test]
fn a_search_that_discards_what_it_may_not_is_caught() {
    let (mut wrong, mut caught) = (0, 0);
    for known in support::costs::costly_problems(800) {
        let mut careless = known.problem.clone();
        careless.constraints.push(Arc::new(Careless::default()));
        let (upper, proved) = ask(&careless, None, &known.problem);
        if let Some(proved) = proved {
            assert!(proved >= known.optimum, "{}: {proved} < {}", known.name, known.optimum);
        }
        if upper < known.optimum {
            wrong += 1;
            caught += usize::from(proved.is_none_or(|proved| proved > upper));
        }
    }
    assert_eq!(caught, wrong);
    assert!(wrong > 100, "the search is wrong {wrong} times only");
}
