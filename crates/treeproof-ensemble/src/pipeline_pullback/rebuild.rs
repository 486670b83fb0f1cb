//! A tree over the input columns, from one over the columns of the model.
//!
//! A pulled-back test is usually one test. If it is more, as for a number between two others, tests
//! are nested and the subtrees below them are repeated, within a budget.

use std::collections::HashMap;
use std::rc::Rc;

use super::categories::CategoryPartition;
use crate::builder::{RawSplit, TreeBuilder};
use crate::error::LoadError;
use crate::tree::{Node, Side, Split, Test, Tree};

/// A test of an input column.
#[derive(Clone, Debug)]
pub(super) enum PulledBackTest {
    /// Every value goes to this side.
    Same(Side),
    /// The sides of numbers, each from a number on, alternating; and the side of a missing value, if accepted.
    Numbers { sides: Vec<(f64, Side)>, missing: Option<Side> },
    /// These categories go to one side and all others to the other.
    Categories { codes: Vec<u32>, inside: Side, missing: Option<Side> },
    /// Unchanged.
    Kept,
}

impl PulledBackTest {
    pub(super) fn numbers(sides: Vec<(f64, Side)>, missing: Option<Side>) -> Self {
        match sides[..] {
            [(_, side)] if missing.is_none_or(|missing| missing == side) => Self::Same(side),
            _ => Self::Numbers { sides, missing },
        }
    }

    /// A test of categories; the set or its complement may be empty.
    pub(super) fn categories(parted: CategoryPartition, has_others: bool, missing: Option<Side>) -> Self {
        let CategoryPartition { codes, inside } = parted;
        let is_there = |side: Side| missing.is_none_or(|missing| missing == side);
        match (codes.is_empty(), has_others) {
            (true, _) if is_there(inside.opposite()) => Self::Same(inside.opposite()),
            (false, false) if is_there(inside) => Self::Same(inside),
            _ => Self::Categories { codes, inside, missing },
        }
    }
}

/// A limit on the growth of the trees.
pub(super) struct GrowthBudget {
    nodes: usize,
    members: usize,
}

impl GrowthBudget {
    /// For a model with this number of nodes.
    pub(super) fn new(nodes: usize) -> Self {
        Self { nodes: 8 * nodes + 100_000, members: 64 * nodes + 4_000_000 }
    }

    fn take(left: &mut usize, wanted: usize) -> Result<(), LoadError> {
        let what = "the trees would become many times larger over the columns of the pipeline";
        *left = left.checked_sub(wanted).ok_or_else(|| LoadError::unsupported("", what))?;
        Ok(())
    }
}

/// The tree with each test pulled back; `pull` returns the index of the input feature with the test.
pub(super) fn rebuild(
    tree: &Tree,
    budget: &mut GrowthBudget,
    pull: &mut dyn FnMut(&Split) -> (u32, PulledBackTest),
) -> Result<Tree, LoadError> {
    let tasks = vec![(0, RebuildTask::Old(tree.root()))];
    let mut rebuild = Rebuild { budget, builder: TreeBuilder::new(1), tasks, category_sets: HashMap::new() };
    while let Some((place, task)) = rebuild.tasks.pop() {
        match task {
            RebuildTask::Old(Node::Leaf(leaf)) => {
                rebuild.builder.leaf(place, tree.leaves()[leaf].id, tree.terms(leaf).iter().copied())?;
            }
            RebuildTask::Old(Node::Split(index)) => {
                let split = &tree.splits()[index];
                let (feature, pulled) = pull(split);
                rebuild.split(place, tree, split, feature, pulled)?;
            }
            RebuildTask::Pieces(pieces) => rebuild.pieces(place, pieces)?,
        }
    }
    rebuild.builder.finish(0)
}

/// A tree in the making.
struct Rebuild<'b> {
    budget: &'b mut GrowthBudget,
    builder: TreeBuilder,
    /// The nodes still to be built, with their places.
    tasks: Vec<(usize, RebuildTask)>,
    /// The tests of sets of categories so far.
    category_sets: HashMap<Vec<u32>, Test>,
}

enum RebuildTask {
    /// A node of the old tree.
    Old(Node),
    /// A test of numbers, from one of its pieces on.
    Pieces(NumberPieces),
}

struct NumberPieces {
    feature: u32,
    sides: Rc<[(f64, Side)]>,
    from: usize,
    missing: Option<Side>,
    left: Node,
    right: Node,
}

