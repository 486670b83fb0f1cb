//! Decisions about points, remembered: a search asks about some of them again and again.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Limit on the points that are remembered.
const MOST_REMEMBERED: usize = 1 << 12;

/// Decisions about points.
#[derive(Debug)]
pub(super) struct Remembered<T>(Mutex<HashMap<Vec<u32>, T>>);

impl<T> Default for Remembered<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T: Clone> Remembered<T> {
    /// The decision about a point, made now if it is not remembered.
    pub(super) fn or_decide(&self, point: &[u32], decide: impl FnOnce() -> T) -> T {
        let known = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(decision) = known().get(point) {
            return decision.clone();
        }
        let decision = decide();
        let mut known = known();
        if known.len() < MOST_REMEMBERED {
            known.insert(point.to_vec(), decision.clone());
        }
        decision
    }
}
