//! Tables as data: cells in rows, and what is left out.

use serde_json::Value;

use crate::surface::Surface;
use crate::words::{clean, counted, short, value};

/// A table.
#[derive(Debug, Default)]
pub(crate) struct Grid {
    pub(crate) caption: String,
    /// Facts by name, about what the table shows.
    pub(crate) facts: Vec<(String, String)>,
    pub(crate) columns: Vec<Column>,
    /// Rows that belong together, under a heading if there is more than one kind.
    pub(crate) groups: Vec<Group>,
    /// What is left out, and where it is.
    pub(crate) more: String,
    /// Whether it may be long, so that people search in it.
    pub(crate) is_long: bool,
}

/// A column.
#[derive(Debug)]
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) is_number: bool,
}

/// Rows under a heading.
#[derive(Debug, Default)]
pub(crate) struct Group {
    pub(crate) heading: String,
    pub(crate) rows: Vec<Vec<Cell>>,
    /// Whether it is what changes.
    pub(crate) is_changed: bool,
}

/// A text, and how it is shown.
#[derive(Debug, Default)]
pub(crate) struct Cell {
    pub(crate) text: String,
    /// By what it is sorted, where that is a number.
    pub(crate) sort: Option<f64>,
    pub(crate) look: Look,
}

/// How a cell is shown.
#[derive(Debug, Default)]
pub(crate) enum Look {
    #[default]
    Plain,
    /// A verdict or an outcome.
    Badge(Tone),
    /// The name of what the row is about, perhaps with a link to its section.
    Head(Option<String>),
    /// A bar: shares of the largest, found and not excluded.
    Bar { found: f64, most: f64 },
    /// A line for each.
    Lines(Vec<String>),
}

/// Whether something is as people hope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    Good,
    Bad,
    Open,
    Neutral,
}

impl Tone {
    /// Of a verdict or an outcome.
    pub(crate) fn of(word: &str) -> Self {
        match word {
            "optimal" | "holds" | "valid" | "pass" | "exact" | "close enough" | "robust" => Self::Good,
            "violated" | "invalid" | "fail" | "changed" => Self::Bad,
            "none exists" => Self::Neutral,
            _ => Self::Open,
        }
    }

    /// What it is called where it is shown.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Bad => "bad",
            Self::Open => "open",
            Self::Neutral => "neutral",
        }
    }

    /// A sign, so that nothing is told by colour alone.
    pub(crate) fn sign(self) -> &'static str {
        match self {
            Self::Good => "✓",
            Self::Bad => "✗",
            Self::Open => "?",
            Self::Neutral => "–",
        }
    }
}

impl Cell {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// The value of a feature.
    pub(crate) fn value(of: &Value) -> Self {
        Self { text: value(of), sort: of.as_f64(), look: Look::Plain }
    }

    /// A number in few digits.
    pub(crate) fn number(of: Option<f64>) -> Self {
        Self { text: of.map_or("?".to_owned(), short), sort: of, look: Look::Plain }
    }

    pub(crate) fn badge(word: &str) -> Self {
        Self { text: clean(word), sort: None, look: Look::Badge(Tone::of(word)) }
    }

    pub(crate) fn head(text: impl Into<String>) -> Self {
        Self { text: text.into(), sort: None, look: Look::Head(None) }
    }

    pub(crate) fn sorted_by(self, sort: Option<f64>) -> Self {
        Self { sort, ..self }
    }
}

impl Group {
    pub(crate) fn of(rows: Vec<Vec<Cell>>) -> Self {
        Self { rows, ..Self::default() }
    }
}

/// Columns by name; those of numbers end with `#`.
pub(crate) fn columns(names: &[&str]) -> Vec<Column> {
    let column = |name: &&str| match name.strip_suffix('#') {
        Some(name) => Column { name: clean(name), is_number: true },
        None => Column { name: clean(name), is_number: false },
    };
    names.iter().map(column).collect()
}

/// What is left out.
pub(crate) fn left_out(count: usize, what: &str, surface: Surface) -> String {
    let what = format!("more {what}");
    if count == 0 { String::new() } else { format!("{} ({}).", counted(count as u64, &what), surface.all()) }
}

/// A difference with its sign.
pub(crate) fn signed(by: f64) -> String {
    // No minus before zero.
    if by > 0.0 { format!("+{}", short(by)) } else { short(by + 0.0) }
}
