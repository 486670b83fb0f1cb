//! Rows ready for a model: a dense matrix of raw values, one column for each feature, made from a [`Table`].

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use treeproof_data::missing::is_missing_number;
use treeproof_data::{Cells, Column, MixedCells, SparseRows, Table};
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::input::{Absent, Feature, FeatureKind};

mod category;
mod column;
mod error;
mod labelled;
mod matching;

use category::{CategoryCell, CategoryReader};
pub use error::{DataError, Misfit};
pub use labelled::{Labelled, TrueLabel, class_names};
use matching::Matching;

/// Rows of raw values in the order of a model's features.
#[derive(Clone, Debug)]
pub struct Rows {
    num_rows: usize,
    num_features: usize,
    /// The number of the first row in the data.
    start: usize,
    /// Row by row.
    values: Vec<f64>,
    ignored: Vec<String>,
    notes: Vec<String>,
}

/// Facts that a table does not state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RowOptions {
    /// The column that holds the label, not a feature. Default: none.
    pub label: Option<String>,
    /// The index of the first feature in sparse data. Default: found out.
    ///
    /// An index 0 means that the file counts from 0, and an index equal to the number of features that it counts
    /// from 1. Where neither occurs, indices are taken as they stand, as XGBoost and LightGBM do.
    pub index_base: Option<IndexBase>,
    /// Meaning of cells in categorical columns.
    pub categories: CategoryCells,
}

/// Meaning of cells in categorical columns, in tables with names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CategoryCells {
    /// Values, matched to the model's categories by type and value, as the model's library matches them.
    #[default]
    Typed,
    /// Texts, matched by their spelling.
    Text,
    /// Category codes, where they are numbers.
    Codes,
}

impl RowOptions {
    /// A table whose labels are in this column.
    pub fn labelled(label: Option<&str>) -> Self {
        Self { label: label.map(str::to_owned), ..Self::default() }
    }

    /// Sets the meaning of cells in categorical columns.
    #[must_use]
    pub fn with_categories(self, categories: CategoryCells) -> Self {
        Self { categories, ..self }
    }
}

/// The index of the first feature in sparse data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexBase {
    /// The first feature has index 0.
    Zero,
    /// The first feature has index 1.
    One,
}

impl Rows {
    /// The rows of a table, its columns matched to the features of a model by name, else by position.
    pub fn from_table(table: &Table, model: &Ensemble, options: &RowOptions) -> Result<Self, DataError> {
        // Arrays are what scikit-learn makes of any table: values. Other libraries may take the codes.
        if !model.source().format.starts_with("scikit-learn") {
            refuse_coded(table, model.features(), options)?;
        }
        Self::for_features(table, model.features(), model.input().absent, options)
    }

    /// The rows of a matrix without names, row after row; its columns are the features by position.
    ///
    /// # Errors
    /// If it has not as many columns as the model has features, or a category is none.
    pub fn from_matrix(
        values: Vec<f64>,
        num_columns: usize,
        model: &Ensemble,
        cells: CategoryCells,
    ) -> Result<Self, DataError> {
        let features = model.features();
        if num_columns != features.len() {
            let hint = if num_columns == features.len() + 1 { "; is one of them the label? leave it out" } else { "" };
            return Err(DataError::Width { columns: num_columns, features: features.len(), hint: hint.to_owned() });
        }
        let mut rows = Self::of_values(values, num_columns);
        let num_rows = rows.num_rows;
        for (place, reader) in array_readers(features, cells) {
            for row in 0..num_rows {
                let value = &mut rows.values[row * num_columns + place];
                *value = reader.read(CategoryCell::of_number(*value), row)?;
            }
        }
        Ok(rows)
    }

