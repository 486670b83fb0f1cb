"""What a search knew, second by second."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from treeproof.errors import TaskError
from treeproof.plots.axes import axes

_COLOURS = {"optimal": "tab:green", "holds": "tab:green", "violated": "tab:red", "infeasible": "tab:gray", "undecided": "tab:orange"}


def draw(fields: Mapping[str, Any], trace: Sequence[Mapping[str, Any]], ax: Any) -> Any:
    """Bounds over time; over rows, how many were answered, and how."""
    if not trace:
        raise TaskError(f"nothing to draw: this report of `{fields['question']}` has no trace")
    if "rows_done" in trace[-1]:
        return _rows(trace, axes(ax))
    ax = axes(ax)
    names = list(dict.fromkeys(str(event["question"]) for event in trace))
    for place, name in enumerate(names):
        # Of a range, each of the two searches has its own end.
        ended = fields[name] if isinstance(fields.get(name), Mapping) else fields
        told = [event for event in trace if event["question"] == name] + ([ended] if "lower" in ended else [])
        which = f"{name}: " if len(names) > 1 else ""
        seconds = [event.get("seconds", 0.0) for event in told]
        for end, dash in (("upper", "-"), ("lower", "--")):
            bounds = [math.nan if event.get(end) is None else event[end] for event in told]
            words = f"{which}at {'most' if end == 'upper' else 'least'}"
            ax.step(seconds, bounds, dash, where="post", marker="o", markersize=3, color=f"C{place}", label=words)
    ax.set_xlabel("seconds")
    ax.set_ylabel(str(fields.get("unit", "")))
    ax.legend()
    return ax


def _rows(trace: Sequence[Mapping[str, Any]], ax: Any) -> Any:
    """One line for each verdict: how many rows had it by when."""
    told = [event for event in trace if event.get("verdict") is not None]
    end = trace[-1]["seconds"]
    for verdict in dict.fromkeys(str(event["verdict"]) for event in told):
        seconds = [event["seconds"] for event in told if event["verdict"] == verdict]
        counts = [*range(len(seconds) + 1), len(seconds)]
        ax.step([0.0, *seconds, end], counts, where="post", label=verdict, color=_COLOURS.get(verdict))
    ax.set_xlabel("seconds")
    ax.set_ylabel("rows answered")
    ax.set_ylim(bottom=0)
    ax.legend()
    return ax
