//! The enumeration of configurations against brute force: each once, whole, in order, and as many as asked for.

#[expect(dead_code, reason = "the other tests use the rest")]
mod support;

use std::collections::BTreeMap;

use support::{Mode, Random, random_problem};
use treeproof_search::{
    Axis, Case, Cells, Channel, Configuration, Enumeration, Limits, Method, Node, Problem, Split, StopReason, Tree,
    Unobserved, Value, Wanted,
};

/// Random problems of one case with one channel.
fn problems(count: u64) -> impl Iterator<Item = (u64, Problem)> {
    let one = |index| {
        let mode = if index % 4 == 3 { Mode::Hard } else { Mode::Odd };
        let mut problem = random_problem(&mut Random::of_problem(7, index), mode);
        problem.cases.truncate(1);
        problem.cases[0].channels.truncate(1);
        // Brute force keeps a list of leaves for every point.
        problem
            .axes
            .iter()
            .map(|axis| u64::from(axis.num_cells()))
            .product::<u64>()
            .le(&4_000)
            .then_some((index, problem))
    };
    (0..count).filter_map(one)
}

/// The leaf that a point reaches.
fn leaf(axes: &[Axis], tree: &Tree, point: &[u32]) -> u32 {
    let mut at = 0;
    while let Node::Split(split) = &tree.nodes[at as usize] {
        let axis = split.axis as usize;
        at = if split.goes_left(axes[axis], point[axis]) { split.left } else { split.right };
    }
    at
}

/// Points that reach the same leaves.
struct Group {
    value: Value,
    /// Per axis the cells in which they are.
    cells: Vec<Vec<u32>>,
    points: u64,
}

/// All configurations, best first: points are grouped by the leaves that they reach.
fn brute_force(problem: &Problem) -> Vec<Configuration> {
    let channel = &problem.cases[0].channels[0];
    let mut groups: BTreeMap<Vec<u32>, Group> = BTreeMap::new();
    let mut point = vec![0; problem.axes.len()];
    loop {
        let leaves = channel.trees.iter().map(|tree| leaf(&problem.axes, tree, &point)).collect();
        let new = || Group { value: problem.value(&point), cells: vec![vec![]; point.len()], points: 0 };
        let Group { cells, points, .. } = groups.entry(leaves).or_insert_with(new);
        cells
            .iter_mut()
            .zip(&point)
            .filter(|(cells, cell)| !cells.contains(cell))
            .for_each(|(cells, cell)| cells.push(*cell));
        *points += 1;
        let Some(axis) = (0..point.len()).find(|axis| point[*axis] + 1 < problem.axes[*axis].num_cells()) else {
            break;
        };
        point[..axis].fill(0);
        point[axis] += 1;
    }
    let configuration = |Group { value, cells, points }: Group| {
        assert_eq!(points, cells.iter().map(|cells| cells.len() as u64).product::<u64>(), "a configuration is a box");
        let side = |(axis, mut cells): (&Axis, Vec<u32>)| {
            cells.sort_unstable();
            let (ordered, special): (Vec<u32>, Vec<u32>) = cells.into_iter().partition(|cell| *cell < axis.ordered);
            let range = ordered.first().map_or(0..0, |first| *first..ordered[ordered.len() - 1] + 1);
            assert_eq!(range.len(), ordered.len());
            Cells { ordered: range, special: special.iter().map(|cell| cell - axis.ordered).collect() }
        };
        Configuration { value, cells: problem.axes.iter().zip(cells).map(side).collect() }
    };
    let mut all: Vec<Configuration> = groups.into_values().map(configuration).collect();
    all.sort_by(by_value_then_place);
    all
}

fn place(configuration: &Configuration) -> Vec<(u32, u32, Vec<u32>)> {
    configuration.cells.iter().map(|cells| (cells.ordered.start, cells.ordered.end, cells.special.clone())).collect()
}

fn by_value_then_place(a: &Configuration, b: &Configuration) -> std::cmp::Ordering {
    b.value.cmp(&a.value).then_with(|| place(a).cmp(&place(b)))
}

/// All that are certain, without a difference between one way and another to have no cells.
fn certain(enumerate: &Enumeration) -> Vec<Configuration> {
    let normal = |number: usize| {
        let mut configuration = enumerate.configuration(number);
        for cells in configuration.cells.iter_mut().filter(|cells| cells.ordered.is_empty()) {
            cells.ordered = 0..0;
        }
        configuration
    };
    (0..enumerate.num_certain()).map(normal).collect()
}

