//! Prediction of many rows: the same numbers as [`crate::evaluate`], fast.
//!
//! Values become ranks among the thresholds of their feature; trees are laid out flat with siblings side by side; rows
//! go through a tree in small groups, so that the walks of a group overlap in the processor. Sums stay in tree order
//! per row, so results do not depend on threads.

mod bins;
mod flat;
mod oblivious;
mod payload;
mod special;

use rayon::prelude::*;

use self::bins::{Bin, GROUP, RankColumns};
use self::flat::FlatForest;
use crate::ensemble::Ensemble;
use crate::error::RowError;
use crate::float::Precision;
use crate::input::Reading;
use crate::label::LabelRule;
use crate::link::Link;
use crate::sum::{Aggregate, BasePosition, Summation};

/// Rows that are predicted together: their values stay in cache while all trees pass over them.
const BLOCK: usize = 8 * GROUP;

/// An ensemble laid out for prediction.
pub struct Predictor<'e> {
    ensemble: &'e Ensemble,
    forest: Forest,
}

enum Forest {
    Narrow(FlatForest<u16>),
    /// More thresholds or features than 16 bits can number.
    Wide(FlatForest<u32>),
    /// Not a sum: predicted by the reference evaluation.
    Reference,
}

/// The predictions of many rows, row after row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Prediction {
    /// [`Ensemble::num_margins`] numbers per row.
    pub margins: Vec<f64>,
    /// The outputs, as returned by the library's `predict` or `predict_proba`.
    pub outputs: Vec<f64>,
    /// The position of the predicted class of every row; empty for models without labels.
    pub classes: Vec<usize>,
}

/// A row that cannot be predicted.
#[derive(Clone, Debug, PartialEq)]
pub struct BadRow {
    /// Its position.
    pub row: usize,
    /// The reason.
    pub error: RowError,
}

impl<'e> Predictor<'e> {
    /// Lays out an ensemble.
    pub fn new(ensemble: &'e Ensemble) -> Self {
        let forest = match &ensemble.aggregate {
            Aggregate::Sum(summation) => {
                let columns = RankColumns::new(ensemble);
                if columns.is_narrow() {
                    Forest::Narrow(FlatForest::new(ensemble, summation, columns))
                } else {
                    Forest::Wide(FlatForest::new(ensemble, summation, columns))
                }
            }
            _ => Forest::Reference,
        };
        Self { ensemble, forest }
    }

    /// Predicts rows given one after the other, on the threads of the current rayon pool.
    pub fn predict(&self, rows: &[f64]) -> Result<Prediction, BadRow> {
        let blocks = self.per_block(rows, |first, block| self.predict_block(first, block))?;
        let mut all = Prediction::default();
        for block in blocks {
            all.margins.extend(block.margins);
            all.outputs.extend(block.outputs);
            all.classes.extend(block.classes);
        }
        Ok(all)
    }

    /// The library's number of the leaf that each row reaches in each tree, row after row.
    pub fn leaf_ids(&self, rows: &[f64]) -> Result<Vec<u32>, BadRow> {
        let trees = &self.ensemble.trees;
        let blocks = self.per_block(rows, |first, block| {
            let mut ids = Vec::with_capacity(block.len() / self.width() * trees.len());
            for (row, cells) in (first..).zip(block.chunks(self.width())) {
                let readings = self.read(row, cells)?;
                ids.extend(trees.iter().map(|tree| tree.leaves[tree.leaf(&readings)].id));
            }
            Ok(ids)
        })?;
        Ok(blocks.concat())
    }

    fn width(&self) -> usize {
        self.ensemble.features.len().max(1)
    }

    fn per_block<T: Send>(
        &self,
        rows: &[f64],
        block: impl Fn(usize, &[f64]) -> Result<T, BadRow> + Sync,
    ) -> Result<Vec<T>, BadRow> {
        let (width, expected) = (self.width(), self.ensemble.features.len());
        // Without features no value belongs to a row, and rows without values cannot be counted.
        if !rows.len().is_multiple_of(width) || (expected == 0 && !rows.is_empty()) {
            let found = if expected == 0 { rows.len() } else { rows.len() % width };
            let row = if expected == 0 { 0 } else { rows.len() / width };
            return Err(BadRow { row, error: RowError::Width { expected, found } });
        }
        // Results come in order, so the error reported is the first in the data whichever thread saw it.
        let results: Vec<Result<T, BadRow>> =
            rows.par_chunks(width * BLOCK).enumerate().map(|(index, rows)| block(index * BLOCK, rows)).collect();
        results.into_iter().collect()
    }

