//! numpy's `.npy`: a matrix or a vector of numbers. The shape is checked against the size before memory is taken.

use super::bytes::MemoryLimit;
use crate::error::ReadError;
use crate::table::{Column, MAX_COLUMNS, Table};

mod header;

pub(super) use header::ArrayHeader;
use header::{ElementKind, ElementType};

/// Reads a `.npy` file.
pub(super) fn read(content: &[u8], limit: MemoryLimit) -> Result<Table, ReadError> {
    let (header, data) = ArrayHeader::read(content)?;
    let element = header.element_type()?;
    let (num_rows, num_columns) = match header.shape.as_slice() {
        [len] => (*len, 1),
        [rows, columns] => (*rows, *columns),
        shape => {
            let what = format!("an array of {} dimensions; reshape it to rows and columns", shape.len());
            return Err(ReadError::unsupported("", what));
        }
    };
    if num_columns == 0 || num_columns > MAX_COLUMNS {
        return Err(ReadError::unsupported("", format!("{num_columns} columns; from 1 to {MAX_COLUMNS} are read")));
    }
    let expected = num_rows.checked_mul(num_columns).and_then(|cells| cells.checked_mul(element.size));
    if expected != Some(data.len()) {
        let what = format!(
            "{num_rows} × {num_columns} numbers of {} bytes, but {} bytes of data: damaged",
            element.size,
            data.len()
        );
        return Err(ReadError::malformed("header", what));
    }
    limit.check("header", num_rows * num_columns, size_of::<f64>())?;
    let mut columns = match header.is_fortran {
        true => data.chunks(num_rows.max(1) * element.size).map(|column| numbers(column, element)).collect(),
        false => transpose(data, element, num_rows, num_columns),
    };
    // An array without rows has no chunks.
    columns.resize(num_columns, Vec::new());
    match header.shape.len() {
        1 => Ok(Table::vector(columns.swap_remove(0))),
        _ => Table::dense(None, num_rows, columns.into_iter().map(Column::Numbers).collect()),
    }
}

/// Rows transposed at a time: few enough to stay in the cache.
const BLOCK: usize = 64;

fn transpose(data: &[u8], element: ElementType, num_rows: usize, num_columns: usize) -> Vec<Vec<f64>> {
    let mut columns: Vec<Vec<f64>> = (0..num_columns).map(|_| Vec::with_capacity(num_rows)).collect();
    for block in data.chunks(BLOCK * num_columns * element.size) {
        let cells = numbers(block, element);
        for (index, column) in columns.iter_mut().enumerate() {
            column.extend(cells[index..].iter().step_by(num_columns));
        }
    }
    columns
}

