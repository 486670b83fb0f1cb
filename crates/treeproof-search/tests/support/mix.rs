//! What random problems had in them: a test that passes on easy ones alone would prove little.

use std::fmt;

use treeproof_search::{Case, Channel, Node, Problem, Split, Tree, Value};

/// Leaves from here on are huge.
const HUGE: Value = 1 << 50;
/// A problem is long if the default search takes at least this many steps.
const LONG: u64 = 20;

/// The kinds of problems, by what is counted.
const KINDS: [&str; 12] = [
    "needing 20 or more steps",
    "with tied leaves in most trees",
    "with several channels",
    "with several cases",
    "with special cells",
    "with a cut that several trees share",
    "with a leaf that no point reaches",
    "with an axis of one cell",
    "of one point",
    "with a tree of one leaf",
    "with negative leaves",
    "with huge leaves",
];

/// How many problems were of each kind.
#[derive(Default)]
pub(crate) struct Mix {
    problems: u64,
    kinds: [u64; KINDS.len()],
}

impl Mix {
    /// Counts a problem that took the default search so many steps.
    pub(crate) fn add(&mut self, problem: &Problem, steps: u64) {
        let channels = || problem.cases.iter().flat_map(|case| &case.channels);
        let trees = || channels().flat_map(|channel| &channel.trees);
        let branching = trees().filter(|tree| tree.nodes.len() > 1).count();
        let tied = trees().filter(|tree| has_ties(tree)).count();
        let cells = || problem.axes.iter().map(|axis| axis.num_cells());
        let has_leaf = |is_such: fn(&Value) -> bool| trees().flat_map(leaves).any(|leaf| is_such(&leaf));
        let is_kind = [
            steps >= LONG,
            tied > 0 && 2 * tied > branching,
            problem.cases.iter().any(|case: &Case| case.channels.len() > 1),
            problem.cases.len() > 1,
            problem.axes.iter().any(|axis| axis.special > 0),
            channels().any(shares_a_cut),
            trees().any(|tree| has_unreachable_leaf(problem, tree)),
            cells().any(|cells| cells == 1),
            cells().all(|cells| cells == 1),
            trees().any(|tree| tree.nodes.len() == 1),
            has_leaf(|leaf| *leaf < 0),
            has_leaf(|leaf| leaf.abs() >= HUGE),
        ];
        self.problems += 1;
        self.kinds.iter_mut().zip(is_kind).for_each(|(count, is_kind)| *count += u64::from(is_kind));
    }

    /// Fails unless half of the problems are long, a third has ties, and all kinds are there.
    pub(crate) fn assert_rich(&self) {
        let [long, tied, ..] = self.kinds;
        assert!(2 * long >= self.problems, "too few long problems\n{self}");
        assert!(3 * tied >= self.problems, "too few problems with ties\n{self}");
        assert!(self.kinds.iter().all(|count| 100 * count >= self.problems), "a kind of problems is rare\n{self}");
    }
}

impl fmt::Display for Mix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "problems: {}", self.problems)?;
        KINDS.iter().zip(self.kinds).try_for_each(|(kind, count)| writeln!(f, "problems {kind}: {count}"))
    }
}

fn leaves(tree: &Tree) -> impl Iterator<Item = Value> {
    tree.nodes.iter().filter_map(|node| match node {
        Node::Leaf(value) => Some(*value),
        Node::Split(_) => None,
    })
}

fn splits(tree: &Tree) -> impl Iterator<Item = &Split> {
    tree.nodes.iter().filter_map(|node| match node {
        Node::Leaf(_) => None,
        Node::Split(split) => Some(split),
    })
}

fn has_ties(tree: &Tree) -> bool {
    let mut values: Vec<Value> = leaves(tree).collect();
    values.sort_unstable();
    values.windows(2).any(|pair| pair[0] == pair[1])
}

fn shares_a_cut(channel: &Channel) -> bool {
    let mut cuts = vec![];
    for tree in &channel.trees {
        let mut own: Vec<(u32, u32)> = splits(tree).map(|split| (split.axis, split.cut)).collect();
        own.sort_unstable();
        own.dedup();
        cuts.extend(own);
    }
    cuts.sort_unstable();
    cuts.windows(2).any(|pair| pair[0] == pair[1])
}

/// Whether a split sends all cells of its axis to one side.
fn has_unreachable_leaf(problem: &Problem, tree: &Tree) -> bool {
    splits(tree).any(|split| {
        let axis = problem.axes[split.axis as usize];
        let left = (0..axis.num_cells()).filter(|cell| split.goes_left(axis, *cell)).count();
        left == 0 || left == axis.num_cells() as usize
    })
}
