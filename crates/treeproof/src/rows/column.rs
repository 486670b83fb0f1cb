//! The cells of a whole categorical column, one after the other.
//!
//! CSV has no types. A column is read as `pandas.read_csv` would type it, since that is how its cells reach the library. Where
//! a cell is spelt exactly like a category and would be something else so – `True` is a truth value to pandas, `NA` is missing –
//! nobody can know what was meant: it is refused.

use treeproof_data::error::quote;
use treeproof_data::{Column, CsvText, MixedCells, Texts};

use super::category::{CategoryCell, CategoryReader};
use super::error::{DataError, Misfit};
use super::{CategoryCells, refused};

/// The raw values of a column.
pub(super) struct ReadColumn {
    pub(super) values: Vec<f64>,
    /// A sentence on what may surprise.
    pub(super) note: Option<String>,
}

/// The raw values of one column for a categorical feature; `csv_text` is that of the file, if its format has no types.
pub(super) fn read_categories(
    column: &Column,
    csv_text: Option<(&CsvText, usize)>,
    reader: &CategoryReader<'_>,
    cells: CategoryCells,
) -> Result<ReadColumn, DataError> {
    let spelt = csv_text.and_then(|(csv_text, place)| match column {
        Column::Numbers(_) | Column::Booleans(_) => {
            let as_text = match cells {
                CategoryCells::Typed => csv_text.is_text(place),
                CategoryCells::Text => true,
                CategoryCells::Codes => false,
            };
            (as_text || cells == CategoryCells::Typed).then(|| (csv_text.texts(place), as_text))
        }
        _ => None,
    });
    let values = match (column, &spelt) {
        (_, Some((texts, true))) => read_texts(texts, reader, cells)?,
        (Column::Numbers(numbers), spelt) => read_typed(
            numbers.iter().map(|x| CategoryCell::of_number(*x)),
            spelt.as_ref().map(|(texts, _)| texts),
            reader,
        )?,
        (Column::Booleans(truths), spelt) => read_typed(
            truths.iter().map(|x| CategoryCell::of_truth(*x)),
            spelt.as_ref().map(|(texts, _)| texts),
            reader,
        )?,
        (Column::Texts(texts), _) => read_texts(texts, reader, cells)?,
        (Column::Mixed(mixed), _) if reader.knows_texts_among_others() && !mixed.is_text.is_empty() => {
            read_mixed(mixed, reader)?
        }
        (column, _) => return Err(refused(column, reader.column)),
    };
    Ok(ReadColumn { note: note(column, &values, reader), values })
}

/// Cells with a type; where the file has none, also as texts, which must not be other categories.
fn read_typed<'c>(
    cells: impl Iterator<Item = CategoryCell<'c>>,
    texts: Option<&Texts>,
    reader: &CategoryReader<'_>,
) -> Result<Vec<f64>, DataError> {
    let read = |(row, cell): (usize, CategoryCell<'c>)| {
        let raw = reader.read(cell, row)?;
        match texts.and_then(|texts| texts.get(row).or_else(|| texts.missing_spelling(row))) {
            Some(text) => agreed(text, raw, row, reader),
            None => Ok(raw),
        }
    };
    cells.enumerate().map(read).collect()
}

/// Texts; each distinct one is looked up once, at the first row that holds it.
fn read_texts(texts: &Texts, reader: &CategoryReader<'_>, cells: CategoryCells) -> Result<Vec<f64>, DataError> {
    let mut known = vec![None; texts.distinct().len()];
    let mut read = |row: usize| match texts.code(row) {
        None => {
            let spelling = texts.missing_spelling(row);
            match (spelling, spelling.and_then(|text| reader.named(text)), cells) {
                (_, Some(raw), CategoryCells::Text) => Ok(raw),
                (Some(text), ..) => agreed(text, reader.read(CategoryCell::Missing, row)?, row, reader),
                (None, ..) => reader.read(CategoryCell::Missing, row),
            }
        }
        Some(code) => match known[code] {
            Some(raw) => Ok(raw),
            None => Ok(*known[code].insert(reader.read(CategoryCell::Text(&texts.distinct()[code]), row)?)),
        },
    };
    (0..texts.len()).map(&mut read).collect()
}

/// Texts among values of other types: these are no categories, whichever they are.
fn read_mixed(mixed: &MixedCells, reader: &CategoryReader<'_>) -> Result<Vec<f64>, DataError> {
    let cell = |(row, is_text): (usize, &bool)| match mixed.texts.get(row) {
        None => reader.read(CategoryCell::Missing, row),
        Some(text) if *is_text => reader.read(CategoryCell::Text(text), row),
        Some(text) => reader.unseen(text, row),
    };
    mixed.is_text.iter().enumerate().map(cell).collect()
}

/// The raw value of a cell, unless its spelling is the name of another category.
fn agreed(text: &str, raw: f64, row: usize, reader: &CategoryReader<'_>) -> Result<f64, DataError> {
    match reader.named(text) {
        Some(other) if other != raw => Err(reader.misfit(CategoryCell::Text(text), row, Misfit::Spelling)),
        _ => Ok(raw),
    }
}

/// A note if not one cell is a category of the model: rarely meant, though the library is silent.
fn note(column: &Column, values: &[f64], reader: &CategoryReader<'_>) -> Option<String> {
    let is_given = |row: usize| match column {
        Column::Numbers(numbers) | Column::Booleans(numbers) => !numbers[row].is_nan(),
        Column::Texts(texts) | Column::Mixed(MixedCells { texts, .. }) => texts.code(row).is_some(),
        _ => false,
    };
    let is_none_known = values.iter().all(|raw| reader.is_unseen(*raw)) && (0..values.len()).any(is_given);
    is_none_known.then(|| format!("column {}: none of its values is a category of the model", quote(reader.column)))
}
