"""Export of scikit-learn tree ensembles to treeproof's own JSON, without loss.

scikit-learn has no portable model file, so the numbers are taken from the fitted estimator's own arrays. Every
float is written so that it reads back to the same bits, and the document says which arithmetic the library uses:
the order of additions, where it rounds, and how it turns a sum into a label. The format is described in
``docs/format.md``.

    >>> from sklearn.ensemble import RandomForestRegressor
    >>> from treeproof import scikit_learn
    >>> forest = RandomForestRegressor(3).fit([[0], [1]], [2, 3])
    >>> scikit_learn.save(forest, "forest.json")
"""

from __future__ import annotations

import gzip
import json
import math
import os
import warnings
from typing import Any, Iterable, Sequence

import numpy as np
import sklearn
from sklearn import ensemble, pipeline, tree

from . import _native, adapters, wrappers

Document = dict[str, Any]

_VERSION = tuple(int(part) for part in sklearn.__version__.split(".")[:2])

_FORESTS = (
    ensemble.RandomForestClassifier,
    ensemble.RandomForestRegressor,
    ensemble.ExtraTreesClassifier,
    ensemble.ExtraTreesRegressor,
)
_TREES = (tree.DecisionTreeClassifier, tree.DecisionTreeRegressor)
_GRADIENT = (ensemble.GradientBoostingClassifier, ensemble.GradientBoostingRegressor)
_HISTOGRAM = (ensemble.HistGradientBoostingClassifier, ensemble.HistGradientBoostingRegressor)


def save(estimator: Any, path: str | os.PathLike[str], feature_names: Sequence[str] | None = None, *, force: bool = False) -> None:
    """Writes a fitted estimator, or a pipeline that ends in one, to a file; a name that ends in ``.gz`` is compressed.

    A file there is overwritten if it is such a model, or with ``force``.

    >>> from sklearn.tree import DecisionTreeRegressor
    >>> from treeproof import scikit_learn
    >>> scikit_learn.save(DecisionTreeRegressor().fit([[0], [1]], [2, 3]), "tree.json.gz", feature_names=["size"])
    >>> tp.max("tree.json.gz").upper
    3.0
    """
    if isinstance(estimator, pipeline.Pipeline):
        from . import pipelines

        if feature_names is not None:
            raise ValueError("the columns of a pipeline have the names that it was fitted with")
        return pipelines.save(estimator, path, force=force)
    text = json.dumps(to_document(estimator, feature_names), separators=(",", ":"), allow_nan=False)
    content = text.encode()
    if os.fspath(path).endswith(".gz"):
        content = gzip.compress(content, mtime=0)
    _native.write_file(path, content, "model", force, [])


def to_document(estimator: Any, feature_names: Sequence[str] | None = None) -> Document:
    """The document of a fitted estimator, ready for ``json.dumps``.

    ``feature_names`` overrides the names seen during fitting (``feature_names_in_``); without either, columns are
    called ``f0``, ``f1``, …

    Raises ``TypeError`` for what is not a supported tree ensemble, and ``ValueError`` for a supported kind of
    estimator in a configuration that the format cannot hold exactly, or of a class that predicts in its own way.

    >>> from sklearn.tree import DecisionTreeRegressor
    >>> from treeproof import scikit_learn
    >>> scikit_learn.to_document(DecisionTreeRegressor().fit([[0], [1]], [2, 3]))["num_outputs"]
    1
    """
    name = type(estimator).__name__
    adapters.library_of(estimator)
    export = _exporter(estimator)
    if not hasattr(estimator, "n_features_in_"):
        raise ValueError(f"this {name} is not fitted; call fit first")
    features = [{"name": name, "kind": "numeric"} for name in _feature_names(estimator, feature_names)]
    source: Document = {"format": "scikit-learn", "version": sklearn.__version__, "objective": name, "notes": []}
    if trends := _trends(estimator):
        source["trends"] = trends
    document: Document = {"treeproof": 1, "source": source, "features": features}
    document.update(export(estimator, features))
    return document


def _exporter(estimator: Any) -> Any:
    """The export function of this kind of estimator."""
    kinds = (
        (_FORESTS, _forest),
        (_TREES, _single_tree),
        (_GRADIENT, _gradient_boosting),
        (_HISTOGRAM, _histogram_boosting),
        (ensemble.IsolationForest, _isolation_forest),
        (ensemble.AdaBoostClassifier, _ada_classifier),
        (ensemble.AdaBoostRegressor, _ada_regressor),
    )
    for classes, export in kinds:
        if isinstance(estimator, classes):
            return export
    raise TypeError(wrappers.refusal(estimator))