    /// Some of the rows that were read before for the same model, from number `start` on: [`Self::values`] of these.
    ///
    /// # Errors
    /// If it has not as many columns as the model has features.
    pub fn read_before(
        values: Vec<f64>,
        num_columns: usize,
        start: usize,
        model: &Ensemble,
    ) -> Result<Self, DataError> {
        let features = model.features().len();
        if num_columns != features {
            return Err(DataError::Width { columns: num_columns, features, hint: String::new() });
        }
        Ok(Self { start, ..Self::of_values(values, num_columns) })
    }

    fn for_features(
        table: &Table,
        features: &[Feature],
        absent: Absent,
        options: &RowOptions,
    ) -> Result<Self, DataError> {
        match table.cells() {
            Cells::Dense(columns) => Self::from_columns(table, columns, features, options),
            Cells::Sparse(rows) => Self::from_sparse(rows, features, absent, options),
        }
    }

    fn from_columns(
        table: &Table,
        columns: &[Column],
        features: &[Feature],
        options: &RowOptions,
    ) -> Result<Self, DataError> {
        let is_one_row = table.is_vector() && features.len() != 1 && table.num_rows() == features.len();
        if let ([Column::Numbers(numbers)], true) = (columns, is_one_row) {
            let mut values = numbers.clone();
            for (place, reader) in array_readers(features, options.categories) {
                values[place] = reader.read(CategoryCell::of_number(numbers[place]), 0)?;
            }
            return Ok(Self { values, ..Self::empty(1, features.len())? });
        }

        let matching = Matching::find(table, features, options.label.as_deref())?;
        let mut rows = Self::empty(table.num_rows(), features.len())?;
        rows.ignored = matching.ignored.iter().map(|column| column_name(table, *column)).collect();
        if matching.is_despite_names {
            rows.notes.push("no column has the name of a feature: columns are matched by position".to_owned());
        }
        let mut read = Vec::with_capacity(features.len());
        for (feature, column) in features.iter().zip(&matching.columns) {
            let name = column_name(table, *column);
            read.push(match &feature.kind {
                FeatureKind::Numeric => read_numbers(&columns[*column], &name)?,
                FeatureKind::Category(categories) => {
                    let reader = match table.names() {
                        Some(_) => CategoryReader::new(categories, &name, options.categories),
                        None => CategoryReader::of_array(categories, &name, options.categories),
                    };
                    let csv_text = table.csv_text().map(|text| (text, *column));
                    let read = column::read_categories(&columns[*column], csv_text, &reader, options.categories)?;
                    rows.notes.extend(read.note);
                    Cow::Owned(read.values)
                }
            });
        }
        for row in 0..rows.num_rows {
            rows.values.extend(read.iter().map(|column| column[row]));
        }
        Ok(rows)
    }

    fn from_sparse(
        table: &SparseRows,
        features: &[Feature],
        absent: Absent,
        options: &RowOptions,
    ) -> Result<Self, DataError> {
        let mut rows = Self::empty(table.num_rows(), features.len())?;
        let base = options.index_base.unwrap_or_else(|| match (table.min_index(), table.max_index()) {
            (Some(1..), Some(max)) if max as usize == features.len() => IndexBase::One,
            (Some(1..), Some(max)) if (max as usize) < features.len() => {
                let what = "no index is 0: indices are taken as they stand, so that index 1 is the second feature; \
                            if it is the first, say --index-base 1";
                rows.notes.push(what.to_owned());
                IndexBase::Zero
            }
            _ => IndexBase::Zero,
        });
        let base = u32::from(base == IndexBase::One);

        let readers = array_readers(features, options.categories);
        let absent = match absent {
            Absent::Missing => f64::NAN,
            Absent::Zero => 0.0,
        };
        for row in 0..rows.num_rows {
            let start = rows.values.len();
            rows.values.resize(start + features.len(), absent);
            let values = &mut rows.values[start..];
            for (index, value) in table.row(row) {
                let cell = index.checked_sub(base).and_then(|column| values.get_mut(column as usize));
                let Some(cell) = cell else {
                    return Err(DataError::Index { row, index: *index, base, features: features.len() });
                };
                *cell = *value;
            }
            for (place, reader) in &readers {
                values[*place] = reader.read(CategoryCell::of_number(values[*place]), row)?;
            }
        }
        Ok(rows)
    }

