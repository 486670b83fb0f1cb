"""The uses: what treeproof says becomes a page, and an answer that the library contradicts ends the run instead."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any, Callable

import fairness
import lightgbm
import numpy as np
import pandas as pd
import pytest
import use as uses
from libraries import Trained
from onehot import Groups, outside

SEX = fairness.Protected(("sex",))


@pytest.fixture
def subject() -> fairness.Subject:
    """A model that looks at sex, among people of whom it decides some by that."""
    random = np.random.default_rng(3)
    data = pd.DataFrame({"age": random.integers(20, 60, 400).astype(float),
                         "sex": pd.Categorical(random.choice(["f", "m"], 400))})
    rich = (data["age"] + 10 * (data["sex"] == "m") > 45).astype(int)
    model = lightgbm.LGBMClassifier(n_estimators=5, num_leaves=6, verbose=-1, n_jobs=1).fit(data, rich)
    return fairness.Subject("income.txt", Trained(model, data), data, data.head(40), Groups(data))


@pytest.fixture
def use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, subject: fairness.Subject) -> uses.Use:
    monkeypatch.setattr("sys.argv", ["use", "--data", str(tmp_path), "--bench", str(tmp_path)])
    monkeypatch.setattr(uses, "TARGET", tmp_path)
    monkeypatch.setattr(uses, "PAGES", tmp_path / "pages")
    use = uses.Use("sample", None)
    subject.model.model.booster_.save_model(use.folder / subject.file)
    subject.write(use)
    return use


def ask(subject: fairness.Subject) -> Callable[[uses.Use], uses.Page]:
    def main(use: uses.Use) -> uses.Page:
        page = uses.Page("Sample", "a headline")
        fairness.answers(use, page, [("sample", subject, SEX, ())])
        return page
    return main


def test_what_is_right_becomes_a_page(use: uses.Use, subject: fairness.Subject) -> None:
    use.run(ask(subject))
    page = (uses.PAGES / "sample.md").read_text()
    assert "treeproof fair income.txt --protected sex" in page and "| yes |" in page
    assert "[Sample](sample.md) a headline" in (uses.PAGES / "README.md").read_text()


def wrong_output(answer: dict[str, Any]) -> None:
    answer["output"]["b"] = float(np.nextafter(answer["output"]["b"], 9))


def wrong_label(answer: dict[str, Any]) -> None:
    answer["label"]["a"] = 1 - answer["label"]["a"]


def other_age(answer: dict[str, Any]) -> None:
    # Trees do not tell these ages apart, so outputs stay right.
    answer["witness"]["b"]["age"] = float(np.nextafter(answer["witness"]["b"]["age"], 99))


def wrong_verdict(answer: dict[str, Any]) -> None:
    answer["verdict"] = "undecided"


@pytest.mark.parametrize("spoil, complaint", [
    (wrong_output, "treeproof says"),
    (wrong_label, "the library's label is"),
    (other_age, "the two differ in"),
    (wrong_verdict, "undecided"),
])
def test_what_is_wrong_ends_the_run(
    use: uses.Use, subject: fairness.Subject, spoil: Callable[[dict[str, Any]], None], complaint: str,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:
    asked = use.ask

    def spoilt(*words: Any) -> dict[str, Any]:
        answer = copy.deepcopy(asked(*words))
        spoil(answer)
        return answer

    monkeypatch.setattr(use, "ask", spoilt)
    with pytest.raises(SystemExit) as ended:
        use.run(ask(subject))
    assert ended.value.code == 1
    said = capsys.readouterr().err
    assert said.startswith("uses/sample: after treeproof fair") and complaint in said
    assert not (uses.PAGES / "sample.md").exists()


def test_a_row_that_is_said_to_hold_is_tried(
    use: uses.Use, subject: fairness.Subject, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = use.ask

    def spoilt(*words: Any) -> dict[str, Any]:
        answer = asked(*words)
        for row in answer.get("rows", []):
            row["verdict"] = "holds"
        return answer

    monkeypatch.setattr(use, "ask", spoilt)
    with pytest.raises(SystemExit):
        use.run(ask(subject))


def test_a_question_that_is_refused_ends_the_run(use: uses.Use, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        use.run(lambda use: use.ask("max", "absent.json"))
    assert "exit code 2" in capsys.readouterr().err


def test_what_does_not_occur_in_data_is_named(subject: fairness.Subject) -> None:
    assert outside({"age": 30.5, "sex": "f"}, subject.data) == []
    assert outside({"age": 99.0, "sex": "x"}, subject.data) == ["age", "sex"]
    assert outside({"age": None, "sex": "m"}, subject.data) == ["age"]