    fn predict_block(&self, first: usize, rows: &[f64]) -> Result<Prediction, BadRow> {
        match &self.forest {
            Forest::Narrow(forest) => self.sum_block(forest, first, rows),
            Forest::Wide(forest) => self.sum_block(forest, first, rows),
            Forest::Reference => self.reference_block(first, rows),
        }
    }

    fn reference_block(&self, first: usize, rows: &[f64]) -> Result<Prediction, BadRow> {
        let mut prediction = Prediction::default();
        for (row, cells) in (first..).zip(rows.chunks(self.width())) {
            let evaluation = self.ensemble.evaluate_readings(&self.read(row, cells)?);
            prediction.margins.extend(evaluation.library_margins());
            prediction.outputs.extend(&evaluation.outputs);
            prediction.classes.extend(evaluation.class);
        }
        Ok(prediction)
    }

    fn sum_block<B: Bin>(&self, forest: &FlatForest<B>, first: usize, rows: &[f64]) -> Result<Prediction, BadRow> {
        let ensemble = self.ensemble;
        let summation = ensemble.summation().expect("only sums are laid out flat");
        let values = self.read_block(first, rows)?;
        let (num_rows, outputs) = (rows.len() / self.width(), ensemble.num_accumulators);
        let padded = num_rows.next_multiple_of(GROUP);
        let mut sums: Vec<f64> = match summation.base_position {
            BasePosition::First => summation.base.repeat(padded),
            BasePosition::Last => vec![0.0; padded * outputs],
        };
        let mut scored = vec![false; if ensemble.label == LabelRule::LargestScored { padded * outputs } else { 0 }];
        forest.add(&values, self.width(), summation.precision, outputs, &mut sums, &mut scored);
        let mut prediction = Prediction::default();
        for (row, sums) in sums.chunks_mut(outputs).take(num_rows).enumerate() {
            let margins = finish(summation, sums);
            prediction.margins.extend_from_slice(margins);
            if ensemble.link == Link::Identity && ensemble.label == LabelRule::None {
                prediction.outputs.extend_from_slice(margins);
                continue;
            }
            let linked = ensemble.link.apply(margins);
            let scored = scored.get(row * outputs..(row + 1) * outputs).unwrap_or(&[]);
            prediction.classes.extend(ensemble.label.class(margins, &linked, scored));
            prediction.outputs.extend(linked);
        }
        Ok(prediction)
    }

    fn read(&self, row: usize, cells: &[f64]) -> Result<Vec<Reading>, BadRow> {
        self.ensemble.read(cells).map_err(|error| BadRow { row, error })
    }

    /// Values as the flat trees see them: NaN for missing, a category's code, −1 for no category.
    fn read_block(&self, first: usize, rows: &[f64]) -> Result<Vec<f64>, BadRow> {
        let mut values = Vec::with_capacity(rows.len());
        for (row, cells) in (first..).zip(rows.chunks(self.width())) {
            values.extend(self.read(row, cells)?.into_iter().map(|reading| match reading {
                Reading::Missing => f64::NAN,
                Reading::Number(x) => x,
                Reading::Category(code) => f64::from(code),
                Reading::NoCategory => -1.0,
            }));
        }
        Ok(values)
    }
}

/// The steps after the last term, in the library's own arithmetic; see [`Summation`].
fn finish<'s>(summation: &Summation, sums: &'s mut [f64]) -> &'s [f64] {
    let precision = summation.precision;
    for (sum, base) in sums.iter_mut().zip(&summation.base) {
        if let Some(divisor) = summation.divisor {
            *sum = precision.round(*sum / divisor);
        }
        if let Some(scale) = summation.scale {
            *sum = precision.round(*sum * scale);
        }
        if summation.base_position == BasePosition::Last && summation.adds_last_base() {
            *sum = precision.round(*sum + base);
        }
    }
    let margins = if summation.fold_pair {
        sums[0] = precision.round(-sums[0] + sums[1]);
        &mut sums[..1]
    } else {
        sums
    };
    if summation.narrow {
        margins.iter_mut().for_each(|sum| *sum = Precision::F32.round(*sum));
    }
    margins
}
