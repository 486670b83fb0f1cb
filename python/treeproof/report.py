"""Reports: what was proved, as data."""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Sequence
from typing import Any

from treeproof import _native
from treeproof.display.content import of_told
from treeproof.display.html import as_html
from treeproof.plots import bars, curve, images, trace as traces
from treeproof.table import Table
from treeproof.task import Task


class Report:
    """The answer to a question. It has the fields of the command line's JSON, each as an attribute.

    >>> report = tp.max("new.json", domain="people.csv")
    >>> report.verdict, report.lower, report.upper, report.probability
    ('optimal', 0.875, 0.875, 0.7057850278370112)
    >>> print(tp.monotone("new.json", "age"))                              # doctest: +ELLIPSIS
    The margin never falls as age rises: proved.
    bounds       at least 0, at most 0
    time         ...

    ``verdict`` is what was proved, ``stopped`` why the search ended: after Ctrl-C it is ``"interrupted"``, and the bounds
    hold all the same.
    """

    __slots__ = ("_json", "_data", "_trace", "_task", "_models", "_read")

    def __init__(
        self,
        text: str,
        trace: str = "[]",
        task: Task | None = None,
        models: Sequence[_native.Model] = (),
        read: Sequence[str] = (),
    ) -> None:
        self._json = text
        self._data: dict[str, Any] | None = None
        self._trace = trace
        self._task = task
        # For pages; what is pickled goes without them.
        self._models = tuple(models)
        # Files that were read, beside those that the task names.
        self._read = tuple(read)

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
            return Report(json.dumps({"question": name} | value), read=self._files())
        return value

    @property
    def question(self) -> str:
        """What was asked.

        >>> tp.max("new.json").question
        'max'
        """
        return str(self._fields()["question"])

    @property
    def verdict(self) -> str:
        """What was proved: ``optimal``, ``holds``, ``violated``, ``infeasible`` or ``undecided``.

        >>> tp.monotone("new.json", "age").verdict, tp.max("new.json", where="age < 3 and age > 4").verdict
        ('holds', 'infeasible')
        """
        return str(self._fields()["verdict"])

    @property
    def stopped(self) -> str | None:
        """Why the search ended: ``optimal``, ``target``, ``time``, ``memory``, ``interrupted``, ``rounding`` or ``conditions``.

        Over rows each has its own in the table; here it is ``interrupted`` if some were left, else none.

        >>> tp.max("new.json").stopped, tp.closest("new.json", "people.csv", norm="l1").stopped
        ('optimal', None)
        """
        fields = self._fields()
        is_left = bool(fields.get("summary", {}).get("left"))
        return fields.get("stopped", "interrupted" if is_left else None)

    @property
    def lower(self) -> float | None:
        """The number is at least this; none if nothing is known.

        >>> tp.min("new.json").lower
        -1.0
        """
        return self._fields().get("lower")

    @property
    def upper(self) -> float | None:
        """The number is at most this; none if nothing is known.

        >>> tp.max("new.json").upper
        0.875
        """
        return self._fields().get("upper")

    @property
    def witness(self) -> dict[str, Any] | None:
        """An input that shows it: every feature with its value, none for missing; of two inputs ``{"a": …, "b": …}``.

        >>> tp.max("new.json", domain="people.csv").witness
        {'age': 40.0, 'income': 30000.0, 'status': 'married'}
        """
        return self._fields().get("witness")

    @property
    def table(self) -> Table:
        """The answers one by one: rows of data, features, attributes, configurations or checks.

        >>> tp.closest("new.json", "people.csv", norm="l1").table["witness_label"]
        ['granted', 'refused', 'refused', 'refused']
        """
        fields = self._fields()
        for name in ("rows", "features", "attributes", "regions", "checks"):
            if isinstance(fields.get(name), list):
                return Table(fields[name])
        return Table([{name: value for name, value in fields.items() if not isinstance(value, (dict, list))}])

    @property
    def trace(self) -> list[dict[str, Any]]:
        """How bounds improved while the search ran; over rows, when each was answered.

        >>> event = tp.max("new.json").trace[-1]
        >>> event["lower"], event["upper"]
        (0.875, 0.875)
        """
        events: list[dict[str, Any]] = json.loads(self._trace)
        return events

    @property
    def task(self) -> Task | None:
        """The task that was asked.

        >>> tp.max("new.json", where="age < 30").task
        Task({'treeproof': 1, 'question': 'max', 'where': ['age < 30']})
        """
        return self._task

    def __bool__(self) -> bool:
        # It would be true whatever was found, and an assertion about it would pass.
        raise TypeError("a report is neither true nor false: look at its verdict")

    def to_dict(self) -> dict[str, Any]:
        """All fields.

        >>> tp.max("new.json").to_dict()["stopped"]
        'optimal'
        """
        return copy.deepcopy(self._fields())

    def to_json(self) -> str:
        """The JSON object that the command line prints.

        >>> import json
        >>> json.loads(tp.max("new.json").to_json())["verdict"]
        'optimal'
        """
        return self._json

    def to_html(self, path: str | os.PathLike[str] | None = None, *, force: bool = False) -> str:
        """The report as a page: what was proved and what was not, with plots and tables, in one HTML file that loads nothing.

        It is written to ``path``, if one is given, and returned. A file there is overwritten if it is such a page, or with ``force``;
        a file that was read for the report never is. ``--report`` writes the same page; only there is no command to show here, and
        a report that was pickled no longer knows the facts about its models.

        >>> page = tp.max("new.json", domain="people.csv").to_html("max.html")
        >>> "The largest margin is 0.875: proved." in page
        True
        """
        page = _native.page(self._json, self._told_task(), self._trace, self._models)
        if path is not None:
            _native.write_file(path, page.encode(), "page", force, self._files())
        return page

    def _files(self) -> list[str]:
        """The files that were read for it. Rows and models at hand have a name in the task, but no file."""
        named = [] if self._task is None else _native.files_of_task(self._task.to_json(), self._task.file)
        return [*self._read, *(os.fspath(name) for name in named if os.path.exists(name))]

    def plot(self, *, ax: Any = None) -> Any:
        """Draws what tells most about this answer, and returns the axes.

        Of ``closest`` and ``robust`` the robustness curve, of ``monotone`` and ``dominant`` over several features a bar for each,
        of ``enumerate`` the outputs, else what was known second by second. It needs matplotlib: ``pip install treeproof[plot]``.

        >>> tp.max("new.json").plot().get_ylabel()
        'margin'
        """
        fields = self._fields()
        if isinstance(fields.get("rows"), list) and fields.get("unit") == "distance":
            return self.plot_curve(ax=ax)
        for name, word in (("features", "feature"), ("attributes", "attribute")):
            if isinstance(fields.get(name), list):
                return bars.features(fields[name], word, f"change of the {fields.get('unit', 'margin')}", ax)
        if isinstance(fields.get("regions"), list):
            return bars.configurations(fields, ax)
        return self.plot_trace(ax=ax)

    def plot_trace(self, *, ax: Any = None) -> Any:
        """Draws what was known second by second: bounds, or over rows how many were answered, and how.

        >>> tp.closest("new.json", "people.csv", norm="l1").plot_trace().get_ylabel()
        'rows answered'
        """
        return traces.draw(self._fields(), self.trace, ax)

    def plot_curve(self, *, ax: Any = None) -> Any:
        """Draws which share of rows is certified, radius by radius: of ``closest`` and ``robust`` over rows.

        Certified within a radius are rows of which it is proved that no input is that close. Where rows are undecided, a second
        curve shows those for which no such input was found either.

        >>> import matplotlib.pyplot as plt
        >>> figure, ax = plt.subplots()
        >>> ax = tp.closest("new.json", "people.csv", norm="l1", where="fixed(status)").plot_curve(ax=ax)
        >>> figure.savefig("curve.png")
        """
        return curve.draw(self._json, self._fields(), {} if self._task is None else self._task.to_dict(), ax)

    def plot_images(self, shape: Sequence[int], rows: Sequence[int] | int | None = None, *, axes: Any = None) -> Any:
        """Draws rows that are images: as they are, as they are changed, and the difference; by default the first five.

        ``shape`` is that of an image, such as ``(28, 28)``; ``axes``, if given, are three for each row. Returns the axes.

        >>> from sklearn.datasets import load_digits
        >>> from sklearn.tree import DecisionTreeClassifier
        >>> images, digits = load_digits(return_X_y=True)
        >>> model = tp.load(DecisionTreeClassifier(max_depth=5, random_state=0).fit(images, digits))
        >>> tp.closest(model, images[:3], norm="linf", domain=images).plot_images((8, 8), rows=[0, 2]).shape
        (2, 3)
        """
        return images.draw(self._fields(), shape, rows, axes)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._fields()})

    def __reduce__(self) -> tuple[Any, ...]:
        return Report, (self._json, self._trace, self._task, (), self._read)

    def __eq__(self, other: object) -> bool:
        return self._json == other._json if isinstance(other, Report) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._json)

    def __repr__(self) -> str:
        fields = self._fields()
        shown = ["question", "verdict", "lower", "upper", "output", "stopped", "summary"]
        return f"Report({', '.join(f'{name}={fields[name]!r}' for name in shown if name in fields)})"

    def __str__(self) -> str:
        return _native.text(self._content())

    def _repr_html_(self) -> str:
        return as_html(of_told(self._content()))

    def _content(self) -> str:
        """What is shown of it, as JSON."""
        return _native.describe(self._json, self._told_task(), self._models)

    def _told_task(self) -> str | None:
        """The task as JSON, with the names of conditions that are code."""
        if self._task is None:
            return None
        return json.dumps(self._task.to_dict() | {"where": self._task._conditions()})
