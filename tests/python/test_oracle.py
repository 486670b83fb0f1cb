"""The optimum of ``treeproof max`` is that of HiGHS, on random boxes of freshly trained models.

``TREEPROOF_BIN`` and ``TREEPROOF_SEED`` as in ``test_parity.py``; `bench/oracles` does the same on large models.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import conftest
import numpy as np
import parity
import pytest
import solvers
import xgboost

MODELS, BOXES = 4, 4
FEATURES = 5
# HiGHS accepts violations of a constraint up to 1e-6.
TOLERANCE = 1e-5


def trained(rng: np.random.Generator, path: Path) -> None:
    """A regression whose sums start at 0, which is all that the solvers are told."""
    rows = rng.normal(size=(400, FEATURES)).astype(np.float32)
    labels = np.sin(2 * rows[:, 0]) * rows[:, 1] + rows[:, 2:].prod(axis=1) + rng.normal(scale=0.1, size=len(rows))
    parameters = {"max_depth": int(rng.integers(3, 6)), "base_score": 0.0, "nthread": 1, "seed": int(rng.integers(1000))}
    xgboost.train(parameters, xgboost.DMatrix(rows, labels), int(rng.integers(5, 20))).save_model(path)


def random_box(rng: np.random.Generator) -> solvers.Box:
    """Ends are `f32` numbers, as XGBoost reads its inputs."""
    ends = np.sort(rng.normal(scale=1.5, size=(FEATURES, 2)).astype(np.float32))
    return [(float(low), float(high)) for low, high in ends]


def maximum(model: Path, box: solvers.Box) -> float:
    conditions = [f"--where={low!r} <= f{feature} < {high!r}" for feature, (low, high) in enumerate(box)]
    command = [*parity.command(), "max", str(model), "--json", "--time", "60s", *conditions]
    answer = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    assert answer["verdict"] == "optimal", answer
    return answer["upper"]


def test_highs_finds_the_same_optimum(tmp_path: Path) -> None:
    if not parity.is_built():
        if "TREEPROOF_BIN" in os.environ:
            pytest.fail(f"TREEPROOF_BIN names no file: {os.environ['TREEPROOF_BIN']}")
        pytest.skip("the binary is not built (cargo build)")
    for number in range(MODELS):
        rng = np.random.default_rng([conftest.SEED, 99, number])
        path = tmp_path / f"{number}.json"
        trained(rng, path)
        model = json.loads(path.read_text())
        for _ in range(BOXES):
            box = random_box(rng)
            ours, theirs = maximum(path, box), solvers.highs(solvers.confined(model, box))
            assert abs(ours - theirs) <= TOLERANCE * max(1.0, abs(ours)), f"seed {conftest.SEED}, model {number}, {box}"
