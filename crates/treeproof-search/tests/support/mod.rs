//! Random small problems and their optimum by brute force, for tests of every method.
//!
//! `TREEPROOF_PROBLEMS` sets how many, `TREEPROOF_SEED` the random numbers.

use treeproof_search::{
    Axis, Budget, Case, Channel, Costs, Distance, Node, Norm, Objective, Problem, Split, Tree, Value,
};

/// Brute force looks at no more points than this.
const MAX_POINTS: u32 = 20_000;
/// And in small problems no more than this.
const MAX_SMALL_POINTS: u32 = 1_000;

/// SplitMix64: a seed means the same on every machine.
pub(crate) struct Random(u64);

impl Random {
    /// The random numbers of one problem of a run.
    pub(crate) fn of_problem(seed: u64, index: u64) -> Self {
        Self(seed.wrapping_mul(1_000_003).wrapping_add(index))
    }

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

/// What kind of problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Few trees, all oddities: axes of one cell, axes of special cells alone, trees of one leaf, cuts that cut nothing.
    Odd,
    /// Many deep trees over few axes: the default search needs 20 steps or more for about half of them.
    Hard,
    /// As hard, but small: for what is asked many times.
    Small,
}

/// How leaf values are drawn.
#[derive(Clone, Copy)]
enum Values {
    /// Few different ones, so that leaves tie.
    Tied,
    Plain,
    Negative,
    /// Up to the largest magnitude allowed.
    Huge,
}

impl Values {
    fn draw(self, random: &mut Random) -> Value {
        let draw = i64::try_from(random.next() >> 1).unwrap();
        match self {
            Self::Tied => draw % 3,
            Self::Plain => draw % 2001 - 1000,
            Self::Negative => -(draw % 1_000_000) - 1,
            Self::Huge => draw % (1 << 55) - (1 << 54),
        }
    }
}

/// A random problem.
pub(crate) fn random_problem(random: &mut Random, mode: Mode) -> Problem {
    let axes = random_axes(random, mode);
    let values = match random.below(9) {
        0..3 => Values::Tied,
        3 => Values::Huge,
        4 => Values::Negative,
        _ => Values::Plain,
    };
    // Problems with few cuts repeat them in many trees.
    let num_cuts = if random.chance(4) { 2 } else { u32::MAX };
    let num_cases = if random.chance(4) { 1 + random.below(3) } else { 1 };
    let case = |random: &mut Random| {
        let num_channels = if random.chance(3) { 1 + random.below(3) } else { 1 };
        let channels = (0..num_channels).map(|_| random_channel(random, mode, &axes, values, num_cuts));
        Case { channels: channels.collect() }
    };
    let cases = (0..num_cases).map(|_| case(random)).collect();
    Problem { axes, cases, ..Problem::default() }
}

fn random_axes(random: &mut Random, mode: Mode) -> Vec<Axis> {
    let mut axes = vec![];
    let mut points = 1;
    match mode {
        Mode::Odd => {
            for _ in 0..random.below(7) {
                let special = if random.chance(3) { 1 + random.below(4) } else { 0 };
                let ordered = if special > 0 && random.chance(3) { 0 } else { 1 + random.below(6) };
                axes.push(Axis { ordered, special });
            }
        }
        Mode::Hard | Mode::Small => loop {
            let special = if random.chance(5) { 1 + random.below(3) } else { 0 };
            let ordered = if special > 1 && random.chance(3) { 0 } else { 2 + random.below(7) };
            points *= ordered + special;
            if points > if mode == Mode::Hard { MAX_POINTS } else { MAX_SMALL_POINTS } {
                break;
            }
            axes.push(Axis { ordered, special });
        },
    }
    axes
}

fn random_channel(random: &mut Random, mode: Mode, axes: &[Axis], values: Values, num_cuts: u32) -> Channel {
    let (num_trees, depth) = match mode {
        Mode::Odd => (random.below(15), random.below(5)),
        Mode::Hard => (15 + random.below(11), 4 + random.below(2)),
        Mode::Small => (8 + random.below(12), 3 + random.below(2)),
    };
    let trees = (0..num_trees).map(|_| {
        let mut nodes = vec![];
        grow(random, axes, values, num_cuts, depth, &mut nodes);
        Tree { nodes }
    });
    let trees = trees.collect();
    Channel { base: values.draw(random), trees }
}

