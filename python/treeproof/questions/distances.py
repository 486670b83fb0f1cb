"""How near something else is: around rows, and anywhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from treeproof.arguments import (
    Gap,
    Groups,
    Memory,
    Path,
    Time,
    Where,
    class_text,
    column,
    fields,
    limits,
    mapping,
    number,
    numbers,
    wholes,
    word,
)
from treeproof.asking import Asked
from treeproof.data import Rows
from treeproof.errors import TaskError
from treeproof.model import ModelLike
from treeproof.progress import Progress
from treeproof.questions.explained import explained
from treeproof.report import Report


def _measure(
    asked: Asked,
    norm: str,
    weights: Mapping[str, float] | None,
    scale: Rows | None,
    missing_cost: float | None,
    category_cost: float | None,
) -> dict[str, Any]:
    """How distances are measured, as a task has it."""
    if scale is not None:
        if isinstance(scale, str) and not scale.startswith("std:"):
            raise TaskError("scale: write std:DATA, as in std:train.csv, or give the rows themselves")
        scale = scale if isinstance(scale, str) else f"std:{asked.rows('scale', scale)}"
    weighted = mapping(weights, "weights", "{'age': 2.0}")
    weighted = {name: number(weight, f"weights: {name}") for name, weight in weighted.items()}
    costs = numbers(missing_cost=missing_cost, category_cost=category_cost)
    return fields(norm=word(norm, "norm", "linf"), weights=weighted or None, scale=scale) | costs


@explained
def robust(
    model: ModelLike,
    data: Rows,
    *,
    norm: str,
    radius: float,
    y: Any = None,
    label: str | int | None = None,
    target: Any = None,
    within: float | None = None,
    threshold: float | None = None,
    where: Where | None = None,
    groups: Groups | None = None,
    domain: Rows | None = None,
    weights: Mapping[str, float] | None = None,
    scale: Rows | None = None,
    missing_cost: float | None = None,
    category_cost: float | None = None,
    rows: int | None = None,
    method: str | None = None,
    epsilon: float | None = None,
    time: Time | None = None,
    memory: Memory | None = None,
    threads: int | None = None,
    seed: int | None = None,
    proof: Path | None = None,
    force: bool = False,
    progress: Progress = False,
    client: Any = None,
) -> Report:
    """Whether no change within a radius flips the label of rows (or, with ``within``, moves the output by more).

    With the true labels, as ``y`` or as the column ``label``, the summary has the certified accuracy.

    >>> report = tp.robust("new.json", "people.csv", norm="linf", radius=2000, label="outcome")
    >>> report.table["verdict"]
    ['violated', 'holds', 'violated', 'holds']
    >>> report.summary["accuracy"], report.summary["certified_accuracy"]
    (0.75, 0.25)
    """
    asked = Asked()
    if y is not None and label is not None:
        raise TaskError("y, label: give the labels themselves or the name of their column, not both")
    question = _measure(asked, norm, weights, scale, missing_cost, category_cost)
    question |= {"radius": number(radius, "radius")} | fields(target=class_text(target), label=column(label)) | numbers(within=within)
    asked.set(question={"robust": question}, data=asked.rows("data", data), **wholes(rows=rows), **numbers(threshold=threshold))
    asked.label(y)
    asked.among(where, groups, domain)
    asked.set(method=method, **numbers(epsilon=epsilon), limits=limits(time, memory, threads, seed) or None)
    return asked.report([model], proof, force, progress, client)


@explained
def closest(
    model: ModelLike,
    data: Rows,
    *,
    norm: str,
    target: Any = None,
    output_above: float | None = None,
    output_below: float | None = None,
    count: int | None = None,
    threshold: float | None = None,
    where: Where | None = None,
    groups: Groups | None = None,
    domain: Rows | None = None,
    weights: Mapping[str, float] | None = None,
    scale: Rows | None = None,
    missing_cost: float | None = None,
    category_cost: float | None = None,
    rows: int | None = None,
    method: str | None = None,
    epsilon: float | None = None,
    time: Time | None = None,
    memory: Memory | None = None,
    threads: int | None = None,
    seed: int | None = None,
    proof: Path | None = None,
    force: bool = False,
    progress: Progress = False,
    client: Any = None,
) -> Report:
    """How far the closest input is that has another label (or the ``target``, or an output above or below a number).

    All rows go to the search in one call. A single row may be a list, a dict or a pandas series.

    >>> person = {"age": 22, "income": 18000, "status": "single"}
    >>> report = tp.closest("new.json", person, norm="l1", where=["fixed(status)"], weights={"age": 1000})
    >>> report.table[0]["upper"], report.table[0]["witness"]
    (10000.0, {'age': 30.0, 'income': 20000.0, 'status': 'single'})
    """
    asked = Asked()
    question = _measure(asked, norm, weights, scale, missing_cost, category_cost)
    question |= fields(target=class_text(target)) | wholes(count=count)
    question |= numbers(output_above=output_above, output_below=output_below)
    asked.set(question={"closest": question}, data=asked.rows("data", data), **wholes(rows=rows), **numbers(threshold=threshold))
    asked.among(where, groups, domain)
    asked.set(method=method, **numbers(epsilon=epsilon), limits=limits(time, memory, threads, seed) or None)
    return asked.report([model], proof, force, progress, client)


@explained
def stable(
    model: ModelLike,
    *,
    radius: float,
    norm: str = "linf",
    within: float | None = None,
    where: Where | None = None,
    groups: Groups | None = None,
    domain: Rows | None = None,
    class_: Any = None,
    weights: Mapping[str, float] | None = None,
    scale: Rows | None = None,
    missing_cost: float | None = None,
    category_cost: float | None = None,
    gap: Gap | None = None,
    stop_above: float | None = None,
    stop_below: float | None = None,
    time: Time | None = None,
    memory: Memory | None = None,
    threads: int | None = None,
    seed: int | None = None,
    proof: Path | None = None,
    force: bool = False,
    progress: Progress = False,
) -> Report:
    """The largest jump of the margin between any two inputs that are at most a radius apart.

    >>> tp.stable("new.json", radius=1000, domain="people.csv", where="fixed(status)").upper
    1.5
    """
    asked = Asked()
    question = _measure(asked, norm, weights, scale, missing_cost, category_cost)
    question |= {"radius": number(radius, "radius")} | numbers(within=within)
    asked.set(question={"stable": question})
    asked.among(where, groups, domain)
    asked.set(**{"class": class_text(class_)})
    asked.set(limits=limits(time, memory, threads, seed, gap, stop_above, stop_below) or None)
    return asked.report([model], proof, force, progress)
