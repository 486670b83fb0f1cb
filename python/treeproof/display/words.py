"""Numbers, values and counts in words: plain text, which whoever shows it has to escape."""

from __future__ import annotations

import unicodedata
from typing import Any


def number(value: Any) -> str:
    """A number that reads back to the same value, without ``.0``."""
    if value is None:
        return "unknown"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e16:
        return str(int(value))
    return repr(value) if isinstance(value, float) else str(value)


def counted(count: int, what: str) -> str:
    """``1 row``, ``2 rows``."""
    return f"{count} {what}{'' if count == 1 else 's'}"


def change(old: Any, new: Any) -> str:
    """From one value to another."""
    return " → ".join("missing" if value is None else number(value) for value in (old, new))


def clean(text: str) -> str:
    """Names come from files: nothing in them may steer a terminal, or turn the direction of what is read."""
    return "".join("?" if unicodedata.category(sign) in ("Cc", "Cf", "Zl", "Zp") else sign for sign in text)
