//! One tree for the difference of two: its leaves are the pairs of leaves that some point reaches together.
//!
//! Bounded apart, a tree that hardly looks at what differs between two inputs would seem to differ by its largest leaf
//! minus its smallest. In pairs, only what can differ does.

use treeproof_search::{Abandoned, Axis, Cells, Node, Split, Stop, Tree, Value, proceed};

use super::ball::{Coupling, ForcedSplit, PairReach};
use super::lower::split_at;
use super::position;

/// What stands for a leaf that no two inputs reach that are near enough.
const NOWHERE: Value = Value::MIN;

/// Between two looks at whether to abandon the pairs of a tree: so many nodes of both trees.
const POLL_EVERY: u32 = 256;

/// The tree of leaf pairs of two trees over the same axes, whose leaves are numbered by their values. `value` is what a
/// pair is worth. None if more than `most` pairs share a point.
///
/// Of inputs that are coupled, only points at which they are near enough have the value of their pair; the others, which do
/// not count, have any.
pub(super) fn pair(
    axes: &[Axis],
    trees: [&Tree; 2],
    coupling: Option<&Coupling>,
    most: usize,
    value: impl Fn([Value; 2]) -> Value,
    stop: &dyn Stop,
) -> Result<Option<Tree>, Abandoned> {
    let mut nodes = NodeList::default();
    let (mut num_pairs, mut num_states) = (0, 0);
    let mut pending = vec![PairState::default()];
    while let Some(mut state) = pending.pop() {
        num_states += 1;
        if num_states % POLL_EVERY == 0 {
            proceed(stop)?;
        }
        let step = loop {
            // The higher of the two nodes first, so that both trees part where they part at the same place, and what is
            // equal below cancels as a whole.
            let splits = [0, 1].map(|which| match &trees[which].nodes[state.at[which]] {
                Node::Split(split) => Some(split),
                Node::Leaf(_) => None,
            });
            let which = match splits {
                [Some(_), Some(_)] => usize::from(state.depth[1] < state.depth[0]),
                [Some(_), None] => 0,
                [None, Some(_)] => 1,
                [None, None] => break None,
            };
            let split = splits[which].expect("the one chosen is a split");
            state.depth[which] += 1;
            match state.region.sides(axes, split) {
                [Some(left), Some(right)] => break Some((which, split, left, right)),
                [left, _] => state.at[which] = if left.is_some() { split.left } else { split.right } as usize,
            }
        };
        let Some((which, split, left, right)) = step else {
            num_pairs += 1;
            if num_pairs > most {
                return Ok(None);
            }
            let leaf = |which: usize| match trees[which].nodes[state.at[which]] {
                Node::Leaf(leaf) => leaf,
                Node::Split(_) => unreachable!("both are at a leaf"),
            };
            let worth = value([leaf(0), leaf(1)]);
            // Where a pair gains something, it matters how near the inputs must be.
            for forced in coupling
                .filter(|_| worth > 0)
                .map_or(vec![], |coupling| coupling.forced(axes, &state.known, &state.region))
            {
                state.parent = Some(nodes.force(state.parent, forced));
            }
            nodes.add(state.parent, Node::Leaf(worth));
            continue;
        };
        let place = nodes.add(state.parent, Node::Split(Split { left: 0, right: 0, ..split.clone() }));
        for (child, cells, is_left) in [(split.right, right, false), (split.left, left, true)] {
            let mut part = state.clone();
            part.at[which] = child as usize;
            part.parent = Some((place, is_left));
            let Some(coupling) = coupling else {
                part.region.keep(split.axis, cells);
                pending.push(part);
                continue;
            };
            part.known.keep(split.axis, part.known.part(axes, split, is_left));
            part.region.keep(split.axis, cells);
            match coupling.follow(axes, &mut part.region, split.axis) {
                PairReach::Possible => pending.push(part),
                PairReach::Impossible => {
                    nodes.add(part.parent, Node::Leaf(NOWHERE));
                }
                PairReach::Changed(axis) => {
                    let forced = ForcedSplit { axis, cut: 1, special_left: vec![], is_left_impossible: true };
                    part.parent = Some(nodes.force(part.parent, forced));
                    pending.push(part);
                }
            }
        }
    }
    Ok(Some(without_equal_siblings(nodes.filled())))
}

