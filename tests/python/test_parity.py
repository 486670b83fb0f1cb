"""Live parity: fresh random models in every run, compared with the libraries leaf by leaf and bit by bit, through the command
line from files and through the Python package from the fitted objects.

``TREEPROOF_BIN``     the binary (default ``target/debug/treeproof``)
``TREEPROOF_SEED``    repeats a run; the seed is printed at the end
``TREEPROOF_ROUTED``  runs until this many (row, tree) pairs per library are compared; default: about 60 seconds in all
"""

from __future__ import annotations

import os
import time
import warnings
from pathlib import Path

import conftest
import numpy as np
import parity
import pytest
from samples import SAMPLES

SECONDS = 60.0 / len(SAMPLES)


@pytest.mark.parametrize("library", SAMPLES)
def test_both_surfaces_compute_what_the_library_computes(library: str, tmp_path: Path) -> None:
    if not parity.is_built():
        if "TREEPROOF_BIN" in os.environ:
            pytest.fail(f"TREEPROOF_BIN names no file: {os.environ['TREEPROOF_BIN']}")
        pytest.skip("the binary is not built (cargo build)")
    goal = int(os.environ.get("TREEPROOF_ROUTED", "0"))
    num_rows = 2000 if goal else 200
    tally = conftest.TALLIES.setdefault(library, parity.Tally())
    problems: list[str] = []
    start, index = time.monotonic(), 0
    while (tally.compared < goal) if goal else (time.monotonic() - start < SECONDS):
        rng = np.random.default_rng([conftest.SEED, list(SAMPLES).index(library), index])
        folder = tmp_path / str(index)
        folder.mkdir()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            sample = SAMPLES[library](rng, folder, num_rows)
        found = parity.compare(sample, parity.predict(sample, folder), tally)
        # The same from the object itself; what is routed is counted once.
        found += [f"as an object: {problem}" for problem in parity.compare(sample, parity.predict_object(sample), parity.Tally())]
        problems += [f"{folder}: {problem}" for problem in found]
        index += 1
        if len(problems) > 20:
            break
    assert not problems, f"seed {conftest.SEED}\n" + "\n".join(problems[:20])
