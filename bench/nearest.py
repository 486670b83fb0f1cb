"""Times treeproof against dtai-veritas on robustness: how near is an input that the model takes for another class?

The sides take turns on one core, all rows in each turn, with the model in memory. Distances are the largest along any
feature (L∞). The rival halves a radius and stops when only one whole number is left, as the numbers of steps in its
recorded runs on MNIST suggest; treeproof searches for the exact distance. What a side does with a row is timed, pruning
and compiling included.
"""

from __future__ import annotations

import argparse
import dataclasses
import gzip
import json
import math
import os
import pathlib
import platform
import statistics
import subprocess
import tempfile
import time
from typing import Any

import numpy as np
import veritas
import xgboost
from veritas.robustness import RobustnessSearch, VeritasRobustnessSearch

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
BINARY = TARGET / "release" / "treeproof-bench"
RESULTS = ROOT / "bench" / "results"
MODEL = "mnist-M50-d5"
RADIUS = 20.0
STEPS = 10
SECONDS = 10.0
# The rival keeps its examples this far from thresholds, and treeproof counts distances in 2⁻²⁰, rounded down.
GUARD = 1e-4
# Margins are sums of 32-bit numbers, and the search rounds leaves up by at most 2⁻³².
MARGIN_TOLERANCE = 1e-5


@dataclasses.dataclass
class Row:
    """What both sides say about a row; nothing nearer than the radius is an upper end of `None`."""

    row: int
    label: int
    target: int
    rival: list[float]
    rival_seconds: list[float] = dataclasses.field(default_factory=list)
    rival_step_seconds: list[float] = dataclasses.field(default_factory=list)
    lower: float | None = None
    upper: float | None = None
    exact: bool = False
    steps: int = 0
    seconds: list[float] = dataclasses.field(default_factory=list)
    setup_seconds: list[float] = dataclasses.field(default_factory=list)
    complaints: list[str] = dataclasses.field(default_factory=list)

    def ratio(self) -> float:
        return statistics.median(self.rival_seconds) / statistics.median(self.seconds)

    def distance(self) -> str:
        if not self.exact:
            return f"{self.lower} to {self.upper}"
        return f"over {RADIUS:g}" if self.upper is None else f"{self.upper:.6g}"

    def compare(self) -> None:
        """The exact distance lies in the rival's interval."""
        low, high = self.rival
        if not self.exact:
            self.complaints.append("not exact")
        elif self.upper is None:
            if high < RADIUS:
                self.complaints.append("the rival has an example, treeproof none")
        elif not low - GUARD <= self.upper <= high + GUARD:
            self.complaints.append("outside the rival's interval")

    def check(self, booster: xgboost.Booster, example: np.ndarray, nearest: list[float] | None) -> None:
        """The input that treeproof found is as near as it says, and XGBoost takes it for the target before the label."""
        if nearest is None:
            if self.upper is not None:
                self.complaints.append("a distance without an input")
            return
        point = np.asarray([nearest], dtype=np.float32)
        away = float(np.abs(point[0].astype(np.float64) - example).max())
        margins = booster.inplace_predict(point, predict_type="margin")[0]
        if self.upper is None or not math.isclose(away, self.upper, abs_tol=2e-6):
            self.complaints.append(f"the input is {away} away")
        if margins[self.target] < margins[self.label] - MARGIN_TOLERANCE:
            self.complaints.append("the input is not of the target class")


class Stopwatch:
    """A search of the rival whose steps are timed."""

    def __init__(self, search: Any, owner: TimedSearch) -> None:
        self.search, self.owner = search, owner

    def step_for(self, seconds: float, steps: int) -> Any:
        start = time.thread_time()
        reason = self.search.step_for(seconds, steps)
        self.owner.step_seconds += time.thread_time() - start
        return reason

    def __getattr__(self, name: str) -> Any:
        return getattr(self.search, name)


class TimedSearch(VeritasRobustnessSearch):
    """The rival's search, which also tells how long its steps took, without pruning, set-up and Python around them."""

    step_seconds = 0.0

    def get_search(self, delta: float) -> Stopwatch:
        return Stopwatch(super().get_search(delta), self)


def rival(trees: list[veritas.AddTree], row: Row, example: np.ndarray) -> None:
    start = time.thread_time()
    search = TimedSearch(
        example, RADIUS, trees[row.label], trees[row.target], num_steps=STEPS, max_time=SECONDS, silent=True,
        stop_condition=RobustnessSearch.INT_STOP_COND,
    )
    _, lower, upper = search.search()
    row.rival_seconds.append(time.thread_time() - start)
    row.rival_step_seconds.append(search.step_seconds)
    row.rival = [float(lower), float(upper)]


def treeproof(model: pathlib.Path, matrix: pathlib.Path, rows: list[Row]) -> list[list[float] | None]:
    """All rows in one process; returns the inputs that it found."""
    command: list[Any] = [BINARY, "nearest", model, matrix, "--norm", "linf", "--rows", len(rows)]
    command += ["--within", RADIUS, "--time", SECONDS, "--targets", ",".join(str(row.target) for row in rows)]
    done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, text=True, check=True)
    searches = json.loads(done.stdout)["searches"]
    for row, search in zip(rows, searches, strict=True):
        row.lower, row.upper, row.exact, row.steps = (search[key] for key in ("lower", "upper", "exact", "steps"))
        row.seconds.append(search["seconds"])
        row.setup_seconds.append(search["setup_seconds"])
    return [search["input"] for search in searches]