/// Where both trees are, on the way to a pair.
#[derive(Clone, Default)]
struct PairState {
    at: [usize; 2],
    depth: [usize; 2],
    region: NarrowedAxes,
    /// Of coupled inputs: what splits on the way have done, without what follows for the other input.
    known: NarrowedAxes,
    parent: Option<ChildSlot>,
}

/// A place for a child: a split, and whether on its left.
type ChildSlot = (u32, bool);

/// The nodes of a tree in the making; children stand behind their parents.
#[derive(Default)]
struct NodeList(Vec<Node>);

impl NodeList {
    fn add(&mut self, parent: Option<ChildSlot>, node: Node) -> u32 {
        let place = position(self.0.len());
        if let Some((parent, is_left)) = parent {
            let parent = split_at(&mut self.0, parent);
            *(if is_left { &mut parent.left } else { &mut parent.right }) = place;
        }
        self.0.push(node);
        place
    }

    /// Adds a split of which only one side can be reached, which is returned.
    fn force(&mut self, parent: Option<ChildSlot>, forced: ForcedSplit) -> ChildSlot {
        let ForcedSplit { axis, cut, special_left, is_left_impossible } = forced;
        let place = self.add(parent, Node::Split(Split { axis, cut, special_left, left: 0, right: 0 }));
        self.add(Some((place, is_left_impossible)), Node::Leaf(NOWHERE));
        (place, !is_left_impossible)
    }

    /// What nobody reaches may be worth anything: the least of all, so that bounds see that it is no good.
    fn filled(mut self) -> Vec<Node> {
        let leaves = self.0.iter().filter_map(|node| if let Node::Leaf(value) = node { Some(*value) } else { None });
        let least = leaves.filter(|value| *value != NOWHERE).min().unwrap_or(0);
        for node in &mut self.0 {
            if let Node::Leaf(value) = node
                && *value == NOWHERE
            {
                *value = least;
            }
        }
        self.0
    }
}

/// The axes that splits on the way have narrowed.
#[derive(Clone, Default)]
pub(super) struct NarrowedAxes(Vec<(u32, Cells)>);

impl NarrowedAxes {
    pub(super) fn cells(&self, axes: &[Axis], axis: u32) -> Cells {
        let known = self.0.iter().find(|(known, _)| *known == axis).map(|(_, cells)| cells.clone());
        known.unwrap_or_else(|| {
            let Axis { ordered, special } = axes[axis as usize];
            Cells { ordered: 0..ordered, special: (0..special).collect() }
        })
    }

    /// The cells on both sides of a split, where there are any.
    pub(super) fn sides(&self, axes: &[Axis], split: &Split) -> [Option<Cells>; 2] {
        let Cells { ordered, special } = self.cells(axes, split.axis);
        let cut = split.cut.clamp(ordered.start, ordered.end);
        let (left, right) = special.into_iter().partition(|cell| split.special_left.binary_search(cell).is_ok());
        let sides =
            [Cells { ordered: ordered.start..cut, special: left }, Cells { ordered: cut..ordered.end, special: right }];
        sides.map(|cells| Some(cells).filter(|cells| !cells.ordered.is_empty() || !cells.special.is_empty()))
    }

    /// The cells on one side of a split, of which there may be none.
    fn part(&self, axes: &[Axis], split: &Split, is_left: bool) -> Cells {
        let [left, right] = self.sides(axes, split);
        (if is_left { left } else { right }).unwrap_or(Cells { ordered: 0..0, special: vec![] })
    }

    /// Whether an axis was narrowed.
    pub(super) fn has(&self, axis: u32) -> bool {
        self.0.iter().any(|(known, _)| *known == axis)
    }

    /// Each of these axes, with the cells that are left of it.
    pub(super) fn narrowed(&self) -> impl Iterator<Item = (u32, &Cells)> {
        self.0.iter().map(|(axis, cells)| (*axis, cells))
    }

    pub(super) fn keep(&mut self, axis: u32, cells: Cells) {
        match self.0.iter_mut().find(|(known, _)| *known == axis) {
            Some((_, known)) => *known = cells,
            None => self.0.push((axis, cells)),
        }
    }
}

