"""What parity means: run the binary on a model file and rows, and hold its answers against the library's own, bit by bit."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[2]


@dataclass
class Sample:
    """A freshly trained model on disk, rows for it, and the library's answers."""

    about: str
    model: Path
    rows: np.ndarray
    margins: np.ndarray
    num_trees: int
    leaves: np.ndarray | None = None
    labels: np.ndarray | None = None
    arguments: list[str] = field(default_factory=list)
    # The fitted object and how it is loaded.
    trained: Any = None
    loading: dict[str, Any] = field(default_factory=dict)


@dataclass
class Tally:
    """Routed (row, tree) pairs so far.

    A pair counts as different if the leaf numbers differ; where the library has none, all trees of a row count as
    different if its margin does.
    """

    compared: int = 0
    different: int = 0
    models: int = 0

    def line(self, library: str) -> str:
        """The line for the end of a run."""
        return f"routed: {library} {self.compared} compared, {self.different} different"


def command() -> list[str]:
    """The binary, from ``TREEPROOF_BIN`` or the debug build; a Python script is run by this interpreter."""
    # Some tests run it in a folder of their own.
    path = str(Path(os.environ.get("TREEPROOF_BIN", ROOT / "target/debug/treeproof")).absolute())
    return [sys.executable, path] if path.endswith(".py") else [path]


def is_built() -> bool:
    """Whether there is a binary to test."""
    return Path(command()[-1]).exists()


def predict(sample: Sample, folder: Path) -> list[dict[str, Any]]:
    """The rows of the binary's answer."""
    data = folder / "rows.npy"
    np.save(data, sample.rows.astype(np.float64))
    call = [*command(), "predict", str(sample.model), str(data), "--json", "--leaves", *sample.arguments]
    result = subprocess.run(call, capture_output=True, text=True, check=False)
    assert result.returncode == 0, f"{sample.about}: {' '.join(call)}: {result.stderr.strip()}"
    return json.loads(result.stdout)["rows"]


def predict_object(sample: Sample) -> list[dict[str, Any]]:
    """The same through the Python package, from the fitted object itself."""
    import treeproof

    model = treeproof.load(sample.model if sample.trained is None else sample.trained, **sample.loading)
    rows = np.asarray(sample.rows, dtype=np.float64)
    margins, leaves = model.predict(rows, margin=True), model.predict(rows, leaves=True)
    labels = [None] * len(rows) if sample.labels is None else model.predict(rows, labels=True)
    return [
        {"margin": np.ravel(margin), "leaves": leaf, "label": label} for margin, leaf, label in zip(margins, leaves, labels)
    ]


def compare(sample: Sample, answers: list[dict[str, Any]], tally: Tally) -> list[str]:
    """Adds a sample to the tally and returns what differs, in words."""
    assert len(answers) == len(sample.rows), f"{sample.about}: {len(answers)} answers for {len(sample.rows)} rows"
    margins = np.array([np.ravel(answer["margin"]) for answer in answers], dtype=np.float64)
    expected = np.ascontiguousarray(sample.margins.reshape(len(sample.rows), -1), dtype=np.float64)
    if margins.shape != expected.shape:
        return [f"{sample.about}: {margins.shape[1]} margins instead of {expected.shape[1]}"]
    wrong_margin = (margins.view(np.uint64) != expected.view(np.uint64)).any(axis=1)
    problems = []
    if sample.leaves is not None:
        leaves = np.array([answer["leaves"] for answer in answers])
        if leaves.shape != sample.leaves.shape:
            return [f"{sample.about}: {leaves.shape[1]} trees instead of {sample.leaves.shape[1]}"]
        wrong = leaves != sample.leaves
        tally.compared += wrong.size
        tally.different += int(wrong.sum())
        for row, tree in np.argwhere(wrong)[:3]:
            problems.append(f"{sample.about}: row {row}, tree {tree}: leaf {leaves[row, tree]} instead of {sample.leaves[row, tree]}")
    else:
        tally.compared += wrong_margin.size * sample.num_trees
        tally.different += int(wrong_margin.sum()) * sample.num_trees
    for row in np.flatnonzero(wrong_margin)[:3]:
        problems.append(f"{sample.about}: row {row}: margin {margins[row].tolist()} instead of {expected[row].tolist()}")
    if sample.labels is not None:
        labels = [str(answer["label"]) for answer in answers]
        for row, (label, right) in enumerate(zip(labels, sample.labels)):
            if label.lower() != str(right).lower():
                problems.append(f"{sample.about}: row {row}: label {label} instead of {right}, margin {expected[row].tolist()}")
    tally.models += 1
    return problems
