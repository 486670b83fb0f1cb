"""What is shown, whichever way: sentences, facts and grids of cells. The words about reports are those of the native part."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field

from treeproof import _native


@dataclass
class Cell:
    """A text, in one line or several; ``mark`` is ``"changed"``, or for a verdict ``"good"``, ``"bad"``, ``"open"`` or ``"neutral"``."""

    lines: list[str]
    mark: str | None = None


@dataclass
class Grid:
    """Cells in rows; ``more`` is what is left out, and where it is."""

    columns: list[str]
    rows: list[list[Cell]]
    more: str = ""
    title: str = ""
    facts: list[tuple[str, str]] = field(default_factory=list)


@dataclass
class Page:
    """A report or a model as it is shown."""

    question: str = ""
    verdict: Cell | None = None
    answer: str = ""
    facts: list[tuple[str, str]] = field(default_factory=list)
    tables: list[Grid] = field(default_factory=list)


def of_told(told: str) -> Page:
    """What the native part tells, which is JSON."""
    page = json.loads(told)
    grids = [Grid(**(table | {"rows": [[Cell(**cell) for cell in row] for row in table["rows"]]})) for table in page["tables"]]
    return Page(**(page | {"verdict": Cell(**page["verdict"]), "tables": grids}))


def as_text(page: Page) -> str:
    """A page as text, for terminals."""
    return _native.text(json.dumps(asdict(page)))
