"""From arguments to a task, and from a task to a report: what all questions share."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from treeproof import _native, cluster
from treeproof.data import Rows, is_file, to_labels, to_table
from treeproof.errors import DataError, TaskError, TreeproofWarning
from treeproof.model import Model, ModelLike, load
from treeproof.progress import Progress, shown
from treeproof.report import Report
from treeproof.task import Task

Path: TypeAlias = str | os.PathLike[str]
Region: TypeAlias = dict[str, Any]
"""What a function in ``where`` is told: the values of each feature in a region."""
Where: TypeAlias = str | Callable[[Region], bool] | Sequence[str | Callable[[Region], bool]]
Groups: TypeAlias = Mapping[str, str | Sequence[str]]
Time: TypeAlias = float | str
Memory: TypeAlias = int | str
Gap: TypeAlias = float | str


def texts(values: str | Sequence[str] | None) -> list[str]:
    """One text, or several."""
    if values is None:
        return []
    return [values] if isinstance(values, str) else [str(value) for value in values]


def class_text(value: Any) -> str | None:
    """A class as a task names it."""
    if value is None:
        return None
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, bool):
        return str(value).lower()
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def fields(**given: Any) -> dict[str, Any]:
    """The fields that are given."""
    return {name: value for name, value in given.items() if value is not None and value is not False}


def limits(
    time: Time | None,
    memory: Memory | None,
    threads: int | None,
    seed: int | None,
    gap: Gap | None = None,
    stop_above: float | None = None,
    stop_below: float | None = None,
) -> dict[str, Any]:
    """What bounds a search, as a task has it."""
    return fields(
        time=time if time is None or isinstance(time, str) else f"{_number(time, 'time')!r}s",
        memory=memory if memory is None or isinstance(memory, str) else f"{int(memory)}B",
        threads=None if threads is None else int(threads),
        gap=gap if gap is None or isinstance(gap, str) else repr(_number(gap, "gap")),
        stop_above=None if stop_above is None else _number(stop_above, "stop_above"),
        stop_below=None if stop_below is None else _number(stop_below, "stop_below"),
    ) | ({} if seed is None else {"seed": int(seed)})


def _number(value: Any, name: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TaskError(f"{name} is not a number: {value!r}") from None
    if number != number or number in (float("inf"), float("-inf")):
        raise TaskError(f"{name} is not a finite number: {value!r}")
    return number


class Asked:
    """A task under way, with the objects that it names."""

    def __init__(self, question: str | dict[str, Any] | None = None, task: Task | None = None) -> None:
        self.fields: dict[str, Any] = task.to_dict() if task else {"treeproof": 1, "question": question}
        self._file = task.file if task else None
        self._tables: dict[str, _native.Table] = {}
        self._labels: Any = None
        self._functions: list[Callable[[Region], bool]] = []

    def where(self, where: Where | None) -> None:
        """Conditions: texts go into the task, functions are asked."""
        given = [where] if isinstance(where, str) or callable(where) else list(where or [])
        self._functions = [condition for condition in given if callable(condition)]
        self.set(where=[str(condition) for condition in given if not callable(condition)] or None)

    def set(self, **given: Any) -> None:
        """Sets the fields that are given."""
        self.fields.update(fields(**given))

    def rows(self, name: str, data: Rows | None) -> str | None:
        """What a task calls rows: their file, or the name of the argument."""
        if data is None:
            return None
        if is_file(data):
            return os.fspath(data)
        self._tables[name] = to_table(data, name)
        return name

    def label(self, y: Any) -> None:
        """The labels of the rows in ``data``."""
        if y is None:
            return
        if "data" not in self._tables:
            raise DataError("y: a file has its labels in a column; name it with label")
        self._labels = to_labels(y)

    def report(
        self,
        models: Sequence[ModelLike],
        proof: Path | None = None,
        progress: Progress = False,
        client: Any = None,
    ) -> Report:
        """Asks, here or on a cluster."""
        if client is not None:
            self._check_client(client, proof)
        loaded = [load(model) for model in models]
        if not self.fields.get("groups"):
            for model in loaded:
                _hint(model)
        task = Task(self.fields, self._file, [getattr(one, "__name__", repr(one)) for one in self._functions])
        seen = shown(progress)
        try:
            if client is not None:
                answer = cluster.ask(client, self.fields, loaded[0], self._tables, self._labels, seen)
            else:
                answer = _native.ask(
                    task.to_json(),
                    [model._native for model in loaded],
                    self._tables,
                    self._labels,
                    self._file,
                    None if proof is None else os.fspath(proof),
                    seen,
                    self._functions,
                )
        finally:
            if seen is not None:
                seen.close()
        report, trace, notes = answer
        for note in notes:
            warn(note)
        return Report(report, trace, task)

    def _check_client(self, client: Any, proof: Path | None) -> None:
        cluster.checked(client)
        if "data" not in self.fields:
            raise TaskError("client: a cluster is asked about rows; give data, or leave client out")
        if proof is not None:
            raise TaskError("proof: is written by one process; leave out proof or client")
        if self._functions:
            raise TaskError("where: functions are for max, min and range")


def warn(text: str) -> None:
    """Warns whoever called a question: the first frame that is not of this package."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == __package__:
        level, frame = level + 1, frame.f_back
    warnings.warn(text, TreeproofWarning, stacklevel=level)


def _hint(model: Model) -> None:
    if (hint := model._hint()) is not None:
        warn(hint)
