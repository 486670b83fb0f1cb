//! The part of a model after its sums.

use crate::label::{ClassName, LabelRule};
use crate::link::Link;

/// The consequences of a training objective for outputs and labels.
#[derive(Debug)]
pub(super) struct OutputRules {
    pub(super) link: Link,
    pub(super) label: LabelRule,
    pub(super) classes: Vec<ClassName>,
    pub(super) notes: Vec<String>,
}

impl OutputRules {
    /// A link alone.
    pub(super) fn without_label(link: Link) -> Self {
        Self { link, label: LabelRule::None, classes: Vec::new(), notes: Vec::new() }
    }
}
