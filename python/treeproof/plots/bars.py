"""Bars: features, attributes and configurations, one each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from treeproof.plots.axes import axes

_SHOWN = 20


def features(answers: Sequence[Mapping[str, Any]], name: str, what: str, ax: Any) -> Any:
    """By how much each can move the margin: what was found, and how much more is possible."""
    ax = axes(ax)
    told = list(answers[:_SHOWN])
    found = [max(one.get("lower") or 0.0, 0.0) for one in told]
    most = [low if one.get("upper") is None else max(one["upper"], low) for one, low in zip(told, found)]
    places = list(range(len(told)))
    ax.barh(places, found, color="C0", label="found")
    ax.barh(places, [high - low for low, high in zip(found, most)], left=found, color="C0", alpha=0.3, label="not excluded")
    ax.set_yticks(places, [str(one[name]) for one in told], parse_math=False)
    ax.invert_yaxis()
    ax.set_xlabel(what)
    if any(high - low > 1e-9 * high for low, high in zip(found, most)):
        ax.legend()
    return ax


def configurations(fields: Mapping[str, Any], ax: Any) -> Any:
    """Outputs, best first, and what all others are below."""
    ax = axes(ax)
    outputs = [region["output"] for region in fields["regions"]]
    ax.plot(range(1, len(outputs) + 1), outputs, "o", markersize=4, label="outputs")
    if fields.get("others_at_most") is not None:
        ax.axhline(fields["others_at_most"], linestyle="--", color="tab:gray", label="all others at most")
    ax.set_xlabel("place")
    ax.set_ylabel(str(fields.get("unit", "margin")))
    ax.legend()
    return ax
