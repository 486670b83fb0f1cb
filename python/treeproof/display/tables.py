"""What is shown of a table: its first lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from treeproof.display.content import Cell, Grid
from treeproof.display.words import change, number

_SHOWN = 20
_SHOWN_PARTS = 6
_VERDICTS = ("verdict", "outcome")
_MARKS = {"optimal": "good", "holds": "good", "pass": "good", "violated": "bad", "fail": "bad"}


def of_table(columns: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> Grid:
    """The first lines of a table."""
    lines = [[_cell(name, row.get(name)) for name in columns] for row in rows[:_SHOWN]]
    more = f"and {len(rows) - _SHOWN} more" if len(rows) > _SHOWN else ""
    return Grid([str(name) for name in columns], lines, more)


def _cell(column: str, found: Any) -> Cell:
    is_verdict = column in _VERDICTS and found is not None
    return Cell([_text(found)], _MARKS.get(str(found), "open") if is_verdict else None)


def _text(found: Any) -> str:
    """A value in one line: names with values, changes, or what it is."""
    if found is None:
        return ""
    if isinstance(found, Mapping):
        if {"feature", "from", "to"} <= found.keys():
            return f"{found['feature']} {change(found['from'], found['to'])}"
        parts = [f"{name}={number(value) if not isinstance(value, Mapping) else '{…}'}" for name, value in found.items()]
    elif isinstance(found, (list, tuple)):
        parts = [_text(part) for part in found]
    else:
        return number(found)
    more = [f"{len(parts) - _SHOWN_PARTS} more"] if len(parts) > _SHOWN_PARTS else []
    return ", ".join(parts[:_SHOWN_PARTS] + more)
