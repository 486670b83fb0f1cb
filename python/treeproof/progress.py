"""What is seen of a running search: a live line on terminals, a bar in notebooks, lines in logs."""

from __future__ import annotations

import html
import json
import shutil
import sys
import time
from collections.abc import Callable
from typing import Any, Literal, Protocol, TextIO, TypeAlias

from treeproof.errors import TaskError

Progress: TypeAlias = bool | Literal["log"] | Callable[[dict[str, Any]], Any]
"""``True``: a live line on terminals and in notebooks, nothing elsewhere. ``"log"``: now and then a whole line on standard error,
wherever that goes. A callable: is told of events. ``False``: nothing."""

_HINT = "Ctrl-C: answer so far"
_BAR = 20


class Seen(Protocol):
    """Who is told of events, as JSON."""

    def __call__(self, text: str) -> None:
        """Tells of the latest event."""

    def close(self) -> None:
        """The search is over."""


def shown(progress: Progress) -> Seen | None:
    """Who is told: nobody, a line, or a callable."""
    if callable(progress):
        return Told(progress)
    if progress == "log":
        return None if sys.stderr is None else Log(sys.stderr)
    if not progress:
        return None
    if progress is not True:
        raise TaskError(f"progress is none of True, False, 'log' and a callable: {progress!r}")
    if (display := _notebook()) is not None:
        return Notebook(display)
    return Line(sys.stderr) if sys.stderr is not None and sys.stderr.isatty() else None


class Told:
    """Tells a callable of each event."""

    def __init__(self, tell: Callable[[dict[str, Any]], Any]) -> None:
        self._tell = tell

    def __call__(self, text: str) -> None:
        """Tells of the latest event."""
        self._tell(json.loads(text))

    def close(self) -> None:
        """Nothing is left to be done."""


class Often:
    """Now and then: not more often than eyes can follow."""

    def __init__(self, seconds: float, at_once: bool = True) -> None:
        self._seconds = seconds
        self._next = 0.0 if at_once else time.monotonic() + seconds

    def is_due(self) -> bool:
        """Whether it is time again."""
        now = time.monotonic()
        if now < self._next:
            return False
        self._next = now + self._seconds
        return True


class Line:
    """A line on a terminal that is written again and again, and cleared at the end."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._often = Often(0.1)
        self._width = 0

    def __call__(self, text: str) -> None:
        """Shows the latest event."""
        if not self._often.is_due():
            return
        event = json.loads(text)
        picture = f"{bar(event)} " if "num_rows" in event else ""
        # A line that wraps cannot be written over.
        words = fit([f"{picture}{told(event)[0]}", *told(event)[1:], _HINT], shutil.get_terminal_size().columns - 1)
        self._out.write("\r" + words.ljust(self._width))
        self._out.flush()
        self._width = len(words)

    def close(self) -> None:
        """Clears the line."""
        if self._width:
            self._out.write("\r" + " " * self._width + "\r")
            self._out.flush()


class Log:
    """A whole line every ten seconds, for files of logs."""

    def __init__(self, out: TextIO, seconds: float = 10.0) -> None:
        self._out = out
        self._often = Often(seconds, at_once=False)

    def __call__(self, text: str) -> None:
        """Writes of the latest event, if it is time."""
        if self._often.is_due():
            self._out.write(f"treeproof: {', '.join(told(json.loads(text)))}\n")
            self._out.flush()

    def close(self) -> None:
        """Nothing is left to be done."""


class Notebook:
    """A bar below a cell, which goes away at the end."""

    def __init__(self, display: Any) -> None:
        self._display = display
        self._often = Often(0.25)
        self._handle: Any = None

    def __call__(self, text: str) -> None:
        """Shows the latest event."""
        if not self._often.is_due():
            return
        event = json.loads(text)
        done = f'<progress value="{event["rows_done"]}" max="{event["num_rows"]}"></progress> ' if "num_rows" in event else ""
        self._show(f"<div>{done}{html.escape(', '.join(told(event)))} (interrupt: answer so far)</div>")

    def close(self) -> None:
        """Takes the bar away."""
        if self._handle is not None:
            self._show("")

    def _show(self, text: str) -> None:
        shown = self._display.HTML(text)
        if self._handle is None:
            self._handle = self._display.display(shown, display_id=True)
        else:
            self._handle.update(shown)


def _notebook() -> Any:
    """IPython's module for display, if this runs in a notebook: who runs in one has it imported."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    if getattr(shell, "kernel", None) is None:
        return None
    from IPython import display

    return display


def bar(event: dict[str, Any]) -> str:
    """How much is done, in signs that every terminal has."""
    full = _BAR * int(event["rows_done"]) // max(int(event["num_rows"]), 1)
    return f"[{'#' * full}{'.' * (_BAR - full)}]"


def fit(parts: list[str], width: int) -> str:
    """As many parts as there is room for, the most important first; of the first, what there is room for."""
    line = parts[0][:width]
    for part in parts[1:]:
        if len(line) + 2 + len(part) > width:
            break
        line = f"{line}, {part}"
    return line


def told(event: dict[str, Any]) -> list[str]:
    """An event in words, the most important first: those of the command line."""
    return _over_rows(event) if "num_rows" in event else _within_search(event)


def _bound(bound: float | None) -> str:
    if bound is None:
        return "?"
    return f"{bound:.6f}" if bound == 0 or 1e-3 <= abs(bound) < 1e9 else f"{bound:.6e}"


def _within_search(event: dict[str, Any]) -> list[str]:
    if "found" in event:
        known = [f"{event['found']} found, all others at most {_bound(event['upper'])}"]
    else:
        gap = [] if event["gap"] is None else [f"gap {event['gap']:.3g}"]
        known = [f"between {_bound(event['lower'])} and {_bound(event['upper'])}", *gap]
    return [*known, f"{event['seconds']:.0f} s", f"{event['open']:,} open of {event['regions']:,} regions"]


def _over_rows(event: dict[str, Any]) -> list[str]:
    """How many rows are done, and how long the others take if they are like those."""
    done, total, seconds = event["rows_done"], event["num_rows"], event["seconds"]
    left = [f"about {seconds / done * (total - done):.0f} s left"] if done else []
    rows = "1 row" if total == 1 else f"{total:,} rows"
    return [f"{done:,} of {rows}", f"{seconds:.0f} s", *left]
