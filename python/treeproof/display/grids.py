"""Tables of a report: inputs against each other, rows of data, features, configurations, checks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from treeproof.display.answers import answer
from treeproof.display.words import Fields, change, number, value

SHOWN_FEATURES = 15
SHOWN_ROWS = 10
_SHOWN_CHANGES = 5


@dataclass
class Cell:
    """A text; ``mark`` is ``"changed"`` or a verdict, which is coloured where there are colours."""

    text: str
    mark: str = ""


@dataclass
class Grid:
    """Cells in rows; ``more`` is what is left out, and where it is."""

    columns: list[str]
    rows: list[list[Cell]]
    more: str = ""
    title: str = ""


def _verdict(word: Any) -> Cell:
    return Cell(str(word), str(word))


def _left_out(count: int, where: str) -> str:
    return f"and {count} more ({where} has all)" if count > 0 else ""


def is_pair(witness: Fields) -> bool:
    """Whether two inputs are told, and not one with features called ``a`` and ``b``."""
    return list(witness) == ["a", "b"] and all(isinstance(side, Mapping) for side in witness.values())


def inputs(witness: Fields, title: str = "") -> Grid:
    """An input, or two side by side with what differs first."""
    if is_pair(witness):
        return _beside("a", witness["a"], "b", witness["b"], title)
    # Where not all can be shown, zeros tell least.
    names = list(witness) if len(witness) <= SHOWN_FEATURES else sorted(witness, key=lambda name: witness[name] == 0)
    rows = [[Cell(name), Cell(value(witness[name]))] for name in names[:SHOWN_FEATURES]]
    return Grid(["feature", "value"], rows, _left_out(len(names) - SHOWN_FEATURES, "witness"), title)


def _beside(first: str, old: Fields, second: str, new: Fields, title: str = "") -> Grid:
    names = [name for name in new if name in old]
    differing = [name for name in names if old[name] != new[name]]
    others = [name for name in names if old[name] == new[name]]
    rows = [[Cell(name), Cell(value(old[name]), "changed"), Cell(value(new[name]), "changed")] for name in differing]
    rows += [[Cell(name), Cell(value(old[name])), Cell(value(new[name]))] for name in others]
    more = _left_out(len(rows) - SHOWN_FEATURES, "witness")
    return Grid(["feature", first, second], rows[:SHOWN_FEATURES], more, title)


def original(row: Fields) -> dict[str, Any]:
    """The row of data that a witness is near to: what changed, as it was."""
    before = {change["feature"]: change["from"] for change in row.get("changed", [])}
    return {name: before.get(name, now) for name, now in row["witness"].items()}


def _changes(changes: Sequence[Fields]) -> str:
    texts = [f"{one['feature']} {change(one['from'], one['to'])}" for one in changes[:_SHOWN_CHANGES]]
    return ", ".join(texts + ([f"{len(changes) - len(texts)} more"] if len(changes) > len(texts) else []))


def _short(bound: float | None) -> str:
    return "?" if bound is None else f"{bound:.6g}"


def _distance(row: Fields) -> str:
    lower, upper, verdict = row.get("lower"), row.get("upper"), row["verdict"]
    if verdict == "infeasible":
        return "none exists"
    if verdict == "holds":
        return f"> {_short(lower)}"
    if verdict == "undecided":
        return f"{_short(lower)} to {_short(upper)}"
    return _short(upper)


def distances(rows: Sequence[Fields]) -> list[Grid]:
    """The rows of ``robust`` and ``closest``; of a single one, the input beside it."""
    has_labels = any("label" in row for row in rows)
    lines = []
    for row in rows[:SHOWN_ROWS]:
        labels = [Cell(change(row.get("label"), row["witness_label"]) if "witness_label" in row else value(row.get("label")))]
        told = [Cell(str(row["row"])), _verdict(row["verdict"]), Cell(_distance(row))] + (labels if has_labels else [])
        lines.append([*told, Cell(_changes(row.get("changed", [])))])
        for other in row.get("witnesses", [])[1:]:
            label = [Cell(change(row.get("label"), other.get("witness_label")))] if has_labels else []
            lines.append([Cell(""), Cell("or"), Cell(_short(other.get("distance"))), *label, Cell(_changes(other["changed"]))])
    columns = ["row", "verdict", "distance", *(["label"] if has_labels else []), "what changes"]
    grids = [Grid(columns, lines, _left_out(len(rows) - SHOWN_ROWS, "table"))]
    if len(rows) == 1 and isinstance(rows[0].get("witness"), Mapping):
        grids.append(_beside(f"row {rows[0]['row']}", original(rows[0]), "closest", rows[0]["witness"]))
    return grids


def pair_rows(rows: Sequence[Fields]) -> list[Grid]:
    """The rows of ``fair``: each with the input that is treated differently."""
    lines = []
    for row in rows[:SHOWN_ROWS]:
        witness, label = row.get("witness"), row.get("label")
        changed = []
        if isinstance(witness, Mapping) and is_pair(witness):
            sides = witness["a"], witness["b"]
            changed = [{"feature": name, "from": old, "to": sides[1].get(name)} for name, old in sides[0].items()]
        differing = _changes([one for one in changed if one["from"] != one["to"]])
        labels = change(label["a"], label["b"]) if isinstance(label, Mapping) else ""
        lines.append([Cell(str(row["row"])), _verdict(row["verdict"]), Cell(labels), Cell(differing)])
    grids = [Grid(["row", "verdict", "label", "what changes"], lines, _left_out(len(rows) - SHOWN_ROWS, "table"))]
    first = next((row for row in rows if row["verdict"] == "violated" and row.get("witness")), None)
    return grids + ([inputs(first["witness"], f"row {first['row']}")] if first else [])


def features(answers: Sequence[Fields]) -> list[Grid]:
    """The features of ``monotone``, and the worst pair."""
    lines = [[Cell(str(one.get("feature"))), _verdict(one["verdict"]), Cell(number(one.get("upper")))] for one in answers]
    grids = [Grid(["feature", "verdict", "by at most"], lines[:SHOWN_FEATURES], _left_out(len(lines) - SHOWN_FEATURES, "table"))]
    broken = [one for one in answers if one["verdict"] == "violated" and one.get("witness")]
    if broken:
        worst = max(broken, key=lambda one: one["lower"] or 0.0)
        grids.append(inputs(worst["witness"], f"the worst: {worst['feature']}"))
    return grids


def attributes(answers: Sequence[Fields]) -> Grid:
    """What each attribute of ``dominant`` does by itself."""
    lines = []
    for one in answers[:SHOWN_FEATURES]:
        moved = change(one["from"], one["to"]) if one.get("to") is not None else "(no change)"
        exact = one["verdict"] == "optimal"
        effect = number(one["lower"]) if exact else f"{number(one['lower'])} to {number(one['upper'])}"
        lines.append([Cell(one["attribute"]), Cell(moved), Cell(effect)])
    return Grid(["attribute", "change", "effect"], lines, _left_out(len(answers) - SHOWN_FEATURES, "table"))


def configurations(regions: Sequence[Fields]) -> Grid:
    """The configurations of ``enumerate``: outputs, and the inputs that have them."""
    lines = []
    for region in regions[:SHOWN_ROWS]:
        conditions = [_condition(name, values) for name, values in region["domain"].items()]
        shown = " and ".join(conditions[:_SHOWN_CHANGES]) or "all inputs"
        shown += f" and {len(conditions) - _SHOWN_CHANGES} more" if len(conditions) > _SHOWN_CHANGES else ""
        lines.append([Cell(number(region["output"])), Cell(shown)])
    return Grid(["output", "inputs"], lines, _left_out(len(regions) - SHOWN_ROWS, "table"))


def _condition(name: str, values: Fields) -> str:
    if "values" in values:
        known = [value(one) for one in values["values"]] + (["no known category"] if values.get("unknown") else [])
        text = f"{name} in {{{', '.join(known)}}}" if known else f"missing({name})"
    else:
        low = "" if values["low"] is None else f"{number(values['low'])} <= "
        high = "" if values["high"] is None else f" < {number(values['high'])}"
        text = f"{low}{name}{high}" if low or high else f"{name} is any number"
        text += "".join(f" and {name} != {number(one)}" for one in values.get("except", []))
        text += f" or {name} in {{{', '.join(number(one) for one in values['also'])}}}" if values.get("also") else ""
    return f"{text}, or missing" if values.get("missing") and not text.startswith("missing(") else text


def checks(answers: Sequence[Fields]) -> Grid:
    """The checks of an audit."""
    lines = []
    for check in answers:
        found = answer(check["report"], None) if check.get("report") else ""
        lines.append([Cell(check["name"]), _verdict(check["outcome"]), Cell(found)])
    return Grid(["check", "outcome", "what was found"], lines)
