"""What is seen of a running search: a line on standard error, on terminals and in notebooks."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any


class Line:
    """A line that is written again and again."""

    def __init__(self) -> None:
        self._width = 0

    def __call__(self, text: str) -> None:
        """Shows the latest event."""
        event = json.loads(text)
        words = _over_rows(event) if "num_rows" in event else _within_search(event)
        words += " (Ctrl-C: answer so far)"
        sys.stderr.write("\r" + words.ljust(self._width))
        sys.stderr.flush()
        self._width = len(words)

    def close(self) -> None:
        """Clears the line."""
        if self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()


class Told:
    """Tells a callable of each event."""

    def __init__(self, tell: Callable[[dict[str, Any]], Any]) -> None:
        self._tell = tell

    def __call__(self, text: str) -> None:
        """Tells of the latest event."""
        self._tell(json.loads(text))

    def close(self) -> None:
        """Nothing is left to be done."""


def shown(progress: bool | Callable[[dict[str, Any]], Any]) -> Line | Told | None:
    """Who is told: nobody, a line, or a callable."""
    if callable(progress):
        return Told(progress)
    return Line() if progress else None


def _number(bound: float | None) -> str:
    return "?" if bound is None else f"{bound:.6f}"


def _within_search(event: dict[str, Any]) -> str:
    if "found" in event:
        known = f"{event['found']} found, all others at most {_number(event['upper'])}"
    else:
        known = f"between {_number(event['lower'])} and {_number(event['upper'])}"
    return f"{known}; {event['regions']} regions looked at, {event['open']} open, {event['seconds']:.0f} s"


def _over_rows(event: dict[str, Any]) -> str:
    done, total, seconds = event["rows_done"], event["num_rows"], event["seconds"]
    left = f", about {seconds / done * (total - done):.0f} s left" if done else ""
    return f"{done} of {total} rows, {seconds:.0f} s{left}"
