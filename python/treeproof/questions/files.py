"""Questions that are files: tasks and audits; and the proofs of answers."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from treeproof import _native
from treeproof.arguments import Memory, Path, Time, limits
from treeproof.asking import Asked, warn
from treeproof.data import Rows, is_file
from treeproof.errors import TaskError
from treeproof.model import ModelLike, load
from treeproof.progress import Progress, shown
from treeproof.questions.explained import explained
from treeproof.report import Report
from treeproof.task import Task, read_text


@explained
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
    force: bool = False,
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
    return asked.report(models, proof, force, progress)


@explained
def audit(
    file: Path,
    model: ModelLike | None = None,
    *,
    proof: Path | None = None,
    force: bool = False,
    progress: Progress = False,
) -> Report:
    """Many questions about one model, as a gate. ``docs/audits.md`` describes the file.

    A model stands for that which the file names. ``report.verdict`` is ``"holds"`` if all checks pass.

    >>> tp.audit("loans.audit.toml").table["outcome"]
    ['pass', 'fail', 'pass', 'pass', 'pass']
    """
    name = os.fspath(file)
    text = read_text(name)
    seen = shown(progress)
    try:
        report, notes, read = _native.audit(text, name, None if model is None else load(model)._native, proof, seen, force)
    finally:
        if seen is not None:
            seen.close()
    for note in notes:
        warn(note)
    return Report(report, read=[os.fspath(name) for name in read])


@explained
def check(proof: Path, *models: ModelLike) -> Report:
    """Whether a proof is right, found out without the search: ``report.verdict`` is ``"valid"`` or ``"invalid"``.

    A proof is about the bytes of models: the files, or :meth:`Model.to_bytes` of what was asked about. ``report.statements`` says in
    words what is proved, and ``report.proved`` the same as it was checked.

    >>> model = tp.load("new.json")
    >>> report = tp.max(model, where=["age < 30"], proof="max.proof")
    >>> tp.check("max.proof", model).statements
    ['the margin is at most 0.375, for inputs with `age` at most 29.999999999999996 (1 step checked)']
    """
    if not models:
        raise TaskError("a proof is checked against the model that it is about: give it, too")
    loaded = [load(model) for model in models]
    read = [os.fspath(proof), *(model.name for model in loaded if model.name)]
    return Report(_native.check(os.fspath(proof), [model._native for model in loaded]), read=read)
