"""The log: regions, and why nothing in them exceeds the claim."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

from .bundles import bits, can_follow, Channel, reaches
from .errors import demand, INF, OutOfScope, within_scope, Wrong
from .grid import Grid
from .ledger import Ledger
from .numbers import ceiling, index
from .proof_file import variant


class Bytes:
    """The bytes of a log."""

    def __init__(self, content: bytes) -> None:
        self.content, self.place = content, 0

    def take(self, count: int) -> int:
        """So many bytes as a number, the lowest first."""
        part = self.content[self.place : self.place + count]
        demand(len(part) == count, "the log is cut off")
        self.place += count
        return int.from_bytes(part, "little")

    def number(self) -> int:
        value = shift = 0
        while True:
            byte = self.take(1)
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                demand(value < 1 << 64, "a number of the log is too long")
                return value

    def signed(self) -> int:
        value = self.number()
        return value >> 1 ^ -(value & 1)


class Weighed:
    """A channel with weights: what a point loses of the plain bound for each cell of each axis, in units of 2^-16."""

    def __init__(self, log: "Log", case: int, boxes: list) -> None:
        source, self.ledger, self.leaves_of = log.bytes, log.ledger, None
        self.place = index(source.number(), len(log.cases[case]), "channel")
        self.channel: Channel = log.cases[case][self.place]
        bundles = self.channel.bundles
        best = [bundle.best(boxes) for bundle in bundles]
        self.plain, self.losses = self.channel.base + sum(best), {}
        for axis, bundle, units in log.shares(self.channel, by_axis=False):
            own = self.losses.setdefault(axis, {})
            for cell, value in bundles[bundle].best_by_cell(boxes, axis).items():
                own[cell] = own.get(cell, 0) + units * (best[bundle] - value)
        which = source.number()
        self.price = log.read_price(which - 1) if which else Fraction(0)
        self.floors = self.ledger.floors(boxes) if which else []
        self.near = source.number() - 1
        demand(self.near < 0 or (log.ledger and log.ledger.distance.norm == "linf"), "only a distance in L∞ is widened")

    def payment(self, axis: int, cell: int) -> int:
        # Capped: a payment that counts less than it is worth proves less.
        return min(int(self.price * (self.ledger.costs[axis][cell] - self.floors[axis])), 1 << 100)

    def bound(self, by_leaves: bool, boxes: list, axis: int | None = None, cells: int = 0) -> float:
        """The bound of the region, with an axis confined to some cells if that is said."""
        confined = [cells if place == axis else box for place, box in enumerate(boxes)]
        if not all(confined):
            return -INF
        value = self.plain
        if by_leaves and axis is not None:
            # No point of a cell has more than the best leaves that the cell reaches.
            self.leaves_of = self.leaves_of or boxes
            tables = [bundle.best_by_cell(self.leaves_of, axis) for bundle in self.channel.bundles]
            value = max(self.channel.base + sum(table[cell] for table in tables) for cell in bits(cells))
        if not by_leaves:
            # On each axis, every point loses at least what the cell loses that loses least.
            loss = sum(min(own[cell] for cell in bits(confined[place])) for place, own in self.losses.items())
            value = ((self.plain << 16) - loss) >> 16
        if value < (max(self.channel.least, 0) if self.ledger else self.channel.least):
            # There is no input; or none that reaches the goal, if the bound is of a distance.
            return -INF
        if not self.ledger:
            return value
        least = self.ledger.least(boxes)
        if self.price and not by_leaves:
            # Losses and payments beyond the plain bound were paid: the price tells the distance that is worth that.
            def worth(place: int, cell: int) -> int:
                return self.losses.get(place, {}).get(cell, 0) + self.payment(place, cell)

            axes = range(len(self.floors))
            paid = [min(worth(place, cell) for cell in bits(confined[place])) for place in axes]
            excess = sum(paid) - (self.plain << 16)
            least = max(least, sum(self.floors) + ceiling(excess / self.price) if excess > 0 else 0)
        if self.near >= 0 and not by_leaves:
            # If no point with only nearer cells reaches the goal, some cell costs as much as is said.
            near = [[cell for cell in bits(box) if costs[cell] < self.near] for box, costs in zip(confined, self.ledger.costs)]
            losses = [min(own[cell] for cell in near[place]) for place, own in self.losses.items() if near[place]]
            if not all(near) or (self.plain << 16) < sum(losses):
                least = max(least, self.near)
        return -least


class Log:
    """The regions of a log, depth first: each a case, a box and a bound. What is pruned leaves its largest bound."""

    def __init__(self, content: bytes, grid: Grid, cases: list, ledger: Ledger | None, claim: tuple) -> None:
        self.bytes, self.grid, self.cases, self.ledger, self.claim = Bytes(content), grid, cases, ledger, claim
        self.pruned, self.steps = -INF, 0
        full = [axis.full() for axis in grid.axes]
        self.open = [(case, list(full), INF) for case in reversed(range(len(cases)))]
        while self.bytes.place < len(content):
            demand(self.open, "the log goes on after its last region")
            self.record(*self.open.pop())
            self.steps += 1
        self.number = max([self.pruned, *(bound for *_, bound in self.open)])

    def shares(self, channel: Channel, by_axis: bool) -> list[tuple[int, int, int]]:
        """Axis, bundle and weight, in units of 2^-16; those of a bundle (of an axis, for tolls) sum to at most 1."""
        bundle, shares, spent = 0, [], Counter()
        for _ in range(self.bytes.number()):
            code = self.bytes.number()
            axis = index(code // 4, self.grid.count, "axis")
            bundle = index(bundle + (code % 4 if code % 4 < 3 else 3 + self.bytes.number()), len(channel.bundles), "bundle")
            shares.append((axis, bundle, self.bytes.take(2) + 1))
            spent[axis if by_axis else bundle] += shares[-1][2]
        demand(all(units <= 1 << 16 for units in spent.values()), "weights sum to more than 1")
        return shares

    def read_price(self, ledger: int) -> Fraction:
        demand(ledger == 0 and self.ledger, "there is no such ledger")
        demand(self.ledger.distance.norm != "linf", "costs that are no sums have no price")
        mantissa, exponent = self.bytes.number(), self.bytes.signed()
        # Any price is right: one that is too extreme to compute with is replaced.
        return mantissa * Fraction(2) ** max(-5000, min(exponent, 5000))

    def tolled(self, case: int, boxes: list) -> float:
        """The bound of a region by tolls: each leaf pays for the cheapest cells that lead to it."""
        channel = self.cases[case][index(self.bytes.number(), len(self.cases[case]), "channel")]
        shares: dict[int, list] = {}
        for axis, bundle, units in self.shares(channel, by_axis=True):
            shares.setdefault(bundle, []).append((axis, units))
        price = self.read_price(self.bytes.number())
        if not all(boxes):
            return -INF
        floors, value = self.ledger.floors(boxes), channel.base
        for place, bundle in enumerate(channel.bundles):
            after = []
            for own, box in bundle.leaves:
                if reaches(boxes, box):
                    toll = 0
                    for axis, units in shares.get(place, []):
                        cells = bits(box.get(axis, -1) & boxes[axis])
                        toll += units * (min(self.ledger.costs[axis][cell] for cell in cells) - floors[axis])
                    after.append(own - int(price * toll))
            value += max(after, default=bundle.least)
        # The value is at least 0 where the goal is reached: what is below 0 was paid beyond the least cost.
        least = self.ledger.least(boxes)
        if value >= 0:
            return -least
        return -(least + ceiling(Fraction(-value) / (price * (1 << 16)))) if price else -INF

    def prune(self, boxes: list, bound: float) -> None:
        if all(boxes):
            self.pruned = max(self.pruned, bound)

    def record(self, case: int, boxes: list, bound: float) -> None:
        demand(not any(channel.is_too_large for channel in self.cases[case]), "a base is 2^60 units or more")
        weighed: dict[int, Weighed] = {}
        while True:
            kind = self.bytes.number()
            if kind == 0:
                note = Weighed(self, case, boxes)
                weighed[note.place] = note
                bound = min(bound, note.bound(False, boxes))
            elif kind == 1:
                bound = min(bound, self.tolled(case, boxes))
            elif kind == 2:
                axis = index(self.bytes.number(), self.grid.count, "axis")
                low = self.bytes.number()
                kept = self.cells(axis, low, low + self.bytes.number(), self.special(axis))
                away = boxes[axis] & ~kept
                rest = boxes[:axis] + [away] + boxes[axis + 1 :]
                self.prune(rest, min(bound, self.reason(weighed, boxes, axis, away)))
                boxes = boxes[:axis] + [boxes[axis] & kept] + boxes[axis + 1 :]
            elif kind == 3:
                self.prune(boxes, min(bound, self.reason(weighed, boxes, None, 0)))
                return
            elif kind == 4:
                self.cut(case, boxes, bound, weighed)
                return
            else:
                within_scope(kind != 5, "refutations")
                raise Wrong(f"there is no note of kind {kind}")

    def special(self, axis: int) -> int:
        count = len(self.grid.axes[axis].cells) - self.grid.axes[axis].ordered
        return self.bytes.take((count + 63) // 64 * 8) & (1 << count) - 1

    def cells(self, axis: int, low: int, high: int, special: int) -> int:
        """The ordered cells from one to before another, and special cells."""
        ordered = self.grid.axes[axis].ordered
        return (1 << min(high, ordered)) - (1 << min(low, ordered)) | special << ordered

    def cut(self, case: int, boxes: list, bound: float, weighed: dict) -> None:
        open_parts, channel = self.bytes.number(), self.bytes.number()
        axis = index(self.bytes.number(), self.grid.count, "axis")
        ordered, count, place = self.grid.axes[axis].ordered, len(self.grid.axes[axis].cells), self.bytes.number()
        every_special = (1 << count - ordered) - 1
        if place == 0:
            first = self.cells(axis, 0, ordered, 0)
        elif place == 1:
            end = self.bytes.number()
            first = self.cells(axis, 0, end, self.special(axis))
        elif place % 2 == 0:
            first = self.cells(axis, 0, place // 2 - 1, every_special)
        else:
            first = 1 << min(ordered + place // 2 - 1, count)
        for part, cells in reversed([(0, boxes[axis] & first), (1, boxes[axis] & ~first)]):
            own = bound
            if channel:
                own = min(bound, self.bound_of(weighed, (channel - 1) // 2, channel % 2 == 0, boxes, axis, cells))
            region = (case, boxes[:axis] + [cells] + boxes[axis + 1 :], own)
            if open_parts >> part & 1:
                self.open.append(region)
            else:
                self.prune(region[1], own)

    @staticmethod
    def bound_of(weighed: dict, channel: int, *region: Any) -> float:
        demand(channel in weighed, "a channel was not weighed in this record")
        return weighed[channel].bound(*region)

    def reason(self, weighed: dict, boxes: list, axis: int | None, cells: int) -> float:
        """A bound on what is discarded: the region, or its points with some cells of an axis."""
        kind = self.bytes.number()
        confined = [cells if place == axis else box for place, box in enumerate(boxes)]
        which = self.bytes.number() if kind in (2, 3, 4, 5, 6) else 0
        demand(kind <= 6, f"there is no reason {kind}")
        if not all(confined):
            return INF
        demand(axis is None or kind > 1, "cells are removed without a reason")
        demand(axis is not None or kind not in (4, 5), "a region is closed by a channel")
        if kind == 0:
            return INF
        if kind in (4, 5):
            return self.bound_of(weighed, which, kind == 5, boxes, axis, cells)
        if kind == 1:
            return -INF if self.excluded(confined) else INF
        if kind == 2:
            demand(self.ledger and which == 0, "there is no such ledger")
            return -self.ledger.least(confined) if all(confined) else -INF
        if kind == 3:
            alone = [[1 << cell if place == axis else box for place, box in enumerate(boxes)] for cell in bits(cells)]
            demand(self.excluded(confined) or (axis is not None and all(map(self.excluded, alone))), "conditions exclude less")
            return -INF
        raise OutOfScope("listed regions")

    def excluded(self, boxes: list) -> bool:
        """Whether conditions, ties or the limit of the distance leave nothing of a box."""
        statement, axes = self.grid.statement, self.grid.axes
        boxes = list(boxes)
        for _ in range(16):
            before = list(boxes)
            for place, feature, domain in statement.conditions:
                axis = self.grid.axis_of[place, feature]
                boxes[axis] &= sum(any(map(domain.meets, cell)) << at for at, cell in enumerate(axes[axis].cells))
            for feature in [feature for feature, tie in enumerate(statement.ties) if tie == "not_below"]:
                first, second = (self.grid.axis_of[place, feature] for place in (0, 1))
                pairs = [(a, b) for a in bits(boxes[first]) for b in bits(boxes[second])]
                pairs = [(a, b) for a, b in pairs if can_follow(axes[first].cells[a], axes[second].cells[b])]
                boxes[first] = sum(1 << a for a in {a for a, _ in pairs})
                boxes[second] = sum(1 << b for b in {b for _, b in pairs})
            if not all(boxes):
                return True
            if boxes == before:
                break
        if self.misses(boxes):
            return True
        near = statement.near
        if near is None or near.radius is None:
            return False
        pieces = [[piece for cell in bits(box) for piece in axes[axis].cells[cell]] for axis, box in enumerate(boxes)]
        costs = [min((near.cost(axis.feature, piece) for piece in own), default=INF) for axis, own in zip(axes, pieces)]
        return near.together(costs) > near.power(near.radius)

    def misses(self, boxes: list) -> bool:
        """Whether all inputs of a box reach the same leaves, at which the library's own label misses the goal."""
        statement, labels = self.grid.statement, []
        if self.claim[0] == "infeasible" or variant(statement.goal, "a goal")[0] != "other_label" or not statement.models[0].fixed_order:
            return False
        for place in range(len(statement.inputs)) if statement.label is None else [len(statement.inputs) - 1]:
            leaves = []
            for tree, (_, terms) in enumerate(statement.models[0].trees):
                reached = [leaf for box, leaf in self.grid.boxes(0, tree, place) if reaches(boxes, box)]
                if len({terms[leaf] for leaf in reached}) != 1:
                    return False
                leaves.append(reached[0])
            labels.append(statement.labels.of(leaves))
        return labels[-1] == (labels[0] if statement.label is None else statement.label)
