"""The scikit-learn exporter, judged by the plain evaluator: same leaves, same bits, same labels as the library."""

from __future__ import annotations

import json
import warnings

import data
import estimators
import numpy as np
import pytest
import reference
from rows import adversarial
from sklearn import ensemble, linear_model, neighbors, tree
from treeproof import scikit_learn

CATEGORY_POOLS = {2: [1, 4, 7, 10, 13, 0, 2, -1, 1.5, 256, 1e9, np.nan, 1 + 1e-12], 5: [*range(42), -1, 0.5, np.nan, -0.0]}


def fit(family: estimators.Family, seed: int, num_rows: int = 60) -> tuple[object, dict, np.ndarray]:
    """A fitted estimator, its document as read back from JSON, and hard rows."""
    rng = np.random.default_rng(seed)
    columns, score = data.numbers(rng)
    pools = None
    if family.categories:
        columns[:, 2], columns[:, 5] = rng.integers(0, 5, len(score)) * 3 + 1, rng.integers(0, 40, len(score))
        score = score + 2.0 * ((columns[:, 5] % 7 == 3) | (columns[:, 2] == 7))
        pools = CATEGORY_POOLS
    if family.holes:
        columns = data.with_holes(columns, rng)
    estimator = family.make(seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        estimator.fit(columns, data.target(score, family.target))
        document = json.loads(json.dumps(scikit_learn.to_document(estimator), allow_nan=False))
    rules = document["input"]
    rows = adversarial(
        estimators.thresholds(document),
        columns.shape[1],
        rng,
        num_rows=num_rows,
        missing=rules["accepts_missing"],
        infinite=rules["accepts_infinite"],
        overflow=rules["accepts_infinite"],
        categories=pools,
    )
    return estimator, document, rows


@pytest.mark.parametrize("family", estimators.FAMILIES, ids=lambda family: family.name)
@pytest.mark.parametrize("seed", [1, 2])
def test_the_document_says_what_the_library_computes(family: estimators.Family, seed: int) -> None:
    estimator, document, rows = fit(family, seed)
    truth = estimators.truth(estimator, rows)
    predictions = [reference.predict(document, row) for row in rows]
    if truth.leaves is not None:
        assert [prediction.leaves for prediction in predictions] == truth.leaves.tolist()
    margins = np.array([prediction.margins for prediction in predictions])
    assert np.array_equal(margins.view(np.uint64), np.ascontiguousarray(truth.margins).view(np.uint64))
    if truth.outputs is not None:
        outputs = np.array([prediction.outputs for prediction in predictions])
        np.testing.assert_allclose(outputs, truth.outputs, rtol=1e-14, atol=1e-300)
    if truth.labels is not None:
        assert [prediction.label for prediction in predictions] == truth.labels.tolist()


COLUMNS = np.random.default_rng(0).normal(size=(60, 3))
CLASSES = (COLUMNS[:, 0] > 0).astype(int)


@pytest.mark.parametrize(
    ("estimator", "target", "error", "words"),
    [
        (ensemble.GradientBoostingRegressor(n_estimators=2, init=linear_model.LinearRegression()), CLASSES, ValueError, "custom init"),
        (ensemble.AdaBoostRegressor(neighbors.KNeighborsRegressor(), n_estimators=2), CLASSES, TypeError, "KNeighborsRegressor"),
        (ensemble.BaggingRegressor(n_estimators=2), CLASSES, TypeError, "BaggingRegressor"),
        (ensemble.RandomForestClassifier(2), np.stack([CLASSES, 1 - CLASSES], axis=1), ValueError, "several outputs"),
        (linear_model.LinearRegression(), CLASSES, TypeError, "LinearRegression"),
    ],
)
def test_what_cannot_be_exported_is_refused(estimator: object, target: np.ndarray, error: type, words: str) -> None:
    estimator.fit(COLUMNS, target)
    with pytest.raises(error, match=words):
        scikit_learn.to_document(estimator)


def test_an_unfitted_estimator_is_refused() -> None:
    with pytest.raises(ValueError, match="not fitted"):
        scikit_learn.to_document(tree.DecisionTreeRegressor())


def test_names_and_classes_survive() -> None:
    estimator = tree.DecisionTreeClassifier(max_depth=1).fit(COLUMNS, np.where(CLASSES == 1, "yes", "no"))
    document = scikit_learn.to_document(estimator, feature_names=["a", "b", "c"])
    assert [feature["name"] for feature in document["features"]] == ["a", "b", "c"]
    assert document["classes"] == ["no", "yes"]


def test_categories_of_old_versions_are_refused() -> None:
    columns = np.column_stack([COLUMNS, np.arange(60) % 3])
    estimator = ensemble.HistGradientBoostingRegressor(max_iter=2, categorical_features=[3]).fit(columns, CLASSES)
    # What a newer version encodes categories with.
    estimator._preprocessor = None
    with pytest.raises(ValueError, match="1.4 or newer"):
        scikit_learn.to_document(estimator)


def test_texts_as_categories_are_read_by_position() -> None:
    pandas = pytest.importorskip("pandas")
    if estimators.VERSION < (1, 4):
        pytest.skip("columns of texts need version 1.4")
    rng = np.random.default_rng(3)
    colour = rng.choice(["red", "green", "blue"], size=300)
    frame = pandas.DataFrame({"x": rng.normal(size=300), "colour": pandas.Categorical(colour)})
    target = frame.x + 2.0 * (colour == "red")
    estimator = ensemble.HistGradientBoostingRegressor(max_iter=10, categorical_features="from_dtype").fit(frame, target)
    document = scikit_learn.to_document(estimator)
    names = document["features"][1]["names"]
    assert names == ["blue", "green", "red"]
    codes = np.array([names.index(value) for value in colour], dtype=float)
    margins = [reference.predict(document, row).margins[0] for row in np.column_stack([frame.x, codes])]
    assert margins == estimator.predict(frame).tolist()