    /// No values yet, but the memory for them.
    fn empty(num_rows: usize, num_features: usize) -> Result<Self, DataError> {
        let mut values = Vec::new();
        num_rows
            .checked_mul(num_features)
            .and_then(|cells| values.try_reserve_exact(cells).ok())
            .ok_or(DataError::TooLarge { rows: num_rows, features: num_features })?;
        Ok(Self { num_rows, ..Self::of_values(values, num_features) })
    }

    fn of_values(values: Vec<f64>, num_features: usize) -> Self {
        let num_rows = values.len().checked_div(num_features).unwrap_or(0);
        Self { num_rows, num_features, start: 0, values, ignored: Vec::new(), notes: Vec::new() }
    }

    /// The first of them.
    #[must_use]
    pub fn first(mut self, most: usize) -> Self {
        self.num_rows = most.min(self.num_rows);
        self.values.truncate(self.num_rows * self.num_features);
        self
    }

    /// The raw values of a row, one for each feature of the model; NaN is missing.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    pub fn row(&self, row: usize) -> &[f64] {
        assert!(row < self.num_rows, "row {row} of {}", self.num_rows);
        &self.values[row * self.num_features..(row + 1) * self.num_features]
    }

    /// All values, row after row.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The rows in order.
    pub fn iter(&self) -> impl Iterator<Item = &[f64]> {
        (0..self.num_rows).map(|row| self.row(row))
    }

    /// The number of the first row in the data: 0, unless these are some of many.
    pub fn start(&self) -> usize {
        self.start
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.num_rows
    }

    /// True if there are no rows.
    pub fn is_empty(&self) -> bool {
        self.num_rows == 0
    }

    /// The number of values in each row.
    pub fn num_features(&self) -> usize {
        self.num_features
    }

    /// The columns of the table that are neither feature nor label.
    pub fn ignored(&self) -> &[String] {
        &self.ignored
    }

    /// Guesses that may surprise, one sentence each.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }
}

/// The column of a table that holds the labels.
pub fn label_column<'a>(table: &'a Table, name: &str) -> Result<&'a Column, DataError> {
    matching::find_label(table, name).map(|column| &table.columns()[column])
}

/// The readers of the categorical features of an array, each with the place of its feature.
fn array_readers(features: &[Feature], cells: CategoryCells) -> Vec<(usize, CategoryReader<'_>)> {
    let mut readers = vec![];
    for (place, feature) in features.iter().enumerate() {
        if let FeatureKind::Category(categories) = &feature.kind {
            readers.push((place, CategoryReader::of_array(categories, &feature.name, cells)));
        }
    }
    readers
}

/// Refuses columns of pandas' type `category` whose codes a library would take for numbers, if it took them at all: LightGBM
/// does so where they are ordered.
fn refuse_coded(table: &Table, features: &[Feature], options: &RowOptions) -> Result<(), DataError> {
    if !(0..table.columns().len()).any(|column| table.is_categorical(column)) {
        return Ok(());
    }
    let matching = Matching::find(table, features, options.label.as_deref())?;
    for (feature, column) in features.iter().zip(&matching.columns) {
        let is_of_numbers = match &feature.kind {
            FeatureKind::Numeric => true,
            FeatureKind::Category(categories) => {
                categories.names.is_empty() && options.categories != CategoryCells::Codes
            }
        };
        let is_read = !matches!(table.columns()[*column], Column::Texts(_));
        if is_of_numbers && is_read && table.is_categorical(*column) {
            return Err(DataError::Coded { column: column_name(table, *column) });
        }
    }
    Ok(())
}

/// The name of a column, or its position.
fn column_name(table: &Table, column: usize) -> String {
    table.names().map_or_else(|| column.to_string(), |names| names[column].clone())
}

