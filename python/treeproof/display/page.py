"""What is shown of a report, whichever way: sentences, facts and grids of cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from treeproof.display.answers import answer
from treeproof.display.grids import Grid, attributes, checks, configurations, distances, features, inputs, pair_rows
from treeproof.display.questions import question
from treeproof.display.words import Fields, change, counted, number, percent, value


@dataclass
class Page:
    """A report as it is shown."""

    question: str
    verdict: str
    answer: str
    facts: list[tuple[str, str]] = field(default_factory=list)
    grids: list[Grid] = field(default_factory=list)
    parts: list[Page] = field(default_factory=list)


def page(fields: Fields, task: Fields | None) -> Page:
    """What is shown of a report."""
    shown = Page(question(fields, task), str(fields["verdict"]), answer(fields, task), _facts(fields))
    if "min" in fields and "max" in fields:
        shared = {name: fields[name] for name in ("unit", "class") if name in fields}
        shown.parts = [page({"question": name} | shared | fields[name], None) for name in ("min", "max")]
    elif isinstance(fields.get("rows"), list):
        shown.grids = distances(fields["rows"]) if fields.get("unit") == "distance" else pair_rows(fields["rows"])
    elif isinstance(fields.get("features"), list):
        shown.grids = features(fields["features"])
    elif isinstance(fields.get("attributes"), list):
        shown.grids = [attributes(fields["attributes"])]
    elif isinstance(fields.get("regions"), list):
        shown.grids = [configurations(fields["regions"])]
    elif isinstance(fields.get("checks"), list):
        shown.grids = [checks(fields["checks"])]
    elif isinstance(fields.get("witness"), Mapping):
        shown.grids = [inputs(fields["witness"])]
    return shown


def _both(found: Any) -> str:
    """A number, a label or several numbers; of two inputs, both."""
    if isinstance(found, Mapping):
        return change(_both(found.get("a")), _both(found.get("b")))
    if isinstance(found, Sequence) and not isinstance(found, str):
        return f"({', '.join(number(one) for one in found)})"
    return value(found)


def _nearest(nearest: Fields) -> str:
    if "row" not in nearest:
        return "; ".join(f"to {side}: {_nearest(nearest[side])}" for side in nearest)
    differ = f"{counted(nearest['changed'], 'feature')} changed" if nearest["changed"] else "the same"
    return f"row {nearest['row']}, {differ}"


def _facts(fields: Fields) -> list[tuple[str, str]]:
    """By name. By how much labels are clear of the decision is no number that people ask for."""
    is_about_labels = fields["question"] == "fair" and fields["verdict"] in ("holds", "violated")
    facts: list[tuple[str, str]] = []
    if "lower" in fields and not is_about_labels and fields["verdict"] != "infeasible":
        facts.append(("bounds", f"at least {number(fields['lower'])}, at most {number(fields['upper'])}"))
        # Of what is exact, only rounding is left.
        if fields.get("gap") and fields.get("stopped") != "optimal":
            facts.append(("gap", f"{fields['gap']:.3g}"))
    if fields.get("output") is not None:
        rounding = fields.get("rounding")
        near = "" if rounding is None else f" (within {rounding:.1e} of the exact sum)"
        facts.append(("output", f"{_both(fields['output'])}, as the library computes it{near}"))
    facts += [("outputs", _both(fields["outputs"]))] if fields.get("outputs") else []
    for name in ("probability", "prediction", "label"):
        if fields.get(name) is not None:
            facts.append((name, _both(fields[name])))
    if fields.get("nearest_row"):
        facts.append(("nearest", _nearest(fields["nearest_row"])))
    facts += _summary(fields.get("summary") or {})
    for text in fields.get("statements", []):
        facts.append(("checked", str(text)))
    seconds = fields.get("seconds", (fields.get("summary") or {}).get("seconds"))
    if seconds is not None:
        regions = (fields.get("stats") or {}).get("regions")
        facts.append(("time", f"{seconds:.2f} s{'' if regions is None else ', ' + counted(regions, 'region')}"))
    return facts


def _summary(summary: Fields) -> list[tuple[str, str]]:
    facts = []
    if summary.get("accuracy") is not None:
        facts.append(("accuracy", percent(summary["accuracy"])))
    if summary.get("certified_accuracy") is not None:
        facts.append(("certified", f"{percent(summary['certified_accuracy'])} correct and robust"))
    if summary.get("median_distance") is not None:
        facts.append(("median", f"{number(summary['median_distance'])} away"))
    if summary.get("left"):
        facts.append(("not asked", f"{counted(summary['left'], 'row')}: interrupted"))
    return facts
