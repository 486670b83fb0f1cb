"""Rows that are images: as they are, as they are changed, and what changes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from treeproof.display.words import clean
from treeproof.errors import DataError, TaskError
from treeproof.plots.axes import pyplot

_SHOWN = 5
_SIZE = 1.8


def draw(fields: Mapping[str, Any], shape: Sequence[int], rows: Sequence[int] | int | None, axes: Any) -> Any:
    """A line of three images for each row."""
    shape = tuple(int(side) for side in shape)
    if len(shape) not in (2, 3) or (len(shape) == 3 and shape[2] not in (3, 4)):
        raise TaskError(f"shape: an image has rows and columns of pixels, and perhaps 3 colours; not {shape}")
    told = _told(fields, rows)
    if axes is None:
        size = (3 * _SIZE, (_SIZE + 0.3) * len(told))
        axes = pyplot().subplots(len(told), 3, figsize=size, squeeze=False, layout="constrained")[1]
    axes = np.asarray(axes, dtype=object).reshape(-1, 3)
    if len(axes) != len(told):
        raise TaskError(f"axes: three for each of {len(told)} rows, not {axes.size}")
    for row, line in zip(told, axes):
        before, after = _pixels(_original(row), shape, row), _pixels(row["witness"], shape, row)
        _image(line[0], f"row {row['row']}" + _label(row.get("label")), before, (before, after))
        near = "" if row.get("upper") is None else f"{row['upper']:.4g} away"
        _image(line[1], near + _label(row.get("witness_label")), after, (before, after))
        _difference(line[2], after - before)
    return axes


def _original(row: Mapping[str, Any]) -> dict[str, Any]:
    """The row of data that a witness is near to: what changed, as it was."""
    before = {change["feature"]: change["from"] for change in row.get("changed", [])}
    return {name: before.get(name, now) for name, now in row["witness"].items()}


def _label(label: Any) -> str:
    return "" if label is None else f": {clean(str(label))}"


def _told(fields: Mapping[str, Any], rows: Sequence[int] | int | None) -> list[Mapping[str, Any]]:
    if not isinstance(fields.get("rows"), list) or fields.get("unit") != "distance":
        raise TaskError(f"a report of `{fields['question']}` has no images; ask closest or robust about rows")
    told = {row["row"]: row for row in fields["rows"]}
    if rows is None:
        found = [row for row in told.values() if row.get("witness")][:_SHOWN]
        if not found:
            raise TaskError("nothing to draw: no row has an input that changes its label")
        return found
    wanted = [int(row) for row in ([rows] if isinstance(rows, (int, np.integer)) else rows)]
    for row in wanted:
        if row not in told:
            raise TaskError(f"rows: there is no row {row} in this report")
        if not told[row].get("witness"):
            raise TaskError(f"rows: row {row} has no other input to draw; its verdict is {told[row]['verdict']}")
    return [told[row] for row in wanted]


def _pixels(values: Mapping[str, Any], shape: tuple[int, ...], row: Mapping[str, Any]) -> np.ndarray[Any, Any]:
    if len(values) != math.prod(shape):
        sides = " × ".join(map(str, shape))
        raise DataError(f"shape: {len(values)} features make no image of {sides} = {math.prod(shape)} pixels")
    for name, value in values.items():
        if isinstance(value, str):
            raise DataError(f"row {row['row']}: `{name}` is a category, not the brightness of a pixel")
    return np.array([math.nan if value is None else value for value in values.values()], dtype=np.float64).reshape(shape)


def _image(ax: Any, title: str, pixels: np.ndarray[Any, Any], both: Sequence[np.ndarray[Any, Any]]) -> None:
    low, high = (float(f([f(image) for image in both])) for f in (np.nanmin, np.nanmax))
    if pixels.ndim == 3:
        # Colours are between 0 and 1.
        ax.imshow((pixels - low) / (high - low or 1.0))
    else:
        ax.imshow(pixels, cmap="gray", vmin=low, vmax=high)
    _frame(ax, title)


def _difference(ax: Any, pixels: np.ndarray[Any, Any]) -> None:
    flat = pixels if pixels.ndim == 2 else pixels.mean(axis=2)
    most = float(np.nanmax(np.abs(flat))) or 1.0
    ax.imshow(flat, cmap="RdBu_r", vmin=-most, vmax=most)
    changed = int((pixels != 0).sum()) if pixels.ndim == 2 else int((pixels != 0).any(axis=2).sum())
    _frame(ax, f"{changed} changed")


def _frame(ax: Any, title: str) -> None:
    ax.set_title(title, fontsize=9, parse_math=False)
    ax.set_xticks([])
    ax.set_yticks([])
