"""Decision bands: from margins to labels (docs/proofs.md, "Goals")."""

from __future__ import annotations

import math
import struct
import sys
from fractions import Fraction
from typing import Any

from .errors import demand, INF, MAX_SINGLE, within_scope
from .loaders import LIBM
from .models import Model
from .numbers import f32


def outputs_of(link: tuple, margins: list[float]) -> list[float]:
    """The outputs of the library, in its own arithmetic, with the C library's functions where it uses them."""
    kind, *rest = link
    if kind == "averaged":
        return outputs_of(rest[1], [m / rest[0] for m in margins])
    if kind in ("softmax", "softmax_xgboost"):
        r, exp = (float, power) if kind == "softmax" else (f32, LIBM.expf)
        powers = [exp(r(r(m) - r(max(margins)))) for m in margins]
        total = 0.0
        for part in powers:
            total += part
        return [r(part / r(total)) for part in powers]
    if kind == "class_index":
        return [float(margins.index(max(margins)))]
    each = {
        "identity": lambda m: m,
        "logistic": lambda m: 1 / (1 + power(-rest[0] * m)),
        "logistic_xgboost": lambda m: f32(1 / f32(f32(LIBM.expf(min(-f32(m), f32(88.7))) + 1) + f32(1e-16))),
        "hinge": lambda m: float(m > 0),
    }
    within_scope(kind in each, f"labels by the link {kind}")
    return [each[kind](m) for m in margins]


def power(x: float) -> float:
    try:
        return math.exp(x)
    except OverflowError:
        return INF


def chosen(rule: tuple, margins: list[float], outputs: list[float]) -> int:
    """The class that a label rule chooses."""
    kind, *rest = rule
    rules = {
        "margin_above": lambda: int(margins[0] > rest[0]),
        "margin_at_least": lambda: int(margins[0] >= rest[0]),
        "output_above": lambda: int(outputs[0] > rest[0]),
        "output_above_complement": lambda: int(outputs[0] > 1 - outputs[0]),
        "largest_margin": lambda: margins.index(max(margins)),
        "largest_output": lambda: outputs.index(max(outputs)),
    }
    within_scope(kind in rules, f"the label rule {kind}")
    return rules[kind]()


class Labels:
    """Conditions on exact margins that are necessary for a label, whatever the rounding errors of the library."""

    def __init__(self, model: Model, threshold: float | None) -> None:
        self.model, count = model, len(model.base)
        self.rule = model.label if threshold is None else ("output_above", threshold)
        largest = self.rule[0] in ("largest_margin", "largest_output")
        demand(self.rule[0] and (largest or count == 1), "the model has no such labels")
        errors = [sum_error(model, output) for output in range(count)]
        demand(max(errors) < INF, "sums may overflow")
        link, scale = model.link, 1.0
        while link[0] == "averaged":
            link, scale = link[2], scale * abs(link[1])
        self.error, self.widths = 64 * link_unit(link), None
        if largest:
            # The largest margin has the power 1: another output can only tie with it if its power rounds to nearly 1.
            ties = {"softmax": 4 * self.error * max(scale, 1.0), "softmax_xgboost": 4 * self.error * max(scale, 1.0)}
            if scale == 1.0:
                ties["identity"] = 0.0
            demand(self.rule[0] == "largest_margin" or link[0] in ties, "outputs may tie where margins differ")
            tie = Fraction(ties[link[0]] if self.rule[0] == "largest_output" else 0)
            self.widths = [[Fraction(a) + Fraction(b) + tie for b in errors] for a in errors]
        else:
            ends = -MAX_SINGLE, MAX_SINGLE
            demand(self.surely(0, ends[0]) and self.surely(1, ends[1]), "one margin gives all inputs the same label")
            first = between(*ends, lambda m: self.surely(0, m))[0]
            second = between(*ends, lambda m: not self.surely(1, m))[1]
            self.second_above = Fraction(first) - Fraction(errors[0])
            self.first_below = Fraction(second) + Fraction(errors[0])
        self.classes = range(count if self.widths else 2)

    def surely(self, label: int, margin: float) -> bool:
        """True if the rule chooses a class for a margin even if the link has an error of 64 units."""
        outputs = outputs_of(self.model.link, [margin])
        errors = (-self.error, 0.0, self.error)
        return all(chosen(self.rule, [margin], [x * (1 + error) for x in outputs]) == label for error in errors)

    def possible(self, label: int) -> list:
        """Sums, as pairs of terms and constant, all of which are at least 0 where the library may choose a class."""
        if self.widths:
            return [self.beats(label, other) for other in self.classes if other != label]
        return [([(0, False)], -self.second_above)] if label else [([(0, True)], self.first_below)]

    def beats(self, label: int, other: int) -> tuple:
        return [(label, False), (other, True)], self.widths[label][other]

    def beating(self, label: int) -> list:
        """Cases that cover all inputs with another label."""
        others = [other for other in self.classes if other != label]
        return [[self.beats(other, label)] if self.widths else self.possible(other) for other in others]

    def of(self, leaves: list[int]) -> int:
        """The library's own label."""
        margins = self.model.margins(leaves)
        demand(all(map(math.isfinite, margins)), "a sum of the library is not finite")
        return chosen(self.rule, margins, outputs_of(self.model.link, margins))


def between(low: float, high: float, holds: Any) -> tuple[float, float]:
    """Bisection to two neighbouring doubles: the predicate holds for the first and not for the second."""

    def place(x: float) -> int:
        bits = struct.unpack("<q", struct.pack("<d", abs(x)))[0]
        return -bits if x < 0 else bits

    def at(place: int) -> float:
        return math.copysign(struct.unpack("<d", struct.pack("<q", abs(place)))[0], place)

    first, second = place(low), place(high)
    while second - first > 1:
        middle = (first + second) // 2
        first, second = (middle, second) if holds(at(middle)) else (first, middle)
    return at(first), at(second)


def sum_error(model: Model, output: int) -> float:
    """A bound on the distance of the library's sum from the exact one, at any input."""
    within_scope(not model.is_finished_later, "labels of sums that are divided, scaled or folded")
    unit, least, top = (2.0**-24, 2.0**-149, MAX_SINGLE) if model.sums_single else (2.0**-53, 5e-324, sys.float_info.max)
    tiny, terms, magnitude = 8 * least, 0, 0.0
    for tree, (_, leaves) in enumerate(model.trees):
        values = [[abs(value) for to, value in leaf if to == output] for leaf in leaves]
        terms += max(map(len, values))
        magnitude += max(map(sum, values)) * (abs(model.weights[tree]) if model.weights else 1.0)
    magnitude *= 1 + 1e-6
    base, roundings, absolute = abs(model.base[output]), terms + 1.0, terms * tiny
    if model.weights:
        roundings, absolute = roundings + 1, absolute + terms * tiny
        if model.off_base:
            heaviest = max(map(abs, model.weights))
            absolute += 4 * unit * (terms * base * heaviest + magnitude) + 2 * terms * tiny * heaviest
    reach = magnitude + absolute + base
    if roundings * unit >= 0.5 or (link_unit(model.link) > 2.0**-53 and base + magnitude > MAX_SINGLE / 4):
        return INF
    growth = roundings * unit / (1 - roundings * unit)
    error = reach * growth + absolute
    return error * (1 + 1e-12) + 5e-324 if reach * (1 + growth) + error <= top else INF


def link_unit(link: tuple) -> float:
    """The unit roundoff of the type in which a link computes."""
    return link_unit(link[2]) if link[0] == "averaged" else 2.0**-53 if link[0] in ("logistic", "softmax", "identity") else 2.0**-24
