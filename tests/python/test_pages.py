"""What the manual of the Python package shows is what happens."""

from __future__ import annotations

import doctest
import re
import shutil
from pathlib import Path

import matplotlib
import matplotlib.pyplot
import pytest

matplotlib.use("Agg")

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("page", ["docs/python.md"])
def test_examples_of_a_page(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "examples"
    shutil.copytree(ROOT / "docs/examples", folder)
    monkeypatch.chdir(folder)
    blocks = re.findall(r"^```python\n(.*?)^```$", (ROOT / page).read_text(), flags=re.MULTILINE | re.DOTALL)
    assert blocks and all(">>> " in block for block in blocks), "every block is a session that can be run"
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, page, page, 0)
    said: list[str] = []
    runner = doctest.DocTestRunner()
    runner.run(test, out=said.append)
    matplotlib.pyplot.close("all")
    assert runner.failures == 0, "".join(said)
