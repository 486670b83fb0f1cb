"""Robustness curves: which share of rows is proved to keep its label, radius by radius."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from treeproof.errors import TaskError
from treeproof.plots.axes import axes

_NORMS = {"linf": "l∞", "l0": "number of changes"}


@dataclass(frozen=True)
class Curve:
    """Steps: from each radius on, up to the next one, these shares of rows are certified and not refuted."""

    radii: list[float]
    certified: list[float]
    possible: list[float]


def curve(fields: Mapping[str, Any]) -> Curve:
    """The steps of a report of ``closest`` or ``robust``.

    A row is certified within a radius if no input is that close: its distance is proved to be larger. It is refuted if an input
    was found that close. Where true labels were given, rows with another label are neither.
    """
    rows = [row for row in fields.get("rows") or [] if row.get("is_correct", True)]
    if fields["question"] not in ("closest", "robust") or not fields.get("rows"):
        raise TaskError(f"a report of `{fields['question']}` without rows has no robustness curve; ask closest or robust about rows")
    bounds = [_bounds(row, fields.get("radius")) for row in rows]
    ends = sorted({end for pair in bounds for end in pair if 0.0 < end < math.inf})
    last = fields.get("radius")
    if last is None:
        last = 1.05 * ends[-1] if ends else 1.0
    radii = [0.0, *(end for end in ends if end < last), float(last)]
    count = len(fields["rows"])
    certified = [sum(lower > radius for lower, _ in bounds) / count for radius in radii]
    possible = [sum(upper > radius for _, upper in bounds) / count for radius in radii]
    return Curve(radii, certified, possible)


def _bounds(row: Mapping[str, Any], radius: float | None) -> tuple[float, float]:
    """Between which numbers the distance of a row is: it is certified below the first and refuted from the second on."""
    lower, upper = row.get("lower"), row.get("upper")
    if row["verdict"] == "holds":
        # Within the radius there is nothing; beyond it, nothing is known.
        return math.inf, math.inf
    if row["verdict"] == "infeasible":
        # Without a radius: no such input at all. With one: no input is allowed, and nothing is certified of that.
        return (math.inf, math.inf) if radius is None else (0.0, 0.0)
    return 0.0 if lower is None else float(lower), math.inf if upper is None else float(upper)


def _is_open(row: Mapping[str, Any]) -> bool:
    """Whether the two curves differ by more than the rounding of a distance."""
    lower, upper = row.get("lower"), row.get("upper")
    if row["verdict"] == "undecided" or lower is None or upper is None:
        return bool(row["verdict"] == "undecided")
    return bool(upper - lower > 1e-9 * abs(upper))


def draw(fields: Mapping[str, Any], task: Mapping[str, Any], ax: Any) -> Any:
    """Draws the curve; where rows are undecided, also what is possible."""
    steps = curve(fields)
    ax = axes(ax)
    norm = str(fields.get("norm", ""))
    ax.step(steps.radii, steps.certified, where="post", label="proved")
    if any(_is_open(row) for row in fields["rows"]):
        ax.step(steps.radii, steps.possible, where="post", linestyle="--", label="not refuted")
        ax.fill_between(steps.radii, steps.certified, steps.possible, step="post", alpha=0.2, linewidth=0)
        ax.legend()
    ax.set_xlabel(f"radius ({_NORMS.get(norm, norm)})")
    ax.set_ylabel(_share(fields, task))
    ax.set_ylim(0.0, 1.05)
    ax.set_xlim(0.0, steps.radii[-1])
    return ax


def _share(fields: Mapping[str, Any], task: Mapping[str, Any]) -> str:
    if any("is_correct" in row for row in fields["rows"]):
        return "certified accuracy"
    question = task.get("question")
    details = next(iter(question.values())) if isinstance(question, Mapping) else {}
    asked = any(details.get(name) is not None for name in ("target", "output_above", "output_below"))
    return "share of rows that are farther away" if asked else "share of rows certified"
