//! The place where an answer is shown: its room, and the spelling of options there.

/// The spelling of options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Spelling {
    /// Flags of the command line: `--time`.
    #[default]
    Flags,
    /// Arguments in Python: `time=`.
    Arguments,
}

/// Limits on what is shown; more is left out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surface {
    pub(crate) spelling: Spelling,
    /// True if it is read beside other things, so that there is only the answer and what was found.
    pub(crate) is_brief: bool,
    /// Rows of data.
    pub(crate) rows: usize,
    /// Rows of which the input that was found is shown beside them.
    pub(crate) beside: usize,
    /// The features of an input, and of those in which two inputs agree.
    pub(crate) features: usize,
    pub(crate) equal: usize,
    /// Answers one by one: features, attributes, configurations.
    pub(crate) listed: usize,
    /// Conditions of a configuration.
    pub(crate) conditions: usize,
}

impl Surface {
    /// A page of its own, with so many rows of data.
    pub(crate) fn page(spelling: Spelling, rows: usize) -> Self {
        Self { spelling, is_brief: false, rows, beside: 10, features: 60, equal: 30, listed: 500, conditions: 12 }
    }

    /// A few lines in a terminal or a notebook.
    pub(crate) fn brief(spelling: Spelling) -> Self {
        Self { spelling, is_brief: true, rows: 10, beside: 1, features: 15, equal: 10, listed: 15, conditions: 12 }
    }

    /// An option.
    pub(crate) fn option(&self, name: &str) -> String {
        match self.spelling {
            Spelling::Flags => format!("--{name}"),
            Spelling::Arguments => format!("{name}="),
        }
    }

    /// The place of everything that is left out.
    pub(crate) fn all(&self) -> &'static str {
        match self.spelling {
            Spelling::Flags => "--json has all",
            Spelling::Arguments => "to_dict() has all",
        }
    }

    /// The place of all rows.
    pub(crate) fn all_rows(&self) -> &'static str {
        match self.spelling {
            Spelling::Flags => "--json and --output have all",
            Spelling::Arguments => "`table` has all",
        }
    }
}
