//! The independent sets of one case: members that exclude each other, and merging two sets into one.

use std::cmp::Reverse;

use crate::grid::{Axis, Value};
use crate::method::{Abandoned, Stop, proceed};
use crate::methods::boxes::{SparseBox, leaves};
use crate::problem::Case;

/// Leaves that overlap, as one.
#[derive(Clone, Debug)]
struct Member {
    /// Per channel of its block, the sum of the leaves.
    values: Box<[Value]>,
    extent: SparseBox,
}

/// Members that exclude each other and cover all points, in any order: millions would take too long to sort in a step.
#[derive(Debug)]
pub(super) struct IndependentSet {
    members: Vec<Member>,
    /// The worst channel of the best member.
    best: Value,
    bytes: usize,
}

/// The sets of a case.
#[derive(Debug)]
pub(super) struct Sets {
    /// Blocks of sets: those of one channel; or one set of several channels.
    blocks: Vec<Vec<IndependentSet>>,
}

/// Two sets being merged.
#[derive(Debug)]
pub(super) struct Merging {
    pair: MergedPair,
    /// The members of the first set that are through, and those of the second that are for the next of the first.
    done: (usize, usize),
    merged: IndependentSet,
}

/// The search for a clique: a member of every set, such that all overlap, each the best that is left.
#[derive(Debug, Default)]
pub(super) struct Seeking {
    /// The block, its set and the member that is looked at next.
    at: (usize, usize, usize),
    /// The intersection of the members chosen so far.
    extent: SparseBox,
    /// Their sums, per channel, the blocks behind one another.
    sums: Vec<Value>,
    /// The sums of the present block, per channel; none before its first set.
    of_block: Vec<Value>,
    /// The best member of the present set that overlaps them.
    best: Option<usize>,
}

/// A choice of two sets.
#[derive(Clone, Copy, Debug)]
enum MergedPair {
    /// The two first sets of a block.
    Within(usize),
    /// The only sets of the two first blocks.
    Across,
}

impl Member {
    fn worst(&self) -> Value {
        *self.values.iter().min().expect("a block has channels")
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + size_of_val(&*self.values) + self.extent.bytes()
    }
}

impl IndependentSet {
    const EMPTY: Self = Self { members: vec![], best: Value::MIN, bytes: 0 };

    fn of(members: impl IntoIterator<Item = Member>) -> Self {
        let mut set = Self::EMPTY;
        members.into_iter().for_each(|member| set.push(member));
        set
    }

    fn push(&mut self, member: Member) {
        self.best = self.best.max(member.worst());
        self.bytes += member.bytes();
        self.members.push(member);
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Frees `count` members; returns true if no more are left.
    pub(super) fn free(&mut self, count: usize) -> bool {
        let left = self.members.len().saturating_sub(count);
        self.bytes -= self.members[left..].iter().map(Member::bytes).sum::<usize>();
        self.members.truncate(left);
        left == 0
    }
}

impl Sets {
    /// A block for each channel, with a set for each tree.
    pub(super) fn new(axes: &[Axis], case: &Case, stop: &dyn Stop) -> Result<Self, Abandoned> {
        let member = |value: Value, extent: SparseBox| Member { values: [value].into(), extent };
        let blocks = case.channels.iter().map(|channel| {
            // The first set also has the base.
            let mut base = channel.base;
            let mut of_tree = |tree| {
                proceed(stop)?;
                let base = std::mem::take(&mut base);
                Ok(IndependentSet::of(
                    leaves(axes, tree).into_iter().map(|leaf| member(base + leaf.value, leaf.extent)),
                ))
            };
            let mut sets: Vec<IndependentSet> = channel.trees.iter().map(&mut of_tree).collect::<Result<_, _>>()?;
            if sets.is_empty() {
                sets.push(IndependentSet::of([member(base, SparseBox::default())]));
            }
            Ok(sets)
        });
        Ok(Self { blocks: blocks.collect::<Result<_, _>>()? })
    }

    /// The number of sets.
    pub(super) fn len(&self) -> usize {
        self.blocks.iter().map(|block| block.len()).sum()
    }

    /// No point has a larger value.
    pub(super) fn bound(&self) -> Value {
        // With several sets there is one channel, and their best members add up.
        let bounds = self.blocks.iter().map(|sets| sets.iter().map(|set| set.best).sum());
        bounds.min().expect("a case has channels")
    }

