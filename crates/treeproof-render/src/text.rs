//! An answer as text for terminals: the sentence, the facts, the tables.

use crate::content::{Content, Table, Text};
use crate::tables::Mark;
use crate::words::clean;

/// Longer texts do not push other columns away.
const WIDEST: usize = 60;
/// The names of facts take at least this.
const NARROWEST: usize = 12;

/// The meaning of a piece of text, for whoever gives it a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The answer.
    Answer,
    /// The title of a table.
    Title,
    /// The names of its columns.
    Heading,
    /// A difference, or a verdict.
    Marked(Mark),
    /// The note on rows that are left out.
    More,
}

impl Content {
    /// As plain text.
    pub fn plain(&self) -> String {
        self.text(|_, text| text.to_owned())
    }

    /// As text whose parts are painted. What is painted has its final width: colours take no room.
    pub fn text(&self, paint: impl Fn(Part, &str) -> String) -> String {
        let mut head = vec![];
        if !self.answer.is_empty() {
            head.push(paint(Part::Answer, &clean(&self.answer)));
        }
        head.extend(facts(&self.facts));
        let mut paragraphs = vec![head];
        for table in &self.tables {
            // A single table follows from the answer; of several, each says what it is.
            let title = if self.tables.len() > 1 { table.title.as_str() } else { "" };
            let mut lines = vec![];
            if !title.is_empty() {
                lines.push(paint(Part::Title, &clean(title)));
            }
            lines.extend(facts(&table.facts));
            if !table.facts.is_empty() {
                paragraphs.push(std::mem::take(&mut lines));
            }
            lines.extend(rows(table, &paint));
            if !table.more.is_empty() {
                lines.push(paint(Part::More, &clean(&table.more)));
            }
            paragraphs.push(lines);
        }
        let paragraphs = paragraphs.into_iter().filter(|lines| !lines.is_empty());
        paragraphs.map(|lines| lines.join("\n")).collect::<Vec<_>>().join("\n\n")
    }
}

/// A fact in each line, in two columns.
fn facts(facts: &[(String, String)]) -> Vec<String> {
    let width = facts.iter().map(|(name, _)| length(name) + 1).max().unwrap_or(0).max(NARROWEST);
    facts.iter().map(|(name, text)| format!("{:<width$} {}", clean(name), clean(text))).collect()
}

/// The lines of a table, in columns.
fn rows(table: &Table, paint: impl Fn(Part, &str) -> String) -> Vec<String> {
    if table.rows.is_empty() {
        return vec![];
    }
    let lines: Vec<Vec<(String, Option<Mark>)>> = table.rows.iter().flat_map(|row| lines(row)).collect();
    let width = |column: usize| {
        let texts = lines.iter().filter_map(|line| line.get(column)).map(|(text, _)| length(text));
        texts.chain([length(&table.columns[column])]).max().unwrap_or(0).min(WIDEST)
    };
    let widths: Vec<usize> = (0..table.columns.len()).map(width).collect();
    let head: Vec<(String, Option<Mark>)> = table.columns.iter().map(|name| (clean(name), None)).collect();
    let heading = aligned(&head, &widths, |_, text| text.to_owned());
    let mut painted = vec![paint(Part::Heading, &heading)];
    painted.extend(lines.iter().map(|line| aligned(line, &widths, &paint)));
    painted
}

/// A row is as many lines as the longest of its texts has.
fn lines(row: &[Text]) -> Vec<Vec<(String, Option<Mark>)>> {
    let many = row.iter().map(|text| text.lines.len()).max().unwrap_or(0);
    let line = |place: usize| {
        row.iter().map(move |text| (text.lines.get(place).map_or(String::new(), |line| clean(line)), text.mark))
    };
    (0..many).map(|place| line(place).collect()).collect()
}

fn aligned(line: &[(String, Option<Mark>)], widths: &[usize], paint: impl Fn(Part, &str) -> String) -> String {
    // Nothing is painted, or follows, behind the last text.
    let last = line.iter().rposition(|(text, _)| !text.is_empty()).map_or(0, |last| last + 1);
    let mut told = String::new();
    for (place, ((text, mark), width)) in line.iter().zip(widths).take(last).enumerate() {
        told.push_str(if place > 0 { "  " } else { "" });
        match mark {
            Some(mark) if !text.is_empty() => told.push_str(&paint(Part::Marked(*mark), text)),
            _ => told.push_str(text),
        }
        if place + 1 < last {
            told.push_str(&" ".repeat(width.saturating_sub(length(text))));
        }
    }
    told
}

fn length(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(line: &str) -> Text {
        Text { lines: vec![line.to_owned()], mark: None }
    }

    fn table(title: &str) -> Table {
        let changed = Text { mark: Some(Mark::Changed), ..text("1") };
        let two = Text { lines: vec!["u".to_owned(), "or v".to_owned()], mark: None };
        Table {
            title: title.to_owned(),
            columns: ["feature", "a", "b"].map(str::to_owned).into(),
            rows: vec![vec![text("x"), changed, text("")], vec![text("yy"), text("12"), two]],
            more: "3 more.".to_owned(),
            ..Table::default()
        }
    }

    #[test]
    fn a_single_table_needs_no_title_and_columns_are_aligned() {
        let content = Content {
            answer: "It is so: proved.".to_owned(),
            facts: vec![("time".to_owned(), "0.50 s".to_owned())],
            tables: vec![table("The two inputs")],
            ..Content::default()
        };
        let told = "It is so: proved.\ntime         0.50 s\n\nfeature  a   b\nx        1\nyy       12  u\n             or v\n3 more.";
        assert_eq!(content.plain(), told);
        let painted = content.text(|part, text| match part {
            Part::Marked(Mark::Changed) => format!("<{text}>"),
            _ => text.to_owned(),
        });
        assert_eq!(painted, told.replace("x        1", "x        <1>"), "colours take no room");
    }

    #[test]
    fn of_several_tables_each_says_what_it_is() {
        let mut second = table("two");
        second.facts = vec![("label".to_owned(), "no → yes".to_owned())];
        second.rows.clear();
        let content = Content { tables: vec![table("one"), second], ..Content::default() };
        let told = content.plain();
        assert!(told.starts_with("one\nfeature"), "{told}");
        assert!(told.ends_with("\n\ntwo\nlabel        no → yes\n\n3 more."), "{told}");
    }

    #[test]
    fn names_cannot_steer_a_terminal() {
        let content = Content { answer: "a\u{1b}[31m".to_owned(), tables: vec![table("x")], ..Content::default() };
        assert!(content.plain().starts_with("a\u{fffd}[31m\n"));
    }
}
