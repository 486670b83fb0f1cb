"""Times treeproof against the libraries whose models it reads: loading a model, predicting many rows.

Library and treeproof take turns within one run, so that a machine that slows down slows both; of every series the
minimum is reported, the measurement with the least of other processes in it. Margins are compared bit by bit.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import pathlib
import platform
import statistics
import subprocess
import tempfile
import time
from typing import Any, Callable

import catboost
import lightgbm
import numpy as np
import sklearn.ensemble
import xgboost

from treeproof import scikit_learn

ROOT = pathlib.Path(__file__).resolve().parent.parent
BINARY = ROOT / "target" / "release" / "treeproof-bench"
SEED = 20_240_501
NUM_FEATURES = 20
DEPTH = 8


@dataclasses.dataclass(frozen=True)
class Size:
    """How much work a run does."""

    trees: int
    training_rows: int
    rows: int
    load_turns: int
    predict_turns: int


FULL = Size(trees=500, training_rows=20_000, rows=100_000, load_turns=15, predict_turns=5)
QUICK = Size(trees=50, training_rows=5_000, rows=10_000, load_turns=5, predict_turns=3)


@dataclasses.dataclass(frozen=True)
class Subject:
    """A model file, and what its own library does with it."""

    name: str
    file: pathlib.Path
    load: Callable[[], Any] | None
    predict: Callable[[], np.ndarray]
    options: tuple[str, ...] = ()


def training_data(size: Size) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Features, a target with interactions and noise, and other rows to predict; all values are f32 values."""
    random = np.random.default_rng(SEED)
    features = random.normal(size=(size.training_rows, NUM_FEATURES)).astype(np.float32)
    target = np.sin(3 * features[:, 0]) * features[:, 1] + features[:, 2:].sum(axis=1) / 4
    target += random.normal(scale=0.3, size=size.training_rows)
    rows = random.normal(size=(size.rows, NUM_FEATURES)).astype(np.float32)
    return features, target, rows


def subjects(size: Size, folder: pathlib.Path) -> list[Subject]:
    """Trains one model per library and saves it in the formats that treeproof reads."""
    features, target, rows = training_data(size)
    np.save(folder / "rows.npy", rows.astype(np.float64))
    return [
        *xgboost_subjects(size, folder, features, target, rows),
        lightgbm_subject(size, folder, features, target, rows),
        catboost_subject(size, folder, features, target, rows),
        forest_subject(size, folder, features, target, rows),
    ]


def xgboost_subjects(size: Size, folder: pathlib.Path, features: Any, target: Any, rows: Any) -> list[Subject]:
    parameters = {"max_depth": DEPTH, "eta": 0.05, "seed": SEED, "nthread": 2}
    booster = xgboost.train(parameters, xgboost.DMatrix(features, target), size.trees)
    booster.set_param({"nthread": 1})

    def subject(name: str, file: pathlib.Path) -> Subject:
        booster.save_model(file)
        predict = lambda: booster.inplace_predict(rows, predict_type="margin")  # noqa: E731
        return Subject(name, file, lambda: xgboost.Booster(model_file=file), predict)

    return [subject("XGBoost, JSON", folder / "xgboost.json"), subject("XGBoost, UBJSON", folder / "xgboost.ubj")]


def lightgbm_subject(size: Size, folder: pathlib.Path, features: Any, target: Any, rows: Any) -> Subject:
    parameters = {
        "max_depth": DEPTH,
        "num_leaves": 2**DEPTH,
        "min_data_in_leaf": 5,
        "learning_rate": 0.05,
        "seed": SEED,
        "deterministic": True,
        "num_threads": 2,
        "verbose": -1,
    }
    trained = lightgbm.train(parameters, lightgbm.Dataset(features, target), size.trees)
    file = folder / "lightgbm.txt"
    trained.save_model(file)
    booster = lightgbm.Booster(model_file=file)
    predict = lambda: booster.predict(rows, raw_score=True, num_threads=1)  # noqa: E731
    return Subject("LightGBM, text", file, lambda: lightgbm.Booster(model_file=file), predict)


def catboost_subject(size: Size, folder: pathlib.Path, features: Any, target: Any, rows: Any) -> Subject:
    model = catboost.CatBoostRegressor(
        iterations=size.trees,
        depth=DEPTH,
        learning_rate=0.05,
        random_seed=SEED,
        thread_count=2,
        verbose=False,
        allow_writing_files=False,
    )
    model.fit(features, target)
    file = folder / "catboost.json"
    model.save_model(os.fspath(file), format="json")
    predict = lambda: model.predict(rows, prediction_type="RawFormulaVal", thread_count=1)  # noqa: E731
    load = lambda: catboost.CatBoost().load_model(os.fspath(file), format="json")  # noqa: E731
    return Subject("CatBoost, JSON", file, load, predict)


def forest_subject(size: Size, folder: pathlib.Path, features: Any, target: Any, rows: Any) -> Subject:
    forest = sklearn.ensemble.RandomForestRegressor(size.trees, max_depth=DEPTH, random_state=SEED, n_jobs=2)
    forest.fit(features, target)
    forest.n_jobs = 1
    file = folder / "forest.json"
    scikit_learn.save(forest, file)
    # scikit-learn has no model file of its own to load.
    return Subject("scikit-learn forest, treeproof JSON", file, None, lambda: forest.predict(rows))


def seconds(action: Callable[[], Any]) -> tuple[float, Any]:
    """The time of one call, and what it returned."""
    start = time.perf_counter()
    result = action()
    return time.perf_counter() - start, result


