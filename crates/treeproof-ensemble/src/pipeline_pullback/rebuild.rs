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
pub(super) struct Budget {
    nodes: usize,
    members: usize,
}

impl Budget {
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
    budget: &mut Budget,
    pull: &mut dyn FnMut(&Split) -> (u32, PulledBackTest),
) -> Result<Tree, LoadError> {
    let mut rebuild = Rebuild { budget, nodes: vec![None], tasks: vec![], sets: vec![], places: HashMap::new() };
    rebuild.tasks.push((0, Task::Old(tree.root())));
    while let Some((place, task)) = rebuild.tasks.pop() {
        rebuild.nodes[place] = match task {
            Task::Old(Node::Leaf(leaf)) => Some(Planned::Leaf(leaf)),
            Task::Old(Node::Split(index)) => {
                let split = &tree.splits()[index];
                let (feature, pulled) = pull(split);
                rebuild.split(place, tree, split, feature, pulled)?
            }
            Task::Parts(parts) => Some(rebuild.part(parts)?),
        };
    }
    rebuild.finish(tree)
}

/// A tree in the making.
struct Rebuild<'b> {
    budget: &'b mut Budget,
    nodes: Vec<Option<Planned>>,
    /// The nodes still to be built, with their places.
    tasks: Vec<(usize, Task)>,
    sets: Vec<Set>,
    /// Sets of categories that were there before.
    places: HashMap<Vec<u32>, usize>,
}

enum Planned {
    Split { feature: u32, test: PlannedTest, missing: Side, left: usize, right: usize },
    Leaf(usize),
}

enum PlannedTest {
    Plain(Test),
    Set(usize),
}

enum Set {
    Categories(Vec<u32>),
    Values(Vec<f64>),
}

enum Task {
    /// A node of the old tree.
    Old(Node),
    /// A test of numbers, from one of its parts on.
    Parts(Parts),
}

struct Parts {
    feature: u32,
    sides: Rc<[(f64, Side)]>,
    from: usize,
    missing: Option<Side>,
    left: Node,
    right: Node,
}

impl Rebuild<'_> {
    /// The new node for an old split; none if there is nothing to test.
    fn split(
        &mut self,
        place: usize,
        tree: &Tree,
        split: &Split,
        feature: u32,
        pulled: PulledBackTest,
    ) -> Result<Option<Planned>, LoadError> {
        let old = |side: Side| Task::Old(split.child(side).node());
        let (test, first, missing) = match pulled {
            PulledBackTest::Same(side) => {
                self.tasks.push((place, old(side)));
                return Ok(None);
            }
            PulledBackTest::Numbers { sides, missing } => {
                let (left, right) = (split.left.node(), split.right.node());
                let parts = Parts { feature, sides: sides.into(), from: 0, missing, left, right };
                return self.part(parts).map(Some);
            }
            PulledBackTest::Kept => match split.test {
                Test::InSet(set) => (self.set(tree.category_set(set).to_vec())?, Side::Left, split.missing),
                test => (PlannedTest::Plain(test), Side::Left, split.missing),
            },
            PulledBackTest::Categories { codes, inside, missing } => {
                (self.set(codes)?, inside, Side::from(missing == Some(inside)))
            }
        };
        let (left, right) = (self.place(old(first))?, self.place(old(first.opposite()))?);
        Ok(Some(Planned::Split { feature, test, missing, left, right }))
    }

    /// The new node for a test of numbers.
    fn part(&mut self, parts: Parts) -> Result<Planned, LoadError> {
        let old = |side: Side| Task::Old(if side == Side::Left { parts.left } else { parts.right });
        let (feature, sides) = (parts.feature, &parts.sides[parts.from..]);
        let first = sides[0].1;
        let (test, left, right, missing) = match sides {
            [_] => {
                // Only what is missing goes elsewhere.
                (PlannedTest::Plain(Test::Present), old(first), old(first.opposite()), Side::Right)
            }
            [_, (second, _)] => {
                let missing = Side::from(parts.missing == Some(first));
                (PlannedTest::Plain(Test::Below(*second)), old(first), old(first.opposite()), missing)
            }
            [_, (second, _), ..] => match points(sides) {
                Some((values, side)) => {
                    Budget::take(&mut self.budget.members, values.len())?;
                    self.sets.push(Set::Values(values));
                    let missing = Side::from(parts.missing == Some(side));
                    (PlannedTest::Set(self.sets.len() - 1), old(side), old(side.opposite()), missing)
                }
                None => {
                    let goes_left = parts.missing == Some(first);
                    let rest = Task::Parts(Parts {
                        sides: Rc::clone(&parts.sides),
                        from: parts.from + 1,
                        missing: parts.missing.filter(|_| !goes_left),
                        ..parts
                    });
                    (PlannedTest::Plain(Test::Below(*second)), old(first), rest, Side::from(goes_left))
                }
            },
            [] => unreachable!("a test has sides"),
        };
        let (left, right) = (self.place(left)?, self.place(right)?);
        Ok(Planned::Split { feature, test, missing, left, right })
    }

    /// The place of a node that is still to be made.
    fn place(&mut self, task: Task) -> Result<usize, LoadError> {
        Budget::take(&mut self.budget.nodes, 1)?;
        self.nodes.push(None);
        self.tasks.push((self.nodes.len() - 1, task));
        Ok(self.nodes.len() - 1)
    }

    fn set(&mut self, codes: Vec<u32>) -> Result<PlannedTest, LoadError> {
        if let Some(place) = self.places.get(&codes) {
            return Ok(PlannedTest::Set(*place));
        }
        Budget::take(&mut self.budget.members, codes.len())?;
        self.places.insert(codes.clone(), self.sets.len());
        self.sets.push(Set::Categories(codes));
        Ok(PlannedTest::Set(self.sets.len() - 1))
    }

    fn finish(self, old: &Tree) -> Result<Tree, LoadError> {
        let mut builder = TreeBuilder::new(self.nodes.len());
        let add = |set: Set| match set {
            Set::Categories(codes) => builder.category_set(codes),
            Set::Values(values) => builder.value_set(values),
        };
        let sets: Vec<Test> = self.sets.into_iter().map(add).collect();
        for (node, planned) in self.nodes.into_iter().enumerate() {
            match planned {
                None => {}
                Some(Planned::Leaf(leaf)) => {
                    builder.leaf(node, old.leaves()[leaf].id, old.terms(leaf).iter().copied())?;
                }
                Some(Planned::Split { feature, test, missing, left, right }) => {
                    let test = match test {
                        PlannedTest::Plain(test) => test,
                        PlannedTest::Set(set) => sets[set],
                    };
                    builder.split(node, RawSplit { feature, test, missing, zero: None, left, right })?;
                }
            }
        }
        builder.finish(0)
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
