"""Numbers, values and counts in words: plain text, which whoever shows it has to escape."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

Fields: TypeAlias = Mapping[str, Any]
"""What a report or a task holds."""


def number(value: Any) -> str:
    """A number that reads back to the same value, without ``.0``."""
    if value is None:
        return "unknown"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e16:
        return str(int(value))
    return repr(value) if isinstance(value, float) else str(value)


def value(value: Any) -> str:
    """The value of a feature."""
    return "missing" if value is None else number(value)


def several(names: Sequence[Any]) -> str:
    """Names in a row: ``a, b and c``."""
    texts = [str(name) for name in names]
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}" if texts else ""


def counted(count: int, what: str) -> str:
    """``1 row``, ``2 rows``."""
    return f"{count} {what}{'' if count == 1 else 's'}"


def change(old: Any, new: Any) -> str:
    """From one value to another."""
    return f"{value(old)} → {value(new)}"


def percent(share: float) -> str:
    """A share."""
    return f"{100 * share:.1f} %"


def between(fields: Fields) -> str:
    """What is known of a number."""
    lower, upper = fields.get("lower"), fields.get("upper")
    if lower is None and upper is None:
        return "not known"
    if lower is None or upper is None:
        return f"at least {number(lower)}" if upper is None else f"at most {number(upper)}"
    return f"between {number(lower)} and {number(upper)}"


def asked(task: Fields | None) -> tuple[str, Fields]:
    """The name of a task's question, and its details."""
    question = (task or {}).get("question", "")
    if isinstance(question, Mapping):
        for name, details in question.items():
            return str(name), details if isinstance(details, Mapping) else {}
    return str(question), {}


def norm_name(norm: str) -> str:
    """What distances are called."""
    return {"linf": "l∞", "l0": "number of changes"}.get(norm, norm)


def margin(fields: Fields) -> str:
    """The number that a report is about."""
    return f"margin of class {fields['class']}" if "class" in fields else "margin"


def clean(text: str) -> str:
    """Names come from files: nothing in them may steer a terminal, or turn the direction of what is read."""
    return "".join("?" if unicodedata.category(sign) in ("Cc", "Cf", "Zl", "Zp") else sign for sign in text)