/// The numbers of one column for a numeric feature.
fn read_numbers<'a>(column: &'a Column, name: &str) -> Result<Cow<'a, [f64]>, DataError> {
    match column {
        Column::Numbers(numbers) | Column::Booleans(numbers) => Ok(Cow::Borrowed(numbers)),
        Column::Texts(texts) | Column::Mixed(MixedCells { texts, .. }) => {
            let read = |(row, text): (usize, Option<&str>)| match text.map(|text| (text, text.trim().parse())) {
                None => Ok(f64::NAN),
                Some((_, Ok(number))) => Ok(number),
                Some((text, Err(_))) if is_missing_number(text) => Ok(f64::NAN),
                Some((text, Err(_))) => {
                    let (column, text, misfit) = (name.to_owned(), text.to_owned(), Misfit::NoNumber);
                    Err(DataError::Cell { column, row, text, misfit, known: String::new() })
                }
            };
            texts.iter().enumerate().map(read).collect()
        }
        column => Err(refused(column, name)),
    }
}

/// The error for a column of neither numbers nor texts.
fn refused(column: &Column, name: &str) -> DataError {
    let reason = match column {
        Column::Unsupported(reason) | Column::Mixed(MixedCells { why: reason, .. }) => reason.clone(),
        _ => "neither numbers nor texts".to_owned(),
    };
    DataError::Refused { column: name.to_owned(), reason }
}

#[cfg(test)]
mod tests {
    use super::*;
    use treeproof_data::read_bytes;
    use treeproof_ensemble::input::{Categories, CategoryEncoding, CategoryType};

    fn numeric(num_features: usize) -> Vec<Feature> {
        (0..num_features).map(|index| Feature::numeric(format!("f{index}"))).collect()
    }

    fn rows(name: &str, content: &str, features: &[Feature], absent: Absent) -> Result<Rows, DataError> {
        let table = read_bytes(name.as_ref(), content.as_bytes().to_vec()).unwrap();
        Rows::for_features(&table, features, absent, &RowOptions::default())
    }

    fn read_as(cells: CategoryCells, name: &str, content: &str, features: &[Feature]) -> Result<Rows, DataError> {
        let table = read_bytes(name.as_ref(), content.as_bytes().to_vec()).unwrap();
        let options = RowOptions::default().with_categories(cells);
        Rows::for_features(&table, features, Absent::Missing, &options)
    }

    #[test]
    fn dense_columns_become_rows_in_the_order_of_the_features() {
        let colour = Categories::of_texts(CategoryEncoding::Lightgbm, vec!["red".into(), "blue".into()]);
        let colour = Feature::new("colour", FeatureKind::Category(colour));
        let features = [colour, Feature::numeric("age")];
        let content = "age,note,colour\n1.5,x,blue\n,y,\n3,z,green\n";
        let rows = rows("x.csv", content, &features, Absent::Missing).unwrap();
        assert_eq!((rows.len(), rows.num_features(), rows.ignored()), (3, 2, &["note".to_owned()][..]));
        assert_eq!(rows.row(0), [1.0, 1.5]);
        assert!(rows.row(1).iter().all(|value| value.is_nan()));
        assert!(rows.row(2)[0].is_nan());
        assert_eq!(rows.row(2)[1..], [3.0]);
        assert!(rows.notes().is_empty());
    }

    #[test]
    fn a_category_spelt_as_missing_values_are_is_taken_on_request_only() {
        let region = Categories::of_texts(CategoryEncoding::Xgboost, vec!["EU".into(), "NA".into()]);
        let features = [Feature::new("region", FeatureKind::Category(region))];
        let content = "region,note\nNA,1\nEU,2\n,3\nnull,4\n";
        let error = rows("x.csv", content, &features, Absent::Missing).unwrap_err().to_string();
        assert!(error.starts_with("column `region`, row 0: `NA` is spelt like a category"), "{error}");
        assert!(error.contains("--categories text"), "{error}");
        let rows = read_as(CategoryCells::Text, "x.csv", content, &features).unwrap();
        assert_eq!((rows.row(0), rows.row(1)), (&[1.0][..], &[0.0][..]));
        assert!(rows.row(2)[0].is_nan() && rows.row(3)[0].is_nan());
    }

