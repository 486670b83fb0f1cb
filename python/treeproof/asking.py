"""A task under way, and its report: what all questions share."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from treeproof import _native, cluster
from treeproof.arguments import Groups, Path, Region, Where, conditions, fields, mapping, texts
from treeproof.data import Rows, is_file, to_labels, to_table
from treeproof.errors import DataError, TaskError, TreeproofWarning
from treeproof.model import READING, Model, ModelLike, load
from treeproof.progress import Progress, shown
from treeproof.report import Report
from treeproof.task import Task

class Asked:
    """A task under way, with the objects that it names."""

    def __init__(self, question: str | dict[str, Any] | None = None, task: Task | None = None) -> None:
        self.fields: dict[str, Any] = task.to_dict() if task else {"treeproof": 1, "question": question}
        self._file = task.file if task else None
        self._tables: dict[str, _native.Table] = {}
        self._labels: Any = None
        self._functions: list[Callable[[Region], bool]] = []

    def among(self, where: Where | None, groups: Groups | None, domain: Rows | None) -> None:
        """The inputs that are asked about. Of conditions, texts go into the task, functions are asked."""
        written, self._functions = conditions(where)
        columns = mapping(groups, "groups", "{'sex': 'sex_*'}")
        columns = {name: given if isinstance(given, str) else texts(given, "groups") for name, given in columns.items()}
        self.set(where=written or None, groups=columns or None, domain=self.rows("domain", domain))

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
        force: bool = False,
        progress: Progress = False,
        client: Any = None,
    ) -> Report:
        """Asks, here or on a cluster."""
        if client is not None:
            self._check_client(client)
        loaded = [self._loaded(model) for model in models]
        if loaded and (cells := loaded[0]._native.categories) != "typed":
            self.fields["reading"] = {**self.fields.get("reading", {}), "categories": cells}
        if not self.fields.get("groups"):
            for model in loaded:
                _hint(model)
        task = Task(self.fields, self._file, [getattr(one, "__name__", repr(one)) for one in self._functions])
        seen = shown(progress)
        try:
            if client is not None:
                answer = cluster.ask(client, self.fields, loaded[0], self._tables, self._labels, proof, force, seen)
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
                    force,
                )
        finally:
            if seen is not None:
                seen.close()
        report, trace, notes = answer
        for note in notes:
            warn(note)
        return Report(report, trace, task, [model._native for model in loaded], [model.name for model in loaded if model.name])

    def _loaded(self, model: ModelLike) -> Model:
        """A model. Files are read as the task says, as its own are; other models know how they are read."""
        said = self.fields.get("reading")
        if not is_file(model) or not isinstance(said, Mapping):
            return load(model)
        return load(model, **{name: said[name] for name in READING if name in said})

    def _check_client(self, client: Any) -> None:
        cluster.checked(client)
        if "data" not in self.fields:
            raise TaskError("client: a cluster is asked about rows; give data, or leave client out")
        if self._functions:
            raise TaskError("where: functions are for max, min, range and diff")


def warn(text: str) -> None:
    """Warns whoever called a question: the first frame that is not of this package."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == __package__:
        level, frame = level + 1, frame.f_back
    warnings.warn(text, TreeproofWarning, stacklevel=level)


def _hint(model: Model) -> None:
    if (hint := model._hint()) is not None:
        warn(hint)
