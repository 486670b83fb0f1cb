"""Rows as Python has them: numpy, pandas, polars, Arrow, scipy, lists and dicts, or the name of a file.

Columns with names are matched to features by name, others by position. Which library an object belongs to is seen by the
module of its class, so none is imported that is not in use.
"""

from __future__ import annotations

import decimal
import math
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from treeproof import _native
from treeproof.errors import DataError

Rows: TypeAlias = Any
"""Rows: a numpy array, a pandas, polars or Arrow table, a scipy matrix, lists or dicts; a single row; or a file's name."""

# A column for the native part: numbers, ("truth", numbers), texts, codes with the column of their categories, (why, values as texts,
# which are texts) if its values are of several types, or why it is none of these.
_Column: TypeAlias = Any


def is_file(data: Rows) -> bool:
    """Whether it is the name of a file."""
    return isinstance(data, (str, os.PathLike))


def to_table(data: Rows, name: str) -> _native.Table:
    """Rows for the native part. ``name`` is what messages call them."""
    if isinstance(data, _native.Table):
        return data
    if is_file(data):
        return _native.Table.read(os.fspath(data))
    library = type(data).__module__.partition(".")[0]
    if library == "pandas":
        return _pandas(data, name)
    if library == "polars":
        return _polars(data, name)
    if library == "pyarrow" and hasattr(data, "column_names"):
        return _arrow(data)
    if library == "scipy" and hasattr(data, "tocsr"):
        return _sparse(data)
    if getattr(getattr(data, "dtype", None), "names", None):
        # An array of records has names, as a frame has.
        return _mapping({column: np.atleast_1d(data[column]) for column in data.dtype.names}, name)
    if isinstance(data, Mapping):
        return _mapping(data, name)
    if isinstance(data, (list, tuple)) and len(data) > 0 and all(isinstance(row, Mapping) for row in data):
        return _mappings(data, name)
    return _nameless(data, name)


def to_labels(labels: Any) -> _Column:
    """Labels for the native part: numbers, or texts."""
    if hasattr(labels, "to_numpy"):
        labels = labels.to_numpy()
    array = np.asarray(labels)
    if array.ndim == 0 or array.ndim == 2 and array.shape[1] == 1:
        # One label, or the only column of a frame.
        array = array.reshape(-1)
    if array.ndim != 1:
        raise DataError(f"y: labels are one for each row, not an array of shape {array.shape}")
    return _plain_column(array)


def _numbers(values: Any) -> np.ndarray[Any, Any]:
    return np.ascontiguousarray(values, dtype=np.float64)


def _matrix(data: Any, name: str) -> np.ndarray[Any, Any]:
    """Numbers without names, in any order of memory; a single row is a matrix of one row."""
    try:
        if isinstance(data, np.ma.MaskedArray):
            # What is masked is missing; an array without its mask has numbers there.
            data = np.ma.filled(data.astype(np.float64), math.nan)
        array = np.asarray(data)
        if array.dtype.kind in _NO_NUMBERS:
            raise TypeError(f"it has {array.dtype}")
        if array.dtype.kind not in "fiub":
            array = array.astype(np.float64)
        # Views into records may begin anywhere in memory.
        array = np.require(array, np.float64, "A")
    except (TypeError, ValueError, OverflowError) as error:
        raise DataError(f"{name}: is no array of numbers ({error})") from None
    if array.ndim == 1:
        array = array.reshape(1, -1)
    if array.ndim != 2:
        raise DataError(f"{name}: has {array.ndim} dimensions; give rows and columns, or one row")
    return array


def _nameless(data: Any, name: str) -> _native.Table:
    """Rows of numbers, or of numbers and texts, whose columns go by their places, as those of a frame that was given no names."""
    try:
        return _native.Table.matrix(_matrix(data, name))
    except DataError:
        # Not as numpy would have it, which makes texts of all.
        rows = np.atleast_2d(np.array(data, dtype=object))
        if rows.ndim != 2 or not any(isinstance(value, str) for value in rows.flat):
            raise
        columns = [_plain_column(column) for column in rows.T]
        return _native.Table.columns([str(place) for place in range(len(columns))], len(rows), columns)


def _is_missing(value: Any) -> bool:
    if value is None:
        return True
    pandas = sys.modules.get("pandas")
    if pandas is not None and (value is pandas.NA or value is pandas.NaT):
        return True
    return isinstance(value, (float, np.floating, decimal.Decimal)) and math.isnan(value)


# Complex numbers and times: numpy would make numbers of them, without imaginary parts, or since a day of its own.
_NO_NUMBERS = "cmM"
# What a number is in a column of objects; databases hand over decimals.
_NUMBERS = (bool, int, float, decimal.Decimal, np.number, np.bool_)


