"""The types that the package ships: consistent in themselves, and those of what is compiled."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def run(*command: str) -> str:
    places = os.pathsep.join([str(ROOT / "python"), os.environ.get("PYTHONPATH", "")])
    environment = os.environ | {"PYTHONPATH": places, "MYPYPATH": str(ROOT / "python")}
    done = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_package_is_typed_throughout() -> None:
    assert "no issues found" in run("mypy", "--config-file", "pyproject.toml")
    assert (ROOT / "python/treeproof/py.typed").exists()


def test_stubs_are_those_of_what_is_compiled() -> None:
    assert "no issues found" in run("mypy.stubtest", "treeproof", "--mypy-config-file", "pyproject.toml")


def test_the_type_checker_knows_what_questions_return(tmp_path: Path) -> None:
    """Whoever calls the package wrongly is told before running it; a check of this test, too: wrong calls are found."""
    user = tmp_path / "user.py"
    user.write_text(
        "import treeproof as tp\n"
        "report = tp.max('model.json', where='age >= 30', time=10)\n"
        "reveal_type(report)\n"
        "reveal_type(report.lower)\n"
        "reveal_type(report.table['row'])\n"
        "reveal_type(tp.load('model.json').features)\n"
        "tp.max('model.json', wher='age >= 30')\n"
        "tp.robust('model.json', 'rows.csv', norm='l1')\n"
    )
    places = os.environ | {"MYPYPATH": str(ROOT / "python")}
    command = [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml"), str(user)]
    said = subprocess.run(command, cwd=tmp_path, env=places, capture_output=True, text=True).stdout
    revealed = [line.partition('"')[2].rstrip('"') for line in said.splitlines() if "Revealed type" in line]
    assert revealed == ["treeproof.report.Report", "float | None", "list[Any]", "list[str]"], said
    assert 'Unexpected keyword argument "wher"' in said
    assert 'Missing named argument "radius"' in said