    pub(super) fn bytes(&self) -> usize {
        self.blocks.iter().flatten().map(|set| set.bytes).sum()
    }

    /// Starts with the two oldest sets of the block with the most; if every block is one set, with two blocks.
    pub(super) fn start(&self) -> Merging {
        let most = (0..self.blocks.len()).max_by_key(|block| (self.blocks[*block].len(), Reverse(*block)));
        let most = most.expect("a case has channels");
        let pair = if self.blocks[most].len() > 1 { MergedPair::Within(most) } else { MergedPair::Across };
        Merging { pair, done: (0, 0), merged: IndependentSet::EMPTY }
    }

    /// Goes on with a merge, for `max_pairs` pairs; stops early when the members take more than `max_bytes`. Returns
    /// true when all pairs are through.
    pub(super) fn merge(&self, merging: &mut Merging, max_pairs: usize, max_bytes: usize) -> bool {
        let (first, second) = match merging.pair {
            MergedPair::Within(block) => (&self.blocks[block][0], &self.blocks[block][1]),
            MergedPair::Across => (&self.blocks[0][0], &self.blocks[1][0]),
        };
        for _ in 0..max_pairs {
            let Some(mine) = first.members.get(merging.done.0) else { return true };
            let Some(their) = second.members.get(merging.done.1) else {
                merging.done = (merging.done.0 + 1, 0);
                continue;
            };
            merging.done.1 += 1;
            if !mine.extent.overlaps(&their.extent) {
                continue;
            }
            let values = match merging.pair {
                MergedPair::Within(_) => [mine.values[0] + their.values[0]].into(),
                MergedPair::Across => mine.values.iter().chain(&their.values).copied().collect(),
            };
            merging.merged.push(Member { values, extent: mine.extent.intersection(&their.extent) });
            if merging.bytes() > max_bytes {
                return false;
            }
        }
        false
    }

    /// Puts the merged set in the place of its two: at the end, behind all that are older. Returns the two.
    pub(super) fn replace(&mut self, merging: Merging) -> Vec<IndependentSet> {
        match merging.pair {
            MergedPair::Within(block) => {
                let sets = &mut self.blocks[block];
                let old = sets.drain(..2).collect();
                sets.push(merging.merged);
                old
            }
            MergedPair::Across => {
                let old = self.blocks.drain(..2).flatten().collect();
                self.blocks.push(vec![merging.merged]);
                old
            }
        }
    }

    /// Goes on with the search for a clique, for `max_members` members. Returns true when it is found.
    pub(super) fn seek(&self, seeking: &mut Seeking, max_members: usize) -> bool {
        for _ in 0..max_members {
            let (block, set, member) = seeking.at;
            let Some(sets) = self.blocks.get(block) else { return true };
            let Some(of_set) = sets.get(set) else {
                seeking.sums.append(&mut seeking.of_block);
                seeking.at = (block + 1, 0, 0);
                continue;
            };
            match of_set.members.get(member) {
                Some(candidate) => {
                    let worst = candidate.worst();
                    let is_better = seeking.best.is_none_or(|best| worst > of_set.members[best].worst());
                    if is_better && candidate.extent.overlaps(&seeking.extent) {
                        seeking.best = Some(member);
                    }
                    seeking.at.2 += 1;
                }
                None => {
                    let best = seeking.best.take().expect("every point is in a member of every set");
                    seeking.choose(&of_set.members[best]);
                    seeking.at = (block, set + 1, 0);
                }
            }
        }
        false
    }
}

impl Seeking {
    fn choose(&mut self, member: &Member) {
        self.extent = self.extent.intersection(&member.extent);
        if self.of_block.is_empty() {
            self.of_block.extend_from_slice(&member.values);
        } else {
            // With several sets there is one channel.
            self.of_block[0] += member.values[0];
        }
    }

    /// The worst channel of the clique, and where it is.
    pub(super) fn clique(self) -> (Value, SparseBox) {
        (self.sums.into_iter().min().expect("a case has channels"), self.extent)
    }
}

impl Merging {
    pub(super) fn bytes(&self) -> usize {
        self.merged.bytes
    }
}
