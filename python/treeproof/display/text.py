"""Pages as text, for terminals."""

from __future__ import annotations

from treeproof.display.grids import Grid
from treeproof.display.page import Page
from treeproof.display.words import clean

# Longer texts do not push other columns away.
_WIDEST = 60


def as_text(page: Page) -> str:
    """A page as text: the answer, the facts, the grids."""
    lines = [*([clean(page.answer)] if page.answer else []), *(f"{name:<12} {clean(text)}" for name, text in page.facts)]
    blocks = ["\n".join(lines), *(grid_text(grid) for grid in page.grids), *(as_text(part) for part in page.parts)]
    return "\n\n".join(blocks)


def grid_text(grid: Grid) -> str:
    """A grid as text, in columns."""
    texts = [grid.columns, *([clean(cell.text) for cell in row] for row in grid.rows)]
    widths = [min(max(map(len, column)), _WIDEST) for column in zip(*texts)]
    lines = ["  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip() for row in texts]
    return "\n".join([*([clean(grid.title)] if grid.title else []), *lines, *([grid.more] if grid.more else [])])