    /// Columns that pandas types otherwise than the texts that the model knows.
    #[test]
    fn columns_of_digits_and_truth_values_are_no_codes() {
        let known = |encoding, value_type, names: &[&str]| {
            let names = names.iter().map(|name| (*name).to_owned()).collect();
            [Feature::new("c", FeatureKind::Category(Categories { encoding, names, value_type }))]
        };
        let read = |content: &str, features: &[Feature]| rows("x.csv", content, features, Absent::Missing);
        let values = |content: &str, features: &[Feature]| read(content, features).unwrap().values().to_vec();
        let is_refused = |content: &str, features: &[Feature]| read(content, features).is_err();

        let truths = known(CategoryEncoding::Lightgbm, CategoryType::Truth, &["True", "False"]);
        assert_eq!(values("c,x\nTrue,1\nFalse,2\n", &truths), [0.0, 1.0]);
        let words = ["False", "Maybe", "True"];
        let lightgbm = known(CategoryEncoding::Lightgbm, CategoryType::Text, &words);
        assert!(is_refused("c,x\nTrue,1\nFalse,2\n", &lightgbm), "pandas reads truth values, LightGBM none of them");
        assert_eq!(values("c,x\nTrue,1\nMaybe,2\n", &lightgbm), [2.0, 1.0]);
        let texts = read_as(CategoryCells::Text, "x.csv", "c,x\nTrue,1\nFalse,2\n", &lightgbm).unwrap();
        assert_eq!(texts.values(), [2.0, 0.0]);
        let codes = read_as(CategoryCells::Codes, "x.csv", "c,x\n2,1\n0,2\n", &lightgbm).unwrap();
        assert_eq!(codes.values(), [2.0, 0.0]);
        for encoding in [CategoryEncoding::Xgboost, CategoryEncoding::Exact(vec![0.0, 1.0, 2.0])] {
            let features = known(encoding, CategoryType::Text, &words);
            assert!(is_refused("c,x\nTrue,1\nFalse,2\n", &features), "truth values are no texts");
            assert!(is_refused("c,x\nTrue,1\n,2\n", &features), "and unknown to scikit-learn, where some are missing");
        }
        let catboost = known(CategoryEncoding::Position, CategoryType::Text, &["007", "8", "1", "True"]);
        assert_eq!(values("c,x\n8,1\n1,2\n", &catboost), [1.0, 2.0]);
        assert!(is_refused("c,x\n007,1\n8,2\n", &catboost) && is_refused("c,x\nTrue,1\n", &catboost));
        let digits = known(CategoryEncoding::Lightgbm, CategoryType::Number, &["1", "2"]);
        assert_eq!(values("c,x\n2,1\n 1,2\n1.0,3\n", &digits), [1.0, 0.0, 0.0]);
        assert!(values("c,x\n2,1\nx,2\n", &digits).iter().all(|value| value.is_nan()), "texts, to pandas");
        assert!(values("c,x\n2,1\n  ,2\n", &digits).iter().all(|value| value.is_nan()), "blanks are texts");
    }

    #[test]
    fn blanks_are_part_of_a_category() {
        let names = vec!["a".to_owned(), " a".to_owned(), " ".to_owned()];
        let colour = Categories::of_texts(CategoryEncoding::Xgboost, names);
        let features = [Feature::new("c", FeatureKind::Category(colour))];
        let read = rows("x.csv", "c,x\na,1\n a,2\n ,3\n", &features, Absent::Missing).unwrap();
        assert_eq!(read.values(), [0.0, 1.0, 2.0]);
        assert!(rows("x.csv", "c,x\na ,1\n", &features, Absent::Missing).is_err());
    }

