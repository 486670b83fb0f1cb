"""What people see on a terminal: the line that moves, colours, and Ctrl-C. Python's pty is a real one."""

from __future__ import annotations

import fcntl
import gzip
import os
import pty
import re
import select
import struct
import termios
import time
from pathlib import Path

import pytest
from parity import command

DEMO = Path(__file__).resolve().parents[2] / "crates/treeproof-cli/demo"
# One that takes far longer than the line needs to appear.
HARD = ("stable", DEMO / "tumour.txt.gz", "--norm=l1", "--radius=0.3", f"--scale=std:{DEMO / 'tumours.csv.gz'}", "--time=1s")


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> tuple[object, ...]:
    """A question about so many rows that it takes a while."""
    header, patients = gzip.open(DEMO / "patients.csv.gz", "rt").read().split("\n", 1)
    many = tmp_path_factory.mktemp("terminal") / "patients.csv"
    many.write_text(header + "\n" + 10 * patients)
    return "fair", DEMO / "referral.json.gz", many, "--protected=sex", f"--domain={DEMO / 'patients.csv.gz'}", "--threads=1"


class Seen:
    """What a terminal of some width was sent, and the exit code."""

    def __init__(self, text: str, code: int) -> None:
        self.text, self.code = text, code

    @property
    def drawn(self) -> list[str]:
        """What was drawn over, in order."""
        return [line.rsplit("\n", 1)[-1].rstrip() for line in self.text.split("\r\x1b[2K")[:-1]]

    @property
    def left(self) -> str:
        """What is left on the screen in the end, without colours."""
        return re.sub(r"\x1b\[[0-9;]*m", "", re.sub(r"[^\n]*\r\x1b\[2K", "", self.text)).replace("\r\n", "\n")


def run(*args: object, columns: int = 100, interrupted_at: str | None = None, **environment: str) -> Seen:
    """Runs the command on a terminal. Types Ctrl-C when a text appears."""
    child, terminal = pty.fork()
    if child == 0:
        # A person's terminal, whoever runs the tests: on a CI server colours are on even where a terminal is dumb.
        inherited = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "CLICOLOR_FORCE", "CI")}
        # The width is set before the command starts, as in any terminal.
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        os.execve(command()[0], [*command(), *map(str, args)], inherited | {"TERM": "xterm-256color"} | environment)
    text, end = b"", time.monotonic() + 60
    while time.monotonic() < end:
        if select.select([terminal], [], [], 0.1)[0]:
            try:
                text += os.read(terminal, 65536)
            except OSError:
                break
        if interrupted_at and interrupted_at.encode() in text:
            os.write(terminal, b"\x03")
            interrupted_at = None
    return Seen(text.decode(), os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))


def test_bounds_are_drawn_over_and_gone_in_the_end() -> None:
    seen = run(*HARD, columns=120)
    assert seen.code == 3
    assert 2 <= len(seen.drawn) <= 10, "not so often that it flickers"
    line = r"between \S+ and \S+, gap \S+, \d+ s, [\d,]+ open of [\d,]+ regions, Ctrl-C: answer so far|preparing [\d,]+ trees"
    assert all(re.fullmatch(line, drawn) for drawn in seen.drawn), seen.drawn
    assert seen.left.startswith("The largest difference of the margin ")


@pytest.mark.parametrize("columns", [30, 60, 80])
def test_the_line_fits_the_terminal(columns: int, rows: tuple[object, ...]) -> None:
    for question in (HARD, rows):
        drawn = run(*question, columns=columns).drawn
        assert drawn and all(0 < len(line) < columns for line in drawn), drawn


def test_rows_are_counted_with_a_bar(rows: tuple[object, ...]) -> None:
    seen = run(*rows)
    line = r"\[=* *\] [\d,]+ of 4,420 rows(, [\d,]+ hold)?(, [\d,]+ violated)?, \d+ s, about \d+ s left(, Ctrl-C: answer so far)?"
    assert seen.drawn and all(re.fullmatch(line, drawn) for drawn in seen.drawn), seen.drawn
    assert seen.left.startswith("650 of 4,420 rows")


def test_ctrl_c_gives_the_answer_so_far() -> None:
    seen = run(*HARD[:-1], columns=100, interrupted_at="gap")
    assert seen.code == 3
    assert "the search was interrupted" in seen.left
    # What the terminal shows of it is in the same row, which is cleared.
    row = seen.text.split("^C")[0].rsplit("\x1b[2K", 1)[-1]
    assert "^C" in seen.text and len(row + "^C") < 100, row


@pytest.mark.parametrize("command", ["max", "inspect", "predict", "convert", "audit"])
def test_what_is_read_is_shown(command: str, tmp_path: Path) -> None:
    """A pipe into which nothing is written is a model that takes long to read."""
    (model, rows, audit) = (tmp_path / "slow.json", tmp_path / "rows.csv", tmp_path / "audit.toml")
    os.mkfifo(model)
    rows.write_text("age\n1\n")
    audit.write_text("model = 'slow.json'\n[[check]]\nname = 'high'\nquestion = 'max'\nat_most = 1\n")
    given = {"predict": (model, rows), "convert": (model, tmp_path / "copy.json"), "audit": (audit,)}.get(command, (model,))
    seen = run(command, *given, interrupted_at="reading slow.json")
    assert seen.code == 130, seen.text
    assert seen.left.endswith("treeproof: interrupted: nothing is known yet\n")


def test_colours_are_modest_and_can_be_forbidden() -> None:
    question = ("max", DEMO / "progression-v1.json.gz")
    coloured = run(*question).text
    assert coloured.startswith("\x1b[32mThe largest margin is ") and "\x1b[2mfeature" in coloured
    assert "\x1b[1m\x1b[31mtreeproof\x1b[0m: " in run("max", "nothing.json").text
    for forbidden in (run(*question, NO_COLOR="1"), run(*question, TERM="dumb"), run(*question, "--color=never")):
        assert "\x1b" not in forbidden.text
    # A line that cannot be drawn over is not drawn.
    assert "\x1b" not in run(*HARD, TERM="dumb").text


def test_the_demo_ends_politely(tmp_path: Path) -> None:
    seen = run("demo", "--dir", tmp_path / "demo", interrupted_at="2. What is")
    assert seen.code == 130
    assert re.search(r"\nInterrupted after \d of 10 questions\. The files are in \S+/demo\.\n$", seen.left), seen.left
