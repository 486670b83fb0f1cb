//! Budgets and nearest points against brute force: the optimum is right, the bounds are valid after every step, a run can
//! stop anywhere, and what has no solution is found to have none.

#![expect(clippy::print_stdout, reason = "what kinds of problems there were, for whoever asks to see it")]

#[expect(dead_code, reason = "the other tests use the rest")]
mod support;

use support::{Mode, Random, add_costs, best_worth, number_from_environment, random_problem};
use treeproof_search::{Limits, Method, Objective, Problem, Search, StopReason, Unobserved, Value};

/// A problem with costs, what to call it, and the most that a point is worth.
struct Costly {
    name: String,
    problem: Problem,
    optimum: Option<Value>,
}

fn problems(default: u64) -> impl Iterator<Item = Costly> {
    let seed = number_from_environment("TREEPROOF_SEED", 1);
    (0..number_from_environment("TREEPROOF_PROBLEMS", default)).map(move |index| {
        let mode = if index % 3 == 0 { Mode::Odd } else { Mode::Small };
        let mut random = Random::of_problem(seed, index);
        let mut problem = random_problem(&mut random, mode);
        add_costs(&mut random, &mut problem);
        let optimum = best_worth(&problem);
        Costly { name: format!("seed {seed}, {mode:?} problem {index} with costs"), problem, optimum }
    })
}

fn assert_solved(costly: &Costly, search: &Search) {
    let Costly { name, problem, optimum } = costly;
    assert_eq!(search.lower(), *optimum, "{name}");
    assert_eq!(search.upper(), Some(optimum.unwrap_or(Value::MIN)), "{name}");
    assert_eq!(search.solution().map(|point| problem.worth(point)), optimum.map(Some), "{name}");
}

fn check(about: &str, default: u64, new: impl Fn(&Problem) -> Search) {
    let (mut count, mut nearest, mut without, mut long) = (0, 0, 0, 0);
    for costly in problems(default) {
        let Costly { name, problem, optimum } = &costly;
        let mut search = new(problem);
        let (mut last_upper, mut last_lower) = (Value::MAX, None);
        while search.step() {
            let upper = search.upper().unwrap_or(Value::MAX);
            let lower = search.lower();
            let about = format!("{name}, step {}", search.status().steps);
            assert!(lower <= *optimum, "{about}: {lower:?} <= {optimum:?} is wrong");
            assert!(optimum.is_none_or(|optimum| optimum <= upper), "{about}: {optimum:?} <= {upper} is wrong");
            assert!(upper <= last_upper && lower >= last_lower, "{about}: a bound got worse");
            (last_upper, last_lower) = (upper, lower);
        }
        assert_solved(&costly, &search);
        count += 1;
        nearest += u64::from(matches!(problem.objective, Objective::Nearest(_)));
        without += u64::from(optimum.is_none());
        long += u64::from(search.status().steps >= 10);
    }
    println!(
        "costs {about}: {count} problems, {nearest} ask for the nearest, {without} without solution, {long} with 10 or more \
         steps, 0 wrong"
    );
}

#[test]
fn the_optimum_is_that_of_brute_force() {
    check("with bit masks", 2000, Search::new);
}

#[test]
fn trees_that_are_walked_give_the_same() {
    check("with walks", 1000, |problem| Search::within_mask_bytes(problem, 0));
}

#[test]
fn a_run_can_stop_anywhere_and_go_on() {
    for (index, costly) in problems(600).enumerate() {
        let mut straight = Search::new(&costly.problem);
        straight.run(&Limits::default(), &Unobserved);
        assert_solved(&costly, &straight);
        let mut halting = Search::new(&costly.problem);
        let mut portion = Limits::default();
        portion.steps = Some(1 + index as u64 % 5);
        while halting.run(&portion, &Unobserved) != StopReason::Optimal {
            halting = Search::restore(&costly.problem, &halting.save()).expect("a saved state");
        }
        assert_solved(&costly, &halting);
        assert_eq!(halting.status().steps, straight.status().steps, "{}: the same steps", costly.name);
        assert_eq!(halting.solution(), straight.solution(), "{}", costly.name);
    }
}

#[test]
fn memory_and_threads_change_the_order_not_the_answer() {
    for costly in problems(400) {
        for (threads, memory) in [(1, Some(1)), (2, None), (2, Some(1))] {
            let mut search = Search::new(&costly.problem);
            let mut limits = Limits::default();
            (limits.threads, limits.memory) = (threads, memory);
            assert_eq!(search.run(&limits, &Unobserved), StopReason::Optimal, "{}", costly.name);
            assert_solved(&costly, &search);
        }
    }
}

#[test]
fn a_target_is_reached_or_refuted() {
    for costly in problems(400) {
        let Some(optimum) = costly.optimum else { continue };
        for distance in [-5, -1, 0, 1, 5] {
            let target = optimum + distance;
            let mut search = Search::new(&costly.problem);
            search.set_target(target);
            let mut limits = Limits::default();
            limits.stop_above = Some(target);
            search.run(&limits, &Unobserved);
            if distance <= 0 {
                assert!(search.lower().is_some_and(|lower| lower >= target), "{}: target {target}", costly.name);
            } else {
                assert_eq!(search.lower(), None, "{}", costly.name);
                let upper = search.upper().expect("it ran to its end");
                assert!(optimum <= upper && upper < target, "{}", costly.name);
            }
        }
    }
}
