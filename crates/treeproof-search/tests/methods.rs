//! The laws of ARA* and of merging, and problems at the edge for every method.

#[expect(dead_code, reason = "the other tests use the rest")]
mod support;

use support::brute::optimum;
use support::judge::{Judge, check, check_now};
use support::{Known, known_problems};
use treeproof_search::{Axis, Case, Channel, Merge, Node, Problem, Search, Split, Strategy, Tree, Value, Veritas};

/// A solution found with ε is worth at least ε of the optimum, counted from the floor; and ε moves by twentieths.
fn check_relaxed(veritas: Veritas, known: &Known) -> u64 {
    let (mut epsilon, mut lower) = (0, None);
    check(veritas, known, |veritas, is_after| {
        if is_after && veritas.lower() > lower {
            let from_floor = |value: Value| i128::from(value) - i128::from(veritas.floor());
            let found = from_floor(veritas.lower().unwrap());
            assert!(
                i128::from(epsilon) * from_floor(known.optimum) <= 20 * found,
                "{}: the solution of step {} is too bad for ε = {epsilon}/20",
                known.name,
                veritas.steps()
            );
            assert_eq!(veritas.epsilon_twentieths(), (epsilon + 1).min(20), "{}", known.name);
        } else if is_after {
            assert!(veritas.epsilon_twentieths() <= epsilon && veritas.epsilon_twentieths() > 0, "{}", known.name);
        }
        (epsilon, lower) = (veritas.epsilon_twentieths(), veritas.lower());
        assert!(veritas.floor() <= known.optimum);
    })
}

#[test]
fn relaxed_solutions_are_as_good_as_epsilon_says() {
    for known in known_problems(200) {
        check_relaxed(Veritas::new(&known.problem), &known);
    }
}

/// A search that is short of patience lowers ε all the time, and all laws hold.
#[test]
fn epsilon_is_lowered_when_no_solution_comes() {
    let mut lowered = 0;
    for known in known_problems(60) {
        let mut veritas = Veritas::within_steps(&known.problem, 50);
        while !veritas.is_done() && veritas.epsilon_twentieths() >= 10 {
            veritas.step();
        }
        lowered += u64::from(veritas.epsilon_twentieths() < 10);
        check_relaxed(Veritas::within_steps(&known.problem, 50), &known);
    }
    assert!(lowered > 0);
}

/// With patience for three steps, and a tree for each of four steps before the first solution, ε falls at the third.
#[test]
fn patience_is_counted_in_steps() {
    let channel = Channel { base: 0, trees: vec![Tree::constant(1); 4] };
    let problem = Problem { axes: vec![], cases: vec![Case { channels: vec![channel] }] };
    let mut veritas = Veritas::with_strategy(&problem, Strategy::Anytime { patience: 3 });
    let mut epsilons = vec![];
    while veritas.step() {
        epsilons.push(veritas.epsilon_twentieths());
    }
    assert_eq!(epsilons, [10, 10, 9, 9, 10]);
}

/// By A* the first solution is the best one, and then nothing is left to do.
#[test]
fn the_first_solution_of_a_star_is_optimal() {
    for known in known_problems(100) {
        let mut veritas = Veritas::with_strategy(&known.problem, Strategy::AStar);
        while veritas.lower().is_none() {
            assert!(veritas.step());
        }
        assert!(veritas.is_done(), "{}", known.name);
        assert_eq!(veritas.lower(), Some(known.optimum), "{}", known.name);
    }
}

/// Whatever memory there is, the bounds are valid where merging stops, and it stops within that memory.
#[test]
fn merging_stops_when_memory_is_full() {
    let mut stopped = 0;
    for known in known_problems(100) {
        let limit = 2 * Merge::new(&known.problem).memory();
        let mut merge = Merge::within_bytes(&known.problem, limit);
        let judge = Judge::of(&known);
        check_now(&merge, &judge);
        while merge.step() {
            assert!(merge.memory() <= limit, "{}", known.name);
            check_now(&merge, &judge);
        }
        assert_eq!(merge.is_out_of_memory(), !merge.is_done(), "{}", known.name);
        stopped += u64::from(merge.is_out_of_memory());
    }
    assert!(stopped > 0);
}

/// Two trees need room for both and for what they become: not a byte less.
#[test]
fn merging_uses_all_the_memory_it_may() {
    let tree = |low: Value, high: Value| {
        let split = Split { axis: 0, cut: 1, special_left: vec![], left: 1, right: 2 };
        Tree { nodes: vec![Node::Split(split), Node::Leaf(low), Node::Leaf(high)] }
    };
    // The greedy clique is not the best one, so there is something to merge.
    let channel = Channel { base: 0, trees: vec![tree(1, 0), tree(0, 5)] };
    let problem = Problem { axes: vec![Axis::ordered(2)], cases: vec![Case { channels: vec![channel] }] };
    let mut merge = Merge::new(&problem);
    let before = merge.memory();
    assert_eq!((merge.lower(), merge.upper()), (Some(1), Some(6)));
    assert!(merge.step() && merge.is_done());
    let needed = before + merge.memory();
    for (max_bytes, upper) in [(needed, 5), (needed - 1, 6)] {
        let mut merge = Merge::within_bytes(&problem, max_bytes);
        while merge.step() {}
        assert_eq!((merge.upper(), merge.is_done()), (Some(upper), upper == 5));
    }
}

/// Without axes or trees there is one point, and it is found.
#[test]
fn a_problem_without_choices() {
    let channel = |base, values: &[Value]| {
        let trees = values.iter().map(|value| Tree::constant(*value)).collect();
        Channel { base, trees }
    };
    let case = Case { channels: vec![channel(7, &[]), channel(-3, &[5, 4])] };
    for axes in [vec![], vec![Axis { ordered: 0, special: 70 }]] {
        let problem = Problem { axes, cases: vec![Case { channels: vec![channel(2, &[])] }, case.clone()] };
        let known = Known { name: "constant".into(), problem, optimum: 6 };
        check(Search::new(&known.problem), &known, |_, _| {});
        check(Veritas::new(&known.problem), &known, |_, _| {});
        let steps = check(Merge::new(&known.problem), &known, |_, _| {});
        assert_eq!(steps, 0, "the worst channel bounds the best case: there is nothing to merge");
    }
}

/// Sets of special cells that take a word, a little more, and several.
#[test]
fn axes_of_many_special_cells() {
    for special in [63, 64, 65, 128, 130] {
        let axes = vec![Axis { ordered: 1, special }, Axis { ordered: 0, special }];
        let tree = |number: u32| {
            let axis = number % 2;
            let special_left = (0..special).filter(|cell| (cell + 1) * (number + 3) % 11 < 5).collect();
            let split = Split { axis, cut: number % 3 / 2, special_left, left: 1, right: 2 };
            let leaf = |value: u32| Node::Leaf(Value::from(value));
            Tree { nodes: vec![Node::Split(split), leaf(number * 7 % 5), leaf(number * 5 % 7)] }
        };
        let channel = Channel { base: 0, trees: (0..12).map(tree).collect() };
        let problem = Problem { axes, cases: vec![Case { channels: vec![channel] }] };
        let optimum = optimum(&problem);
        let known = Known { name: format!("{special} special cells"), problem, optimum };
        check(Search::new(&known.problem), &known, |_, _| {});
        check(Veritas::new(&known.problem), &known, |_, _| {});
        check(Merge::new(&known.problem), &known, |_, _| {});
    }
}
