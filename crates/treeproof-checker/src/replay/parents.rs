//! Parents: regions that were branched, and of which some part is still open.
//!
//! The evaluations of a region right before a branching with two open parts bound these parts, until their own records bound
//! them better, as they mostly do. So they are deferred until they matter: if a part stays open to the end, or if more than was
//! pruned already would be pruned of it otherwise. The bound is the same, in about half the time.

use std::collections::HashMap;

use treeproof_proof::record::Note;

use crate::region::CellSet;
use crate::replay::reachable::ReachableLeaves;

/// A part of a parent: the parent's number, and the place among its parts.
pub(super) type PartId = (u64, usize);

/// A region that was branched, or the whole grid.
#[derive(Debug)]
pub(super) struct Parent {
    pub(super) case: usize,
    /// The cells of the axes that have lost some.
    pub(super) narrowed: Box<[(u32, CellSet)]>,
    /// The leaves that it reaches, by channel, as long as parts are open.
    pub(super) reached: Option<Box<[ReachableLeaves]>>,
    /// Upper bounds on its parts.
    pub(super) bounds: [i64; 2],
    /// Notes that may lower them.
    pub(super) deferred: Option<Deferred>,
    /// The region of which it is a part; dropped once its bound is inherited.
    pub(super) of: Option<PartId>,
    /// The bound by all its ancestors, once it is known.
    pub(super) inherited: Option<i64>,
    /// The number of parts that are open, and of branched parts that need it.
    pub(super) num_open: usize,
    pub(super) num_cut: usize,
}

/// Deferred notes of a record.
#[derive(Debug)]
pub(super) struct Deferred {
    pub(super) record: u64,
    /// The number of notes before them.
    pub(super) step: usize,
    pub(super) notes: Vec<Note>,
}

impl Parent {
    /// The whole grid of a case.
    pub(super) fn everything(case: usize) -> Self {
        Self {
            case,
            narrowed: Box::default(),
            reached: None,
            bounds: [i64::MAX; 2],
            deferred: None,
            of: None,
            inherited: Some(i64::MAX),
            num_open: 1,
            num_cut: 0,
        }
    }

    fn bytes(&self) -> usize {
        let special = |cells: &CellSet| size_of_val(&*cells.special);
        let narrowed =
            self.narrowed.iter().map(|(_, cells)| special(cells)).sum::<usize>() + size_of_val(&*self.narrowed);
        let reached = self.reached.iter().flatten().map(ReachableLeaves::bytes).sum::<usize>();
        let notes = self.deferred.iter().flat_map(|deferred| &deferred.notes).map(bytes).sum::<usize>();
        size_of::<Self>() + narrowed + reached + notes
    }
}

fn bytes(note: &Note) -> usize {
    let own = match note {
        Note::Weighed { shares, .. } | Note::Tolled { shares, .. } => size_of_val(&**shares),
        Note::Parted { special, .. } => size_of_val(&**special),
        _ => 0,
    };
    size_of::<Note>() + own
}

/// All parents, by number.
#[derive(Debug)]
pub(super) struct Parents {
    by_number: HashMap<u64, Parent>,
    num_added: u64,
    bytes: usize,
    most_bytes: usize,
}

impl Parents {
    pub(super) fn new(most_bytes: usize) -> Self {
        Self { by_number: HashMap::new(), num_added: 0, bytes: 0, most_bytes }
    }

    /// True if the memory is used up.
    pub(super) fn is_full(&self) -> bool {
        self.bytes >= self.most_bytes
    }

    pub(super) fn get(&self, number: u64) -> &Parent {
        &self.by_number[&number]
    }

    /// Adds a region and returns its number. The region of which it is a part is kept as long as needed.
    pub(super) fn add(&mut self, parent: Parent) -> u64 {
        if let Some((of, _)) = parent.of {
            self.change(of, |of| of.num_cut += 1);
        }
        let number = self.num_added;
        self.num_added += 1;
        self.bytes += parent.bytes();
        self.by_number.insert(number, parent);
        number
    }

    /// Changes a region.
    pub(super) fn change<T>(&mut self, number: u64, change: impl FnOnce(&mut Parent) -> T) -> T {
        let parent = self.by_number.get_mut(&number).expect("regions are kept as long as they are needed");
        let before = parent.bytes();
        let changed = change(parent);
        self.bytes = self.bytes + parent.bytes() - before;
        changed
    }

    /// Closes a part of a region.
    pub(super) fn close_part(&mut self, number: u64) {
        self.change(number, |parent| {
            parent.num_open -= 1;
            if parent.num_open == 0 {
                parent.reached = None;
            }
        });
        self.drop_unneeded(number);
    }

    /// Sets the bound of a region by its ancestors, which it no longer needs.
    pub(super) fn inherit(&mut self, number: u64, bound: i64) {
        let of = self.change(number, |parent| {
            parent.inherited = Some(bound);
            parent.of.take()
        });
        if let Some((of, _)) = of {
            self.change(of, |of| of.num_cut -= 1);
            self.drop_unneeded(of);
        }
    }

    /// Drops a region without open parts, and then those that only it needed.
    fn drop_unneeded(&mut self, number: u64) {
        let mut next = Some(number);
        while let Some(number) = next {
            let parent = self.get(number);
            if parent.num_open + parent.num_cut > 0 {
                return;
            }
            self.bytes -= parent.bytes();
            next = self.by_number.remove(&number).and_then(|parent| parent.of).map(|(of, _)| of);
            if let Some(of) = next {
                self.change(of, |of| of.num_cut -= 1);
            }
        }
    }
}