def _plain_column(values: Sequence[Any] | np.ndarray[Any, Any]) -> _Column:
    """A column of numbers, or of texts where some value is one."""
    if isinstance(values, np.ma.MaskedArray):
        values = values.tolist()
    array = values if isinstance(values, np.ndarray) else np.asarray(values, dtype=object)
    if array.dtype.kind == "b":
        return _truths(array)
    if array.dtype.kind in "fiu":
        return _numbers(array)
    if array.dtype.kind in _NO_NUMBERS:
        return f"{array.dtype}, neither numbers nor texts"
    listed = [None if _is_missing(value) else value for value in array.tolist()]
    for value in listed:
        if value is not None and not isinstance(value, (str, *_NUMBERS)) or isinstance(value, np.complexfloating):
            return f"values such as {value!r}, neither numbers nor texts"
    given = [value for value in listed if value is not None]
    if any(isinstance(value, str) for value in given):
        if not all(isinstance(value, str) for value in given):
            odd = next(value for value in given if not isinstance(value, str))
            why = f"texts and other values such as {odd!r}, which are not told apart as categories; make all of them texts"
            return why, [None if value is None else str(value) for value in listed], [isinstance(value, str) for value in listed]
        return [None if value is None else str(value) for value in listed]
    is_truth = [isinstance(value, (bool, np.bool_)) for value in given]
    try:
        numbers = [math.nan if value is None else float(value) for value in listed]
    except OverflowError:
        return "a whole number beyond all doubles"
    if any(is_truth) and not all(is_truth):
        why = "truth values and numbers, which are not told apart as categories; make all of them numbers"
        return why, [None if value is None else repr(number) for value, number in zip(listed, numbers)], []
    return _truths(numbers) if any(is_truth) else _numbers(numbers)


def _truths(values: Any) -> _Column:
    return "truth", _numbers(values)


def _mapping(row: Mapping[Any, Any], name: str) -> _native.Table:
    """One row of scalars, or columns by name."""
    is_column = [isinstance(value, (list, tuple, np.ndarray)) or hasattr(value, "to_numpy") for value in row.values()]
    if not any(is_column):
        return _mappings([row], name)
    if not all(is_column):
        raise DataError(f"{name}: some values are columns and some are single: give one row or columns")
    columns = [value.to_numpy() if hasattr(value, "to_numpy") else value for value in row.values()]
    num_rows = len(columns[0])
    for key, column in zip(row, columns):
        if len(column) != num_rows:
            raise DataError(f"{name}: column `{key}` has {len(column)} values, others have {num_rows}")
    return _native.Table.columns([str(key) for key in row], num_rows, [_plain_column(column) for column in columns])


def _mappings(rows: Sequence[Mapping[Any, Any]], name: str) -> _native.Table:
    """Rows by name, all of the same names."""
    names = list(rows[0])
    for place, row in enumerate(rows):
        if row.keys() != rows[0].keys():
            odd = next(iter(row.keys() ^ rows[0].keys()))
            raise DataError(f"{name}: row {place}: `{odd}` is in some rows only; a missing value is None")
    columns = [_plain_column([row[key] for row in rows]) for key in names]
    return _native.Table.columns([str(key) for key in names], len(rows), columns)


def _sparse(data: Any) -> _native.Table:
    """What is absent is what it is to the model's library: missing for XGBoost, 0 for LightGBM."""
    rows = data.tocsr()
    if not rows.has_canonical_format:
        rows = rows.copy()
        rows.sum_duplicates()
    starts, columns = (np.ascontiguousarray(part, dtype=np.int64) for part in (rows.indptr, rows.indices))
    return _native.Table.sparse(starts, columns, _numbers(rows.data), rows.shape[-1])


def _arrow(data: Any) -> _native.Table:
    columns = [_arrow_column(data.column(place)) for place in range(data.num_columns)]
    return _native.Table.columns(list(data.column_names), data.num_rows, columns)


def _arrow_column(column: Any) -> _Column:
    arrow = sys.modules["pyarrow"]
    if arrow.types.is_integer(column.type) or arrow.types.is_floating(column.type):
        return _numbers(column.cast(arrow.float64(), safe=False).to_numpy(zero_copy_only=False))
    return _plain_column(column.to_pylist())


def _pandas(data: Any, name: str) -> _native.Table:
    if data.ndim == 1:
        names = list(data.index)
        if names == list(range(len(names))):
            return _nameless(data.to_numpy(dtype=object), name)
        return _mappings([dict(zip(names, data.tolist()))], name)
    columns = [_pandas_column(data.iloc[:, place]) for place in range(data.shape[1])]
    return _native.Table.columns([str(column) for column in data.columns], len(data), columns)


def _pandas_column(column: Any) -> _Column:
    dtype = column.dtype
    if str(dtype) == "category":
        # A category has the type of its value; models that know no categories by name look at the codes.
        categories = _pandas_column(column.cat.categories.to_series())
        return np.ascontiguousarray(column.cat.codes.to_numpy(), dtype=np.int64), categories
    kind = getattr(dtype, "kind", "O")
    # Nullable numbers are no numpy types, but have their kinds.
    if kind in "fiub":
        is_numpy = isinstance(dtype, np.dtype)
        numbers = column.to_numpy() if is_numpy else column.to_numpy(dtype=np.float64, na_value=math.nan)
        return _truths(numbers) if kind == "b" else _numbers(numbers)
    if kind in _NO_NUMBERS:
        return f"{dtype}, neither numbers nor texts"
    return _plain_column(column.to_numpy(dtype=object))


def _polars(data: Any, name: str) -> _native.Table:
    if not hasattr(data, "get_columns"):
        if hasattr(data, "collect"):
            data = data.collect()
        else:
            return _native.Table.matrix(_matrix(data.to_numpy(), name))
    columns = [_polars_column(column) for column in data.get_columns()]
    return _native.Table.columns(list(data.columns), data.height, columns)


def _polars_column(column: Any) -> _Column:
    polars = sys.modules["polars"]
    dtype = column.dtype
    if dtype.is_numeric() or dtype == polars.Boolean:
        numbers = column.cast(polars.Float64).to_numpy()
        return _truths(numbers) if dtype == polars.Boolean else _numbers(numbers)
    if dtype in (polars.String, polars.Categorical, polars.Enum):
        return column.cast(polars.String).to_list()
    return f"{dtype}, neither numbers nor texts"