# Parts that all documents share.


def _feature_names(estimator: Any, given: Sequence[str] | None) -> list[str]:
    count = int(estimator.n_features_in_)
    names = given if given is not None else getattr(estimator, "feature_names_in_", None)
    if names is None:
        return [f"f{index}" for index in range(count)]
    if len(names) != count:
        raise ValueError(f"{len(names)} feature names given, but the estimator has {count} features")
    return [str(name) for name in names]


def _trends(estimator: Any) -> dict[str, str]:
    """The features along which training kept the margin from falling or rising, by their place."""
    constraints = getattr(estimator, "monotonic_cst", None)
    # Margins of a forest's classes go in opposite directions: no trend is that of all.
    if constraints is None or isinstance(estimator, _FORESTS + _TREES) and hasattr(estimator, "classes_"):
        return {}
    if isinstance(constraints, dict):
        signs = [constraints.get(name, 0) for name in estimator.feature_names_in_]
    else:
        signs = list(constraints)
    return {str(place): "increasing" if sign > 0 else "decreasing" for place, sign in enumerate(signs) if sign != 0}


def _classes(estimator: Any) -> list[int | bool | str]:
    """The classes as JSON values; whole floats become integers, other things their text."""

    def plain(value: Any) -> int | bool | str:
        value = value.item() if isinstance(value, np.generic) else value
        if isinstance(value, float) and value.is_integer():
            return int(value)
        return value if isinstance(value, (bool, int, str)) else str(value)

    return [plain(value) for value in estimator.classes_]


def _accepts(estimator: Any, value: float, kind: Any = np.asarray) -> bool:
    """Asks the library itself: which estimators take NaN and infinities has changed from version to version.

    ``kind`` makes a matrix, as sparse ones may be refused where dense ones are not.
    """
    probe = kind(np.full((1, int(estimator.n_features_in_)), value))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            estimator.predict(probe)
        except ValueError:
            return False
    return True


def _cart_input(estimator: Any) -> Document:
    """How estimators built on CART trees read numbers: as ``f32``; most refuse what is infinite."""
    return {
        "precision": "f32",
        "accepts_missing": _accepts(estimator, np.nan),
        "accepts_infinite": _accepts(estimator, np.inf),
        "absent": "zero",
    }


def _sum(base: Iterable[float], *, fixed_order: bool = True, **more: Any) -> Document:
    """A sum in ``f64`` that starts at the base."""
    document = {
        "rule": "sum",
        "precision": "f64",
        "base": [float(value) for value in base],
        "base_position": "first",
        "fixed_order": fixed_order,
    }
    return document | more


def _number(value: float) -> float | str:
    """A threshold as JSON: infinities are strings, since JSON numbers are finite."""
    value = float(value)
    return value if math.isfinite(value) else ("inf" if value > 0 else "-inf")


# CART trees.


def _cart_tree(fitted: Any, columns: Sequence[int] | None = None) -> Document:
    """The splits of one fitted CART tree; ``columns`` maps the tree's features to the model's."""
    arrays = fitted.tree_
    left, right = arrays.children_left, arrays.children_right
    inner = left != -1
    missing_left = getattr(arrays, "missing_go_to_left", np.zeros(len(left), dtype=np.uint8))
    feature = np.where(inner, arrays.feature, -1)
    if columns is not None:
        feature = np.where(inner, np.asarray(columns)[np.where(inner, feature, 0)], -1)
    return {
        "left": left.tolist(),
        "right": right.tolist(),
        "feature": feature.tolist(),
        "test": "<=",
        "threshold": [_number(value) if split else 0 for value, split in zip(arrays.threshold, inner)],
        "missing_left": np.where(inner, missing_left, 0).astype(int).tolist(),
    }


def _is_leaf(fitted: Any) -> np.ndarray:
    return np.asarray(fitted.tree_.children_left == -1)


def _scalar_leaves(fitted: Any, values: np.ndarray, output: int = 0) -> Document:
    """Leaves that add one number to one output."""
    return {"output": output, "value": np.where(_is_leaf(fitted), values, 0.0).tolist()}


def _vector_leaves(fitted: Any, values: np.ndarray) -> Document:
    """Leaves that add one number to every output; ``values`` has a row per node."""
    return {"values": [row.tolist() if leaf else [] for row, leaf in zip(values, _is_leaf(fitted))]}