def treeproof(command: str, subject: Subject, *arguments: Any) -> float:
    """The best of two measurements inside one process of treeproof: the first of them warms up."""
    call = [BINARY, command, subject.file, *arguments, *subject.options, "--repeat", "2"]
    done = subprocess.run([os.fspath(part) if isinstance(part, pathlib.Path) else str(part) for part in call],
                          check=True, capture_output=True, text=True)
    return min(json.loads(done.stdout)["seconds"])


def measure_load(subject: Subject, turns: int) -> dict[str, Any] | None:
    """Loading: the library and treeproof in turns."""
    if subject.load is None:
        return None
    library, ours = [], []
    for _ in range(turns):
        library.append(min(seconds(subject.load)[0], seconds(subject.load)[0]))
        ours.append(treeproof("load", subject))
    return {"library": series(library), "treeproof": series(ours), "ratio": round(min(ours) / min(library), 3)}


def measure_predict(subject: Subject, turns: int, folder: pathlib.Path) -> dict[str, Any]:
    """Prediction: the library, treeproof on one thread and treeproof on two, in turns."""
    library, ours, two = [], [], []
    rows, margins = folder / "rows.npy", folder / "margins"
    for _ in range(turns):
        first, expected = seconds(subject.predict)
        library.append(min(first, seconds(subject.predict)[0]))
        ours.append(treeproof("predict", subject, rows, "--margins", margins))
        two.append(treeproof("predict", subject, rows, "--threads", 2))
    got = np.fromfile(margins, dtype="<f8")
    expected = np.asarray(expected, dtype=np.float64).ravel()
    differing = int((got.view(np.uint64) != expected.view(np.uint64)).sum())
    return {
        "library": series(library),
        "treeproof": series(ours),
        "treeproof_two_threads": series(two),
        "ratio": round(min(ours) / min(library), 3),
        "speedup_of_two_threads": round(min(ours) / min(two), 3),
        "rows": len(expected),
        "rows_that_differ": differing,
    }


def series(times: list[float]) -> dict[str, float]:
    """A series of measurements in milliseconds."""
    return {"min_ms": round(min(times) * 1e3, 2), "median_ms": round(statistics.median(times) * 1e3, 2)}


def machine() -> dict[str, Any]:
    """What the numbers depend on."""
    model = platform.processor()
    cpuinfo = pathlib.Path("/proc/cpuinfo")
    if cpuinfo.exists():
        lines = [line for line in cpuinfo.read_text().splitlines() if line.startswith("model name")]
        model = lines[0].split(":", 1)[1].strip() if lines else model
    versions = {module.__name__: module.__version__ for module in (xgboost, lightgbm, catboost, sklearn, np)}
    facts = {"cpu": model, "cores": os.cpu_count(), "python": platform.python_version(), "libraries": versions}
    # More than the number of cores at the end of a run: others computed, too, and times are larger than they need be.
    return facts | {"load_average": round(os.getloadavg()[1], 1)}


def table(report: dict[str, Any]) -> str:
    """The report as a markdown table."""
    size, facts = report["size"], report["machine"]
    lines = [
        "# Loading and prediction against the libraries",
        "",
        f"Written by `bench/models`. {size['trees']} trees of depth {DEPTH}, {size['rows']} rows of {NUM_FEATURES} "
        "features; milliseconds, the minimum of several turns; a ratio is treeproof's time divided by the library's, both on "
        "one thread.",
        "",
        f"Machine: {facts['cores']} × {facts['cpu']}, load average {facts['load_average']}. "
        + ", ".join(f"{name} {version}" for name, version in facts["libraries"].items())
        + ".",
        "",
        "| model | load: library | treeproof | ratio | predict: library | treeproof | ratio | two threads | speedup "
        "| rows that differ |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for name, entry in report["models"].items():
        load, predict = entry["load"], entry["predict"]
        cells = ["–", "–", "–"] if load is None else [*columns(load, "library", "treeproof"), f"{load['ratio']:.2f}"]
        cells += [*columns(predict, "library", "treeproof"), f"{predict['ratio']:.2f}"]
        cells += [*columns(predict, "treeproof_two_threads"), f"{predict['speedup_of_two_threads']:.2f}"]
        lines.append("| " + " | ".join([name, *cells, str(predict["rows_that_differ"])]) + " |")
    return "\n".join(lines) + "\n"


def columns(measured: dict[str, Any], *keys: str) -> list[str]:
    """The minima of some series, as text."""
    return [f"{measured[key]['min_ms']:.1f}" for key in keys]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="smaller models, fewer rows, no files written")
    parser.add_argument("--keep", type=pathlib.Path, help="keep models and rows in this folder")
    arguments = parser.parse_args()
    size = QUICK if arguments.quick else FULL
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.keep or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        models: dict[str, Any] = {}
        for subject in subjects(size, folder):
            load = measure_load(subject, size.load_turns)
            models[subject.name] = {"load": load, "predict": measure_predict(subject, size.predict_turns, folder)}
    report = {"machine": machine(), "size": dataclasses.asdict(size), "models": models}
    print(table(report), end="")
    if not arguments.quick:
        results = ROOT / "bench" / "results"
        results.mkdir(exist_ok=True)
        (results / "models.json").write_text(json.dumps(report, indent=2) + "\n")
        (results / "models.md").write_text(table(report))


if __name__ == "__main__":
    main()
