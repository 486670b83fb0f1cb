//! Tables as data: cells in rows, and a note on those that are left out.

use serde::{Deserialize, Serialize};
use treeproof_report::{CheckVerdict, Outcome, Verdict, WitnessValue};

use crate::surface::Surface;
use crate::words::{clean, counted, decimal, short, value};

/// A table.
#[derive(Debug, Default)]
pub(crate) struct PageTable {
    pub(crate) caption: String,
    /// Facts by name, about what the table shows.
    pub(crate) facts: Vec<(String, String)>,
    pub(crate) columns: Vec<TableColumn>,
    /// Rows that belong together, under a heading if there is more than one kind.
    pub(crate) groups: Vec<RowGroup>,
    /// The note on rows that are left out.
    pub(crate) more: String,
    /// True if it may be long, so that people search in it.
    pub(crate) is_long: bool,
}

/// A column.
#[derive(Debug)]
pub(crate) struct TableColumn {
    pub(crate) name: String,
    pub(crate) is_number: bool,
}

/// Rows under a heading.
#[derive(Debug, Default)]
pub(crate) struct RowGroup {
    pub(crate) heading: String,
    pub(crate) rows: Vec<Vec<TableCell>>,
    /// True if these rows change.
    pub(crate) is_changed: bool,
}

/// A text, and how it is shown.
#[derive(Debug, Default)]
pub(crate) struct TableCell {
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
    Badge(Badge),
    /// The name of what the row is about, perhaps with a link to its section.
    Head(Option<String>),
    /// A bar: shares of the largest, found and not excluded.
    Bar { found: f64, most: f64 },
    /// A line for each.
    Lines(Vec<String>),
}

/// The meaning of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mark {
    /// A difference between two inputs.
    Changed,
    /// A verdict as people hope for.
    Good,
    /// A verdict as they do not.
    Bad,
    /// A verdict that is none yet.
    #[default]
    Open,
    /// A verdict that is neither.
    Neutral,
}

/// A verdict or an outcome in a word.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Badge {
    pub(crate) word: &'static str,
    pub(crate) mark: Mark,
}

impl Badge {
    pub(crate) const EXACT: Self = Self { word: "exact", mark: Mark::Good };
}

impl From<Verdict> for Badge {
    fn from(verdict: Verdict) -> Self {
        let mark = match verdict {
            Verdict::Optimal | Verdict::Holds => Mark::Good,
            Verdict::Violated => Mark::Bad,
            Verdict::Undecided | Verdict::Infeasible => Mark::Open,
        };
        Self { word: verdict.name(), mark }
    }
}

impl From<Outcome> for Badge {
    fn from(outcome: Outcome) -> Self {
        let mark = match outcome {
            Outcome::Pass => Mark::Good,
            Outcome::Fail => Mark::Bad,
            Outcome::Undecided | Outcome::Infeasible => Mark::Open,
        };
        Self { word: outcome.name(), mark }
    }
}

impl From<CheckVerdict> for Badge {
    fn from(verdict: CheckVerdict) -> Self {
        let mark = match verdict {
            CheckVerdict::Valid => Mark::Good,
            CheckVerdict::Invalid => Mark::Bad,
            CheckVerdict::Undecided => Mark::Open,
        };
        Self { word: verdict.name(), mark }
    }
}

impl Mark {
    /// Its name in the style of pages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Changed => "changed",
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
            Self::Neutral | Self::Changed => "–",
        }
    }
}

impl TableCell {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// The value of a feature.
    pub(crate) fn value(of: &WitnessValue) -> Self {
        Self { text: value(of), sort: of.finite(), look: Look::Plain }
    }

    /// A number in few digits.
    pub(crate) fn number(of: Option<f64>) -> Self {
        Self { text: of.map_or("?".to_owned(), short), sort: of, look: Look::Plain }
    }

    /// A number in all its digits; empty if there is none.
    pub(crate) fn decimal(of: Option<f64>) -> Self {
        Self { text: of.map_or(String::new(), decimal), sort: of, look: Look::Plain }
    }

    pub(crate) fn badge(badge: impl Into<Badge>) -> Self {
        let badge = badge.into();
        Self { text: badge.word.to_owned(), sort: None, look: Look::Badge(badge) }
    }

    /// The number of a row or a place, which the row is about.
    pub(crate) fn place(place: usize) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "places are small")]
        let sort = Some(place as f64);
        Self { text: place.to_string(), sort, look: Look::Head(None) }
    }

    /// Lines of text; one alone is plain.
    pub(crate) fn lines(mut lines: Vec<String>) -> Self {
        match lines.len() {
            1 => Self::new(lines.remove(0)),
            _ => Self { text: lines.join(" "), sort: None, look: Look::Lines(lines) },
        }
    }

    pub(crate) fn head(text: impl Into<String>) -> Self {
        Self { text: text.into(), sort: None, look: Look::Head(None) }
    }

    pub(crate) fn sorted_by(self, sort: Option<f64>) -> Self {
        Self { sort, ..self }
    }
}

impl RowGroup {
    pub(crate) fn of(rows: Vec<Vec<TableCell>>) -> Self {
        Self { rows, ..Self::default() }
    }
}

impl PageTable {
    /// A list of answers, one in each row.
    pub(crate) fn list(caption: &str, names: &[&str], rows: Vec<Vec<TableCell>>, more: String) -> Self {
        let is_long = rows.len() > 10;
        Self { is_long, ..Self::new(caption, names, rows, more) }
    }

    /// A table of rows that need no heading.
    pub(crate) fn new(caption: &str, names: &[&str], rows: Vec<Vec<TableCell>>, more: String) -> Self {
        let groups = vec![RowGroup::of(rows)];
        Self { caption: caption.to_owned(), columns: columns(names), groups, more, ..Self::default() }
    }
}

/// Columns by name; those of numbers end with `#`.
pub(crate) fn columns(names: &[&str]) -> Vec<TableColumn> {
    let column = |name: &&str| match name.strip_suffix('#') {
        Some(name) => TableColumn { name: clean(name), is_number: true },
        None => TableColumn { name: clean(name), is_number: false },
    };
    names.iter().map(column).collect()
}

/// The note that some of a list are left out.
pub(crate) fn left_out(count: usize, what: &str, surface: Surface) -> String {
    let what = format!("more {what}");
    if count == 0 { String::new() } else { format!("{} ({}).", counted(count, &what), surface.all()) }
}

/// A difference with its sign.
pub(crate) fn signed(by: f64) -> String {
    // No minus before zero.
    if by > 0.0 { format!("+{}", short(by)) } else { short(by + 0.0) }
}
