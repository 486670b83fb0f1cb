//! Refusals of proofs.

/// A refusal of a proof: one line that says what is wrong and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Refused(pub String);

impl Refused {
    /// A refusal for this reason.
    pub fn because(what: impl Into<String>) -> Self {
        Self(what.into())
    }
}

/// Succeeds if a condition holds; else refuses with a message.
pub(crate) fn ensure(is_so: bool, what: impl FnOnce() -> String) -> Result<(), Refused> {
    if is_so { Ok(()) } else { Err(Refused(what())) }
}
