"""A small table: the answers about rows, one line each."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from typing import Any, overload

_SHOWN = 20


class Table:
    """Answers about rows. A column by its name is a list, a line by its number a dict.

    >>> table = report.table
    >>> table["verdict"]
    ['holds', 'violated']
    """

    __slots__ = ("_columns", "_rows")

    def __init__(self, rows: Sequence[dict[str, Any]]) -> None:
        self._rows = list(rows)
        # In order of appearance; rows may lack what does not apply to them.
        self._columns = list(dict.fromkeys(name for row in self._rows for name in row))

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(self._columns)

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The lines."""
        return list(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self._rows)

    @overload
    def __getitem__(self, key: str) -> list[Any]: ...
    @overload
    def __getitem__(self, key: int) -> dict[str, Any]: ...
    def __getitem__(self, key: str | int) -> Any:
        if isinstance(key, str):
            if key not in self._columns:
                raise KeyError(key)
            return [row.get(key) for row in self._rows]
        return self._rows[key]

    def to_dict(self) -> dict[str, list[Any]]:
        """The columns by name."""
        return {name: self[name] for name in self._columns}

    def to_pandas(self) -> Any:
        """The same as a pandas data frame; pandas must be installed."""
        import pandas

        return pandas.DataFrame(self.to_dict(), columns=self._columns)

    def __eq__(self, other: object) -> bool:
        return self._rows == other._rows if isinstance(other, Table) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<treeproof.Table: {len(self)} rows, columns {', '.join(self._columns)}>"

    def _repr_html_(self) -> str:
        def cells(values: Sequence[Any], tag: str) -> str:
            texts = ("" if value is None else str(value) for value in values)
            return "<tr>" + "".join(f"<{tag}>{html.escape(text)}</{tag}>" for text in texts) + "</tr>"

        lines = [cells([row.get(name) for name in self._columns], "td") for row in self._rows[:_SHOWN]]
        more = f"<p>and {len(self) - _SHOWN} more</p>" if len(self) > _SHOWN else ""
        return f"<table>{cells(self._columns, 'th')}{''.join(lines)}</table>{more}"
