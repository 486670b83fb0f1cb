"""Reports: what was proved, as data."""

from __future__ import annotations

import copy
import json
from typing import Any

from treeproof.table import Table
from treeproof.task import Task


class Report:
    """The answer to a question. It has the fields of the command line's JSON, each as an attribute.

    >>> report.verdict, report.lower, report.upper
    ('optimal', 6.41, 6.41)

    ``verdict`` is what was proved, ``stopped`` why the search ended: after Ctrl-C it is ``"interrupted"``, and the bounds
    hold all the same.
    """

    __slots__ = ("_json", "_data", "_trace", "_task")

    def __init__(self, text: str, trace: str = "[]", task: Task | None = None) -> None:
        self._json = text
        self._data: dict[str, Any] | None = None
        self._trace = trace
        self._task = task

    def _fields(self) -> dict[str, Any]:
        # Read on demand: whoever wants JSON, or one report of many, does not pay for all.
        if self._data is None:
            self._data = json.loads(self._json)
        return self._data

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            value = self._fields()[name]
        except KeyError:
            raise AttributeError(f"a report of `{self.question}` has no `{name}`; it has {', '.join(self._fields())}") from None
        if isinstance(value, dict) and name in ("min", "max"):
            return Report(json.dumps({"question": name} | value))
        return value

    @property
    def question(self) -> str:
        """What was asked."""
        return str(self._fields()["question"])

    @property
    def verdict(self) -> str:
        """What was proved: ``optimal``, ``holds``, ``violated``, ``infeasible`` or ``undecided``."""
        return str(self._fields()["verdict"])

    @property
    def lower(self) -> float | None:
        """The number is at least this; none if nothing is known."""
        return self._fields().get("lower")

    @property
    def upper(self) -> float | None:
        """The number is at most this; none if nothing is known."""
        return self._fields().get("upper")

    @property
    def witness(self) -> dict[str, Any] | None:
        """An input that shows it: every feature with its value, none for missing; of two inputs ``{"a": …, "b": …}``."""
        return self._fields().get("witness")

    @property
    def table(self) -> Table:
        """The answers one by one: rows of data, features, configurations or checks."""
        fields = self._fields()
        for name in ("rows", "features", "attributes", "regions", "checks"):
            if isinstance(fields.get(name), list):
                return Table(fields[name])
        return Table([{name: value for name, value in fields.items() if not isinstance(value, (dict, list))}])

    @property
    def trace(self) -> list[dict[str, Any]]:
        """How bounds improved while the search ran; over rows, when each was answered."""
        events: list[dict[str, Any]] = json.loads(self._trace)
        return events

    @property
    def task(self) -> Task | None:
        """The task that was asked."""
        return self._task

    def to_dict(self) -> dict[str, Any]:
        """All fields."""
        return copy.deepcopy(self._fields())

    def to_json(self) -> str:
        """The JSON object that the command line prints."""
        return self._json

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._fields()})

    def __reduce__(self) -> tuple[Any, ...]:
        return Report, (self._json, self._trace, self._task)

    def __eq__(self, other: object) -> bool:
        return self._json == other._json if isinstance(other, Report) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._json)

    def __repr__(self) -> str:
        fields = self._fields()
        shown = ["question", "verdict", "lower", "upper", "output", "stopped", "summary"]
        return f"Report({', '.join(f'{name}={fields[name]!r}' for name in shown if name in fields)})"

    def _repr_html_(self) -> str:
        return self.table._repr_html_()