def _class_fractions(fitted: Any) -> np.ndarray:
    """What a classification tree's ``predict_proba`` returns at each node."""
    values = np.ascontiguousarray(fitted.tree_.value[:, 0, :])
    if _VERSION >= (1, 4):
        return values
    # Before 1.4 the tree stores counts, and the library divides each row by its sum unless that is zero.
    normalizer = values.sum(axis=1)[:, np.newaxis]
    normalizer[normalizer == 0.0] = 1.0
    return np.asarray(values / normalizer)


def _cart_leaves(fitted: Any, classifier: bool) -> Document:
    if classifier:
        return _vector_leaves(fitted, _class_fractions(fitted))
    values = fitted.tree_.value[:, :, 0]
    return _scalar_leaves(fitted, values[:, 0]) if values.shape[1] == 1 else _vector_leaves(fitted, values)


def _cart_outputs(estimator: Any) -> tuple[bool, int]:
    """Whether it is a classifier, and the number of outputs."""
    classifier = hasattr(estimator, "classes_")
    if classifier and int(estimator.n_outputs_) != 1:
        raise ValueError("a classifier with several outputs has no single label; export one classifier per output")
    return classifier, len(estimator.classes_) if classifier else int(estimator.n_outputs_)


def _labels(estimator: Any, classifier: bool) -> Document:
    return {
        "link": {"function": "identity"},
        "label": {"rule": "largest_margin" if classifier else "none"},
        "classes": _classes(estimator) if classifier else [],
    }


def _single_tree(estimator: Any, features: list[Document]) -> Document:
    classifier, num_outputs = _cart_outputs(estimator)
    return {
        "input": _cart_input(estimator),
        "num_outputs": num_outputs,
        # From −0.0, so that a leaf of −0.0 stays what the library returns.
        "aggregate": _sum([-0.0] * num_outputs),
        **_labels(estimator, classifier),
        "trees": [_cart_tree(estimator) | _cart_leaves(estimator, classifier)],
    }


def _forest(estimator: Any, features: list[Document]) -> Document:
    classifier, num_outputs = _cart_outputs(estimator)
    trees = estimator.estimators_
    # With several jobs, the threads add in whatever order they finish.
    fixed_order = estimator.n_jobs in (None, 1)
    return {
        "input": _cart_input(estimator),
        "num_outputs": num_outputs,
        "aggregate": _sum([0.0] * num_outputs, fixed_order=fixed_order, divisor=float(len(trees))),
        **_labels(estimator, classifier),
        "trees": [_cart_tree(fitted) | _cart_leaves(fitted, classifier) for fitted in trees],
    }


# Boosting.


def _gradient_boosting(estimator: Any, features: list[Document]) -> Document:
    if estimator.init not in (None, "zero"):
        raise ValueError("gradient boosting with a custom init estimator adds its predictions; only None and 'zero' can be exported")
    stages = estimator.estimators_
    num_stages, num_outputs = stages.shape
    base = estimator._raw_predict_init(np.zeros((1, int(estimator.n_features_in_)), dtype=np.float32))[0]
    trees = [
        _cart_tree(fitted) | _scalar_leaves(fitted, fitted.tree_.value[:, 0, 0], output)
        for stage in stages
        for output, fitted in enumerate(stage)
    ]
    weights = {"per_tree": [float(estimator.learning_rate)] * len(trees), "rule": "product"}
    return {
        "input": _cart_input(estimator),
        "num_outputs": num_outputs,
        "aggregate": _sum(base, weights=weights),
        **_gradient_labels(estimator, num_outputs),
        "trees": trees,
    }


def _gradient_labels(estimator: Any, num_outputs: int) -> Document:
    if not hasattr(estimator, "classes_"):
        return _labels(estimator, classifier=False)
    # Before version 1.4, the logistic losses chose the class by comparing probabilities.
    by_probability = _VERSION < (1, 4) and estimator.loss != "exponential"
    if num_outputs > 1:
        label: Document = {"rule": "largest_output" if by_probability else "largest_margin"}
        return {"link": {"function": "softmax"}, "label": label, "classes": _classes(estimator)}
    label = {"rule": "output_above_complement"} if by_probability else {"rule": "margin_at_least", "threshold": 0.0}
    slope = 2.0 if estimator.loss == "exponential" else 1.0
    return {"link": {"function": "logistic", "slope": slope}, "label": label, "classes": _classes(estimator)}


