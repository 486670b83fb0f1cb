"""Pictures: the points drawn are those of the reports, on the axes given."""

from __future__ import annotations

import builtins
import json
import math
import sys
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import pytest

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import treeproof as tp
from sklearn.datasets import load_digits
from sklearn.ensemble import RandomForestClassifier

EXAMPLES = Path(__file__).resolve().parents[2] / "docs/examples"
PEOPLE = EXAMPLES / "people.csv"


@pytest.fixture(autouse=True)
def closed() -> Any:
    yield
    plt.close("all")


@pytest.fixture
def model() -> tp.Model:
    return tp.load(EXAMPLES / "new.json")


def points(line: Any) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in zip(*line.get_data())]


def value_at(line: Any, x: float) -> float:
    """What a line of steps shows at a place: the last point that is not beyond it."""
    assert line.get_drawstyle() == "steps-post"
    return [y for at, y in points(line) if at <= x][-1]


def test_a_curve_is_the_share_of_rows_that_are_farther(model: tp.Model) -> None:
    report = tp.closest(model, PEOPLE, norm="l1")
    axes = plt.subplots()[1]
    assert report.plot(ax=axes) is axes
    [line] = axes.lines
    distances = report.table["lower"]
    assert sorted(distances) == [21.0, 2008.0, 6000.000000000004, 21000.000000000004]
    for radius in (0.0, 20.9, 21.0, 500.0, 2007.9, 2008.0, 6000.0, 20999.0, 21001.0):
        assert value_at(line, radius) == sum(distance > radius for distance in distances) / 4
    assert axes.get_xlabel() == "radius (l1)" and axes.get_ylabel() == "share of rows certified"


def test_a_curve_within_a_radius_ends_there_and_counts_what_holds(model: tp.Model) -> None:
    report = tp.robust(model, PEOPLE, norm="linf", radius=2000, label="outcome")
    axes = report.plot()
    [line] = axes.lines
    assert axes.get_ylabel() == "certified accuracy"
    # At 0, what is correct; at the radius, what the summary says.
    assert value_at(line, 0.0) == report.summary["accuracy"] == 0.75
    assert points(line)[-1] == (2000.0, report.summary["certified_accuracy"])
    assert value_at(line, 20.0) == 0.75 and value_at(line, 22.0) == 0.5
    unlabelled = tp.robust(model, PEOPLE, norm="linf", radius=2000).plot()
    assert points(unlabelled.lines[0])[-1] == (2000.0, 0.5)


def rows(*told: dict[str, Any], **fields: Any) -> tp.Report:
    answers = [{"row": place, "witness": None} | row for place, row in enumerate(told)]
    return tp.Report(json.dumps({"question": "closest", "unit": "distance", "verdict": "undecided", "norm": "linf", "rows": answers, **fields}))


def test_a_curve_claims_no_more_than_is_proved() -> None:
    open_row = {"verdict": "undecided", "lower": 1.0, "upper": 3.0}
    unknown = {"verdict": "undecided", "lower": None, "upper": None}
    nothing = {"verdict": "infeasible", "lower": None, "upper": None}
    exact = {"verdict": "optimal", "lower": 2.0, "upper": 2.0}
    # The row itself is what it is, whatever else is known.
    axes = rows(open_row, unknown, nothing, exact).plot_curve()
    proved, possible = axes.lines
    assert [value_at(proved, radius) for radius in (0.0, 0.5, 1.0, 1.9, 2.0, 3.1)] == [1.0, 0.75, 0.5, 0.5, 0.25, 0.25]
    assert [value_at(possible, radius) for radius in (0.0, 1.9, 2.0, 2.9, 3.0)] == [1.0, 1.0, 0.75, 0.75, 0.5]
    # With a radius, no input that is allowed is no proof of robustness.
    assert points(rows(nothing, radius=1.0, question="robust").plot().lines[0]) == [(0.0, 0.0), (1.0, 0.0)]


def test_bounds_over_time_are_those_of_the_trace() -> None:
    trace = [{"question": "max", "seconds": 0.1, "lower": 1.0, "upper": None}, {"question": "max", "seconds": 0.5, "lower": 1.5, "upper": 4.0}]
    fields = {"question": "max", "unit": "margin", "verdict": "optimal", "lower": 2.0, "upper": 2.0, "seconds": 2.0}
    axes = tp.Report(json.dumps(fields), json.dumps(trace)).plot()
    upper, lower = axes.lines
    assert (upper.get_label(), lower.get_label()) == ("at most", "at least")
    assert points(lower) == [(0.1, 1.0), (0.5, 1.5), (2.0, 2.0)]
    assert math.isnan(points(upper)[0][1]) and points(upper)[1:] == [(0.5, 4.0), (2.0, 2.0)]
    assert axes.get_xlabel() == "seconds" and axes.get_ylabel() == "margin"


def test_a_search_and_both_searches_of_a_range_are_drawn(model: tp.Model) -> None:
    report = tp.max(model, domain=PEOPLE)
    assert points(report.plot().lines[1])[-1] == (report.seconds, 0.875)
    axes = tp.range(model, domain=PEOPLE).plot()
    assert [line.get_label() for line in axes.lines] == ["min: at most", "min: at least", "max: at most", "max: at least"]
    assert [points(line)[-1][1] for line in axes.lines] == [-1.0, -1.0, 0.875, 0.875]


