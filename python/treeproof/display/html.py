"""Pages as HTML, for notebooks: self-contained, readable on light and dark ground, with everything escaped."""

from __future__ import annotations

import html

from treeproof.display.content import Cell, Grid, Page
from treeproof.display.words import clean

# Colours of text and ground are the notebook's own; what is marked is tinted, so that it reads on both. The name stands twice where
# notebooks have rules of their own for tables, which would win otherwise.
_STYLE = """<style>
.treeproof { font-size: 13px; line-height: 1.5; max-width: 75em; overflow-x: auto; color: inherit }
.treeproof p { margin: .2em 0 }
.treeproof .tp-question { opacity: .75 }
.treeproof .tp-answer { font-size: 1.1em; font-weight: 600 }
.treeproof .tp-verdict { padding: 0 .5em; border-radius: .8em; font-weight: 600; color: #fff; white-space: nowrap }
.treeproof .tp-good { background: #1a7f37 } .treeproof .tp-bad { background: #c62828 } .treeproof .tp-open { background: #9a6700 }
.treeproof .tp-neutral { background: #59636e }
.treeproof table { border-collapse: collapse; font-size: inherit; margin: .5em 0; border: 0 }
.treeproof.treeproof table th, .treeproof.treeproof table td { padding: .1em .7em .1em .3em; text-align: left;
  vertical-align: top; color: inherit; background: none; white-space: nowrap; max-width: none;
  border: 0; border-bottom: 1px solid rgba(128, 128, 128, .3) }
.treeproof.treeproof table td:last-child { white-space: normal; overflow-wrap: break-word }
.treeproof.treeproof .tp-facts th { font-weight: 400; opacity: .75 }
.treeproof.treeproof table td { font-variant-numeric: tabular-nums }
.treeproof.treeproof table td.tp-changed { background: rgba(240, 160, 0, .28) }
.treeproof .tp-title { margin-top: .7em; font-weight: 600 }
.treeproof .tp-more { opacity: .75 }
</style>"""


def as_html(page: Page) -> str:
    """A page as HTML."""
    return f'<div class="treeproof">{_STYLE}{_body(page)}</div>'


def grid_as_html(grid: Grid) -> str:
    """A grid as HTML."""
    return f'<div class="treeproof">{_STYLE}{_grid(grid)}</div>'


def escape(text: str) -> str:
    """Text as HTML has it."""
    return html.escape(clean(text))


def _body(page: Page) -> str:
    badge = f"{_badge(page.verdict)} " if page.verdict else ""
    head = [
        _paragraph("question", page.question),
        f'<p class="tp-answer">{badge}{escape(page.answer)}</p>',
        _facts(page.facts),
    ]
    return "".join([*head, *map(_grid, page.tables)])


def _facts(facts: list[tuple[str, str]]) -> str:
    lines = "".join(f"<tr><th>{escape(name)}</th><td>{escape(text)}</td></tr>" for name, text in facts)
    return f'<table class="tp-facts">{lines}</table>' if lines else ""


def _paragraph(kind: str, text: str) -> str:
    return f'<p class="tp-{kind}">{escape(text)}</p>' if text else ""


def _badge(verdict: Cell) -> str:
    return f'<span class="tp-verdict tp-{escape(verdict.mark or "")}">{escape(" ".join(verdict.lines))}</span>'


def _grid(grid: Grid) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in grid.columns)
    lines = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in grid.rows)
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>"
    return _paragraph("title", grid.title) + _facts(grid.facts) + table + _paragraph("more", grid.more)


def _cell(cell: Cell) -> str:
    text = escape(cell.lines[0]) if len(cell.lines) == 1 else "".join(f"<div>{escape(line)}</div>" for line in cell.lines)
    if cell.mark == "changed":
        return f'<td class="tp-changed">{text}</td>'
    return f"<td>{_badge(cell) if cell.mark else text}</td>"