def _histogram_boosting(estimator: Any, features: list[Document]) -> Document:
    columns = _histogram_columns(estimator, features)
    iterations = estimator._predictors
    # The library adds the baseline to zeros, so a baseline of −0.0 becomes +0.0.
    base = 0.0 + np.asarray(estimator._baseline_prediction, dtype=np.float64).ravel()
    trees = [
        _histogram_tree(predictor, columns, output)
        for iteration in iterations
        for output, predictor in enumerate(iteration)
    ]
    return {
        "input": {"precision": "f64", "accepts_missing": True, "accepts_infinite": True, "absent": "zero"},
        "num_outputs": len(base),
        "aggregate": _sum(base),
        **_histogram_labels(estimator, len(base)),
        "trees": trees,
    }


def _histogram_labels(estimator: Any, num_outputs: int) -> Document:
    if not hasattr(estimator, "classes_"):
        inverse_link = type(estimator._loss.link).__name__
        functions = {"IdentityLink": "identity", "LogLink": "exp"}
        if inverse_link not in functions:
            raise ValueError(f"histogram boosting with the link {inverse_link} cannot be exported")
        return _labels(estimator, classifier=False) | {"link": {"function": functions[inverse_link]}}
    # Before version 1.5, the class was chosen by comparing probabilities.
    by_probability = _VERSION < (1, 5)
    if num_outputs > 1:
        label: Document = {"rule": "largest_output" if by_probability else "largest_margin"}
        return {"link": {"function": "softmax"}, "label": label, "classes": _classes(estimator)}
    label = {"rule": "output_above_complement"} if by_probability else {"rule": "margin_above", "threshold": 0.0}
    return {"link": {"function": "logistic", "slope": 1.0}, "label": label, "classes": _classes(estimator)}


def _histogram_columns(estimator: Any, features: list[Document]) -> list[int]:
    """Undoes the library's move of categorical columns to the front, and describes the categories in ``features``.

    Returns the user's column of each column that the trees see.
    """
    is_categorical = estimator.is_categorical_
    if is_categorical is None or not np.any(is_categorical):
        return list(range(len(features)))
    preprocessor = getattr(estimator, "_preprocessor", None)
    if preprocessor is None:
        raise ValueError("before scikit-learn 1.4, categorical features read 2.5 as category 2; fit again with 1.4 or newer")
    categorical = np.flatnonzero(is_categorical).tolist()
    for column, known in zip(categorical, preprocessor.named_transformers_["encoder"].categories_):
        known = [value for value in known if value is not None and value == value]
        numeric = all(isinstance(value, (int, float, np.number, np.bool_)) for value in known)
        # Texts are represented by their positions, numbers by themselves.
        values = [float(value) for value in known] if numeric else [float(code) for code in range(len(known))]
        if numeric and any(float(value) != value for value in known):
            raise ValueError(f"column {column} has a category that is no double")
        names = [_category_name(value) for value in known]
        features[column].update(kind="category", encoding={"rule": "exact", "values": values}, names=names)
        # Truth values are compared as numbers.
        is_truth = numeric and all(isinstance(value, (bool, np.bool_)) for value in known)
        features[column]["type"] = "truth" if is_truth else "number" if numeric else "text"
    return categorical + np.flatnonzero(~np.asarray(is_categorical)).tolist()


def _category_name(value: Any) -> str:
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return str(int(value))
    return str(value)


def _histogram_tree(predictor: Any, columns: Sequence[int], output: int) -> Document:
    nodes = predictor.nodes
    leaf = nodes["is_leaf"].astype(bool)
    categorical = nodes["is_categorical"].astype(bool) & ~leaf
    sets: list[list[int]] = []
    thresholds: list[float | str] = []
    for index, node in enumerate(nodes):
        if leaf[index]:
            thresholds.append(0)
        elif categorical[index]:
            thresholds.append(len(sets))
            sets.append(_bitset(predictor.raw_left_cat_bitsets[int(node["bitset_idx"])]))
        else:
            thresholds.append(_number(node["num_threshold"]))
    document: Document = {
        "left": np.where(leaf, -1, nodes["left"].astype(np.int64)).tolist(),
        "right": np.where(leaf, -1, nodes["right"].astype(np.int64)).tolist(),
        "feature": np.where(leaf, -1, np.asarray(columns)[nodes["feature_idx"].astype(np.int64)]).tolist(),
        "test": "<=",
        "threshold": thresholds,
        "missing_left": np.where(leaf, 0, nodes["missing_go_to_left"]).astype(int).tolist(),
        "output": output,
        "value": np.where(leaf, nodes["value"], 0.0).tolist(),
    }
    if sets:
        document["test"] = ["" if is_leaf else "in" if in_set else "<=" for is_leaf, in_set in zip(leaf, categorical)]
        document["sets"] = sets
    return document


