//! The Parquet reader: named columns of numbers, booleans and texts; null is missing.
//!
//! Other columns (dates, decimals, lists, …) become [`Column::Unsupported`](crate::Column::Unsupported): a model may not need
//! them. pandas' own index columns are left out.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use ::bytes::Bytes;
use ::parquet::basic::{Compression, ConvertedType, LogicalType, Repetition, Type as Physical};
use ::parquet::column::reader::get_column_reader;
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::FileMetaData;
use ::parquet::file::reader::{FileReader, SerializedFileReader};
use ::parquet::schema::types::{ColumnDescriptor, SchemaDescriptor, Type};
use serde_json::Value;

use super::bytes::MemoryLimit;
use crate::error::{ReadError, quote};
use crate::table::{MAX_COLUMNS, Table};

mod decode;
mod headers;
mod pages;

use decode::{Collector, GroupRows};
use pages::InflatedBytes;

/// Ratio of memory to file size. Codes of one bit become numbers of 64, and real tables compress a little more; repeated
/// values take almost no bytes, so that without a limit a file of some MB would take minutes.
const MAX_RATIO: usize = 100;

/// The type as which a column is read.
#[derive(Clone, Debug, PartialEq)]
enum ColumnPlan {
    /// Numbers; integers may be unsigned.
    Numbers { is_unsigned: bool },
    /// Booleans.
    Booleans,
    /// Texts.
    Texts,
    /// Neither, with the reason.
    Unsupported(String),
}

impl ColumnPlan {
    /// Bytes of a cell in memory: a text takes a code.
    fn cell_size(&self) -> usize {
        match self {
            Self::Numbers { .. } | Self::Booleans => size_of::<f64>(),
            Self::Texts => size_of::<u32>(),
            Self::Unsupported(_) => 0,
        }
    }
}

/// One column of the table.
struct SchemaColumn {
    name: String,
    /// Its position among the leaf columns of the schema.
    leaf: usize,
    plan: ColumnPlan,
}

/// Reads a Parquet file that has this size on disk.
pub(super) fn read(content: Vec<u8>, size: usize) -> Result<Table, ReadError> {
    // The decoder should return an error for damaged bytes; a panic of it is turned into one.
    catch_unwind(AssertUnwindSafe(|| read_file(content, size)))
        .unwrap_or_else(|_| Err(ReadError::malformed("", "damaged Parquet: its pages contradict each other")))
}

fn read_file(content: Vec<u8>, size: usize) -> Result<Table, ReadError> {
    let (content, limit) = (Bytes::from(content), MemoryLimit::with_ratio(size, MAX_RATIO));
    let file = SerializedFileReader::new(content.clone()).map_err(|error| damaged("footer", &error))?;
    let metadata = file.metadata();
    let fields = fields(metadata.file_metadata().schema_descr())?;
    let group_rows: Vec<usize> = (metadata.row_groups().iter())
        .map(|group| usize::try_from(group.num_rows()))
        .collect::<Result<_, _>>()
        .map_err(|_| ReadError::malformed("footer", "a negative number of rows"))?;
    let num_rows = group_rows.iter().fold(0_usize, |sum, rows| sum.saturating_add(*rows));
    // The claimed number of rows is checked before memory and time are spent.
    let row_size: usize = fields.iter().map(|field| field.plan.cell_size()).sum();
    if !limit.admits(num_rows, row_size.max(1)) {
        let shape = format!("{num_rows} rows of {} columns", fields.len());
        return Err(ReadError::malformed("footer", format!("{shape}: {}", limit.exceeded())));
    }
    // Pages are inflated one by one; their total size bounds the time.
    let inflated = InflatedBytes::new(limit);

    let mut collectors: Vec<Collector> = fields.iter().map(|field| Collector::new(&field.plan)).collect();
    for (group, rows) in group_rows.iter().enumerate() {
        let reader = file.get_row_group(group).map_err(|error| damaged(&format!("row group {group}"), &error))?;
        for (field, collector) in fields.iter().zip(&mut collectors) {
            if matches!(field.plan, ColumnPlan::Unsupported(_)) {
                continue;
            }
            let place = format!("column {}", quote(&field.name));
            let descriptor = reader.metadata().schema_descr().column(field.leaf);
            let chunk = reader.metadata().column(field.leaf);
            let start = chunk.dictionary_page_offset().unwrap_or_else(|| chunk.data_page_offset());
            if start < 0 || chunk.compressed_size() < 0 {
                return Err(ReadError::malformed(place, "damaged Parquet: it starts before the file"));
            }
            if let Compression::BROTLI(_) | Compression::LZO = chunk.compression() {
                let what = "this compression; write the file with snappy, zstd, gzip, lz4 or none";
                return Err(ReadError::unsupported(place, what));
            }
            // Checked before any page is inflated: the footer's own total may be wrong.
            let end = start.saturating_add(chunk.compressed_size());
            let bytes = usize::try_from(start).ok().zip(usize::try_from(end).ok());
            let bytes = bytes.and_then(|(start, end)| content.get(start..end.min(content.len()))).unwrap_or_default();
            let largest = headers::inflated_sizes(bytes).max().unwrap_or(0);
            limit.check(&place, largest, 1)?;
            let rows = GroupRows { count: *rows, is_nullable: descriptor.max_def_level() > 0 };
            let pages = reader.get_column_page_reader(field.leaf).map_err(|error| damaged(&place, &error))?;
            let pages = pages::CheckedPages::new(pages, descriptor.physical_type(), inflated.clone());
            let cells = get_column_reader(descriptor, Box::new(pages));
            collector.collect(cells, rows).map_err(|error| damaged(&place, &error))?;
        }
    }
    let (names, plans): (Vec<String>, Vec<ColumnPlan>) =
        fields.into_iter().map(|field| (field.name, field.plan)).unzip();
    let columns = collectors.into_iter().zip(plans).map(|(collector, plan)| collector.finish(plan));
    let categorical = categorical(metadata.file_metadata(), &names);
    Ok(Table::dense(Some(names), num_rows, columns.collect())?.with_categorical(categorical))
}

