//! An answer in a few lines, as data for terminals and notebooks.

use serde::{Deserialize, Serialize};
use treeproof_report::{About, AnyReport};

use crate::question::{checks, page, question};
use crate::surface::{Spelling, Surface};
use crate::tables::{Badge, Look, Mark, PageTable, TableCell};

/// An answer in words, with facts and tables. Every text is plain: whoever shows it escapes it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Content {
    /// The question.
    pub question: String,
    /// The verdict.
    pub verdict: Option<Text>,
    /// The answer in one sentence.
    pub answer: String,
    /// Facts by name.
    pub facts: Vec<(String, String)>,
    /// Tables.
    pub tables: Vec<Table>,
}

/// A table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Table {
    /// Its title.
    pub title: String,
    /// Facts by name.
    pub facts: Vec<(String, String)>,
    /// The names of its columns.
    pub columns: Vec<String>,
    /// A text for each column.
    pub rows: Vec<Vec<Text>>,
    /// The note on rows that are left out.
    pub more: String,
}

/// A text of a table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Text {
    /// In one line or several.
    pub lines: Vec<String>,
    /// Its meaning, for whoever gives it a colour.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<Mark>,
}

impl Content {
    /// The content of an answer.
    pub fn of(report: &AnyReport, about: &About, spelling: Spelling) -> Self {
        let surface = Surface::brief(spelling);
        let mut page = page(report, about, surface);
        if let AnyReport::Audit(audit) = report
            && !audit.checks.is_empty()
        {
            page.grids.push(checks(audit, &about.parts, "", surface));
        }
        let Badge { word, mark } = page.verdict;
        Self {
            question: question(report, about, surface),
            verdict: Some(Text { mark: Some(mark), lines: vec![word.to_owned()] }),
            answer: page.answer,
            facts: page.facts.0,
            tables: page.grids.into_iter().map(table).collect(),
        }
    }
}

/// A table without what only pages draw.
fn table(grid: PageTable) -> Table {
    let is_drawn = |place: usize| {
        let mut cells = grid.groups.iter().flat_map(|group| &group.rows).filter_map(|row| row.get(place));
        cells.any(|cell| matches!(cell.look, Look::Bar { .. }))
    };
    let drawn: Vec<bool> = (0..grid.columns.len()).map(is_drawn).collect();
    let row = |(cells, is_changed): (Vec<TableCell>, bool)| -> Vec<Text> {
        let told = cells.into_iter().zip(&drawn).filter(|(_, is_drawn)| !**is_drawn);
        told.map(|(cell, _)| text(cell, is_changed)).collect()
    };
    let rows = grid.groups.into_iter().flat_map(|group| group.rows.into_iter().map(move |row| (row, group.is_changed)));
    Table {
        title: grid.caption,
        facts: grid.facts,
        columns: grid.columns.into_iter().zip(&drawn).filter(|(_, drawn)| !**drawn).map(|(one, _)| one.name).collect(),
        rows: rows.map(row).collect(),
        more: grid.more,
    }
}

fn text(cell: TableCell, is_changed: bool) -> Text {
    match cell.look {
        Look::Badge(badge) => Text { lines: vec![cell.text], mark: Some(badge.mark) },
        Look::Lines(lines) => Text { lines, mark: None },
        Look::Plain => Text { lines: vec![cell.text], mark: is_changed.then_some(Mark::Changed) },
        Look::Head(_) | Look::Bar { .. } => Text { lines: vec![cell.text], mark: None },
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn of(answer: &Value, spelling: Spelling) -> Content {
        let report = AnyReport::Question(serde_json::from_value(answer.clone()).unwrap());
        Content::of(&report, &About::default(), spelling)
    }

    fn texts(table: &Table) -> Vec<Vec<String>> {
        table.rows.iter().map(|row| row.iter().map(|text| text.lines.join("|")).collect()).collect()
    }

    #[test]
    fn what_changes_is_marked() {
        let pair = json!({"a": {"x": 1, "y": "u"}, "b": {"x": 3, "y": "u"}});
        let answer = json!({"question": "fair", "verdict": "violated", "witness": pair});
        let content = of(&answer, Spelling::Arguments);
        assert_eq!(content.verdict, Some(Text { lines: vec!["violated".to_owned()], mark: Some(Mark::Bad) }));
        let table = &content.tables[0];
        assert_eq!(table.columns, ["feature", "a", "b", "change"]);
        assert_eq!(texts(table), [["x", "1", "3", "+2"], ["y", "u", "u", ""]]);
        let marks = |row: usize| table.rows[row].iter().map(|text| text.mark).collect::<Vec<_>>();
        assert_eq!(marks(0), [None, Some(Mark::Changed), Some(Mark::Changed), Some(Mark::Changed)]);
        assert_eq!(marks(1), [None; 4]);
        let told = serde_json::to_string(&content).unwrap();
        assert!(told.contains(r#""mark":"changed""#), "{told}");
        assert_eq!(serde_json::from_str::<Content>(&told).unwrap(), content);
    }

    #[test]
    fn what_is_only_drawn_is_left_out() {
        let ones = json!([{"attribute": "x", "from": 1, "to": 2, "lower": 1.0, "upper": 1.0}]);
        let answer = json!({"question": "dominant", "verdict": "optimal", "attributes": ones});
        let content = of(&answer, Spelling::Arguments);
        assert_eq!(content.tables[0].columns, ["attribute", "change", "effect"]);
        assert_eq!(texts(&content.tables[0]), [["x", "1 → 2", "+1"]]);
    }

    #[test]
    fn options_are_told_as_they_are_typed() {
        let answer = json!({"question": "max", "verdict": "undecided", "stopped": "time", "lower": 1, "upper": 2});
        let told = |spelling| of(&answer, spelling).answer;
        assert!(told(Spelling::Flags).ends_with("the time was up (--time gives more)."));
        assert!(told(Spelling::Arguments).ends_with("the time was up (time= gives more)."));
    }
}
