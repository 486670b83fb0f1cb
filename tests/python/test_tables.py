"""Tables in every form and type give the library's own prediction or a refusal, never another number.

``TREEPROOF_TABLES``        the number of random tables: 120 by default, and 20000 in ``scripts/soak``; each is written in several forms
``TREEPROOF_TABLES_EACH``   how many of them a model is asked about
``TREEPROOF_SEED``          repeats a run; the seed is printed at the end
"""

from __future__ import annotations

import collections
import os
import re
import warnings
from pathlib import Path

import conftest
import numpy as np
import pytest
import tables
import treeproof as tp

NUM_TABLES = int(os.environ.get("TREEPROOF_TABLES", "120"))
TABLES_EACH = int(os.environ.get("TREEPROOF_TABLES_EACH", "4"))
# What is refused of what the library takes, at most: by far most of it is a text to the model and no text to pandas. A few tables
# may be all of a kind.
MOST_REFUSED = 0.05 if NUM_TABLES >= 2000 else 0.15


def _reason(message: str) -> str:
    """A message without the cell and the categories that it is about."""
    message = re.sub(r"^.*column `c`(, row [0-9]+)?: ", "", message)
    return re.sub(r"`[^`]*`(, `[^`]*`|, [0-9]+ more)*", "…", re.sub(r"such as .*?, which", "such as …, which", message))


@pytest.mark.filterwarnings("ignore")
def test_tables_are_read_as_the_library_reads_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng([conftest.SEED, 77])
    pairs = [(library, kind) for library in tables.LIBRARIES for kind in tables.KINDS]
    taken: collections.Counter[str] = collections.Counter()
    refused: collections.Counter[tuple[str, str]] = collections.Counter()
    of_dtype: collections.Counter[tuple[str, str]] = collections.Counter()
    reasons: collections.Counter[str] = collections.Counter()
    num_tables = num_models = 0
    while num_tables < NUM_TABLES:
        for place in rng.permutation(len(pairs)):
            library, kind = pairs[place]
            model = tables.trained(rng, library, kind) if num_tables < NUM_TABLES else None
            if model is None:
                continue
            num_models += 1
            for _ in range(min(TABLES_EACH, NUM_TABLES - num_tables)):
                num_tables += 1
                for case in tables.cases(rng, model, tmp_path):
                    if case.expected is None:
                        continue
                    taken[library] += 1
                    of_dtype[case.form, case.dtype] += 1
                    try:
                        with warnings.catch_warnings():
                            warnings.simplefilter("ignore")
                            found = model.model.predict(case.given)
                    except tp.TreeproofError as error:
                        reasons[_reason(str(error))] += 1
                        refused[case.form, case.dtype] += 1
                        refused[library, "all"] += 1
                        continue
                    assert np.array_equal(found, case.expected), (
                        f"seed {conftest.SEED}, table {num_tables}: {library}, {kind}, {case.form} of {case.dtype}\n"
                        f"{Path(case.given).read_text() if case.form == 'csv' else case.given}\n{found}\n{case.expected}"
                    )
    num_taken = taken.total()
    num_refused = sum(refused[library, "all"] for library in tables.LIBRARIES)
    with capsys.disabled():
        print(f"\ntables: {num_tables} of {num_models} models, {num_taken} forms taken, {num_refused} refused, 0 different")
        if "TREEPROOF_TABLES" in os.environ:
            for library, count in taken.items():
                print(f"tables of {library}: {count} taken, {refused[library, 'all']} refused")
            for (form, dtype), count in sorted(of_dtype.items()):
                print(f"tables as {form}, {dtype}: {count} taken, {refused[form, dtype]} refused")
            for reason, count in reasons.items():
                print(f"tables refused {count}: {reason}")
    assert num_taken >= NUM_TABLES and num_refused <= MOST_REFUSED * num_taken


@pytest.mark.parametrize("names", [["False", "Maybe", "True"], [True, False]])
def test_a_domain_from_data_holds_every_row_of_it(tmp_path: Path, names: list[object]) -> None:
    """A column of True and False was taken for the codes 1 and 0, and a bound was "proved" that rows of the same file exceed."""
    lgb = pytest.importorskip("lightgbm")
    import pandas as pd

    rng = np.random.default_rng(5)
    codes = rng.integers(0, len(names), 300)
    frame = pd.DataFrame({"c": pd.Categorical([names[code] for code in codes], categories=names), "x": rng.normal(size=300)})
    y = np.array([8.0, -1.0, 2.0])[codes] + 0.1 * frame["x"]
    settings = {"min_child_samples": 5, "min_data_per_group": 5, "cat_smooth": 1.0, "verbose": -1, "n_jobs": 1}
    fitted = lgb.LGBMRegressor(n_estimators=20, **settings).fit(frame, y)
    model = tp.load(fitted)
    rows = pd.DataFrame({"c": [True, False, True], "x": [0.5, -0.5, 1.0]})
    as_given = rows.astype({"c": pd.CategoricalDtype(names)}) if names[0] is True else rows.astype({"c": str})
    if names[0] is not True:
        as_given["c"] = pd.Categorical(as_given["c"], categories=names)
    expected = fitted.predict(as_given)
    csv, parquet = tmp_path / "rows.csv", tmp_path / "rows.parquet"
    rows.to_csv(csv, index=False)
    rows.to_parquet(parquet)
    if names[0] is True:
        for data in (csv, parquet, rows):
            assert np.array_equal(model.predict(data), expected)
            assert tp.max(model, domain=data).upper >= expected.max()
    else:
        for ask in (model.predict, lambda data: tp.max(model, domain=data)):
            with pytest.raises(tp.DataError, match="column `c`, row 0: `True` is spelt like a category.*categories text"):
                ask(csv)
        model = tp.load(fitted, categories="text")
        for data in (csv, parquet, rows):
            assert np.array_equal(model.predict(data), expected)
            assert tp.max(model, domain=data).upper >= expected.max()


