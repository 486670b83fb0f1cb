"""What is shown of a model: what its file holds, and its features."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from treeproof.display.content import Cell, Grid, Page
from treeproof.display.words import number

_SHOWN_FEATURES = 15
_LINES = ("objective", "input", "missing", "arithmetic", "link")


def of_model(facts: Mapping[str, Any]) -> Page:
    """The facts of ``inspect``, and the most tested features."""
    version = f" ({facts['version']})" if facts.get("version") else ""
    lines = [("format", f"{facts['format']}{version}")]
    if facts["classes"]:
        lines.append(("classes", f"{len(facts['classes'])} ({', '.join(map(str, facts['classes']))})"))
    used = facts["features_used"]
    lines.append(("trees", f"{facts['trees']}, with {facts['leaves']} leaves, at most {facts['depth']} deep"))
    lines.append(("features", f"{len(used)} of {facts['features']} used; distinct thresholds: {facts['thresholds']}"))
    lines += [(name, str(facts[name])) for name in _LINES if facts.get(name)]
    lines.append(("label", str(facts["label_rule"])))
    if facts.get("rounding") is not None:
        lines.append(("rounding", f"the library's sum is within {facts['rounding']:.1e} of the exact one"))
    lines += [("note", str(note)) for note in facts["notes"]]
    most = sorted(used, key=lambda one: -int(one["splits"]))[:_SHOWN_FEATURES]
    tested = [[Cell([str(one["name"])]), Cell([str(one["kind"])]), Cell([number(one["splits"])])] for one in most]
    more = f"and {len(used) - len(most)} more (inspect() has all)" if len(used) > len(most) else ""
    return Page(answer=str(facts["model"]), facts=lines, tables=[Grid(["feature", "kind", "splits"], tested, more)])
