"""Tasks: questions as data, the same as in files and behind the command line's flags."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from treeproof.errors import TaskError


def _plain(value: Any) -> Any:
    """A number of numpy's, or another library's, as JSON has it."""
    if hasattr(value, "item"):
        return value.item()
    raise TypeError(f"{value!r} is none of these")


def read_text(name: str) -> str:
    """The text of a file of questions."""
    try:
        return Path(name).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise TaskError(f"{name}: no such file") from None
    except OSError as error:
        raise TaskError(f"{name}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise TaskError(f"{name}: {error}") from None


class Task:
    """A question as data. ``docs/tasks.md`` describes its fields.

    >>> task = tp.Task({"treeproof": 1, "question": "max", "where": ["age < 30"]})
    >>> tp.solve(task, "new.json").upper
    0.375
    """

    __slots__ = ("_data", "_file", "_functions")

    def __init__(self, data: Mapping[str, Any] | str, file: str | None = None, functions: Sequence[str] = ()) -> None:
        if isinstance(data, str):
            try:
                data = json.loads(data)
            except ValueError as error:
                raise TaskError(f"not JSON: {error}") from None
        if not isinstance(data, Mapping):
            raise TaskError("a task is an object of fields, as in {'treeproof': 1, 'question': 'max'}")
        self._data = dict(data)
        self._file = file
        # The names of conditions that are code, which is not in the task: for people.
        self._functions = tuple(functions)

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Task:
        """Reads a task file. The files that it names are relative to its own folder.

        >>> tp.solve(tp.Task.read("raise.json")).upper
        0.125
        """
        name = os.fspath(path)
        text = read_text(name)
        try:
            return cls(text, name)
        except TaskError as error:
            raise TaskError(f"{name}: {error}") from None

    @property
    def file(self) -> str | None:
        """The file that it was read from.

        >>> tp.Task.read("raise.json").file
        'raise.json'
        """
        return self._file

    def to_dict(self) -> dict[str, Any]:
        """Its fields.

        >>> tp.max("new.json", where="age < 30", time=5).task.to_dict()
        {'treeproof': 1, 'question': 'max', 'where': ['age < 30'], 'limits': {'time': '5.0s'}}
        """
        return dict(self._data)

    def to_json(self) -> str:
        """Its fields, as JSON: a task file for the command line.

        >>> tp.Task({"treeproof": 1, "question": "max"}).to_json()
        '{"treeproof": 1, "question": "max"}'
        """
        try:
            return json.dumps(self._data, allow_nan=False, default=_plain)
        except (TypeError, ValueError) as error:
            raise TaskError(f"a task holds texts, finite numbers, lists and objects: {error}") from None

    def _conditions(self) -> list[str]:
        """All conditions as people are told of them."""
        where = self._data.get("where") or []
        return [*([where] if isinstance(where, str) else map(str, where)), *self._functions]

    def __eq__(self, other: object) -> bool:
        return self._data == other._data if isinstance(other, Task) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        functions = f" and functions {', '.join(self._functions)}" if self._functions else ""
        return f"Task({self._data!r}){functions}"
