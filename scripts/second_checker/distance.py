"""Distances, from a row or between two inputs."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, TYPE_CHECKING

from .errors import demand, INF, within_scope
from .models import piece_of
from .numbers import number
from .proof_file import fields

if TYPE_CHECKING:
    from .statement import Statement


class Distance:
    """The distance of an input from the reference; costs are powers of it (squares for L2) that add up (but for L∞)."""

    def __init__(self, value: Any, reference: Any, statement: Statement) -> None:
        raw = fields(
            value, "the distance", "norm factors missing_costs", number_factors=None, category_cost=None, radius=None
        )
        within_scope(len(statement.inputs) == 1, "a distance between two inputs")
        within_scope(raw.number_factors is None, "factors of their own for changes of numbers")
        count = len(statement.readers)
        demand(raw.norm in ("linf", "l2", "l1", "l0"), f"there is no norm {raw.norm}")
        demand(len(raw.factors) == len(raw.missing_costs) == len(reference or []) == count, "the distance does not fit")
        self.norm = raw.norm
        self.factors = [self.size(factor) for factor in raw.factors]
        self.missing_costs = [None if cost is None else self.size(cost) for cost in raw.missing_costs]
        self.category_cost = None if raw.category_cost is None else self.size(raw.category_cost)
        self.radius = None if raw.radius is None else self.size(raw.radius)
        self.reference = []
        for (model, which), raw_value in zip((readers[0] for readers in statement.readers), map(number, reference)):
            reading = statement.models[model].read(which, raw_value)
            self.reference.append(("numbers", raw_value, raw_value) if isinstance(reading, float) else piece_of(reading))

    @staticmethod
    def size(value: Any) -> Fraction:
        demand(math.isfinite(number(value)) and number(value) >= 0, f"{value} is no size")
        return Fraction(number(value))

    def power(self, size: Fraction) -> Fraction:
        return size * size if self.norm == "l2" else size

    def cost(self, feature: int, piece: tuple) -> Fraction | float:
        """The cost of the nearest value of a piece."""
        (kind, *ends), (origin, *at), factor = piece, self.reference[feature], self.factors[feature]
        if kind == origin == "numbers":
            near = min(max(at[0], ends[0]), ends[1])
            changed, is_far = near != at[0], math.isinf(near) or math.isinf(at[0])
            size = (INF if factor else 0) if changed and is_far else abs(Fraction(near) - Fraction(at[0])) if changed else 0
        else:
            changed = kind != origin or ends != at
            cost = self.missing_costs[feature] if "missing" in (kind, origin) else self.category_cost
            size = 0 if not changed else INF if cost is None else cost
        if self.norm == "l0" and size < INF:
            size = Fraction(changed)
        return INF if size == INF else self.power(size * factor)

    def together(self, costs: list) -> Fraction | float:
        return max(costs, default=Fraction(0)) if self.norm == "linf" else sum(costs, Fraction(0))
