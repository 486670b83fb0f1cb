"""What was asked, in words."""

from __future__ import annotations

from collections.abc import Callable

from treeproof.display.words import Fields, asked, counted, margin, number, several

_NORMS = {"linf": "l∞", "l2": "l2", "l1": "l1", "l0": "number of changes"}


def question(fields: Fields, task: Fields | None) -> str:
    """What was asked."""
    name, details = str(fields["question"]), asked(task)[1]
    ask = _QUESTIONS.get(name)
    text = ask(fields, details) if ask else name
    conditions = (task or {}).get("where") or []
    conditions = [conditions] if isinstance(conditions, str) else conditions
    if conditions:
        text += f" where {' and '.join(f'({one})' if len(conditions) > 1 else str(one) for one in conditions)}"
    if (domain := (task or {}).get("domain")) is not None:
        # Rows that are no file have the name of the argument.
        text += " within what occurs in data" if domain == "domain" else f" within what occurs in {domain}"
    return text + "?"


def _near(fields: Fields, details: Fields) -> str:
    norm = fields.get("norm", details.get("norm", "linf"))
    radius = number(fields.get("radius", details.get("radius")))
    return f"{radius} changes" if norm == "l0" else f"{radius} ({_NORMS.get(norm, norm)})"


def _robust(fields: Fields, details: Fields) -> str:
    near = _near(fields, details)
    if details.get("within") is not None:
        return f"Does the output of rows stay within {number(details['within'])} under all changes of at most {near}"
    if details.get("target") is not None:
        return f"Do rows stay out of class {details['target']} under all changes of at most {near}"
    return f"Do rows keep their label under all changes of at most {near}"


def _closest(fields: Fields, details: Fields) -> str:
    norm = str(fields.get("norm", details.get("norm", "")))
    wanted = "with another label"
    if details.get("target") is not None:
        wanted = f"of class {details['target']}"
    elif details.get("output_above") is not None:
        wanted = f"with an output above {number(details['output_above'])}"
    elif details.get("output_below") is not None:
        wanted = f"with an output below {number(details['output_below'])}"
    return f"How far is the closest input {wanted}, measured by {_NORMS.get(norm, norm)}"


def _dominant(fields: Fields, details: Fields) -> str:
    moves = "lower" if details.get("decrease") else "raise"
    if details.get("each"):
        return f"How far does each attribute alone {moves} the {margin(fields)}"
    at_most = details.get("at_most")
    few = "attributes" if at_most is None else counted(int(at_most), "attribute")
    return f"Which {few} {moves} the {margin(fields)} most"


def _monotone(fields: Fields, details: Fields) -> str:
    falls = "rise" if fields.get("trend", "decreasing" if details.get("decreasing") else "") == "decreasing" else "fall"
    feature = fields.get("feature") or "a feature"
    return f"Does the {margin(fields)} never {falls} as {feature} rises"


def _fair(fields: Fields, details: Fields) -> str:
    protected = several(details.get("protected") or ["what is protected"])
    return f"Are inputs treated alike that differ only in {protected}"


def _diff(fields: Fields, details: Fields) -> str:
    if details.get("within") is not None:
        return f"Do the margins of two models agree up to {number(details['within'])}"
    return "Where do the margins of two models differ most"


def _enumerate(fields: Fields, details: Fields) -> str:
    above = f" above {number(details['above'])}" if details.get("above") is not None else ""
    top = f"{details['top']} " if details.get("top") is not None else ""
    return f"Which inputs have the {top}largest outputs{above}"


_QUESTIONS: dict[str, Callable[[Fields, Fields], str]] = {
    "max": lambda fields, _: f"How large can the {margin(fields)} be",
    "min": lambda fields, _: f"How small can the {margin(fields)} be",
    "range": lambda fields, _: f"Between which numbers does the {margin(fields)} stay",
    "robust": _robust,
    "closest": _closest,
    "dominant": _dominant,
    "fair": _fair,
    "monotone": _monotone,
    "stable": lambda fields, details: f"How far can the {margin(fields)} jump within {_near(fields, details)}",
    "diff": _diff,
    "enumerate": _enumerate,
    "maximise": lambda _, __: "How large can the sum of margins be",
    "audit": lambda _, __: "Does the model pass all checks",
    "check": lambda _, __: "Is the proof right",
}
