//! Every method against brute force: the optimum is right, and the bounds are valid after every step.

#![expect(clippy::print_stdout, reason = "what the problems were like, for whoever asks to see it")]

#[expect(dead_code, reason = "the other tests use the rest")]
mod support;

use support::judge::{Judge, check, check_solved};
use support::mix::Mix;
use support::{Known, known_problems};
use treeproof_search::{
    Axis, Case, Channel, Limits, Merge, Method, Node, Problem, Search, Split, StopReason, Strategy, Tree, Unobserved,
    Value, Veritas,
};

/// Lets MERGE end on the odd problems and on few hard ones; on the others it takes far longer than all else together.
const MERGE_BYTES: usize = 200_000;

/// The ways to solve a problem.
const WAYS: [&str; 6] = [
    "default, bit masks",
    "default, walks",
    "default, two threads, bit masks and walks in turns",
    "Veritas, ARA*",
    "Veritas, A*",
    "MERGE, within little memory",
];

#[test]
fn all_methods_agree_with_brute_force() {
    let mut mix = Mix::default();
    let (mut steps, mut merged) = ([0; WAYS.len()], 0);
    for (index, known) in known_problems(500).enumerate() {
        let problem = &known.problem;
        let max_mask_bytes = if index % 2 == 0 { usize::MAX } else { 0 };
        let mut is_merged = false;
        let of_problem = [
            check(Search::new(problem), &known, |_, _| {}),
            check(Search::prepare(problem, 0, &Unobserved).unwrap(), &known, |_, _| {}),
            run_with_two_threads(Search::prepare(problem, max_mask_bytes, &Unobserved).unwrap(), &known),
            check(Veritas::new(problem), &known, |_, _| {}),
            check(Veritas::with_strategy(problem, Strategy::AStar), &known, |_, _| {}),
            check(Merge::prepare(problem, MERGE_BYTES, &Unobserved).unwrap(), &known, |merge, _| {
                is_merged = merge.is_done()
            }),
        ];
        mix.add(problem, of_problem[0]);
        merged += u64::from(is_merged);
        steps.iter_mut().zip(of_problem).for_each(|(steps, more)| *steps += more);
    }
    // On a line of its own, behind the dots of the test runner.
    print!("\n{mix}");
    WAYS.iter().zip(steps).for_each(|(way, steps)| println!("steps of {way}: {steps}"));
    println!("problems merged to the end: {merged}");
    mix.assert_rich();
}

fn run_with_two_threads(mut search: Search, known: &Known) -> u64 {
    let mut both = Limits::default();
    both.threads = 2;
    assert_eq!(search.run(&both, &Judge::of(known)), StopReason::Optimal, "{}", known.name);
    check_solved(&search, known);
    search.status().steps
}

/// Two trees over two axes whose best leaves exclude each other while no cut lowers the bound.
#[test]
fn tied_leaves_that_exclude_each_other_are_no_solution() {
    let xor = |same: Value, different: Value| {
        let leaf = |value| Node::Leaf(value);
        let split = |axis, left, right| Node::Split(Split { axis, cut: 1, special_left: vec![], left, right });
        Tree {
            nodes: vec![
                split(0, 1, 4),
                split(1, 2, 3),
                leaf(same),
                leaf(different),
                split(1, 5, 6),
                leaf(different),
                leaf(same),
            ],
        }
    };
    let channel = Channel { base: 0, trees: vec![xor(1, 0), xor(0, 1)] };
    let problem = Problem {
        axes: vec![Axis::ordered(2); 2],
        cases: vec![Case { channels: vec![channel] }],
        ..Problem::default()
    };
    let known = Known { name: "XOR".into(), problem, optimum: 1 };
    check(Search::new(&known.problem), &known, |_, _| {});
    check(Search::prepare(&known.problem, 0, &Unobserved).unwrap(), &known, |_, _| {});
    check(Veritas::new(&known.problem), &known, |_, _| {});
    check(Merge::new(&known.problem), &known, |_, _| {});
}
