"""Fitted objects: what their wrappers do beside the booster, and what is refused."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
import treeproof as tp


def _data(seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(300, 4))
    return rows, (rows[:, 0] + rows[:, 1] ** 2 > 0.5).astype(int)


def _same_bits(found: np.ndarray, expected: np.ndarray) -> None:
    expected = np.asarray(expected, dtype=np.float64)
    assert found.shape == expected.shape
    assert (found.view(np.uint64) == np.ascontiguousarray(expected).view(np.uint64)).all()


def test_xgboost_wrappers_stop_at_the_best_iteration() -> None:
    import xgboost as xgb

    rows, labels = _data()
    model = xgb.XGBClassifier(n_estimators=60, early_stopping_rounds=2, max_depth=3, n_jobs=1)
    model.fit(rows[:200], labels[:200], eval_set=[(rows[200:], labels[200:])], verbose=False)
    assert model.best_iteration + 3 <= model.get_booster().num_boosted_rounds()
    loaded = tp.load(model)
    _same_bits(loaded.predict(rows, margin=True), model.predict(rows, output_margin=True))
    assert (loaded.predict(rows, labels=True) == model.predict(rows)).all()
    booster = tp.load(model.get_booster())
    rounded = rows.astype(np.float32)
    _same_bits(booster.predict(rounded, margin=True), model.get_booster().predict(xgb.DMatrix(rounded), output_margin=True))
    assert not np.array_equal(booster.predict(rounded, margin=True), loaded.predict(rounded, margin=True))
    with pytest.warns(tp.TreeproofWarning, match="best iteration.*api='booster' uses all"):
        tp.load(bytes(model.get_booster().save_raw("ubj")))


def test_xgboost_missing_is_the_wrappers_own() -> None:
    import xgboost as xgb

    rows, labels = _data()
    rows[rows < -1] = -999.0
    model = xgb.XGBRegressor(n_estimators=5, missing=-999.0, n_jobs=1).fit(rows, labels)
    _same_bits(tp.load(model).predict(rows, margin=True), model.predict(rows, output_margin=True))


def test_lightgbm_wrappers_have_names_of_classes() -> None:
    import lightgbm as lgb

    rows, labels = _data()
    names = np.array(["refused", "granted"])[labels]
    model = lgb.LGBMClassifier(n_estimators=8, num_leaves=7, verbose=-1, n_jobs=1).fit(rows, names)
    loaded = tp.load(model)
    assert loaded.classes == ["granted", "refused"] and loaded.inspect()["classes"] == loaded.classes
    assert (loaded.predict(rows, labels=True) == model.predict(rows)).all()
    _same_bits(loaded.predict(rows, margin=True), model.predict(rows, raw_score=True))
    report = tp.closest(loaded, rows[0], norm="l1", target="granted")
    assert report.rows[0]["witness_label"] == "granted"
    many = lgb.LGBMClassifier(n_estimators=3, verbose=-1, n_jobs=1).fit(rows, np.array(["x", "y", "z"])[np.arange(300) % 3])
    assert tp.load(many).classes == ["x", "y", "z"]
    assert tp.max(many, class_="y", threads=1).to_dict()["class"] == "y"
    _same_bits(tp.load(model.booster_).predict(rows), model.booster_.predict(rows))


def test_catboost_needs_the_names_of_categories() -> None:
    from catboost import CatBoostClassifier, Pool

    rows, labels = _data()
    table = rows.astype(object)
    table[:, 2] = np.array(["red", "green", "blue"])[np.arange(300) % 3]
    pool = Pool(table, np.array(["no", "yes"])[labels], cat_features=[2])
    model = CatBoostClassifier(iterations=6, depth=3, one_hot_max_size=10, verbose=False, thread_count=1, allow_writing_files=False)
    model.fit(pool)
    with pytest.raises(tp.ModelError, match="pool"):
        tp.load(model)
    loaded = tp.load(model, pool=pool)
    assert loaded.classes == ["no", "yes"]
    frame = [{name: value for name, value in zip(loaded.features, row)} for row in table]
    _same_bits(loaded.predict(frame, margin=True), model.predict(pool, prediction_type="RawFormulaVal"))
    assert (loaded.predict(frame, labels=True) == model.predict(pool)).all()


def test_scikit_learn_estimators_are_models() -> None:
    from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
    from sklearn.linear_model import LinearRegression

    rows, labels = _data()
    forest = RandomForestClassifier(10, max_depth=4, random_state=0).fit(rows, labels == 1)
    loaded = tp.load(forest)
    assert loaded.classes == [False, True]
    _same_bits(loaded.predict(rows), forest.predict_proba(rows))
    report = tp.robust(loaded, rows[:5], norm="linf", radius=0.01, y=labels[:5] == 1)
    assert report.summary["accuracy"] == (forest.predict(rows[:5]) == (labels[:5] == 1)).mean()
    boosted = HistGradientBoostingClassifier(max_iter=5).fit(rows, labels)
    assert (tp.load(boosted).predict(rows, labels=True) == boosted.predict(rows)).all()
    with pytest.raises(tp.ModelError, match="not fitted"):
        tp.load(RandomForestClassifier())
    with pytest.raises(tp.ModelError, match="LinearRegression"):
        tp.load(LinearRegression().fit(rows, labels))
    with pytest.raises(tp.ModelError, match="is no model"):
        tp.load(object())


def test_no_library_is_imported_that_is_not_in_use() -> None:
    code = "import sys, treeproof; bad = {'xgboost', 'lightgbm', 'catboost', 'sklearn', 'pandas', 'polars', 'scipy'} & set(sys.modules); assert not bad, bad"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.fixture()
def model() -> tp.Model:
    import lightgbm as lgb

    rows, labels = _data()
    names = np.array(["no", "yes"])[labels]
    return tp.load(lgb.LGBMClassifier(n_estimators=5, num_leaves=6, verbose=-1, n_jobs=1).fit(rows, names))


@pytest.mark.parametrize("again", [lambda it: pickle.loads(pickle.dumps(it)), copy.deepcopy, copy.copy])
def test_models_and_reports_are_copied_whole(model: tp.Model, again: Any) -> None:
    rows, _ = _data()
    other = again(model)
    assert other == model and hash(other) == hash(model) and other.classes == ["no", "yes"]
    _same_bits(other.predict(rows), model.predict(rows))
    report = tp.range(model, threads=1)
    twin = again(report)
    assert twin == report and twin.trace == report.trace and twin.task == report.task and twin.max.upper == report.upper


def test_a_model_is_saved_without_loss(model: tp.Model, tmp_path: Any) -> None:
    rows, _ = _data()
    for name in ("model.json", "model.json.gz"):
        model.save(tmp_path / name)
        saved = tp.load(tmp_path / name)
        assert saved.classes == model.classes
        _same_bits(saved.predict(rows, margin=True), model.predict(rows, margin=True))
