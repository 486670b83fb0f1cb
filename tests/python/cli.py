"""The command line, for tests that hold the Python package against it."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import parity

# What differs from run to run, or from surface to surface.
_TIMES = {"seconds", "about"}


def ask(*arguments: str | Path) -> dict[str, Any]:
    """The answer to a question, as JSON."""
    call = [*parity.command(), *map(str, arguments), "--json"]
    result = subprocess.run(call, capture_output=True, text=True, check=False)
    assert result.returncode in (0, 1, 3, 4), f"{' '.join(call)}: {result.stderr.strip()}"
    return json.loads(result.stdout)


def refusal(*arguments: str | Path) -> str:
    """What the command line says about what it does not take."""
    result = subprocess.run([*parity.command(), *map(str, arguments)], capture_output=True, text=True, check=False)
    assert result.returncode == 2, result.stdout
    return result.stderr.strip().removeprefix("treeproof: ")


def timeless(answer: Any) -> Any:
    """An answer without what is never the same."""
    if isinstance(answer, dict):
        return {name: timeless(value) for name, value in answer.items() if name not in _TIMES}
    if isinstance(answer, list):
        return [timeless(value) for value in answer]
    return re.sub(r"^--domain .*|^domain .*", "domain", answer) if isinstance(answer, str) else answer
