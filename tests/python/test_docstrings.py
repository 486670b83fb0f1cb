"""Every public name has an example, and what the examples show is what happens."""

from __future__ import annotations

import doctest
import inspect
import shutil
from pathlib import Path
from typing import Any

import matplotlib
import matplotlib.pyplot
import pytest
import treeproof as tp
from treeproof import scikit_learn
from treeproof.questions.explained import ARGUMENTS

matplotlib.use("Agg")

EXAMPLES = Path(__file__).resolve().parents[2] / "docs/examples"


def names() -> dict[str, Any]:
    """What is public: names of the package, and what their classes have."""
    found: dict[str, Any] = {"treeproof": tp, "scikit_learn": scikit_learn}
    found |= {f"scikit_learn.{name}": getattr(scikit_learn, name) for name in ("save", "to_document")}
    for name in tp.__all__:
        thing = found[name] = getattr(tp, name)
        if inspect.isclass(thing) and not issubclass(thing, Exception):
            members = {member: value for member, value in vars(thing).items() if not member.startswith("_")}
            found |= {f"{name}.{member}": value for member, value in members.items() if _is_told(value)}
    return found


def _is_told(member: Any) -> bool:
    return inspect.isfunction(member) or isinstance(member, (property, classmethod, staticmethod))


@pytest.mark.parametrize("name", names())
def test_examples(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "examples"
    shutil.copytree(EXAMPLES, folder)
    monkeypatch.chdir(folder)
    thing = names()[name]
    text = inspect.getdoc(thing) or ""
    test = doctest.DocTestParser().get_doctest(text, {"tp": tp}, name, None, 0)
    assert test.examples, f"{name} has no example"
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    runner.run(test, out=said.append)
    matplotlib.pyplot.close("all")
    assert runner.failures == 0, "".join(said)


QUESTIONS = [name for name in tp.__all__ if getattr(tp, name).__module__.startswith("treeproof.questions")]


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_argument_of_a_question_is_explained(name: str) -> None:
    question = getattr(tp, name)
    text = inspect.getdoc(question) or ""
    told = [line.split(":")[0].strip() for line in text.partition("\nArguments:\n")[2].splitlines() if line[4:5].strip()]
    assert told == list(inspect.signature(question).parameters)


def test_nothing_is_explained_that_no_question_has() -> None:
    taken = {argument for name in QUESTIONS for argument in inspect.signature(getattr(tp, name)).parameters}
    assert set(ARGUMENTS) == taken
