//! The default search against brute force: the optimum is right, and the bounds are valid after every step.

#![expect(clippy::print_stdout, reason = "how hard the problems were, for whoever asks to see it")]

mod support;

use support::{Known, Mode, known_problems};
use treeproof_search::{Axis, Case, Channel, Method, Node, Problem, Search, Split, Tree, Value};

#[test]
fn the_optimum_is_that_of_brute_force() {
    check("with bit masks", 1000, Search::new);
}

#[test]
fn trees_that_are_walked_give_the_same() {
    check("with walks", 500, |problem| Search::within_mask_bytes(problem, 0));
}

fn check(about: &str, default: u64, new: impl Fn(&Problem) -> Search) {
    let (mut count, mut hard, mut long) = (0, 0, 0);
    for Known { name, mode, problem, optimum } in known_problems(default) {
        let mut search = new(&problem);
        let (mut last_upper, mut last_lower) = (Value::MAX, Value::MIN);
        while search.step() {
            let upper = search.upper().unwrap_or(Value::MAX);
            let lower = search.lower().unwrap_or(Value::MIN);
            let about = format!("{name}, step {}", search.status().steps);
            assert!(lower <= optimum && optimum <= upper, "{about}: {lower} <= {optimum} <= {upper} is wrong");
            assert!(upper <= last_upper && lower >= last_lower, "{about}: a bound got worse");
            (last_upper, last_lower) = (upper, lower);
        }
        assert_eq!(search.lower(), Some(optimum), "{name}");
        assert_eq!(search.upper(), Some(optimum), "{name}");
        assert_eq!(problem.value(search.solution().unwrap()), optimum, "{name}");
        count += 1;
        hard += u64::from(mode == Mode::Hard);
        long += u64::from(mode == Mode::Hard && search.status().steps >= 20);
    }
    println!("brute force {about}: {count} problems, {hard} hard, {long} of them with 20 or more steps, 0 wrong");
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
    let mut search = Search::new(&problem);
    while search.step() {}
    assert_eq!((search.lower(), search.upper()), (Some(1), Some(1)));
}
