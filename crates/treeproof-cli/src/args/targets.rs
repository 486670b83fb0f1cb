//! Flags for stopping a search early.

use clap::Args;
use treeproof::task::{Gap, TaskLimits};

use super::number;

#[derive(Args)]
pub(crate) struct TargetArgs {
    /// Stop when the gap between the bounds is at most this: absolute, such as 0.01, or relative to the larger magnitude, such as 1%.
    #[arg(long, value_name = "GAP", allow_hyphen_values = true, help_heading = "Limits")]
    gap: Option<Gap>,
    /// Stop when the lower bound is at least this.
    #[arg(long, value_name = "V", value_parser = number, allow_hyphen_values = true, help_heading = "Limits")]
    stop_above: Option<f64>,
    /// Stop when the upper bound is at most this.
    #[arg(long, value_name = "V", value_parser = number, allow_hyphen_values = true, help_heading = "Limits")]
    stop_below: Option<f64>,
}

impl TargetArgs {
    /// Sets the limits of the flags.
    pub(super) fn set(&self, limits: &mut TaskLimits) {
        limits.gap = self.gap;
        (limits.stop_above, limits.stop_below) = (self.stop_above, self.stop_below);
    }
}