def report(rows: list[Row], repeat: int) -> dict[str, Any]:
    def total(seconds: Any) -> float:
        return sum(statistics.median(seconds(row)) for row in rows)

    cpuinfo = pathlib.Path("/proc/cpuinfo")
    names = [line.split(":", 1)[1].strip() for line in cpuinfo.read_text().splitlines()
             if line.startswith("model name")] if cpuinfo.exists() else []
    ratios = [row.ratio() for row in rows]
    rival_seconds, seconds = total(lambda row: row.rival_seconds), total(lambda row: row.seconds)
    return {
        "cpu": names[0] if names else platform.processor(),
        "libraries": {"dtai-veritas": "0.3.1", "xgboost": xgboost.__version__},
        "model": MODEL, "radius": RADIUS, "repeat": repeat,
        "rows": len(rows), "exact": sum(row.exact for row in rows),
        "complaints": sum(len(row.complaints) for row in rows),
        "rival_seconds": rival_seconds, "seconds": seconds,
        "rival_step_seconds": total(lambda row: row.rival_step_seconds),
        "setup_seconds": total(lambda row: row.setup_seconds), "steps": sum(row.steps for row in rows),
        "ratio_of_totals": rival_seconds / seconds, "geometric_mean": statistics.geometric_mean(ratios),
        "smallest_ratio": min(ratios), "largest_ratio": max(ratios),
        "searches": [dataclasses.asdict(row) for row in rows],
    }


def table(rows: list[Row], found: dict[str, Any]) -> str:
    libraries = ", ".join(f"{name} {version}" for name, version in found["libraries"].items())
    lines = [
        "# Nearest inputs of another class against dtai-veritas",
        "",
        f"Written by `bench/nearest`. Rows of MNIST's test set, model {MODEL} (ten classes, 50 rounds, depth 5), a target "
        f"class for each row: the L∞ distance of the nearest input within {RADIUS:g} for which the target beats the row's "
        "label. One thread, both sides in turns on one core, CPU time, medians of "
        f"{found['repeat']}; model in memory, pruning and compiling included.",
        "",
        f"The rival's `VeritasRobustnessSearch` bisects the radius, at most {STEPS} times, until only one whole number is "
        "left: an interval. Treeproof's distance is exact. XGBoost checks the input that treeproof finds.",
        "",
        f"{libraries}; {found['cpu']}.",
        "",
        "| | dtai-veritas | treeproof | ratio |",
        "|---|--:|--:|--:|",
        f"| all {found['rows']} rows, ms | {1e3 * found['rival_seconds']:.1f} | {1e3 * found['seconds']:.1f} | "
        f"{found['ratio_of_totals']:.1f}× |",
        f"| geometric mean of the ratios | | | {found['geometric_mean']:.1f}× |",
        f"| smallest, largest | | | {found['smallest_ratio']:.1f}×, {found['largest_ratio']:.1f}× |",
        "",
        f"The rival runs through its own Python code: {1e3 * found['rival_step_seconds']:.1f} ms of its time are search steps, "
        f"the rest is pruning, set-up for every radius, and Python. Of treeproof's time, "
        f"{1e3 * (found['seconds'] - found['setup_seconds']):.1f} ms are search, the rest is set-up.",
        "",
        f"Exact: {found['exact']} of {found['rows']}, in {found['steps']} steps. Distances outside the rival's interval, and inputs on which XGBoost "
        f"disagrees: **{found['complaints']}**.",
        "",
        "| row | from | to | dtai-veritas | ms | treeproof | ms | steps | ratio |",
        "|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for row in rows:
        low, high = row.rival
        interval = f"over {RADIUS:g}" if low >= RADIUS else f"{low:.6g} to {high:.6g}"
        complaints = "".join(f" **{complaint}**" for complaint in row.complaints)
        lines.append(
            f"| {row.row} | {row.label} | {row.target} | {interval} | {1e3 * statistics.median(row.rival_seconds):.2f} "
            f"| {row.distance()}{complaints} | {1e3 * statistics.median(row.seconds):.2f} | {row.steps} "
            f"| {row.ratio():.1f}× |"
        )
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path, help=f"has models/{MODEL}.json.gz and rivals/robust-mnist.jsonl")
    parser.add_argument("data", type=pathlib.Path, help="MNIST with its test set as X_test")
    parser.add_argument("--repeat", type=int, default=5, help="turns; medians are reported")
    parser.add_argument("--core", type=int, default=max(os.sched_getaffinity(0)), help="the core that all run on")
    arguments = parser.parse_args()
    os.sched_setaffinity(0, {arguments.core})
    model = arguments.folder / "models" / f"{MODEL}.json.gz"
    booster = xgboost.Booster({"nthread": 1})
    booster.load_model(bytearray(gzip.decompress(model.read_bytes())))
    addtree = veritas.get_addtree(booster, silent=True)
    listed = (arguments.folder / "rivals" / "robust-mnist.jsonl").read_text().splitlines()
    tasks = [json.loads(line) for line in listed]
    rows = [Row(task["row"], task["label"], task["target"], []) for task in tasks]
    examples = np.load(arguments.data)["X_test"][[row.row for row in rows]].astype(np.float64)
    trees = [addtree.make_singleclass(label) for label in range(addtree.num_leaf_values())]
    with tempfile.TemporaryDirectory() as folder:
        matrix = pathlib.Path(folder) / "rows.npy"
        np.save(matrix, examples)
        for _ in range(arguments.repeat):
            for row, example in zip(rows, examples, strict=True):
                rival(trees, row, example)
            inputs = treeproof(model, matrix, rows)
    for row, example, nearest in zip(rows, examples, inputs, strict=True):
        row.compare()
        row.check(booster, example, nearest)
    found = report(rows, arguments.repeat)
    RESULTS.joinpath("nearest.json").write_text(json.dumps(found, indent=1) + "\n")
    RESULTS.joinpath("nearest.md").write_text(table(rows, found))
    print(table(rows, found), end="")


if __name__ == "__main__":
    main()
