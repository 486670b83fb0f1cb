"""Pipelines of scikit-learn steps before tree models: the carried model is the pipeline, bit for bit, on the pipeline's own columns."""

from __future__ import annotations

import json
import subprocess
import warnings
from pathlib import Path
from typing import Any

import frames
import numpy as np
import pandas as pd
import parity
import pytest
import treeproof
from conftest import SEED, TALLIES
from sklearn import compose, ensemble, impute, pipeline, preprocessing, tree
from treeproof import pipelines

MODELS = list(frames.models(np.random.default_rng(0)))
ROUNDS = 6

needs_binary = pytest.mark.skipif(not parity.is_built(), reason="no binary: cargo build first")


def ask(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*parity.command(), *map(str, arguments)], capture_output=True, text=True, check=False)


def carried(made: Any, folder: Path) -> tuple[Path, dict[str, Any]]:
    """The file of a pipeline, and the carried model in treeproof's own format."""
    file, own = folder / "pipeline.json", folder / "own.json"
    pipelines.save(made, file)
    result = ask("convert", file, own)
    assert result.returncode == 0, result.stderr
    return file, json.loads(own.read_text())


def number(literal: float | str) -> float:
    return float(literal)


def numbers_of(document: dict[str, Any], feature: int) -> list[float]:
    """The numbers that tests of a feature compare with."""
    found = []
    for each in document["trees"]:
        names = each["test"]
        for node, tested in enumerate(each["feature"]):
            name = names if isinstance(names, str) else names[node]
            if tested == feature and name in ("<", "<="):
                found.append(number(each["threshold"][node]))
            elif tested == feature and name == "one_of":
                found.extend(map(number, each["sets"][int(each["threshold"][node])]))
    return found


def around(values: list[float]) -> list[float]:
    """Numbers and their neighbours, in both precisions."""
    wide = np.array(values, dtype=np.float64)
    with np.errstate(over="ignore"):
        narrow = wide.astype(np.float32)
        singles = [narrow, np.nextafter(narrow, np.float32(np.inf)), np.nextafter(narrow, np.float32(-np.inf))]
    ends = [wide, np.nextafter(wide, np.inf), np.nextafter(wide, -np.inf), *(single.astype(np.float64) for single in singles)]
    return np.concatenate(ends).tolist()


def candidates(document: dict[str, Any], feature: int, data: pd.DataFrame) -> tuple[list[Any], list[Any]]:
    """Values of a feature that the carried model takes, and some that it refuses."""
    known, rules = document["features"][feature], document["input"]
    accepts = {"missing": True, "unknown": True} | known.get("accepts", {})
    takes_missing = rules["accepts_missing"] and accepts["missing"]
    taken, refused = ([np.nan], []) if takes_missing else ([], [np.nan])
    if known["kind"] == "category":
        assert known["encoding"]["rule"] == "listed"
        is_text = data[known["name"]].dtype == object
        values = known["names"] if is_text else known["encoding"]["values"]
        unknown = ["purple", "Red"] if is_text else [2.5, -1.0, 1.0000000001]
        (taken if accepts["unknown"] else refused).extend(value for value in unknown if value not in values)
        return [*taken, *values], refused
    largest = np.inf if rules["accepts_infinite"] else np.finfo(np.float64).max
    low, high = map(number, accepts.get("between", [-largest, largest]))
    marks = [0.0, -0.0, 5e-324, 1e-40, 1e39, 3.4028235677973366e38, low, high, np.inf, -np.inf, 1.0, -1.0]
    column = data[known["name"]].dropna()
    values = around([*numbers_of(document, feature), *marks, *column.sample(5, random_state=0)])
    taken.extend(value for value in values if low <= value <= high)
    return taken, refused + [value for value in values if not low <= value <= high]


def frame_of(document: dict[str, Any], data: pd.DataFrame, columns: dict[str, list[Any]], num_rows: int) -> pd.DataFrame:
    """A frame with the types of another; what the model does not look at is as there."""
    made = data.sample(num_rows, replace=True, random_state=1).reset_index(drop=True)
    for name, values in columns.items():
        made[name] = pd.Series(values, dtype=object if data[name].dtype == object else np.float64)
    return made


def written(data: pd.DataFrame, folder: Path) -> Path:
    """A frame as CSV, with numbers that read back to the same bits."""
    path = folder / "rows.csv"
    data.to_csv(path, index=False, na_rep="")
    return path


