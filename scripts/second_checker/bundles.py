"""Values: bundles of trees, and channels."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from .errors import demand, MAX_UNITS, within_scope
from .grid import Grid
from .numbers import ceiling, index
from .proof_file import fields, variant


class Bundle(NamedTuple):
    """What is evaluated as one tree: the values of its leaves in units with their boxes, the largest first."""

    leaves: list
    least: int

    @staticmethod
    def of(leaves: list) -> "Bundle":
        demand(all(abs(value) < MAX_UNITS for value, _ in leaves), "a number is 2^60 units or more")
        return Bundle(sorted(leaves, key=lambda leaf: -leaf[0]), min((value for value, _ in leaves), default=0))

    def best(self, boxes: list) -> int:
        """The largest value that a region reaches."""
        return next((value for value, box in self.leaves if reaches(boxes, box)), self.least)

    def best_by_cell(self, boxes: list, axis: int) -> dict[int, int]:
        """The same with the axis confined to each of its cells. A cell without leaves holds no input; it has the least value."""
        left, best = boxes[axis], {}
        for value, box in self.leaves:
            if left and reaches(boxes, box):
                found = box.get(axis, left) & left
                best |= dict.fromkeys(bits(found), value)
                left &= ~found
        return best | dict.fromkeys(bits(left), self.least)


def reaches(boxes: list, box: dict) -> bool:
    return all(boxes[axis] & cells for axis, cells in box.items())


def bits(cells: int) -> list[int]:
    return [place for place in range(cells.bit_length()) if cells >> place & 1]


class Channel:
    """A sum of a case: a base and bundles, in units, no less than the real sum."""

    def __init__(self, grid: Grid, total: tuple, bundles: Any, unit: Fraction, offset: Fraction, ledger: Any) -> None:
        (terms, constant), models = total, grid.statement.models
        self.grid, self.bundles, self.left = grid, [], {}
        for model, place, output, negated in terms:
            constant += models[model].exact_base(output) * (-1 if negated else 1)
            for tree in range(len(models[model].trees)):
                self.left.setdefault((model, tree, place), []).append((output, -1 if negated else 1))
        base = ceiling((constant - offset) / unit)
        for raw in bundles:
            kind, content = variant(raw, "a bundle")
            if kind == "in_order":
                self.bundles.append(in_order(grid, index(content, len(grid.statement.readers), "feature")))
                continue
            within_scope(kind != "missed", "bundles of what the library's own sums miss")
            demand(kind == "trees" and 1 <= len(content) <= 4, "a bundle has one to four trees")
            trees = [fields(tree, "a tree of a bundle", "model tree input") for tree in content]
            keys = [(tree.model, tree.tree, tree.input) for tree in trees]
            demand(len(set(keys)) == len(keys) and set(keys) <= set(self.left), "a tree is in two bundles, or is none of the sum")
            self.bundles.append(Bundle.of([(ceiling(value / unit), box) for value, box in self.joined(keys)]))
            for key in keys:
                del self.left[key]
        # The rest one by one, or in the base if they are constant; a tree that is left at both inputs together.
        rest: list = []
        for model, tree in sorted({key[:2] for key in self.left}):
            keys = [key for key in ((model, tree, 0), (model, tree, 1)) if key in self.left]
            units = {ceiling(value / unit) for value, _ in self.joined(keys)}
            if len(units) == 1:
                base += units.pop()
            elif units:
                rest += [Bundle.of([(ceiling(value / unit), box) for value, box in self.joined([key])]) for key in keys]
        self.bundles += rest
        self.least = sum(bundle.least for bundle in self.bundles)
        self.is_too_large = base >= MAX_UNITS
        if ledger:
            # 0 then stands for 0: an input reaches the goal only if every channel of a case is at least 0.
            zero = ceiling(-offset / unit)
            base = -self.least if zero <= -MAX_UNITS else base - min(zero, MAX_UNITS - 1)
        self.base, self.least = base, self.least + base

    def joined(self, keys: list) -> list[tuple[Fraction, dict]]:
        """The combinations of leaves of some trees that can be reached together: what they add exactly, and their boxes."""
        same: dict = {}
        for key in keys:
            # Trees that always reach the same leaf are one tree.
            same.setdefault(self.grid.shape(key[0], self.grid.statement.models[key[0]].trees[key[1]][0], key[2]), []).append(key)
        combined: list = [(Fraction(0), {})]
        for equal in same.values():
            boxes = self.grid.boxes(*equal[0])
            added = [sum((self.adds(key, leaf) for key in equal), Fraction(0)) for _, leaf in boxes]
            combined = [
                (value + more, box | {axis: box.get(axis, cells) & cells for axis, cells in other.items()})
                for value, box in combined
                for more, (other, _) in zip(added, boxes)
                if all(box.get(axis, cells) & cells for axis, cells in other.items())
            ]
            demand(len(combined) <= 1 << 18, "the trees of a bundle have too many combinations of leaves")
        return combined

    def adds(self, key: tuple, leaf: int) -> Fraction:
        model = self.grid.statement.models[key[0]]
        return sum((model.leaf_value(key[1], leaf, output) * sign for output, sign in self.left[key]), Fraction(0))


def in_order(grid: Grid, feature: int) -> Bundle:
    """0 where the second input can be at least the first, and hopeless elsewhere: there is no input."""
    demand(grid.statement.ties[feature] == "not_below", "a feature is not tied as `not_below`")
    first, second = (grid.axis_of[place, feature] for place in (0, 1))
    leaves = []
    for cell, pieces in enumerate(grid.axes[first].cells):
        above = sum(can_follow(pieces, other) << place for place, other in enumerate(grid.axes[second].cells))
        for value, cells in ((0, above), (-2 * MAX_UNITS, grid.axes[second].full() & ~above)):
            if cells:
                leaves.append((value, {first: 1 << cell, second: cells}))
    return Bundle(sorted(leaves, key=lambda leaf: -leaf[0]), 0)


def can_follow(first: list, second: list) -> bool:
    """Whether some value of the second cell is not below some value of the first, or both may be missing."""
    lows, highs = [p[1] for p in first if p[0] == "numbers"], [p[2] for p in second if p[0] == "numbers"]
    return bool(lows and highs and min(lows) <= max(highs)) or (("missing",) in first and ("missing",) in second)