/// The tree in which a split between equal leaves is that leaf. Children stand behind their parents.
fn without_equal_siblings(mut nodes: Vec<Node>) -> Tree {
    for place in (0..nodes.len()).rev() {
        if let Node::Split(split) = &nodes[place]
            && let (Node::Leaf(left), Node::Leaf(right)) = (&nodes[split.left as usize], &nodes[split.right as usize])
            && left == right
        {
            nodes[place] = Node::Leaf(*left);
        }
    }
    let mut kept: Vec<Node> = vec![];
    let mut pending: Vec<(u32, Option<(u32, bool)>)> = vec![(0, None)];
    while let Some((node, parent)) = pending.pop() {
        let place = position(kept.len());
        if let Some((parent, is_left)) = parent {
            let parent = split_at(&mut kept, parent);
            *(if is_left { &mut parent.left } else { &mut parent.right }) = place;
        }
        if let Node::Split(split) = &nodes[node as usize] {
            pending.extend([(split.right, Some((place, false))), (split.left, Some((place, true)))]);
        }
        kept.push(nodes[node as usize].clone());
    }
    Tree { nodes: kept }
}

#[cfg(test)]
mod tests {
    use treeproof_search::Unobserved;

    use super::*;

    fn all(axes: &[Axis], trees: [&Tree; 2], most: usize, value: impl Fn([Value; 2]) -> Value) -> Option<Tree> {
        pair(axes, trees, None, most, value, &Unobserved).unwrap()
    }

    /// Numbers that look random.
    struct Mixed(u64);

    impl Mixed {
        fn below(&mut self, limit: u32) -> u32 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            u32::try_from((self.0 >> 33) % u64::from(limit)).unwrap()
        }
    }

    /// A full tree whose leaves are numbered; every third split is on an axis of its own.
    fn tree(mixed: &mut Mixed, axes: &[Axis], depth: u32) -> Tree {
        let inner = (1 << depth) - 1;
        let split = |place: u32| {
            let axis = mixed.below(position(axes.len()));
            let Axis { ordered, special } = axes[axis as usize];
            let special_left = (0..special).filter(|_| mixed.below(2) == 0).collect();
            Node::Split(Split {
                axis,
                cut: mixed.below(ordered + 1),
                special_left,
                left: 2 * place + 1,
                right: 2 * place + 2,
            })
        };
        let splits: Vec<Node> = (0..inner).map(split).collect();
        Tree { nodes: splits.into_iter().chain((0..=inner).map(|leaf| Node::Leaf(leaf.into()))).collect() }
    }

    /// The tree at the other input: axis 0 becomes axis 3.
    fn renamed(tree: &Tree) -> Tree {
        let node = |node: &Node| match node {
            Node::Split(split) if split.axis == 0 => Node::Split(Split { axis: 3, ..split.clone() }),
            other => other.clone(),
        };
        Tree { nodes: tree.nodes.iter().map(node).collect() }
    }

    #[test]
    fn a_pair_is_what_both_trees_say() {
        let axes = [(3, 1), (2, 2), (4, 0), (3, 1)].map(|(ordered, special)| Axis { ordered, special });
        let mut mixed = Mixed(7);
        for _ in 0..300 {
            let depth = mixed.below(5);
            let first = tree(&mut mixed, &axes[..3], depth);
            let second = renamed(&first);
            let worth = |leaves: [Value; 2]| leaves[1] * leaves[1] - leaves[0] * leaves[0];
            let paired = all(&axes, [&first, &second], usize::MAX, worth).unwrap();
            let mut point = [0; 4];
            loop {
                let expected = worth([&first, &second].map(|tree| tree.value(&axes, &point)));
                assert_eq!(paired.value(&axes, &point), expected);
                let Some(axis) = (0..4).find(|axis| point[*axis] + 1 < axes[*axis].num_cells()) else { break };
                point[..axis].fill(0);
                point[axis] += 1;
            }
            let leaves = paired.nodes.len().div_ceil(2);
            assert!(all(&axes, [&first, &second], leaves - 1, worth).is_none());
        }
    }

    #[test]
    fn trees_without_what_differs_cancel() {
        let axes = [Axis::ordered(4); 3];
        let tree = tree(&mut Mixed(1), &axes, 4);
        let paired = all(&axes, [&tree, &tree], 16, |[first, second]| second - first).unwrap();
        assert!(matches!(paired.nodes[..], [Node::Leaf(0)]));
    }
}
