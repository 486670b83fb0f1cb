//! The laws of a run: bounds hold whatever stops it, it can go on from anywhere, memory and threads change nothing that
//! is proved, and a target closes exactly what cannot reach it.

#[expect(dead_code, reason = "the other tests use the rest")]
mod support;

use support::judge::{Judge, check_portions, check_solved};
use support::known_problems;
use treeproof_search::{Limits, Method, Observer, Search, Status, StopReason, Unobserved};

fn limits(change: impl FnOnce(&mut Limits)) -> Limits {
    let mut limits = Limits::default();
    change(&mut limits);
    limits
}

#[test]
fn a_run_can_stop_anywhere_and_go_on() {
    for (index, known) in known_problems(400).enumerate() {
        check_portions(&known, 1 + index as u64 % 7);
    }
}

#[test]
fn a_seed_changes_the_way_not_the_answer() {
    for (index, known) in known_problems(100).enumerate() {
        let run = |seed: u64, threads: usize| {
            let mut search = Search::new(&known.problem);
            search.set_seed(seed);
            search.run(&limits(|limits| limits.threads = threads), &Judge::of(&known));
            check_solved(&search, &known);
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
        check_solved(&search, &known);
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
        check_solved(&search, &known);
    }
}

/// A thread must count the whole stack of another that searches depth first, or a run stops before its reason is true.
#[test]
fn two_threads_in_full_memory_stop_only_for_what_is_true() {
    for known in known_problems(300) {
        let mut search = Search::new(&known.problem);
        search.run(&limits(|limits| limits.steps = Some(10)), &Unobserved);
        while search.upper() > Some(known.optimum) {
            let below = known.optimum + (search.upper().unwrap() - known.optimum) / 2 + 1;
            let tight = limits(|limits| (limits.threads, limits.memory, limits.stop_below) = (2, Some(1), Some(below)));
            search.run(&tight, &Unobserved);
            assert!(search.upper().unwrap() < below, "{}: stopped before the bound was below {below}", known.name);
        }
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

/// A target asks for more, never for less: a point that is known stays, and so does a higher target.
#[test]
fn a_target_takes_nothing_back() {
    for known in known_problems(50) {
        let mut search = Search::new(&known.problem);
        search.run(&Limits::default(), &Unobserved);
        search.set_target(known.optimum + 5);
        check_solved(&search, &known);
        let mut search = Search::new(&known.problem);
        search.set_target(known.optimum + 5);
        search.set_target(known.optimum - 5);
        assert_eq!(search.run(&Limits::default(), &Unobserved), StopReason::Optimal, "{}", known.name);
        assert_eq!(search.lower(), None, "{}: a point below the higher target", known.name);
    }
}

/// Each limit stops at the first step at which it holds: not before, and not after.
#[test]
fn limits_stop_a_run_at_once() {
    for known in known_problems(100) {
        let mut search = Search::new(&known.problem);
        let stops = |change: &dyn Fn(&mut Limits)| {
            let mut search = Search::new(&known.problem);
            let reason = search.run(&limits(change), &Unobserved);
            (reason, search.status().steps)
        };
        while search.step() {
            let (steps, Some(lower), Some(upper)) = (search.status().steps, search.lower(), search.upper()) else {
                continue;
            };
            if steps > 10 || lower == upper {
                break;
            }
            let (reason, stopped_at) = stops(&|limits| limits.stop_above = Some(lower));
            assert!(reason == StopReason::Above && stopped_at <= steps, "{}, step {steps}: {reason:?}", known.name);
            let (reason, stopped_at) = stops(&|limits| limits.stop_below = Some(upper + 1));
            assert!(reason == StopReason::Below && stopped_at <= steps, "{}, step {steps}: {reason:?}", known.name);
            assert!(stops(&|limits| limits.stop_below = Some(upper)).1 > steps, "{}, step {steps}", known.name);
            let (reason, stopped_at) = stops(&|limits| limits.gap = upper - lower);
            assert!(reason == StopReason::Gap && stopped_at <= steps, "{}, step {steps}: {reason:?}", known.name);
            assert!(stops(&|limits| limits.gap = upper - lower - 1).1 > steps, "{}, step {steps}", known.name);
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
        impl treeproof_search::Stop for Never {}

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
