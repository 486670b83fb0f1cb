//! Random small problems and their optimum by brute force, for tests of every method.
//!
//! `TREEPROOF_PROBLEMS` sets how many, `TREEPROOF_SEED` the random numbers.

pub(crate) mod brute;
pub(crate) mod judge;
pub(crate) mod mix;

use treeproof_search::{Axis, Case, Channel, Node, Problem, Split, Tree, Value};

/// Brute force looks at no more points than this.
const MAX_POINTS: u32 = 8_000;

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
    /// Many deep trees over few axes: the default search needs 20 steps or more for three of four.
    Hard,
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
    let values = match random.below(11) {
        0..5 => Values::Tied,
        5 => Values::Huge,
        6 => Values::Negative,
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
    Problem { axes, cases }
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
        Mode::Hard => loop {
            let special = if random.chance(5) { 1 + random.below(3) } else { 0 };
            let ordered = if special > 1 && random.chance(3) { 0 } else { 2 + random.below(7) };
            points *= ordered + special;
            if points > MAX_POINTS {
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
        Mode::Hard => (25 + random.below(11), 4 + random.below(2)),
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

/// A problem, what to call it, and its optimum.
pub(crate) struct Known {
    pub(crate) name: String,
    pub(crate) problem: Problem,
    pub(crate) optimum: Value,
}

/// As many problems as the environment says, or `default`; four of five are hard.
pub(crate) fn known_problems(default: u64) -> impl Iterator<Item = Known> {
    let seed = number_from_environment("TREEPROOF_SEED", 1);
    (0..number_from_environment("TREEPROOF_PROBLEMS", default)).map(move |index| {
        let mode = if index % 5 == 0 { Mode::Odd } else { Mode::Hard };
        let problem = random_problem(&mut Random::of_problem(seed, index), mode);
        let optimum = brute::optimum(&problem);
        Known { name: format!("seed {seed}, {mode:?} problem {index}"), problem, optimum }
    })
}

fn number_from_environment(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().map_or(default, |value| value.parse().unwrap())
}