fn grow(random: &mut Random, axes: &[Axis], values: Values, num_cuts: u32, depth: u32, nodes: &mut Vec<Node>) -> u32 {
    let place = u32::try_from(nodes.len()).unwrap();
    if axes.is_empty() || depth == 0 || random.chance(8) {
        nodes.push(Node::Leaf(values.draw(random)));
        return place;
    }
    nodes.push(Node::Leaf(0));
    let axis = random.below(u32::try_from(axes.len()).unwrap());
    let Axis { ordered, special } = axes[axis as usize];
    // Now and then at an end, where one child has no ordered cell.
    let cut = match random.below(8) {
        0 => random.below(2) * ordered,
        _ => (1 + random.below(ordered.saturating_sub(1).min(num_cuts))).min(ordered),
    };
    let special_left = (0..special).filter(|_| random.chance(2)).collect();
    let left = grow(random, axes, values, num_cuts, depth - 1, nodes);
    let right = grow(random, axes, values, num_cuts, depth - 1, nodes);
    nodes[place as usize] = Node::Split(Split { axis, cut, special_left, left, right });
    place
}

/// Budgets and a distance for a problem that has none, or one of both.
pub(crate) fn add_costs(random: &mut Random, problem: &mut Problem) {
    let num_budgets = random.below(3);
    for _ in 0..num_budgets {
        let costs = random_costs(random, &problem.axes);
        let point = random_point(random, &problem.axes);
        let (least, some) = (costs.axes.iter().filter_map(|cells| cells.iter().min()).sum(), costs.sum(&point));
        let limit = match random.below(8) {
            0 => 0,
            1 => least,
            2 => some,
            _ => Value::midpoint(least, some),
        };
        problem.budgets.push(Budget { costs, limit });
    }
    if num_budgets > 0 && random.chance(2) {
        return;
    }
    let norm = if random.chance(3) { Norm::Max } else { Norm::Sum };
    problem.objective = Objective::Nearest(Distance { costs: random_costs(random, &problem.axes), norm });
    for channel in problem.cases.iter_mut().flat_map(|case| &mut case.channels) {
        // So that some points count, mostly: at least one for this channel.
        let values = (0..8).map(|_| channel.value(&problem.axes, &random_point(random, &problem.axes)));
        channel.base -= values.max().unwrap() + if random.chance(8) { 1 } else { 0 };
    }
}

fn random_point(random: &mut Random, axes: &[Axis]) -> Vec<u32> {
    axes.iter().map(|axis| random.below(axis.num_cells())).collect()
}

fn random_costs(random: &mut Random, axes: &[Axis]) -> Costs {
    let kind = random.below(5);
    let axes = axes.iter().map(|axis| {
        let here = random.below(axis.num_cells());
        let weight = Value::from(1 + random.below(9));
        let cost = |cell: u32, random: &mut Random| match kind {
            // Changed or not, how far, anything, anything large, few different ones.
            0 => Value::from(cell != here),
            1 => weight * Value::from(cell.abs_diff(here)),
            2 => Value::from(random.below(100)),
            3 => Value::from(random.below(1000)) << 40,
            _ => Value::from(random.below(3)),
        };
        (0..axis.num_cells()).map(|cell| cost(cell, random)).collect()
    });
    Costs { axes: axes.collect() }
}

/// The largest value of all points.
pub(crate) fn optimum(problem: &Problem) -> Value {
    best_worth(problem).expect("without costs every point counts")
}

/// The most that a point is worth; `None` if none counts.
pub(crate) fn best_worth(problem: &Problem) -> Option<Value> {
    let mut point = vec![0; problem.axes.len()];
    let mut best = problem.worth(&point);
    // Counts through all points as an odometer does.
    while let Some(axis) = (0..point.len()).find(|axis| point[*axis] + 1 < problem.axes[*axis].num_cells()) {
        point[..axis].fill(0);
        point[axis] += 1;
        best = best.max(problem.worth(&point));
    }
    best
}

/// A problem, what to call it, and its optimum.
pub(crate) struct Known {
    pub(crate) name: String,
    pub(crate) mode: Mode,
    pub(crate) problem: Problem,
    pub(crate) optimum: Value,
}

/// As many problems as the environment says, or `default`; every second one is hard.
pub(crate) fn known_problems(default: u64) -> impl Iterator<Item = Known> {
    let seed = number_from_environment("TREEPROOF_SEED", 1);
    (0..number_from_environment("TREEPROOF_PROBLEMS", default)).map(move |index| {
        let mode = if index % 2 == 0 { Mode::Odd } else { Mode::Hard };
        let problem = random_problem(&mut Random::of_problem(seed, index), mode);
        let optimum = optimum(&problem);
        Known { name: format!("seed {seed}, {mode:?} problem {index}"), mode, problem, optimum }
    })
}

pub(crate) fn number_from_environment(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().map_or(default, |value| value.parse().unwrap())
}
