"""Searches from Python: interruption, threads, progress, functions as conditions, errors in Python's words."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from pathlib import Path
from typing import Any

import cli
import numpy as np
import pytest
import treeproof as tp
from test_questions import BINARY, CLASSES, NEW, OLD, PEOPLE


@pytest.fixture(scope="module")
def hard() -> tp.Model:
    """A model whose largest output takes longer to prove than any test waits."""
    from sklearn.ensemble import GradientBoostingRegressor

    rng = np.random.default_rng(1)
    rows = rng.normal(size=(3000, 12))
    target = np.sin(3 * rows).sum(axis=1) + (rows[:, :6] * rows[:, 6:]).sum(axis=1)
    return tp.load(GradientBoostingRegressor(n_estimators=150, max_depth=7, max_features=0.3, random_state=0).fit(rows, target))


def _interrupt_after(seconds: float) -> threading.Timer:
    timer = threading.Timer(seconds, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    return timer


# A search of one thread runs in Python's own.
@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_gives_what_is_known(hard: tp.Model, threads: int) -> None:
    timer = _interrupt_after(1.5)
    start = time.monotonic()
    report = tp.max(hard, time=120, threads=threads)
    timer.join()
    assert time.monotonic() - start < 60
    assert report.stopped == "interrupted" and report.verdict == "undecided"
    assert report.lower is not None and report.upper is not None and report.lower <= report.upper
    assert report.trace and report.trace[-1]["upper"] >= report.upper


def test_ctrl_c_ends_the_reading_of_a_model(hard: tp.Model) -> None:
    large = json.loads(hard.to_bytes())
    large["trees"] = 100 * large["trees"]
    weights = large["aggregate"]["weights"]
    weights["per_tree"] = 100 * weights["per_tree"]
    content = json.dumps(large).encode()
    shares = []
    # A busy machine may delay one interrupt, not all of them; an interrupt that waits for the end is never early.
    for _ in range(5):
        start = time.monotonic()
        tp.load(content)
        whole = time.monotonic() - start
        timer = _interrupt_after(whole / 5)
        start = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            tp.load(content)
            timer.join()
        shares.append((time.monotonic() - start) / whole)
        timer.join()
        if shares[-1] < 0.7:
            return
    pytest.fail(f"shares of the time that reading takes: {shares}")


def test_ctrl_c_keeps_the_rows_that_are_done(hard: tp.Model) -> None:
    rows = np.random.default_rng(2).normal(size=(20_000, 12))
    is_sent = False

    def interrupt(event: dict[str, Any]) -> None:
        nonlocal is_sent
        # While there is much to do still: however fast rows are answered, the search is what is interrupted; and though the
        # signal arrives here, nothing is lost.
        if not is_sent and event["rows_done"] > 0:
            is_sent = True
            os.kill(os.getpid(), signal.SIGINT)

    report = tp.closest(hard, rows, norm="l2", output_above=1e6, time=100, progress=interrupt)
    assert report.rows is not None and 0 < len(report.rows) < len(rows)


def test_python_runs_on_while_a_search_does(hard: tp.Model) -> None:
    """The interpreter is free: other threads go on, and several searches at once."""
    counted, reports, done = [0], [], threading.Event()

    def count() -> None:
        while not done.is_set():
            counted[0] += 1
            time.sleep(0.001)

    def ask() -> None:
        reports.append(tp.max(hard, time=1, threads=1))

    counter = threading.Thread(target=count)
    searches = [threading.Thread(target=ask) for _ in range(3)]
    for thread in [counter, *searches]:
        thread.start()
    for thread in searches:
        thread.join()
    done.set()
    counter.join()
    assert len(reports) == 3 and {report.stopped for report in reports} <= {"time", "optimal"}
    assert counted[0] > 50


def test_one_thread_takes_the_same_steps() -> None:
    reports = [tp.max(BINARY, threads=1, seed=4) for _ in range(2)]
    assert cli.timeless(reports[0].to_dict()) == cli.timeless(reports[1].to_dict())
    # More threads prove the same number.
    assert tp.max(BINARY, threads=3).upper == reports[0].upper


@pytest.mark.parametrize("threads", [1, 2])
def test_progress_is_told(hard: tp.Model, capfd: pytest.CaptureFixture[str], threads: int) -> None:
    tp.max(BINARY)
    # Nobody watches what is no terminal.
    tp.max(hard, time=1, progress=True, threads=threads)
    assert capfd.readouterr().err == ""
    events: list[dict[str, Any]] = []
    tp.max(hard, time=1, progress=events.append, threads=threads)
    assert events and events[-1]["question"] == "max" and events[-1]["upper"] <= events[0]["upper"]

    def fail(event: dict[str, Any]) -> None:
        raise LookupError("not today")

    with pytest.raises(LookupError, match="not today"):
        tp.max(hard, time=60, progress=fail, threads=threads)


def test_a_function_says_what_is_allowed() -> None:
    regions: list[dict[str, Any]] = []

    def few(region: dict[str, Any]) -> bool:
        """|f0| + |f2| <= 1, as far as boxes tell."""
        regions.append(region)
        least = 0.0
        for name in ("f0", "f2"):
            low, high = region[name]
            least += 0.0 if low <= 0.0 <= high else min(abs(low), abs(high))
        return least <= 1.0

    everything = tp.max(BINARY, threads=1)
    report = tp.max(BINARY, where=["f1 >= 0", few], threads=1)
    witness = report.witness
    assert abs(witness["f0"]) + abs(witness["f2"]) <= 1.0 and witness["f1"] >= 0
    assert report.verdict in ("optimal", "undecided") and report.upper <= everything.upper
    assert set(regions[0]) == set(tp.load(BINARY).features)
    # The same condition in words, where all is decided, has the same optimum.
    written = tp.max(BINARY, where=["f1 >= 0", "abs(f0) <= 1", "abs(f2) <= 1", "f0 + f2 <= 1", "f0 - f2 <= 1", "f2 - f0 <= 1", "f0 + f2 >= -1"], threads=1)
    assert report.lower <= written.upper + 1e-9 and written.lower <= report.upper + 1e-9
    nothing = tp.max(BINARY, where=lambda region: False, threads=1)
    assert nothing.verdict == "infeasible" and nothing.conflict == ["a function"]


def test_conditions_may_come_from_a_generator() -> None:
    conditions = ["age < 30", lambda region: True]
    report = tp.max(NEW, where=(condition for condition in conditions), threads=1)
    assert report.task.to_dict()["where"] == ["age < 30"] and report.upper == tp.max(NEW, where="age < 30").upper


def test_a_function_of_categories_sees_their_names() -> None:
    def no_singles(region: dict[str, Any]) -> bool:
        assert isinstance(region["status"], set)
        return region["status"] != {"single"}

    report = tp.range(NEW, domain=PEOPLE, where=no_singles, threads=1)
    written = tp.range(NEW, domain=PEOPLE, where="status != single", threads=1)
    assert (report.lower, report.upper) == (written.lower, written.upper)
    assert report.max.witness["status"] != "single" and report.min.witness["status"] != "single"


def test_a_function_says_where_models_are_compared() -> None:
    def is_young(region: dict[str, Any]) -> bool:
        assert region.keys() == {"age", "income", "status"}
        return region["age"][0] < 30

    report = tp.diff(OLD, NEW, domain=PEOPLE, where=is_young, threads=1)
    written = tp.diff(OLD, NEW, domain=PEOPLE, where="age < 30", threads=1)
    everywhere = tp.diff(OLD, NEW, domain=PEOPLE, threads=1)
    assert (report.lower, report.upper) == (written.lower, written.upper)
    assert report.witness["age"] < 30 and report.upper < everywhere.upper
    within = (report.upper + everywhere.upper) / 2
    assert tp.diff(OLD, NEW, domain=PEOPLE, where=is_young, within=within).verdict == "holds"
    nothing = tp.diff(OLD, NEW, where=["age < 30", lambda region: False])
    assert nothing.verdict == "infeasible" and nothing.conflict == ["age < 30", "a function"]

    def is_no_point(region: dict[str, Any]) -> bool:
        low, high = region["age"]
        return low < high

    # Nothing is claimed where no input was found that is allowed, and none is known to be forbidden.
    open_ = tp.diff(OLD, NEW, domain=PEOPLE, where=is_no_point)
    assert open_.verdict == "undecided" and open_.upper >= everywhere.upper
    assert tp.diff(OLD, NEW, domain=PEOPLE, where=is_no_point, within=within).verdict == "undecided"


def test_what_a_function_raises_comes_out() -> None:
    def broken(region: dict[str, Any]) -> bool:
        return region["no such feature"] > 1

    with pytest.raises(KeyError, match="no such feature"):
        tp.max(BINARY, where=broken)
    with pytest.raises(tp.TaskError, match="where can be code only for `max`, `min`, `range` and `diff`"):
        tp.closest(NEW, PEOPLE, norm="l1", where=lambda region: True)
    with pytest.raises(tp.TaskError, match="no proofs"):
        tp.max(BINARY, where=lambda region: True, proof=os.devnull)


REFUSED: dict[str, tuple[type[Exception], Any, str]] = {
    "no file": (tp.ModelError, lambda: tp.load("nothing.json"), "nothing.json: no such file"),
    "no model": (tp.ModelError, lambda: tp.load(b"age,income"), "not"),
    "condition": (tp.TaskError, lambda: tp.max(NEW, where="agee >= 3"), "where: .*did you mean `age`"),
    "class": (tp.TaskError, lambda: tp.max(CLASSES), "say with class_ which is meant"),
    "field": (tp.TaskError, lambda: tp.max(NEW, threads=0), "threads must be at least 1"),
    "time": (tp.TaskError, lambda: tp.max(NEW, time="soon"), "not a time such as 500ms, 30s"),
    "number": (tp.TaskError, lambda: tp.max(NEW, stop_above=float("nan")), "stop_above is not a finite number"),
    "no number": (tp.TaskError, lambda: tp.robust(NEW, PEOPLE, norm="l1", radius="far"), "^radius is not a number: 'far'$"),
    "no whole number": (tp.TaskError, lambda: tp.max(NEW, threads=1.5), "^threads is not a whole number from 0 on: 1.5$"),
    "long": (tp.TaskError, lambda: tp.max(NEW, seed=np.eye(9)), r"^seed is not a whole number: array\(.{,100}$"),
    "norm": (tp.TaskError, lambda: tp.closest(NEW, PEOPLE, norm="l3"), "^unknown word `l3`, expected one of `linf`, `l2`, `l1`, `l0`$"),
    "no condition": (tp.TaskError, lambda: tp.max(NEW, where=3), "^where is neither a condition nor a list of conditions: 3$"),
    "seed": (tp.TaskError, lambda: tp.max(NEW, seed=1 << 64), "^seed is too large: 18446744073709551616$"),
    "norm as a number": (tp.TaskError, lambda: tp.closest(NEW, PEOPLE, norm=np.inf), "^norm is not a text, such as 'linf': inf$"),
    "predict": (tp.TaskError, lambda: tp.load(NEW).predict(PEOPLE, threads=-1), "^threads is not a whole number from 0 on: -1$"),
    "no JSON": (tp.TaskError, lambda: tp.solve({"treeproof": 1, "question": "max", "where": {1}}, NEW), "^a task holds texts, finite numbers, lists"),
    "folder": (tp.TaskError, lambda: tp.audit("."), "^.: Is a directory$"),
    "no groups": (tp.TaskError, lambda: tp.max(NEW, groups=["a_*"]), "^groups is not a dict such as"),
    "no weights": (tp.TaskError, lambda: tp.closest(NEW, PEOPLE, norm="l1", weights=[1]), "^weights is not a dict such as"),
    "progress": (tp.TaskError, lambda: tp.max(NEW, progress="yes"), "^progress is none of"),
    "out of reach": (tp.TaskError, lambda: tp.closest(NEW, PEOPLE, norm="l1", output_above=5), "^output_above: 5 is beyond all outputs"),
    "other labels": (tp.DataError, lambda: tp.robust(NEW, [[22, 18000, 0]], norm="l1", radius=1, y=["a"]), "none is a class of the model: there is `a`"),
    "two labels": (tp.TaskError, lambda: tp.robust(NEW, [[1, 2, 0]], norm="l1", radius=1, label="x", y=[0]), "^y, label: give"),
    "complex": (tp.DataError, lambda: tp.closest(NEW, np.zeros((1, 3), complex), norm="l1"), "complex128"),
    "no proof": (tp.ProofError, lambda: tp.check("nowhere.proof", NEW), "^nowhere.proof: no such file$"),
    "no folder": (tp.ProofError, lambda: tp.max(NEW, proof="nowhere/a.proof"), "^nowhere/a.proof: there is no such folder$"),
    "method": (tp.TaskError, lambda: tp.max(NEW, method="magic"), "magic"),
    "group": (tp.TaskError, lambda: tp.max(NEW, groups={"x": "nothing_*"}), "nothing_"),
    "label": (tp.DataError, lambda: tp.robust(NEW, PEOPLE, norm="l1", radius=1, label="y"), "no label column `y`"),
    "rows": (tp.DataError, lambda: tp.closest(NEW, "nowhere.csv", norm="l1"), "nowhere.csv"),
    "target": (tp.TaskError, lambda: tp.closest(NEW, PEOPLE, norm="l1", target="x"), "target: there is no class `x`"),
    "unlabelled": (tp.TaskError, lambda: tp.diff(NEW, CLASSES), "margins"),
    "task": (tp.TaskError, lambda: tp.solve({"treeproof": 1, "question": "maxx"}, NEW), "did you mean `max`"),
    "audit": (tp.TaskError, lambda: tp.audit("nothing.toml"), "nothing.toml: no such file"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_errors_have_types_and_one_line(name: str) -> None:
    kind, call, text = REFUSED[name]
    with pytest.raises(kind, match=text) as raised:
        call()
    assert isinstance(raised.value, tp.TreeproofError) and "\n" not in str(raised.value)
    assert "--" not in str(raised.value)


def test_an_error_is_the_command_lines_own() -> None:
    with pytest.raises(tp.TaskError) as raised:
        tp.max(NEW, where="agee >= 3")
    assert f"--{raised.value}" == cli.refusal("max", NEW, "--where", "agee >= 3")


def test_many_rows_cross_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    native = tp.asking._native.ask
    monkeypatch.setattr(tp.asking._native, "ask", lambda *arguments: calls.append(1) or native(*arguments))
    rows = np.repeat(np.array([[30.0, 20000.0, 0.0]]), 300, axis=0)
    report = tp.closest(NEW, rows, norm="l0")
    assert len(calls) == 1 and len(report.table) == 300 and len(report.trace) == 300


def test_a_path_is_a_path(tmp_path: Path) -> None:
    copied = tmp_path / "model.json"
    copied.write_bytes(NEW.read_bytes())
    assert tp.load(copied) != tp.load(BINARY) and tp.load(str(copied)).features == tp.load(NEW).features
    assert tp.load(copied.read_bytes()).inspect()["trees"] == 3
