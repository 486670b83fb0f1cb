//! The independent sets of one case: members that exclude each other, and merging two sets into one.

use std::cmp::Reverse;

use crate::extent::{Extent, leaves};
use crate::problem::{Axis, Case, Value};

/// The pairs looked at before a merge is left for later, so that whoever has a clock can look at it.
const PAIRS_AT_ONCE: usize = 1 << 18;

/// Leaves that overlap, as one.
#[derive(Clone, Debug)]
struct Member {
    /// Per channel of its block, the sum of the leaves.
    values: Box<[Value]>,
    extent: Extent,
}

/// Members that exclude each other and cover all points, best first.
#[derive(Debug)]
struct Set {
    members: Vec<Member>,
    bytes: usize,
}

/// The sets of one channel; or one set of several channels.
#[derive(Debug)]
struct Block {
    sets: Vec<Set>,
}

/// The sets of a case.
#[derive(Debug)]
pub(super) struct Sets {
    blocks: Vec<Block>,
}

/// Two sets being merged.
#[derive(Debug)]
pub(super) struct Merging {
    pair: Pair,
    /// The members of the first set that are through.
    done: usize,
    members: Vec<Member>,
    bytes: usize,
}

/// Which two sets.
#[derive(Clone, Copy, Debug)]
enum Pair {
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

impl Set {
    fn new(mut members: Vec<Member>) -> Self {
        members.sort_by_key(|member| Reverse(member.worst()));
        let bytes = members.iter().map(Member::bytes).sum();
        Self { members, bytes }
    }

    /// The worst channel of the best member.
    fn best(&self) -> Value {
        self.members[0].worst()
    }
}

impl Block {
    /// With several sets there is one channel, and their best members add up.
    fn bound(&self) -> Value {
        self.sets.iter().map(Set::best).sum()
    }
}

impl Sets {
    /// A block for each channel, with a set for each tree; the first also has the base.
    pub(super) fn new(axes: &[Axis], case: &Case) -> Self {
        let member = |value: Value, extent: Extent| Member { values: [value].into(), extent };
        let blocks = case.channels.iter().map(|channel| {
            let mut sets: Vec<Set> = channel
                .trees
                .iter()
                .map(|tree| {
                    let leaves = leaves(axes, tree).into_iter();
                    Set::new(leaves.map(|leaf| member(leaf.value, leaf.extent)).collect())
                })
                .collect();
            match sets.first_mut() {
                Some(set) => set.members.iter_mut().for_each(|member| member.values[0] += channel.base),
                None => sets.push(Set::new(vec![member(channel.base, Extent::default())])),
            }
            Block { sets }
        });
        Self { blocks: blocks.collect() }
    }

    /// The number of sets.
    pub(super) fn len(&self) -> usize {
        self.blocks.iter().map(|block| block.sets.len()).sum()
    }

    /// No point has a larger value.
    pub(super) fn bound(&self) -> Value {
        self.blocks.iter().map(Block::bound).min().expect("a case has channels")
    }

    pub(super) fn bytes(&self) -> usize {
        self.blocks.iter().flat_map(|block| &block.sets).map(|set| set.bytes).sum()
    }

    /// Starts with the two oldest sets of the block with the most; if every block is one set, with two blocks.
    pub(super) fn start(&self) -> Merging {
        let most = (0..self.blocks.len()).max_by_key(|block| (self.blocks[*block].sets.len(), Reverse(*block)));
        let most = most.expect("a case has channels");
        let pair = if self.blocks[most].sets.len() > 1 { Pair::Within(most) } else { Pair::Across };
        Merging { pair, done: 0, members: vec![], bytes: 0 }
    }

    /// Goes on with a merge; stops early when its members take more than `max_bytes`. Returns whether all pairs are through.
    pub(super) fn merge(&self, merging: &mut Merging, max_bytes: usize) -> bool {
        let (first, second) = match merging.pair {
            Pair::Within(block) => (&self.blocks[block].sets[0], &self.blocks[block].sets[1]),
            Pair::Across => (&self.blocks[0].sets[0], &self.blocks[1].sets[0]),
        };
        let mut pairs = 0;
        while let Some(mine) = first.members.get(merging.done) {
            if pairs >= PAIRS_AT_ONCE || merging.bytes > max_bytes {
                return false;
            }
            pairs += second.members.len();
            for their in second.members.iter().filter(|their| mine.extent.overlaps(&their.extent)) {
                let values = match merging.pair {
                    Pair::Within(_) => [mine.values[0] + their.values[0]].into(),
                    Pair::Across => mine.values.iter().chain(&their.values).copied().collect(),
                };
                let member = Member { values, extent: mine.extent.intersection(&their.extent) };
                merging.bytes += member.bytes();
                merging.members.push(member);
            }
            merging.done += 1;
        }
        true
    }

    /// Puts the merged set in the place of its two: at the end, behind all that are older.
    pub(super) fn replace(&mut self, merging: Merging) {
        let merged = Set::new(merging.members);
        match merging.pair {
            Pair::Within(block) => {
                let sets = &mut self.blocks[block].sets;
                sets.drain(..2);
                sets.push(merged);
            }
            Pair::Across => {
                self.blocks.drain(..2);
                self.blocks.push(Block { sets: vec![merged] });
            }
        }
    }

    /// A member of every set such that all overlap, each the best that is left; its value and where it is.
    pub(super) fn clique(&self) -> (Value, Extent) {
        let mut extent = Extent::default();
        let mut value = Value::MAX;
        for block in &self.blocks {
            let mut sums: Option<Box<[Value]>> = None;
            for set in &block.sets {
                let member = set.members.iter().find(|member| member.extent.overlaps(&extent));
                let member = member.expect("every point is in a member of every set");
                extent = extent.intersection(&member.extent);
                match &mut sums {
                    Some(sums) => sums[0] += member.values[0],
                    None => sums = Some(member.values.clone()),
                }
            }
            value = value.min(*sums.iter().flatten().min().expect("a block has sets and channels"));
        }
        (value, extent)
    }
}

impl Merging {
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }
}
