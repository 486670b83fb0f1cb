"""The examples: each runs, agrees with its library (the scripts assert that themselves), and prints what their README says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

EXAMPLES = ROOT / "examples"
README = EXAMPLES / "README.md"


def _block(name: str) -> re.Pattern[str]:
    """What the README shows of an example."""
    return re.compile(rf"(## \[{re.escape(name)}\].*?\n```\n)(.*?)(```\n)", re.DOTALL)


@pytest.mark.parametrize("script", sorted(EXAMPLES.glob("*.py")), ids=lambda script: script.stem)
def test_prints_what_the_readme_says(script: Path) -> None:
    result = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False, timeout=120)
    assert result.returncode == 0, result.stderr
    text = README.read_text(encoding="utf-8")
    shown = _block(script.name).search(text)
    assert shown, f"{README.name} does not show {script.name}"
    if os.environ.get("TREEPROOF_UPDATE"):
        README.write_text(text[: shown.start(2)] + result.stdout + text[shown.end(2) :], encoding="utf-8")
    else:
        assert shown[2] == result.stdout


def test_are_short() -> None:
    for script in EXAMPLES.glob("*.py"):
        assert len(script.read_text(encoding="utf-8").splitlines()) < 60, script.name
