//! Reason a proof is refused.

/// A proof, or a part of it, is refused: one line that says what is wrong and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Refused(pub String);

impl Refused {
    /// Refused for this reason.
    pub fn because(what: impl Into<String>) -> Self {
        Self(what.into())
    }
}

/// Goes on if something is as it must be; else the message says what is wrong.
pub(crate) fn ensure(is_so: bool, what: impl FnOnce() -> String) -> Result<(), Refused> {
    if is_so { Ok(()) } else { Err(Refused(what())) }
}
