"""Progress: one live line on terminals, a bar in notebooks, lines in logs, and silence elsewhere."""

from __future__ import annotations

import io
import json
import os
import re
import sys
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import treeproof as tp
from test_searches import hard  # noqa: F401
from treeproof import progress

EXAMPLES = Path(__file__).resolve().parents[2] / "docs/examples"
SEARCH = {"question": "max", "seconds": 3.2, "lower": 1.5, "upper": 4.0, "gap": 2.5, "regions": 1234, "open": 56, "memory_bytes": 9}
ROWS = SEARCH | {"row": 9, "verdict": "holds", "rows_done": 10, "num_rows": 40}


class Terminal:
    """A real terminal's two ends."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, columns: int = 200) -> None:
        self._master, slave = os.openpty()
        self.out = os.fdopen(slave, "w")
        monkeypatch.setattr(sys, "stderr", self.out)
        monkeypatch.setenv("COLUMNS", str(columns))
        assert self.out.isatty()

    def seen(self) -> str:
        self.out.flush()
        os.set_blocking(self._master, False)
        seen = b""
        while True:
            try:
                seen += os.read(self._master, 65536)
            except BlockingIOError:
                return seen.decode()


@pytest.mark.parametrize("threads", [1, 2])
def test_a_terminal_has_one_live_line_that_is_cleared(
    hard: tp.Model, monkeypatch: pytest.MonkeyPatch, threads: int  # noqa: F811
) -> None:
    terminal = Terminal(monkeypatch)
    report = tp.max(hard, time=1.5, progress=True, threads=threads)
    seen = terminal.seen()
    assert report.stopped == "time"
    lines = [line for line in seen.split("\r") if line.strip()]
    said = re.compile(r"between -?[\d.?]+ and [\d.?]+, gap \S+, \d s, [\d,]+ open of [\d,]+ regions, Ctrl-C: answer so far *")
    assert len(lines) > 1 and all(said.fullmatch(line) for line in lines), lines
    assert "\n" not in seen and seen.endswith("\r") and set(seen.split("\r")[-2]) == {" "}


def test_rows_have_a_bar_and_an_estimate(hard: tp.Model, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    terminal = Terminal(monkeypatch)
    rows = np.random.default_rng(2).normal(size=(30, 12))
    tp.closest(hard, rows, norm="l2", output_above=5, time=0.1, progress=True)
    shown = re.findall(r"\[(#*)(\.*)\] (\d+) of 30 rows, \d+ s(, about \d+ s left)?, Ctrl-C: answer so far", terminal.seen())
    assert shown
    for full, left, done, estimate in shown:
        assert len(full) + len(left) == 20 and len(full) == 20 * int(done) // 30
        assert bool(estimate) == (done != "0")


@pytest.mark.parametrize(
    ("columns", "event", "line"),
    [
        (20, SEARCH, "between 1.500000 an"),
        (45, SEARCH, "between 1.500000 and 4.000000, gap 2.5, 3 s"),
        (80, SEARCH, "between 1.500000 and 4.000000, gap 2.5, 3 s, 56 open of 1,234 regions"),
        (40, ROWS, "[#####...............] 10 of 40 rows"),
        (80, ROWS, "[#####...............] 10 of 40 rows, 3 s, about 10 s left"),
        (82, ROWS, "[#####...............] 10 of 40 rows, 3 s, about 10 s left, Ctrl-C: answer so far"),
    ],
)
def test_lines_never_wrap_and_end_with_a_whole_part(
    monkeypatch: pytest.MonkeyPatch, columns: int, event: dict[str, Any], line: str
) -> None:
    terminal = Terminal(monkeypatch, columns)
    seen = progress.shown(True)
    assert seen is not None
    seen(json.dumps(event))
    seen.close()
    first, cleared, _ = terminal.seen().split("\r")[1:]
    assert first == line and cleared == " " * len(line)


def test_elsewhere_there_is_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert progress.shown(True) is None and progress.shown(False) is None
    monkeypatch.setattr(sys, "stderr", None)
    assert progress.shown(True) is None and progress.shown("log") is None
    assert tp.max(EXAMPLES / "new.json", progress=True).verdict == "optimal"


def test_a_log_has_whole_lines_now_and_then() -> None:
    out = io.StringIO()
    often = progress.Log(out, seconds=0.0)
    for event in (SEARCH, ROWS):
        often(json.dumps(event))
    often.close()
    assert out.getvalue() == (
        "treeproof: between 1.500000 and 4.000000, gap 2.5, 3 s, 56 open of 1,234 regions\n"
        "treeproof: 10 of 40 rows, 3 s, about 10 s left\n"
    )
    seldom = progress.Log(out, seconds=100.0)
    seldom(json.dumps(SEARCH))
    assert out.getvalue().count("\n") == 2


def test_what_is_not_known_is_said_to_be_so() -> None:
    begun = SEARCH | {"lower": None, "gap": None}
    assert progress.told(begun)[:2] == ["between ? and 4.000000", "3 s"]
    assert progress.told(ROWS | {"rows_done": 0}) == ["0 of 40 rows", "3 s"]
    assert progress.told(SEARCH | {"found": 3})[0] == "3 found, all others at most 4.000000"


class Notebook(types.ModuleType):
    """What IPython shows in a notebook."""

    def __init__(self) -> None:
        super().__init__("IPython")
        self.shown: list[str] = []
        self.display = types.SimpleNamespace(HTML=str, display=self._first)

    def get_ipython(self) -> Any:
        return types.SimpleNamespace(kernel=object())

    def _first(self, text: str, display_id: bool) -> Any:
        assert display_id
        self.shown.append(text)
        return types.SimpleNamespace(update=self.shown.append)


def test_a_notebook_has_a_bar_that_goes_away(monkeypatch: pytest.MonkeyPatch) -> None:
    notebook = Notebook()
    monkeypatch.setitem(sys.modules, "IPython", notebook)
    monkeypatch.setitem(sys.modules, "IPython.display", notebook.display)  # type: ignore[arg-type]
    seen = progress.shown(True)
    assert isinstance(seen, progress.Notebook)
    seen(json.dumps(ROWS))
    # Too soon to be seen.
    seen(json.dumps(ROWS | {"rows_done": 11}))
    seen.close()
    bar = '<div><progress value="10" max="40"></progress> 10 of 40 rows, 3 s, about 10 s left (interrupt: answer so far)</div>'
    assert notebook.shown == [bar, ""]
