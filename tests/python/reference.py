"""A plain evaluator of treeproof's own JSON (``docs/format.md``), independent of the Rust code.

It exists to test the exporter, and the comparison code of the parity tests, without the binary. Slow on purpose:
one row, one tree, one node at a time.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

Document = dict[str, Any]

MISSING = "missing"
NO_CATEGORY = "no category"


@dataclass
class Prediction:
    """What the model makes of one row; ``label`` is the position of the class."""

    leaves: list[int]
    margins: list[float]
    outputs: list[float]
    label: int | None


def predict(document: Document, row: np.ndarray) -> Prediction:
    """Evaluates one row of ``f64`` values, NaN for missing."""
    readings = [read(document["input"], feature, value) for feature, value in zip(document["features"], row)]
    reached = [walk(tree, readings) for tree in document["trees"]]
    margins = aggregate(document, reached)
    outputs = link(document["link"], margins)
    leaves = [tree.get("leaf_id", range(len(tree["left"])))[node] for tree, node in zip(document["trees"], reached)]
    return Prediction(list(leaves), margins, outputs, label(document["label"], margins, outputs))


def read(rules: Document, feature: Document, value: float) -> Any:
    """What the trees see of a raw value: a number, ("category", code), MISSING or NO_CATEGORY."""
    with np.errstate(all="ignore"):
        number = float(np.float32(value)) if rules["precision"] == "f32" else float(value)
    if math.isnan(number) or number == rules.get("missing_value"):
        return MISSING
    if abs(number) <= rules.get("zero_band", -1.0):
        number = 0.0
    if feature["kind"] == "numeric":
        return number
    encoding = feature["encoding"]
    if encoding["rule"] == "exact":
        matches = [code for code, known in enumerate(encoding["values"]) if known == number]
        return ("category", matches[0]) if matches else MISSING
    bounds = {"xgboost": (0.0, 2.0**24), "lightgbm": (math.nextafter(-1.0, 0.0), 2.0**31), "position": (0.0, 2.0**32)}
    low, high = bounds[encoding["rule"]]
    whole = encoding["rule"] != "position" or number.is_integer()
    return ("category", int(number)) if low <= number < high and whole else NO_CATEGORY


def walk(tree: Document, readings: list[Any]) -> int:
    """The leaf that a row reaches."""
    node = 0
    while tree["left"][node] != -1:
        side = goes_left(tree, node, readings[tree["feature"][node]])
        node = tree["left" if side else "right"][node]
    return node


def goes_left(tree: Document, node: int, reading: Any) -> bool:
    """Whether a split sends a value to its left child."""
    if reading == MISSING:
        return bool(tree["missing_left"][node])
    zero_left = tree.get("zero_left", [None] * (node + 1))[node]
    if zero_left is not None and reading == 0.0:
        return bool(zero_left)
    test = tree["test"] if isinstance(tree["test"], str) else tree["test"][node]
    threshold = tree["threshold"][node]
    if test == "present":
        return True
    if test == "in":
        return reading != NO_CATEGORY and reading[1] in tree["sets"][threshold]
    if test == "one_of":
        return reading in tree["sets"][threshold]
    threshold = float(threshold)
    return reading < threshold if test == "<" else reading <= threshold


def terms(tree: Document, node: int) -> list[tuple[int, float]]:
    """What a leaf adds: (output, value) pairs."""
    if "terms" in tree:
        return [(output, value) for output, value in tree["terms"][node]]
    if "values" in tree:
        return list(enumerate(tree["values"][node]))
    return [(tree["output"], tree["value"][node])]


def aggregate(document: Document, reached: list[int]) -> list[float]:
    """The margins, in the library's arithmetic."""
    rules, trees = document["aggregate"], document["trees"]
    if rules["rule"] == "weighted_median":
        return [weighted_median([terms(tree, node)[0][1] for tree, node in zip(trees, reached)], rules["weights"])]
    if rules["rule"] != "sum":
        raise NotImplementedError(rules["rule"])
    kind = np.float32 if rules["precision"] == "f32" else np.float64
    base = [kind(value) for value in rules["base"]]
    sums = list(base) if rules["base_position"] == "first" else [kind(0)] * len(base)
    weights = rules.get("weights")
    for index, (tree, node) in enumerate(zip(trees, reached)):
        for output, value in terms(tree, node):
            term = kind(value)
            if weights and weights["rule"] == "off_base":
                term = (base[output] + term) - base[output]
            if weights:
                term = term * kind(weights["per_tree"][index])
            sums[output] = sums[output] + term
    if "divisor" in rules:
        sums = [value / kind(rules["divisor"]) for value in sums]
    if "scale" in rules:
        sums = [value * kind(rules["scale"]) for value in sums]
    if rules["base_position"] == "last" and any(base):
        sums = [value + start for value, start in zip(sums, base)]
    if rules.get("fold_pair"):
        sums = [sums[1] - sums[0]]
    if rules.get("narrow"):
        sums = [np.float32(value) for value in sums]
    return [float(value) for value in sums]


def weighted_median(values: list[float], weights: list[float]) -> float:
    """The first value, in ascending order, at which the weights so far reach half of their total."""
    order = np.argsort(values, kind="stable")
    cumulated = np.cumsum(np.asarray(weights)[order])
    return values[order[int((cumulated >= 0.5 * cumulated[-1]).argmax())]]


def link(rules: Document, margins: list[float]) -> list[float]:
    """The outputs, to within rounding."""
    function = rules["function"]
    if function == "identity":
        return margins
    if function == "logistic":
        return [1.0 / (1.0 + math.exp(min(-rules["slope"] * margin, 709.0))) for margin in margins]
    if function == "exp":
        return [math.exp(margin) for margin in margins]
    if function == "softmax":
        powers = [math.exp(margin - max(margins)) for margin in margins]
        return [power / sum(powers) for power in powers]
    if function == "isolation":
        return [-(2.0 ** -(margin / rules["scale"])) for margin in margins]
    raise NotImplementedError(function)


def label(rules: Document, margins: list[float], outputs: list[float]) -> int | None:
    """The position of the chosen class."""
    match rules["rule"]:
        case "none":
            return None
        case "margin_above":
            return int(margins[0] > rules["threshold"])
        case "margin_at_least":
            return int(margins[0] >= rules["threshold"])
        case "output_above_complement":
            return int(outputs[0] > 1.0 - outputs[0])
        case "largest_margin":
            return int(np.argmax(margins))
        case "largest_output":
            return int(np.argmax(outputs))
        case "outlier":
            return int(outputs[0] - rules["offset"] >= 0.0)
    raise NotImplementedError(rules["rule"])
