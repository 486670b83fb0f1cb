"""Old versions of the libraries: their objects are read exactly, or refused with one line that names the version needed."""

from __future__ import annotations

import importlib
import re
from typing import Any

import numpy as np
import pytest
import treeproof as tp
from treeproof import adapters

ROWS = np.random.default_rng(0).normal(size=(200, 4))
LABELS = (ROWS[:, 0] > 0).astype(int)


def _xgboost() -> Any:
    import xgboost as xgb

    return xgb.train({"max_depth": 2, "nthread": 1}, xgb.DMatrix(ROWS, label=LABELS), 2)


def _lightgbm() -> Any:
    import lightgbm as lgb

    return lgb.train({"num_leaves": 4, "verbose": -1, "num_threads": 1}, lgb.Dataset(ROWS, LABELS), 2)


def _catboost() -> Any:
    from catboost import CatBoostRegressor

    return CatBoostRegressor(iterations=2, depth=2, verbose=False, thread_count=1, allow_writing_files=False).fit(ROWS, LABELS)


def _sklearn() -> Any:
    from sklearn.tree import DecisionTreeRegressor

    return DecisionTreeRegressor(max_depth=2).fit(ROWS, LABELS)


FITTED = {"xgboost": _xgboost, "lightgbm": _lightgbm, "catboost": _catboost, "sklearn": _sklearn}


def _refused(model: Any, library: str, needed: str) -> None:
    with pytest.raises(tp.ModelError) as caught:
        tp.load(model)
    message = str(caught.value)
    assert "\n" not in message and f" of {library} {importlib.import_module(library).__version__}, " in message
    assert message.endswith(f"; fit it with {library} {needed} or newer")


@pytest.mark.parametrize("library", FITTED)
def test_objects_of_versions_that_are_too_old_are_refused(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    oldest = adapters.OLDEST[library]
    needed = ".".join(map(str, oldest))
    module, model = importlib.import_module(library), FITTED[library]()
    installed = tuple(map(int, re.findall(r"\d+", module.__version__)[:2]))
    if installed < oldest:
        _refused(model, library, needed)
        return
    assert len(tp.load(model).features) == 4
    for told in ("0.90", "0.72.1rc1", f"{oldest[0]}.{oldest[1] - 1}.9"):
        monkeypatch.setattr(module, "__version__", told)
        _refused(model, library, needed)
    for told in (f"{needed}.0", needed, f"{needed}rc1", f"{oldest[0]}.{oldest[1] + 10}.dev0", "unknown"):
        monkeypatch.setattr(module, "__version__", told)
        tp.load(model)


def test_categories_of_xgboost_need_a_newer_version(monkeypatch: pytest.MonkeyPatch) -> None:
    import xgboost as xgb

    columns = np.column_stack([ROWS[:, 1:], np.arange(200) % 5])
    matrix = xgb.DMatrix(columns, label=np.arange(200) % 5 == 3, feature_types=["q", "q", "q", "c"])
    model = xgb.train({"max_depth": 2, "nthread": 1, "tree_method": "hist"}, matrix, 2)
    if tuple(map(int, re.findall(r"\d+", xgb.__version__)[:3])) >= (1, 7, 3):
        assert len(tp.load(model).features) == 4
        monkeypatch.setattr(xgb, "__version__", "1.7.2")
    _refused(model, "xgboost", "1.7.3")
    # Splits decide, not the types of columns, and linear models have none.
    numeric = xgb.train({"max_depth": 2, "nthread": 1}, xgb.DMatrix(ROWS, label=LABELS), 2)
    numeric.feature_types = ["q", "q", "q", "c"]
    assert len(tp.load(numeric).features) == 4
    with pytest.raises(tp.ModelError, match="linear"):
        tp.load(xgb.train({"booster": "gblinear", "nthread": 1}, xgb.DMatrix(ROWS, label=LABELS), 2))


def test_pipelines_need_a_newer_version(monkeypatch: pytest.MonkeyPatch) -> None:
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from treeproof import pipelines, scikit_learn

    made = make_pipeline(StandardScaler(), _sklearn()).fit(ROWS, LABELS)
    if scikit_learn._VERSION >= (1, 6):
        assert pipelines.describe(made)["columns"] == 4
        monkeypatch.setattr(scikit_learn, "_VERSION", (1, 5))
    with pytest.raises(tp.ModelError, match=r"^pipelines can be described with scikit-learn 1\.6 or newer$"):
        tp.load(made)