/// Steps to the end. After every step all that is certain is right, and the rest is bounded.
fn check(name: &str, mut enumerate: Enumeration, all: &[Configuration], wanted: Wanted) {
    let is_wanted = |configuration: &&Configuration| configuration.value >= wanted.least;
    let expected: Vec<&Configuration> = all.iter().filter(is_wanted).collect();
    let mut last_rest = Some(Value::MAX);
    loop {
        let number = enumerate.num_certain();
        let rest = enumerate.rest();
        assert!(rest <= last_rest, "{name}: the bound of the rest rose");
        last_rest = rest;
        if let Some(next) = all.get(number) {
            assert!(rest.is_some_and(|rest| rest >= next.value), "{name}: the next is above the bound of the rest");
        }
        let steps = enumerate.status().steps;
        if !enumerate.step() {
            break;
        }
        assert_eq!(enumerate.status().steps, steps + 1);
    }
    assert!(enumerate.is_done(), "{name}");
    let mut found = certain(&enumerate);
    let counted = |configurations: &[Configuration]| {
        configurations.iter().filter(|configuration| configuration.value >= wanted.counted).count()
    };
    let num_counted = expected.iter().filter(|configuration| configuration.value >= wanted.counted).count();
    assert_eq!(counted(&found), wanted.count.min(num_counted), "{name}");
    // Where all that count are there, so is everything else.
    if num_counted < wanted.count {
        assert_eq!(found.len(), expected.len(), "{name}");
    }
    let values: Vec<Value> = found.iter().map(|configuration| configuration.value).collect();
    let best: Vec<Value> = expected[..found.len()].iter().map(|configuration| configuration.value).collect();
    assert_eq!(values, best, "{name}: not the best, or not in order");
    found.sort_by(by_value_then_place);
    for pair in found.windows(2) {
        assert_ne!(pair[0], pair[1], "{name}: twice");
    }
    for configuration in &found {
        assert!(all.contains(configuration), "{name}: no such configuration: {configuration:?}");
    }
    assert_eq!(enumerate.rest().is_none(), found.len() == all.len(), "{name}: {} of {}", found.len(), all.len());
}

#[test]
fn all_configurations_are_those_of_brute_force() {
    let mut total = 0;
    for (index, problem) in problems(600) {
        let all = brute_force(&problem);
        total += all.len();
        let middle = all[all.len() / 2].value;
        let everything = Wanted::best(usize::MAX);
        let above = Wanted { least: middle, ..everything };
        let doubtful = Wanted { count: 3, least: middle.saturating_sub(50), counted: middle };
        let wanted = [everything, Wanted::best(1), Wanted::best(7), Wanted::best(0), above, doubtful];
        for (way, wanted) in wanted.into_iter().enumerate() {
            let name = format!("problem {index}, {wanted:?}");
            check(&name, Enumeration::new(&problem, wanted), &all, wanted);
            if way == 0 || index % 7 == 0 {
                check(
                    &format!("{name}, walked"),
                    Enumeration::prepare(&problem, wanted, 0, &Unobserved).unwrap(),
                    &all,
                    wanted,
                );
            }
        }
    }
    assert!(total > 20_000, "{total} configurations are too few to try");
}

#[test]
fn a_run_stops_at_its_limits_and_goes_on() {
    let mut is_stopped = false;
    for (index, problem) in problems(100) {
        let wanted = Wanted::best(50);
        let mut straight = Enumeration::new(&problem, wanted);
        assert_eq!(straight.run(&Limits::default(), &Unobserved), StopReason::Optimal);
        let mut halting = Enumeration::new(&problem, wanted);
        let mut portion = Limits::default();
        portion.steps = Some(1 + index % 5);
        while halting.run(&portion, &Unobserved) == StopReason::Steps {}
        assert_eq!(certain(&halting), certain(&straight), "problem {index}");
        assert_eq!(halting.status().steps, straight.status().steps, "problem {index}");
        let mut tight = Limits::default();
        tight.memory = Some(Enumeration::new(&problem, wanted).status().memory + 200);
        let mut full = Enumeration::new(&problem, wanted);
        is_stopped |= full.run(&tight, &Unobserved) == StopReason::Memory;
        full.run(&Limits::default(), &Unobserved);
        assert_eq!(certain(&full), certain(&straight), "problem {index}");
    }
    assert!(is_stopped);
}

/// Where everything is tied, as many as asked for are found without looking at all.
#[test]
fn ties_are_not_all_looked_at() {
    let axes = vec![Axis::ordered(2); 40];
    let tree = |axis: u32| {
        let split = Split { axis, cut: 1, special_left: vec![], left: 1, right: 2 };
        Tree { nodes: vec![Node::Split(split), Node::Leaf(1), Node::Leaf(1)] }
    };
    let channel = Channel { base: 2, trees: (0..40).map(tree).collect() };
    let problem = Problem { axes, cases: vec![Case { channels: vec![channel] }], ..Problem::default() };
    let mut enumerate = Enumeration::new(&problem, Wanted::best(10));
    enumerate.run(&Limits::default(), &Unobserved);
    assert_eq!((enumerate.num_certain(), enumerate.rest()), (10, Some(42)));
    assert!(enumerate.status().steps < 200);
}