def _bitset(words: np.ndarray) -> list[int]:
    """The members of a set of small integers stored as 32-bit words."""
    return [32 * position + bit for position, word in enumerate(words) for bit in range(32) if int(word) >> bit & 1]


# Isolation forests.


def _isolation_forest(estimator: Any, features: list[Document]) -> Document:
    from sklearn.ensemble._iforest import _average_path_length

    trees = estimator.estimators_
    max_samples = getattr(estimator, "_max_samples", None) or estimator.max_samples_
    scale = float(len(trees) * _average_path_length([max_samples])[0])
    if scale == 0.0:
        raise ValueError("an isolation forest trained on single samples scores every row alike; there is nothing to export")
    # The drawn columns count only if the library drew fewer than all.
    all_columns = estimator._max_features == estimator.n_features_in_
    documents = []
    for fitted, columns in zip(trees, estimator.estimators_features_):
        path_length = _node_depths(fitted) + 1.0 + _average_path_length(fitted.tree_.n_node_samples) - 1.0
        documents.append(_cart_tree(fitted, None if all_columns else columns) | _scalar_leaves(fitted, path_length))
    return {
        "input": _cart_input(estimator),
        "num_outputs": 1,
        "aggregate": _sum([0.0]),
        "link": {"function": "isolation", "scale": scale},
        "label": {"rule": "outlier", "offset": float(estimator.offset_)},
        "classes": [-1, 1],
        "trees": documents,
    }


def _node_depths(fitted: Any) -> np.ndarray:
    """The number of splits above each node. Children come after their parent in the arrays."""
    left, right = fitted.tree_.children_left, fitted.tree_.children_right
    depths = np.zeros(len(left))
    for node in np.flatnonzero(left != -1):
        depths[left[node]] = depths[right[node]] = depths[node] + 1
    return depths


# AdaBoost.


def _ada_trees(estimator: Any) -> list[Any]:
    for fitted in estimator.estimators_:
        if not isinstance(fitted, _TREES):
            raise TypeError(f"AdaBoost over {type(fitted).__name__} is not a tree ensemble")
    return list(estimator.estimators_)


def _ada_classifier(estimator: Any, features: list[Document]) -> Document:
    trees = _ada_trees(estimator)
    if getattr(estimator, "algorithm", "SAMME") == "SAMME.R":
        raise ValueError("AdaBoost with algorithm SAMME.R adds logarithms of probabilities; fit with algorithm='SAMME'")
    num_classes = int(estimator.n_classes_)
    if num_classes < 2:
        raise ValueError("AdaBoost with a single class has no decision to export")
    weights = estimator.estimator_weights_
    documents = []
    for fitted, weight in zip(trees, weights):
        chosen = fitted.tree_.value[:, 0, :].argmax(axis=1)
        if not np.array_equal(fitted.classes_, estimator.classes_):
            chosen = np.searchsorted(estimator.classes_, fitted.classes_)[chosen]
        against = -1 / (num_classes - 1) * weight if _VERSION >= (1, 3) else 0.0
        votes = np.where(chosen[:, np.newaxis] == np.arange(num_classes), weight, against)
        documents.append(_cart_tree(fitted) | _vector_leaves(fitted, votes))
    aggregate = _sum([0.0] * num_classes, divisor=float(weights.sum()))
    label: Document = {"rule": "largest_margin"}
    if num_classes == 2:
        aggregate["fold_pair"] = True
        label = {"rule": "margin_above", "threshold": 0.0}
    return {
        "input": _cart_input(estimator),
        "num_outputs": num_classes,
        "aggregate": aggregate,
        "link": {"function": "identity"},
        "label": label,
        "classes": _classes(estimator),
        "trees": documents,
    }


def _ada_regressor(estimator: Any, features: list[Document]) -> Document:
    trees = _ada_trees(estimator)
    weights = estimator.estimator_weights_[: len(trees)]
    return {
        "input": _cart_input(estimator),
        "num_outputs": 1,
        "aggregate": {"rule": "weighted_median", "weights": [float(weight) for weight in weights]},
        **_labels(estimator, classifier=False),
        "trees": [_cart_tree(fitted) | _scalar_leaves(fitted, fitted.tree_.value[:, 0, 0]) for fitted in trees],
    }
