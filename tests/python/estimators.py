"""scikit-learn estimators of every exported kind, and what the library itself says about rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable

import numpy as np
import sklearn
from sklearn import ensemble, tree

VERSION = tuple(int(part) for part in sklearn.__version__.split(".")[:2])
SAMME = {"algorithm": "SAMME"} if VERSION < (1, 6) else {}


@dataclass
class Family:
    """A kind of estimator: how to make one (from a seed), and the kind of target it learns."""

    name: str
    make: Callable[[int], Any]
    target: str
    holes: bool = False
    categories: tuple[int, ...] = ()


def _ada(kind: Any, base: Any, depth: int, seed: int, **more: Any) -> Any:
    return kind(base(max_depth=depth, random_state=seed), n_estimators=12, random_state=seed, **more)


FAMILIES = [
    Family("tree_regressor", lambda s: tree.DecisionTreeRegressor(max_depth=4 + s % 6, random_state=s), "number", VERSION >= (1, 3)),
    Family("tree_absolute", lambda s: tree.DecisionTreeRegressor(max_depth=5, criterion="absolute_error", random_state=s), "number"),
    Family("tree_vector", lambda s: tree.DecisionTreeRegressor(max_depth=6, random_state=s), "vector"),
    Family("tree_classifier", lambda s: tree.DecisionTreeClassifier(max_depth=7, min_samples_leaf=3, class_weight="balanced", random_state=s), "classes"),
    Family("extra_tree", lambda s: tree.ExtraTreeClassifier(max_depth=7, random_state=s), "classes"),
    Family("forest_regressor", lambda s: ensemble.RandomForestRegressor(13, max_depth=6, random_state=s), "number", VERSION >= (1, 4)),
    Family("forest_vector", lambda s: ensemble.RandomForestRegressor(5, max_depth=5, random_state=s), "vector"),
    Family("forest_two", lambda s: ensemble.RandomForestClassifier(13, max_depth=5, random_state=s), "two"),
    Family("forest_classes", lambda s: ensemble.RandomForestClassifier(10, max_depth=6, random_state=s), "classes", VERSION >= (1, 4)),
    Family("extra_regressor", lambda s: ensemble.ExtraTreesRegressor(11, max_depth=6, random_state=s), "number"),
    Family("extra_classes", lambda s: ensemble.ExtraTreesClassifier(8, max_depth=8, random_state=s), "classes"),
    Family("gradient_regressor", lambda s: ensemble.GradientBoostingRegressor(n_estimators=20, max_depth=4, random_state=s), "number"),
    Family("gradient_huber", lambda s: ensemble.GradientBoostingRegressor(n_estimators=12, loss="huber", learning_rate=0.3, random_state=s), "number"),
    Family("gradient_zero", lambda s: ensemble.GradientBoostingRegressor(n_estimators=12, init="zero", subsample=0.5, random_state=s), "number"),
    Family("gradient_two", lambda s: ensemble.GradientBoostingClassifier(n_estimators=15, random_state=s), "two"),
    Family("gradient_exponential", lambda s: ensemble.GradientBoostingClassifier(n_estimators=15, loss="exponential", random_state=s), "two"),
    Family("gradient_classes", lambda s: ensemble.GradientBoostingClassifier(n_estimators=8, random_state=s), "classes"),
    Family("histogram_regressor", lambda s: ensemble.HistGradientBoostingRegressor(max_iter=15, random_state=s), "number", True),
    Family("histogram_poisson", lambda s: ensemble.HistGradientBoostingRegressor(max_iter=12, loss="poisson", random_state=s), "positive", True),
    Family("histogram_two", lambda s: ensemble.HistGradientBoostingClassifier(max_iter=15, random_state=s), "two", True),
    Family("histogram_classes", lambda s: ensemble.HistGradientBoostingClassifier(max_iter=6, random_state=s), "classes", True),
    Family("isolation", lambda s: ensemble.IsolationForest(n_estimators=20, random_state=s), "number"),
    Family("isolation_drawn", lambda s: ensemble.IsolationForest(n_estimators=15, max_features=0.7, max_samples=100, contamination=0.1, random_state=s), "number"),
    Family("ada_two", lambda s: _ada(ensemble.AdaBoostClassifier, tree.DecisionTreeClassifier, 2, s, **SAMME), "two"),
    Family("ada_classes", lambda s: _ada(ensemble.AdaBoostClassifier, tree.DecisionTreeClassifier, 3, s, **SAMME), "classes"),
    Family("ada_regressor", lambda s: _ada(ensemble.AdaBoostRegressor, tree.DecisionTreeRegressor, 3, s), "number"),
]  # fmt: skip
if VERSION >= (1, 4):
    FAMILIES.append(
        Family(
            "histogram_category",
            lambda s: ensemble.HistGradientBoostingRegressor(max_iter=15, categorical_features=[2, 5], random_state=s),
            "number",
            True,
            (2, 5),
        )
    )


@dataclass
class Truth:
    """What the library says: leaf ids (where it has them), margins, outputs, positions of classes."""

    margins: np.ndarray
    leaves: np.ndarray | None = None
    outputs: np.ndarray | None = None
    labels: np.ndarray | None = None


def truth(estimator: Any, rows: np.ndarray) -> Truth:
    """The library's own answers for some rows."""
    name = type(estimator).__name__
    answers = Truth(margins=_margins(estimator, rows).reshape(len(rows), -1), leaves=_leaves(estimator, rows))
    if name == "IsolationForest":
        answers.outputs = estimator.score_samples(rows)[:, None]
        answers.labels = (estimator.predict(rows) == 1).astype(np.int64)
    elif hasattr(estimator, "classes_"):
        answers.labels = np.searchsorted(estimator.classes_, estimator.predict(rows))
        if "Boosting" in name:
            shares = estimator.predict_proba(rows)
            answers.outputs = shares[:, 1:] if shares.shape[1] == 2 else shares
    else:
        answers.outputs = estimator.predict(rows).reshape(len(rows), -1)
    return answers


