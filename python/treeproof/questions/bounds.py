"""What a model says within a region: the largest and the smallest margin, and the configurations that reach most."""

from __future__ import annotations

from typing import Any

from treeproof.arguments import Gap, Groups, Memory, Path, Time, Where, class_text, limits, numbers, wholes
from treeproof.asking import Asked
from treeproof.data import Rows
from treeproof.model import ModelLike
from treeproof.progress import Progress
from treeproof.questions.explained import explained
from treeproof.report import Report


def _bounds(
    question: str,
    model: ModelLike,
    where: Where | None,
    groups: Groups | None,
    domain: Rows | None,
    class_: Any,
    method: str | None,
    epsilon: float | None,
    bounded: dict[str, Any],
    proof: Path | None,
    force: bool,
    progress: Progress,
) -> Report:
    asked = Asked(question)
    asked.among(where, groups, domain)
    asked.set(**{"class": class_text(class_)}, method=method, **numbers(epsilon=epsilon), limits=bounded or None)
    return asked.report([model], proof, force, progress)


@explained
def max(
    model: ModelLike,
    *,
    where: Where | None = None,
    groups: Groups | None = None,
    domain: Rows | None = None,
    class_: Any = None,
    gap: Gap | None = None,
    stop_above: float | None = None,
    stop_below: float | None = None,
    method: str | None = None,
    epsilon: float | None = None,
    time: Time | None = None,
    memory: Memory | None = None,
    threads: int | None = None,
    seed: int | None = None,
    proof: Path | None = None,
    force: bool = False,
    progress: Progress = False,
) -> Report:
    """The largest margin in a region, with an input that reaches it.

    >>> report = tp.max("new.json", where=["age < 30", "status == single"], domain="people.csv")
    >>> report.upper, report.witness
    (0.0, {'age': 26.0, 'income': 30000.0, 'status': 'single'})
    """
    bounded = limits(time, memory, threads, seed, gap, stop_above, stop_below)
    return _bounds("max", model, where, groups, domain, class_, method, epsilon, bounded, proof, force, progress)


@explained
def min(
    model: ModelLike,
    *,
    where: Where | None = None,
    groups: Groups | None = None,
    domain: Rows | None = None,
    class_: Any = None,
    gap: Gap | None = None,
    stop_above: float | None = None,
    stop_below: float | None = None,
    method: str | None = None,
    epsilon: float | None = None,
    time: Time | None = None,
    memory: Memory | None = None,
    threads: int | None = None,
    seed: int | None = None,
    proof: Path | None = None,
    force: bool = False,
    progress: Progress = False,
) -> Report:
    """The smallest margin in a region, with an input that reaches it.

    >>> report = tp.min("new.json", where="income >= 20000", domain="people.csv")
    >>> report.lower, report.witness
    (-0.125, {'age': 26.0, 'income': 60000.0, 'status': 'single'})
    """
    bounded = limits(time, memory, threads, seed, gap, stop_above, stop_below)
    return _bounds("min", model, where, groups, domain, class_, method, epsilon, bounded, proof, force, progress)


@explained
def range(
    model: ModelLike,
    *,
    where: Where | None = None,
    groups: Groups | None = None,
    domain: Rows | None = None,
    class_: Any = None,
    gap: Gap | None = None,
    stop_above: float | None = None,
    stop_below: float | None = None,
    method: str | None = None,
    epsilon: float | None = None,
    time: Time | None = None,
    memory: Memory | None = None,
    threads: int | None = None,
    seed: int | None = None,
    proof: Path | None = None,
    force: bool = False,
    progress: Progress = False,
) -> Report:
    """Both: between which margins the model stays. ``report.min`` and ``report.max`` are the two answers.

    >>> report = tp.range("new.json", domain="people.csv")
    >>> report.lower, report.upper, report.max.witness
    (-1.0, 0.875, {'age': 40.0, 'income': 30000.0, 'status': 'married'})
    """
    bounded = limits(time, memory, threads, seed, gap, stop_above, stop_below)
    return _bounds("range", model, where, groups, domain, class_, method, epsilon, bounded, proof, force, progress)


@explained
def enumerate(
    model: ModelLike,
    *,
    above: float | None = None,
    top: int = 100,
    where: Where | None = None,
    groups: Groups | None = None,
    domain: Rows | None = None,
    class_: Any = None,
    time: Time | None = None,
    memory: Memory | None = None,
    threads: int | None = None,
    seed: int | None = None,
    proof: Path | None = None,
    force: bool = False,
    progress: Progress = False,
) -> Report:
    """The output configurations of the largest margins, each with all inputs that have it.

    >>> for region in tp.enumerate("new.json", top=2).regions:
    ...     print(region["output"], region["domain"]["income"])
    0.875 {'low': 20000.0, 'high': 50000.0, 'missing': False}
    0.75 {'low': 50000.0, 'high': None, 'missing': False}
    """
    asked = Asked({"enumerate": wholes(top=top) | numbers(above=above)})
    asked.among(where, groups, domain)
    asked.set(**{"class": class_text(class_)}, limits=limits(time, memory, threads, seed) or None)
    return asked.report([model], proof, force, progress)