impl Rebuild<'_> {
    /// Builds the node for an old split, or its only child if there is nothing to test.
    fn split(
        &mut self,
        place: usize,
        tree: &Tree,
        split: &Split,
        feature: u32,
        pulled: PulledBackTest,
    ) -> Result<(), LoadError> {
        let old = |side: Side| RebuildTask::Old(split.child(side).node());
        let (test, first, missing) = match pulled {
            PulledBackTest::Same(side) => {
                self.tasks.push((place, old(side)));
                return Ok(());
            }
            PulledBackTest::Numbers { sides, missing } => {
                let (left, right) = (split.left.node(), split.right.node());
                return self
                    .pieces(place, NumberPieces { feature, sides: sides.into(), from: 0, missing, left, right });
            }
            PulledBackTest::Kept => match split.test {
                Test::InSet(set) => (self.in_set(tree.category_set(set).to_vec())?, Side::Left, split.missing),
                test => (test, Side::Left, split.missing),
            },
            PulledBackTest::Categories { codes, inside, missing } => {
                (self.in_set(codes)?, inside, Side::from(missing == Some(inside)))
            }
        };
        self.define(place, feature, test, missing, [old(first), old(first.opposite())])
    }

    /// Builds the node for a test of numbers.
    fn pieces(&mut self, place: usize, pieces: NumberPieces) -> Result<(), LoadError> {
        let old = |side: Side| RebuildTask::Old(if side == Side::Left { pieces.left } else { pieces.right });
        let (feature, sides) = (pieces.feature, &pieces.sides[pieces.from..]);
        let first = sides[0].1;
        let (test, children, missing) = match sides {
            // Only what is missing goes elsewhere.
            [_] => (Test::Present, [old(first), old(first.opposite())], Side::Right),
            [_, (second, _)] => {
                let missing = Side::from(pieces.missing == Some(first));
                (Test::Below(*second), [old(first), old(first.opposite())], missing)
            }
            [_, (second, _), ..] => match points(sides) {
                Some((values, side)) => {
                    GrowthBudget::take(&mut self.budget.members, values.len())?;
                    let missing = Side::from(pieces.missing == Some(side));
                    (self.builder.value_set(values), [old(side), old(side.opposite())], missing)
                }
                None => {
                    let goes_left = pieces.missing == Some(first);
                    let rest = RebuildTask::Pieces(NumberPieces {
                        sides: Rc::clone(&pieces.sides),
                        from: pieces.from + 1,
                        missing: pieces.missing.filter(|_| !goes_left),
                        ..pieces
                    });
                    (Test::Below(*second), [old(first), rest], Side::from(goes_left))
                }
            },
            [] => unreachable!("a test has sides"),
        };
        self.define(place, feature, test, missing, children)
    }

    /// Defines a split whose children are still to be built.
    fn define(
        &mut self,
        place: usize,
        feature: u32,
        test: Test,
        missing: Side,
        children: [RebuildTask; 2],
    ) -> Result<(), LoadError> {
        GrowthBudget::take(&mut self.budget.nodes, 2)?;
        let [left, right] = children.map(|task| {
            let child = self.builder.add_node();
            self.tasks.push((child, task));
            child
        });
        self.builder.split(place, RawSplit { feature, test, missing, zero: None, left, right })
    }

    /// The test of a set of categories; equal sets are one.
    fn in_set(&mut self, codes: Vec<u32>) -> Result<Test, LoadError> {
        if let Some(test) = self.category_sets.get(&codes) {
            return Ok(*test);
        }
        GrowthBudget::take(&mut self.budget.members, codes.len())?;
        let test = self.builder.category_set(codes.iter().copied());
        self.category_sets.insert(codes, test);
        Ok(test)
    }
}

/// The numbers of a side that has no others, if one has but few.
fn points(sides: &[(f64, Side)]) -> Option<(Vec<f64>, Side)> {
    let is_point = |place: usize| {
        let next = sides.get(place + 1);
        place > 0 && next.is_some_and(|(next, _)| *next == sides[place].0.next_up())
    };
    let first = sides[0].1;
    let others: Vec<usize> = (1..sides.len()).step_by(2).collect();
    others
        .iter()
        .all(|place| is_point(*place))
        .then(|| (others.iter().map(|place| sides[*place].0).collect(), first.opposite()))
}
