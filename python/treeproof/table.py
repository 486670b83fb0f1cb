"""A small table: the answers about rows, one line each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, overload

from treeproof.display.content import Page, as_text
from treeproof.display.html import grid_as_html
from treeproof.display.tables import of_table


class Table:
    """Answers about rows. A column by its name is a list, a line by its number a dict.

    >>> table = tp.robust("new.json", "people.csv", norm="linf", radius=2000).table
    >>> table["verdict"]
    ['violated', 'holds', 'violated', 'holds']
    >>> table[0]["witness"]
    {'age': 30.0, 'income': 20000.0, 'status': 'single'}
    """

    __slots__ = ("_columns", "_rows")

    def __init__(self, rows: Sequence[dict[str, Any]]) -> None:
        self._rows = list(rows)
        # In order of appearance; rows may lack what does not apply to them.
        self._columns = list(dict.fromkeys(name for row in self._rows for name in row))

    @property
    def columns(self) -> list[str]:
        """The names of the columns.

        >>> tp.dominant("new.json", baseline="people.csv:0", vary="*", each=True).table.columns
        ['attribute', 'from', 'to', 'verdict', 'lower', 'upper']
        """
        return list(self._columns)

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The lines.

        >>> len(tp.closest("new.json", "people.csv", norm="l1").table.rows)
        4
        """
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
                raise KeyError(f"no column `{key}`; there are {', '.join(self._columns)}")
            return [row.get(key) for row in self._rows]
        return self._rows[key]

    def to_dict(self) -> dict[str, list[Any]]:
        """The columns by name.

        >>> tp.closest("new.json", "people.csv", norm="l1").table.to_dict()["upper"]
        [2008.0, 6000.000000000004, 21.000000000000004, 21000.000000000004]
        """
        return {name: self[name] for name in self._columns}

    def to_pandas(self) -> Any:
        """The same as a pandas data frame; pandas must be installed.

        >>> tp.monotone("new.json", domain="people.csv").table.to_pandas()[["feature", "verdict", "upper"]]
          feature   verdict  upper
        0     age     holds  0.000
        1  income  violated  0.125
        """
        try:
            import pandas
        except ImportError:
            raise ImportError("frames need pandas: pip install pandas; to_dict() needs nothing") from None
        return pandas.DataFrame(self.to_dict(), columns=self._columns)

    def __eq__(self, other: object) -> bool:
        return self._rows == other._rows if isinstance(other, Table) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<treeproof.Table: {len(self)} rows, columns {', '.join(self._columns)}>"

    def __str__(self) -> str:
        return as_text(Page(tables=[of_table(self._columns, self._rows)]))

    def _repr_html_(self) -> str:
        return grid_as_html(of_table(self._columns, self._rows))
