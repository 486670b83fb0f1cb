//! From steps to columns: the derivation of each column of the model.

use std::sync::Arc;

use super::column::{DerivedColumn, EncoderColumn, Operation};
use super::step::{Action, Impute, OneHot, Ordinal, PipelineStep, Scale, Select, Stretch, UnionPart};
use crate::error::LoadError;

/// The largest number of operations on one column, far beyond any real pipeline.
const MAX_OPERATIONS: usize = 256;

/// The columns after some steps.
pub(super) struct DerivedColumns {
    pub(super) columns: Vec<DerivedColumn>,
    /// Columns that a step read and dropped: it may have refused the row.
    pub(super) dropped: Vec<DerivedColumn>,
    /// True if zeros are left out.
    pub(super) is_sparse: bool,
}

impl DerivedColumns {
    /// The input columns.
    pub(super) fn new(num_columns: usize) -> Self {
        let column = |source| DerivedColumn { source, operations: vec![], is_single: false };
        Self { columns: (0..num_columns).map(column).collect(), dropped: vec![], is_sparse: false }
    }

    /// The columns after steps.
    pub(super) fn through(self, steps: &[PipelineStep]) -> Result<Self, LoadError> {
        steps.iter().try_fold(self, |table, step| {
            let place = format!("step `{}`", step.name);
            let table = table.through_one(&step.action).map_err(|error| error.within(&place))?;
            match table.columns.iter().all(|column| column.operations.len() < MAX_OPERATIONS) {
                true => Ok(table),
                false => Err(LoadError::unsupported(place, "more steps on one column than a pipeline has")),
            }
        })
    }

    fn through_one(self, action: &Action) -> Result<Self, LoadError> {
        if self.is_sparse && !matches!(action, Action::Select(_)) {
            let what = "a step after one that leaves out zeros, which computes in another way there; \
                        make the step before it dense (sparse_output=False, sparse_threshold=0)";
            return Err(LoadError::unsupported("", what));
        }
        match action {
            Action::Scale(scale) => self.scaled(scale),
            Action::Stretch(stretch) => self.stretched(stretch),
            Action::Impute(impute) => self.imputed(impute),
            Action::OneHot(encoder) => self.one_hot(encoder),
            Action::Ordinal(encoder) => self.ordinal(encoder),
            Action::Select(select) => self.selected_by(select),
            Action::Union(union) => {
                let part = |part: &UnionPart| self.selected(&part.columns)?.through(&part.steps);
                let parts = union.parts.iter().map(part).collect::<Result<Vec<Self>, _>>()?;
                // Side by side, numbers are of the largest type.
                let is_single = parts.iter().flat_map(|part| &part.columns).all(|column| column.is_single);
                let is_sparse = union.sparse.unwrap_or_else(|| parts.iter().any(|part| part.is_sparse));
                let mut all = Self { columns: vec![], dropped: self.dropped.clone(), is_sparse };
                for part in parts {
                    all.columns.extend(part.columns);
                    all.dropped.extend(part.dropped);
                }
                all.columns.iter_mut().for_each(|column| column.is_single = is_single);
                Ok(all)
            }
        }
    }

    fn selected_by(mut self, select: &Select) -> Result<Self, LoadError> {
        if select.finite {
            for column in &mut self.columns {
                column.operations.extend([Operation::Finite, Operation::NotNan]);
            }
        }
        let mut is_selected = vec![false; self.columns.len()];
        let selected = self.selected(&select.columns)?;
        select.columns.iter().for_each(|place| is_selected[*place] = true);
        let others = self.columns.into_iter().zip(is_selected).filter(|(_, selected)| !selected);
        let dropped = self.dropped.into_iter().chain(others.map(|(column, _)| column)).collect();
        Ok(Self { dropped, ..selected })
    }

    /// Some columns, without what was dropped.
    fn selected(&self, columns: &[usize]) -> Result<Self, LoadError> {
        let column = |place: &usize| {
            let missing = || format!("column {place} of {}", self.columns.len());
            self.columns.get(*place).cloned().ok_or_else(|| LoadError::malformed("", missing()))
        };
        let columns = columns.iter().map(column).collect::<Result<_, _>>()?;
        Ok(Self { columns, dropped: vec![], is_sparse: self.is_sparse })
    }

    fn scaled(mut self, scale: &Scale) -> Result<Self, LoadError> {
        let zero = scale.subtract.as_ref().map(|numbers| self.each(numbers, "subtract")).transpose()?;
        let one = scale.divide.as_ref().map(|numbers| self.each(numbers, "divide")).transpose()?;
        check_factors(one.unwrap_or_default())?;
        self.check_double()?;
        for (place, column) in self.columns.iter_mut().enumerate() {
            column.operations.push(Operation::Finite);
            column.operations.extend(zero.map(|numbers| Operation::Subtract(numbers[place])));
            column.operations.extend(one.map(|numbers| Operation::Divide(numbers[place])));
            column.operations.extend(scale.clip.map(|(low, high)| Operation::Clip(low, high)));
        }
        Ok(self)
    }

