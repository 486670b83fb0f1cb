"""Axes to draw on: given ones, or those of a new figure."""

from __future__ import annotations

from typing import Any


def pyplot() -> Any:
    """matplotlib's figures, or a word on how to get them."""
    try:
        import matplotlib.pyplot
    except ImportError as error:
        raise ImportError("plots need matplotlib: pip install 'treeproof[plot]'") from error
    return matplotlib.pyplot


def axes(ax: Any) -> Any:
    """The given axes, or new ones."""
    return pyplot().subplots()[1] if ax is None else ax
