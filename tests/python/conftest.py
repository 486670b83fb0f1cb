"""Puts the generator of adversarial rows and the general solvers on the path, and keeps every library on one thread."""

import os
import sys
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

ROOT = Path(__file__).resolve().parents[2]
for folder in ("scripts/fixtures", "bench", "uses"):
    sys.path.insert(0, str(ROOT / folder))

SEED = int(os.environ.get("TREEPROOF_SEED") or int.from_bytes(os.urandom(4), "little"))

# Filled by the parity tests, by library.
TALLIES: dict = {}


def pytest_terminal_summary(terminalreporter) -> None:
    """Says how much was compared, and how to repeat it."""
    if TALLIES:
        terminalreporter.write_line(f"seed: TREEPROOF_SEED={SEED}")
    for library, tally in TALLIES.items():
        terminalreporter.write_line(tally.line(library))
