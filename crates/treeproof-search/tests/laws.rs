//! The laws of a run: bounds hold whatever stops it, it can go on from anywhere, memory and threads change nothing that
//! is proved, and a target closes exactly what cannot reach it.

#[expect(dead_code, reason = "the other tests use the rest")]
mod support;

use std::sync::Mutex;

use support::{Known, known_problems};
use treeproof_search::{Limits, Method, Observer, Problem, Search, Status, StopReason, Unobserved, Value};

/// Checks the bounds at every event.
struct Judge<'p> {
    name: &'p str,
    problem: &'p Problem,
    optimum: Value,
    last: Mutex<(Value, Value)>,
}

impl Judge<'_> {
    fn of(known: &Known) -> Judge<'_> {
        Judge {
            name: &known.name,
            problem: &known.problem,
            optimum: known.optimum,
            last: Mutex::new((Value::MIN, Value::MAX)),
        }
    }
}

impl Observer for Judge<'_> {
    fn observe(&self, status: &Status, solution: Option<&[u32]>) -> bool {
        let (lower, upper) = (status.lower.unwrap_or(Value::MIN), status.upper.unwrap_or(Value::MAX));
        let name = self.name;
        assert!(
            lower <= self.optimum && self.optimum <= upper,
            "{name}: {lower} <= {} <= {upper} is wrong",
            self.optimum
        );
        let mut last = self.last.lock().unwrap();
        assert!(lower >= last.0 && upper <= last.1, "{name}: a bound got worse");
        *last = (lower, upper);
        if let Some(point) = solution {
            assert_eq!(Some(self.problem.value(point)), status.lower, "{name}: a point without its value");
        }
        true
    }
}

fn limits(change: impl FnOnce(&mut Limits)) -> Limits {
    let mut limits = Limits::default();
    change(&mut limits);
    limits
}

fn assert_solved(known: &Known, search: &Search) {
    assert_eq!((search.lower(), search.upper()), (Some(known.optimum), Some(known.optimum)), "{}", known.name);
    assert_eq!(known.problem.value(search.solution().unwrap()), known.optimum, "{}", known.name);
}

#[test]
fn a_run_can_stop_anywhere_and_go_on() {
    for (index, known) in known_problems(400).enumerate() {
        let mut straight = Search::new(&known.problem);
        assert_eq!(straight.run(&Limits::default(), &Judge::of(&known)), StopReason::Optimal, "{}", known.name);
        assert_solved(&known, &straight);
        let mut halting = Search::new(&known.problem);
        let portion = limits(|limits| limits.steps = Some(1 + index as u64 % 7));
        let judge = Judge::of(&known);
        while halting.run(&portion, &judge) != StopReason::Optimal {
            // Through bytes and back: another process could go on.
            halting = Search::restore(&known.problem, &halting.save()).expect("a saved state");
        }
        assert_solved(&known, &halting);
        assert_eq!(
            halting.status().steps,
            straight.status().steps,
            "{}: the same steps, however they are portioned",
            known.name
        );
        assert_eq!(halting.solution(), straight.solution(), "{}", known.name);
    }
}

#[test]
fn a_seed_changes_the_way_not_the_answer() {
    for (index, known) in known_problems(100).enumerate() {
        let run = |seed: u64, threads: usize| {
            let mut search = Search::new(&known.problem);
            search.set_seed(seed);
            search.run(&limits(|limits| limits.threads = threads), &Judge::of(&known));
            assert_solved(&known, &search);
            (search.status(), search.solution().map(<[u32]>::to_vec))
        };
        let seed = index as u64;
        assert_eq!(run(seed, 1), run(seed, 1), "{}: not the same twice", known.name);
        run(seed, 2);
    }
}

#[test]
fn full_memory_changes_the_order_not_the_answer() {
    for known in known_problems(400) {
        let mut search = Search::new(&known.problem);
        let tight = limits(|limits| limits.memory = Some(1));
        let portion = limits(|limits| (limits.memory, limits.steps) = (Some(1), Some(5)));
        let judge = Judge::of(&known);
        search.run(&portion, &judge);
        assert_eq!(search.run(&tight, &judge), StopReason::Optimal, "{}", known.name);
        assert_solved(&known, &search);
    }
}

#[test]
fn two_threads_prove_the_same() {
    for known in known_problems(300) {
        let mut search = Search::new(&known.problem);
        for memory in [None, Some(1)] {
            let portion = limits(|limits| (limits.threads, limits.steps, limits.memory) = (2, Some(10), memory));
            search.run(&portion, &Judge::of(&known));
        }
        let both = limits(|limits| limits.threads = 2);
        assert_eq!(search.run(&both, &Judge::of(&known)), StopReason::Optimal, "{}", known.name);
        assert_solved(&known, &search);
    }
}

#[test]
fn a_target_is_reached_or_refuted() {
    for known in known_problems(400) {
        for distance in [-5, -1, 0, 1, 5] {
            let target = known.optimum + distance;
            let mut search = Search::new(&known.problem);
            search.set_target(target);
            let stop = limits(|limits| limits.stop_above = Some(target));
            let reason = search.run(&stop, &Unobserved);
            if distance <= 0 {
                assert!(search.lower().is_some_and(|lower| lower >= target), "{}: target {target} missed", known.name);
                assert!(known.problem.value(search.solution().unwrap()) >= target, "{}", known.name);
            } else {
                assert_eq!(reason, StopReason::Optimal, "{}", known.name);
                assert_eq!(search.lower(), None, "{}", known.name);
                assert!(search.upper().is_some_and(|upper| known.optimum <= upper && upper < target), "{}", known.name);
            }
        }
    }
}

#[test]
fn limits_stop_a_run_with_what_they_promise() {
    for known in known_problems(300) {
        let mut search = Search::new(&known.problem);
        let reason = search.run(&limits(|limits| limits.gap = 100), &Judge::of(&known));
        assert!(search.upper().unwrap() - search.lower().unwrap() <= 100, "{}: {reason:?}", known.name);
        let mut search = Search::new(&known.problem);
        let below = limits(|limits| limits.stop_below = Some(known.optimum + 50));
        search.run(&below, &Judge::of(&known));
        assert!(search.upper().unwrap() < known.optimum + 50, "{}", known.name);
        struct Never;
        impl Observer for Never {
            fn observe(&self, _: &Status, _: Option<&[u32]>) -> bool {
                false
            }
        }
        let mut search = Search::new(&known.problem);
        let reason = search.run(&Limits::default(), &Never);
        assert!(matches!(reason, StopReason::Interrupted | StopReason::Optimal), "{}", known.name);
        assert!(search.upper().is_none_or(|upper| upper >= known.optimum), "{}", known.name);
    }
}

#[test]
fn damaged_states_are_refused_or_valid() {
    for known in known_problems(20) {
        let mut search = Search::new(&known.problem);
        search.run(&limits(|limits| limits.steps = Some(3)), &Unobserved);
        let saved = search.save();
        for cut in 0..saved.len() {
            assert!(Search::restore(&known.problem, &saved[..cut]).is_none(), "{} cut at {cut}", known.name);
        }
    }
}