    #[test]
    fn a_column_without_one_known_category_is_noted() {
        let colour = Categories::of_texts(CategoryEncoding::Lightgbm, vec!["red".into()]);
        let features = [Feature::new("c", FeatureKind::Category(colour))];
        let read = rows("x.csv", "c,x\nblue,1\n,2\n", &features, Absent::Missing).unwrap();
        assert_eq!(read.notes(), ["column `c`: none of its values is a category of the model"]);
        assert!(rows("x.csv", "c,x\n,1\n", &features, Absent::Missing).unwrap().notes().is_empty());
    }

    #[test]
    fn a_text_for_a_number_is_named() {
        let error = rows("x.csv", "f0,f1\n1,2\n3,?\n", &numeric(2), Absent::Missing).unwrap_err().to_string();
        assert_eq!(error, "column `f1`, row 1: `?` is not a number (for a missing value leave the cell empty)");
    }

    #[test]
    fn absent_entries_mean_what_the_library_makes_of_them() {
        let text = "1 0:5 2:7\n0\n";
        let zero = rows("x.svm", text, &numeric(3), Absent::Zero).unwrap();
        assert_eq!(zero.iter().collect::<Vec<_>>(), [[5.0, 0.0, 7.0], [0.0, 0.0, 0.0]]);
        let missing = rows("x.svm", text, &numeric(3), Absent::Missing).unwrap();
        assert!(missing.row(0)[1].is_nan() && missing.row(1).iter().all(|value| value.is_nan()));
    }

    #[test]
    fn sparse_data_counts_from_0_or_1() {
        let from_1 = rows("x.svm", "1 1:5 3:7\n", &numeric(3), Absent::Zero).unwrap();
        assert_eq!((from_1.row(0), from_1.notes().len()), (&[5.0, 0.0, 7.0][..], 0));
        let unclear = rows("x.svm", "1 1:5 3:7\n", &numeric(4), Absent::Zero).unwrap();
        assert_eq!((unclear.row(0), unclear.notes().len()), (&[0.0, 5.0, 0.0, 7.0][..], 1));
        let table = read_bytes("x.svm".as_ref(), b"1 1:5 3:7\n".to_vec()).unwrap();
        let options = RowOptions { index_base: Some(IndexBase::One), ..RowOptions::default() };
        let told = Rows::for_features(&table, &numeric(4), Absent::Zero, &options).unwrap();
        assert_eq!(told.row(0), [5.0, 0.0, 7.0, 0.0]);
        let error = rows("x.svm", "1 0:5\n1 3:7\n", &numeric(3), Absent::Zero).unwrap_err().to_string();
        assert_eq!(error, "row 1: index 3 in data that counts from 0, but the model has 3 features");
    }

    #[test]
    fn a_vector_as_long_as_the_model_is_one_row() {
        let header = "{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }\n";
        let content = [b"\x93NUMPY\x01\0", &[header.len() as u8, 0][..], header.as_bytes(), &[4, 5, 6]].concat();
        let table = read_bytes("x.npy".as_ref(), content).unwrap();
        let of = |features: usize| Rows::for_features(&table, &numeric(features), Absent::Zero, &RowOptions::default());
        assert_eq!(of(3).unwrap().row(0), [4.0, 5.0, 6.0]);
        assert_eq!((of(1).unwrap().len(), of(2).is_err()), (3, true));
    }

    #[test]
    fn the_label_column_is_found_or_suggested() {
        let table = read_bytes("x.csv".as_ref(), b"a,target\n1,0\n".to_vec()).unwrap();
        assert_eq!(label_column(&table, "target"), Ok(&Column::Numbers(vec![0.0])));
        let error = label_column(&table, "tagret").unwrap_err().to_string();
        assert_eq!(error, "the data has no label column `tagret`; did you mean `target`?");
    }
}
