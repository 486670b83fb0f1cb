"""Maximising a sum of trees by general solvers: a mixed integer program for HiGHS, a cost function network for toulbar2.

Nothing here is treeproof's: the model is read from XGBoost's JSON, and the trees are confined to the box by plain code.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

Box = list[tuple[float, float]]


@dataclasses.dataclass(frozen=True)
class Leaf:
    """A leaf and its half-open interval of every feature on its path, within the box."""

    value: float
    sides: dict[int, tuple[float, float]]

    def side(self, feature: int, box: Box) -> tuple[float, float]:
        return self.sides.get(feature, box[feature])


@dataclasses.dataclass(frozen=True)
class Trees:
    """The leaves that points of a box reach, by tree, and the thresholds inside the box, by feature."""

    box: Box
    trees: list[list[Leaf]]
    thresholds: dict[int, list[float]]


def confined(model: dict[str, Any], box: Box) -> Trees:
    """An XGBoost model of one output, as parsed JSON, inside a box."""
    trees = model["learner"]["gradient_booster"]["model"]["trees"]
    leaves = [list(reachable(tree, 0, {}, box)) for tree in trees]
    thresholds: dict[int, set[float]] = {}
    for feature, (low, high) in ((f, side) for tree in leaves for leaf in tree for f, side in leaf.sides.items()):
        thresholds.setdefault(feature, set()).update({low, high} - set(box[feature]))
    return Trees(box, leaves, {feature: sorted(found) for feature, found in sorted(thresholds.items()) if found})


def reachable(tree: dict[str, Any], node: int, sides: dict[int, tuple[float, float]], box: Box) -> Iterator[Leaf]:
    """The leaves below a node. XGBoost keeps thresholds and leaf values as `f32`, in one array."""
    number = float(np.float32(tree["split_conditions"][node]))
    if tree["left_children"][node] < 0:
        yield Leaf(number, sides)
        return
    feature = tree["split_indices"][node]
    low, high = sides.get(feature, box[feature])
    if low < number:
        side = {feature: (low, min(high, number))}
        yield from reachable(tree, tree["left_children"][node], sides | side, box)
    if high > number:
        side = {feature: (max(low, number), high)}
        yield from reachable(tree, tree["right_children"][node], sides | side, box)


def highs(problem: Trees) -> float:
    """The optimum by HiGHS.

    As in Mišić, Optimization of Tree Ensembles (2020): a binary for every threshold says whether the point lies below
    it, a weight for every leaf whether it is the point's.
    """
    import highspy

    first = {}
    count = 0
    for feature, thresholds in problem.thresholds.items():
        first[feature] = count
        count += len(thresholds)
    binaries = count
    starts, columns, factors, lower, upper = [0], [], [], [], []

    def row(terms: list[tuple[int, float]], low: float, high: float) -> None:
        columns.extend(column for column, _ in terms)
        factors.extend(factor for _, factor in terms)
        starts.append(len(columns))
        lower.append(low)
        upper.append(high)

    for feature, thresholds in problem.thresholds.items():
        for column in range(first[feature], first[feature] + len(thresholds) - 1):
            row([(column, 1.0), (column + 1, -1.0)], -highspy.kHighsInf, 0.0)
    costs = [0.0] * binaries
    for tree in problem.trees:
        costs += [leaf.value for leaf in tree]
        weights = range(count, count + len(tree))
        count += len(tree)
        row([(weight, 1.0) for weight in weights], 1.0, 1.0)
        for feature in {feature for leaf in tree for feature in leaf.sides}:
            sides = [leaf.side(feature, problem.box) for leaf in tree]
            own = set(itertools.chain.from_iterable(sides))
            for offset, threshold in enumerate(problem.thresholds.get(feature, [])):
                if threshold not in own:
                    continue
                below = [(weight, 1.0) for weight, (_, high) in zip(weights, sides, strict=True) if high <= threshold]
                above = [(weight, 1.0) for weight, (low, _) in zip(weights, sides, strict=True) if low >= threshold]
                is_below = first[feature] + offset
                row([*below, (is_below, -1.0)], -highspy.kHighsInf, 0.0)
                row([*above, (is_below, 1.0)], -highspy.kHighsInf, 1.0)
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = count, len(lower)
    lp.sense_ = highspy.ObjSense.kMaximize
    lp.col_cost_ = np.asarray(costs)
    lp.col_lower_, lp.col_upper_ = np.zeros(count), np.ones(count)
    lp.row_lower_, lp.row_upper_ = np.asarray(lower), np.asarray(upper)
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_, lp.a_matrix_.index_ = np.asarray(starts), np.asarray(columns)
    lp.a_matrix_.value_ = np.asarray(factors)
    kinds = highspy.HighsVarType
    lp.integrality_ = [kinds.kInteger] * binaries + [kinds.kContinuous] * (count - binaries)
    solver = highspy.Highs()
    for option, value in {"output_flag": False, "threads": 1, "mip_rel_gap": 0.0}.items():
        solver.setOptionValue(option, value)
    solver.passModel(lp)
    solver.run()
    if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        raise RuntimeError(f"HiGHS ends with {solver.getModelStatus()}")
    return solver.getInfo().objective_function_value


def toulbar2(problem: Trees, unit: float) -> float:
    """The optimum by toulbar2, in whole numbers of a unit, of which all leaves must be multiples.

    A variable for every feature is the cell between its thresholds, a variable for every tree its leaf; a leaf costs what
    the tree's best leaf is worth more, and cells outside it are forbidden.
    """
    import pytoulbar2

    network = pytoulbar2.CFN()
    edges = {}
    for feature, thresholds in problem.thresholds.items():
        low, high = problem.box[feature]
        edges[feature] = np.asarray([low, *thresholds, high])
        network.AddVariable(f"feature {feature}", range(len(thresholds) + 1))
    best = 0
    for number, tree in enumerate(problem.trees):
        values = [whole(leaf.value, unit) for leaf in tree]
        best += max(values)
        if len(tree) == 1:
            continue
        network.AddVariable(f"tree {number}", range(len(tree)))
        network.AddFunction([f"tree {number}"], [max(values) - value for value in values])
        for feature in {feature for leaf in tree for feature in leaf.sides} & edges.keys():
            low, high = np.asarray([leaf.side(feature, problem.box) for leaf in tree]).T[:, :, None]
            fits = (low <= edges[feature][:-1]) & (edges[feature][1:] <= high)
            if not fits.all():
                costs = np.where(fits, 0.0, network.Top).ravel().tolist()
                network.AddFunction([f"tree {number}", f"feature {feature}"], costs)
    _, cost, _ = network.Solve()
    return (best - round(cost)) * unit


def whole(value: float, unit: float) -> int:
    units = value / unit
    if units != int(units):
        raise ValueError(f"{value} is no multiple of {unit}")
    return int(units)
