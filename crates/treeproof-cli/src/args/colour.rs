//! When there are colours.

use anstream::ColorChoice;
use clap::ValueEnum;

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Colour {
    Auto,
    Always,
    Never,
}

impl Colour {
    /// For all that is written from now on.
    pub(crate) fn set(self) {
        match self {
            Self::Auto => ColorChoice::Auto,
            Self::Always => ColorChoice::Always,
            Self::Never => ColorChoice::Never,
        }
        .write_global();
    }
}
