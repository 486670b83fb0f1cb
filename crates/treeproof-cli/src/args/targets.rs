//! The flags that end a search about bounds before it is done.

use clap::Args;
use treeproof::task::{Gap, TaskLimits};

use super::number;

#[derive(Args)]
pub(crate) struct TargetArgs {
    /// Stop when the bounds are this close: 0.01, or 1% of the larger one's magnitude.
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
    /// Sets the limits that the flags mean.
    pub(super) fn set(&self, limits: &mut TaskLimits) {
        limits.gap = self.gap;
        (limits.stop_above, limits.stop_below) = (self.stop_above, self.stop_below);
    }
}
