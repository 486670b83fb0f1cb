//! The flag for colours.

use anstream::ColorChoice;
use clap::ValueEnum;

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Colour {
    Auto,
    Always,
    Never,
}

impl Colour {
    /// Sets the choice for all further output.
    pub(crate) fn set(self) {
        match self {
            Self::Auto => ColorChoice::Auto,
            Self::Always => ColorChoice::Always,
            Self::Never => ColorChoice::Never,
        }
        .write_global();
    }
}
