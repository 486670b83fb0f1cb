"""Arguments as Python gives them, and as a task has them. What cannot be one is refused by its name."""

from __future__ import annotations

import datetime
import math
import os
import reprlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from treeproof.errors import TaskError

Path: TypeAlias = str | os.PathLike[str]
Region: TypeAlias = dict[str, Any]
"""What a function in ``where`` is told: the values of each feature in a region."""
Where: TypeAlias = str | Callable[[Region], bool] | Sequence[str | Callable[[Region], bool]]
Groups: TypeAlias = Mapping[str, str | Sequence[str]]
Time: TypeAlias = float | str | datetime.timedelta
Memory: TypeAlias = int | str
Gap: TypeAlias = float | str


def _shown(value: Any) -> str:
    """What was given, in a part of a line."""
    return " ".join(reprlib.repr(value).split())


def number(value: Any, name: str, *, is_finite: bool = True) -> float:
    """A number, by default a finite one."""
    try:
        converted = float(value)
    except (TypeError, ValueError, OverflowError):
        raise TaskError(f"{name} is not a number: {_shown(value)}") from None
    if is_finite and not math.isfinite(converted):
        raise TaskError(f"{name} is not a finite number: {_shown(value)}")
    return converted


def whole(value: Any, name: str) -> int:
    """A whole number that is not negative."""
    try:
        converted = int(value)
    except (TypeError, ValueError, OverflowError):
        raise TaskError(f"{name} is not a whole number: {_shown(value)}") from None
    if converted != value or converted < 0:
        raise TaskError(f"{name} is not a whole number from 0 on: {_shown(value)}")
    if converted >= 1 << 64:
        raise TaskError(f"{name} is too large: {_shown(value)}")
    return converted


def word(value: Any, name: str, example: str | None = None) -> str:
    """A text."""
    if not isinstance(value, str):
        such = f", such as {example!r}" if example else ""
        raise TaskError(f"{name} is not a text{such}: {_shown(value)}")
    return value


def column(name: str | int | None) -> str | None:
    """A column of rows; frames without names of their own count theirs."""
    return str(name) if isinstance(name, (int, np.integer)) else None if name is None else word(name, "label")


def texts(values: str | Sequence[str] | None, name: str) -> list[str]:
    """One text, or several."""
    if values is None:
        return []
    if isinstance(values, (bytes, Mapping)) or not hasattr(values, "__iter__"):
        raise TaskError(f"{name} is neither a text nor a list of texts: {_shown(values)}")
    return [values] if isinstance(values, str) else [word(value, name) for value in values]


def conditions(where: Where | None) -> tuple[list[str], list[Callable[[Region], bool]]]:
    """The texts and the functions among conditions."""
    if where is None:
        return [], []
    if isinstance(where, str) or callable(where):
        where = [where]
    if isinstance(where, (bytes, Mapping)) or not hasattr(where, "__iter__"):
        raise TaskError(f"where is neither a condition nor a list of conditions: {_shown(where)}")
    # Once: it may be a generator.
    given = list(where)
    functions = [condition for condition in given if callable(condition)]
    return [word(condition, "where") for condition in given if not callable(condition)], functions


def mapping(given: Mapping[str, Any] | None, name: str, example: str) -> dict[str, Any]:
    """What is given by name."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise TaskError(f"{name} is not a dict such as {example}: {_shown(given)}")
    return {str(key): value for key, value in given.items()}


def class_text(value: Any) -> str | None:
    """A class as a task names it."""
    if value is None:
        return None
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, bool):
        return str(value).lower()
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def fields(**given: Any) -> dict[str, Any]:
    """The fields that are given."""
    return {name: value for name, value in given.items() if value is not None and value is not False}


def numbers(**given: Any) -> dict[str, float]:
    """The numbers that are given."""
    return {name: number(value, name) for name, value in given.items() if value is not None}


def wholes(**given: Any) -> dict[str, int]:
    """The whole numbers that are given."""
    return {name: whole(value, name) for name, value in given.items() if value is not None}


def limits(
    time: Time | None,
    memory: Memory | None,
    threads: int | None,
    seed: int | None,
    gap: Gap | None = None,
    stop_above: float | None = None,
    stop_below: float | None = None,
) -> dict[str, Any]:
    """What bounds a search, as a task has it."""
    if isinstance(time, datetime.timedelta):
        time = time.total_seconds()
    texts = fields(
        time=time if time is None or isinstance(time, str) else f"{number(time, 'time')!r}s",
        memory=memory if memory is None or isinstance(memory, str) else f"{whole(memory, 'memory')}B",
        gap=gap if gap is None or isinstance(gap, str) else repr(number(gap, "gap")),
    )
    return texts | wholes(threads=threads, seed=seed) | numbers(stop_above=stop_above, stop_below=stop_below)
