"""Objects around models: what they predict with is read, and what cannot be is refused with what to do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
import treeproof as tp
from sklearn import calibration, compose, ensemble, model_selection, pipeline, preprocessing, tree

RNG = np.random.default_rng(3)
ROWS = RNG.normal(size=(200, 3))
LABELS = (ROWS[:, 0] + ROWS[:, 1] ** 2 > 0.5).astype(int)


def test_a_search_over_parameters_is_the_model_that_it_chose() -> None:
    import xgboost as xgb

    grid = {"max_depth": [2, 3]}
    forest = model_selection.GridSearchCV(ensemble.RandomForestClassifier(5, random_state=0), grid, cv=2).fit(ROWS, LABELS)
    assert (tp.load(forest).predict(ROWS) == forest.predict_proba(ROWS)).all()
    boosted = model_selection.RandomizedSearchCV(xgb.XGBRegressor(n_estimators=4, n_jobs=1), grid, n_iter=2, cv=2).fit(ROWS, ROWS[:, 0])
    assert (tp.load(boosted).predict(ROWS) == boosted.predict(ROWS).astype(np.float64)).all()
    last = pipeline.make_pipeline(preprocessing.StandardScaler(), forest).fit(ROWS, LABELS)
    assert (tp.load(last).predict(ROWS) == last.predict_proba(ROWS)).all()
    for nothing in (model_selection.GridSearchCV(tree.DecisionTreeClassifier(), grid, refit=False).fit(ROWS, LABELS), model_selection.GridSearchCV(tree.DecisionTreeClassifier(), grid)):
        with pytest.raises(tp.ModelError, match="has chosen no model; fit it, with refit=True"):
            tp.load(nothing)


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (calibration.CalibratedClassifierCV(tree.DecisionTreeClassifier(max_depth=3), cv=2), "calibrated_classifiers_"),
        (compose.TransformedTargetRegressor(tree.DecisionTreeRegressor(max_depth=3)), "load regressor_"),
        (model_selection.FixedThresholdClassifier(tree.DecisionTreeClassifier(max_depth=3), threshold=0.7), "load that, and give questions the threshold"),
        (ensemble.VotingClassifier([("a", tree.DecisionTreeClassifier(max_depth=3))]), "load them one by one from estimators_"),
        (pipeline.make_pipeline(preprocessing.StandardScaler(), ensemble.BaggingClassifier(n_estimators=2)), "step `baggingclassifier`: .*one by one"),
    ],
)
def test_what_is_no_sum_of_trees_says_what_to_load(made: Any, words: str) -> None:
    with pytest.raises(tp.ModelError, match=words):
        tp.load(made.fit(ROWS, LABELS))


def test_a_class_that_predicts_in_its_own_way_is_refused() -> None:
    import lightgbm as lgb
    import xgboost as xgb

    class Contrary(ensemble.RandomForestClassifier):
        def predict_proba(self, X: Any) -> Any:
            return 1 - super().predict_proba(X)

    class Strict(xgb.XGBClassifier):
        def predict(self, X: Any, **more: Any) -> Any:
            return (self.predict_proba(X)[:, 1] > 0.9).astype(int)

    class Named(lgb.LGBMClassifier):
        """A class that changes nothing."""

    for kind, options in ((Contrary, {}), (Strict, {"n_jobs": 1})):
        made = kind(n_estimators=3, **options).fit(ROWS, LABELS)
        for given in (made, pipeline.make_pipeline(preprocessing.StandardScaler(), made).fit(ROWS, LABELS)):
            with pytest.raises(tp.ModelError, match=f"a {kind.__name__} has a `predict(_proba)?` of its own"):
                tp.load(given)
    named = Named(n_estimators=3, verbose=-1, n_jobs=1).fit(ROWS, LABELS)
    assert (tp.load(named).predict(ROWS, labels=True) == named.predict(ROWS)).all()
    scaled = pipeline.make_pipeline(preprocessing.StandardScaler(), named).fit(ROWS, LABELS)
    assert (tp.load(scaled).predict(ROWS, labels=True) == scaled.predict(ROWS)).all()


def test_steps_that_only_resample_do_nothing_to_rows() -> None:
    """As in pipelines of imbalanced-learn, which need not be installed here."""

    class Half:
        n_features_in_ = 3

        def fit(self, X: Any, y: Any = None) -> Half:
            return self

        def fit_resample(self, X: Any, y: Any) -> Any:
            return X[::2], y[::2]

    scaler = preprocessing.StandardScaler().fit(ROWS)
    model = tree.DecisionTreeClassifier(max_depth=3).fit(scaler.transform(ROWS[::2]), LABELS[::2])
    made = pipeline.Pipeline([("scale", scaler), ("half", Half()), ("model", model)])
    assert (tp.load(made).predict(ROWS) == model.predict_proba(scaler.transform(ROWS))).all()


def test_lightgbm_that_leaves_trees_out_or_has_no_labels() -> None:
    import lightgbm as lgb

    plain = {"n_estimators": 6, "verbose": -1, "n_jobs": 1}
    with pytest.raises(tp.ModelError, match="pred_early_stop"):
        tp.load(lgb.LGBMClassifier(pred_early_stop=True, **plain).fit(ROWS, LABELS))
    own = lgb.LGBMClassifier(objective=lambda y, p: (1 / (1 + np.exp(-p)) - y, np.ones_like(p)), **plain).fit(ROWS, LABELS)
    assert tp.load(own).classes == [] and (tp.load(own).predict(ROWS) == own.predict(ROWS, raw_score=True)).all()
    with pytest.raises(tp.ModelError, match="single class"):
        tp.load(lgb.LGBMClassifier(**plain).fit(ROWS, np.zeros(200, dtype=int)))
    with pytest.raises(tp.ModelError, match="a lightgbm Dataset is no model"):
        tp.load(lgb.Dataset(ROWS))


def test_xgboost_may_take_infinity_for_missing() -> None:
    import xgboost as xgb

    rows = ROWS.copy()
    rows[::5, 0] = np.inf
    made = xgb.XGBRegressor(n_estimators=4, missing=np.inf, n_jobs=1).fit(rows, ROWS[:, 1] + (rows[:, 0] == np.inf))
    assert (tp.load(made).predict(rows) == made.predict(rows).astype(np.float64)).all()
    again = tp.load(made.get_booster(), api="sklearn", missing_value=np.inf)
    assert (again.predict(rows) == tp.load(made).predict(rows)).all()


def test_catboost_categories_in_a_pipeline_have_no_names() -> None:
    from catboost import CatBoostClassifier

    frame = pd.DataFrame({"age": RNG.integers(18, 90, 200), "kids": RNG.integers(0, 4, 200)})
    model = CatBoostClassifier(iterations=4, cat_features=[1], one_hot_max_size=10, verbose=False, allow_writing_files=False, thread_count=1)
    made = pipeline.Pipeline([("as is", "passthrough"), ("model", model)]).fit(frame, LABELS)
    with pytest.raises(tp.ModelError, match="step `model`: this CatBoostClassifier holds hashes of its categories"):
        tp.load(made)
    texts = pd.DataFrame({"age": frame.age, "note": ["good day", "bad day"] * 100})
    model = CatBoostClassifier(iterations=4, text_features=["note"], verbose=False, allow_writing_files=False, thread_count=1).fit(texts, LABELS)
    with pytest.raises(tp.ModelError, match="has text features"):
        tp.load(model)


def test_options_are_heeded_or_refused() -> None:
    made = tree.DecisionTreeClassifier(max_depth=3).fit(ROWS, LABELS)
    model = tp.load(made)
    # A model that was loaded before is read again.
    assert tp.load(model, class_names=np.array(["no", "yes"])).classes == ["no", "yes"] and model.classes == [0, 1]
    assert tp.load(model) is model
    import lightgbm as lgb

    boosted = tp.load(lgb.LGBMRegressor(n_estimators=2, verbose=-1, n_jobs=1).fit(ROWS, LABELS))
    for options, words in (
        ({"missing_value": -999}, "missing_value is for XGBoost models"),
        ({"base_margin": 0.5, "classes": 2}, "are for XGBoost's JSON dump"),
        ({"missing_value": "none"}, "missing_value is not a number: 'none'"),
        ({"class_names": "ab"}, "class_names is a list of names"),
        ({"classes": 1.5}, "classes is not a whole number"),
    ):
        with pytest.raises(tp.TreeproofError, match=words):
            tp.load(boosted, **options)
    assert tp.load(boosted, missing_value=float("nan")).features == boosted.features
    for wrong, words in ((tree.DecisionTreeClassifier, "the class DecisionTreeClassifier itself"), (None, "^None is no model"), ("a\0b", "no path")):
        with pytest.raises(tp.ModelError, match=words):
            tp.load(wrong)