def test_rows_answered_over_time(model: tp.Model) -> None:
    report = tp.fair(model, PEOPLE, protected="status", domain=PEOPLE)
    axes = report.plot()
    counts = {line.get_label(): points(line)[-1][1] for line in axes.lines}
    assert counts == {"holds": 3.0, "violated": 1.0}
    assert all(points(line)[0] == (0.0, 0.0) for line in axes.lines)


def test_features_attributes_and_configurations(model: tp.Model) -> None:
    bars = tp.monotone(model, domain=PEOPLE).plot()
    assert [text.get_text() for text in bars.get_yticklabels()] == ["age", "income"]
    assert [bar.get_width() for bar in bars.containers[0]] == [0.0, 0.125]
    ranked = tp.dominant(model, baseline=f"{PEOPLE}:0", vary="*", each=True, domain=PEOPLE).plot()
    assert [bar.get_width() for bar in ranked.containers[0]] == [1.0, 0.5, 0.375]
    outputs = tp.enumerate(model, top=2).plot()
    assert points(outputs.lines[0]) == [(1.0, 0.875), (2.0, 0.75)]
    assert list(outputs.lines[1].get_ydata()) == [0.5, 0.5]


def test_what_has_no_picture_says_so(model: tp.Model) -> None:
    with pytest.raises(tp.TaskError, match="nothing to draw: this report of `audit` has no trace"):
        tp.audit(EXAMPLES / "loans.audit.toml").plot()
    with pytest.raises(tp.TaskError, match="has no robustness curve"):
        tp.max(model, domain=PEOPLE).plot_curve()
    with pytest.raises(tp.TaskError, match="has no images"):
        tp.max(model, domain=PEOPLE).plot_images((1, 3))


@pytest.fixture(scope="module")
def digits() -> tuple[tp.Model, Any]:
    images, labels = load_digits(return_X_y=True)
    forest = RandomForestClassifier(3, max_depth=4, random_state=0).fit(images, labels)
    return tp.load(forest), images


def test_images_are_the_row_its_change_and_the_difference(digits: tuple[tp.Model, Any]) -> None:
    model, images = digits
    report = tp.closest(model, images[:7], norm="linf", domain=images)
    axes = report.plot_images((8, 8), rows=[6, 2])
    assert axes.shape == (2, 3)
    for line, row in zip(axes, (6, 2)):
        before, after, difference = (np.asarray(ax.images[0].get_array()) for ax in line)
        witness = np.array(list(report.rows[row]["witness"].values())).reshape(8, 8)
        assert (before == images[row].reshape(8, 8)).all()
        assert (after == witness).all() and (difference == witness - images[row].reshape(8, 8)).all()
        assert line[0].get_title().startswith(f"row {row}")
        assert line[2].get_title() == f"{len(report.rows[row]['changed'])} changed"
        low, high = line[2].images[0].get_clim()
        assert low == -high
    assert report.plot_images((8, 8)).shape == (5, 3)
    assert report.plot_images((8, 8), rows=1, axes=plt.subplots(1, 3)[1]).shape == (1, 3)


def test_colours_are_drawn_too(digits: tuple[tp.Model, Any]) -> None:
    witness = {f"f{place}": float(place) for place in range(12)}
    row = {"verdict": "optimal", "upper": 1.0, "witness": witness, "changed": [{"feature": "f3", "from": 5.0, "to": 3.0}]}
    [[before, after, difference]] = rows(row).plot_images((2, 2, 3))
    assert np.asarray(after.images[0].get_array())[1, 1].tolist() == pytest.approx([9 / 11, 10 / 11, 1.0])
    assert np.asarray(before.images[0].get_array())[0, 1, 0] == pytest.approx(5 / 11)
    assert difference.get_title() == "1 changed"


def test_what_is_no_image_says_so(digits: tuple[tp.Model, Any], model: tp.Model) -> None:
    found, images = digits
    report = tp.closest(found, images[:1], norm="linf", domain=images)
    with pytest.raises(tp.DataError, match="64 features make no image of 8 × 9 = 72 pixels"):
        report.plot_images((8, 9))
    with pytest.raises(tp.TaskError, match="no row 5"):
        report.plot_images((8, 8), rows=[5])
    with pytest.raises(tp.DataError, match="`status` is a category"):
        tp.closest(model, PEOPLE, norm="l1").plot_images((1, 3))
    with pytest.raises(tp.TaskError, match="row 1 has no other input to draw; its verdict is holds"):
        tp.robust(model, PEOPLE, norm="linf", radius=2000).plot_images((1, 3), rows=1)


def test_without_matplotlib_the_way_to_it_is_told(model: tp.Model, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    own = builtins.__import__

    def refuse(name: str, *rest: Any, **named: Any) -> Any:
        if name.partition(".")[0] == "matplotlib":
            raise ImportError("No module named 'matplotlib'")
        return own(name, *rest, **named)

    monkeypatch.setattr(builtins, "__import__", refuse)
    report = tp.max(model, domain=PEOPLE)
    with pytest.raises(ImportError, match=r"pip install 'treeproof\[plot\]'"):
        report.plot()
    assert "proved" in str(report)
