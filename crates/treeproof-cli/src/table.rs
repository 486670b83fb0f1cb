//! The answers about rows as a table in a file.

use std::path::Path;

use anyhow::Context;
use treeproof::inspect::attributes;
use treeproof::outputs::{Ends, FileKind, Outputs, Replacement};
use treeproof::task::{Question, Task};
use treeproof_data::write::{WrittenCells, WrittenColumn, is_own_parquet, to_csv, to_parquet};
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_report::{
    AnyReport, Change, DistanceRow, Finding, NearestRow, NearestRows, Pair, PairAnswer, PairRow, SavedAnswer, Witness,
    WitnessValue,
};

use crate::{files, output};

/// What a file of answers can be.
#[derive(Clone, Copy)]
enum TableFormat {
    Csv,
    Json,
    Parquet,
}

/// The kind of file that a table of answers may overwrite.
const ANSWERS: FileKind = FileKind { name: "a file of answers of treeproof", is_kind: is_answers };

/// The first columns of a table of answers: about distances, without and with labels in the data, and about pairs.
const HEADERS: [&str; 3] = [
    "row,verdict,label,lower,upper,stopped,seconds,witness_label,output,",
    "row,verdict,label,is_correct,lower,upper,stopped,seconds,witness_label,output,",
    "row,verdict,lower,upper,stopped,seconds,label_a,label_b,output_a,output_b,",
];

/// The beginnings of answers as JSON.
const QUESTIONS: [&str; 3] = ["{\"question\":\"robust\",", "{\"question\":\"closest\",", "{\"question\":\"fair\","];

fn is_answers(Ends { start, end }: &Ends) -> bool {
    let contains = |bytes: &[u8], part: &str| bytes.windows(part.len()).any(|bytes| bytes == part.as_bytes());
    let is_csv = HEADERS.iter().any(|header| start.starts_with(header.as_bytes()));
    // Facts about large models stand between what tells answers from others and the end.
    let is_json = QUESTIONS.iter().any(|question| start.starts_with(question.as_bytes()))
        && ["\"unit\":\"", "\"verdict\":\""].iter().all(|key| contains(start, key))
        && (start != end || contains(start, ",\"about\":{\"treeproof\":\""));
    is_csv || is_json || start.starts_with(b"PAR1") && is_own_parquet(end)
}

/// A file for answers, opened before there are any.
pub(crate) struct TableFile {
    format: TableFormat,
    file: Replacement,
}

impl TableFile {
    /// An error if the file cannot be written, or the task is not about rows.
    pub(crate) fn create(path: &Path, task: &Task, outputs: &mut Outputs) -> anyhow::Result<Self> {
        let is_about_rows = match task.question {
            Question::Robust(_) | Question::Closest(_) => true,
            Question::Fair(_) => task.data.is_some(),
            _ => false,
        };
        anyhow::ensure!(is_about_rows, "--output: a table has a line for each row, but this question has no rows");
        let format = match path.extension().and_then(|ending| ending.to_str()) {
            Some("csv") => TableFormat::Csv,
            Some("json") => TableFormat::Json,
            Some("parquet") => TableFormat::Parquet,
            _ => anyhow::bail!("--output: `{}` must end in .csv, .json or .parquet", path.display()),
        };
        Ok(Self { format, file: outputs.open("--output", path, ANSWERS).map_err(files::refused)? })
    }

    /// Writes the answers; `.json` is what --json prints.
    pub(crate) fn write(self, saved: &SavedAnswer, task: &Task, ensemble: &Ensemble) -> anyhow::Result<()> {
        let columns = || columns(&saved.report, task, ensemble);
        let content = match self.format {
            TableFormat::Json => (serde_json::to_string(saved)? + "\n").into_bytes(),
            TableFormat::Csv => to_csv(&columns()?).map_err(anyhow::Error::msg)?,
            TableFormat::Parquet => to_parquet(&columns()?).map_err(anyhow::Error::msg)?,
        };
        let named = self.file.path().display().to_string();
        self.file.write(&content).context(named)
    }
}

/// One line for each row that was answered.
fn columns(report: &AnyReport, task: &Task, ensemble: &Ensemble) -> anyhow::Result<Vec<WrittenColumn>> {
    let finding = if let AnyReport::Question(report) = report { Some(&report.finding) } else { None };
    let mut columns = match (finding, &task.question) {
        (Some(Finding::Robust(answer) | Finding::Closest(answer)), _) => of_distances(&answer.rows),
        (Some(Finding::FairRows(answer)), _) => of_pairs(&answer.rows),
        // Nothing meets the conditions: the same columns without lines.
        (_, Question::Fair(_)) => of_pairs(&[]),
        _ => of_distances(&[]),
    };
    let witnesses: Vec<Option<&Witness>> = match finding {
        Some(Finding::Robust(answer) | Finding::Closest(answer)) => {
            answer.rows.iter().map(|row| row.witness.as_ref()).collect()
        }
        Some(Finding::FairRows(answer)) => {
            answer.rows.iter().map(|row| both(&row.answer).map(|pair| &pair.b)).collect()
        }
        _ => vec![],
    };
    for (place, attribute) in attributes(ensemble, &task.groups_in(ensemble)?).into_iter().enumerate() {
        let values = witnesses.iter().map(|witness| witness.map(|witness| &witness.0[place].1));
        let cells = match attribute.is_named {
            true => WrittenCells::Texts(values.map(|value| value.and_then(named_value)).collect()),
            false => WrittenCells::Numbers(values.map(|value| value.and_then(numeric_value)).collect()),
        };
        columns.push(WrittenColumn { name: format!("witness.{}", attribute.name), cells });
    }
    Ok(columns)
}

