"""The statement: features, domains, ties and conditions."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, NamedTuple

from .distance import Distance
from .errors import demand, INF, within_scope
from .labels import Labels
from .models import Model
from .numbers import ceiling, exact, index, number, to_double
from .proof_file import fields, variant


class Domain(NamedTuple):
    """The values of a feature: numbers in ranges that are nearest to multiples of all steps, or codes of categories."""

    ranges: tuple | None
    steps: tuple = ()
    codes: frozenset = frozenset()
    unknown: bool = False
    missing: bool = False
    listed: tuple = ()

    def pieces(self) -> list[tuple]:
        present = [("numbers", *ends) for ends in self.ranges or ()] + [("category", code) for code in self.codes]
        return present + [("unknown",)] * self.unknown + [("missing",)] * self.missing

    def both(self, other: "Domain") -> "Domain":
        """The values that both have."""
        ends = [(max(a, c), min(b, d)) for a, b in self.ranges or () for c, d in other.ranges or ()]
        ranges = None if self.ranges is None else tuple(pair for pair in ends if pair[0] <= pair[1])
        unknown, missing = self.unknown and other.unknown, self.missing and other.missing
        return Domain(ranges, self.steps + other.steps, self.codes & other.codes, unknown, missing)

    def meets(self, piece: tuple) -> bool:
        """Whether a piece may hold a value of the domain."""
        kind, *ends = piece
        if kind == "numbers":
            return any(self.has_number(max(low, ends[0]), min(high, ends[1])) for low, high in self.ranges or ())
        return ends[0] in self.codes if kind == "category" else self.unknown if kind == "unknown" else self.missing

    def allows(self, value: tuple) -> bool:
        """Whether a single value is in the domain. With steps, no infinite number is."""
        return self.meets(value) and not (self.steps and value[0] == "numbers" and math.isinf(value[1]))

    def within(self, piece: tuple) -> list[tuple]:
        """The values of a piece that the domain has."""
        if piece[0] != "numbers":
            return [piece] * self.meets(piece)
        ends = [(max(low, piece[1]), min(high, piece[2])) for low, high in self.ranges or ()]
        return [("numbers", low, high) for low, high in ends if low <= high]

    def has_number(self, low: float, high: float) -> bool:
        """Whether some double from low to high may be a value: each step has a multiple there."""
        if low > high:
            return False
        for step in self.steps if math.isfinite(low) and math.isfinite(high) else ():
            # Rounding is monotone: the first multiple that is rounded to at least `low` is one of these.
            first = ceiling(Fraction(low) / step)
            rounded = [to_double(step * count) for count in (first - 1, first)]
            if next(x for x in rounded if x >= low) > high:
                return False
        return True


def read_domain(value: Any) -> Domain:
    kind, content = variant(value, "a domain")
    if kind == "categories":
        content = fields(content, "a domain", "codes", unknown=False, missing=False)
        codes = frozenset(index(code, 1 << 32, "category") for code in content.codes)
        return Domain(None, (), codes, content.unknown is True, content.missing is True, tuple(content.codes))
    demand(kind == "numbers", f"there is no domain {kind}")
    content = fields(content, "a domain", "ranges", steps=[], missing=False)
    ranges = [(number(low), number(high)) for low, high in content.ranges]
    ranges = [(low, high) for low, high in ranges if low <= high]
    steps = tuple(exact(step) for step in content.steps)
    demand(all(step > 0 for step in steps) and len(steps) <= 16, "a step is not positive, or there are too many")
    return Domain(tuple(ranges), steps, missing=content.missing is True)


class Statement:
    """Which inputs a claim covers, and the question."""

    def __init__(self, value: Any, models: list[Model]) -> None:
        raw = fields(
            value, "the statement", "features inputs goal", ties=None, groups=[], reference=None, conditions=[], near=None, within=[]
        )
        within_scope(not raw.groups, "groups of columns")
        within_scope(not raw.within, "distances of `within`")
        self.models, self.goal = models, raw.goal
        self.place_of = [[None] * len(model.features) for model in models]
        self.readers = []
        for place, feature in enumerate(raw.features):
            feature = fields(feature, "a feature", "name readers")
            readers = [fields(reader, "a reader", "model feature") for reader in feature.readers]
            pairs = [(index(r.model, len(models), "model"), r.feature) for r in readers]
            demand(pairs and pairs == sorted(pairs), "the readers of a feature must ascend")
            for model, which in pairs:
                demand(self.place_of[model][index(which, len(models[model].features), "feature")] is None, "a feature is read twice")
                self.place_of[model][which] = place
            self.readers.append(pairs)
            columns = [models[model].features[which] for model, which in pairs]
            demand(feature.name == columns[0].name, "a feature has another name in the model")
            same = all((c.category, c.names) == (columns[0].category, columns[0].names) for c in columns)
            demand(len({bool(c.category) for c in columns}) == 1, "numbers and categories are one feature")
            within_scope(not columns[0].category or same, "a category of two models that differ in their categories")
        demand(all(None not in places for places in self.place_of), "a feature of a model is not read")
        self.names = [feature["name"] for feature in raw.features]
        count = len(raw.features)
        demand(len(raw.inputs) in (1, 2) and all(len(domains) == count for domains in raw.inputs), "domains are missing")
        domains = [list(map(read_domain, domains)) for domains in raw.inputs]
        self.are_equal = domains[0] == domains[-1]
        self.inputs = [[self.accepted(place, domain) for place, domain in enumerate(own)] for own in domains]
        self.ties = raw.ties or ["free"] * count
        demand(len(self.ties) == count and set(self.ties) <= {"free", "same", "not_below"}, "there is no such tie")
        demand((raw.ties is not None) == (len(raw.inputs) == 2), "ties are for two inputs")
        self.conditions = [condition for value in raw.conditions for condition in self.read_condition(value)]
        self.near = Distance(raw.near, raw.reference, self) if raw.near is not None else None

    def accepted(self, place: int, domain: Domain) -> Domain:
        """Without the values that some library refuses."""
        for model, which in self.readers[place]:
            model, feature = self.models[model], self.models[model].features[which]
            demand(bool(feature.category) == (domain.ranges is None), f"the domain of {feature.name} is of the wrong kind")
            # The least number that is read as infinite: halfway beyond the largest of single precision.
            end = 2.0**128 - 2.0**103 if model.single else INF
            end = INF if model.accepts_infinite else math.nextafter(end, 0.0)
            domain = domain.both(Domain(((-end, end),), (), domain.codes, True, model.accepts_missing))
        return domain

    def read_condition(self, value: Any) -> list[tuple]:
        """The conditions on values in a condition: input, feature, domain."""
        kind, content = variant(value, "a condition")
        if kind == "all":
            return [condition for part in content for condition in self.read_condition(part)]
        within_scope(kind == "values", f"the condition `{kind}`")
        demand(isinstance(content, list) and len(content) == 2, "a condition on values has a variable and a domain")
        variable = fields(content[0], "a variable", "input feature")
        place = index(variable.feature, len(self.readers), "feature")
        return [(index(variable.input, len(self.inputs), "input"), place, self.accepted(place, read_domain(content[1])))]

    def cases(self) -> list[list[tuple]]:
        """The question: a number is the largest, over the cases, of the smallest sum. A sum is its terms and its constant."""
        kind, content = variant(self.goal, "a goal")
        if kind == "sums":
            return [[self.read_sum(value) for value in case] for case in content]
        if kind == "anything":
            return [[([], Fraction(1))]]
        within_scope(kind == "other_label", f"the goal `{kind}`")
        content = fields(content, "a goal", "", **{"class": None, "threshold": None})
        label = getattr(content, "class")
        self.labels = Labels(self.models[0], None if content.threshold is None else number(content.threshold))
        self.label = label if label is None else index(label, len(self.labels.classes), "class")

        def at(place: int, sums: list) -> list:
            return [([(0, place, output, negated) for output, negated in terms], constant) for terms, constant in sums]

        if label is not None:
            return [at(len(self.inputs) - 1, sums) for sums in self.labels.beating(label)]
        demand(len(self.inputs) == 2, "two inputs are needed")
        swapped = {(1 - place, feature, domain) for place, feature, domain in self.conditions}
        symmetric = self.are_equal and "not_below" not in self.ties and swapped == set(self.conditions)
        pairs = [(a, b) for a in self.labels.classes for b in self.labels.classes if a != b and (a < b or not symmetric)]
        return [at(0, self.labels.possible(a)) + at(1, self.labels.possible(b)) for a, b in pairs]

    def read_sum(self, value: Any) -> tuple:
        value = fields(value, "a sum", "terms", constant="0")
        terms = []
        for term in value.terms:
            term = fields(term, "a term", "model input output negated")
            model = self.models[index(term.model, len(self.models), "model")]
            output = index(term.output, 1 if model.fold_pair else len(model.base), "output")
            terms.append((term.model, index(term.input, len(self.inputs), "input"), output, term.negated is True))
        return terms, exact(value.constant)