def check(name: str, seed: list[int], folder: Path) -> bool:
    """One random pipeline; whether there was one."""
    rng = np.random.default_rng(seed)
    made = frames.fitted(rng, name)
    if made is None:
        return False
    made, data = made
    try:
        file, document = carried(made, folder)
    except (AssertionError, ValueError) as error:
        # What random pipelines may have and is not carried.
        known = ("float32", "after one that leaves out zeros", "CatBoost given sparse data", "the numbers that are not refused")
        assert any(words in str(error) for words in known), error
        return False
    pools = [candidates(document, feature, data) for feature in range(len(document["features"]))]
    num_rows = 120
    columns = {
        known["name"]: [frames.pick(rng, taken) for _ in range(num_rows)]
        for known, (taken, _) in zip(document["features"], pools)
    }
    rows = frame_of(document, data, columns, num_rows)
    result = ask("predict", file, written(rows, folder), "--json")
    assert result.returncode == 0, f"{seed}: {result.stderr}"
    answers = json.loads(result.stdout)["rows"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = frames.margins(made, rows).reshape(num_rows, -1)
        labels = made.predict(rows)
    key = "output" if name == "isolation" else "margin"
    found = np.array([np.ravel(answer[key]) for answer in answers], dtype=np.float64)
    if name == "isolation":
        np.testing.assert_allclose(found, expected, rtol=1e-14)
    else:
        wrong = np.flatnonzero((found.view(np.uint64) != np.ascontiguousarray(expected).view(np.uint64)).any(axis=1))
        assert not len(wrong), f"{seed}: {found[wrong[0]]} is not {expected[wrong[0]]} for {rows.iloc[wrong[0]].to_dict()}"
    if answers[0]["label"] is not None:
        assert [str(answer["label"]) for answer in answers] == [str(label) for label in np.ravel(labels)], seed
    tally = TALLIES.setdefault("pipelines", parity.Tally())
    tally.compared += num_rows * len(document["trees"])
    tally.models += 1
    check_refusals(made, document, file, pools, rows, folder)
    check_optimum(made, document, file, data)
    return True


def check_refusals(made: Any, document: dict[str, Any], file: Path, pools: list[Any], rows: pd.DataFrame, folder: Path) -> None:
    """What the carried model refuses, the pipeline does."""
    for known, (_, refused) in zip(document["features"], pools):
        for value in refused[:: max(1, len(refused) // 3)]:
            row = rows.iloc[:1].copy()
            row[known["name"]] = pd.Series([value], dtype=rows[known["name"]].dtype)
            result = ask("predict", file, written(row, folder))
            errors = [line for line in result.stderr.splitlines() if ": note: " not in line]
            assert result.returncode == 2 and len(errors) == 1, (known["name"], value, result.stdout)
            with pytest.raises(Exception), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                made.predict(row)


def check_optimum(made: Any, document: dict[str, Any], file: Path, data: pd.DataFrame) -> None:
    """The input with the largest output, predicted again by the pipeline."""
    arguments = ["--class", "1"] if document["num_outputs"] > 1 and not document["aggregate"].get("fold_pair") else []
    result = ask("max", file, "--json", "--time", "2s", "--threads", "1", *arguments)
    assert result.returncode == 0, result.stderr
    answer = json.loads(result.stdout)
    witness = {name: [np.nan if value is None else value] for name, value in answer["witness"].items()}
    row = frame_of(document, data, {name: value for name, value in witness.items() if name in data}, 1)
    output = frames.margins(made, row).ravel()
    output = output[1] if len(output) > 1 else output[0]
    if document["link"]["function"] != "isolation":
        assert answer["output"] == output, (answer, output)


@needs_binary
@pytest.mark.parametrize("name", MODELS)
def test_a_carried_model_is_its_pipeline(name: str, tmp_path: Path) -> None:
    made = [check(name, [SEED, MODELS.index(name), round], tmp_path) for round in range(ROUNDS)]
    assert any(made), "no pipeline of this kind was fitted and carried"


# What is refused names its step.

DATA = frames.frame(np.random.default_rng(0), 100, holes=False)
TARGET = frames.target(np.random.default_rng(0), DATA, "two")


class OwnScaler(preprocessing.StandardScaler):
    """A subclass, which may do anything."""


@pytest.mark.parametrize(
    ("steps", "error", "words"),
    [
        ([("poly", preprocessing.PolynomialFeatures())], TypeError, r"step `poly \(PolynomialFeatures\)`: not a step"),
        ([("own", OwnScaler())], TypeError, "step `own"),
        ([("log", preprocessing.FunctionTransformer(np.log1p))], ValueError, r"step `log \(FunctionTransformer\)`.*function of your own"),
        ([("inner", pipeline.make_pipeline(preprocessing.Normalizer()))], TypeError, "step `inner > normalizer"),
        ([("prep", compose.ColumnTransformer([("q", preprocessing.QuantileTransformer(n_quantiles=5), ["age"])]))], TypeError, "step `prep > q"),
        ([("prep", compose.ColumnTransformer([("a", "passthrough", ["age"])], transformer_weights={"a": 2.0}))], ValueError, "transformer_weights"),
        ([("impute", impute.SimpleImputer(missing_values=pd.NA))], ValueError, "step `impute.*neither number nor text"),
    ],
)
def test_steps_that_cannot_be_carried_are_named(steps: Any, error: type, words: str) -> None:
    made = pipeline.Pipeline([*steps, ("model", tree.DecisionTreeClassifier(max_depth=2))])
    made.fit(DATA[frames.NUMBERS], TARGET)
    with pytest.raises(error, match=words):
        pipelines.describe(made)


def test_what_is_no_fitted_pipeline_with_a_tree_model_is_refused() -> None:
    with pytest.raises(TypeError, match="not a scikit-learn Pipeline"):
        pipelines.describe(tree.DecisionTreeClassifier())
    with pytest.raises(ValueError, match="not fitted"):
        pipelines.describe(pipeline.make_pipeline(preprocessing.StandardScaler(), tree.DecisionTreeClassifier()))
    linear = pipeline.make_pipeline(preprocessing.StandardScaler(), ensemble.BaggingClassifier(n_estimators=2))
    with pytest.raises(TypeError, match="step `baggingclassifier`: this BaggingClassifier is several models"):
        pipelines.describe(linear.fit(DATA[frames.NUMBERS], TARGET))


def test_models_of_versions_that_are_too_old_are_refused_by_the_name_of_their_step(monkeypatch: pytest.MonkeyPatch) -> None:
    import lightgbm
    import xgboost

    for module, model in ((xgboost, xgboost.XGBRegressor(n_estimators=2)), (lightgbm, lightgbm.LGBMRegressor(n_estimators=2, verbose=-1))):
        made = pipeline.Pipeline([("scale", preprocessing.StandardScaler()), ("model", model)]).fit(DATA[frames.NUMBERS], TARGET)
        pipelines.describe(made)
        monkeypatch.setattr(module, "__version__", "1.0.2")
        with pytest.raises(ValueError, match=rf"^step `model`: this \w+ is of {module.__name__} 1\.0\.2, too old"):
            pipelines.describe(made)


@needs_binary
def test_names_of_columns_and_categories_are_those_of_the_frame(tmp_path: Path) -> None:
    encoder = preprocessing.OneHotEncoder(handle_unknown="ignore")
    prep = compose.ColumnTransformer([("text", encoder, ["colour"]), ("rest", preprocessing.StandardScaler(), ["age"])])
    made = pipeline.Pipeline([("prep", prep), ("model", ensemble.RandomForestClassifier(4, random_state=0))]).fit(DATA, TARGET)
    _, document = carried(made, tmp_path)
    assert [(known["name"], known["kind"]) for known in document["features"]] == [("age", "numeric"), ("colour", "category")]
    assert document["features"][1]["names"] == ["blue", "green", "red"]


def test_categories_may_be_dropped_by_name() -> None:
    encoder = preprocessing.OneHotEncoder(drop=["red", "Ghent"])
    prep = compose.ColumnTransformer([("texts", encoder, frames.TEXTS), ("rest", "passthrough", ["age"])])
    made = pipeline.Pipeline([("prep", prep), ("model", ensemble.RandomForestClassifier(4, random_state=0))]).fit(DATA, TARGET)
    assert (treeproof.load(made).predict(DATA) == made.predict_proba(DATA)).all()


@needs_binary
def test_arrays_keep_their_columns_and_nested_pipelines_are_one(tmp_path: Path) -> None:
    columns = DATA[frames.NUMBERS].to_numpy()
    prep = compose.ColumnTransformer([("a", preprocessing.MinMaxScaler(), [2, 0])])
    inner = pipeline.make_pipeline(preprocessing.StandardScaler(), ensemble.GradientBoostingRegressor(n_estimators=3))
    made = pipeline.Pipeline([("prep", prep), ("inner", inner)]).fit(columns, DATA.age)
    file, document = carried(made, tmp_path)
    assert [known["name"] for known in document["features"]] == ["f0", "f1", "f2"]
    np.save(tmp_path / "rows.npy", columns)
    answers = json.loads(ask("predict", file, tmp_path / "rows.npy", "--json").stdout)["rows"]
    assert [answer["margin"] for answer in answers] == made.predict(columns).tolist()


@needs_binary
def test_a_sparse_matrix_is_what_each_library_takes_it_for(tmp_path: Path) -> None:
    """XGBoost takes absent entries for missing, others for zero."""
    import lightgbm
    import xgboost

    for model in (
        xgboost.XGBRegressor(n_estimators=5, max_depth=3, n_jobs=1),
        lightgbm.LGBMRegressor(n_estimators=5, n_jobs=1, verbose=-1),
        tree.DecisionTreeRegressor(max_depth=3),
    ):
        encoder = preprocessing.OneHotEncoder(handle_unknown="ignore", sparse_output=True)
        prep = compose.ColumnTransformer([("one hot", encoder, frames.TEXTS), ("rest", "passthrough", ["debt"])], sparse_threshold=1.0)
        made = pipeline.Pipeline([("prep", prep), ("model", model)]).fit(DATA, DATA.age + 50 * (DATA.colour == "red"))
        assert prep.sparse_threshold == 1.0 and made.named_steps["prep"].sparse_output_
        rows = DATA.head(40).copy()
        rows.loc[:20, "debt"] = [0.0, -0.0, 5e-324] * 7
        rows.loc[10:, "colour"] = "purple"
        file, _ = carried(made, tmp_path)
        answers = json.loads(ask("predict", file, written(rows, tmp_path), "--json").stdout)["rows"]
        assert [answer["margin"] for answer in answers] == frames.margins(made, rows).ravel().tolist()
