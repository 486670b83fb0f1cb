"""The command that ``pip install`` provides is the one that ``cargo`` builds."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import parity
import pytest
from cli import timeless

ROOT = Path(__file__).resolve().parents[2]
MODEL = ROOT / "docs/examples/new.json"
DEMO = ROOT / "crates/treeproof-cli/demo"
# A search that takes far longer than the test.
HARD = ("stable", DEMO / "tumour.txt.gz", "--norm=l1", "--radius=0.3", f"--scale=std:{DEMO / 'tumours.csv.gz'}")
WAYS = [[str(Path(sys.executable).with_name("treeproof"))], [sys.executable, "-m", "treeproof"]]


def run(way: list[str], *arguments: object, **options: object) -> subprocess.CompletedProcess:
    return subprocess.run([*way, *map(str, arguments)], capture_output=True, check=False, **options)


@pytest.mark.parametrize("way", WAYS, ids=["script", "module"])
@pytest.mark.parametrize(
    "arguments",
    [("--version",), ("max", "--help"), ("inspect", MODEL), ("max", "nothing.json"), ("max", MODEL, "--tiem=3s"), ("max", MODEL, "--time=often")],
    ids=lambda arguments: " ".join(map(str, arguments[:2])),
)
def test_it_says_the_same(way: list[str], arguments: tuple[object, ...]) -> None:
    own, built = run(way, *arguments), run(parity.command(), *arguments)
    assert (own.returncode, own.stdout, own.stderr) == (built.returncode, built.stdout, built.stderr)


def test_answers_are_the_same_and_tell_what_was_typed(tmp_path: Path) -> None:
    report = tmp_path / "page.html"
    own = run(WAYS[0], "max", MODEL, "--where", "age < 30", "--json", "--report", report)
    built = run(parity.command(), "max", MODEL, "--where", "age < 30", "--json")
    found, expected = json.loads(own.stdout), json.loads(built.stdout)
    assert timeless(found) == timeless(expected)
    assert found["about"]["command"] == expected["about"]["command"] + f" --report {report}"
    assert "age &lt; 30" in report.read_text()


def test_names_that_are_no_utf8_arrive(tmp_path: Path) -> None:
    name = os.fsencode(tmp_path) + b"/m\xff.json"
    Path(os.fsdecode(name)).write_bytes(MODEL.read_bytes())
    assert run(WAYS[0], os.fsdecode(name), "--json").returncode == 2
    done = subprocess.run([*WAYS[0], b"max", name, b"--json"], capture_output=True, check=False)
    assert done.returncode == 0 and json.loads(done.stdout)["verdict"] == "optimal"


def test_ctrl_c_gives_the_answer_so_far() -> None:
    with subprocess.Popen([*WAYS[0], *map(str, HARD)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as search:
        time.sleep(2)
        search.send_signal(signal.SIGINT)
        out, error = search.communicate(timeout=60)
    assert search.returncode == 3, error
    assert "the search was interrupted" in out
