"""What a proof costs as models grow, one dimension at a time: trees, depth, features, thresholds."""

from __future__ import annotations

import argparse
import dataclasses
import gzip
import pathlib
import statistics
import sys
import tempfile
from typing import Any

import numpy as np
import xgboost

import compare
from compare_report import Options, Run

ROWS = 10_000
BOXES = 3
# Of every feature's range, a box holds this much.
WIDTH = 0.8
SEED = 7


@dataclasses.dataclass(frozen=True)
class Shape:
    """A model to train; one value after the other is varied."""

    trees: int = 100
    depth: int = 6
    features: int = 12
    # The number of candidate thresholds per feature.
    bins: int = 128


SERIES: dict[str, tuple[int, ...]] = {
    "trees": (25, 50, 100, 200, 400, 800),
    "depth": (3, 4, 5, 6, 8, 10, 12),
    "features": (4, 8, 12, 16, 32, 64),
    "bins": (4, 16, 64, 128, 256, 1024),
}


def data(features: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows and a smooth target in which pairs of neighbouring features interact, earlier ones more."""
    rng = np.random.default_rng(SEED)
    rows = rng.random((ROWS, features), dtype=np.float32)
    pairs = np.sin(np.pi * rows[:, :-1] * rows[:, 1:] * 2) / np.sqrt(np.arange(1, features))
    return rows, pairs.sum(axis=1) + rng.normal(scale=0.1, size=ROWS)


def trained(shape: Shape, folder: pathlib.Path) -> compare.Model:
    rows, target = data(shape.features)
    parameters = {"max_depth": shape.depth, "max_bin": shape.bins, "eta": 0.1, "tree_method": "hist", "seed": SEED,
                  "nthread": 1}
    booster = xgboost.train(parameters, xgboost.QuantileDMatrix(rows, target, max_bin=shape.bins), shape.trees)
    file = folder / "model.json.gz"
    file.write_bytes(gzip.compress(bytes(booster.save_raw("json"))))
    return compare.load(file)


def boxes(features: int) -> list[compare.Box]:
    """Most of every feature's range, at random places; ends are `f32` numbers."""
    lows = np.random.default_rng(SEED).uniform(0, 1 - WIDTH, size=(BOXES, features)).astype(np.float32)
    highs = lows + np.float32(WIDTH)
    return [list(zip(low.tolist(), high.tolist(), strict=True)) for low, high in zip(lows, highs, strict=True)]


def summary(runs: list[Run], options: Options) -> dict[str, Any]:
    return {
        "proved": sum(run.exact for run in runs),
        "seconds": statistics.median(run.seconds(options) for run in runs),
        "steps": statistics.median(run.steps for run in runs),
        "gap": min(statistics.median(run.gap() for run in runs), 1e9),
        "memory": max(run.memory for run in runs),
    }


def growth(arguments: argparse.Namespace) -> dict[str, Any]:
    options = Options(arguments.time, "cpu", 1, None, False)
    measured: dict[Shape, dict[str, Any]] = {}
    series: dict[str, list[dict[str, Any]]] = {}
    for dimension, values in SERIES.items():
        for value in values:
            shape = dataclasses.replace(Shape(), **{dimension: value})
            if shape not in measured:
                measured[shape] = measure(shape, options)
            series.setdefault(dimension, []).append({"value": value} | measured[shape])
            print(dimension, series[dimension][-1], file=sys.stderr, flush=True)
    return {"time": arguments.time, "boxes": BOXES, "width": WIDTH, "base": dataclasses.asdict(Shape()), "series": series}


def measure(shape: Shape, options: Options) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        model = trained(shape, pathlib.Path(folder))
        places = boxes(shape.features)
        thresholds = sum(len(set(splits)) for splits in model.addtree.get_splits().values())
        return {
            "thresholds": thresholds,
            "leaves": model.addtree.num_leafs(),
            "treeproof": summary([compare.treeproof(model, box, "auto", options) for box in places], options),
            "best-first": summary([compare.rival(model, box, "best-first", options) for box in places], options),
        }