/// The columns of pandas' type `category`, by its metadata in the file.
fn categorical(metadata: &FileMetaData, names: &[String]) -> Vec<bool> {
    let note = metadata.key_value_metadata().into_iter().flatten().find(|note| note.key == "pandas");
    let note: Value = note.and_then(|note| serde_json::from_str(note.value.as_deref()?).ok()).unwrap_or_default();
    let columns = note["columns"].as_array().into_iter().flatten();
    let categorical: HashSet<&str> = columns
        .filter(|column| column["pandas_type"] == "categorical")
        .filter_map(|column| column["field_name"].as_str().or(column["name"].as_str()))
        .collect();
    names.iter().map(|name| categorical.contains(name.as_str())).collect()
}

fn damaged(place: &str, error: &ParquetError) -> ReadError {
    match error {
        ParquetError::NYI(what) => ReadError::unsupported(place, what),
        ParquetError::General(what) | ParquetError::EOF(what) => {
            ReadError::malformed(place, format!("damaged Parquet: {what}"))
        }
        _ => ReadError::malformed(place, format!("damaged Parquet: {error}")),
    }
}

/// The table's columns: one for each top-level field of the schema.
fn fields(schema: &SchemaDescriptor) -> Result<Vec<SchemaColumn>, ReadError> {
    let roots = schema.root_schema().get_fields();
    if roots.len() > MAX_COLUMNS {
        return Err(ReadError::unsupported("", format!("{} columns; at most {MAX_COLUMNS} are read", roots.len())));
    }
    let mut first_leaves = vec![None; roots.len()];
    for leaf in 0..schema.num_columns() {
        if let Some(first) = first_leaves.get_mut(schema.get_column_root_idx(leaf)) {
            first.get_or_insert(leaf);
        }
    }
    let fields = roots.iter().zip(first_leaves).filter(|(root, _)| !root.name().starts_with("__index_level_"));
    let fields = fields.map(|(root, leaf)| SchemaColumn {
        name: root.name().to_owned(),
        leaf: leaf.unwrap_or(0),
        plan: match leaf {
            Some(leaf) => plan(root, &schema.column(leaf)),
            None => ColumnPlan::Unsupported("a group without columns".into()),
        },
    });
    Ok(fields.collect())
}

fn plan(root: &Type, descriptor: &ColumnDescriptor) -> ColumnPlan {
    let refuse = |what: &str| ColumnPlan::Unsupported(what.to_owned());
    if !root.is_primitive()
        || root.get_basic_info().has_repetition() && root.get_basic_info().repetition() == Repetition::REPEATED
    {
        return refuse("nested values; write each of them as a column of its own");
    }
    let is_unsigned = match (descriptor.logical_type_ref(), descriptor.converted_type()) {
        (Some(LogicalType::Integer(integer)), _) => !integer.is_signed,
        (
            Some(LogicalType::String | LogicalType::Enum | LogicalType::Json | LogicalType::Unknown) | None,
            converted,
        ) => match converted {
            ConvertedType::NONE
            | ConvertedType::UTF8
            | ConvertedType::ENUM
            | ConvertedType::JSON
            | ConvertedType::INT_8
            | ConvertedType::INT_16
            | ConvertedType::INT_32
            | ConvertedType::INT_64 => false,
            ConvertedType::UINT_8 | ConvertedType::UINT_16 | ConvertedType::UINT_32 | ConvertedType::UINT_64 => true,
            other => return ColumnPlan::Unsupported(format!("values of type {other}; write them as numbers or texts")),
        },
        (Some(other), _) => {
            let name = format!("{other:?}");
            let name = name.split(['(', ' ', '{']).next().unwrap_or_default();
            return ColumnPlan::Unsupported(format!("values of type {name}; write them as numbers or texts"));
        }
    };
    match descriptor.physical_type() {
        Physical::BOOLEAN => ColumnPlan::Booleans,
        Physical::INT32 | Physical::INT64 | Physical::FLOAT | Physical::DOUBLE => ColumnPlan::Numbers { is_unsigned },
        Physical::BYTE_ARRAY => ColumnPlan::Texts,
        Physical::INT96 => refuse("old-style timestamps (INT96); write them as numbers or texts"),
        Physical::FIXED_LEN_BYTE_ARRAY => refuse("raw bytes; write them as numbers or texts"),
    }
}
