//! Random small problems against brute force: the optimum is right, and the bounds are valid after every step.
//!
//! `TREEPROOF_PROBLEMS` sets how many, `TREEPROOF_SEED` the random numbers.

use treeproof_search::{Axis, Case, Channel, Node, Problem, Search, Split, Tree, Value};

/// SplitMix64: a seed means the same on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: u32) -> u32 {
        u32::try_from(self.next() % u64::from(limit.max(1))).unwrap()
    }

    fn chance(&mut self, one_in: u32) -> bool {
        self.below(one_in) == 0
    }
}

/// How leaf values are drawn.
#[derive(Clone, Copy)]
enum Values {
    /// Few different ones, so that leaves tie.
    Tied,
    Plain,
    /// Up to the largest magnitude allowed.
    Huge,
}

fn random_problem(random: &mut Random) -> Problem {
    let num_axes = 1 + random.below(6);
    let axes: Vec<Axis> = (0..num_axes)
        .map(|_| {
            let special = if random.chance(3) { 1 + random.below(4) } else { 0 };
            let ordered = if special > 0 && random.chance(3) { 0 } else { 1 + random.below(6) };
            Axis { ordered, special }
        })
        .collect();
    let values = match random.below(6) {
        0 | 1 => Values::Tied,
        2 => Values::Huge,
        _ => Values::Plain,
    };
    let num_cases = if random.chance(4) { 1 + random.below(3) } else { 1 };
    let case = |random: &mut Random| {
        let num_channels = if random.chance(3) { 1 + random.below(3) } else { 1 };
        let channels = (0..num_channels).map(|_| random_channel(random, &axes, values)).collect();
        Case { channels }
    };
    let cases = (0..num_cases).map(|_| case(random)).collect();
    Problem { axes, cases }
}

fn random_channel(random: &mut Random, axes: &[Axis], values: Values) -> Channel {
    let num_trees = 1 + random.below(14);
    let depth = 1 + random.below(4);
    let trees = (0..num_trees)
        .map(|_| {
            let mut nodes = vec![];
            grow(random, axes, values, depth, &mut nodes);
            Tree { nodes }
        })
        .collect();
    Channel { base: random_value(random, values), trees }
}

fn random_value(random: &mut Random, values: Values) -> Value {
    let draw = i64::try_from(random.next() >> 1).unwrap();
    match values {
        Values::Tied => draw % 3,
        Values::Plain => draw % 2001 - 1000,
        Values::Huge => draw % (1 << 55) - (1 << 54),
    }
}

fn grow(random: &mut Random, axes: &[Axis], values: Values, depth: u32, nodes: &mut Vec<Node>) -> u32 {
    let place = u32::try_from(nodes.len()).unwrap();
    if depth == 0 || random.chance(6) {
        nodes.push(Node::Leaf(random_value(random, values)));
        return place;
    }
    nodes.push(Node::Leaf(0));
    let axis = random.below(u32::try_from(axes.len()).unwrap());
    let Axis { ordered, special } = axes[axis as usize];
    let cut = random.below(ordered + 1);
    let special_left = (0..special).filter(|_| random.chance(2)).collect();
    let left = grow(random, axes, values, depth - 1, nodes);
    let right = grow(random, axes, values, depth - 1, nodes);
    nodes[place as usize] = Node::Split(Split { axis, cut, special_left, left, right });
    place
}

fn points(axes: &[Axis]) -> Vec<Vec<u32>> {
    let mut points = vec![vec![]];
    for axis in axes {
        points = points
            .into_iter()
            .flat_map(|point| {
                (0..axis.num_cells()).map(move |cell| {
                    let mut point = point.clone();
                    point.push(cell);
                    point
                })
            })
            .collect();
    }
    points
}

fn number_from_environment(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().map_or(default, |value| value.parse().unwrap())
}

#[test]
fn the_optimum_is_that_of_brute_force() {
    let count = number_from_environment("TREEPROOF_PROBLEMS", 3000);
    let seed = number_from_environment("TREEPROOF_SEED", 1);
    let mut long = 0;
    for index in 0..count {
        let mut random = Random(seed.wrapping_mul(1_000_003).wrapping_add(index));
        let problem = random_problem(&mut random);
        let optimum = points(&problem.axes).iter().map(|point| problem.value(point)).max().unwrap();
        let mut search = Search::new(&problem);
        let (mut last_upper, mut last_lower) = (Value::MAX, Value::MIN);
        while search.step() {
            let upper = search.upper().unwrap_or(Value::MAX);
            let lower = search.lower().unwrap_or(Value::MIN);
            let about = format!("seed {seed}, problem {index}, step {}", search.steps());
            assert!(lower <= optimum && optimum <= upper, "{about}: {lower} <= {optimum} <= {upper} is wrong");
            assert!(upper <= last_upper && lower >= last_lower, "{about}: a bound got worse");
            (last_upper, last_lower) = (upper, lower);
        }
        assert_eq!(search.lower(), Some(optimum), "seed {seed}, problem {index}");
        assert_eq!(search.upper(), Some(optimum), "seed {seed}, problem {index}");
        assert_eq!(problem.value(search.solution().unwrap()), optimum, "seed {seed}, problem {index}");
        long += u64::from(search.steps() >= 20);
    }
    println!("brute force: {count} problems, {long} with 20 or more steps, 0 wrong");
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
    let problem = Problem { axes: vec![Axis::ordered(2); 2], cases: vec![Case { channels: vec![channel] }] };
    let mut search = Search::new(&problem);
    while search.step() {}
    assert_eq!((search.lower(), search.upper()), (Some(1), Some(1)));
}
