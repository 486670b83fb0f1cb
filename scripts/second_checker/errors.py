"""Errors: what is wrong with a proof, and what is out of scope."""

from __future__ import annotations

import math
from typing import Any

INF = math.inf
MAX_UNITS = 1 << 60
MAX_SINGLE = 2.0**128 - 2.0**104


class Wrong(Exception):
    """The proof is invalid."""


class OutOfScope(Exception):
    """The proof may be valid, but this script cannot tell."""


class Unreadable(Exception):
    """A file cannot be read."""


def demand(holds: Any, what: str) -> None:
    if not holds:
        raise Wrong(what)


def within_scope(holds: Any, what: str) -> None:
    if not holds:
        raise OutOfScope(what)
