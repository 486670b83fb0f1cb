//! The regions that were cut and of which something is still open.
//!
//! What a log says of a region right before both parts of it stay open bounds these, until they are looked at themselves, which
//! mostly shows more. So it is not looked at unless it matters: if the parts stay open to the end, or more than was given up
//! already would be given up of them otherwise. What is proved is the same, in about half the time.

use std::collections::HashMap;

use treeproof_proof::record::Note;

use crate::region::CellSet;
use crate::replay::reachable::ReachableLeaves;

/// A part of a region that was cut: the number of the region, and its place among the parts that stayed open.
pub(super) type PartId = (u64, usize);

/// A region that was cut, or the whole grid.
#[derive(Debug)]
pub(super) struct Parent {
    pub(super) case: usize,
    /// The axes that have lost cells.
    pub(super) narrowed: Box<[(u32, CellSet)]>,
    /// The leaves that it reaches, per channel, as long as parts are open.
    pub(super) reached: Option<Box<[ReachableLeaves]>>,
    /// Nothing in each of its parts exceeds this, by what was looked at.
    pub(super) bounds: [i64; 2],
    /// Notes that may show more.
    pub(super) unread: Option<Deferred>,
    /// Of what it is a part itself, unless that matters no more.
    pub(super) of: Option<PartId>,
    /// What nothing in it exceeds by what it is a part of, if that was looked at.
    pub(super) inherited: Option<i64>,
    /// How many parts are open, and how many that were cut need it.
    pub(super) num_open: usize,
    pub(super) num_cut: usize,
}

/// Notes of a record that were not looked at.
#[derive(Debug)]
pub(super) struct Deferred {
    pub(super) record: u64,
    /// How many notes are before them.
    pub(super) step: usize,
    pub(super) notes: Vec<Note>,
}

impl Parent {
    /// All cells.
    pub(super) fn everything(case: usize) -> Self {
        Self {
            case,
            narrowed: Box::default(),
            reached: None,
            bounds: [i64::MAX; 2],
            unread: None,
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
        let notes = self.unread.iter().flat_map(|unread| &unread.notes).map(bytes).sum::<usize>();
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

/// All of them, by number.
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

    /// Whether more should not be kept.
    pub(super) fn is_full(&self) -> bool {
        self.bytes >= self.most_bytes
    }

    pub(super) fn get(&self, number: u64) -> &Parent {
        &self.by_number[&number]
    }

    /// Adds a region, and says its number. What it is a part of is kept as long as it needs that.
    pub(super) fn add(&mut self, whole: Parent) -> u64 {
        if let Some((of, _)) = whole.of {
            self.change(of, |of| of.num_cut += 1);
        }
        let number = self.num_added;
        self.num_added += 1;
        self.bytes += whole.bytes();
        self.by_number.insert(number, whole);
        number
    }

    /// Changes something about a region.
    pub(super) fn change<T>(&mut self, number: u64, change: impl FnOnce(&mut Parent) -> T) -> T {
        let whole = self.by_number.get_mut(&number).expect("regions are kept as long as they are needed");
        let before = whole.bytes();
        let changed = change(whole);
        self.bytes = self.bytes + whole.bytes() - before;
        changed
    }

    /// A part of a region is open no more.
    pub(super) fn close_part(&mut self, number: u64) {
        self.change(number, |whole| {
            whole.num_open -= 1;
            if whole.num_open == 0 {
                whole.reached = None;
            }
        });
        self.drop_unneeded(number);
    }

    /// What nothing in a region exceeds by what it is a part of is known then, and that needed no more.
    pub(super) fn inherit(&mut self, number: u64, bound: i64) {
        let of = self.change(number, |whole| {
            whole.inherited = Some(bound);
            whole.of.take()
        });
        if let Some((of, _)) = of {
            self.change(of, |of| of.num_cut -= 1);
            self.drop_unneeded(of);
        }
    }

    /// Drops a region of which nothing is open, and then what only that needed.
    fn drop_unneeded(&mut self, number: u64) {
        let mut next = Some(number);
        while let Some(number) = next {
            let whole = self.get(number);
            if whole.num_open + whole.num_cut > 0 {
                return;
            }
            self.bytes -= whole.bytes();
            next = self.by_number.remove(&number).and_then(|whole| whole.of).map(|(of, _)| of);
            if let Some(of) = next {
                self.change(of, |of| of.num_cut -= 1);
            }
        }
    }
}
