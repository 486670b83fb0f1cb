//! Searches that are wrong, and journals that lie: no proof comes of them.

use super::*;
use support::Random;

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

/// Tells every third record otherwise than it was.
#[derive(Debug)]
struct Liar {
    lie: Lie,
    records: u64,
    told: Written,
}

impl Journal for Liar {
    fn record(&mut self, region: u64, notes: &[treeproof_search::Note]) {
        use treeproof_search::Note as Told;
        let mut notes = notes.to_vec();
        self.records += 1;
        let lies = self.records.is_multiple_of(3);
        for note in notes.iter_mut().filter(|_| lies) {
            match (self.lie, note) {
                (Lie::Unfounded, Told::Kept { why, .. } | Told::Closed(why)) => *why = treeproof_search::Why::Constraint(0),
                (Lie::Greedy, Told::Kept { low, high, .. }) if *high - *low > 1 => *low += 1,
                (Lie::Early, note @ Told::Cut { .. }) => *note = Told::Closed(treeproof_search::Why::Point),
                (Lie::Forgetful, Told::Cut { is_open, .. }) => *is_open = [is_open[0], false],
                (Lie::Heavy, Told::Weighed { shares, .. } | Told::Tolled { shares, .. }) => {
                    shares.iter_mut().for_each(|share| share.units = share.units * 3 / 2);
                }
                _ => {}
            }
        }
        self.told.record(region, &notes);
    }
}

/// What a search says is the upper bound, and what its log proves of a problem, if anything.
fn ask(of: &treeproof_search::Problem, lie: Option<Lie>, about: &treeproof_search::Problem) -> (Value, Option<i64>) {
    let mut search = Search::new(of);
    let encoder = Arc::new(Mutex::new(Encoder::new(of.cases.len() as u64)));
    let told = Written(Arc::clone(&encoder));
    match lie {
        Some(lie) => search.set_journal(Box::new(Liar { lie, records: 0, told })),
        None => search.set_journal(Box::new(told)),
    }
    search.run(&Limits::default(), &Steps(u64::MAX));
    let upper = search.upper().unwrap_or(Value::MAX);
    drop(search);
    let log = std::mem::take(&mut encoder.lock().unwrap().bytes);
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
    let (mut wrong, mut random) = (0, Random(1));
    for known in support::costs::costly_problems(800) {
        let mut misread = known.problem.clone();
        for tree in misread.cases.iter_mut().flat_map(|case| &mut case.channels).flat_map(|of| &mut of.trees) {
            for node in &mut tree.nodes {
                if let Node::Leaf(value) = node {
                    *value -= Value::from(u8::from(random.next().is_multiple_of(2))) * 3;
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