def _one_column(values: list[object], categories: list[object], **given: object) -> tuple[object, object]:
    import pandas as pd

    frame = pd.DataFrame({"c": pd.Categorical(values, categories=categories, **given), "x": np.arange(float(len(values)))})
    y = np.array([8.0, -1.0, 2.0, 5.0])[frame["c"].cat.codes]
    return frame, y


def test_codes_of_columns_of_numbers_are_no_values(tmp_path: Path) -> None:
    """LightGBM takes an ordered category for its code, XGBoost any category where it was trained on numbers."""
    lgb, xgb = pytest.importorskip("lightgbm"), pytest.importorskip("xgboost")
    frame, y = _one_column([1, 5, 10] * 40, [1, 5, 10], ordered=True)
    numbers = frame.astype({"c": float})
    of_codes = lgb.LGBMRegressor(n_estimators=5, min_child_samples=5, verbose=-1, n_jobs=1).fit(frame, y)
    of_values = xgb.XGBRegressor(n_estimators=5, n_jobs=1).fit(numbers, y)
    parquet = tmp_path / "rows.parquet"
    frame.to_parquet(parquet)
    for fitted in (of_codes, of_values):
        model = tp.load(fitted)
        for data in (frame, parquet):
            with pytest.raises(tp.DataError, match="column `c`: is of pandas' type category"):
                model.predict(data)
    given = frame.assign(c=frame["c"].cat.codes)
    assert np.array_equal(tp.load(of_codes).predict(given), of_codes.predict(frame))
    assert np.array_equal(tp.load(of_values).predict(numbers), of_values.predict(numbers))


@pytest.mark.parametrize("values", [[10, 20, 30], [0.5, 1.0, 1.5], [True, False], ["1", "2", "True"]])
def test_a_witness_is_the_same_row_when_it_is_given_back(values: list[object]) -> None:
    lgb = pytest.importorskip("lightgbm")
    import pandas as pd

    frame, y = _one_column(values * 40, values)
    settings = {"min_child_samples": 5, "min_data_per_group": 5, "cat_smooth": 1.0, "verbose": -1, "n_jobs": 1}
    fitted = lgb.LGBMRegressor(n_estimators=5, **settings).fit(frame, y)
    model = tp.load(fitted)
    for report in (tp.max(model, domain=frame), tp.min(model, domain=frame)):
        assert report.witness["c"] in values and isinstance(report.witness["c"], (str, bool, float))
        assert model.predict(report.witness)[0] == report.output
        row = pd.DataFrame([report.witness])
        assert fitted.predict(row.assign(c=pd.Categorical(row["c"])))[0] == report.output


def test_names_that_xgboost_cuts_are_not_matched() -> None:
    """It counts characters where it writes bytes: of `été` and `e` it keeps neither."""
    xgb = pytest.importorskip("xgboost")
    frame, y = _one_column(["été", "e", "ü"] * 40, ["été", "e", "ü"])
    fitted = xgb.XGBRegressor(n_estimators=5, enable_categorical=True, n_jobs=1).fit(frame, y)
    model = tp.load(fitted)
    if "cats" not in fitted.get_booster().save_raw("json").decode():
        pytest.skip("this version keeps no names")
    with pytest.raises(tp.DataError, match="texts beyond ASCII that XGBoost does not keep whole"):
        model.predict(frame)
    by_codes = tp.load(fitted, categories="codes")
    assert np.array_equal(by_codes.predict(frame.assign(c=frame["c"].cat.codes)), fitted.predict(frame))


def test_rows_on_a_cluster_are_read_alike() -> None:
    """What a cluster is asked about is read once, and with the same rule."""
    lgb = pytest.importorskip("lightgbm")
    import pandas as pd
    from treeproof import _native

    words = ["False", "Maybe", "True"]
    frame, y = _one_column(words * 40, words)
    settings = {"min_child_samples": 5, "min_data_per_group": 5, "cat_smooth": 1.0, "verbose": -1, "n_jobs": 1}
    fitted = lgb.LGBMRegressor(n_estimators=5, **settings).fit(frame, y)
    rows = pd.DataFrame({"c": [True, False], "x": [0.5, 1.0]})
    for categories, expected in [(None, [None, None]), ("text", [2.0, 0.0])]:
        model = tp.load(fitted, categories=categories)
        content, _, _ = _native.read_rows(model._native, "data", tp.data.to_table(rows, "data"))
        found = np.frombuffer(content).reshape(2, 2)[:, 0]
        assert [None if np.isnan(value) else value for value in found] == expected