def _margins(estimator: Any, rows: np.ndarray) -> np.ndarray:
    name = type(estimator).__name__
    if name.startswith("HistGradientBoosting"):
        return np.ascontiguousarray(estimator._raw_predict(rows))
    if name == "IsolationForest":
        return _path_lengths(estimator, rows)
    if not hasattr(estimator, "classes_"):
        return estimator.predict(rows)
    if "Boost" in name:
        return estimator.decision_function(rows)
    return estimator.predict_proba(rows)


def _path_lengths(estimator: Any, rows: np.ndarray) -> np.ndarray:
    """The sum that the library turns into a score, from its own pieces."""
    from sklearn.ensemble._iforest import _average_path_length

    sums = np.zeros(len(rows))
    for fitted, leaves in zip(estimator.estimators_, _leaves(estimator, rows).T):
        depth = np.ravel(fitted.tree_.decision_path(_drawn(estimator, fitted, rows)).sum(axis=1))
        sums += depth + _average_path_length(fitted.tree_.n_node_samples)[leaves] - 1.0
    return sums


def _drawn(estimator: Any, fitted: Any, rows: np.ndarray) -> np.ndarray:
    single = rows.astype(np.float32)
    if estimator._max_features == rows.shape[1]:
        return single
    position = next(index for index, other in enumerate(estimator.estimators_) if other is fitted)
    return np.ascontiguousarray(single[:, estimator.estimators_features_[position]])


def _leaves(estimator: Any, rows: np.ndarray) -> np.ndarray | None:
    name = type(estimator).__name__
    if name.startswith("HistGradientBoosting"):
        return None
    if name == "IsolationForest":
        return np.stack([fitted.tree_.apply(_drawn(estimator, fitted, rows)) for fitted in estimator.estimators_], axis=1)
    if name.startswith("AdaBoost"):
        return np.stack([fitted.apply(rows) for fitted in estimator.estimators_], axis=1)
    return np.asarray(estimator.apply(rows)).reshape(len(rows), -1).astype(np.int64)


def thresholds(document: dict[str, Any]) -> dict[int, list[float]]:
    """The thresholds of an exported document by feature."""
    found: dict[int, list[float]] = {}
    for one in document["trees"]:
        tests = one["test"]
        for node, feature in enumerate(one["feature"]):
            if feature >= 0 and (tests if isinstance(tests, str) else tests[node]) != "in":
                found.setdefault(feature, []).append(float(one["threshold"][node]))
    return found
