"""The questions. Each is called as on the command line, and so are its arguments.

Arguments that all of them share:

``where``      conditions that must hold: a text or several (``docs/constraints.md`` is the manual); for :func:`max`,
               :func:`min` and :func:`range` also functions of regions (``docs/python.md``)
``groups``     one-hot columns that are one feature: ``{"sex": "sex_*"}``
``domain``     rows whose ranges, categories and missing values confine the features; recommended
``time``       seconds, or a text such as ``"2min"``; 60 by default, over rows 10 for each
``memory``     bytes, or a text such as ``"4GiB"``; half of the machine's by default
``threads``    all cores by default; with one, every run takes the same steps
``seed``       where random numbers begin: they change how soon inputs are found, never what is proved
``proof``      a file for a proof of the answer, which :func:`check` validates
``progress``   ``True`` shows a live line on terminals and in notebooks, ``"log"`` now and then a line on standard error; a
               callable is told of events
``client``     of questions over rows: a Dask client on whose cluster they are asked (``docs/python.md``)

Ctrl-C ends a search and gives what is known: ``report.stopped == "interrupted"``. A second one raises ``KeyboardInterrupt``.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from treeproof import _native
from treeproof.asking import (
    Asked,
    Gap,
    Groups,
    Memory,
    Path,
    Time,
    Where,
    class_text,
    fields,
    limits,
    texts,
    warn,
)
from treeproof.data import Rows, is_file
from treeproof.errors import TaskError
from treeproof.model import ModelLike, load
from treeproof.progress import Progress, shown
from treeproof.report import Report
from treeproof.task import Task


def _groups(groups: Groups | None) -> dict[str, str | list[str]] | None:
    if not groups:
        return None
    return {str(name): columns if isinstance(columns, str) else list(columns) for name, columns in groups.items()}


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
    progress: Progress,
) -> Report:
    asked = Asked(question)
    asked.where(where)
    asked.set(groups=_groups(groups), domain=asked.rows("domain", domain))
    asked.set(**{"class": class_text(class_)}, method=method, epsilon=epsilon, limits=bounded or None)
    return asked.report([model], proof, progress)


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
    progress: Progress = False,
) -> Report:
    """The largest margin in a region, with an input that reaches it.

    >>> report = tp.max("new.json", where=["age < 30", "status == single"], domain="people.csv")
    >>> report.upper, report.witness
    (0.0, {'age': 26.0, 'income': 30000.0, 'status': 'single'})
    """
    bounded = limits(time, memory, threads, seed, gap, stop_above, stop_below)
    return _bounds("max", model, where, groups, domain, class_, method, epsilon, bounded, proof, progress)


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
    progress: Progress = False,
) -> Report:
    """The smallest margin in a region, with an input that reaches it.

    >>> report = tp.min("new.json", where="income >= 20000", domain="people.csv")
    >>> report.lower, report.witness
    (-0.125, {'age': 26.0, 'income': 60000.0, 'status': 'single'})
    """
    bounded = limits(time, memory, threads, seed, gap, stop_above, stop_below)
    return _bounds("min", model, where, groups, domain, class_, method, epsilon, bounded, proof, progress)


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
    progress: Progress = False,
) -> Report:
    """Both: between which margins the model stays. ``report.min`` and ``report.max`` are the two answers.

    >>> report = tp.range("new.json", domain="people.csv")
    >>> report.lower, report.upper, report.max.witness
    (-1.0, 0.875, {'age': 40.0, 'income': 30000.0, 'status': 'married'})
    """
    bounded = limits(time, memory, threads, seed, gap, stop_above, stop_below)
    return _bounds("range", model, where, groups, domain, class_, method, epsilon, bounded, proof, progress)


def _measure(
    asked: Asked,
    norm: str,
    weights: Mapping[str, float] | None,
    scale: Rows | None,
    missing_cost: float | None,
    category_cost: float | None,
) -> dict[str, Any]:
    if scale is not None:
        if isinstance(scale, str) and not scale.startswith("std:"):
            raise TaskError("scale: write std:DATA, as in std:train.csv, or give the rows themselves")
        scale = scale if isinstance(scale, str) else f"std:{asked.rows('scale', scale)}"
    weighted = {str(name): float(weight) for name, weight in weights.items()} if weights else None
    return fields(norm=norm, weights=weighted, scale=scale, missing_cost=missing_cost, category_cost=category_cost)


def robust(
    model: ModelLike,
    data: Rows,
    *,
    norm: str,
    radius: float,
    y: Any = None,
    label: str | None = None,
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
    question = _measure(asked, norm, weights, scale, missing_cost, category_cost) | {"radius": float(radius)}
    question |= fields(target=class_text(target), within=within, label=label)
    asked.set(question={"robust": question}, data=asked.rows("data", data), rows=rows, threshold=threshold)
    asked.label(y)
    asked.where(where)
    asked.set(groups=_groups(groups), domain=asked.rows("domain", domain))
    asked.set(method=method, epsilon=epsilon, limits=limits(time, memory, threads, seed) or None)
    return asked.report([model], proof, progress, client)


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
    question |= fields(target=class_text(target), count=count)
    question |= {name: float(value) for name, value in fields(output_above=output_above, output_below=output_below).items()}
    asked.set(question={"closest": question}, data=asked.rows("data", data), rows=rows, threshold=threshold)
    asked.where(where)
    asked.set(groups=_groups(groups), domain=asked.rows("domain", domain))
    asked.set(method=method, epsilon=epsilon, limits=limits(time, memory, threads, seed) or None)
    return asked.report([model], proof, progress, client)


def _values(given: str | Sequence[str] | Mapping[str, Any] | None) -> list[str]:
    """Values as ``name=value``."""
    if isinstance(given, Mapping):
        return [f"{name}={class_text(value)}" for name, value in given.items()]
    return texts(given)


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
    question: dict[str, Any] = {"vary": texts(vary)} | fields(given=_values(given) or None)
    question |= fields(at_most=at_most, decrease=bool(decrease), each=bool(each))
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
        question["baseline"] = _values(baseline)
    elif baseline is not None:
        question["baseline"] = 0
        asked.set(data=asked.rows("data", baseline))
    asked.set(question={"dominant": question}, **{"class": class_text(class_)})
    asked.where(where)
    asked.set(groups=_groups(groups), domain=asked.rows("domain", domain))
    asked.set(limits=limits(time, memory, threads, seed, gap, stop_above, stop_below) or None)
    return asked.report([model], proof, progress)


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
    asked = Asked({"fair": {"protected": texts(protected)}})
    asked.set(data=asked.rows("data", data), rows=rows, threshold=threshold, **{"class": class_text(class_)})
    asked.where(where)
    asked.set(groups=_groups(groups), domain=asked.rows("domain", domain))
    asked.set(limits=limits(time, memory, threads, seed, gap, stop_above, stop_below) or None)
    return asked.report([model], proof, progress, client)


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
    progress: Progress = False,
) -> Report:
    """Whether the margin never falls as a feature rises; without one, of every feature or those that training constrained.

    >>> tp.monotone("new.json", "age").verdict
    'holds'
    >>> report = tp.monotone("new.json", "income", domain="people.csv")
    >>> report.verdict, report.witness["a"]["income"], report.witness["b"]["income"]
    ('violated', 30000.0, 60000.0)
    """
    asked = Asked({"monotone": fields(features=texts(feature) or None, decreasing=bool(decreasing))})
    asked.where(where)
    asked.set(groups=_groups(groups), domain=asked.rows("domain", domain))
    asked.set(**{"class": class_text(class_)})
    asked.set(limits=limits(time, memory, threads, seed, gap, stop_above, stop_below) or None)
    return asked.report([model], proof, progress)


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
    progress: Progress = False,
) -> Report:
    """The largest jump of the margin between any two inputs that are at most a radius apart.

    >>> tp.stable("new.json", radius=1000, domain="people.csv", where="fixed(status)").upper
    1.5
    """
    asked = Asked()
    question = _measure(asked, norm, weights, scale, missing_cost, category_cost) | {"radius": float(radius)}
    asked.set(question={"stable": question | ({} if within is None else {"within": float(within)})})
    asked.where(where)
    asked.set(groups=_groups(groups), domain=asked.rows("domain", domain))
    asked.set(**{"class": class_text(class_)})
    asked.set(limits=limits(time, memory, threads, seed, gap, stop_above, stop_below) or None)
    return asked.report([model], proof, progress)


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
    progress: Progress = False,
) -> Report:
    """Where two models differ most; with ``within``, whether they agree up to that.

    >>> tp.diff("old.json", "new.json", domain="people.csv").upper
    0.875
    >>> tp.diff("new.json", "new.json", within=1e-6).verdict
    'holds'
    """
    asked = Asked({"diff": {} if within is None else {"within": float(within)}})
    asked.where(where)
    asked.set(groups=_groups(groups), domain=asked.rows("domain", domain))
    asked.set(limits=limits(time, memory, threads, seed, gap, stop_above, stop_below) or None)
    return asked.report([model, other], proof, progress)


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
    progress: Progress = False,
) -> Report:
    """The output configurations of the largest margins, each with all inputs that have it.

    >>> for region in tp.enumerate("new.json", top=2).regions:
    ...     print(region["output"], region["domain"]["income"])
    0.875 {'low': 20000.0, 'high': 50000.0, 'missing': False}
    0.75 {'low': 50000.0, 'high': None, 'missing': False}
    """
    asked = Asked({"enumerate": {"top": int(top)} | ({} if above is None else {"above": float(above)})})
    asked.where(where)
    asked.set(groups=_groups(groups), domain=asked.rows("domain", domain))
    asked.set(**{"class": class_text(class_)}, limits=limits(time, memory, threads, seed) or None)
    return asked.report([model], None, progress)


def solve(
    task: Task | Mapping[str, Any] | Path,
    *models: ModelLike,
    data: Rows | None = None,
    domain: Rows | None = None,
    y: Any = None,
    time: Time | None = None,
    memory: Memory | None = None,
    threads: int | None = None,
    seed: int | None = None,
    proof: Path | None = None,
    progress: Progress = False,
) -> Report:
    """Answers a task: a file's name, a :class:`Task` or a dict. ``docs/tasks.md`` describes tasks.

    Models stand for those that the task names, in order of the names; ``data`` and ``domain`` for the files of a question.

    >>> tp.solve("raise.json").upper
    0.125
    >>> tp.solve({"treeproof": 1, "question": "max", "where": ["age < 30"]}, "new.json").upper
    0.375
    """
    if is_file(task):
        task = Task.read(task)  # type: ignore[arg-type]
    elif not isinstance(task, Task):
        task = Task(task)  # type: ignore[arg-type]
    asked = Asked(task=task)
    asked.set(data=asked.rows("data", data), domain=asked.rows("domain", domain))
    asked.label(y)
    bounded = limits(time, memory, threads, seed)
    if bounded:
        asked.set(limits={**asked.fields.get("limits", {}), **bounded})
    return asked.report(models, proof, progress)


def audit(file: Path, model: ModelLike | None = None, *, progress: Progress = False) -> Report:
    """Many questions about one model, as a gate. ``docs/audits.md`` describes the file.

    A model stands for that which the file names. ``report.verdict`` is ``"holds"`` if all checks pass.

    >>> tp.audit("loans.audit.toml").table["outcome"]
    ['pass', 'fail', 'pass', 'pass', 'pass']
    """
    name = os.fspath(file)
    try:
        with open(name, encoding="utf-8") as opened:
            text = opened.read()
    except FileNotFoundError:
        raise TaskError(f"{name}: no such file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise TaskError(f"{name}: {error}") from None
    seen = shown(progress)
    try:
        report, notes = _native.audit(text, name, None if model is None else load(model)._native, seen)
    finally:
        if seen is not None:
            seen.close()
    for note in notes:
        warn(note)
    return Report(report)


def check(proof: Path, *models: ModelLike) -> Report:
    """Whether a proof is right, found out without the search: ``report.verdict`` is ``"valid"`` or ``"invalid"``.

    A proof is about the bytes of models: the files, or :meth:`Model.to_bytes` of what was asked about.

    >>> model = tp.load("new.json")
    >>> report = tp.max(model, domain="people.csv", proof="max.proof")
    >>> tp.check("max.proof", model).statements
    ['the margin is at most 0.875 (1 step checked)']
    """
    if not models:
        raise TaskError("a proof is checked against the model that it is about: give it, too")
    return Report(_native.check(os.fspath(proof), [load(model)._native for model in models]))
