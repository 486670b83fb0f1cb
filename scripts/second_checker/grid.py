"""The grid: cells that leave out no value."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from .errors import demand, INF, within_scope
from .models import Leaf, sides
from .numbers import index, number
from .proof_file import fields, variant
from .statement import Domain, Statement


class Axis(NamedTuple):
    """The cells of a feature at some inputs; a feature without an axis is one cell with all of its values."""

    inputs: tuple
    feature: int
    ordered: int
    cells: list

    def full(self) -> int:
        return (1 << len(self.cells)) - 1


class Grid:
    """The axes of the header, and after them those of features without one."""

    def __init__(self, header: Any, statement: Statement) -> None:
        self.statement, self.axes, self.axis_of = statement, [], {}
        for value in header.axes:
            self.add(self.read_axis(value))
        self.count = len(self.axes)
        for feature, tie in enumerate(statement.ties):
            both = tie == "same" and len(statement.inputs) == 2
            both = both and not {(0, feature), (1, feature)} & set(self.axis_of)
            for inputs in [(0, 1)] if both else [(place,) for place in range(len(statement.inputs))]:
                if (inputs[0], feature) not in self.axis_of:
                    self.add(Axis(inputs, feature, 0, [self.domain(inputs, feature).pieces()]))
        self.leaves: dict = {}

    def domain(self, inputs: tuple, feature: int) -> Domain:
        domains = [self.statement.inputs[place][feature] for place in inputs]
        return domains[0].both(domains[-1]) if len(domains) == 2 else domains[0]

    def add(self, axis: Axis) -> None:
        for place in axis.inputs:
            demand((place, axis.feature) not in self.axis_of, "a feature has two axes")
            self.axis_of[place, axis.feature] = len(self.axes)
        self.axes.append(axis)

    def read_axis(self, value: Any) -> Axis:
        raw = fields(value, "an axis", "inputs features ordered cells")
        within_scope(len(raw.features) == 1, "an axis of a group")
        feature = index(raw.features[0], len(self.statement.readers), "feature")
        inputs = tuple(index(place, len(self.statement.inputs), "input") for place in raw.inputs)
        same = self.statement.ties[feature] == "same"
        demand(len(inputs) == 1 or (same and inputs == (0, 1)), "an axis is for other inputs")
        cells = [[self.read_piece(piece) for piece in cell] for cell in raw.cells]
        axis = Axis(inputs, feature, index(raw.ordered, len(cells) + 1, "cell"), cells)
        ends = [end for cell in cells[: axis.ordered] for piece in cell for end in piece[1:]]
        kinds = {piece[0] for cell in cells[: axis.ordered] for piece in cell}
        demand(kinds <= {"numbers"}, "an ordered cell holds other things than numbers")
        demand(all(cells[: axis.ordered]) and ends == sorted(ends), "the ordered cells do not ascend")
        self.check_cover(axis)
        domain = self.domain(inputs, feature)
        return axis._replace(cells=[[part for piece in cell for part in domain.within(piece)] for cell in cells])

    @staticmethod
    def read_piece(value: Any) -> tuple:
        kind, content = variant(value, "a piece of a cell")
        within_scope(kind != "column", "columns of a group")
        demand(kind in ("numbers", "category", "unknown", "missing"), f"there is no piece {kind}")
        if kind == "numbers":
            low, high = map(number, content)
            demand(low <= high, "a piece is empty")
            return kind, low, high
        return (kind, index(content, 1 << 32, "category")) if kind == "category" else (kind,)

    def check_cover(self, axis: Axis) -> None:
        """Every value that the domains allow must be in some cell: else what the log says of all cells would say nothing of it."""
        domain, pieces = self.domain(axis.inputs, axis.feature), [piece for cell in axis.cells for piece in cell]
        numbers = sorted(piece[1:] for piece in pieces if piece[0] == "numbers")
        demand(all(a[1] < b[0] for a, b in zip(numbers, numbers[1:])), "a number is in two pieces")
        demand(not numbers or domain.ranges is not None, "an axis of categories has numbers")
        others = [piece for piece in domain.pieces() if piece[0] != "numbers"]
        demand(all(piece in pieces for piece in others), f"the grid leaves out a value of {self.statement.names[axis.feature]}")
        low, gaps = -INF, []
        for start, end in numbers:
            gaps += [(low, math.nextafter(start, -INF))] * (start > low)
            low = math.nextafter(end, INF)
        gaps += [(low, INF)] * (not numbers or numbers[-1][1] < INF)
        inside = [(max(a, c), min(b, d)) for a, b in gaps for c, d in domain.ranges or ()]
        demand(not any(domain.has_number(*gap) for gap in inside), f"the grid leaves out a number of {self.statement.names[axis.feature]}")

    def boxes(self, model: int, tree: int, place: int) -> list[tuple[dict, int]]:
        """The leaves of a tree that some cells reach: the cells on each axis, and the number of the leaf."""
        key = model, tree, place
        if key not in self.leaves:
            self.leaves[key] = []
            self.walk(key, self.statement.models[model].trees[tree][0], {})
        return self.leaves[key]

    def walk(self, key: tuple, node: Any, box: dict) -> None:
        if isinstance(node, Leaf):
            self.leaves[key].append((box, node.place))
            return
        model = self.statement.models[key[0]]
        which = self.axis_of[key[2], self.statement.place_of[key[0]][node.feature]]
        cells, goes = self.axes[which].cells, [0, 0]
        for cell, pieces in enumerate(cells):
            for side in (0, 1):
                goes[side] |= (any(sides(model, node, piece)[side] for piece in pieces) or which >= self.count and not pieces) << cell
        for side, child in enumerate((node.left, node.right)):
            kept = box.get(which, self.axes[which].full()) & goes[side]
            if kept:
                self.walk(key, child, box | {which: kept})

    def shape(self, model: int, node: Any, place: int) -> Any:
        """Equal for the same tree at two inputs that agree, and for trees of two models with equal splits."""
        if isinstance(node, Leaf):
            return node
        feature = self.statement.place_of[model][node.feature]
        key = feature if self.statement.ties[feature] == "same" and len(self.statement.inputs) == 2 else (feature, place)
        rules, left, right = self.statement.models[model], *(self.shape(model, child, place) for child in (node.left, node.right))
        return node._replace(feature=key, left=left, right=right), rules.single, rules.zero_band
