//! A collection of one or two items, seldom more.

use std::ops::{Deref, DerefMut};

/// One or two items, such as the models that have a feature, or many, as the columns of a group. One and two are kept in
/// place: there are many features, and an allocation for each would take most of the time of a small question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum OneOrTwo<T> {
    One([T; 1]),
    Two([T; 2]),
    Many(Vec<T>),
}

impl<T> OneOrTwo<T> {
    /// Maps each item.
    pub(super) fn map<U>(&self, mut to: impl FnMut(&T) -> U) -> OneOrTwo<U> {
        match self {
            Self::One([one]) => OneOrTwo::One([to(one)]),
            Self::Two([first, second]) => OneOrTwo::Two([to(first), to(second)]),
            Self::Many(many) => OneOrTwo::Many(many.iter().map(to).collect()),
        }
    }

    /// Maps each item; `None` if one has no image.
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
