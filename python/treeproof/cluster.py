"""Questions over rows on a Dask cluster: rows go in chunks to the workers, and the answers are summed up as of one process.

A chunk's answer depends on nothing but the model, the chunk and the task, so a lost worker loses nothing: the chunk is asked about
again elsewhere. Models, domains and scales are sent once and kept by each worker.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from treeproof import _native
from treeproof.errors import TaskError
from treeproof.model import Model

# Chunks for each thread of the cluster: several, so that nobody waits long for the last one.
_CHUNKS_PER_THREAD = 8
# Chunks that are sent ahead for each thread: the scheduler holds no more of the rows than these.
_AHEAD_PER_THREAD = 3
_MOST_ROWS = 256
_MOST_BYTES = 4 << 20
# What counts of a row in a summary.
_FACTS = ("verdict", "is_correct", "lower", "upper")
# Models that a worker keeps for the next question.
_KEPT = 2


def checked(client: Any) -> Any:
    """A Dask client that can be waited for."""
    try:
        from distributed import Client
    except ImportError:
        raise TaskError("client: Dask is not installed: pip install 'treeproof[dask]'") from None
    if not isinstance(client, Client):
        kind = f"{type(client).__module__}.{type(client).__qualname__}"
        raise TaskError(f"client: a {kind} is no Dask client; give a distributed.Client")
    if client.asynchronous:
        raise TaskError("client: is asynchronous; give one that was made with asynchronous=False")
    return client


@dataclass(frozen=True)
class _Shared:
    """What all chunks need."""

    digest: str
    models: list[tuple[Any, ...]]
    tables: dict[str, np.ndarray[Any, Any]]

    @classmethod
    def of(cls, models: list[Model], tables: dict[str, np.ndarray[Any, Any]]) -> _Shared:
        arguments = [model.__reduce__()[1] for model in models]
        digest = hashlib.sha256(repr(arguments).encode())
        for name, table in tables.items():
            digest.update(repr((name, table.shape)).encode() + table.tobytes())
        return cls(digest.hexdigest(), arguments, tables)


@dataclass(frozen=True)
class _Chunk:
    """Some of the rows, as the model reads them, from number ``start`` on."""

    start: int
    rows: np.ndarray[Any, Any]
    labels: list[str | None] | None


# At the workers.

_Loaded = tuple[list[_native.Model], dict[str, _native.Table]]
_kept: dict[str, _Loaded] = {}
_keeping = threading.Lock()


def _table(rows: np.ndarray[Any, Any], start: int) -> _native.Table:
    # What comes over a wire begins anywhere in memory.
    return _native.Table.read_before(np.require(rows, np.float64, ["A", "C"]), start)


def _loaded(shared: _Shared) -> _Loaded:
    """Models and tables, loaded once in each process."""
    with _keeping:
        if shared.digest not in _kept:
            while len(_kept) >= _KEPT:
                del _kept[next(iter(_kept))]
            models = [Model(*arguments)._native for arguments in shared.models]
            tables = {name: _table(rows, 0) for name, rows in shared.tables.items()}
            _kept[shared.digest] = models, tables
        return _kept[shared.digest]


def _sent(shared: _Shared) -> _Shared:
    return shared


class _Cancelled(Exception):
    """Nobody waits for the answer any more."""


def _answer(shared: _Shared, task: dict[str, Any], chunk: _Chunk, is_proved: bool) -> tuple[str, bytes]:
    """The report about a chunk, as JSON, and its proof, if one is wanted."""
    from distributed import get_worker
    from distributed.system import MEMORY_LIMIT

    worker = get_worker()
    key = worker.get_current_task()

    def look(_event: str) -> None:
        asked = worker.state.tasks.get(key)
        if asked is None or asked.state == "cancelled":
            raise _Cancelled

    # Workers have as many tasks at once as threads, and share their memory; half of it is left to all else.
    memory = (worker.memory_manager.memory_limit or MEMORY_LIMIT) // (2 * worker.state.nthreads)
    limits = {"threads": 1, "memory": f"{memory}B"} | task.get("limits", {})
    models, tables = _loaded(shared)
    tables = tables | {"data": _table(chunk.rows, chunk.start)}
    text = json.dumps(task | {"limits": limits})
    try:
        if not is_proved:
            return _native.ask(text, models, tables, chunk.labels, progress=look)[0], b""
        with tempfile.TemporaryDirectory(prefix="treeproof-") as folder:
            proof = Path(folder, "proof")
            report, *_ = _native.ask(text, models, tables, chunk.labels, proof=proof, progress=look)
            return report, proof.read_bytes()
    except _Cancelled:
        return "", b""


# At the client.


class _Rows:
    """The rows of a task and all that goes with them, read once, by the model that is asked about."""

    def __init__(self, task: dict[str, Any], model: Model, tables: dict[str, _native.Table], labels: Any) -> None:
        self._given, self._model = tables, model
        self.notes: list[str] = []
        [(self.question, given)] = task["question"].items()
        # Labels go with their rows, wherever they were found.
        asked = {name: value for name, value in given.items() if name != "label"}
        self._rows, self._labels = self._read(task["data"], labels, given.get("label"))
        # What is no number of rows is refused by who reads the task.
        most = task.get("rows")
        self._rows = self._rows[:most] if isinstance(most, int) and most >= 0 else self._rows
        shared = {}
        for name in (str(asked.get("scale", "")).removeprefix("std:"), task.get("domain")):
            if name:
                shared[name], _ = self._read(name)
        self.shared = _Shared.of([model], shared)
        self.task = task | {"question": {self.question: asked}, "data": "data"}

    def _read(self, name: str, labels: Any = None, label: str | None = None) -> tuple[np.ndarray[Any, Any], Any]:
        read, labels, notes = _native.read_rows(self._model._native, name, self._given.get(name), labels, label)
        self.notes += notes
        return np.frombuffer(read, dtype=np.float64).reshape(-1, max(len(self._model.features), 1)), labels

    def __len__(self) -> int:
        return len(self._rows)

    def chunks(self, num_threads: int) -> Iterator[_Chunk]:
        """All rows, in order."""
        size = min(-(-len(self) // (num_threads * _CHUNKS_PER_THREAD)), _MOST_ROWS, _MOST_BYTES // self._rows[0].nbytes)
        for start in range(0, len(self), max(size, 1)):
            part = slice(start, start + max(size, 1))
            # A copy: a view would be sent with all that it is a view of.
            yield _Chunk(start, self._rows[part].copy(), self._labels and self._labels[part])


class _Run:
    """Chunks under way."""

    def __init__(
        self,
        client: Any,
        rows: _Rows,
        proof: _native.Proof | None,
        seen: Callable[[str], Any] | None,
    ) -> None:
        self._client, self._rows, self._proof, self._seen = client, rows, proof, seen
        self._began = time.monotonic()
        self._key = f"treeproof-{rows.question}-{uuid.uuid4().hex}"
        self._asked: dict[Any, _Chunk] = {}
        self._sent = self._done = 0
        # The workers that have what all chunks need.
        self._reached: set[str] = set()
        # By their first rows.
        self._parts: dict[int, dict[str, Any]] = {}
        self.trace: list[dict[str, Any]] = []

    def _seconds(self) -> float:
        return time.monotonic() - self._began

    def _num_threads(self, shared: Any) -> int:
        """The threads of the cluster, whose workers come and go. Who is new is sent what all chunks need."""
        threads = self._client.nthreads()
        if threads.keys() - self._reached:
            # Chunks go first to workers that have it; who cannot be reached now gets it with a chunk, or is gone.
            with contextlib.suppress(Exception):
                self._client.replicate([shared])
            self._reached = set(threads)
        return max(sum(int(count) for count in threads.values()), 1)

    def _share(self) -> Any:
        """Sends what all chunks need: as a task, as that is done again if all workers are lost that have its result."""
        import dask

        # It is sent once for all chunks, so nobody need be warned that it is large.
        with dask.config.set({"distributed.admin.large-graph-warning-threshold": "1PB"}):
            return self._client.submit(_sent, self._rows.shared, key=f"{self._key}-shared", pure=False)

    def _submit(self, shared: Any, chunk: _Chunk) -> Any:
        self._sent += 1
        key = f"{self._key}-{chunk.start}-{self._sent}"
        is_proved = self._proof is not None
        future = self._client.submit(_answer, shared, self._rows.task, chunk, is_proved, key=key, pure=False)
        self._asked[future] = chunk
        return future

    def report(self) -> str:
        """Asks about all chunks. After Ctrl-C, what is known of those that are done."""
        try:
            self._ask()
        except KeyboardInterrupt:
            if not self._parts:
                raise
        finally:
            self._client.cancel(list(self._asked))
        if self._proof is not None:
            self._proof.finish()
        return self._together()

    def _ask(self) -> None:
        from distributed import as_completed

        shared = self._share()
        chunks = self._rows.chunks(self._num_threads(shared))
        futures = as_completed([])
        while True:
            ahead = self._num_threads(shared) * _AHEAD_PER_THREAD
            while len(self._asked) < ahead and (chunk := next(chunks, None)):
                futures.add(self._submit(shared, chunk))
            if not self._asked:
                return
            future = next(futures)
            chunk = self._asked.pop(future)
            text, proof = future.result()
            if not text:
                # Its worker was told to give it up, but nobody here did.
                futures.add(self._submit(shared, chunk))
                continue
            if self._proof is not None:
                self._proof.add(proof)
            self._keep(chunk, json.loads(text))
            if "rows" not in self._parts[chunk.start]:
                return

    def _keep(self, chunk: _Chunk, part: dict[str, Any]) -> None:
        self._parts[chunk.start] = part
        self._done += len(part.get("rows", ()))
        event: dict[str, Any] = {"question": self._rows.question, "seconds": self._seconds()}
        event |= {"rows_done": self._done, "num_rows": len(self._rows)}
        self.trace.append(event)
        if self._seen is not None:
            self._seen(json.dumps(event))

    def _together(self) -> str:
        """One report of all that is known."""
        parts = [self._parts[start] for start in sorted(self._parts)]
        report = dict(parts[0])
        # What no input meets, none meets near any row.
        if "rows" in report:
            rows = [row for part in parts for row in part["rows"]]
            found = {
                "question": self._rows.question,
                "rows": [{name: row.get(name) for name in _FACTS} for row in rows],
                "num_rows": len(self._rows),
                # Shares are told of labels alone.
                "is_about_labels": any({"accuracy", "share"} & part["summary"].keys() for part in parts),
                "seconds": self._seconds(),
            }
            report |= {"rows": rows} | json.loads(_native.sum_up(json.dumps(found)))
            if "seconds" in report:
                report["seconds"] = found["seconds"]
        return json.dumps(report, separators=(",", ":"), ensure_ascii=False)


def _files(task: dict[str, Any], tables: dict[str, _native.Table]) -> list[str]:
    """The files of rows that a task names, which a proof does not overwrite."""
    named = [task.get(field) for field in ("data", "domain")]
    if str(scale := task.get("scale")).startswith("std:"):
        named.append(str(scale).removeprefix("std:"))
    return [str(name) for name in named if name is not None and name not in tables]


def ask(
    client: Any,
    task: dict[str, Any],
    model: Model,
    tables: dict[str, _native.Table],
    labels: Any,
    proof: str | os.PathLike[str] | None,
    force: bool,
    seen: Callable[[str], Any] | None,
) -> tuple[str, str, list[str]]:
    """Answers a task about rows: the report, how it came about, and what was guessed about rows; the first two as JSON."""
    rows = _Rows(task, model, tables, labels)
    if not len(rows):
        # Here as well it is said that there are none.
        return _native.ask(json.dumps(task), [model._native], tables, labels, progress=seen)
    proved = None if proof is None else _native.Proof(proof, rows.question, [model._native], _files(task, tables), force)
    run = _Run(client, rows, proved, seen)
    return run.report(), json.dumps(run.trace), rows.notes
