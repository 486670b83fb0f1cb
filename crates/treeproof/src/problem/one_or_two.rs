//! One or two of something, seldom more.

use std::ops::{Deref, DerefMut};

/// One or two of something, such as the models that have a feature, or many, as the columns of a group are. Few are kept in
/// place: there are many features, and an allocation for each is what a small question would spend its time on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum OneOrTwo<T> {
    One([T; 1]),
    Two([T; 2]),
    Many(Vec<T>),
}

impl<T> OneOrTwo<T> {
    /// As many of something else.
    pub(super) fn map<U>(&self, mut to: impl FnMut(&T) -> U) -> OneOrTwo<U> {
        match self {
            Self::One([one]) => OneOrTwo::One([to(one)]),
            Self::Two([first, second]) => OneOrTwo::Two([to(first), to(second)]),
            Self::Many(many) => OneOrTwo::Many(many.iter().map(to).collect()),
        }
    }

    /// As many of something else, if there is one for each.
    pub(super) fn try_map<U>(&self, mut to: impl FnMut(&T) -> Option<U>) -> Option<OneOrTwo<U>> {
        Some(match self {
            Self::One([one]) => OneOrTwo::One([to(one)?]),
            Self::Two([first, second]) => OneOrTwo::Two([to(first)?, to(second)?]),
            Self::Many(many) => OneOrTwo::Many(many.iter().map(to).collect::<Option<_>>()?),
        })
    }
}

impl<T> Deref for OneOrTwo<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match self {
            Self::One(one) => one,
            Self::Two(two) => two,
            Self::Many(many) => many,
        }
    }
}

impl<T> DerefMut for OneOrTwo<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        match self {
            Self::One(one) => one,
            Self::Two(two) => two,
            Self::Many(many) => many,
        }
    }
}
