"""Random tables for models of every library: the same rows as frames, CSV, Parquet and npz, with the library's own predictions.

What a library makes of a file is what it makes of the frame that pandas reads from it. Where it takes categorical columns of
pandas' type ``category`` only, as LightGBM and XGBoost do, other columns are cast to it, as everybody does then.
"""

from __future__ import annotations

import dataclasses
import math
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import treeproof as tp

KINDS: dict[str, list[Any]] = {
    "text": ["red", "green", "blue", "dark red"],
    "text with quotes": ["a,b", 'say "x"', "it's", "x;y"],
    "text beyond ASCII": ["été", "e", "ü", "日本"],
    "text of one letter": ["A", "B", "C", "a"],
    "text with digits": ["A91", "A92", "2nd", "x10"],
    "text with blanks": ["a", " a", "a ", "b"],
    "text like truth": ["False", "Maybe", "True"],
    "text like whole numbers": ["1", "2", "3", "10"],
    "text like numbers": ["1.5", "2.0", "1e3", "007"],
    "text like missing": ["NA", "None", "x", "nan?"],
    "whole numbers": [1, 2, 3, 10],
    "whole numbers from 0": [0, 1],
    "large and negative numbers": [-7, 0, 90210, 12345678],
    "numbers": [0.5, 1.0, 2.5, -3.0],
    "truth": [False, True],
}
# Kinds whose columns an array of numbers holds by their values.
NUMERIC = ("whole numbers", "whole numbers from 0", "large and negative numbers", "numbers", "truth")
# What a column may hold that the model does not know.
UNSEEN: list[Any] = ["purple", "True", "1", "b ", 4, 7.25]
NUM_TRAINED = 400


@dataclasses.dataclass
class Trained:
    """A model of a library, as treeproof loads it, and how the library itself predicts a frame or an array."""

    library: str
    kind: str
    model: tp.Model
    predict: Callable[[Any], Any]


@dataclasses.dataclass
class Case:
    """A table in one form, and the library's prediction: ``None`` where the library refuses it."""

    form: str
    dtype: str
    given: Any
    expected: np.ndarray[Any, Any] | None


def _frame(rng: np.random.Generator, kind: str, num_rows: int) -> pd.DataFrame:
    names = KINDS[kind]
    columns = {
        "c": pd.Categorical([names[place] for place in rng.integers(0, len(names), num_rows)], categories=names),
        "d": pd.Categorical(rng.choice([0, 1] if kind in NUMERIC else ["yes", "no"], num_rows)),
        "x": rng.normal(size=num_rows).round(2),
        "n": rng.integers(-5, 6, num_rows),
        "b": rng.random(num_rows) < 0.5,
    }
    return pd.DataFrame(columns)


def _target(rng: np.random.Generator, frame: pd.DataFrame) -> np.ndarray[Any, Any]:
    codes = frame["c"].cat.codes.to_numpy()
    return 3.0 * codes * codes + frame["x"] * frame["b"] + 0.3 * frame["n"] + frame["d"].isin(["yes", 1]) + rng.normal(size=len(frame))


def _lightgbm(frame: pd.DataFrame, y: Any) -> Any:
    import lightgbm as lgb

    settings: dict[str, Any] = {"min_child_samples": 5, "min_data_per_group": 5, "cat_smooth": 1.0, "verbose": -1, "n_jobs": 1}
    return lgb.LGBMRegressor(n_estimators=12, num_leaves=12, **settings).fit(frame, y)


def _xgboost(frame: pd.DataFrame, y: Any) -> Any:
    import xgboost as xgb

    return xgb.XGBRegressor(n_estimators=12, max_depth=4, enable_categorical=True, n_jobs=1).fit(frame, y)


def _catboost(frame: pd.DataFrame, y: Any) -> Any:
    import catboost

    settings: dict[str, Any] = {"one_hot_max_size": 50, "verbose": 0, "allow_writing_files": False, "thread_count": 1}
    model = catboost.CatBoostRegressor(iterations=20, depth=4, **settings)
    return model.fit(frame.astype({"c": object, "d": object}), y, cat_features=["c", "d"])


def _histogram(frame: pd.DataFrame, y: Any) -> Any:
    from sklearn.ensemble import HistGradientBoostingRegressor

    return HistGradientBoostingRegressor(max_iter=12, categorical_features="from_dtype").fit(frame, y)


def _pipeline(frame: pd.DataFrame, y: Any, encoder: Any) -> Any:
    from sklearn.compose import make_column_transformer
    from sklearn.ensemble import RandomForestRegressor
    from sklearn.pipeline import make_pipeline

    columns = make_column_transformer((encoder, ["c", "d"]), remainder="passthrough")
    forest = RandomForestRegressor(n_estimators=8, max_depth=5, n_jobs=1, random_state=0)
    return make_pipeline(columns, forest).fit(frame.astype({"c": object, "d": object}), y)


def _one_hot(frame: pd.DataFrame, y: Any) -> Any:
    from sklearn.preprocessing import OneHotEncoder

    return _pipeline(frame, y, OneHotEncoder(handle_unknown="ignore"))


def _ordinal(frame: pd.DataFrame, y: Any) -> Any:
    from sklearn.preprocessing import OrdinalEncoder

    return _pipeline(frame, y, OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1))


LIBRARIES = {
    "lightgbm": _lightgbm,
    "xgboost": _xgboost,
    "catboost": _catboost,
    "hist": _histogram,
    "one-hot pipeline": _one_hot,
    "ordinal pipeline": _ordinal,
}


