"""Random frames and random pipelines over them, fitted by scikit-learn itself."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
from sklearn import compose, ensemble, feature_selection, impute, pipeline, preprocessing, tree

NUMBERS = ["age", "income", "debt"]
TEXTS = ["colour", "city"]
GRADES = ["grade"]
WORDS = {"colour": ["red", "green", "blue"], "city": ["Ghent", "Leuven", "Bruges", "Genk", "7", "a b,c"]}


def pick(rng: np.random.Generator, choices: Any) -> Any:
    """One of some choices."""
    choices = list(choices)
    return choices[int(rng.integers(len(choices)))]


def frame(rng: np.random.Generator, num_rows: int, holes: bool) -> pd.DataFrame:
    """Numbers, texts and numbers that are categories."""
    columns: dict[str, Any] = {
        "age": rng.integers(18, 90, num_rows).astype(float),
        "income": rng.normal(3e4, 1e4, num_rows),
        "debt": rng.normal(size=num_rows) * 10.0 ** rng.integers(-3, 4, num_rows),
        "grade": rng.integers(1, 6, num_rows).astype(float),
    }
    if rng.random() < 0.3:
        columns["debt"][:] = 2.5
    made = pd.DataFrame(columns)
    for name in TEXTS:
        made[name] = pd.Series(rng.choice(WORDS[name], num_rows, p=_shares(len(WORDS[name]))), dtype=object)
    if holes:
        for name in ("income", "debt", "grade", "colour"):
            made.loc[rng.random(num_rows) < 0.15, name] = np.nan
    return made


def _shares(count: int) -> np.ndarray:
    """Some words are rare."""
    shares = 0.5 ** np.arange(count)
    return shares / shares.sum()


def target(rng: np.random.Generator, data: pd.DataFrame, kind: str) -> np.ndarray:
    """Something to learn."""
    score = data.age / 50 + data.income.fillna(0) / 3e4 + 1.0 * (data.colour == "red") - 0.7 * (data.city == "Genk")
    score = score + 0.3 * (data.grade.fillna(2) % 2) + rng.normal(size=len(data)) * 0.2
    if kind == "number":
        return score.to_numpy()
    parts = 2 if kind == "two" else 3
    return np.digitize(score, np.quantile(score, np.arange(1, parts) / parts))


def steps(rng: np.random.Generator, holes: bool) -> list[tuple[str, Any]]:
    """Random steps before the model."""
    parts: list[tuple[str, Any, Any]] = [
        ("numbers", _numeric(rng), rng.permutation(NUMBERS)[: int(rng.integers(1, 4))].tolist()),
        ("texts", _encoded(rng, holes), pick(rng, [TEXTS, ["colour"], ["city"]])),
    ]
    if rng.random() < 0.6:
        parts.append(("grades", _encoded(rng, holes), GRADES))
    if rng.random() < 0.2:
        parts.append(("grade as it is", "passthrough", GRADES))
    if rng.random() < 0.2:
        parts.append(("away", "drop", ["age"]))
    rng.shuffle(parts)
    used = {column for _, _, columns in parts for column in columns}
    remainder = "passthrough" if set(TEXTS) <= used and rng.random() < 0.5 else "drop"
    threshold = pick(rng, [0.0, 0.3, 1.0])
    made: list[tuple[str, Any]] = [("prep", compose.ColumnTransformer(parts, remainder=remainder, sparse_threshold=threshold))]
    if threshold == 0.0 and rng.random() < 0.3:
        made.append(("scaler", pick(rng, [preprocessing.StandardScaler(), preprocessing.MinMaxScaler()])))
    if rng.random() < 0.2:
        made.append(("variance", feature_selection.VarianceThreshold()))
    return made


def _numeric(rng: np.random.Generator) -> Any:
    imputers = [
        impute.SimpleImputer(strategy=pick(rng, ["mean", "median", "most_frequent"]), add_indicator=bool(rng.integers(2))),
        impute.SimpleImputer(strategy="constant", fill_value=-1.0, add_indicator=bool(rng.integers(2))),
    ]
    scalers = [
        preprocessing.StandardScaler(with_mean=bool(rng.integers(2)), with_std=bool(rng.integers(2))),
        preprocessing.MinMaxScaler(feature_range=(-1, 3), clip=bool(rng.integers(2))),
        preprocessing.MaxAbsScaler(),
        preprocessing.RobustScaler(),
    ]
    chosen = [pick(rng, imputers)] if rng.random() < 0.6 else []
    chosen += [pick(rng, scalers)] if rng.random() < 0.8 else []
    if not chosen:
        return "passthrough"
    return chosen[0] if len(chosen) == 1 else pipeline.make_pipeline(*chosen)


def _encoded(rng: np.random.Generator, holes: bool) -> Any:
    handle = pick(rng, ["error", "ignore", "infrequent_if_exist"])
    one_hot = preprocessing.OneHotEncoder(
        drop=pick(rng, [None, None, "first", "if_binary"]),
        handle_unknown=handle,
        min_frequency=pick(rng, [None, 0.1, 40]),
        max_categories=pick(rng, [None, 3]),
        sparse_output=bool(rng.integers(2)),
        dtype=pick(rng, [np.float64, np.float32, int]),
    )
    unknown = pick(rng, [-1, np.nan, 99])
    ordinal = preprocessing.OrdinalEncoder(
        encoded_missing_value=pick(rng, [np.nan, -2]),
        min_frequency=pick(rng, [None, 0.1]),
        **({"handle_unknown": "use_encoded_value", "unknown_value": unknown} if rng.random() < 0.6 else {}),
    )
    encoder = pick(rng, [one_hot, one_hot, ordinal])
    if rng.random() < (0.5 if holes else 0.2):
        return pipeline.make_pipeline(impute.SimpleImputer(strategy="most_frequent"), encoder)
    return encoder


def models(rng: np.random.Generator) -> dict[str, tuple[str, Any]]:
    """Models by name, with the kind of target that they learn."""
    import catboost
    import lightgbm
    import xgboost

    seed = int(rng.integers(1 << 30))
    cart = {"max_depth": 4, "random_state": seed}
    boosted = {"n_estimators": 8, "random_state": seed, "n_jobs": 1}
    return {
        "forest": ("three", ensemble.RandomForestClassifier(6, **cart)),
        "extra trees": ("number", ensemble.ExtraTreesRegressor(6, **cart)),
        "tree": ("two", tree.DecisionTreeClassifier(**cart)),
        "gradient boosting": ("two", ensemble.GradientBoostingClassifier(n_estimators=8, **cart)),
        "histogram": ("two", ensemble.HistGradientBoostingClassifier(max_iter=8, random_state=seed)),
        "isolation": ("number", ensemble.IsolationForest(n_estimators=6, random_state=seed)),
        "xgboost": ("two", xgboost.XGBClassifier(max_depth=4, missing=pick(rng, [np.nan, np.nan, 0.0]), **boosted)),
        "xgboost classes": ("three", xgboost.XGBClassifier(max_depth=3, **boosted)),
        "lightgbm": ("two", lightgbm.LGBMClassifier(verbose=-1, zero_as_missing=bool(rng.random() < 0.3), **boosted)),
        "lightgbm number": ("number", lightgbm.LGBMRegressor(verbose=-1, **boosted)),
        "catboost": ("two", catboost.CatBoostClassifier(iterations=8, depth=3, random_seed=seed, verbose=False, allow_writing_files=False, thread_count=1)),
    }  # fmt: skip


def fitted(rng: np.random.Generator, name: str) -> tuple[Any, pd.DataFrame] | None:
    """A fitted pipeline and what it was fitted on; none where the library itself cannot fit it."""
    holes = bool(rng.integers(2))
    data = frame(rng, 300, holes)
    kind, model = models(rng)[name]
    made = pipeline.Pipeline([*steps(rng, holes), ("model", model)])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            made.fit(data, target(rng, data, kind))
            margins(made, data)
        except (ValueError, TypeError) as error:
            return None if "NaN" in str(error) or "parse" in str(error).lower() or "dense" in str(error) else _raise(error)
    return made, data


def _raise(error: Exception) -> None:
    raise error


def margins(made: Any, data: pd.DataFrame) -> np.ndarray:
    """The raw scores of a pipeline's model."""
    library = type(made.steps[-1][1]).__module__.split(".")[0]
    options = {"xgboost": {"output_margin": True}, "lightgbm": {"raw_score": True}, "catboost": {"prediction_type": "RawFormulaVal"}}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if library in options:
            return np.asarray(made.predict(data, **options[library]), dtype=np.float64)
        if isinstance(made.steps[-1][1], ensemble.IsolationForest):
            return np.asarray(made.score_samples(data))
        is_boosted = hasattr(made, "decision_function")
        if is_boosted:
            return np.asarray(made.decision_function(data))
        return np.asarray(made.predict_proba(data) if hasattr(made, "predict_proba") else made.predict(data))
