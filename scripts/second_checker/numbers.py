"""Numbers of a proof: exact ones, doubles, and single precision."""

from __future__ import annotations

import math
import re
import struct
from fractions import Fraction
from typing import Any

from .errors import demand, INF


def f32(x: float | Fraction) -> float:
    """Rounds to the nearest number of single precision, halves to even, as a C cast and a correct parser do."""
    if isinstance(x, Fraction):
        exact, x = x, to_double(x)
        if math.isfinite(x) and Fraction(x) != exact:
            # Of the two doubles around it the odd one: no double is then taken for a half that it is not.
            other = math.nextafter(x, INF if Fraction(x) < exact else -INF)
            x = x if struct.unpack("<q", struct.pack("<d", x))[0] & 1 else other
    try:
        return struct.unpack("<f", struct.pack("<f", x))[0]
    except OverflowError:
        return math.copysign(INF, x)


def to_double(x: Fraction | int) -> float:
    """The nearest double, halves to even."""
    try:
        return float(x)
    except OverflowError:
        return INF if x > 0 else -INF


def ceiling(x: Fraction) -> int:
    return -(-x.numerator // x.denominator)


def number(value: Any) -> float:
    """A double of the format."""
    if value in ("inf", "-inf", "nan"):
        return float(value)
    demand(type(value) in (int, float), f"{value!r} is no number")
    return float(value)


def exact(text: Any) -> Fraction:
    """An exact number of the format: `5`, `-5/3` or `3p-1074`."""
    match = re.fullmatch(r"(-?\d{1,5000})(?:/(\d{1,5000})|p(-?\d{1,6}))?", text if isinstance(text, str) else "")
    demand(match and int(match[2] or 1) > 0 and abs(int(match[3] or 0)) <= 100000, f"{text!r} is no exact number")
    return Fraction(int(match[1])) / int(match[2] or 1) * Fraction(2) ** int(match[3] or 0)


def index(value: Any, end: int, what: str) -> int:
    demand(type(value) is int and 0 <= value < end, f"there is no {what} {value!r}")
    return value
