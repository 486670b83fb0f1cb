"""Questions over rows on a real cluster of two processes: the answers are those of one process, even if a worker is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cli
import distributed
import numpy as np
import pandas as pd
import pytest
import scipy.sparse
import treeproof as tp
import xgboost
from sklearn.ensemble import GradientBoostingClassifier, GradientBoostingRegressor


RNG = np.random.default_rng(7)
PEOPLE = pd.DataFrame(
    {
        "sex": RNG.integers(0, 2, 2000),
        "age": RNG.integers(18, 80, 2000),
        "income": RNG.normal(3, 1, 2000).round(2),
        "debt": RNG.exponential(1, 2000).round(2),
    }
)
GRANTED = (PEOPLE["income"] - PEOPLE["debt"] + 0.3 * PEOPLE["sex"] + PEOPLE["age"] / 100 > 2.4).to_numpy().astype(int)


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[distributed.Client]:
    """Two workers, each a process of one thread."""
    folder = tmp_path_factory.mktemp("dask")
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "memory_limit": "2GiB", "dashboard_address": None}
    with distributed.LocalCluster(**options, local_directory=folder) as cluster, distributed.Client(cluster) as client:
        yield client


@pytest.fixture(scope="module")
def model() -> tp.Model:
    return tp.load(GradientBoostingClassifier(n_estimators=6, max_depth=3, random_state=0).fit(PEOPLE, GRANTED))


@pytest.fixture(scope="module")
def regressor() -> tp.Model:
    target = PEOPLE["income"] * 2 + PEOPLE["sex"]
    return tp.load(GradientBoostingRegressor(n_estimators=5, max_depth=3, random_state=0).fit(PEOPLE, target))


HARD_ROWS = np.random.default_rng(2).normal(size=(40, 12))


@pytest.fixture(scope="module")
def hard() -> tp.Model:
    """A model about which a row takes longer than any test waits."""
    rows = np.random.default_rng(1).normal(size=(1500, 12))
    target = np.sin(3 * rows).sum(axis=1) + (rows[:, :6] * rows[:, 6:]).sum(axis=1)
    return tp.load(GradientBoostingRegressor(n_estimators=120, max_depth=6, max_features=0.3, random_state=0).fit(rows, target))


def _same(ours: tp.Report, theirs: tp.Report) -> None:
    """But for times, and for the memory that searches happened to take."""
    assert cli.timeless(ours.to_dict()) == cli.timeless(theirs.to_dict())
    assert list(ours.to_dict()) == list(theirs.to_dict())


def _pids(client: distributed.Client) -> dict[str, int]:
    return client.run(os.getpid)


def test_robust_is_as_in_one_process(client: distributed.Client, model: tp.Model) -> None:
    events: list[dict[str, Any]] = []
    ask = {"norm": "linf", "radius": 0.1, "y": GRANTED, "where": ["fixed(sex)"], "threads": 1}
    ours = tp.robust(model, PEOPLE, **ask, client=client, progress=events.append)
    theirs = tp.robust(model, PEOPLE, **ask)
    _same(ours, theirs)
    assert ours.table["row"] == list(range(2000)) and {"holds", "violated"} <= set(ours.table["verdict"])
    assert ours.summary["certified_accuracy"] is not None and ours.task.to_dict() == theirs.task.to_dict()
    done = [event["rows_done"] for event in events]
    assert len(done) > 8 and done == sorted(done) and done[-1] == events[-1]["num_rows"] == 2000
    assert [event["rows_done"] for event in ours.trace] == done
    # Both workers had a share, and each has read the model once.
    kept = client.run(lambda: len(__import__("treeproof.cluster").cluster._kept))
    assert len(kept) == 2 and all(count == 1 for count in kept.values())


def test_closest_and_fair_are_as_in_one_process(client: distributed.Client, model: tp.Model, regressor: tp.Model) -> None:
    questions: list[Callable[..., tp.Report]] = [
        lambda **more: tp.closest(model, PEOPLE, norm="l1", scale=PEOPLE, count=2, rows=30, **more),
        lambda **more: tp.closest(regressor, PEOPLE.to_numpy()[:20], norm="l0", output_above=5.0, **more),
        lambda **more: tp.closest(regressor, PEOPLE[:5], norm="l2", output_above=1e9, **more),
        lambda **more: tp.robust(regressor, PEOPLE[:20], norm="l2", radius=0.2, within=0.5, **more),
        lambda **more: tp.fair(model, PEOPLE[:100], protected="sex", domain=PEOPLE[:100], **more),
        lambda **more: tp.fair(model, PEOPLE[:50], protected="sex", where="age >= 40", **more),
        lambda **more: tp.fair(regressor, PEOPLE[:50], protected="sex", **more),
        lambda **more: tp.robust(model, PEOPLE[:50], norm="linf", radius=0.1, where=["age >= 4", "age <= 3"], **more),
        lambda **more: tp.closest(model, {"sex": 1, "age": 30, "income": 2.0, "debt": 0.5}, norm="l1", **more),
    ]
    for ask in questions:
        _same(ask(client=client), ask(threads=1))


def test_rows_of_any_kind_are_read_once(client: distributed.Client) -> None:
    """Categories and holes by name, texts and sparse rows: what a chunk would make of its own rows does not count."""
    people = PEOPLE.assign(home=pd.Categorical(RNG.choice(["own", "rent", "none"], 2000)))
    people.loc[::7, "income"] = np.nan
    model = tp.load(xgboost.XGBClassifier(n_estimators=5, max_depth=3, enable_categorical=True).fit(people, GRANTED))
    ask = {"norm": "l0", "radius": 2, "y": GRANTED[:30].astype(str), "threads": 1}
    for rows in (people[:30], people[:30].astype({"home": str}), people[:30].to_dict("records")):
        _same(tp.robust(model, rows, **ask, client=client), tp.robust(model, rows, **ask))
    sparse = scipy.sparse.random(200, 6, 0.4, random_state=0, format="csr")
    model = tp.load(xgboost.XGBClassifier(n_estimators=5, max_depth=3).fit(sparse, GRANTED[:200]))
    ask = {"norm": "l1", "missing_cost": 1.0, "threads": 1}
    _same(tp.closest(model, sparse[:20], **ask, client=client), tp.closest(model, sparse[:20], **ask))


def test_files_are_read_by_the_client(client: distributed.Client, model: tp.Model, tmp_path: Path) -> None:
    """Workers need not see them; a column may hold the labels, and columns may be in any order."""
    file, text = tmp_path / "people.csv", PEOPLE[:80].assign(granted=GRANTED[:80])
    text[["granted", "debt", "age", "sex", "income"]].to_csv(file, index=False)
    ask = {"norm": "linf", "radius": 0.1, "label": "granted", "domain": file, "scale": f"std:{file}", "threads": 1}
    _same(tp.robust(model, file, **ask, client=client), tp.robust(model, file, **ask))
    # What contradicts the domain is called the same.
    ask = {"norm": "linf", "radius": 0.1, "where": "age >= 200", "domain": file}
    _same(tp.robust(model, file, **ask, client=client), tp.robust(model, file, **ask))


def test_a_killed_worker_changes_nothing(client: distributed.Client, model: tp.Model) -> None:
    """One is killed when the first chunk is done, with others under way on it."""
    before = _pids(client)
    killed: list[tuple[int, list[str]]] = []

    def kill(event: dict[str, Any]) -> None:
        if not killed:
            address, keys = next((address, keys) for address, keys in client.processing().items() if keys)
            os.kill(before[address], signal.SIGKILL)
            killed.append((before[address], list(keys)))
            assert event["rows_done"] < event["num_rows"]

    ask = {"norm": "l2", "data": PEOPLE[:800], "threads": 1}
    ours = tp.closest(model, **ask, client=client, progress=kill)
    [(pid, keys)] = killed
    assert keys and all(key.startswith("treeproof-closest") for key in keys)
    _same(ours, tp.closest(model, **ask))
    client.wait_for_workers(1, timeout=60)
    after = _pids(client)
    assert pid in before.values() and pid not in after.values()
    # What it had begun was begun again: some chunk was sent to a worker twice.
    story = client.run_on_scheduler(lambda dask_scheduler: [tuple(line[:3]) for line in dask_scheduler.story(*keys)])
    begun = [key for key, _, state in story if state == "processing"]
    assert any(begun.count(key) >= 2 for key in keys), story


def test_the_loss_of_all_workers_changes_nothing(client: distributed.Client, model: tp.Model) -> None:
    """The model is gone with them, and sent again."""
    before, killed = _pids(client), []

    def kill(event: dict[str, Any]) -> None:
        if not killed:
            killed.extend(before.values())
            for pid in killed:
                os.kill(pid, signal.SIGKILL)

    ask = {"norm": "l2", "data": PEOPLE, "rows": 400, "threads": 1}
    _same(tp.closest(model, **ask, client=client, progress=kill), tp.closest(model, **ask))
    assert killed
    client.wait_for_workers(1, timeout=60)
    assert not set(killed) & set(_pids(client).values())


def test_ctrl_c_gives_what_is_known(client: distributed.Client, model: tp.Model) -> None:
    def interrupt(event: dict[str, Any]) -> None:
        os.kill(os.getpid(), signal.SIGINT)

    report = tp.robust(model, PEOPLE, norm="linf", radius=0.1, client=client, progress=interrupt)
    assert 0 < len(report.rows) < 2000 and report.summary["rows"] + report.summary["left"] == 2000
    whole = tp.robust(model, PEOPLE, norm="linf", radius=0.1, threads=1)
    first = report.rows[0]["row"]
    assert cli.timeless(report.rows) == cli.timeless(whole.rows[first : first + len(report.rows)])


def test_cancelled_chunks_end_on_their_workers(client: distributed.Client, hard: tp.Model) -> None:
    """Searches that nobody waits for do not go on until their time is up."""
    timer = threading.Timer(3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        tp.closest(hard, HARD_ROWS, norm="l1", output_above=14.2, time=300, client=client)
    deadline = time.monotonic() + 30
    while any(client.run(lambda dask_worker: dask_worker.state.executing_count).values()):
        assert time.monotonic() < deadline, "a search goes on"
        time.sleep(0.1)


def test_errors_come_back_as_they_are(client: distributed.Client, model: tp.Model) -> None:
    rows = PEOPLE[:30].astype(float)
    rows.loc[27, "age"] = np.inf
    refusals: list[tuple[type[Exception], Callable[..., tp.Report]]] = [
        (tp.TaskError, lambda **more: tp.robust(model, PEOPLE, norm="linf", radius=0.1, where="agee > 3", **more)),
        (tp.TaskError, lambda **more: tp.robust(model, PEOPLE, norm="linf", radius=-0.1, **more)),
        (tp.TaskError, lambda **more: tp.closest(model, PEOPLE, norm="l2", target="maybe", **more)),
        (tp.TaskError, lambda **more: tp.closest(model, PEOPLE, norm="l2", rows=-1, **more)),
        (tp.DataError, lambda **more: tp.closest(model, PEOPLE[:0], norm="l2", **more)),
        (tp.DataError, lambda **more: tp.closest(model, PEOPLE.drop(columns="age"), norm="l2", **more)),
        (tp.DataError, lambda **more: tp.closest(model, rows, norm="l2", **more)),
        (tp.DataError, lambda **more: tp.closest(model, "nowhere.csv", norm="l2", **more)),
    ]
    for kind, ask in refusals:
        with pytest.raises(kind) as theirs:
            ask(threads=1)
        with pytest.raises(kind) as ours:
            ask(client=client)
        assert str(ours.value) == str(theirs.value)


def test_the_chunks_have_one_proof(client: distributed.Client, model: tp.Model, tmp_path: Path) -> None:
    here, there = tmp_path / "here.proof", tmp_path / "there.proof"
    asked = {"norm": "linf", "radius": 0.1, "threads": 1}
    tp.robust(model, PEOPLE, proof=here, **asked)
    tp.robust(model, PEOPLE, proof=there, client=client, **asked)
    ours, theirs = tp.check(there, model), tp.check(here, model)
    assert ours.verdict == theirs.verdict == "valid"
    # The same statements, in the order in which the chunks were done.
    assert len(ours.statements) == len(PEOPLE) and sorted(ours.statements) == sorted(theirs.statements)
    assert [file.name for file in tmp_path.iterdir() if "partial" in file.name] == []


def test_what_cannot_go_to_a_cluster_is_refused(client: distributed.Client, model: tp.Model, tmp_path: Path) -> None:
    with pytest.raises(tp.TaskError, match=r"client: a builtins.str is no Dask client; give a distributed.Client"):
        tp.closest(model, PEOPLE, norm="l2", client="tcp://10.0.0.1:8786")
    with pytest.raises(tp.TaskError, match=r"client: a cluster is asked about rows"):
        tp.fair(model, protected="sex", client=client)
    with pytest.raises(tp.ProofError, match=r"proof"):
        tp.closest(model, PEOPLE, norm="l2", client=client, proof=tmp_path / "nowhere/proof")
    with pytest.raises(tp.TaskError, match=r"where: functions are for max, min, range and diff"):
        tp.closest(model, PEOPLE, norm="l2", client=client, where=lambda region: True)


def test_dask_is_imported_by_who_uses_it() -> None:
    code = """import sys, treeproof as tp
assert not {"dask", "distributed"} & set(sys.modules)
sys.modules["distributed"] = None
try:
    tp.closest(b"", [[1.0]], norm="l2", client=1)
except tp.TaskError as error:
    print(error)
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout == "client: Dask is not installed: pip install 'treeproof[dask]'\n"
