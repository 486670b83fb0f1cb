"""What was asked, in words."""

from __future__ import annotations

from collections.abc import Callable

from treeproof.display.words import Fields, asked, margin, norm_name, number, several


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


def _near(fields: Fields, details: Fields, many: str, far: str) -> str:
    """What is near: by the number of features that change, or by how far they do."""
    norm = fields.get("norm", details.get("norm", "linf"))
    radius = number(fields.get("radius", details.get("radius")))
    return many.format(radius) if norm == "l0" else far.format(f"{radius} ({norm_name(norm)})")


def _robust(fields: Fields, details: Fields) -> str:
    near = _near(fields, details, "if at most {} features change", "under all changes of at most {}")
    if details.get("within") is not None:
        return f"Does the output of rows stay within {number(details['within'])} {near}"
    if details.get("target") is not None:
        return f"Do rows stay out of class {details['target']} {near}"
    return f"Do rows keep their label {near}"


def _closest(fields: Fields, details: Fields) -> str:
    norm = str(fields.get("norm", details.get("norm", "")))
    wanted = "with another label"
    if details.get("target") is not None:
        wanted = f"of class {details['target']}"
    elif details.get("output_above") is not None:
        wanted = f"with an output above {number(details['output_above'])}"
    elif details.get("output_below") is not None:
        wanted = f"with an output below {number(details['output_below'])}"
    return f"How far is the closest input {wanted}, measured by {norm_name(norm)}"


def _dominant(fields: Fields, details: Fields) -> str:
    moves = "lower" if details.get("decrease") else "raise"
    if details.get("each"):
        return f"How far does each attribute alone {moves} the {margin(fields)}"
    at_most = details.get("at_most")
    if at_most == 1:
        return f"Which attribute {moves}s the {margin(fields)} most"
    few = "attributes" if at_most is None else f"at most {at_most} attributes"
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


def _stable(fields: Fields, details: Fields) -> str:
    near = _near(fields, details, "if at most {} features change", "within {}")
    return f"How far can the {margin(fields)} jump {near}"


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
    "stable": _stable,
    "diff": _diff,
    "enumerate": _enumerate,
    "maximise": lambda _, __: "How large can the sum of margins be",
    "audit": lambda _, __: "Does the model pass all checks",
    "check": lambda _, __: "Is the proof right",
}
