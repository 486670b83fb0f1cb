"""Models: what their libraries compute (docs/formats.md, docs/format.md)."""

from __future__ import annotations

import math
from fractions import Fraction
from types import SimpleNamespace
from typing import Any, NamedTuple

from .errors import demand, INF, Unreadable, within_scope
from .numbers import f32


class Leaf(NamedTuple):
    """A leaf: its number within the tree, from left to right."""

    place: int


class Split(NamedTuple):
    """A split: values that pass the test go left, and so do missing ones and zeros where that is said."""

    feature: int
    test: str
    threshold: Any
    missing_left: bool
    zero_left: bool | None
    left: Any
    right: Any


class Feature(NamedTuple):
    """A column: a category has the rule by which numbers become codes."""

    name: str
    category: str | None = None
    names: Any = None


class Model(SimpleNamespace):
    """A sum of trees, in the terms of docs/format.md.

    `trees` holds pairs: the root, and for each leaf its terms, which are pairs of an output and a value.
    """

    def round(self, x: float) -> float:
        return f32(x) if self.single else x

    def seen(self, raw: float) -> float:
        """The number that splits compare. Rounding and the zero band are monotone, so ranges stay ranges."""
        x = self.round(raw)
        return 0.0 if abs(x) <= self.zero_band else x

    def read(self, place: int, raw: float) -> Any:
        """A raw value as the library reads it: a number, a code, `unknown` or `missing`; no value that it refuses."""
        feature = self.features[place]
        x = self.seen(raw)
        value: Any = x
        if math.isnan(x):
            value = "missing"
        elif feature.category:
            is_code = 0 <= x < 2**24 if feature.category == "xgboost" else -1 < x < 2**31
            value = int(x) if is_code else "unknown"
        demand(value != "missing" or self.accepts_missing, f"{feature.name} cannot be missing")
        demand(self.accepts_infinite or not math.isinf(x), f"{raw} is refused")
        return value

    def leaf_value(self, tree: int, leaf: int, output: int) -> Fraction:
        """The exact number that a leaf adds to a margin."""
        weight = Fraction(self.weights[tree]) if self.weights else 1
        signs = {0: -1, 1: 1} if self.fold_pair else {output: 1}
        terms = self.trees[tree][1][leaf]
        return sum((signs.get(to, 0) * Fraction(value) for to, value in terms), Fraction(0)) * weight * self.factor()

    def factor(self) -> Fraction:
        return Fraction(1 if self.scale is None else self.scale) / Fraction(self.divisor or 1)

    @property
    def is_finished_later(self) -> bool:
        """Whether something is done to the finished sum of terms."""
        return self.divisor is not None or self.scale is not None or self.fold_pair or self.base_last

    def exact_base(self, output: int) -> Fraction:
        base = Fraction(self.base[1]) - Fraction(self.base[0]) if self.fold_pair else Fraction(self.base[output])
        return base if self.base_last else base * self.factor()

    def reached(self, row: list) -> list[int]:
        """The leaf that each tree reaches at a row of readings."""
        leaves = []
        for node, _ in self.trees:
            while isinstance(node, Split):
                goes = sides(self, node, piece_of(row[node.feature]))
                node = node.left if goes[0] else node.right
            leaves.append(node.place)
        return leaves

    def margins(self, leaves: list[int]) -> list[float]:
        """The sums as the library computes them, operation by operation."""
        within_scope(not self.is_finished_later, "labels of sums that are divided, scaled or folded")
        r, sums = f32 if self.sums_single else float, list(self.base)
        for tree, leaf in enumerate(leaves):
            for output, value in self.trees[tree][1][leaf]:
                if self.weights:
                    if self.off_base:
                        value = r(r(value + self.base[output]) - self.base[output])
                    value = r(value * self.weights[tree])
                sums[output] = r(sums[output] + value)
        return sums


def piece_of(reading: Any) -> tuple:
    if reading in ("missing", "unknown"):
        return (reading,)
    return ("category", reading) if isinstance(reading, int) else ("numbers", reading, reading)


def sides(model: Model, split: Split, piece: tuple) -> tuple[bool, bool]:
    """Whether some value of a piece goes left, and whether some value goes right."""
    kind, *ends = piece
    if kind == "missing":
        return split.missing_left, not split.missing_left
    if kind == "unknown" or split.test == "present":
        return split.test == "present", split.test != "present"
    if kind == "category":
        return ends[0] in split.threshold, ends[0] not in split.threshold
    low, high = (model.seen(end) for end in ends)
    passes = (lambda x: x < split.threshold) if split.test == "<" else (lambda x: x <= split.threshold)
    if split.zero_left is None or low > 0 or high < 0:
        return passes(low), not passes(high)
    # Zero goes its own way. Beside it are the numbers below and the numbers above; the tests are monotone.
    least = math.nextafter(model.zero_band, INF) if model.zero_band >= 0 else f32(1e-45) if model.single else 5e-324
    parts = [(low, -least)] * (low < 0) + [(least, high)] * (high > 0)
    left = split.zero_left or any(passes(low) for low, _ in parts)
    return left, not split.zero_left or any(not passes(high) for _, high in parts)


def build(nodes: Any, root: Any = 0) -> tuple:
    """A tree from a function that tells the content of a node: the terms of a leaf, or a split with the numbers of nodes."""
    terms, seen = [], set()

    def node(name: Any) -> Any:
        if name in seen:
            raise Unreadable("a tree has a cycle")
        seen.add(name)
        content = nodes(name)
        if isinstance(content, Split):
            if content.feature < 0:
                raise Unreadable("a feature is out of range")
            return content._replace(left=node(content.left), right=node(content.right))
        terms.append(tuple(content))
        return Leaf(len(terms) - 1)

    return node(root), terms


PLAIN = {
    "weights": None, "off_base": False, "divisor": None, "scale": None, "fold_pair": False, "base_last": False,
    "zero_band": -1.0, "fixed_order": True, "accepts_missing": True, "accepts_infinite": True,
}  # fmt: skip
