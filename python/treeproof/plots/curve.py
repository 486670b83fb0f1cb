"""Robustness curves: which share of rows is proved to keep its label, radius by radius."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from treeproof import _native
from treeproof.errors import TaskError
from treeproof.plots.axes import axes

_NORMS = {"linf": "l∞", "l0": "number of changes"}


def draw(report: str, fields: Mapping[str, Any], task: Mapping[str, Any], ax: Any) -> Any:
    """Draws the curve of a report, which is given as JSON, too; where rows are undecided, also what is possible."""
    found = _native.curve(report)
    if found is None:
        raise TaskError(f"a report of `{fields['question']}` without rows has no robustness curve; ask closest or robust about rows")
    curve = json.loads(found)
    radii, certified = zip(*curve["certified"], strict=True)
    ax = axes(ax)
    norm = str(fields.get("norm", ""))
    ax.step(radii, certified, where="post", label="proved")
    if curve["is_open"]:
        possible = [share for _, share in curve["attacked"]]
        ax.step(radii, possible, where="post", linestyle="--", label="not refuted")
        ax.fill_between(radii, certified, possible, step="post", alpha=0.2, linewidth=0)
        ax.legend()
    ax.set_xlabel(f"radius ({_NORMS.get(norm, norm)})")
    ax.set_ylabel(_share(fields, task))
    ax.set_ylim(0.0, 1.05)
    ax.set_xlim(0.0, radii[-1])
    return ax


def _share(fields: Mapping[str, Any], task: Mapping[str, Any]) -> str:
    if any("is_correct" in row for row in fields["rows"]):
        return "certified accuracy"
    question = task.get("question")
    details = next(iter(question.values())) if isinstance(question, Mapping) else {}
    asked = any(details.get(name) is not None for name in ("target", "output_above", "output_below"))
    return "share of rows that are farther away" if asked else "share of rows certified"
