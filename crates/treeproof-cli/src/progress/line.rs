//! The text of the progress line: the most important parts first, as many as fit.

use indicatif::HumanCount;
use treeproof::report::Verdict;
use treeproof::watch::{Event, RowsDone};

/// The hint at the end of the line, if it fits.
const HINT: &str = "Ctrl-C: answer so far";

/// As many parts as fit into a width; the first one is cut if necessary.
pub(super) fn fit(parts: &[String], width: usize) -> String {
    let mut line = String::new();
    for part in parts.iter().map(String::as_str).chain([HINT]) {
        let text = if line.is_empty() { part.to_owned() } else { format!("{line}, {part}") };
        if text.chars().count() > width {
            break;
        }
        line = text;
    }
    match parts.first() {
        Some(first) if line.is_empty() => {
            let cut: String = first.chars().take(width.saturating_sub(1)).collect();
            format!("{cut}…")
        }
        _ => line,
    }
}

/// A text, cut if it does not fit.
pub(super) fn fit_words(text: &str, width: usize) -> String {
    fit(&[text.to_owned()], width)
}

/// The state of a search.
pub(super) fn within_search(event: &Event) -> Vec<String> {
    let bound = |bound: Option<f64>| bound.map_or("?".to_owned(), short);
    let mut parts = vec![];
    match event.found {
        Some(found) => parts.push(format!("{found} found, all others at most {}", bound(event.upper))),
        None => {
            parts.push(format!("between {} and {}", bound(event.lower), bound(event.upper)));
            parts.extend(event.gap.map(|gap| format!("gap {}", rough(gap))));
        }
    }
    parts.push(format!("{:.0} s", event.seconds));
    parts.push(format!("{} open of {}", grouped(event.open), counted(event.regions, "region", "regions")));
    parts
}

/// Counts of answered rows by verdict.
#[derive(Default)]
pub(super) struct Counts {
    holds: u64,
    violated: u64,
    exact: u64,
    none: u64,
    undecided: u64,
}

impl Counts {
    /// Counts an answered row.
    pub(super) fn add(&mut self, verdict: Verdict) {
        let count = match verdict {
            Verdict::Holds => &mut self.holds,
            Verdict::Violated => &mut self.violated,
            Verdict::Optimal => &mut self.exact,
            Verdict::Infeasible => &mut self.none,
            _ => &mut self.undecided,
        };
        *count += 1;
    }

    /// Numbers of rows by verdict, with an estimate of the remaining time.
    pub(super) fn over_rows(&self, event: &Event, rows: &RowsDone) -> Vec<String> {
        let mut parts = vec![format!("{} of {}", grouped(rows.rows_done), counted(rows.num_rows, "row", "rows"))];
        let words = [
            (self.holds, "hold"),
            (self.violated, "violated"),
            (self.exact, "exact"),
            (self.none, "without any"),
            (self.undecided, "undecided"),
        ];
        parts.extend(words.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}")));
        parts.push(format!("{:.0} s", event.seconds));
        parts.extend(left(event.seconds, rows).map(|left| format!("about {left:.0} s left")));
        parts
    }
}

/// A bar of the done rows.
pub(super) fn bar(rows: &RowsDone, width: usize) -> String {
    let done = u64::try_from(width).unwrap_or(0) * rows.rows_done / rows.num_rows.max(1);
    let done = usize::try_from(done).unwrap_or(width).min(width);
    format!("[{}{}]", "=".repeat(done), " ".repeat(width - done))
}

/// The estimated time for the remaining rows, in seconds.
#[expect(clippy::cast_precision_loss, reason = "rows are far fewer than 2^53")]
fn left(seconds: f64, rows: &RowsDone) -> Option<f64> {
    let of_one = seconds / rows.rows_done as f64;
    (rows.rows_done > 0).then_some(of_one * rows.num_rows.saturating_sub(rows.rows_done) as f64)
}

/// A bound to six digits.
pub(super) fn short(bound: f64) -> String {
    match bound.abs() {
        0.0 => "0".to_owned(),
        1e-3..1e9 => format!("{bound:.6}"),
        _ => format!("{bound:.6e}"),
    }
}

/// A gap to its first digits.
pub(super) fn rough(gap: f64) -> String {
    match gap.abs() {
        0.0 => "0".to_owned(),
        100.0..1e6 => format!("{gap:.0}"),
        1.0..100.0 => format!("{gap:.1}"),
        1e-3..1.0 => format!("{gap:.4}"),
        _ => format!("{gap:.1e}"),
    }
}

/// A count of something.
pub(crate) fn counted(count: u64, one: &str, several: &str) -> String {
    format!("{} {}", grouped(count), if count == 1 { one } else { several })
}

/// A count with its thousands apart.
pub(super) fn grouped(count: u64) -> String {
    HumanCount(count).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_left_out_from_the_last_on() {
        let parts = ["between 1 and 2", "gap 1", "3 s"].map(str::to_owned);
        assert_eq!(fit(&parts, 80), "between 1 and 2, gap 1, 3 s, Ctrl-C: answer so far");
        assert_eq!(fit(&parts, 40), "between 1 and 2, gap 1, 3 s");
        assert_eq!(fit(&parts, 22), "between 1 and 2, gap 1");
        assert_eq!(fit(&parts, 21), "between 1 and 2");
        assert_eq!(fit(&parts, 8), "between…");
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!([0.0, 1.5, -2e12].map(short), ["0", "1.500000", "-2.000000e12"]);
        assert_eq!([0.0, 257.5, 11.26, 0.5, 2e-9].map(rough), ["0", "258", "11.3", "0.5000", "2.0e-9"]);
        assert_eq!([1, 2].map(|count| counted(count, "axis", "axes")), ["1 axis", "2 axes"]);
        assert_eq!([7, 1234, 1_234_567].map(grouped), ["7", "1,234", "1,234,567"]);
    }
}
