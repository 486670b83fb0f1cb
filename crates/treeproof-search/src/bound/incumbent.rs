//! The incumbent: the best value known, and the one rule by which a bound closes a region.

use crate::grid::Value;

/// The best value known, and whether a point has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Incumbent {
    /// Regions that cannot exceed it are closed.
    pub(crate) value: Value,
    /// True if a point attains it; if not, a region that can just reach it stays open.
    pub(crate) is_attained: bool,
}

/// A region needs no further search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pruned;

impl Incumbent {
    /// The incumbent before anything is known.
    pub(crate) const NONE: Self = Self { value: Value::MIN, is_attained: false };

    /// Prunes a region by its bound if nothing in it is better.
    #[inline]
    pub(crate) fn prune(self, bound: Value) -> Result<(), Pruned> {
        let closes = if self.is_attained { bound <= self.value } else { bound < self.value };
        if closes { Err(Pruned) } else { Ok(()) }
    }

    /// True if a point of this value is an improvement.
    pub(crate) fn is_improved_by(self, value: Value) -> bool {
        if self.is_attained { value > self.value } else { value >= self.value }
    }

    /// The least fall of a bound that closes what falls so far.
    pub(crate) fn pruning_fall(self, bound: Value) -> Value {
        bound.saturating_sub(self.ceiling())
    }

    /// An upper bound on all values outside the open regions.
    pub(crate) fn ceiling(self) -> Value {
        if self.is_attained { self.value } else { self.value.saturating_sub(1) }
    }
}
