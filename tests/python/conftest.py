"""Puts the package and the generator of adversarial rows on the path, and keeps every library on one thread."""

import os
import sys
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

ROOT = Path(__file__).resolve().parents[2]
for folder in ("python", "scripts/fixtures"):
    sys.path.insert(0, str(ROOT / folder))
