"""Ledgers: of these, only the distance."""

from __future__ import annotations

from fractions import Fraction

from .bundles import bits
from .errors import demand, INF, MAX_UNITS, within_scope
from .grid import Axis, Grid


class Ledger:
    """The cost of each cell: the distance of its nearest value in units of 2^e, rounded down; for L∞ its place among all."""

    def __init__(self, grid: Grid, exponent: int) -> None:
        within_scope(grid.statement.near.radius is not None, "a distance without a radius")
        demand(type(exponent) is int and abs(exponent) < 5000, "the exponent of a ledger")
        self.distance, self.grid = grid.statement.near, grid
        near, self.unit = self.distance, Fraction(2) ** exponent

        def nearest(axis: Axis) -> list:
            return [min((near.cost(axis.feature, piece) for piece in cell), default=INF) for cell in axis.cells]

        self.fixed = near.together([min(nearest(axis), default=INF) for axis in grid.axes[grid.count :]])
        demand(self.fixed < INF, "a feature without an axis cannot be reached")
        exact, beyond = [nearest(axis) for axis in grid.axes[: grid.count]], MAX_UNITS // (grid.count + 1)
        if near.norm == "linf":
            self.places = sorted({max(cost, self.fixed) for costs in exact for cost in costs} - {INF})
            place = {cost: place for place, cost in enumerate(self.places)}
            self.costs = [[place.get(max(cost, self.fixed), beyond) for cost in costs] for costs in exact]
            return
        self.costs = [[beyond if cost == INF else int(cost // self.unit) for cost in costs] for costs in exact]
        low, high = 0, MAX_UNITS
        while low < high:
            middle = (low + high + 1) // 2
            fits = sum(min(max(costs, default=0), middle) for costs in self.costs) <= MAX_UNITS
            low, high = (middle, high) if fits else (low, middle - 1)
        self.costs = [[min(cost, low) for cost in costs] for costs in self.costs]
        # No input of a cell that alone is too far away matters: such cells may cost as much as is needed to see it.
        for costs, sizes in zip(self.costs, exact):
            for cell, size in enumerate(sizes):
                if size + self.fixed > near.power(near.radius):
                    costs[cell] = max(int((near.power(near.radius) - self.fixed) // self.unit), -1) + 1

    def least(self, boxes: list, axis: int | None = None, cells: int = 0) -> int:
        """The least cost of a point of a region, perhaps with an axis confined to some cells."""
        kept = [cells if place == axis else boxes[place] for place in range(self.grid.count)]
        least = [min(costs[cell] for cell in bits(box)) for costs, box in zip(self.costs, kept)]
        return max(least, default=0) if self.distance.norm == "linf" else sum(least)

    def floors(self, boxes: list) -> list[int]:
        """The least cost of each axis in a region."""
        return [min((costs[cell] for cell in bits(box)), default=0) for costs, box in zip(self.costs, boxes)]

    def real(self, cost: int) -> Fraction | float:
        """The power of the distance that a cost stands for."""
        if self.distance.norm == "linf":
            return self.places[cost] if cost < len(self.places) else INF if self.places else self.fixed
        return cost * self.unit + self.fixed