fn named_value(value: &WitnessValue) -> Option<String> {
    Some(value_text(value)).filter(|_| *value != WitnessValue::Missing)
}

fn numeric_value(value: &WitnessValue) -> Option<f64> {
    match value {
        WitnessValue::Number(number) => Some(*number),
        _ => None,
    }
}

/// Columns out of rows.
struct TableColumns<'a, T>(&'a [T], Vec<WrittenColumn>);

impl<T> TableColumns<'_, T> {
    fn integers(&mut self, name: &str, of: impl Fn(&T) -> Option<usize>) {
        let integer = |row: &T| of(row).and_then(|count| i64::try_from(count).ok());
        self.push(name, WrittenCells::Integers(self.0.iter().map(integer).collect()));
    }

    fn numbers(&mut self, name: &str, of: impl Fn(&T) -> Option<f64>) {
        self.push(name, WrittenCells::Numbers(self.0.iter().map(of).collect()));
    }

    fn texts(&mut self, name: &str, of: impl Fn(&T) -> Option<String>) {
        self.push(name, WrittenCells::Texts(self.0.iter().map(of).collect()));
    }

    fn push(&mut self, name: &str, cells: WrittenCells) {
        self.1.push(WrittenColumn { name: name.to_owned(), cells });
    }
}

fn of_distances(rows: &[DistanceRow]) -> Vec<WrittenColumn> {
    let mut columns = TableColumns(rows, vec![]);
    columns.integers("row", |row| Some(row.row));
    columns.texts("verdict", |row| Some(row.verdict.name().to_owned()));
    columns.texts("label", |row| row.label.as_ref().map(ToString::to_string));
    if rows.iter().any(|row| row.is_correct.is_some()) {
        columns.push("is_correct", WrittenCells::Booleans(rows.iter().map(|row| row.is_correct).collect()));
    }
    columns.numbers("lower", |row| row.lower);
    columns.numbers("upper", |row| row.upper);
    columns.texts("stopped", |row| Some(row.stopped.name().to_owned()));
    columns.numbers("seconds", |row| Some(row.seconds));
    columns.texts("witness_label", |row| row.witness_label.as_ref().map(ToString::to_string));
    columns.numbers("output", |row| row.output);
    columns.numbers("probability", |row| row.probability);
    let change = |change: &Change| changed(&change.feature, &change.from, &change.to);
    columns.texts("changed", |row| joined(row.changed.iter().map(change)));
    nearest(&mut columns, |row| row.nearest_row.as_ref());
    columns.1
}

fn of_pairs(rows: &[PairRow]) -> Vec<WrittenColumn> {
    let mut columns = TableColumns(rows, vec![]);
    columns.integers("row", |row| Some(row.row));
    columns.texts("verdict", |row| Some(row.answer.verdict.name().to_owned()));
    columns.numbers("lower", |row| row.answer.lower);
    columns.numbers("upper", |row| row.answer.upper);
    columns.texts("stopped", |row| Some(row.answer.stopped.name().to_owned()));
    columns.numbers("seconds", |row| Some(row.answer.seconds));
    columns.texts("label_a", |row| row.answer.label.as_ref().map(|label| label.a.to_string()));
    columns.texts("label_b", |row| row.answer.label.as_ref().map(|label| label.b.to_string()));
    columns.numbers("output_a", |row| row.answer.output.as_ref().and_then(|output| output.a.one()));
    columns.numbers("output_b", |row| row.answer.output.as_ref().and_then(|output| output.b.one()));
    columns.texts("changed", |row| {
        let pair = both(&row.answer)?;
        let differing = pair.a.0.iter().zip(&pair.b.0).filter(|(a, b)| a.1 != b.1);
        joined(differing.map(|(a, b)| changed(&a.0, &a.1, &b.1)))
    });
    nearest(&mut columns, |row| match &row.answer.nearest_row {
        Some(NearestRows::Two(pair)) => Some(&pair.b),
        _ => None,
    });
    columns.1
}

/// The row of the data that is nearest to the witness, where there is data.
fn nearest<T>(columns: &mut TableColumns<'_, T>, of: impl Fn(&T) -> Option<&NearestRow>) {
    if columns.0.iter().any(|row| of(row).is_some()) {
        columns.integers("nearest_row", |row| of(row).map(|nearest| nearest.row));
        columns.numbers("nearest_distance", |row| of(row).map(|nearest| nearest.distance));
    }
}

fn both(answer: &PairAnswer) -> Option<&Pair<Witness>> {
    answer.witness.as_ref()?.two()
}

fn changed(feature: &str, from: &WitnessValue, to: &WitnessValue) -> String {
    format!("{feature} {} → {}", value_text(from), value_text(to))
}

fn joined(texts: impl Iterator<Item = String>) -> Option<String> {
    Some(texts.collect::<Vec<String>>().join("; ")).filter(|text| !text.is_empty())
}

fn value_text(value: &WitnessValue) -> String {
    match value {
        WitnessValue::Missing => "missing".to_owned(),
        WitnessValue::Number(value) => output::number(*value),
        WitnessValue::Truth(is_true) => if *is_true { "True" } else { "False" }.to_owned(),
        WitnessValue::Text(text) => text.clone(),
    }
}