    fn stretched(mut self, stretch: &Stretch) -> Result<Self, LoadError> {
        let (factors, terms) = (self.each(&stretch.multiply, "multiply")?, self.each(&stretch.add, "add")?);
        check_factors(factors)?;
        self.check_double()?;
        for ((column, factor), term) in self.columns.iter_mut().zip(factors).zip(terms) {
            let operations = [Operation::Finite, Operation::Multiply(*factor), Operation::Add(*term)];
            column.operations.extend(operations);
            column.operations.extend(stretch.clip.map(|(low, high)| Operation::Clip(low, high)));
        }
        Ok(self)
    }

    fn imputed(self, impute: &Impute) -> Result<Self, LoadError> {
        let fill = self.each(&impute.fill, "fill")?;
        let missing = &impute.missing.value;
        // NaN is refused unless it is the missing value.
        let checks = [Some(Operation::Finite), (!missing.is_nan()).then_some(Operation::NotNan)];
        let with = |column: &DerivedColumn, last: Operation| {
            let mut column = column.clone();
            column.operations.extend(checks.iter().flatten().cloned().chain([last]));
            column
        };
        let (mut columns, mut dropped) = (vec![], self.dropped.clone());
        for (column, fill) in self.columns.iter().zip(fill) {
            match fill {
                Some(fill) => {
                    let fill = fill.value.clone();
                    columns.push(with(column, Operation::Fill { missing: missing.clone(), fill }));
                }
                None => dropped.push(with(column, Operation::Is(missing.clone()))),
            }
        }
        let own = self.selected(&impute.indicators)?.columns;
        columns.extend(own.iter().map(|column| with(column, Operation::Is(missing.clone()))));
        Ok(Self { columns, dropped, ..self })
    }

    fn one_hot(self, encoder: &OneHot) -> Result<Self, LoadError> {
        let (mut columns, mut dropped) = (vec![], self.dropped.clone());
        for (column, known) in self.columns.iter().zip(self.each(&encoder.columns, "columns")?) {
            let unknown = (!known.refuse_unknown).then_some(known.unknown_output);
            let outputs = Arc::new(EncoderColumn::new(&known.categories, known.outputs.clone(), unknown)?);
            let mut all = known.outputs.iter().chain([&known.unknown_output]).flatten();
            if known.num_outputs > known.categories.len() + 1 || all.any(|output| *output >= known.num_outputs) {
                let what = format!("an output beyond the {} of its column", known.num_outputs);
                return Err(LoadError::malformed("", what));
            }
            let indicator = |output: usize| {
                let mut operations = column.operations.clone();
                operations.extend([Operation::Finite, Operation::Indicate(Arc::clone(&outputs), output)]);
                DerivedColumn { operations, is_single: encoder.single, ..*column }
            };
            columns.extend((0..known.num_outputs).map(indicator));
            dropped.extend((known.num_outputs == 0).then(|| indicator(0)));
        }
        Ok(Self { columns, dropped, is_sparse: encoder.sparse })
    }

    fn ordinal(mut self, encoder: &Ordinal) -> Result<Self, LoadError> {
        for (column, known) in (0..).zip(self.each(&encoder.columns, "columns")?) {
            let codes = known.codes.iter().map(|code| code.0).collect();
            let codes = EncoderColumn::new(&known.categories, codes, known.unknown.map(|code| code.0))?;
            let column: &mut DerivedColumn = &mut self.columns[column];
            column.operations.extend([Operation::Finite, Operation::Encode(Arc::new(codes))]);
            column.is_single = encoder.single;
        }
        Ok(self)
    }

    /// The entries of a step, one per column.
    fn each<'s, T>(&self, numbers: &'s [T], what: &str) -> Result<&'s [T], LoadError> {
        if numbers.len() == self.columns.len() {
            return Ok(numbers);
        }
        Err(LoadError::malformed(what, format!("{} entries for {} columns", numbers.len(), self.columns.len())))
    }

    /// Scalers compute in the type of their input.
    fn check_double(&self) -> Result<(), LoadError> {
        match self.columns.iter().any(|column| column.is_single) {
            false => Ok(()),
            true => Err(LoadError::unsupported(
                "",
                "a scaler after a step that hands on float32; give that step dtype=float64",
            )),
        }
    }
}

/// Rounding keeps the order of numbers, and so do factors that are above zero.
fn check_factors(factors: &[f64]) -> Result<(), LoadError> {
    match factors.iter().find(|factor| !(**factor > 0.0 && factor.is_finite())) {
        Some(factor) => {
            Err(LoadError::unsupported("", format!("a column is scaled by {factor}, which is not above zero")))
        }
        None => Ok(()),
    }
}
