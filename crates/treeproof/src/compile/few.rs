//! One or two of something.

use std::ops::{Deref, DerefMut};

/// One or two of something, such as the models that have a feature. They are kept in place: there are many features, and
/// an allocation for each is what a small question would spend its time on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Few<T> {
    One([T; 1]),
    Two([T; 2]),
}

impl<T> Few<T> {
    /// As many of something else.
    pub(super) fn map<U>(&self, mut to: impl FnMut(&T) -> U) -> Few<U> {
        match self {
            Self::One([one]) => Few::One([to(one)]),
            Self::Two([first, second]) => Few::Two([to(first), to(second)]),
        }
    }

    /// As many of something else, if there is one for each.
    pub(super) fn try_map<U>(&self, mut to: impl FnMut(&T) -> Option<U>) -> Option<Few<U>> {
        Some(match self {
            Self::One([one]) => Few::One([to(one)?]),
            Self::Two([first, second]) => Few::Two([to(first)?, to(second)?]),
        })
    }
}

impl<T> Deref for Few<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match self {
            Self::One(one) => one,
            Self::Two(two) => two,
        }
    }
}

impl<T> DerefMut for Few<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        match self {
            Self::One(one) => one,
            Self::Two(two) => two,
        }
    }
}