/// The numbers of a run of bytes, each widened to f64; integers beyond 2⁵³ are rounded to the nearest.
fn numbers(bytes: &[u8], element: ElementType) -> Vec<f64> {
    macro_rules! each {
        ($type:ty, $widen:expr) => {{
            const SIZE: usize = size_of::<$type>();
            let (chunks, _) = bytes.as_chunks::<SIZE>();
            match element.is_big_endian {
                true => chunks.iter().map(|chunk| $widen(<$type>::from_be_bytes(*chunk))).collect(),
                false => chunks.iter().map(|chunk| $widen(<$type>::from_le_bytes(*chunk))).collect(),
            }
        }};
    }
    #[expect(clippy::cast_precision_loss, reason = "numpy's astype rounds to the nearest f64 too")]
    match (element.kind, element.size) {
        (ElementKind::Float, 4) => each!(f32, f64::from),
        (ElementKind::Float, _) => each!(f64, |x| x),
        (ElementKind::Signed, 1) => each!(i8, f64::from),
        (ElementKind::Signed, 2) => each!(i16, f64::from),
        (ElementKind::Signed, 4) => each!(i32, f64::from),
        (ElementKind::Signed, _) => each!(i64, |x| x as f64),
        (ElementKind::Unsigned, 1) => each!(u8, f64::from),
        (ElementKind::Unsigned, 2) => each!(u16, f64::from),
        (ElementKind::Unsigned, 4) => each!(u32, f64::from),
        (ElementKind::Unsigned, _) => each!(u64, |x| x as f64),
        (ElementKind::Boolean, _) => bytes.iter().map(|byte| f64::from(u8::from(*byte != 0))).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn file(descr: &str, fortran: &str, shape: &str, data: &[u8]) -> Vec<u8> {
        let header = format!("{{'descr': {descr}, 'fortran_order': {fortran}, 'shape': {shape}, }}\n");
        let length = u16::try_from(header.len()).unwrap().to_le_bytes();
        [b"\x93NUMPY\x01\x00", &length[..], header.as_bytes(), data].concat()
    }

    fn columns(content: &[u8]) -> Vec<Vec<f64>> {
        let table = read(content, MemoryLimit::of_size(0)).unwrap();
        let numbers = |column: &Column| match column {
            Column::Numbers(numbers) => numbers.clone(),
            other => panic!("{other:?}"),
        };
        table.columns().iter().map(numbers).collect()
    }

    #[test]
    fn both_orders_both_ends_and_every_type() {
        assert_eq!(columns(&file("'|u1'", "False", "(2, 3)", &[1, 2, 3, 4, 5, 6])), [[1., 4.], [2., 5.], [3., 6.]]);
        assert_eq!(columns(&file("'|i1'", "True", "(2, 3)", &[1, 2, 3, 4, 5, 255])), [[1., 2.], [3., 4.], [5., -1.]]);
        assert_eq!(columns(&file("'>i2'", "False", "(1, 2)", &[1, 0, 0, 1])), [[256.], [1.]]);
        assert_eq!(columns(&file("'<f4'", "False", "(1,)", &0.1_f32.to_le_bytes())), [[f64::from(0.1_f32)]]);
        assert_eq!(columns(&file("'|b1'", "False", "(2,)", &[0, 7])), [[0., 1.]]);
        assert_eq!(columns(&file("'<u8'", "False", "(1,)", &u64::MAX.to_le_bytes())), [[18_446_744_073_709_551_616.0]]);
        assert_eq!(columns(&file("'<f8'", "False", "(0, 2)", &[])), [[], []] as [[f64; 0]; 2]);
        assert_eq!(columns(&file("'<f8'", "True", "(0, 2)", &[])), [[], []] as [[f64; 0]; 2]);
        assert!(read(&file("'<f8'", "False", "(0,)", &[]), MemoryLimit::of_size(0)).unwrap().is_vector());
    }

    #[test]
    fn blocks_do_not_show() {
        let data: Vec<u8> = (0..150_u32 * 3).flat_map(|cell| cell.to_le_bytes()).collect();
        let columns = columns(&file("'<u4'", "False", "(150, 3)", &data));
        for (index, column) in columns.iter().enumerate() {
            let expected: Vec<f64> =
                (0..150).map(|row| f64::from(row * 3 + u8::try_from(index).unwrap() as i32)).collect();
            assert_eq!(*column, expected);
        }
    }

    #[test]
    fn what_is_no_matrix_of_numbers_is_refused() {
        let huge = "(4611686018427387904, 4)";
        for (descr, shape) in [
            ("'<f8'", huge),
            ("'<f8'", "(2, 2)"),
            ("'<f8'", "(0, 4611686018427387904)"),
            ("'<f8'", "(1, 1, 1)"),
            ("'<f8'", "()"),
            ("'<f8'", "(5, 0)"),
            ("'|O'", "(1,)"),
            ("'<U3'", "(1,)"),
            ("'<c8'", "(1,)"),
            ("[('a', '<f8')]", "(1,)"),
        ] {
            assert!(read(&file(descr, "False", shape, &[0; 8]), MemoryLimit::of_size(0)).is_err(), "{descr} {shape}");
        }
    }
}
