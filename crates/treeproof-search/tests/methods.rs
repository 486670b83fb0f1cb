//! The laws of ARA* and of merging, and problems at the edge for every method.

#[expect(dead_code, reason = "the other tests use the rest")]
mod support;

use support::brute::optimum;
use support::judge::{Judge, check, check_now};
use support::{Known, known_problems};
use treeproof_search::{
    Axis, Case, Channel, Limits, Merge, Method, Node, Observer, Problem, Search, Split, Status, StopReason, Strategy,
    Tree, Unobserved, Value, Veritas,
};

/// Lets MERGE end on the odd problems and on some hard ones; on the others it takes far longer than all else together.
const MERGE_BYTES: usize = 600_000;

/// A solution found with ε is worth at least ε of the optimum, counted from the floor; ε moves by
/// twentieths, and never falls below that of the last solution.
fn check_relaxed(veritas: Veritas, known: &Known) -> u64 {
    let (mut epsilon, mut found_with, mut lower) = (0, 0, None);
    check(veritas, known, |veritas, is_after| {
        if is_after && veritas.lower() > lower {
            let from_floor = |value: Value| i128::from(value) - i128::from(veritas.floor());
            let found = from_floor(veritas.lower().unwrap());
            assert!(
                i128::from(epsilon) * from_floor(known.optimum) <= 1000 * found,
                "{}: the solution of step {} is too bad for ε = {epsilon}/1000",
                known.name,
                veritas.status().steps
            );
            assert_eq!(veritas.epsilon_thousandths(), (epsilon + 50).min(1000), "{}", known.name);
            found_with = epsilon;
        } else if is_after {
            let now = veritas.epsilon_thousandths();
            assert!(now <= epsilon && now >= found_with.max(1), "{}: ε = {now}/1000", known.name);
        }
        (epsilon, lower) = (veritas.epsilon_thousandths(), veritas.lower());
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
        for first in [1, 30, 500, 999] {
            let hasty = || Veritas::with_strategy(&known.problem, Strategy::Anytime { first, patience: 5 });
            let mut veritas = hasty();
            while !veritas.is_done() && veritas.epsilon_thousandths() >= first {
                veritas.step();
            }
            lowered += u64::from(veritas.epsilon_thousandths() < first);
            check_relaxed(hasty(), &known);
        }
    }
    assert!(lowered > 0);
}

/// With patience for three steps, and a tree for each of four steps before the first solution, ε falls at the third.
#[test]
fn patience_is_counted_in_steps() {
    let channel = Channel { base: 0, trees: vec![Tree { nodes: vec![Node::Leaf(1)] }; 4] };
    let problem = Problem { axes: vec![], cases: vec![Case { channels: vec![channel] }], ..Problem::default() };
    let mut veritas = Veritas::with_strategy(&problem, Strategy::Anytime { first: 500, patience: 3 });
    let mut epsilons = vec![];
    while veritas.step() {
        epsilons.push(veritas.epsilon_thousandths());
    }
    assert_eq!(epsilons, [500, 500, 450, 450, 500]);
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

/// With a judge, the best full state that counts is found, and the bound is above it all the time.
#[test]
fn full_states_that_do_not_count_are_left_out() {
    let (mut none, mut less) = (0, 0);
    // Every fifth has so few full states that all can be left out.
    for known in known_problems(300).step_by(5) {
        let Problem { axes, cases, .. } = &known.problem;
        for modulus in [1, 2, 5] {
            let counts = |value: Value| value.rem_euclid(modulus) == 1;
            let values = points(axes).flat_map(|point| cases.iter().map(move |case| case.value(axes, &point)));
            let best = values.filter(|value| counts(*value)).max();
            for strategy in [Strategy::AStar, Strategy::DEFAULT] {
                let judge = |case: usize, point: &[u32]| counts(cases[case].value(axes, point));
                let mut veritas = Veritas::with_judge(&known.problem, strategy, judge);
                while veritas.step() {
                    assert!(veritas.upper() >= best && veritas.lower() <= best, "{}", known.name);
                }
                assert_eq!((veritas.lower(), veritas.upper()), (best, best), "{}", known.name);
            }
            none += u32::from(best.is_none());
            less += u32::from(best.is_some_and(|best| best < known.optimum));
        }
    }
    assert!(none > 0 && less > 0, "{none} without, {less} less");
}

/// All points, one after the other.
fn points(axes: &[Axis]) -> impl Iterator<Item = Vec<u32>> {
    let count: u32 = axes.iter().map(|axis| axis.num_cells()).product();
    (0..count).map(|mut place| {
        let mut cell = |axis: &Axis| {
            let cell = place % axis.num_cells();
            place /= axis.num_cells();
            cell
        };
        axes.iter().map(&mut cell).collect()
    })
}

/// Whatever memory there is, the bounds are valid where merging stops, and it stops within that memory.
#[test]
fn merging_stops_when_memory_is_full() {
    let mut stopped = 0;
    for known in known_problems(100) {
        let limit = 2 * Merge::new(&known.problem).status().memory;
        let mut merge = Merge::prepare(&known.problem, limit, &Unobserved).unwrap();
        let judge = Judge::of(&known);
        check_now(&merge, &judge);
        while merge.step() {
            assert!(merge.status().memory <= limit, "{}", known.name);
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
    let problem =
        Problem { axes: vec![Axis::ordered(2)], cases: vec![Case { channels: vec![channel] }], ..Problem::default() };
    let mut merge = Merge::new(&problem);
    let before = merge.status().memory;
    assert_eq!((merge.lower(), merge.upper()), (Some(1), Some(6)));
    assert!(merge.step());
    // The two are yet to be freed.
    let needed = merge.status().memory;
    assert!(needed > before);
    while merge.step() {}
    assert!(merge.is_done());
    for (max_bytes, upper) in [(needed, 5), (needed - 1, 6)] {
        let mut merge = Merge::prepare(&problem, max_bytes, &Unobserved).unwrap();
        while merge.step() {}
        assert_eq!((merge.upper(), merge.is_done()), (Some(upper), upper == 5));
    }
}

/// Without axes or trees there is one point, and it is found.
#[test]
fn a_problem_without_choices() {
    let channel = |base, values: &[Value]| {
        let trees = values.iter().map(|value| Tree { nodes: vec![Node::Leaf(*value)] }).collect();
        Channel { base, trees }
    };
    let case = Case { channels: vec![channel(7, &[]), channel(-3, &[5, 4])] };
    for axes in [vec![], vec![Axis { ordered: 0, special: 70 }]] {
        let problem =
            Problem { axes, cases: vec![Case { channels: vec![channel(2, &[])] }, case.clone()], ..Problem::default() };
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
        let problem = Problem { axes, cases: vec![Case { channels: vec![channel] }], ..Problem::default() };
        let optimum = optimum(&problem);
        let known = Known { name: format!("{special} special cells"), problem, optimum };
        check(Search::new(&known.problem), &known, |_, _| {});
        check(Veritas::new(&known.problem), &known, |_, _| {});
        check(Merge::new(&known.problem), &known, |_, _| {});
    }
}

/// Stops a run after so many questions, and sees that better points come with their values.
struct Impatient<'p> {
    problem: &'p Problem,
    left: std::sync::atomic::AtomicU64,
}

impl treeproof_search::Stop for Impatient<'_> {}

impl Observer for Impatient<'_> {
    fn observe(&self, status: &Status, solution: Option<&[u32]>) -> bool {
        if let Some(point) = solution {
            assert!(status.lower.is_some_and(|lower| self.problem.value(point) >= lower));
        }
        self.left.fetch_sub(1, std::sync::atomic::Ordering::Relaxed) > 1
    }
}

/// All methods run within limits in the same way, stop for the reason that holds, and go on from there.
#[test]
fn runs_stop_and_go_on() {
    let mut reasons = vec![];
    for known in known_problems(40) {
        let methods: [Box<dyn Method>; 3] = [
            Box::new(Search::new(&known.problem)),
            Box::new(Veritas::new(&known.problem)),
            Box::new(Merge::prepare(&known.problem, MERGE_BYTES, &Unobserved).unwrap()),
        ];
        for (number, mut method) in methods.into_iter().enumerate() {
            let mut limits = Limits::default();
            limits.steps = Some(2);
            let first = method.run(&limits, &Unobserved);
            assert!(matches!(first, StopReason::Steps | StopReason::Optimal), "{}", known.name);
            assert!(method.status().steps <= 2);
            let impatient = Impatient { problem: &known.problem, left: 3.into() };
            let second = method.run(&Limits::default(), &impatient);
            assert!(method.upper().is_none_or(|upper| upper >= known.optimum), "{}", known.name);
            let mut tight = Limits::default();
            tight.memory = Some(method.status().memory + 100);
            let third = method.run(&tight, &Unobserved);
            // Only the default search goes on when memory is full.
            assert!(third == StopReason::Optimal || (third == StopReason::Memory && number > 0), "{third:?}");
            let last = method.run(&Limits::default(), &Unobserved);
            if last == StopReason::Optimal {
                assert_eq!(
                    (method.lower(), method.upper()),
                    (Some(known.optimum), Some(known.optimum)),
                    "{}",
                    known.name
                );
            } else {
                assert!(last == StopReason::Memory && number == 2, "{}: {last:?}", known.name);
            }
            reasons.extend([first, second, third, last]);
        }
    }
    for reason in [StopReason::Optimal, StopReason::Steps, StopReason::Interrupted, StopReason::Memory] {
        assert!(reasons.contains(&reason), "{reason:?}");
    }
}