def trained(rng: np.random.Generator, library: str, kind: str) -> Trained | None:
    """A model of a library whose column ``c`` holds categories of a kind; ``None`` where the library has no such."""
    if library == "xgboost" and kind == "text beyond ASCII":
        # It cuts such names at wrong places; there is a test of that.
        return None
    frame = _frame(rng, kind, NUM_TRAINED)
    y = _target(rng, frame)
    try:
        fitted = LIBRARIES[library](frame, y)
    except Exception:  # Each library has its own.
        return None
    given: dict[str, Any] = {}
    if library == "catboost":
        import catboost

        given["pool"] = catboost.Pool(frame.astype({"c": object, "d": object}), y, cat_features=["c", "d"])
    return Trained(library, kind, tp.load(fitted, **given), fitted.predict)


def _expected(model: Trained, table: Any) -> np.ndarray[Any, Any] | None:
    """The library's prediction of a table as it is, or else with its categorical columns cast."""
    casts = [{}]
    if isinstance(table, pd.DataFrame):
        casts += [{"c": "category", "d": "category"}, {"d": "category"}]
    for cast in casts:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                given = table.astype(cast) if cast else table
                return np.asarray(model.predict(given), dtype=np.float64)
        except Exception:  # Each library has its own.
            continue
    return None


def _category_column(rng: np.random.Generator, kind: str, num_rows: int) -> tuple[pd.Series, str]:
    """A column of categories, mostly known ones, in a random type, and what that is."""
    names = KINDS[kind]
    values: list[Any] = [names[place] for place in rng.integers(0, len(names), num_rows)]
    if rng.random() < 0.3:
        # Of a few categories only: then pandas may type the column otherwise.
        few = [names[place] for place in rng.integers(0, len(names), 2)]
        values = [few[place] for place in rng.integers(0, 2, num_rows)]
    if rng.random() < 0.08:
        unseen = UNSEEN[int(rng.integers(len(UNSEEN)))]
        values = [unseen if rng.random() < 0.4 else value for value in values]
    if rng.random() < 0.05:
        other = KINDS[list(KINDS)[int(rng.integers(len(KINDS)))]]
        values = [other[place] for place in rng.integers(0, len(other), num_rows)]
    if rng.random() < 0.2:
        values = [None if rng.random() < 0.3 else value for value in values]
    dtype = ["plain", "category", "category", "object", "nullable", "string", "reordered"][int(rng.integers(7))]
    match dtype:
        case "category":
            return pd.Series(pd.Categorical(values)), dtype
        case "object":
            return pd.Series(values, dtype=object), dtype
        case "nullable":
            return pd.Series(values).convert_dtypes(), dtype
        case "string" if all(value is None or isinstance(value, str) for value in values):
            return pd.Series(values, dtype="string"), dtype
        case "reordered":
            known = list(dict.fromkeys(value for value in values if value is not None))
            order = [known[place] for place in rng.permutation(len(known))]
            return pd.Series(pd.Categorical(values, categories=order)), dtype
        case _:
            return pd.Series(values), "plain"


def _number_column(rng: np.random.Generator, column: pd.Series) -> pd.Series:
    """Numbers in a random type that holds them."""
    dtypes = {"x": ["float64", "float64", "float32", "Float64"], "n": ["int64", "int8", "float64", "Int64", "Float32"]}
    dtypes["b"] = ["bool", "int64", "float64", "boolean", "uint8"]
    of = dtypes[str(column.name)]
    return column.astype(of[int(rng.integers(len(of)))])


def table(rng: np.random.Generator, kind: str) -> tuple[pd.DataFrame, str]:
    """A random frame, and the type of its column ``c``."""
    num_rows = int(rng.integers(1, 10))
    frame = _frame(rng, kind, num_rows)
    column, dtype = _category_column(rng, kind, num_rows)
    plain = {name: _number_column(rng, frame[name]) for name in ("x", "n", "b")}
    return pd.DataFrame({"c": column, "d": frame["d"], **plain}), dtype


def cases(rng: np.random.Generator, model: Trained, folder: Path) -> Iterator[Case]:
    """A random table in each of its forms."""
    frame, dtype = table(rng, model.kind)
    yield Case("frame", dtype, frame, _expected(model, frame))
    parquet = folder / "table.parquet"
    try:
        frame.to_parquet(parquet)
    except Exception:  # Values of several types have no Parquet column.
        pass
    else:
        yield Case("parquet", dtype, parquet, _expected(model, pd.read_parquet(parquet)))
    csv = folder / "table.csv"
    frame.to_csv(csv, index=False)
    yield Case("csv", dtype, csv, _expected(model, pd.read_csv(csv)))
    # Arrays hold the codes of categories.
    codes = frame.assign(c=rng.integers(0, len(KINDS[model.kind]), len(frame)), d=frame["d"].cat.codes)
    if model.kind in NUMERIC and model.library not in ("lightgbm", "xgboost"):
        # But where a library compares values: then those.
        values = rng.choice(np.array([*KINDS[model.kind], 5, math.nan], dtype=np.float64), len(frame))
        codes = codes.assign(c=values, d=frame["d"].astype(np.int64))
    array = codes.astype(np.float64).to_numpy()
    npz = folder / "table.npz"
    np.savez(npz, X=array)
    yield Case("npz", "codes", npz, _expected(model, array))
