"""Rows as Python has them all mean the same, and what does not fit is named."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
import treeproof as tp

RNG = np.random.default_rng(5)
NUMBERS = RNG.integers(-3, 4, size=(40, 3)).astype(np.float64)
COLOURS = np.array(["red", "green", "blue", "red"])[np.arange(40) % 4]
TARGET = NUMBERS[:, 0] * 2 + (COLOURS == "green") + NUMBERS[:, 2] ** 2


def _lightgbm(rows: object, **more: object) -> tp.Model:
    import lightgbm as lgb

    fitted = lgb.LGBMRegressor(n_estimators=6, num_leaves=6, min_child_samples=2, verbose=-1, n_jobs=1, **more)
    return tp.load(fitted.fit(rows, TARGET))


def _frame() -> pd.DataFrame:
    columns = {"a": NUMBERS[:, 0], "colour": pd.Categorical(COLOURS), "c": NUMBERS[:, 2].astype(np.int64)}
    return pd.DataFrame(columns)


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i1", "i4", "i8", ">f8"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_arrays_of_any_type_and_order(dtype: str, order: str) -> None:
    model = _lightgbm(NUMBERS)
    expected = model.predict(NUMBERS)
    assert (model.predict(np.asarray(NUMBERS.astype(dtype), order=order)) == expected).all()
    assert (model.predict(NUMBERS.astype(dtype)[::-1]) == expected[::-1]).all()
    assert (model.predict(NUMBERS.tolist()) == expected).all()


def test_a_single_row_is_a_row() -> None:
    model = _lightgbm(_frame())
    row = _frame().iloc[3]
    expected = model.predict(_frame())[3]
    for given in (row, row.to_dict(), [row.to_dict()], {name: [value] for name, value in row.items()}):
        assert model.predict(given).tolist() == [expected]
    numbers = _lightgbm(NUMBERS)
    for single in (NUMBERS[3], NUMBERS[3].tolist(), pd.Series(NUMBERS[3])):
        assert numbers.predict(single).tolist() == [numbers.predict(NUMBERS)[3]]


def test_frames_are_matched_by_name() -> None:
    model = _lightgbm(_frame())
    expected = model.predict(_frame())
    shuffled = _frame()[["c", "colour", "a"]].assign(note="x", when=pd.Timestamp("2020-01-01"))
    assert (model.predict(shuffled) == expected).all()
    other_codes = _frame().assign(colour=pd.Categorical(COLOURS, categories=["red", "blue", "green", "never"]))
    assert (model.predict(other_codes) == expected).all()
    nullable = _frame().convert_dtypes()
    assert (model.predict(nullable) == expected).all()
    texts = _frame().assign(colour=COLOURS)
    assert (model.predict(texts) == expected).all()
    for kind in (pl.Categorical, pl.String):
        polars = pl.DataFrame({"a": NUMBERS[:, 0], "colour": pl.Series(COLOURS).cast(kind), "c": NUMBERS[:, 2].astype(np.int64)})
        assert (model.predict(polars) == expected).all()
    assert (model.predict(polars.lazy()) == expected).all()


def test_missing_is_missing_everywhere() -> None:
    holes = _frame()
    holes.loc[::3, "a"] = np.nan
    model = _lightgbm(holes)
    expected = model.predict(holes)
    integers = holes.assign(a=holes["a"].astype("Int64"))
    assert (model.predict(integers) == expected).all()
    listed = [None if value is pd.NA else int(value) for value in integers["a"]]
    assert (model.predict(pl.DataFrame({"a": listed, "colour": COLOURS, "c": NUMBERS[:, 2]})) == expected).all()
    dicts = [{name: None if value != value else value for name, value in row.items()} for row in holes.to_dict("records")]
    assert (model.predict(dicts) == expected).all()
    # A category that is not there.
    unknown = holes.assign(colour=holes["colour"].where(holes.index % 5 > 0))
    told = model.predict(unknown)
    assert (told == model.predict(unknown.astype({"colour": object}))).all()


def test_what_is_absent_is_the_librarys_to_say() -> None:
    import xgboost as xgb

    sparse = sp.csr_matrix(NUMBERS)
    lightgbm = _lightgbm(NUMBERS)
    assert (lightgbm.predict(sparse) == lightgbm.predict(NUMBERS)).all()
    model = xgb.XGBRegressor(n_estimators=5, n_jobs=1).fit(sparse, TARGET)
    loaded = tp.load(model)
    for kind in (sp.csr_matrix, sp.csc_matrix, sp.coo_matrix, sp.csr_array):
        assert (loaded.predict(kind(NUMBERS)) == model.predict(sparse).astype(np.float64)).all()
    holes = np.where(NUMBERS == 0, np.nan, NUMBERS)
    assert (loaded.predict(sparse) == loaded.predict(holes)).all()
    with pytest.raises(tp.DataError, match="has 2 columns, the model has 3 features"):
        loaded.predict(sparse[:, :2])


def test_what_does_not_fit_is_named() -> None:
    model = _lightgbm(_frame())
    with pytest.raises(tp.DataError, match="no column `colour`"):
        model.predict(_frame().drop(columns="colour"))
    with pytest.raises(tp.DataError, match="did you mean `color`"):
        model.predict(_frame().rename(columns={"colour": "color"}))
    with pytest.raises(tp.DataError, match="has 2 columns, the model has 3 features"):
        model.predict(NUMBERS[:, :2])
    with pytest.raises(tp.DataError, match="column `a`.*datetime64"):
        model.predict(_frame().assign(a=pd.Timestamp("2020-01-01")))
    with pytest.raises(tp.DataError, match="column `a`, row 1: `x` is not a number"):
        model.predict([{"a": 1, "colour": "red", "c": 2}, {"a": "x", "colour": "red", "c": 2}])
    with pytest.raises(tp.DataError, match="row 1: `b` is in some rows only"):
        model.predict([{"a": 1}, {"a": 1, "b": 2}])
    with pytest.raises(tp.DataError, match="data: has 3 dimensions"):
        model.predict(np.zeros((2, 3, 4)))
    with pytest.raises(tp.DataError, match="column `.`, row 0: `x` is not a number"):
        model.predict([["x", "y", "z"]])
    for rows in (object(), [[1, 2, 3], [1, 2]], [[1, object(), 3]]):
        with pytest.raises(tp.DataError, match="is no array of numbers"):
            model.predict(rows)
    for dtype in ("datetime64[ns]", "timedelta64[s]", "complex128"):
        with pytest.raises(tp.DataError, match=f"is no array of numbers.*{re.escape(dtype)}"):
            model.predict(NUMBERS.astype(dtype))
        with pytest.raises(tp.DataError, match=f"column `a`: .*{re.escape(dtype)}"):
            model.predict({"a": np.ones(2, dtype), "colour": ["red", "red"], "c": [1, 2]})
    with pytest.raises(tp.DataError, match="y: 3 labels for 40 rows"):
        tp.robust(model, _frame(), norm="l0", radius=1, within=1, y=[1, 2, 3])
    with pytest.warns(tp.TreeproofWarning, match="matched by position"):
        _lightgbm(NUMBERS).predict(pd.DataFrame(NUMBERS, columns=["x", "y", "z"]))


def test_truth_values_as_categories_are_truth_values() -> None:
    from sklearn.ensemble import HistGradientBoostingRegressor

    is_red = COLOURS == "red"
    frame = _frame().assign(colour=pd.Categorical(is_red))
    fitted = HistGradientBoostingRegressor(max_iter=5, min_samples_leaf=2, categorical_features="from_dtype").fit(frame, NUMBERS[:, 0] + 3 * is_red)
    model = tp.load(fitted)
    expected = fitted.predict(frame)
    assert len(set(model.predict(frame[["a"]].assign(a=0.0, colour=is_red, c=0)))) == 2
    for colour in (pd.Categorical(is_red), is_red, is_red.astype(object), pd.array(is_red, dtype="boolean")):
        assert (model.predict(frame.assign(colour=colour)) == expected).all()


def test_what_is_masked_is_missing() -> None:
    model = _lightgbm(np.where(NUMBERS == 1, np.nan, NUMBERS))
    masked = np.ma.masked_equal(NUMBERS, 1)
    expected = model.predict(masked.filled(np.nan))
    assert (model.predict(masked) == expected).all() and not (model.predict(NUMBERS) == expected).all()
    assert (model.predict(masked.astype(np.int64)) == expected).all()
    assert (model.predict({name: masked[:, place] for place, name in enumerate(model.features)}) == expected).all()


def test_tables_of_arrow_and_arrays_of_records_have_names() -> None:
    import pyarrow as pa

    holes = _frame().assign(a=pd.Series(NUMBERS[:, 0]).where(NUMBERS[:, 0] != 2))
    model = _lightgbm(holes)
    expected = model.predict(holes)
    table = pa.table({
        "c": pa.array(NUMBERS[:, 2].astype(np.int64)),
        "colour": pa.array(COLOURS).dictionary_encode(),
        "a": pa.array([None if value == 2 else value for value in NUMBERS[:, 0]]),
        "when": pa.array([None] * 40, pa.date32()),
    })  # fmt: skip
    assert (model.predict(table) == expected).all() and (model.predict(table.to_batches()[0]) == expected).all()
    with pytest.raises(tp.DataError, match="column `a`.*datetime.date"):
        import datetime

        model.predict(table.set_column(2, "a", pa.array([datetime.date(2020, 1, 1)] * 40)))
    numbers = _lightgbm(pd.DataFrame(NUMBERS, columns=["x", "y", "z"]))
    records = np.array([(row[2], row[0], row[1]) for row in NUMBERS], dtype=[("z", "f8"), ("x", "f4"), ("y", "i2")])
    assert (numbers.predict(records) == numbers.predict(NUMBERS)).all()


def test_no_rows_are_no_error_to_predict() -> None:
    from sklearn.tree import DecisionTreeClassifier

    model = tp.load(DecisionTreeClassifier(max_depth=3).fit(NUMBERS, np.arange(40) % 3))
    assert model.predict(NUMBERS[:0]).shape == (0, 3) and model.predict(NUMBERS[:0], leaves=True).shape == (0, 1)
    assert model.predict(NUMBERS[:0], labels=True).shape == (0,) and _lightgbm(NUMBERS).predict(NUMBERS[:0]).shape == (0,)


def test_numbers_of_databases_and_dates_that_are_not_there() -> None:
    import decimal

    model = _lightgbm(np.where(NUMBERS == 1, np.nan, NUMBERS))
    expected = model.predict(np.where(NUMBERS == 1, np.nan, NUMBERS))
    decimals = [{name: pd.NaT if value == 1 else decimal.Decimal(str(value)) for name, value in zip(model.features, row)} for row in NUMBERS]
    assert (model.predict(decimals) == expected).all()
    with pytest.raises(tp.DataError, match="whole number beyond all doubles"):
        model.predict([dict.fromkeys(model.features, 10**400)])


def test_a_frame_that_was_given_no_names_is_matched_by_position(recwarn: pytest.WarningsRecorder) -> None:
    model = _lightgbm(NUMBERS)
    assert (model.predict(pd.DataFrame(NUMBERS)) == model.predict(NUMBERS)).all()
    assert not recwarn.list


def test_labels_may_be_a_frames_only_column() -> None:
    from sklearn.tree import DecisionTreeClassifier

    labels = (TARGET > 2).astype(int)
    model = tp.load(DecisionTreeClassifier(max_depth=3).fit(NUMBERS, labels))
    asked = {"norm": "linf", "radius": 0.01}
    expected = tp.robust(model, NUMBERS, y=labels, **asked).summary["certified_accuracy"]
    for given in (pd.DataFrame({"y": labels}), labels.reshape(-1, 1)):
        assert tp.robust(model, NUMBERS, y=given, **asked).summary["certified_accuracy"] == expected
    frame = pd.DataFrame(np.c_[NUMBERS, labels])
    assert tp.robust(model, frame, label=3, **asked).summary["certified_accuracy"] == expected


def test_texts_without_names_are_matched_by_position(recwarn: pytest.WarningsRecorder) -> None:
    model, frame = _lightgbm(_frame()), _frame().astype(object)
    expected = model.predict(_frame())
    assert (model.predict(frame.to_numpy()) == expected).all()
    assert (model.predict(frame.to_numpy().tolist()) == expected).all()
    for row in (frame.iloc[0].tolist(), pd.Series(frame.iloc[0].tolist())):
        assert (model.predict(row) == expected[:1]).all()
    frame.iloc[0, 0] = None
    assert (model.predict(frame.to_numpy()) == model.predict(frame)).all()
    assert not recwarn.list


def test_what_is_infinite_is_not_missing() -> None:
    model = _lightgbm(NUMBERS)
    row = [np.inf, -np.inf, 0.5]
    report = tp.closest(model, row, norm="l0", output_above=model.predict(row)[0] + 0.01, where=["fixed(Column_0)"])
    witness = report.table[0]["witness"]
    assert witness["Column_0"] == "inf" and None not in witness.values()
    # It is an input as any: texts of numbers are read as in files.
    assert model.predict(witness)[0] == report.table[0]["output"]
    changed = {change["feature"]: change["from"] for change in report.table[0]["changed"]}
    assert changed.get("Column_1", "-inf") == "-inf" and None not in changed.values()


def test_rows_of_a_question_are_those_of_a_file(tmp_path: object) -> None:
    model = _lightgbm(_frame())
    file = f"{tmp_path}/rows.csv"
    _frame().to_csv(file, index=False)
    asked = {"norm": "l1", "output_above": 5.0, "threads": 1, "rows": 6}
    by_file = tp.closest(model, file, domain=file, **asked)
    by_frame = tp.closest(model, _frame(), domain=_frame(), **asked)
    assert [row["upper"] for row in by_file.rows] == [row["upper"] for row in by_frame.rows]
    assert by_file.table["witness"] == by_frame.table["witness"] and len(by_frame.table) == 6
    table = by_frame.table
    assert table.columns[:2] == ["row", "verdict"]
    assert table.to_pandas()["upper"].tolist() == table["upper"] and table[0] == by_frame.rows[0]
    assert "<table>" in table._repr_html_()
    with pytest.raises(KeyError):
        table["nothing"]
