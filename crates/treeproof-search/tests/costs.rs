//! Budgets, constraints and nearest points against brute force: the optimum is right, the bounds are valid after every step, a run can
//! stop anywhere, and what has no solution is found to have none.

#![expect(clippy::print_stdout, reason = "what kinds of problems there were, for whoever asks to see it")]

#[expect(dead_code, reason = "the other tests use the rest")]
mod support;

use support::costs::costly_problems;
use support::judge::{Judge, check, check_portions, check_solved};
use treeproof_search::{
    Axis, Budget, Case, Channel, Costs, Enumeration, Limits, Merge, Method, Node, Norm, Objective, Problem, Search,
    Split, StopReason, Tree, Unobserved, Value, Veritas, Wanted,
};

fn check_all(about: &str, default: u64, new: impl Fn(&Problem) -> Search<'static>) {
    const KINDS: [&str; 8] = [
        "ask for the nearest by the sum",
        "ask for the nearest by the maximum",
        "have one budget",
        "have several",
        "have a constraint",
        "have several cases or channels",
        "have no solution",
        "take 10 or more steps",
    ];
    let (mut count, mut kinds) = (0, [0; KINDS.len()]);
    for known in costly_problems(default) {
        // Regions are parted into parts that have points: a search that goes on beyond this would never end.
        let points: u64 = known.problem.axes.iter().map(|axis| u64::from(axis.num_cells())).product();
        let most = 2 * points * known.problem.cases.len() as u64;
        let ends = |search: &Search, _| assert!(search.status().steps < most, "{}: too many steps", known.name);
        let steps = check(new(&known.problem), &known, ends);
        let Problem { cases, budgets, constraints, objective, .. } = &known.problem;
        let norm = match objective {
            Objective::Margin => None,
            Objective::Nearest(distance) => Some(distance.norm),
        };
        let is_kind = [
            norm == Some(Norm::Sum),
            norm == Some(Norm::Max),
            budgets.len() == 1,
            budgets.len() > 1,
            !constraints.is_empty(),
            cases.iter().map(|case| case.channels.len()).sum::<usize>() > 1,
            known.optimum == Value::MIN,
            steps >= 10,
        ];
        count += 1;
        kinds.iter_mut().zip(is_kind).for_each(|(count, is_kind)| *count += u64::from(is_kind));
    }
    println!("\ncosts {about}: {count} problems");
    KINDS.iter().zip(kinds).for_each(|(kind, count)| println!("{kind}: {count}"));
    assert!(kinds.iter().all(|kind| 20 * kind > count), "too few of a kind");
}

#[test]
fn the_optimum_is_that_of_brute_force() {
    check_all("with bit masks", 2000, Search::new);
}

#[test]
fn trees_that_are_walked_give_the_same() {
    check_all("with walks", 1000, |problem| Search::prepare(problem, 0, &Unobserved).unwrap());
}

#[test]
fn a_run_can_stop_anywhere_and_go_on() {
    for (index, known) in costly_problems(600).enumerate() {
        check_portions(&known, 1 + index as u64 % 5);
    }
}

#[test]
fn memory_and_threads_change_the_order_not_the_answer() {
    for known in costly_problems(400) {
        for (threads, memory) in [(1, Some(1)), (2, None), (2, Some(1))] {
            let mut search = Search::new(&known.problem);
            let mut limits = Limits::default();
            (limits.threads, limits.memory) = (threads, memory);
            assert_eq!(search.run(&limits, &Judge::of(&known)), StopReason::Optimal, "{}", known.name);
            check_solved(&search, &known);
        }
    }
}

#[test]
fn a_target_is_reached_or_refuted() {
    for known in costly_problems(400) {
        if known.optimum == Value::MIN {
            continue;
        }
        for distance in [-5, -1, 0, 1, 5] {
            let target = known.optimum + distance;
            let mut search = Search::new(&known.problem);
            search.set_target(target);
            let mut limits = Limits::default();
            limits.stop_above = Some(target);
            search.run(&limits, &Unobserved);
            if distance <= 0 {
                assert!(search.lower().is_some_and(|lower| lower >= target), "{}: target {target}", known.name);
            } else {
                assert_eq!(search.lower(), None, "{}", known.name);
                let upper = search.upper().expect("it ran to its end");
                assert!(known.optimum <= upper && upper < target, "{}", known.name);
            }
        }
    }
}

#[test]
fn other_methods_refuse_what_they_do_not_know() {
    for known in costly_problems(20) {
        let refuses = |new: &dyn Fn(&Problem)| {
            let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| new(&known.problem)));
            let message = outcome.expect_err("a method that is to refuse");
            let message = message.downcast_ref::<&str>().expect("a message");
            assert!(message.contains("for `Search` alone"), "{}: {message}", known.name);
        };
        if !known.problem.is_plain() {
            refuses(&|problem| drop(Veritas::new(problem)));
            refuses(&|problem| drop(Merge::new(problem)));
            refuses(&|problem| drop(Enumeration::new(problem, Wanted::best(1))));
        }
    }
}

/// An axis of half a million cells, as the features of large forests have: time that grows with their square would be minutes.
#[test]
fn a_budget_over_many_cells_is_soon_ready() {
    let cells = 1_u32 << 19;
    let axes = vec![Axis::ordered(cells)];
    let tree = Tree {
        nodes: vec![
            Node::Split(Split { axis: 0, cut: cells / 2, special_left: vec![], left: 1, right: 2 }),
            Node::Leaf(1),
            Node::Leaf(2),
        ],
    };
    let costs = Costs { axes: vec![(0..Value::from(cells)).map(|cell| cell - 7).collect()] };
    let budgets = vec![Budget { costs, limit: Value::from(cells / 2) - 8 }];
    let cases = vec![Case { channels: vec![Channel { base: 0, trees: vec![tree] }] }];
    let problem = Problem { axes, cases, budgets, ..Problem::default() };
    let start = std::time::Instant::now();
    let mut search = Search::new(&problem);
    search.run(&Limits::default(), &Unobserved);
    assert_eq!((search.lower(), search.upper()), (Some(1), Some(1)));
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}
