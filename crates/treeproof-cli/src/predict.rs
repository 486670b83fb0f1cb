//! `treeproof predict`: the predictions for rows of data, as CSV or one JSON object.

use std::borrow::Cow;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::Context;
use serde::Serialize;
use treeproof::rows::Rows;
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::label::{ClassName, LabelRule};
use treeproof_ensemble::predict::{BadRow, Prediction, Predictor};

use crate::args::PredictArgs;
use crate::progress::while_reading;
use crate::{files, output};

pub(crate) fn run(args: &PredictArgs) -> anyhow::Result<()> {
    let swapped = |error| files::perhaps_swapped(error, Some(&args.data), &args.model.reading.said());
    let ensemble = while_reading(args.json, &args.model.path, || args.model.load_quietly()).map_err(swapped)?;
    args.model.tell_notes(&ensemble);
    if let Some(why) = ensemble.why_no_outputs().filter(|_| !args.margin) {
        anyhow::bail!("{}: {why}; use --margin", args.model.path.display());
    }
    let rows = while_reading(args.json, &args.data, || {
        let table = files::read_table(&args.data)?;
        Rows::from_table(&table, &ensemble, &args.row_options()).with_context(|| args.data.display().to_string())
    })?;
    files::tell_row_notes(&args.data, &rows);
    let threads = args.threads.unwrap_or(0);
    let pool =
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().context("the threads could not be started")?;
    let answer =
        pool.install(|| Predictions::of(&ensemble, &rows, args.leaves)).map_err(|bad| refusal(&args.data, &bad))?;
    let mut out = BufWriter::new(std::io::stdout().lock());
    if args.json { answer.write_json(args, &mut out) } else { answer.write_csv(args.margin, &mut out) }
        .context("standard output")?;
    output::written(out.flush())
}

fn refusal(path: &Path, bad: &BadRow) -> anyhow::Error {
    anyhow::anyhow!("{}: row {}: {}", path.display(), bad.row, bad.error)
}

#[derive(Serialize)]
struct PredictHead<'a> {
    question: &'static str,
    // A path need not be UTF-8, JSON must be.
    model: Cow<'a, str>,
    data: Cow<'a, str>,
}

#[derive(Serialize)]
struct RowAnswer<'a> {
    row: usize,
    margin: OneOrSeveral<'a>,
    output: OneOrSeveral<'a>,
    label: Option<ClassName>,
    #[serde(skip_serializing_if = "Option::is_none")]
    leaves: Option<&'a [u32]>,
}

/// One number alone, several as a list; `null` in JSON if not finite.
#[derive(Serialize)]
#[serde(untagged)]
enum OneOrSeveral<'a> {
    One(f64),
    Several(&'a [f64]),
}

impl<'a> From<&'a [f64]> for OneOrSeveral<'a> {
    fn from(numbers: &'a [f64]) -> Self {
        if let [number] = numbers { Self::One(*number) } else { Self::Several(numbers) }
    }
}

struct Predictions<'e> {
    ensemble: &'e Ensemble,
    prediction: Prediction,
    /// One number per tree and row; empty unless asked for.
    leaves: Vec<u32>,
    num_rows: usize,
}

impl<'e> Predictions<'e> {
    fn of(ensemble: &'e Ensemble, rows: &Rows, with_leaves: bool) -> Result<Self, BadRow> {
        let predictor = Predictor::new(ensemble);
        let prediction = predictor.predict(rows.values())?;
        let leaves = if with_leaves { predictor.leaf_ids(rows.values())? } else { vec![] };
        Ok(Self { ensemble, prediction, leaves, num_rows: rows.len() })
    }

    fn margins(&self, row: usize) -> &[f64] {
        part(&self.prediction.margins, row, self.num_rows)
    }

    fn outputs(&self, row: usize) -> &[f64] {
        part(&self.prediction.outputs, row, self.num_rows)
    }

    fn leaves(&self, row: usize) -> &[u32] {
        part(&self.leaves, row, self.num_rows)
    }

    /// Row by row: the answer is never in memory as a whole.
    fn write_json(&self, args: &PredictArgs, out: &mut impl Write) -> anyhow::Result<()> {
        let head = PredictHead {
            question: "predict",
            model: args.model.path.to_string_lossy(),
            data: args.data.to_string_lossy(),
        };
        let head = output::json(&head)?;
        write!(out, "{},\"rows\":[", head.trim_end_matches('}'))?;
        for row in 0..self.num_rows {
            let answer = RowAnswer {
                row,
                margin: OneOrSeveral::from(self.margins(row)),
                output: OneOrSeveral::from(self.outputs(row)),
                label: self.prediction.classes.get(row).map(|class| self.ensemble.class_name(*class)),
                leaves: Some(self.leaves(row)).filter(|leaves| !leaves.is_empty()),
            };
            out.write_all(if row == 0 { b"\n" } else { b",\n" })?;
            out.write_all(output::json(&answer)?.as_bytes())?;
        }
        out.write_all(b"\n]}\n")?;
        Ok(())
    }

    fn write_csv(&self, margin: bool, out: &mut impl Write) -> anyhow::Result<()> {
        let mut csv = csv::Writer::from_writer(out);
        let (name, per_row) =
            if margin { ("margin", &self.prediction.margins) } else { ("output", &self.prediction.outputs) };
        // Not taken from the predictions: a file without rows has a header too.
        let num_margins = self.ensemble.num_margins();
        let width = if margin { num_margins } else { self.ensemble.link().apply(&vec![0.0; num_margins]).len() };
        let mut header = vec!["row".to_owned()];
        header.extend((0..width).map(|column| self.column_name(name, column, width)));
        let labelled = !margin && *self.ensemble.label_rule() != LabelRule::None;
        if labelled {
            header.push("label".into());
        }
        let trees = self.leaves.len() / self.num_rows.max(1);
        header.extend((0..trees).map(|tree| format!("leaf_{tree}")));
        csv.write_record(&header)?;
        for row in 0..self.num_rows {
            let mut record = vec![row.to_string()];
            record.extend(part(per_row, row, self.num_rows).iter().copied().map(output::number));
            if labelled {
                record.push(self.ensemble.class_name(self.prediction.classes[row]).to_string());
            }
            record.extend(self.leaves(row).iter().map(u32::to_string));
            csv.write_record(&record)?;
        }
        csv.flush()?;
        Ok(())
    }

    /// `output` alone, `output_setosa` if each column is a class, else `output_0`.
    fn column_name(&self, name: &str, column: usize, width: usize) -> String {
        match self.ensemble.classes() {
            _ if width == 1 => name.to_owned(),
            classes if classes.len() == width => format!("{name}_{}", classes[column]),
            _ => format!("{name}_{column}"),
        }
    }
}

/// The part of one row in a list of rows.
fn part<T>(all: &[T], row: usize, num_rows: usize) -> &[T] {
    let width = all.len() / num_rows;
    &all[row * width..(row + 1) * width]
}
