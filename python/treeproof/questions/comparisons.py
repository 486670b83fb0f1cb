"""What differs: between inputs, and between models."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from treeproof.arguments import Gap, Groups, Memory, Path, Time, Where, class_text, fields, limits, numbers, texts, wholes
from treeproof.asking import Asked
from treeproof.data import Rows
from treeproof.errors import TaskError
from treeproof.model import ModelLike
from treeproof.progress import Progress
from treeproof.questions.explained import explained
from treeproof.report import Report


def _values(given: str | Sequence[str] | Mapping[str, Any] | None, name: str) -> list[str]:
    """Values as ``name=value``."""
    if isinstance(given, Mapping):
        return [f"{name}={class_text(value)}" for name, value in given.items()]
    return texts(given, name)


@explained
def dominant(
    model: ModelLike,
    *,
    vary: str | Sequence[str],
    given: str | Sequence[str] | Mapping[str, Any] | None = None,
    baseline: Any = None,
    at_most: int | None = None,
    decrease: bool = False,
    each: bool = False,
    where: Where | None = None,
    groups: Groups | None = None,
    domain: Rows | None = None,
    class_: Any = None,
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
    """Which few attributes move the margin most from a starting point.

    The starting point has the values ``given``, which stay as they are, and else those of ``baseline``: a row, or a dict of
    values where all others are 0.

    >>> report = tp.dominant("new.json", baseline="people.csv:0", vary="*", at_most=1, domain="people.csv")
    >>> report.upper, report.changes
    (1.0, [{'attribute': 'income', 'from': 18000.0, 'to': 30000.0, 'effect': 1.0}])
    """
    asked = Asked()
    question: dict[str, Any] = {"vary": texts(vary, "vary")} | fields(given=_values(given, "given") or None)
    question |= wholes(at_most=at_most) | fields(decrease=bool(decrease), each=bool(each))
    if isinstance(baseline, (str, os.PathLike)):
        file, colon, row = os.fspath(baseline).rpartition(":")
        if colon and row.isdecimal():
            question["baseline"] = int(row)
            asked.set(data=file)
        elif "=" in os.fspath(baseline):
            question["baseline"] = [os.fspath(baseline)]
        else:
            raise TaskError(f"baseline: `{baseline}` is no row, as in people.csv:17, and no values, as in age=30,income=4")
    elif isinstance(baseline, Mapping):
        question["baseline"] = _values(baseline, "baseline")
    elif baseline is not None:
        question["baseline"] = 0
        asked.set(data=asked.rows("data", baseline))
    asked.set(question={"dominant": question}, **{"class": class_text(class_)})
    asked.among(where, groups, domain)
    asked.set(limits=limits(time, memory, threads, seed, gap, stop_above, stop_below) or None)
    return asked.report([model], proof, force, progress)


@explained
def fair(
    model: ModelLike,
    data: Rows | None = None,
    *,
    protected: str | Sequence[str],
    threshold: float | None = None,
    where: Where | None = None,
    groups: Groups | None = None,
    domain: Rows | None = None,
    class_: Any = None,
    rows: int | None = None,
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
    client: Any = None,
) -> Report:
    """Whether no two inputs that differ only in protected features are treated differently; with data, which rows are.

    >>> report = tp.fair("new.json", protected=["status"], domain="people.csv")
    >>> report.verdict, report.label
    ('violated', {'a': 'refused', 'b': 'granted'})
    >>> tp.fair("new.json", "people.csv", protected=["status"], domain="people.csv").summary["share"]
    0.25
    """
    asked = Asked({"fair": {"protected": texts(protected, "protected")}})
    asked.set(data=asked.rows("data", data), **wholes(rows=rows), **numbers(threshold=threshold), **{"class": class_text(class_)})
    asked.among(where, groups, domain)
    asked.set(limits=limits(time, memory, threads, seed, gap, stop_above, stop_below) or None)
    return asked.report([model], proof, force, progress, client)


@explained
def monotone(
    model: ModelLike,
    feature: str | Sequence[str] | None = None,
    *,
    decreasing: bool = False,
    where: Where | None = None,
    groups: Groups | None = None,
    domain: Rows | None = None,
    class_: Any = None,
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
    """Whether the margin never falls as a feature rises; without one, of every feature or those that training constrained.

    >>> tp.monotone("new.json", "age").verdict
    'holds'
    >>> report = tp.monotone("new.json", "income", domain="people.csv")
    >>> report.verdict, report.witness["a"]["income"], report.witness["b"]["income"]
    ('violated', 30000.0, 60000.0)
    """
    asked = Asked({"monotone": fields(features=texts(feature, "feature") or None, decreasing=bool(decreasing))})
    asked.among(where, groups, domain)
    asked.set(**{"class": class_text(class_)})
    asked.set(limits=limits(time, memory, threads, seed, gap, stop_above, stop_below) or None)
    return asked.report([model], proof, force, progress)


@explained
def diff(
    model: ModelLike,
    other: ModelLike,
    *,
    within: float | None = None,
    where: Where | None = None,
    groups: Groups | None = None,
    domain: Rows | None = None,
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
    """Where two models differ most; with ``within``, whether they agree up to that.

    >>> tp.diff("old.json", "new.json", domain="people.csv").upper
    0.875
    >>> tp.diff("new.json", "new.json", within=1e-6).verdict
    'holds'
    """
    asked = Asked({"diff": numbers(within=within)})
    asked.among(where, groups, domain)
    asked.set(limits=limits(time, memory, threads, seed, gap, stop_above, stop_below) or None)
    return asked.report([model, other], proof, force, progress)
