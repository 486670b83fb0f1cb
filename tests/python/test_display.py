"""How answers look: words, text and HTML say what the reports hold, and names from files stay names."""

from __future__ import annotations

import hashlib
import json
import pickle
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import treeproof as tp
from sklearn.tree import DecisionTreeClassifier
from treeproof import scikit_learn

EXAMPLES = Path(__file__).resolve().parents[2] / "docs/examples"
PEOPLE = EXAMPLES / "people.csv"
HOSTILE = '<script>alert("x")</script>'


class Seen(HTMLParser):
    """The text of a page, cell by cell, and the elements in it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: set[str] = set()
        self.tables: list[list[list[str]]] = []
        self.marked: list[str] = []
        self.texts: list[str] = []
        self._classes: list[str] = []
        self.feed(html)
        assert self.open == [], "every element is closed"

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        self.open.append(tag)
        self._classes.append(dict(attributes).get("class") or "")
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        self._classes.pop()

    def handle_data(self, text: str) -> None:
        if "style" in self.open:
            return
        self.texts.append(text)
        if "td" in self.open or "th" in self.open:
            self.tables[-1][-1][-1] += text
        if "tp-changed" in self._classes[-1:]:
            self.marked.append(text)

    @property
    def text(self) -> str:
        return " ".join(self.texts)


@pytest.fixture
def model() -> tp.Model:
    return tp.load(EXAMPLES / "new.json")


def test_an_answer_is_told_in_words_with_bounds_and_input(model: tp.Model) -> None:
    report = tp.max(model, where=["age >= 30", "income < 50000"], domain=PEOPLE)
    seen = Seen(report._repr_html_())
    asked = "How large can the margin be where (age >= 30) and (income < 50000), within what occurs in people.csv?"
    assert asked in seen.text and "The largest margin is 0.875: proved." in seen.text
    facts, witness = seen.tables
    assert ["bounds", "at least 0.875, at most 0.875"] in facts
    # The most tested features first.
    assert witness == [["feature", "value"], ["income", "30000"], ["age", "40"], ["status", "married"]]
    assert str(report).startswith("The largest margin is 0.875: proved.\nbounds       at least 0.875, at most 0.875\n")
    assert str(report).endswith("\n\nfeature  value\nincome   30000\nage      40\nstatus   married")
    assert repr(report) == (
        "Report(question='max', verdict='optimal', lower=0.875, upper=0.875, output=0.875, stopped='optimal')"
    )


def test_both_ends_of_a_range_are_told(model: tp.Model) -> None:
    seen = Seen(tp.range(model, domain=PEOPLE)._repr_html_())
    assert "The margin is between -1 and 0.875: proved." in seen.text
    facts, ends, inputs = seen.tables
    assert [line[:4] for line in ends[1:]] == [["smallest", "optimal", "-1", "-1"], ["largest", "optimal", "0.875", "0.875"]]
    assert inputs[0] == ["feature", "at the smallest", "at the largest", "change"]
    assert inputs[1:3] == [["income", "19000", "30000", "+11000"], ["age", "26", "40", "+14"]]


def test_two_inputs_stand_side_by_side_with_what_differs_marked(model: tp.Model) -> None:
    report = tp.fair(model, protected="status", domain=PEOPLE)
    seen = Seen(report._repr_html_())
    assert seen.tables[-1] == [
        ["feature", "a", "b", "change"],
        ["status", "single", "married", "changed"],
        ["income", "60000", "60000", ""],
        ["age", "26", "26", ""],
    ]
    assert seen.marked == ["single", "married", "changed"]
    assert "Two inputs that differ only in status have different labels." in str(report)


def test_a_single_row_stands_beside_its_closest_input(model: tp.Model) -> None:
    report = tp.closest(model, {"age": 22, "income": 18000, "status": "single"}, norm="l1")
    seen = Seen(report._repr_html_())
    assert "How far is the closest input with another label, by the sum of changes (l1)?" in seen.text
    assert seen.tables[-1] == [
        ["feature", "row 0", "found", "change"],
        ["income", "18000", "20000", "+2000"],
        ["age", "22", "30", "+8"],
        ["status", "single", "single", ""],
    ]
    assert seen.marked == ["18000", "20000", "+2000", "22", "30", "+8"]


def test_rows_of_data_are_summed_up_and_the_first_shown(model: tp.Model) -> None:
    report = tp.robust(model, PEOPLE, norm="linf", radius=2000, label="outcome")
    seen = Seen(report._repr_html_())
    assert "2 of 4 rows are robust within 2000: proved; 2 can be changed." in seen.text
    assert ["certified accuracy", "25.0 %: right and robust"] in seen.tables[0]
    # Those first that change, and of them the closest.
    assert seen.tables[1][2] == ["0", "changed", "2000", "refused → granted", "right", "age 22 → 30, income 18000 → 20000"]
    assert seen.tables[1][3] == ["1", "robust", "> 2000", "granted", "right", ""]
    assert len(seen.tables) == 2
    many = tp.robust(model, [{"age": age, "income": 18000, "status": "single"} for age in range(20, 45)], norm="l1", radius=5)
    assert "10 of 25 rows, those first that change or are open; `table` has all." in Seen(many._repr_html_()).text
    assert len(Seen(many._repr_html_()).tables[-1]) == 1 + 10


def test_more_questions_are_told(model: tp.Model, tmp_path: Path) -> None:
    shown = {
        "The margin falls by 0.125 when income rises from 30000 to 60000.": tp.monotone(model, "income", domain=PEOPLE),
        "The margin falls somewhere as the feature rises, for 1 of 2 features; never for 1: proved.": tp.monotone(model, domain=PEOPLE),
        "The margin of two inputs at most 1000 apart differs by 1.5 at most: proved.": tp.stable(model, radius=1000, domain=PEOPLE),
        "The margins differ by 0.625, which is more than 0.5.": tp.diff(EXAMPLES / "old.json", model, within=0.5),
        "The 2 best output configurations: proved.": tp.enumerate(model, top=2),
        "1 of 4 rows (25.0 %) gets another label when only status changes.": tp.fair(model, PEOPLE, protected="status", domain=PEOPLE),
        "The largest sum is 0.125: proved.": tp.solve(EXAMPLES / "raise.json"),
        "4 of 5 checks pass; 1 fails.": tp.audit(EXAMPLES / "loans.audit.toml"),
        "Nothing meets the conditions: `age > 5 and age < 4` never holds.": tp.max(model, where="age > 5 and age < 4"),
        "The margin rises by 1 at most if one attribute changes: proved.": tp.dominant(
            model, given={"status": "single"}, baseline="age=22,income=18000", vary="*", at_most=1, domain=PEOPLE
        ),
    }
    for sentence, report in shown.items():
        assert str(report).splitlines()[0] == sentence
        assert sentence in Seen(report._repr_html_()).text
    proof = tmp_path / "max.proof"
    tp.max(model, domain=PEOPLE, proof=proof)
    assert str(tp.check(proof, model)).startswith("The proof is right.\nchecked      the margin is at most 0.875")
    ranked = tp.dominant(model, baseline=f"{PEOPLE}:0", vary="*", each=True, domain=PEOPLE)
    assert ranked.table["attribute"] == ["income", "age", "status"]
    assert Seen(ranked._repr_html_()).tables[-1][1] == ["income", "18000 → 30000", "+1"]
    checks = Seen(tp.audit(EXAMPLES / "loans.audit.toml")._repr_html_()).tables[-1]
    assert checks[2] == ["richer is never worse", "fail", "holds", "The margin falls by 0.125 when income rises from 30000 to 60000."]
    measured = next(line for line in str(tp.audit(EXAMPLES / "loans.audit.toml")).splitlines() if "margins: " in line)
    assert measured.strip() == "margins: -1 to 0.875" and measured.startswith(" " * 20), "a line of its own, in its column"
    regions = Seen(tp.enumerate(model, top=2)._repr_html_()).tables[-1]
    assert regions[1] == ["1", "0.875", "0.705785", "age >= 3020000 <= income < 50000status in {married}"]


def test_conditions_that_are_code_are_told(model: tp.Model) -> None:
    def grown_up(region: dict[str, Any]) -> bool:
        return region["age"][1] >= 18

    report = tp.max(model, where=["income < 50000", grown_up], domain=PEOPLE)
    assert "where (income < 50000) and (grown_up), within" in Seen(report._repr_html_()).text
    assert repr(report.task).endswith(" and functions grown_up")


def test_questions_are_told(model: tp.Model) -> None:
    row = [{"age": 22, "income": 18000, "status": "single"}]
    shown = {
        "How small can the margin be?": tp.min(model),
        "Between which numbers does the margin stay?": tp.range(model),
        "Do rows keep their label under all changes of at most 5 (l∞)?": tp.robust(model, row, norm="linf", radius=5),
        "Do rows stay out of class granted under all changes of at most 2 features?": tp.robust(
            model, row, norm="l0", radius=2, target="granted"
        ),
        "How far is the closest input of class granted, in Euclidean distance (l2)?": tp.closest(model, row, norm="l2", target="granted"),
        "Which attribute raises the margin most from status=single?": tp.dominant(model, vary="*", given={"status": "single"}, at_most=1),
        "Which attributes, 2 at most, lower the margin most from row 0?": tp.dominant(
            model, vary="*", baseline=row, at_most=2, decrease=True
        ),
        "Are inputs treated alike that differ only in age and status?": tp.fair(model, protected=["age", "status"]),
        "Does the margin never rise as age rises?": tp.monotone(model, "age", decreasing=True),
        "How far can the margin jump under changes of at most 3 (l1)?": tp.stable(model, norm="l1", radius=3),
        "Do the margins of two models agree up to 0.5?": tp.diff(model, model, within=0.5),
        "Which inputs have the 3 largest outputs above 0?": tp.enumerate(model, top=3, above=0),
    }
    for question, report in shown.items():
        assert Seen(report._repr_html_()).texts[0] == question


def stopped(**changed: Any) -> tp.Report:
    fields = {"question": "max", "unit": "margin", "verdict": "undecided", "lower": 1.0, "upper": 2.5, "gap": 1.5,
              "witness": {"x": None}, "output": 1.0, "stopped": "time", "seconds": 60.0, "stats": {"regions": 9}}
    return tp.Report(json.dumps(fields | changed))


def test_nothing_is_called_proved_that_is_not() -> None:
    assert str(stopped()).splitlines()[:2] == [
        "The largest margin is between 1 and 2.5: the time was up (time= gives more).",
        "bounds       at least 1, at most 2.5",
    ]
    assert "gap          1.5" in str(stopped()) and str(stopped()).endswith("x        missing")
    assert "as close as asked for" in str(stopped(verdict="optimal", stopped="target"))
    for question in ("max", "min", "stable", "diff", "dominant", "maximise", "fair", "monotone"):
        for reason in ("time", "memory", "interrupted", "rounding"):
            said = str(stopped(question=question, stopped=reason, output=None)).splitlines()[0]
            assert "proved" not in said and said.endswith("."), said
    assert "at most unknown" in str(stopped(upper=None))


def test_a_model_and_a_table_are_shown(model: tp.Model) -> None:
    seen = Seen(model._repr_html_())
    assert ["classes", "2 (refused, granted)"] in seen.tables[0]
    assert seen.tables[1] == [["feature", "kind", "splits"], ["income", "numeric", "2"], ["age", "numeric", "1"], ["status", "category", "1"]]
    assert repr(model) == "<treeproof.Model: treeproof JSON, 3 trees, 3 features>"
    assert "label        second class iff margin > 0" in str(model)
    table = tp.closest(model, PEOPLE, norm="l1").table
    lines = Seen(table._repr_html_()).tables[0]
    assert lines[0] == table.columns and lines[1][table.columns.index("changed")] == "age 22 → 30, income 18000 → 20000"
    assert len(str(table).splitlines()) == 1 + 4
    long = tp.Table([{"row": row, "verdict": None} for row in range(30)])
    assert "and 10 more" in Seen(long._repr_html_()).text and str(long).endswith("and 10 more")


@pytest.fixture
def hostile(tmp_path: Path) -> tp.Model:
    """A model whose names would be elements, if anything let them."""
    tree = DecisionTreeClassifier().fit([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
    document = scikit_learn.to_document(tree, [HOSTILE, "b\x1b[31m&amp;\r\u202e"])
    document["classes"] = ["<img src=x onerror=alert(1)>", "\"><b>"]
    (tmp_path / "<b>.json").write_text(json.dumps(document))
    return tp.load(tmp_path / "<b>.json")


def test_names_are_never_elements_and_never_steer_a_terminal(hostile: tp.Model) -> None:
    rows = np.array([[0.0, 1.0], [1.0, 0.0]])
    shown = [
        hostile,
        tp.max(hostile, class_=0, where=f"`{HOSTILE}` >= 0"),
        tp.closest(hostile, rows, norm="l1"),
        tp.closest(hostile, rows[:1], norm="l1"),
        tp.closest(hostile, rows, norm="l1").table,
        tp.fair(hostile, protected=HOSTILE),
        tp.enumerate(hostile, class_=0),
    ]
    for one in shown:
        html = one._repr_html_()
        seen = Seen(html)
        assert seen.elements <= {"div", "style", "p", "span", "table", "thead", "tbody", "tr", "th", "td"}
        assert HOSTILE in seen.text or one is shown[4]
        assert "<script" not in html and "<img" not in html
        assert not any(sign in text for sign in "\x1b\r\u202e" for text in (str(one), html))


def test_a_report_has_a_page(model: tp.Model, tmp_path: Path) -> None:
    report = tp.max(model, where="age >= 30", domain=PEOPLE)
    page = report.to_html(tmp_path / "max.html")
    assert (tmp_path / "max.html").read_text() == page and page.startswith("<!DOCTYPE html>")
    assert "The largest margin is 0.875: proved." in page and "where age &gt;= 30" in page
    digest = hashlib.sha256((EXAMPLES / "new.json").read_bytes()).hexdigest()
    assert digest in page and digest not in pickle.loads(pickle.dumps(report)).to_html()
    asked = [
        tp.closest(model, PEOPLE, norm="l1"),
        tp.fair(model, PEOPLE, protected="status", domain=PEOPLE),
        tp.diff(EXAMPLES / "old.json", model),
        tp.monotone(model),
        tp.range(model).min,
        tp.audit(EXAMPLES / "loans.audit.toml"),
        tp.solve(EXAMPLES / "raise.json"),
    ]
    for one in asked:
        assert str(one).splitlines()[0] in one.to_html()
